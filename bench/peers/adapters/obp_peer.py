"""Open Bandit Pipeline: its online policies, without PyTorch, which only its offline learners use."""

import importlib
import importlib.util
import sys
import types
from unittest import mock

import numpy as np
import sklearn.utils  # noqa: F401  # before the stub below
from catalogue import ARMS, ONE, Entry, Policy


def modules(*names):
    """obp.policy.<name> alone, of each: the packages above them import PyTorch and all the rest."""
    found = importlib.util.find_spec("obp")
    if found is None:
        raise ImportError("No module named 'obp'")
    stub = types.ModuleType("torch")  # for annotations alone
    stub.Tensor = stub.tensor = type("Tensor", (), {})
    root = found.submodule_search_locations[0]
    for package, folder in {"obp": root, "obp.policy": f"{root}/policy"}.items():
        sys.modules[package] = types.ModuleType(package)
        sys.modules[package].__path__ = [folder]
    with mock.patch.dict(sys.modules, {} if importlib.util.find_spec("torch") else {"torch": stub}):
        return [importlib.import_module(f"obp.policy.{name}") for name in names]


linear, contextfree = modules("linear", "contextfree")


class Contextual(Policy):
    def __init__(self, world, seed, kind, **keys):
        super().__init__(world, seed)
        self.policy = kind(dim=world.d, n_actions=world.arms, random_state=seed, **keys)

    def prepare(self, context):
        return context[np.newaxis]

    def select(self, x):
        return int(self.policy.select_action(x)[0])

    def update(self, x, action, reward):
        self.policy.update_params(action, reward, x)


class ContextFree(Policy):
    def __init__(self, world, seed, kind, **keys):
        super().__init__(world, seed)
        self.policy = kind(n_actions=world.arms, random_state=seed, **keys)

    def select(self, _):
        return int(self.policy.select_action()[0])

    def update(self, _, action, reward):
        self.policy.update_params(action, reward)


def entry(name, kind, adapter, policy, defaults, values=(), speed=True):
    def make(world, seed, **keys):
        return adapter(world, seed, policy, **{**defaults, **keys})

    grid = ({}, *({"epsilon": value} for value in values))
    return Entry("obp", name, (kind,), make, grid, "select_action, update_params", speed)


# LinUCB and the greedy ones explore with `epsilon`, which is 0 by default; their examples use 0.1.
ENTRIES = [
    entry("LinUCB", ONE, Contextual, linear.LinUCB, {}, (1.0, 0.3, 0.1)),
    entry("LinTS", ONE, Contextual, linear.LinTS, {}),
    entry("LinEpsilonGreedy", ONE, Contextual, linear.LinEpsilonGreedy, {}, (0.1, 0.02), speed=False),
    entry("BernoulliTS", ARMS, ContextFree, contextfree.BernoulliTS, {}),
    entry("EpsilonGreedy", ARMS, ContextFree, contextfree.EpsilonGreedy, {"epsilon": 1.0}, (0.1, 0.02)),
]
