"""Writes the types of the policies' classes, made of the library's own list: types_of_classes.py FILE

FILE stands in the package that was built, and that is the one that is asked.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1]).parents[1]))  # pip has a PYTHONPATH of its own while it builds

from phebandits.catalogue import Entry, Key, policies
from phebandits.classes import class_name

HEAD = '''# Made by the build from the list of policies.
from numpy.typing import ArrayLike

from ._core import Policy
from .catalogue import Entry

def class_name(name: str) -> str: ...
'''


def type_of(key: Key) -> str:
    if key.default in ("true", "false"):
        return "bool"
    try:
        float(key.default)
        return "float"
    except ValueError:
        return "float | str" if key.default in ("auto", "all") else "str"


def class_of(entry: Entry) -> str:
    keys = "".join(f"        {key.name}: {type_of(key)} | None = ...,\n" for key in entry.keys)
    return f"""
class {class_name(entry.name)}(Policy):
    def __init__(
        self,
        arms: ArrayLike | None = ...,
        *,
        d: int | None = ...,
{keys}        rounds: int | None = ...,
        rewards: tuple[float, float] | None = ...,
        seed: int | None = ...,
    ) -> None: ...
"""


def main() -> None:
    entries = policies().values()
    names = "".join(f'    "{class_name(entry.name)}",\n' for entry in entries)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(map(class_of, entries)) + f"\n__all__ = [\n{names}]\n")


main()
