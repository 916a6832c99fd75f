"""Find the logs of interrupted or finished runs of models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

Tell: TypeAlias = Callable[[str], None]
RUN = "homebody_run"
"""Key in a log's metadata: the identity of the run."""


def task_name(suite: str) -> str:
    """Return a suite's name as an Inspect task, without ``homebody/``."""
    return suite.replace(".", "_")


def find_interrupted(
    log_dir: Path, this_run: Mapping[str, Any], tasks: Sequence[str], scratch: Path, tell: Tell
) -> EvalLog | None:
    """Find the log with the most finished samples among the logs of this run since its last
    success.

    The log of a killed process is first completed, in ``scratch``, with the samples that Inspect
    buffered elsewhere. ``tell`` receives a line about each damaged log that may belong to this run.
    """
    headers, damaged = _read_headers(log_dir, this_run)
    since = ""
    while any(log.status == "success" for log in headers):
        since = _start_time(headers.pop(0).location)
    damaged = [location for location in damaged if _start_time(location) > since]
    logs = []
    for header in headers:
        if _is_of(header, tasks):
            log = _recover(header, scratch)
            if log is None:
                damaged.append(header.location)
            else:
                logs.append(log)
    for location in damaged:
        tell(f"{local_path(location)} cannot be read; any samples of this run in it are run again")
    return max(logs, key=lambda log: len(finished_samples(log)), default=None)


def find_finished(
    log_dir: Path, this_run: Mapping[str, Any], tasks: Sequence[str]
) -> EvalLog | None:
    """Return the last complete log of this run and these tasks; None if it does not exist."""
    for header in reversed(_read_headers(log_dir, this_run)[0]):
        is_it = header.status == "success" and _is_of(header, tasks)
        log = _read(header.location) if is_it else None
        if log is not None:
            return log
    return None


def local_path(location: str) -> Path:
    """Return the path of a log."""
    return Path(location.removeprefix("file://"))


def _read_headers(log_dir: Path, this_run: Mapping[str, Any]) -> tuple[list[EvalLog], list[str]]:
    """Return this run's logs without samples, oldest first, and its suite's unreadable logs."""
    from inspect_ai.log import list_eval_logs

    task = task_name(this_run["suite"])
    headers: list[EvalLog] = []
    damaged: list[str] = []
    for info in list_eval_logs(str(log_dir), formats=["eval"], recursive=False):
        if info.task.replace("-", "_") == task:
            header = _read(info.name, header_only=True)
            if header is None:
                damaged.append(info.name)
            elif (header.eval.metadata or {}).get(RUN) == this_run:
                headers.append(header)
    return sorted(headers, key=lambda log: (log.eval.created, log.location)), sorted(damaged)


def _start_time(location: str) -> str:
    """Return the start time of a log from its name: ``2026-11-22T15-07-09-00-00``."""
    return Path(location).name.partition("_")[0]


def _is_of(header: EvalLog, tasks: Sequence[str]) -> bool:
    """Return whether a log has these tasks in this order."""
    return list(map(str, header.eval.dataset.sample_ids or ())) == list(tasks)


def _read(location: str, header_only: bool = False) -> EvalLog | None:
    from inspect_ai.log import read_eval_log

    try:
        return read_eval_log(location, header_only=header_only)
    except Exception:  # half-written, or of another version of Inspect
        return None


def _recover(header: EvalLog, scratch: Path) -> EvalLog | None:
    from inspect_ai.log import RecoveryNotAvailable, recover_eval_log

    if header.status == "started":
        with suppress(RecoveryNotAvailable):
            output = str(scratch / Path(header.location).name)
            return recover_eval_log(header.location, output=output, cleanup=False)
    return _read(header.location)


@contextmanager
def open_readable(path: Path) -> Iterator[Path]:
    """Yield a readable copy of a log.

    For a run in progress, it includes the samples that Inspect buffers elsewhere.
    """
    from inspect_ai.log import RecoveryNotAvailable, recover_eval_log

    header = _read(str(path), header_only=True)
    if header is None or header.status != "started":
        yield path
        return
    with TemporaryDirectory() as folder:
        output = Path(folder) / path.name
        with suppress(RecoveryNotAvailable):
            recover_eval_log(str(path), output=str(output), cleanup=False)
        yield output if output.is_file() else path


def finished_samples(log: EvalLog) -> list[EvalSample]:
    """Return the samples of a log that ended without an error. They are not run again."""
    return [sample for sample in log.samples or () if sample.error is None]
