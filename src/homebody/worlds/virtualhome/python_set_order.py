"""The order in which the published VirtualHome evaluator (eai-eval 1.0.5) visits objects.

Of several supports or containers it takes the first that a Python set of object ids yields. That
order is replayed here from a state's past (:attr:`~homebody.core.State.previous`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from homebody.core.state import State

Order: TypeAlias = Mapping[tuple[str, str], Sequence[str]]
"""(predicate, first) -> seconds, in the order of the scene file."""


def support(state: State, order: Order, name: str) -> tuple[str, str] | None:
    """Return the relation and object that the published GRAB remembers as an object's origin.

    It is the first object, not a room, that the object was on top of; if none exists, inside; if
    none exists, next to.
    """
    for relation in ("ONTOP", "INSIDE", "NEXT_TO"):
        for other in order_targets(state, order, relation, name):
            if not _is_room(state, other):
                return relation, other
    return None


def room(state: State, order: Order, name: str) -> str | None:
    """Return the room of an object, found in the published way."""
    if _is_room(state, name):
        return name
    places = order_targets(state, order, "INSIDE", name)
    if len(places) > 1:
        return next((place for place in places if _is_room(state, place)), None)
    seen = set()
    while places and places[0] not in seen:
        seen.add(places[0])
        if _is_room(state, places[0]):
            return places[0]
        places = order_targets(state, order, "INSIDE", places[0])
    return None


@dataclass(frozen=True, slots=True)
class _Replay:
    """The result of a replay in one state, for later states.

    Attributes:
        order: The scene's initial order.
        fresh: Ids of facts that actions made true, in the order in which a Python set of them
            yields them.
        removed: Ids of the scene's facts that no longer hold.
        touched: True if an action has made another fact true.
        names: The visited names, in order.
    """

    order: Order
    fresh: list[int]
    removed: frozenset[int]
    touched: bool
    names: list[str]


def order_targets(state: State, order: Order, predicate: str, first: str) -> list[str]:
    """Return the second arguments in the published evaluator's order of visits.

    The evaluator keeps the ids of changed facts in a Python set. At each step it copies the set
    element by element and merges it with the ids of the scene. CPython's order of a set of small
    integers depends on its history, so the same operations are replayed. States cache the result,
    so that the next replay continues from there.
    """
    members = state.targets(predicate, first)
    if len(members) < 2:
        return list(members)
    key = (predicate, first)
    chain: list[State] = []
    past: State | None = state
    met: _Replay | None = None
    while past is not None:
        met = past.cache.get(key)
        if met is not None and met.order is order:
            break
        chain.append(past)
        past = past.previous
    if met is None or met.order is not order:
        met = _Replay(order, [], frozenset(), False, [])
        chain.pop()  # no action led to the first state
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
    visited = [names[n] for n in fresh if n in names]
    state.cache[key] = _Replay(order, listed, frozenset(removed), touched, visited)
    return visited


def _id(name: str) -> int:
    return int(name.rpartition(".")[2])


def _is_room(state: State, name: str) -> bool:
    return state.holds("ROOM", (name,))
