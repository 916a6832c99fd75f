"""Locations of objects, and their visibility to a character in a room."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from homebody.core.state import State
from homebody.core.truth import evaluate
from homebody.worlds.virtualhome.actions import CAN_OPEN, OBJ
from homebody.worlds.virtualhome.view import StateView

PLACES: Final = {"ONTOP": "on", "INSIDE": "in"}
"""Relation of an object to its support or container -> the preposition."""
HOUSE: Final = frozenset({"wall", "floor", "ceiling", "doorjamb"})
"""Classes of a house's structure."""


def bearers(state: State, name: str) -> Iterator[tuple[str, str]]:
    """Yield all supports and containers of an object, at any depth, with the relation. Rooms are
    excluded."""
    seen = {name}
    frontier = [name]
    for thing in frontier:
        for relation in PLACES:
            for place in state.targets(relation, thing):
                if not state.holds("ROOM", (place,)):
                    yield relation, place
                    if place not in seen:
                        seen.add(place)
                        frontier.append(place)


def find_openable(view: StateView) -> frozenset[str]:
    """Return the objects that can be opened. Counters are excluded: they are closed, contain sinks,
    and cannot be opened."""
    return frozenset(name for name in view.names if evaluate(CAN_OPEN, view, {OBJ: name}))


def is_shut(state: State, opens: frozenset[str], relation: str, place: str) -> bool:
    """Return whether objects with this relation to a place are hidden.

    Args:
        opens: The objects that can be opened, as :func:`find_openable` returns them.
    """
    return relation == "INSIDE" and state.holds("CLOSED", (place,)) and place in opens


def is_seen(view: StateView, opens: frozenset[str], room: str | None, name: str) -> bool:
    """Return whether the character sees an object from a room, or everywhere if ``room`` is
    None."""
    if name == view.agent or view.is_room(name):
        return True
    held = view.held_objects(view.agent)
    carried = name in held
    for relation, place in bearers(view.state, name):
        if is_shut(view.state, opens, relation, place):
            return False
        carried = carried or place == view.agent or place in held
    if carried or room in view.state.targets("BETWEEN", name):
        return True
    return view.room(name) in (room, None)
