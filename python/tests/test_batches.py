"""select_many, update_many and run give what a loop of single calls gives."""

import numpy as np
import pytest
from conftest import LINEAR, NAMES, contexts, pay

from phebandits import Instance, LinPHE, Policy, run


@pytest.mark.parametrize("name", NAMES)
def test_many_choices_among_arms_are_those_of_a_loop(name, arms):
    one, many = (Policy(name, arms=arms, seed=4) for _ in range(2))
    pulled = np.arange(24) % 12
    rewards = np.array([pay(arms[k], t) for t, k in enumerate(pulled)])
    for arm, reward in zip(pulled, rewards):
        one.update(arm, reward)
    many.update_many(pulled.astype(np.int16), rewards)
    assert np.array_equal(one.history.reward_sums, many.history.reward_sums)
    assert [one.select() for _ in range(40)] == many.select_many(n=40).tolist()


@pytest.mark.parametrize("name", LINEAR)
def test_many_choices_in_contexts_are_those_of_a_loop(name):
    one, many = (Policy(name, d=3, seed=4) for _ in range(2))
    x = contexts(30)
    rows, rewards = x[:, 0, :], np.array([pay(row, t) for t, row in enumerate(x[:, 0])])
    for row, reward in zip(rows, rewards):
        one.update(row, reward)
    many.update_many(rows, rewards)  # every sixth row of an array: not contiguous
    assert [one.select(offer) for offer in x] == many.select_many(x).tolist()
    assert [one.select(x[0]) for _ in range(9)] == many.select_many(x[0], 9).tolist()


def test_many_choices_with_a_model_per_action_are_those_of_a_loop():
    one, many = (Policy("lints:disjoint", d=3, seed=4) for _ in range(2))
    x, ids = contexts(30)[:, 0, :], np.array([5, 3, 9], dtype=np.uint64)
    for policy in (one, many):
        policy.select(x[0], ids)
    for t, row in enumerate(x):
        one.update(row, t % 2, action=int(ids[t % 3]))
    many.update_many(x, np.arange(30) % 2, actions=ids[np.arange(30) % 3])
    assert [one.select(row, ids) for row in x] == many.select_many(x, actions=ids).tolist()


def test_a_bad_row_is_named_and_nothing_is_learnt(arms):
    policy = LinPHE(arms=arms)
    with pytest.raises(ValueError, match=r"rewards\[1\]: .* between 0 and 1, got 3"):
        policy.update_many([0, 1, 2], [1, 3, 0])
    with pytest.raises(ValueError, match=r"rows\[2\] must be an arm from 0 to 11, got 12"):
        policy.update_many([0, 1, 12], [1, 1, 0])
    with pytest.raises(ValueError, match="rows must hold whole numbers, 0 or more, got -1"):
        policy.update_many([0, 1, -1], [1, 1, 0])
    with pytest.raises(ValueError, match="equally many, got 2 and 3"):
        policy.update_many([0, 1], [1, 1, 0])
    assert policy.history.pulls.sum() == 0
    policy = LinPHE(d=2, seed=1)
    with pytest.raises(ValueError, match=r"rows\[1\]: .* feature 0 .* got nan"):
        policy.update_many([[0.1, 0.2], [np.nan, 0]], [1, 1])
    assert np.array_equal(policy.select_many(np.eye(2), 20), LinPHE(d=2, seed=1).select_many(np.eye(2), 20))


def test_run_is_a_loop_of_select_and_update():
    for spec in ("linear:d=4,arms=9", "linear:d=4,arms=9,contexts", "disjoint:d=4,arms=5"):
        instance = Instance(spec, seed=3, number=2)
        name = "lints:disjoint" if instance.one_context else "lints"
        fast = run(Policy.for_instance(name, instance, 200), instance, 200)
        slow = run(Forwarding(Policy.for_instance(name, instance, 200)), instance, 200)
        assert np.array_equal(fast.actions, slow.actions), spec
        assert np.array_equal(fast.rewards, slow.rewards)
        assert np.array_equal(fast.regret, slow.regret)


class Forwarding:
    """A policy that is not known to be one of the library: `run` loops in Python."""

    def __init__(self, policy):
        self.select, self.update = policy.select, policy.update


def test_run_goes_on_where_it_was_left():
    instance = Instance("linear:d=4,arms=9")
    whole = run("linphe", instance, 100)
    policy = Policy.for_instance("linphe", instance, 100)
    parts = [run(policy, instance, 40), run(policy, instance, 60, first_round=40)]
    assert np.array_equal(whole.actions, np.concatenate([part.actions for part in parts]))


def test_run_refuses_what_does_not_fit(arms):
    with pytest.raises(ValueError, match="was made for fixed arms, and problem .* has features"):
        run(LinPHE(arms=arms), "linear:d=3,arms=12,contexts", 10)
    with pytest.raises(ValueError, match="d = 3 and 12 arms, problem .* d = 10 and 100 arms"):
        run(LinPHE(arms=arms), "linear", 10)
