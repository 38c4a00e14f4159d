"""Does one cell, in a process of its own: work.py CELL DATA PROGRAMS prints its JSON."""

import json
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from plan import (BATCH, FIRST_TUNING, INSTANCES, QUALITY, REPEATS, ROUNDS, SECONDS_PER_RUN, SPEED, TIMED_SECONDS, TUNING,
                  cells, problem)  # fmt: skip
from playing import play, seconds_per_round, seconds_per_round_in_batches
from worlds import ARMS, ONE, ROWS, mean_of_the_chosen, regret, world

PHE_SPECS = ("linphe", "linphe:memory=256", "lints", "linucb", "lineps")


def speed(name, entry, data, _):
    spec, kind, rounds = SPEED[name]
    found = problem(spec, data)
    if found is None:
        return {"skipped": "no data"}
    trial = world(found, 0, 4)
    taken = max(seconds_per_round(entry.make(trial, 1), trial), 1e-6)
    rounds = int(max(3, min(rounds, TIMED_SECONDS / taken)))
    here = timed_world(found, rounds)
    times = [seconds_per_round(entry.make(here, 1), here) for _ in range(REPEATS)]
    result = {"us": min(times) * 1e6, "rounds": rounds, "timed": entry.timed,
              "peak_mb": peak_mb()}  # fmt: skip
    if kind == ONE and rounds >= BATCH and hasattr(entry.make(here, 1), "select_batch"):
        batches = [seconds_per_round_in_batches(entry.make(here, 1), here, BATCH) for _ in range(REPEATS)]
        result["batch_us"] = min(batches) * 1e6
    return result


def peak_mb():
    """Of this process alone: what getrusage says includes the one that started it."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def timed_world(spec, rounds):
    here = world(spec, 0, rounds)
    return here.tabled() if here.arms <= 1000 else here.tossed()


def native(name, _, data, programs):
    """phe in C++ on the same features and rewards."""
    spec, kind, rounds = SPEED[name]
    found = problem(spec, data)
    if found is None:
        return {"skipped": "no data"}
    here = timed_world(found, rounds)
    with tempfile.NamedTemporaryFile(suffix=".world") as file:
        write(here, file)
        runs = [json.loads(output([f"{programs}/peer_rounds", file.name, *native_specs(kind)]))
                for _ in range(REPEATS)]  # fmt: skip
    return {"us": {s: min(run[s] for run in runs) * 1e6 for s in runs[0]}, "rounds": rounds}


def native_specs(kind):
    return [f"{s}{',' if ':' in s else ':'}disjoint" if kind == ONE else s
            for s in PHE_SPECS if not (kind == ARMS and "memory" in s)]  # fmt: skip


def write(here, file):
    kind = {ARMS: 0, ROWS: 1, ONE: 2}[here.kind]
    file.write(struct.pack("<4Q", kind, here.rounds, here.arms, here.d))
    features = here.features if here.kind == ARMS else np.array(here.contexts)
    file.write(np.ascontiguousarray(features, float).tobytes())
    file.write(here.rewards().tobytes())
    file.flush()


def output(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def start(package, _, __, programs):
    """A process that imports the package, makes a policy, takes a decision and learns from it; wall time."""
    if package == "program":
        command = [f"{programs}/phe", "simulate", "--problem=linear:d=10", "--policy=linphe", "--rounds=1",
                   "--instances=1", "--quiet"]  # fmt: skip
    else:
        command = [sys.executable, "start.py", package]
    times = []
    for _ in range(REPEATS + 2):
        begin = time.perf_counter()
        output(command)
        times.append(time.perf_counter() - begin)
    return {"ms": min(times) * 1e3}


def quality(name, entry, data, _):
    """The defaults, and the point of the grid that is best on two other instances."""
    spec = problem(QUALITY[name][0], data)
    if spec is None:
        return {"skipped": "no data"}
    classify = QUALITY[name][1] == ONE
    score = mean_of_the_chosen if classify else regret

    def run(number, keys, rounds=ROUNDS):
        here = world(spec, number, rounds)
        return score(here, play(entry.make(here, number + 1, **keys), here))

    begin = time.process_time()  # not of what else the machine does
    run(0, {}, 100)
    projected = (time.process_time() - begin) / 100 * ROUNDS
    if projected > SECONDS_PER_RUN:
        return {"skipped": f"{projected / ROUNDS * 1e3:.0f} ms a round"}
    tried = [np.mean([run(FIRST_TUNING + i, keys) for i in range(TUNING[QUALITY[name][1]])]) for keys in entry.grid]
    best = entry.grid[int(np.argmax(tried) if classify else np.argmin(tried))]
    defaults = [run(i, {}) for i in range(INSTANCES)]
    tuned = defaults if best == {} else [run(i, best) for i in range(INSTANCES)]
    return {"rounds": ROUNDS, "default": summary(defaults), "tuned": summary(tuned), "best": best,
            "grid": list(entry.grid)}  # fmt: skip


def summary(values):
    return {"mean": float(np.mean(values)), "se": float(np.std(values, ddof=1) / np.sqrt(len(values)))}


def main():
    cell, data, programs = sys.argv[1:4]
    package = cell.split("/")[1 if cell.startswith("start/") else 2]  # no other is imported: memory is measured
    what, name, entry = dict(cells((package,))[0])[cell]
    print(json.dumps(globals()[what](name, entry, data, programs)))


if __name__ == "__main__":
    main()
