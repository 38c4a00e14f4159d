// What help() says. The examples are run by the tests (tests/test_docs.py).
#pragma once

namespace phe::python::docs {

inline constexpr const char* policy =
    R"(Chooses among arms, or among the actions of a round, and learns from rewards.

Policy(spec, arms=X) chooses among fixed arms, the rows of X; Policy(spec, d=10) among actions with 10
features that come with each round. `spec` is a text, name:key=value,.. (phebandits.policies() lists
them); each policy is also a class of its own: LinPHE(arms=X, a=0.5) is Policy("linphe:a=0.5", arms=X).

rounds: the horizon n, which some policies use
rewards: the lowest and the highest reward, (0, 1) unless said
seed: the same seed gives the same choices, and those of the C++ library with Rng(seed)

Threads may share a policy: its calls take turns.

>>> import numpy as np, phebandits
>>> policy = phebandits.Policy("linphe:a=0.5", arms=np.eye(3), seed=1)
>>> for _ in range(100):
...     arm = policy.select()
...     policy.update(arm, reward=1.0 if arm == 2 else 0.0)
>>> int(policy.history.pulls.argmax())
2
)";

inline constexpr const char* for_instance =
    R"(The policy `spec` as `simulate` makes it for an instance, in its own stream of randomness.

>>> import phebandits
>>> instance = phebandits.Instance("linear:d=5,arms=20", seed=1)
>>> phebandits.Policy.for_instance("lints", instance, rounds=100)
<phebandits._core.Policy lints: 20 arms, d = 5>
)";

inline constexpr const char* select = R"(The next choice.

With fixed arms: select() gives the arm, counted from 0.
In contexts: select(X) with a row of d features per action gives the place of the chosen row.
With one model per action (disjoint=True): select(x, actions) with one context of d features, and the
actions on offer, a number of them or their names; gives the place among them.

>>> import numpy as np, phebandits
>>> policy = phebandits.LinPHE(d=2, seed=1)
>>> 0 <= policy.select(np.array([[1.0, 0.0], [0.0, 1.0]])) < 2
True
>>> policy = phebandits.LinUCB(d=2, disjoint=True)
>>> policy.select([0.5, 1.0], actions=[17, 4]) in (0, 1)
True
)";

inline constexpr const char* update =
    R"(Learns what a choice paid. Rewards may come late, in any order, or never.

With fixed arms: update(arm, reward). In contexts: update(x, reward) with the features of what was
chosen. With one model per action: update(x, reward, action=name) with the context.
What is refused (ValueError, TypeError) leaves the policy as it was.

>>> import phebandits
>>> policy = phebandits.LinPHE(d=2)
>>> policy.update([1.0, 0.0], 1.0)
>>> policy.update([1.0, 0.0], 2.0)
Traceback (most recent call last):
ValueError: linphe: a reward must be between 0 and 1, got 2
)";

inline constexpr const char* decide =
    R"(A choice like that of select, with the probability of every action: what to log.

draws: so many models are drawn, and one of their favourites is chosen at random; an action that is the
    favourite of c of them has probability c / draws, exactly
floor: a uniform share that is mixed in, so that no action has probability 0
resample: geometric resampling up to so many draws, for an unbiased 1 / probability without a floor

>>> import numpy as np, phebandits
>>> policy = phebandits.LinPHE(d=2, seed=1)
>>> action, probabilities = policy.decide(np.eye(2), draws=32, floor=0.1)
>>> bool(probabilities[action] > 0.05 - 1e-12), round(float(probabilities.sum()), 12)
(True, 1.0)
)";

inline constexpr const char* decision = R"(What `decide` chose, and with which probabilities.

It can be taken apart: action, probabilities = policy.decide(X).)";

inline constexpr const char* theta =
    R"(The theta of the last choice, or the estimate of policies that draw none; a dictionary by action with
disjoint=True. AttributeError where there is no linear model.)";

inline constexpr const char* history =
    R"(Pulls and sums of rewards per arm, of fixed arms: History(pulls, reward_sums).)";

inline constexpr const char* select_many = R"(Many choices at once, without learning in between.

With fixed arms: select_many(n=100). In contexts: select_many(X) with X of shape (n, K, d), or
select_many(X, n) for n choices among the same K rows. With one model per action X has the shape (n, d).
The same choices as of n calls of select.

>>> import numpy as np, phebandits
>>> policy = phebandits.LinPHE(d=2, seed=1)
>>> policy.select_many(np.zeros((3, 4, 2))).shape
(3,)
)";

inline constexpr const char* update_many =
    R"(Learns many rewards at once: the same as a call of update for each.

With fixed arms: update_many(arms, rewards); in contexts: update_many(rows, rewards) with rows of shape
(n, d); with one model per action also actions=names. All are checked before the first is learnt.

>>> import numpy as np, phebandits
>>> policy = phebandits.LinPHE(arms=np.eye(3))
>>> policy.update_many([0, 1, 1], [1.0, 0.0, 0.5])
>>> policy.history
History(pulls=array([1, 2, 0], dtype=uint64), reward_sums=array([1. , 0.5, 0. ]))
)";

inline constexpr const char* save =
    R"(Writes the state to a file, in the format of the C++ library (docs/state.md). It holds what was learnt,
not the randomness to come: pickle keeps both.)";

inline constexpr const char* load =
    R"(Takes back a state that `save`, or the C++ library, wrote for a policy made alike.

>>> import numpy as np, phebandits, tempfile, os
>>> one, other = (phebandits.LinPHE(arms=np.eye(3)) for _ in range(2))
>>> one.update(2, 1.0)
>>> with tempfile.TemporaryDirectory() as folder:
...     one.save(os.path.join(folder, "state"))
...     other.load(os.path.join(folder, "state"))
>>> other.history.pulls
array([0, 0, 1], dtype=uint64)
)";

inline constexpr const char* merge =
    R"(Learns all that `other`, a policy made alike, has learnt from other rewards.

>>> import numpy as np, phebandits
>>> one, other = (phebandits.LinPHE(arms=np.eye(2)) for _ in range(2))
>>> one.update(0, 1.0); other.update(1, 0.0); one.merge(other)
>>> one.history.pulls
array([1, 1], dtype=uint64)
)";

inline constexpr const char* instance =
    R"(One instance of a problem: arms or contexts, their true means, and rewards.

spec: a text, name:key=value,.. (phebandits.problems() lists them)
seed, number: which instance; the same as in `simulate` and in the program

>>> import phebandits
>>> instance = phebandits.Instance("linear:d=5,arms=20", seed=1, number=3)
>>> instance.arms.shape, instance.means.shape
((20, 5), (20,))
)";

inline constexpr const char* reward =
    R"(The reward of an arm in a round, counted from 0; the same whenever it is asked for.)";

inline constexpr const char* offer =
    R"(What a round of contexts offers: the features of each action (or the one context), and the true means.

>>> import phebandits
>>> X, means = phebandits.Instance("linear:d=5,arms=20,contexts").offer(0)
>>> X.shape, means.shape
((20, 5), (20,))
)";

}  // namespace phe::python::docs
