"""river: policies of river.bandit."""

from catalogue import ARMS, ONE, Entry, Policy
from river import bandit, proba


class Disjoint(Policy):
    def __init__(self, world, seed, **keys):
        super().__init__(world, seed)
        self.policy = bandit.LinUCBDisjoint(seed=seed, **keys)
        self.ids = list(range(world.arms))

    def prepare(self, context):
        return dict(enumerate(context.tolist()))

    def select(self, x):
        return self.policy.pull(self.ids, context=x)

    def update(self, x, action, reward):
        self.policy.update(action, x, reward)


class ContextFree(Policy):
    def __init__(self, world, seed, policy):
        super().__init__(world, seed)
        self.policy, self.ids = policy, list(range(world.arms))

    def select(self, _):
        return self.policy.pull(self.ids)

    def update(self, _, action, reward):
        self.policy.update(action, reward)


def ucb(world, seed, delta=1.0):
    return ContextFree(world, seed, bandit.UCB(delta=delta, seed=seed))


def thompson(world, seed):
    return ContextFree(world, seed, bandit.ThompsonSampling(reward_obj=proba.Beta(), seed=seed))


TIMED = "pull, update"
ENTRIES = [
    Entry("river", "LinUCBDisjoint", (ONE,), Disjoint,
          ({}, {"beta": 10.0}, {"beta": 100.0}, {"alpha": 0.1, "beta": 10.0}), TIMED),
    Entry("river", "UCB", (ARMS,), ucb, ({}, {"delta": 0.5}, {"delta": 0.2}, {"delta": 0.1}), TIMED),
    Entry("river", "ThompsonSampling", (ARMS,), thompson, ({},), TIMED),
]  # fmt: skip
