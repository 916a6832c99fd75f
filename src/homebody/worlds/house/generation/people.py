"""People who are part of a scene: they stand, point, sit or lie, each in clothes of their own.

The box of a standing person is ``STANDING``. Who sits has a box from the floor (``SITTING``), over
the front of the seat, and faces as the seat does. Who lies has a box on the mattress, the head at
the back of the bed: seen along the person's yaw, the feet come first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from homebody.worlds.house.generation.floorspace import CELL, Footprint, RoomSpace
from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.house import (
    Box,
    Colour,
    Furniture,
    House,
    Person,
    Pose,
    Room,
    Thing,
    Vector,
    box_at,
    to_world,
)

STANDING: Vector = (0.5, 0.34, 1.72)
SITTING: Vector = (0.5, 0.8, 1.3)
LYING: Vector = (0.54, 1.64, 0.3)


def place_people(
    rng: np.random.Generator,
    catalogue: Catalogue,
    rooms: Sequence[Room],
    spaces: Sequence[RoomSpace],
    furniture: Sequence[Furniture],
    count: int,
) -> tuple[Person, ...]:
    """People where there is place for them; fewer than asked for if there is none.

    Args:
        rng: Drawn from.
        catalogue: For what one sits and lies on, and for clothes.
        rooms: Of the house.
        spaces: Of the rooms, in the same order; those who stand take some.
        furniture: Of the house.
        count: How many.
    """
    used: set[str] = set()
    placed: list[Person] = []
    for number in range(count):
        for _ in range(12):
            room = int(rng.integers(len(rooms)))
            seats = [
                piece
                for piece in furniture
                if piece.room == rooms[room].name and piece.name not in used
            ]
            name = f"person_{number}"
            person = _someone(rng, catalogue, name, rooms[room], spaces[room], seats)
            others = [box_at(person.pose, person.size) for person in placed]
            if person is not None and _has_room(person, spaces[room], others):
                used.add(person.on)
                placed.append(person)
                break
    clothes = _clothes(rng, catalogue, len(placed))
    return tuple(
        replace(person, name=f"person_{i}", clothes=clothes[i]) for i, person in enumerate(placed)
    )


def point_at(rng: np.random.Generator, house: House) -> tuple[Person, ...]:
    """The people of a house, with what those who point at something point at, turned towards it."""
    turned = []
    for person in house.people:
        if person.posture == "pointing":
            person = _pointing(rng, house, person)
        turned.append(person)
    return tuple(turned)


def _someone(
    rng: np.random.Generator,
    catalogue: Catalogue,
    name: str,
    room: Room,
    space: RoomSpace,
    pieces: Sequence[Furniture],
) -> Person | None:
    draw = rng.random()
    wanted = "sittable" if draw < 0.35 else "lieable" if draw < 0.45 else ""
    if wanted:
        fit = [
            piece
            for piece in pieces
            if wanted in catalogue.furniture[piece.category].affords
            and piece.receptacles
            and (wanted == "sittable" or piece.size[1] >= 1.75)
            and piece.category != "toilet"
            and not (
                wanted == "sittable"
                and "lieable" in catalogue.furniture[piece.category].affords
                and piece.category != "sofa"
            )
        ]
        if not fit:
            return None
        return _on(fit[int(rng.integers(len(fit)))], room, name, wanted)
    spot = _standing_place(rng, space)
    if spot is None:
        return None
    posture = "pointing" if rng.random() < 0.4 else "standing"
    yaw = float(rng.integers(24) * 15)
    return Person(name, posture, room.name, Pose((*spot, 0.0), yaw), STANDING)


def _has_room(person: Person, space: RoomSpace, others: Sequence[Box]) -> bool:
    """Whether a person is wholly in the room and in nobody's way."""
    box = box_at(person.pose, person.size)
    x0, y0, x1, y1 = (side / 1000 for side in space.bounds)
    if box.low[0] < x0 or box.low[1] < y0 or box.high[0] > x1 or box.high[1] > y1:
        return False
    rect = (box.low[0] * 1000, box.low[1] * 1000, box.high[0] * 1000, box.high[1] * 1000)
    for out in space.outside:
        if rect[0] < out[2] and out[0] < rect[2] and rect[1] < out[3] and out[1] < rect[3]:
            return False
    return not any(
        all(box.low[i] < other.high[i] and other.low[i] < box.high[i] for i in range(2))
        for other in others
    )


def _on(piece: Furniture, room: Room, name: str, wanted: str) -> Person:
    if wanted == "lieable":
        top = piece.receptacles[0].low[2]
        back = -piece.size[1] / 2 + 0.12 + LYING[1] / 2
        x, y, z = to_world(piece.pose, (0.0, back, top))
        pose = Pose((round(x, 3), round(y, 3), round(z, 3)), piece.pose.yaw)
        return Person(name, "lying", room.name, pose, LYING, on=piece.name)
    # The knees are over the front edge of the seat.
    x, y, _ = to_world(piece.pose, (0.0, piece.size[1] / 2 + 0.12 - SITTING[1] / 2, 0.0))
    pose = Pose((round(x, 3), round(y, 3), 0.0), piece.pose.yaw)
    return Person(name, "sitting", room.name, pose, SITTING, on=piece.name)


def _standing_place(rng: np.random.Generator, space: RoomSpace) -> tuple[float, float] | None:
    reached = space.reached(space.free)
    cells = [
        (i, j) for j, row in enumerate(reached) for i in range(row.bit_length()) if row >> i & 1
    ]
    if not cells:
        return None
    for _ in range(8):
        i, j = cells[int(rng.integers(len(cells)))]
        x, y = space.bounds[0] + i * CELL + CELL // 2, space.bounds[1] + j * CELL + CELL // 2
        footprint = Footprint((x - 310, y - 310, x + 310, y + 310))  # however they turn
        if space.fits([footprint]) and not space.under(footprint.rect, STANDING[2]):
            space.take([footprint])
            return x / 1000, y / 1000
    return None


def _clothes(
    rng: np.random.Generator, catalogue: Catalogue, count: int
) -> list[Mapping[str, Colour]]:
    """Clothes for people: no two have the same top as long as there are tops left."""
    people = catalogue.people
    tops = rng.permutation(len(people["top"]))
    clothes: list[Mapping[str, Colour]] = []
    for i in range(count):
        others = {
            part: palette[int(rng.integers(len(palette)))]
            for part, palette in people.items()
            if part != "top"
        }
        clothes.append({"top": people["top"][int(tops[i % len(tops)])], **others})
    return clothes


def _pointing(rng: np.random.Generator, house: House, person: Person) -> Person:
    pieces = {piece.name: piece for piece in house.furniture if piece.room == person.room}
    visible = {
        (piece.name, receptacle.name)
        for piece in pieces.values()
        for receptacle in piece.receptacles
        if receptacle.kind == "on"
    }
    things = [thing for thing in house.things if thing.place in visible]
    options: Sequence[Thing | Furniture] = things or [
        piece for piece in pieces.values() if piece.category not in ("ceiling_lamp", "rug")
    ]
    if not options:
        return replace(person, posture="standing")
    target = options[int(rng.integers(len(options)))]
    name, pose = target.name, target.pose
    dx = pose.position[0] - person.pose.position[0]
    dy = pose.position[1] - person.pose.position[1]
    yaw = float(round(math.degrees(math.atan2(-dx, dy))) % 360)
    return replace(person, pose=Pose(person.pose.position, yaw), pointing_at=name)
