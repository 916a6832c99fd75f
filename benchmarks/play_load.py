"""Many people play at once: how long they wait for replies, and how much memory the server takes.

    python benchmarks/play_load.py --pairs 50 --minutes 10

`homebody play` runs as a process of its own; as many pairs as are asked for come through its lobby,
and act at random over a WebSocket each, with a pause to think. The server has the first two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field

import orjson
from websockets.asyncio.client import connect

THINKS = (1.0, 4.0)
"""Seconds that somebody thinks before an action, from and to."""


@dataclass
class Seen:
    """What all of them have seen."""

    waits: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    games: int = 0
    acted: int = 0


def post(address: str, path: str, token: str, method: str = "POST") -> dict[str, object]:
    headers = {"Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"http://{address}/api/v1{path}", None, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: dict[str, object] = orjson.loads(answer.read())
        return found


async def seat_of(address: str, lobby: str, end: float) -> str:
    ticket = str((await asyncio.to_thread(post, address, "/lobby", lobby))["ticket"])
    while time.monotonic() < end:
        told = await asyncio.to_thread(post, address, "/lobby", ticket, "GET")
        if told["seat"]:
            return str(told["seat"])
        await asyncio.sleep(1)
    return ""


async def play(address: str, token: str, number: int, end: float, seen: Seen) -> None:
    """Play a game to its end, or until the time is up."""
    choose = random.Random(number)
    acted = 0
    async with connect(f"ws://{address}/api/v1/seat/live", max_size=None) as live:
        await live.send(orjson.dumps({"token": token}).decode())
        seat, known = None, -1  # the newest that was told, and of when the last reply is
        while time.monotonic() < end:
            if seat is None or seat["revision"] < known or not seat["ready"]:
                if seat is not None and seat["ending"]:
                    return
                try:
                    told = await asyncio.wait_for(live.recv(), max(0.1, end - time.monotonic()))
                except TimeoutError:
                    return
                seat = orjson.loads(told).get("seat", seat)
                continue
            await asyncio.sleep(choose.uniform(*THINKS))
            calls = [o["call"] for o in seat["options"] if not o["call"].startswith("Done")]
            act = {"id": f"a{acted}", "said": choose.choice(calls)}
            acted += 1
            begun = time.perf_counter()
            await live.send(orjson.dumps({"act": act}).decode())
            while True:
                told = orjson.loads(await asyncio.wait_for(live.recv(), 30))
                seat = told.get("seat", seat)
                if "id" in told:
                    break
            seen.waits.append(time.perf_counter() - begun)
            seen.acted += 1
            if "reply" in told:
                known = told["reply"]["revision"]
            elif "cannot act" not in told["error"] and "is over" not in told["error"]:
                seen.errors.append(told["error"])


async def person(address: str, lobby: str, number: int, end: float, seen: Seen) -> None:
    await asyncio.sleep(number * 0.1)
    games = 0
    while time.monotonic() < end:
        try:
            token = await seat_of(address, lobby, end)
            if not token:
                return
            seen.games += 1
            await play(address, token, number * 1000 + games, end, seen)
            games += 1
        except Exception as error:
            seen.errors.append(repr(error))
            await asyncio.sleep(1)


def resident(pid: int) -> float:
    """MB of memory of a process."""
    with open(f"/proc/{pid}/status") as status:
        found = re.search(r"VmRSS:\s+(\d+)", status.read())
    return int(found[1]) / 1024 if found else 0.0


def processor(pid: int) -> float:
    """Seconds of work of a process so far."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def watch(pid: int, end: float, seen: Seen) -> None:
    """Tell every half a minute how it goes, and at the end by how much memory has grown."""
    sizes = []
    while time.monotonic() < end:
        begun, from_here, before = time.monotonic(), len(seen.waits), processor(pid)
        await asyncio.sleep(min(30.0, max(0.1, end - begun)))
        waits = sorted(seen.waits[from_here:]) or [0.0]
        busy = (processor(pid) - before) / (time.monotonic() - begun)
        sizes.append(resident(pid))
        print(
            f"{sizes[-1]:6.0f} MB, {busy:4.0%} of a core, {len(waits):5} actions, "
            + ", ".join(
                f"{p}%: {1000 * waits[int(len(waits) * p / 100)]:.0f} ms" for p in (50, 95, 99)
            ),
            flush=True,
        )
    half = sizes[(len(sizes) - 1) // 2]
    print(
        f"in the second half memory grew from {half:.0f} to {sizes[-1]:.0f} MB,"
        f" by {sizes[-1] / half - 1:.0%}; at most it was {max(sizes):.0f} MB"
    )


async def run(address: str, lobby: str, pid: int, pairs: int, minutes: float) -> int:
    seen, end = Seen(), time.monotonic() + 60 * minutes
    people = [person(address, lobby, number, end, seen) for number in range(2 * pairs)]
    await asyncio.gather(watch(pid, end, seen), *people)
    waits = sorted(seen.waits)
    late = waits[int(len(waits) * 0.95)]
    print(f"{len(waits)} actions in {seen.games // 2} games, {len(seen.errors)} errors")
    print(
        f"95 of 100 replies within {1000 * late:.0f} ms, the last after {1000 * waits[-1]:.0f} ms"
    )
    for error in sorted(set(seen.errors))[:10]:
        print(f"{seen.errors.count(error)} x {error}")
    return int(bool(seen.errors) or late > 0.1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", default="partnr.val")
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "homebody", "play", arguments.suite, "--port", "0"]
        command += ["--partner", "person", "--record", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(server.pid, sorted(os.sched_getaffinity(0))[:2])
        assert server.stdout is not None
        try:
            for line in server.stdout:
                found = re.search(r"http://([^/]+)/#lobby=(\S+)", line)
                if found:
                    break
            else:
                return 1
            return asyncio.run(
                run(found[1], found[2], server.pid, arguments.pairs, arguments.minutes)
            )
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
