"""What the package offers by itself: ``import homebody as hb``, then ``hb.run`` and its like.

They take suites by name or as they are, fetch the data that a suite needs, and give back what can
be printed, saved and gone through.
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
    """Evaluate somebody on a suite, as ``homebody run`` does.

    Args:
        suite: A suite or its name.
        agent: Who: one of the suite's agents (``"oracle"``), a model as Inspect AI names it
            (``"openai/gpt-4o"``), or a Python function. It is given the text that a model would
            be given and returns the answer; where tasks are played, it is given an
            :class:`homebody.Observation` and returns what to do: a text with ``Pick[cup_0]`` in
            it, an :class:`homebody.Action`, or the number of one of the options.
        protocol: ``corrected`` (as the paper defines) or ``published``.
        limit: First tasks only.
        tasks: Only these, by their ids; the first of them with ``limit``.
        epochs: How often each task is asked.
        seed: Of the agent, and of all else that is random.
        settings: How tasks are set, by name; ``homebody list`` has them.
        bounds: Limits of the work for one output, by name.
        log_dir: Where the run is written as it goes. The same run goes on from there.
        progress: Told after each task.
        options: What else :func:`homebody.evals.run` takes, ``retries`` for instance.

    Raises:
        HomebodyError: something is missing or wrong, or the run failed; the message says what to
            do.
    """
    from homebody import evals
    from homebody.evals.runner import name_of

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
        name=agent if isinstance(agent, str) else name_of(agent),
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
    """Score outputs that there are already.

    Args:
        suite: A suite or its name.
        outputs: Task id -> output, or pairs of these; or a file of them, as the published
            evaluators have it: ``[{"identifier": ..., "llm_output": ...}, ...]``.
        name: Whose they are, for tables; if left out, that of the file, or ``model``.
        protocol: ``corrected`` (as the paper defines) or ``published``, or one of your own, such
            as ``PUBLISHED.without("check_order")``.
        bounds: Limits of the work for one output, by name.

    Raises:
        HomebodyError: no output is of a task that there is, or the file is none of outputs. One
            output of another task has no score; it is in ``errors``.
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
        first: A, what is compared with: results, or the folder that they were written to.
        second: B, of the same suite.

    Raises:
        HomebodyError: they are of different suites, protocols or data, share no task or metric,
            or statsmodels is not installed.
    """
    from homebody.results.run_comparisons import compare as compare_runs
    from homebody.results.samples import Compared, read_run, samples_of

    def run_of(given: Results | Path | str) -> Compared:
        if isinstance(given, Results):
            about = (given.suite.name, given.protocol.name, dict(given.suite.tasks.data()))
            return Compared(given.name, *about, samples_of(given.scores))
        return read_run(Path(given)).compared

    return compare_runs(run_of(first), run_of(second))


def check_suite(
    suite: str | Suite[Any],
    *,
    tasks: int = 4,
    seed: int = 0,
    settings: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """Check whether a suite keeps to what homebody assumes of every suite, as ``homebody check``
    does.

    Args:
        suite: A suite or its name.
        tasks: How many of its tasks are tried, from all over it.
        seed: Of all that is random.
        settings: How all tasks are set; drawn if left out.
        progress: Told before each check.

    Returns:
        The report, which can be printed; ``passed`` says whether no check has failed.

    Raises:
        HomebodyError: there is no such suite or setting, it has no tasks, or its data cannot be
            had.
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
    """Begin to play a task: see :class:`homebody.Session`.

    Args:
        suite: A suite that is played, or its name.
        task: The task's id, or what it alone begins with, up to an ``_``;
            ``homebody list SUITE`` has them.
        settings: How it is set, where not as usual.
        seed: Of all that is random.
        protocol: What it is judged by: a name, or a protocol of your own.

    Raises:
        HomebodyError: there is no such suite, task or setting, or its tasks are not played.
    """
    chosen = get_suite(suite)
    settings = texts("settings", settings)
    chosen.check_settings(settings)
    text("task", task)
    if chosen.playing is None:
        raise HomebodyError(f"the tasks of {chosen.name} are asked, and not played", "use hb.run")
    chosen.tasks.prepare(None)
    rules = _protocol(chosen, protocol)
    begun: Session = chosen.playing.start(
        chosen.task(task, rules), chosen.playing.drop_defaults(settings), whole("seed", seed), rules
    )
    return begun


def replay(
    session: Session,
    played: Transcript | Sequence[TranscriptEntry],
    until: int | None = None,
) -> Session:
    """Play again what was written down.

    Args:
        session: One that has just begun, of the same task, settings and seed as the other; those
            of a transcript are ``settings`` and ``seed``.
        played: A transcript (:func:`homebody.decode` reads one from a text), or its entries.
        until: The clock to stop at; if left out, what was begun comes to its end.

    Returns:
        The session. Whatever is written, it goes through; what nobody could do then is passed over.
    """
    entries = played.entries if isinstance(played, Transcript) else played
    return replay_entries(session, entries, until)


def house(seed: int = 0, kind: str = "home", rooms: int | Sequence[str] | None = None) -> House:
    """A house, the same for the same seed; :func:`homebody.worlds.house.generate` takes more.

    Args:
        seed: 0 or more.
        kind: ``home office classroom shop gym restaurant gallery hospital hotel supermarket``.
        rooms: How many, or which kinds; drawn if left out.

    Raises:
        HomebodyError: there is no such kind, or a number is out of range.
    """
    from homebody.worlds.house import generate

    return generate(whole("seed", seed), text("kind", kind), rooms)


def _pairs(outputs: object) -> Iterator[tuple[object, object]]:
    """Task ids and outputs. Raises HomebodyError on what is none."""
    listed = outputs.items() if isinstance(outputs, Mapping) else outputs
    try:
        yield from ((identifier, output) for identifier, output in listed)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise HomebodyError(
            f"outputs must be texts by task id, pairs of these or a file, not {outputs!r:.60}"
        ) from None


def _protocol(suite: Suite[Any], protocol: str | Protocol) -> Protocol:
    named = isinstance(protocol, Protocol)
    return suite.protocol(protocol if named else text("protocol", protocol))
