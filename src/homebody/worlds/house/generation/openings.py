"""Doorways, windows and the entrance of a floor plan.

Lengths are whole millimetres, heights metres. A *cell* is a room including half of its walls.
Adjacent cells share an edge along the middle of a wall.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.generation.geometry import Corner, Edge, to_centimetres
from homebody.worlds.house.generation.random_draws import sample_between
from homebody.worlds.house.model.catalogue import Catalogue, SceneKind
from homebody.worlds.house.model.house import Opening, Point, Room
from homebody.worlds.house.model.outlines import edges_of

DOOR = 900
WIDE_DOOR = 1400
DOOR_TOP = 2.1
"""Height of openings in metres."""
_SMALL = 12
"""Maximum area in square metres of kinds of rooms that have a single window."""
_HIGH_WINDOWS = ("bathroom", "guest_bathroom", "hotel_bathroom", "restroom")
_OPEN = 0.5
"""Maximum share of doorways with a leaf for which a kind of room may have a wide doorway."""
OWN = {"hotel_bathroom": "hotel_room"}
"""Kind of an owned room -> kind of its owner. Each owner has one such room, which can only be
entered from it."""

Stretch: TypeAlias = tuple[int, int, int, int]
"""Part of a wall: axis (0: x is constant), coordinate, low end, high end."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A planned room: its kind, and its corners counter-clockwise, in the middle of walls."""

    kind: str
    corners: tuple[Corner, ...]


def make_openings(
    rng: np.random.Generator,
    cells: Sequence[Cell],
    rooms: Sequence[Room],
    scene: SceneKind,
    catalogue: Catalogue,
) -> Iterator[Opening]:
    """Yield doorways that connect all rooms, the entrance, and windows. The cells are in the order
    of the rooms."""
    shared = shared_walls(cells)
    pairs = _doorways(rng, cells, shared, scene, catalogue)
    for count, (room, other, wide) in enumerate(pairs):
        axis, at, low, high = max(shared[room, other], key=lambda edge: edge[3] - edge[2])
        width = min(WIDE_DOOR if wide else DOOR, (high - low - 260) // 20 * 20)
        start = _door_at(rng, low, high, width)
        ends = _ends(axis, at, start, start + width)
        names = rooms[room].name, rooms[other].name
        yield Opening(f"doorway_{count}", "doorway", names, *ends, 0.0, DOOR_TOP)
    outer = {room: list(_outer(cells, room)) for room in range(len(cells))}
    taken = _entrance_edge(cells, outer, scene, catalogue)
    room, (axis, at, low, high, _) = taken
    middle = (low + high) // 20 * 10
    if high - low > 2600:  # not in the middle of a long wall
        middle = to_centimetres(low + (high - low) * (0.3 if rng.random() < 0.5 else 0.7))
    ends = _ends(axis, at, middle - DOOR // 2, middle + DOOR // 2)
    yield Opening("entrance_0", "entrance", (rooms[room].name,), *ends, 0.0, DOOR_TOP)
    count = 0
    for room, cell in enumerate(cells):
        kind = catalogue.rooms[cell.kind]
        if not kind.windows:
            continue
        before = count
        gate = _garage_door(rooms[room], outer[room], round(1000 * kind.garage_door), taken[1])
        if gate:
            yield gate[1]
        for edge in outer[room]:
            axis, at, low, high, _ = edge
            if gate and edge == gate[0]:
                continue
            if (room, edge) == taken:
                low, high = max(
                    (low, middle - 700), (middle + 700, high), key=lambda s: s[1] - s[0]
                )
            small = kind.area[1] < _SMALL
            for start, end in _windows(rng, low, high, small):
                bottom = 1.45 if cell.kind in _HIGH_WINDOWS else 1.05
                ends = _ends(axis, at, start, end)
                yield Opening(
                    f"window_{count}", "window", (rooms[room].name,), *ends, bottom, DOOR_TOP
                )
                count += 1
            if small and count > before:
                break


def _garage_door(
    room: Room, outer: Sequence[Edge], width: int, taken: Edge
) -> tuple[Edge, Opening] | None:
    """Return a door for cars and its outer wall, the shortest possible: cars stand along it."""
    edges = [edge for edge in outer if edge != taken and edge[3] - edge[2] >= width + 280]
    if not width or not edges:
        return None
    edge = axis, at, low, high, _ = min(edges, key=lambda edge: (edge[3] - edge[2], edge))
    start = (low + high - width) // 20 * 10
    number = room.name.rpartition("_")[2]
    ends = _ends(axis, at, start, start + width)
    name = f"garage_door_{number}"
    return edge, Opening(name, "garage_door", (room.name,), *ends, 0.0, DOOR_TOP)


def owners_of(
    cells: Sequence[Cell], shared: Mapping[tuple[int, int], Sequence[Stretch]]
) -> dict[int, int]:
    """Return a mapping from owned cells to adjacent owners, for as many cells as possible. Each
    owner is used once."""
    beside: dict[int, list[int]] = {i: [] for i, cell in enumerate(cells) if cell.kind in OWN}
    for pair in shared:
        for one, other in (pair, pair[::-1]):
            if one in beside and cells[other].kind == OWN[cells[one].kind]:
                beside[one].append(other)
    owned: dict[int, int] = {}

    # An owner may pass its room on to another, as in bipartite matching.
    def assign(room: int, passed: set[int]) -> bool:
        for owner in beside[room]:
            if owner not in passed:
                passed.add(owner)
                if owner not in owned or assign(owned[owner], passed):
                    owned[owner] = room
                    return True
        return False

    for room in beside:
        assign(room, set())
    return {room: owner for owner, room in owned.items()}


def count_astray(
    cells: Sequence[Cell], shared: Mapping[tuple[int, int], Sequence[Stretch]], scene: SceneKind
) -> int:
    """Return the number of owned cells without an adjacent owner.

    If some room can only be reached through an owned cell, or by a doorway between kinds that the
    scene separates, the number of all cells is added.
    """
    owners = owners_of(cells, shared)
    own = [room for room, cell in enumerate(cells) if cell.kind in OWN]
    through = [
        pair
        for pair in shared
        if not scene.separates(*(cells[room].kind for room in pair))
        and all(room not in own or owners.get(room) in pair for room in pair)
    ]
    return len(own) - len(owners) + (0 if is_connected(len(cells), through) else len(cells))


def is_connected(count: int, pairs: Iterable[tuple[int, int]]) -> bool:
    """Return whether all rooms are connected by walls with room for a doorway."""
    groups = list(range(count))
    for room, other in pairs:
        old, new = groups[room], groups[other]
        groups = [new if group == old else group for group in groups]
    return len(set(groups)) == 1


def _ends(axis: int, at: int, low: int, high: int) -> tuple[Point, Point]:
    if axis == 0:
        return (at / 1000, low / 1000), (at / 1000, high / 1000)
    return (low / 1000, at / 1000), (high / 1000, at / 1000)


def _door_at(rng: np.random.Generator, low: int, high: int, width: int) -> int:
    """Sample the start of a doorway, near one end of the wall to leave room for furniture."""
    margin = min(160, (high - low - width) // 2)
    where = rng.random()
    if where < 0.4:
        return low + margin
    if where < 0.8:
        return high - margin - width
    return to_centimetres((low + high - width) / 2)


def _doorways(
    rng: np.random.Generator,
    cells: Sequence[Cell],
    shared: dict[tuple[int, int], list[Stretch]],
    scene: SceneKind,
    catalogue: Catalogue,
) -> Iterator[tuple[int, int, bool]]:
    """Yield pairs of rooms with a doorway: a tree from the hub, and joined rooms."""

    def is_open(*kinds: str) -> bool:
        return all(catalogue.door_of(kind).leaf < _OPEN for kind in kinds)

    owners = owners_of(cells, shared)
    reached = [0]
    done = set()
    while len(reached) < len(cells):
        options = [
            (
                _is_strange(cells, owners, room, other)
                or scene.separates(cells[room].kind, cells[other].kind),
                not catalogue.rooms[cells[room].kind].lets,
                reached.index(room),
                other,
                room,
            )
            for room in reached
            for other in range(len(cells))
            if other not in reached and (min(room, other), max(room, other)) in shared
        ]
        *_, other, room = min(options)
        reached.append(other)
        pair = min(room, other), max(room, other)
        done.add(pair)
        kinds = cells[room].kind, cells[other].kind
        yield *pair, scene.joins(*kinds) and is_open(*kinds) and rng.random() < 0.5
    for room, other in shared:
        kinds = cells[room].kind, cells[other].kind
        is_owned = any(cells[each].kind in OWN for each in (room, other))
        if (
            (room, other) not in done
            and not is_owned
            and scene.joins(*kinds)
            and rng.random() < 0.7
        ):
            yield room, other, is_open(*kinds) and rng.random() < 0.6


def _is_strange(cells: Sequence[Cell], owners: Mapping[int, int], room: int, other: int) -> bool:
    """Return whether an owned cell would get a doorway to another room than its owner."""
    return any(
        cells[one].kind in OWN and owners.get(one, two) != two
        for one, two in ((room, other), (other, room))
    )


def shared_walls(cells: Sequence[Cell]) -> dict[tuple[int, int], list[Stretch]]:
    """Return pair of cells -> stretches of wall between them long enough for a doorway."""
    edges = [list(edges_of(cell.corners)) for cell in cells]
    stretches: dict[tuple[int, int], list[Stretch]] = {}
    for room in range(len(cells)):
        for other in range(room + 1, len(cells)):
            for axis, at, low, high, sign in edges[room]:
                for axis2, at2, low2, high2, sign2 in edges[other]:
                    if (axis, at, -sign) == (axis2, at2, sign2):
                        a, b = max(low, low2), min(high, high2)
                        if b - a >= DOOR + 280:
                            stretches.setdefault((room, other), []).append((axis, at, a, b))
    return stretches


def _outer(cells: Sequence[Cell], room: int) -> Iterator[Edge]:
    """Yield stretches of outer wall of a cell that are long enough for an opening."""
    for axis, at, low, high, sign in edges_of(cells[room].corners):
        free = [(low, high)]
        for other, cell in enumerate(cells):
            if other == room:
                continue
            for axis2, at2, low2, high2, sign2 in edges_of(cell.corners):
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
    """Return the wall with the entrance. It belongs to a room that the scene names, the corridor or
    hub, or else to a room through which people walk anyway."""
    named = {kind: order for order, kind in enumerate(scene.entrances)}
    order = sorted(
        (room for room in range(len(cells)) if outer[room]),
        key=lambda room: (
            named.get(cells[room].kind, len(named)),
            room != 0,
            not catalogue.rooms[cells[room].kind].lets,
            room,
        ),
    )
    room = order[0]
    if cells[room].kind == scene.corridor:  # its short end
        return room, min(outer[room], key=lambda edge: (edge[3] - edge[2], edge))
    return room, max(outer[room], key=lambda edge: (edge[3] - edge[2], edge))


def _windows(
    rng: np.random.Generator, low: int, high: int, small: bool
) -> Iterator[tuple[int, int]]:
    """Yield windows in a stretch of outer wall, about one per three metres."""
    long = high - low - 500
    if long < 600:
        return
    count = 1 if small else max(1, round(long / 3000))
    slot = long / count
    for i in range(count):
        most = 900 if small else 1800
        width = to_centimetres(min(sample_between(rng, 0.45, 0.75) * slot, most))
        if width >= 500 and rng.random() < 0.85:
            start = to_centimetres(low + 250 + slot * i + (slot - width) / 2)
            yield start, start + width
