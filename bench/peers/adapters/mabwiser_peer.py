"""MABWiser: one ridge model per arm in contexts, arms without features else."""

import random

import numpy as np
from catalogue import ARMS, ONE, Entry, Policy
from mabwiser.mab import MAB, LearningPolicy


class Mab(Policy):
    """The first choice is random: MABWiser asks for data before it predicts."""

    def __init__(self, world, seed, policy):
        super().__init__(world, seed)
        self.mab = MAB(list(range(world.arms)), policy, seed=seed)
        self.random = random.Random(seed)
        self.learnt = False

    def prepare(self, context):
        return None if context is None else context[np.newaxis]

    def select(self, x):
        if not self.learnt:
            return self.random.randrange(self.world.arms)
        return self.mab.predict() if x is None else self.mab.predict(x)

    def update(self, x, action, reward):
        self.learnt = True
        if x is None:
            self.mab.partial_fit([action], [reward])
        else:
            self.mab.partial_fit([action], [reward], x)

    def select_batch(self, x):
        if not self.learnt:
            return [self.random.randrange(self.world.arms) for _ in x]
        return self.mab.predict(x)

    def update_batch(self, x, actions, rewards):
        self.learnt = True
        self.mab.partial_fit(list(actions), rewards, x)


def entry(name, kind, policy, grid=(), speed=True):
    def make(world, seed, **keys):
        return Mab(world, seed, policy(**keys))

    return Entry("mabwiser", name, (kind,), make, ({}, *grid), "MAB.predict, MAB.partial_fit", speed)


def grid_of(key, values, regularised):
    """Scales of exploration at the default regularisation, and at a tenth of it."""
    return ([{key: value} for value in values]
            + [{key: value, "l2_lambda": 0.1} for value in regularised])  # fmt: skip


ENTRIES = [
    entry("LinUCB", ONE, LearningPolicy.LinUCB, grid_of("alpha", (0.3, 0.1), (1, 0.3, 0.1))),
    entry("LinTS", ONE, LearningPolicy.LinTS, grid_of("alpha", (0.3, 0.1), (1, 0.3, 0.1))),
    entry("LinGreedy", ONE, LearningPolicy.LinGreedy, grid_of("epsilon", (0.02, 0.005), (0.02, 0.005)), speed=False),
    entry("UCB1", ARMS, LearningPolicy.UCB1, [{"alpha": value} for value in (0.5, 0.2, 0.1)]),
    entry("ThompsonSampling", ARMS, LearningPolicy.ThompsonSampling),
]
