"""What it takes to run the service: restarts that nobody notices, back-ups under load, check, systemd's protocol."""
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest

from server import BASE, KEY, PROGRAMS, Server, page

RESTARTS = int(os.environ.get("PHE_SERVE_RESTARTS", 3))


def run(*words, **more):
    return subprocess.run([PROGRAMS / "phe-serve", *words], capture_output=True, text=True, timeout=60, **more)


class Visitor(threading.Thread):
    """Ranks over one kept connection after the other until told to stop, and notes what went wrong."""

    def __init__(self, port, name, pause=0.005):
        super().__init__(daemon=True)
        self.port, self.name, self.pause = port, name, pause
        self.acknowledged, self.wrong, self.stopped = [], [], False
        self.start()

    def run(self):
        connection, count = None, 0
        while not self.stopped:
            event = f"{self.name}-{count}"
            count += 1
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
                connection.request("POST", BASE + "/rank", json.dumps(page(event)), {"Ocp-Apim-Subscription-Key": KEY})
                answer = connection.getresponse()
                answer.read()
                if answer.status == 201:
                    self.acknowledged.append(event)
                else:
                    self.wrong.append(answer.status)
                if answer.getheader("Connection") == "close":
                    connection.close()
                    connection = None
            except (OSError, http.client.HTTPException) as error:
                self.wrong.append(repr(error))
                connection = None
            time.sleep(self.pause)
        if connection:
            connection.close()

    def end(self):
        self.stopped = True
        self.join()


class Handed(Server):
    """A server that is handed the socket it listens on, as systemd does."""

    def __init__(self, listening, *flags, **more):
        super().__init__(*flags, **more)
        self.listening = listening

    def start(self):
        number = self.listening.fileno()
        command = [f"LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" \"$@\" 3<&{number}"]
        words = [str(PROGRAMS / "phe-serve"), f"--data={self.data}", f"--key={KEY}", *self.flags]
        self.errors = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(["bash", "-c", *command, *words], stdout=subprocess.PIPE, stderr=self.errors,
                                        text=True, pass_fds=(number,))
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.port = int(line.split(":")[-1])
                return self
        self.process.wait(10)
        self.process.stdout.close()
        reason = self.log()
        self.errors.close()
        raise AssertionError(f"it did not start: {reason}")


class Operations(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="phe-operations-")
        self.data = pathlib.Path(self.folder.name) / "data"
        self.addCleanup(self.folder.cleanup)

    def events(self, data):
        with sqlite3.connect(data / "default.db") as log:
            return {row[0] for row in log.execute("SELECT id FROM events")}

    def test_restarts_under_load_refuse_no_request(self):
        with socket.create_server(("127.0.0.1", 0), backlog=4096) as listening:
            server = Handed(listening, "--durability=async", data=self.data).start()
            self.assertEqual(server.port, listening.getsockname()[1])
            visitors = [Visitor(server.port, f"v{i}") for i in range(8)]
            visitors.append(Visitor(server.port, "seldom", pause=0.4))
            for _ in range(RESTARTS):
                time.sleep(0.2)
                self.assertEqual(server.stop(), 0)
                server.start()
            time.sleep(0.2)
            for visitor in visitors:
                visitor.end()
            self.assertEqual(server.stop(), 0)
        self.assertEqual([wrong for v in visitors for wrong in v.wrong], [])
        acknowledged = {event for v in visitors for event in v.acknowledged}
        self.assertGreater(len(acknowledged), 30 * RESTARTS)
        self.assertTrue(all(v.acknowledged for v in visitors))
        self.assertEqual(acknowledged - self.events(self.data), set())

    def test_a_socket_that_does_not_listen_is_refused(self):
        with socket.socket() as silent, self.assertRaisesRegex(AssertionError, "does not listen for TCP"):
            Handed(silent, data=self.data).start()

    def test_idle_connections_do_not_keep_it_from_ending(self):
        server = Server(data=self.data).start()
        idle = socket.create_connection(("127.0.0.1", server.port))
        time.sleep(1.1)
        began = time.time()
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.time() - began, 3)
        idle.close()

    def test_a_back_up_under_load_has_all_that_was_acknowledged_before_it(self):
        copy, again = self.data.parent / "copies" / "monday", self.data.parent / "again"
        server = Server(data=self.data).start()
        visitors = [Visitor(server.port, f"v{i}") for i in range(4)]
        time.sleep(1)
        before = {event for v in visitors for event in list(v.acknowledged)}
        done = run("backup", str(copy), f"--data={self.data}")
        after = {event for v in visitors for event in list(v.acknowledged)}
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", f"{copy}: 2 databases\n"))
        time.sleep(0.3)
        for visitor in visitors:
            visitor.end()
            self.assertEqual(visitor.wrong, [])
        self.assertEqual(server.stop(), 0)
        kept = self.events(copy)
        self.assertGreater(len(before), 50)
        self.assertEqual(before - kept, set())
        self.assertGreater(len(after), len(before))  # the server went on meanwhile
        self.assertGreater(len(self.events(self.data)), len(kept))
        self.assertEqual(oct(copy.stat().st_mode & 0o777), "0o700")
        self.assertEqual(run("check", f"--data={copy}").returncode, 0)
        # A copy is a data folder: restored, it answers as it did.
        self.assertEqual(run("restore", str(copy), f"--data={again}").returncode, 0)
        with Server(data=again, key=None) as restored:
            restored.key = KEY
            event = next(iter(before))
            status, answer, _ = restored.post("/rank", page(event))
            self.assertEqual((status, answer["eventId"]), (201, event))
            self.assertEqual(restored.get("/model/properties")[1]["events"], len(kept))

    def test_a_back_up_overwrites_nothing(self):
        with Server(data=self.data):
            pass
        there = self.data.parent / "there"
        there.mkdir()
        done = run("backup", str(there), f"--data={self.data}")
        self.assertEqual((done.returncode, done.stderr), (1, f"phe-serve: {there} is there already\n"))
        done = run("restore", str(self.data), f"--data={there}")
        self.assertEqual((done.returncode, done.stderr), (1, f"phe-serve: {there} is there already\n"))
        done = run("backup", str(self.data.parent / "x"), f"--data={there}")
        self.assertEqual((done.returncode, done.stderr), (1, f"phe-serve: {there} is no data folder: it has no service.db\n"))
        self.assertEqual(run("backup", f"--data={self.data}").returncode, 2)
        self.assertFalse((self.data.parent / "x").exists())

    def test_check_finds_what_is_wrong(self):
        done = run("check", f"--data={self.data}")
        self.assertEqual(done.returncode, 0)
        self.assertIn("is no data folder yet", done.stdout)
        self.assertFalse(self.data.exists())
        with Server(data=self.data) as server:
            server.post("/rank", page("e"))
            done = run("check", f"--data={self.data}")
            self.assertEqual(done.returncode, 0, done.stdout)
            for line in ("ok    server: one works in this folder", "ok    keys: application default has 1",
                         "ok    log: default.db, 1 events, 1 waiting", "ok    disk: "):
                self.assertIn(line, done.stdout)
        self.assertIn("ok    server: none works in this folder", run("check", f"--data={self.data}").stdout)
        self.assertIn("clock: ", done.stdout)
        for flags, line in ((["--policy=linfoo"], "FAIL  settings: policy: "), (["--listen=here"], "FAIL  settings: listen"),
                            (["--tls-certificate=/none", "--tls-key=/none"], "FAIL  certificate /none: ")):
            done = run("check", f"--data={self.data}", *flags)
            self.assertEqual(done.returncode, 1)
            self.assertIn(line, done.stdout)
        run("key", "remove", "1", f"--data={self.data}")
        self.assertIn("warn  keys: application default has none", run("check", f"--data={self.data}").stdout)
        with sqlite3.connect(self.data / "default.db") as log:
            log.execute("UPDATE events SET time = ?", (int(1000 * (time.time() + 3600)),))
        self.assertRegex(run("check", f"--data={self.data}").stdout, r"warn  clock: the last event of default.db is 3\d\d\d seconds")
        log.close()
        with open(self.data / "default.db", "r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * 8192)
        done = run("check", f"--data={self.data}")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("FAIL  log: ", done.stdout)

    def test_a_certificate_that_ends_soon_is_told(self):
        certificate, secret = self.data.parent / "c.pem", self.data.parent / "k.pem"
        for days, word in (("3", "warn"), ("100", "ok  ")):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                            "-days", days, "-subj", "/CN=x", "-keyout", secret, "-out", certificate], check=True,
                           capture_output=True)
            done = run("check", f"--data={self.data}", f"--tls-certificate={certificate}", f"--tls-key={secret}")
            self.assertRegex(done.stdout, f"{word}  certificate: valid until 20")

    def test_it_tells_the_manager_when_it_is_ready_and_when_it_stops(self):
        where = str(self.data.parent / "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(where)
            manager.settimeout(10)
            os.environ["NOTIFY_SOCKET"] = where
            try:
                server = Server(data=self.data).start()
            finally:
                del os.environ["NOTIFY_SOCKET"]
            self.assertEqual(manager.recv(100), b"READY=1")
            server.stop()
            self.assertEqual(manager.recv(100), b"STOPPING=1")

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
    def test_systemd_understands_the_unit_and_finds_it_hardened(self):
        system = pathlib.Path(__file__).parents[2] / "apps/phe-serve/system"
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", system / "phe-serve.service", system / "phe-serve.socket"],
                              capture_output=True, text=True)
        said = [line for line in done.stderr.splitlines() if "is not executable" not in line and "phe-serve" in line]
        self.assertEqual(said, [])
        done = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=20", system / "phe-serve.service"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-300:])

    def test_the_manual_and_the_completion_have_every_flag(self):
        manual, completion = run("generate", "man").stdout, run("generate", "bash").stdout
        flags = [line.split()[0] for line in run("--help").stdout.splitlines() if line.startswith("  --")]
        self.assertGreater(len(flags), 20)
        for flag in flags:
            self.assertIn(flag.replace("-", "\\-"), manual)
            self.assertIn(flag, completion)


if __name__ == "__main__":
    unittest.main(verbosity=1)
