"""What was found wrong in a peer: each with a script that shows it. faults.py runs them all and prints JSON.

A script ends with an assertion that holds while the fault is there, so that a fault that was mended is told.
"""

import json
import subprocess
import sys

FAULTS = [
    (
        "mabwiser",
        "LinUCB and LinTS: before an arm's first reward the inverse of λI is taken to be λI, so that with λ = 10 an arm "
        "that was never played is ten times wider than it should be (√(λ xᵀx) instead of √(xᵀx / λ))",
        """
from mabwiser.mab import MAB, LearningPolicy
mab = MAB([0, 1], LearningPolicy.LinUCB(alpha=1, l2_lambda=10)); mab.fit([0], [0.0], [[1.0]])
assert abs(mab.predict_expectations([[1.0]])[1] - 10**0.5) < 1e-9  # due: 10**-0.5
""",
    ),
    (
        "river",
        "LinUCBDisjoint(burn_in=20): the number lands in another argument, reward_scaler, and nothing burns in",
        """
from river import bandit
policy = bandit.LinUCBDisjoint(burn_in=20)
assert policy.burn_in == 0 and policy.reward_scaler == 20
""",
    ),
    (
        "obp",
        "LinUCB and LinEpsilonGreedy with their defaults (epsilon=0) never explore: after one reward of 1 for an action, "
        "the same action for ever, though another pays more",
        """
import sys; sys.path.insert(0, "."); import numpy as np; from adapters.obp_peer import linear
policy = linear.LinUCB(dim=1, n_actions=2, random_state=1); x = np.ones((1, 1)); policy.update_params(0, 0.1, x)
assert {int(policy.select_action(x)[0]) for _ in range(1000) if policy.update_params(0, 0.1, x) is None} == {0}
""",
    ),
    (
        "vowpalwabbit",
        "cb_explore: a label that is set on a parsed example by set_label_string is not learnt from, without a word "
        "(cb_explore_adf does learn)",
        """
from vowpalwabbit import pyvw; vw = pyvw.Workspace("--cb_explore 2 --quiet"); example = vw.parse("| a:1")
example.set_label_string("2:-1:0.5"); vw.learn(example); vw.finish_example(example); later = vw.predict("| a:1")
vw.learn("2:-1:0.5 | a:1"); assert later[0] == later[1] and vw.predict("| a:1")[1] > 0.9
""",
    ),
]


def shown():
    """Each fault with whether its script still shows it."""
    found = []
    for peer, what, script in FAULTS:
        run = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True)
        found.append({"peer": peer, "what": what, "script": script.strip(), "shown": run.returncode == 0,
                      "error": run.stderr.strip().splitlines()[-1:]})  # fmt: skip
    return found


if __name__ == "__main__":
    print(json.dumps(shown(), indent=1))
