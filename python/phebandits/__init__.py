"""Perturbed-history exploration and other bandit policies, at the speed of C++.

>>> import numpy as np, phebandits
>>> policy = phebandits.LinPHE(arms=np.eye(3), a=0.5, seed=1)
>>> arm = policy.select()
>>> policy.update(arm, reward=1.0)
"""

from ._core import Decision, History, Instance, Policy, __version__
from .catalogue import Entry, policies, problems
from .classes import *
from .evaluation import Estimate, Evaluation, Log, evaluate
from .perturbed_history import PerturbedHistory
from .running import Run, run
from .simulation import Results, Setting, simulate
from . import classes as _classes

__all__ = [
    "Decision",
    "Entry",
    "Estimate",
    "Evaluation",
    "History",
    "Instance",
    "Log",
    "PerturbedHistory",
    "Policy",
    "Results",
    "Run",
    "Setting",
    "__version__",
    "evaluate",
    "policies",
    "problems",
    "run",
    "simulate",
]
__all__ += _classes.__all__
