"""Runs independent named jobs in one process, in several processes, or on Ray.

    finish(work, {"a": 1, "b": 2}, kept={"a"}, keep=write, engine="ray")  # write({"b": work(2)})

Results are the same on every engine and come in any order. Work can be resumed from the kept
results on any engine. An exception in a job or in the keeper of results ends the workers.

An engine is a function of the work (a function of a module, so that other processes can import it),
the jobs and the number of workers. It yields the results.
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
from homebody.core.ground.signals import exit_at_signals
from homebody.core.ground.user_errors import HomebodyError

N = TypeVar("N")
J = TypeVar("J")
R = TypeVar("R")
Engine: TypeAlias = Callable[
    [Callable[[Any], Any], Sequence[Any], int | None], Generator[Any, None, None]
]
MAX_WORKERS: Final = 1024
RETRIES: Final = 2
"""Maximum number of times that a job is repeated after its worker process was killed."""
_GRACE: Final = 5.0
"""Seconds in which a worker process can clean up before it is killed."""
_OBJECT_STORE: Final = 128 * 1024**2
"""Number of bytes that a Ray started by homebody reserves for results. A shard has about 200 kB."""


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
    """Do the jobs without a kept result, and keep their results.

    Args:
        work: A function of a module or a ``partial`` of one, so that other processes can import it.
        jobs: Name -> job.
        kept: The names of the finished jobs.
        keep: Called with results by the names of their jobs, as they come, in any order.
        engine: One of :data:`ENGINES`.
        workers: Number of processes; by default the number of cores, or the number of CPUs of a Ray
            cluster.
        together: Maximum number of jobs that a worker does at a time; their results are kept
            together.
        progress: Receives the amount of finished work.
        activity: The description of the work for ``progress``.
        size: Job -> its amount of work for ``progress``.

    Raises:
        HomebodyError: there is no such engine or number of workers, a job raised it, or its
            workers ended without a result at each of 1 + :data:`RETRIES` attempts. Kept results
            remain.
        RuntimeError: a job raised a job in another process raised another exception. The error has
            its traceback.
    """
    missing = {name: job for name, job in jobs.items() if name not in kept}
    total = sum(map(size, jobs.values()))
    done = total - sum(map(size, missing.values()))
    if progress is not None:
        progress(activity, done, total)
    with results(work, missing, engine=engine, workers=workers, together=together) as batches:
        for batch in batches:
            keep(batch)
            done += sum(size(missing[name]) for name in batch)
            if progress is not None:
                progress(activity, done, total)


def all_results(work: Callable[[J], R], jobs: Mapping[N, J], **options: Any) -> dict[N, R]:
    """Return the results of all jobs, in order. Options and errors are the same as for
    :func:`finish`."""
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
    """Do jobs until the end of the block. Yield their results by name as soon as possible, in any
    order or ``in_order``. See :func:`finish`."""
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise HomebodyError(f"there can be 1 to {MAX_WORKERS} workers, not {workers}")
    if engine not in ENGINES:
        raise HomebodyError(
            f"unknown engine: {engine[:40]!r}", f"choose one of: {', '.join(ENGINES)}"
        )
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
    # closed, so that workers end right after an error, and not at garbage collection
    with closing(ENGINES[engine](partial(_run_batch, work), numbered, workers)) as doing:
        yield answers()


def _run_batch(work: Callable[[J], R], batch: tuple[int, Sequence[J]]) -> tuple[int, list[R]]:
    return batch[0], [work(job) for job in batch[1]]


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serial(
    work: Callable[[J], R], jobs: Sequence[J], workers: int | None
) -> Generator[R, None, None]:
    """Do jobs one after the other in this process."""
    for job in jobs:
        yield work(job)


def pool(
    work: Callable[[J], R], jobs: Sequence[J], workers: int | None
) -> Generator[R, None, None]:
    """Do jobs in new processes, one job at a time in each. Forks of this process could wait forever
    for locks of its threads."""
    yield from _in_processes("spawn", work, jobs, workers)


def fork(
    work: Callable[[J], R], jobs: Sequence[J], workers: int | None
) -> Generator[R, None, None]:
    """Do jobs in forks of this process, which start at once with everything loaded. The work can be
    any function. Raises HomebodyError if this process cannot be forked."""
    if not can_fork():
        raise HomebodyError("this process cannot be forked", "choose the engine pool")
    yield from _in_processes("fork", work, jobs, workers)


def can_fork() -> bool:
    """Return whether this process can be forked: on Linux, while it has one thread."""
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
                f"fresh processes cannot import this: {error}", "choose the engine fork or serial"
            ) from error
    waiting = deque(jobs)
    crew: dict[Connection, tuple[BaseProcess, J, int]] = {}  # with their jobs and failed attempts

    def begin(job: J, attempts: int) -> None:
        with _ignore_interrupts():
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, work), daemon=True)
            process.start()
            theirs.close()  # so that we notice the end of the process
            crew[ours] = (process, job, attempts)
        ours.send((job,))

    try:
        for _ in range(min(workers or cores(), len(jobs))):
            begin(waiting.popleft(), 0)
        while crew:
            for ready in wait(list(crew)):
                assert isinstance(ready, Connection)
                process, job, attempts = crew[ready]
                try:
                    message = ready.recv()
                except (EOFError, ConnectionError):
                    process.join(_GRACE)
                    if attempts == RETRIES or (method == "fork" and not can_fork()):
                        raise HomebodyError(
                            f"a worker process ended with code {process.exitcode}",
                            "perhaps memory ran out: use fewer workers; finished work is kept",
                        ) from None
                    del crew[ready]
                    begin(job, attempts + 1)
                    continue
                result = _unwrap(message)
                if waiting:
                    crew[ready] = (process, waiting.popleft(), 0)
                    ready.send((crew[ready][1],))
                else:
                    ready.send(())  # closing is not enough: forks have this connection too
                    ready.close()
                    del crew[ready]
                    process.join()
                yield result
    finally:
        for process, _, _ in crew.values():
            process.terminate()
        for process, _, _ in crew.values():
            process.join(_GRACE)
            process.kill()
            process.join()


def _attempt(work: Callable[[J], R], job: J) -> tuple[str, Any]:
    """Do a job, and return the worker's message: the result or the error."""
    try:
        return "done", work(job)
    except HomebodyError as error:
        return "mistake", (str(error), error.hint)
    except Exception:
        return "crash", traceback.format_exc()


def _unwrap(message: tuple[str, Any]) -> Any:
    """Return the result in a worker's message, or raise its error."""
    kind, value = message
    if kind == "mistake":
        raise HomebodyError(*value)
    if kind == "crash":
        raise RuntimeError(f"in a worker process:\n{value}")
    return value


def _serve(connection: Connection, work: Callable[[Any], Any]) -> None:
    """Do jobs in a worker process until the parent has no more, or has ended."""
    exit_at_signals("SIGTERM")
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
    """End this worker when its parent ends. A killed parent cannot end its workers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Let processes that are started in the block ignore Ctrl-C. Terminals send it to all
    processes, but the parent ends its workers."""
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
    """Do jobs on Ray: on the cluster of an earlier ``ray.init`` or of RAY_ADDRESS; else on this
    machine, without dashboard and usage reports.

    Raises:
        HomebodyError: Ray is not installed or cannot be reached, or as in other engines.
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
        except Exception as error:  # of many types
            raise HomebodyError(f"Ray cannot be started or reached: {error}") from error
    going: list[Any] = []
    try:
        function = ray.remote(num_cpus=1, max_retries=RETRIES)(_on_worker)
        shared = ray.put(work)
        waiting = deque(jobs)
        most = workers or max(int(ray.cluster_resources().get("CPU", 1)), 1)
        while waiting or going:
            while waiting and len(going) < most:
                going.append(function.remote([shared], waiting.popleft()))
            ready, going = ray.wait(going)
            for message in ray.get(ready):
                yield _unwrap(message)
    except ray.exceptions.RayError as error:
        raise HomebodyError(
            f"Ray could not do a job: {error}", "finished work is kept; see: ray status"
        ) from error
    finally:
        if ours:
            ray.shutdown()
        else:
            for each in going:
                ray.cancel(each, force=True)


_works: Final[dict[str, Callable[[Any], Any]]] = {}
"""The work of a Ray worker process. The process keeps it, with everything that it has loaded."""


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
