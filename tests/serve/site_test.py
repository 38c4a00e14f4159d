"""What the service shows of itself: health, metrics, the files of the page and its numbers."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from server import PROGRAMS, Server, page

KEYED = {"Ocp-Apim-Subscription-Key": "another-key-of-tests"}


def metrics_of(text):
    """{name{labels}: value}"""
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def play(server, count, prefix="e"):
    """Decides `count` times; each third event gets a reward."""
    for i in range(count):
        status, _, _ = server.post("/rank", page(f"{prefix}{i}"))
        assert status == 201
        if i % 3 == 0:
            assert server.post(f"/events/{prefix}{i}/reward", {"value": 1})[0] == 204


def look(server, minutes=10, **more):
    status, answer, headers = server.get(f"/overview?minutes={minutes}", base="", **more)
    assert status == 200, answer
    return answer


class Site(unittest.TestCase):
    def test_health_needs_no_key_and_says_nothing_about_anybody(self):
        with Server() as server:
            for path, status in (("/healthz", "ok"), ("/readyz", "ready")):
                code, answer, _ = server.get(path, base="", headers={"Ocp-Apim-Subscription-Key": ""})
                self.assertEqual((code, answer), (200, {"status": status}))
            self.assertEqual(server.call("POST", "/healthz", base="")[0], 405)

    def test_it_is_not_ready_while_a_log_cannot_be_written(self):
        import resource
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
        with Server(limit=limit) as server:
            for i in range(2000):
                if server.post("/rank", page(f"e{i}", contextFeatures=[{"x": "y" * 1000}]))[0] == 429:
                    break
            code, answer, _ = server.get("/readyz", base="")
            self.assertEqual((code, answer["status"]), (503, "not ready"))
            self.assertEqual(server.get("/healthz", base="")[0], 200)
            time.sleep(1.2)
            self.assertIn("error a log cannot be written", server.log())

    def test_metrics_count_what_was_done(self):
        with Server() as server:
            play(server, 9)
            server.post("/events/nobody/reward", {"value": 1})
            server.post("/rank", {"actions": []})
            time.sleep(1.1)  # the census is a second old at most
            code, text, headers = server.get("/metrics", base="", raw=True)
            self.assertEqual(code, 200)
            self.assertEqual(headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            seen = metrics_of(text.decode())
            app = 'application="default"'
            for name, value in {
                    f"phe_decisions_total{{{app}}}": 9, f"phe_log_events{{{app}}}": 9,
                    f"phe_log_waiting_events{{{app}}}": 6, f"phe_log_rewards{{{app}}}": 3,
                    f"phe_log_late_rewards{{{app}}}": 0, f"phe_log_lessons{{{app}}}": 3,
                    f"phe_log_failing{{{app}}}": 0, f"phe_exploration_ratio{{{app}}}": 0.05,
                    f'phe_rewards_total{{{app},fate="counted"}}': 3,
                    f'phe_rewards_total{{{app},fate="unknown_event"}}': 1,
                    'phe_http_requests_total{operation="rank",status="201"}': 9,
                    'phe_http_requests_total{operation="rank",status="400"}': 1,
                    'phe_http_requests_total{operation="reward",status="204"}': 4,
                    'phe_http_request_duration_seconds_count{operation="rank"}': 10,
                    'phe_http_request_duration_seconds_bucket{operation="rank",le="+Inf"}': 10,
                    "phe_http_connections": 1}.items():
                self.assertEqual(seen.get(name), value, name)
            self.assertGreater(seen["process_cpu_seconds_total"], 0)

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_promtool_has_nothing_to_say_about_the_metrics(self):
        with Server() as server:
            play(server, 5)
            text = server.get("/metrics", base="", raw=True)[1]
        done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, b""))

    def test_documented_metrics_are_those_that_are_there(self):
        text = (pathlib.Path(__file__).parents[2] / "docs/service.md").read_text()
        documented = set(re.findall(r"^\| `((?:phe|process)_[a-z_]+)", text, re.M))
        with Server() as server:
            there = set(re.findall(r"^# TYPE (\S+)", server.get("/metrics", base="", raw=True)[1].decode(), re.M))
        self.assertEqual(documented, there)

    def test_a_key_shows_its_own_application_and_one_of_default_shows_all(self):
        with Server() as server:
            subprocess.run([PROGRAMS / "phe-serve", "key", "add", f"--data={server.data}", "--application=news",
                            f"--key={KEYED['Ocp-Apim-Subscription-Key']}"], check=True, capture_output=True)
            time.sleep(1.5)
            names = lambda answer: [row["name"] for row in answer["applications"]]
            self.assertEqual(names(look(server)), ["default", "news"])
            own = look(server, headers=KEYED)
            self.assertEqual((own["application"], names(own)), ("news", ["news"]))
            text = server.get("/metrics", base="", raw=True, headers=KEYED)[1].decode()
            self.assertIn('application="news"', text)
            self.assertNotIn('application="default"', text)
            for path in ("/metrics", "/overview"):
                self.assertEqual(server.get(path, base="", headers={"Ocp-Apim-Subscription-Key": "wrong"})[0], 401)

    def test_the_files_of_the_page_are_those_of_the_sources(self):
        sources = pathlib.Path(__file__).parents[2] / "src/page"
        library = pathlib.Path("/usr/share/javascript/dygraphs")
        files = {"/": sources / "service.html", "/page/service.js": sources / "service.js",
                 "/page/charts.js": sources / "charts.js", "/page/page.css": sources / "page.css",
                 "/page/icon.svg": sources / "icon.svg", "/page/dygraph.js": library / "dygraph.min.js",
                 "/page/dygraph.css": library / "dygraph.min.css"}
        with Server() as server:
            for path, file in files.items():
                code, text, headers = server.get(path, base="", raw=True, headers={"Ocp-Apim-Subscription-Key": ""})
                self.assertEqual((code, text), (200, file.read_bytes()), path)
                policy = headers["Content-Security-Policy"]
                self.assertTrue(policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';"), policy)
                self.assertNotIn("unsafe", policy)
            self.assertEqual(server.get("/page/nothing.js", base="")[0], 404)

    def test_a_range_that_is_none_is_refused(self):
        with Server() as server:
            for query in ("?minutes=7", "?minutes=", "?hours=1"):
                code, answer, _ = server.get("/overview" + query, base="")
                self.assertEqual(code, 400)
                self.assertIn("minutes must be 10, 60, 360 or 1440", answer["error"]["message"])

    def test_numbers_of_the_page_are_those_of_the_api(self):
        with Server() as server:
            server.configure(rewardWaitTime="00:00:01")
            play(server, 60)
            time.sleep(1.5)
            server.post("/events/e1/reward", {"value": 1})  # late
            time.sleep(1.2)
            shown = look(server)
            _, known, _ = server.get("/model/properties")
            for key in ("events", "waitingEvents", "rewards", "lateRewards"):
                self.assertEqual(shown["log"][key], known[key], key)
            self.assertEqual(shown["log"]["expiredEvents"], 40)
            self.assertIsNone(shown["store"])  # that of many nodes: cluster_test.py
            self.assertEqual(shown["activity"]["decisions"], 60)
            self.assertEqual(shown["activity"]["lateRewards"], 1)
            self.assertEqual(shown["model"]["lessons"], 60)
            self.assertEqual(round(sum(rate for _, rate, _ in shown["rates"])), 360)  # per minute, by tens of seconds
            self.assertEqual(shown["configuration"], server.get("/configurations/service", base="/personalizer/v1.1-preview.3")[1])

    def test_estimates_are_those_of_phe_evaluate(self):
        with Server() as server:
            server.configure(rewardWaitTime="00:00:01")
            play(server, 150)
            shown, wanted = {}, time.time() + 25
            while time.time() < wanted and shown.get("events") != 150:
                time.sleep(0.5)
                shown = look(server)["estimates"]
            log = server.data / "log.jsonl"
            log.write_bytes(subprocess.run([PROGRAMS / "phe-serve", "export", f"--data={server.data}"],
                                           check=True, capture_output=True).stdout)
            for target, name in (("always=0", "baseline"), ("uniform", "uniform")):
                told = subprocess.run([PROGRAMS / "phe", "evaluate", log, "--target", target, "--json", "--rewards=-1,1"],
                                      capture_output=True, text=True)
                self.assertEqual(told.returncode, 0, told.stderr)
                part = json.loads(told.stdout)
                snips = next(e for e in part["estimates"] if e["estimator"] == "snips")
                low, value, high = shown[name]
                self.assertAlmostEqual(value, snips["value"], 9)
                self.assertAlmostEqual(high - low, 2 * 1.959963984540054 * snips["se"], 9)
                self.assertAlmostEqual(shown["policy"][1], part["on_policy"]["value"], 9)
            self.assertTrue(shown["everyEventRead"])

    def test_log_lines_are_json_where_asked_for(self):
        with Server("--log-format=json", "--log-level=debug") as server:
            play(server, 1)
            server.stop()
            lines = [json.loads(line) for line in server.log().splitlines()]
        self.assertEqual([line["event"] for line in lines],
                         ["started", "request", "request", "stopping", "stopped"])
        self.assertEqual({k: lines[1][k] for k in ("level", "path", "status")},
                         {"level": "debug", "path": "/rank", "status": 201})
        self.assertNotIn("e0", json.dumps(lines))


if __name__ == "__main__":
    unittest.main(verbosity=1)
