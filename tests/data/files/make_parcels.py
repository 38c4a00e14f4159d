#!/usr/bin/env python3
"""Writes parcels.csv and parcels.csv.gz beside this file: 120 made-up parcels of three kinds, two
numbers and a text each, for the tests of data sets. The same bytes on every run."""
import gzip
import pathlib

KINDS = {"box": (4.0, 40, ("brown", "white")),
         "letter": (0.1, 24, ("white", "blue")),
         "tube": (1.0, 90, ("brown", "blue"))}
MASK = (1 << 64) - 1


def uniforms(state):
    """Numbers in [0, 1): a linear congruence (Knuth's MMIX), so that no library can change them."""
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK
        yield (state >> 11) * 2.0 ** -53


def rows():
    u = uniforms(1)
    names = sorted(KINDS)
    for _ in range(120):
        kind = names[int(next(u) * len(names))]
        weight, length, colours = KINDS[kind]
        yield (f"{weight * (0.5 + next(u)):.3f},{length + int(20 * (next(u) - 0.5))},"
               f"{colours[int(next(u) * 2)]},{kind}")


def main():
    folder = pathlib.Path(__file__).parent
    text = "\n".join(["weight,length,colour,kind", *rows()]) + "\n"
    (folder / "parcels.csv").write_text(text)
    (folder / "parcels.csv.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
