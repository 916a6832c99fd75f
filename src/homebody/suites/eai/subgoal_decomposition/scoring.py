"""Subgoal decomposition: from a goal to a sequence of states that leads to it.

Subgoals are judged by actions that reach them. Under ``corrected``, a search finds the actions;
under ``published``, fixed rules give them. A :class:`SubgoalScoring` describes the world.

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
    unreadable_result,
)
from homebody.suites.eai.protocol import PROTOCOLS
from homebody.suites.eai.reading import Reading
from homebody.suites.eai.subgoal_decomposition.published_formulas import Unevaluated
from homebody.suites.eai.subgoal_decomposition.refinement import (
    LIMITS,
    Limits,
    Refinement,
    RefinementResult,
    Setting,
    Subgoal,
    describe_additional_steps,
    describe_failed_subgoal,
    limits_of,
    refine,
)
from homebody.suites.eai.subgoal_decomposition.searched import (
    MEASURES,
    count_searched,
    searched_fields,
)
from homebody.suites.eai.submission import submission_of
from homebody.suites.eai.summary import Layout, make_viewing
from homebody.suites.eai.world import EaiWorld, Judged

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T", bound=AnnotatedTask)


@dataclass(frozen=True, slots=True)
class RuleRefinement:
    """One refinement of the subgoals by fixed rules.

    Attributes:
        states: The initial state and the state after each action.
        actions: The executed actions.
        errors: Additional steps and the final error, in order, each with the index of its subgoal.
        finished: True if all subgoals were refined.
    """

    states: tuple[State, ...]
    actions: tuple[Action, ...] = ()
    errors: tuple[tuple[int, Failure], ...] = ()
    finished: bool = False

    @property
    def trace(self) -> Trace:
        """The executed actions, without failed ones."""
        return Trace(self.states, self.actions, tuple(range(len(self.actions))))


@dataclass(frozen=True, slots=True)
class RulesFollowed:
    """The published evaluator's refinement of subgoals.

    Attributes:
        way: The refinement that counts.
        reached: True if the goal counts as reached; None if its verdict decides.
        goals: Goals met, by kind; None if the verdict decides.
        limited: True if a bound ended it early.
    """

    way: RuleRefinement
    reached: bool | None = None
    goals: GoalCounts | None = None
    limited: bool = False


@dataclass(frozen=True, slots=True)
class SubgoalScoring(Generic[T]):
    """The description of a world for the scoring of subgoals.

    Attributes:
        world: The world, as in other abilities.
        read: Reads an output's subgoals; raises GrammarError.
        setting: Subgoals -> setting of the search.
        follow_rules: Subgoals -> their refinement by the published rules; raises GrammarError, or
            Unevaluated where the published evaluator would raise an exception.
        judge: Judges a trace by the goal.
        unread_goals: Goals that count as met for an unreadable output.
        is_notable: Returns whether to mention that a subgoal needed no action.
        judged_task: Returns the task with the goal that is judged under a protocol.
        with_prompt_names: Rewrites a string with the names of the prompt.
        exclusion_reason: The reason why a protocol excludes a task; empty if the task is not
            excluded.
    """

    world: EaiWorld[T]
    read: Callable[[T, str, Protocol, Reading], list[Subgoal]]
    setting: Callable[[T, Sequence[Subgoal]], Setting[Any]]
    follow_rules: Callable[[T, Sequence[Subgoal], Protocol, Limits], RulesFollowed]
    judge: Callable[[T, Trace, Protocol], Judged]
    unread_goals: Callable[[T, Protocol], GoalCounts]
    is_notable: Callable[[Subgoal], bool] = lambda subgoal: True
    judged_task: Callable[[T, Protocol], T] = lambda task, protocol: task
    with_prompt_names: Callable[[T, str], str] = lambda task, text: text
    exclusion_reason: Callable[[T, Protocol], str] = lambda task, protocol: ""


def score(
    scoring: SubgoalScoring[T], task: T, output: str, protocol: Protocol, limits: Limits = LIMITS
) -> Score:
    """Judge one output after a bounded search; any text gets a score."""
    task = scoring.judged_task(task, protocol)
    noted: dict[str, Any] = {"subgoals": [], "failed_subgoal": None, "search_limit": False}
    verdict, by_rules = None, protocol.keeps("subgoals_refined_by_rules")
    if not by_rules:
        noted |= searched_fields(False, (), ())
    reading = Reading.of(protocol)
    try:
        subgoals = scoring.read(task, output, protocol, reading)
        noted["subgoals"] = [subgoal.text for subgoal in subgoals]
        judge = _score_by_rules if by_rules else _score_by_search
        result, verdict, found = judge(scoring, task, subgoals, protocol, limits)
        noted |= found
    except GrammarError as error:
        result = unreadable_result(task, error, "Subgoal")
        result = replace(result, goals=scoring.unread_goals(task, protocol))
    made = plan_score(task, result, reading)
    record = {**made.record, **noted, **scoring.world.noted(task, verdict)}
    record["explanation"] = scoring.with_prompt_names(task, record["explanation"])
    return replace(made, record=record).exclude(scoring.exclusion_reason(task, protocol))


def _score_by_search(
    scoring: SubgoalScoring[T],
    task: T,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
) -> tuple[PlanResult, Verdict, dict[str, Any]]:
    """Judge the best refinement found by the search like a plan; return record fields too."""
    setting = scoring.setting(task, subgoals)
    outcome = refine(setting, task.task.initial, subgoals, limits)
    judged, trace, way = _best(scoring, task, outcome, protocol)
    verdict = judged.verdict
    finished = outcome.failed_at is None
    failure = outcome.failure
    sentences = [*describe_additional_steps(way), *describe_failed_subgoal(outcome, subgoals)]
    idle = [index for index in way.idle if scoring.is_notable(subgoals[index])]
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
    scoring: SubgoalScoring[T], task: T, outcome: RefinementResult, protocol: Protocol
) -> tuple[Judged, Trace, Refinement]:
    """Return the refinement with the best result, its judgement and its trace."""
    judged = []
    for way in outcome.refinements:
        trace = _label_actions(to_trace(way.node), way.lengths)
        judged.append((scoring.judge(task, trace, protocol), trace, way))

    def rank(row: tuple[Judged, Trace, Refinement]) -> tuple[bool, float, int]:
        verdict = row[0].verdict
        return verdict.success, verdict.progress, -len(row[2].additional)

    return max(judged, key=rank)


def trace_refinement(
    scoring: SubgoalScoring[T], task: T, output: str, protocol: Protocol
) -> PlanTrace | None:
    """Return the trace of the actions that a search found for an output; None if the protocol has
    no search."""
    task = scoring.judged_task(task, protocol)
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


def _label_actions(trace: Trace, lengths: Sequence[int]) -> Trace:
    """Label the actions of a trace with their subgoals, which appear in the output."""
    subgoal_of = [number for number, length in enumerate(lengths, 1) for _ in range(length)]
    labels = (
        f"step {step} (subgoal {subgoal_of[index]})" for step, index in enumerate(trace.indices, 1)
    )
    return replace(trace, labels=tuple(labels))


def _score_by_rules(
    scoring: SubgoalScoring[T],
    task: T,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
) -> tuple[PlanResult, Verdict, dict[str, Any]]:
    """Judge the refinement by the published rules as the published evaluator does."""
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
    sentences = [
        f"Subgoal {index + 1}, {f.action}: {f.message} ({f.error.value.replace('_', ' ')})"
        for index, f in way.errors
    ]
    if len(sentences) > MAX_STEPS + 1:
        sentences[MAX_STEPS:-1] = [f"{len(sentences) - MAX_STEPS - 1} more are additional steps."]
    result = PlanResult(
        success=success,
        executable=way.finished,
        goals=judged.goals if followed.goals is None else followed.goals,
        progress=verdict.progress,
        explanation=" ".join([*sentences, verdict.explanation]),
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
    """Make the suite of subgoal decomposition in a world.

    Args:
        scoring: The world.
        tasks: Number of tasks that count.
        prompting: Requests the subgoals.
        pipeline: The pipeline from goal interpretation to this suite.
        layout: Layout of the published summary.
        agents: Name -> output of the agent.
        empty: An output without a subgoal.
        output_id: Task -> its identifier in files of outputs, where it differs from its id.
        wanted: Returns whether a submission includes a task.
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
        viewing=make_viewing(partial(trace_refinement, scoring)),
        experiments=Experiments(pipeline=pipeline, demands=world.demands.subgoals),
        prompting=prompting,
        text_agents={
            **{agent: TextAgent(answer) for agent, answer in agents.items()},
            "empty": always(empty),
        },
    )
