"""Scoring subgoals on both worlds: the list in an output, what became of its subgoals, by search
(``corrected``) or by fixed rules (``published``), and what that is worth.

What differs from world to world is told by a :class:`SubgoalScoring`.

Source: EAI paper, section 2.4 and appendix D.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from homebody.core import Action, ErrorType, Failure, Protocol, Score, State, Trace, Verdict
from homebody.core.viewing import Traced
from homebody.planning.search import to_trace
from homebody.suites.eai.answers import object_with, read_answer
from homebody.suites.eai.lenient_json import JsonObject, described
from homebody.suites.eai.plan_results import (
    MAX_NUMBERS,
    MAX_STEPS,
    AnnotatedTask,
    GrammarError,
    PlanResult,
    cut_list,
    parsing_as_grammar_error,
    plan_score,
    unreadable,
)
from homebody.suites.eai.reading import Deviation, ParsingError, Reading
from homebody.suites.eai.subgoal_decomposition.published_formulas import Unevaluated
from homebody.suites.eai.subgoal_decomposition.refinement import (
    Limits,
    Refined,
    Refinement,
    Setting,
    Subgoal,
    needless,
    refine,
    stopped,
)
from homebody.suites.eai.subgoal_decomposition.searched import count_searched, searched_fields

T = TypeVar("T", bound=AnnotatedTask)

MAX_SUBGOALS = 200
"""More subgoals are a parsing error; the longest ground-truth plan has 67 actions."""

MAX_CHARACTERS = 40_000
"""Longer subgoals, all together, are a parsing error; annotated ones have some four thousand."""

_NUMBERED = re.compile(r"^(?:(?:(?:step|subgoal)\s*)?\d+\s*[.):]|[-*\u2022])\s+", re.IGNORECASE)
"""What enumerates subgoals."""
_CAPITALS = re.compile(r"\b(?:AND|OR|NOT|THEN|IMPLIES)\b")


@parsing_as_grammar_error()
def subgoal_texts(output: str, reading: Reading) -> list[str]:
    """The texts of an output's list, without numbers, bullets and full stops around them; empty
    ones are left out.

    Raises:
        GrammarError: there is no list, something else than a text in it, or nothing.
    """
    wanted = 'an object with a list "output"'
    items = read_answer(output, reading, _under_key, wanted, otherwise=_list_of_texts)
    for index, item in enumerate(items):
        if not isinstance(item, str):
            reason = f"it is {described(item)}, not a text"
            raise GrammarError(ErrorType.PARSING, reason, index)
    if any(_NUMBERED.match(item.strip()) or item.strip().endswith(".") for item in items):
        reading.note(Deviation.PROSE, "numbers or full stops around subgoals")
    texts = [_NUMBERED.sub("", item.strip()).removesuffix(".") for item in items]
    texts = [" ".join(text.split()) for text in texts]
    plain = [_CAPITALS.sub(lambda match: match[0].lower(), text) for text in texts]
    if plain != texts:
        reading.note(Deviation.CASE, "connectives in capitals")
    if not any(texts):
        raise GrammarError(ErrorType.PARSING, "the output has no subgoal")
    if sum(map(len, plain)) > MAX_CHARACTERS:
        reason = f"the subgoals have more than {MAX_CHARACTERS:,} characters"
        raise GrammarError(ErrorType.PARSING, reason)
    return [text for text in plain if text]


def check_count(subgoals: Sequence[Subgoal]) -> None:
    """Raises GrammarError if subgoals are more than :data:`MAX_SUBGOALS`."""
    if len(subgoals) > MAX_SUBGOALS:
        reason = f"the output has {len(subgoals)} subgoals; {MAX_SUBGOALS} at most"
        raise GrammarError(ErrorType.PARSING, reason)


_OUTPUT = "output"
_object = object_with([_OUTPUT], beside=("necessity_to_use_action", "actions_to_include"))


def _list_of_texts(value: list[Any], reading: Reading) -> list[Any] | None:
    """A list of texts alone."""
    if isinstance(value, JsonObject) or not all(isinstance(item, str) for item in value):
        return None
    reading.note(Deviation.SHAPE, 'a list where an object with "output" is asked for')
    return value or None


def _under_key(value: list[Any], reading: Reading) -> list[Any] | None:
    """What stands under "output"."""
    answer = _object(value, reading)
    if answer is None:
        return None
    items = dict(answer)[_OUTPUT]
    if isinstance(items, str):
        reading.note(Deviation.SHAPE, 'a text where "output" is to be a list')
        return items.splitlines()
    if isinstance(items, JsonObject) or not isinstance(items, list):
        raise ParsingError(f'"output" is {described(items)}, not a list')
    return items


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
    goals: Mapping[str, tuple[float, float]] | None = None
    limited: bool = False


@dataclass(frozen=True, slots=True)
class SubgoalScoring(Generic[T]):
    """What scoring subgoals has to be told of a world.

    Attributes:
        read: An output's subgoals; raises GrammarError.
        setting: Subgoals -> where they are searched for.
        follow_rules: Subgoals -> what the published rules make of them; raises GrammarError, or
            Unevaluated where the published evaluator would raise an exception.
        judge: The verdict on a task's goal.
        goals: Verdict -> kind -> goals met, and goals.
        unread_goals: The same of an output that is not read.
        line: An action as the record has it.
        notable: Whether it is worth saying that nothing had to be done for a subgoal.
        noted: Verdict, if there is one -> what else the record says.
    """

    read: Callable[[T, str, Protocol, Reading], list[Subgoal]]
    setting: Callable[[T, Sequence[Subgoal]], Setting[Any]]
    follow_rules: Callable[[T, Sequence[Subgoal], Protocol, Limits], RulesFollowed]
    judge: Callable[[T, Trace, Protocol], Verdict]
    goals: Callable[[Verdict], Mapping[str, tuple[float, float]]]
    unread_goals: Callable[[T, Protocol], Mapping[str, tuple[float, float]]]
    line: Callable[[Action], str] = str
    notable: Callable[[Subgoal], bool] = lambda subgoal: True
    noted: Callable[[T, Verdict | None], Mapping[str, Any]] = lambda task, verdict: {}


def score_subgoals(
    world: SubgoalScoring[T],
    task: T,
    output: str,
    protocol: Protocol,
    limits: Limits,
) -> Score:
    """Judge one output; any text gives a score, after a bounded search."""
    noted: dict[str, Any] = {"subgoals": [], "failed_subgoal": None, "search_limit": False}
    verdict, by_rules = None, protocol.keeps("subgoals_refined_by_rules")
    if not by_rules:
        noted |= searched_fields(False, (), ())
    reading = Reading.of(protocol)
    try:
        subgoals = world.read(task, output, protocol, reading)
        noted["subgoals"] = [subgoal.text for subgoal in subgoals]
        judge = _by_rules if by_rules else _by_search
        result, verdict, found = judge(world, task, subgoals, protocol, limits)
        noted |= found
    except GrammarError as error:
        result = unreadable(task, error, "Subgoal")
        result = replace(result, goals=world.unread_goals(task, protocol))
    made = plan_score(task, result, reading)
    return replace(made, record={**made.record, **noted, **world.noted(task, verdict)})


def _by_search(
    world: SubgoalScoring[T],
    task: T,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
) -> tuple[PlanResult, Verdict, dict[str, Any]]:
    """The best of the refinements that a search finds, judged like a plan; and what else the record
    says."""
    setting = world.setting(task, subgoals)
    outcome = refine(setting, task.task.initial, subgoals, limits)
    verdict, trace, way = _best(world, task, outcome, protocol)
    finished = outcome.failed_at is None
    failure = outcome.failure
    sentences = [*needless(way), *stopped(outcome, subgoals)]
    idle = [index for index in way.idle if world.notable(subgoals[index])]
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
        goals=world.goals(verdict),
        progress=verdict.progress,
        explanation=" ".join(sentences),
        plan=tuple(map(world.line, trace.actions)),
        error=None if failure is None else failure.error,
        error_step=outcome.failed_at,
        error_action=None if failure is None else subgoals[outcome.failed_at or 0].text[:200],
        additional_steps=len(way.additional),
        counted_additional=min(len(way.additional), 1),
    )
    return result, verdict, noted


def _best(
    world: SubgoalScoring[T], task: T, outcome: Refined, protocol: Protocol
) -> tuple[Verdict, Trace, Refinement]:
    """The refinement that gets farthest, what it does, and how that is judged."""
    judged = []
    for way in outcome.refinements:
        trace = _labelled(to_trace(way.node), way.lengths)
        judged.append((world.judge(task, trace, protocol), trace, way))
    return max(judged, key=lambda row: (row[0].success, row[0].progress, -len(row[2].additional)))


def traced_subgoals(
    world: SubgoalScoring[T], task: T, output: str, protocol: Protocol, limits: Limits
) -> Traced | None:
    """What the actions did that a search found for an output; None if there is no search."""
    if protocol.keeps("subgoals_refined_by_rules"):
        return None
    try:
        subgoals = world.read(task, output, protocol, Reading.of(protocol))
    except GrammarError:
        return None
    outcome = refine(world.setting(task, subgoals), task.task.initial, subgoals, limits)
    _, trace, _ = _best(world, task, outcome, protocol)
    if outcome.failure is None:
        return Traced(trace.actions, trace, task.task.goal)
    failed = replace(trace, failure=outcome.failure, failed_at=len(trace.actions))
    return Traced((*trace.actions, outcome.failure.action), failed, task.task.goal)


def _labelled(trace: Trace, lengths: Sequence[int]) -> Trace:
    """A trace whose actions are called by their subgoals, which an answer has, besides their steps
    in the refined plan, which it has not."""
    subgoal_of = [number for number, length in enumerate(lengths, 1) for _ in range(length)]
    labels = (
        f"step {step} (subgoal {subgoal_of[index]})" for step, index in enumerate(trace.indices, 1)
    )
    return replace(trace, labels=tuple(labels))


def _by_rules(
    world: SubgoalScoring[T],
    task: T,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
) -> tuple[PlanResult, Verdict, dict[str, Any]]:
    """What the published rules make of them, judged as the published evaluator does; and what else
    the record says."""
    try:
        followed = world.follow_rules(task, subgoals, protocol, limits)
    except Unevaluated as error:
        raise GrammarError(ErrorType.PARSING, str(error)) from None
    way = followed.way
    verdict = world.judge(task, way.trace, protocol)
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
        goals=world.goals(verdict) if followed.goals is None else followed.goals,
        progress=verdict.progress,
        explanation=" ".join([*said, verdict.explanation]),
        plan=tuple(map(world.line, way.actions)),
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
