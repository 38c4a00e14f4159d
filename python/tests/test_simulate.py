"""simulate: the program's numbers, policies and problems of one's own, Ctrl-C, tables, figures."""

import io
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import phebandits
from phebandits import LinPHE, Setting, run, simulate

EXPERIMENTS = {
    "linear": (["linear:d=5,arms=20", "linear:d=3,arms=7"], ["linphe", "lints:sigma=0.25", "linucb"]),
    "logistic": (["logistic:d=3,arms=10"], ["logphe:a=1", "logts"]),
    "contexts": (["linear:d=4,arms=6,contexts"], ["linphe:memory=64", "lineps", "uniform"]),
    "disjoint": (["disjoint:d=3,arms=4"], ["linphe:disjoint", "uniform"]),
    "mab": (["mab:arms=8"], ["phe", "giro"]),
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_numbers_are_the_programs_to_the_last_digit(name, tmp_path):
    problems, policies = EXPERIMENTS[name]
    flags = [f"--problem={p}" for p in problems] + [f"--policy={p}" for p in policies]
    command = [sys.executable, "-m", "phebandits", "simulate", *flags, "--rounds=300", "--instances=4"]
    subprocess.run([*command, "--seed=7", "--quiet", f"--out={tmp_path}"], check=True)
    results = simulate(problems, policies, rounds=300, instances=4, seed=7, threads=2)
    assert results.to_csv() == (tmp_path / "regret.csv").read_text()
    assert results.to_csv(each_run=True) == (tmp_path / "runs.csv").read_text()


def test_tables_of_pandas_hold_the_same_numbers():
    pandas = pytest.importorskip("pandas")
    results = simulate("linear:d=3,arms=7", ["linphe", "lints"], rounds=120, instances=3)
    for each_run in (False, True):
        read = pandas.read_csv(io.StringIO(results.to_csv(each_run)), float_precision="round_trip")
        made = results.to_pandas(each_run)
        assert list(read.columns) == list(made.columns)
        pandas.testing.assert_frame_equal(read, made, check_exact=True, check_dtype=False)


def test_results_do_not_depend_on_threads_or_company():
    alone = simulate("linear:d=3,arms=7", "lints", rounds=100, instances=5, threads=1)
    among = simulate("linear:d=3,arms=7", ["uniform", own, "lints"], rounds=100, instances=5, threads=4)
    assert np.array_equal(alone.regret[0, 0], among.regret[0, 2])


class FollowTheLeader:
    """The arm with the best mean so far; arms never pulled come first."""

    def __init__(self, setting: Setting):
        self.pulls, self.sums = np.zeros(len(setting.arms)), np.zeros(len(setting.arms))

    def select(self):
        means = np.where(self.pulls > 0, self.sums / np.maximum(self.pulls, 1), np.inf)
        return int(np.argmax(means))

    def update(self, arm, reward):
        self.pulls[arm] += 1
        self.sums[arm] += reward


def own(setting):
    """The built-in LinPHE by way of Python."""
    return LinPHE(arms=setting.arms, seed=setting.seed)


def test_a_policy_of_ones_own_takes_part():
    results = simulate("mab:arms=4", [FollowTheLeader, ("lin", own)], rounds=200, instances=6, threads=3)
    again = simulate("mab:arms=4", [FollowTheLeader, ("lin", own)], rounds=200, instances=6, threads=1)
    assert results.policies == ("FollowTheLeader", "lin")
    assert np.array_equal(results.regret, again.regret) and np.all(np.isfinite(results.regret))
    uniform = simulate("mab:arms=4", "uniform", rounds=200, instances=6)
    assert results.mean[0, 0, -1] < uniform.mean[0, 0, -1]


class TwoArms:
    """The second arm is the better one."""

    arms, means, binary = np.eye(2), np.array([0.2, 0.8]), True

    def __init__(self, seed):
        self.numbers = np.random.default_rng(seed).random((500, 2))

    def reward(self, round, arm):
        return float(self.numbers[round, arm] < self.means[arm])


class OwnContexts:
    """Twenty actions with three features; the first one pays."""

    d, binary = 3, True

    def __init__(self, seed):
        self.seed = seed

    def offer(self, round):
        x = np.random.default_rng([self.seed, round]).random((20, 3))
        return x, 0.9 * x[:, 0]

    def reward(self, round, action):
        drawn = np.random.default_rng([self.seed, round, action]).random()
        return float(drawn < self.offer(round)[1][action])


def test_a_problem_of_ones_own_is_learnt():
    results = simulate([TwoArms], ["linphe", "logphe", "uniform", own], rounds=400, instances=5, threads=2)
    assert np.all(results.mean[0, [0, 1, 3], -1] < 0.3 * results.mean[0, 2, -1])
    results = simulate([OwnContexts], ["linphe", "uniform", learner], rounds=300, instances=3, threads=2)
    assert np.all(results.mean[0, [0, 2], -1] < 0.5 * results.mean[0, 1, -1])
    assert run(LinPHE(d=3), OwnContexts(1), 50).regret[-1] > 0


def learner(setting):
    """Contexts by way of Python."""
    return phebandits.LinTS(d=setting.d, seed=setting.seed)


def test_what_python_raises_comes_back_as_it_was():
    def broken(setting):
        raise KeyError("no such thing")

    class BadReward(TwoArms):
        def reward(self, round, arm):
            return 1.0 if round < 3 else 1 / (round - 3)

    with pytest.raises(KeyError, match="no such thing"):
        simulate("mab", [broken], rounds=10, instances=4, threads=2)
    with pytest.raises(ZeroDivisionError):
        simulate(BadReward, "uniform", rounds=10, instances=4, threads=2)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [(9, "from 0 to 3, got 9"), (-1, "from 0 to 3, got -1"), ("x", "whole number, got 'x'")],
)
def test_a_choice_that_is_none_is_named(chosen, message):
    class Bad(FollowTheLeader):
        def select(self):
            return chosen

    with pytest.raises(ValueError, match="policy Bad on problem mab:arms=4"):
        simulate("mab:arms=4", Bad, rounds=10, instances=2)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"policies": "linfoo"}, ValueError, "no policy is called 'linfoo'"),
        ({"problems": "linear:q=1"}, ValueError, "q"),
        ({"rounds": 0}, ValueError, "rounds must be a whole number from 1 to 1000000000, got 0"),
        ({"rounds": 1.5}, TypeError, "rounds must be a whole number, got 1.5"),
        ({"instances": -1}, ValueError, "instances"),
        ({"threads": 0}, ValueError, "threads must be a whole number from 1 to 1024, got 0"),
        ({"seed": "a"}, TypeError, "seed must be a whole number, got 'a'"),
        ({"policies": [3]}, TypeError, "a policy must be a text, a function or a pair"),
        ({"policies": [("linphe", own)]}, ValueError, "is called 'linphe'"),
        ({"policies": [("a:b", own)]}, ValueError, "must have no ':'"),
        ({"policies": []}, ValueError, "no policy"),
        ({"policies": ["lints", "lints"]}, ValueError, "twice"),
    ],
)
def test_what_cannot_be_simulated_is_told(arguments, kind, message):
    with pytest.raises(kind, match=message):
        simulate(**{"problems": "linear", "policies": "linphe", "rounds": 10, "instances": 1, **arguments})


def test_control_c_keeps_what_is_done():
    def interrupt():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.warns(RuntimeWarning, match="interrupted: [0-9]+ of 4000 runs are done"):
        results = simulate("linear:d=10", "linphe", rounds=4000, instances=4000, threads=2)
    thread.join()
    done = np.isfinite(results.regret[0, 0, :, -1])
    assert not results.complete and 0 < done.sum() < 4000
    assert np.all(np.isfinite(results.mean))
    whole = simulate("linear:d=10", "linphe", rounds=4000, instances=3, threads=1)
    for i in np.flatnonzero(done[:3]):
        assert np.array_equal(results.regret[0, 0, i], whole.regret[0, 0, i])
    with pytest.raises(ValueError, match="runs are missing"):
        results.to_csv()


def test_progress_is_shown_when_asked_for(capsys):
    simulate("linear:d=10", "linphe", rounds=2000, instances=100, threads=1, progress=True)
    assert "runs" in capsys.readouterr().err or "tqdm" in sys.modules
    simulate("linear:d=3", "linphe", rounds=20, instances=2, progress=False)
    assert capsys.readouterr().err == ""


def test_a_figure_has_a_line_per_policy():
    pytest.importorskip("matplotlib").use("Agg")
    axes = simulate("linear:d=3", ["linphe", "lints"], rounds=50, instances=3).plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["linphe", "lints"]
    import matplotlib.pyplot as plt

    plt.close("all")
