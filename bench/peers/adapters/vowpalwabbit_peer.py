"""Vowpal Wabbit's Python package: examples are parsed before the clock starts, unless said."""

import random
import tempfile
import time

from catalogue import ARMS, ONE, ROWS, Entry, Policy
from vowpalwabbit import pyvw


def line(x):
    return "| " + " ".join(f"x{j}:{v:.8g}" for j, v in enumerate(x))


class Explorer(Policy):
    """cb_explore_adf where actions have features, cb_explore where there is one context."""

    def __init__(self, world, seed, flags="", parse_in_the_loop=False):
        super().__init__(world, seed)
        self.adf = world.kind != ONE
        kind = "--cb_explore_adf" if self.adf else f"--cb_explore {world.arms}"
        self.vw = pyvw.Workspace(f"{kind} {flags} --random_seed {seed} --quiet")
        self.random = random.Random(seed)
        # A parsed example takes 30 KB: those of many actions are parsed when it is their turn.
        self.late = parse_in_the_loop or world.arms > 1000
        self.probability = 1.0
        self.fixed = [line(x) for x in world.features] if world.kind == ARMS else None

    def prepare(self, context):
        text = self.fixed if context is None else [line(x) for x in context] if self.adf else line(context)
        return text, None if self.late else self.vw.parse(text)

    def select(self, x):
        self.examples = self.vw.parse(x[0]) if self.late else x[1]
        pmf = self.vw.predict(self.examples)
        action = self.random.choices(range(len(pmf)), pmf)[0]
        self.probability = pmf[action] / sum(pmf)
        return action

    def update(self, x, action, reward):
        label = f"{0 if self.adf else action + 1}:{-reward}:{self.probability}"
        if self.adf:
            self.examples[action].set_label_string(label)
            self.vw.learn(self.examples)
            self.vw.finish_example(self.examples)
        else:  # where a label that is set later is not learnt from: the labelled text is parsed
            self.vw.finish_example(self.examples)
            self.vw.learn(f"{label} {x[0]}")


class Driver(Policy):
    """VW's own loop in C++ over a log of uniform choices, from its cache: the start of a Workspace apart.

    It predicts and learns in every round, but does not decide: that is done by whoever wrote the log.
    """

    def logged(self, t, x, action):
        label = f"{0 if self.adf else action + 1}:{-self.world.reward(t, action)}:{1 / self.world.arms} "
        if not self.adf:
            return label + line(x) + "\n"
        return "\n".join((label if k == action else "") + line(v) for k, v in enumerate(x)) + "\n\n"

    def seconds_per_round(self):
        self.adf = self.world.kind != ONE
        kind = "--cb_explore_adf" if self.adf else f"--cb_explore {self.world.arms}"
        numbers = random.Random(self.seed)
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/log", "w") as log:
                for t, context in enumerate(self.world.contexts):
                    x = self.world.features if context is None else context
                    log.write(self.logged(t, x, numbers.randrange(self.world.arms)))
            from_cache = f"{kind} --quiet -d {folder}/log --cache_file {folder}/cache"
            seconds_of(from_cache + " -k")
            return (seconds_of(from_cache) - seconds_of(f"{kind} --quiet")) / self.world.rounds


def seconds_of(flags):
    start = time.perf_counter()
    pyvw.Workspace(flags).finish()
    return time.perf_counter() - start


def entry(name, flags, grid, speed=True, **how):
    def make(world, seed, more=""):
        return Explorer(world, seed, f"{flags} {more}", **how)

    timed = "Workspace.parse, predict, learn" if how else "Workspace.predict, learn"
    return Entry("vowpalwabbit", name, (ARMS, ROWS, ONE), make, tuple({"more": g} if g else {} for g in grid),
                 timed, speed, quality=not how)


DRIVER = "epsilon-greedy, driver over a log"
RATES = ["-l 2", "-l 0.1"]
ENTRIES = [
    entry("epsilon-greedy", "", ["", "--epsilon 0.01", "--epsilon 0.01 -l 2", "--epsilon 0.1", *RATES]),
    entry("squarecb", "--squarecb", ["", "--gamma_scale 100", "--gamma_scale 1000", "--gamma_scale 100 -l 2", *RATES]),
    entry("bag", "--bag 5", ["", "--epsilon 0.01", "--epsilon 0.01 -l 2", "--epsilon 0.1", *RATES], speed=False),
    entry("epsilon-greedy, text", "", [""], parse_in_the_loop=True),
    Entry("vowpalwabbit", DRIVER, (ARMS, ROWS, ONE), Driver, ({},), "Workspace(-d log --cache_file)", quality=False),
]  # fmt: skip
