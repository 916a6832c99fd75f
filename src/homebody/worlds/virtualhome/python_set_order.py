"""The order in which the published VirtualHome evaluator (eai-eval 1.0.5) meets things.

Where a thing has several supports or containers it takes the first that a Python set of object
ids yields. That order is replayed here, from what a state's :attr:`~homebody.core.State.previous`
tells of its past.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class _Met:
    """What a replay came to in one state, for those that follow it.

    Attributes:
        order: The scene's order that it began with.
        fresh: The ids of facts that actions made true, in the order of the set of them.
        removed: The ids of the scene's facts that no longer hold.
        touched: Whether an action has made another fact true.
        names: What was met, in order.
    """

    order: Order
    fresh: list[int]
    removed: frozenset[int]
    touched: bool
    names: list[str]


def ordered(state: State, order: Order, predicate: str, first: str) -> list[str]:
    """The second arguments in the order in which the published evaluator meets them.

    It keeps the ids of changed facts in a Python set that it copies element by element at each
    step and merges with the scene's, then iterates. CPython's order of a set of small integers
    depends on its history, so the history is replayed: same operations, same order. States remember
    what it came to, so that the next replay goes on from there.
    """
    members = state.targets(predicate, first)
    if len(members) < 2:
        return list(members)
    key = (predicate, first)
    chain: list[State] = []
    past: State | None = state
    met: _Met | None = None
    while past is not None:
        met = past.cache.get(key)
        if met is not None and met.order is order:
            break
        chain.append(past)
        past = past.previous
    if met is None or met.order is not order:
        met = _Met(order, [], frozenset(), False, [])
        chain.pop()  # nothing led to the first state
    elif not chain:
        return met.names
    base = {_id(name): None for name in order.get(key, ())}
    fresh, removed, touched = set(met.fresh), set(met.removed), met.touched
    listed = met.fresh
    for past in reversed(chain):
        delete, add = past.change_from
        fresh = set(listed)  # element by element, as a deep copy does
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
        listed = list(fresh)
    fresh.update(base.keys())
    fresh.difference_update(removed)
    names = {_id(name): name for name in members}
    met = _Met(order, listed, frozenset(removed), touched, [names[n] for n in fresh if n in names])
    state.cache[key] = met
    return met.names


def _id(name: str) -> int:
    return int(name.rpartition(".")[2])


def _is_room(state: State, name: str) -> bool:
    return state.holds("ROOM", (name,))
