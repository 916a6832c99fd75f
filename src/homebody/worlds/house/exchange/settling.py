"""Moves furniture and objects of imported scenes a little, so that they stand on something and do
not overlap.

Other programs have meshes where homebody has boxes: a chair that is pushed under a table overlaps
its box, and a surface is not quite at the height of the box's top.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.house import (
    Box,
    Furniture,
    House,
    Pose,
    Receptacle,
    Thing,
    Vector,
    box_at,
    to_world,
)
from homebody.worlds.house.model.outlines import PLAY, Rect, flat, gap, is_inside, parts_of
from homebody.worlds.house.model.receptacles import carve, furniture_receptacles, is_usable
from homebody.worlds.house.rendering.arrays import Floats, Index, Mask

NEAR = 0.6
"""Maximum metres by which furniture is moved."""
_DROP = 0.35
"""Maximum metres between the bottom of a piece and the piece on which it is put."""
_FLAT = 0.05
"""Maximum height in metres of a rug, which may lie under others."""
_TRIALS = 20_000
"""Maximum places to try for all objects of a scene."""
_STEPS = 12
"""Maximum straight steps to try for a piece."""
_TRIES, _MANY = 200, 40
"""Maximum moves of larger pieces to try in a house, and furniture of a room in which they are."""
_ALONG = 8
"""Places to try along each side of a surface."""
_AROUND = tuple(
    sorted(product((n / 10 for n in range(-10, 11)), repeat=2), key=lambda p: p[0] ** 2 + p[1] ** 2)
)
"""Steps in metres to places on the floor near another, the nearest first."""


def settle(house: House, entries: Catalogue) -> tuple[House, list[str]]:
    """Return a house with its furniture and objects moved, and sentences on the changes.

    Args:
        house: The house, as imported.
        entries: The catalogue, which has the receptacles of furniture.
    """
    furniture, moved = _settle_furniture(house, entries)
    house = replace(house, furniture=tuple(_free_receptacles(furniture, entries)))
    settler = _Settler(house, moved)
    things = settler.settle()
    notes = []
    if count := sum(any(abs(by) > 0.005 for by in step) for step in moved.values()):
        notes.append(f"{count} of {len(furniture)} pieces of furniture moved, to overlap less")
    if count := sum(
        max(abs(a - b) for a, b in zip(old.pose.position, new.pose.position, strict=True)) > 0.005
        for old, new in zip(house.things, things, strict=True)
    ):
        notes.append(f"{count} of {len(things)} objects moved, to stand on something")
    if settler.stuck:
        notes.append(
            f"{settler.stuck} of {len(things)} objects without a free place overlap others"
        )
    return replace(house, things=things), notes


# -- furniture ---------------------------------------------------------------------------------


def _settle_furniture(
    house: House, entries: Catalogue
) -> tuple[list[Furniture], dict[str, Vector]]:
    """Return the furniture, moved, and by how much each piece was moved."""
    furniture: list[Furniture] = []
    tries = iter(range(_TRIES))
    for room in house.rooms:
        own = [piece for piece in house.furniture if piece.room == room.name]
        parts = parts_of(room)
        own = [_move(piece, _step_inside(piece.box, parts)) for piece in own]
        own = [_hold(piece, own, parts, entries) for piece in own]
        furniture += _separate(own, parts, tries)
    by_name = {piece.name: piece for piece in furniture}
    moved = {}
    for piece in house.furniture:
        new, old = by_name[piece.name].pose.position, piece.pose.position
        moved[piece.name] = (new[0] - old[0], new[1] - old[1], new[2] - old[2])
    return [by_name[piece.name] for piece in house.furniture], moved


def _move(piece: Furniture, step: tuple[float, float], z: float | None = None) -> Furniture:
    x, y, old = piece.pose.position
    place = round(x + step[0], 3), round(y + step[1], 3), round(old if z is None else z, 3)
    return replace(piece, pose=Pose(place, piece.pose.yaw))


def _step_inside(box: Box, parts: Sequence[Rect]) -> tuple[float, float]:
    """Return the shortest step that brings a box into a room; none if that is too far."""
    if is_inside(flat(box), parts):
        return 0.0, 0.0
    steps = [
        (_clamp(box, part, 0), _clamp(box, part, 1))
        for part in parts
        if all(box.size[i] <= part[i + 2] - part[i] + PLAY for i in (0, 1))
    ]
    step = min(steps, key=lambda step: abs(step[0]) + abs(step[1]), default=(0.0, 0.0))
    return step if max(map(abs, step)) <= NEAR else (0.0, 0.0)


def _clamp(box: Box, rect: Rect, axis: int) -> float:
    """Return the step that brings a box into a rectangle, or to its middle if it is longer."""
    low, high = rect[axis] - box.low[axis], rect[axis + 2] - box.high[axis]
    return max(low, 0.0) + min(high, 0.0) if low <= high else (low + high) / 2


def _hold(
    piece: Furniture, others: Sequence[Furniture], parts: Sequence[Rect], entries: Catalogue
) -> Furniture:
    """Return a piece above the floor after moving it onto the furniture below it, to a wall, or
    onto the floor."""
    kind = entries.furniture.get(piece.category)
    box, z = piece.box, piece.pose.position[2]
    if z <= PLAY or (kind is not None and kind.mount == "ceiling"):
        return piece
    x, y, _ = piece.pose.position
    below = [
        other.box
        for other in others
        if other is not piece
        and z - _DROP <= other.box.high[2] <= z + _DROP
        and other.box.low[2] < z
        and other.box.low[0] <= x <= other.box.high[0]
        and other.box.low[1] <= y <= other.box.high[1]
    ]
    wall = _step_to_wall(piece, parts)
    support = min(below, key=lambda other: abs(other.high[2] - z), default=None)
    if support is not None and abs(support.high[2] - z) < max(map(abs, wall or (NEAR, 0.0))):
        step = _clamp(box, flat(support), 0), _clamp(box, flat(support), 1)
        return _move(piece, step, support.high[2])
    if wall is not None:
        return _move(piece, wall)
    if kind is not None and kind.mount == "wall":
        return piece
    return _move(piece, (0.0, 0.0), 0.0)


def _is_at_wall(piece: Furniture, parts: Sequence[Rect]) -> bool:
    step = _step_to_wall(piece, parts)
    return step is not None and max(map(abs, step)) <= PLAY


def _step_to_wall(piece: Furniture, parts: Sequence[Rect]) -> tuple[float, float] | None:
    """Return the step that brings the back of a piece to a wall; None if that is too far."""
    back = to_world(Pose((0.0, 0.0, 0.0), piece.pose.yaw), (0.0, -1.0, 0.0))
    axis = 0 if abs(back[0]) > 0.5 else 1
    ahead, at = back[axis] > 0, piece.pose.position[1 - axis]
    edge = piece.box.high[axis] if ahead else piece.box.low[axis]
    gaps = [
        part[axis + 2 * ahead] - edge
        for part in parts
        if part[1 - axis] - PLAY <= at <= part[3 - axis] + PLAY
    ]
    by = min(gaps, key=abs, default=NEAR + 1)
    if abs(by) > NEAR:
        return None
    return (by, 0.0) if axis == 0 else (0.0, by)


def _separate(
    furniture: list[Furniture], parts: Sequence[Rect], tries: Iterator[int]
) -> list[Furniture]:
    """Return the furniture of a room, moved so that it overlaps less.

    The smaller of two that overlap is moved away; if there is no room for it, a larger one is.
    Furniture that carries other furniture stays.
    """
    placed, count = _move_smaller(furniture, parts)
    while count and len(furniture) <= _MANY:
        for trial, _ in zip(_push_larger(placed, parts), tries, strict=False):
            moved, left = _move_smaller(trial, parts)
            if left < count and all(map(_is_near, moved, furniture)):
                placed, count = moved, left
                break
        else:
            break
    return placed


def _carries(piece: Furniture, furniture: Sequence[Furniture]) -> bool:
    """Return whether other furniture stands on a piece."""
    box = piece.box
    return any(
        abs(other.pose.position[2] - box.high[2]) <= PLAY and gap(flat(box), flat(other.box)) < 0
        for other in furniture
        if other is not piece
    )


def _is_near(piece: Furniture, other: Furniture) -> bool:
    pairs = zip(piece.pose.position, other.pose.position, strict=True)
    return all(abs(a - b) <= NEAR for a, b in pairs)


def _push_larger(furniture: list[Furniture], parts: Sequence[Rect]) -> Iterator[list[Furniture]]:
    """Yield the furniture with one piece moved off a smaller one that overlaps it."""
    boxes = _Boxes(furniture)
    for i, piece in enumerate(furniture):
        for j in boxes.find_hits(i, piece.box).tolist():
            larger = furniture[j]
            if np.prod(larger.size) < np.prod(piece.size) or larger.pose.position[2] > PLAY:
                continue
            if _carries(larger, furniture):
                continue
            for step in _steps_off(larger.box, [piece.box]):
                there = _move(larger, step)
                if is_inside(flat(there.box), parts):
                    yield [*furniture[:j], there, *furniture[j + 1 :]]


def _move_smaller(
    furniture: Sequence[Furniture], parts: Sequence[Rect]
) -> tuple[list[Furniture], int]:
    """Return the furniture with pieces moved off larger ones, and how many overlaps are left."""
    placed, boxes = list(furniture), _Boxes(furniture)
    for i in sorted(range(len(placed)), key=lambda i: float(np.prod(placed[i].size))):
        piece = placed[i]
        hits = boxes.find_hits(i, piece.box).tolist()
        if not hits or _carries(piece, placed):
            continue
        steps = _steps_off(piece.box, [placed[j].box for j in hits])
        pairs = [(a[0] + b[0], a[1] + b[1]) for a, b in product(steps, steps) if a[0] and b[1]]
        for step in sorted((*steps, *pairs), key=lambda step: abs(step[0]) + abs(step[1])):
            there = _move(piece, step)
            if not is_inside(flat(there.box), parts) or len(boxes.find_hits(i, there.box)):
                continue
            if piece.pose.position[2] <= PLAY or _is_at_wall(there, parts):
                placed[i] = there
                boxes.put(i, there.box)
                break
    return placed, sum(len(boxes.find_hits(i, piece.box)) for i, piece in enumerate(placed))


def _steps_off(box: Box, others: Sequence[Box]) -> list[tuple[float, float]]:
    """Return the shortest straight steps that bring a box away from one of some others."""
    steps = []
    for other in others:
        for axis in (0, 1):
            for by in (other.high[axis] - box.low[axis], other.low[axis] - box.high[axis]):
                if abs(by) <= NEAR:
                    steps.append((by, 0.0) if axis == 0 else (0.0, by))
    return sorted(steps, key=lambda step: abs(step[0]) + abs(step[1]))[:_STEPS]


def _find_overlaps(lows: Floats, highs: Floats, box: Box) -> Mask:
    """Return the mask of the boxes (lower and upper corners) that overlap a box."""
    low, high = np.array(box.low) + PLAY, np.array(box.high) - PLAY
    mask: Mask = ~np.logical_or.reduce((lows >= high) | (low >= highs), axis=1)
    return mask


class _Boxes:
    """The boxes of some furniture, by number."""

    def __init__(self, furniture: Sequence[Furniture]) -> None:
        self._lows = np.array([piece.box.low for piece in furniture]).reshape(-1, 3)
        self._highs = np.array([piece.box.high for piece in furniture]).reshape(-1, 3)
        self._rugs = self._highs[:, 2] <= _FLAT

    def put(self, number: int, box: Box) -> None:
        """Move a box."""
        self._lows[number], self._highs[number] = box.low, box.high

    def find_hits(self, number: int, box: Box) -> Index:
        """Return the numbers of others that overlap a box of one; rugs only overlap rugs."""
        found = _find_overlaps(self._lows, self._highs, box)
        found &= self._rugs == self._rugs[number]
        found[number] = False
        return np.flatnonzero(found)


def _free_receptacles(furniture: Sequence[Furniture], entries: Catalogue) -> Iterator[Furniture]:
    """Yield the furniture, its receptacles without the space that other furniture takes."""
    lows = np.array([each.box.low for each in furniture]).reshape(-1, 3)
    highs = np.array([each.box.high for each in furniture]).reshape(-1, 3)
    for number, piece in enumerate(furniture):
        kind, (low, high) = entries.furniture.get(piece.category), (lows[number], highs[number])
        apart = (lows[:, :2] >= high[:2]) | (low[:2] >= highs[:, :2])
        above = np.flatnonzero(~np.logical_or.reduce(apart, axis=1))
        near = [furniture[i] for i in above.tolist() if i != number]
        back = Pose((0.0, 0.0, 0.0), -piece.pose.yaw)
        x, y, z = piece.pose.position
        blocks: list[tuple[Vector, Vector]] = []
        for box in (each.box for each in near):
            (a, b, c), (d, e, f) = (
                to_world(back, (p - x, q - y, r - z)) for p, q, r in (box.low, box.high)
            )
            blocks.append(((min(a, d), min(b, e), c), (max(a, d), max(b, e), f)))
        own = furniture_receptacles(kind, piece.size, blocks) if kind is not None else ()
        for each in piece.receptacles:
            if each.name.startswith("surface_"):
                low, high = each.low, each.high
                for block in blocks:
                    low, high = carve(low, high, *block)
                if is_usable(low, high):
                    own = (*own, replace(each, low=low, high=high))
        yield replace(piece, receptacles=own)


# -- objects -----------------------------------------------------------------------------------


class _Settler:
    """Puts the objects of a house where there is room. Objects that carry others come first."""

    def __init__(self, house: House, moved: dict[str, Vector]) -> None:
        self.stuck = 0
        self._house = house
        self._moved = moved
        self._trials = _TRIALS
        self._done: dict[str, Thing] = {}
        boxes = [piece.box for piece in house.furniture]
        count = len(boxes) + len(house.things)
        self._lows, self._highs = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
        names = (*house.piece, *house.thing)
        self._rows = {name: row for row, name in enumerate(names)}
        for row, box in enumerate(boxes):
            self._lows[row], self._highs[row] = box.low, box.high

    def settle(self) -> tuple[Thing, ...]:
        """Return the objects in their order."""
        waiting = list(self._house.things)
        while waiting:
            pending = self._house.thing.keys() - self._done.keys()
            ready = [each for each in waiting if each.place[0] not in pending]
            for thing in ready or waiting:
                self._put(thing)
            waiting = [each for each in waiting if each.name not in self._done]
        return tuple(self._done[thing.name] for thing in self._house.things)

    def _put(self, thing: Thing) -> None:
        around = self._around(thing)
        step = self._step(thing, around)
        x, y, z = (a + b for a, b in zip(thing.pose.position, step, strict=True))
        wanted = replace(thing, pose=Pose((x, y, z), thing.pose.yaw))
        first = None
        found = None
        for option in self._options(wanted):
            first = first or option
            if self._trials <= 0:
                break
            self._trials -= 1
            if self._is_free(box_at(option.pose, option.size), self._around(option)):
                found = option
                break
        self.stuck += found is None
        settled = found or first or wanted
        self._done[thing.name] = settled
        box, row = box_at(settled.pose, settled.size), self._rows[thing.name]
        self._lows[row], self._highs[row] = box.low, box.high

    def _step(self, thing: Thing, around: Sequence[str]) -> Vector:
        """Return the distance by which the bearer of an object was moved."""
        for name in around:
            if name in self._done:
                new, old = self._done[name].pose.position, self._house.thing[name].pose.position
                return new[0] - old[0], new[1] - old[1], new[2] - old[2]
            if name in self._moved:
                return self._moved[name]
        return 0.0, 0.0, 0.0

    def _around(self, thing: Thing) -> list[str]:
        names: list[str] = []
        at = thing.place[0]
        while at and at not in names:
            names.append(at)
            at = self._house.thing[at].place[0] if at in self._house.thing else ""
        return names

    def _is_free(self, box: Box, around: Sequence[str]) -> bool:
        hits = _find_overlaps(self._lows, self._highs, box)
        for name in around:
            if name in self._rows:
                hits[self._rows[name]] = False
        return not bool(hits.any())

    def _options(self, thing: Thing) -> Iterator[Thing]:
        """Yield an object at places for it, the best first."""
        owner, name = thing.place
        room = self._house.floors.get(owner)
        bearer = self._house.piece.get(owner) or self._done.get(owner)
        if bearer is not None:
            height = thing.pose.position[2] - bearer.pose.position[2]
            spaces = sorted(
                bearer.receptacles,
                key=lambda each: (each.name != name, abs(each.low[2] - height)),
            )
            for space in spaces:
                yield from _on(thing, bearer, space)
            if isinstance(bearer, Furniture):
                room = self._house.room[bearer.room]
        if room is None:
            return
        x, y, _ = thing.pose.position
        parts = parts_of(room)
        for dx, dy in _AROUND:
            there = Pose((round(x + dx, 3), round(y + dy, 3), 0.0), thing.pose.yaw)
            box = box_at(there, thing.size)
            if dx == dy == 0:
                sx, sy = _step_inside(box, parts)
                there = Pose((round(x + sx, 3), round(y + sy, 3), 0.0), thing.pose.yaw)
                box = box_at(there, thing.size)
            if is_inside(flat(box), parts):
                yield replace(thing, pose=there, place=(room.floor_name, ""))


def _on(thing: Thing, bearer: Furniture | Thing, space: Receptacle) -> Iterator[Thing]:
    """Yield an object at places on a receptacle in which it fits, the nearest first."""
    if thing.size[2] > space.high[2] - space.low[2] + PLAY:
        return
    x0, y0, _ = bearer.pose.position
    back = Pose((0.0, 0.0, 0.0), -bearer.pose.yaw)
    x, y, _ = to_world(back, (thing.pose.position[0] - x0, thing.pose.position[1] - y0, 0.0))
    for yaw in (thing.pose.yaw - bearer.pose.yaw, 0.0, 90.0):
        w, d, _ = box_at(Pose((0.0, 0.0, 0.0), yaw), thing.size).size
        left, right = space.low[0] + w / 2, space.high[0] - w / 2
        near, far = space.low[1] + d / 2, space.high[1] - d / 2
        if left > right + PLAY or near > far + PLAY:
            continue
        first = min(max(x, left), right), min(max(y, near), far)
        grid = product(np.linspace(left, right, _ALONG), np.linspace(near, far, _ALONG))
        others = sorted(grid, key=lambda p: (p[0] - first[0]) ** 2 + (p[1] - first[1]) ** 2)
        for a, b in (first, *others):
            point = to_world(bearer.pose, (float(a), float(b), space.low[2]))
            position = round(point[0], 3), round(point[1], 3), round(point[2], 3)
            pose = Pose(position, round((yaw + bearer.pose.yaw) % 360, 1))
            yield replace(thing, pose=pose, place=(bearer.name, space.name))
        return
