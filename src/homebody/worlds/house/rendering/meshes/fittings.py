"""Small fixed equipment on the walls of a room: switches, sockets, cables, smoke detectors."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TypeAlias

from homebody.worlds.house.model.doors import swing
from homebody.worlds.house.model.house import Box, Furniture, House, Opening, Point, Room
from homebody.worlds.house.rendering.materials import GLOSS, MATT
from homebody.worlds.house.rendering.meshes.frames import BORDER
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER, shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch
from homebody.worlds.house.simulation.walking.walls import contains

Span: TypeAlias = tuple[float, float, Opening]
"""An opening in a wall, with its start and end along the wall, metres."""
DETECTORS = frozenset({"hallway", "bedroom", "corridor", "kids_room", "open_office"})
"""Kinds of rooms that always have a smoke detector."""

CABLED = {"floor_lamp": 0.03, "tv": 0.4, "fan": 0.03, "treadmill": 0.08, "printer": 0.05}
"""Furniture with a cable to the nearest socket, and the height of its outlet, metres."""
SWITCH_AT, SOCKET_AT = 1.1, 0.3
"""Heights, metres."""


def blocking_boxes(house: House, room: Room) -> list[Box]:
    """Return boxes of furniture. Walls behind them have no fittings."""
    blocks = [house.boxes[piece.name] for piece in house.furniture if piece.room == room.name]
    return blocks + [swing(house, door) for door in house.door.values()]


def plates(
    side: Sketch, wall: tuple[Point, Point], spans: Sequence[Span], blocks: Sequence[Box]
) -> None:
    """Draw switches beside the doors of one wall, and sockets near its ends.

    Args:
        side: Sketch with x along the wall from its start, y into the room.
        wall: Its ends.
        spans: Its openings, with start and end along it.
        blocks: Boxes with no fittings behind them.
    """
    (x0, y0), (x1, y1) = wall
    length = abs(x1 - x0) + abs(y1 - y0)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length

    def is_free(x: float, z: float) -> bool:
        if not 0.06 < x < length - 0.06:
            return False
        if any(a - 0.1 < x < b + 0.1 for a, b, _ in spans):
            return False
        px, py = x0 + ux * x - uy * 0.03, y0 + uy * x + ux * 0.03
        return not any(
            low[0] - 0.06 < px < high[0] + 0.06
            and low[1] - 0.06 < py < high[1] + 0.06
            and low[2] - 0.06 < z < high[2] + 0.06
            for low, high in ((box.low, box.high) for box in blocks)
        )

    for a, b, opening in spans:
        if opening.kind == "window":
            continue
        for x in (b + BORDER + 0.1, a - BORDER - 0.1):
            if is_free(x, SWITCH_AT):
                _plate(side, x, SWITCH_AT, True)
                break
    for x in (0.35, length - 0.35) if length > 1.5 else ():
        if is_free(x, SOCKET_AT):
            _plate(side, x, SOCKET_AT, False)


def cables(sketch: Sketch, house: House, room: Room) -> None:
    """Draw cables from furniture that needs power to sockets of their own."""
    for piece in house.furniture:
        if piece.room == room.name and piece.category in CABLED:
            _cable(sketch, room, piece)


def detector(sketch: Sketch, house: House, room: Room) -> None:
    """Draw a smoke detector under the ceiling of some rooms."""
    number = zlib.crc32(f"{house.seed}/{room.name}/detector".encode())
    if room.kind in DETECTORS or not number % 3:
        (ax, ay), (bx, by) = room.outline[0], room.outline[2]
        spot = ((ax * 2 + bx) / 3, (ay * 2 + by) / 3)
        if contains(room, spot):
            sketch.cylinder((*spot, room.height - 0.035), 0.045, 0.04, PAPER, GLOSS, 0.055, 16)


def _plate(side: Sketch, x: float, z: float, is_switch: bool) -> None:
    """Draw a plate on the wall at x along it, with a rocker or a round socket."""
    side.slab((x, 0.004, z - 0.04), (0.08, 0.012, 0.08), PAPER, GLOSS)
    if is_switch:
        side.slab((x, 0.011, z - 0.028), (0.056, 0.006, 0.056), shade(PAPER, 0.93), GLOSS)
    else:
        hole = side.at((x, 0.0095, z), -90, "x")
        hole.cylinder((0, 0, 0), 0.022, 0.001, shade(PAPER, 0.55), MATT, segments=12)


def _cable(sketch: Sketch, room: Room, piece: Furniture) -> None:
    """Draw a cable from a piece down to the floor, to the nearest wall, and up to a socket."""
    (x, y), z = piece.box.centre[:2], piece.box.low[2]
    best = None
    for (ax, ay), (bx, by) in zip(room.outline, [*room.outline[1:], room.outline[0]], strict=True):
        if ax == bx and min(ay, by) + 0.1 < y < max(ay, by) - 0.1:
            spot, way = (ax, y), (1.0 if by < ay else -1.0, 0.0)
        elif ay == by and min(ax, bx) + 0.1 < x < max(ax, bx) - 0.1:
            spot, way = (x, ay), (0.0, 1.0 if bx > ax else -1.0)
        else:
            continue
        apart = abs(spot[0] - x) + abs(spot[1] - y)
        if best is None or apart < best[0]:
            best = apart, spot, way
    if best is None or best[0] > 1.5:
        return
    _, (wx, wy), (nx, ny) = best
    turn = {(0.0, 1.0): 0.0, (-1.0, 0.0): 90.0, (0.0, -1.0): 180.0}.get((nx, ny), -90.0)
    side = sketch.at((wx, wy, 0.0), turn)  # x along the wall, y into the room
    _plate(side, 0.12, SOCKET_AT, False)
    if z > 0.5:  # a hanging object: straight down the wall
        path = [(0.0, 0.014, z + 0.02), (0.0, 0.014, SOCKET_AT + 0.06), (0.12, 0.014, SOCKET_AT)]
    else:
        far = best[0]
        path = [(0.0, far, 0.012), (0.04, far * 0.6, 0.008), (0.1, 0.06, 0.008)]
        path += [(0.12, 0.024, 0.03), (0.12, 0.024, SOCKET_AT)]
    side.tube(path, 0.004, BLACK, MATT, 5)
    side.slab((0.12, 0.022, SOCKET_AT - 0.018), (0.034, 0.03, 0.036), BLACK, GLOSS)
