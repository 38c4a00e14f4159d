#!/usr/bin/env python3
"""Times phebandits as bench/python_twins.cpp times the library: python_rounds.py PROGRAM [--quick]

PROGRAM is `phe`, for the simulation that both do in turns; its time is wall time, one thread.
"""

import subprocess
import sys
import time

import numpy_timing
import phebandits

PROBLEM, SPEC = "linear:d=10", "linphe:a=1"
POLICIES = ["linphe:a=1", "lints", "linucb"]
QUICK = "--quick" in sys.argv
ROUNDS = 1_000 if QUICK else 10_000
TURNS = 2 if QUICK else 7


def warm_policy():
    instance = phebandits.Instance(PROBLEM)
    policy = phebandits.Policy.for_instance(SPEC, instance, ROUNDS)
    phebandits.run(policy, instance, 1_000)
    return policy


def pairs(policy):
    select, update = policy.select, policy.update
    for _ in range(ROUNDS):
        update(select(), 1.0)


def wall(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def simulations(program):
    """Wall time of the same simulation by the program and from here, the best of turns."""
    instances = 2 if QUICK else 40
    flags = [f"--policy={p}" for p in POLICIES] + [f"--problem={PROBLEM}", f"--rounds={ROUNDS}"]
    command = [program, "simulate", *flags, f"--instances={instances}", "--threads=1", "--quiet"]

    def by_program():
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def from_python():
        phebandits.simulate(PROBLEM, POLICIES, rounds=ROUNDS, instances=instances, threads=1, progress=False)

    turns = [(wall(by_program), wall(from_python)) for _ in range(TURNS)]
    return min(t[0] for t in turns), min(t[1] for t in turns)


def main():
    policy = warm_policy()
    pair = numpy_timing.best_of(TURNS, lambda: pairs(policy)) / ROUNDS
    chooser = warm_policy()
    many = numpy_timing.best_of(TURNS, lambda: chooser.select_many(n=10 * ROUNDS)) / (10 * ROUNDS)
    program, package = simulations(sys.argv[1])
    numpy_timing.print_results({
        "python/phebandits/pair": pair,
        "python/phebandits/select_many": many,
        "python/cpp/simulate": program,
        "python/phebandits/simulate": package,
    })


main()
