"""Judging in a thread: what comes of it, and that it ends when nobody waits for it any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

anyio = pytest.importorskip("anyio", reason="needs: pip install 'homebody[models]'")

from homebody.evals.threads import run_in_thread  # noqa: E402
from patience import PATIENCE  # noqa: E402


def test_results_and_errors_come_back_from_another_thread() -> None:
    def wrong() -> None:
        raise ValueError("wrong")

    assert anyio.run(run_in_thread, threading.get_ident) != threading.get_ident()
    with pytest.raises(ValueError, match="wrong"):
        anyio.run(run_in_thread, wrong)


def test_one_thing_at_a_time_and_the_loop_goes_on() -> None:
    running, most, started = 0, 0, threading.Semaphore(0)
    turn = threading.Semaphore(0)

    def work() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        started.release()
        assert turn.acquire(timeout=PATIENCE)  # that the loop gives while this runs
        running -= 1

    async def main() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(run_in_thread, work)
            for _ in range(5):
                while not started.acquire(blocking=False):
                    await anyio.sleep(0.001)
                await anyio.sleep(0.005)
                assert running == 1
                turn.release()

    anyio.run(main)
    assert most == 1


def test_who_is_cancelled_interrupts_the_work_which_cleans_up() -> None:
    started, cleaned, later = threading.Event(), threading.Event(), threading.Event()
    ended = False

    def work() -> None:
        nonlocal ended
        try:
            end = time.monotonic() + PATIENCE
            started.set()
            while time.monotonic() < end:
                time.sleep(0.01)
            ended = True
        finally:
            cleaned.set()

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(run_in_thread, work)
            group.start_soon(run_in_thread, later.set)  # its turn never comes
            while not started.is_set():
                await anyio.sleep(0.01)
            group.cancel_scope.cancel()

    anyio.run(main)
    assert cleaned.wait(PATIENCE / 2)
    assert not ended
    assert not later.is_set()


def test_work_that_ends_as_it_is_cancelled_leaves_no_trace() -> None:
    """An interrupt that comes too late must not hit what the thread does next."""
    stray: list[object] = []
    hook, threading.excepthook = threading.excepthook, stray.append

    def busy(steps: int) -> Callable[[], int]:
        return lambda: sum(range(steps))

    async def main(steps: int, patience: float) -> None:
        with anyio.move_on_after(patience):
            await run_in_thread(busy(steps))
        assert await run_in_thread(lambda: "next") == "next"

    try:
        for turn in range(40):
            anyio.run(main, 10_000, turn * 2e-5)
    finally:
        threading.excepthook = hook
    assert stray == []
