"""Arranges rooms around a hub, or in two rows along a corridor.

Each row has its own depth, so that large rooms lie opposite small ones. The corridor may end in a
room, which then becomes L-shaped. The rows may have different lengths. The best of many random
layouts is used. Lengths are whole millimetres.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from homebody.core.ground.seeds import shuffle
from homebody.worlds.house.generation.geometry import WALL, Corner, Rect, to_centimetres
from homebody.worlds.house.generation.openings import DOOR, OWN, Cell, count_astray, shared_walls
from homebody.worlds.house.generation.random_draws import sample_between
from homebody.worlds.house.model.catalogue import RoomKind, SceneKind

_ORDERS = 24
"""Number of orders of rooms around a hub that are tried."""
_SPLITS = 24
"""Number of random splits of rooms into two rows that are tried."""


def lay_out(
    rng: np.random.Generator,
    scene: SceneKind,
    kinds: Sequence[str],
    rooms: Sequence[RoomKind],
    areas: Sequence[int],
) -> list[tuple[Corner, ...]]:
    """Return the outlines of rooms of given kinds and areas (square millimetres).

    They are counter-clockwise, in the middle of walls, with their common low corner at the origin.
    """
    if len(kinds) == 1:
        shapes = [_rect((0, 0, *_sides(rng, areas[0], rooms[0])))]
    elif kinds[0] == scene.corridor and len(kinds) > 2:
        shapes = _along_corridor(rng, scene, kinds, rooms, areas)
    else:
        shapes = _around_hub(rng, scene, kinds, rooms, areas)
    return _turn_plan(rng, shapes)


def _rect(box: Rect) -> tuple[Corner, ...]:
    x0, y0, x1, y1 = box
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def _sides(rng: np.random.Generator, area: float, room: RoomKind) -> tuple[int, int]:
    """Sample width and depth of a single room."""
    ratio = sample_between(rng, 1.0, 1.5)
    depth = max(math.sqrt(area / ratio), room.side * 1000 + WALL)
    return to_centimetres(area / depth), to_centimetres(depth)


def _badness(width: float, depth: float, room: RoomKind) -> float:
    """Return a penalty for the shape of a room. A room that is too narrow has a higher penalty than
    a room that is too long."""
    short, long = min(width, depth) - WALL, max(width, depth) - WALL
    if short < 500:
        return 1000.0
    return max(0.0, room.side * 1000 - short) / 50 + max(0.0, long / short - 1.5) * 4


def _around_hub(
    rng: np.random.Generator,
    scene: SceneKind,
    kinds: Sequence[str],
    rooms: Sequence[RoomKind],
    areas: Sequence[int],
) -> list[tuple[Corner, ...]]:
    """Return rooms: a column to the right of the first one, and a row above both."""
    best: tuple[float, tuple[int, ...], int, float] | None = None
    for order in shuffle(rng, itertools.permutations(range(1, len(rooms))))[:_ORDERS]:
        for column in range(len(order) + 1):
            for ratio in (0.7, 0.9, 1.1, 1.4, 1.8):
                boxes = _hub_layout(order, column, ratio, areas)
                bad = math.fsum(
                    _badness(x1 - x0, y1 - y0, rooms[room])
                    for room, (x0, y0, x1, y1) in boxes.items()
                )
                for room in order[column:]:  # each needs room for a doorway to the hub
                    short = DOOR + 500 - (min(boxes[room][2], boxes[0][2]) - boxes[room][0])
                    bad += 100.0 if short > 0 else 0.0
                bad += sample_between(rng, 0, 1.5)
                if best is None or bad < best[0]:
                    bad += 100.0 * _count_separated(scene, kinds, boxes)
                if best is None or bad < best[0]:
                    best = bad, order, column, ratio
    assert best is not None
    _, order, column, ratio = best
    boxes = _hub_layout(order, column, ratio, areas)
    grow = max(
        [1.0]
        + [
            (rooms[room].side * 1000 + WALL) / min(x1 - x0, y1 - y0)
            for room, (x0, y0, x1, y1) in boxes.items()
        ]
    )
    outlines = []
    for room in range(len(rooms)):
        x0, y0, x1, y1 = (to_centimetres(min(grow, 1.4) * side) for side in boxes[room])
        outlines.append(_rect((x0, y0, x1, y1)))
    return outlines


def _count_separated(
    scene: SceneKind, kinds: Sequence[str], boxes: Mapping[int, tuple[float, float, float, float]]
) -> int:
    """Return the number of rooms that are not adjacent to their owner."""
    if not any(kind in OWN for kind in kinds):
        return 0
    cells = []
    for room, kind in enumerate(kinds):
        x0, y0, x1, y1 = map(to_centimetres, boxes[room])
        cells.append(Cell(kind, _rect((x0, y0, x1, y1))))
    return count_astray(cells, shared_walls(cells), scene)


def _hub_layout(
    order: Sequence[int], column: int, ratio: float, areas: Sequence[int]
) -> dict[int, tuple[float, float, float, float]]:
    """Return room -> box. The hub is at the origin, the rooms ``order[:column]`` are beside it, and
    the rest is above."""
    width = math.sqrt(areas[0] * ratio)
    depth = areas[0] / width
    boxes = {0: (0.0, 0.0, width, depth)}
    beside, above = order[:column], order[column:]
    side = sum(areas[room] for room in beside) / depth
    if len(beside) == 1 and depth > 2 * side:  # shorter than the hub rather than narrow
        side = math.sqrt(areas[beside[0]] / 1.6)
    at = 0.0
    for room in beside:
        boxes[room] = (width, at, width + side, at + areas[room] / side)
        at = boxes[room][3]
    total = sum(areas[room] for room in above)
    at = 0.0
    for room in above:
        long = (width + side) * areas[room] / total
        boxes[room] = (at, depth, at + long, depth + total / (width + side))
        at += long
    return boxes


def _along_corridor(
    rng: np.random.Generator,
    scene: SceneKind,
    kinds: Sequence[str],
    rooms: Sequence[RoomKind],
    areas: Sequence[int],
) -> list[tuple[Corner, ...]]:
    """Return a corridor from left to right and rows of rooms above and below it."""
    upper, lower, length = _two_rows(rng, _units(kinds), rooms, areas)
    least = max(1350, rooms[0].side * 1000)
    wide = to_centimetres(sample_between(rng, least, least + 300)) + WALL
    outlines: dict[int, tuple[Corner, ...]] = {}
    ends = []
    for row, sign in ((upper, 1), (lower, -1)):
        row = _order_row(rng, scene, kinds, row)
        if row and areas[row[0]] > areas[row[-1]] and rng.random() < 0.7:
            row.reverse()  # large rooms at the far end
        depth = max(
            sum(areas[room] for room in row) / length if row else 0,
            max((rooms[room].side * 1000 + WALL for room in row), default=0),
        )
        depth, at = to_centimetres(depth), 0
        for room in row:
            long = to_centimetres(max(areas[room] / depth, rooms[room].side * 1000 + WALL))
            low, high = (wide, wide + depth) if sign > 0 else (-depth, 0)
            outlines[room] = _rect((at, low, at + long, high))
            at += long
        ends.append((at, row[-1] if row else -1))
    # The corridor is long enough for a door to each last room.
    (up, last_up), (down, last_down) = ends
    starts = [outlines[last][0][0] for last in (last_up, last_down) if last >= 0]
    end = max(min(up, down) if last_down >= 0 else up, max(starts) + DOOR + 600)
    if max(up, down) - end < 600:
        end = max(up, down)
    # The last room of the shorter row may take the end of the corridor and become L-shaped.
    room = last_up if down > up or last_down < 0 else last_down
    (x0, y0), _, (x1, y1), _ = outlines[room]
    cut = max(start + DOOR + 700 for start in starts)
    if rooms[room].area[1] > 13 and x0 + 1400 < cut < x1 - 1000 and rng.random() < 0.8:
        end = to_centimetres(cut)
        outlines[room] = (
            ((end, 0), (x1, 0), (x1, y1), (x0, y1), (x0, wide), (end, wide))
            if y0 > 0
            else ((x0, y0), (x1, y0), (x1, wide), (end, wide), (end, 0), (x0, 0))
        )
    outlines[0] = _rect((0, 0, to_centimetres(end), wide))
    return [outlines[number] for number in range(len(rooms))]


def _units(kinds: Sequence[str]) -> list[tuple[int, ...]]:
    """Return all rooms except the first in units: an owned room forms a unit with its owner."""
    left = {own: [i for i, kind in enumerate(kinds) if i and kind == own] for own in OWN}
    units: list[tuple[int, ...]] = []
    for room, kind in enumerate(kinds):
        own = next((left[own] for own, owner in OWN.items() if owner == kind), [])
        if room and kind not in OWN:
            units.append((room, *(own.pop(0) for _ in own[:1])))
    return units + [(room,) for rooms in left.values() for room in rooms]


def _two_rows(
    rng: np.random.Generator,
    units: Sequence[tuple[int, ...]],
    rooms: Sequence[RoomKind],
    areas: Sequence[int],
) -> tuple[list[int], list[int], float]:
    """Try many splits into two rows of rooms. Return the best two rows and their length. The rooms
    of a unit stay together."""

    def all_of(units: Sequence[tuple[int, ...]]) -> list[int]:
        return [room for unit in units for room in unit]

    others = sorted(units, key=lambda unit: -sum(areas[room] for room in unit))
    total = sum(areas[room] for room in all_of(others))
    halves = [(others[:k], others[k:]) for k in range(1, len(others) + (len(others) < 3))]
    for _ in range(_SPLITS):
        coins = rng.random(len(others)) < 0.5
        upper = [unit for unit, up in zip(others, coins, strict=True) if up]
        lower = [unit for unit, up in zip(others, coins, strict=True) if not up]
        if upper and lower:
            halves.append((upper, lower))
    splits = [(all_of(up), all_of(down)) for up, down in halves]
    best: tuple[float, list[int], list[int], float] | None = None
    for up, down in splits:
        for factor in (0.8, 1.0, 1.2, 1.4, 1.7, 2.0):
            length = math.sqrt(total) * factor
            bad = sample_between(rng, 0, 2)
            lengths = []
            for row in (up, down):
                depth = sum(areas[room] for room in row) / length
                depth = max([depth, *(rooms[room].side * 1000 + WALL for room in row)])
                widths = [max(areas[room] / depth, rooms[room].side * 1000 + WALL) for room in row]
                bad += math.fsum(
                    _badness(width, depth, rooms[room])
                    + max(0.0, width * depth / areas[room] - 1.15) * 3
                    for room, width in zip(row, widths, strict=True)
                )
                lengths.append(math.fsum(widths))
            if down:
                bad += abs(lengths[0] - lengths[1]) / 500
            if best is None or bad < best[0]:
                best = bad, up, down, length
    assert best is not None
    return best[1], best[2], best[3]


def _order_row(
    rng: np.random.Generator, scene: SceneKind, kinds: Sequence[str], row: Sequence[int]
) -> list[int]:
    """Return a row reordered so that most rooms that should be joined are adjacent."""
    left = shuffle(rng, row)
    ordered: list[int] = []
    while left:
        near = [room for room in left if ordered and scene.joins(kinds[ordered[-1]], kinds[room])]
        ordered.append(near[0] if near else left[0])
        left.remove(ordered[-1])
    return ordered


def _turn_plan(
    rng: np.random.Generator, shapes: Sequence[tuple[Corner, ...]]
) -> list[tuple[Corner, ...]]:
    """Return the plan mirrored and turned at random, with its low corner at the origin."""
    flip_x, flip_y, swap = (bool(coin) for coin in rng.random(3) < 0.5)
    turned = []
    for shape in shapes:
        corners = [(-x if flip_x else x, -y if flip_y else y) for x, y in shape]
        corners = [(y, x) for x, y in corners] if swap else corners
        if (flip_x + flip_y + swap) % 2:
            corners.reverse()
        turned.append(corners)
    x0 = min(x for shape in turned for x, _ in shape)
    y0 = min(y for shape in turned for _, y in shape)
    return [tuple((x - x0, y - y0) for x, y in shape) for shape in turned]
