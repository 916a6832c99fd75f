"""Run work in a thread beside the event loop, so that Ctrl-C interrupts it at once."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

import anyio
from anyio import to_thread
from anyio.lowlevel import RunVar

R = TypeVar("R")

_one_at_a_time: RunVar[anyio.CapacityLimiter] = RunVar("homebody_judging")
"""Limits work to one thread: suites' caches are not thread-safe."""


async def run_in_thread(work: Callable[[], R]) -> R:
    """Run ``work`` in a thread and return its result.

    If the caller is cancelled, ``work`` receives a KeyboardInterrupt and can clean up.
    """
    limiter = _one_at_a_time.get(None)
    if limiter is None:
        limiter = anyio.CapacityLimiter(1)
        _one_at_a_time.set(limiter)
    lock = threading.Lock()
    working: int | None = None
    unwanted = False

    def call() -> R:
        nonlocal working
        with lock:
            if unwanted:
                raise KeyboardInterrupt
            working = threading.get_ident()
        try:
            return work()
        finally:
            with lock:
                working = None

    try:
        return await to_thread.run_sync(call, abandon_on_cancel=True, limiter=limiter)
    except anyio.get_cancelled_exc_class():
        with lock:
            unwanted = True
            if working is not None:
                interrupt = ctypes.py_object(KeyboardInterrupt)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(working), interrupt)
        raise
