"""Verifies that an episode is possible, not solved at the start, and solvable.

This is stage (b) of appendix A.3 of the PARTNR paper. Cheap checks come first: names and
affordances, contradictions, and the initial state. Then a run without actions must fail, and a run
of the expert must succeed. Failures are classified by the failure modes of the paper's table 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from homebody.authoring.partnr.draft import FailureMode, Rejected
from homebody.core import HomebodyError
from homebody.goals.partnr import (
    PREDICATES,
    Episode,
    Evaluation,
    EvaluationError,
    Judge,
    Proposition,
    TerminalSatisfactionConstraint,
    check,
    phrase,
)
from homebody.suites.partnr.episodes.predicates import AFFORDANCE, OPPOSITES, STATES
from homebody.suites.partnr.episodes.scene import furnish, scene
from homebody.suites.partnr.expert import play_expert
from homebody.suites.partnr.judging.house_atoms import holds_put_down
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.state import HouseState

_PLACED = ("is_on_top", "is_inside", "is_in_room")


@dataclass(frozen=True, slots=True)
class VerifiedEpisode:
    """An episode that the expert has solved.

    Attributes:
        episode: The episode.
        steps: Length of the expert's run, in steps of 1/30 s.
        transcript: Transcript of that run.
    """

    episode: Episode
    steps: int
    transcript: str


def verify(episode: Episode) -> VerifiedEpisode:
    """Check an episode and let the expert, which plays both agents with full knowledge, solve it.
    Raises Rejected if a check fails or the expert does not solve it."""
    examine(episode)
    run = play_expert(PartnrTask(episode, Settings(observability="full")))
    result = run.judgement()
    if not result.success:
        raise Rejected(FailureMode.UNSOLVED, result.explanation[:500])
    return VerifiedEpisode(episode, run.clock, run.transcript().encode())


def examine(episode: Episode) -> House:
    """Run all checks that need no expert, and return the house with the episode's objects. Raises
    Rejected if a check fails."""
    try:
        check(episode.evaluation)
        house = furnish(scene(episode), episode)
    except EvaluationError as error:
        raise Rejected(FailureMode.CONTRADICTION, str(error)) from None
    except HomebodyError as error:
        raise Rejected(FailureMode.HALLUCINATION, str(error)) from None
    if not episode.evaluation.propositions:
        raise Rejected(FailureMode.SATISFIED, "it has no propositions")
    for proposition in episode.evaluation.propositions:
        _check_names(house, proposition)
        _check_abilities(house, proposition)
    _check_contradictions(house, episode.evaluation)
    _check_start(house, episode.evaluation)
    return house


def _check_names(house: House, proposition: Proposition) -> None:
    """Raise Rejected unless each name exists and is of the right kind."""
    rooms = PREDICATES[proposition.predicate].arguments[-1] == "room_ids"
    for place, names in enumerate(proposition.lists):
        for name in names:
            is_room = name in house.room
            there = is_room or name in house.thing or name in house.piece
            if not there and name not in house.floors:
                raise Rejected(FailureMode.HALLUCINATION, f"nothing is named {name[:80]!r}")
            if rooms and place == 1:
                if not is_room:
                    raise Rejected(FailureMode.ROOM_OR_FURNITURE, f"{name} is not a room")
            elif is_room or name in house.floors:
                raise Rejected(
                    FailureMode.ROOM_OR_FURNITURE, f"{name} is a room: {phrase(proposition)}"
                )
        if len(set(names)) != len(names):
            raise Rejected(
                FailureMode.INCORRECT_AMBIGUITY, f"a name is listed twice: {phrase(proposition)}"
            )
    for names, number in zip(proposition.lists, proposition.numbers, strict=False):
        if number > len(names):
            raise Rejected(
                FailureMode.INCORRECT_AMBIGUITY,
                f"{number} of {len(names)} are required: {phrase(proposition)}",
            )


def _check_abilities(house: House, proposition: Proposition) -> None:
    """Raise Rejected unless the required states and placements are possible."""
    if proposition.predicate in STATES:
        state, ability = STATES[proposition.predicate][0], AFFORDANCE[proposition.predicate]
        for name in proposition.lists[0]:
            thing = house.thing.get(name) or house.piece[name]
            if state not in thing.states or ability not in catalogue().affords(thing.category):
                raise Rejected(FailureMode.PREDICATE, f"{name} is not {ability}")
        return
    movable = (
        proposition.lists if proposition.predicate == "is_clustered" else proposition.lists[:1]
    )
    for names in movable:
        for name in names:
            if name not in house.thing:
                raise Rejected(FailureMode.ENTITY, f"{name} cannot be moved: {phrase(proposition)}")
    if proposition.predicate in ("is_on_top", "is_inside"):
        kind = "within" if proposition.predicate == "is_inside" else "on"
        for name in proposition.lists[1]:
            holder = house.piece.get(name) or house.thing[name]
            kinds = {space.kind for space in holder.receptacles}
            # things on an inside surface, or in a basin, are on top of it too
            if kind not in kinds and not kinds:
                raise Rejected(FailureMode.PREDICATE, f"nothing can be put {kind} {name}")
            if kind not in kinds and kind == "within":
                raise Rejected(FailureMode.PREDICATE, f"nothing can be put within {name}")
            if name in proposition.lists[0]:
                raise Rejected(FailureMode.CONTRADICTION, f"{name} cannot be on or in itself")


def _check_contradictions(house: House, evaluation: Evaluation) -> None:
    """Raise Rejected if two propositions must both hold at the end but exclude each other."""
    ends: set[int] = set()
    for constraint in evaluation.constraints:
        if isinstance(constraint, TerminalSatisfactionConstraint):
            ends.update(constraint.propositions)
    last = [evaluation.propositions[index] for index in sorted(ends)]
    sure = [
        proposition
        for proposition in last
        if proposition.predicate != "is_clustered" and _is_about_all(proposition)
    ]
    for first, other in combinations(sure, 2):
        if not set(first.lists[0]) & set(other.lists[0]):
            continue
        pair = {first.predicate, other.predicate}
        if any(pair == {a, b} for a, b in OPPOSITES.items()):
            raise Rejected(FailureMode.CONTRADICTION, f"{phrase(first)}, and {phrase(other)}")
        if first.predicate in _PLACED and other.predicate in _PLACED:
            if not _rooms(house, first) & _rooms(house, other):
                raise Rejected(
                    FailureMode.CONTRADICTION, f"{phrase(first)}, and {phrase(other)}, at the end"
                )
            same = first.predicate == other.predicate and first.predicate != "is_on_top"
            if same and not set(first.lists[1]) & set(other.lists[1]):
                raise Rejected(
                    FailureMode.CONTRADICTION, f"{phrase(first)}, and {phrase(other)}, at the end"
                )
    _check_order(evaluation)


def _is_about_all(proposition: Proposition) -> bool:
    """Return whether a proposition is about all of its objects, not about any of them."""
    return proposition.number == len(proposition.lists[0])


def _rooms(house: House, proposition: Proposition) -> set[str]:
    """Return the possible rooms of a placement; all rooms if it is in a movable container."""
    if proposition.predicate == "is_in_room":
        return set(proposition.lists[1])
    rooms: set[str] = set()
    for name in proposition.lists[1]:
        if name not in house.piece:
            return set(house.room)
        rooms.add(house.piece[name].room)
    return rooms


def _check_order(evaluation: Evaluation) -> None:
    """Raise Rejected if a proposition depends on one that must come later."""
    edges = set(evaluation.edges)
    for gate in evaluation.dependencies:
        if gate.relation in ("after_satisfied", "while_satisfied", "after_unsatisfied"):
            for later in gate.propositions:
                for earlier in gate.depends_on:
                    if (later, earlier) in edges or later == earlier:
                        raise Rejected(
                            FailureMode.TEMPORAL_GROUPING,
                            f"{phrase(evaluation.propositions[later])} depends on a later step",
                        )


def _check_start(house: House, evaluation: Evaluation) -> None:
    """Raise Rejected if a proposition holds already, or if the goal is met without actions."""
    judge = Judge(evaluation)
    judge.step(holds_put_down(HouseState.start(house)))
    result = judge.result()
    if result.success:
        raise Rejected(FailureMode.SATISFIED, "everything holds already")
    for proposition, at in zip(result.propositions, result.satisfied_at, strict=True):
        if at is not None:
            raise Rejected(FailureMode.SATISFIED, f"it holds already: {phrase(proposition)}")
