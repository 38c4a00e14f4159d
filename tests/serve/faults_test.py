#!/usr/bin/env python3
"""What is promised when things go wrong: kills, a full disk, torn files, an orderly end.

PHE_SERVE_KILLS says how often it is killed (10; `make serve-test` asks for 100)."""
import http.client
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest

from server import BASE, KEY, PROGRAMS, Server, page


class Load(threading.Thread):
    """Ranks and rewards as fast as they are answered, until the server goes or stop is set."""

    def __init__(self, port, name, numbers, acked, refused):
        super().__init__()
        self.port, self.prefix, self.numbers = port, name, numbers
        self.acked, self.refused = acked, refused  # {event: reward or None}, [(status, body)]
        self.stop = threading.Event()
        self.cut = 0  # requests that were sent and not answered

    def call(self, client, path, body):
        head = {"Ocp-Apim-Subscription-Key": KEY, "Content-Type": "application/json"}
        client.request("POST", BASE + path, json.dumps(body), head)
        answer = client.getresponse()
        return answer.status, answer.read(), answer.getheader("Connection") != "close"

    def run(self):
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            while not self.stop.is_set():
                event = f"{self.prefix}-{next(self.numbers)}"
                status, body, more = self.call(client, "/rank", page(event))
                if status != 201:
                    self.refused.append((status, body))
                    continue
                self.acked[event] = None
                if not more:
                    return
                value = random.choice((0, 0.5, 1))
                status, body, more = self.call(client, f"/events/{event}/reward", {"value": value})
                if status == 204:
                    self.acked[event] = value
                else:
                    self.refused.append((status, body))
                if not more:
                    return
        except (OSError, http.client.HTTPException):
            self.cut += 1
        finally:
            client.close()


def stored(data):
    """The log as another program sees it."""
    with sqlite3.connect(f"file:{data / 'default.db'}?mode=ro", uri=True) as log:
        assert log.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        events = log.execute("SELECT id, reward, lesson FROM events").fetchall()
        rewards = log.execute("SELECT event, count(*) FROM rewards GROUP BY event").fetchall()
        bodies = log.execute("SELECT count(*) FROM bodies").fetchone()[0]
    return events, rewards, bodies


class Faults(unittest.TestCase):
    def check(self, data, acked):
        events, rewards, bodies = stored(data)
        ids = [event[0] for event in events]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(bodies, len(ids))
        by_id = {event[0]: event for event in events}
        for event, reward in acked.items():
            self.assertIn(event, by_id)
            if reward is not None:
                self.assertEqual(by_id[event][1], reward)
        self.assertTrue(all(count == 1 for _, count in rewards))
        lessons = sorted(event[2] for event in events if event[2] is not None)
        self.assertEqual(lessons, list(range(1, len(lessons) + 1)))
        return len(lessons)

    def test_kills_lose_nothing_that_was_acknowledged(self):
        kills = int(os.environ.get("PHE_SERVE_KILLS", "10"))
        numbers = iter(range(10**9))
        acked, refused = {}, []
        with Server("--dimension=16") as s:
            for turn in range(kills):
                loads = [Load(s.port, f"{turn}-{i}", numbers, acked, refused) for i in range(4)]
                for load in loads:
                    load.start()
                time.sleep(random.uniform(0.05, 0.3))
                self.assertEqual(s.stop(signal.SIGKILL), -signal.SIGKILL)
                for load in loads:
                    load.stop.set()
                    load.join()
                s.start()
            self.assertEqual(refused, [])
            self.assertGreater(len(acked), 5 * kills)
            for _ in range(100):
                learnt = s.get("/model/properties")[1]["learnedEvents"]
                if learnt >= sum(r is not None for r in acked.values()):
                    break
                time.sleep(0.05)
            lessons = self.check(s.data, acked)
            self.assertEqual(s.get("/model/properties")[1]["learnedEvents"], lessons)
            # A client that was cut off asks again and gets the same event, once.
            event = next(iter(acked))
            self.assertEqual(s.post("/rank", page(event))[0], 201)
            self.check(s.data, acked)
            print(f"{kills} kills, {len(acked)} acknowledged events, {lessons} lessons")

    def test_a_kill_changes_no_ranking(self):
        with Server("--dimension=16") as s:
            s.configure(modelExportFrequency="PT0S")
            for i in range(40):
                s.post("/rank", page(f"e{i}"))
                s.post(f"/events/e{i}/reward", {"value": i % 2})
            time.sleep(0.5)
            before = s.call("GET", "/model", raw=True)[1]
            s.stop(signal.SIGKILL)
            s.start()
            self.assertEqual(s.call("GET", "/model", raw=True)[1], before)

    def test_a_full_disk_is_told_and_loses_nothing(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3 << 20, resource.RLIM_INFINITY))
        acked, refused = {}, []
        with Server("--dimension=16", limit=limit) as s:
            load = Load(s.port, "full", iter(range(10**9)), acked, refused)
            load.start()
            for _ in range(600):
                if len(refused) > 50:
                    break
                time.sleep(0.05)
            load.stop.set()
            load.join()
            self.assertGreater(len(refused), 50)
            self.assertEqual({status for status, _ in refused}, {429})
            self.assertIn(b"LogUnavailable", refused[0][1])
            self.assertEqual(s.get("/configurations/service")[0], 200)
            s.stop()
            s.limit = None
            s.start()
            self.assertEqual(s.post("/rank", page("after"))[0], 201)
            self.check(s.data, acked)

    def test_an_orderly_end_answers_what_was_asked(self):
        acked, refused = {}, []
        numbers = iter(range(10**9))
        with Server("--dimension=16") as s:
            loads = [Load(s.port, f"t{i}", numbers, acked, refused) for i in range(4)]
            for load in loads:
                load.start()
            time.sleep(0.5)
            self.assertEqual(s.stop(signal.SIGTERM), 0)
            for load in loads:
                load.stop.set()
                load.join()
            self.assertEqual(refused, [])
            # A connection may be closed between two requests, and a request then meets a closed one:
            # at most the one that each had just sent.
            self.assertLessEqual(sum(load.cut for load in loads), len(loads))
            s.start()
            self.check(s.data, acked)

    def test_torn_files_are_named_or_mended(self):
        with Server("--dimension=16") as s:
            for i in range(200):
                s.post("/rank", page(f"e{i}"))
            s.stop(signal.SIGKILL)
            with tempfile.TemporaryDirectory() as name:
                # The end of the write-ahead log is lost: what was committed before it is there.
                torn = pathlib.Path(name) / "wal"
                shutil.copytree(s.data, torn)
                wal = torn / "default.db-wal"
                os.truncate(wal, wal.stat().st_size * 2 // 3)
                with Server("--dimension=16", data=torn) as again:
                    self.assertGreater(again.get("/model/properties")[1]["events"], 0)
                    self.assertEqual(again.post("/rank", page("more"))[0], 201)
                # The file itself is cut, or not a database: refused, and told so.
                s.start()
                s.stop()
                for what, bytes_ in (("short", None), ("nonsense", b"nonsense" * 4096)):
                    folder = pathlib.Path(name) / what
                    shutil.copytree(s.data, folder)
                    file = folder / "default.db"
                    if bytes_ is None:
                        os.truncate(file, file.stat().st_size // 3)
                    else:
                        file.write_bytes(bytes_)
                    done = subprocess.run([PROGRAMS / "phe-serve", f"--data={folder}", "--listen=127.0.0.1:0"],
                                          capture_output=True, text=True, timeout=30)
                    self.assertEqual(done.returncode, 1, what)
                    self.assertIn("default", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
