#!/usr/bin/env python3
"""Puts bugs into a copy of the sources, one at a time, and sees whether the tests fail.

The seeded ones are in seeded.txt; the generated ones change an operator, a comparison, a constant (by 2%) or a count
(by 1) at random places of src/. Those of them that change nothing that can be seen are named in equivalent.txt. The
copy and its build are in build/mutants; results.jsonl there keeps what was found, so that a run can be interrupted:
the next one goes on with what is left, and tries again what survived. report.md is made of it.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import mutants
from report import page
from suite import Suite

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
WORK = TOP / "build" / "mutants"
TREE, RESULTS = WORK / "tree", WORK / "results.jsonl"
BUILD = TREE / "build" / "release"  # as deep as that of the tree itself, for the sake of ccache
TESTS = BUILD / "bin" / "phe_tests"


def copy_tree():
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=TOP, check=True,
                            capture_output=True, text=True).stdout.split("\0")
    wanted = {name for name in listed if name and (TOP / name).is_file()}
    changed = set()
    for old in TREE.rglob("*"):
        name = str(old.relative_to(TREE))
        if old.is_file() and not name.startswith("build/") and name not in wanted:
            old.unlink()
    for name in wanted:
        to = TREE / name
        if not to.exists() or to.read_bytes() != (TOP / name).read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TOP / name, to)
            os.utime(to)
            changed.add(name)
    return bool(changed)


def configure():
    if (BUILD / "build.ninja").exists():
        return
    environment = dict(os.environ)
    if shutil.which("mold"):
        environment["LDFLAGS"] = "-fuse-ld=mold"
    subprocess.run(["cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG"], env=environment, check=True, stdout=subprocess.DEVNULL)


def build(quiet=True):
    run = subprocess.run(["cmake", "--build", BUILD, "--target", "phe_tests"], text=True,
                         stdout=subprocess.PIPE if quiet else None, stderr=subprocess.STDOUT if quiet else None)
    return run.returncode == 0, run.stdout


def try_one(mutant, suite, near_only):
    file = TREE / mutant.file
    original = file.read_text()
    file.write_text(mutant.apply(original))
    began = time.monotonic()
    try:
        built, said = build()
        if not built:
            return {"verdict": "does not build", "by": said[-2000:] if not mutant.generated else ""}
        seconds = time.monotonic() - began
        verdict = suite.catch(mutant, near_only)
        return {"verdict": verdict, "by": suite.found_by if verdict in ("caught", "pinned") else "",
                "build": round(seconds, 1), "test": round(time.monotonic() - began - seconds, 1)}
    finally:
        file.write_text(original)


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--count", type=int, default=200, help="of generated mutants (200)")
    parse.add_argument("--seed", type=int, default=1, help="of the places of generated mutants (1)")
    parse.add_argument("--only", default="", help="those whose name or file has this text")
    parse.add_argument("--again", action="store_true", help="also what was caught before")
    parse.add_argument("--near", action="store_true", help="only the tests of the same folder, for a quick look")
    parse.add_argument("--minutes", type=float, default=1e9, help="begin no more mutants after so many minutes")
    options = parse.parse_args()

    WORK.mkdir(parents=True, exist_ok=True)
    changed = copy_tree()
    equivalent = mutants.equivalents((HERE / "equivalent.txt").read_text())
    # Some generated ones will not compile, and others take their place.
    spare = mutants.generated(TREE, options.seed, 2 * options.count)
    candidates = mutants.seeded((HERE / "seeded.txt").read_text()) + spare
    for mutant in candidates:
        mutant.apply((TREE / mutant.file).read_text())
    results = {}
    if RESULTS.exists():
        results = {line["name"]: line for line in map(json.loads, RESULTS.read_text().splitlines())}

    configure()
    if not build(quiet=False)[0]:
        sys.exit("mutants: the sources do not build")
    suite = Suite(TESTS, WORK, trusted=options.near or not changed and (WORK / "tests.json").exists())
    began, chosen, generated = time.monotonic(), [], 0
    for mutant in candidates:
        known = results.get(mutant.name, {}).get("verdict")
        if mutant.generated and known != "does not build":
            generated += 1
            if generated > options.count:
                continue
        chosen.append(mutant)
        settled = known in ("caught", "pinned") or (mutant.generated and known == "does not build") or mutant.name in equivalent
        if settled and known and not options.again or options.only not in mutant.name + " " + mutant.file:
            continue
        if time.monotonic() - began > 60 * options.minutes:
            continue
        result = try_one(mutant, suite, options.near)
        if mutant.generated and result["verdict"] == "does not build":
            generated -= 1
        results[mutant.name] = {"name": mutant.name, **result}
        with RESULTS.open("a") as out:
            out.write(json.dumps(results[mutant.name]) + "\n")
        print(f"{result['verdict']:9} {result.get('build', 0):6.1f} s {result.get('test', 0):6.1f} s  "
              f"{mutant.name}  ({mutant.file}) {result['by'].splitlines()[-1] if result['by'] else ''}", flush=True)
    text, table, fine = page(chosen, results, equivalent)
    (WORK / "report.md").write_text(text)
    print(f"{table}\n{WORK.relative_to(TOP)}/report.md has those that survived")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
