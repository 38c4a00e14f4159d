#!/usr/bin/env python3
"""Runs the cells that have no result yet: run.py RESULTS --data FOLDER --programs FOLDER [--only TEXT] [--list]

Results are JSON files in RESULTS, one per cell; delete one to have it done again. --through COMMAND puts a
command in front of each cell, as a queue on a machine that is shared.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


def file_of(folder, cell):
    return Path(folder) / (cell.replace("/", "__").replace(" ", "_") + ".json")


def environment():
    """This one, with a thread per library, and the module path from wherever the child stands."""
    path = os.pathsep.join(os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p)
    return {**os.environ, **ONE_THREAD, "PYTHONPATH": path}


def do(cell, arguments):
    """Runs one cell in a process of its own; what went wrong is a result as well."""
    command = [*shlex.split(arguments.through), sys.executable, str(HERE / "work.py"), cell, arguments.data,
               arguments.programs]  # fmt: skip
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, env=environment())
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    return {"failed": (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]}


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--data", default="", type=os.path.abspath)
    parser.add_argument("--programs", default="", type=os.path.abspath)
    parser.add_argument("--only", default="")
    parser.add_argument("--through", default="")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def main():
    from catalogue import PACKAGES
    from plan import cells

    arguments = parsed()
    arguments.results.mkdir(parents=True, exist_ok=True)
    plan, missing = cells(PACKAGES)
    for package, why in missing.items():
        print(f"peers: {package} is skipped: {why}")
    for cell, _ in plan:
        file = file_of(arguments.results, cell)
        if arguments.only not in cell or (file.exists() and not arguments.list):
            continue
        if arguments.list:
            print(cell, "done" if file.exists() else "")
            continue
        result = do(cell, arguments)
        file.write_text(json.dumps({"cell": cell, **result}))
        print(cell, json.dumps(result)[:150], flush=True)


if __name__ == "__main__":
    main()
