"""Floor plans: rooms, doorways, windows and an entrance.

A few rooms lie around a hub (the living room); many lie in two rows along a corridor. Rows have
their own depth, so that large rooms lie opposite small ones; the corridor may end in a room, which
makes that room L-shaped; rows may end at different places, so that houses are not all boxes.

All lengths in here are whole millimetres, so that plans are the same on every platform. A *cell* is
a room with half of its walls: cells share edges, which run along the middle of the walls.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from homebody.core.errors import HomebodyError
from homebody.worlds.house.model.catalogue import Catalogue, RoomKind, SceneKind
from homebody.worlds.house.model.house import Opening, Point, Room

WALL = 120
DOOR = 900
WIDE_DOOR = 1400
DOOR_TOP = 2.1
_MANY = 6
"""From so many rooms on, one of them is a corridor."""
MOST_AROUND = 6
"""So many rooms can lie around one of them; more need a corridor."""
_LAYOUTS = 20
_ORDERS = 24
"""Tries: of plans, and of orders of rooms in a plan."""

Corner: TypeAlias = tuple[int, int]
Edge: TypeAlias = tuple[int, int, int, int, int]
"""axis (0: x is constant), coordinate, low end, high end, outward sign."""
Rect: TypeAlias = tuple[int, int, int, int]
"""x and y of the low corner, x and y of the high corner."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A room to be: its kind, and its corners counter-clockwise, in the middle of walls."""

    kind: str
    corners: tuple[Corner, ...]


def choose_rooms(rng: np.random.Generator, scene: SceneKind, count: int) -> list[str]:
    """Kinds of rooms for a scene, the hub or corridor first.

    Args:
        rng: Drawn from.
        scene: Its ``first`` rooms come first, the others are drawn.
        count: How many, at least 1.
    """
    if count == 1:
        return [scene.single]
    hub = scene.corridor if _has_corridor(scene, count) else scene.hub
    if count == 2 and hub == scene.corridor:
        hub = scene.first[0]
    found = [hub]
    for kind in scene.first:
        if kind != hub or found.count(kind) < scene.first.count(kind):
            found.append(kind)
    if hub in scene.first:
        found.remove(hub)
        found.insert(0, hub)
    while len(found) < count:
        most = scene.most
        kinds = [kind for kind in scene.then if found.count(kind) < most.get(kind, 1)]
        if not kinds:  # all had: more of what may be often
            kinds = [kind for kind in scene.then if most.get(kind, 1) > 1] or list(scene.then)
        weights = np.array([scene.then[kind] for kind in kinds])
        found.append(kinds[int(rng.choice(len(kinds), p=weights / weights.sum()))])
    return found[:count]


def make_plan(
    rng: np.random.Generator,
    scene: SceneKind,
    kinds: Sequence[str],
    catalogue: Catalogue,
    scale: float = 1.0,
) -> tuple[tuple[Room, ...], tuple[Opening, ...]]:
    """Lay out rooms of the given kinds.

    Args:
        rng: Drawn from.
        scene: Says which rooms are joined, and which kind is a corridor.
        kinds: The first is the hub or the corridor.
        catalogue: For areas, sides and looks.
        scale: Factor of all areas.

    Returns:
        Rooms in the order of ``kinds``, and all openings: each room can be reached.

    Raises:
        HomebodyError: no way was found to lay out these rooms so.
    """
    rooms = [catalogue.rooms[kind] for kind in kinds]
    for _ in range(_LAYOUTS):
        areas = [round(rng.uniform(*room.area) * scale * 1e6) for room in rooms]
        if len(kinds) == 1:
            shapes = [_rect((0, 0, *_sides(rng, areas[0], rooms[0])))]
        elif kinds[0] == scene.corridor and len(kinds) > 2:
            shapes = _along_corridor(rng, scene, kinds, rooms, areas)
        else:
            shapes = _around_hub(rng, rooms, areas)
        shapes = _turned(rng, shapes)
        cells = [Cell(kind, shape) for kind, shape in zip(kinds, shapes, strict=True)]
        if _connected(len(cells), _shared(cells)):
            break
    else:
        raise HomebodyError(f"no plan found for {' '.join(kinds)}", "ask for other rooms")
    made = _rooms(rng, cells, scene, catalogue)
    return made, tuple(_openings(rng, cells, made, scene, catalogue))


def _connected(count: int, pairs: Iterable[tuple[int, int]]) -> bool:
    """Whether all rooms hang together by walls that have room for a doorway."""
    groups = list(range(count))
    for one, other in pairs:
        old, new = groups[one], groups[other]
        groups = [new if group == old else group for group in groups]
    return len(set(groups)) == 1


def inner_edges(outline: Sequence[Corner]) -> Iterator[Edge]:
    """The sides of a counter-clockwise rectilinear outline."""
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if ax == bx:
            yield 0, ax, min(ay, by), max(ay, by), 1 if by > ay else -1
        else:
            yield 1, ay, min(ax, bx), max(ax, bx), -1 if bx > ax else 1


# -- where rooms lie ------------------------------------------------------------------------------


def _has_corridor(scene: SceneKind, count: int) -> bool:
    return count >= _MANY or (scene.hub == scene.corridor and count >= 3)


def _mm(value: float) -> int:
    """Rounded to whole centimetres, in millimetres."""
    return round(value / 10) * 10


def _rect(box: Rect) -> tuple[Corner, ...]:
    x0, y0, x1, y1 = box
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def _sides(rng: np.random.Generator, area: float, room: RoomKind) -> tuple[int, int]:
    """Width and depth of a room on its own."""
    ratio = rng.uniform(1.0, 1.5)
    depth = max((area / ratio) ** 0.5, room.side * 1000 + WALL)
    return _mm(area / depth), _mm(depth)


def _badness(width: float, depth: float, room: RoomKind) -> float:
    """How far a room is from a good shape: too narrow is bad, too long is a pity."""
    short, long = min(width, depth) - WALL, max(width, depth) - WALL
    if short < 500:
        return 1000.0
    return max(0.0, room.side * 1000 - short) / 50 + max(0.0, long / short - 1.5) * 4


def _around_hub(
    rng: np.random.Generator, rooms: Sequence[RoomKind], areas: Sequence[int]
) -> list[tuple[Corner, ...]]:
    """Rooms in a column to the right of the first one and in a row above both."""
    best: tuple[float, tuple[int, ...], int, float] | None = None
    orders = list(itertools.permutations(range(1, len(rooms))))
    for number in rng.permutation(len(orders))[:_ORDERS]:
        order = orders[int(number)]
        for column in range(len(order) + 1):
            for ratio in (0.7, 0.9, 1.1, 1.4, 1.8):
                boxes = _hub_layout(order, column, ratio, areas)
                bad = sum(
                    _badness(x1 - x0, y1 - y0, rooms[one])
                    for one, (x0, y0, x1, y1) in boxes.items()
                )
                for one in order[column:]:  # must have room for a doorway to the hub
                    short = DOOR + 500 - (min(boxes[one][2], boxes[0][2]) - boxes[one][0])
                    bad += 100.0 if short > 0 else 0.0
                bad += float(rng.uniform(0, 1.5))
                if best is None or bad < best[0]:
                    best = bad, order, column, ratio
    assert best is not None
    _, order, column, ratio = best
    boxes = _hub_layout(order, column, ratio, areas)
    grow = max(
        [1.0]
        + [
            (rooms[one].side * 1000 + WALL) / min(x1 - x0, y1 - y0)
            for one, (x0, y0, x1, y1) in boxes.items()
        ]
    )
    found = []
    for one in range(len(rooms)):
        x0, y0, x1, y1 = (_mm(min(grow, 1.4) * side) for side in boxes[one])
        found.append(_rect((x0, y0, x1, y1)))
    return found


def _hub_layout(
    order: Sequence[int], column: int, ratio: float, areas: Sequence[int]
) -> dict[int, tuple[float, float, float, float]]:
    """Room -> box: the hub at the origin, ``order[:column]`` beside it, the rest above."""
    width = (areas[0] * ratio) ** 0.5
    depth = areas[0] / width
    found = {0: (0.0, 0.0, width, depth)}
    beside, above = order[:column], order[column:]
    side = sum(areas[one] for one in beside) / depth
    if len(beside) == 1 and depth > 2 * side:  # shorter than the hub rather than narrow
        side = (areas[beside[0]] / 1.6) ** 0.5
    at = 0.0
    for one in beside:
        found[one] = (width, at, width + side, at + areas[one] / side)
        at = found[one][3]
    total = sum(areas[one] for one in above)
    at = 0.0
    for one in above:
        long = (width + side) * areas[one] / total
        found[one] = (at, depth, at + long, depth + total / (width + side))
        at += long
    return found


def _along_corridor(
    rng: np.random.Generator,
    scene: SceneKind,
    kinds: Sequence[str],
    rooms: Sequence[RoomKind],
    areas: Sequence[int],
) -> list[tuple[Corner, ...]]:
    """The first is a corridor from left to right; the others lie in rows above and below it."""
    upper, lower, length = _two_rows(rng, rooms, areas)
    wide = _mm(rng.uniform(1350, 1650)) + WALL
    found: dict[int, tuple[Corner, ...]] = {}
    ends = []
    for row, sign in ((upper, 1), (lower, -1)):
        row = _ordered(rng, scene, kinds, row)
        if row and areas[row[0]] > areas[row[-1]] and rng.random() < 0.7:
            row.reverse()  # large rooms at the far end
        depth = max(
            sum(areas[one] for one in row) / length if row else 0,
            max((rooms[one].side * 1000 + WALL for one in row), default=0),
        )
        depth, at = _mm(depth), 0
        for one in row:
            long = _mm(max(areas[one] / depth, rooms[one].side * 1000 + WALL))
            low, high = (wide, wide + depth) if sign > 0 else (-depth, 0)
            found[one] = _rect((at, low, at + long, high))
            at += long
        ends.append((at, row[-1] if row else -1))
    # The corridor reaches as far as each last room needs to have a door on it.
    (up, last_up), (down, last_down) = ends
    starts = [found[last][0][0] for last in (last_up, last_down) if last >= 0]
    end = max(min(up, down) if last_down >= 0 else up, max(starts) + DOOR + 600)
    if max(up, down) - end < 600:
        end = max(up, down)
    # The last room of the shorter row may take the end of the corridor, and become L-shaped.
    room = last_up if down > up or last_down < 0 else last_down
    (x0, y0), _, (x1, y1), _ = found[room]
    cut = max(start + DOOR + 700 for start in starts)
    if rooms[room].area[1] > 13 and x0 + 1400 < cut < x1 - 1000 and rng.random() < 0.8:
        end = _mm(cut)
        found[room] = (
            ((end, 0), (x1, 0), (x1, y1), (x0, y1), (x0, wide), (end, wide))
            if y0 > 0
            else ((x0, y0), (x1, y0), (x1, wide), (end, wide), (end, 0), (x0, 0))
        )
    found[0] = _rect((0, 0, _mm(end), wide))
    return [found[one] for one in range(len(rooms))]


def _two_rows(
    rng: np.random.Generator, rooms: Sequence[RoomKind], areas: Sequence[int]
) -> tuple[list[int], list[int], float]:
    """Which rooms lie in which row, and how long the rows are: the best of many tries."""
    others = sorted(range(1, len(rooms)), key=lambda one: -areas[one])
    total = sum(areas[one] for one in others)
    splits = [(others[:k], others[k:]) for k in range(1, len(others) + (len(others) < 3))]
    for _ in range(24):
        coins = rng.random(len(others)) < 0.5
        one = [room for room, up in zip(others, coins, strict=True) if up]
        two = [room for room, up in zip(others, coins, strict=True) if not up]
        if one and two:
            splits.append((one, two))
    best: tuple[float, list[int], list[int], float] | None = None
    for up, down in splits:
        for factor in (0.8, 1.0, 1.2, 1.4, 1.7, 2.0):
            length = (total**0.5) * factor
            bad = float(rng.uniform(0, 2))
            lengths = []
            for row in (up, down):
                depth = sum(areas[one] for one in row) / length
                depth = max([depth, *(rooms[one].side * 1000 + WALL for one in row)])
                widths = [max(areas[one] / depth, rooms[one].side * 1000 + WALL) for one in row]
                bad += sum(
                    _badness(width, depth, rooms[one])
                    + max(0.0, width * depth / areas[one] - 1.15) * 3
                    for one, width in zip(row, widths, strict=True)
                )
                lengths.append(sum(widths))
            if down:
                bad += abs(lengths[0] - lengths[1]) / 500
            if best is None or bad < best[0]:
                best = bad, up, down, length
    assert best is not None
    return best[1], best[2], best[3]


def _ordered(
    rng: np.random.Generator, scene: SceneKind, kinds: Sequence[str], row: Sequence[int]
) -> list[int]:
    """A row so that rooms that are joined lie side by side where that is easy."""
    rest = [row[int(i)] for i in rng.permutation(len(row))]
    found: list[int] = []
    while rest:
        near = [one for one in rest if found and _joined(scene, kinds[found[-1]], kinds[one])]
        found.append(near[0] if near else rest[0])
        rest.remove(found[-1])
    return found


def _joined(scene: SceneKind, one: str, other: str) -> bool:
    return (one, other) in scene.joined or (other, one) in scene.joined


def _turned(
    rng: np.random.Generator, shapes: Sequence[tuple[Corner, ...]]
) -> list[tuple[Corner, ...]]:
    """The plan mirrored and turned at random, with its low corner at the origin."""
    flip_x, flip_y, swap = (bool(coin) for coin in rng.random(3) < 0.5)
    found = []
    for shape in shapes:
        corners = [(-x if flip_x else x, -y if flip_y else y) for x, y in shape]
        corners = [(y, x) for x, y in corners] if swap else corners
        if (flip_x + flip_y + swap) % 2:
            corners.reverse()
        found.append(corners)
    x0 = min(x for shape in found for x, _ in shape)
    y0 = min(y for shape in found for _, y in shape)
    return [tuple((x - x0, y - y0) for x, y in shape) for shape in found]


# -- rooms and openings ---------------------------------------------------------------------------


def _rooms(
    rng: np.random.Generator, cells: Sequence[Cell], scene: SceneKind, catalogue: Catalogue
) -> tuple[Room, ...]:
    seen: dict[str, int] = {}
    found = []
    for cell in cells:
        kind = catalogue.rooms[cell.kind]
        number = seen[cell.kind] = seen.get(cell.kind, -1) + 1
        floor = kind.floors[int(rng.integers(len(kind.floors)))]
        walls = kind.walls[int(rng.integers(len(kind.walls)))]
        outline = tuple((x / 1000, y / 1000) for x, y in _inset(cell.corners))
        name = f"{cell.kind}_{number}"
        found.append(Room(name, cell.kind, outline, scene.height, floor, walls))
    return tuple(found)


def _inset(corners: Sequence[Corner]) -> list[Corner]:
    """The outline moved inwards by half a wall."""
    found = []
    count = len(corners)
    for i, (x, y) in enumerate(corners):
        for ax, ay, bx, by in (
            (*corners[i - 1], x, y),
            (x, y, *corners[(i + 1) % count]),
        ):
            if bx == ax:
                x += -WALL // 2 if by > ay else WALL // 2
            else:
                y += WALL // 2 if bx > ax else -WALL // 2
        found.append((x, y))
    return found


def _openings(
    rng: np.random.Generator,
    cells: Sequence[Cell],
    rooms: Sequence[Room],
    scene: SceneKind,
    catalogue: Catalogue,
) -> Iterator[Opening]:
    shared = _shared(cells)
    pairs = _doorways(rng, cells, shared, scene, catalogue)
    for count, (one, other, wide) in enumerate(pairs):
        axis, at, low, high = max(shared[one, other], key=lambda edge: edge[3] - edge[2])
        width = min(WIDE_DOOR if wide else DOOR, (high - low - 260) // 20 * 20)
        start = _door_at(rng, low, high, width)
        ends = _ends(axis, at, start, start + width)
        names = rooms[one].name, rooms[other].name
        yield Opening(f"doorway_{count}", "doorway", names, *ends, 0.0, DOOR_TOP)
    outer = {one: list(_outer(cells, one)) for one in range(len(cells))}
    taken = _entrance_edge(cells, outer, scene, catalogue)
    one, (axis, at, low, high, _) = taken
    middle = (low + high) // 20 * 10
    if high - low > 2600:  # not in the middle of a long wall
        middle = _mm(low + (high - low) * (0.3 if rng.random() < 0.5 else 0.7))
    ends = _ends(axis, at, middle - DOOR // 2, middle + DOOR // 2)
    yield Opening("entrance_0", "entrance", (rooms[one].name,), *ends, 0.0, DOOR_TOP)
    count = 0
    for one, cell in enumerate(cells):
        kind = catalogue.rooms[cell.kind]
        if not kind.windows:
            continue
        for edge in outer[one]:
            axis, at, low, high, _ = edge
            if (one, edge) == taken:
                low, high = max(
                    (low, middle - 700), (middle + 700, high), key=lambda s: s[1] - s[0]
                )
            for start, end in _windows(rng, low, high, kind.area[1] < 12):
                bottom = 1.45 if cell.kind in ("bathroom", "guest_bathroom", "restroom") else 1.05
                ends = _ends(axis, at, start, end)
                yield Opening(
                    f"window_{count}", "window", (rooms[one].name,), *ends, bottom, DOOR_TOP
                )
                count += 1


def _ends(axis: int, at: int, low: int, high: int) -> tuple[Point, Point]:
    if axis == 0:
        return (at / 1000, low / 1000), (at / 1000, high / 1000)
    return (low / 1000, at / 1000), (high / 1000, at / 1000)


def _door_at(rng: np.random.Generator, low: int, high: int, width: int) -> int:
    """Where a doorway begins: near one end of the wall, which leaves room for furniture."""
    margin = min(160, (high - low - width) // 2)
    where = rng.random()
    if where < 0.4:
        return low + margin
    if where < 0.8:
        return high - margin - width
    return _mm((low + high - width) / 2)


def _doorways(
    rng: np.random.Generator,
    cells: Sequence[Cell],
    shared: dict[tuple[int, int], list[tuple[int, int, int, int]]],
    scene: SceneKind,
    catalogue: Catalogue,
) -> Iterator[tuple[int, int, bool]]:
    """Pairs of rooms with a doorway between them: a tree from the hub, and those joined."""
    reached = [0]
    done = set()
    while len(reached) < len(cells):
        options = [
            (not catalogue.rooms[cells[one].kind].lets, reached.index(one), other, one)
            for one in reached
            for other in range(len(cells))
            if other not in reached and (min(one, other), max(one, other)) in shared
        ]
        _, _, other, one = min(options)
        reached.append(other)
        pair = min(one, other), max(one, other)
        done.add(pair)
        yield *pair, _joined(scene, cells[one].kind, cells[other].kind) and rng.random() < 0.5
    private = {"bathroom", "closet", "pantry", "storage_room"}
    for one, other in shared:
        kinds = cells[one].kind, cells[other].kind
        if (one, other) not in done and _joined(scene, *kinds) and rng.random() < 0.7:
            yield one, other, not private & set(kinds) and rng.random() < 0.6


def _shared(cells: Sequence[Cell]) -> dict[tuple[int, int], list[tuple[int, int, int, int]]]:
    """Pairs of cells -> stretches of wall between them that are long enough for a doorway."""
    edges = [list(inner_edges(cell.corners)) for cell in cells]
    found: dict[tuple[int, int], list[tuple[int, int, int, int]]] = {}
    for one in range(len(cells)):
        for other in range(one + 1, len(cells)):
            for axis, at, low, high, sign in edges[one]:
                for axis2, at2, low2, high2, sign2 in edges[other]:
                    if (axis, at, -sign) == (axis2, at2, sign2):
                        a, b = max(low, low2), min(high, high2)
                        if b - a >= DOOR + 280:
                            found.setdefault((one, other), []).append((axis, at, a, b))
    return found


def _outer(cells: Sequence[Cell], one: int) -> Iterator[Edge]:
    """Stretches of outer wall of a cell that are long enough for an opening."""
    for axis, at, low, high, sign in inner_edges(cells[one].corners):
        free = [(low, high)]
        for other, cell in enumerate(cells):
            if other == one:
                continue
            for axis2, at2, low2, high2, sign2 in inner_edges(cell.corners):
                if (axis, at, -sign) == (axis2, at2, sign2):
                    free = [
                        part
                        for a, b in free
                        for part in ((a, min(b, low2)), (max(a, high2), b))
                        if part[1] > part[0]
                    ]
        for a, b in free:
            if b - a >= DOOR + 280:
                yield axis, at, a, b, sign


def _entrance_edge(
    cells: Sequence[Cell],
    outer: dict[int, list[Edge]],
    scene: SceneKind,
    catalogue: Catalogue,
) -> tuple[int, Edge]:
    """The wall of the entrance: of the corridor or hub, else of a room one may walk through."""
    order = sorted(
        (one for one in range(len(cells)) if outer[one]),
        key=lambda one: (one != 0, not catalogue.rooms[cells[one].kind].lets, one),
    )
    one = order[0]
    if cells[one].kind == scene.corridor:  # its short end
        return one, min(outer[one], key=lambda edge: (edge[3] - edge[2], edge))
    return one, max(outer[one], key=lambda edge: (edge[3] - edge[2], edge))


def _windows(
    rng: np.random.Generator, low: int, high: int, small: bool
) -> Iterator[tuple[int, int]]:
    """Windows in a stretch of outer wall: about one in three metres."""
    long = high - low - 500
    if long < 600:
        return
    count = 1 if small else max(1, round(long / 3000))
    slot = long / count
    for i in range(count):
        most = 900 if small else 1800
        width = _mm(min(rng.uniform(0.45, 0.75) * slot, most))
        if width >= 500 and rng.random() < 0.85:
            start = _mm(low + 250 + slot * i + (slot - width) / 2)
            yield start, start + width
