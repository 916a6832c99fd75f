"""The facts of an episode for failure analysis (:mod:`homebody.core.play.failures`).

A part of the goal is a proposition as annotated; it needs all its objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import Any, Final

from homebody.core.play.failures import FailureAnalysis
from homebody.core.play.run_facts import GoalFacts, GoalPart
from homebody.goals.partnr import Judge, Judgement, phrase
from homebody.goals.partnr.evaluation_function import (
    CLUSTERED,
    ArgumentConstraint,
    Proposition,
    TemporalConstraint,
)
from homebody.suites.partnr.judging.measures import MeasuredSession, counts
from homebody.worlds.house.play.run_facts import (
    ON_FLOOR,
    known_names,
    list_changes,
    tried_names,
)

_RELATIONS: Final = {"is_on_top": "on", "is_inside": "within", "is_next_to": "next_to"}


def find_facts(session: MeasuredSession, record: Mapping[str, Any]) -> GoalFacts:
    """Return the facts of a finished session."""
    simulation, roles = session.simulation, session.roles
    return GoalFacts(
        tuple(list_parts(session.simulation_judge.judge, session.judgement())),
        list_changes(simulation, roles),
        known_names(simulation, roles),
        tried_names(simulation, roles),
    )


def list_parts(judge: Judge, judgement: Judgement) -> Iterator[GoalPart]:
    """Yield the parts of the goal at the end of a run, one for each annotated proposition."""
    counted, unrolled = counts(judgement), judge.unrolled
    early = _excluded(judge, judgement, TemporalConstraint) | set(_too_late(judge))
    unequal = _excluded(judge, judgement, ArgumentConstraint)
    for index, origin in enumerate(judgement.origins):
        if index != origin:
            continue
        copies = [copy for copy, of in enumerate(judgement.origins) if of == index]
        proposition = unrolled.propositions[index]
        ends, rooms = _wanted(proposition)
        yield GoalPart(
            phrase(proposition),
            all(counted[copy] for copy in copies),
            frozenset(chain.from_iterable(_lists_of_things(proposition))),
            ends,
            rooms,
            sum(proposition.numbers),
            judgement.satisfied_at[index] is not None or judge.true[index],
            judge.true[index],
            not early.isdisjoint(copies),
            not unequal.isdisjoint(copies),
        )


def _lists_of_things(proposition: Proposition) -> Sequence[Sequence[str]]:
    return proposition.lists if proposition.predicate == CLUSTERED else proposition.lists[:1]


def _wanted(proposition: Proposition) -> tuple[frozenset[str], frozenset[str]]:
    """Return the wanted results and the wanted rooms."""
    predicate = proposition.predicate
    if predicate == CLUSTERED:
        return frozenset(), frozenset()
    if predicate == "is_in_room":
        return frozenset(), frozenset(proposition.lists[1])
    if predicate == "is_on_floor":
        return frozenset({ON_FLOOR}), frozenset()
    if predicate in _RELATIONS:
        relation = _RELATIONS[predicate]
        return frozenset(f"{relation} {name}" for name in proposition.lists[1]), frozenset()
    return frozenset({predicate.removeprefix("is_")}), frozenset()


def _excluded(judge: Judge, judgement: Judgement, kind: Any) -> Set[int]:
    """Return the propositions that were satisfied, but that a kind of constraint excludes."""
    excluded = zip(judge.unrolled.constraints, judgement.broken, strict=True)
    return {
        index
        for constraint, broken in excluded
        if isinstance(constraint, kind)
        for index in broken
        if judgement.satisfied_at[index] is not None
    }


def _too_late(judge: Judge) -> Iterator[int]:
    """Yield the propositions that are true at the end and never counted, as what they depend on
    came and went, or stayed, at the wrong time."""
    steps = [satisfaction.step for satisfaction in judge.satisfactions]
    for dependency in judge.unrolled.dependencies:
        began = all(steps[head] is not None for head in dependency.depends_on)
        for index in dependency.propositions if began else ():
            if index < len(steps) and judge.true[index] and steps[index] is None:
                yield index


ANALYSIS: Final = FailureAnalysis(find_facts)
