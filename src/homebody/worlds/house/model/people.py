"""How people are held together: from their box to hips and hands, for all who place or draw them.

In a person's own frame the origin is the middle of the bottom of the box, the front +y. Arms reach
out of the box, as over a table. Who sits has a box from the floor, with the back of the body at
the back of the box; who lies has the head at its back, -y.
"""

from __future__ import annotations

from dataclasses import replace

from homebody.worlds.house.model.house import Person, Pose, Vector, to_world

HAND = "hand"
"""Where a person holds a thing: its place is (person, HAND)."""
_CROUCHING = 0.64
"""Height of who crouches, as a share of the height standing."""
_SITTING = (0.47, 0.54)
"""Depth of the box of who sits, and the height of the crown above the seat, shares as well."""
HIP = 0.5
"""Height of the hips of who stands, a share of the height."""
_GRIPS = {
    "none": (0.15, 0.06, 0.44),
    "forward": (0.0, 0.25, 0.6),
    "reading": (0.0, 0.21, 0.66),
    "phone": (0.082, 0.035, 0.9),
    "raised": (0.13, 0.03, 1.13),
    "carrying": (0.0, 0.2, 0.57),
}
"""Gesture -> where the hands hold something, of who stands, in shares of the height."""


def box_size(posture: str, height: int, width: int, depth: int, seat: int = 0) -> Vector:
    """The size of the box of a person, in metres.

    Args:
        posture: Of the person.
        height: When standing, in whole millimetres, like all that follows.
        width: Across the arms.
        depth: From the back to the toes, standing.
        seat: Height of what the person sits on.
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


def stature(person: Person) -> float:
    """How tall a person is when standing, metres."""
    _, depth, height = person.size
    if person.posture == "sitting":
        return depth / _SITTING[0]
    if person.posture == "lying":
        return depth
    return height / _CROUCHING if person.posture == "crouching" else height


def stand_up(person: Person) -> Person:
    """The same person, upright and at rest on the floor; who had to get up has left off."""
    tall = stature(person)
    size = person.size[0], min(person.size[1], 0.24 * tall), tall
    does = person.activity if person.posture == "standing" else ""
    upright = replace(person, posture="standing", gesture="none", on="", pointing_at="", size=size)
    return replace(upright, activity=does)


def hips(person: Person) -> Vector:
    """The middle of the hips in the person's own frame (not of who lies)."""
    tall, (_, depth, height) = stature(person), person.size
    if person.posture == "sitting":
        return 0.0, -depth / 2 + 0.115 * tall, height - _SITTING[1] * tall + 0.05 * tall
    if person.posture == "crouching":
        return 0.0, -0.09 * tall, height - (1 - HIP) * tall + 0.03 * tall
    return 0.0, 0.0, HIP * tall


def grip(person: Person) -> Vector:
    """Where the hands hold something, in the person's own frame (of who lies: at the side)."""
    tall = stature(person)
    across, ahead, up = (share * tall for share in _GRIPS[person.gesture])
    if person.posture == "lying":
        return across, 0.05 * tall, person.size[2] / 2
    _, y, z = hips(person)
    return across, y + ahead, z + up - HIP * tall


def held_pose(person: Person, size: Vector) -> Pose:
    """Where a thing of a size is that a person holds: its middle in the hands, flat."""
    x, y, z = grip(person)
    away = size[1] / 2 if person.gesture in ("carrying", "none") else 0.0
    lift = size[2] / 2 if person.gesture in ("phone", "none") else 0.0
    a, b, c = to_world(person.pose, (x, y + away, z - lift))
    return Pose((round(a, 3), round(b, 3), round(c, 3)), person.pose.yaw)
