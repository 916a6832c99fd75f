"""Meshes of floors, ceilings, openings, and walls with their fittings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from homebody.worlds.house.model.house import House, Opening, Point, Room
from homebody.worlds.house.rendering.hard_patterns import WALL_TILES_UP_TO
from homebody.worlds.house.rendering.materials import Surface, floor_look
from homebody.worlds.house.rendering.meshes.doors import leaf
from homebody.worlds.house.rendering.meshes.finishes import Finish, finish_of
from homebody.worlds.house.rendering.meshes.fittings import blocking_boxes, cables, detector, plates
from homebody.worlds.house.rendering.meshes.frames import (
    TRIM,
    frame,
    front_door,
    garage_door,
    pose_of,
    threshold,
)
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.meshes.palette import shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch
from homebody.worlds.house.rendering.meshes.windows import window

Rectangle: TypeAlias = tuple[float, float, float, float]
"""x0, y0, x1, y1 in metres."""


def rectangles(outline: Sequence[Point]) -> list[Rectangle]:
    """Cut a rectilinear outline into upright strips."""
    edges = list(zip(outline, [*outline[1:], outline[0]], strict=True))
    columns = sorted({x for x, _ in outline})
    strips = []
    for left, right in pairwise(columns):
        middle = (left + right) / 2
        crossed = sorted(
            a[1] for a, b in edges if min(a[0], b[0]) < middle < max(a[0], b[0])
        )  # each crossing edge is level: it bounds the inside from below or above
        for low, high in zip(crossed[::2], crossed[1::2], strict=True):
            strips.append((left, low, right, high))
    return strips


def middle_of(outline: Sequence[Point]) -> Point:
    """Return the middle of the largest strip of a room."""
    x0, y0, x1, y1 = max(rectangles(outline), key=lambda r: (r[2] - r[0]) * (r[3] - r[1]))
    return (x0 + x1) / 2, (y0 + y1) / 2


def edges_of(room: Room) -> Iterator[tuple[Point, Point]]:
    """Yield the walls of a room, each with the room at its left."""
    yield from zip(room.outline, [*room.outline[1:], room.outline[0]], strict=True)


def floor_mesh(room: Room) -> Mesh:
    """Return the floor of a room."""
    sketch = Sketch()
    surface, first, second = floor_look(room.floor)
    for x0, y0, x1, y1 in rectangles(room.outline):
        low = ((x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0))
        sketch.quad(*low, first, surface, second)
    return sketch.mesh()


def ceiling_mesh(house: House, room: Room) -> Mesh:
    """Return the ceiling of a room."""
    sketch, surface = Sketch(), finish_of(house, room).ceiling
    h, white = room.height, (0.97, 0.97, 0.96)
    for x0, y0, x1, y1 in rectangles(room.outline):
        corners = ((x0, y0, h), (x0, y1, h), (x1, y1, h), (x1, y0, h))
        sketch.quad(*corners, white, surface, shade(white, 0.8))
    detector(sketch, house, room)
    return sketch.mesh()


def openings_in(
    start: Point, end: Point, openings: Sequence[Opening], wall: float
) -> list[tuple[float, float, Opening]]:
    """Return the openings in one wall, as distances from its start, in order."""
    (x0, y0), (x1, y1) = start, end
    length = abs(x1 - x0) + abs(y1 - y0)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    spans = []
    for opening in openings:
        (ax, ay), (bx, by) = opening.start, opening.end
        if abs(ux) > 0.5:
            apart, parallel = abs(ay - y0), abs(ay - by) < 1e-6
        else:
            apart, parallel = abs(ax - x0), abs(ax - bx) < 1e-6
        if not parallel or apart > wall + 0.01:
            continue
        a = (ax - x0) * ux + (ay - y0) * uy
        b = (bx - x0) * ux + (by - y0) * uy
        low, high = max(0.0, min(a, b)), min(length, max(a, b))
        if high - low > 0.05:
            spans.append((low, high, opening))
    return sorted(spans, key=lambda span: span[:2])


def walls_mesh(house: House, room: Room) -> Mesh:
    """Return the inner faces of a room's walls, with holes for openings and all fittings."""
    sketch, finish = Sketch(), finish_of(house, room)
    own = [opening for opening in house.openings if room.name in opening.rooms]
    blocks = blocking_boxes(house, room)
    longest = max(edges_of(room), key=lambda wall: math.dist(*wall))
    for start, end in edges_of(room):
        (x0, y0), (x1, y1) = start, end
        length = abs(x1 - x0) + abs(y1 - y0)
        surface = finish.surface
        if surface == Surface.BRICK and (start, end) != longest:
            surface = Surface.WALL  # one brick wall is enough: the others are painted
        turn = math.degrees(math.atan2(y1 - y0, x1 - x0))
        side = sketch.at((x0, y0, 0.0), turn)  # x along the wall, y into the room

        def panel(a: float, b: float, low: float, high: float) -> None:
            if b - a < 1e-4 or high - low < 1e-4:
                return
            faced = surface  # noqa: B023
            if faced == Surface.WALL_TILES and high > WALL_TILES_UP_TO:  # plaster above them
                panel(a, b, low, min(high, WALL_TILES_UP_TO))
                low, faced = max(low, WALL_TILES_UP_TO), Surface.WALL
            corners = ((b, 0.0, low), (a, 0.0, low), (a, 0.0, high), (b, 0.0, high))
            side.quad(*corners, room.walls, faced, finish.second)  # noqa: B023

        at = 0.0
        spans = openings_in(start, end, own, house.wall)
        plates(side, (start, end), spans, blocks)
        for low, high, opening in spans:
            panel(at, low, 0.0, room.height)
            panel(low, high, 0.0, opening.bottom)
            panel(low, high, opening.top, room.height)
            _boards(side, finish, at, low)
            if opening.bottom > 0.1:
                _boards(side, finish, low, high, opening.bottom - 0.05)
            at = high
        panel(at, length, 0.0, room.height)
        _boards(side, finish, at, length)
    _cornice(sketch, room, finish.cornice)
    cables(sketch, house, room)
    return sketch.mesh()


def _boards(side: Sketch, finish: Finish, a: float, b: float, up_to: float = 9.0) -> None:
    """Draw the skirting board and the panels along a stretch of wall."""
    if b - a < 0.02:
        return
    panels = finish.panels if finish.panels < up_to else 0.0
    # Boards lean on the wall: a face on top of them would be a line finer than a pixel.
    strips = [(0.012, -0.01, 0.003, finish.skirting)] if finish.skirting else []
    if panels:
        strips += [
            (0.004, finish.skirting, 0.004, panels),
            (0.022, panels - 0.005, 0.0, panels + 0.035),
        ]
    for y0, z0, y1, z1 in strips:
        corners = ((b, y0, z0), (a, y0, z0), (a, y1, z1), (b, y1, z1))
        side.quad(*corners, TRIM, Surface.GLOSS)
    if not panels:
        return
    # Rails and stiles are thin: only their fronts show, sides would be lines finer than a pixel.
    count = max(1, round((b - a) / 0.55))
    fronts = [(a, b, panels - 0.08, panels - 0.005, 0.011)]
    for i in range(count + 1):
        x = a + (b - a) * i / count
        fronts.append((max(a, x - 0.04), min(b, x + 0.04), finish.skirting, panels - 0.08, 0.0105))
    for x0, x1, z0, z1, y in fronts:
        corners = ((x1, y, z0), (x0, y, z0), (x0, y, z1), (x1, y, z1))
        side.quad(*corners, TRIM, Surface.GLOSS)


def _cornice(sketch: Sketch, room: Room, size: float) -> None:
    """Draw a strip that slants from the walls to the ceiling, all around."""
    if not size:
        return
    h, corners = room.height, room.outline
    inset = []
    for i, (x, y) in enumerate(corners):
        before, after = corners[i - 1], corners[(i + 1) % len(corners)]
        way = [(x - before[0], y - before[1]), (after[0] - x, after[1] - y)]
        # Inward of each wall is to its left.
        ways = [(-dy, dx) for dx, dy in way]
        dx, dy = (sum(math.copysign(1, w[k]) if w[k] else 0 for w in ways) for k in (0, 1))
        inset.append((x + size * dx, y + size * dy))
    for i, low in enumerate(corners):
        j = (i + 1) % len(corners)
        high = corners[j]
        a, b = (*low, h - size), (*high, h - size)
        c, d = (*inset[j], h - 0.001), (*inset[i], h - 0.001)
        sketch.quad(b, a, d, c, TRIM)


def opening_mesh(house: House, opening: Opening, is_open: bool = False) -> Mesh:
    """Return the frame of an opening, through the wall, with its window or door leaf."""
    sketch, pose = Sketch(), pose_of(house, opening)
    inner = sketch.at(pose.position, pose.yaw)
    if opening.kind == "window":
        window(inner, house, opening)
        return sketch.mesh()
    frame(inner, house, opening, TRIM if opening.kind != "entrance" else shade(TRIM, 0.8))
    threshold(inner, house, opening)
    if opening.kind == "entrance":
        front_door(inner, house, opening)
    if opening.kind == "garage_door":
        garage_door(inner, opening)
    if opening.kind == "door":
        leaf(sketch, house, opening, is_open)
    return sketch.mesh()
