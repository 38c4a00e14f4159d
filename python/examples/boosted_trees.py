"""PHE around gradient-boosted trees, on a real data set of scikit-learn's: boosted_trees.py [FIGURE]

Breast cancer in Wisconsin: 569 tumours with 30 measurements each. In every round a tumour comes, the policy
calls it malignant or benign, and learns only whether that was right. Regret counts mistakes.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier

import phebandits

Row = NDArray[np.float64]


class Tumours:
    """The problem: one context a round, in an order of its own for every seed; the right call pays 1."""

    d, one_context, binary = 30, True, True

    def __init__(self, seed: int) -> None:
        x, self.labels = load_breast_cancer(return_X_y=True)
        self.x = (x - x.mean(axis=0)) / x.std(axis=0) / np.sqrt(30)
        self.order = np.random.default_rng(seed).permutation(len(x))

    def offer(self, round: int) -> tuple[Row, Row]:
        row = self.order[round]
        return self.x[row], np.eye(2)[self.labels[row]]

    def reward(self, round: int, action: int) -> float:
        return float(self.labels[self.order[round]] == action)


class BoostedTrees:
    """The policy: each call has columns of its own for the measurements, as a model per call would have.

    With the measurements in the same columns for both calls, and the call as one more, every tree has to
    find the interaction of the two first: 67 mistakes instead of 40.
    """

    def __init__(self, setting: phebandits.Setting) -> None:
        trees = GradientBoostingClassifier(n_estimators=30, max_depth=3)
        self.phe = phebandits.PerturbedHistory(trees, a=0.25, every=5, start=4, seed=setting.seed)

    def select(self, x: Row, actions: int) -> int:
        return self.phe.select([self.columns(x, call) for call in range(actions)])

    def update(self, x: Row, reward: float, action: int) -> None:
        self.phe.update(self.columns(x, action), reward)

    def columns(self, x: Row, call: int) -> Row:
        return np.concatenate([x * (call == 0), x * (call == 1), [call]])


def main(rounds: int = 569, instances: int = 5) -> phebandits.Results:
    policies: list[Any] = ["linphe:disjoint", "logphe:disjoint", ("boosted trees", BoostedTrees), "uniform"]
    results = phebandits.simulate(Tumours, policies, rounds=rounds, instances=instances)
    for q, policy in enumerate(results.policies):
        mean, error = results.mean[0, q, -1], results.std_err[0, q, -1]
        print(f"{policy:16} {mean:6.1f} ± {error:.1f} mistakes in {rounds} rounds")
    return results


if __name__ == "__main__":
    drawn = main()
    if len(sys.argv) > 1:
        axes = drawn.plot()
        axes.set(title="Breast cancer in Wisconsin, one call per tumour", ylabel="mistakes")
        axes.figure.savefig(sys.argv[1], dpi=120)
