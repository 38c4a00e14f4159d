"""The policies in contexts in NumPy, vectorised over actions as researchers write them, a = 1.

numpy_contexts.py <folder of write_inputs> <rounds>: JSON on stdout, seconds a round.
"""

import pathlib
import sys

import numpy as np

from numpy_rounds import irls
from numpy_timing import print_results, seconds

MEMORY = 1024


class Ridge:
    """Gram matrix I + sum of x x^T / sigma^2 and the rewards to go with it."""

    def __init__(self, dimension, rounds, rng, sigma=1.0):
        self.rounds, self.rng = rounds, rng
        self.weight = 1.0 / sigma**2
        self.gram = np.eye(dimension)
        self.rewards = np.zeros(dimension)

    def update(self, x, reward):
        self.gram += self.weight * np.outer(x, x)
        self.rewards += (self.weight * reward) * x


class LinTs(Ridge):
    def __init__(self, dimension, rounds, rng):
        super().__init__(dimension, rounds, rng, sigma=0.5)

    def select(self, x, _t):
        covariance = np.linalg.inv(self.gram)
        return np.argmax(x @ self.rng.multivariate_normal(covariance @ self.rewards, covariance))


class LinUcb(Ridge):
    def select(self, x, _t):
        inverse = np.linalg.inv(self.gram)
        widths = np.sqrt(np.sum((x @ inverse) * x, axis=1))
        return np.argmax(x @ (inverse @ self.rewards) + widths)


class LinEps(Ridge):
    def select(self, x, t):
        if self.rng.random() < 0.025 * np.sqrt(self.rounds / (t + 1)):
            return self.rng.integers(len(x))
        return np.argmax(x @ np.linalg.solve(self.gram, self.rewards))


class LinPhe(Ridge):
    """A flip for each of the last 1,024 rows; the older ones, and the prior, are a Gaussian."""

    def __init__(self, dimension, rounds, rng):
        super().__init__(dimension, rounds, rng)
        self.recent = np.zeros((MEMORY, dimension))
        self.old_mean = np.zeros(dimension)
        self.old_covariance = 0.25 * np.eye(dimension)
        self.t = 0

    def select(self, x, _t):
        flips = self.rng.binomial(1, 0.5, MEMORY)
        old = self.rng.multivariate_normal(self.old_mean, self.old_covariance)
        theta = np.linalg.solve(2.0 * self.gram, self.rewards + flips @ self.recent + old)
        return np.argmax(x @ theta)

    def update(self, x, reward):
        super().update(x, reward)
        place = self.t % MEMORY
        if self.t >= MEMORY:
            self.old_mean += 0.5 * self.recent[place]
            self.old_covariance += 0.25 * np.outer(self.recent[place], self.recent[place])
        self.recent[place] = x
        self.t += 1


class LogPhe:
    """IRLS on all rows; the prior is perturbed."""

    def __init__(self, dimension, rounds, rng):
        self.rng, self.t = rng, 0
        self.rows = np.zeros((rounds, dimension))
        self.rewards = np.zeros(rounds)

    def select(self, x, _t):
        rows = self.rows[:self.t]
        flips = self.rng.binomial(1, 0.5, self.t)
        theta, _ = irls(rows, np.full(self.t, 2.0), self.rewards[:self.t] + flips,
                        self.rng.normal(0.0, np.sqrt(0.5), rows.shape[1]))
        return np.argmax(x @ theta)

    def update(self, x, reward):
        self.rows[self.t], self.rewards[self.t] = x, reward
        self.t += 1


class Disjoint:
    """A Gram matrix and rewards of each action."""

    def __init__(self, dimension, actions, rng, sigma=1.0):
        self.rng, self.weight = rng, 1.0 / sigma**2
        self.grams = np.tile(np.eye(dimension), (actions, 1, 1))
        self.rewards = np.zeros((actions, dimension))

    def update(self, action, x, reward):
        self.grams[action] += self.weight * np.outer(x, x)
        self.rewards[action] += (self.weight * reward) * x


class DisjointLinTs(Disjoint):
    def __init__(self, dimension, actions, rng):
        super().__init__(dimension, actions, rng, sigma=0.5)

    def select(self, x):
        covariances = np.linalg.inv(self.grams)
        normals = self.rng.standard_normal(self.rewards.shape)
        thetas = np.einsum("kij,kj->ki", covariances, self.rewards)
        thetas += np.einsum("kij,kj->ki", np.linalg.cholesky(covariances), normals)
        return np.argmax(thetas @ x)


class DisjointLinUcb(Disjoint):
    def select(self, x):
        images = np.linalg.inv(self.grams) @ x
        means = np.sum(images * self.rewards, axis=1)
        return np.argmax(means + np.sqrt(images @ x))


class DisjointLinPhe(Disjoint):
    def __init__(self, dimension, actions, rng):
        super().__init__(dimension, actions, rng)
        self.rows = [[] for _ in range(actions)]

    def select(self, x):
        targets = self.rewards + self.rng.normal(0.0, 0.5, self.rewards.shape)
        for target, rows in zip(targets, self.rows):
            if rows:
                target += self.rng.binomial(1, 0.5, len(rows)) @ np.array(rows)
        thetas = np.linalg.solve(2.0 * self.grams, targets[..., None])[..., 0]
        return np.argmax(thetas @ x)

    def update(self, action, x, reward):
        super().update(action, x, reward)
        self.rows[action].append(x)


def play(policy, features, means, uniforms):
    for t, uniform in enumerate(uniforms):
        x = features[t % len(features)]
        action = policy.select(x, t)
        policy.update(x[action], float(uniform < means[t % len(features), action]))


def play_images(policy, features, means, rounds):
    for x, right in zip(features[:rounds], means[:rounds]):
        action = policy.select(x)
        policy.update(action, x, right[action])


def time_contexts(folder, name, actions, policy, rounds):
    table = np.loadtxt(folder / f"contexts-{name}.csv", delimiter=",")
    features = np.ascontiguousarray(table[:, :-1]).reshape(-1, actions, table.shape[1] - 1)
    means = table[:, -1].reshape(-1, actions)
    rng = np.random.default_rng(1)
    uniforms = rng.random(rounds)  # for the rewards: drawn before the clock starts
    made = policy(features.shape[2], rounds, rng)
    return seconds(lambda: play(made, features, means, uniforms)) / rounds


def time_disjoint(folder, policy, rounds, actions=10):
    table = np.loadtxt(folder / "contexts-images.csv", delimiter=",")
    features = np.ascontiguousarray(table[:, :-actions])
    rounds = min(rounds, len(features))
    made = policy(features.shape[1], actions, np.random.default_rng(1))
    return seconds(lambda: play_images(made, features, table[:, -actions:], rounds)) / rounds


def main():
    folder, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    results = {}
    for d in (5, 10, 20):
        for name, policy in {"linphe": LinPhe, "lints": LinTs, "linucb": LinUcb,
                             "lineps": LinEps}.items():
            results[f"contexts/{name}/numpy/d:{d}"] = time_contexts(
                folder, f"linear-{d}", 100, policy, rounds)
    results["contexts/logphe/numpy/d:10"] = time_contexts(
        folder, "logistic-10", 20, LogPhe, rounds // 5)
    for name, policy in {"linphe": DisjointLinPhe, "lints": DisjointLinTs,
                         "linucb": DisjointLinUcb}.items():
        results[f"disjoint/{name}/numpy"] = time_disjoint(folder, policy, rounds)
    print_results(results)


main()
