"""The problems: the same arms, contexts, rewards and orders for everybody, drawn by phe's instances."""

from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

ARMS, ROWS, ONE = "fixed arms", "features of each action", "one context"


@dataclass
class World:
    """One instance: what is offered in each round, and what each action pays."""

    kind: str
    arms: int
    d: int
    contexts: list[Any]  # per round: None, the features of each action, or the one context
    means: list[Any]  # per round: of each action
    reward: Callable[[int, int], float]
    features: Any = None  # of fixed arms
    table: Any = field(default=None, repr=False)

    @property
    def rounds(self):
        return len(self.contexts)

    def tabled(self):
        """The same with all rewards drawn beforehand, so that none is drawn while a clock runs."""
        self.table = [[self.reward(t, a) for a in range(self.arms)] for t in range(self.rounds)]
        table = self.table
        self.reward = lambda t, a: table[t][a]
        return self


    def tossed(self):
        """The same with one coin a round for all actions: cheap to draw for many, and of the same means."""
        coins, means = np.random.default_rng(1).random(self.rounds).tolist(), self.means
        self.reward = lambda t, a: float(coins[t] < means[t][a])
        return self

    def rewards(self):
        """Of every round and action, as bytes."""
        rows = ([self.reward(t, a) for a in range(self.arms)] for t in range(self.rounds))
        return np.stack([np.array(row, np.uint8) for row in rows])


def world(spec, number, rounds, seed=1):
    """Instance `number` of a problem of phe: its first rounds."""
    import phebandits

    instance = phebandits.Instance(spec, seed=seed, number=number)
    if instance.arms is not None:
        means = instance.means
        return World(ARMS, len(means), instance.d, [None] * rounds, [means] * rounds, instance.reward,
                     instance.arms)
    offers = [instance.offer(t) for t in range(rounds)]
    kind = ONE if instance.one_context else ROWS
    contexts = [np.ascontiguousarray(x) for x, _ in offers]
    means = [m for _, m in offers]
    return World(kind, len(means[0]), instance.d, contexts, means, instance.reward)


def regret(world, actions):
    """How much better the best actions would have been, on average."""
    return float(sum(m.max() - m[a] for m, a in zip(world.means, actions)))


def mean_of_the_chosen(world, actions):
    """Of a data set: the online accuracy."""
    return float(np.mean([m[a] for m, a in zip(world.means, actions)]))
