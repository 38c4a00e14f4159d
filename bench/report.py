#!/usr/bin/env python3
"""Makes a page of what run.py measured: report.py results.json RESULTS.md"""

import json
import pathlib
import sys

DIMENSIONS = (5, 10, 20)
NAMES = {"linphe": "LinPHE", "lints": "LinTS", "linucb": "LinUCB", "lineps": "ε-greedy",
         "logphe": "LogPHE", "logphe-certified": "LogPHE, certified stop", "logts": "LogTS"}
# LinPHE remembers the last 1,024 rows exactly, LinUCB has width 1.
CONTEXT_POLICIES = ("linphe", "lints", "linucb", "lineps")
COMPARATORS = {"phe": "phe", "eigen": "Eigen", "numpy": "NumPy"}
MISSING = "–"


class Results:
    def __init__(self, best):
        self.best = best

    def ns(self, name):
        return self.best.get(name, {}).get("ns")

    def ratio(self, slow, fast):
        """How many times longer `slow` takes; None when one was not measured."""
        slow, fast = self.ns(slow), self.ns(fast)
        return slow / fast if slow and fast else None

    def get(self, name, key):
        return self.best.get(name, {}).get(key)


def number(value, digits=3):
    if value is None:
        return MISSING
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}" if value < 100 else f"{value:.0f}"


def at_least(what, value, bound, unit="×"):
    return (what, f"≥ {number(bound)} {unit}", value, unit, value is not None and value >= bound)


def at_most(what, value, bound, unit="×"):
    return (what, f"≤ {number(bound)} {unit}", value, unit, value is not None and value <= bound)


def binomial_targets(r):
    for other, name, bound in (("std", "std", 40), ("boost", "Boost", 12), ("gsl", "GSL", 25),
                               ("numpy", "NumPy", 20)):
        yield at_least(f"B(m, ½), m log-uniform in [1, 10⁴], against {name}",
                       r.ratio(f"Binomial/{other}/m:mix", "Binomial/phe/m:mix"), bound)
    size = r.get("Binomial/phe/m:mix", "table_bytes")
    yield at_most("B(m, ½): size of the tables", size and size / 1024, 256, "KB")


def linear_targets(r):
    for d in DIMENSIONS:
        yield at_least(f"LinPHE round, d = {d}, against Eigen",
                       r.ratio(f"linphe/eigen/d:{d}", f"linphe/phe/d:{d}"), 20)
    for d, bound in zip(DIMENSIONS, (80, 60, 45)):
        yield at_least(f"LinPHE round, d = {d}, against NumPy",
                       r.ratio(f"linphe/numpy/d:{d}", f"linphe/phe/d:{d}"), bound)
    for policy in ("lints", "linucb", "lineps"):
        for d in DIMENSIONS:
            yield at_least(f"{NAMES[policy]} round, d = {d}, against NumPy",
                           r.ratio(f"{policy}/numpy/d:{d}", f"{policy}/phe/d:{d}"), 10)
    for d in DIMENSIONS:
        yield at_most(f"LinPHE round in LinTS rounds, d = {d} (the stretch)",
                      r.ratio(f"linphe/phe/d:{d}", f"lints/phe/d:{d}"), 1.0)


def flip_targets(r):
    for d in DIMENSIONS:
        for bound, name in ((1 / 4, ""), (1 / 10, " (the stretch)")):
            yield at_most(f"exact LinPHE, a past row and round, d = {d}, of an Eigen product{name}",
                          r.ratio(f"flips/phe/d:{d}", f"flips/eigen/d:{d}"), bound)


def logistic_targets(r):
    for d in DIMENSIONS:
        yield at_least(f"LogPHE round at gradient 1e-8, d = {d}, against NumPy",
                       r.ratio(f"logphe/numpy/d:{d}", f"logphe/phe/d:{d}"), 70)
    for d in DIMENSIONS:
        yield at_least(f"LogPHE, certified stop, against gradient 1e-8, d = {d}",
                       r.ratio(f"logphe/phe/d:{d}", f"logphe-certified/phe/d:{d}"), 1.4)


def argmax_targets(r):
    for name in sorted(r.best):
        if name.startswith("argmax/phe/") and beyond_cache(name):
            shape = name.removeprefix("argmax/phe/")
            share = r.ratio(f"argmax/read/{shape}", name)
            yield at_least(f"argmax, {label(shape)}, of the read bandwidth",
                           share and 100 * share, 85, "%")
    for name in sorted(r.best):
        if name.startswith("argmax/screened/"):
            shape = name.removeprefix("argmax/screened/")
            yield at_least(f"screened argmax, {label(shape)}, against the plain one",
                           r.ratio(f"argmax/phe/{shape}", name), 2.5)


def experiment_targets(r):
    for policy in ("linphe", "lints", "logphe"):
        yield at_most(f"{NAMES[policy]}, rounds 90,000–100,000 against 1,000–11,000",
                      r.ratio(f"late/{policy}/t:90000", f"late/{policy}/t:1000"), 1.1)
    yield at_least("two threads against one, whole linear experiment",
                   r.ratio("experiment/threads:1", "experiment/threads:2"), 1.8)
    share = r.ratio("experiment/policies", "experiment/whole")
    yield at_most("simulator, recorder, problem: share of the time",
                  share and 100 * (1 - share), 10, "%")


def log_targets(r):
    ns = r.ns("evaluate/phe")
    yield at_most("IPS, clipped and SNIPS over a CSV log of 10⁶ rows, K = 80, reading included",
                  ns and ns * 1e6 * 1e-9, 2, "s")
    yield at_least("the same, against NumPy's loadtxt and vectors",
                   r.ratio("evaluate/numpy", "evaluate/phe"), 1)
    ns = r.ns("evaluate/json/phe")
    yield at_most("the same over JSON Lines", ns and ns * 1e6 * 1e-9, 2, "s")
    yield at_least("reading JSON Lines, against simdjson alone",
                   r.ratio("evaluate/json/simdjson", "evaluate/json/read"), 0.6)


def context_targets(r):
    for other, bound in (("eigen", 12), ("numpy", 80)):
        for policy in CONTEXT_POLICIES:
            for d in DIMENSIONS:
                yield at_least(
                    f"contexts: {NAMES[policy]} round, d = {d}, against {COMPARATORS[other]}",
                    r.ratio(f"contexts/{policy}/{other}/d:{d}", f"contexts/{policy}/phe/d:{d}"),
                    bound)
    yield at_most("contexts: LinPHE, rounds 90,000–100,000 against 5,000–15,000",
                  r.ratio("contexts/linphe/t:90000", "contexts/linphe/t:5000"), 1.1)
    for policy in ("linphe", "lints", "linucb"):
        yield at_least(f"a model per action: {NAMES[policy]} round, K = 10, d = 64, against NumPy",
                       r.ratio(f"disjoint/{policy}/numpy", f"disjoint/{policy}/phe"), 20)
    yield at_least("contexts: LogPHE round, K = 20, d = 10, n = 2,000, against NumPy",
                   r.ratio("contexts/logphe/numpy/d:10", "contexts/logphe/phe/d:10"), 50)


def python_targets(r):
    pair, plain = r.ns("python/phebandits/pair"), r.ns("python/cpp/pair")
    yield at_most("Python: select and update in a loop, above C++",
                  pair and plain and (pair - plain) / 1000, 1.5, "µs")
    for what, bound in (("simulate", 1.03), ("select_many", 1.05)):
        yield at_most(f"Python: {what} against C++",
                      r.ratio(f"python/phebandits/{what}", f"python/cpp/{what}"), bound)


def beyond_cache(name):
    """More than 32 MB of features."""
    arms, dimension = (int(part.split(":")[1]) for part in name.split("/")[-2:])
    return arms * dimension * 8 > 32 << 20


def label(shape):
    arms, dimension = (int(part.split(":")[1]) for part in shape.split("/"))
    return f"K = {arms:,}, d = {dimension}"


def target_table(r):
    yield "| what | target | measured | |"
    yield "|---|---|---|---|"
    for group in (binomial_targets, linear_targets, flip_targets, logistic_targets, argmax_targets,
                  experiment_targets, log_targets, context_targets, python_targets):
        for what, target, value, unit, met in group(r):
            verdict = "not measured" if value is None else "met" if met else "**missed**"
            measured = MISSING if value is None else f"{number(value)} {unit}"
            yield f"| {what} | {target} | {measured} | {verdict} |"


def binomial_table(r):
    cases = ("1", "8", "64", "500", "10000", "100000", "1000000", "mix")
    yield "| | " + " | ".join("m = " + m if m != "mix" else "mix" for m in cases) + " |"
    yield "|---" * (len(cases) + 1) + "|"
    for who in ("phe", "std", "boost", "gsl", "numpy"):
        yield f"| {who} | " + " | ".join(number(r.ns(f"Binomial/{who}/m:{m}")) for m in cases) + " |"


def rounds_table(r):
    yield "| | " + " | ".join(f"{who}, d = {d}" for who in ("phe", "Eigen", "NumPy")
                              for d in DIMENSIONS) + " |"
    yield "|---" * 10 + "|"
    for policy, name in NAMES.items():
        times = [number(r.ns(f"{policy}/{who}/d:{d}")) for who in ("phe", "eigen", "numpy")
                 for d in DIMENSIONS]
        yield f"| {name} | " + " | ".join(times) + " |"


def contexts_table(r):
    yield "| | " + " | ".join(f"{who}, d = {d}" for who in COMPARATORS.values()
                              for d in DIMENSIONS) + " |"
    yield "|---" * 10 + "|"
    for policy in CONTEXT_POLICIES:
        times = [number(r.ns(f"contexts/{policy}/{who}/d:{d}")) for who in COMPARATORS
                 for d in DIMENSIONS]
        yield f"| {NAMES[policy]} | " + " | ".join(times) + " |"


def flips_table(r):
    dimensions = (*DIMENSIONS, 64)
    yield "| | " + " | ".join(f"d = {d}" for d in dimensions) + " |"
    yield "|---" * (len(dimensions) + 1) + "|"
    for who, name in (("phe", "phe, 64 rounds at once"), ("eigen", "Eigen, 16 rounds at once")):
        yield f"| {name} | " + " | ".join(number(r.ns(f"flips/{who}/d:{d}")) for d in dimensions) + " |"


def steps_table(r):
    yield "| stop | d | steps a fit | with a fresh Hessian | centres a run |"
    yield "|---|---|---|---|---|"
    for stop, name in (("arm", "arm is certain"), ("gradient", "gradient 1e-8")):
        for d in DIMENSIONS:
            counts = [number(r.get(f"steps/{stop}/d:{d}", key))
                      for key in ("steps", "fresh", "centres")]
            yield f"| {name} | {d} | " + " | ".join(counts) + " |"


def argmax_table(r):
    yield "| | read, GB/s | read in 4 streams, GB/s | argmax, GB/s | screened, ×argmax |"
    yield "|---|---|---|---|---|"
    shapes = [name.removeprefix("argmax/phe/") for name in r.best if "argmax/phe/" in name]
    for shape in sorted(shapes, key=lambda s: [int(part.split(":")[1]) for part in s.split("/")]):
        rates = [number(rate and rate / 1e9) for rate in
                 (r.get(f"argmax/{who}/{shape}", "bytes_per_second")
                  for who in ("read", "read4", "phe"))]
        faster = number(r.ratio(f"argmax/phe/{shape}", f"argmax/screened/{shape}"))
        yield f"| {label(shape)} | " + " | ".join(rates) + f" | {faster} |"


def page(results):
    about, r = results["about"], Results(results["best"])
    yield "# Benchmarks"
    yield ""
    yield f"Generated by `{about['command']}`; do not edit. What is compared, and how: README.md."
    yield ""
    yield f"- CPU: {about['cpu']}, {about['cores']} cores, SIMD target {about['simd']}"
    yield f"- commit {about['commit']}, {about['date']}"
    yield (f"- best of {about['passes']} passes, all contenders in turn; load average "
           f"{about['load'][0]} at the end")
    for title, table in (
            ("Targets, as ratios within this run (K = 100 unless said)", target_table),
            ("B(m, ½), ns a draw", binomial_table),
            ("Rounds, ns", rounds_table),
            ("Rounds in contexts, ns", contexts_table),
            ("Fresh flips of 10,000 past rows, ns a row and round", flips_table),
            ("LogPHE's Newton steps", steps_table),
            ("Argmax over K × d features", argmax_table)):
        yield from ("", f"## {title}", "")
        yield from table(r)


def main():
    source, target = map(pathlib.Path, sys.argv[1:3])
    target.write_text("\n".join(page(json.loads(source.read_text()))) + "\n")
    print(f"bench: wrote {target}")


main()
