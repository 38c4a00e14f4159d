"""The examples, and the code of README.md and docs/python.md, run."""

import importlib.util
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]


def load(name):
    spec = importlib.util.spec_from_file_location(name, SOURCE / "python" / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_policy_of_ones_own():
    results = load("own_policy").main(rounds=1500, instances=4)
    regret = dict(zip(results.policies, results.mean[0, :, -1]))
    assert regret["phe"] < regret["uniform"] and regret["explore-then-commit"] < regret["uniform"]


def test_boosted_trees():
    pytest.importorskip("sklearn")
    results = load("boosted_trees").main(rounds=60, instances=1)
    assert results.mean[0, 2, -1] < results.mean[0, 3, -1]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (SOURCE / page).read_text(), re.M | re.S)


def test_the_quick_start_of_the_readme_runs_and_is_short(capsys):
    code = "\n".join(blocks("README.md"))
    assert 0 < len(code.strip().splitlines()) <= 12
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_code_of_the_manual_runs(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    scope = {}
    for code in blocks("docs/python.md"):
        exec(compile(code, "docs/python.md", "exec"), scope)
    import matplotlib.pyplot as plt

    plt.close("all")
