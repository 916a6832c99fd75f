"""Light in a house: lamps, daylight from windows, sun, and how corners darken.

What can be worked out on the floor plan is kept in grids of 5 cm, so that each pixel only looks it
up: which room it is in, from where and how strongly daylight comes, how much furniture and walls
around it take away. Light is linear, with no unit; a bright room has about 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Opening, Vector
from homebody.worlds.house.rendering.arrays import Floats, Ints, Mask
from homebody.worlds.house.rendering.meshes.rooms import middle_of, rectangles
from homebody.worlds.house.rendering.ray_scene import RayScene

CELL = 0.05
"""Width of a cell of the grids, metres."""
SUN = np.array([0.52, -0.62, 0.59], np.float32) / np.float32(1.0034)
"""Direction to the sun: south-east, 36 degrees high."""
# Linear colours of light: of the sun, the sky, lamps, and what there is where no lamp is on.
SUNLIGHT = np.array([2.6, 2.35, 1.9], np.float32)
DAYLIGHT = np.array([0.95, 1.0, 1.08], np.float32)
LAMPLIGHT = np.array([1.1, 1.0, 0.84], np.float32)
FILL = np.array([1.0, 0.99, 0.97], np.float32)
MAX_LAMPS = 4
"""Of a room; more shine without being counted."""


@dataclass(frozen=True, slots=True)
class LightGrid:
    """Grids over the floor plan: row by y, column by x, of cells of ``CELL`` metres.

    Attributes:
        low: x and y of the first cell's corner.
        room: Number of the room (its place in ``house.rooms``) of each cell, walls included.
        daylight: (3, rows, columns): sum over the windows of direction times strength.
        open_floor: Share of the sky over the floor that nothing near takes away, 0 to 1.
        open_top: The same for ceilings, where furniture does not count.
        sunny: Room -> whether the sun can shine into it.
    """

    low: tuple[float, float]
    room: Ints
    daylight: Floats
    open_floor: Floats
    open_top: Floats
    sunny: Mask


@dataclass(frozen=True, slots=True)
class Lamps:
    """The lamps that are on: room -> up to ``MAX_LAMPS``; a dim one at the ceiling if none is.

    Attributes:
        places: (rooms, lamps, 3).
        powers: (rooms, lamps): 0 where there is none.
        colours: (rooms, 3).
        count: (rooms,).
        ambient: (rooms,): light that comes from everywhere.
    """

    places: Floats
    powers: Floats
    colours: Floats
    count: Ints
    ambient: Floats


def light_grid(house: House) -> LightGrid:
    """The grids of a house, for any state of it."""
    xs = [x for room in house.rooms for x, _ in room.outline]
    ys = [y for room in house.rooms for _, y in room.outline]
    margin = house.wall + 2 * CELL
    low = (min(xs) - margin, min(ys) - margin)
    columns = math.ceil((max(xs) + margin - low[0]) / CELL)
    rows = math.ceil((max(ys) + margin - low[1]) / CELL)
    numbers = np.full((rows, columns), -1, np.int32)
    for number, room in enumerate(house.rooms):
        for x0, y0, x1, y1 in rectangles(room.outline):
            numbers[_cells(y0, y1, low[1]), _cells(x0, x1, low[0])] = number
    inside = numbers >= 0
    free = inside.copy()
    for piece in house.furniture:
        (x0, y0, z0), (x1, y1, _) = piece.box.low, piece.box.high
        if z0 < 0.3 and piece.size[2] > 0.1:
            free[_cells(y0, y1, low[1]), _cells(x0, x1, low[0])] = False
    # Under a table it is darker, right at its edge half so: a mean over 0.5 m says how much.
    return LightGrid(
        low,
        _spread(numbers),
        _daylight(house, low, (rows, columns)),
        _blurred(free.astype(np.float32), 5),
        _blurred(inside.astype(np.float32), 4),
        np.array([_is_sunny(house, room.name) for room in house.rooms], bool),
    )


def _cells(low: float, high: float, start: float) -> slice:
    """The cells from one coordinate to another."""
    return slice(max(0, round((low - start) / CELL)), max(0, round((high - start) / CELL)))


def _spread(numbers: Ints) -> Ints:
    """Cells of walls get the number of a room beside them."""
    for _ in range(5):
        for shift, axis in ((1, 0), (-1, 0), (1, 1), (-1, 1)):
            numbers = np.where(numbers < 0, np.roll(numbers, shift, axis), numbers)
    return np.maximum(numbers, 0)


def _blurred(values: Floats, radius: int) -> Floats:
    """Means over squares, taken twice."""
    width = 2 * radius + 1
    for axis in (0, 1, 0, 1):
        pad = [(radius + 1, radius) if i == axis else (0, 0) for i in (0, 1)]
        sums = np.cumsum(np.pad(values, pad, mode="edge"), axis=axis, dtype=np.float32)
        upper = np.take(sums, range(width, sums.shape[axis]), axis=axis)
        lower = np.take(sums, range(sums.shape[axis] - width), axis=axis)
        values = (upper - lower) * np.float32(1 / width)
    return values


def inward(house: House, window: Opening, room: str) -> tuple[float, float]:
    """The direction on the plan from a window into its room."""
    (ax, ay), (bx, by) = window.start, window.end
    x, y = (ax + bx) / 2, (ay + by) / 2
    across = (0.0, 1.0) if abs(ay - by) < 1e-6 else (1.0, 0.0)
    for sign in (1.0, -1.0):
        px, py = x + sign * across[0] * 0.2, y + sign * across[1] * 0.2
        for x0, y0, x1, y1 in rectangles(house.room[room].outline):
            if x0 <= px <= x1 and y0 <= py <= y1:
                return sign * across[0], sign * across[1]
    return across


def _daylight(house: House, low: tuple[float, float], shape: tuple[int, int]) -> Floats:
    daylight = np.zeros((3, *shape), np.float32)
    for window in house.openings:
        if window.kind != "window" or not window.rooms:
            continue
        nx, ny = inward(house, window, window.rooms[0])
        (ax, ay), (bx, by) = window.start, window.end
        area = math.dist(window.start, window.end) * (window.top - window.bottom)
        cx, cy, cz = (ax + bx) / 2, (ay + by) / 2, (window.bottom + window.top) / 2
        for x0, y0, x1, y1 in rectangles(house.room[window.rooms[0]].outline):
            wide = house.wall + 2 * CELL
            box = _cells(y0 - wide, y1 + wide, low[1]), _cells(x0 - wide, x1 + wide, low[0])
            rows = np.arange(box[0].start, min(box[0].stop, shape[0]), dtype=np.float32)
            columns = np.arange(box[1].start, min(box[1].stop, shape[1]), dtype=np.float32)
            dx = np.float32(cx - low[0] - CELL / 2) - columns[None, :] * np.float32(CELL)
            dy = np.float32(cy - low[1] - CELL / 2) - rows[:, None] * np.float32(CELL)
            dz = np.float32(cz - 1.0)
            square = dx * dx + dy * dy + dz * dz
            facing = np.maximum(0, -(dx * np.float32(nx) + dy * np.float32(ny)))
            strength = np.float32(area * 0.55) * facing / ((square + 0.35) * (square + 0.6))
            part = daylight[:, box[0], box[1]]
            part[0] += dx * strength
            part[1] += dy * strength
            part[2] += dz * strength
    return daylight


def _is_sunny(house: House, room: str) -> bool:
    for window in house.openings:
        if window.kind == "window" and room in window.rooms:
            nx, ny = inward(house, window, room)
            if -(nx * SUN[0] + ny * SUN[1]) > 0.1:
                return True
        # The sun that falls into one room may reach the next through a doorway: left out.
    return False


def sun_openings(house: House, room: str) -> Floats:
    """The openings of a room through which the sun may shine, each as the box (low, high) it takes
    in the wall, with a margin: (n, 2, 3)."""
    boxes = []
    deep, margin = house.wall + 0.05, 0.03
    for opening in house.openings:
        if room not in opening.rooms:
            continue
        nx, ny = inward(house, opening, room)
        if nx * SUN[0] + ny * SUN[1] >= 0:  # it looks away from the sun
            continue
        (ax, ay), (bx, by) = opening.start, opening.end
        level = abs(ay - by) < 1e-6
        x, y = (margin, deep) if level else (deep, margin)
        low = (min(ax, bx) - x, min(ay, by) - y, opening.bottom - margin)
        boxes.append((low, (max(ax, bx) + x, max(ay, by) + y, opening.top + margin)))
    return np.array(boxes, np.float32).reshape(-1, 2, 3)


def may_see_sun(boxes: Floats, spot: Floats) -> Mask:
    """Whether rays from points (3, n) to the sun meet one of the boxes (see ``sun_openings``)."""
    meeting = np.zeros(spot.shape[1], bool)
    for low, high in boxes:
        enter, leave = np.float32(0), np.float32(60)
        for axis in range(3):
            a = (low[axis] - spot[axis]) * (1 / SUN[axis])
            b = (high[axis] - spot[axis]) * (1 / SUN[axis])
            enter = np.maximum(enter, a if SUN[axis] > 0 else b)
            leave = np.minimum(leave, b if SUN[axis] > 0 else a)
        meeting |= enter <= leave
    return meeting


def lamps_on(scene: RayScene) -> Lamps:
    """Where the lamps that are on are now."""
    house, state = scene.house, scene.state
    count = len(house.rooms)
    numbers = {room.name: i for i, room in enumerate(house.rooms)}
    lit: list[list[tuple[Vector, float]]] = [[] for _ in house.rooms]
    affords = catalogue().affords
    for piece in house.furniture:
        fire = piece.category == "fireplace"
        if not state.is_so(piece.name, "powered_on"):
            continue
        if not fire and "light" not in affords(piece.category):
            continue
        x, y, _ = piece.box.centre
        z = piece.box.low[2] - 0.06
        power = 3.2
        if z < 1.2:
            z, power = piece.box.low[2] + piece.size[2] * (0.25 if fire else 0.9), 1.5
        lit[numbers[piece.room]].append(((x, y, z), power))
    for thing in house.things:
        if state.is_so(thing.name, "powered_on") and "light" in affords(thing.category):
            where = _room_of(scene, thing.name)
            if where is not None:
                x, y, z = state.poses[thing.name].position
                lit[numbers[where]].append(((x, y, z + thing.size[2] * 0.8), 0.8))
    places = np.zeros((count, MAX_LAMPS, 3), np.float32)
    powers = np.zeros((count, MAX_LAMPS), np.float32)
    colours = np.empty((count, 3), np.float32)
    number = np.ones(count, np.int32)
    ambient = np.empty(count, np.float32)
    for i, room in enumerate(house.rooms):
        windows = sum(o.kind == "window" and room.name in o.rooms for o in house.openings)
        area = sum((c - a) * (d - b) for a, b, c, d in rectangles(room.outline))
        if lit[i]:
            lamps = sorted(lit[i], key=lambda lamp: -lamp[1])[:MAX_LAMPS]
            for k, (place, power) in enumerate(lamps):
                places[i, k], powers[i, k] = place, power
            number[i] = len(lamps)
            colours[i], ambient[i] = LAMPLIGHT, 0.42
            continue
        x, y = middle_of(room.outline)
        places[i, 0], powers[i, 0] = (x, y, room.height - 0.42), 2.1
        colours[i] = FILL
        ambient[i] = 0.38 + 0.05 * min(3, windows) + min(0.12, 0.9 / max(area, 4.0))
    return Lamps(places, powers, colours, number, ambient)


def _room_of(scene: RayScene, name: str) -> str | None:
    """The room in which an object is, by the place of the first thing around it."""
    state, house = scene.state, scene.house
    around = state.places[name][0]
    while around in state.places:
        around = state.places[around][0]
    if around in house.piece:
        return house.piece[around].room
    if around in house.person:
        return house.person[around].room
    room = house.floors.get(around)
    return room.name if room is not None else None
