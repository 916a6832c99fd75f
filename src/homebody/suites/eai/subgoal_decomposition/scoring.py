"""Subgoal decomposition: from a goal to the states on the way to it.

Subgoals are judged by what a search finds that reaches them (``corrected``), or by what fixed rules
make of them (``published``). What differs from world to world is told by a :class:`SubgoalScoring`.

Source: EAI paper, section 2.4 and appendix D.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from homebody.core import (
    Action,
    ErrorType,
    Failure,
    Prompting,
    Protocol,
    Score,
    Scoring,
    State,
    Suite,
    TextAgent,
    Trace,
    Verdict,
)
from homebody.core.published import Published
from homebody.core.suite import Experiments, Pipeline
from homebody.core.viewing import PlanTrace
from homebody.planning.search import to_trace
from homebody.suites.eai.agents import always
from homebody.suites.eai.plan_results import (
    MAX_NUMBERS,
    MAX_STEPS,
    AnnotatedTask,
    GoalCounts,
    GrammarError,
    PlanResult,
    cut_list,
    plan_score,
    unreadable,
)
from homebody.suites.eai.protocol import PROTOCOLS
from homebody.suites.eai.reading import Reading
from homebody.suites.eai.subgoal_decomposition.published_formulas import Unevaluated
from homebody.suites.eai.subgoal_decomposition.refinement import (
    LIMITS,
    Limits,
    Refined,
    Refinement,
    Setting,
    Subgoal,
    limits_of,
    needless,
    refine,
    stopped,
)
from homebody.suites.eai.subgoal_decomposition.searched import (
    MEASURES,
    count_searched,
    searched_fields,
)
from homebody.suites.eai.submission import submission_of
from homebody.suites.eai.summary import Layout, viewing
from homebody.suites.eai.world import EaiWorld, Judged

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T", bound=AnnotatedTask)


@dataclass(frozen=True, slots=True)
class RuleRefinement:
    """One way through the subgoals by fixed rules.

    Attributes:
        states: From the initial state on, one more than actions.
        actions: What was carried out.
        errors: Additional steps, and the error that ended it, in order; with each the index of
            its subgoal.
        finished: All subgoals were refined.
    """

    states: tuple[State, ...]
    actions: tuple[Action, ...] = ()
    errors: tuple[tuple[int, Failure], ...] = ()
    finished: bool = False

    @property
    def trace(self) -> Trace:
        """What was carried out, without what failed."""
        return Trace(self.states, self.actions, tuple(range(len(self.actions))))


@dataclass(frozen=True, slots=True)
class RulesFollowed:
    """What the published evaluator makes of subgoals.

    Attributes:
        way: The one that counts.
        reached: Whether the goal counts as reached, where that is not what its verdict says.
        goals: The same for the goals met, by kind.
        limited: A bound ended it early.
    """

    way: RuleRefinement
    reached: bool | None = None
    goals: GoalCounts | None = None
    limited: bool = False


@dataclass(frozen=True, slots=True)
class SubgoalScoring(Generic[T]):
    """What scoring subgoals has to be told of a world.

    Attributes:
        world: What other abilities are told, too.
        read: An output's subgoals; raises GrammarError.
        setting: Subgoals -> where they are searched for.
        follow_rules: Subgoals -> what the published rules make of them; raises GrammarError, or
            Unevaluated where the published evaluator would raise an exception.
        judge: What the goal says of a trace.
        unread_goals: The goals that an output met which is not read.
        notable: Whether it is worth saying that nothing had to be done for a subgoal.
        as_asked: The task with the goal that a protocol judges.
        as_prompted: A text about a task, with names as the prompt has them.
        left_out: Why a protocol leaves a task out; empty if it counts.
    """

    world: EaiWorld[T]
    read: Callable[[T, str, Protocol, Reading], list[Subgoal]]
    setting: Callable[[T, Sequence[Subgoal]], Setting[Any]]
    follow_rules: Callable[[T, Sequence[Subgoal], Protocol, Limits], RulesFollowed]
    judge: Callable[[T, Trace, Protocol], Judged]
    unread_goals: Callable[[T, Protocol], GoalCounts]
    notable: Callable[[Subgoal], bool] = lambda subgoal: True
    as_asked: Callable[[T, Protocol], T] = lambda task, protocol: task
    as_prompted: Callable[[T, str], str] = lambda task, text: text
    left_out: Callable[[T, Protocol], str] = lambda task, protocol: ""


def score(
    scoring: SubgoalScoring[T], task: T, output: str, protocol: Protocol, limits: Limits = LIMITS
) -> Score:
    """Judge one output; any text gives a score, after a bounded search."""
    task = scoring.as_asked(task, protocol)
    noted: dict[str, Any] = {"subgoals": [], "failed_subgoal": None, "search_limit": False}
    verdict, by_rules = None, protocol.keeps("subgoals_refined_by_rules")
    if not by_rules:
        noted |= searched_fields(False, (), ())
    reading = Reading.of(protocol)
    try:
        subgoals = scoring.read(task, output, protocol, reading)
        noted["subgoals"] = [subgoal.text for subgoal in subgoals]
        judge = _by_rules if by_rules else _by_search
        result, verdict, found = judge(scoring, task, subgoals, protocol, limits)
        noted |= found
    except GrammarError as error:
        result = unreadable(task, error, "Subgoal")
        result = replace(result, goals=scoring.unread_goals(task, protocol))
    made = plan_score(task, result, reading)
    record = {**made.record, **noted, **scoring.world.noted(task, verdict)}
    record["explanation"] = scoring.as_prompted(task, record["explanation"])
    return replace(made, record=record).exclude(scoring.left_out(task, protocol))


def _by_search(
    scoring: SubgoalScoring[T],
    task: T,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
) -> tuple[PlanResult, Verdict, dict[str, Any]]:
    """The best of the refinements that a search finds, judged like a plan; and what else the record
    says."""
    setting = scoring.setting(task, subgoals)
    outcome = refine(setting, task.task.initial, subgoals, limits)
    judged, trace, way = _best(scoring, task, outcome, protocol)
    verdict = judged.verdict
    finished = outcome.failed_at is None
    failure = outcome.failure
    sentences = [*needless(way), *stopped(outcome, subgoals)]
    idle = [index for index in way.idle if scoring.notable(subgoals[index])]
    if idle and not verdict.success and not way.additional:
        several = len(idle) > 1
        numbers = cut_list("", [str(index + 1) for index in idle], MAX_NUMBERS)
        held = "they held" if several else "it held"
        sentences.append(f"Nothing was done for subgoal{'s' * several} {numbers}: {held} already.")
    sentences.append(verdict.explanation)
    if verdict.success and not finished:
        sentences.append("That does not count, as not all subgoals were reached.")
    success = finished and verdict.success
    noted = {
        "failed_subgoal": None if outcome.failed_at is None else outcome.failed_at + 1,
        "search_limit": outcome.limited,
        **searched_fields(success, way.lengths, count_searched(setting, way, subgoals)),
    }
    result = PlanResult(
        success=success,
        executable=finished,
        goals=judged.goals,
        progress=verdict.progress,
        explanation=" ".join(sentences),
        plan=tuple(map(scoring.world.line, trace.actions)),
        error=None if failure is None else failure.error,
        error_step=outcome.failed_at,
        error_action=None if failure is None else subgoals[outcome.failed_at or 0].text[:200],
        additional_steps=len(way.additional),
        counted_additional=min(len(way.additional), 1),
    )
    return result, verdict, noted


def _best(
    scoring: SubgoalScoring[T], task: T, outcome: Refined, protocol: Protocol
) -> tuple[Judged, Trace, Refinement]:
    """The refinement that gets farthest, what it does, and how that is judged."""
    judged = []
    for way in outcome.refinements:
        trace = _labelled(to_trace(way.node), way.lengths)
        judged.append((scoring.judge(task, trace, protocol), trace, way))

    def worth(row: tuple[Judged, Trace, Refinement]) -> tuple[bool, float, int]:
        verdict = row[0].verdict
        return verdict.success, verdict.progress, -len(row[2].additional)

    return max(judged, key=worth)


def traced(
    scoring: SubgoalScoring[T], task: T, output: str, protocol: Protocol
) -> PlanTrace | None:
    """What the actions did that a search found for an output; None if there is no search."""
    task = scoring.as_asked(task, protocol)
    if protocol.keeps("subgoals_refined_by_rules"):
        return None
    try:
        subgoals = scoring.read(task, output, protocol, Reading.of(protocol))
    except GrammarError:
        return None
    outcome = refine(scoring.setting(task, subgoals), task.task.initial, subgoals, LIMITS)
    _, trace, _ = _best(scoring, task, outcome, protocol)
    if outcome.failure is None:
        return PlanTrace(trace.actions, trace, task.task.goal)
    failed = replace(trace, failure=outcome.failure, failed_at=len(trace.actions))
    return PlanTrace((*trace.actions, outcome.failure.action), failed, task.task.goal)


def _labelled(trace: Trace, lengths: Sequence[int]) -> Trace:
    """A trace whose actions are called by their subgoals, which an answer has, besides their steps
    in the refined plan, which it has not."""
    subgoal_of = [number for number, length in enumerate(lengths, 1) for _ in range(length)]
    labels = (
        f"step {step} (subgoal {subgoal_of[index]})" for step, index in enumerate(trace.indices, 1)
    )
    return replace(trace, labels=tuple(labels))


def _by_rules(
    scoring: SubgoalScoring[T],
    task: T,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
) -> tuple[PlanResult, Verdict, dict[str, Any]]:
    """What the published rules make of them, judged as the published evaluator does; and what else
    the record says."""
    try:
        followed = scoring.follow_rules(task, subgoals, protocol, limits)
    except Unevaluated as error:
        raise GrammarError(ErrorType.PARSING, str(error)) from None
    way = followed.way
    judged = scoring.judge(task, way.trace, protocol)
    verdict = judged.verdict
    success = way.finished and verdict.success if followed.reached is None else followed.reached
    failed_at, failure = way.errors[-1] if way.errors and not way.finished else (None, None)
    additional = sum(error.error is ErrorType.ADDITIONAL_STEP for _, error in way.errors)
    missed = way.finished and not success
    if missed and protocol.keeps("additional_steps_of_failed_plans_uncounted"):
        additional = 0
    said = [
        f"Subgoal {index + 1}, {f.action}: {f.message} ({f.error.value.replace('_', ' ')})"
        for index, f in way.errors
    ]
    if len(said) > MAX_STEPS + 1:
        said[MAX_STEPS:-1] = [f"{len(said) - MAX_STEPS - 1} more are additional steps."]
    result = PlanResult(
        success=success,
        executable=way.finished,
        goals=judged.goals if followed.goals is None else followed.goals,
        progress=verdict.progress,
        explanation=" ".join([*said, verdict.explanation]),
        plan=tuple(map(scoring.world.line, way.actions)),
        error=None if failure is None else failure.error,
        error_step=failed_at,
        error_action=None if failure is None else str(failure.action),
        additional_steps=additional,
        counted_additional=min(additional, 1),
    )
    noted = {
        "failed_subgoal": None if failed_at is None else failed_at + 1,
        "search_limit": followed.limited,
    }
    return result, verdict, noted


def make_suite(
    scoring: SubgoalScoring[T],
    tasks: int,
    *,
    prompting: Prompting[T],
    pipeline: Pipeline[T],
    layout: Layout,
    agents: Mapping[str, Callable[[T, np.random.Generator], str]],
    empty: str,
    output_id: Callable[[T], str] | None = None,
    wanted: Callable[[T], bool] = lambda task: True,
) -> Suite[T]:
    """Subgoal decomposition in a world.

    Args:
        scoring: The world.
        tasks: How many tasks count.
        prompting: Asks for subgoals.
        pipeline: How it starts from the answers to goal interpretation.
        layout: Of the published summary.
        agents: Name -> what an agent answers.
        empty: An answer without a subgoal.
        output_id: Task -> its identifier in files of outputs, where that is not its id.
        wanted: Whether the output of a task is handed in.
    """
    world = scoring.world
    name = f"eai.{world.name}.subgoal_decomposition"
    submission = submission_of(name, wanted)
    return Suite(
        name=name,
        title=f"Turn a goal into subgoals that lead to it (EAI, {world.title}, {tasks} tasks)",
        tasks=world.tasks,
        scoring=Scoring(
            partial(score, scoring),
            PROTOCOLS,
            bounds=asdict(LIMITS),
            score_within=lambda bounds: partial(score, scoring, limits=limits_of(bounds)),
        ),
        reporting=layout.reporting(MEASURES),
        published=Published(
            world.quirks, world.is_loaded_for, output_id=output_id, submission=submission
        ),
        viewing=viewing(partial(traced, scoring)),
        experiments=Experiments(pipeline=pipeline, demands=world.demands.subgoals),
        prompting=prompting,
        text_agents={
            **{agent: TextAgent(answer) for agent, answer in agents.items()},
            "empty": always(empty),
        },
    )
