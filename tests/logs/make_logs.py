#!/usr/bin/env python3
"""Writes the small logs of the tests into data/: one log, as CSV, as JSON Lines and as dsjson.

200 decisions of a policy that looks at a colour: five actions with probabilities that are multiples
of 1/64, three positions, rewards of 0 and 1. dsjson knows no positions and counts actions from 1.
"""

import json
import pathlib
import random

ROWS, ACTIONS, POSITIONS = 200, 5, 3
COLOURS = ("blue", "green", "red")
LOGGED = {"blue": (32, 16, 8, 4, 4), "green": (4, 8, 16, 32, 4), "red": (16, 16, 16, 8, 8)}
WANTED = {"blue": (8, 8, 16, 16, 16), "green": (40, 8, 8, 4, 4), "red": (4, 4, 4, 4, 48)}


def decisions():
    rng = random.Random(2019)
    for _ in range(ROWS):
        colour = rng.choice(COLOURS)
        age = rng.randrange(18, 80)
        position = rng.randrange(POSITIONS) + 1
        logged = [share / 64 for share in LOGGED[colour]]
        action = rng.choices(range(ACTIONS), logged)[0]
        chance = 0.15 + 0.1 * action + 0.3 * (COLOURS[action % 3] == colour) - 0.03 * position
        reward = int(rng.random() < chance)
        wanted = [share / 64 for share in WANTED[colour]]
        yield colour, age, position, logged, action, reward, wanted


def main():
    folder = pathlib.Path(__file__).resolve().parent / "data"
    folder.mkdir(exist_ok=True)
    with (open(folder / "small.csv", "w") as table, open(folder / "small.jsonl", "w") as lines,
          open(folder / "small.dsjson", "w") as events):
        table.write("time,action,reward,propensity,position,colour,age,wanted," +
                    ",".join(f"wanted_{a}" for a in range(ACTIONS)) + "\n")
        for t, (colour, age, position, logged, action, reward, wanted) in enumerate(decisions()):
            table.write(",".join(map(str, (t, action, reward, logged[action], position, colour, age,
                                           wanted[action], *wanted))) + "\n")
            lines.write(json.dumps({"action": action, "reward": reward, "position": position,
                                    "probabilities": logged, "wanted": wanted,
                                    "features": {"colour": colour, "age": age}}) + "\n")
            ranked = [action] + [a for a in range(ACTIONS) if a != action]
            events.write(json.dumps({
                "_label_cost": -reward, "_label_probability": logged[action],
                "_label_Action": action + 1, "_labelIndex": action, "EventId": f"e{t}",
                "a": [a + 1 for a in ranked], "c": {"user": {"colour": colour, "age": age},
                                                    "_multi": [{}] * ACTIONS},
                "p": [logged[a] for a in ranked], "wanted": wanted[action]}) + "\n")


main()
