"""Bad input raises ValueError or TypeError that names the argument; nothing ends the interpreter."""

import numpy as np
import pytest
from conftest import NAMES

import phebandits
from phebandits import Instance, LinPHE, Log, PerturbedHistory, Policy, evaluate, run, simulate

ARMS = np.eye(3)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({}, TypeError, "give either arms, .* or d"),
        ({"arms": ARMS, "d": 3}, TypeError, "give either arms, .* or d"),
        ({"arms": [1.0, 2.0]}, ValueError, r"arms must have the shape \(K, d\), got \(2,\)"),
        ({"arms": np.zeros((0, 3))}, ValueError, "arms: "),
        ({"arms": np.zeros((3, 0))}, ValueError, "arms: "),
        ({"arms": [[1.0, np.nan]]}, ValueError, "arms: row 1, column 2"),
        ({"arms": [[1.0, np.inf]]}, ValueError, "arms: row 1, column 2"),
        ({"arms": [[1.0], [1.0, 2.0]]}, TypeError, "arms must"),
        ({"arms": [["a"]]}, TypeError, "arms must hold real numbers, got dtype <U1"),
        ({"arms": ARMS.astype(complex)}, TypeError, "arms must hold real numbers, got dtype complex128"),
        ({"arms": ARMS.astype(object)}, TypeError, "arms must hold real numbers, got dtype object"),
        ({"arms": np.ma.masked_equal(ARMS, 0)}, TypeError, "arms must not be a masked array"),
        ({"arms": np.array([["2020-01-01"]], "M8[D]")}, TypeError, "arms must hold real numbers"),
        ({"arms": {}}, TypeError, "arms must hold real numbers, got dtype object"),
        ({"d": 0}, ValueError, "d must be a whole number from 1 to 1000000, got 0"),
        ({"d": -1}, ValueError, "d must be .* got -1"),
        ({"d": 2.5}, TypeError, "d must be a whole number, got 2.5"),
        ({"d": 10**30}, ValueError, "d must be"),
        ({"d": "3"}, TypeError, "d must be a whole number, got '3'"),
        ({"arms": ARMS, "a": -1}, ValueError, "linphe: .*a.* got -1"),
        ({"arms": ARMS, "a": "x"}, ValueError, "a must be a number, got 'x'"),
        ({"arms": ARMS, "a": float("nan")}, ValueError, "linphe"),
        ({"arms": ARMS, "a": [1]}, TypeError, r"a must be a number, a text, True or False, got \[1\]"),
        ({"arms": ARMS, "rewards": (1, 0)}, ValueError, r"rewards must be a finite pair .* got \(1, 0\)"),
        ({"arms": ARMS, "rewards": 3}, TypeError, "rewards must be a pair"),
        ({"arms": ARMS, "rewards": (0, "x")}, TypeError, "rewards must be a number, got 'x'"),
        ({"arms": ARMS, "rewards": (0, np.inf)}, ValueError, "rewards must be a finite pair"),
        ({"arms": ARMS, "rounds": 0}, ValueError, "rounds must be"),
        ({"arms": ARMS, "seed": -1}, ValueError, "seed must be .* got -1"),
        ({"arms": ARMS, "seed": 1 << 64}, ValueError, "seed must be"),
        ({"d": 3, "start": "basis"}, ValueError, "start=basis needs fixed arms"),
    ],
)
def test_what_cannot_be_made_is_told(arguments, kind, message):
    with pytest.raises(kind, match=message):
        LinPHE(**arguments)


@pytest.mark.parametrize(
    ("spec", "message"),
    [("linfoo", "did you mean"), ("", "no policy"), ("linphe:q=1", "q"), ("linphe:a", "a"),
     ("linphe:a=1,a=2", "a"), ("\0", "no policy"), ("lin\nphe", "lin\\?phe")],
)  # fmt: skip
def test_a_spec_that_is_none_is_told(spec, message):
    with pytest.raises(ValueError, match=message):
        Policy(spec, d=3)
    with pytest.raises(TypeError, match="spec must be a text, got 3"):
        Policy(3, d=3)
    with pytest.raises(ValueError, match="spec must be a text of whole characters"):
        Policy("\ud800", d=3)


X = np.eye(3)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda p: p.select(), TypeError, "X must"),
        (lambda p: p.select(X[0]), ValueError, r"X must have the shape \(K, 3\), got \(3,\)"),
        (lambda p: p.select(np.eye(4)), ValueError, r"X must have the shape \(K, 3\), got \(4, 4\)"),
        (lambda p: p.select(np.zeros((0, 3))), ValueError, "X must have at least 1 action"),
        (lambda p: p.select(X * np.nan), ValueError, "linphe: .*nan"),
        (lambda p: p.select(X, actions=3), TypeError, "actions must be left out"),
        (lambda p: p.select(X[None]), ValueError, "X must have the shape"),
        (lambda p: p.update(X, 1.0), ValueError, r"x must have the shape \(3,\), got \(3, 3\)"),
        (lambda p: p.update([1, 2], 1.0), ValueError, "there must be 3 features, got 2"),
        (lambda p: p.update(X[0], np.nan), ValueError, "between 0 and 1, got nan"),
        (lambda p: p.update(X[0], 2), ValueError, "between 0 and 1, got 2"),
        (lambda p: p.update(X[0], "1"), TypeError, "reward must be a number, got '1'"),
        (lambda p: p.update(X[0], None), TypeError, "reward must be a number, got None"),
        (lambda p: p.update(X[0], 10**400), ValueError, "reward must be a number that a double"),
        (lambda p: p.update(X[0], 1j), TypeError, "reward must be a number"),
        (lambda p: p.update(X[0], 1, action=0), TypeError, "action must be left out"),
        (lambda p: p.update(None, 1), TypeError, "x must"),
        (lambda p: p.decide(X, draws=0), ValueError, "draws must be"),
        (lambda p: p.decide(X, floor=2), ValueError, "floor"),
        (lambda p: p.decide(X, floor=0.1, resample=5), ValueError, "floor"),
        (lambda p: p.select_many(X), TypeError, "n, the number of choices, must be given"),
        (lambda p: p.select_many(X[None], n=5), ValueError, "n must be left out, or be 1"),
        (lambda p: p.select_many(X, n=-1), ValueError, "n must be"),
        (lambda p: p.select_many(X, n=1 << 39), ValueError, "n: .* choices"),
        (lambda p: p.update_many(X, [1, 1]), ValueError, "equally many, got 3 and 2"),
        (lambda p: p.update_many(X, [[1], [1], [1]]), ValueError, r"rewards must have the shape \(n,\)"),
        (lambda p: p.load("/nowhere/at/all"), ValueError, "/nowhere/at/all"),
        (lambda p: p.load(3), TypeError, "file must be a path, got 3"),
        (lambda p: p.load("a\0b"), ValueError, "file must be a path"),
        (lambda p: p.save("/nowhere/at/all"), ValueError, "/nowhere/at/all"),
        (lambda p: p.merge(3), TypeError, ""),
        (lambda p: p.merge(Policy("lints", d=3)), ValueError, "linphe"),
    ],
)  # fmt: skip
def test_a_bad_call_is_told_and_changes_nothing(call, kind, message):
    policy = LinPHE(d=3, seed=1)
    policy.update(X[0], 1.0)
    before = policy.__getstate__()
    with pytest.raises(kind, match=message):
        call(policy)
    assert policy.__getstate__() == before


def test_a_call_of_the_other_kind_is_told():
    fixed, disjoint = LinPHE(arms=ARMS), LinPHE(d=3, disjoint=True)
    with pytest.raises(TypeError, match="X and actions must be left out: this policy has fixed arms"):
        fixed.select(X)
    with pytest.raises(TypeError, match="arm must be a whole number"):
        fixed.update(X[0], 1.0)
    with pytest.raises(ValueError, match="arm must be a whole number from 0 to 2, got 3"):
        fixed.update(3, 1.0)
    with pytest.raises(TypeError, match="actions must be given"):
        disjoint.select(X[0])
    with pytest.raises(ValueError, match="actions must name at least 1 action"):
        disjoint.select(X[0], actions=np.zeros(0, int))
    with pytest.raises(ValueError, match="actions must be a whole number from 1"):
        disjoint.select(X[0], actions=0)
    with pytest.raises(TypeError, match="action must be given"):
        disjoint.update(X[0], 1.0)
    with pytest.raises(ValueError, match="action 3 was never offered"):
        disjoint.update(X[0], 1.0, action=3)


def test_arrays_too_large_for_memory_are_refused_before_they_are_made():
    huge = np.broadcast_to(np.float32(0.5), (1 << 36, 3))  # 3 numbers in memory, 1.5 TiB as float64
    for call in (
        lambda: LinPHE(arms=huge),
        lambda: LinPHE(d=3).select(huge),
        lambda: LinPHE(d=3).update_many(huge, [1.0]),
        lambda: LinPHE(d=3).update_many([[1.0, 2.0, 3.0]], huge[:, 0]),
    ):
        with pytest.raises(ValueError, match="GiB|TiB"):
            call()


def test_what_a_users_object_raises_comes_through():
    class Angry:
        def __float__(self):
            raise RuntimeError("not today")

        __index__ = __float__

    policy = LinPHE(arms=ARMS)
    with pytest.raises(RuntimeError, match="not today"):
        policy.update(0, Angry())
    with pytest.raises(RuntimeError, match="not today"):
        policy.update(Angry(), 1.0)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: run("linphe", "linear", -1), ValueError, "rounds must be at least 0, got -1"),
        (lambda: run("linphe", "linear", "a"), TypeError, "rounds must be a whole number, got 'a'"),
        (lambda: run(3, "linear", 4), TypeError, "policy must be a text or have select and update, got 3"),
        (lambda: run(LinPHE(d=3), 3, 4), TypeError, "problem must be a text or have reward, got 3"),
        (lambda: simulate(None, "linphe"), TypeError, "problems must be a text, .* got None"),
        (lambda: simulate("linear", 3), TypeError, "policies must be a text, .* got 3"),
        (lambda: simulate("linear", [3]), TypeError, "a policy must be a text, .* got 3"),
        (lambda: evaluate(3, "always=1"), TypeError, "log must be a Log, .* got int"),
        (lambda: evaluate(Log([0], [1]), "always=1"), TypeError, "propensity"),
    ],
)
def test_what_cannot_be_played_or_evaluated_is_told(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def odd_values(numbers):
    """Things that nobody should hand over, and some that one may."""
    shape = tuple(numbers.integers(0, 5, numbers.integers(0, 4)))
    dtype = numbers.choice(["f8", "f4", "f2", "i8", "u1", "?", "c16", "O", "U3", "M8[s]", ">f8", "V8"])
    array = np.zeros(shape, dtype)
    if dtype in ("f8", "f4", ">f8"):
        array = array + numbers.choice([0.0, 1.0, np.nan, np.inf, -np.inf, 1e308, 5e-324, -0.0])
    if array.ndim and numbers.random() < 0.3:
        array = array[:: numbers.choice([-2, -1, 2])]
    if array.ndim > 1 and numbers.random() < 0.3:
        array = array.swapaxes(0, -1)
    pool = [array, None, True, 0, -1, 3, 1 << 70, 0.5, np.nan, "", "linphe", b"x", [], [[]], {}, object,
            [0.1, 0.2, 0.3], [[0.1, 0.2, 0.3]], np.float32(1), np.int8(2), (1, 2), range(3), X, X[0]]  # fmt: skip
    return pool[numbers.integers(len(pool))] if numbers.random() < 0.6 else array


@pytest.mark.parametrize("seed", range(8))
def test_no_odd_value_ends_the_interpreter(seed):
    numbers = np.random.default_rng(seed)

    def odd():
        return odd_values(numbers)

    def call(function, *arguments, **named):
        try:
            return function(*arguments, **named)
        except (ValueError, TypeError, AttributeError) as error:
            assert str(error)
            return None

    for _ in range(400):
        name = str(numbers.choice(NAMES))
        kinds = [{"arms": ARMS}, {"d": 3}, {"d": 3, "disjoint": True}, {"arms": odd()}, {"d": odd()}]
        made = dict(kinds[numbers.integers(len(kinds))])
        if made.pop("disjoint", False):
            name += ":disjoint"
        policy = call(Policy, name, **made)
        for _ in range(4 if policy is not None else 0):
            call(policy.select, odd(), odd())
            call(policy.update, odd(), odd(), action=odd())
            call(policy.decide, odd(), odd(), draws=odd(), floor=odd(), resample=0)
            if numbers.random() < 0.5:
                call(policy.update_many, odd(), odd(), actions=odd())
                call(policy.select_many, odd(), numbers.choice([None, 3, -1]), actions=odd())
            call(policy.update, 0, 1.0)
            call(policy.update, X[1], 1.0)
            call(getattr, policy, "theta")
        call(Instance, odd(), seed=odd(), number=odd())
        call(run, policy, "linear:d=3,arms=3", 3)
    assert phebandits.__version__


class Mean:
    """The least that has fit and predict."""

    def fit(self, x, y):
        self.mean = np.mean(y)
        return self

    def predict(self, x):
        return np.full(len(x), self.mean)


@pytest.mark.parametrize("seed", range(4))
def test_no_odd_value_ends_an_evaluation_or_a_policy_written_in_python(seed):
    numbers = np.random.default_rng(seed)

    def odd():
        return odd_values(numbers)

    def call(function, *arguments, **named):
        try:
            return function(*arguments, **named)
        except (ValueError, TypeError, KeyError) as error:
            assert str(error)
            return None

    for _ in range(300):
        rows = int(numbers.integers(1, 4))
        columns = {"action": np.zeros(rows, int), "reward": np.ones(rows), "propensity": np.full(rows, 0.5)}
        columns[str(numbers.choice([*columns, "probabilities", "position", "features", "n_actions"]))] = odd()
        call(evaluate, Log(**columns), "always=0")
        call(evaluate, columns, odd())
        policy = call(PerturbedHistory, Mean(), 1, arms=numbers.choice([None, 1]) and ARMS, every=odd())
        policy = policy or PerturbedHistory(Mean(), start=1)
        for _ in range(4):
            call(policy.update, odd(), odd())
            call(policy.select, odd())
            call(policy.select)
