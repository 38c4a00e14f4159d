"""contextualbandits: one model per arm."""

import numpy as np
from catalogue import ONE, Entry, Policy
from contextualbandits import online


class Online(Policy):
    """partial_fit after every reward, or after a batch of them as in its examples."""

    def __init__(self, world, seed, kind, **keys):
        super().__init__(world, seed)
        self.model = kind(nchoices=world.arms, random_state=seed, **keys)
        self.random = np.random.default_rng(seed)
        self.learnt = False

    def prepare(self, context):
        return context[np.newaxis]

    def select_batch(self, x):
        if not self.learnt:
            return self.random.integers(self.world.arms, size=len(x))
        return self.model.predict(x)

    def update_batch(self, x, actions, rewards):
        self.learnt = True
        self.model.partial_fit(x, np.asarray(actions), np.asarray(rewards, float))

    def select(self, x):
        return int(self.select_batch(x)[0])

    def update(self, x, action, reward):
        self.update_batch(x, [action], [reward])


def entry(name, kind, grid):
    def make(world, seed, **keys):
        return Online(world, seed, kind, **keys)

    return Entry("contextualbandits", name, (ONE,), make, grid, "predict, partial_fit")


def scales(key, values, regularised):
    """At the default regularisation, and at a tenth of it."""
    return ({}, *({key: value} for value in values), *({key: value, "lambda_": 0.1} for value in regularised))


ENTRIES = [
    entry("LinUCB", online.LinUCB, scales("alpha", (0.3, 0.1), (1.0, 0.3, 0.1))),
    entry("LinTS", online.LinTS, scales("v_sq", (0.1, 0.01), (0.1, 0.01, 0.001))),
]
