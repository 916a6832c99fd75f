"""Light sources of a house: sun or moon, windows and lamps. The room grid of its floor plan.

Units. All light is linear. Radiance is the brightness of a surface for a camera, and has no unit: a
white sheet under the open sky at noon has about 3. The light on a point is its irradiance divided
by pi, so that a matt surface has the radiance ``colour * light``. The power of a lamp is its
radiant flux: at a distance d its light is ``power * cosine / (4 pi**2 d**2)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Opening
from homebody.worlds.house.model.outlines import rooms_extent
from homebody.worlds.house.rendering.arrays import Floats, Index, Ints, Mask
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.rooms import middle_of, rectangles
from homebody.worlds.house.rendering.ray_scene import RayScene

CELL = 0.05
"""Width of a cell of the floor plan, metres."""
MOST_CELLS = 1_000_000
"""Maximum cells of a floor plan. Very large houses have wider cells."""
MOST_PIECES = 400
"""Maximum window pieces of a room: see :func:`panes_of`."""


@dataclass(frozen=True, slots=True)
class Time:
    """The sun at a time of day; the sky is in :mod:`outside`.

    Attributes:
        sun: Direction to the sun, at night to the moon; of unit length.
        sunlight: Light on a face that is perpendicular to it.
        darkest: Mean light of a room below which eyes do not adapt any further, so that night looks
            dark.
        screens: Brightness of glowing surfaces other than lamps. Screens are dimmed in the dark.
    """

    sun: Floats
    sunlight: Floats
    darkest: float
    screens: float


def _make_time(
    sun: tuple[float, float, float],
    light: tuple[float, float, float],
    darkest: float,
    screens: float,
) -> Time:
    way = np.array(sun) / math.sqrt(sum(part * part for part in sun))
    return Time(way.astype(np.float32), np.array(light, np.float32), darkest, screens)


TIMES: dict[str, Time] = {
    "day": _make_time((0.52, -0.62, 0.59), (0.45, 0.41, 0.34), 2e-4, 0.2),
    "evening": _make_time((-0.93, -0.34, 0.12), (0.13, 0.06, 0.023), 0.035, 0.05),
    "night": _make_time((0.45, 0.62, 0.64), (0.006, 0.007, 0.010), 0.012, 0.025),
}
"""A morning, the sun in the south-east; an evening, the sun low in the west; a moonlit night.

In rooms, the sun is weaker than the real one: patterns would be invisible in a white patch.
"""


def time_of(name: str) -> Time:
    """Return the sun at a time of day. Raise HomebodyError if there is no such time."""
    if name not in TIMES:
        raise HomebodyError(f"unknown time of day {name!r}", f"choose one of: {' '.join(TIMES)}")
    return TIMES[name]


# -- lamps ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp.

    Attributes:
        name: Name of the furniture or object; empty for the residual light of a room without lamps.
        position: Its centre.
        radius: Radius of its shining part, metres.
        reach: Extent of its own mesh around it. Surfaces within this distance do not block it.
        power: (3,): radiant flux.
        room: Number of its room.
        still: True for furniture, which cannot move.
    """

    name: str
    position: Floats
    radius: float
    reach: float
    power: Floats
    room: int
    still: bool


WARM = np.array([1.1, 0.97, 0.74], np.float32)
FIRE = np.array([1.4, 0.7, 0.25], np.float32)
POWERS: dict[str, float] = {
    "ceiling_lamp": 5.0, "floor_lamp": 3.0, "table_lamp": 1.6, "lamp": 1.6, "desk_lamp": 1.6,
    "fireplace": 2.0, "candle": 0.12, "candle_holder": 0.12, "flashlight": 0.6,
}  # fmt: skip
"""Radiant flux of lamps. The default is 3 for furniture, 0.8 for objects."""
FLAMES = frozenset({"fireplace", "candle", "candle_holder"})
GLIMMER = 0.25
"""Power of the residual light of a room with neither a window nor a lamp that is on."""
MAX_REACH = 0.35
"""Radius around a lamp, metres, in which its own mesh does not block its light."""


def lamps_on(scene: RayScene) -> list[Lamp]:
    """Return the lamps that are on, at their glowing parts, and a residual light in black rooms."""
    house, state = scene.house, scene.state
    numbers = {room.name: i for i, room in enumerate(house.rooms)}
    affords = catalogue().affords
    lamps: list[Lamp] = []
    for piece in house.furniture:
        if _shines(scene, piece.name, piece.category, affords(piece.category)):
            x, y, z = piece.box.centre
            place = np.array([x, y, z], np.float32)
            lamps.append(
                _make_lamp(scene, piece.name, piece.category, place, numbers[piece.room], True)
            )
    for thing in house.things:
        if _shines(scene, thing.name, thing.category, affords(thing.category)):
            room = _room_of(scene, thing.name)
            if room is not None and len(scene.part(thing.name)):
                place = np.array(state.poses[thing.name].position, np.float32)
                place[2] += np.float32(thing.size[2] * 0.8)
                lamps.append(
                    _make_lamp(scene, thing.name, thing.category, place, numbers[room], False)
                )
    lit = {lamp.room for lamp in lamps}
    for room_ in house.rooms:
        windows = any(o.kind == "window" and room_.name in o.rooms for o in house.openings)
        if not windows and numbers[room_.name] not in lit:
            x, y = middle_of(room_.outline)
            place = np.array([x, y, 0.7 * room_.height], np.float32)
            power = np.full(3, GLIMMER, np.float32)
            lamps.append(Lamp("", place, 0.5, 0.05, power, numbers[room_.name], True))
    return lamps


def _shines(scene: RayScene, name: str, category: str, affordances: Iterable[str]) -> bool:
    if not scene.state.is_in_state(name, "powered_on"):
        return False
    return "light" in affordances or category in POWERS


def _make_lamp(
    scene: RayScene, name: str, category: str, place: Floats, room: int, still: bool
) -> Lamp:
    power = np.float32(POWERS.get(category, 3.0 if still else 0.8))
    colour = FIRE if category in FLAMES else WARM
    mesh = scene.part(name)
    glowing = mesh.corners[mesh.surfaces == Surface.GLOW].reshape(-1, 3)
    radius = 0.02
    if len(glowing):
        low, high = glowing.min(axis=0), glowing.max(axis=0)
        place = (low + high) / 2
        radius = max(radius, float((high - low).min()) / 2)
    gaps = np.linalg.norm(mesh.corners.reshape(-1, 3) - place, axis=1)
    reach = float(gaps[gaps < MAX_REACH].max(initial=radius)) + 0.005
    return Lamp(name, place, radius, reach, colour * power, room, still)


def _room_of(scene: RayScene, name: str) -> str | None:
    """Return the room of an object, from the first furniture that contains it."""
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


# -- the floor plan -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoomGrid:
    """The floor plan as a grid of room numbers.

    Attributes:
        low: x and y of the first cell's corner.
        cell: Width of a cell, metres.
        numbers: Row by y, column by x: number of the room (its place in ``house.rooms``). Cells of
            walls and outdoors have the number of an adjacent room.
        inside: True for cells in a room.
        outdoors: True for cells neither in a room nor in a wall.
        wall: Thickness of walls, metres.
    """

    low: tuple[float, float]
    cell: float
    numbers: Ints
    inside: Mask
    outdoors: Mask
    wall: float

    @classmethod
    def of(cls, house: House) -> RoomGrid:
        """Return the grid of a house."""
        left, bottom, right, top = rooms_extent(house)
        margin = house.wall + 2 * CELL
        low = (left - margin, bottom - margin)
        wide, deep = right + margin - low[0], top + margin - low[1]
        cell = max(CELL, math.sqrt(wide * deep / MOST_CELLS))
        columns, rows = math.ceil(wide / cell), math.ceil(deep / cell)
        numbers = np.full((rows, columns), -1, np.int32)
        outdoors = np.ones((rows, columns), bool)
        thick = house.wall + 0.02
        for number, room in enumerate(house.rooms):
            for x0, y0, x1, y1 in rectangles(room.outline):
                numbers[_cells(y0, y1, low[1], cell), _cells(x0, x1, low[0], cell)] = number
                across = _cells(x0 - thick, x1 + thick, low[0], cell)
                outdoors[_cells(y0 - thick, y1 + thick, low[1], cell), across] = False
        inside = numbers >= 0
        for _ in range(5):
            for shift, axis in ((1, 0), (-1, 0), (1, 1), (-1, 1)):
                numbers = np.where(numbers < 0, np.roll(numbers, shift, axis), numbers)
        return cls(low, cell, np.maximum(numbers, 0), inside, outdoors, house.wall)

    def room(self, spot: Floats, normal: Floats) -> Index:
        """Return the numbers of the rooms that points (3, n) with these normals (3, n) face."""
        return self.find_rooms(spot, normal)[0]

    def find_rooms(
        self, spot: Floats, normal: Floats, seen: Callable[[Index], Floats] | None = None
    ) -> tuple[Index, Index]:
        """Return the rooms as :meth:`room` does, and the numbers of points that face outdoors.

        ``seen`` returns the directions (3, m) in which some of the points are seen. A point in a
        wall whose face is perpendicular to the wall is in the room from which it is seen.
        """
        cell = self._cell(spot, normal, 0.03)
        # A point in a wall, as on the leaf of a shut door, takes the side that it faces.
        deep = np.flatnonzero(~self.inside.ravel().take(cell, mode="clip"))
        if deep.size:
            side = normal.take(deep, axis=1)
            cell[deep] = self._cell(spot.take(deep, axis=1), side, self.wall)
            far = self._cell(spot.take(deep, axis=1), side, 1.7 * self.wall)
            is_out = self.outdoors.ravel().take(far, mode="clip")
            out = deep[is_out]
            if seen is not None:
                lost = ~is_out & ~self.inside.ravel().take(cell.take(deep), mode="clip")
                across = deep[lost]
                way = seen(across)
                way /= -np.sqrt((way * way).sum(axis=0))
                cell[across] = self._cell(spot.take(across, axis=1), way, 3 * self.wall)
        else:
            out = deep
        room: Index = self.numbers.ravel().take(cell, mode="clip").astype(np.intp)
        return room, out

    def _cell(self, spot: Floats, normal: Floats, lift: float) -> Index:
        """Return the cells ``lift`` metres in front of points."""
        scale = np.float32(1 / self.cell)
        rows, columns = self.numbers.shape
        x = (spot[0] + normal[0] * np.float32(lift) - np.float32(self.low[0])) * scale
        y = (spot[1] + normal[1] * np.float32(lift) - np.float32(self.low[1])) * scale
        cell: Index = np.clip(y, 0, rows - 1).astype(np.intp) * columns
        cell += np.clip(x, 0, columns - 1).astype(np.intp)
        return cell


def _cells(low: float, high: float, start: float, cell: float) -> slice:
    """Return the cells from one coordinate to another."""
    return slice(max(0, round((low - start) / cell)), max(0, round((high - start) / cell)))


# -- windows --------------------------------------------------------------------------------------


def inward(house: House, opening: Opening, room: str) -> tuple[float, float]:
    """Return the direction on the plan from an opening into a room beside it."""
    x, y = opening.middle
    across = (0.0, 1.0) if abs(opening.start[1] - opening.end[1]) < 1e-6 else (1.0, 0.0)
    for sign in (1.0, -1.0):
        px, py = x + sign * across[0] * 0.2, y + sign * across[1] * 0.2
        for x0, y0, x1, y1 in rectangles(house.room[room].outline):
            if x0 <= px <= x1 and y0 <= py <= y1:
                return sign * across[0], sign * across[1]
    return across


def sun_openings(house: House, room: str, sun: Floats) -> Floats:
    """Return boxes of a room's openings through which the sun may shine: (n, 2, 3).

    Each box (low, high) is the opening's space in the wall, with a margin.
    """
    boxes = []
    deep, margin = house.wall + 0.05, 0.03
    for opening in house.openings:
        if room not in opening.rooms:
            continue
        nx, ny = inward(house, opening, room)
        if nx * sun[0] + ny * sun[1] >= 0:  # it faces away from the sun
            continue
        (ax, ay), (bx, by) = opening.start, opening.end
        level = abs(ay - by) < 1e-6
        x, y = (margin, deep) if level else (deep, margin)
        low = (min(ax, bx) - x, min(ay, by) - y, opening.bottom - margin)
        boxes.append((low, (max(ax, bx) + x, max(ay, by) + y, opening.top + margin)))
    return np.array(boxes, np.float32).reshape(-1, 2, 3)


def can_see_sun(boxes: Floats, spot: Floats, sun: Floats) -> Mask:
    """Return the mask of points (3, n) from which a ray to the sun passes through a box of
    ``sun_openings``."""
    meeting = np.zeros(spot.shape[1], bool)
    for low, high in boxes:
        enter, leave = np.float32(0), np.float32(60)
        for axis in range(3):
            a = (low[axis] - spot[axis]) * (1 / sun[axis])
            b = (high[axis] - spot[axis]) * (1 / sun[axis])
            enter = np.maximum(enter, a if sun[axis] > 0 else b)
            leave = np.minimum(leave, b if sun[axis] > 0 else a)
        meeting |= enter <= leave
    return meeting


@dataclass(frozen=True, slots=True)
class Pane:
    """A window, in pieces through which the sky shines.

    Attributes:
        middles: (n, 3): centres of the pieces.
        way: (3,): direction into the room.
        area: Area of each piece, square metres.
    """

    middles: Floats
    way: Floats
    area: float


def panes_of(house: House, room: str, across: int = 4, up: int = 4) -> list[Pane]:
    """Return the windows of a room, each in ``across`` x ``up`` pieces or fewer."""
    panes = []
    windows = [one for one in house.openings if one.kind == "window" and room in one.rooms]
    most = max(1, math.isqrt(MOST_PIECES // max(1, len(windows))))
    across, up = min(across, most), min(up, most)
    for window in windows:
        nx, ny = inward(house, window, room)
        (ax, ay), (bx, by) = window.start, window.end
        tall = window.top - window.bottom
        u = ((np.arange(across) + 0.5) / across)[:, None]
        v = ((np.arange(up) + 0.5) / up)[None]
        parts = [ax + (bx - ax) * u, ay + (by - ay) * u, window.bottom + tall * v]
        middles = np.stack(np.broadcast_arrays(*parts), axis=-1).reshape(-1, 3)
        area = math.dist(window.start, window.end) * tall / (across * up)
        way = np.array([nx, ny, 0.0], np.float32)
        panes.append(Pane(middles.astype(np.float32), way, area))
    return panes
