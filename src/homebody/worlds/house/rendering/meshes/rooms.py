"""Meshes of floors, ceilings, walls with their openings, windows and the front door."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from homebody.worlds.house.model.house import Colour, House, Opening, Point, Room
from homebody.worlds.house.rendering.materials import MATT, METAL, WOOD, Surface, floor_look
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.meshes.palette import mix, shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch

Rectangle: TypeAlias = tuple[float, float, float, float]
"""x0, y0, x1, y1 in metres."""

TRIM: Colour = (0.95, 0.94, 0.91)
TILED = frozenset({"bathroom", "toilet", "restroom", "changing_room", "laundry_room"})
TILED_KITCHENS = frozenset({"kitchen", "restaurant_kitchen", "break_room", "pantry"})


def rectangles(outline: Sequence[Point]) -> list[Rectangle]:
    """A rectilinear outline cut into upright strips."""
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
    """The middle of the largest strip of a room."""
    x0, y0, x1, y1 = max(rectangles(outline), key=lambda r: (r[2] - r[0]) * (r[3] - r[1]))
    return (x0 + x1) / 2, (y0 + y1) / 2


def edges_of(room: Room) -> Iterator[tuple[Point, Point]]:
    """The walls of a room, each with the room at its left."""
    yield from zip(room.outline, [*room.outline[1:], room.outline[0]], strict=True)


def floor_mesh(room: Room) -> Mesh:
    """The floor."""
    sketch = Sketch()
    surface, first, second = floor_look(room.floor)
    for x0, y0, x1, y1 in rectangles(room.outline):
        low = ((x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0))
        sketch.quad(*low, first, surface, second)
    return sketch.mesh()


def ceiling_mesh(room: Room) -> Mesh:
    """The ceiling."""
    sketch = Sketch()
    h = room.height
    for x0, y0, x1, y1 in rectangles(room.outline):
        sketch.quad((x0, y0, h), (x0, y1, h), (x1, y1, h), (x1, y0, h), (0.97, 0.97, 0.96))
    return sketch.mesh()


def openings_in(
    start: Point, end: Point, openings: Sequence[Opening], wall: float
) -> list[tuple[float, float, Opening]]:
    """The openings in one wall, as distances from its start, in order."""
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
    """The inner faces of a room's walls, with holes for its openings, and skirting boards."""
    sketch = Sketch()
    own = [opening for opening in house.openings if room.name in opening.rooms]
    tiled = room.kind in TILED
    surface = Surface.WALL_TILES if tiled or room.kind in TILED_KITCHENS else Surface.WALL
    second = mix(room.walls, (1.0, 1.0, 1.0), 0.75)
    for start, end in edges_of(room):
        (x0, y0), (x1, y1) = start, end
        length = abs(x1 - x0) + abs(y1 - y0)
        ux, uy = (x1 - x0) / length, (y1 - y0) / length

        def panel(a: float, b: float, low: float, high: float) -> None:
            if b - a < 1e-4 or high - low < 1e-4:
                return
            # Seen from the room, which is at the left of the edge, the wall runs to the right.
            p, q = (x0 + ux * a, y0 + uy * a), (x0 + ux * b, y0 + uy * b)  # noqa: B023
            corners = ((*q, low), (*p, low), (*p, high), (*q, high))
            sketch.quad(*corners, room.walls, surface, second)

        def skirting(a: float, b: float) -> None:
            if tiled or b - a < 0.02:
                return
            nx, ny = -uy * 0.012, ux * 0.012  # noqa: B023
            p, q = (x0 + ux * a, y0 + uy * a), (x0 + ux * b, y0 + uy * b)  # noqa: B023
            xs, ys = (p[0], q[0], p[0] + nx, q[0] + nx), (p[1], q[1], p[1] + ny, q[1] + ny)
            sketch.box((min(xs), min(ys), 0.0), (max(xs), max(ys), 0.08), TRIM)

        at = 0.0
        for low, high, opening in openings_in(start, end, own, house.wall):
            panel(at, low, 0.0, room.height)
            panel(low, high, 0.0, opening.bottom)
            panel(low, high, opening.top, room.height)
            skirting(at, low)
            if opening.bottom > 0.1:
                skirting(low, high)
            at = high
        panel(at, length, 0.0, room.height)
        skirting(at, length)
    return sketch.mesh()


def opening_mesh(house: House, opening: Opening) -> Mesh:
    """The frame of an opening, through the wall; a window's bars, the front door's leaf."""
    sketch = Sketch()
    (ax, ay), (bx, by) = opening.start, opening.end
    level = abs(ay - by) < 1e-6
    a, b = (min(ax, bx), max(ax, bx)) if level else (min(ay, by), max(ay, by))
    across = ay if level else ax
    deep = house.wall / 2 + 0.012
    bottom, top = opening.bottom, opening.top

    def bar(
        along: tuple[float, float],
        through: tuple[float, float],
        up: tuple[float, float],
        colour: Colour,
        surface: Surface = MATT,
    ) -> None:
        """A box from one coordinate to another along the wall, through it, and in height."""
        (u0, u1), (v0, v1), (z0, z1) = along, through, up
        low, high = (u0, across + v0, z0), (u1, across + v1, z1)
        if not level:
            low, high = (across + v0, u0, z0), (across + v1, u1, z1)
        sketch.box(low, high, colour, surface)

    edge = 0.045
    frame = TRIM if opening.kind != "entrance" else shade(TRIM, 0.8)
    bar((a, a + edge), (-deep, deep), (bottom, top), frame)
    bar((b - edge, b), (-deep, deep), (bottom, top), frame)
    bar((a, b), (-deep, deep), (top - edge, top), frame)
    # A band around the frame on both sides of the wall.
    for side in (-1, 1):
        v, w = sorted((side * (deep - 0.008), side * (deep + 0.004)))
        sill = max(0.0, bottom - 0.05)
        bar((a - 0.05, a), (v, w), (sill, top + 0.05), frame)
        bar((b, b + 0.05), (v, w), (sill, top + 0.05), frame)
        bar((a, b), (v, w), (top, top + 0.05), frame)
    if opening.kind == "window":
        bar((a, b), (-deep - 0.05, deep + 0.05), (bottom - 0.02, bottom + 0.025), TRIM)
        panes = max(1, round((b - a) / 0.75))
        for i in range(1, panes):
            u = a + (b - a) * i / panes
            bar((u - 0.02, u + 0.02), (-0.02, 0.02), (bottom, top), TRIM)
        middle = bottom + (top - bottom) * 0.62
        bar((a, b), (-0.015, 0.015), (middle - 0.015, middle + 0.015), TRIM)
    elif opening.kind == "entrance":
        leaf: Colour = (0.33, 0.22, 0.16)
        bar((a + edge, b - edge), (-0.025, 0.025), (0.005, top - edge), leaf, WOOD)
        for z0, z1 in ((0.2, 0.9), (1.15, top - 0.25)):
            for u0, u1 in ((a + 0.16, (a + b) / 2 - 0.05), ((a + b) / 2 + 0.05, b - 0.16)):
                bar((u0, u1), (-0.035, 0.035), (z0, z1), shade(leaf, 1.15), WOOD)
        brass: Colour = (0.8, 0.66, 0.35)
        bar((b - 0.17, b - 0.09), (-0.09, 0.09), (1.0, 1.03), brass, METAL)
    else:
        wood: Colour = (0.5, 0.36, 0.24)
        bar((a, b), (-house.wall / 2, house.wall / 2), (-0.01, 0.004), wood, WOOD)
    return sketch.mesh()
