#!/usr/bin/env python3
"""Writes the page PEERS.md from the results: report.py RESULTS PAGE [--faults FILE]"""

import json
import os
import platform
import sys
from importlib import metadata
from pathlib import Path

import tables
from catalogue import ARMS, ONE
from plan import BATCH, INSTANCES, QUALITY, REPEATS, ROUNDS, SECONDS_PER_RUN, SPEED, TUNING

CPP_GOAL, PYTHON_GOAL = 20, 5
WHY = """Where a model belongs to each action (*one*, *digits*), the peer that is close, or ahead, is Vowpal Wabbit: it takes a gradient step,
d numbers per action, where phe, MABWiser, contextualbandits and obp keep a matrix of d × d per action and use all of it in every
decision. What that buys is in the tables of quality."""


def read(folder):
    """All results, by cell."""
    found = (json.loads(file.read_text()) for file in sorted(Path(folder).glob("*.json")))
    return {result["cell"]: result for result in found}


def cpu():
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}"


def versions():
    names = [line.split("==") for line in (Path(__file__).parent / "requirements.txt").read_text().split()
             if "==" in line]  # fmt: skip
    there = []
    for name, _ in names:
        try:
            there.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            there.append(f"{name} (not installed)")
    return ", ".join(there + [f"numpy {metadata.version('numpy')}"])


def speed_goals(results):
    """Lines of the goals in contexts, with whether they were missed."""
    lines = []
    for name in (n for n in SPEED if n.startswith("rows") or n.startswith("one d")):
        native, python, peer, loop = tables.best(results, name)
        for label, us, peer, goal in (("in C++", native, peer, CPP_GOAL),
                                      ("from Python's loop", python, loop, PYTHON_GOAL)):  # fmt: skip
            if us and peer:
                ratio = peer[0] / us
                word = "met" if ratio >= goal else "**missed**"
                lines.append((ratio < goal, f"- {name}, {label}: {tables.number(ratio)} × {peer[1]}, "
                                            f"goal {goal} ×: {word}"))  # fmt: skip
    return lines


def wins_of_peers(results):
    """Said first: every row in which a peer is ahead."""
    lines = []
    for name in SPEED:
        native, python, peer, loop = tables.best(results, name)
        for label, us, ahead in (("in C++", native, peer), ("from Python's loop", python, loop)):
            if us and ahead and ahead[0] < us:
                lines.append(f"- speed, {name}: {ahead[1]} takes {tables.number(ahead[0])} µs, the fastest of phe "
                             f"{label} {tables.number(us)}")  # fmt: skip
    for which in ("default", "tuned"):
        for name in QUALITY:
            order = tables.ranked(results, name, which)
            ours = next((p for p in order if p[2].startswith("phe/")), None)
            if order and ours and order[0] != ours:
                lines.append(f"- {name}, {'at its defaults' if which == 'default' else 'tuned'}: {order[0][2]} "
                             f"{abs(order[0][0]):.4g} ± {order[0][1]:.2g}, the best of phe, {ours[2]}, "
                             f"{abs(ours[0]):.4g} ± {ours[1]:.2g}")  # fmt: skip
    return "\n".join(lines) or "In no row that was run."


def warning(results, plan):
    """Said at the top while the tables have holes: a peer that was not run cannot win."""
    left = missing(results, plan)
    if not left:
        return "All cells were run."
    return (f"**{left} of {len(plan)} cells were not run yet (– in the tables); a peer that was not run cannot win, so no row with "
            "holes is decided.** `make peers` does what is missing.")  # fmt: skip


def missing(results, plan):
    return sum(cell not in results for cell in plan)


def start_table(results):
    lines = ["| | ms |", "|---|---|"]
    for cell, result in results.items():
        if cell.startswith("start/"):
            lines.append(f"| {cell.split('/')[1]} | {tables.cell_text(result, 'ms')} |")
    return "\n".join(lines)


def grids(results):
    seen = {}
    for cell, result in results.items():
        if cell.startswith("quality/") and "grid" in result:
            seen["/".join(cell.split("/")[2:])] = [json.dumps(keys) for keys in result["grid"]]
    return "\n".join(f"- {policy}: {', '.join(grid)}" for policy, grid in seen.items())


def faults_text(faults):
    parts = []
    for fault in faults:
        word = "" if fault["shown"] else f" (not shown by this run: {' '.join(fault['error'])})"
        parts.append(f"**{fault['peer']}**{word}: {fault['what']}.\n\n```python\n{fault['script']}\n```")
    return "\n\n".join(parts)


def page(results, faults, plan):
    """The whole page."""
    goals = sorted(speed_goals(results) + tables.quality_goals(results, plan), key=lambda line: not line[0])
    return f"""# Beside the peers

Generated by `make peers`; do not edit. What is run and how: README.md.

- machine: {cpu()}
- {versions()}
- `make peers DATA=FOLDER`: {len(plan) - missing(results, plan)} of {len(plan)} cells are here

{warning(results, plan)}

## Where a peer wins

{wins_of_peers(results)}

## Goals, those missed or not decided first

{chr(10).join(line for _, line in goals) or "Not measured yet."}

{WHY}

## Speed: µs per decision and update

One thread; features are in the package's own form before the clock starts (Vowpal Wabbit's examples are parsed, but for the
row "text"; `cb_explore` parses the labelled text to learn); the best of {REPEATS} runs of up to 500 rounds, fewer for slow ones.
K = 100 unless said. *arms*: fixed arms; packages without a model that arms share play them without features. *rows*: fresh
features of each action in every round. *one*: one fresh context and a model per action. The calls that are timed: `select` and
`update` (phe), `Workspace.predict` and `learn` (Vowpal Wabbit; *driver*: its own loop in C++
over the cache of a log, which predicts and learns but leaves decisions to others), `MAB.predict` and `partial_fit` (MABWiser), `predict` and
`partial_fit` (contextualbandits), `pull` and `update` (river), `select_action` and `update_params` (obp).

{tables.ratio_table(results)}

{tables.speed_table(results)}

In batches of {BATCH} decisions, then {BATCH} updates, where a package has that:

{tables.speed_table(results, "batch_us")}

Memory at the peak of the process, in MB, with the interpreter, NumPy, the package and the problem:

{tables.speed_table(results, "peak_mb")}

From the start of the process to the first decision and its update, the best of five:

{start_table(results)}

## Quality

{ROUNDS} rounds, {INSTANCES} instances or orders, mean ± standard error. *linear* and *contexts*: regret, less is better. The others:
per cent right, more is better. Each policy at its defaults, and at the point of its grid that was best on {TUNING[ARMS]} other
instances, or {TUNING[ONE]} other orders of a data set. A policy of over {SECONDS_PER_RUN / ROUNDS * 1e3:.0f} ms a round is left out. The best is bold.

Defaults:

{tables.quality_table(results, "default")}

Tuned:

{tables.quality_table(results, "tuned")}

The grids, defaults first:

{grids(results)}

## What was found in the peers

At the versions above; each script shows it.

{faults_text(faults)}
"""


def main():
    from catalogue import PACKAGES
    from plan import cells

    results = read(sys.argv[1])
    faults = json.loads(Path(sys.argv[3]).read_text()) if len(sys.argv) > 3 else []
    plan = [cell for cell, _ in cells(PACKAGES)[0]]
    Path(sys.argv[2]).write_text(page(results, faults, plan))


if __name__ == "__main__":
    main()
