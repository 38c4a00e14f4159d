"""A policy of your own in the simulator, beside the built-in ones: own_policy.py [FIGURE]

Explore-then-commit: pulls every arm a few times, then for ever the one that paid best.
"""

from __future__ import annotations

import sys

import numpy as np

import phebandits


class ExploreThenCommit:
    """Anything with select and update is a policy; it is made anew for every run."""

    def __init__(self, setting: phebandits.Setting, turns: int = 50) -> None:
        assert setting.arms is not None, "it needs fixed arms"
        self.pulls = np.zeros(len(setting.arms))
        self.sums = np.zeros(len(setting.arms))
        self.turns = turns

    def select(self) -> int:
        if self.pulls.min() < self.turns:
            return int(self.pulls.argmin())
        return int((self.sums / self.pulls).argmax())

    def update(self, arm: int, reward: float) -> None:
        self.pulls[arm] += 1
        self.sums[arm] += reward


def main(rounds: int = 5000, instances: int = 20) -> phebandits.Results:
    policies = ["phe", "lints", ("explore-then-commit", ExploreThenCommit), "uniform"]
    results = phebandits.simulate("mab:arms=10", policies, rounds=rounds, instances=instances)
    for q, policy in enumerate(results.policies):
        print(f"{policy:20} {results.mean[0, q, -1]:7.1f} ± {results.std_err[0, q, -1]:.1f}")
    return results


if __name__ == "__main__":
    drawn = main()
    if len(sys.argv) > 1:
        axes = drawn.plot()
        axes.set_title("Ten arms: regret of a policy written in Python and of built-in ones")
        axes.figure.savefig(sys.argv[1], dpi=120)
