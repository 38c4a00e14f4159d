"""run: one policy on one instance, round by round."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core, checks


class Run(NamedTuple):
    """What happened in each round."""

    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]
    gaps: NDArray[np.float64]
    """How much better the best action of the round would have been, on average."""

    @property
    def regret(self) -> NDArray[np.float64]:
        """The sum of the gaps so far."""
        return np.cumsum(self.gaps)


def run(policy: Any, problem: Any, rounds: int, *, seed: int = 1, first_round: int = 0) -> Run:
    """Plays `rounds` rounds, in which the policy learns.

    policy: a Policy, an object of your own with select and update, or a text: then it is made for the
        problem, as `simulate` makes it
    problem: an Instance, an object of your own like one (see `simulate`), or a text: then its first
        instance under `seed`

    What is built in stays in C++, without a loop in Python.

    >>> import phebandits
    >>> phebandits.run("linphe", "linear:d=5,arms=20", rounds=1000).regret.shape
    (1000,)
    """
    rounds = checks.whole(rounds, "rounds", 0)
    if isinstance(problem, str):
        problem = _core.Instance(problem, seed=seed)
    if isinstance(policy, str):
        if not isinstance(problem, _core.Instance):
            raise TypeError("a policy by its name needs a problem of the library; make it first")
        policy = _core.Policy.for_instance(policy, problem, max(rounds, 1))
    if isinstance(policy, _core.Policy) and isinstance(problem, _core.Instance):
        return Run(*_core.run(policy, problem, rounds, first_round))
    for name, value, methods in (
        ("policy", policy, ("select", "update")),
        ("problem", problem, ("reward",)),
    ):
        if not all(callable(getattr(value, method, None)) for method in methods):
            raise TypeError(f"{name} must be a text or have {' and '.join(methods)}, got {value!r}")
    play = _play_contexts if getattr(problem, "arms", None) is None else _play_arms
    actions, rewards = np.empty(rounds, np.int64), np.empty(rounds)
    gaps = np.empty(rounds)
    for i in range(rounds):
        actions[i], rewards[i], gaps[i] = play(policy, problem, first_round + i)
    return Run(actions, rewards, gaps)


def _play_arms(policy: Any, problem: Any, t: int) -> tuple[int, float, float]:
    arm = policy.select()
    reward = problem.reward(t, arm)
    policy.update(arm, reward)
    return arm, reward, float(np.max(problem.means) - problem.means[arm])


def _play_contexts(policy: Any, problem: Any, t: int) -> tuple[int, float, float]:
    x, means = problem.offer(t)
    one = getattr(problem, "one_context", False)
    action = policy.select(x, len(means)) if one else policy.select(x)
    reward = problem.reward(t, action)
    if one:
        policy.update(x, reward, action=action)
    else:
        policy.update(x[action], reward)
    return action, reward, float(np.max(means) - means[action])
