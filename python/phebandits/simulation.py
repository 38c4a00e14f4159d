"""simulate: many runs of policies on instances of problems, over threads."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Union

import numpy as np
from numpy.typing import NDArray

from . import _core

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Setting(NamedTuple):
    """What a policy written in Python may know before the first round."""

    arms: NDArray[np.float64] | None
    """A row of features per arm; None in contexts."""
    d: int
    rounds: int
    rewards: tuple[float, float]
    binary: bool
    one_context: bool
    """In contexts: a round has one context for all actions, and not features of each."""
    seed: int
    """Of this policy in this run; the same in every simulation with the same seed."""


Factory = Callable[..., Any]
Item = Union[str, Factory, tuple[str, Factory]]


@dataclass(frozen=True, repr=False)
class Results:
    """Regret of every run. Arrays go by problem, policy, instance and checkpoint, in this order."""

    problems: tuple[str, ...]
    policies: tuple[str, ...]
    first_instance: int
    checkpoints: NDArray[np.uint64]
    """The rounds after which regret was recorded."""
    regret: NDArray[np.float64]
    """Of each run: (problems, policies, instances, checkpoints). NaN where a run is missing."""
    mean: NDArray[np.float64]
    """Over instances: (problems, policies, checkpoints)."""
    std_err: NDArray[np.float64]
    seconds: NDArray[np.float64]
    """Processor time of each run: (problems, policies, instances)."""
    complete: bool
    """False when Ctrl-C ended the simulation early."""
    simulation: _core.Simulation

    def __repr__(self) -> str:
        """The table of regret in the end, mean and standard error."""
        done = self.regret.shape[2] if self.complete else "some"
        lines = [f"<Results: regret after {self.checkpoints[-1]} rounds, {done} instances>"]
        width = max(map(len, self.policies))
        for p, problem in enumerate(self.problems):
            lines.append(problem)
            for q, policy in enumerate(self.policies):
                mean, error = self.mean[p, q, -1], self.std_err[p, q, -1]
                lines.append(f"  {policy:{width}}  {mean:.1f} ± {error:.1f}")
        return "\n".join(lines)

    def to_csv(self, each_run: bool = False) -> str:
        """The table regret.csv of the program, or runs.csv, to the last digit."""
        return self.simulation.runs_csv() if each_run else self.simulation.regret_csv()

    def to_pandas(self, each_run: bool = False) -> pandas.DataFrame:
        """The same as a DataFrame; with missing runs, of those that are done."""
        import pandas

        frames = []
        for p, (label, d, arms) in enumerate(self.simulation.shapes):
            for q, policy in enumerate(self.policies):
                head = {"problem": label, "d": d, "arms": arms, "policy": policy}
                if each_run:
                    frames += [self._run_frame(head, p, q, i) for i in range(self.regret.shape[2])]
                else:
                    done = int(np.isfinite(self.regret[p, q, :, -1]).sum())
                    columns = {"round": self.checkpoints, "instances": done}
                    columns |= {"mean_regret": self.mean[p, q], "std_err": self.std_err[p, q]}
                    frames.append(pandas.DataFrame({**head, **columns}))
        table = pandas.concat(frames, ignore_index=True)
        return table.dropna(ignore_index=True) if _knows_ignore_index(pandas) else table.dropna()

    def _run_frame(self, head: dict[str, Any], p: int, q: int, i: int) -> pandas.DataFrame:
        import pandas

        columns = {"instance": self.first_instance + i, "round": self.checkpoints}
        return pandas.DataFrame({**head, **columns, "regret": self.regret[p, q, i]})

    def plot(self, problem: int = 0, ax: Axes | None = None) -> Axes:
        """Draws the mean regret of every policy on a problem, with a band of one standard error."""
        import matplotlib.pyplot as plt

        if not 0 <= problem < len(self.problems):
            raise ValueError(f"problem must be from 0 to {len(self.problems) - 1}, got {problem}")
        axes = plt.subplots(layout="constrained")[1] if ax is None else ax
        rounds = np.concatenate([[0], self.checkpoints])
        for q, policy in enumerate(self.policies):
            mean = np.concatenate([[0.0], self.mean[problem, q]])
            error = np.concatenate([[0.0], self.std_err[problem, q]])
            (line,) = axes.plot(rounds, mean, label=policy)
            axes.fill_between(rounds, mean - error, mean + error, color=line.get_color(), alpha=0.2)
        axes.set(xlabel="round", ylabel="regret", title=self.problems[problem])
        axes.set_xlim(0, rounds[-1])
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)
        return axes


def simulate(
    problems: Item | Sequence[Item],
    policies: Item | Sequence[Item],
    *,
    rounds: int = 10_000,
    instances: int = 100,
    first_instance: int = 0,
    seed: int = 1,
    threads: int | None = None,
    progress: bool | None = None,
) -> Results:
    """Runs every policy on every instance of every problem: the same numbers as `phe simulate`.

    problems, policies: texts (`name:key=value,..`), functions or classes of your own, or pairs
        (name, function); one, or a list
    threads: as many as there are cores, unless said; the results do not depend on them
    progress: a bar on standard error; by default when that is a terminal

    A policy of your own is made by a function of a `Setting`, and has `select` and `update` like
    `Policy`. A problem is made by a function of a seed: an instance has `arms`, `means` and
    `reward(round, arm)`; one of contexts has `d`, `offer(round)` -> (X, means) and
    `reward(round, action)`. It may also have `rewards`, the lowest and the highest, `binary`, and
    `one_context`.

    Ctrl-C ends it after the runs in flight, and what is done is returned, with a warning.

    >>> import phebandits
    >>> results = phebandits.simulate("linear:d=5,arms=20", ["linphe", "lints"], rounds=200, instances=4)
    >>> results.regret.shape
    (1, 2, 4, 100)
    """
    simulation = _core.Simulation(
        [_named(item, "problem") for item in _listed(problems, "problems")],
        [_named(item, "policy") for item in _listed(policies, "policies")],
        rounds,
        instances,
        first_instance,
        seed,
    )
    with _bar(simulation.total, progress) as show:
        complete = simulation.go(_threads() if threads is None else threads, show)
        if show is not None:
            show(simulation.done)
    if not complete:
        message = f"interrupted: {simulation.done} of {simulation.total} runs are done"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
    mean, std_err = simulation.mean_and_error()
    return Results(
        problems=tuple(simulation.problems),
        policies=tuple(simulation.policies),
        first_instance=first_instance,
        checkpoints=simulation.checkpoints,
        regret=simulation.regret(),
        mean=mean,
        std_err=std_err,
        seconds=simulation.seconds(),
        complete=complete,
        simulation=simulation,
    )


def _threads() -> int:
    return min(len(os.sched_getaffinity(0)), 1024)


def _knows_ignore_index(pandas: Any) -> bool:
    return int(pandas.__version__.split(".")[0]) >= 2


def _listed(items: Item | Sequence[Item], name: str) -> list[Item]:
    one = isinstance(items, str) or callable(items)
    pair = isinstance(items, tuple) and len(items) == 2 and callable(items[1])
    if one or pair:
        return [items]  # type: ignore[list-item]
    if not isinstance(items, Iterable):
        raise TypeError(f"{name} must be a text, a function, a pair (name, function) or a list, got {items!r}")
    return list(items)


def _named(item: Item, kind: str) -> str | tuple[str, Factory]:
    if isinstance(item, str):
        return item
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str):
        name, factory = item
    else:
        factory = item  # type: ignore[assignment]
        name = getattr(item, "__name__", type(item).__name__)
    if not callable(factory):
        raise TypeError(f"a {kind} must be a text, a function or a pair (name, function), got {item!r}")
    return (name, factory)


class _Bar(Protocol):
    def __enter__(self) -> Callable[[int], None] | None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def _bar(total: int, wanted: bool | None) -> _Bar:
    if wanted is None:
        wanted = sys.stderr is not None and sys.stderr.isatty()
    if not wanted:
        return _NoBar()
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _PlainBar(total)
    return _TqdmBar(tqdm(total=total, unit="run", leave=False))


class _NoBar:
    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        pass


class _PlainBar:
    """One line, rewritten when its text changes."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.shown = ""

    def __enter__(self) -> Callable[[int], None]:
        return self.show

    def show(self, done: int) -> None:
        text = f"\r{100 * done // max(self.total, 1):3d}% of {self.total} runs"
        if text != self.shown:
            sys.stderr.write(text)
            sys.stderr.flush()
            self.shown = text

    def __exit__(self, *_: object) -> None:
        sys.stderr.write("\r" + " " * len(self.shown) + "\r")
        sys.stderr.flush()


class _TqdmBar:
    def __init__(self, bar: Any) -> None:
        self.bar = bar

    def __enter__(self) -> Callable[[int], None]:
        return self.show

    def show(self, done: int) -> None:
        self.bar.update(done - self.bar.n)

    def __exit__(self, *_: object) -> None:
        self.bar.close()
