"""Leaves of doors inside a house: a panel door with handles on both sides, shut or open."""

from __future__ import annotations

import math

from homebody.worlds.house.model.doors import LEAF, hinge_at, open_leaf, shut_leaf
from homebody.worlds.house.model.house import Colour, House, Opening
from homebody.worlds.house.rendering.materials import METAL, WOOD, Surface
from homebody.worlds.house.rendering.meshes.frames import EDGE
from homebody.worlds.house.rendering.meshes.palette import STEEL, shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch

GAP = 0.012
"""Gap below a leaf, metres."""
PAINTED: Colour = (0.93, 0.92, 0.88)


def leaf(sketch: Sketch, house: House, door: Opening, is_open: bool) -> None:
    """Draw the leaf of a door, in the frame of the house."""
    box = (open_leaf if is_open else shut_leaf)(house, door)
    x, y, _ = box.centre
    along = 0 if box.size[0] > box.size[1] else 1
    width = box.size[along]
    # x of its own frame runs from the hinge to the handle
    hinge = hinge_at(door)
    if is_open:  # from the wall into the room
        shut = shut_leaf(house, door).centre
        forward = (x, y)[along] > shut[along]
    else:
        forward = abs(box.low[along] - hinge) < abs(box.high[along] - hinge)
    yaw = (0.0 if forward else 180.0) if along == 0 else (90.0 if forward else 270.0)
    turn = math.radians(yaw)
    start = (x - round(math.cos(turn)) * width / 2, y - round(math.sin(turn)) * width / 2, 0.0)
    _panels(sketch.at(start, yaw), width, door.bottom, door.top, door)


def _panels(inner: Sketch, width: float, bottom: float, top: float, door: Opening) -> None:
    """Draw a leaf of stiles, rails and two panels in its frame: x from the hinge, y across."""
    colour = door.style.get("leaf", PAINTED)
    metal = door.style.get("handle", STEEL)
    surface = Surface.GLOSS if max(colour) - min(colour) < 0.2 else WOOD
    half, low, high = LEAF / 2 - 0.002, bottom + GAP, top - EDGE + 0.008
    first, last = 0.028, width - 0.028
    stile, middle = 0.12, low + (high - low) * 0.46
    inner.box((first, -half, low), (first + stile, half, high), colour, surface)
    inner.box((last - stile, -half, low), (last, half, high), colour, surface)
    rails = ((low, low + 0.2), (middle - 0.07, middle + 0.07), (high - 0.13, high))
    for z0, z1 in rails:
        inner.box(
            (first + stile, -half + 0.0005, z0), (last - stile, half - 0.0005, z1), colour, surface
        )
    deep = half - 0.009
    for z0, z1 in ((rails[0][1], rails[1][0]), (rails[1][1], rails[2][0])):
        x0, x1 = first + stile, last - stile
        inner.box(
            (x0 - 0.004, -deep, z0 - 0.004),
            (x1 + 0.004, deep, z1 + 0.004),
            shade(colour, 0.97),
            surface,
        )
        raised = deep + 0.006
        inner.box((x0 + 0.05, -raised, z0 + 0.05), (x1 - 0.05, raised, z1 - 0.05), colour, surface)
    grip, level = last - 0.055, 1.02
    for side in (-1, 1):
        out = side * (half + 0.05)
        inner.slab((grip, side * half, level - 0.05), (0.038, 0.008, 0.16), metal, METAL)
        inner.tube(((grip, side * half, level), (grip, out, level)), 0.009, metal, METAL)
        inner.slab((grip - 0.05, out, level - 0.009), (0.13, 0.016, 0.018), metal, METAL)
    for z in (low + 0.22, (low + high) / 2, high - 0.22):
        inner.slab((first - 0.004, 0.0, z), (0.014, LEAF, 0.09), metal, METAL)
