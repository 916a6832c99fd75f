"""Generates a house from a seed.

:func:`generate` makes a floor plan, furnishes the rooms, adds people and puts objects in places.
The same arguments make the same house, byte for byte: one generator makes all choices, and lengths
are whole millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from homebody.core.ground.seeds import choose
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.arrange import Arranger, PlacedFurniture
from homebody.worlds.house.generation.attention import hand_out, look_around
from homebody.worlds.house.generation.doors import locked_doors, with_keys
from homebody.worlds.house.generation.filling import fill
from homebody.worlds.house.generation.floor_plan import MAX_AROUND, choose_rooms, make_floor_plan
from homebody.worlds.house.generation.floorspace import RoomSpace, room_space
from homebody.worlds.house.generation.furnish import add_extra, follow_rules
from homebody.worlds.house.generation.geometry import WALL, overlap
from homebody.worlds.house.generation.lamps import switch_lamps
from homebody.worlds.house.generation.people import place_people
from homebody.worlds.house.generation.random_draws import sample_weighted
from homebody.worlds.house.generation.small_objects import Stocker, sample_states
from homebody.worlds.house.model import catalogue as catalogue_module
from homebody.worlds.house.model.catalogue import Catalogue, SceneKind, StyleKind
from homebody.worlds.house.model.house import (
    Furniture,
    House,
    Opening,
    Person,
    Pose,
    Room,
    Vector,
)
from homebody.worlds.house.model.receptacles import furniture_receptacles

MAX_ROOMS = 12
MAX_PEOPLE = 1_000
MAX_DENSITY = 2.0
_TRIES = 8
"""Maximum number of attempts, each with a larger house, until everything requested fits."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A request; numbers that are None are sampled."""

    seed: int
    kind: str
    type: str
    furniture: int | None
    things: int | None
    people: int | None
    density: float


def generate(
    seed: int,
    kind: str = "home",
    rooms: int | Sequence[str] | None = None,
    *,
    type: str = "",
    furniture: int | None = None,
    things: int | None = None,
    people: int | None = None,
    density: float = 1.0,
    catalogue: Catalogue | None = None,
) -> House:
    """Make a house.

    Args:
        seed: 0 or more.
        kind: ``home office classroom shop gym restaurant gallery hospital hotel supermarket``, or
            another kind of scene in the catalogue.
        rooms: Number of rooms (1 to 12), or their kinds. If one of the kinds is a corridor, the
            rooms are along it, else around the first room. By default sampled.
        type: Type of a home: ``studio flat family_flat house shared_flat``. By default a type with
            that number of rooms is sampled; a home whose rooms are named has no type.
        furniture: Exact number of pieces of furniture. By default, the rules determine it.
        things: Exact number of objects, including keys. By default it depends on ``density``.
        people: Maximum number of people. Their held objects are not counted in ``things``. By
            default sampled.
        density: Density of objects: 0 bare, 1 lived in, 2 cluttered.
        catalogue: Catalogue to use instead of homebody's.

    Raises:
        HomebodyError: The kind of scene, type or room does not exist, a number is out of range, or
            that many pieces or objects do not fit even into a large house.
    """
    entries = catalogue or catalogue_module.catalogue()
    if kind not in entries.scenes:
        known = " ".join(entries.scenes)
        raise HomebodyError(f"unknown kind of scene: {kind!r}", f"choose one of: {known}")
    scene = entries.scenes[kind]
    if type and type not in scene.types:
        hint = f"choose one of: {' '.join(scene.types)}" if scene.types else "omit the type"
        raise HomebodyError(f"scenes of the kind {kind} have no type {type!r}", hint)
    request = _Request(seed, kind, type, furniture, things, people, density)
    for option in ("seed", "furniture", "things", "people"):
        number = getattr(request, option)
        if number is not None and number < 0:
            raise HomebodyError(f"{option} cannot be negative, got {number}")
    if people is not None and people > MAX_PEOPLE:
        raise HomebodyError(f"a house has at most {MAX_PEOPLE} people, not {people}")
    if not 0 <= density <= MAX_DENSITY:
        raise HomebodyError(f"density is 0 to {MAX_DENSITY:g}, not {density}")
    count = rooms if isinstance(rooms, int) or rooms is None else len(rooms)
    if count is not None and not 1 <= count <= MAX_ROOMS:
        raise HomebodyError(f"a house has 1 to {MAX_ROOMS} rooms, not {count}")
    named = None if isinstance(rooms, int) or rooms is None else _order_rooms(entries, scene, rooms)
    for attempt in range(_TRIES):
        rng = np.random.default_rng([seed, *kind.encode(), attempt])
        if not request.type and named is None and scene.types:
            request = replace(request, type=_sample_type(rng, scene, count))
        own = scene.types[request.type] if request.type else scene
        number = count or int(rng.integers(own.rooms[0], own.rooms[1] + 1))
        kinds = named or choose_rooms(rng, own, number)
        house = _attempt(rng, request, own, kinds, entries, round(1.15**attempt, 9))
        if house is not None:
            return house
    wanted = [
        f"{number} {noun}"
        for number, noun in ((furniture, "pieces of furniture"), (things, "objects"))
        if number is not None
    ]
    raise HomebodyError(
        f"{' and '.join(wanted)} do not fit into {count or number} rooms",
        "request fewer, or more rooms",
    )


def _sample_type(rng: np.random.Generator, scene: SceneKind, count: int | None) -> str:
    """Sample one of the types whose number of rooms is nearest to ``count``."""
    away = {
        name: 0 if count is None else max(kind.rooms[0] - count, count - kind.rooms[1], 0)
        for name, kind in scene.types.items()
    }
    names = [name for name, rooms in away.items() if rooms == min(away.values())]
    return names[sample_weighted(rng, [scene.types[name].weight for name in names])]


def _order_rooms(entries: Catalogue, scene: SceneKind, kinds: Sequence[str]) -> list[str]:
    """Return the requested rooms, a corridor first."""
    for kind in kinds:
        if kind not in entries.rooms:
            raise HomebodyError(
                f"unknown kind of room: {kind!r}", f"choose one of: {' '.join(entries.rooms)}"
            )
    ordered = list(kinds)
    if scene.corridor in ordered:
        ordered.remove(scene.corridor)
        ordered.insert(0, scene.corridor)
    elif len(ordered) > MAX_AROUND:
        hint = f"add a {scene.corridor}"
        raise HomebodyError(f"more than {MAX_AROUND} rooms need a corridor", hint)
    return ordered


def _attempt(
    rng: np.random.Generator,
    request: _Request,
    scene: SceneKind,
    kinds: Sequence[str],
    entries: Catalogue,
    scale: float,
) -> House | None:
    """Return a house, or None if the requested contents do not fit."""
    style = entries.styles[choose(rng, scene.styles)] if scene.styles else None
    rooms, openings = make_floor_plan(rng, scene, kinds, entries, scale * scene.scale, style)
    spaces = [room_space(room, openings) for room in rooms]
    pieces = _furnish(rng, entries, rooms, spaces, request.furniture, style)
    if request.furniture is not None and len(pieces) != request.furniture:
        return None
    placed = _as_furniture(rng, rooms, pieces)
    least, most = scene.people
    wanted = int(rng.integers(least, most + 1)) if request.people is None else request.people
    persons = place_people(rng, entries, rooms, openings, spaces, placed, wanted)
    placed = switch_lamps(entries, rooms, openings, placed, persons)
    occupied = frozenset(person.on for person in persons if person.on)
    stocker = Stocker(rng, entries, rooms, spaces, placed, occupied)
    targets = stocker.targets(request.density, request.things, scene.things)
    openings = _provide_keys(stocker, openings, persons, sum(targets))
    placed = tuple(_provide_key(piece, stocker, sum(targets)) for piece in placed)
    fill(stocker, targets, exactly=request.things is not None)
    if request.things is not None and len(stocker.things) != request.things:
        return None
    house = House(
        request.seed,
        request.kind,
        rooms,
        openings,
        placed,
        tuple(stocker.things),
        persons,
        WALL / 1000,
        request.type,
    )
    house = replace(house, people=look_around(rng, entries, house))
    return replace(house, things=hand_out(rng, entries, house))


def _furnish(
    rng: np.random.Generator,
    entries: Catalogue,
    rooms: Sequence[Room],
    spaces: Sequence[RoomSpace],
    count: int | None,
    style: StyleKind | None,
) -> list[PlacedFurniture]:
    arrangers = [
        Arranger(rng, entries, i, room, space, style)
        for i, (room, space) in enumerate(zip(rooms, spaces, strict=True))
    ]
    for arranger in arrangers:
        follow_rules(arranger)
    total = sum(len(arranger.pieces) for arranger in arrangers)
    full: set[int] = set()
    while count is not None and total < count and len(full) < len(arrangers):
        for i, arranger in enumerate(arrangers):
            if i in full or total >= count:
                continue
            if add_extra(arranger):
                total = sum(len(other.pieces) for other in arrangers)
            else:
                full.add(i)
    pieces = [piece for arranger in arrangers for piece in arranger.pieces]
    while count is not None and len(pieces) > count:  # remove the least important and latest
        worst = max(range(len(pieces)), key=lambda i: (pieces[i].rank, i))
        gone = pieces.pop(worst)
        space = spaces[gone.room]
        if gone.rect in space.solids:  # so that others may use the space
            space.solids.remove(gone.rect)
    return pieces


def _as_furniture(
    rng: np.random.Generator, rooms: Sequence[Room], pieces: Sequence[PlacedFurniture]
) -> tuple[Furniture, ...]:
    counts: dict[str, int] = {}
    furniture = []
    for piece in pieces:
        name = piece.kind.name
        number = counts[name] = counts.get(name, -1) + 1
        size: Vector = (piece.size[0] / 1000, piece.size[1] / 1000, piece.size[2] / 1000)
        x, y = piece.centre
        pose = Pose((x / 1000, y / 1000, piece.bottom / 1000), float(piece.yaw))
        near = [
            _relative(piece, other)
            for other in pieces
            if other is not piece and _is_close(piece, other)
        ]
        furniture.append(
            Furniture(
                name=f"{name}_{number}",
                category=name,
                room=rooms[piece.room].name,
                pose=pose,
                size=size,
                receptacles=furniture_receptacles(piece.kind, size, near),
                style=piece.style,
                states=sample_states(rng, piece.kind.likely),
                material=_material(piece),
            )
        )
    return tuple(furniture)


def _material(piece: PlacedFurniture) -> str:
    """Return the first material that a category has in the given colour, so that matching pieces
    look the same."""
    main = next(iter(piece.style.values()), None)
    return next(iter(piece.kind.made_of.get(main, ())), "") if main else ""


def _is_close(piece: PlacedFurniture, other: PlacedFurniture) -> bool:
    return (
        piece.room == other.room and other.kind.mount != "rug" and overlap(piece.rect, other.rect)
    )


def _relative(piece: PlacedFurniture, other: PlacedFurniture) -> tuple[Vector, Vector]:
    """Return the box of one piece in the frame of another, in metres."""
    x0, y0, x1, y1 = other.rect
    cx, cy = piece.centre
    corners = [(x0 - cx, y0 - cy), (x1 - cx, y1 - cy)]
    for _ in range(piece.yaw // 90 % 4):  # undo the turn
        corners = [(y, -x) for x, y in corners]
    (ax, ay), (bx, by) = corners
    low = other.bottom - piece.bottom
    return (
        (min(ax, bx) / 1000, min(ay, by) / 1000, low / 1000),
        (max(ax, bx) / 1000, max(ay, by) / 1000, (low + other.size[2]) / 1000),
    )


def _provide_keys(
    stocker: Stocker, openings: Sequence[Opening], people: Sequence[Person], total: int
) -> tuple[Opening, ...]:
    """Put the keys of locked doors outside the locked rooms, or unlock the doors."""
    inside = {person.room for person in people}
    locked = {door: room for door, room in locked_doors(openings).items() if room not in inside}
    stocker.lock(locked.values())
    keys = {}
    for door in locked:
        keys[door] = stocker.add_key() if len(stocker.things) < total else ""
    return with_keys(openings, keys)


def _provide_key(piece: Furniture, stocker: Stocker, total: int) -> Furniture:
    """Give a locked piece a key; unlock it if there is no place for one."""
    if not piece.states.get("locked"):
        return piece
    key = stocker.add_key() if len(stocker.things) < total else ""
    if key:
        return replace(piece, key=key)
    return replace(piece, states={**piece.states, "locked": False})
