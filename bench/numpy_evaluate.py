#!/usr/bin/env python3
"""IPS, clipped and SNIPS with their standard errors from a CSV log, in NumPy: numpy_evaluate.py LOG K

Prints as Google Benchmark does: seconds a row, reading included.
"""

import sys

import numpy as np

from numpy_timing import best_of, print_results


def evaluate(file, actions):
    action, reward, propensity, position = np.loadtxt(file, delimiter=",", skiprows=1, unpack=True)
    w = 1.0 / actions / propensity
    n = len(w)
    estimates = {}
    for name, terms in (("ips", w * reward), ("clipped", np.minimum(w, 10) * reward)):
        estimates[name] = terms.mean(), terms.std(ddof=1) / np.sqrt(n)
    snips = (w * reward).sum() / w.sum()
    estimates["snips"] = snips, (w * (reward - snips) / w.mean()).std(ddof=1) / np.sqrt(n)
    return estimates, n


def main():
    file, actions = sys.argv[1], int(sys.argv[2])
    _, rows = evaluate(file, actions)
    print_results({"evaluate/numpy": best_of(1, lambda: evaluate(file, actions)) / rows})


main()
