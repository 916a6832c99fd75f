"""Waiting for what happens elsewhere, and measuring work, however slow the machine is."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

PATIENCE = 600.0
"""Seconds after which something will never happen, on any machine."""


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[Any] | None = None) -> None:
    """Wait until it holds, while a process that is to bring it about runs."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert process is None or process.poll() is None, "the process has ended"
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, Python's and C's, in this thread: a measure of work."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
