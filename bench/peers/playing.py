"""A policy of any package plays a world."""

import time


def play(policy, world):
    """Chooses and learns in every round; the actions."""
    actions = []
    for t, context in enumerate(world.contexts):
        x = policy.prepare(context)
        action = policy.select(x)
        policy.update(x, action, world.reward(t, action))
        actions.append(action)
    return actions


def seconds_per_round(policy, world):
    """One decision and one update, timed; features are in the package's own form before the clock starts."""
    if hasattr(policy, "seconds_per_round"):  # a package's own loop
        return policy.seconds_per_round()
    prepared = [policy.prepare(context) for context in world.contexts]
    reward, select, update = world.reward, policy.select, policy.update
    start = time.perf_counter()
    for t, x in enumerate(prepared):
        action = select(x)
        update(x, action, reward(t, action))
    return (time.perf_counter() - start) / world.rounds


def seconds_per_round_in_batches(policy, world, batch):
    """The same with `batch` decisions at once, and then their updates at once."""
    blocks = [policy.prepare_batch(world.contexts[t : t + batch]) for t in range(0, world.rounds, batch)]
    start = time.perf_counter()
    for block, x in enumerate(blocks):
        actions = policy.select_batch(x)
        rewards = [world.reward(block * batch + i, int(a)) for i, a in enumerate(actions)]
        policy.update_batch(x, actions, rewards)
    return (time.perf_counter() - start) / world.rounds
