"""The harness itself, with a peer that is made up: nothing of PyPI is needed."""

import json
import struct
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parents[2] / "bench" / "peers"
sys.path.insert(0, str(HERE))

import catalogue  # noqa: E402
import plan  # noqa: E402
import playing  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
import tables  # noqa: E402
import work  # noqa: E402
import worlds  # noqa: E402
from adapters import phe_peer  # noqa: E402

SPECS = {worlds.ARMS: "linear:d=4,arms=6", worlds.ROWS: "linear:d=4,arms=6,contexts",
         worlds.ONE: "disjoint:d=4,arms=6"}  # fmt: skip


class Spy(catalogue.Policy):
    """A peer that always takes the same action and remembers what it is told."""

    def __init__(self, world, seed, action=0):
        super().__init__(world, seed)
        self.action, self.seen = action, []

    def select(self, x):
        return self.action

    def update(self, x, action, reward):
        self.seen.append((None if x is None else np.array(x), action, reward))


@pytest.mark.parametrize("kind", SPECS)
def test_everybody_sees_the_same_features_and_rewards(kind):
    spies = []
    for _ in range(2):
        world = worlds.world(SPECS[kind], 3, 40)
        spies.append(Spy(world, 1, action=2))
        playing.play(spies[-1], world)
    for (x, _, reward), (y, _, again) in zip(spies[0].seen, spies[1].seen, strict=True):
        assert np.array_equal(x, y) if x is not None else y is None
        assert reward == again
    assert {reward for _, _, reward in spies[0].seen} == {0.0, 1.0}


@pytest.mark.parametrize("kind", SPECS)
def test_rewards_drawn_beforehand_are_those_drawn_on_demand(kind):
    plain, tabled = worlds.world(SPECS[kind], 1, 15), worlds.world(SPECS[kind], 1, 15).tabled()
    assert all(plain.reward(t, a) == tabled.reward(t, a) for t in range(15) for a in range(6))


def test_one_coin_for_all_actions_keeps_their_means():
    # 4,000 rewards of each action: five standard errors, of at most 1 / (2 sqrt(4000)) each.
    world = worlds.world(SPECS[worlds.ARMS], 0, 4000).tossed()
    paid = world.rewards().mean(axis=0)
    assert np.all(np.abs(paid - world.means[0]) < 5 * 0.5 / np.sqrt(4000))


@pytest.mark.parametrize("kind", SPECS)
def test_the_file_for_the_rounds_in_cpp_holds_the_world(kind, tmp_path):
    world = worlds.world(SPECS[kind], 0, 7)
    with open(tmp_path / "world", "wb") as file:
        work.write(world, file)
    bytes_of = (tmp_path / "world").read_bytes()
    assert struct.unpack("<4Q", bytes_of[:32]) == (list(SPECS).index(kind), 7, 6, 4)
    features = world.features if kind == worlds.ARMS else np.array(world.contexts)
    assert np.array_equal(np.frombuffer(bytes_of[32 : 32 + 8 * features.size]), features.ravel())
    assert bytes_of[32 + 8 * features.size :] == bytes(int(world.reward(t, a)) for t in range(7) for a in range(6))


def test_regret_and_accuracy_are_those_of_the_means():
    world = worlds.world(SPECS[worlds.ONE], 0, 30)
    best = [int(np.argmax(m)) for m in world.means]
    assert worlds.regret(world, best) == 0
    actions = playing.play(Spy(world, 1, action=4), world)
    assert worlds.regret(world, actions) == pytest.approx(sum(m.max() - m[4] for m in world.means))
    assert worlds.mean_of_the_chosen(world, actions) == pytest.approx(np.mean([m[4] for m in world.means]))


@pytest.mark.parametrize("kind", SPECS)
def test_phe_in_the_harness_chooses_what_it_chooses_alone(kind):
    import phebandits

    world = worlds.world(SPECS[kind], 0, 200)
    actions = playing.play(phe_peer.FromPython(world, 5, "linphe", a=0.1), world)
    shape = {"arms": world.features} if kind == worlds.ARMS else {"d": 4}
    alone = phebandits.LinPHE(a=0.1, seed=5, rounds=200, disjoint=kind == worlds.ONE or None, **shape)
    for t, (x, action) in enumerate(zip(world.contexts, actions)):
        offered = {worlds.ARMS: (), worlds.ROWS: (x,), worlds.ONE: (x, 6)}[kind]
        assert alone.select(*offered) == action
        reward = world.reward(t, action)
        if kind == worlds.ARMS:
            alone.update(action, reward)
        elif kind == worlds.ROWS:
            alone.update(x[action], reward)
        else:
            alone.update(x, reward, action=action)


def test_batches_see_every_round_once():
    class Batches(Spy):
        def select_batch(self, x):
            return [self.action] * len(x)

        def update_batch(self, x, actions, rewards):
            self.seen += list(zip(x, actions, rewards, strict=True))

    world = worlds.world(SPECS[worlds.ONE], 0, 23)
    alone, together = Spy(world, 1, 1), Batches(world, 1, 1)
    playing.seconds_per_round(alone, world)
    playing.seconds_per_round_in_batches(together, world, 5)
    assert [r for _, _, r in alone.seen] == [r for _, _, r in together.seen]


def test_quality_takes_the_point_that_is_best_on_other_instances(monkeypatch):
    def make(world, seed, action=0):
        return Spy(world, seed, action)

    entry = catalogue.Entry("fake", "spy", (worlds.ONE,), make, ({}, {"action": 1}, {"action": 2}))
    monkeypatch.setattr(work, "ROUNDS", 30)
    monkeypatch.setattr(work, "problem", lambda name, data: SPECS[worlds.ONE])
    result = work.quality("digits", entry, "", "")

    def accuracy(number, action):
        return float(np.mean([m[action] for m in worlds.world(SPECS[worlds.ONE], number, 30).means]))

    tuning = [np.mean([accuracy(plan.FIRST_TUNING + i, a) for i in range(plan.TUNING[worlds.ONE])]) for a in range(3)]
    chosen = int(np.argmax(tuning))
    assert result["best"] == ({} if chosen == 0 else {"action": chosen})
    assert result["tuned"]["mean"] == pytest.approx(np.mean([accuracy(i, chosen) for i in range(plan.INSTANCES)]))
    assert result["default"]["mean"] == pytest.approx(np.mean([accuracy(i, 0) for i in range(plan.INSTANCES)]))


def fake_results():
    def quality(mean, se):
        return {"default": {"mean": mean, "se": se}, "tuned": {"mean": mean, "se": se}, "grid": [{}], "best": {}}

    results = {
        "speed/rows d=10/phe/linphe": {"us": 2.0, "peak_mb": 50.0},
        "speed/rows d=10/phe/C++": {"us": {"linphe": 1.0, "lints": 0.5}},
        "speed/rows d=10/fake/slow": {"us": 8.0, "peak_mb": 60.0},
        "speed/rows d=10/fake/slower": {"us": 80.0},
        "speed/rows d=10/fake/driver": {"us": 6.0},
        "speed/digits/fake/slow": {"failed": "No room"},
        "quality/linear/phe/linphe": quality(50.0, 2.0),
        "quality/linear/fake/slow": quality(49.0, 0.5),
        "quality/digits/phe/linphe": quality(0.7, 0.01),
        "quality/digits/fake/slow": quality(0.9, 0.01),
        "quality/letter/fake/slow": {"skipped": "90 ms a round"},
    }
    return {cell: {"cell": cell, **result} for cell, result in results.items()}


def test_ratios_are_to_the_fastest_peer():
    assert tables.best(fake_results(), "rows d=10") == (0.5, 2.0, (6.0, "fake/driver"), (8.0, "fake/slow"))
    assert "| rows d=10 | fake/driver | 6 | 12 × | fake/slow | 8 | 4 × |" in tables.ratio_table(fake_results())


def test_a_goal_is_missed_where_a_peer_is_ahead_by_more_than_an_error():
    lines = [line for _, line in tables.quality_goals(fake_results(), list(fake_results()))]
    assert lines[0].startswith("- linear: within 1 SE of the best")
    assert lines[1].startswith("- digits: **missed**")
    assert "In no row" not in report.wins_of_peers(fake_results())
    assert [missed for missed, _ in report.speed_goals(fake_results())] == [True, True]


def test_the_page_says_first_where_a_peer_wins_and_what_was_not_run():
    fault = {"peer": "fake", "what": "It is wrong", "script": "assert True", "shown": False, "error": ["Mended"]}
    text = report.page(fake_results(), [fault], list(fake_results()) + ["quality/linear/fake/never"])
    wins, goals, speed = (text.index(h) for h in ("## Where a peer wins", "## Goals", "## Speed"))
    assert wins < goals < speed
    assert "digits, tuned: fake/slow 0.9" in text[wins:goals] and "linear, tuned: fake/slow 49" in text[wins:goals]
    assert text[goals:speed].index("**missed**") < text[goals:speed].index("within 1 SE")
    assert "skipped: 90 ms a round" in text and "failed: No room" in text
    assert "11 of 12 cells" in text and "not shown by this run: Mended" in text
    assert "**49.0 ± 0.5**" in text and "**90.0 ± 1.0**" in text


def test_a_row_with_holes_is_not_decided():
    holes = [*fake_results(), "quality/linear/fake/never"]
    (missed, line), _ = tables.quality_goals(fake_results(), holes)
    assert missed and line.endswith("**not decided**: 1 of 2 policies of peers were run")
    assert "1 of 12 cells were not run yet" in report.warning(fake_results(), holes)


def test_a_peer_that_is_faster_is_named_first():
    results = {**fake_results(), "speed/rows d=10/fake/slow": {"us": 0.4}}
    assert report.wins_of_peers(results).startswith("- speed, rows d=10: fake/slow takes 0.4 µs, the fastest of phe in C++ 0.5")


def test_a_cell_that_exists_is_not_run_again(tmp_path, monkeypatch, capsys):
    entry = catalogue.Entry("fake", "spy", (worlds.ONE,), Spy)
    plan_of_two = [("quality/x/fake/spy", ("quality", "x", entry)), ("quality/y/fake/spy", ("quality", "y", entry))]
    monkeypatch.setattr(plan, "cells", lambda packages: (plan_of_two, {"gone": "No module named 'gone'"}))
    asked = []
    monkeypatch.setattr(run, "do", lambda cell, arguments: asked.append(cell) or {"us": 1.0})
    monkeypatch.setattr(sys, "argv", ["run.py", str(tmp_path)])
    run.file_of(tmp_path, "quality/x/fake/spy").write_text("{}")
    run.main()
    run.main()
    assert asked == ["quality/y/fake/spy"]
    assert json.loads(run.file_of(tmp_path, "quality/y/fake/spy").read_text())["us"] == 1.0
    assert "gone is skipped" in capsys.readouterr().out


def test_a_package_that_is_not_there_is_skipped_with_a_word():
    found, missing = catalogue.entries(("phe", "nowhere"))
    assert {entry.package for entry in found} == {"phe"} and "nowhere" in missing["nowhere"]
