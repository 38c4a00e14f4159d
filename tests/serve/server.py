"""A phe-serve of a test's own: started on a free port of the loopback, known by its ready line."""
import http.client
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import urllib.parse

PROGRAMS = pathlib.Path(os.environ.get("PHE_PROGRAMS", "build/release/bin"))
KEY = "key-of-the-tests"
BASE = "/personalizer/v1.0"


class Server:
    """with Server("--durability=async") as s: s.post("/rank", {...})"""

    def __init__(self, *flags, data=None, limit=None, key=KEY):
        self.flags = list(flags)
        self.own = None if data else tempfile.TemporaryDirectory(prefix="phe-serve-")
        self.data = pathlib.Path(data or self.own.name) / ("" if data else "data")
        self.limit = limit
        self.key = key
        self.process = None
        self.connection = None

    def start(self):
        command = [str(PROGRAMS / "phe-serve"), "--listen=127.0.0.1:0", f"--data={self.data}"]
        command += [f"--key={self.key}"] if self.key else []
        self.errors = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(command + self.flags, stdout=subprocess.PIPE, stderr=self.errors,
                                        text=True, preexec_fn=self.limit)
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if line.startswith("listening on "):
                self.url = line.split()[-1]
                self.port = urllib.parse.urlsplit(self.url).port
                return self
        raise AssertionError(f"it did not start: {self.log()}")

    def log(self):
        if self.errors.closed:
            return self.last_log
        self.errors.seek(0)
        return self.errors.read()

    def stop(self, number=signal.SIGTERM):
        if self.process is None:
            return None
        self.process.send_signal(number)
        code = self.process.wait(30)
        self.process.stdout.close()
        self.last_log = self.log()
        self.errors.close()
        self.process = None
        if self.connection:
            self.connection.close()
            self.connection = None
        return code

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()
        if self.own:
            self.own.cleanup()

    def call(self, method, path, body=None, headers=None, base=BASE, raw=False, fresh=False):
        """(status, body as JSON or None, headers)"""
        if fresh or self.connection is None:
            if self.connection:
                self.connection.close()
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        head = {"Ocp-Apim-Subscription-Key": self.key or "", "Content-Type": "application/json"}
        head.update(headers or {})
        data = body if isinstance(body, (bytes, str)) or body is None else json.dumps(body)
        try:
            self.connection.request(method, base + path, body=data, headers=head)
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            raise
        if answer.getheader("Connection") == "close":
            self.connection.close()
            self.connection = None
        if raw:
            return answer.status, text, dict(answer.getheaders())
        return answer.status, json.loads(text) if text else None, dict(answer.getheaders())

    def post(self, path, body=None, **more):
        return self.call("POST", path, body, **more)

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def configure(self, **changes):
        _, configuration, _ = self.get("/configurations/service")
        configuration.update(changes)
        status, answer, _ = self.call("PUT", "/configurations/service", configuration)
        assert status == 200, answer
        return answer


def page(event=None, **more):
    """A small rank request."""
    body = {"contextFeatures": [{"device": "mobile"}],
            "actions": [{"id": name, "features": [{"topic": name}]} for name in ("a", "b", "c")]}
    if event is not None:
        body["eventId"] = event
    body.update(more)
    return body
