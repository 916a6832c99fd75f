"""Common places for objects that must be next to each other and have no other required place.

Usually one is carried to the other. If there is no room for that, both are carried to a surface
with room, or to the floor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homebody.suites.partnr.expert.house_view import Placement
from homebody.suites.partnr.expert.jobs import is_bound, meeting_atoms
from homebody.suites.partnr.expert.memory import Memory
from homebody.suites.partnr.expert.requirements import Atom
from homebody.suites.partnr.expert.usual_places import surfaces

BETWEEN = 0.05
"""Metres of surface that an object takes in addition to its size, so that another object fits next
to it."""
SPARE = 1.5
"""Ratio of the free surface required to the surface that the objects take."""


def meet(memory: Memory, name: str) -> bool:
    """Record a place where an object meets all objects that must be next to it.

    Returns:
        False if they have a required place, or if no place is left.
    """
    view, wanted = memory.view, memory.agenda.wanted
    group = meeting_group(wanted, name)
    if not all(view.is_movable(member) for member in group):
        return False
    if any(
        is_bound(member, _without_meeting(wanted.get(member, ()), memory.meeting))
        for member in group
    ):
        return False
    rooms = {names[1] for member in group for kind, names in wanted[member] if kind == "is_in_room"}
    order = sorted(
        rooms or view.state.house.room, key=lambda room: (view.distance(name, room), room)
    )
    sizes = [view.state.house.thing[member].size for member in group]
    need = SPARE * sum((w + BETWEEN) * (d + BETWEEN) for w, d, _ in sizes)
    places = [
        placement
        for room in order
        for placement in surfaces(view, name, room)
        if placement.relation == "on" and view.widest_vacant_area("on", placement.target) >= need
    ]
    places += [Placement("on", view.state.house.room[room].floor_name) for room in order]
    for placement in places:
        key = tuple(sorted(group)), placement.target
        if key not in memory.met and all(view.has_room_for(member, placement) for member in group):
            memory.met.add(key)
            memory.meeting.update(dict.fromkeys(group, placement.target))
            return True
    return False


def meeting_group(wanted: Mapping[str, tuple[Atom, ...]], name: str) -> list[str]:
    """Return an object and all objects that must be next to it, directly or indirectly."""
    members = [name]
    for member in members:  # grows during the loop
        for predicate, names in wanted.get(member, ()):
            if predicate == "is_next_to":
                members += [other for other in names if other not in members]
    return members


def _without_meeting(atoms: Iterable[Atom], meeting: Mapping[str, str]) -> list[Atom]:
    """Return the atoms that do not come from a meeting."""
    return [
        atom
        for atom in atoms
        if atom[1][0] not in meeting or atom not in meeting_atoms(atom[1][0], meeting[atom[1][0]])
    ]
