"""The order in which the published VirtualHome evaluator (eai-eval 1.0.5) meets things.

Where a thing has several supports or containers it takes the first that a Python set of object
ids yields. That order is replayed here, from what a state's :attr:`~homebody.core.State.previous`
tells of its past.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from homebody.core.state import State

Order: TypeAlias = Mapping[tuple[str, str], Sequence[str]]
"""(predicate, first) -> seconds, in the order the scene file lists them."""


def support(state: State, order: Order, name: str) -> tuple[str, str] | None:
    """The relation and object by which the published GRAB remembers where a thing was.

    The first thing, not a room, that it was on top of, else inside, else merely next to.
    """
    for relation in ("ONTOP", "INSIDE", "NEXT_TO"):
        for other in ordered(state, order, relation, name):
            if not _is_room(state, other):
                return relation, other
    return None


def room(state: State, order: Order, name: str) -> str | None:
    """The published way to find the room a thing is in."""
    if _is_room(state, name):
        return name
    places = ordered(state, order, "INSIDE", name)
    if len(places) > 1:
        return next((place for place in places if _is_room(state, place)), None)
    seen = set()
    while places and places[0] not in seen:
        seen.add(places[0])
        if _is_room(state, places[0]):
            return places[0]
        places = ordered(state, order, "INSIDE", places[0])
    return None


def ordered(state: State, order: Order, predicate: str, first: str) -> list[str]:
    """The second arguments in the order in which the published evaluator meets them.

    It keeps the ids of changed facts in a Python set that it copies element by element at each
    step and merges with the scene's, then iterates. CPython's order of a set of small integers
    depends on its history, so the history is replayed: same operations, same order.
    """
    members = state.targets(predicate, first)
    if len(members) < 2:
        return list(members)
    chain: list[State] = []
    past: State | None = state
    while past is not None:
        chain.append(past)
        past = past.previous
    scene = order.get((predicate, first), ())
    names = {_id(name): name for name in members}
    base = {_id(name): None for name in scene}
    fresh: set[int] = set()
    touched = False
    removed: set[int] = set()
    for past in reversed(chain[:-1]):
        delete, add = past.change_from
        fresh = set(list(fresh))  # noqa: C414 (element by element, as a deep copy does)
        for fact in delete:
            if fact[0] == predicate and fact[1] == first:
                number = _id(fact[2])
                if number in base:
                    removed.add(number)
                else:
                    fresh.discard(number)
        for fact in add:
            if fact[0] == predicate and fact[1] == first:
                number = _id(fact[2])
                if number in removed:
                    removed.discard(number)
                elif number not in base:
                    touched = True
                    fresh.add(number)
        if touched:  # reading the whole state after each step merges the scene's facts
            fresh.update(base.keys())
            fresh.difference_update(removed)
    fresh.update(base.keys())
    fresh.difference_update(removed)
    return [names[number] for number in fresh if number in names]


def _id(name: str) -> int:
    return int(name.rpartition(".")[2])


def _is_room(state: State, name: str) -> bool:
    return state.holds("ROOM", (name,))
