"""Drafts with one mistake each, of the kinds of table 8, made from good ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from homebody.authoring.language.exchange import replace_nouns
from homebody.authoring.language.mentions import FURNITURE, OBJECT, ROOM
from homebody.authoring.partnr.checks.case import case_of
from homebody.authoring.partnr.draft import Draft, FailureMode
from homebody.authoring.partnr.packing import PLACEMENTS, complete
from homebody.authoring.partnr.situation import bears, objects_of, situation
from homebody.goals.partnr import Evaluation, Proposition, TemporalConstraint, temporal_groups
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House

Mistake = Callable[[Draft, House, np.random.Generator], Draft | None]
OTHER = {
    "is_clean": "is_dirty",
    "is_filled": "is_clean",
    "is_empty": "is_filled",
    "is_powered_on": "is_powered_off",
    "is_powered_off": "is_powered_on",
}


def _evaluation(draft: Draft) -> Evaluation:
    assert draft.evaluation is not None
    return draft.evaluation


def _with(draft: Draft, index: int, one: Proposition) -> Draft:
    evaluation = _evaluation(draft)
    some = list(evaluation.propositions)
    some[index] = one
    return replace(draft, evaluation=replace(evaluation, propositions=tuple(some)))


def _pick(rng: np.random.Generator, some: list[int]) -> int | None:
    return some[int(rng.integers(len(some)))] if some else None


def missing_object(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Speaks of an object that is not there."""
    return _missing(draft, house, rng, OBJECT)


def missing_furniture(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Speaks of furniture that is not there."""
    return _missing(draft, house, rng, FURNITURE)


def _missing(draft: Draft, house: House, rng: np.random.Generator, kind: str) -> Draft | None:
    case = case_of(draft, house, situation(draft, house))
    there = case.there[kind]
    known = catalogue().things if kind == OBJECT else catalogue().furniture
    wanted = [m for m in case.mentions if m.categories(kind) & there and m.determiner]
    if kind == FURNITURE:
        wanted = [m for m in wanted if m.preposition in ("on", "in", "onto", "into", "to")]
    if not wanted:
        return None
    chosen = wanted[int(rng.integers(len(wanted)))]
    names = [one for one in known if one not in there and "_" not in one and len(one) > 4]
    other = names[int(rng.integers(len(names)))]
    text = replace_nouns(draft.instruction, lambda m: other if m.start == chosen.start else None)
    return replace(draft, instruction=text)


def vague(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Leaves open where something should go."""
    place = case_of(draft, house, situation(draft, house))
    for m in place.mentions:
        if m.categories(FURNITURE) and m.determiner == "the" and m.preposition in ("on", "in"):
            start = draft.instruction.rfind(m.preposition, 0, m.start)
            words = ("somewhere suitable", "where they belong")[int(rng.integers(2))]
            text = f"{draft.instruction[:start]}{words}{draft.instruction[m.end :]}"
            return replace(draft, instruction=text)
    return None


def both_places(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Asks for an object at the end in two places, both of which the words name."""
    evaluation = _evaluation(draft)
    for one in evaluation.propositions:
        if one.predicate not in ("is_on_top", "is_in_room") or len(one.lists[0]) > 1:
            continue
        for other in evaluation.propositions:
            if other.predicate == one.predicate and not set(other.lists[1]) & set(one.lists[1]):
                if other.lists[0] == one.lists[0]:
                    continue
                more = replace(other, lists=(one.lists[0], other.lists[1]))
                return replace(draft, evaluation=complete((*evaluation.propositions, more)))
    return None


def done_already(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Objects start where they are to go."""
    evaluation = _evaluation(draft)
    if any(one.predicate not in PLACEMENTS for one in evaluation.propositions):
        return None
    goes: dict[str, tuple[str, str]] = {}
    for one in evaluation.propositions:
        if one.predicate == "is_on_floor" or one.number > 1 or one.lists[0][0] in goes:
            return None
        at, relation = one.lists[1][0], "within" if one.predicate == "is_inside" else "on"
        if one.predicate == "is_in_room":
            at = f"floor_{at}"
        elif at not in house.piece:
            return None
        goes[one.lists[0][0]] = (at, relation)
    placements = []
    for name, placed in objects_of(draft.placements):
        at, relation = goes.get(name, (placed.furniture, placed.relation))
        placements.append(replace(placed, number=1, furniture=at, relation=relation))
    return replace(draft, placements=tuple(placements))


def no_order(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Forgets the order."""
    evaluation = _evaluation(draft)
    kept = tuple(c for c in evaluation.constraints if not isinstance(c, TemporalConstraint))
    if len(kept) == len(evaluation.constraints):
        return None
    return replace(draft, evaluation=replace(evaluation, constraints=kept))


def new_order(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Asks for an order that nobody spoke of."""
    evaluation = _evaluation(draft)
    count = len(evaluation.propositions)
    if count < 2 or len(temporal_groups(evaluation)) > 1:
        return None
    order = TemporalConstraint(tuple((i, count - 1) for i in range(count - 1)))
    return replace(
        draft, evaluation=replace(evaluation, constraints=(order, *evaluation.constraints))
    )


def turned_order(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Asks for the opposite order."""
    evaluation = _evaluation(draft)
    if len(temporal_groups(evaluation)) < 2:
        return None
    turned = tuple(
        TemporalConstraint(tuple((b, a) for a, b in c.edges))
        if isinstance(c, TemporalConstraint)
        else c
        for c in evaluation.constraints
    )
    return replace(draft, evaluation=replace(evaluation, constraints=turned))


def other_state(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Checks another state than the one that is asked for."""
    some = [i for i, p in enumerate(_evaluation(draft).propositions) if p.predicate in OTHER]
    index = _pick(rng, some)
    if index is None:
        return None
    one = _evaluation(draft).propositions[index]
    same = [p for p in _evaluation(draft).propositions if p.predicate == one.predicate]
    if len(same) > 1:
        return None
    return _with(draft, index, replace(one, predicate=OTHER[one.predicate]))


def no_nearness(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Forgets that things have to be next to each other."""
    some = _evaluation(draft).propositions
    kept = tuple(p for p in some if p.predicate not in ("is_next_to", "is_clustered"))
    if len(kept) == len(some) or not kept or len(temporal_groups(_evaluation(draft))) > 1:
        return None
    return replace(draft, evaluation=complete(kept))


def furniture_for_room(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Asks for a piece of furniture where the words name a room."""
    case = case_of(draft, house, situation(draft, house))
    named = {c for m in case.mentions for c in m.categories(FURNITURE)}
    for index, one in enumerate(_evaluation(draft).propositions):
        if one.predicate == "is_in_room":
            for piece in house.furniture:
                fits = piece.room in one.lists[1] and bears(piece, "on")
                if fits and piece.category not in named:
                    lists = (one.lists[0], (piece.name,))
                    return _with(draft, index, replace(one, predicate="is_on_top", lists=lists))
    return None


def room_for_furniture(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Asks for a room only where the words name furniture."""
    for index, one in enumerate(_evaluation(draft).propositions):
        if one.predicate in ("is_on_top", "is_inside") and one.lists[1][0] in house.piece:
            rooms = tuple(
                dict.fromkeys(house.piece[n].room for n in one.lists[1] if n in house.piece)
            )
            lists = (one.lists[0], rooms)
            return _with(draft, index, Proposition("is_in_room", lists, one.numbers))
    return None


def other_object(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Asks for another object than the words name."""
    case = case_of(draft, house, situation(draft, house))
    named = {c for m in case.mentions for c in m.categories(OBJECT)}
    single = [i for i, p in enumerate(case.propositions) if len(p.lists[0]) == 1]
    names = [n for n, c in case.objects.items() if c not in named]
    if not names:  # one that is named for something else, so that nothing is asked of what is named
        about = Counter(case.category(p.lists[0][0]) for p in case.propositions)
        single = [
            i
            for i in single
            if about[case.category(case.propositions[i].lists[0][0])] == 1
            and case.propositions[i].predicate in PLACEMENTS
        ]
        names = list(case.objects)
    index = _pick(rng, single)
    if index is None:
        return None
    one = case.propositions[index]
    names = [n for n in names if case.category(n) != case.category(one.lists[0][0])]
    if not names:
        return None
    lists = ((names[int(rng.integers(len(names)))],), *one.lists[1:])
    return _with(draft, index, replace(one, lists=lists))


def other_furniture(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Asks for other furniture than the words name."""
    case = case_of(draft, house, situation(draft, house))
    named = {c for m in case.mentions for c in m.categories(FURNITURE)}
    names = [p.name for p in house.furniture if p.category not in named and bears(p, "on")]
    some = [i for i, p in enumerate(case.propositions) if p.predicate == "is_on_top"]
    index = _pick(rng, some)
    if not names or index is None:
        return None
    one = case.propositions[index]
    lists = (one.lists[0], (names[int(rng.integers(len(names)))],))
    return _with(draft, index, replace(one, lists=lists))


def other_room(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Asks for another room than the words name."""
    case = case_of(draft, house, situation(draft, house))
    named = {c for m in case.mentions for c in m.categories(ROOM)}
    rooms = [r.name for r in house.rooms if r.kind not in named]
    some = [i for i, p in enumerate(case.propositions) if p.predicate == "is_in_room"]
    index = _pick(rng, some)
    if not rooms or index is None:
        return None
    one = case.propositions[index]
    lists = (one.lists[0], (rooms[int(rng.integers(len(rooms)))],))
    return _with(draft, index, replace(one, lists=lists))


def fewer_places(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Leaves out a place that would do."""
    some = [
        i
        for i, p in enumerate(_evaluation(draft).propositions)
        if p.predicate in ("is_on_top", "is_inside", "is_in_room") and len(p.lists[1]) > 1
    ]
    index = _pick(rng, some)
    if index is None:
        return None
    one = _evaluation(draft).propositions[index]
    return _with(draft, index, replace(one, lists=(one.lists[0], one.lists[1][:1])))


def fewer_objects(draft: Draft, house: House, rng: np.random.Generator) -> Draft | None:
    """Leaves out objects that would do."""
    some = [
        i for i, p in enumerate(_evaluation(draft).propositions) if len(p.lists[0]) > p.number == 1
    ]
    index = _pick(rng, some)
    if index is None:
        return None
    one = _evaluation(draft).propositions[index]
    return _with(draft, index, replace(one, lists=(one.lists[0][:1], *one.lists[1:])))


MISTAKES: tuple[tuple[Mistake, frozenset[FailureMode]], ...] = (
    (missing_object, frozenset({FailureMode.HALLUCINATION})),
    (missing_furniture, frozenset({FailureMode.HALLUCINATION})),
    (vague, frozenset({FailureMode.AMBIGUITY})),
    (both_places, frozenset({FailureMode.CONTRADICTION})),
    (done_already, frozenset({FailureMode.SATISFIED})),
    (no_order, frozenset({FailureMode.TEMPORAL_GROUPING})),
    (new_order, frozenset({FailureMode.TEMPORAL_GROUPING})),
    (turned_order, frozenset({FailureMode.TEMPORAL_GROUPING})),
    (other_state, frozenset({FailureMode.PREDICATE})),
    (no_nearness, frozenset({FailureMode.PREDICATE})),
    (furniture_for_room, frozenset({FailureMode.ROOM_OR_FURNITURE})),
    (room_for_furniture, frozenset({FailureMode.ROOM_OR_FURNITURE, FailureMode.ENTITY})),
    (other_object, frozenset({FailureMode.ENTITY})),
    (other_furniture, frozenset({FailureMode.ENTITY, FailureMode.ROOM_OR_FURNITURE})),
    (other_room, frozenset({FailureMode.ENTITY})),
    (fewer_places, frozenset({FailureMode.INCORRECT_AMBIGUITY})),
    (fewer_objects, frozenset({FailureMode.INCORRECT_AMBIGUITY})),
)
"""A way to spoil a draft, and the failure modes that say what is wrong then."""


def spoiled(
    draft: Draft, house: House, rng: np.random.Generator
) -> Iterator[tuple[str, Draft, frozenset[FailureMode]]]:
    """A draft with each mistake that can be made of it."""
    for mistake, modes in MISTAKES:
        made = mistake(draft, house, rng)
        if made is not None:
            yield mistake.__name__, made, modes
