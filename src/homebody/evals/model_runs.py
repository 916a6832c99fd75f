"""Start or resume runs of models by ``inspect_ai.eval``, with progress and without its output."""

from __future__ import annotations

import io
import logging
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from homebody.core import HomebodyError, Suite
from homebody.core.ground.progress import Progress
from homebody.evals.checks import check_model, is_prerequisite, message_of, reason_of
from homebody.evals.endpoints import Connection, role_models
from homebody.evals.logs import outage_of
from homebody.evals.model_resume import (
    RUN,
    find_interrupted,
    finished_samples,
    local_path,
    task_name,
)
from homebody.evals.options import Options
from homebody.evals.samples import suite_of_run

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog
    from inspect_ai.model import GenerateConfig, Model


def check_models(model: str, options: Options, connection: Connection) -> None:
    """Raise HomebodyError if a model of the run cannot be used."""
    for name in (model, *options.roles.values()):
        with _silence_inspect():
            check_model(name, **connection.arguments(name, model, options.model_args))


def run_models(
    this_run: Mapping[str, Any],
    options: Options,
    log_dir: Path,
    tasks: Sequence[str],
    *,
    resume: bool,
    progress: Progress | None,
    tell: Callable[[str], None] | None,
    connection: Connection,
    suite: Suite[Any],
) -> tuple[EvalLog | None, int]:
    """Run or resume models; return the log and the number of samples that were already finished.

    The log is None if Ctrl-C ended the run.

    Raises:
        HomebodyError: The run failed, or no model can be queried any more.
    """
    with TemporaryDirectory() as scratch:
        previous = (
            find_interrupted(log_dir, this_run, tasks, Path(scratch), tell or (lambda line: None))
            if resume
            else None
        )
        resumed = len(finished_samples(previous)) if previous is not None else 0
        total = this_run["epochs"] * len(tasks)
        waits = _report_waits(tell, connection.max_retries, total - resumed)
        with (
            _report_progress(progress, resumed, total),
            waits,
            _silence_inspect(),
            _tolerate_trace_errors(),
        ):
            token = suite_of_run.set(suite)
            try:
                log = _evaluate(previous, this_run, options, log_dir, connection)
            finally:
                suite_of_run.reset(token)
    if log is not None and log.status not in ("success", "cancelled"):
        outage = outage_of(log)
        if outage is not None or log.status != "error" or log.error is not None:
            hint = f"see {local_path(log.location)}; run the same command to resume"
            raise HomebodyError(
                f"no model can be queried: {outage}" if outage else reason_of(log), hint
            )
    return (None if log is None or log.status == "cancelled" else log), resumed


def _evaluate(
    previous: EvalLog | None,
    this_run: Mapping[str, Any],
    options: Options,
    log_dir: Path,
    connection: Connection,
) -> EvalLog | None:
    """Return the log of the run; None if Ctrl-C ended it."""
    from inspect_ai import eval as evaluate
    from inspect_ai import eval_retry
    from inspect_ai.model import GenerateConfig

    from homebody.evals.tasks import inspect_task

    common: dict[str, Any] = {
        "log_dir": str(log_dir),
        "log_format": "eval",
        "display": "log",  # the only display that does not draw; see _silence_inspect
        "score_display": False,
        "ctl_server": False,
        "fail_on_error": True,  # so that the run counts as failed and can be resumed
        "continue_on_fail": True,
    }
    model, args = this_run["model"], options.model_args
    config = GenerateConfig(
        **connection.config(this_run["temperature"], options.max_tokens, options.reasoning_effort)
    )
    roles = role_models(options.roles, model, args, connection, config)
    inspect_task(this_run["suite"])  # registers a suite that no package offers
    try:
        if previous is not None:
            _update_connection(previous, connection, config, roles)
            logs = eval_retry(previous, **common)
        else:
            logs = evaluate(
                f"homebody/{task_name(this_run['suite'])}",
                model=model,
                model_args=dict(args),
                model_base_url=connection.base_url,
                task_args={
                    **{key: this_run[key] for key in ("protocol", "seed")},
                    **options.task_options(),
                },
                model_roles=roles or None,
                limit=this_run["limit"],
                epochs=this_run["epochs"],
                metadata={RUN: this_run},
                **config.model_dump(exclude_none=True),
                **common,
            )
    except IndexError:  # eval_retry takes the first log, and Ctrl-C leaves none
        return None
    except Exception as error:
        if is_prerequisite(error):
            raise HomebodyError(message_of(error)) from error
        if isinstance(error, OSError | sqlite3.Error):  # its buffer of samples is a database
            raise HomebodyError(
                f"Inspect cannot write: {error}",
                "free disk space, then run the same command to resume",
            ) from error
        raise
    return logs[0] if logs else None


def _update_connection(
    previous: EvalLog, connection: Connection, config: GenerateConfig, roles: Mapping[str, Model]
) -> None:
    """Replace a log's connection settings by the current ones before Inspect resumes it."""
    from inspect_ai.model import ModelConfig

    previous.eval.model_base_url = connection.base_url
    previous.eval.model_generate_config = config
    previous.eval.model_roles = {
        role: ModelConfig(
            model=str(model), config=config, base_url=model.api.base_url, args=model.model_args
        )
        for role, model in roles.items()
    } or None
    previous.plan.config = config


@contextmanager
def _report_progress(progress: Progress | None, done: int, total: int) -> Iterator[None]:
    """Report progress as samples finish."""
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
def _report_waits(
    tell: Callable[[str], None] | None, max_retries: int, samples: int
) -> Iterator[None]:
    """Report retries and silence of providers."""
    from homebody.evals.requests import Requests, requests_of_run, watch_retries

    watch_retries()
    token = requests_of_run.set(Requests(tell, max_retries, samples))
    try:
        yield
    finally:
        requests_of_run.reset(token)


@contextmanager
def _tolerate_trace_errors() -> Iterator[None]:
    """Accept that Inspect's trace log is incomplete if it cannot be written.

    Otherwise each message causes an error on standard error, and another one when the process ends.
    """
    before, logging.raiseExceptions = logging.raiseExceptions, False
    try:
        yield
    finally:
        logging.raiseExceptions = before
        for handler in logging.getLogger("inspect_ai").handlers:
            trace = getattr(handler, "trace_logger", None)
            if isinstance(trace, logging.FileHandler):
                try:
                    trace.close()  # reopens for the next message
                except OSError:
                    vars(handler)["trace_logger"] = None
                    with suppress(OSError):  # otherwise it is compressed at exit
                        Path(trace.baseFilename).unlink(missing_ok=True)


@contextmanager
def _silence_inspect() -> Iterator[None]:
    """Suppress Inspect's output, and restore rich's global console afterwards. The output is also
    in Inspect's log."""
    import rich

    console = rich.get_console()
    before = dict(vars(console))
    try:
        with redirect_stdout(io.StringIO()):
            yield
    finally:
        vars(console).update(before)
