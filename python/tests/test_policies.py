"""Choosing and learning: every policy, by class and by spec, with arms, contexts and per action."""

import copy
import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import FIXED_ARMS_ONLY, LINEAR, NAMES, contexts, play_arms, play_contexts

import phebandits
from phebandits import LinPHE, Policy
from phebandits.classes import class_name


@pytest.mark.parametrize("name", NAMES)
def test_class_and_spec_choose_the_same(name, arms):
    cls = getattr(phebandits, class_name(name))
    assert play_arms(cls(arms=arms, seed=3), 60) == play_arms(Policy(name, arms=arms, seed=3), 60)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_choices_and_another_seed_others(name, arms):
    def choices(seed):
        return play_arms(Policy(name, arms=arms, seed=seed), 80)

    assert choices(5) == choices(5)
    if name not in ("linucb", "glmucb", "ucbglm", "greedy"):  # they draw only to break ties
        assert len({tuple(choices(seed)) for seed in range(4)}) > 1


@pytest.mark.parametrize("name", LINEAR)
def test_every_policy_learns_in_contexts(name):
    policy = Policy(name, d=3, seed=1)
    chosen = play_contexts(policy, contexts(60))
    assert all(0 <= place < 6 for place in chosen) and len(set(chosen)) > 1


@pytest.mark.parametrize("name", LINEAR)
def test_every_policy_learns_with_a_model_per_action(name):
    policy = Policy(f"{name}:disjoint", d=3, seed=1)
    ids = [40, 7, 1 << 60]
    for t, x in enumerate(contexts(30)[:, 0, :]):
        place = policy.select(x, actions=ids)
        policy.update(x, float(t % 2), action=ids[place])
    if name not in ("uniform", "rffphe", "xgbphe"):  # no linear model of the features
        assert set(policy.theta) == set(ids)


@pytest.mark.parametrize("name", sorted(FIXED_ARMS_ONLY & set(NAMES)))
def test_policies_without_features_say_so_in_contexts(name):
    with pytest.raises(ValueError, match="cannot play contexts"):
        Policy(name, d=3)


def test_arguments_reach_the_library(arms):
    policy = LinPHE(arms=arms, a=2, ridge=0.25, centred=True, gram="authors", seed=9)
    assert policy.spec == "linphe:a=2,ridge=0.25,centred=true,gram=authors"
    assert (policy.seed, policy.d, policy.rounds, policy.rewards) == (9, 3, 10_000, (0.0, 1.0))
    assert np.array_equal(policy.arms, arms)


def test_a_class_tells_its_arguments():
    assert list(inspect.signature(LinPHE).parameters)[:4] == ["arms", "d", "a", "ridge"]
    assert "perturbation scale" in LinPHE.__doc__
    with pytest.raises(TypeError, match="LinPHE has no argument b, only arms, d, a, ridge"):
        LinPHE(d=3, b=1)


@pytest.mark.parametrize("name", NAMES)
def test_a_pickle_goes_on_with_the_same_choices(name, arms):
    policy = Policy(name, arms=arms, seed=3)
    play_arms(policy, 37)
    for other in (pickle.loads(pickle.dumps(policy)), copy.deepcopy(policy), copy.copy(policy)):
        assert play_arms(other, 40, 37) == play_arms(copy.deepcopy(policy), 40, 37)
    assert play_arms(copy.deepcopy(policy), 40, 37) == play_arms(policy, 40, 37)


@pytest.mark.parametrize("name", ["linphe", "lints", "logphe:memory=16", "linphe:memory=16"])
def test_a_pickle_goes_on_in_contexts(name):
    policy = Policy(name, d=3, rewards=(0, 1), seed=3)
    play_contexts(policy, contexts(50))
    other = pickle.loads(pickle.dumps(policy))
    assert play_contexts(other, contexts(30, seed=4)) == play_contexts(policy, contexts(30, seed=4))


def test_a_subclass_is_pickled_with_its_own_attributes(arms):
    policy = Named(arms=arms)
    policy.label = "mine"
    other = pickle.loads(pickle.dumps(policy))
    assert type(other) is Named and other.label == "mine"


class Named(LinPHE):
    label: str


def test_a_damaged_pickle_is_refused(arms):
    state = LinPHE(arms=arms).__getstate__()
    for part, wrong in ((0, 2), (1, "linfoo"), (7, b"phe-state 2\n"), (8, b"123"), (8, b"")):
        damaged = (*state[:part], wrong, *state[part + 1 :])
        with pytest.raises(ValueError):
            LinPHE.__new__(LinPHE).__setstate__(damaged)


def test_an_object_that_was_never_made_is_refused():
    with pytest.raises(TypeError):
        LinPHE.__new__(LinPHE).select()


def test_a_state_is_saved_in_the_format_of_the_library(arms, tmp_path):
    policy = LinPHE(arms=arms, a=0.5, seed=3)
    play_arms(policy, 50)
    policy.save(tmp_path / "state")
    assert (tmp_path / "state").read_bytes().startswith(b"phe-state 2\n")
    other = LinPHE(arms=arms, a=0.5, seed=3)
    other.load(str(tmp_path / "state"))
    assert np.array_equal(other.history.pulls, policy.history.pulls)
    with pytest.raises(ValueError, match="it has a = 0.5, this policy 1"):
        LinPHE(arms=arms, a=1).load(tmp_path / "state")
    with pytest.raises(ValueError, match="nowhere"):
        other.load(tmp_path / "nowhere")


def test_merged_policies_have_both_histories(arms):
    one, other = LinPHE(arms=arms, seed=1), LinPHE(arms=arms, seed=2)
    play_arms(one, 30)
    play_arms(other, 20)
    pulls = one.history.pulls + other.history.pulls
    one.merge(other)
    assert np.array_equal(one.history.pulls, pulls)
    one.merge(one)
    assert np.array_equal(one.history.pulls, 2 * pulls)
    with pytest.raises(ValueError, match="a = "):
        one.merge(LinPHE(arms=arms, a=3))


def test_theta_is_that_of_a_ridge_regression_on_the_perturbed_history():
    # With arms e_1 and e_2, lambda = 1 and a = 1, theta_k = (V_k + U_k) / (2 (T_k + 1)) with U_k a
    # whole number from 0 to T_k.
    policy = LinPHE(arms=np.eye(2), a=1, seed=1)
    play_arms(policy, 40)
    for _ in range(50):
        policy.select()
        pulls, sums = policy.history
        u = policy.theta * 2 * (pulls + 1) - sums
        assert np.allclose(u, np.round(u), atol=1e-9)
        assert np.all(u > -1e-9) and np.all(u < pulls + 1e-9)


def test_theta_and_history_are_copies(arms):
    policy = LinPHE(arms=arms)
    play_arms(policy, 20)
    policy.theta[:] = 7
    policy.history.pulls[:] = 7
    policy.arms[:] = 7
    assert not np.any(policy.theta == 7) and policy.history.pulls.sum() == 20
    assert np.array_equal(policy.arms, arms)


def test_what_a_policy_does_not_have_is_an_attribute_error(arms):
    assert not hasattr(Policy("phe", arms=arms), "theta")
    assert not hasattr(Policy("uniform", arms=arms), "theta")
    assert not hasattr(LinPHE(d=3), "history")


def test_numbers_are_read_alike_whatever_their_type_and_strides():
    x = np.round(contexts(40) * 8) / 8  # exact in every type below
    expected = play_contexts(LinPHE(d=3, seed=1), x)
    wide = np.zeros((40, 6, 6))
    wide[:, :, ::2] = x
    forms = [
        x.astype(np.float32), x.astype(np.float16), x.astype(">f8"), x.astype(np.longdouble),
        np.asfortranarray(x), wide[:, :, ::2], x[:, :, ::-1].copy()[:, :, ::-1],
    ]  # fmt: skip
    raw = np.zeros(x.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(x.shape)
    raw[:] = x
    assert not raw.flags.aligned
    read_only = x.copy()
    read_only.flags.writeable = False
    for form in [*forms, raw, read_only]:
        assert play_contexts(LinPHE(d=3, seed=1), form) == expected, form.dtype
    assert play_contexts(LinPHE(d=3, seed=1), x.tolist()) == expected


def test_integers_and_booleans_are_numbers():
    for form in (np.eye(3, dtype=np.int8), np.eye(3, dtype=bool), np.eye(3).tolist()):
        policy = LinPHE(d=3, seed=1)
        policy.update(form[0], True)
        assert 0 <= policy.select(form) < 3


def test_the_command_line_is_the_program():
    done = subprocess.run(
        [sys.executable, "-m", "phebandits", "--version"], capture_output=True, text=True
    )
    assert done.returncode == 0 and phebandits.__version__ in done.stdout
    bad = subprocess.run(
        [sys.executable, "-m", "phebandits", "simulate", "--policy", "linfoo"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert bad.returncode == 2
