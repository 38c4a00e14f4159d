"""PerturbedHistory: the law of its rows, weights and replicas, learning, bad input."""

import numpy as np
import pytest

from phebandits import LinPHE, PerturbedHistory, simulate

sklearn = pytest.importorskip("sklearn")
from sklearn.ensemble import GradientBoostingClassifier  # noqa: E402
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge  # noqa: E402
from sklearn.neighbors import KNeighborsRegressor  # noqa: E402
from sklearn.svm import LinearSVC  # noqa: E402


def played(policy, rounds=60, best=2):
    for _ in range(rounds):
        arm = policy.select()
        policy.update(arm, float(arm == best))
    return policy


def test_the_perturbed_history_has_the_papers_law():
    # Arm 0: T = 4 pulls with V = 1, so a = 1.5 gives 6 pseudo-rewards; of 5,000 draws the mean number
    # of ones is 3 with a standard error of sqrt(6 / 4 / 5000) = 0.017: five of these are allowed.
    policy = PerturbedHistory(Ridge(), a=1.5, arms=np.eye(2), seed=1)
    for reward in (0, 0, 1, 0):
        policy.update(0, reward)
    ones = []
    for _ in range(5000):
        x, y, weights = policy.perturbed()
        assert np.array_equal(np.unique(x, axis=0), [[1.0, 0.0]]) and weights.sum() == 10
        ones.append(weights[y == 1].sum() - 1)
    assert abs(np.mean(ones) - 3) < 5 * np.sqrt(6 / 4 / 5000)
    assert abs(np.var(ones) - 1.5) < 5 * 1.5 * np.sqrt(2 / 5000)


def test_a_fraction_of_a_pseudo_reward_is_rounded_at_random():
    # 20 rows seen once, a = 0.25: 5 pseudo-rewards on average, with a standard error of
    # sqrt(20 * 0.25 * 0.75 / 2000) = 0.043 over 2,000 draws.
    policy = PerturbedHistory(Ridge(), a=0.25, seed=2)
    for row in np.random.default_rng(1).random((20, 2)):
        policy.update(row, 1.0)
    counts = [policy.perturbed()[2].sum() - 20 for _ in range(2000)]
    assert abs(np.mean(counts) - 5) < 5 * np.sqrt(20 * 0.25 * 0.75 / 2000)


def test_weighted_and_replicated_rows_give_the_same_fit():
    class Replicated(Ridge):
        def fit(self, x, y):
            return super().fit(x, y)

    arms = np.random.default_rng(1).random((6, 3))
    weighted = PerturbedHistory(Ridge(), arms=arms, seed=4)
    replicated = PerturbedHistory(Replicated(), arms=arms, seed=4)
    assert weighted.weighs and not replicated.weighs
    for policy in (weighted, replicated):
        for t in range(30):
            policy.update(t % 6, (t % 5) / 4)
    assert np.allclose(weighted.fit().coef_, replicated.fit().coef_, rtol=1e-9, atol=1e-12)


def test_around_a_ridge_without_intercept_it_is_linphe_in_law():
    # The same history, a and lambda: G = (a + 1)(X'X + I) and so Ridge(alpha = a + 1). Means of 4,000
    # draws of theta differ by less than 5 standard errors.
    arms = np.array([[1.0, 0.0], [0.5, 1.0], [0.2, -0.7]])
    ours = PerturbedHistory(Ridge(alpha=2.0, fit_intercept=False), a=1, arms=arms, seed=5)
    theirs = LinPHE(arms=arms, a=1, ridge=1, seed=5)
    for t in range(40):
        for policy in (ours, theirs):
            policy.update(t % 3, float(t % 7 < 3))
    first = np.array([ours.fit().coef_ for _ in range(4000)])
    second = []
    for _ in range(4000):
        theirs.select()
        second.append(theirs.theta)
    second = np.array(second)
    error = np.sqrt((first.var(axis=0) + second.var(axis=0)) / 4000)
    assert np.all(np.abs(first.mean(axis=0) - second.mean(axis=0)) < 5 * error)
    assert np.allclose(first.std(axis=0), second.std(axis=0), rtol=0.08)


@pytest.mark.parametrize(
    "estimator",
    [Ridge(), LinearRegression(), KNeighborsRegressor(1), LogisticRegression(), LinearSVC(dual=False),
     GradientBoostingClassifier(n_estimators=5)],
)  # fmt: skip
def test_the_best_arm_is_found(estimator):
    policy = played(PerturbedHistory(estimator, arms=np.eye(4), seed=2))
    assert policy.history.pulls.argmax() == 2 and policy.history.pulls.sum() == 60


def test_the_same_seed_gives_the_same_choices():
    def choices(seed):
        policy = PerturbedHistory(GradientBoostingClassifier(n_estimators=3), arms=np.eye(3), seed=seed)
        return [(arm := policy.select(), policy.update(arm, float(arm == 1)))[0] for _ in range(20)]

    assert choices(3) == choices(3)
    assert len({tuple(choices(seed)) for seed in range(6)}) > 1


def test_it_takes_part_in_a_simulation():
    def ridge_phe(setting):
        return PerturbedHistory(Ridge(), a=0.5, arms=setting.arms, seed=setting.seed)

    results = simulate("linear:d=3,arms=10", [ridge_phe, "uniform"], rounds=150, instances=3, threads=2)
    assert results.mean[0, 0, -1] < 0.8 * results.mean[0, 1, -1]


def test_contexts():
    policy = PerturbedHistory(Ridge(), seed=1)
    numbers = np.random.default_rng(1)
    good = 0
    for t in range(120):
        x = numbers.random((5, 2))
        place = policy.select(x)
        policy.update(x[place], float(numbers.random() < x[place, 0]))
        good += t >= 60 and x[place, 0] > np.median(x[:, 0])
    assert good > 35  # of 60; 24 by chance, with a standard deviation of 3.8


def test_in_contexts_choices_are_random_until_enough_rewards_are_there():
    def fits(start):
        policy = PerturbedHistory(Ridge(), start=start, seed=1)
        for t in range(6):
            policy.select(np.eye(4))
            if policy._model is not None:
                return t
            policy.update(np.eye(4)[0], 1.0)

    assert [fits(None), fits(0), fits(1), fits(3)] == [4, 1, 1, 3]  # a fit needs a reward


def test_features_of_another_number_than_before_are_told():
    policy = PerturbedHistory(Ridge(), seed=1)
    policy.update([1.0, 2.0], 1.0)
    with pytest.raises(ValueError, match=r"X must have the shape \(any, 2\), got \(3, 3\)"):
        policy.select(np.eye(3))
    with pytest.raises(ValueError, match=r"x must have the shape \(2\), got \(3,\)"):
        policy.update(np.ones(3), 1.0)


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: PerturbedHistory(3), TypeError, "estimator must be an object that has fit, got 3"),
        (lambda: PerturbedHistory(Ridge), TypeError, "estimator must be an object"),
        (lambda: PerturbedHistory(Ridge(), a="1"), TypeError, "a must be a number, got '1'"),
        (lambda: PerturbedHistory(Ridge(), every=1.5), TypeError, "every must be a whole number, got 1.5"),
        (lambda: PerturbedHistory(Ridge(), start=-1), ValueError, "start must be at least 0, got -1"),
        (lambda: PerturbedHistory(Ridge(), seed=-1), ValueError, "seed must be at least 0, got -1"),
        (lambda: PerturbedHistory(Ridge(), rewards=3), TypeError, "rewards must be a pair"),
        (lambda: PerturbedHistory(Ridge(), arms=np.eye(2) * 1j), TypeError, "got dtype complex128"),
        (lambda: PerturbedHistory(Ridge(), a=0), ValueError, "a must be a finite number above 0, got 0"),
        (lambda: PerturbedHistory(Ridge(), every=0), ValueError, "every must be at least 1"),
        (lambda: PerturbedHistory(Ridge(), rewards=(1, 1)), ValueError, "rewards must be"),
        (lambda: PerturbedHistory(Ridge(), arms=[1.0]), ValueError, r"arms must have the shape .* got \(1,\)"),
        (lambda: PerturbedHistory(Ridge(), arms=np.eye(2)).select(np.eye(2)), TypeError, "X must be given in contexts"),
        (lambda: PerturbedHistory(Ridge()).select(), TypeError, "X must be given in contexts"),
        (lambda: PerturbedHistory(Ridge()).update([1.0], 2), ValueError, "between 0.0 and 1.0, got 2"),
        (lambda: PerturbedHistory(Ridge()).update([np.nan], 1), ValueError, "x must be finite, got nan"),
        (lambda: PerturbedHistory(Ridge()).update([1.0], "1"), TypeError, "reward must be a number, got '1'"),
        (lambda: PerturbedHistory(Ridge(), arms=np.eye(2)).update(2, 1), ValueError, "from 0 to 1, got 2"),
        (lambda: PerturbedHistory(LogisticRegression()).update([1.0], 0.5), ValueError, "got 0.5"),
    ],
)
def test_bad_input_is_told(make, kind, message):
    with pytest.raises(kind, match=message):
        make()
