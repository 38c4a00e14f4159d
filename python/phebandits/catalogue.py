"""What there is by name: the policies and problems of the library, with their keys."""

from __future__ import annotations

from typing import NamedTuple, SupportsFloat, SupportsIndex

from . import _core


class Key(NamedTuple):
    """A key of a policy or a problem, as in name:key=value."""

    name: str
    default: str
    meaning: str


class Entry(NamedTuple):
    """A policy or a problem that can be asked for by name."""

    name: str
    summary: str
    keys: tuple[Key, ...]


def _entries(found: list[tuple[str, str, list[tuple[str, str, str]]]]) -> dict[str, Entry]:
    return {
        name: Entry(name, summary, tuple(Key(*key) for key in keys))
        for name, summary, keys in found
    }


def policies() -> dict[str, Entry]:
    """All policies, by name.

    >>> import phebandits
    >>> phebandits.policies()["linphe"].keys[0].name
    'a'
    """
    return _entries(_core.policy_entries())


def problems() -> dict[str, Entry]:
    """All problems, by name.

    >>> import phebandits
    >>> "linear" in phebandits.problems()
    True
    """
    return _entries(_core.problem_entries())


def spec_text(name: str, values: dict[str, object]) -> str:
    """`name:key=value,..` of the values that are given, that is, not None.

    >>> spec_text("linphe", {"a": 0.5, "centred": True, "ridge": None})
    'linphe:a=0.5,centred=true'
    """
    given = [f"{key}={_text(key, value)}" for key, value in values.items() if value is not None]
    return name if not given else f"{name}:{','.join(given)}"


def _text(key: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"' if set(value) & set(',"|') else value
    if isinstance(value, SupportsIndex):
        return str(value.__index__())
    if isinstance(value, SupportsFloat):
        return repr(float(value))
    raise TypeError(f"{key} must be a number, a text, True or False, got {value!r}")
