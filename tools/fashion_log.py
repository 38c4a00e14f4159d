#!/usr/bin/env python3
"""Logs of a data set whose truth is known, for docs/logs.md: what a bandit would have logged of a classification task.

usage: fashion_log.py FASHION7.csv.gz FOLDER

The rows are taken in order 1 (docs/contexts-data.md). A ridge regression per class on the first 500 rows is the logger's
opinion; it takes its favourite with probability 0.55 and each other class with 0.05, and is paid 1 for the right class. Writes
  train.jsonl   the first half, logged with SplitMix64(42)
  test.jsonl    the second half, logged with SplitMix64(43), with the law of a better policy in the key "better"
  labels.jsonl  the second half, each row with its right class as the action, propensity 1 and reward 1: IPS of a policy on it
                is the share of its right answers
Prints the true value of that better policy.
"""
import gzip
import json
import pathlib
import sys

import numpy as np

MASK = (1 << 64) - 1


def split_mix(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def order(count, seed):
    words = split_mix(seed)
    rows = list(range(count))
    for i in range(count - 1, 0, -1):
        j = next(words) % (i + 1)
        rows[i], rows[j] = rows[j], rows[i]
    return rows


def read(file):
    with gzip.open(file, "rt") as text:
        header = text.readline().strip().split(",")
        cells = [line.strip().split(",") for line in text if line.strip()]
    at = header.index("label") if "label" in header else len(header) - 1
    labels = np.array([int(row[at]) for row in cells])
    values = np.array([[float(v) for j, v in enumerate(row) if j != at] for row in cells])
    low, high = values.min(axis=0), values.max(axis=0)
    scaled = np.where(high > low, (values - low) / np.where(high > low, high - low, 1), 0)
    return np.hstack([scaled, np.ones((len(scaled), 1))]), labels


def one_against_rest(x, labels, classes):
    gram = np.eye(x.shape[1]) + x.T @ x
    return np.linalg.solve(gram, x.T @ (labels[:, None] == np.arange(classes)))


def write_log(file, x, labels, favourite, seed, better=None):
    classes = int(labels.max()) + 1
    words = split_mix(seed)
    rewards = 0
    with open(file, "w") as out:
        for t, row in enumerate(x):
            p = np.full(classes, 0.5 / classes)
            p[favourite[t]] += 0.5
            u = (next(words) >> 11) * 2.0**-53
            action = int(np.argmax(np.cumsum(p) > u))
            reward = int(action == labels[t])
            rewards += reward
            line = {"action": action, "reward": reward, "propensity": p[action], "probabilities": p.tolist(),
                    "context": row.tolist()}
            if better is not None:
                line["better"] = better[t].tolist()
            out.write(json.dumps(line) + "\n")
    return rewards


def main():
    data, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    x, labels = read(data)
    rows = order(len(x), 1)
    x, labels = x[rows], labels[rows]
    classes = int(labels.max()) + 1
    half = len(x) // 2
    favourite = np.argmax(x @ one_against_rest(x[:500], labels[:500], classes), axis=1)
    best = np.argmax(x[half:] @ one_against_rest(x[:half], labels[:half], classes), axis=1)
    better = np.full((len(best), classes), 0.1 / classes)
    better[np.arange(len(best)), best] += 0.9
    paid = write_log(folder / "train.jsonl", x[:half], labels[:half], favourite[:half], 42)
    write_log(folder / "test.jsonl", x[half:], labels[half:], favourite[half:], 43, better)
    with open(folder / "labels.jsonl", "w") as out:
        for row, label in zip(x[half:], labels[half:]):
            line = {"action": int(label), "reward": 1, "propensity": 1, "actions": classes, "context": row.tolist()}
            out.write(json.dumps(line) + "\n")
    truth = better[np.arange(len(best)), labels[half:]].mean()
    print(f"{paid} rewards in the first half; right answers on the second half: logger "
          f"{int((favourite[half:] == labels[half:]).sum())}, full labels {int((best == labels[half:]).sum())}; "
          f"true value of the better policy {truth:.6f}")


if __name__ == "__main__":
    main()
