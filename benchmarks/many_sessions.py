"""How much memory and time do sessions take that are open at once in one process?

    python benchmarks/many_sessions.py partnr.val eai.virtualhome.interactive --sessions 1000

Each is started and let go, which makes the houses; then all are started and kept open, and each
is played a little by a random policy.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from itertools import cycle, islice
from pathlib import Path

import numpy as np

from homebody.core import CORRECTED
from homebody.core.play import policies
from homebody.core.play.rounds import Rounds
from homebody.suites import get_suite


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="+")
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=5, help="turns of each role")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name in options.suites:
        measure(name, options.sessions, options.turns, options.seed)


def measure(name: str, number: int, turns: int, seed: int) -> None:
    suite = get_suite(name)
    if suite.playing is None:
        raise SystemExit(f"the tasks of {name} are not played")
    tasks = suite.tasks.load(CORRECTED)
    chosen = list(islice(cycle(tasks), number))
    print(f"{name}: {number} sessions of {min(number, len(tasks))} tasks")
    gc.collect()
    memory, begin = resident(), time.process_time()
    for task in chosen:
        suite.playing.start(task, {}, seed, CORRECTED)
    gc.collect()
    report("started and let go: what tasks share stays", number, memory, begin)
    memory, begin = resident(), time.process_time()
    sessions = [suite.playing.start(task, {}, seed, CORRECTED) for task in chosen]
    report("started and kept open", number, memory, begin)
    memory, begin = resident(), time.process_time()
    for at, session in enumerate(sessions):
        policy = policies.random(session, np.random.default_rng(at))
        rounds = Rounds(session, dict.fromkeys(session.roles, policy))
        for _ in range(turns):
            rounds.act()
            rounds.pass_time()
    report(f"played {turns} turns", number, memory, begin)


def report(what: str, number: int, memory: int, begin: float) -> None:
    seconds = time.process_time() - begin
    grown = resident() - memory
    print(
        f"  {what}: {1000 * seconds / number:.2f} ms of one core and"
        f" {grown / number / 1024:.0f} KB each, {grown / 1024**2:.0f} MB more,"
        f" {resident() / 1024**2:.0f} MB in all"
    )


def resident() -> int:
    """Bytes of memory that this process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
