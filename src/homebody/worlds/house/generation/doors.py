"""Chooses the doorways that have a door, and the hinge and the state of each door.

Lengths are whole millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from homebody.core.ground.seeds import choose
from homebody.worlds.house.generation.floorspace import (
    BEHIND_LEAF,
    Wall,
    door_zone,
    is_within,
    wall_of,
    walls_of,
)
from homebody.worlds.house.generation.geometry import Rect, overlap
from homebody.worlds.house.generation.openings import DOOR
from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.house import Opening, Room

_STEP = 100
"""Distance between places in a wall that are tried for a door, and from the wall's ends."""
_PAST = 700
"""Free floor that is required beyond the edge of an open door, if there is no wall behind the
door."""


def hang_doors(
    rng: np.random.Generator,
    rooms: Sequence[Room],
    openings: Sequence[Opening],
    catalogue: Catalogue,
) -> tuple[Opening, ...]:
    """Return the openings with some doorways replaced by doors, which all look the same."""
    style = {part: choose(rng, palette) for part, palette in catalogue.leaves.items()}
    room_of = {room.name: room for room in rooms}
    hung = list(openings)
    count = 0
    for number, opening in enumerate(openings):
        if opening.kind != "doorway" or _width(opening) > DOOR:
            continue
        sides = [room_of[name] for name in opening.rooms]
        sides.sort(key=lambda room: -catalogue.door_of(room.kind).leaf)
        kind = catalogue.door_of(sides[0].kind)
        has_leaf, is_locked, is_open = (
            float(draw) < chance
            for draw, chance in zip(rng.random(3), (kind.leaf, kind.locked, kind.open), strict=True)
        )
        others = [other for other in hung if other.name != opening.name]
        site = next(_sites(sides, opening, others), None)
        if not has_leaf or site is None:
            continue
        opening, room, hinge = site
        is_locked &= sides[0].name in _dead_ends(openings)
        hung[number] = replace(
            opening,
            name=f"door_{count}",
            kind="door",
            hinge=hinge,
            swings_into=room.name,
            states={"open": is_open and not is_locked, "locked": is_locked},
            style=style,
        )
        count += 1
    return tuple(hung)


def locked_doors(openings: Sequence[Opening]) -> Mapping[str, str]:
    """Return a mapping from locked doors to the rooms behind them."""
    ends = _dead_ends(openings)
    return {
        opening.name: next(name for name in opening.rooms if name in ends)
        for opening in openings
        if opening.states.get("locked")
    }


def with_keys(openings: Sequence[Opening], keys: Mapping[str, str]) -> tuple[Opening, ...]:
    """Return the openings with keys; locked doors without a key are unlocked."""
    fitted = []
    for opening in openings:
        if keys.get(opening.name):
            opening = replace(opening, key=keys[opening.name])
        elif opening.states.get("locked"):
            opening = replace(opening, states={**opening.states, "locked": False})
        fitted.append(opening)
    return tuple(fitted)


def _dead_ends(openings: Sequence[Opening]) -> set[str]:
    """Return the rooms that have only one passage."""
    passages = [each for each in openings if each.kind not in ("window", "garage_door")]
    entered = [name for opening in passages for name in opening.rooms]
    return {name for name in entered if entered.count(name) == 1}


def _sites(
    sides: Sequence[Room], opening: Opening, others: Sequence[Opening]
) -> Iterator[tuple[Opening, Room, str]]:
    """Yield places for a door with the room into which it swings and the end of its hinge: where
    the doorway is, then elsewhere in the wall."""
    for place in _along_wall(sides, opening, others):
        for room in sides:
            if hinge := _hinge(room, place, others):
                yield place, room, hinge


def _along_wall(
    sides: Sequence[Room], opening: Opening, others: Sequence[Opening]
) -> Iterator[Opening]:
    """Yield a doorway, and the doorway moved to where no other door swings."""
    yield opening
    walls = {room.name: walls_of(room) for room in sides}
    sites = [site for room in sides if (site := wall_of(walls[room.name], opening))]
    wall, low, high = sites[0]
    last = min(wall.high for wall, _, _ in sites) - _STEP - (high - low)
    for start in range(max(wall.low for wall, _, _ in sites) + _STEP, last + 1, _STEP):
        begin, end = (
            (opening.start[0], at / 1000) if wall.axis == 0 else (at / 1000, opening.start[1])
            for at in (start, start + high - low)
        )
        moved = replace(opening, start=begin, end=end)
        if not any(
            overlap(zone, swing)
            for room in sides
            for zone in _zones(room, walls[room.name], [moved])
            for swing in _zones(
                *(room, walls[room.name]),
                [each for each in others if each.swings_into == room.name],
            )
        ):
            yield moved


def _hinge(room: Room, opening: Opening, others: Sequence[Opening]) -> str:
    """Return the end with the hinge, so that the open door is at a wall if possible; "" if the door
    would be in the way at both ends."""
    walls = walls_of(room)
    place = wall_of(walls, opening)
    if place is None:
        return ""
    wall, low, high = place
    width = high - low
    if not is_within(room, wall.rect(low, high, 0, width)):
        return ""
    swing = wall.rect(low - 40, high + 40, 0, width + 40)
    if any(overlap(swing, zone) for zone in _zones(room, walls, others)):
        return ""
    ends = [(low - wall.low, "start", low), (wall.high - high, "end", high)]
    for behind, hinge, at in sorted(ends):
        past = wall.rect(at - 20, at + 20, 0, width + _PAST)
        if behind <= BEHIND_LEAF or is_within(room, past):
            return hinge
    return ""


def _zones(room: Room, walls: Sequence[Wall], openings: Sequence[Opening]) -> Iterator[Rect]:
    """Yield the floor of a room that its passages need."""
    for opening in openings:
        site = wall_of(walls, opening) if room.name in opening.rooms else None
        if site is not None and opening.kind != "window":
            yield door_zone(site, opening, room.name)


def _width(opening: Opening) -> int:
    (a, b), (c, d) = opening.start, opening.end
    return round(1000 * (abs(c - a) + abs(d - b)))
