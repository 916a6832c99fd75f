"""Checks beyond the JSON Schema: unique names, and references to existing objects.

They run on the records of a file, which have the fields of the model's classes.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.house import House, Opening, Point, Receptacle, Thing
from homebody.worlds.house.model.people import HAND
from homebody.worlds.house.simulation.skills import SKILLS, WALKING

RESERVED = frozenset({"on", "within", "next_to", "none", "None", "you"})
"""Words of the action language."""
PARTS = ("rooms", "openings", "furniture", "things", "people")
"""Parts of a house that have names."""
MAX_NESTED = 16
"""Maximum depth of objects in objects."""
MAX_ACROSS = 200.0
"""Maximum extent of a house in metres."""


def check_house(house: House, at: str = "") -> None:
    """Check the references of a house.

    Args:
        at: The path of the house in its file: ``house.`` or an empty string.

    Raises:
        HomebodyError: A reference is wrong; the message names the place.
    """
    for where, why in _house(house):
        raise HomebodyError(f"{at}{where}: {why}")


def check_scenario(scenario: Any) -> None:
    """Check the references of a scenario. Raises HomebodyError like :func:`check_house`."""
    for where, why in _scenario(scenario):
        raise HomebodyError(f"{where}: {why}")
    if scenario.house is not None:
        check_house(scenario.house, "house.")


def _house(house: House) -> Iterator[tuple[str, str]]:
    yield from _names(house)
    rooms = {room.name for room in house.rooms}
    for i, room in enumerate(house.rooms):
        if why := _outline(room.outline):
            yield f"rooms[{i}].outline", why
    xs, ys = zip(*(point for room in house.rooms for point in room.outline), strict=True)
    if max(max(xs) - min(xs), max(ys) - min(ys)) > MAX_ACROSS:
        yield "rooms", f"the house is more than {MAX_ACROSS:.0f} m across"
    for i, opening in enumerate(house.openings):
        at = f"openings[{i}]"
        for j, name in enumerate(opening.rooms):
            if name not in rooms:
                yield f"{at}.rooms[{j}]", f"there is no room {name}"
        if len(set(opening.rooms)) < len(opening.rooms):
            yield f"{at}.rooms", "must be two different rooms"
        (a, b), (c, d) = opening.start, opening.end
        if (a == c) == (b == d):
            yield f"{at}.end", "the opening must be along x or along y"
        if opening.bottom >= opening.top:
            yield f"{at}.top", "must be above its bottom"
    things = {thing.name: thing for thing in house.things}
    for i, opening in enumerate(house.openings):
        yield from ((f"openings[{i}].{where}", why) for where, why in _door(opening, things))
    receptacles = {piece.name: piece.receptacles for piece in house.furniture}
    receptacles |= {thing.name: thing.receptacles for thing in house.things}
    for i, piece in enumerate(house.furniture):
        at = f"furniture[{i}]"
        if piece.room not in rooms:
            yield f"{at}.room", f"there is no room {piece.room}"
        if piece.pose.yaw % 90:
            yield f"{at}.pose.yaw", "furniture stands at multiples of 90 degrees"
        if piece.key and piece.key not in things:
            yield f"{at}.key", f"there is no object {piece.key}"
        yield from _receptacles(at, piece.receptacles)
    floors = {f"floor_{name}" for name in rooms}
    people = {person.name for person in house.people}
    held: dict[str, str] = {}
    for i, thing in enumerate(house.things):
        at = f"things[{i}]"
        yield from _receptacles(at, thing.receptacles)
        holder, place = thing.place
        if holder in floors:
            if place:
                yield f"{at}.place[1]", "a floor has no receptacles; leave it empty"
        elif holder in people:
            if place != HAND:
                yield f"{at}.place[1]", f"people hold things in their {HAND!r}"
            elif holder in held:
                yield f"{at}.place[0]", f"{holder} holds {held[holder]} already"
            held[holder] = thing.name
        elif holder not in receptacles:
            yield f"{at}.place[0]", f"there is no furniture, object, floor or person {holder}"
        elif all(receptacle.name != place for receptacle in receptacles[holder]):
            yield f"{at}.place[1]", f"{holder} has no receptacle {place!r}"
        elif not _ends(thing, things):
            yield f"{at}.place", "it is in itself, or in too many other objects"
    pieces = {piece.name for piece in house.furniture}
    named = pieces | set(things) | people
    named |= {opening.name for opening in house.openings}
    for i, person in enumerate(house.people):
        at = f"people[{i}]"
        if person.room not in rooms:
            yield f"{at}.room", f"there is no room {person.room}"
        if person.on and person.on not in pieces:
            yield f"{at}.on", f"there is no furniture {person.on}"
        if person.pointing_at and person.pointing_at not in named:
            yield f"{at}.pointing_at", f"there is nothing named {person.pointing_at}"
        if person.looks_at and person.looks_at not in named:
            yield f"{at}.looks_at", f"there is nothing named {person.looks_at}"


def _names(house: House) -> Iterator[tuple[str, str]]:
    first = {f"floor_{room.name}": f"the floor of rooms[{i}]" for i, room in enumerate(house.rooms)}
    for part in PARTS:
        for i, name in enumerate(named.name for named in getattr(house, part)):
            where = f"{part}[{i}].name"
            if name in RESERVED:
                yield where, f"{name} is a word of actions and cannot be a name"
            if name in first:
                yield where, f"{name} is also the name of {first[name]}"
            first[name] = f"{part}[{i}]"


def _door(opening: Opening, things: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield the problems of fields that only doors have."""
    if opening.kind != "door":
        for where in ("hinge", "swings_into", "states", "key", "style"):
            if getattr(opening, where):
                yield where, f"only a door has this, not a {opening.kind}"
        return
    if len(opening.rooms) != 2:
        yield "rooms", "a door joins two rooms"
    if not opening.hinge:
        yield "hinge", "a door turns about one of its ends: start or end"
    if opening.swings_into not in opening.rooms:
        yield "swings_into", f"must be one of its rooms: {' or '.join(opening.rooms)}"
    if set(opening.states) != {"open", "locked"}:
        yield "states", "a door has the states open and locked"
    elif all(opening.states.values()):
        yield "states", "a locked door must be shut"
    if opening.key and opening.key not in things:
        yield "key", f"there is no object {opening.key}"


def _receptacles(at: str, receptacles: Sequence[Receptacle]) -> Iterator[tuple[str, str]]:
    names = set()
    for i, receptacle in enumerate(receptacles):
        if receptacle.name in names:
            yield f"{at}.receptacles[{i}].name", f"there are two named {receptacle.name}"
        names.add(receptacle.name)
        if any(low >= high for low, high in zip(receptacle.low, receptacle.high, strict=True)):
            yield f"{at}.receptacles[{i}].high", "must be above `low` in x, y and z"


def _ends(thing: Thing, things: dict[str, Thing]) -> bool:
    """Return whether an object is in few others and not in itself."""
    at = thing.place[0]
    for _ in range(MAX_NESTED):
        if at not in things:
            return True
        at = things[at].place[0]
    return False


def _outline(points: Sequence[Point]) -> str:
    """Return the problem of a room's outline, or an empty string."""
    edges = [(points[i - 1], points[i]) for i in range(len(points))]
    if any((a == c) == (b == d) for (a, b), (c, d) in edges):
        return "each wall must be along x or along y"
    for i, edge in enumerate(edges):
        for j in range(i):
            next_to = i - j in (1, len(edges) - 1)
            touch = _touch(edge, edges[j])
            if touch is not None and (touch > 0 or not next_to):
                return "its walls cross or touch each other"
    if sum(a * d - c * b for (a, b), (c, d) in edges) <= 0:
        return "its corners must be in counter-clockwise order"
    return ""


def _touch(wall: tuple[Point, Point], other: tuple[Point, Point]) -> float | None:
    """Return the length of the common part of two walls; None if they do not meet."""
    (ax, bx), (ay, by) = (sorted(pair) for pair in zip(*wall, strict=True))
    (cx, dx), (cy, dy) = (sorted(pair) for pair in zip(*other, strict=True))
    wide, deep = min(bx, dx) - max(ax, cx), min(by, dy) - max(ay, cy)
    return max(wide, deep) if min(wide, deep) >= 0 else None


def _scenario(scenario: Any) -> Iterator[tuple[str, str]]:
    if (scenario.house is None) == (scenario.recipe is None):
        yield "house", "an episode has either `house` or `recipe`"
    taken: dict[str, str] = {}
    if scenario.house is not None:
        parts = [getattr(scenario.house, part) for part in PARTS]
        taken = {named.name: "the house" for part in parts for named in part}
        taken |= {f"floor_{room.name}": "the house" for room in scenario.house.rooms}
    skills = {*SKILLS, *WALKING}
    for i, role in enumerate(scenario.agents):
        at = f"agents[{i}]"
        if role.name in RESERVED or role.name in taken:
            yield f"{at}.name", f"{role.name} is taken by {taken.get(role.name, 'actions')}"
        taken[role.name] = f"agents[{taken.get(role.name, i)}]"
        for j, skill in enumerate(role.skills):
            if skill not in skills:
                yield f"{at}.skills[{j}]", f"there is no skill {skill}"
        if len(set(role.hands)) < len(role.hands):
            yield f"{at}.hands", "two hands have the same name"
        if role.size[0] != role.size[1]:
            yield f"{at}.size", "an agent's width and depth must be the same"
    people = (
        {person.name for person in scenario.house.people} if scenario.house is not None else None
    )
    for i, name in enumerate(scenario.awake):
        if people is not None and name not in people:
            yield f"awake[{i}]", f"there is nobody named {name} in the house"
        if name in scenario.awake[:i]:
            yield f"awake[{i}]", f"{name} appears twice"
        if taken.get(name, "the house") != "the house":
            yield f"awake[{i}]", f"{name} is taken by {taken[name]}"
    for name in scenario.failures:
        if name not in skills:
            yield f"failures.{name}", "there is no such skill"
