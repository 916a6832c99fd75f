"""Run a model or an agent on a suite: a thin front over ``inspect_ai.eval``.

A run writes one Inspect log. What makes it this run (suite, model or agent, protocol, limit,
epochs, temperature, seed, version, and options that are not as usual) is written in the log. The
same run asked for again goes on with what was done of it since it last succeeded: no sample that
was scored is asked again.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from homebody import __version__
from homebody.core import HomebodyError, Score
from homebody.core.task import Progress
from homebody.evals.checks import check_model, message_of, need_inspect, reason_of
from homebody.evals.logs import first_attempts_from_log, outputs_from_log, scores_from_log
from homebody.evals.options import Options, other_bounds, other_settings
from homebody.evals.resume import RUN, done_samples, find_finished, find_interrupted, task_name
from homebody.suites import get_suite

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

INTERRUPTED = "interrupted; the same command goes on from there"

MAX_RETRIES = 7
"""Of one request; with Inspect's waits of 3, 6, 12 ... seconds this is patience for 7 minutes."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run.

    Attributes:
        scores: In the suite's order of tasks, then by epoch.
        log_path: The Inspect log; ``inspect view`` shows it.
        outputs: ``(task id, what was answered)``, in the order of the scores.
        resumed: How many of the scores an interrupted run had already.
        first_scores: Scores of the answers before any retry; empty without retries.
        first_outputs: Those answers.
        reused: Nothing was run; this is what an earlier, complete run of the same kind has.
    """

    scores: tuple[Score, ...]
    log_path: Path
    outputs: tuple[tuple[str, str], ...]
    resumed: int = 0
    first_scores: tuple[Score, ...] = ()
    first_outputs: tuple[tuple[str, str], ...] = ()
    reused: bool = False


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
    retries: int = 0,
    fail_probability: float = 0.0,
    pipeline: bool = False,
    bounds: Mapping[str, float] | None = None,
    settings: Mapping[str, str] | None = None,
    roles: Mapping[str, str] | None = None,
    reuse: bool = False,
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
        seed: Seed of the agent and of the actions that fail; results do not depend on order or
            concurrency.
        log_dir: Folder of the Inspect logs.
        resume: Go on with an interrupted run of the same kind in ``log_dir``.
        progress: Told after each sample.
        retries: How often a failed answer may be mended (EAI paper, appendix H).
        fail_probability: How often an action has no effect (appendix H.4).
        pipeline: The goals are those that the model interprets itself (appendix G).
        bounds: Limits of the work for one output, by name; see ``Suite.bounds``.
        settings: How tasks are set, by name; see ``Suite.settings``.
        roles: Who is played by another model: role (see ``Suite.roles``) -> Inspect model name.
        reuse: Take the result of a complete run of the same kind in ``log_dir``, if there is one.

    Raises:
        HomebodyError: something is missing or wrong, or the run failed. What it had done is in
            the log, and the same call goes on from there.
        KeyboardInterrupt: likewise, after Ctrl-C.
    """
    evaluated = get_suite(suite)
    options = Options(
        retries,
        fail_probability,
        pipeline,
        other_bounds(evaluated, bounds or {}),
        other_settings(evaluated, settings or {}),
        dict(sorted((roles or {}).items())),
    )
    options.check(evaluated, evaluated.protocol(protocol))
    if agent is not None:
        evaluated.require_agent(agent)
    if (model is None) == (agent is None):
        raise HomebodyError("give either a model or an agent")
    if agent is not None and options.roles:
        raise HomebodyError("an agent that is no model leaves no role to models")
    if epochs < 1 or seed < 0 or (limit is not None and limit < 1):
        raise HomebodyError("limit and epochs must be positive, the seed not negative")
    need_inspect()
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
        **options.changed(),
    }
    log_dir = Path(log_dir)
    if reuse and log_dir.is_dir():
        finished = find_finished(log_dir, this_run)
        if finished is not None:
            return _result(finished, reused=True)
    for name in (*([model] if model is not None else ()), *options.roles.values()):
        with _silent():
            check_model(name)
    try:
        log_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HomebodyError(f"cannot write to {log_dir}: {error.strerror}") from error
    evaluated.scoring.require()
    evaluated.tasks.prepare(progress)
    tasks = len(evaluated.tasks.load(evaluated.protocol(protocol)))
    total = epochs * (tasks if limit is None else min(limit, tasks))

    with TemporaryDirectory() as scratch:
        previous = find_interrupted(log_dir, this_run, Path(scratch)) if resume else None
        resumed = len(done_samples(previous)) if previous is not None else 0
        with _shown(progress, resumed, total), _silent():
            log = _evaluate(previous, this_run, options, log_dir, max_connections, max_retries)
    if log is None or log.status == "cancelled":
        raise KeyboardInterrupt(INTERRUPTED)
    if log.status != "success":
        hint = f"see {_path(log)}; the same command goes on from there"
        raise HomebodyError(reason_of(log), hint)
    return _result(log, resumed)


def _path(log: EvalLog) -> Path:
    return Path(log.location.removeprefix("file://"))


def _result(log: EvalLog, resumed: int = 0, reused: bool = False) -> RunResult:
    scores = tuple(scores_from_log(log))
    first = first_attempts_from_log(log)
    return RunResult(
        scores=scores,
        log_path=_path(log),
        outputs=tuple(outputs_from_log(log)),
        resumed=resumed,
        first_scores=tuple(score for score, _ in first),
        first_outputs=tuple((score.identifier, output) for score, output in first),
        reused=reused,
    )


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
    from inspect_ai._util.error import PrerequisiteError

    common: dict[str, Any] = {
        "log_dir": str(log_dir),
        "log_format": "eval",
        "display": "log",  # of all displays the one that does not draw; see _silent
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
                f"homebody/{task_name(this_run['suite'])}",
                model=this_run["model"],
                task_args={
                    **{key: this_run[key] for key in ("protocol", "agent", "seed")},
                    **{k: v for k, v in options.changed().items() if k != "roles"},
                },
                model_roles=dict(options.roles) or None,
                limit=this_run["limit"],
                epochs=this_run["epochs"],
                temperature=this_run["temperature"],
                metadata={RUN: this_run},
                log_realtime=this_run["model"] is not None,
                **common,
            )
    except PrerequisiteError as error:
        raise HomebodyError(message_of(error)) from error
    except IndexError:  # eval_retry takes the first of the logs, and Ctrl-C leaves none
        return None
    return logs[0] if logs else None


@contextmanager
def _shown(progress: Progress | None, done: int, total: int) -> Iterator[None]:
    """Show progress as samples are scored."""
    from homebody.evals.scorers import on_scored

    stdout = sys.stdout

    def count() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            with redirect_stdout(stdout):
                progress("running", done, total)

    token = on_scored.set(count)
    try:
        yield
    finally:
        on_scored.reset(token)


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
