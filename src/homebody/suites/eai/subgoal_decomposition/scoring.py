"""What subgoal decomposition shares on both worlds: the list in an output, and results out of what
became of its subgoals, by search (``corrected``) or by fixed rules (``published``).

Source: EAI paper, section 2.4 and appendix D.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homebody.core import Action, ErrorType, Failure, State, Trace, Verdict
from homebody.planning.search import to_trace
from homebody.suites.eai import parsing
from homebody.suites.eai.subgoal_decomposition.refinement import Refined, Subgoal, needless, stopped
from homebody.suites.eai.trajectory import GrammarError, Result

MAX_SUBGOALS = 200
"""More subgoals are a parsing error; the longest ground-truth plan has 67 actions."""

_NUMBERED = re.compile(r"^\d+[.)]\s+")


def listed(output: str) -> list[str]:
    """The texts of an output's list, without numbers in front and full stops behind; empty ones
    are left out.

    Raises:
        GrammarError: there is no list, something else than a text in it, or nothing.
    """
    try:
        found = parsing.plain(parsing.parse_object(output))
    except parsing.ParsingError as error:
        raise GrammarError(ErrorType.PARSING, str(error)) from None
    items = dict(found).get("output")
    if not isinstance(items, list):
        raise GrammarError(ErrorType.PARSING, 'the object has no list "output"')
    for index, item in enumerate(items):
        if not isinstance(item, str):
            raise GrammarError(ErrorType.PARSING, "it is not a text", index)
    texts = [_NUMBERED.sub("", item.strip()).removesuffix(".").strip() for item in items]
    if not any(texts):
        raise GrammarError(ErrorType.PARSING, "the output has no subgoal")
    return [text for text in texts if text]


def bounded(subgoals: list[Subgoal]) -> list[Subgoal]:
    """The subgoals. Raises GrammarError if they are more than :data:`MAX_SUBGOALS`."""
    if len(subgoals) > MAX_SUBGOALS:
        reason = f"the output has {len(subgoals)} subgoals; {MAX_SUBGOALS} at most"
        raise GrammarError(ErrorType.PARSING, reason)
    return subgoals


@dataclass(frozen=True, slots=True)
class Telling:
    """How one world tells of plans.

    Attributes:
        goals: Verdict -> kind -> goals met, and goals.
        line: An action as the record has it.
        notable: Whether it is worth saying that nothing had to be done for a subgoal.
    """

    goals: Callable[[Verdict], Mapping[str, tuple[float, float]]]
    line: Callable[[Action], str]
    notable: Callable[[Subgoal], bool] = lambda subgoal: True


def searched(
    outcome: Refined,
    subgoals: Sequence[Subgoal],
    judge: Callable[[Trace], Verdict],
    telling: Telling,
    extra: dict[str, Any],
) -> tuple[Result, Verdict]:
    """The best of the refinements that a search found, judged like a plan.

    ``search_limit`` and ``failed_subgoal`` of the record are put into ``extra``.
    """
    extra["search_limit"] = outcome.limited
    if outcome.failed_at is not None:
        extra["failed_subgoal"] = outcome.failed_at + 1
    judged = []
    for way in outcome.refinements:
        trace = to_trace(way.node)
        judged.append((judge(trace), trace, way))
    finished = outcome.failed_at is None
    verdict, trace, way = max(
        judged, key=lambda row: (row[0].success, row[0].progress, -len(row[2].additional))
    )
    failure = outcome.failure
    said = [*needless(way), *stopped(outcome, subgoals)]
    idle = [index for index in way.idle if telling.notable(subgoals[index])]
    if idle and not verdict.success and not way.additional:
        said.append(f"Nothing was done for subgoal {idle[0] + 1}: it held already.")
    result = Result(
        success=finished and verdict.success,
        executable=finished,
        goals=telling.goals(verdict),
        progress=verdict.progress,
        explanation=" ".join([*said, verdict.explanation]),
        plan=tuple(map(telling.line, trace.actions)),
        error=None if failure is None else failure.error,
        error_step=outcome.failed_at,
        error_action=None if failure is None else subgoals[outcome.failed_at or 0].text[:200],
        additional_steps=len(way.additional),
        counted_additional=min(len(way.additional), 1),
    )
    return result, verdict


# -- published rules -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Run:
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


def followed(
    run: Run,
    verdict: Verdict,
    telling: Telling,
    extra: dict[str, Any],
    *,
    success: bool,
    all_counted: bool,
) -> Result:
    """The result of a run.

    Args:
        run: What was done.
        verdict: On where it ended.
        telling: The world's.
        extra: For the record: ``failed_subgoal`` is put into it.
        success: As the protocol judges it.
        all_counted: Additional steps count also where a finished run misses the goal.
    """
    failure = None
    if not run.finished and run.errors:
        index, failure = run.errors[-1]
        extra["failed_subgoal"] = index + 1
    additional = sum(error.error is ErrorType.ADDITIONAL_STEP for _, error in run.errors)
    if run.finished and not success and not all_counted:
        additional = 0
    said = [f"{f.action}: {f.message} ({f.error.value})" for _, f in run.errors[-1:]]
    return Result(
        success=success,
        executable=run.finished,
        goals=telling.goals(verdict),
        progress=verdict.progress,
        explanation=" ".join([*said, verdict.explanation]),
        plan=tuple(map(telling.line, run.actions)),
        error=None if failure is None else failure.error,
        error_step=None if failure is None else run.errors[-1][0],
        error_action=None if failure is None else str(failure.action),
        additional_steps=additional,
        counted_additional=min(additional, 1),
    )
