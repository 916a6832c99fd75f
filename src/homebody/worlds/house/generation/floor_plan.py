"""Floor plans: rooms, doorways, windows and an entrance.

If there are few rooms, they are around a hub (the living room). If there are many, they are in two
rows along a corridor.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homebody.core.ground.seeds import choose
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.doors import hang_doors
from homebody.worlds.house.generation.geometry import WALL, Corner
from homebody.worlds.house.generation.layout import lay_out
from homebody.worlds.house.generation.openings import (
    OWN,
    Cell,
    count_astray,
    is_connected,
    make_openings,
    shared_walls,
)
from homebody.worlds.house.generation.random_draws import sample_between, sample_weighted
from homebody.worlds.house.model.catalogue import Catalogue, SceneKind, StyleKind
from homebody.worlds.house.model.house import Opening, Room

_MANY = 6
"""Minimum number of rooms of a floor plan with a corridor."""
MAX_AROUND = 6
"""Maximum number of rooms around a hub. If there are more, the plan has a corridor."""
_LAYOUTS = 20
"""Attempts to find a layout with connected rooms."""
_MORE_LAYOUTS = 60
"""Number of attempts to find a layout in which all rooms are next to their owners (a hotel
bathroom to its room).
"""


def choose_rooms(rng: np.random.Generator, scene: SceneKind, count: int) -> list[str]:
    """Sample kinds of rooms for a scene, the hub or corridor first.

    Args:
        rng: Random generator.
        scene: The kind of scene. Its ``first`` rooms come first, the others are sampled.
        count: Number of rooms, at least 1.
    """
    if count == 1:
        return [scene.single]
    hub = scene.corridor if _has_corridor(scene, count) else scene.hub
    if count == 2 and hub == scene.corridor:
        hub = scene.first[0]
    kinds_chosen = [hub]
    for kind in scene.first:
        if kind != hub or kinds_chosen.count(kind) < scene.first.count(kind):
            kinds_chosen.append(kind)
    if hub in scene.first:
        kinds_chosen.remove(hub)
        kinds_chosen.insert(0, hub)
    while len(kinds_chosen) < count:
        most = scene.most
        kinds = [kind for kind in scene.then if kinds_chosen.count(kind) < most.get(kind, 1)]
        if not kinds:  # all used: repeat kinds that may occur often
            kinds = [kind for kind in scene.then if most.get(kind, 1) > 1] or list(scene.then)
        kinds_chosen.append(kinds[sample_weighted(rng, [scene.then[kind] for kind in kinds])])
    return _balance_owned(scene, kinds_chosen[:count])


def _balance_owned(scene: SceneKind, kinds: list[str]) -> list[str]:
    """Replace rooms until each owned room has an owner, and each owner its room."""
    for own, owner in OWN.items():
        if owner in kinds and len(kinds) == 2:
            return [owner, own]
        others = [kind for kind in scene.then if kind not in (own, owner)]
        while kinds.count(own) != kinds.count(owner):
            many = max((own, owner), key=kinds.count)
            last = len(kinds) - 1 - kinds[::-1].index(many)
            kinds[last] = min(others, key=kinds.count)
    return kinds


def make_floor_plan(
    rng: np.random.Generator,
    scene: SceneKind,
    kinds: Sequence[str],
    catalogue: Catalogue,
    scale: float = 1.0,
    style: StyleKind | None = None,
) -> tuple[tuple[Room, ...], tuple[Opening, ...]]:
    """Lay out rooms of the given kinds.

    Args:
        rng: Random generator.
        scene: The kind of scene. It states which rooms are joined and which kind is a corridor.
        kinds: Kinds of rooms; the first is the hub or corridor.
        catalogue: Areas, sides and looks of rooms.
        scale: Factor of all areas.
        style: Style of the whole house, if any.

    Returns:
        Rooms in the order of ``kinds``, and all openings; each room can be reached.

    Raises:
        HomebodyError: No layout was found.
    """
    rooms = [catalogue.rooms[kind] for kind in kinds]
    best: tuple[int, list[Cell]] | None = None
    for tried in range(_MORE_LAYOUTS):
        if tried >= _LAYOUTS and (best is None or OWN.keys().isdisjoint(kinds)):
            break
        areas = [round(sample_between(rng, *room.area) * scale * 1e6) for room in rooms]
        shapes = lay_out(rng, scene, kinds, rooms, areas)
        cells = [Cell(kind, shape) for kind, shape in zip(kinds, shapes, strict=True)]
        shared = shared_walls(cells)
        if is_connected(len(cells), shared):
            lost = count_astray(cells, shared, scene)
            if best is None or lost < best[0]:
                best = lost, cells
            if not lost:
                break
    if best is None:
        raise HomebodyError(f"no plan found for {' '.join(kinds)}", "request other rooms")
    cells = best[1]
    made = _rooms(rng, cells, scene, catalogue, style)
    openings = tuple(make_openings(rng, cells, made, scene, catalogue))
    return made, hang_doors(rng, made, openings, catalogue)


def _has_corridor(scene: SceneKind, count: int) -> bool:
    return count >= _MANY or (scene.hub == scene.corridor and count >= 3)


def _rooms(
    rng: np.random.Generator,
    cells: Sequence[Cell],
    scene: SceneKind,
    catalogue: Catalogue,
    style: StyleKind | None,
) -> tuple[Room, ...]:
    seen: dict[str, int] = {}
    rooms = []
    for cell in cells:
        kind = catalogue.rooms[cell.kind]
        number = seen[cell.kind] = seen.get(cell.kind, -1) + 1
        floors = [floor for floor in kind.floors if style and floor in style.floors] or kind.floors
        floor = choose(rng, floors)
        walls = choose(rng, kind.walls)
        coverings = kind.coverings
        if style:
            coverings = tuple(name for name in style.coverings if name in coverings) or coverings
        covering = choose(rng, coverings)
        outline = tuple((x / 1000, y / 1000) for x, y in _inset(cell.corners))
        name = f"{cell.kind}_{number}"
        rooms.append(Room(name, cell.kind, outline, scene.height, floor, walls, covering))
    return tuple(rooms)


def _inset(corners: Sequence[Corner]) -> list[Corner]:
    """Return the outline moved inwards by half a wall."""
    moved = []
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
        moved.append((x, y))
    return moved
