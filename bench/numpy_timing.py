"""Timing for the NumPy comparators, printed as Google Benchmark prints its own."""

import json
import time


def seconds(work):
    start = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - start) * 1e-9


def best_of(count, work):
    return min(seconds(work) for _ in range(count))


def print_results(seconds_an_item):
    print(json.dumps({"benchmarks": [
        {"name": name, "run_type": "iteration", "items_per_second": 1.0 / time_of_one}
        for name, time_of_one in seconds_an_item.items()
    ]}))
