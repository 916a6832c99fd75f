"""Run a model, or an agent that is no model, on a suite.

A run is written in ``log_dir`` as it goes: that of a model in a log of Inspect AI, that of an agent
in a journal (:mod:`.run_journal`). What makes it this run (suite, model or agent, protocol, limit,
epochs, temperature, seed, version, that of the package of a suite that is not homebody's, and
options that are not as usual) is written there too. The same run asked for again goes on with what
was done of it since it last succeeded: no sample that was scored is asked again.
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
from homebody.evals.models import check_models, run_models
from homebody.evals.options import Options, identity
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

INTERRUPTED = "interrupted; the same command goes on from there"
MAX_SAMPLES = 10_000_000
"""Of one run: a table of them is made before the first."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run.

    Attributes:
        scores: In the suite's order of tasks, then by epoch.
        log_path: The Inspect log, which ``inspect view`` shows, or an agent's journal.
        outputs: ``(task id, what was answered)``, in the order of the scores.
        resumed: How many of the scores an interrupted run had already.
        first_scores: Scores of the answers before any retry; empty without retries.
        first_outputs: Those answers.
        reused: Nothing was run; this is what an earlier, complete run of the same kind has.
        errors: Samples that have no score.
        run: What makes the run this run: who answered, with which options, and which data.
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
    model_args: Mapping[str, Any] | None = None,
    model_base_url: str | None = None,
    timeout: int | None = None,
    reuse: bool = False,
) -> RunResult:
    """Run a model, or an agent that is no model, on a suite.

    Args:
        suite: A suite or its name.
        model: Inspect model name such as ``openai/gpt-4o``; keys and base URLs come from the
            environment, as Inspect documents. Give this or ``agent``.
        agent: Name of one of the suite's agents, or a function: of the text that a model would be
            given, to its answer; where tasks are played, of an observation, to what to do (an
            action, the number of an option, or a text with ``Pick[cup_0]`` in it). What a function
            did is not gone on with by another call, as another function may have its name, unless
            it has an attribute ``can_resume`` that is true.
        protocol: Name of one of the suite's protocols.
        limit: First tasks only, of those that are named if any are.
        epochs: How often each task is asked.
        temperature: Sampling temperature.
        max_connections: Requests at a time; Inspect finds a number itself if it is ``None``.
        max_retries: How often a request is repeated that failed for want of a server or a quota.
        engine: Where an agent works: ``serial`` (this process), ``fork`` (copies of it), ``pool``
            (fresh processes) or ``ray``, which is this machine or the cluster that RAY_ADDRESS
            names or ``ray.init`` has joined. Results are the same on each, and one resumes what
            another began. If left out, copies where they are possible (on Linux, in a process with
            one thread), else this process, or fresh ones if ``workers`` asks for several.
        workers: Processes in which an agent works. If left out, as many as cores, or as the cluster
            has CPUs; without an engine, only this one for a function and where there are no copies.
            A script that uses fresh processes keeps to the rules of :mod:`multiprocessing`.
        seed: Seed of the agent and of the actions that fail; results do not depend on order or
            concurrency.
        log_dir: Folder of the logs.
        resume: Go on with an interrupted run of the same kind in ``log_dir``.
        progress: Told after each sample.
        tell: Told, in a line, what a run of a model waits for (which request is repeated and how
            long still, or that no answer comes), and which log it cannot read and go on with.
        retries: How often a failed answer may be mended (EAI paper, appendix H).
        fail_probability: How often an action has no effect (appendix H.4).
        pipeline: The goals are those that the model interprets itself (appendix G).
        bounds: Limits of the work for one output, by name; see ``Suite.scoring``.
        settings: How tasks are set, by name; see ``Suite.settings``.
        roles: Who is played by another model: role (see ``Suite.models``) -> Inspect model name.
        driver: How a model is asked that plays: one of :data:`homebody.drivers.DRIVERS`; as the
            suite has it if left out.
        max_context: Tokens that a model can read and write at a time, to which long conversations
            are shortened; what Inspect knows of the model if left out, which may be nothing.
        tasks: The only tasks that are asked, each by its id, or by what only its id begins with, up
            to an ``_``; they are asked in the suite's order.
        max_tokens: Of an answer; as many as the provider sees fit if left out.
        model_args: Arguments of the model, by name; those that are secret belong in the
            environment.
        model_base_url: Where the model is, if not where the environment says. As its arguments,
            this is also for the models of roles with the same provider.
        timeout: Seconds that a request may take before it is given up, and repeated.
        reuse: Take the result of a complete run of the same kind in ``log_dir``, if there is one;
            there is none of a function.

    Raises:
        HomebodyError: something is missing or wrong, this run is going on already, or that of a
            model failed. What it had done is in the log, and the same call goes on from there.
        KeyboardInterrupt: likewise, after Ctrl-C.
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
        raise HomebodyError(f"temperature must be a number from 0, not {temperature!r:.60}")
    if not isinstance(log_dir, str | Path):
        raise HomebodyError(f"log_dir must be a folder, not {log_dir!r:.60}")
    if re.match(r"\w\w+:/", str(log_dir)):
        raise HomebodyError(f"log_dir must be a folder of this machine, not {log_dir}")
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
            "ask for fewer epochs",
        )
    if setup.first_suite is not None and not setup.first_tasks.keys() >= set(asked):
        raise HomebodyError(f"{setup.first_suite.name} has not all tasks of {evaluated.name}")
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
    """Where a run of an agent is written, and what of it is done."""
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
    """Have an agent answer those tasks that are not done yet."""
    if begun.is_complete:
        return _from_journal(journal, begun, reused=True)
    keep = partial(append, journal)
    try:
        run_samples(setup, begun, keep, engine=engine, workers=workers, progress=progress)
    except KeyboardInterrupt:
        kept = f"interrupted; what was answered is in {journal}"
        raise KeyboardInterrupt(INTERRUPTED if can_resume(setup.agent) else kept) from None
    return _from_journal(journal, read_journal(journal), len(begun.scored))


def agent_name(agent: Agent) -> str:
    """What an agent is called."""
    if isinstance(agent, str):
        return agent
    return str(getattr(agent, "__qualname__", type(agent).__qualname__)).rpartition(".")[2]


def _check_name(suite: Suite[Any]) -> None:
    """Raise HomebodyError if records of a run would name another suite that has the same data."""
    if suite.name not in list_suites():
        return
    other = get_suite(suite.name)
    if other is not suite and other.tasks.data() == suite.tasks.data():
        raise HomebodyError(
            f"another suite has the name {suite.name}, which records of the run would give",
            "give yours another name: dataclasses.replace(suite, name=...)",
        )


def _check_agent(suite: Suite[Any], agent: Agent, options: Options) -> None:
    """Raise HomebodyError if an agent is none, or cannot do what is asked of it."""
    if not isinstance(agent, str) and not callable(agent):
        raise HomebodyError(
            f"an agent must be the name of one or a function, not {agent!r:.60}",
            f"{suite.name} has: {', '.join(suite.agents)}",
        )
    if options.roles:
        raise HomebodyError("an agent that is no model leaves no role to models")
    if options.driver:
        raise HomebodyError("an agent that is no model is asked by no driver")
    if options.max_context or options.max_tokens or options.model_args:
        raise HomebodyError("an agent that is no model has neither tokens nor arguments")
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
