"""Engines do many independent jobs, in one process, in several, or on Ray.

An engine is a function of the work (a function of a module, so that other processes can have it),
the jobs and the number of workers. It yields what came of the jobs as they are done, in any order.
A caller that stops early closes the iterator, which ends the workers. An exception in a job ends
the rest.
"""

from __future__ import annotations

import importlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeAlias, TypeVar

from homebody.core.ground.user_errors import HomebodyError

J = TypeVar("J")
R = TypeVar("R")
Engine: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any], int], Generator[Any, None, None]]

_OBJECT_STORE: Final = 128 * 1024**2
"""Bytes that Ray sets aside for results; a shard has some 200 kB."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serial(work: Callable[[J], R], jobs: Sequence[J], workers: int) -> Generator[R, None, None]:
    """One after the other, in this process."""
    for job in jobs:
        yield work(job)


def pool(work: Callable[[J], R], jobs: Sequence[J], workers: int) -> Generator[R, None, None]:
    """In fresh processes of this machine, each with one job at a time.

    Raises:
        HomebodyError: a job raised it, or a process ended without an answer.
        RuntimeError: a job raised something else; with its traceback.
    """
    # fresh, since copies of this process could hang on locks of its threads
    yield from _in_processes("spawn", work, jobs, workers)


def forked(work: Callable[[J], R], jobs: Sequence[J], workers: int) -> Generator[R, None, None]:
    """In copies of this process, which have all that it has loaded, and begin at once; for those
    who :func:`can_fork`. The work can be any function. Raises as :func:`pool` does."""
    yield from _in_processes("fork", work, jobs, workers)


def can_fork() -> bool:
    """Whether this process can be copied: on Linux, while it has one thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def _in_processes(
    method: str, work: Callable[[J], R], jobs: Sequence[J], workers: int
) -> Generator[R, None, None]:
    context: Any = multiprocessing.get_context(method)
    waiting = deque(jobs)
    crew: dict[Connection, BaseProcess] = {}
    try:
        with _ignored_interrupts():
            for _ in range(min(workers, len(jobs))):
                ours, theirs = context.Pipe()
                crew[ours] = context.Process(target=_serve, args=(theirs, work), daemon=True)
                crew[ours].start()
                theirs.close()  # so that its end can be heard
        for connection in crew:
            connection.send((waiting.popleft(),))
        while crew:
            for ready in wait(list(crew)):
                assert isinstance(ready, Connection)
                answer = _answer(ready, crew[ready])
                if waiting:
                    ready.send((waiting.popleft(),))
                else:
                    ready.send(())  # copies of this process have this connection too
                    ready.close()
                    crew.pop(ready).join()
                yield answer
    finally:
        for process in crew.values():
            process.terminate()
        for process in crew.values():
            process.join()


def _answer(connection: Connection, process: BaseProcess) -> Any:
    try:
        kind, value = connection.recv()
    except (EOFError, ConnectionError):
        process.join(5)
        raise HomebodyError(
            f"a worker process ended with code {process.exitcode}",
            "perhaps memory ran out: take fewer workers; what is finished is kept",
        ) from None
    if kind == "mistake":
        raise HomebodyError(*value)
    if kind == "crash":
        raise RuntimeError(f"in a worker process:\n{value}")
    return value


def _serve(connection: Connection, work: Callable[[Any], Any]) -> None:
    """What a worker process does until its parent has no more for it, or is no more."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # and clean up
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            job = connection.recv()
        except (EOFError, ConnectionError):
            return
        if not job:
            return
        answer: tuple[str, Any]
        try:
            answer = "done", work(*job)
        except HomebodyError as error:
            answer = "mistake", (str(error), error.hint)
        except Exception:
            answer = "crash", traceback.format_exc()
        connection.send(answer)


def _end_with_parent() -> None:
    """A parent that was killed cannot end its workers, and nobody would want their answers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _ignored_interrupts() -> Iterator[None]:
    """Processes begun meanwhile ignore Ctrl-C, which a terminal sends to all: their parent ends
    them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def on_ray(work: Callable[[J], R], jobs: Sequence[J], workers: int) -> Generator[R, None, None]:
    """On Ray: on this machine, without its dashboard and without reports of usage, or wherever a
    program that has called ``ray.init`` itself is connected to.

    Raises:
        HomebodyError: Ray is not installed, or a job raised it.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise HomebodyError(
            "the engine ray needs Ray, which is not installed", "pip install 'homebody[scale]'"
        ) from None
    ours = not ray.is_initialized()
    if ours:
        ray.init(
            address="local",
            num_cpus=workers,
            include_dashboard=False,
            object_store_memory=_OBJECT_STORE,
            log_to_driver=False,
            configure_logging=True,
            logging_level=logging.ERROR,
        )
    try:
        function = ray.remote(num_cpus=1, max_retries=2)(_job)
        shared = ray.put(work)
        waiting = deque(jobs)
        going: list[Any] = []
        while waiting or going:
            while waiting and len(going) < workers:
                going.append(function.remote(shared, waiting.popleft()))
            ready, going = ray.wait(going)
            for kind, value in ray.get(ready):
                if kind == "mistake":
                    raise HomebodyError(*value)
                yield value
    finally:
        if ours:
            ray.shutdown()


def _job(work: Callable[[Any], Any], job: Any) -> tuple[str, Any]:
    try:
        return "done", work(job)
    except HomebodyError as error:
        return "mistake", (str(error), error.hint)


ENGINES: Final[Mapping[str, Engine]] = {"pool": pool, "ray": on_ray, "serial": serial}


def named(name: str) -> Engine:
    """The engine of a name. Raises HomebodyError if there is none."""
    if name not in ENGINES:
        raise HomebodyError(f"there is no engine {name[:40]!r}", f"choose: {', '.join(ENGINES)}")
    return ENGINES[name]
