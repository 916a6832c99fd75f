"""A turn: a process that tries cases of one target, for so long, and tells what came of them.

    python -m hostile.turn NAME FIRST SECONDS PLACE

What it is told on standard input is which cases to try again before, with the digests of what they
gave; what it tells on standard output are lines of JSON. In the file PLACE stands the case that it
is at, for whoever finds it dead.
"""

from __future__ import annotations

import base64
import faulthandler
import json
import os
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hostile.target import SLOW, Case, Outcome, attack
from hostile.targets import targets

HANG = 60
"""Seconds of the processor after which a case is a hang; waiting, ten times as many."""
MEMORY = 8 << 30
"""Bytes of address space that a turn may have."""
RETRIED = 20
"""Cases of a turn that the next one tries again, with another seed of hashes."""


@dataclass
class Tally:
    """What came of some cases.

    Attributes:
        seconds: Of the processor, in all.
        slow: Cases that took more than :data:`SLOW` seconds.
        slowest: Seconds of the slowest.
        slowest_index: Which that is.
        megabytes: Most memory that the process had.
    """

    tried: int = 0
    failed: int = 0
    slow: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    slowest_index: int = 0
    megabytes: float = 0.0

    def add(self, other: Tally) -> None:
        """Count another's cases too."""
        self.tried += other.tried
        self.failed += other.failed
        self.slow += other.slow
        self.seconds += other.seconds
        self.megabytes = max(self.megabytes, other.megabytes)
        if other.slowest > self.slowest:
            self.slowest, self.slowest_index = other.slowest, other.slowest_index


def tally_of(outcome: Outcome) -> Tally:
    """What came of one case."""
    took, index = outcome.seconds, outcome.case.index
    return Tally(1, bool(outcome.problem), took > SLOW, took, took, index, _megabytes())


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def as_json(name: str, outcome: Outcome) -> dict[str, Any]:
    """A failure as its file has it."""
    case = outcome.case
    raw = isinstance(case.input, bytes)
    given = base64.b64encode(case.input).decode() if raw else case.input
    return {
        "target": name,
        "index": case.index,
        "which": case.which,
        "bytes" if raw else "text": given,
        "seconds": round(outcome.seconds, 3),
        "problem": outcome.problem,
    }


def case_in(failure: Mapping[str, Any]) -> Case:
    """The case of a failure's file."""
    given = failure["text"] if "text" in failure else base64.b64decode(failure["bytes"])
    return Case(failure["index"], given, failure["which"])


def main(name: str, first: int, seconds: float, place: Path) -> None:
    """Take a turn; see the module."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    told, sys.stdout = sys.stdout, sys.stderr  # whatever else is printed is not ours

    def tell(**line: Any) -> None:
        print(json.dumps(line), file=told, flush=True)

    before: Mapping[str, str] = json.loads(sys.stdin.readline())
    end, said = time.monotonic() + seconds, time.monotonic()
    recent = deque[tuple[int, str]](maxlen=RETRIED)
    faulthandler.register(signal.SIGPROF, chain=True)  # which then ends the process
    at = os.open(place, os.O_WRONLY | os.O_CREAT)

    def begun(index: int) -> None:
        os.pwrite(at, f"{index:<20}".encode(), 0)
        signal.setitimer(signal.ITIMER_PROF, HANG)
        faulthandler.dump_traceback_later(10 * HANG, exit=True)

    def numbers() -> Iterator[int]:
        yield from map(int, before)
        index = first
        while time.monotonic() < end:
            yield index
            index += 1

    tally = Tally()
    target = targets()[name]
    for outcome in attack(target, target.prepare(), numbers(), begun):
        index = outcome.case.index
        if index < first:
            if outcome.digest != before[str(index)]:
                what = outcome.problem or "what it gives depends on the order of hashes"
                tell(failure=as_json(name, Outcome(outcome.case, outcome.seconds, what, "")))
            continue
        if outcome.problem:
            tell(failure=as_json(name, outcome))
        else:
            recent.append((index, outcome.digest))
        tally.add(tally_of(outcome))
        if time.monotonic() > said + 1:
            tell(tally=asdict(tally))
            tally, said = Tally(), time.monotonic()
    tell(tally=asdict(tally), digests=dict(recent))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]))
