"""What is run: the cells of both tables. A cell is one policy on one problem, or one start of a package."""

from pathlib import Path

from catalogue import ARMS, ONE, ROWS, entries

BATCH = 50
REPEATS = 3
INSTANCES = 10
# Instances to choose the point of a grid on, others than those of the report; orders of a data set differ little.
TUNING = {ARMS: 5, ROWS: 5, ONE: 2}
FIRST_TUNING = 1000
ROUNDS = 1000
SECONDS_PER_RUN = 4.0  # of quality: a policy that needs more is left out, and said so
TIMED_SECONDS = 1.0  # about so long is each of the timed runs of speed

# name: (problem of phe, shape, rounds that are timed)
SPEED = {
    **{f"arms d={d}": (f"linear:d={d},arms=100", ARMS, 500) for d in (5, 10, 20)},
    **{f"rows d={d}": (f"linear:d={d},arms=100,contexts", ROWS, 500) for d in (5, 10, 20)},
    **{f"one d={d}": (f"disjoint:d={d},arms=100", ONE, 500) for d in (5, 10, 20)},
    "digits": ("digits", ONE, 500),
    "arms K=10000": ("linear:d=10,arms=10000", ARMS, 500),
    "arms K=100000": ("linear:d=10,arms=100000", ARMS, 200),
    "one K=10000": ("disjoint:d=10,arms=10000", ONE, 200),
}  # fmt: skip

DATA = {
    "digits": ("digits/digits.csv.gz", "65"),
    "segment": ("segment/segment.csv.gz", "category"),
    "letter": ("letter/letter-recognition.data.gz", "1"),
    "shuttle": ("shuttle/shuttle.csv.gz", "anomaly"),
}
QUALITY = {
    "linear": ("linear:d=10,arms=100", ARMS),
    "contexts": ("linear:d=10,arms=100,contexts", ROWS),
    **{name: (name, ONE) for name in DATA},
}


def problem(name, data):
    """The text of a problem; None when its file is not there."""
    if name not in DATA:
        return name
    file, label = DATA[name]
    path = Path(data or "/nowhere") / file
    return f"classify:file={path},label={label}" if path.exists() else None


def cells(packages):
    """All cells: (id, what to do). Those of one row stand together, so that packages take turns."""
    found, missing = entries(packages)
    plan = []
    for name, (_, kind, _) in SPEED.items():
        for entry in (e for e in found if kind in e.kinds and e.speed):
            plan.append((f"speed/{name}/{entry.key}", ("speed", name, entry)))
        plan.append((f"speed/{name}/phe/C++", ("native", name, None)))
    plan += [(f"start/{package}", ("start", package, None)) for package in (*packages, "program")]
    for name, (_, kind) in QUALITY.items():
        for entry in (e for e in found if kind in e.kinds and e.quality):
            plan.append((f"quality/{name}/{entry.key}", ("quality", name, entry)))
    return plan, missing
