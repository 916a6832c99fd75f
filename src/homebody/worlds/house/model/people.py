"""Body measures of people, from their box to hips and hands, for placing and drawing.

In a person's own frame the origin is the middle of the bottom of the box and the front is +y. Arms
reach out of the box. The box of a seated person starts at the floor, with the back of the body at
its back; a lying person's head is at its back, -y.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final, NamedTuple

from homebody.worlds.house.model.house import Furniture, House, Person, Pose, Vector, to_world

HAND = "hand"
"""The receptacle of a person's held object; its place is (person, HAND)."""
_CROUCHING = 0.64
"""Crouching height as a share of standing height."""
_SITTING = (0.47, 0.54)
"""Shares of standing height: depth of a seated person's box, and height of the crown above the
seat."""
HIP = 0.5
"""Height of standing hips as a share of height."""
_GRIPS = {
    "none": (0.15, 0.06, 0.44),
    "forward": (0.0, 0.25, 0.6),
    "reading": (0.0, 0.21, 0.66),
    "phone": (0.082, 0.035, 0.9),
    "raised": (0.13, 0.03, 1.13),
    "carrying": (0.0, 0.2, 0.57),
}
"""Gesture -> position of a held object for a standing person, in shares of height."""
HEAD: Final = 0.425
"""Height of the middle of the head above the hips, as a share of height."""
_TURN, _TILT, _STEP = 60, 30, 15
"""Maximum degrees by which a head turns to a side and tilts, and the steps in which it does."""


class Response(NamedTuple):
    """The visible part of a reaction.

    Attributes:
        gesture: ``look``, ``wave``, or ``reach`` to shake hands or to take something.
        turn: Degrees by which the head turns to the left.
        tilt: Degrees by which the face looks up.
    """

    gesture: str
    turn: int
    tilt: int


def box_size(posture: str, height: int, width: int, depth: int, seat: int = 0) -> Vector:
    """Return the box size of a person in metres.

    Args:
        posture: The person's posture.
        height: Standing height in whole millimetres, like all other lengths here.
        width: Width across the arms.
        depth: Standing depth from the back to the toes.
        seat: Height of the seat of a seated person.
    """
    if posture == "sitting":
        depth, height = round(height * _SITTING[0]), seat + round(height * _SITTING[1])
    elif posture == "lying":
        depth, height = height, min(depth, 300)
    elif posture == "crouching":
        depth, height = round(height * 0.34), round(height * _CROUCHING)
    elif posture == "walking":
        depth = round(height * 0.4)
    return width / 1000, depth / 1000, height / 1000


def seat_of(piece: Furniture) -> float:
    """Return the height of the seat or mattress of a piece in metres."""
    return piece.receptacles[0].low[2] if piece.receptacles else min(0.45, piece.size[2])


def stature(person: Person) -> float:
    """Return the standing height of a person in metres."""
    _, depth, height = person.size
    if person.posture == "sitting":
        return depth / _SITTING[0]
    if person.posture == "lying":
        return depth
    return height / _CROUCHING if person.posture == "crouching" else height


def stand_up(person: Person) -> Person:
    """Return the person standing at rest. An activity in another posture ends."""
    tall = stature(person)
    size = person.size[0], min(person.size[1], 0.24 * tall), tall
    does = person.activity if person.posture == "standing" else ""
    upright = replace(person, posture="standing", gesture="none", on="", pointing_at="", size=size)
    return replace(upright, activity=does)


def hips(person: Person) -> Vector:
    """Return the middle of the hips in the person's own frame; not for lying persons."""
    tall, (_, depth, height) = stature(person), person.size
    if person.posture == "sitting":
        return 0.0, -depth / 2 + 0.115 * tall, height - _SITTING[1] * tall + 0.05 * tall
    if person.posture == "crouching":
        return 0.0, -0.09 * tall, height - (1 - HIP) * tall + 0.03 * tall
    return 0.0, 0.0, HIP * tall


def grip(person: Person) -> Vector:
    """Return the position of the hands that hold something, in the person's own frame."""
    tall = stature(person)
    across, ahead, up = (share * tall for share in _GRIPS[person.gesture])
    if person.posture == "lying":
        if person.gesture == "none":
            return across, 0.05 * tall, person.size[2] / 2
        return across, HIP * tall - up, 0.45 * person.size[2] + ahead
    _, y, z = hips(person)
    return across, y + ahead, z + up - HIP * tall


def turn_to(person: Person, point: Vector) -> tuple[int, int]:
    """Return the degrees by which the head turns left and tilts up to face a point of the house, as
    far as a neck allows."""
    if person.posture == "lying":
        head = 0.0, (HEAD + HIP) * stature(person) * -0.5, person.size[2] / 2
    else:
        x, y, z = hips(person)
        head = x, y, z + HEAD * stature(person)
    x, y, z = (a - b for a, b in zip(point, to_world(person.pose, head), strict=True))
    x, y, z = to_world(Pose((0.0, 0.0, 0.0), -person.pose.yaw), (x, y, z))
    if person.posture == "lying":  # the face is up, the crown at the back
        y, z = z, -y
    turn = math.degrees(math.atan2(-x, y))
    tilt = math.degrees(math.atan2(z, math.hypot(x, y)))
    return _limit(turn, _TURN), _limit(tilt, _TILT)


def _limit(degrees: float, most: int) -> int:
    return max(-most, min(most, _STEP * round(degrees / _STEP)))


def hold_out(person: Person) -> Person:
    """Return the person with a handed-over object before the chest, above tables and counters."""
    still = "standing" if person.posture in ("pointing", "walking") else person.posture
    return replace(person, posture=still, gesture="reading", pointing_at="")


def with_hands(house: House, person: Person, holding: bool | None = None) -> Person:
    """Return a person of the scene with the gesture for whether it holds something now; as at first
    if None."""
    at_first = any(thing.place == (person.name, HAND) for thing in house.things)
    if holding is None or holding == at_first:
        return person
    return hold_out(person) if holding else replace(person, gesture="none")


def held_pose(person: Person, size: Vector) -> Pose:
    """Return the pose of a held object of a size: flat, its middle in the hands."""
    x, y, z = grip(person)
    away = size[1] / 2 if person.gesture in ("carrying", "none") else 0.0
    lift = size[2] / 2 if person.gesture in ("phone", "none") else 0.0
    a, b, c = to_world(person.pose, (x, y + away, z - lift))
    return Pose((round(a, 3), round(b, 3), round(c, 3)), person.pose.yaw)
