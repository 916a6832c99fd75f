"""Checks which places can be reached on foot; part of
:mod:`homebody.worlds.house.generation.validity`.

Walking is checked on a grid of 5 cm for a square robot of half-width 0.25 m, from the entrance.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from homebody.worlds.house.model.agents import ROBOT
from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.doors import open_leaf
from homebody.worlds.house.model.house import Furniture, House, box_at, to_world
from homebody.worlds.house.model.outlines import (
    PLAY,
    Rect,
    edges_of,
    flat,
    gap,
    grown_by,
    parts_of,
    rooms_extent,
    span_of,
)

GRID = 0.05
"""Side of a grid cell in metres."""
REACH = 0.8
"""Maximum distance in metres between an object and a place from which it can be reached."""


def find_unreachable(house: House, entries: Catalogue) -> Iterator[str]:
    """Yield a sentence for everything that cannot be reached from the entrance."""
    x0, y0, x1, y1 = rooms_extent(house)
    columns = np.arange(x0 + GRID / 2, x1, GRID)
    rows = np.arange(y0 + GRID / 2, y1, GRID)
    free = np.zeros((len(rows), len(columns)), dtype=bool)

    def cells(rect: Rect) -> tuple[slice, slice]:
        """Return the cells whose centres are in a rectangle."""
        a, b = np.searchsorted(columns, (rect[0], rect[2]))
        c, d = np.searchsorted(rows, (rect[1], rect[3]))
        return slice(int(c), int(d)), slice(int(a), int(b))

    for room in house.rooms:
        for part in parts_of(room):
            free[cells(part)] = True
    half = house.wall / 2
    for opening in house.openings:
        if opening.is_passage:
            axis, at, low, high = span_of(opening)
            rect = (
                (at - half, low, at + half, high)
                if axis == 0
                else (low, at - half, high, at + half)
            )
            free[cells(grown_by(rect, 1e-6))] = True
    for rect in (*_walls(house), *_obstacles(house)):
        free[cells(grown_by(rect, ROBOT.radius - 1e-6))] = False
    groups = _regions(free)
    entrance = next(opening for opening in house.openings if opening.kind == "entrance")
    x, y = entrance.middle
    near = groups[cells((x - 0.5, y - 0.5, x + 0.5, y + 0.5))]
    if not near.any():
        yield "the entrance is blocked"
        return
    reached = groups == near[near > 0][0]

    def is_within_reach(rect: Rect) -> bool:
        """Return whether something is within an arm's reach of a reachable place."""
        j, i = cells(grown_by(rect, REACH + GRID))
        x = np.maximum(np.maximum(rect[0] - columns[i], columns[i] - rect[2]), 0.0)
        y = np.maximum(np.maximum(rect[1] - rows[j], rows[j] - rect[3]), 0.0)
        near = x * x + y[:, None] * y[:, None] <= (REACH + GRID) ** 2
        return bool((near & reached[j, i]).any())

    for room in house.rooms:
        if not any(reached[cells(part)].any() for part in parts_of(room)):
            yield f"{room.name} cannot be reached"
    for piece in house.furniture:
        box, kind = piece.box, entries.furniture.get(piece.category)
        if not is_within_reach(flat(box)):
            yield f"{piece.name} cannot be reached"
            continue
        has_front = kind is not None and kind.front > 0 and box.low[2] < PLAY
        before = cells(_front(piece, REACH))
        if has_front and not reached[before].any() and not _seat_before(house, piece):
            yield f"there is no place to stand in front of {piece.name}"
    for thing in house.things:
        box = box_at(thing.pose, thing.size)
        if thing.place[0] in house.floors and not is_within_reach(flat(box)):
            yield f"{thing.name} on the floor cannot be reached"
    for person in house.people:
        bed = house.piece.get(person.on)
        if not is_within_reach(
            flat(bed.box if bed is not None else box_at(person.pose, person.size))
        ):
            yield f"{person.name} cannot be reached"


def _front(piece: Furniture, far: float) -> Rect:
    """Return the floor in front of a piece, ``far`` metres deep."""
    width, depth = piece.size[0] / 2, piece.size[1] / 2
    ends = (
        to_world(piece.pose, (-width, depth, 0.0)),
        to_world(piece.pose, (width, depth + far, 0.0)),
    )
    (ax, ay, _), (bx, by, _) = ends
    return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def _seat_before(house: House, piece: Furniture) -> bool:
    """Return whether a chair or stool in front of a piece makes it usable."""
    front = _front(piece, 0.3)
    return any(
        other is not piece and other.box.low[2] < PLAY and gap(flat(other.box), front) < 0
        for other in house.furniture
        if other.room == piece.room
        and other.size[2] > 0.05
        and any(part in other.category for part in ("chair", "stool"))
    )


def _walls(house: House) -> Iterator[Rect]:
    """Yield pieces of wall around rooms, without doorways."""
    doors = [span_of(opening) for opening in house.openings if opening.is_passage]
    for room in house.rooms:
        for axis, at, low, high, sign in edges_of(room.outline):
            line = at + sign * house.wall / 2
            stretches = [(low, high)]
            for side, where, start, end in doors:
                if side == axis and abs(where - line) < PLAY:
                    stretches = [
                        part
                        for a, b in stretches
                        for part in ((a, min(b, start)), (max(a, end), b))
                        if part[1] > part[0]
                    ]
            near, far = sorted((at, at + sign * house.wall))
            for a, b in stretches:
                yield (near, a, far, b) if axis == 0 else (a, near, b, far)


def _obstacles(house: House) -> Iterator[Rect]:
    """Yield furniture between ankles and waist, standing people, and open leaves of doors."""
    for door in house.door.values():
        yield flat(open_leaf(house, door))
    for piece in house.furniture:
        box = piece.box
        if box.high[2] > 0.05 and box.low[2] < 0.8:
            yield flat(box)
    for person in house.people:
        if not person.on:
            yield flat(box_at(person.pose, person.size))


def _regions(free: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """Return the number of the connected region of each cell, from 1; 0 if not free.

    Runs of free cells in a row are joined with the runs of the previous row that they touch.
    """
    groups = np.zeros(free.shape, dtype=np.int32)
    parents = [0]

    def root(number: int) -> int:
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    before: list[tuple[int, int, int]] = []
    for j, row in enumerate(free):
        edges = np.flatnonzero(np.diff(row.astype(np.int8), prepend=0, append=0)).tolist()
        runs: list[tuple[int, int, int]] = []
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            number = len(parents)
            parents.append(number)
            groups[j, start:end] = number
            runs.append((start, end, number))
            for a, b, other in before:
                if a < end and start < b:
                    parents[root(other)] = root(number)
        before = runs
    roots = np.array([root(number) for number in range(len(parents))], dtype=np.int32)
    regions: npt.NDArray[np.int32] = roots[groups]
    return regions
