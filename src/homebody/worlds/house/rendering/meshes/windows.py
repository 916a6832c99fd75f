"""Windows: casements, sills, and their curtains or blinds.

They are drawn in the frame of their opening: see :mod:`frames`. Curtains and their colour depend on
the window's name and its kind of room. They are only decoration, and are omitted if furniture or a
door would touch them.
"""

from __future__ import annotations

import math
import zlib
from itertools import pairwise

import numpy as np

from homebody.worlds.house.model.doors import swing
from homebody.worlds.house.model.house import Box, Colour, House, Opening, Pose, Room, to_world
from homebody.worlds.house.rendering.materials import FABRIC, METAL, Surface
from homebody.worlds.house.rendering.meshes.frames import (
    BORDER,
    EDGE,
    PROUD,
    TRIM,
    frame,
    pose_of,
    width_of,
)
from homebody.worlds.house.rendering.meshes.palette import BLACK, BRASS, STEEL
from homebody.worlds.house.rendering.meshes.sketch import Sketch
from homebody.worlds.house.simulation.walking.walls import contains

CURTAINED = frozenset(
    {"bedroom", "living_room", "dining_room", "kids_room", "guest_room", "tv_room", "library"}
    | {"hotel_room", "ward", "studio_room", "shared_bedroom"}
)
BLINDED = frozenset(
    {"kitchen", "office", "private_office", "open_office", "meeting_room", "classroom", "bathroom"}
    | {"playroom", "staff_room", "break_room", "laundry_room", "examination_room", "waiting_room"}
    | {"hotel_bathroom", "nurses_station"}
)
"""Kinds of rooms whose windows have curtains, and kinds of rooms with roller blinds."""
CLOTHS: tuple[Colour, ...] = (
    (0.86, 0.82, 0.74), (0.62, 0.66, 0.62), (0.47, 0.55, 0.63), (0.70, 0.56, 0.47),
    (0.80, 0.78, 0.76), (0.45, 0.50, 0.42), (0.72, 0.62, 0.66), (0.88, 0.86, 0.80),
)  # fmt: skip
ROD_ABOVE = 0.13
"""Height of the curtain rod above a window's upper edge, metres."""


def window(inner: Sketch, house: House, opening: Opening) -> None:
    """Draw frame, casements with bars, a sill; curtains or a blind."""
    frame(inner, house, opening)
    half, deep = width_of(opening) / 2, house.wall / 2 + PROUD
    bottom, top = opening.bottom, opening.top
    sill = half + BORDER + 0.03
    inner.box((-sill, -deep - 0.05, bottom - 0.03), (sill, deep + 0.022, bottom + 0.012), TRIM)
    clear = half - EDGE
    panes = max(1, round(2 * half / 0.75))
    low, high = bottom + 0.005, top - EDGE + 0.005
    for i in range(panes):  # a casement each
        x0 = -clear + 2 * clear * i / panes - 0.004
        x1 = -clear + 2 * clear * (i + 1) / panes + 0.004
        y = 0.026 + 0.002 * (i % 2)
        for left, right in ((x0, x0 + 0.045), (x1 - 0.045, x1)):
            ends = low - 0.001 * (i % 2) - 0.001, high + 0.001 * (i % 2) + 0.001
            inner.box((left, -y, ends[0]), (right, y, ends[1]), TRIM, Surface.GLOSS)
        for below, above in ((low, low + 0.06), (high - 0.045, high)):
            rail = y - 0.002
            inner.box((x0 + 0.01, -rail, below), (x1 - 0.01, rail, above), TRIM, Surface.GLOSS)
    if top - bottom > 0.9:
        middle = bottom + (top - bottom) * 0.66
        inner.box((-clear, -0.014, middle - 0.014), (clear, 0.014, middle + 0.014), TRIM)
    handle = clear * (1 - 2 / panes) - 0.018 if panes > 1 else clear - 0.022
    inner.slab((handle, 0.03, (bottom + top) / 2 - 0.06), (0.022, 0.03, 0.12), STEEL, METAL)
    room = house.room[opening.rooms[0]]
    number = zlib.crc32(f"{house.seed}/{opening.name}".encode())
    if room.kind in CURTAINED and number % 8:
        curtains(inner, house, opening, room)
    elif room.kind in BLINDED and number % 3:
        blind(inner, house, opening, (number >> 4) % 5)


def blind(inner: Sketch, house: House, opening: Opening, lowered: int) -> None:
    """Draw a roller blind in the opening, down by a tenth for each step of ``lowered``."""
    room = opening.rooms[0]
    cloth = CLOTHS[zlib.crc32(f"{house.seed}/{room}".encode()) % len(CLOTHS)]
    x, y = width_of(opening) / 2 - EDGE - 0.004, house.wall / 2 - 0.018
    top = opening.top - EDGE
    tall = (opening.top - opening.bottom) * (0.08 + 0.1 * lowered)
    inner.box((-x, y - 0.03, top - 0.05), (x, y + 0.012, top + 0.004), TRIM, Surface.GLOSS)
    inner.box((-x + 0.01, y - 0.002, top - tall), (x - 0.01, y, top - 0.045), cloth, FABRIC)
    inner.box((-x + 0.01, y - 0.006, top - tall - 0.015), (x - 0.01, y + 0.004, top - tall), TRIM)


def curtains(inner: Sketch, house: House, opening: Opening, room: Room) -> None:
    """Draw a rod with a curtain on each side. The curtains reach to the floor if it is free, else
    to the sill."""
    half, wall, pose = width_of(opening) / 2, house.wall / 2, pose_of(house, opening)
    rod = opening.top + ROD_ABOVE
    if rod > room.height - 0.06:
        return
    number = zlib.crc32(f"{house.seed}/{room.name}".encode())
    cloth, wide = CLOTHS[number % len(CLOTHS)], 0.2 + 0.1 * half
    spots = []
    for side in (-1, 1):
        out = min(half + 0.2, _reach(house, opening, pose, side) - 0.02)
        x0, x1 = sorted((side * out, side * (out - wide)))
        for low in (0.02, opening.bottom - 0.12):
            near, far = (x0 - 0.03, wall + 0.03), (x1 + 0.03, wall + 0.13)
            if _is_free(house, pose, near, far, low):
                spots.append((x0, x1, low))
                break
    if len(spots) < 2:
        return
    low = max(spot[2] for spot in spots)
    y = wall + 0.088
    metal = BRASS if number % 3 else BLACK
    ends = [(spots[0][0] - 0.03, y, rod), (spots[1][1] + 0.03, y, rod)]
    inner.tube(ends, 0.011, metal, METAL, 8)
    for end in ends:
        inner.ball(end, 0.022, metal, METAL, 8)
        inner.tube([(end[0] * 0.97, wall, rod), (end[0] * 0.97, y, rod)], 0.006, metal, METAL, 5)
    for x0, x1, _ in spots:
        _folds(inner, (x0, x1), y, (low, rod - 0.008), cloth)


def _folds(
    inner: Sketch, across: tuple[float, float], y: float, up: tuple[float, float], cloth: Colour
) -> None:
    """Draw cloth in folds, which are deeper below."""
    folds = max(3, round((across[1] - across[0]) / 0.055))
    steps = 6 * folds
    share = np.linspace(0, 1, steps + 1)
    angle = share * (2 * math.pi * folds)
    x = across[0] + share * (across[1] - across[0])
    slope = folds * 2 * math.pi / (across[1] - across[0])
    rows = []
    for z, depth in ((up[0], 0.034), (up[1] - 0.25, 0.03), (up[1], 0.02)):
        swing_in = depth * np.sin(angle + 0.35 * np.sin(angle * 0.37))
        points = np.stack([x, y + swing_in, np.full(steps + 1, z)], axis=1)
        normals = np.stack([-depth * slope * np.cos(angle), np.ones(steps + 1), 0 * x], axis=1)
        rows.append((points, normals / np.linalg.norm(normals, axis=1, keepdims=True)))
    for (p, m), (q, n) in pairwise(rows):
        corners = np.concatenate(
            [np.stack([p[1:], p[:-1], q[:-1]], axis=1), np.stack([p[1:], q[:-1], q[1:]], axis=1)]
        ).astype(np.float32)
        normals = np.concatenate(
            [np.stack([m[1:], m[:-1], n[:-1]], axis=1), np.stack([m[1:], n[:-1], n[1:]], axis=1)]
        ).astype(np.float32)
        inner.triangles(corners, cloth, FABRIC, normals)


def _reach(house: House, opening: Opening, pose: Pose, side: int) -> float:
    """Return the distance from an opening's middle to the end of the room on one side, at most 3
    metres."""
    room = house.room[opening.rooms[0]]
    for i in range(1, 60):
        x, y, _ = to_world(pose, (side * 0.05 * i, house.wall / 2 + 0.05, 0.0))
        if not contains(room, (x, y)):
            return 0.05 * (i - 1)
    return 3.0


def _is_free(
    house: House, pose: Pose, near: tuple[float, float], far: tuple[float, float], low: float
) -> bool:
    """Return whether nothing is above a height in a rectangle, in the frame of an opening."""
    (ax, ay, _), (bx, by, _) = to_world(pose, (*near, 0.0)), to_world(pose, (*far, 0.0))
    x0, x1, y0, y1 = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)

    def meets(box: Box) -> bool:
        (a, b, _), (d, e, top) = box.low, box.high
        return a < x1 and d > x0 and b < y1 and e > y0 and top > max(low, 0.05)

    lamps = {piece.name for piece in house.furniture if piece.box.low[2] > 2.0}
    boxes = [box for name, box in house.boxes.items() if name not in lamps]
    boxes += [swing(house, door) for door in house.door.values()]
    return not any(map(meets, boxes))
