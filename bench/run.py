#!/usr/bin/env python3
"""Runs every benchmark in turn, several times over, and keeps the best time of each.

run.py <build folder> [--quick]: writes results.json beside this file (results-quick.json into the
build folder); report.py makes the page, plot.py the drawings.
Taking turns, a spell of other work on the machine hits all contenders alike. What a program gave in a
pass is kept in <build folder>/bench-parts until all is done: the same command on the same commit goes on
where an interrupted one stopped, and `run.py <build folder> --seconds 200` stops by itself after that long.
"""

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

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


def numpy_programs(inputs, quick):
    rounds = "200" if quick else "10000"
    return {"NumPy, binomial": [HERE / "numpy_binomial.py", inputs / "trials.csv"],
            "NumPy, evaluate": [HERE / "numpy_evaluate.py", inputs / "log.csv", "80"],
            "NumPy, rounds": [HERE / "numpy_rounds.py", inputs, rounds],
            "NumPy, contexts": [HERE / "numpy_contexts.py", inputs, rounds]}


def numpy_results(python, arguments):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    return json.loads(output(python, *map(str, arguments), env=environment))


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


class Parts:
    """The results of each program in each pass, on file. Those of other sources are thrown away."""

    def __init__(self, build, source, quick, seconds):
        self.folder = build / ("bench-parts-quick" if quick else "bench-parts")
        self.end = time.monotonic() + seconds
        about = self.folder / "source"
        if self.folder.exists() and (not about.exists() or about.read_text() != source):
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        about.write_text(source)

    def take(self, name, measure):
        """What `measure` gives, or gave before. Ends the program when its time is over."""
        file = self.folder / f"{name}.json"
        if not file.exists():
            if time.monotonic() > self.end:
                raise SystemExit(f"bench: stopped before {name}; the same command goes on from there")
            print(f"bench: {name}", file=sys.stderr)
            unfinished = file.with_suffix(".unfinished")
            unfinished.write_text(json.dumps(measure()))
            unfinished.rename(file)
        return json.loads(file.read_text())

    def forget(self):
        shutil.rmtree(self.folder)


def source_of(folder):
    """The commit, and whatever is changed since."""
    commit = output("git", "rev-parse", "--short", "HEAD", cwd=folder).strip()
    changes = output("git", "diff", "HEAD", "--", "src", "include", "bench/*.cpp", "bench/*.py", cwd=folder)
    return commit, changes


def main():
    build = pathlib.Path(sys.argv[1])
    quick = "--quick" in sys.argv
    seconds = float(sys.argv[sys.argv.index("--seconds") + 1]) if "--seconds" in sys.argv else float("inf")
    commit, changes = source_of(HERE.parent)
    parts = Parts(build, commit + changes, quick, seconds)
    programs = sorted((build / "bin").glob("bench_*"))
    python = python_with_numpy()
    inputs = build / "bench-inputs"
    subprocess.run([build / "bin" / "write_inputs", inputs], check=True)
    best, context = {}, {}
    passes = 1 if quick else PASSES
    for i in range(passes):
        for program in programs:
            results = parts.take(f"pass {i + 1} of {passes}, {program.name}",
                                 lambda program=program: program_results(program, quick))
            context = results["context"]
            keep_best(best, results)
        if python:
            for name, arguments in numpy_programs(inputs, quick).items():
                keep_best(best, parts.take(f"pass {i + 1} of {passes}, {name}",
                                           lambda arguments=arguments: numpy_results(python, arguments)))
        keep_best(best, parts.take(f"pass {i + 1} of {passes}, phebandits",
                                   lambda: package_results(build, quick)))
    about = {
        "command": "make bench QUICK=1" if quick else "make bench",
        "cpu": cpu_model(),
        "simd": context["simd"],
        "cores": os.cpu_count(),
        "commit": commit + (" with changes" if changes else ""),
        "date": context["date"][:10],
        "load": [round(x, 1) for x in os.getloadavg()],
        "passes": passes,
    }
    target = build / "results-quick.json" if quick else HERE / "results.json"
    target.write_text(json.dumps({"about": about, "best": best}, indent=1) + "\n")
    parts.forget()


main()
