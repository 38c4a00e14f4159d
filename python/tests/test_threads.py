"""Threads share a policy, and Python's lock is let go in what takes long."""

import signal
import threading
import time

import numpy as np
import pytest

from phebandits import Instance, LinPHE, Policy, run


def test_threads_may_share_a_policy():
    policy = LinPHE(arms=np.eye(5), seed=1)
    rounds = 2000

    def work():
        for _ in range(rounds):
            policy.update(policy.select(), 1.0)
        policy.update_many(policy.select_many(n=rounds), np.ones(rounds))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert policy.history.pulls.sum() == 4 * 2 * rounds


def steps_meanwhile(work):
    """How many short steps another thread takes while `work` runs."""
    steps, done = 0, threading.Event()

    def other():
        nonlocal steps
        while not done.is_set():
            steps += 1
            time.sleep(0)

    thread = threading.Thread(target=other)
    thread.start()
    while steps == 0:
        time.sleep(0.001)
    before, start = steps, time.perf_counter()
    work()
    took, meanwhile = time.perf_counter() - start, steps - before
    done.set()
    thread.join()
    return meanwhile, took


@pytest.mark.parametrize(
    "work",
    [
        lambda: Policy("lints", arms=np.ones((200_000, 8))).select(),
        lambda: run(LinPHE(d=5, memory=512), Instance("linear:d=5,arms=20,contexts"), 20_000),
        lambda: LinPHE(arms=np.eye(40)).select_many(n=100_000),
    ],
)
def test_others_work_while_a_long_call_does(work):
    meanwhile, took = steps_meanwhile(work)
    # Held all the time, the lock would be handed over every 5 ms at best, and in these calls never.
    assert meanwhile >= 2, f"{meanwhile} steps in {took:.3f} s"


def test_control_c_ends_a_long_call_and_the_policy_stays_whole():
    policy = LinPHE(arms=np.eye(40), seed=1)
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        policy.select_many(n=1 << 26)
    timer.join()
    policy.update(policy.select(), 1.0)


def test_a_handler_may_use_the_policy_that_is_at_work():
    policy = LinPHE(arms=np.eye(40), seed=1)
    chosen = []
    before = signal.signal(signal.SIGALRM, lambda *_: chosen.append(policy.select()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        start = time.perf_counter()
        while not chosen and time.perf_counter() - start < 20:
            policy.select_many(n=200_000)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert len(chosen) == 1


def test_an_array_that_is_let_go_is_not_read_again():
    x = np.random.default_rng(1).random((50, 4))
    policy = LinPHE(arms=x, seed=1)
    expected = LinPHE(arms=x.copy(), seed=1).select_many(n=50)
    x[:] = np.nan
    del x
    assert np.array_equal(policy.select_many(n=50), expected)
