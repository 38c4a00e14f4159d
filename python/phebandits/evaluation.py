"""evaluate: what a policy would have earned on a log of another one, and how sure that is."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

if TYPE_CHECKING:
    import pandas

COLUMNS = ("action", "reward", "propensity", "position", "actions", "probabilities")


@dataclass(frozen=True)
class Log:
    """Logged decisions as arrays, a row each.

    >>> import numpy as np, phebandits
    >>> log = phebandits.Log(action=[0, 1, 1], reward=[0.0, 1.0, 1.0], propensity=[0.5, 0.5, 0.5], n_actions=2)
    >>> phebandits.evaluate(log, "always=1").estimates["ips"].value == 4 / 3
    True
    """

    action: ArrayLike
    """What was chosen, counted from 0."""
    reward: ArrayLike
    propensity: ArrayLike | None = None
    """P(action) under the policy that chose, when it chose; may be left out beside `probabilities`."""
    probabilities: ArrayLike | None = None
    """P(each action): (rows, actions)."""
    position: ArrayLike | None = None
    """Place of the action on the page, from 1."""
    features: Any = None
    """What was known before the choice: an array (rows, features) or a table with names."""
    n_actions: int | None = None
    """How many could have been chosen."""

    @classmethod
    def from_obp(cls, feedback: Mapping[str, Any]) -> Log:
        """The log in the dictionary of the Open Bandit Pipeline (`bandit_feedback`).

        Its positions count from 0, and its `pi_b` has a third axis for them: the column of each row's
        position is taken.
        """
        position = feedback.get("position")
        pi_b = feedback.get("pi_b")
        if pi_b is not None:
            pi_b = np.asarray(pi_b)
            if pi_b.ndim == 3:
                places = np.zeros(len(pi_b), int) if position is None else np.asarray(position)
                pi_b = pi_b[np.arange(len(pi_b)), :, places]
        return cls(
            action=feedback["action"],
            reward=feedback["reward"],
            propensity=feedback.get("pscore"),
            probabilities=pi_b,
            position=None if position is None else np.asarray(position) + 1,
            features=feedback.get("context"),
            n_actions=int(feedback["n_actions"]),
        )

    def to_obp(self) -> dict[str, Any]:
        """The dictionary that the estimators of the Open Bandit Pipeline take."""
        action = np.asarray(self.action)
        n_actions = self.n_actions
        probabilities = None if self.probabilities is None else np.asarray(self.probabilities)
        if n_actions is None:
            n_actions = action.max() + 1 if probabilities is None else probabilities.shape[1]
        if self.propensity is not None:
            pscore = np.asarray(self.propensity, float)
        elif probabilities is not None:
            pscore = probabilities[np.arange(len(action)), action]
        else:
            raise TypeError("a log must have propensity, or probabilities of all actions")
        return {
            "n_rounds": len(action),
            "n_actions": int(n_actions),
            "context": None if self.features is None else np.asarray(self.features),
            "action_context": np.eye(int(n_actions), dtype=int),
            "action": action,
            "position": None if self.position is None else np.asarray(self.position) - 1,
            "reward": np.asarray(self.reward, float),
            "expected_reward": None,
            "pi_b": None if probabilities is None else probabilities[:, :, np.newaxis],
            "pscore": pscore,
        }


@dataclass(frozen=True)
class Estimate:
    """A value, its standard error, and intervals by name."""

    value: float
    std_err: float
    intervals: dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Evaluation:
    """What a target policy would have earned: by every estimator, with what to distrust."""

    estimates: dict[str, Estimate]
    logged: Estimate
    """The mean reward of the log itself."""
    diagnostics: dict[str, float | None]
    warnings: list[str]
    positions: tuple[Evaluation, ...] = ()
    """The same for each position, where the log has some."""
    position: int = 0
    bad_lines: int = 0

    def to_pandas(self) -> pandas.DataFrame:
        """A row per estimator."""
        import pandas

        rows = []
        for name, estimate in {"logged": self.logged, **self.estimates}.items():
            row = {"estimator": name, "value": estimate.value, "std_err": estimate.std_err}
            for interval, (low, high) in estimate.intervals.items():
                row |= {f"{interval}_low": low, f"{interval}_high": high}
            rows.append(row)
        return pandas.DataFrame(rows).set_index("estimator")

    def __str__(self) -> str:
        lines = [f"{'':9} {'value':>10} {'std_err':>10}"]
        for name, estimate in {"logged": self.logged, **self.estimates}.items():
            lines.append(f"{name:9} {estimate.value:10.6g} {estimate.std_err:10.2g}")
        return "\n".join(lines + [f"warning: {warning}" for warning in self.warnings])


File = Union[str, "os.PathLike[str]"]


def evaluate(
    log: Any,
    target: str | ArrayLike = "uniform",
    *,
    actions: int | None = None,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,
    skip_bad_lines: bool = False,
    model: str | None = None,
    folds: int = 2,
    ridge: float = 1.0,
    clip: float = 10.0,
    switch: float | None = None,
    shrinkage: float | None = None,
    confidence: float = 0.95,
    rewards: tuple[float, float] = (0.0, 1.0),
    largest_weight: float | None = None,
    betting: bool | None = None,
    resamples: int = 0,
    seed: int = 1,
) -> Evaluation:
    """Estimates from a log what a target policy would have earned, as `phe evaluate` does.

    log: a Log, a DataFrame or dictionary of columns, a dictionary of the Open Bandit Pipeline, a file
        (JSON Lines, CSV, dsjson; also .gz) or a list of files
    target: P(action) of each row (rows,), P(each action) (rows, actions), or a text: uniform,
        always=ACTION, column=NAME, frequencies=LOG, beta-prior=FILE
    actions: how many there are, where the log does not say
    columns: where its parts stand, as {"action": "item_id", "reward": "click"}; the features of a
        DataFrame or a file: {"features": "user_*"}
    model: reward model of DM, DR and its relatives: none, table or ridge
    resamples: of the bootstrap; 0 for none

    >>> import phebandits
    >>> log = {"action": [0, 1], "reward": [0.0, 1.0], "probabilities": [[0.5, 0.5], [0.25, 0.75]]}
    >>> evaluation = phebandits.evaluate(log, [[0.1, 0.9], [0.1, 0.9]])
    >>> round(evaluation.estimates["snips"].value, 3)
    0.857
    """
    options = {
        "model": model, "folds": folds, "ridge": ridge, "clip": clip, "switch": switch,
        "shrinkage": shrinkage, "confidence": confidence, "rewards": rewards,
        "largest_weight": largest_weight, "betting": betting, "resamples": resamples, "seed": seed,
    }  # fmt: skip
    if _is_files(log):
        files = [os.fspath(file) for file in ([log] if isinstance(log, (str, os.PathLike)) else log)]
        texts = None if columns is None else ",".join(f"{key}={name}" for key, name in columns.items())
        about = {"files": files, "format": format, "columns": texts, "actions": actions,
                 "skip_bad_lines": skip_bad_lines}  # fmt: skip
        if not isinstance(target, str):
            raise TypeError("target must be a text when the log is a file; column=NAME names a column")
        return _evaluation(_core.evaluate(about, None, [], target, options))
    table, features = _columns(log, columns or {})
    about = {"actions": actions if actions is not None else table.pop("n_actions", None)}
    table.pop("n_actions", None)
    if isinstance(target, str) and target.startswith("column="):
        target = _part(log, target.removeprefix("column="))
    if not isinstance(target, str):
        table["target"] = np.asarray(target)
    by_name = target if isinstance(target, str) else None
    return _evaluation(_core.evaluate(about, table, features, by_name, options))


def _is_files(log: Any) -> bool:
    one = isinstance(log, (str, os.PathLike))
    return one or (isinstance(log, (list, tuple)) and all(isinstance(f, (str, os.PathLike)) for f in log))


def _columns(log: Any, names: Mapping[str, str]) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    unknown = set(names) - {*COLUMNS, "features"}
    if unknown:
        raise ValueError(f"columns must be of {', '.join(COLUMNS)}, features, got {min(unknown)!r}")
    if isinstance(log, Mapping) and "pscore" in log:
        log = Log.from_obp(log)
    if isinstance(log, Log):
        table = {name: getattr(log, name) for name in COLUMNS if getattr(log, name, None) is not None}
        return {**table, "n_actions": log.n_actions}, _features(log.features)
    table = {}
    for name in COLUMNS:
        if names.get(name, name) in _keys(log):
            table[name] = np.asarray(_part(log, names.get(name, name)))
        elif name in names or name in ("action", "reward"):
            raise ValueError(f"the log has no column {names.get(name, name)!r} for {name}")
    wanted = names.get("features")
    if wanted is None:
        return table, _features(log["features"]) if "features" in _keys(log) else []
    prefix = wanted[:-1] if wanted.endswith("*") else None
    found = [k for k in _keys(log) if (str(k).startswith(prefix) if prefix is not None else k == wanted)]
    return table, [(str(key), _feature(_part(log, key))) for key in found]


def _keys(log: Any) -> list[Any]:
    if not hasattr(log, "keys"):
        kinds = "a Log, a table of columns, a file or a list of files"
        raise TypeError(f"log must be {kinds}, got {type(log).__name__}")
    return list(log.keys())


def _part(log: Any, name: str) -> Any:
    if name not in _keys(log):
        raise ValueError(f"the log has no column {name!r}")
    return log[name]


def _features(features: Any) -> list[tuple[str, Any]]:
    if features is None:
        return []
    if hasattr(features, "keys"):
        return [(str(key), _feature(features[key])) for key in features.keys()]
    array = np.asarray(features)
    if array.ndim != 2:
        raise ValueError(f"features must have the shape (rows, features), got {array.shape}")
    return [(f"x{j}", _feature(array[:, j])) for j in range(array.shape[1])]


def _feature(column: Any) -> NDArray[Any] | list[str]:
    array = np.asarray(column)
    return array if array.dtype.kind in "biuf" else [str(value) for value in array]


def _estimate(found: Mapping[str, Any]) -> Estimate:
    return Estimate(found["value"], found["std_err"], dict(found["intervals"]))


def _evaluation(found: Mapping[str, Any]) -> Evaluation:
    positions: Sequence[Mapping[str, Any]] = found.get("positions", ())
    return Evaluation(
        estimates={name: _estimate(estimate) for name, estimate in found["estimates"].items()},
        logged=_estimate(found["logged"]),
        diagnostics=dict(found["diagnostics"]),
        warnings=[str(warning).replace("--", "") for warning in found.get("warnings", ())],
        positions=tuple(_evaluation(part) for part in positions),
        position=found["position"],
        bad_lines=found.get("bad_lines", 0),
    )
