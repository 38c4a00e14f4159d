#!/usr/bin/env python3
"""Fails when a fixed set of small runs takes over 5% more instructions than instructions.json says.

check.py <phe program> [--update]. Instructions are counted by callgrind, so a busy machine does not
matter, and only inside of Plan::run: Highway times its clock at the start of a program, which takes
a different number of them each time. What the first 100 rounds take is subtracted. The kernels are
those for AVX2 whatever else the machine has, AVX-512 say, so that the numbers can be compared. After
a change that is meant to cost, or that saves, update the numbers with `make bench-check UPDATE=1`
and commit them with the reason.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NUMBERS = pathlib.Path(__file__).resolve().parent / "instructions.json"
SIMD = "avx2"
ALLOWED = 1.05
ROUNDS = 2000
START_UP = 100  # rounds, in which the basis is pulled
LATE = ("linear:d=10", "linphe:a=1")
MOST_GROWTH = 1.1
RUNS = {
    "linphe, d = 5": ("linear:d=5", "linphe:a=1"),
    "linphe, d = 20": ("linear:d=20", "linphe:a=1"),
    "linphe, K = 1000": ("linear:d=10,arms=1000", "linphe:a=1"),
    "lints, d = 10": ("linear:d=10", "lints"),
    "linucb, d = 10": ("linear:d=10", "linucb"),
    "logphe, d = 10": ("logistic:d=10", "logphe:a=1"),
}


def simulate(program, problem, policy, rounds):
    return [program, "simulate", "--problem", problem, "--policy", policy, "--rounds", str(rounds),
            "--instances", "1", "--threads", "1", "--simd", SIMD, "--quiet"]


def has_simd(program):
    """Whether this machine runs the kernels to count; whatever else goes wrong ends the check."""
    run = subprocess.run(simulate(program, "linear:d=5", "linphe", 1), capture_output=True, text=True)
    if run.returncode != 0 and "SIMD target must be" not in run.stderr:
        raise SystemExit(f"bench-check: {run.stderr.strip()}")
    return run.returncode == 0


def instructions(command):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
             "--toggle-collect=phe::Plan::run(*", *command],
            capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"bench-check: {' '.join(command)}: {run.stderr.strip()}")
    found = int(re.search(r"Collected *: *(\d+)", run.stderr).group(1))
    if found == 0:
        raise SystemExit("bench-check: there is no phe::Plan::run to count in")
    return found


def count(program, problem, policy):
    whole = instructions(simulate(program, problem, policy, ROUNDS))
    start_up = instructions(simulate(program, problem, policy, START_UP))
    return (whole - start_up) // (ROUNDS - START_UP)


def late_rounds(program):
    """What rounds 90,000 to 100,000 take of rounds 1,000 to 11,000: a round's cost must not grow (Section 3.2)."""
    until = {rounds: instructions(simulate(program, *LATE, rounds)) for rounds in (1_000, 11_000, 90_000, 100_000)}
    return (until[100_000] - until[90_000]) / (until[11_000] - until[1_000])


def main():
    program, update = sys.argv[1], "--update" in sys.argv
    if not shutil.which("valgrind"):
        raise SystemExit("bench-check: there is no valgrind (tools/setup.sh count)")
    if not has_simd(program):
        print(f"bench-check: skipped: this machine cannot run {SIMD}, for which the numbers are")
        return 0
    known = json.loads(NUMBERS.read_text())
    found, slower = {}, []
    for name, (problem, policy) in RUNS.items():
        found[name] = count(program, problem, policy)
        change = 100 * (found[name] / known[name] - 1) if name in known else 0
        print(f"bench-check: {name}: {found[name]:,} instructions a round, {change:+.1f}%")
        if name in known and found[name] > ALLOWED * known[name]:
            slower.append(name)
    ratio = late_rounds(program)
    print(f"bench-check: rounds 90,000 to 100,000 take {ratio:.3f} times rounds 1,000 to 11,000")
    if ratio > MOST_GROWTH:
        print(f"bench-check: a round's cost grows: {ratio:.3f} is over {MOST_GROWTH}")
        return 1
    if update:
        NUMBERS.write_text(json.dumps(known | found, indent=1) + "\n")
        print(f"bench-check: wrote {NUMBERS.name}")
    elif slower:
        print(f"bench-check: over +5%: {'; '.join(slower)}. If it is meant: make bench-check UPDATE=1")
        return 1
    return 0


sys.exit(main())
