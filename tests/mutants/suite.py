"""The tests: which of them are likely to see a bug, and whether one does."""

import json
import os
import pathlib
import subprocess
import sys

# A pin of bytes says that something changed, not that it is wrong.
PINS = "DrawRevision."
NEAREST, NEAR = 0, 1  # stages: tests of the file or of the policy, and of the folder


def tests_of(file):
    """The tests of a record, by name; none where there is none."""
    if not file.exists():
        return
    for suite in json.loads(file.read_text())["testsuites"]:
        for test in suite["testsuite"]:
            yield f"{suite['name']}.{test['name']}", test


class Suite:
    """The tests with where they stand and how long they take, from a run that must pass."""

    def __init__(self, program, work, trusted):
        self.program, self.work = program, work
        self.found_by = ""
        listing, record = work / "listing.json", work / "tests.json"
        self.run(["--gtest_list_tests", f"--gtest_output=json:{listing}"], 60)
        if not trusted:
            print("mutants: the tests as they are", flush=True)
            if self.fails([f"--gtest_filter=-{PINS}*", f"--gtest_output=json:{record}"], 3600):
                sys.exit(f"mutants: the tests must pass before bugs are put in: {self.found_by}")
        seconds = {name: float(test["time"].rstrip("s")) for name, test in tests_of(record)}
        self.tests = {name: ("tests/" + test["file"].split("/tests/")[-1], seconds.get(name, 0.0))
                      for name, test in tests_of(listing) if not name.startswith(PINS)}

    def stages(self, file):
        """All tests, those that are likely to see a bug in `file` before others, quick ones before slow ones."""
        path = pathlib.Path(file)
        folder = "/".join(["tests", *path.parts[1:-1]])
        stem = path.stem.removesuffix("-inl").removesuffix("_entry")

        def stage(name, where, seconds):
            if where.startswith(f"{folder}/{stem}") or stem.replace("_", "") in name.lower():
                return NEAREST
            if where.startswith((f"{folder}/", f"tests/statistical/{stem.split('_')[0]}")) and seconds < 1:
                return NEAR
            return NEAR + 1 + sum(seconds >= limit for limit in (0.02, 0.3, 1.5))

        ordered = {}
        for name, (where, seconds) in self.tests.items():
            ordered.setdefault(stage(name, where, seconds), []).append(name)
        return [(number, ordered[number]) for number in sorted(ordered)]

    def run(self, arguments, limit):
        return subprocess.run([self.program, "--gtest_brief=1", *arguments], env=dict(os.environ, RC_PARAMS="seed=1"),
                              timeout=limit, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace")

    def fails(self, arguments, limit):
        try:
            done = self.run(arguments, limit)
        except subprocess.TimeoutExpired:
            self.found_by = "no end within the time limit"
            return True
        said = [line for line in done.stdout.splitlines() if line.startswith(("[  FAILED  ] ", "[  CRASHED ] "))]
        self.found_by = said[0][13:].split(",")[0] if said else f"exit status {done.returncode}"
        return done.returncode != 0

    def catch(self, mutant, near_only=False):
        flags = self.work / "flags.txt"
        for number, names in self.stages(mutant.file):
            if near_only and number > NEAR:
                return "unseen"
            flags.write_text("--gtest_filter=" + ":".join(names))
            expected = sum(self.tests[name][1] for name in names)
            if self.fails(["--gtest_fail_fast", f"--gtest_flagfile={flags}"], 60 + 10 * expected):
                return "caught"
        return "pinned" if self.fails([f"--gtest_filter={PINS}*"], 600) else "survived"
