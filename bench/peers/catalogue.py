"""Which policies of which packages take part, with their small grids."""

import importlib
from dataclasses import dataclass, field
from typing import Any, Callable

from worlds import ARMS, ONE, ROWS

PACKAGES = ("phe", "vowpalwabbit", "mabwiser", "contextualbandits", "river", "obp")


@dataclass(frozen=True)
class Entry:
    """A policy: what it is called, where it can play, how it is made."""

    package: str
    name: str
    kinds: tuple[str, ...]
    make: Callable[..., Any]  # (world, seed, **parameters)
    grid: tuple[dict[str, Any], ...] = ({},)  # the defaults come first
    timed: str = ""  # the calls that a clock sees
    speed: bool = True
    quality: bool = True

    @property
    def key(self):
        return f"{self.package}/{self.name}"


@dataclass
class Policy:
    """What an adapter is: features in the package's own form, a choice, an update."""

    world: Any
    seed: int
    parameters: dict[str, Any] = field(default_factory=dict)

    def prepare(self, context):
        return context

    def prepare_batch(self, contexts):
        import numpy as np

        return np.array(contexts)


def entries(packages=PACKAGES):
    """All that can be imported, and why the others cannot."""
    found, missing = [], {}
    for package in packages:
        try:
            found += importlib.import_module(f"adapters.{package}_peer").ENTRIES
        except ImportError as error:
            missing[package] = str(error)
    return found, missing


__all__ = ["ARMS", "ONE", "PACKAGES", "ROWS", "Entry", "Policy", "entries"]
