"""Arguments of what is written in Python: each is checked, and a message names it, its value and the rule."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def number(value: Any, name: str) -> float:
    """A number, and no text, truth value or array.

    >>> number(np.float32(0.5), "a")
    0.5
    """
    if isinstance(value, (bool, np.bool_)) or np.ndim(value) != 0 or np.asarray(value).dtype.kind not in "iuf":
        raise TypeError(f"{name} must be a number, got {value!r}")
    return float(value)


def whole(value: Any, name: str, lowest: int) -> int:
    """A whole number, at least so large."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value < lowest:
        raise ValueError(f"{name} must be at least {lowest}, got {value!r}")
    return int(value)


def reward_range(pair: Any) -> tuple[float, float]:
    """The lowest and the highest reward."""
    values = list(pair) if isinstance(pair, Iterable) and not isinstance(pair, str) else []
    if len(values) != 2:
        raise TypeError(f"rewards must be a pair (lowest, highest), got {pair!r}")
    low, high = (number(value, "rewards") for value in values)
    if not (low < high and math.isfinite(high - low)):
        raise ValueError(f"rewards must be a finite pair (lowest, highest), got {pair!r}")
    return low, high


def features(values: ArrayLike, name: str, shape: tuple[int | None, ...]) -> NDArray[np.float64]:
    """Finite real numbers in an array of this shape, where None is any length from 1 on.

    >>> features([[1, 2]], "X", (None, 2))
    array([[1., 2.]])
    """
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array")
    try:
        given = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise TypeError(f"{name} must be an array of numbers: {error}") from None
    if given.dtype.kind not in "iufb":
        raise TypeError(f"{name} must hold real numbers, got dtype {given.dtype}")
    fits = len(shape) == given.ndim and all(
        there > 0 and there == (there if wanted is None else wanted)
        for there, wanted in zip(given.shape, shape)
    )
    if not fits:
        wanted = ", ".join("any" if length is None else str(length) for length in shape)
        raise ValueError(f"{name} must have the shape ({wanted}), got {given.shape}")
    x: NDArray[np.float64] = np.ascontiguousarray(given, float)
    if not np.all(np.isfinite(x)):
        raise ValueError(f"{name} must be finite, got {x[~np.isfinite(x)][0]}")
    return x
