"""What the tests share."""

import numpy as np
import pytest

import phebandits

NAMES = tuple(phebandits.policies())
FIXED_ARMS_ONLY = {"phe", "giro", "ucb1", "klucb", "betats"}
LINEAR = tuple(name for name in NAMES if name not in FIXED_ARMS_ONLY)


@pytest.fixture
def arms():
    """Twelve arms of three features, one of them a bias."""
    numbers = np.random.default_rng(1)
    return np.hstack([numbers.uniform(-0.5, 0.5, (12, 2)), np.ones((12, 1))])


def pay(x, round_number):
    """A reward of 0 or 1 that depends on what was chosen and when."""
    return float((7 * round_number) % 10 / 10 < 0.5 + 0.4 * np.ravel(x)[0])


def play_arms(policy, rounds, start=0):
    """Choices of `rounds` rounds among fixed arms."""
    chosen = []
    for t in range(start, start + rounds):
        chosen.append(policy.select())
        policy.update(chosen[-1], pay(policy.arms[chosen[-1]], t))
    return chosen


def contexts(rounds, d=3, k=6, seed=2):
    """Features of k actions for each round."""
    return np.random.default_rng(seed).uniform(-0.5, 0.5, (rounds, k, d))


def play_contexts(policy, rounds_of_x):
    """Choices in contexts."""
    chosen = []
    for t, x in enumerate(rounds_of_x):
        chosen.append(policy.select(x))
        policy.update(x[chosen[-1]], pay(x[chosen[-1]], t))
    return chosen
