#!/usr/bin/env python3
"""It learns: a contextual problem with known truth, played through HTTP with rewards that are late, out of
order, missing and sent twice, costs what the same policy costs in a simulation."""
import json
import os
import subprocess
import unittest

from server import KEY, PROGRAMS, Server

RUNS = os.environ.get("PHE_SERVE_RUNS", "20")


class Learning(unittest.TestCase):
    def play(self, server, *flags):
        command = [PROGRAMS / "phe-load", "play", f"--url={server.url}", f"--key={KEY}", *flags]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def test_regret_is_that_of_the_simulation(self):
        with Server("--durability=async") as s:
            result = self.play(s, "--runs", RUNS, "--rounds", "2000")
            print(json.dumps(result))
            self.assertEqual(result["failed"], 0)
            # Within 10 %, and two standard errors of both means for chance.
            noise = 2 * (result["served_se"] ** 2 + result["simulated_se"] ** 2) ** 0.5
            self.assertLess(result["served"], 1.1 * result["simulated"] + noise)
            self.assertGreater(result["served"], 0.9 * result["simulated"] - noise)

    def test_an_apprentice_comes_to_agree_with_its_baseline(self):
        with Server("--durability=async") as s:
            result = self.play(s, "--apprentice", "--runs", "3", "--rounds", "2000")
            print(json.dumps(result))
            self.assertGreater(result["match"], 0.6)


if __name__ == "__main__":
    unittest.main(verbosity=1)
