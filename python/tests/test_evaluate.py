"""evaluate: arrays, tables and files give the same numbers; OBP's dictionary there and back."""

import gzip
import json
import subprocess
import sys

import numpy as np
import pytest

from phebandits import Log, evaluate


def make_log(rows=400, actions=4, seed=3):
    numbers = np.random.default_rng(seed)
    probabilities = numbers.dirichlet(np.ones(actions), rows)
    probabilities = 0.9 * probabilities + 0.1 / actions
    action = np.array([numbers.choice(actions, p=p) for p in probabilities])
    features = numbers.random((rows, 2))
    reward = (numbers.random(rows) < 0.2 + 0.15 * action).astype(float)
    return Log(action, reward, probabilities[np.arange(rows), action], probabilities,
               features=features, n_actions=actions)  # fmt: skip


def test_arrays_and_files_give_the_programs_numbers(tmp_path):
    log = make_log()
    file = tmp_path / "log.jsonl"
    with open(file, "w") as out:
        for i in range(len(log.action)):
            row = {"action": int(log.action[i]), "reward": log.reward[i],
                   "propensity": log.propensity[i], "probabilities": list(log.probabilities[i]),
                   "features": {"x0": log.features[i, 0], "x1": log.features[i, 1]}}  # fmt: skip
            out.write(json.dumps(row) + "\n")
    for target in ("uniform", "always=2"):
        for model in ("none", "table", "ridge"):
            from_arrays = evaluate(log, target, model=model)
            assert from_arrays.estimates == evaluate(file, target, model=model).estimates
            command = [sys.executable, "-m", "phebandits", "evaluate", str(file), "--target", target]
            told = json.loads(subprocess.check_output([*command, "--model", model, "--json"]))
            for name, estimate in from_arrays.estimates.items():
                shown = next(e for e in told["estimates"] if e["estimator"] == name)
                assert (shown["value"], shown["se"]) == (estimate.value, estimate.std_err)
    (tmp_path / "log.jsonl.gz").write_bytes(gzip.compress(file.read_bytes()))
    assert evaluate([tmp_path / "log.jsonl.gz"], "uniform").estimates == evaluate(log).estimates


def test_the_values_are_those_of_their_formulas():
    log = make_log()
    pi = np.random.default_rng(9).dirichlet(np.ones(4), len(log.action))
    w = pi[np.arange(len(pi)), log.action] / log.propensity
    found = evaluate(log, pi, clip=2.0).estimates
    assert np.isclose(found["ips"].value, np.mean(w * log.reward), rtol=1e-12)
    assert np.isclose(found["clipped"].value, np.mean(np.minimum(w, 2) * log.reward), rtol=1e-12)
    assert np.isclose(found["snips"].value, np.sum(w * log.reward) / np.sum(w), rtol=1e-12)
    error = np.std(w * log.reward, ddof=1) / np.sqrt(len(w))
    assert np.isclose(found["ips"].std_err, error, rtol=1e-9)
    alone = evaluate(log, pi[np.arange(len(pi)), log.action], clip=2.0).estimates
    assert set(alone) == {"ips", "clipped", "snips"} and alone["ips"] == found["ips"]


def test_a_table_is_read_by_its_columns():
    pandas = pytest.importorskip("pandas")
    log = make_log()
    frame = pandas.DataFrame({"item": log.action, "click": log.reward, "p": log.propensity,
                              "user_age": log.features[:, 0], "user_town": np.where(log.action, "a", "b"),
                              "q": 0.25})  # fmt: skip
    names = {"action": "item", "reward": "click", "propensity": "p", "features": "user_*"}
    expected = evaluate(Log(log.action, log.reward, log.propensity, n_actions=4), "uniform")
    assert evaluate(frame, "uniform", actions=4, columns=names).estimates == expected.estimates
    assert evaluate(frame, "column=q", columns=names).estimates["ips"].value == expected.estimates["ips"].value
    assert "dr" in evaluate(frame, "uniform", actions=4, columns=names, model="ridge").estimates
    assert list(expected.to_pandas().index) == ["logged", *expected.estimates]


def test_the_dictionary_of_the_open_bandit_pipeline_there_and_back():
    log = make_log()
    feedback = log.to_obp()
    assert feedback["pi_b"].shape == (400, 4, 1) and feedback["n_rounds"] == 400
    again = Log.from_obp(feedback)
    for name in ("action", "reward", "propensity", "probabilities", "features"):
        assert np.array_equal(getattr(again, name), getattr(log, name))
    assert evaluate(feedback, "uniform").estimates == evaluate(log, "uniform").estimates


def test_positions_of_the_open_bandit_pipeline_count_from_zero():
    rows = 30
    pi_b = np.random.default_rng(1).dirichlet(np.ones(3), (rows, 2)).transpose(0, 2, 1)
    position, action = np.arange(rows) % 2, np.arange(rows) % 3
    pscore = pi_b[np.arange(rows), action, position]
    feedback = {"n_rounds": rows, "n_actions": 3, "context": None, "action": action, "position": position,
                "reward": np.ones(rows), "pi_b": pi_b, "pscore": pscore}  # fmt: skip
    found = evaluate(feedback, "uniform")
    assert [part.position for part in found.positions] == [1, 2]
    assert np.array_equal(Log.from_obp(feedback).to_obp()["position"], position)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"action": [0, 9]}, "row 1: unknown action 9: there are 2"),
        ({"action": [0, -1]}, "row 1: action must be a whole number from 0, got -1"),
        ({"reward": [0, np.nan]}, "row 1: reward must be a finite number, got nan"),
        ({"propensity": [0.5, 0]}, "row 1: propensity must be above 0 and at most 1, got 0"),
        ({"propensity": [0.5]}, "propensity must have 2 rows, as action has, got 1"),
        ({"probabilities": [[0.5, 0.6], [0.5, 0.5]]}, "row 0: probabilities must sum to 1"),
        ({"action": [], "reward": [], "propensity": []}, "the log holds no decision"),
    ],
)
def test_bad_rows_are_named(change, message):
    log = {"action": [0, 1], "reward": [0, 1], "propensity": [0.5, 0.5], **change}
    with pytest.raises(ValueError, match=message):
        evaluate(log, "uniform", actions=2)


@pytest.mark.parametrize(
    ("log", "arguments", "kind", "message"),
    [
        (3, {}, TypeError, "log must be a Log, a table of columns, a file or a list of files, got int"),
        ({"action": [0]}, {}, ValueError, "no column 'reward' for reward"),
        ({"action": [0], "reward": [1]}, {}, TypeError, "a log must have propensity"),
        ("nowhere.jsonl", {}, ValueError, "nowhere.jsonl"),
        ("nowhere.jsonl", {"target": [0.5]}, TypeError, "target must be a text"),
        (None, {"target": "best"}, ValueError, "target must be uniform, column=NAME"),
        (None, {"model": "tree"}, ValueError, "model must be none, table or ridge, got 'tree'"),
        (None, {"clip": -1}, ValueError, "clip must be a number above 0, got -1"),
        (None, {"confidence": 1}, ValueError, "confidence must be above 0 and below 1"),
        (None, {"columns": {"colour": "x"}}, ValueError, "columns must be of action, .* got 'colour'"),
        (None, {"target": np.full((1, 3), 1 / 3)}, ValueError, "target must have 2 rows"),
    ],
)
def test_bad_arguments_are_named(log, arguments, kind, message):
    log = {"action": [0, 1], "reward": [0, 1], "propensity": [0.5, 0.5]} if log is None else log
    with pytest.raises(kind, match=message):
        evaluate(log, **{"target": "uniform", "actions": 2, **arguments})
