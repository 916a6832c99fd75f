"""Run a model or an agent on a suite: a thin front over ``inspect_ai.eval``.

A run writes one Inspect log. What makes it this run (suite, model or agent, protocol, limit,
epochs, temperature, seed, version) is written in the log, and the same run asked for again goes
on with the newest log of it that did not end well: samples that are in there are not asked
again.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from homebody import __version__
from homebody.core import HomebodyError, Score
from homebody.core.task import Progress
from homebody.evals.logs import scores_from_log
from homebody.suites import get_suite

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

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

    previous = _interrupted(log_dir, this_run) if resume else None
    with _inspect(progress, total) as scored:
        log = _evaluate(previous, this_run, log_dir, max_connections, max_retries)
        new = len(scored)
    path = Path(log.location.removeprefix("file://"))
    if log.status == "cancelled":
        raise KeyboardInterrupt(f"{len(log.samples or ())} of {total} samples are in {path}")
    if log.status != "success":
        reason = log.error.message if log.error else log.status
        raise HomebodyError(
            _one_line(reason), f"see {path}; the same command goes on from there"
        )
    scores = tuple(scores_from_log(log))
    return RunResult(scores, path, log.status, max(0, len(scores) - new))


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
        model = get_model(name)
    except (PrerequisiteError, ValueError, ImportError) as error:
        reason = _one_line(str(getattr(error, "message", error)))
        raise HomebodyError(
            f"cannot use the model {name!r}: {reason}",
            "see https://inspect.aisi.org.uk/providers.html",
        ) from error
    url = urlsplit(getattr(model.api, "base_url", None) or "")
    if not url.hostname or any(os.environ.get(k) for k in ("HTTPS_PROXY", "HTTP_PROXY")):
        return
    try:
        port = url.port or (443 if url.scheme == "https" else 80)
        socket.create_connection((url.hostname, port), timeout=10).close()
    except (OSError, ValueError) as error:
        raise HomebodyError(
            f"no server answers at {url.geturl()}: {error}", "check the base URL of the model"
        ) from error


def _one_line(text: str) -> str:
    from rich.errors import MarkupError
    from rich.text import Text

    try:
        text = Text.from_markup(text).plain
    except MarkupError:
        pass
    return " ".join(text.split())


def _interrupted(log_dir: Path, this_run: dict[str, Any]) -> EvalLog | None:
    """The newest log of this run, unless that run succeeded."""
    from inspect_ai.log import list_eval_logs, read_eval_log

    task = _task_name(this_run["suite"])
    logs = []
    for info in list_eval_logs(str(log_dir), recursive=False):
        if info.task.replace("-", "_") == task:
            log = read_eval_log(info.name, header_only=True)
            if (log.eval.metadata or {}).get(_RUN) == this_run:
                logs.append(log)
    if not logs:
        return None
    newest = max(logs, key=lambda log: (log.eval.created, log.location))
    return None if newest.status == "success" else read_eval_log(newest.location)


def _task_name(suite: str) -> str:
    return suite.replace(".", "_")


def _evaluate(
    previous: EvalLog | None,
    this_run: dict[str, Any],
    log_dir: Path,
    max_connections: int | None,
    max_retries: int,
) -> EvalLog:
    from inspect_ai import eval as evaluate
    from inspect_ai import eval_retry
    from inspect_ai._util.error import PrerequisiteError

    common: dict[str, Any] = {
        "log_dir": str(log_dir),
        "log_format": "eval",
        "display": "none",
        "score_display": False,
        "ctl_server": False,
        "max_connections": max_connections,
        "max_retries": max_retries,
    }
    try:
        if previous is not None:
            return eval_retry(previous, **common)[0]
        return evaluate(
            f"homebody/{_task_name(this_run['suite'])}",
            model=this_run["model"],
            task_args={key: this_run[key] for key in ("protocol", "agent", "seed")},
            limit=this_run["limit"],
            epochs=this_run["epochs"],
            temperature=this_run["temperature"],
            metadata={_RUN: this_run},
            **common,
        )[0]
    except PrerequisiteError as error:
        raise HomebodyError(_one_line(str(error.message))) from error


@contextmanager
def _inspect(progress: Progress | None, total: int) -> Iterator[list[None]]:
    """Count samples as they are scored; let Inspect print nothing, and undo how it does that."""
    import rich

    from homebody.evals.scorers import on_scored

    scored: list[None] = []

    def count() -> None:
        scored.append(None)
        if progress is not None:
            progress("running", len(scored), total)

    console = rich.get_console()
    before = dict(vars(console))
    console.quiet = True
    token = on_scored.set(count)
    try:
        yield scored
    finally:
        on_scored.reset(token)
        vars(console).update(before)
