"""PerturbedHistory: perturbed-history exploration around any estimator of scikit-learn's kind."""

from __future__ import annotations

import copy
import inspect
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from ._core import independent_arms

Rows = NDArray[np.float64]


class PerturbedHistory:
    """Fits an estimator to the history mixed with fresh pseudo-rewards, and takes what it likes best.

    A row of features that was observed T times has a T pseudo-rewards, each the lowest or the highest
    reward with probability 1/2, drawn anew for every fit; a fraction is rounded up or down at random, so
    that the mean is a T. An estimator whose `fit` takes `sample_weight` gets each row once, with its count
    as weight; any other gets replicated rows.

    The first rounds pull the arms of a basis of the features, as LinPHE does; in contexts, the choices
    before reward number `start` are random.

    estimator: anything with fit and predict, a regressor or a classifier of two rewards; it is cloned
        for each fit, and gets a random_state if it has one
    a: pseudo-rewards per observed reward
    arms: an array with a row of features per arm; leave it out for contexts, as in select(X)
    rewards: the lowest and the highest reward
    every: fit anew after so many rewards; between fits the choice is that of the last one
    start: contexts: so many rewards come before the first fit; as many as there are features, unless said

    >>> import numpy as np, phebandits
    >>> from sklearn.linear_model import Ridge
    >>> policy = phebandits.PerturbedHistory(Ridge(), a=1, arms=np.eye(3), seed=1)
    >>> for _ in range(200):
    ...     arm = policy.select()
    ...     policy.update(arm, 1.0 if arm == 2 else 0.0)
    >>> int(policy.history.pulls.argmax())
    2
    """

    def __init__(
        self,
        estimator: Any,
        a: float = 1.0,
        *,
        arms: ArrayLike | None = None,
        rewards: tuple[float, float] = (0.0, 1.0),
        every: int = 1,
        start: int | None = None,
        seed: int = 1,
    ) -> None:
        for method in ("fit", "predict"):
            if inspect.isclass(estimator) or not callable(getattr(estimator, method, None)):
                raise TypeError(f"estimator must be an object that has {method}, got {estimator!r}")
        self.a = checks.number(a, "a")
        if not (0 < self.a < math.inf):
            raise ValueError(f"a must be a finite number above 0, got {a}")
        self.every = checks.whole(every, "every", 1)
        self.low, self.high = checks.reward_range(rewards)
        self.estimator = estimator
        self.start = None if start is None else checks.whole(start, "start", 0)
        self.arms = None if arms is None else checks.features(arms, "arms", (None, None))
        self.random = np.random.default_rng(checks.whole(seed, "seed", 0))
        self.classifies = getattr(estimator, "_estimator_type", None) == "classifier"
        self.weighs = "sample_weight" in inspect.signature(estimator.fit).parameters
        self._first = [] if self.arms is None else independent_arms(self.arms)
        self._rows: dict[bytes, int] = {}  # features -> number of the row
        self._x: list[Rows] = []
        self._row_of: list[int] = []  # of each observation
        self._rewards: list[float] = []
        self._model: Any = None
        self._fitted_at = -1

    def select(self, X: ArrayLike | None = None) -> int:
        """The arm, or the place of the row of X, that a fit to the perturbed history likes best."""
        if (X is None) == (self.arms is None):
            raise TypeError("X must be given in contexts, and be left out with fixed arms")
        x = checks.features(X, "X", (None, self._d())) if X is not None else self.arms
        assert x is not None
        if self._first:
            return self._first.pop(0)
        observed = len(self._rewards)
        if observed < max(1, self._random_rounds(x)):
            return int(self.random.integers(len(x)))
        if self._model is None or observed >= self._fitted_at + self.every or self.every == 1:
            self._model, self._fitted_at = self.fit(), observed
        scores = self._scores(x)
        return int(self.random.choice(np.flatnonzero(scores == scores.max())))

    def update(self, what: ArrayLike, reward: float) -> None:
        """Learns what an arm, or the action with these features, paid."""
        reward = checks.number(reward, "reward")
        if not self.low <= reward <= self.high:
            raise ValueError(f"reward must be between {self.low} and {self.high}, got {reward}")
        if self.classifies and reward not in (self.low, self.high):
            raise ValueError(f"a classifier needs rewards of {self.low} or {self.high}, got {reward}")
        x = self._features(what)
        row = self._rows.setdefault(x.tobytes(), len(self._x))
        if row == len(self._x):
            self._x.append(x)
        self._row_of.append(row)
        self._rewards.append(reward)

    def fit(self) -> Any:
        """The estimator, fitted to the history so far and fresh pseudo-rewards."""
        x, y, weights = self.perturbed()
        model = _cloned(self.estimator, int(self.random.integers(1 << 31)))
        if self.classifies and len(np.unique(y)) == 1:
            return _Constant(float(y[0]))  # classifiers refuse a single class
        if self.weighs:
            return model.fit(x, y, sample_weight=weights)
        times = weights.astype(int)
        return model.fit(np.repeat(x, times, axis=0), np.repeat(y, times))

    def perturbed(self) -> tuple[Rows, NDArray[Any], Rows]:
        """A draw of the perturbed history: features, rewards, and how often each stands there."""
        rows, rewards = np.array(self._row_of), np.array(self._rewards)
        wanted = self.a * np.bincount(rows, minlength=len(self._x))
        trials = np.floor(wanted + self.random.random(len(wanted))).astype(int)
        heads = self.random.binomial(trials, 0.5)
        each = np.arange(len(self._x))
        number = np.concatenate([rows, each, each])
        y = np.concatenate([rewards, np.full(len(each), self.high), np.full(len(each), self.low)])
        weights = np.concatenate([np.ones(len(rows)), heads, trials - heads])
        # The same row with the same reward once, by its count.
        pairs, place = np.unique(np.column_stack([number, y]), axis=0, return_inverse=True)
        counts: Rows = np.bincount(np.ravel(place), weights=weights).astype(float)
        kept = counts > 0
        values = pairs[kept, 1]
        labels = (values == self.high).astype(int) if self.classifies else values
        return np.array(self._x)[pairs[kept, 0].astype(int)], labels, counts[kept]

    @property
    def history(self) -> Any:
        """Pulls and sums of rewards per arm, of fixed arms."""
        from ._core import History

        if self.arms is None:
            raise AttributeError("only a policy with fixed arms has a history of pulls by arm")
        known = np.array([self._rows.get(arm.tobytes(), -1) for arm in self.arms])
        pulls = np.bincount(np.array(self._row_of, int), minlength=len(self._x) + 1)
        sums = np.bincount(np.array(self._row_of, int), self._rewards, minlength=len(self._x) + 1)
        return History(pulls[known].astype(np.uint64), sums[known].astype(float))

    def _features(self, what: ArrayLike) -> Rows:
        if self.arms is None:
            return checks.features(what, "x", (self._d(),))
        arm = np.asarray(what)
        if arm.ndim != 0 or arm.dtype.kind not in "iu" or not 0 <= arm < len(self.arms):
            raise ValueError(f"arm must be a whole number from 0 to {len(self.arms) - 1}, got {what!r}")
        return np.ascontiguousarray(self.arms[int(arm)])

    def _d(self) -> int | None:
        """The number of features, once one is known."""
        return len(self._x[0]) if self._x else None

    def _random_rounds(self, x: Rows) -> int:
        if self.arms is not None:
            return 0
        return x.shape[1] if self.start is None else self.start

    def __repr__(self) -> str:
        where = "contexts" if self.arms is None else f"{len(self.arms)} arms"
        return f"<PerturbedHistory a={self.a:g} of {self.estimator!r}: {where}, {len(self._rewards)} rewards>"

    def _scores(self, x: Rows) -> Rows:
        if not self.classifies or isinstance(self._model, _Constant):
            return np.asarray(self._model.predict(x), float)
        if hasattr(self._model, "predict_proba"):
            return np.asarray(self._model.predict_proba(x)[:, 1], float)
        return np.asarray(self._model.decision_function(x), float)


class _Constant:
    def __init__(self, value: float) -> None:
        self.value = value

    def predict(self, x: Rows) -> Rows:
        return np.full(len(x), self.value)


def _cloned(estimator: Any, random_state: int) -> Any:
    try:
        from sklearn.base import clone

        model = clone(estimator)
    except (ImportError, TypeError):
        return copy.deepcopy(estimator)
    if "random_state" in model.get_params():
        model.set_params(random_state=random_state)
    return model
