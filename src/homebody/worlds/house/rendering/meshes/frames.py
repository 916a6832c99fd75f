"""Frames of doors and windows, through the wall, and the front door's leaf.

They are drawn in the frame of their opening: x along the wall, its middle at 0, y into the room, 0
in the middle of the wall, z up. No two faces are coplanar, and no face is finer than a pixel at a
distance of some metres: such faces would look like dashed lines.
"""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour, House, Opening, Pose, to_world
from homebody.worlds.house.rendering.materials import METAL, STONE, WOOD, Surface
from homebody.worlds.house.rendering.meshes.palette import BRASS, shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch
from homebody.worlds.house.simulation.walking.walls import contains

TRIM: Colour = (0.95, 0.94, 0.91)
EDGE = 0.045
"""Width by which a frame narrows its opening on each side, metres."""
BORDER = 0.05
"""Width in metres by which a frame covers the wall beside its opening."""
PROUD = 0.014
"""Depth by which it projects from the wall, metres."""


def pose_of(house: House, opening: Opening) -> Pose:
    """Return the pose of an opening's frame: its middle, with +y into the first of its rooms."""
    (ax, ay), (bx, by) = opening.start, opening.end
    middle = ((ax + bx) / 2, (ay + by) / 2, 0.0)
    yaws = (0.0, 180.0) if abs(ay - by) < 1e-6 else (90.0, -90.0)
    room = house.room[opening.rooms[0]]
    for yaw in yaws:
        x, y, _ = to_world(Pose(middle, yaw), (0.0, house.wall / 2 + 0.05, 0.0))
        if contains(room, (x, y)):
            return Pose(middle, yaw)
    return Pose(middle, yaws[0])


def frame(inner: Sketch, house: House, opening: Opening, colour: Colour = TRIM) -> None:
    """Draw jambs and a head, rising from the wall to the opening: no face is finer than a pixel."""
    wide, wall, gloss = width_of(opening) / 2, house.wall / 2, Surface.GLOSS
    outer, near, deep = wide + BORDER, wide - EDGE, wall + PROUD
    low, top, head = opening.bottom - 0.012, opening.top + BORDER, opening.top - EDGE
    for turn in (0.0, 180.0):  # both sides of the wall
        side = inner.at((0.0, 0.0, 0.0), turn)
        left = ((-near, deep, low), (-outer, wall, low), (-outer, wall, top), (-near, deep, head))
        right = ((outer, wall, low), (near, deep, low), (near, deep, head), (outer, wall, top))
        above = ((near, deep, head), (-near, deep, head), (-outer, wall, top), (outer, wall, top))
        reveal = ((near, deep, low), (near, -deep, low), (near, -deep, head), (near, deep, head))
        for corners in (left, right, above, reveal):
            side.quad(*corners, colour, gloss)
    ends = ((-near, -deep, head), (-near, deep, head), (near, deep, head), (near, -deep, head))
    inner.quad(*ends, colour, gloss)


def threshold(inner: Sketch, house: House, opening: Opening) -> None:
    """Draw a threshold: a board, or stone before a door to the outside."""
    x, y = width_of(opening) / 2, house.wall / 2
    if opening.kind in ("entrance", "garage_door"):
        inner.box((-x, -y - 0.12, -0.08), (x, y, 0.012), (0.55, 0.54, 0.52), STONE)
    else:
        inner.box((-x, -y, -0.02), (x, y, 0.004), (0.5, 0.36, 0.24), WOOD)


def front_door(inner: Sketch, house: House, opening: Opening) -> None:
    """Draw a leaf with four panels and a handle, down to the threshold."""
    leaf: Colour = (0.33, 0.22, 0.16)
    half, top = width_of(opening) / 2, opening.top
    inner.box((-half + 0.03, -0.025, 0.005), (half - 0.03, 0.025, top - 0.03), leaf, WOOD)
    for z0, z1 in ((0.2, 0.9), (1.15, top - 0.25)):
        for x0, x1 in ((-half + 0.16, -0.05), (0.05, half - 0.16)):
            inner.box((x0, -0.035, z0), (x1, 0.035, z1), shade(leaf, 1.15), WOOD)
    inner.slab((half - 0.12, 0, 0.93), (0.045, 0.062, 0.2), BRASS, METAL)
    for side in (-1, 1):
        out = side * 0.08
        inner.tube(((half - 0.12, 0, 1.03), (half - 0.12, out, 1.03)), 0.011, BRASS, METAL)
        inner.slab((half - 0.17, out, 1.02), (0.13, 0.018, 0.024), BRASS, METAL)


def garage_door(inner: Sketch, opening: Opening) -> None:
    """Draw a sectional door: four sections of raised panels, with a handle."""
    half, high = width_of(opening) / 2 - 0.03, (opening.top - 0.03) / 4
    columns = max(2, round(half / 0.3))
    wide = 2 * half / columns
    for section in range(4):
        z = 0.005 + section * high
        inner.box((-half, -0.02, z), (half, 0.02, z + high - 0.012), TRIM, Surface.GLOSS)
        for column in range(columns):
            x = -half + column * wide
            low, far = (x + 0.06, -0.032, z + 0.09), (x + wide - 0.06, 0.032, z + high - 0.1)
            inner.box(low, far, shade(TRIM, 0.9), Surface.GLOSS)
    low, far = (0.004 - half, -0.012, 0.01), (half - 0.004, 0.012, 4 * high)
    inner.box(low, far, shade(TRIM, 0.6), Surface.GLOSS)
    for side in (-1, 1):
        inner.slab((0, side * 0.05, high * 1.05), (0.16, 0.02, 0.03), shade(TRIM, 0.3), METAL)


def width_of(opening: Opening) -> float:
    """Return the width of an opening, metres."""
    (ax, ay), (bx, by) = opening.start, opening.end
    return abs(bx - ax) + abs(by - ay)
