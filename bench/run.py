#!/usr/bin/env python3
"""Runs every benchmark in turn, several times over, and keeps the best time of each.

run.py <build folder> [--quick]: writes results.json beside this file (results-quick.json into the
build folder); report.py makes the page, plot.py the drawings.
Taking turns, a spell of other work on the machine hits all contenders alike.
"""

import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PASSES = 5
MIN_TIME = 0.05  # seconds a benchmark in each pass
# Where a short spell of other work would decide a ratio: the same time, best of four shorter parts.
REPEATED = {"bench_argmax", "bench_binomial", "bench_context_rounds", "bench_disjoint_rounds",
            "bench_flip_sums", "bench_linear_rounds", "bench_logistic_rounds"}
REPETITIONS = 4


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def python_with_numpy():
    for python in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([python, "-c", "import numpy"], stderr=subprocess.DEVNULL)
        if found.returncode == 0:
            return python
    print("bench: skipped NumPy: no python3 here has it (Debian: python3-numpy)", file=sys.stderr)
    return None


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith(("model name", "Model")):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def program_results(program, quick):
    """One pass of a Google Benchmark program: its JSON."""
    environment = dict(os.environ, **({"PHE_BENCH_QUICK": "1"} if quick else {}))
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        repetitions = REPETITIONS if program.name in REPEATED and not quick else 1
        min_time = 0.001 if quick else MIN_TIME / repetitions
        output(program, f"--benchmark_out={file.name}", "--benchmark_out_format=json",
               f"--benchmark_min_time={min_time}", f"--benchmark_repetitions={repetitions}",
               env=environment)
        return json.load(file)


def numpy_results(python, inputs, quick):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    for arguments in ([HERE / "numpy_binomial.py", inputs / "trials.csv"],
                      [HERE / "numpy_evaluate.py", inputs / "log.csv", "80"],
                      [HERE / "numpy_rounds.py", inputs, "200" if quick else "10000"],
                      [HERE / "numpy_contexts.py", inputs, "200" if quick else "10000"]):
        yield json.loads(output(python, *map(str, arguments), env=environment))


def package_results(build, quick):
    """phebandits beside the library; nothing where it was not built."""
    interpreter = build / "python" / "interpreter"
    if not interpreter.exists():
        print("bench: skipped phebandits: not built", file=sys.stderr)
        return {"benchmarks": []}
    environment = dict(os.environ, PYTHONPATH=str(build.resolve() / "python"))
    return json.loads(output(interpreter.read_text().strip(), HERE / "python_rounds.py",
                             build / "bin" / "phe", *(["--quick"] if quick else []), env=environment))


def keep_best(best, results):
    for run in results["benchmarks"]:
        if run.get("run_type") == "aggregate":
            continue
        if run.get("error_occurred"):
            raise SystemExit(f"bench: {run['name']}: {run['error_message']}")
        ns = 1e9 / run["items_per_second"]
        name = re.sub("/real_time|/manual_time|/iterations:1|/repeats:[0-9]+", "", run.get("run_name", run["name"]))
        known = best.setdefault(name, {"ns": ns})
        known["ns"] = min(known["ns"], ns)
        for key in ("bytes_per_second", "table_bytes", "steps", "fresh", "centres"):
            if key in run:
                known[key] = max(known.get(key, 0), run[key])


def main():
    build = pathlib.Path(sys.argv[1])
    quick = "--quick" in sys.argv
    programs = sorted((build / "bin").glob("bench_*"))
    python = python_with_numpy()
    inputs = build / "bench-inputs"
    subprocess.run([build / "bin" / "write_inputs", inputs], check=True)
    best, context = {}, {}
    passes = 1 if quick else PASSES
    for i in range(passes):
        for program in programs:
            print(f"bench: pass {i + 1} of {passes}: {program.name}", file=sys.stderr)
            results = program_results(program, quick)
            context = results["context"]
            keep_best(best, results)
        if python:
            print(f"bench: pass {i + 1} of {passes}: NumPy", file=sys.stderr)
            for results in numpy_results(python, inputs, quick):
                keep_best(best, results)
        print(f"bench: pass {i + 1} of {passes}: phebandits", file=sys.stderr)
        keep_best(best, package_results(build, quick))
    dirty = output("git", "status", "--porcelain", "--untracked-files=no", "--", "src", "include",
                   cwd=HERE.parent)
    about = {
        "command": "make bench QUICK=1" if quick else "make bench",
        "cpu": cpu_model(),
        "simd": context["simd"],
        "cores": os.cpu_count(),
        "commit": output("git", "rev-parse", "--short", "HEAD", cwd=HERE.parent).strip()
        + (" with changes" if dirty else ""),
        "date": context["date"][:10],
        "load": [round(x, 1) for x in os.getloadavg()],
        "passes": passes,
    }
    target = build / "results-quick.json" if quick else HERE / "results.json"
    target.write_text(json.dumps({"about": about, "best": best}, indent=1) + "\n")


main()
