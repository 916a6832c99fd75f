"""Run a model or an agent on a suite.

A run is written to ``log_dir`` in progress: a model's to a log of Inspect AI, an agent's to a
journal (:mod:`.run_journal`). A run with the same identity (:func:`.options.identity`) resumes the
work since the last success: samples with a score are not run again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homebody.core import HomebodyError, SampleError, Score, Suite
from homebody.core.ground.arguments import text, whole
from homebody.core.ground.files import make_folder
from homebody.core.ground.journal import append
from homebody.core.ground.progress import Progress
from homebody.core.score import NOT_WRITTEN
from homebody.evals.agents import run_samples
from homebody.evals.checks import need_inspect
from homebody.evals.endpoints import MAX_REQUEST_RETRIES, Connection
from homebody.evals.logs import (
    errors_from_log,
    first_attempts_from_log,
    outputs_from_log,
    scores_from_log,
)
from homebody.evals.model_resume import RUN, find_finished, local_path
from homebody.evals.model_runs import check_models, run_models
from homebody.evals.options import OF_MODELS, Options, identity
from homebody.evals.run_journal import (
    Journal,
    lock_run,
    new_journal,
    open_journal,
    read_journal,
)
from homebody.evals.samples import Agent, Setup, can_resume
from homebody.suites import get_suite, list_suites

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

INTERRUPTED = "interrupted; run the same command to resume"
MAX_SAMPLES = 10_000_000
"""Maximum number of samples of a run. All of them are listed before the first is run."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run.

    Attributes:
        scores: Scores in the suite's order of tasks, then by epoch.
        log_path: The Inspect log, which ``inspect view`` shows, or an agent's journal.
        outputs: ``(task id, output)`` in the order of the scores.
        resumed: Number of scores from the interrupted run.
        first_scores: Scores of the outputs before any retry; empty without retries.
        first_outputs: The outputs before any retry; empty without retries.
        reused: True if the result comes from an earlier, complete run.
        errors: Samples without a score.
        run: The identity of the run: model or agent, options and data.
    """

    scores: tuple[Score, ...]
    log_path: Path
    outputs: tuple[tuple[str, str], ...]
    resumed: int = 0
    first_scores: tuple[Score, ...] = ()
    first_outputs: tuple[tuple[str, str], ...] = ()
    reused: bool = False
    errors: tuple[SampleError, ...] = ()
    run: Mapping[str, Any] = field(default_factory=dict)


def run(
    suite: str | Suite[Any],
    *,
    model: str | None = None,
    agent: Agent | None = None,
    protocol: str = "corrected",
    limit: int | None = None,
    epochs: int = 1,
    temperature: float = 0.0,
    max_connections: int | None = None,
    max_retries: int = MAX_REQUEST_RETRIES,
    engine: str | None = None,
    workers: int | None = None,
    seed: int = 0,
    log_dir: Path | str = "logs",
    resume: bool = True,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
    retries: int = 0,
    fail_probability: float = 0.0,
    pipeline: bool = False,
    bounds: Mapping[str, float] | None = None,
    settings: Mapping[str, str] | None = None,
    roles: Mapping[str, str] | None = None,
    driver: str | None = None,
    max_context: int | None = None,
    tasks: Sequence[str] | None = None,
    max_tokens: int | None = None,
    reasoning_effort: str | None = None,
    model_args: Mapping[str, Any] | None = None,
    model_base_url: str | None = None,
    timeout: int | None = None,
    reuse: bool = False,
) -> RunResult:
    """Run a model or an agent on a suite.

    Args:
        suite: A suite or its name.
        model: Inspect model name such as ``openai/gpt-4o``; keys and base URLs come from the
            environment, as Inspect documents. Give this or ``agent``.
        agent: Name of one of the suite's agents, or a function. The function maps the text that a
            model would receive to an output; where tasks are played, it maps an observation to an
            action, the number of an option, or a string that contains ``Pick[cup_0]``. Another call
            resumes a function's run only if the function has a true attribute ``can_resume``,
            because another function may have the same name.
        protocol: Name of one of the suite's protocols.
        limit: Run only the first tasks; with ``tasks``, the first of these.
        epochs: Number of samples per task.
        temperature: Sampling temperature.
        max_connections: Maximum number of concurrent requests; Inspect chooses if None.
        max_retries: Retries of a request that failed because of the server or a quota.
        engine: Where an agent runs: ``serial`` (this process), ``fork`` (copies of it), ``pool``
            (new processes) or ``ray`` (this machine, or the cluster of RAY_ADDRESS or
            ``ray.init``). Results are equal on all engines, and an engine can resume a run of
            another engine. If None: copies where possible (on Linux, in a process with one thread),
            otherwise this process, or new ones if ``workers`` is more than one.
        workers: Number of processes for an agent. If None, the number of cores or of the cluster's
            CPUs; without an engine, one for a function and if this process cannot be copied. A
            script with new processes must follow the rules of :mod:`multiprocessing`.
        seed: Seed of the agent and of the actions that fail; results do not depend on order or
            concurrency.
        log_dir: Folder of the logs.
        resume: Resume an interrupted run with the same identity in ``log_dir``.
        progress: Notified after each sample.
        tell: Receives a line about each retry or silence of a provider, and about unreadable logs.
        retries: Retries of a failed output (EAI paper, appendix H).
        fail_probability: Probability that an action has no effect (appendix H.4).
        pipeline: True to use the goals that the model interprets itself (appendix G).
        bounds: Limits of the work for one output, by name; see ``Suite.scoring``.
        settings: Settings of the tasks, by name; see ``Suite.settings``.
        roles: Role (see ``Suite.models``) -> Inspect name of another model that plays it.
        driver: How a playing model is queried: one of :data:`homebody.drivers.DRIVERS`; the suite's
            own if None.
        max_context: Context length in tokens, to which long conversations are shortened; if None,
            Inspect's value for the model, if it has one.
        tasks: Tasks to run, by id or unique prefix, in the suite's order.
        max_tokens: Maximum tokens of a reply; the provider's default if None.
        reasoning_effort: One of ``none``, ``minimal``, ``low``, ``medium``, ``high``, ``xhigh`` and
            ``max``; the provider's default if None.
        model_args: Arguments of the model, by name; secrets belong in the environment.
        model_base_url: Address of the model; by default from the environment. Like ``model_args``,
            it also applies to roles' models with the same provider.
        timeout: Seconds before a request is abandoned and retried.
        reuse: Return the result of a complete run with the same identity in ``log_dir``, if there
            is one. Runs of functions are never reused.

    Raises:
        HomebodyError: Something is missing or wrong, this run is in progress already, or a model's
            run failed. Finished samples are in the log, and the same call resumes.
        KeyboardInterrupt: Likewise, after Ctrl-C.
    """
    evaluated = get_suite(suite)
    _check_name(evaluated)
    text("protocol", protocol)
    options = Options.of(
        retries=retries,
        fail_probability=fail_probability,
        pipeline=pipeline,
        bounds=bounds,
        settings=settings,
        roles=roles,
        driver=driver,
        max_context=max_context,
        tasks=tasks,
        max_tokens=max_tokens,
        reasoning_effort=reasoning_effort,
        model_args=model_args,
    ).validate(evaluated, evaluated.protocol(protocol))
    connection = Connection(timeout, max_retries, max_connections, model_base_url)
    if options.tasks:
        evaluated.tasks.prepare(progress)
        options = replace(options, tasks=list(Setup(evaluated, protocol, options=options).task_ids))
    if (model is None) == (agent is None):
        raise HomebodyError("give either a model or an agent")
    epochs, seed = whole("epochs", epochs, 1), whole("seed", seed)
    limit, workers = (
        None if number is None else whole(name, number, 1)
        for name, number in (("limit", limit), ("workers", workers))
    )
    if not isinstance(temperature, int | float) or not 0 <= temperature < math.inf:
        raise HomebodyError(f"temperature must be a number of at least 0, not {temperature!r:.60}")
    if not isinstance(log_dir, str | Path):
        raise HomebodyError(f"log_dir must be a folder, not {log_dir!r:.60}")
    if re.match(r"\w\w+:/", str(log_dir)):
        raise HomebodyError(f"log_dir must be a local folder, not {log_dir}")
    for name, function in (("progress", progress), ("tell", tell)):
        if function is not None and not callable(function):
            raise HomebodyError(f"{name} must be a function, not {function!r:.60}")
    if model is not None:
        text("model", model)
    if agent is not None:
        _check_agent(evaluated, agent, options)
    elif engine is not None:
        raise HomebodyError("only agents run on an engine; requests to models run concurrently")
    else:
        need_inspect()
    this_run = identity(
        evaluated,
        options,
        model=model,
        agent=agent if agent is None or isinstance(agent, str) else agent_name(agent),
        protocol=protocol,
        limit=limit,
        epochs=epochs,
        temperature=temperature,
        seed=seed,
    )
    log_dir = Path(log_dir)
    setup = Setup(evaluated, protocol, agent, seed, options)
    if model is not None:
        if reuse and log_dir.is_dir():
            evaluated.tasks.prepare(progress)
            finished = find_finished(log_dir, this_run, setup.task_ids[:limit])
            if finished is not None:
                return _from_log(finished, reused=True)
        check_models(model, options, connection)
    make_folder(log_dir)
    evaluated.scoring.require()
    evaluated.tasks.prepare(progress)
    asked = setup.task_ids[:limit]
    if epochs * len(asked) > MAX_SAMPLES:
        raise HomebodyError(
            f"{epochs} epochs of {len(asked)} tasks are more than {MAX_SAMPLES:,} samples",
            "use fewer epochs",
        )
    if setup.first_suite is not None and not setup.first_tasks.keys() >= set(asked):
        raise HomebodyError(f"{setup.first_suite.name} lacks tasks of {evaluated.name}")
    if agent is not None:
        with _open_journal(setup, this_run, asked, log_dir, resume, reuse) as (path, begun):
            return _run_agent(setup, path, begun, engine, workers, progress)
    with lock_run(log_dir, this_run):
        log, resumed = run_models(
            this_run,
            options,
            log_dir,
            asked,
            resume=resume,
            progress=progress,
            tell=tell,
            connection=connection,
            suite=evaluated,
        )
    if log is None:
        raise KeyboardInterrupt(INTERRUPTED)
    return _from_log(log, resumed)


@contextmanager
def _open_journal(
    setup: Setup,
    this_run: Mapping[str, Any],
    tasks: Sequence[str],
    log_dir: Path,
    resume: bool,
    reuse: bool,
) -> Iterator[tuple[Path, Journal]]:
    """Open the journal of an agent's run; yield its path and contents."""
    if can_resume(setup.agent):
        with open_journal(log_dir, this_run, tasks, resume=resume, reuse=reuse) as found:
            yield found
    else:
        yield new_journal(log_dir, this_run, tasks)


def _run_agent(
    setup: Setup,
    journal: Path,
    begun: Journal,
    engine: str | None,
    workers: int | None,
    progress: Progress | None,
) -> RunResult:
    """Run an agent on the samples that have no score yet."""
    if begun.is_complete:
        return _from_journal(journal, begun, reused=True)
    keep = partial(append, journal)
    try:
        run_samples(setup, begun, keep, engine=engine, workers=workers, progress=progress)
    except KeyboardInterrupt:
        kept = f"interrupted; finished samples are in {journal}"
        raise KeyboardInterrupt(INTERRUPTED if can_resume(setup.agent) else kept) from None
    return _from_journal(journal, read_journal(journal), len(begun.scored))


def agent_name(agent: Agent) -> str:
    """Return the name of an agent."""
    if isinstance(agent, str):
        return agent
    return str(getattr(agent, "__qualname__", type(agent).__qualname__)).rpartition(".")[2]


def _check_name(suite: Suite[Any]) -> None:
    """Raise HomebodyError if another suite has the same name and data."""
    if suite.name not in list_suites():
        return
    other = get_suite(suite.name)
    if other is not suite and other.tasks.data() == suite.tasks.data():
        raise HomebodyError(
            f"another suite has the name {suite.name}, so records of the run would be ambiguous",
            "give yours another name: dataclasses.replace(suite, name=...)",
        )


def _check_agent(suite: Suite[Any], agent: Agent, options: Options) -> None:
    """Raise HomebodyError if an agent is invalid, or does not support the options."""
    if not isinstance(agent, str) and not callable(agent):
        raise HomebodyError(
            f"an agent must be the name of one or a function, not {agent!r:.60}",
            f"{suite.name} has: {', '.join(suite.agents)}",
        )
    if options.roles:
        raise HomebodyError("models of roles cannot be combined with an agent", "omit --role")
    if options.driver:
        raise HomebodyError("a driver cannot be combined with an agent", "omit --driver")
    if options.max_context or any(getattr(options, name) for name in OF_MODELS):
        raise HomebodyError(
            "options of models cannot be combined with an agent",
            "omit --max-context, --max-tokens, --reasoning-effort and --model-arg",
        )
    if isinstance(agent, str):
        suite.require_agent(agent, options.settings)
        if options.pipeline and suite.experiments.pipeline is not None:
            suite.experiments.pipeline.first.require_agent(agent)


def _from_journal(
    path: Path, journal: Journal, resumed: int = 0, reused: bool = False
) -> RunResult:
    scored = [(key[0], journal.scored[key]) for key in journal.keys if key in journal.scored]
    first = [(name, sample.attempts[0]) for name, sample in scored if sample.attempts]
    return RunResult(
        scores=tuple(sample.score for _, sample in scored),
        log_path=path,
        outputs=tuple((name, sample.output) for name, sample in scored),
        resumed=resumed,
        first_scores=tuple(attempt.score for _, attempt in first),
        first_outputs=tuple((name, attempt.output) for name, attempt in first),
        reused=reused,
        errors=tuple(
            journal.errors.get(key, SampleError(*key, "internal_error", NOT_WRITTEN))
            for key in journal.keys
            if key not in journal.scored
        ),
        run=journal.run,
    )


def _from_log(log: EvalLog, resumed: int = 0, reused: bool = False) -> RunResult:
    scores = tuple(scores_from_log(log))
    first = first_attempts_from_log(log)
    return RunResult(
        scores=scores,
        log_path=local_path(log.location),
        outputs=tuple(outputs_from_log(log)),
        resumed=resumed,
        first_scores=tuple(score for score, _ in first),
        first_outputs=tuple((score.identifier, output) for score, output in first),
        reused=reused,
        run=(log.eval.metadata or {}).get(RUN, {}),
        errors=tuple(errors_from_log(log)),
    )
