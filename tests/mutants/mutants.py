"""Mutants of src/: seeded ones from a list, generated ones from a seed. Nothing here builds or runs anything."""

import dataclasses
import hashlib
import pathlib
import re


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str  # of a generated one: a digest of the line and the change
    file: str  # from the top of the tree
    changes: tuple  # of (old, new): a text that occurs once in the file
    generated: bool = False

    def apply(self, text):
        for old, new in self.changes:
            if text.count(old) != 1:
                raise ValueError(f"{self.name}: {self.file} has {text.count(old)} times: {old.strip()}")
            text = text.replace(old, new)
        return text


def seeded(listing):
    """Reads entries of the form `== name`, the file, lines `- old` and `+ new`."""
    mutants = []
    for entry in re.split(r"^== ", listing, flags=re.M)[1:]:
        name, file, *lines = entry.strip("\n").split("\n")
        lines = [line for line in lines if line and not line.startswith("#")]
        old = [line[2:] for line in lines if line.startswith("- ")]
        new = [line[1:].removeprefix(" ") for line in lines if line.startswith("+")]
        if len(old) != len(new) or not old or len(old) + len(new) != len(lines):
            raise ValueError(f"{name}: lines must be pairs of '- old' and '+ new'")
        mutants.append(Mutant(name, file, tuple(zip(old, new))))
    names = [mutant.name for mutant in mutants]
    if len(set(names)) != len(names):
        raise ValueError(f"a name stands twice: {max(names, key=names.count)}")
    return mutants


# What is no code, or is not there in a release build.
NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\])\'|^\s*#(?:\\\n|[^\n])*'
    r"|\b(?:static_)?assert\((?:[^;]*)\);",
    re.S | re.M)

SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
         "+": "-", "-": "+", "*": "/", "/": "*", "&&": "||", "||": "&&", "+=": "-=", "-=": "+="}

KINDS = {
    "comparison": (re.compile(r"(?<= )(<=?|>=?|==|!=)(?= )"), lambda t: SWAPS[t]),
    "operator": (re.compile(r"(?<= )([-+*/]|&&|\|\||[-+]=)(?= )"), lambda t: SWAPS[t]),
    "constant": (re.compile(r"(?<![\w.'])(\d+\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+)(?![\w.'])"),
                 lambda t: f"({t} * 1.02)" if float(t) != 0 else None),
    "off by one": (re.compile(r"(?<![\w.'])(\d+)(?![\w.'])"), lambda t: f"({t} + 1)"),
}


def code_of(text):
    """The text with blanks where there is no code."""
    return NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def places(file, text):
    """All mutants of a file, as (kind, mutant, line number)."""
    code = code_of(text)
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for kind, (pattern, change) in KINDS.items():
        for number, line in enumerate(lines):
            for match in pattern.finditer(code, starts[number], starts[number + 1] - 1):
                new = change(match.group())
                if new is None:
                    continue
                column = match.start() - starts[number]
                changed = line[:column] + new + line[column + len(match.group()):]
                # Unique in the file by taking in lines before it.
                before = number
                while text.count("\n".join(lines[before:number + 1])) != 1 and before > 0:
                    before -= 1
                context = "".join(each + "\n" for each in lines[before:number])
                name = hashlib.sha256(f"{file}\n{context}{line}\n{changed}".encode()).hexdigest()[:10]
                yield kind, Mutant(name, file, ((context + line, context + changed),), True), number + 1


def generated(tree, seed, count):
    """`count` of them, as many of each kind; a change of one file leaves those of the others as they are."""
    by_kind = {kind: [] for kind in KINDS}
    for path in sorted((tree / "src").rglob("*.[ch]pp")):
        for kind, mutant, _ in places(str(path.relative_to(tree)), path.read_text()):
            rank = hashlib.sha256(f"{seed} {mutant.name}".encode()).digest()
            by_kind[kind].append((rank, mutant))
    drawn = [[mutant for _, mutant in sorted(by_kind[kind], key=lambda each: each[0])] for kind in KINDS]
    return [mutants[i] for i in range(max(map(len, drawn))) for mutants in drawn if i < len(mutants)][:count]


def equivalents(listing):
    """Lines `name  reason`, by name."""
    pairs = (line.split(None, 1) for line in listing.splitlines() if line and not line.startswith("#"))
    return {name: reason for name, reason in pairs}
