"""Attack everything that reads from outside: hostile inputs by the million, and what came of them.

    python benchmarks/attack.py --outputs 1000000           # over all suites; files besides
    python benchmarks/attack.py --seconds 600 --only eai    # as many as there is time for
    python benchmarks/attack.py --again FAILURE.json        # one that failed, with its traceback
    python benchmarks/attack.py --again "house.bring:4711"  # one made again from its seed

Inputs are made from valid ones (`tests/hostile/`), each from the seed, its target and its number.
Each target is tried in turns, in processes of their own with bounds of time and memory, so that a
hang or a crash is found too. What was tried is kept by commit: ended early, the same command goes
on. With --report it is written into a page. Exit status 1 if anything failed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
PATHS = [str(REPOSITORY / "src"), str(REPOSITORY / "tests")]
sys.path[:0] = PATHS

from homebody import __version__  # noqa: E402
from hostile.target import SLOW, Target, case_of, tried  # noqa: E402
from hostile.targets import targets  # noqa: E402
from hostile.turn import Tally, case_in  # noqa: E402

TURN = 60.0
"""Seconds of a turn, at most."""
SHARE_OF_FORMATS = 0.1
"""How often a format is tried for each time that a suite is."""
KEPT = 40
"""Failures of a target that are written down."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--outputs", type=int, help="how many, over all suites")
    parser.add_argument("--seconds", type=float, help="how long")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="targets in whose names this stands")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "attack")
    parser.add_argument("--report", type=Path, help="the page, between whose marks it is written")
    parser.add_argument("--writing", action="store_true", help="full disks, kills ... instead")
    parser.add_argument("--again", help="the file of a failure, or TARGET:NUMBER")
    options = parser.parse_args()
    if options.again:
        return try_again(options.again)
    if options.writing:
        return attack_writing(options.report)
    for number in (signal.SIGTERM, signal.SIGINT):  # which background jobs of a shell ignore
        signal.signal(number, signal.default_int_handler)
    attack = Attack(options.keep / commit(), options.only)
    attack.run(options.jobs, options.outputs, options.seconds)
    text = report(attack)
    print(text)
    if options.report:
        write_report(options.report, "attack", text)
    for problem, count in attack.problems.most_common():
        print(f"{count} x {problem}")
    print(f"kept in {attack.folder}")
    return bool(attack.problems)


def try_again(which: str) -> int:
    """One case, from the file of a failure or made again."""
    if Path(which).is_file():
        failure = json.loads(Path(which).read_text())
        target = targets()[failure["target"]]
        prepared, case = target.prepare(), case_in(failure)
    else:
        name, _, number = which.rpartition(":")
        target = targets()[name]
        prepared = target.prepare()
        case = case_of(target, prepared, int(number))
    outcome = tried(target, prepared, case)
    print(f"{case.input[:2000]!r}\n{len(case.input)} long, made from number {case.which}")
    print(f"{outcome.seconds:.3f} s {outcome.digest}\n{outcome.problem}")
    return bool(outcome.problem)


class Attack:
    """What was tried so far of a commit, in a folder, and how it goes on.

    Attributes:
        tallies: By target.
        next: The first case of each target that is not tried.
        digests: Of the last cases of each target.
        problems: How often which failure was seen.
    """

    def __init__(self, folder: Path, only: str) -> None:
        self.folder = folder
        self.targets = [target for name, target in targets().items() if only in name]
        self.tallies: dict[str, Tally] = {target.name: Tally() for target in self.targets}
        self.next: Counter[str] = Counter()
        self.digests: dict[str, Mapping[str, str]] = {}
        self.problems: Counter[str] = Counter()
        self.seconds = 0.0
        self._lock = threading.Lock()
        self._running: dict[str, subprocess.Popen[str]] = {}
        self._stopped = False
        self._turn = TURN
        self._journal = folder / "journal.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        if self._journal.exists():
            for line in self._journal.read_text().splitlines():
                with suppress(ValueError):  # half a line, where a run was killed
                    self._take(json.loads(line))

    @property
    def every(self) -> Tally:
        """All targets together."""
        every = Tally()
        for tally in self.tallies.values():
            every.add(tally)
        return every

    def run(self, jobs: int, outputs: int | None, seconds: float | None) -> None:
        """Go on until so many outputs were tried, or so long."""
        start = time.monotonic()
        end = start + seconds if seconds is not None else float("inf")
        self._turn = TURN if seconds is None else min(TURN, jobs * seconds / len(self.targets) / 2)
        suites = sum(target.is_suite for target in self.targets) or 1
        wanted = outputs / suites if outputs is not None else float("inf")
        threads = [threading.Thread(target=self._work, args=(end, wanted)) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                time.sleep(1)
                every, running = self.every, ", ".join(self._running)
                counts = f"{every.tried:,} tried, {every.failed:,} failed"
                line = f"{time.monotonic() - start:.0f} s, {counts}: {running:70.70}"
                print(f"\r{line}", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            self._stopped = True
            for process in list(self._running.values()):
                process.terminate()
        for thread in threads:
            thread.join()
        print(file=sys.stderr)
        self._write({"seconds": time.monotonic() - start})

    def _work(self, end: float, wanted: float) -> None:
        while not self._stopped and time.monotonic() < end:
            with self._lock:
                due = [
                    (self.tallies[target.name].tried / share(target), target.name)
                    for target in self.targets
                    if target.name not in self._running
                    and self.tallies[target.name].tried < wanted * share(target)
                ]
                if not due:
                    return
                name = min(due)[1]
                seconds = min(self._turn, end - time.monotonic())
                process = self._running[name] = self._begin(name, seconds)
            try:
                self._follow(name, process)
            finally:
                with self._lock:
                    del self._running[name]

    def _begin(self, name: str, seconds: float) -> subprocess.Popen[str]:
        first = self.next[name]
        words = [sys.executable, "-m", "hostile.turn", name, str(first), str(seconds)]
        environment = {"PYTHONPATH": os.pathsep.join(PATHS), "PYTHONHASHSEED": str(first % 2**32)}
        process = subprocess.Popen(
            [*words, str(self._place(name))],
            env=os.environ | environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr(name).open("wb"),
            text=True,
        )  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(json.dumps(self.digests.get(name, {})) + "\n")
        process.stdin.close()
        return process

    def _follow(self, name: str, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self._place(name).unlink(missing_ok=True)
        for line in process.stdout:
            self._write({"target": name, **json.loads(line)})
        if process.wait() and not self._stopped:
            at = self._place(name)
            index = int(at.read_text() or 0) if at.exists() else self.next[name]
            said = self._stderr(name).read_text(errors="replace")[-4_000:]
            what = f"ended with exit status {process.returncode}:\n{said}"
            failure = {"target": name, "index": index, "problem": what}
            self._write({"target": name, "failure": failure, "skip": index + 1})

    def _write(self, line: dict[str, Any]) -> None:
        with self._lock:
            failure = line.get("failure")
            if failure is not None and self.tallies[line["target"]].failed < KEPT:
                kept = re.sub(r"\W+", "-", f"{failure['target']}-{failure['index']}")
                (self.folder / f"{kept}.json").write_text(json.dumps(failure))
            if failure is not None:
                line["failure"] = {"problem": in_short(failure)}
            with self._journal.open("a") as file:
                file.write(json.dumps(line) + "\n")
            self._take(line)

    def _take(self, line: Mapping[str, Any]) -> None:
        """Count what a line of the journal says."""
        self.seconds += line.get("seconds", 0.0)
        name = line.get("target")
        if name not in self.tallies:
            return
        if "tally" in line:
            tally = Tally(**line["tally"])
            self.tallies[name].add(tally)
            self.next[name] += tally.tried
        if "digests" in line:
            self.digests[name] = line["digests"]
        if "failure" in line:
            self.problems[line["failure"]["problem"]] += 1
        if "skip" in line:  # a case that ended its process
            self.tallies[name].add(Tally(tried=1, failed=1))
            self.next[name], self.digests[name] = line["skip"], {}

    def _place(self, name: str) -> Path:
        return self.folder / f".{re.sub(r'[^a-z0-9]+', '-', name.lower())}.at"

    def _stderr(self, name: str) -> Path:
        return self._place(name).with_suffix(".stderr")


def share(target: Target) -> float:
    """How often it is tried for each time that a suite is."""
    return 1.0 if target.is_suite else SHARE_OF_FORMATS


def in_short(failure: Mapping[str, Any]) -> str:
    """Where and what, in a line."""
    lines = failure["problem"].strip().splitlines()
    places = [line for line in lines if line.startswith("  File ") and "homebody" in line]
    ended = lines[0].startswith("ended")  # in a crash the innermost place is the first
    where = places[0 if ended else -1] if places else ""
    where = re.sub(r'.*/(src|tests)/|"|, in .*', "", where)
    what = re.sub(
        r"'[^']*'|\d+", "...", lines[0 if ended else -1]
    )  # alike in all but names and numbers
    return f"{failure['target']} {where}: {what[:200]}"


# -- the report -----------------------------------------------------------------------------------


def commit() -> str:
    """Which version this is."""
    words = ["git", "-C", str(REPOSITORY), "describe", "--always", "--dirty"]
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def heading() -> str:
    """When, and which version."""
    python = platform.python_version()
    return f"{date.today():%d %B %Y}, homebody {__version__} at {commit()}, Python {python}"


def report(attack: Attack) -> str:
    """What was tried and what came of it, in Markdown."""
    outputs = sum(attack.tallies[target.name].tried for target in attack.targets if target.is_suite)
    every = attack.every
    lines = [
        f"{heading()}: {outputs:,} outputs of models and {every.tried - outputs:,} other inputs in"
        f" {attack.seconds / 60:.0f} minutes.",
        "",
        f"| what reads | tried | failed | over {SLOW:g} s | slowest, s | mean, ms | memory, MB |",
        "|---|--:|--:|--:|--:|--:|--:|",
        *(row(name, tally) for name, tally in attack.tallies.items() if tally.tried),
        row("all", every),
        "",
    ]
    return "\n".join(lines)


def row(name: str, tally: Tally) -> str:
    """A line of the table."""
    mean = 1000 * tally.seconds / tally.tried
    return (
        f"| {name} | {tally.tried:,} | {tally.failed:,} | {tally.slow:,} | {tally.slowest:.2f}"
        f" | {mean:.1f} | {tally.megabytes:.0f} |"
    )


def attack_writing(page: Path | None) -> int:
    """Every fault in every command that writes: see the module of that name."""
    from attack_writing import matrix

    rows = matrix()
    lines = [f"{heading()}.", "", "| command | fault | tries | failed |", "|---|---|--:|--:|"]
    lines += [f"| {r.command} | {r.fault} | {r.tries} | {len(r.failures)} |" for r in rows]
    text = "\n".join([*lines, ""])
    print(text)
    for row in rows:
        for failure in row.failures:
            print(f"{row.command}, {row.fault}: {failure}")
    if page is not None:
        write_report(page, "writing", text)
    return any(row.failures for row in rows)


def write_report(page: Path, name: str, text: str) -> None:
    """Put a report between its marks in a page."""
    inside = re.compile(f"(?<=<!-- {name}: begin -->\n).*(?=<!-- {name}: end -->)", re.DOTALL)
    page.write_text(inside.sub(lambda match: text, page.read_text()))


if __name__ == "__main__":
    sys.exit(main())
