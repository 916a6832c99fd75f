"""An agent that only matches words. It brings each named object to the next furniture that the
instruction names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from homebody.core import DONE, Action, Policy
from homebody.suites.partnr.session import PartnrSession

_NUMBER = re.compile(r"_\d+$")


def copycat_policy(session: PartnrSession) -> Policy:
    """Return a policy that only understands names.

    The roles first walk through the rooms, and divide them among themselves. Then they divide the
    objects. They bring each known object that the instruction names to the next furniture in the
    instruction or, if none follows, to the first. Feedback is ignored."""
    scripts = {role: _script(session, role) for role in session.roles}
    return lambda session, role: next(scripts[role], DONE)


def _script(session: PartnrSession, role: str) -> Iterator[Action]:
    house, text = session.simulation.state.house, session.task.episode.instruction.lower()
    mine = slice(session.roles.index(role), None, len(session.roles))
    for room in house.rooms[mine]:
        yield Action("Explore", (room.name,))
    places = _find_named([piece.name for piece in house.furniture], text)
    for at, thing in _find_named([thing.name for thing in house.things], text)[mine]:
        later = [place for place in places if place[0] > at] or places
        if later and session.simulation.graphs[role].knows(thing):
            target = later[0][1]
            yield Action("Open", (target,))
            for relation in ("on", "within"):
                yield Action("Rearrange", (thing, relation, target))


def _find_named(names: list[str], text: str) -> list[tuple[int, str]]:
    """Return the names whose class a string contains, in order of occurrence, with their
    offsets."""
    found = []
    for name in names:
        words = re.escape(_NUMBER.sub("", name).replace("_", " "))
        if match := re.search(rf"\b{words}(s|es)?\b", text):
            found.append((match.start(), name))
    return sorted(found)
