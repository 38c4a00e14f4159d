"""phe from Python: phebandits."""

import phebandits
from catalogue import ARMS, ONE, ROWS, Entry, Policy

KINDS = (ARMS, ROWS, ONE)


class FromPython(Policy):
    """A loop of select and update."""

    def __init__(self, world, seed, spec, rounds=None, **keys):
        super().__init__(world, seed)
        disjoint = {"disjoint": "true"} if world.kind == ONE else {}
        text = ",".join(f"{key}={value}" for key, value in {**keys, **disjoint}.items())
        shape = {"arms": world.features} if world.kind == ARMS else {"d": world.d}
        self.policy = phebandits.Policy(f"{spec}:{text}" if text else spec, seed=seed,
                                        rounds=rounds or world.rounds, **shape)
        self.count = world.arms
        calls = {ARMS: (self.select_arm, self.update_arm), ROWS: (self.policy.select, self.update_row),
                 ONE: (self.select_one, self.update_one)}
        self.select, self.update = calls[world.kind]

    def select_arm(self, _):
        return self.policy.select()

    def update_arm(self, _, action, reward):
        self.policy.update(action, reward)

    def update_row(self, x, action, reward):
        self.policy.update(x[action], reward)

    def select_one(self, x):
        return self.policy.select(x, self.count)

    def update_one(self, x, action, reward):
        self.policy.update(x, reward, action=action)

    def select_batch(self, x):
        return self.policy.select_many(x, actions=self.count)

    def update_batch(self, x, actions, rewards):
        self.policy.update_many(x, rewards, actions=actions)


def entry(spec, grid, kinds=KINDS, speed=True):
    def make(world, seed, **keys):
        return FromPython(world, seed, spec, **keys)

    return Entry("phe", spec, kinds, make, tuple(grid), "policy.select, policy.update", speed)


ENTRIES = [
    entry("linphe", [{}, {"a": 1.4, "fade": 1}, {"a": 0.1}, {"a": 0.1, "centred": "true"},
                     {"a": 0.02, "centred": "true"}, {"a": 0.02, "centred": "true", "ridge": 0.1}]),
    entry("lints", [{}, {"sigma": 0.2}, {"sigma": 0.1}, {"sigma": 0.05}, {"sigma": 0.05, "ridge": 0.1},
                    {"sigma": 0.02, "ridge": 0.1}]),
    entry("linucb", [{}, {"width": 1}, {"width": 0.3}, {"width": 0.1}, {"width": 0.3, "ridge": 0.1},
                     {"width": 0.1, "ridge": 0.1}]),
    entry("lineps", [{}, {"epsilon": 0.02}, {"epsilon": 0.005}, {"epsilon": 0.02, "ridge": 0.1},
                     {"epsilon": 0.005, "ridge": 0.1}], speed=False),
    entry("logphe", [{}, {"a": 0.1}, {"a": 0.02}, {"a": 0.1, "ridge": 0.05}, {"a": 0.02, "ridge": 0.05},
                     {"a": 0.02, "ridge": 0.05, "centred": "true"}], speed=False),
]  # fmt: skip
