"""B(m, 1/2) for an array of m in NumPy: numpy_binomial.py <trials.csv>, JSON on stdout."""

import sys

import numpy as np

from numpy_timing import best_of, print_results

trials = np.loadtxt(sys.argv[1], dtype=np.int64)
rng = np.random.default_rng(1)
inputs = {"mix": trials}
for m in (1, 8, 64, 500, 10_000, 100_000, 1_000_000):
    inputs[str(m)] = np.full(len(trials), m)
print_results({
    f"Binomial/numpy/m:{label}": best_of(20, lambda: rng.binomial(m, 0.5)) / len(m)
    for label, m in inputs.items()
})
