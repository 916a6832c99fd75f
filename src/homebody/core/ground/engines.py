"""Independent jobs with names, done in one process, in several, or on Ray.

    finish(work, {"a": 1, "b": 2}, kept={"a"}, keep=write, engine="ray")  # write({"b": work(2)})

What comes of the jobs is the same on every engine, and comes in any order. Work is resumed by what
is kept of it, on whichever engine. An exception in a job, or in who keeps the results, ends the
workers.

An engine is a function of the work (a function of a module, so that other processes can have it),
the jobs and the number of workers, and yields what comes of the jobs.
"""

from __future__ import annotations

import importlib
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Container, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, Final, TypeAlias, TypeVar

from homebody.core.ground.progress import Progress
from homebody.core.ground.user_errors import HomebodyError

N = TypeVar("N")
J = TypeVar("J")
R = TypeVar("R")
Engine: TypeAlias = Callable[
    [Callable[[Any], Any], Sequence[Any], int | None], Generator[Any, None, None]
]
MAX_WORKERS: Final = 1024
_OBJECT_STORE: Final = 128 * 1024**2
"""Bytes that a Ray of our own sets aside for results; a shard has some 200 kB."""


def finish(
    work: Callable[[J], R],
    jobs: Mapping[N, J],
    kept: Container[N],
    keep: Callable[[dict[N, R]], object],
    *,
    engine: str = "pool",
    workers: int | None = None,
    together: int = 1,
    progress: Progress | None = None,
    activity: str = "",
    size: Callable[[J], int] = lambda job: 1,
) -> None:
    """Do the jobs of which nothing is kept yet, and keep what comes of them.

    Args:
        work: A function of a module or a ``partial`` of one, so that other processes can have it.
        jobs: All jobs by their names.
        kept: The names of those that are done.
        keep: Called with results by the names of their jobs, as they come, in any order.
        engine: One of :data:`ENGINES`.
        workers: How many processes; if left out, as many as there are cores, or as a Ray cluster
            has CPUs.
        together: Most jobs that a worker does at a time; their results are kept together.
        progress: Told how much is done, as an ``activity``.
        size: Job -> how much of what progress counts it is.

    Raises:
        HomebodyError: there is no such engine or number of workers; a job raised it; or a worker
            ended without an answer. What was kept before stays.
        RuntimeError: a job raised something else in another process; with its traceback.
    """
    missing = {name: job for name, job in jobs.items() if name not in kept}
    total = sum(map(size, jobs.values()))
    done = total - sum(map(size, missing.values()))
    if progress is not None:
        progress(activity, done, total)
    with results(work, missing, engine=engine, workers=workers, together=together) as answers:
        for some in answers:
            keep(some)
            done += sum(size(missing[name]) for name in some)
            if progress is not None:
                progress(activity, done, total)


def all_results(work: Callable[[J], R], jobs: Mapping[N, J], **options: Any) -> dict[N, R]:
    """What comes of all jobs, in their order; the options and errors of :func:`finish`."""
    found: dict[N, R] = {}
    finish(work, jobs, (), found.update, **options)
    return {name: found[name] for name in jobs}


@contextmanager
def results(
    work: Callable[[J], R],
    jobs: Mapping[N, J],
    *,
    engine: str = "pool",
    workers: int | None = None,
    together: int = 1,
    in_order: bool = False,
) -> Iterator[Iterator[dict[N, R]]]:
    """While the block lasts, workers do jobs; yields what comes of them, by their names, in any
    order or ``in_order``, as soon as that is possible. See :func:`finish`."""
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise HomebodyError(f"there can be 1 to {MAX_WORKERS} workers, not {workers}")
    if engine not in ENGINES:
        raise HomebodyError(f"there is no engine {engine[:40]!r}", f"choose: {', '.join(ENGINES)}")
    items = list(jobs.items())
    batches = [dict(items[at : at + together]) for at in range(0, len(items), together)]

    def answers() -> Iterator[dict[N, R]]:
        early: dict[int, dict[N, R]] = {}
        following = 0
        for number, values in doing:
            early[number] = dict(zip(batches[number], values, strict=True))
            while early and (not in_order or following in early):
                yield early.pop(following if in_order else number)
                following += 1

    numbered = [(number, [*batch.values()]) for number, batch in enumerate(batches)]
    # closed, so that workers end now after an error, and not when memory is tidied up
    with closing(ENGINES[engine](partial(_run_batch, work), numbered, workers)) as doing:
        yield answers()


def _run_batch(work: Callable[[J], R], batch: tuple[int, Sequence[J]]) -> tuple[int, list[R]]:
    return batch[0], [work(job) for job in batch[1]]


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serial(
    work: Callable[[J], R], jobs: Sequence[J], workers: int | None
) -> Generator[R, None, None]:
    """One after the other, in this process."""
    for job in jobs:
        yield work(job)


def pool(
    work: Callable[[J], R], jobs: Sequence[J], workers: int | None
) -> Generator[R, None, None]:
    """In fresh processes of this machine, each with one job at a time: copies of this one could
    hang on locks of its threads."""
    yield from _in_processes("spawn", work, jobs, workers)


def fork(
    work: Callable[[J], R], jobs: Sequence[J], workers: int | None
) -> Generator[R, None, None]:
    """In copies of this process, which have all that it has loaded, and begin at once. The work
    can be any function. Raises HomebodyError if this process cannot be copied."""
    if not can_fork():
        raise HomebodyError("this process cannot be copied", "choose the engine pool")
    yield from _in_processes("fork", work, jobs, workers)


def can_fork() -> bool:
    """Whether this process can be copied: on Linux, while it has one thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def _in_processes(
    method: str, work: Callable[[J], R], jobs: Sequence[J], workers: int | None
) -> Generator[R, None, None]:
    context: Any = multiprocessing.get_context(method)
    if method == "spawn":
        try:
            ForkingPickler.dumps(work)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise HomebodyError(
                f"fresh processes cannot be given this: {error}", "choose the engine fork or serial"
            ) from error
    waiting = deque(jobs)
    crew: dict[Connection, BaseProcess] = {}
    try:
        with _ignore_interrupts():
            for _ in range(min(workers or cores(), len(jobs))):
                ours, theirs = context.Pipe()
                crew[ours] = context.Process(target=_serve, args=(theirs, work), daemon=True)
                crew[ours].start()
                theirs.close()  # so that its end can be heard
        for connection in crew:
            connection.send((waiting.popleft(),))
        while crew:
            for ready in wait(list(crew)):
                assert isinstance(ready, Connection)
                answer = _unwrap(_receive(ready, crew[ready]))
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


def _receive(connection: Connection, process: BaseProcess) -> Any:
    try:
        return connection.recv()
    except (EOFError, ConnectionError):
        process.join(5)
        raise HomebodyError(
            f"a worker process ended with code {process.exitcode}",
            "perhaps memory ran out: take fewer workers; what is finished is kept",
        ) from None


def _attempt(work: Callable[[J], R], job: J) -> tuple[str, Any]:
    """What a worker answers: the result, or what went wrong."""
    try:
        return "done", work(job)
    except HomebodyError as error:
        return "mistake", (str(error), error.hint)
    except Exception:
        return "crash", traceback.format_exc()


def _unwrap(answer: tuple[str, Any]) -> Any:
    """The result that a worker answered. Raises what went wrong."""
    kind, value = answer
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
        connection.send(_attempt(work, *job))


def _end_with_parent() -> None:
    """A parent that was killed cannot end its workers, and nobody would want their answers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
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


def on_ray(
    work: Callable[[J], R], jobs: Sequence[J], workers: int | None
) -> Generator[R, None, None]:
    """On Ray: on the cluster that a program which has called ``ray.init`` is connected to, or that
    RAY_ADDRESS names; else on this machine, without dashboard and reports of usage.

    Raises:
        HomebodyError: Ray is not installed or cannot be reached; or as other engines.
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
        local = {
            "address": "local",
            "num_cpus": workers or cores(),
            "include_dashboard": False,
            "object_store_memory": _OBJECT_STORE,
        }
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            ray.init(**({} if os.environ.get("RAY_ADDRESS") else local), **quiet)
        except Exception as error:  # of many types, all of which say what is wrong
            raise HomebodyError(f"Ray cannot be started or reached: {error}") from error
    going: list[Any] = []
    try:
        function = ray.remote(num_cpus=1, max_retries=2)(_on_worker)
        shared = ray.put(work)
        waiting = deque(jobs)
        most = workers or max(int(ray.cluster_resources().get("CPU", 1)), 1)
        while waiting or going:
            while waiting and len(going) < most:
                going.append(function.remote([shared], waiting.popleft()))
            ready, going = ray.wait(going)
            for answer in ray.get(ready):
                yield _unwrap(answer)
    except ray.exceptions.RayError as error:
        raise HomebodyError(
            f"Ray could not do a job: {error}", "what is finished is kept; see: ray status"
        ) from error
    finally:
        if ours:
            ray.shutdown()
        else:
            for each in going:
                ray.cancel(each, force=True)


_works: Final[dict[str, Callable[[Any], Any]]] = {}
"""In a worker process of Ray: the work that it does, which keeps what it has loaded."""


def _on_worker(shared: Sequence[Any], job: Any) -> tuple[str, Any]:
    (reference,) = shared
    name = reference.hex()
    if name not in _works:
        _works.clear()
        _works[name] = importlib.import_module("ray").get(reference)
    return _attempt(_works[name], job)


ENGINES: Final[Mapping[str, Engine]] = {
    "fork": fork,
    "pool": pool,
    "ray": on_ray,
    "serial": serial,
}
