"""Checks whether a house is valid: :func:`check` lists its problems in sentences.

It shares no code with the generator, so it is an independent test of generated houses and of houses
from files. Lengths are in metres. Walking is checked on a grid of 5 cm for a square robot of
half-width 0.25 m, from the entrance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from homebody.worlds.house.generation.reachability import find_unreachable
from homebody.worlds.house.generation.work_room import find_cluttered
from homebody.worlds.house.model.catalogue import STATE_OF, Catalogue, catalogue
from homebody.worlds.house.model.doors import open_leaf, swing
from homebody.worlds.house.model.house import (
    POSTURES,
    Box,
    Furniture,
    House,
    Opening,
    Pose,
    Receptacle,
    Room,
    Thing,
    box_at,
    to_world,
)
from homebody.worlds.house.model.outlines import (
    PLAY,
    edges_of,
    flat,
    gap,
    is_inside,
    parts_of,
    span_of,
)

ARM = 0.5
"""Maximum distance in metres from a person's box to the held object."""
FLAT = 0.05
"""Maximum height in metres of furniture that people walk over and that may lie under other
furniture, such as rugs.
"""


def check(house: House, entries: Catalogue | None = None) -> list[str]:
    """Return the problems of a house.

    Args:
        house: Any house.
        entries: The catalogue of the house; by default homebody's own.

    Returns:
        A sentence for each problem; empty if the house is valid.
    """
    entries = entries or catalogue()
    problems = [*_names(house), *_rooms(house), *_openings(house)]
    if problems:  # further checks would only repeat them
        return problems
    return [
        *_floors(house, entries),
        *_bathrooms(house),
        *_furniture(house, entries),
        *_receptacles(house),
        *_doors(house),
        *_states(house, entries),
        *_keys(house, entries),
        *_things(house, entries),
        *_people(house),
        *find_unreachable(house, entries),
        *find_cluttered(house, entries),
    ]


# -- names, rooms, openings -----------------------------------------------------------------------


def _names(house: House) -> Iterator[str]:
    names = Counter(
        named.name
        for group in (house.rooms, house.openings, house.furniture, house.things, house.people)
        for named in group
    )
    names.update(room.floor_name for room in house.rooms)
    for name, count in names.items():
        if count > 1:
            yield f"{count} things have the name {name}"
        if not name:
            yield "something has no name"


def _rooms(house: House) -> Iterator[str]:
    if not house.rooms:
        yield "there are no rooms"
    for room in house.rooms:
        corners = room.outline
        pairs = list(zip(corners, (*corners[1:], corners[0]), strict=True))
        if len(corners) < 4 or any((ax == bx) == (ay == by) for (ax, ay), (bx, by) in pairs):
            yield f"the walls of {room.name} are not parallel to the axes"
            return
        if sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs) <= 0:
            yield f"the outline of {room.name} is not counter-clockwise"
        if room.height < 2:
            yield f"{room.name} is too low to stand in"
    parts = {room.name: parts_of(room) for room in house.rooms}
    for i, room in enumerate(house.rooms):
        for other in house.rooms[:i]:
            if any(
                gap(a, b) < house.wall - PLAY for a in parts[room.name] for b in parts[other.name]
            ):
                yield f"{room.name} and {other.name} are closer than a wall is thick"


def _floors(house: House, entries: Catalogue) -> Iterator[str]:
    for room in house.rooms:
        if room.floor not in entries.floors:
            yield f"{room.name} has a floor of the unknown material {room.floor}"


def _openings(house: House) -> Iterator[str]:
    if not any(opening.kind == "entrance" for opening in house.openings):
        yield "there is no entrance"
    for opening in house.openings:
        wanted = 2 if opening.is_passage else 1
        if opening.kind not in ("doorway", "door", "entrance", "garage_door", "window"):
            yield f"{opening.name} is a {opening.kind}, which is not a kind of opening"
        if len(set(opening.rooms)) != wanted:
            yield f"{opening.name} belongs to {len(set(opening.rooms))} rooms, not {wanted}"
        axis, at, low, high = span_of(opening)
        for name in opening.rooms:
            if name not in house.room:
                yield f"{opening.name} leads to {name}, which is not a room"
                continue
            fits = any(
                side == axis
                and abs(line + sign * house.wall / 2 - at) < PLAY
                and start - PLAY <= low
                and high <= end + PLAY
                for side, line, start, end, sign in edges_of(house.room[name].outline)
            )
            if not fits:
                yield f"{opening.name} is not in a wall of {name}"
        if opening.kind != "window" and high - low < 0.7:
            yield f"{opening.name} is too narrow"
        bottom, top = opening.bottom, opening.top
        heights = [house.room[name].height for name in opening.rooms if name in house.room]
        if not 0 <= bottom < top <= min(heights, default=9.0):
            yield f"{opening.name} reaches from {bottom} to {top} m, beyond its room"
        if not opening.is_passage and _is_room_behind(house, axis, at, low, high, opening.rooms):
            yield f"{opening.name} is not in an outer wall"
    spans = [(opening.name, *span_of(opening)) for opening in house.openings]
    for i, (name, axis, at, low, high) in enumerate(spans):
        for other, axis2, at2, low2, high2 in spans[:i]:
            if axis == axis2 and abs(at - at2) < 0.01 and low < high2 and low2 < high:
                yield f"{name} and {other} overlap"


def _bathrooms(house: House) -> Iterator[str]:
    """Yield problems of hotels: each bathroom belongs to one guest room, spread evenly."""
    rooms = {room.name: 0 for room in house.rooms if room.kind == "hotel_room"}
    lost = []
    for bathroom in house.rooms:
        if bathroom.kind == "hotel_bathroom":
            doors = [each.rooms for each in house.openings if each.is_passage]
            beside = [x for pair in doors if bathroom.name in pair for x in pair]
            beside = [name for name in beside if name != bathroom.name]
            if len(beside) == 1 and beside[0] in rooms:
                rooms[beside[0]] += 1
            else:
                lost.append(bathroom.name)
    without = [name for name, count in rooms.items() if not count]
    for name in without:
        for other, count in rooms.items():
            if count > 1:
                yield f"{other} has {count} bathrooms, but {name} has none"
        for bathroom_name in lost:
            yield f"{bathroom_name} does not belong to one room, but {name} has none"


def _is_room_behind(
    house: House, axis: int, at: float, low: float, high: float, rooms: Sequence[str]
) -> bool:
    """Return whether another room lies on the other side of a stretch of wall."""
    for room in house.rooms:
        if room.name not in rooms:
            for side, line, start, end, sign in edges_of(room.outline):
                near = side == axis and abs(line + sign * house.wall / 2 - at) < PLAY
                if near and start < high and low < end:
                    return True
    return False


# -- furniture, objects, people -------------------------------------------------------------------


def _overlap(a: Box, b: Box) -> bool:
    return all(a.low[i] < b.high[i] - PLAY and b.low[i] < a.high[i] - PLAY for i in range(3))


def _overlaps(boxes: Sequence[Box]) -> Iterator[tuple[int, int]]:
    """Yield pairs of boxes that overlap."""
    if not boxes:
        return
    low = np.array([box.low for box in boxes])
    high = np.array([box.high for box in boxes]) - PLAY
    for i in range(1, len(boxes)):
        hits = (low[:i] < high[i]).all(axis=1) & (low[i] < high[:i]).all(axis=1)
        for j in np.flatnonzero(hits):
            yield i, int(j)


def _furniture(house: House, entries: Catalogue) -> Iterator[str]:
    boxes = [piece.box for piece in house.furniture]
    flats = [box.high[2] <= FLAT for box in boxes]
    for i, j in _overlaps(boxes):
        if flats[i] == flats[j]:
            yield f"{house.furniture[i].name} overlaps {house.furniture[j].name}"
    for piece, box in zip(house.furniture, boxes, strict=True):
        if piece.category not in entries.furniture:
            yield f"{piece.name} is of the unknown category {piece.category}"
        room = house.room.get(piece.room)
        if room is None:
            yield f"{piece.name} is in {piece.room}, which is not a room"
            continue
        if piece.pose.yaw % 90:
            yield f"{piece.name} is not parallel to the walls"
        if not is_inside(flat(box), parts_of(room)) or box.high[2] > room.height + PLAY:
            yield f"{piece.name} is not wholly in {piece.room}"
        if box.low[2] > PLAY and not _is_held(piece, box, room, house):
            yield f"{piece.name} hangs in the air"
        kind = entries.furniture.get(piece.category)
        if box.low[2] > PLAY and kind and kind.mount == "wall":
            for opening in house.openings:
                if piece.room in opening.rooms and _covers(box, opening, house.wall):
                    yield f"{piece.name} hangs over {opening.name}"


def _is_held(piece: Furniture, box: Box, room: Room, house: House) -> bool:
    """Return whether furniture above the floor is attached to a wall or the ceiling, or stands with
    its middle on another piece."""
    if abs(box.high[2] - room.height) < PLAY:
        return True
    back = to_world(piece.pose, (0.0, -piece.size[1] / 2, 0.0))
    for axis, at, start, end, _ in edges_of(room.outline):
        if abs(back[axis] - at) < 0.02 and start - PLAY <= back[1 - axis] <= end + PLAY:
            return True
    return any(
        other is not piece
        and abs(other.box.high[2] - box.low[2]) < PLAY
        and all(other.box.low[i] <= box.centre[i] <= other.box.high[i] for i in (0, 1))
        for other in house.furniture
        if other.room == piece.room
    )


def _covers(box: Box, opening: Opening, wall: float) -> bool:
    axis, at, low, high = span_of(opening)
    across = 1 - axis
    return (
        box.low[axis] < at + wall
        and at - wall < box.high[axis]
        and box.low[across] < high - PLAY
        and low < box.high[across] - PLAY
        and box.low[2] < opening.top - PLAY
        and opening.bottom < box.high[2] - PLAY
    )


def _space(pose: Pose, receptacle: Receptacle) -> Box:
    """Return the free space of a receptacle in the house's frame (multiples of 90 degrees)."""
    ends = to_world(pose, receptacle.low), to_world(pose, receptacle.high)
    low = tuple(min(a, b) for a, b in zip(*ends, strict=True))
    high = tuple(max(a, b) for a, b in zip(*ends, strict=True))
    return Box((low[0], low[1], low[2]), (high[0], high[1], high[2]))


def _receptacles(house: House) -> Iterator[str]:
    by_room: dict[str, list[Furniture]] = {}
    for piece in house.furniture:
        by_room.setdefault(piece.room, []).append(piece)
    for piece in house.furniture:
        names = [each.name for each in piece.receptacles]
        if len(set(names)) < len(names):
            yield f"{piece.name} has two receptacles of the same name"
        x, y = piece.size[0] / 2 + PLAY, piece.size[1] / 2 + PLAY
        for each in piece.receptacles:
            if each.kind not in ("on", "within"):
                yield f"{piece.name}'s {each.name} is neither on nor within it"
            if any(a >= b for a, b in zip(each.low, each.high, strict=True)):
                yield f"{piece.name}'s {each.name} is empty"
            if each.low[0] < -x or each.high[0] > x or each.low[1] < -y or each.high[1] > y:
                yield f"{piece.name}'s {each.name} reaches beyond it"
            space = _space(piece.pose, each)
            for other in by_room[piece.room]:
                if other is not piece and _overlap(space, other.box):
                    yield f"{other.name} stands in {piece.name}'s {each.name}"


def _doors(house: House) -> Iterator[str]:
    """Yield problems of doors, such as obstacles to their leaves."""
    for door in house.door.values():
        if set(door.states) != {"open", "locked"} or all(door.states.values()):
            yield f"{door.name} is neither open, shut nor locked"
        if door.hinge not in ("start", "end"):
            yield f"{door.name} has its hinge at {door.hinge or 'no end'}"
        if door.swings_into not in door.rooms:
            yield f"{door.name} swings into {door.swings_into}, where it does not lead"
            continue
        swept, leaf = swing(house, door), open_leaf(house, door)
        if not is_inside(flat(leaf), parts_of(house.room[door.swings_into])):
            yield f"{door.name} does not open wholly in {door.swings_into}"
        standing = [(piece.name, piece.box) for piece in house.furniture if piece.size[2] > FLAT]
        standing += [(each.name, box_at(each.pose, each.size)) for each in house.people]
        standing += [
            (thing.name, box_at(thing.pose, thing.size))
            for thing in house.things
            if thing.place[0] in house.floors
        ]
        for name, box in standing:
            if _overlap(box, swept):
                yield f"{name} stands where {door.name} swings"
        for other in house.door.values():
            if other is not door and _overlap(leaf, swing(house, other)):
                yield f"{other.name} swings against {door.name}"


def _states(house: House, entries: Catalogue) -> Iterator[str]:
    owners: tuple[Furniture | Thing, ...] = (*house.furniture, *house.things)
    for owner in owners:
        affords = entries.affords(owner.category)
        wanted = {STATE_OF[each] for each in affords if each in STATE_OF}
        if set(owner.states) != wanted:
            got, want = " ".join(sorted(owner.states)), " ".join(sorted(wanted))
            yield f"{owner.name} has the states ({got}), a {owner.category} has ({want})"
        if owner.states.get("locked") and owner.states.get("open"):
            yield f"{owner.name} is locked and open"


def _keys(house: House, entries: Catalogue) -> Iterator[str]:
    locks: tuple[Furniture | Opening, ...] = (*house.furniture, *house.door.values())
    for lock in locks:
        if lock.key and lock.key not in house.thing:
            yield f"{lock.name} is opened by {lock.key}, which does not exist"
        elif lock.key and "key" not in entries.affords(house.thing[lock.key].category):
            yield f"{lock.name} is opened by {lock.key}, which is not a key"
        elif lock.states.get("locked") and not lock.key:
            yield f"{lock.name} is locked without a key"
    opened: set[str] = set()
    locked = {lock.name: lock.key for lock in locks if lock.states.get("locked")}
    while True:
        new = {
            name
            for name, key in locked.items()
            if name not in opened
            and key in house.thing
            and _is_accessible(house, key, locked, opened)
        }
        if not new:
            break
        opened |= new
    for name in locked:
        if name not in opened and locked[name] in house.thing:
            yield f"{name} is locked, and its key is locked away"


def _is_accessible(house: House, name: str, locked: dict[str, str], opened: set[str]) -> bool:
    """Return whether an object is neither in locked furniture nor behind locked doors."""
    rooms = _open_rooms(house, {door for door in house.door if door in locked} - opened)
    for _ in range(len(house.things)):
        owner, receptacle = house.thing[name].place
        if owner not in house.thing:
            piece = house.piece.get(owner)
            within = piece is not None and any(
                each.name == receptacle and each.kind == "within" for each in piece.receptacles
            )
            room = piece.room if piece is not None else house.floors[owner].name
            return room in rooms and (not within or owner not in locked or owner in opened)
        name = owner
    return False


def _open_rooms(house: House, locked: set[str]) -> set[str]:
    """Return the rooms that can be entered while some doors are locked."""
    rooms = {name for each in house.openings if each.kind == "entrance" for name in each.rooms}
    count = 0
    while count < len(rooms):
        count = len(rooms)
        for each in house.openings:
            if each.is_passage and each.name not in locked and rooms & set(each.rooms):
                rooms |= set(each.rooms)
    return rooms


def _things(house: House, entries: Catalogue) -> Iterator[str]:
    boxes = {thing.name: box_at(thing.pose, thing.size) for thing in house.things}
    for thing in house.things:
        if thing.category not in entries.things:
            yield f"{thing.name} is of the unknown category {thing.category}"
        yield from _check_support(house, thing, boxes[thing.name])
    names = list(boxes)
    for i, j in _overlaps(list(boxes.values())):
        if names[j] not in _around(house, names[i]) and names[i] not in _around(house, names[j]):
            yield f"{names[i]} overlaps {names[j]}"
    pieces = [piece.box for piece in house.furniture]
    if not pieces or not boxes:
        return
    low = np.array([box.low for box in pieces])
    high = np.array([box.high for box in pieces]) - PLAY
    for name, box in boxes.items():
        hits = (low < np.array(box.high) - PLAY).all(axis=1) & (np.array(box.low) < high).all(
            axis=1
        )
        for k in np.flatnonzero(hits):
            piece = house.furniture[int(k)].name
            around = _around(house, name)
            if piece not in around and around[-1] not in house.person:
                yield f"{name} overlaps {piece}"


def _around(house: House, name: str) -> list[str]:
    """Return all bearers of an object, from the nearest to the outermost."""
    bearers: list[str] = []
    while name in house.thing and len(bearers) <= len(house.things):
        name = house.thing[name].place[0]
        bearers.append(name)
    return bearers


def _check_support(house: House, thing: Thing, box: Box) -> Iterator[str]:
    owner, name = thing.place
    if thing.name in _around(house, thing.name):
        yield f"{thing.name} is in itself"
        return
    if owner in house.floors:
        if abs(box.low[2]) > PLAY:
            yield f"{thing.name} is on {owner} but does not touch it"
        if not is_inside(flat(box), parts_of(house.floors[owner])):
            yield f"{thing.name} is not wholly on {owner}"
        return
    if owner in house.person:
        someone = house.person[owner]
        if gap(flat(box), flat(box_at(someone.pose, someone.size))) > ARM:
            yield f"{thing.name} is not in the hands of {owner}"
        return
    bearer = house.piece.get(owner) or house.thing.get(owner)
    if bearer is None:
        yield f"{thing.name} is on {owner}, which does not exist"
        return
    for each in bearer.receptacles:
        if each.name == name:
            break
    else:
        yield f"{thing.name} is in {owner}'s {name}, which it does not have"
        return
    # In the bearer's frame, because containers may stand askew.
    local = _relative(bearer.pose, thing)
    if abs(local.low[2] - each.low[2]) > PLAY:
        yield f"{thing.name} does not stand on {owner}'s {name}"
    play = 2 * PLAY
    if any(
        local.low[i] < each.low[i] - play or local.high[i] > each.high[i] + play for i in range(3)
    ):
        yield f"{thing.name} does not fit in {owner}'s {name}"


def _relative(pose: Pose, thing: Thing) -> Box:
    """Return the box of an object in the frame of its bearer."""
    offset = [a - b for a, b in zip(thing.pose.position, pose.position, strict=True)]
    x, y, _ = to_world(Pose((0.0, 0.0, 0.0), -pose.yaw), (offset[0], offset[1], 0.0))
    return box_at(Pose((x, y, offset[2]), thing.pose.yaw - pose.yaw), thing.size)


def _people(house: House) -> Iterator[str]:
    boxes = [box_at(person.pose, person.size) for person in house.people]
    for i, j in _overlaps(boxes):
        yield f"{house.people[i].name} overlaps {house.people[j].name}"
    targets = {*house.room, *house.piece, *house.thing, *(person.name for person in house.people)}
    targets |= {opening.name for opening in house.openings}
    for person, box in zip(house.people, boxes, strict=True):
        if person.posture not in POSTURES:
            yield f"{person.name} is {person.posture}, which is not a posture"
        room = house.room.get(person.room)
        if room is None or not is_inside(flat(box), parts_of(room)):
            yield f"{person.name} is not wholly in {person.room}"
        if (person.posture in ("sitting", "lying", "walking")) != bool(person.on):
            yield f"{person.name} is {person.posture} on {person.on or 'nothing'}"
        elif person.on and person.on not in house.piece:
            yield f"{person.name} is on {person.on}, which does not exist"
        if (person.posture == "pointing") != bool(person.pointing_at):
            yield f"{person.name} is {person.posture} at {person.pointing_at or 'nothing'}"
        elif person.pointing_at and person.pointing_at not in targets:
            yield f"{person.name} points at {person.pointing_at}, which does not exist"
        if person.looks_at and person.looks_at not in targets:
            yield f"{person.name} looks at {person.looks_at}, which does not exist"
        elif person.looks_at == person.name:
            yield f"{person.name} looks at itself"
        for piece in house.furniture:
            # Knees of seated people may be under a table.
            if not person.on and _overlap(box, piece.box) and piece.size[2] > FLAT:
                yield f"{person.name} stands in {piece.name}"
