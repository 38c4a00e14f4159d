#!/usr/bin/env python3
"""Many nodes on one Redis: what is acknowledged is neither lost nor counted twice, and all nodes come to the same model, to
the byte, when nodes are killed, Redis is killed, or a node is cut off.

PHE_CLUSTER_CUT says for how many seconds a node is cut off (4; `make cluster-test` asks for 60), PHE_CLUSTER_EVENTS how many
events the long test has (0: it is left out; `make cluster-test` asks for 100,000)."""
import concurrent.futures
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from cluster import (Cluster, Proxy, Redis, agree, log_of, merged, model_of, properties, start_callers)
from server import PROGRAMS, page

CUT = float(os.environ.get("PHE_CLUSTER_CUT", "4"))
EVENTS = int(os.environ.get("PHE_CLUSTER_EVENTS", "0"))


class Nodes(unittest.TestCase):
    def check(self, nodes, callers, divided=False):
        """Every log has all that was acknowledged, each once, and the same lessons; how many those are. Where the store was
        away, two nodes may have answered two ranks of one id differently; it is one event all the same."""
        ranked, rewarded, tried = (merged(callers, name) for name in ("ranked", "rewarded", "tried"))
        if not divided:
            self.assertEqual([event for event, answers in ranked.items() if len(answers) > 1], [])
        logs = [log_of(node) for node in nodes]
        for events, rewards in logs:
            self.assertEqual(set(ranked) - set(events), set())
            for event, answers in ranked.items():
                self.assertIn(events[event][3], answers)
            for event, value in rewarded.items():
                self.assertEqual(events[event][0], value)
                self.assertEqual(rewards[event, f"call-{event}"], 1)
            for event, (reward, outcome, lesson, _) in events.items():
                if event in tried and reward is not None:
                    self.assertEqual(reward, tried[event])
                self.assertEqual(lesson is None, outcome is None)
            lessons = sorted(lesson for _, _, lesson, _ in events.values() if lesson is not None)
            self.assertEqual(lessons, list(range(1, len(lessons) + 1)))
            self.assertEqual(events, logs[0][0])
            self.assertEqual(rewards, logs[0][1])
        self.assertEqual(len({properties(node)["learnedEvents"] for node in nodes}), 1)
        self.assertEqual(properties(nodes[0])["learnedEvents"], len(lessons))
        return len(lessons)

    def no_faults(self, callers):
        return {status for _, status in merged(callers, "statuses")} <= {201, 204}

    def test_all_nodes_learn_what_each_was_told(self):
        with Redis() as redis, Cluster(redis) as nodes:
            callers = start_callers(nodes, most=100)
            for caller in callers:
                caller.join()
            self.assertTrue(self.no_faults(callers), merged(callers, "statuses"))
            agree(nodes)
            self.assertEqual(self.check(nodes, callers), 400)
            # The same model draws the same: new ids, without learning in between.
            answers = [[node.post("/rank", page(f"q{i}", deferActivation=True))[1] for i in range(20)] for node in nodes]
            self.assertEqual(answers[0], answers[1])
            self.assertEqual(answers[0], answers[2])
            self.assertEqual(properties(nodes[0])["store"]["risks"], [])

    def test_an_event_id_is_one_event_on_all_nodes(self):
        with Redis() as redis, Cluster(redis) as nodes, concurrent.futures.ThreadPoolExecutor(3) as pool:
            # Other actions on each node, so that they would not come to the same answer by themselves.
            actions = [[{"id": f"{n}{k}", "features": [{"k": k}]} for k in range(4)] for n in range(3)]
            for i in range(60):
                answers = list(pool.map(lambda n: nodes[n].post("/rank", page(f"e{i}", actions=actions[n]))[1], range(3)))
                self.assertEqual(answers[0], answers[1])
                self.assertEqual(answers[0], answers[2])
            agree(nodes)
            for node in nodes:
                self.assertEqual(properties(node)["events"], 60)

    def test_sums_and_defaults_are_settled_by_the_time_of_the_stream(self):
        with Redis() as redis, Cluster(redis) as nodes:
            nodes[1].configure(rewardWaitTime="PT1S", rewardAggregation="sum", defaultReward=-0.25)
            agree(nodes)
            self.assertEqual(nodes[0].get("/configurations/service")[1]["rewardAggregation"], "sum")
            for i in range(30):
                self.assertEqual(nodes[i % 3].post("/rank", page(f"e{i}"))[0], 201)
                for part in range(i % 3):
                    nodes[(i + part + 1) % 3].post(f"/events/e{i}/reward", {"value": 0.25}, headers={"x-ms-client-request-id": f"r{part}"})
                    nodes[(i + part + 2) % 3].post(f"/events/e{i}/reward", {"value": 0.25}, headers={"x-ms-client-request-id": f"r{part}"})
            deadline = time.monotonic() + 10
            while properties(nodes[0])["waitingEvents"] and time.monotonic() < deadline:
                time.sleep(0.1)
            agree(nodes)
            for node in nodes:
                events, _ = log_of(node)
                for i in range(30):
                    self.assertEqual(events[f"e{i}"][1], -0.25 if i % 3 == 0 else 0.25 * (i % 3))
            # Too late: logged, not learnt.
            before = model_of(nodes[0])
            self.assertEqual(nodes[2].post("/events/e1/reward", {"value": 1})[0], 204)
            self.assertEqual(agree(nodes), before)
            self.assertEqual(properties(nodes[0])["lateRewards"], 1)

    def test_what_an_administrator_does_on_one_node_holds_on_all(self):
        with Redis() as redis, Cluster(redis) as nodes:
            def play(name):
                for i in range(30):
                    nodes[i % 3].post("/rank", page(f"{name}{i}"))
                    nodes[(i + 1) % 3].post(f"/events/{name}{i}/reward", {"value": i % 2})
            play("a")
            first = agree(nodes)
            self.assertEqual(nodes[0].call("PUT", "/configurations/policy", {"name": "ts", "arguments": "lints"})[0], 200)
            second = agree(nodes)
            self.assertNotEqual(first, second)
            self.assertEqual(nodes[2].get("/configurations/policy")[1]["arguments"], "lints")
            self.assertEqual({properties(n)["learnedEvents"] for n in nodes}, {30})
            play("b")
            third = agree(nodes)
            self.assertEqual({properties(n)["learnedEvents"] for n in nodes}, {60})
            self.assertEqual(nodes[1].call("DELETE", "/model")[0], 204)
            agree(nodes)
            self.assertEqual({properties(n)["learnedEvents"] for n in nodes}, {0})
            self.assertEqual(nodes[2].call("PUT", "/model", third, raw=True)[0], 204)
            self.assertEqual(agree(nodes), third)
            play("c")
            agree(nodes)
            self.assertEqual(nodes[0].call("DELETE", "/logs")[0], 204)
            agree(nodes)
            self.assertEqual(nodes[1].get("/model/properties")[1]["waitingEvents"], 0)
            # An id that was forgotten is a new event.
            self.assertEqual(nodes[1].post("/rank", page("a1"))[0], 201)
            last = agree(nodes)
            for node in nodes:
                node.stop(signal.SIGKILL)
                node.start()
            self.assertEqual(agree(nodes), last)

    def test_a_killed_node_loses_nothing_that_it_acknowledged(self):
        with Redis() as redis, Cluster(redis) as nodes:
            callers = start_callers(nodes)
            for turn in range(4):
                time.sleep(0.5)
                victim = nodes[turn % 3]
                victim.stop(signal.SIGKILL)
                time.sleep(0.2)
                victim.start()
            time.sleep(0.5)
            for caller in callers:
                caller.end()
            self.assertLessEqual({status for _, status in merged(callers, "statuses")}, {201, 204, None})
            agree(nodes)
            lessons = self.check(nodes, callers)
            print(f"4 kills of a node: {len(merged(callers, 'ranked'))} events acknowledged, {lessons} lessons")

    def redis_is_killed(self, mode):
        with Redis() as redis, Cluster(redis, f"--when-store-is-away={mode}") as nodes:
            callers = start_callers(nodes)
            for _ in range(2):
                time.sleep(0.7)
                redis.stop(signal.SIGKILL)
                time.sleep(1.0)
                away = properties(nodes[0])["store"]
                self.assertFalse(away["connected"])
                self.assertNotEqual(away["problem"], "")
                redis.start()
                time.sleep(1.0)
            for caller in callers:
                caller.end()
            statuses = merged(callers, "statuses")
            allowed = {("rank", 201), ("reward", 204)} | ({("reward", 429)} if mode == "refuse" else set())
            self.assertLessEqual(set(statuses), allowed, statuses)
            agree(nodes)
            lessons = self.check(nodes, callers, divided=True)
            refused = sum(properties(node)["store"]["refused"] for node in nodes)
            self.assertEqual(refused > 0, mode == "refuse")
            print(f"2 kills of Redis, {mode}: {statuses}, {lessons} lessons, slowest rank "
                  f"{max(c.slowest for c in callers):.2f} s")

    def test_ranks_go_on_while_redis_is_away_and_rewards_are_refused(self):
        self.redis_is_killed("refuse")

    def test_ranks_and_rewards_go_on_while_redis_is_away_where_they_are_buffered(self):
        self.redis_is_killed("buffer")

    def test_the_page_and_the_metrics_say_how_the_store_stands(self):
        def overview(node):
            return node.get("/overview?minutes=10", base="")[1]

        def metric(node, name):
            text = node.get("/metrics", base="", raw=True)[1].decode()
            return float(next(line for line in text.splitlines() if line.startswith(f"phe_store_{name}{{")).rsplit(" ", 1)[1])

        with Redis(fsync="everysec") as redis, Cluster(redis, count=1) as (node,):
            for i in range(10):
                self.assertEqual(node.post("/rank", page(f"e{i}"))[0], 201)
            agree([node])
            shown = overview(node)
            self.assertEqual(shown["store"], properties(node)["store"])
            self.assertTrue(shown["store"]["connected"] and shown["applications"][0]["storeConnected"])
            self.assertEqual(shown["store"]["rewardsWhileAway"], "refuse")
            self.assertIn("appendfsync everysec", "".join(shown["store"]["risks"]))
            self.assertEqual([metric(node, name) for name in ("connected", "buffered_calls", "refused_total", "entries_total")],
                             [1, 0, 0, shown["store"]["folded"]])
            redis.stop(signal.SIGKILL)
            deadline = time.monotonic() + 10
            while overview(node)["store"]["connected"] and time.monotonic() < deadline:
                time.sleep(0.05)
            for i in range(3):
                self.assertEqual(node.post("/rank", page(f"f{i}"))[0], 201)
            for i in range(2):
                self.assertEqual(node.post(f"/events/e{i}/reward", {"value": 1})[0], 429)
            shown = overview(node)
            self.assertEqual(shown["store"]["connected"] or shown["applications"][0]["storeConnected"], False)
            self.assertNotEqual(shown["store"]["problem"], "")
            self.assertEqual((shown["store"]["buffered"], shown["store"]["refused"]), (3, 2))
            self.assertEqual([metric(node, name) for name in ("connected", "buffered_calls", "refused_total")], [0, 3, 2])
            self.assertEqual(node.get("/readyz", base="")[:2], (200, {"status": "ready", "store": "away"}))
            redis.start()
            agree([node])
            shown = overview(node)["store"]
            self.assertEqual((shown["connected"], shown["buffered"], shown["problem"]), (True, 0, ""))

    def test_a_node_that_was_cut_off_comes_back_with_all_it_acknowledged(self):
        with Redis() as redis:
            cluster = Cluster(redis, "--when-store-is-away=buffer", "--store-timeout=300", proxied=True)
            with cluster as nodes:
                callers = start_callers(nodes)
                time.sleep(0.5)
                cluster.proxies[2].cut.set()
                time.sleep(CUT)
                away = properties(nodes[2])["store"]
                self.assertFalse(away["connected"])
                self.assertGreater(away["buffered"], 0)
                self.assertTrue(properties(nodes[0])["store"]["connected"])
                # Even if it is killed before it is back.
                for caller in callers:
                    caller.end()
                nodes[2].stop(signal.SIGKILL)
                nodes[2].start()
                self.assertGreater(properties(nodes[2])["store"]["buffered"], 0)
                more = start_callers(nodes)
                time.sleep(0.5)
                cluster.proxies[2].cut.clear()
                time.sleep(1.0)
                for caller in more:
                    caller.end()
                statuses = merged(callers + more, "statuses")
                self.assertLessEqual(set(statuses), {("rank", 201), ("reward", 204)}, statuses)
                agree(nodes, 60)
                lessons = self.check(nodes, callers + more, divided=True)
                print(f"a node cut off for {CUT:g} s: {statuses}, {lessons} lessons, "
                      f"slowest rank {max(c.slowest for c in callers + more):.2f} s")

    def test_a_new_node_starts_from_the_snapshot_and_the_tail(self):
        with Redis() as redis:
            cluster = Cluster(redis, "--snapshot-every=1", count=2)
            with cluster as nodes:
                def play(name, count):
                    for i in range(count):
                        nodes[i % 2].post("/rank", page(f"{name}{i}"))
                        if i % 4:
                            nodes[(i + 1) % 2].post(f"/events/{name}{i}/reward", {"value": i % 3 / 2})
                play("a", 60)
                agree(nodes)
                # A node that stays behind: it will find its place gone.
                nodes[1].stop(signal.SIGKILL)
                nodes[1], late = nodes[0], nodes[1]
                # DELETE /logs trims the stream with the next snapshot, and so does the end of --store-hours.
                self.assertEqual(nodes[0].call("DELETE", "/logs")[0], 204)
                play("b", 40)
                deadline = time.monotonic() + 10
                while int(redis.cli("XLEN", "phe:{default}:stream")) > 100 and time.monotonic() < deadline:
                    play("c", 1)
                    time.sleep(0.2)
                self.assertNotEqual(redis.cli("GET", "phe:{default}:trimmed").strip(), "")
                self.assertLess(int(redis.cli("XLEN", "phe:{default}:stream")), 100)
                play("d", 40)
                with cluster.node() as fresh:
                    late.start()
                    everyone = [nodes[0], fresh, late]
                    agree(everyone)
                    # Events that were open when the snapshot was made are open, and are learnt, on all three.
                    self.assertEqual(fresh.post("/events/b0/reward", {"value": 1})[0], 204)
                    self.assertEqual(late.post("/events/d0/reward", {"value": 0.5})[0], 204)
                    before = properties(nodes[0])["learnedEvents"]
                    agree(everyone)
                    self.assertEqual({properties(n)["learnedEvents"] for n in everyone}, {properties(nodes[0])["learnedEvents"]})
                    self.assertGreaterEqual(properties(nodes[0])["learnedEvents"], before)
                    self.assertEqual(log_of(fresh)[0]["b0"][0], 1)
                nodes[1] = late

    def test_events_that_redis_lost_are_forgotten_by_all_nodes_alike(self):
        """As `appendfsync everysec` may: the end of the append-only file is gone after a crash."""
        with Redis() as redis, Cluster(redis) as nodes:
            for i in range(20):
                nodes[i % 3].post("/rank", page(f"a{i}"))
                nodes[i % 3].post(f"/events/a{i}/reward", {"value": 1})
            before = agree(nodes)
            folder = os.path.join(redis.folder.name, "appendonlydir")
            shutil.copytree(folder, folder + "-old")
            for i in range(20):
                nodes[i % 3].post("/rank", page(f"b{i}"))
                nodes[i % 3].post(f"/events/b{i}/reward", {"value": 0})
            self.assertNotEqual(agree(nodes), before)
            redis.stop(signal.SIGKILL)
            shutil.rmtree(folder)
            os.rename(folder + "-old", folder)
            redis.start()
            deadline = time.monotonic() + 20
            while any(properties(n)["events"] != 20 for n in nodes) and time.monotonic() < deadline:
                time.sleep(0.1)
            self.assertEqual(agree(nodes), before)
            self.assertEqual(nodes[0].post("/rank", page("c"))[0], 201)
            self.assertEqual(nodes[1].post("/events/c/reward", {"value": 1})[0], 204)
            agree(nodes)
            self.assertEqual({properties(n)["learnedEvents"] for n in nodes}, {21})

    def test_refusals_name_what_is_wrong_and_no_password(self):
        def start(data, *flags):
            done = subprocess.run([PROGRAMS / "phe-serve", f"--data={data}", "--listen=127.0.0.1:0", *flags],
                                  capture_output=True, text=True, timeout=30)
            return done.returncode, done.stdout + done.stderr
        with Redis(password="hush-hush") as redis, tempfile.TemporaryDirectory() as folder:
            code, text = start(folder + "/a", f"--store={redis.url}")
            self.assertEqual(code, 1)
            self.assertIn("NOAUTH", text)
            code, text = start(folder + "/a", f"--store=redis://:wrong-word@127.0.0.1:{redis.port}")
            self.assertEqual(code, 1)
            self.assertNotIn("wrong-word", text)
            code, text = start(folder + "/a", "--store=http://:wrong-word@127.0.0.1")
            self.assertEqual(code, 2)
            self.assertNotIn("wrong-word", text)
            code, text = start(folder + "/b", "--store=redis://127.0.0.1:1")
            self.assertEqual(code, 1)
            self.assertIn("127.0.0.1:1", text)
            from server import Server
            with Server(f"--store=redis://:hush-hush@127.0.0.1:{redis.port}", "--dimension=16") as node:
                self.assertEqual(node.post("/rank", page("e"))[0], 201)
                self.assertIn(f"store {redis.url}/0", node.lines)
                node.stop()
                self.assertNotIn("hush-hush", node.last_log + "".join(node.lines))
                code, text = start(node.data, "--key=12345678")
                self.assertEqual(code, 1)
                self.assertIn("--store", text)
                code, text = start(folder + "/c", f"--store=redis://:hush-hush@127.0.0.1:{redis.port}", "--dimension=32")
                self.assertEqual(code, 1)
                self.assertIn("dimension 16", text)
                node.start()
            with Server("--dimension=16") as alone:
                alone.stop()
                code, text = start(alone.data, f"--store=redis://:hush-hush@127.0.0.1:{redis.port}", "--dimension=16")
                self.assertEqual(code, 1)
                self.assertIn("log of its own", text)
                alone.start()

    @unittest.skipIf(EVENTS == 0, "PHE_CLUSTER_EVENTS")
    def test_many_events_with_everything_going_wrong(self):
        """10^5 events, a fifth of all calls twice, while nodes are killed, Redis is killed and nodes are cut off, the first
        for CUT seconds."""
        begin = time.monotonic()
        with Redis() as redis:
            cluster = Cluster(redis, "--when-store-is-away=buffer", "--store-timeout=500", "--snapshot-every=5", proxied=True)
            with cluster as nodes:
                callers = start_callers(nodes, count=8, most=EVENTS // 8)
                turn = 0
                while any(caller.is_alive() for caller in callers):
                    time.sleep(5)
                    fault = turn % 3
                    if fault == 0:
                        nodes[turn // 3 % 3].stop(signal.SIGKILL)
                        nodes[turn // 3 % 3].start()
                    elif fault == 1:
                        redis.stop(signal.SIGKILL)
                        time.sleep(0.5)
                        redis.start()
                    else:
                        cluster.proxies[turn // 3 % 3].cut.set()
                        time.sleep(CUT if turn == 2 else 3)
                        cluster.proxies[turn // 3 % 3].cut.clear()
                    turn += 1
                for caller in callers:
                    caller.join()
                statuses = merged(callers, "statuses")
                self.assertLessEqual(set(statuses), {("rank", 201), ("reward", 204), ("rank", None), ("reward", None)}, statuses)
                agree(nodes, 120)
                lessons = self.check(nodes, callers, divided=True)
                print(f"{EVENTS} events, {turn} faults, {time.monotonic() - begin:.0f} s: {statuses}, "
                      f"{len(merged(callers, 'ranked'))} ranks and {len(merged(callers, 'rewarded'))} rewards acknowledged, "
                      f"{lessons} lessons")


if __name__ == "__main__":
    unittest.main(verbosity=1)
