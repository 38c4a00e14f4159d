"""A class for every policy of the library: LinPHE is Policy("linphe:..") with its keys as arguments.

The classes are made of the library's own list, so that names, keys and defaults stand there alone.
The build writes their types, classes.pyi, from the same list (types_of_classes.py).
"""

from __future__ import annotations

import inspect
from typing import Any

from ._core import Policy
from .catalogue import Entry, policies, spec_text

_PARTS = {
    "lin": "Lin", "log": "Log", "glm": "GLM", "pois": "Pois", "rff": "RFF", "xgb": "XGB",
    "beta": "Beta", "kl": "KL", "phe": "PHE", "ucb": "UCB", "ts": "TS", "fpl": "FPL",
    "eps": "Eps", "ens": "Ens", "giro": "Giro",
}  # fmt: skip


def class_name(name: str) -> str:
    """The name of a policy's class.

    >>> [class_name(name) for name in ("linphe", "ucbglm", "greedy", "ucb1")]
    ['LinPHE', 'UCBGLM', 'Greedy', 'UCB1']
    """
    text, left = "", name
    while left:
        part = next((p for p in _PARTS if left.startswith(p)), None)
        if part is None and not left.isdigit():
            return name.capitalize()
        text += _PARTS[part] if part else left
        left = left[len(part) :] if part else ""
    return text


def _signature(entry: Entry) -> inspect.Signature:
    def keyword(name: str, default: object) -> inspect.Parameter:
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)

    given = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [
            inspect.Parameter("self", given),
            inspect.Parameter("arms", given, default=None),
            keyword("d", None),
            *(keyword(key.name, None) for key in entry.keys),
            *(keyword(name, None) for name in _COMMON),
        ]
    )


_COMMON = {
    "rounds": "the horizon n (10000)",
    "rewards": "the lowest and the highest reward ((0, 1))",
    "seed": "of its randomness (1)",
}


def _documentation(entry: Entry) -> str:
    lines = [entry.summary[0].upper() + entry.summary[1:] + ".", ""]
    lines.append("arms: an array with a row of features per arm; or, for contexts,")
    lines.append("d: the number of features of the actions that come with each round")
    for key in entry.keys:
        lines.append(f"{key.name}: {key.meaning} ({key.default or 'none'})")
    lines += [f"{name}: {meaning}" for name, meaning in _COMMON.items()]
    return "\n".join(lines) + "\n"


def _class_of(entry: Entry) -> type[Policy]:
    allowed = {key.name for key in entry.keys}

    def __init__(self: Policy, arms: Any = None, *, d: Any = None, **given: Any) -> None:
        own = {key: given.pop(key) for key in list(given) if key in allowed}
        common = {key: given.pop(key) for key in list(given) if key in _COMMON}
        if given:
            wrong = next(iter(given))
            keys = ", ".join(["arms", "d", *(key.name for key in entry.keys), *_COMMON])
            raise TypeError(f"{name} has no argument {wrong}, only {keys}")
        common = {key: value for key, value in common.items() if value is not None}
        Policy.__init__(self, spec_text(entry.name, own), arms, d=d, **common)

    name = class_name(entry.name)
    __init__.__signature__ = _signature(entry)  # type: ignore[attr-defined]
    members = {"__init__": __init__, "__doc__": _documentation(entry), "__module__": __package__}
    return type(name, (Policy,), members)


__all__: list[str] = []
for _entry in policies().values():
    globals()[class_name(_entry.name)] = _class_of(_entry)
    __all__.append(class_name(_entry.name))
