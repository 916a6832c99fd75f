"""The free floor of a room while it is being furnished.

Lengths are whole millimetres on the plan, except heights, which are metres. A rectangle is ``(x0,
y0, x1, y1)``. Walking is tested on a coarse grid whose rows are bits of integers, so that a flood
fill takes a few hundred operations. A point is free if its distance from all obstacles is at least
``CLEAR`` (for a robot of radius 0.25 m, with a tolerance for finer grids).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from homebody.worlds.house.generation.geometry import (
    WALL,
    Corner,
    Rect,
    crosses,
    overlap,
)
from homebody.worlds.house.model.house import Opening, Room
from homebody.worlds.house.model.outlines import edges_of, grown_by

CELL = 100
CLEAR = 300
REACH = 550
"""Maximum distance between an object and a standing person who can reach it."""
_AHEAD, _ASIDE = 830, 100
"""Maximum distance to hanging pieces, straight ahead and sideways.

The arm reaches 800 mm. Furniture may keep people at a distance of CLEAR; they can come 50 mm
nearer.
"""
DOOR_ZONE = 800
"""Depth of the floor behind a doorway that must stay free."""
LEAF = 40
"""Thickness of the leaf of a door."""
_BEHIND_GATE = 300
"""Depth of the floor that stays free behind a garage door."""
BEHIND_LEAF = 450
"""Maximum distance from a corner at which an open door counts as standing at the wall."""


@dataclass(frozen=True, slots=True)
class Wall:
    """A side of a room, on the line where x (axis 0) or y (axis 1) equals ``at``. ``sign`` points
    outwards."""

    axis: int
    at: int
    low: int
    high: int
    sign: int

    @property
    def yaw(self) -> int:
        """The yaw of furniture with its back to the wall."""
        if self.axis == 0:
            return 90 if self.sign > 0 else 270
        return 180 if self.sign > 0 else 0

    def rect(self, start: int, end: int, near: int, far: int) -> Rect:
        """Return the rectangle from ``start`` to ``end`` along the wall, and from ``near`` to
        ``far`` away from it."""
        near_side, other = self.at - self.sign * near, self.at - self.sign * far
        low, high = min(near_side, other), max(near_side, other)
        return (low, start, high, end) if self.axis == 0 else (start, low, end, high)


@dataclass(frozen=True, slots=True)
class Footprint:
    """A piece to be placed: its rectangle, the floor that must stay free, and the place where it is
    used."""

    rect: Rect
    keep: Rect | None = None
    access: Rect | None = None


@dataclass(slots=True)
class RoomSpace:
    """The occupied and free space of a room.

    Attributes:
        bounds: Bounding rectangle of the room.
        walls: Sides of the room.
        gaps: Per wall: stretches of doorways and windows, as (low, high, height of lower edge).
        solids: Furniture on the floor, zones of doorways, and ``outside``.
        outside: Parts of the bounds outside the outline.
        keeps: Fronts that must stay free.
        tall: Boxes of furniture and windows: (rectangle, bottom, top), heights in metres.
        swings: Where doors swing.
        leaves: Open leaves of doors.
        entrance: Wall with the entrance of the house, and its low and high end along it.
        gate: Wall with a garage door.
        focus: Wall that all seats face (blackboard, counter, television), if any.
    """

    bounds: Rect
    walls: tuple[Wall, ...]
    gaps: dict[Wall, list[tuple[int, int, float]]]
    solids: list[Rect]
    outside: tuple[Rect, ...] = ()
    keeps: list[Rect] = field(default_factory=list)
    tall: list[tuple[Rect, float, float]] = field(default_factory=list)
    focus: Wall | None = None
    free: list[int] = field(default_factory=list)
    doors: list[tuple[int, int]] = field(default_factory=list)
    access: list[Rect] = field(default_factory=list)
    swings: list[Rect] = field(default_factory=list)
    leaves: list[Rect] = field(default_factory=list)
    entrance: tuple[Wall, int, int] | None = None
    gate: Wall | None = None

    def has_room_for(self, footprints: Sequence[Footprint]) -> bool:
        """Return whether pieces fit: nothing overlaps, and all places where furniture is used can
        still be reached."""
        for footprint in footprints:
            rect = footprint.rect
            inside = self.bounds
            if rect[0] < inside[0] or rect[1] < inside[1]:
                return False
            if rect[2] > inside[2] or rect[3] > inside[3]:
                return False
            if any(overlap(rect, solid) for solid in self.solids):
                return False
            if any(overlap(rect, keep) for keep in self.keeps):
                return False
            if footprint.keep and any(overlap(footprint.keep, solid) for solid in self.solids):
                return False
        for i, footprint in enumerate(footprints):
            for other in footprints[:i]:
                if overlap(footprint.rect, other.rect):
                    return False
        return self.is_walkable(footprints)

    def is_walkable(self, footprints: Sequence[Footprint]) -> bool:
        """Return whether all doorways and everything to be reached stay connected."""
        free = list(self.free)
        for footprint in footprints:
            self.block(free, grown_by(footprint.rect, CLEAR))
        return self._is_connected(
            free, [*self.access, *(access(footprint) for footprint in footprints)]
        )

    def take(self, footprints: Sequence[Footprint]) -> None:
        """Occupy the space of pieces that fit."""
        for footprint in footprints:
            self.solids.append(footprint.rect)
            if footprint.keep:
                self.keeps.append(footprint.keep)
            self.access.append(access(footprint))
            self.block(self.free, grown_by(footprint.rect, CLEAR))

    def intervals(self, wall: Wall, depth: int, front: int, height: float) -> list[tuple[int, int]]:
        """Return the stretches of a wall where a piece of the given depth and height can stand."""
        strip = wall.rect(wall.low, wall.high, 0, depth + front)
        near = wall.rect(wall.low, wall.high, 0, depth)
        low, high = (1, 3) if wall.axis == 0 else (0, 2)
        blocked = [(solid[low], solid[high]) for solid in self.solids if overlap(strip, solid)]
        blocked += [(keep[low], keep[high]) for keep in self.keeps if overlap(near, keep)]
        blocked += [(a, b) for a, b, bottom in self.gaps[wall] if height > bottom]
        return _subtract(wall.low, wall.high, blocked)

    def hanging_intervals(
        self, wall: Wall, bottom: float, top: float, depth: int, margin: int = 100
    ) -> list[tuple[int, int]]:
        """Return the stretches of a wall for hanging pieces, at least ``margin`` away from corners
        and openings."""
        strip = wall.rect(wall.low, wall.high, 0, depth)
        low, high = (1, 3) if wall.axis == 0 else (0, 2)
        blocked = [
            (rect[low] - margin // 5, rect[high] + margin // 5)
            for rect, start, end in self.tall
            if overlap(strip, rect) and start < top and bottom < end
        ]
        blocked += [(a - margin, b + margin) for a, b, sill in self.gaps[wall] if top > sill]
        return _subtract(wall.low + margin, wall.high - margin, blocked)

    def is_under(self, rect: Rect, height: float) -> bool:
        """Return whether a piece of a given height would collide with a hanging piece."""
        return any(
            start > 0 and start < height and overlap(rect, hanging)
            for hanging, start, _ in self.tall
        )

    def block(self, rows: list[int], rect: Rect) -> None:
        """Remove the cells whose centres lie in a rectangle from the free rows."""
        x0, y0, _, _ = self.bounds
        first = max(0, (rect[0] - x0 - CELL // 2) // CELL + 1)
        last = -((x0 + CELL // 2 - rect[2]) // CELL) - 1
        if last < first:
            return
        mask = ~(((1 << (last - first + 1)) - 1) << first)
        low = max(0, (rect[1] - y0 - CELL // 2) // CELL + 1)
        high = min(len(rows) - 1, -((y0 + CELL // 2 - rect[3]) // CELL) - 1)
        for row in range(low, high + 1):
            rows[row] &= mask

    def reachable_cells(self, free: list[int]) -> list[int]:
        """Return the cells that can be reached on foot from the first doorway."""
        reached = [0] * len(free)
        if not self.doors:
            return reached
        column, row = self.doors[0]
        reached[row] = _spread(1 << column & free[row], free[row])
        changed = True
        while changed:
            changed = False
            for order in (range(1, len(free)), range(len(free) - 2, -1, -1)):
                step = -1 if order.step > 0 else 1
                for j in order:
                    seed = reached[j + step] & free[j] & ~reached[j]
                    if seed:
                        reached[j] = _spread(reached[j] | seed, free[j])
                        changed = True
        return reached

    def standing_floor(self, rect: Rect) -> Rect | None:
        """Return a part of the reachable floor within an arm's reach of a hanging piece, or
        None."""
        x0, y0, x1, y1 = rect
        reached = self.reachable_cells(self.free)
        for floor in (
            grown_by(rect, REACH),
            (x0 - _ASIDE, y0 - _AHEAD, x1 + _ASIDE, y1 + _AHEAD),
            (x0 - _AHEAD, y0 - _ASIDE, x1 + _AHEAD, y1 + _ASIDE),
        ):
            leaves = [leaf for leaf in self.leaves if overlap(leaf, floor)]
            if not leaves:
                if self.has_cell_in(reached, floor):
                    return floor
                continue
            for x, y in self._cells(reached, floor):  # arms do not reach around a door
                touched = min(max(x, x0), x1), min(max(y, y0), y1)
                if not any(crosses((x, y), touched, leaf) for leaf in leaves):
                    return x, y, x, y
        return None

    def _cells(self, reached: Sequence[int], rect: Rect) -> Iterator[Corner]:
        """Yield the centres of the reached cells in a rectangle."""
        left, low = self.bounds[0] + CELL // 2, self.bounds[1] + CELL // 2
        for j, row in enumerate(reached):
            y = low + j * CELL
            if rect[1] <= y <= rect[3]:
                for x in range(left, left + row.bit_length() * CELL, CELL):
                    if rect[0] <= x <= rect[2] and row >> (x - left) // CELL & 1:
                        yield x, y

    def _is_connected(self, free: list[int], accesses: Iterable[Rect]) -> bool:
        reached = self.reachable_cells(free)
        if not all(reached[row] >> column & 1 for column, row in self.doors):
            return False
        return all(self.has_cell_in(reached, rect) for rect in accesses)

    def distance_to_door(self, x: int, y: int) -> int:
        """Return the distance of a point from the nearest doorway, along x and y."""
        x0, y0, _, _ = self.bounds
        return min(
            (abs(x - x0 - column * CELL) + abs(y - y0 - row * CELL) for column, row in self.doors),
            default=0,
        )

    def has_cell_in(self, reached: list[int], rect: Rect) -> bool:
        """Return whether a reached cell has its centre in a rectangle."""
        x0, y0, _, _ = self.bounds
        first = max(0, -((x0 + CELL // 2 - rect[0]) // CELL))
        last = (rect[2] - x0 - CELL // 2) // CELL
        if last < first:
            return False
        mask = ((1 << (last - first + 1)) - 1) << first
        low = max(0, -((y0 + CELL // 2 - rect[1]) // CELL))
        high = min(len(reached) - 1, (rect[3] - y0 - CELL // 2) // CELL)
        return any(reached[row] & mask for row in range(low, high + 1))


def access(footprint: Footprint) -> Rect:
    """Return the floor on which somebody can stand to use a piece."""
    return footprint.access or grown_by(footprint.rect, REACH)


def _spread(seed: int, free: int) -> int:
    """Return all bits of ``free`` in runs that contain a bit of ``seed``."""
    spread = seed & free
    spread |= free & ~(free + spread)  # to higher bits: a carry runs through a run of ones
    run, step = free, 1
    while run:  # to lower bits: by doubling
        spread |= run & spread >> step
        run &= run >> step
        step <<= 1
    return spread


def _subtract(low: int, high: int, blocked: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the unblocked parts of a stretch."""
    stretches = []
    at = low
    for start, end in sorted(blocked):
        if start > at:
            stretches.append((at, min(start, high)))
        at = max(at, end)
        if at >= high:
            break
    if at < high:
        stretches.append((at, high))
    return stretches


def room_space(room: Room, openings: Iterable[Opening]) -> RoomSpace:
    """Return the empty space of a room, with its doorways kept free."""
    walls = walls_of(room)
    bounds, outside = _extent(room)
    space = RoomSpace(bounds, walls, {wall: [] for wall in walls}, list(outside), outside)
    columns, rows = (bounds[2] - bounds[0]) // CELL, (bounds[3] - bounds[1]) // CELL
    space.free = [(1 << columns) - 1] * rows
    for wall in walls:
        space.block(space.free, wall.rect(wall.low - CLEAR, wall.high + CLEAR, -CLEAR, CLEAR))
    for solid in space.solids:
        space.block(space.free, grown_by(solid, CLEAR))
    for opening in openings:
        if room.name not in opening.rooms:
            continue
        gap = wall_of(walls, opening)
        if gap is None:
            continue
        wall, low, high = gap
        space.gaps[wall].append((low, high, opening.bottom))
        if opening.kind == "window":
            space.tall.append((wall.rect(low, high, 0, 60), opening.bottom, opening.top))
        elif opening.kind == "garage_door":
            space.gate = wall
            space.solids.append(wall.rect(low, high, 0, _BEHIND_GATE))
        else:
            if opening.kind == "entrance":
                space.entrance = gap
            zone = door_zone(gap, opening, room.name)
            space.solids.append(zone)
            if opening.swings_into == room.name:
                space.swings.append(zone)
                space.tall.append((zone, opening.bottom, opening.top))
                space.leaves.append(_leaf(gap, opening))
                space.block(space.free, grown_by(space.leaves[-1], CLEAR))
            x0, y0, x1, y1 = wall.rect((low + high) // 2, (low + high) // 2, CLEAR, CLEAR + CELL)
            column = ((x0 + x1) // 2 - bounds[0]) // CELL
            row = ((y0 + y1) // 2 - bounds[1]) // CELL
            space.doors.append((column, row))
    return space


def walls_of(room: Room) -> tuple[Wall, ...]:
    """Return the sides of a room."""
    return tuple(Wall(*edge) for edge in edges_of(_outline(room)))


def is_within(room: Room, rect: Rect) -> bool:
    """Return whether a rectangle lies in a room."""
    bounds, outside = _extent(room)
    return (
        bounds[0] <= rect[0]
        and bounds[1] <= rect[1]
        and rect[2] <= bounds[2]
        and rect[3] <= bounds[3]
        and not any(overlap(rect, out) for out in outside)
    )


def door_zone(site: tuple[Wall, int, int], opening: Opening, room: str) -> Rect:
    """Return the floor of a room that must stay free in front of a doorway or door.

    For doors, it is where the leaf swings, and the floor between an open leaf and a near corner.
    """
    wall, low, high = site
    if opening.swings_into != room:
        return wall.rect(low - 40, high + 40, 0, DOOR_ZONE)
    start, end = low - 40, high + 40
    if opening.hinge == "start" and low - wall.low <= BEHIND_LEAF:
        start = wall.low
    if opening.hinge == "end" and wall.high - high <= BEHIND_LEAF:
        end = wall.high
    return wall.rect(start, end, 0, high - low + 50)


def _leaf(site: tuple[Wall, int, int], opening: Opening) -> Rect:
    """Return the rectangle of the open leaf of a door."""
    wall, low, high = site
    at = (low, low + LEAF) if opening.hinge == "start" else (high - LEAF, high)
    return wall.rect(*at, 0, high - low)


def wall_of(walls: Sequence[Wall], opening: Opening) -> tuple[Wall, int, int] | None:
    """Return the wall with an opening, and the opening's low and high end along it."""
    (ax, ay), (bx, by) = (
        tuple(round(v * 1000) for v in end) for end in (opening.start, opening.end)
    )
    axis = 0 if ax == bx else 1
    at, low, high = (ax, min(ay, by), max(ay, by)) if axis == 0 else (ay, min(ax, bx), max(ax, bx))
    for wall in walls:
        faces = wall.axis == axis and wall.at + wall.sign * WALL // 2 == at
        if faces and wall.low <= low and high <= wall.high:
            return wall, low, high
    return None


def _outline(room: Room) -> list[tuple[int, int]]:
    return [(round(x * 1000), round(y * 1000)) for x, y in room.outline]


def _extent(room: Room) -> tuple[Rect, tuple[Rect, ...]]:
    """Return the bounding rectangle of a room, and its parts outside the room."""
    outline = _outline(room)
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    bounds = (min(xs), min(ys), max(xs), max(ys))
    return bounds, tuple(_outside_parts(outline, bounds))


def _outside_parts(outline: Sequence[tuple[int, int]], bounds: Rect) -> Iterator[Rect]:
    """Yield the parts of the bounding rectangle outside the room (of an L)."""
    xs = sorted({x for x, _ in outline})
    ys = sorted({y for _, y in outline})
    walls = [edge for edge in edges_of(outline) if edge[0] == 0]
    for y0, y1 in pairwise(ys):
        for x0, x1 in pairwise(xs):
            crossed = sum(at <= x0 and low <= y0 and y1 <= high for _, at, low, high, _ in walls)
            if crossed % 2 == 0:
                yield x0, y0, x1, y1
