#!/usr/bin/env python3
"""bench/service.py BIN [--events N] [--seconds S] [--out FILE]: phe-serve beside a bare echo server on the same
library, all on this machine and in one run. Loads the loopback alone; every part has an end."""
import argparse
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("bin", type=pathlib.Path)
parser.add_argument("--events", type=int, default=1_000_000, help="of the run that watches the memory; 0: none")
parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
parser.add_argument("--passes", type=int, default=3, help="echo, async and commit in turn; the best of each counts")
parser.add_argument("--connections", type=int, default=64)
parser.add_argument("--out", type=pathlib.Path)
args = parser.parse_args()
KEY = "key-of-the-bench"
work = tempfile.TemporaryDirectory(prefix="phe-bench-", dir=os.environ.get("PHE_BENCH_DATA"))


class Running:
    def __init__(self, *command):
        self.process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith("listening on"):
                self.url = line.split()[-1]
                return
        sys.exit(f"{command[0]} did not start")

    def memory(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


prefix = iter(f"r{i}-" for i in range(10**6))


def load(server, what, seconds=None, rate=0, requests=0, connections=None):
    out = subprocess.run([args.bin / "phe-load", "bench", f"--url={server.url}", f"--key={KEY}", f"--what={what}",
                          f"--seconds={seconds or args.seconds}", f"--rate={rate}", f"--requests={requests}",
                          f"--connections={connections or args.connections}", f"--prefix={next(prefix)}"],
                         check=True, capture_output=True, text=True).stdout
    result = json.loads(out)
    assert result["refused"] == 0 and result["failed"] == 0, result
    return result


def serve(durability, name):
    return Running(args.bin / "phe-serve", f"--data={work.name}/{name}", "--listen=127.0.0.1:0", f"--key={KEY}",
                   f"--durability={durability}")


def fsyncs():
    with open(f"{work.name}/sync", "wb", buffering=0) as file:
        begin, count = time.time(), 0
        while time.time() - begin < 1.0:
            file.write(b"x" * 4096)
            os.fsync(file.fileno())
            count += 1
        return count / (time.time() - begin)


lines = []


def say(text=""):
    lines.append(text)
    print(text, flush=True)


echo = Running(args.bin / "phe-load", "echo", "--port=0")
fast, safe = serve("async", "async"), serve("commit", "commit")
best = {}
for number in range(args.passes):
    for name, server, what in (("echo", echo, "rank"), ("rank, async", fast, "rank"), ("pair, async", fast, "pair"),
                               ("pair, commit", safe, "pair")):
        result = load(server, what)
        if name not in best or result["per_second"] > best[name]["per_second"]:
            best[name] = result
disk = fsyncs()
top = best["echo"]["per_second"]
say(f"Requests of {best['echo']['body_bytes']:,} bytes, {args.connections} connections, best of {args.passes} passes; load average "
    f"{os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {disk:,.0f} fsyncs/s.\n")
say("| what | requests/s | of echo | p50 ms | p99 ms |")
say("|---|---|---|---|---|")
for name, r in best.items():
    say(f"| {name} | {r['per_second']:,.0f} | {r['per_second'] / top:.0%} | {r['p50_ms']:.2f} | {r['p99_ms']:.2f} |")
say(f"\nPairs/s with commit: {best['pair, commit']['per_second'] / 2:,.0f} (asked: 5,000 where fsync allows); async: "
    f"{best['pair, async']['per_second'] / 2:,.0f}.\n")

rate = best["pair, async"]["per_second"] / 2
quiet = {name: min((load(server, what, rate=rate, connections=32) for _ in range(args.passes)), key=lambda r: r["p99_ms"])
         for name, server, what in (("echo", echo, "rank"), ("pair, async", fast, "pair"))}
say(f"At half load ({rate:,.0f} requests/s), best of {args.passes}: p99 {quiet['pair, async']['p99_ms']:.2f} ms, echo "
    f"{quiet['echo']['p99_ms']:.2f} ms at the same rate: {quiet['pair, async']['p99_ms'] / quiet['echo']['p99_ms']:.1f} x (asked: under 3 x).\n")

def idle_connections():
    return [socket.create_connection(("127.0.0.1", int(fast.url.rsplit(":", 1)[1]))) for _ in range(1000)]


# In turn, so that what else the machine does falls on both.
with_idle, without = [], []
for _ in range(args.passes):
    idle = idle_connections()
    time.sleep(1)  # what the run before has left to learn is learnt
    with_idle.append(load(fast, "pair")["per_second"])
    for one in idle:
        one.close()
    time.sleep(1)
    without.append(load(fast, "pair")["per_second"])
say("Requests/s, in turn: beside 1,000 idle connections " + ", ".join(f"{r:,.0f}" for r in with_idle) + "; without them "
    + ", ".join(f"{r:,.0f}" for r in without) + f" (medians {statistics.median(with_idle):,.0f} and {statistics.median(without):,.0f}).\n")
for server in (echo, fast, safe):
    server.stop()

if args.events:
    long = serve("async", "long")
    load(long, "pair", seconds=3600, requests=min(args.events, 50_000) * 2)
    seen = [long.memory()]
    step = max(1, (args.events - 50_000) // 4)
    for _ in range(4 if args.events > 50_000 else 0):
        load(long, "pair", seconds=3600, requests=step * 2)
        seen.append(long.memory())
    say(f"Memory after 50,000 events and at each quarter of {args.events:,}: " + ", ".join(f"{m:.0f}" for m in seen) + " MB.")
    long.stop()
if args.out:
    args.out.write_text("\n".join(lines) + "\n")
