"""Where things meet that shall be next to each other and belong nowhere else.

As a rule one is carried to where the other is. Where there is no room for that, both are carried to
a surface that has some, or to the floor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homebody.suites.partnr.expert.candidates import surfaces
from homebody.suites.partnr.expert.house_view import Placement
from homebody.suites.partnr.expert.jobs import is_bound, meeting_atoms
from homebody.suites.partnr.expert.memory import Memory
from homebody.suites.partnr.expert.requirements import Atom

BETWEEN = 0.05
"""Metres of surface that things take beyond their size, so that they can be next to each other."""
SPARE = 1.5
"""How much more surface there must be than things take."""


def meet(memory: Memory, name: str) -> bool:
    """Note a place where a thing meets all that shall be next to it; False if they belong
    somewhere already, or no place is left."""
    view, wanted = memory.view, memory.agenda.wanted
    group = company(wanted, name)
    if not all(view.movable(one) for one in group):
        return False
    if any(is_bound(one, _real(wanted.get(one, ()), memory.meeting)) for one in group):
        return False
    rooms = {names[1] for one in group for kind, names in wanted[one] if kind == "is_in_room"}
    order = sorted(rooms or view.state.house.room, key=lambda one: (view.distance(name, one), one))
    sizes = [view.state.house.thing[one].size for one in group]
    need = SPARE * sum((w + BETWEEN) * (d + BETWEEN) for w, d, _ in sizes)
    places = [
        placement
        for room in order
        for placement in surfaces(view, name, room)
        if view.widest("on", placement.target) >= need
    ]
    places += [Placement("on", view.state.house.room[room].floor_name) for room in order]
    for placement in places:
        key = tuple(sorted(group)), placement.target
        if key not in memory.met and all(view.fits(one, placement) for one in group):
            memory.met.add(key)
            memory.meeting.update(dict.fromkeys(group, placement.target))
            return True
    return False


def company(wanted: Mapping[str, tuple[Atom, ...]], name: str) -> list[str]:
    """All that shall be next to a thing, directly or not, and it."""
    found = [name]
    for one in found:  # which grows meanwhile
        for predicate, names in wanted.get(one, ()):
            if predicate == "is_next_to":
                found += [other for other in names if other not in found]
    return found


def _real(atoms: Iterable[Atom], meeting: Mapping[str, str]) -> list[Atom]:
    """Atoms less those of a meeting."""
    return [
        one
        for one in atoms
        if one[1][0] not in meeting or one not in meeting_atoms(one[1][0], meeting[one[1][0]])
    ]
