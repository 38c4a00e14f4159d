"""The policies in NumPy, vectorised over arms as researchers write them, a = 1.

numpy_rounds.py <folder of write_inputs> <rounds>: JSON on stdout, seconds a round.
"""

import pathlib
import sys

import numpy as np

from numpy_timing import print_results, seconds


class LinPhe:
    def __init__(self, arms, _rounds, rng):
        self.x, self.rng = arms, rng
        self.pulls = np.zeros(len(arms), dtype=np.int64)
        self.reward_sums = np.zeros(len(arms))
        self.gram = 2.0 * np.eye(arms.shape[1])

    def select(self, t):
        if t < self.x.shape[1]:
            return len(self.x) - 1 - t
        pseudo = self.rng.binomial(self.pulls, 0.5)
        theta = np.linalg.solve(self.gram, self.x.T @ (self.reward_sums + pseudo))
        return np.argmax(self.x @ theta)

    def update(self, arm, reward):
        self.pulls[arm] += 1
        self.reward_sums[arm] += reward
        self.gram += 2.0 * np.outer(self.x[arm], self.x[arm])


class Ridge:
    """Gram matrix I + sum of x x^T / sigma^2 and the rewards to go with it."""

    def __init__(self, arms, rounds, rng, sigma=0.5):
        self.x, self.rounds, self.rng = arms, rounds, rng
        self.weight = 1.0 / sigma**2
        self.gram = np.eye(arms.shape[1])
        self.rewards = np.zeros(arms.shape[1])

    def update(self, arm, reward):
        self.gram += self.weight * np.outer(self.x[arm], self.x[arm])
        self.rewards += (self.weight * reward) * self.x[arm]


class LinTs(Ridge):
    def select(self, _t):
        covariance = np.linalg.inv(self.gram)
        theta = self.rng.multivariate_normal(covariance @ self.rewards, covariance)
        return np.argmax(self.x @ theta)


class LinUcb(Ridge):
    def __init__(self, arms, rounds, rng):
        super().__init__(arms, rounds, rng)
        d = arms.shape[1]
        longest = np.max(np.sum(arms**2, axis=1))
        self.width = np.sqrt(d) + 0.5 * np.sqrt(d * np.log((1 + rounds * longest) * rounds))

    def select(self, _t):
        inverse = np.linalg.inv(self.gram)
        widths = np.sqrt(np.sum((self.x @ inverse) * self.x, axis=1))
        return np.argmax(self.x @ (inverse @ self.rewards) + self.width * widths)


class LinEps(Ridge):
    def __init__(self, arms, rounds, rng):
        super().__init__(arms, rounds, rng, sigma=1.0)

    def select(self, t):
        if self.rng.random() < 0.025 * np.sqrt(self.rounds / (t + 1)):
            return self.rng.integers(len(self.x))
        return np.argmax(self.x @ np.linalg.solve(self.gram, self.rewards))


def irls(x, trials, successes, noise=0.0):
    """Fits from zero: 100 steps at most, until a step is shorter than 1e-3; noise on the target."""
    theta = np.zeros(x.shape[1])
    for _ in range(100):
        mean = 1.0 / (1.0 + np.exp(-(x @ theta)))
        hessian = (x.T * (trials * mean * (1.0 - mean))) @ x + np.eye(x.shape[1])
        step = np.linalg.solve(hessian, x.T @ (successes - trials * mean) + noise - theta)
        theta += step
        if np.linalg.norm(step) < 1e-3:
            break
    return theta, hessian


class Logistic:
    def __init__(self, arms, _rounds, rng):
        self.x, self.rng = arms, rng
        self.pulls = np.zeros(len(arms), dtype=np.int64)
        self.reward_sums = np.zeros(len(arms))

    def update(self, arm, reward):
        self.pulls[arm] += 1
        self.reward_sums[arm] += reward


class LogPhe(Logistic):
    def select(self, t):
        if t < self.x.shape[1]:
            return len(self.x) - 1 - t
        pseudo = self.rng.binomial(self.pulls, 0.5)
        theta, _ = irls(self.x, 2 * self.pulls, self.reward_sums + pseudo)
        return np.argmax(self.x @ theta)


class LogTs(Logistic):
    def select(self, _t):
        theta, hessian = irls(self.x, self.pulls, self.reward_sums)
        sample = self.rng.multivariate_normal(theta, np.linalg.inv(hessian))
        return np.argmax(self.x @ sample)


def play(policy, means, uniforms):
    for t, uniform in enumerate(uniforms):
        arm = policy.select(t)
        policy.update(arm, float(uniform < means[arm]))


def time_run(file, policy, rounds):
    table = np.loadtxt(file, delimiter=",")
    arms, means = np.ascontiguousarray(table[:, :-1]), table[:, -1]
    rng = np.random.default_rng(1)
    uniforms = rng.random(rounds)  # for the rewards: drawn before the clock starts
    return seconds(lambda: play(policy(arms, rounds, rng), means, uniforms))


def main():
    folder, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    families = {
        "linear": {"linphe": LinPhe, "lints": LinTs, "linucb": LinUcb, "lineps": LinEps},
        "logistic": {"logphe": LogPhe, "logts": LogTs},
    }
    results = {}
    for family, policies in families.items():
        for d in (5, 10, 20):
            files = sorted(folder.glob(f"{family}-{d}-*.csv"))
            for name, policy in policies.items():
                for file in files:
                    results.setdefault(f"{name}/numpy/d:{d}", []).append(
                        time_run(file, policy, rounds) / rounds)
    print_results({name: sum(times) / len(times) for name, times in results.items()})


if __name__ == "__main__":
    main()
