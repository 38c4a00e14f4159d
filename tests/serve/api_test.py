#!/usr/bin/env python3
"""The API of the running program: statuses, bodies, headers, limits, keys, TLS."""
import json
import os
import pathlib
import socket
import ssl
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from server import BASE, KEY, PROGRAMS, Server, page


class Api(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--durability=async", "--max-body=20000", "--read-timeout=1").start()

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0
        assert KEY not in cls.server.log()

    def refused(self, answer, status, code):
        self.assertEqual(answer[0], status, answer)
        self.assertEqual(answer[1]["error"]["code"], code)
        self.assertTrue(answer[1]["error"]["message"])
        self.assertEqual(answer[2]["x-ms-error-code"], code)
        self.assertEqual(answer[2]["Access-Control-Allow-Origin"], "*")

    def test_rank_reward_activate_have_their_exact_codes(self):
        status, answer, headers = self.server.post("/rank", page("e1"))
        self.assertEqual(status, 201)
        self.assertTrue(headers["Content-Type"].startswith("application/json"))
        self.assertEqual({r["id"] for r in answer["ranking"]}, {"a", "b", "c"})
        self.assertAlmostEqual(sum(r["probability"] for r in answer["ranking"]), 1)
        self.assertEqual(answer["eventId"], "e1")
        self.assertEqual(self.server.post("/rank", page("e1"))[1], answer)
        self.assertEqual(self.server.post("/events/e1/reward", {"value": 1})[:2], (204, None))
        self.assertEqual(self.server.post("/events/e1/activate")[:2], (204, None))
        self.assertEqual(self.server.post("/events/unknown/reward", {"value": 1})[0], 204)
        self.assertEqual(len(self.server.post("/rank", page())[1]["eventId"]), 36)

    def test_all_versions_lead_to_the_same_handlers(self):
        for base in ("/personalizer/v1.0", "/personalizer/v1.1-preview.1", "/personalizer/v1.1-preview.2",
                     "/personalizer/v1.1-preview.3"):
            self.assertEqual(self.server.post("/rank", page(), base=base)[0], 201)
        self.assertEqual(
            self.server.post("/rank?api-version=2022-09-01-preview", page(), base="/personalizer")[0], 201)
        self.refused(self.server.post("/rank", page(), base="/personalizer/v9"), 404, "ResourceNotFound")
        self.refused(self.server.get("/nothing", base=""), 404, "ResourceNotFound")
        self.refused(self.server.get("/rank"), 405, "MethodNotAllowed")
        self.assertEqual(self.server.get("/configurations/service")[1]["rewardWaitTime"], "00:10:00")
        self.assertEqual(self.server.get("/configurations/service", base="/personalizer/v1.1-preview.3")[1]
                         ["rewardWaitTime"], "PT10M")

    def test_ids_are_percent_encoded(self):
        name = "a/b c%e?#"
        self.assertEqual(self.server.post("/rank", page(name))[0], 201)
        before = self.server.get("/model/properties")[1]["rewards"]
        path = f"/events/{urllib.parse.quote(name, safe='')}/reward"
        self.assertEqual(self.server.post(path, {"value": 0.5})[0], 204)
        self.assertEqual(self.server.get("/model/properties")[1]["rewards"], before + 1)

    def test_bad_requests_are_refused_by_their_codes(self):
        for body in ("", "{", "[]", {"actions": []}, page(excludedActions=["a", "b", "c"]), page("")):
            self.refused(self.server.post("/rank", body), 400, "InvalidRankRequest")
        for body in ("", {}, {"value": None}, {"value": "1"}, {"value": 1.5}):
            self.refused(self.server.post("/events/e/reward", body), 400, "InvalidRewardRequest")
        self.refused(self.server.post("/rank", "x" * 20001), 400, "PayloadSizeExceeded")
        self.refused(self.server.post("/multislot/rank", {}), 400, "InvalidMultiSlotApiAccess")
        self.refused(self.server.post("/events/" + "x" * 257 + "/reward", {"value": 1}), 400, "InvalidRequest")
        self.refused(self.server.post("/logs/interactions", b"x"), 501, "NotImplemented")
        self.refused(self.server.get("/evaluations/none"), 404, "EvaluationNotFound")

    def test_without_a_key_nothing_is_told(self):
        for key in ("", "wrong", KEY + "x", KEY[:-1]):
            answer = self.server.post("/rank", page(), headers={"Ocp-Apim-Subscription-Key": key})
            self.refused(answer, 401, "Unauthorized")
        bearer = {"Ocp-Apim-Subscription-Key": "", "Authorization": "Bearer " + KEY}
        self.assertEqual(self.server.post("/rank", page(), headers=bearer)[0], 201)

    def test_browsers_may_ask_first_without_a_key(self):
        status, _, headers = self.server.call("OPTIONS", "/rank", headers={"Ocp-Apim-Subscription-Key": ""})
        self.assertEqual(status, 204)
        self.assertEqual(headers["Access-Control-Allow-Origin"], "*")
        self.assertIn("POST", headers["Access-Control-Allow-Methods"])
        for name in ("content-type", "ocp-apim-subscription-key", "x-ms-command-name"):
            self.assertIn(name, headers["Access-Control-Allow-Headers"])
        self.assertTrue(headers["Access-Control-Max-Age"])

    def test_a_slow_client_is_cut_off_and_others_go_on(self):
        with socket.create_connection(("127.0.0.1", self.server.port)) as slow:
            slow.settimeout(10)
            slow.sendall(b"POST /personalizer/v1.0/rank HTTP/1.1\r\n")
            self.assertEqual(self.server.post("/rank", page())[0], 201)
            began = time.time()
            self.assertEqual(slow.recv(10), b"")
            self.assertLess(time.time() - began, 5)

    def test_what_is_not_http_is_told_so(self):
        for junk in (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"GET\r\n\r\n", b"A" * 20000):
            with socket.create_connection(("127.0.0.1", self.server.port)) as client:
                client.settimeout(10)
                client.sendall(junk)
                self.assertTrue(client.recv(1000).startswith(b"HTTP/1.1 400"), junk[:10])
        self.assertEqual(self.server.post("/rank", page())[0], 201)

    def test_requests_in_one_packet_are_answered_in_turn(self):
        one = (f"POST {BASE}/events/p/reward HTTP/1.1\r\nHost: x\r\nOcp-Apim-Subscription-Key: {KEY}\r\n"
               "Content-Length: 11\r\n\r\n{\"value\":1}").encode()
        with socket.create_connection(("127.0.0.1", self.server.port)) as client:
            client.settimeout(10)
            client.sendall(one * 3)
            text = b""
            while text.count(b"HTTP/1.1 204") < 3:
                more = client.recv(4096)
                self.assertTrue(more)
                text += more


class Administration(unittest.TestCase):
    def setUp(self):
        self.server = Server("--durability=async", "--dimension=32").start()

    def tearDown(self):
        self.server.__exit__()

    def play(self, count, reward=lambda action: float(action == "b"), prefix="p"):
        for i in range(count):
            _, answer, _ = self.server.post("/rank", page(f"{prefix}{i}"))
            self.server.post(f"/events/{prefix}{i}/reward", {"value": reward(answer["rewardActionId"])})

    def wait_learnt(self, count):
        for _ in range(200):
            if self.server.get("/model/properties")[1]["learnedEvents"] >= count:
                return
            time.sleep(0.05)
        self.fail(self.server.get("/model/properties"))

    def test_configuration_policy_model_and_logs(self):
        s = self.server
        self.assertEqual(s.configure(explorationPercentage=0.2, modelExportFrequency="PT0S")
                         ["explorationPercentage"], 0.2)
        bad = s.call("PUT", "/configurations/service", {"defaultReward": 3})
        self.assertEqual((bad[0], bad[1]["error"]["code"]), (400, "InvalidServiceConfiguration"))
        self.assertEqual(s.get("/logs/properties")[1]["error"]["code"], "LogsPropertiesNotFound")
        self.play(30)
        self.wait_learnt(30)
        dates = s.get("/logs/properties")[1]["dateRange"]
        self.assertLessEqual(dates["from"], dates["to"])
        self.assertEqual(s.get("/configurations/policy")[1]["name"], "linphe")
        put = s.call("PUT", "/configurations/policy", {"name": "mine", "arguments": "lints"})
        self.assertEqual(put[:2], (200, {"name": "mine", "arguments": "lints"}))
        refused = s.call("PUT", "/configurations/policy", {"name": "vw", "arguments": "--cb_explore_adf"})
        self.assertEqual((refused[0], refused[1]["error"]["code"]), (400, "InvalidPolicyConfiguration"))
        self.assertEqual(s.call("DELETE", "/configurations/policy")[1]["name"], "linphe")
        status, model, headers = s.call("GET", "/model?signed=true", raw=True)
        self.assertEqual((status, headers["Content-Type"]), (200, "application/octet-stream"))
        self.assertEqual(s.call("DELETE", "/model")[0], 204)
        self.assertEqual(s.get("/model/properties")[1]["learnedEvents"], 0)
        octets = {"Content-Type": "application/octet-stream"}
        self.assertEqual(s.call("PUT", "/model", model, headers=octets)[0], 204)
        self.assertEqual(s.get("/model/properties")[1]["learnedEvents"], 30)
        self.assertEqual(s.call("PUT", "/model", b"x", headers=octets)[1]["error"]["code"],
                         "InvalidModelImportFormat")
        self.assertEqual(s.call("PUT", "/model", model[:-1] + b"?", headers=octets)[1]["error"]["code"],
                         "InvalidModelImportSignature")
        self.assertEqual(s.call("DELETE", "/logs")[0], 204)
        self.assertEqual(s.get("/logs/properties")[0], 404)

    def test_evaluations_find_the_better_policy(self):
        s = self.server
        s.configure(explorationPercentage=0.5, modelExportFrequency="PT0S")
        empty = {"name": "x", "startTime": "2020-01-01T00:00:00Z", "endTime": "2020-01-02T00:00:00Z"}
        self.assertEqual(s.post("/evaluations", empty)[1]["error"]["code"], "NoLogsExistInDateRange")
        self.assertEqual(s.post("/evaluations", {"name": "x"})[1]["error"]["code"], "InvalidEvaluationContract")
        self.play(400)
        asked = {"name": "first", "startTime": "2020-01-01T00:00:00Z", "endTime": "2120-01-01T00:00:00Z",
                 "policies": [{"name": "greedier", "arguments": "lints"}]}
        status, answer, headers = s.post("/evaluations", asked)
        self.assertEqual(status, 201, answer)
        self.assertTrue(headers["Location"].endswith("/evaluations/" + answer["id"]))
        for _ in range(200):
            result = s.get("/evaluations/" + answer["id"])[1]
            if result["status"] != "pending":
                break
            time.sleep(0.05)
        self.assertEqual(result["status"], "completed", result)
        found = {r["policySource"]: r["totalSummary"] for r in result["policyResults"]}
        self.assertEqual(set(found), {"Online", "Baseline", "Random", "Custom"})
        # The truth: action b pays 1, the others 0. Baseline (always a) 0, uniform 1/3. The estimates'
        # own intervals are wide at 400 events; four of their standard errors.
        for source, truth in (("Baseline", 0), ("Random", 1 / 3)):
            error = found[source]["confidenceInterval"] / 1.96
            self.assertAlmostEqual(found[source]["averageReward"], truth, delta=4 * error + 1e-9)
        self.assertGreater(found["Online"]["averageReward"], 0.4)
        self.assertGreater(found["Custom"]["averageReward"], 0.5)
        self.assertEqual([e["id"] for e in s.get("/evaluations")[1]], [answer["id"]])
        applied = s.post("/configurations/applyFromEvaluation",
                         {"evaluationId": answer["id"], "policyName": "greedier"})
        self.assertEqual(applied[0], 204, applied)
        self.assertEqual(s.get("/configurations/policy")[1]["arguments"], "lints")
        self.assertEqual(s.call("DELETE", "/evaluations/" + answer["id"])[0], 204)
        self.assertEqual(s.get("/evaluations")[1], [])

    def test_the_log_can_be_read_by_phe_evaluate(self):
        self.play(50)
        out = subprocess.run([PROGRAMS / "phe-serve", "export", f"--data={self.server.data}"],
                             check=True, capture_output=True, text=True).stdout
        self.assertEqual(out.count("\n"), 50)
        self.assertEqual(json.loads(out.split("\n")[0])["features"], {"device": "mobile"})
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as log:
            log.write(out)
            log.flush()
            done = subprocess.run([PROGRAMS / "phe", "evaluate", log.name, "--target", "uniform", "--json"],
                                  check=True, capture_output=True, text=True)
            self.assertIn("snips", done.stdout)

    def test_each_key_has_an_application_of_its_own_and_can_be_rotated(self):
        s = self.server
        admin = lambda *words: subprocess.run([PROGRAMS / "phe-serve", "key", *words, f"--data={s.data}",
                                               "--application=news"], check=True, capture_output=True, text=True)
        news = admin("add").stdout.strip()
        headers = {"Ocp-Apim-Subscription-Key": news}

        def wait_for(status, key):
            for _ in range(100):
                if s.get("/model/properties", headers={"Ocp-Apim-Subscription-Key": key})[0] == status:
                    return
                time.sleep(0.1)
            self.fail(f"no {status}")

        wait_for(200, news)
        self.play(5)
        self.assertEqual(s.get("/model/properties", headers=headers)[1]["events"], 0)
        s.post("/rank", page("p0"), headers=headers)
        self.assertEqual(s.get("/model/properties", headers=headers)[1]["events"], 1)
        self.assertEqual(s.get("/model/properties")[1]["events"], 5)
        second = admin("add").stdout.strip()
        wait_for(200, second)
        wait_for(200, news)
        admin("remove", "1")
        wait_for(401, news)
        wait_for(200, second)
        self.assertIn("key 1", admin("list").stdout)


class Starting(unittest.TestCase):
    def test_one_line_starts_it_and_shows_a_key_once(self):
        with Server(key=None) as s:
            self.assertEqual([line.split()[0] for line in s.lines], ["phe-serve", "data", "key", "listening"])
            s.key = s.lines[2].split()[1]
            self.assertEqual(s.post("/rank", page())[0], 201)
            s.stop()
            s.start()
            self.assertEqual(len(s.lines), 3)
            self.assertEqual(s.post("/rank", page())[0], 201)

    def test_settings_come_from_file_environment_and_flags(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as config:
            config.write('dimension = 64\npolicy = "lints"\n')
            config.flush()
            os.environ["PHE_SERVE_POLICY"] = "linucb"
            try:
                with Server(f"--config={config.name}", "--dimension=16") as s:
                    self.assertEqual(s.get("/configurations/policy")[1]["arguments"], "linucb")
                    self.assertEqual(s.get("/model/properties")[1]["dimension"], 16)
                    for i in range(20):
                        s.post("/rank", page(f"u{i}"))
                        self.assertEqual(s.post(f"/events/u{i}/reward", {"value": 1})[0], 204)
                    self.assertEqual(s.post("/rank", page())[0], 201)
            finally:
                del os.environ["PHE_SERVE_POLICY"]

    def test_bad_settings_are_named(self):
        for flags, said in ((["--policy=linphe:b=1"], "b"), (["--dimension=4"], "dimension"),
                            (["--durability=maybe"], "durability"), (["--listen=nowhere"], "listen"),
                            (["--tls-key=x"], "tls"), (["--nonsense=1"], "nonsense")):
            done = subprocess.run([PROGRAMS / "phe-serve", "--data=/nonexistent/x", *flags],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, flags)
            self.assertIn(said, done.stderr)

    def test_two_programs_cannot_have_one_folder(self):
        with Server() as s:
            done = subprocess.run([PROGRAMS / "phe-serve", f"--data={s.data}", "--listen=127.0.0.1:0"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("another phe-serve", done.stderr)


class Limits(unittest.TestCase):
    def test_overload_is_shed_with_429(self):
        with Server("--max-waiting=0") as s:
            status, answer, headers = s.post("/rank", page())
            self.assertEqual((status, answer["error"]["code"]), (429, "TooManyRequests"))
            self.assertEqual(headers["Retry-After"], "1")
            self.assertEqual(s.post("/events/e/reward", {"value": 1})[0], 429)

    def test_one_connection_too_many_is_told_so(self):
        with Server("--max-connections=3") as s:
            open_ones = [socket.create_connection(("127.0.0.1", s.port)) for _ in range(3)]
            time.sleep(0.3)
            with socket.create_connection(("127.0.0.1", s.port)) as one_more:
                one_more.settimeout(5)
                self.assertTrue(one_more.recv(1000).startswith(b"HTTP/1.1 429"))
            for one in open_ones:
                one.close()
            time.sleep(0.3)
            self.assertEqual(s.post("/rank", page())[0], 201)


def certificate(folder, name):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1",
                    "-keyout", folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True)


class Tls(unittest.TestCase):
    def seen(self, port):
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        with socket.create_connection(("127.0.0.1", port)) as plain:
            with context.wrap_socket(plain) as secure:
                secure.sendall(f"GET {BASE}/model/properties HTTP/1.1\r\nHost: x\r\n"
                               f"Ocp-Apim-Subscription-Key: {KEY}\r\n\r\n".encode())
                self.assertTrue(secure.recv(1000).startswith(b"HTTP/1.1 200"))
                self.assertIn(secure.version(), ("TLSv1.2", "TLSv1.3"))
                return secure.getpeercert(True)

    def test_a_new_certificate_is_taken_over_while_it_runs(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            certificate(folder, "first")
            with Server(f"--tls-certificate={folder / 'cert.pem'}", f"--tls-key={folder / 'key.pem'}") as s:
                self.assertTrue(s.url.startswith("https://"))
                first = self.seen(s.port)
                certificate(folder, "second")
                for _ in range(100):
                    if self.seen(s.port) != first:
                        break
                    time.sleep(0.1)
                else:
                    self.fail("the old certificate stays")
                (folder / "cert.pem").write_text("broken")
                time.sleep(1.5)
                self.seen(s.port)  # the last good one stays


if __name__ == "__main__":
    unittest.main(verbosity=1)
