"""The functions of the package: ``import homebody as hb``, then ``hb.run`` and others.

They take suites or their names, fetch missing data, and return objects that can be printed, saved
and iterated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homebody.core import HomebodyError, Progress, Protocol, Session, Suite, Transcript
from homebody.core.ground.arguments import numbers, text, texts, whole
from homebody.core.play.replay import replay as replay_entries
from homebody.core.play.transcript import TranscriptEntry
from homebody.results.results import Results
from homebody.suites import get_suite

if TYPE_CHECKING:
    from homebody.core.play.conformance.report import CheckReport
    from homebody.evals.samples import Agent
    from homebody.results.comparison_records import Comparison
    from homebody.worlds.house import House


def run(
    suite: str | Suite[Any],
    agent: Agent,
    *,
    protocol: str = "corrected",
    limit: int | None = None,
    tasks: Sequence[str] | None = None,
    epochs: int = 1,
    seed: int = 0,
    settings: Mapping[str, str] | None = None,
    bounds: Mapping[str, float] | None = None,
    log_dir: Path | str = "logs",
    progress: Progress | None = None,
    **options: Any,
) -> Results:
    """Evaluate an agent or a model on a suite, as ``homebody run`` does.

    Args:
        suite: A suite or its name.
        agent: One of the suite's agents (``"oracle"``), a model as Inspect AI names it
            (``"openai/gpt-4o"``), or a Python function. The function receives a model's prompt and
            returns the output. In played tasks it receives an :class:`homebody.Observation` and
            returns an action: a string that contains ``Pick[cup_0]``, an :class:`homebody.Action`,
            or the number of an option.
        protocol: ``corrected`` (as the paper defines) or ``published``.
        limit: Number of tasks, from the first.
        tasks: The ids of tasks; ``limit`` applies to them.
        epochs: Number of outputs for each task.
        seed: The seed of everything random, the agent included.
        settings: Name -> value of the tasks' settings; see ``homebody list``.
        bounds: Name -> limit of the work for one output.
        log_dir: The folder of the run's log. The same run is resumed from there.
        progress: Receives each finished task.
        options: Further options of :func:`homebody.evals.run`, such as ``retries``.

    Raises:
        HomebodyError: something is missing or wrong, or the run failed; the message says what to
            do.
    """
    from homebody import evals
    from homebody.evals.runner import agent_name

    evaluated = get_suite(suite)
    is_model = isinstance(agent, str) and "/" in agent
    who: dict[str, Any] = {"model" if is_model else "agent": agent}
    result = evals.run(
        evaluated,
        **who,
        protocol=protocol,
        limit=limit,
        tasks=tasks,
        epochs=epochs,
        seed=seed,
        settings=settings,
        bounds=bounds,
        log_dir=log_dir,
        progress=progress,
        **options,
    )
    return Results(
        name=agent if isinstance(agent, str) else agent_name(agent),
        suite=evaluated,
        protocol=evaluated.protocol(protocol),
        scores=result.scores,
        outputs=tuple(text for _, text in result.outputs),
        errors=result.errors,
        log=result.log_path,
        run=result.run,
    )


def score(
    suite: str | Suite[Any],
    outputs: Path | str | Mapping[str, str] | Iterable[tuple[str, str]],
    *,
    name: str = "",
    protocol: str | Protocol = "corrected",
    bounds: Mapping[str, float] | None = None,
) -> Results:
    """Score existing outputs.

    Args:
        suite: A suite or its name.
        outputs: Task id -> output, pairs of these, or a file in the format of the published
            evaluators: ``[{"identifier": ..., "llm_output": ...}, ...]``.
        name: The model's name in tables; by default the file's name, or ``model``.
        protocol: ``corrected`` (as the paper defines), ``published``, or your own, such as
            ``PUBLISHED.without("check_order")``.
        bounds: Name -> limit of the work for one output.

    Raises:
        HomebodyError: there is no output for a known task, or the file is not a file of outputs.
            Outputs for unknown tasks have no score and are in ``errors``.
    """
    from homebody.results.outputs import Output, find_outputs, read_outputs
    from homebody.results.scoring import score_outputs

    chosen = get_suite(suite).with_bounds(numbers("bounds", bounds))
    rules = _protocol(chosen, protocol)
    text("name", name)
    if isinstance(outputs, str | Path):
        files = find_outputs(Path(outputs), chosen.name)
        if len(files) > 1:
            raise HomebodyError(
                f"{outputs} holds outputs of {', '.join(files)}", "give the file of one of them"
            )
        ((label, file),) = files.items()
        given = read_outputs(file)
    else:
        label = "model"
        given = [
            Output(str(identifier), text(f"the output of {str(identifier)[:80]}", output))
            for identifier, output in _pairs(outputs)
        ]
    chosen.scoring.require()
    chosen.tasks.prepare(None)
    scored = score_outputs(chosen, given, rules)
    judged = {"bounds": dict(bounds)} if bounds else {}
    return Results(
        name or label,
        chosen,
        rules,
        scored.scores,
        scored.outputs,
        scored.errors,
        run=judged,
    )


def compare(first: Results | Path | str, second: Results | Path | str) -> Comparison:
    """Compare two runs task by task, as ``homebody compare`` does.

    Args:
        first: A, the reference: results, or the folder that they were written to.
        second: B, of the same suite.

    Raises:
        HomebodyError: they have different suites, protocols or data, share no task or metric, or
            statsmodels is not installed.
    """
    from homebody.results.run_comparisons import compare as compare_runs
    from homebody.results.samples import ComparableRun, read_run, samples_of

    def run_of(given: Results | Path | str) -> ComparableRun:
        if isinstance(given, Results):
            about = (given.suite.name, given.protocol.name, dict(given.suite.tasks.data()))
            return ComparableRun(given.name, *about, samples_of(given.scores), given.run)
        return read_run(Path(given)).comparable

    return compare_runs(run_of(first), run_of(second))


def check_suite(
    suite: str | Suite[Any],
    *,
    tasks: int = 4,
    seed: int = 0,
    settings: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """Check a suite against the assumptions of homebody, as ``homebody check`` does.

    Args:
        suite: A suite or its name.
        tasks: Number of tasks to try, spread over the suite.
        seed: The seed of everything random.
        settings: Name -> value of the settings of all tasks; sampled by default.
        progress: Receives each check before it starts.

    Returns:
        The report, which can be printed; ``passed`` is True if no check failed.

    Raises:
        HomebodyError: there is no such suite or setting, it has no tasks, or its data cannot be
            fetched.
    """
    from homebody.core.play.conformance import runner as checking

    return checking.check_suite(
        get_suite(suite),
        tasks=whole("tasks", tasks, 1),
        seed=whole("seed", seed),
        settings=None if settings is None else texts("settings", settings),
        progress=progress,
    )


def session(
    suite: str | Suite[Any],
    task: str,
    *,
    settings: Mapping[str, str] | None = None,
    seed: int = 0,
    protocol: str | Protocol = "corrected",
) -> Session:
    """Start a session of a task; see :class:`homebody.Session`.

    Args:
        suite: A suite that is played, or its name.
        task: The task's id, or a unique prefix of it; see ``homebody list
            SUITE``.
        settings: The settings that differ from the defaults.
        seed: The seed of everything random.
        protocol: The protocol that judges it, or its name.

    Raises:
        HomebodyError: there is no such suite, task or setting, or its tasks are not played.
    """
    chosen = get_suite(suite)
    settings = texts("settings", settings)
    chosen.check_settings(settings)
    text("task", task)
    if chosen.playing is None:
        raise HomebodyError(f"the tasks of {chosen.name} are not played", "use hb.run")
    chosen.tasks.prepare(None)
    rules = _protocol(chosen, protocol)
    started: Session = chosen.playing.start(
        chosen.task(task, rules), chosen.playing.drop_defaults(settings), whole("seed", seed), rules
    )
    return started


def replay(
    session: Session,
    played: Transcript | Sequence[TranscriptEntry],
    until: int | None = None,
) -> Session:
    """Replay a transcript.

    Args:
        session: A session that has just begun, of the same task, settings and seed; a transcript
            has its ``settings`` and ``seed``.
        played: A transcript (:func:`homebody.decode` reads one from a string), or its entries.
        until: The clock to stop at; by default all actions run to their end.

    Returns:
        The session. Actions that are impossible at their moment are skipped.
    """
    entries = played.entries if isinstance(played, Transcript) else played
    return replay_entries(session, entries, until)


def house(seed: int = 0, kind: str = "home", rooms: int | Sequence[str] | None = None) -> House:
    """Generate a house. :func:`homebody.worlds.house.generate` has more options.

    Args:
        seed: A number from 0; equal seeds give equal houses.
        kind: ``home office classroom shop gym restaurant gallery hospital hotel supermarket``.
        rooms: Number of rooms, or their kinds; sampled by default.

    Raises:
        HomebodyError: there is no such kind, or a number is out of range.
    """
    from homebody.worlds.house import generate

    return generate(whole("seed", seed), text("kind", kind), rooms)


def _pairs(outputs: object) -> Iterator[tuple[object, object]]:
    """Yield task ids and outputs. Raises HomebodyError on other values."""
    listed = outputs.items() if isinstance(outputs, Mapping) else outputs
    try:
        yield from ((identifier, output) for identifier, output in listed)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise HomebodyError(
            f"outputs must map task ids to strings, or be such pairs or a file, not {outputs!r:.60}"
        ) from None


def _protocol(suite: Suite[Any], protocol: str | Protocol) -> Protocol:
    named = isinstance(protocol, Protocol)
    return suite.protocol(protocol if named else text("protocol", protocol))
