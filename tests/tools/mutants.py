#!/usr/bin/env python3
"""tests/mutants/mutants.py: which places it changes, and how."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "mutants"))
import mutants  # noqa: E402

SOURCE = '''// a < b + 1.5
#define LESS(a) a < 3
static_assert(1 < 2);
const char* text = "a < b * 2.5";
double f(double x, std::span<double> y) {
  assert(x < 4);
  return x < 1.0 ? x * 0.5 + 0x10 : y[1'000];
}
double g(double x) {
  return x < 1.0 ? x * 0.5 + 0x10 : y[1'000];
}
'''

found = [(kind, number, mutant) for kind, mutant, number in mutants.places("src/a.cpp", SOURCE)]
changed = {(kind, number, mutant.apply(SOURCE).splitlines()[number - 1].strip()) for kind, number, mutant in found}
line = "return x < 1.0 ? x * 0.5 + 0x10 : y[1'000];"
expected = {(kind, number, line.replace(old, new)) for number in (7, 10) for kind, old, new in (
    ("comparison", " < ", " <= "), ("operator", " * ", " / "), ("operator", " + ", " - "),
    ("constant", "1.0", "(1.0 * 1.02)"), ("constant", "0.5", "(0.5 * 1.02)"))}
assert changed == expected, changed ^ expected
assert len({mutant.name for _, _, mutant in found}) == len(found), "two lines that are alike have names of their own"
for _, number, mutant in found:
    before, after = SOURCE.splitlines(), mutant.apply(SOURCE).splitlines()
    assert [i + 1 for i in range(len(before)) if before[i] != after[i]] == [number]

(one,) = mutants.seeded("# a remark\n== name\nsrc/a.cpp\n- x * 0.5 + 0x10 : y[1'000];\n}\n".replace("}\n", "+ x;\n"))
assert one.name == "name" and one.file == "src/a.cpp"
for wrong in (one.apply, lambda text: mutants.seeded("== name\nsrc/a.cpp\n- only old\n")):
    try:
        wrong(SOURCE)
    except ValueError:
        continue
    raise AssertionError("a text that stands twice, or without its other half, is refused")
assert mutants.equivalents("# remark\nabc  the reason\n") == {"abc": "the reason"}

# Every seeded bug fits the sources as they are, so that `make mutants` can begin.
TOP = pathlib.Path(__file__).resolve().parent.parent.parent
for mutant in mutants.seeded((TOP / "tests/mutants/seeded.txt").read_text()):
    text = (TOP / mutant.file).read_text()
    assert mutant.apply(text) != text, mutant.name
