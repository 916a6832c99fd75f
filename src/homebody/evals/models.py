"""Runs of models: a thin front over ``inspect_ai.eval``, which keeps its own logs."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from homebody.core import HomebodyError
from homebody.core.task import Progress
from homebody.evals.checks import check_model, is_prerequisite, message_of, reason_of
from homebody.evals.logs import outage_of
from homebody.evals.options import Options
from homebody.evals.resume import RUN, done_samples, find_interrupted, task_name

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

MAX_REQUEST_RETRIES: Final = 7
"""How often one request is repeated; with Inspect's waits of 3, 6, 12 ... seconds this is patience
for 7 minutes."""


def check_models(model: str, options: Options) -> None:
    """Raises HomebodyError if one of the models of a run cannot be asked."""
    for name in (model, *options.roles.values()):
        with _silent():
            check_model(name)


def run_models(
    this_run: Mapping[str, Any],
    options: Options,
    log_dir: Path,
    tasks: Sequence[str],
    *,
    resume: bool,
    progress: Progress | None,
    tell: Callable[[str], None] | None,
    max_connections: int | None,
    max_retries: int,
) -> tuple[EvalLog | None, int]:
    """The log of a run, None if Ctrl-C ended it before there was one, and how many of its samples
    an interrupted run had already.

    Raises:
        HomebodyError: the run failed, or no model can be asked any more.
    """
    with TemporaryDirectory() as scratch:
        previous = find_interrupted(log_dir, this_run, tasks, Path(scratch)) if resume else None
        resumed = len(done_samples(previous)) if previous is not None else 0
        total = this_run["epochs"] * len(tasks)
        with _shown(progress, resumed, total), _waited_for(tell, max_retries), _silent():
            log = _evaluate(previous, this_run, options, log_dir, max_connections, max_retries)
    if log is not None and log.status not in ("success", "cancelled"):
        outage = outage_of(log)
        if outage is not None or log.status != "error" or log.error is not None:
            hint = f"see {log_path(log)}; the same command goes on from there"
            raise HomebodyError(
                f"no model can be asked: {outage}" if outage else reason_of(log), hint
            )
    return (None if log is None or log.status == "cancelled" else log), resumed


def log_path(log: EvalLog) -> Path:
    """Where a log is."""
    return Path(log.location.removeprefix("file://"))


def _evaluate(
    previous: EvalLog | None,
    this_run: Mapping[str, Any],
    options: Options,
    log_dir: Path,
    max_connections: int | None,
    max_retries: int,
) -> EvalLog | None:
    """The log of the run, or ``None`` if Ctrl-C ended it."""
    from inspect_ai import eval as evaluate
    from inspect_ai import eval_retry

    from homebody.evals.tasks import inspect_task

    common: dict[str, Any] = {
        "log_dir": str(log_dir),
        "log_format": "eval",
        "display": "log",  # of all displays the one that does not draw; see _silent
        "score_display": False,
        "ctl_server": False,
        "max_connections": max_connections,
        "max_retries": max_retries,
        "fail_on_error": True,  # so that it is no success, and can be gone on with
        "continue_on_fail": True,
    }
    inspect_task(this_run["suite"])  # one that was registered late has to be known
    try:
        if previous is not None:
            logs = eval_retry(previous, **common)
        else:
            logs = evaluate(
                f"homebody/{task_name(this_run['suite'])}",
                model=this_run["model"],
                task_args={
                    **{key: this_run[key] for key in ("protocol", "seed")},
                    **{k: v for k, v in options.changed().items() if k != "roles"},
                },
                model_roles=dict(options.roles) or None,
                limit=this_run["limit"],
                epochs=this_run["epochs"],
                temperature=this_run["temperature"],
                metadata={RUN: this_run},
                **common,
            )
    except IndexError:  # eval_retry takes the first of the logs, and Ctrl-C leaves none
        return None
    except Exception as error:
        if is_prerequisite(error):
            raise HomebodyError(message_of(error)) from error
        raise
    return logs[0] if logs else None


@contextmanager
def _shown(progress: Progress | None, done: int, total: int) -> Iterator[None]:
    """Show progress as samples come to their end."""
    from homebody.evals.solvers import on_done

    stdout = sys.stdout

    def count() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            with redirect_stdout(stdout):
                progress("running", done, total)

    token = on_done.set(count)
    try:
        yield
    finally:
        on_done.reset(token)


@contextmanager
def _waited_for(tell: Callable[[str], None] | None, max_retries: int) -> Iterator[None]:
    """Tell what is waited for."""
    from homebody.evals.requests import Requests, requests_of_run

    token = requests_of_run.set(Requests(tell, max_retries))
    try:
        yield
    finally:
        requests_of_run.reset(token)


@contextmanager
def _silent() -> Iterator[None]:
    """Let Inspect print nothing: it writes warnings and tracebacks to standard output, through
    rich's global console, which it also changes. All of it is in the log."""
    import rich

    console = rich.get_console()
    before = dict(vars(console))
    try:
        with redirect_stdout(io.StringIO()):
            yield
    finally:
        vars(console).update(before)
