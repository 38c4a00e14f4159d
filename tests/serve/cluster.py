"""Real redis-server processes, nodes of phe-serve that share one, a proxy that can cut a node off, and callers that
speak to all nodes at once and remember what was acknowledged. Loopback alone."""
import http.client
import json
import pathlib
import random
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time

from server import BASE, KEY, Server, page


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Redis:
    """with Redis() as redis: redis.url. Loses nothing that it has answered for, whatever happens to it."""

    def __init__(self, fsync="always", password=None):
        self.folder = tempfile.TemporaryDirectory(prefix="phe-redis-")
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.password = password
        self.fsync = fsync
        self.process = None

    def start(self):
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder.name, "--save", "",
                   "--appendonly", "yes", "--appendfsync", self.fsync]
        command += ["--requirepass", self.password] if self.password else []
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if self.process.poll() is not None:
                raise AssertionError("redis-server did not start")
            if self.cli("PING").strip() == "PONG":
                return self
            time.sleep(0.02)
        raise AssertionError("redis-server does not answer")

    def cli(self, *words):
        login = ["-a", self.password, "--no-auth-warning"] if self.password else []
        return subprocess.run(["redis-cli", "-p", str(self.port), *login, *words], capture_output=True,
                              encoding="utf-8", errors="replace").stdout

    def last(self, application="default"):
        """The id of the last entry of the stream."""
        return self.cli("XREVRANGE", "phe:{%s}:stream" % application, "+", "-", "COUNT", "1").split("\n")[0]

    def stop(self, number=signal.SIGTERM):
        if self.process:
            self.process.send_signal(number)
            self.process.wait(30)
            self.process = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)
        self.folder.cleanup()


class Proxy:
    """A TCP proxy to `port`. While it is cut, nothing passes and no connection is refused: as if a cable were pulled."""

    def __init__(self, port):
        self.target = port
        self.cut = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.connect, args=(client,), daemon=True).start()

    def connect(self, client):
        while self.cut.is_set():
            time.sleep(0.02)
        try:
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            client.close()
            return
        for s in (client, server):
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for a, b in ((client, server), (server, client)):
            threading.Thread(target=self.pump, args=(a, b), daemon=True).start()

    def pump(self, source, sink):
        try:
            while data := source.recv(1 << 16):
                while self.cut.is_set():
                    time.sleep(0.02)
                sink.sendall(data)
        except OSError:
            pass
        for s in (source, sink):
            s.close()

    def close(self):
        self.listener.close()


class Caller(threading.Thread):
    """Ranks on one node, rewards on another, some twice, until stop is set or `most` events were ranked. What fails is not
    asked again, but for a rank: its id gets one answer, whoever is asked."""

    def __init__(self, nodes, name, most=10**9, twice=0.2, seed=0):
        super().__init__()
        self.nodes, self.prefix, self.most, self.twice = nodes, name, most, twice
        self.random = random.Random(f"{name}-{seed}")
        self.stop = threading.Event()
        self.clients = {}
        self.ranked, self.rewarded = {}, {}  # acknowledged: {event: answers}, {event: value}
        self.tried = {}                      # {event: value} of every reward that was sent
        self.statuses = {}                   # {("rank"|"reward", status): count}
        self.slowest = 0.0                   # seconds, of a rank

    def call(self, what, path, body, call=None):
        """(status or None, body), from a node at random."""
        node = self.random.choice(self.nodes)
        port = node.port
        head = {"Ocp-Apim-Subscription-Key": KEY, "Content-Type": "application/json"}
        if call:
            head["x-ms-client-request-id"] = call
        client = self.clients.setdefault(port, http.client.HTTPConnection("127.0.0.1", port, timeout=20))
        begin = time.monotonic()
        try:
            client.request("POST", BASE + path, json.dumps(body), head)
            answer = client.getresponse()
            status, text = answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            client.close()
            self.clients.pop(port, None)
            status, text = None, b""
        if what == "rank" and status:
            self.slowest = max(self.slowest, time.monotonic() - begin)
        self.statuses[what, status] = self.statuses.get((what, status), 0) + 1
        return status, text

    def round(self, number):
        event = f"{self.prefix}-{number}"
        status, text = self.call("rank", "/rank", page(event))
        if status != 201:
            return
        self.ranked[event] = {text}
        if self.random.random() < self.twice:
            status, again = self.call("rank", "/rank", page(event))
            if status == 201:
                self.ranked[event].add(again)
        value = self.random.choice((0, 0.5, 1))
        self.tried[event] = value
        for _ in range(2 if self.random.random() < self.twice else 1):
            status, _ = self.call("reward", f"/events/{event}/reward", {"value": value}, call=f"call-{event}")
            if status == 204:
                self.rewarded[event] = value

    def run(self):
        for number in range(self.most):
            if self.stop.is_set():
                break
            self.round(number)
        for client in self.clients.values():
            client.close()

    def end(self):
        self.stop.set()
        self.join()


def merged(callers, name):
    all_ = {}
    for caller in callers:
        for key, value in getattr(caller, name).items():
            all_[key] = all_.get(key, 0) + value if name == "statuses" else value
    return all_


def start_callers(nodes, count=4, **more):
    callers = [Caller(nodes, f"c{i}-{time.monotonic_ns()}", **more) for i in range(count)]
    for caller in callers:
        caller.start()
    return callers


def log_of(node):
    """{event: (reward, outcome, lesson, answer)} and {(event, call): count}, as another program sees a node's log."""
    with sqlite3.connect(f"file:{node.data / 'default.db'}?mode=ro", uri=True) as log:
        events = {row[0]: row[1:] for row in log.execute(
            "SELECT e.id, e.reward, e.outcome, e.lesson, b.answer FROM events e JOIN bodies b ON b.number = e.number")}
        rewards = dict(((event, call), count) for event, call, count in log.execute(
            "SELECT e.id, r.call, count(*) FROM rewards r JOIN events e ON e.number = r.event GROUP BY 1, 2"))
    return events, rewards


def model_of(node):
    return node.call("GET", "/model", raw=True)[1]


def properties(node):
    return node.get("/model/properties")[1]


def agree(nodes, seconds=30):
    """Waits until all nodes have folded the whole stream and have one model, to the byte; that model."""
    end = time.monotonic() + seconds
    while True:
        states = [properties(node) for node in nodes]
        models = [model_of(node) for node in nodes]
        quiet = all(s["store"]["connected"] and s["store"]["buffered"] == 0 for s in states)
        last = nodes[0].redis.last()
        same = all(s["store"]["position"] == last for s in states) and len(set(models)) == 1
        if quiet and same:
            return models[0]
        if time.monotonic() > end:
            raise AssertionError(f"the nodes do not agree at {last}: {[(s['learnedEvents'], s['store']) for s in states]}")
        time.sleep(0.1)


class Cluster:
    """Nodes that share a Redis, each through a proxy of its own where asked."""

    def __init__(self, redis, *flags, count=3, proxied=False):
        self.redis, self.flags = redis, flags
        self.proxies = [Proxy(redis.port) for _ in range(count)] if proxied else []
        self.nodes = [self.node(self.proxies[i].port if proxied else redis.port) for i in range(count)]

    def node(self, port=None):
        node = Server(f"--store=redis://127.0.0.1:{port or self.redis.port}", "--dimension=16", *self.flags)
        node.redis = self.redis
        return node

    def __enter__(self):
        for node in self.nodes:
            node.start()
        return self.nodes

    def __exit__(self, *_):
        for node in self.nodes:
            node.__exit__()
        for proxy in self.proxies:
            proxy.cut.clear()
            proxy.close()
