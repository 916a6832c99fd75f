"""Run a model or an agent on a suite: a thin front over ``inspect_ai.eval``.

A run writes one Inspect log. What makes it this run (suite, model or agent, protocol, limit,
epochs, temperature, seed, version) is written in the log, and the same run asked for again goes
on with what was done of it since it last succeeded: no answer is paid for twice.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from homebody import __version__
from homebody.core import HomebodyError, Score
from homebody.core.task import Progress
from homebody.evals.logs import scores_from_log
from homebody.suites import get_suite

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

MAX_RETRIES = 7
"""Of one request; with Inspect's waits of 3, 6, 12 ... seconds this is patience for 7 minutes."""

_RUN = "homebody_run"


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run.

    Attributes:
        scores: In the suite's order of tasks, then by epoch.
        log_path: The Inspect log; ``inspect view`` shows it.
        status: Inspect's word for how it ended: ``success``.
        resumed: How many of the scores an interrupted run had already.
    """

    scores: tuple[Score, ...]
    log_path: Path
    status: str
    resumed: int = 0


def run(
    suite: str,
    *,
    model: str | None = None,
    agent: str | None = None,
    protocol: str = "corrected",
    limit: int | None = None,
    epochs: int = 1,
    temperature: float = 0.0,
    max_connections: int | None = None,
    max_retries: int = MAX_RETRIES,
    seed: int = 0,
    log_dir: Path | str = "logs",
    resume: bool = True,
    progress: Progress | None = None,
) -> RunResult:
    """Run a model, or an agent that is no model, on a suite.

    Args:
        suite: Suite name.
        model: Inspect model name such as ``openai/gpt-4o``; keys and base URLs come from the
            environment, as Inspect documents. Give this or ``agent``.
        agent: Name of one of the suite's agents.
        protocol: Name of one of the suite's protocols.
        limit: First tasks only.
        epochs: How often each task is asked.
        temperature: Sampling temperature.
        max_connections: Requests at a time; Inspect finds a number itself if it is ``None``.
        max_retries: How often a request is repeated that failed for want of a server or a quota.
        seed: Seed of the agent; results do not depend on order or concurrency.
        log_dir: Folder of the Inspect logs.
        resume: Go on with an interrupted run of the same kind in ``log_dir``.
        progress: Told after each sample.

    Raises:
        HomebodyError: something is missing or wrong, or the run failed. What it had done is in
            the log, and the same call goes on from there.
        KeyboardInterrupt: likewise, after Ctrl-C.
    """
    found = get_suite(suite)
    found.protocol(protocol)
    if agent is not None:
        found.agent(agent)
    if (model is None) == (agent is None):
        raise HomebodyError("give either a model or an agent")
    if epochs < 1 or seed < 0 or (limit is not None and limit < 1):
        raise HomebodyError("limit and epochs must be positive, the seed not negative")
    _need_inspect()
    if model is not None:
        _check_model(model)

    this_run = {
        "suite": suite,
        "model": model,
        "agent": agent,
        "protocol": protocol,
        "limit": limit,
        "epochs": epochs,
        "temperature": temperature,
        "seed": seed,
        "version": __version__,
    }
    log_dir = Path(log_dir)
    try:
        log_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HomebodyError(f"cannot write to {log_dir}: {error.strerror}") from error
    found.prepare(progress)
    tasks = len(found.load(found.protocol(protocol)))
    total = epochs * (tasks if limit is None else min(limit, tasks))

    with TemporaryDirectory() as scratch:
        previous = _interrupted(log_dir, this_run, Path(scratch)) if resume else None
        resumed = len(_done(previous)) if previous is not None else 0
        with _inspect(progress, resumed, total):
            log = _evaluate(previous, this_run, log_dir, max_connections, max_retries)
    if log is None or log.status == "cancelled":
        raise KeyboardInterrupt("interrupted; the same command goes on from there")
    path = Path(log.location.removeprefix("file://"))
    if log.status != "success":
        raise HomebodyError(_reason(log), f"see {path}; the same command goes on from there")
    return RunResult(tuple(scores_from_log(log)), path, log.status, resumed)


def _need_inspect() -> None:
    try:
        import inspect_ai  # noqa: F401
    except ImportError as error:
        raise HomebodyError(
            f"running needs Inspect AI, which cannot be imported: {error}",
            "pip install 'homebody[models]'",
        ) from error


def _check_model(name: str) -> None:
    """Find a wrong name, a missing key or a server that is not running before any work."""
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import get_model

    try:
        model = get_model(name, memoize=False)
    except (PrerequisiteError, ValueError, ImportError) as error:
        raise HomebodyError(
            f"cannot use the model {name!r}: {_message(error)}",
            "see https://inspect.aisi.org.uk/providers.html",
        ) from error
    _check_server(_base_url(model.api))


def _base_url(api: object) -> str:
    client = getattr(api, "client", None)
    return str(getattr(api, "base_url", None) or getattr(client, "base_url", None) or "")


def _check_server(base_url: str) -> None:
    """Inspect would go on trying for minutes. Behind a proxy nothing can be told."""
    url = urlsplit(base_url)
    if not url.hostname or (getproxies() and not proxy_bypass(url.hostname)):
        return
    try:
        port = url.port or (443 if url.scheme == "https" else 80)
        socket.create_connection((url.hostname, port), timeout=10).close()
    except (OSError, ValueError) as error:
        raise HomebodyError(
            f"no server answers at {base_url}: {error}",
            "check the network, and the base URL if you have set one",
        ) from error


def _reason(log: EvalLog) -> str:
    """Why a run failed, in one line."""
    if log.error is None:
        return f"the run ended with status {log.status}"
    if log.error.message.startswith("RetryError"):  # says nothing; its cause does
        before, _, _ = log.error.traceback.partition("\n\nThe above exception was the direct cause")
        return f"no answer after several tries: {_one_line(before.splitlines()[-1])}"
    return _one_line(log.error.message)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _message(error: Exception) -> str:
    """What an exception of Inspect's says, without its terminal markup."""
    from rich.markup import render

    text = str(getattr(error, "message", error))
    if hasattr(error, "message"):
        text = render(text).plain
    return _one_line(text).removeprefix("ERROR: ")


def _interrupted(log_dir: Path, this_run: Mapping[str, Any], scratch: Path) -> EvalLog | None:
    """Of this run's logs since it last succeeded, the one that has most done.

    A log of a process that was killed is first completed, in ``scratch``, with the samples that
    Inspect keeps elsewhere until it writes them to the log.
    """
    from inspect_ai.log import list_eval_logs

    task = _task_name(this_run["suite"])
    headers = [
        header
        for info in list_eval_logs(str(log_dir), formats=["eval"], recursive=False)
        if info.task.replace("-", "_") == task
        and (header := _read(info.name, header_only=True)) is not None
        and (header.eval.metadata or {}).get(_RUN) == this_run
    ]
    headers.sort(key=lambda log: (log.eval.created, log.location))
    while any(log.status == "success" for log in headers):
        headers.pop(0)
    logs = [log for header in headers if (log := _recover(header, scratch)) is not None]
    return max(logs, key=lambda log: len(_done(log)), default=None)


def _read(location: str, header_only: bool = False) -> EvalLog | None:
    from inspect_ai.log import read_eval_log

    try:
        return read_eval_log(location, header_only=header_only)
    except Exception:  # half-written, or another version's: not ours to judge
        return None


def _recover(header: EvalLog, scratch: Path) -> EvalLog | None:
    from inspect_ai.log import RecoveryNotAvailable, recover_eval_log

    if header.status == "started":
        with suppress(RecoveryNotAvailable):
            output = str(scratch / Path(header.location).name)
            return recover_eval_log(header.location, output=output, cleanup=False)
    return _read(header.location)


def _done(log: EvalLog) -> list[EvalSample]:
    return [sample for sample in log.samples or () if sample.error is None]


def _task_name(suite: str) -> str:
    return suite.replace(".", "_")


def _evaluate(
    previous: EvalLog | None,
    this_run: Mapping[str, Any],
    log_dir: Path,
    max_connections: int | None,
    max_retries: int,
) -> EvalLog | None:
    """The log of the run, or ``None`` if Ctrl-C ended it."""
    from inspect_ai import eval as evaluate
    from inspect_ai import eval_retry
    from inspect_ai._util.error import PrerequisiteError

    common: dict[str, Any] = {
        "log_dir": str(log_dir),
        "log_format": "eval",
        "display": "log",  # lines at level INFO, not shown; "none" takes time to draw tables
        "score_display": False,
        "ctl_server": False,
        "max_connections": max_connections,
        "max_retries": max_retries,
    }
    try:
        if previous is not None:
            logs = eval_retry(previous, **common)
        else:
            logs = evaluate(
                f"homebody/{_task_name(this_run['suite'])}",
                model=this_run["model"],
                task_args={key: this_run[key] for key in ("protocol", "agent", "seed")},
                limit=this_run["limit"],
                epochs=this_run["epochs"],
                temperature=this_run["temperature"],
                metadata={_RUN: this_run},
                log_realtime=this_run["model"] is not None,
                **common,
            )
    except PrerequisiteError as error:
        raise HomebodyError(_message(error)) from error
    except IndexError:  # eval_retry takes the first of the logs, and Ctrl-C leaves none
        return None
    return logs[0] if logs else None


@contextmanager
def _inspect(progress: Progress | None, done: int, total: int) -> Iterator[None]:
    """Show progress as samples are scored; keep Inspect quiet, and undo how it does that."""
    import rich

    from homebody.evals.scorers import on_scored

    def count() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress("running", done, total)

    console = rich.get_console()
    before = dict(vars(console))
    console.quiet = True
    token = on_scored.set(count)
    try:
        yield
    finally:
        on_scored.reset(token)
        vars(console).update(before)
