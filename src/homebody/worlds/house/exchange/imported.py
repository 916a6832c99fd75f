"""Imported scenes, and their conversion to houses.

Readers (:mod:`.procthor`, :mod:`.habitat`) return rooms as polygons and objects as boxes, in the
frame of houses. :func:`build` converts them to a :class:`.House` and reports the differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from homebody.core.ground.escaping import escape
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.exchange.categories import Category, category_of, room_kind
from homebody.worlds.house.exchange.floors import WALL, outline_of
from homebody.worlds.house.exchange.hanging import hang
from homebody.worlds.house.exchange.settling import settle
from homebody.worlds.house.io import files
from homebody.worlds.house.model.catalogue import STATE_OF, Catalogue, catalogue
from homebody.worlds.house.model.house import (
    Colours,
    Furniture,
    House,
    Opening,
    Point,
    Pose,
    Receptacle,
    Room,
    Thing,
    Vector,
    box_at,
    to_world,
)
from homebody.worlds.house.model.outlines import gap, parts_of
from homebody.worlds.house.model.receptacles import furniture_receptacles, thing_receptacles

STANDS = 0.08
"""Maximum distance in metres from the bottom of an object to the surface that carries it."""
AT_WALL = 0.25
"""Maximum distance in metres from a room to the centre of an object that belongs to it, such as an
object on a wall or in an alcove.
"""
MAX_WALL = 0.6
"""Maximum distance in metres between rooms that an opening joins."""
SMALL = 0.6
"""Maximum length in metres of an object of unknown category. Longer items are furniture."""
LAMP = "ceiling_lamp"
_HEADROOM = 0.4
"""Free height in metres above a surface that is not in the catalogue."""


@dataclass(frozen=True, slots=True)
class ImportedRoom:
    """A room: its name and type in the file, the corners of its floor, its height."""

    identifier: str
    type: str
    polygon: tuple[Point, ...]
    height: float


@dataclass(frozen=True, slots=True)
class ImportedBox:
    """An object or piece of furniture.

    Attributes:
        identifier: Unique identifier in the file.
        type: Type in the file: ``DiningTable``, ``dining table``.
        centre: Centre of its box.
        size: Width, depth, height before turning.
        yaw: Degrees.
        movable: True if it can be picked up; None if unknown.
        states: The states in the file.
        parent: Identifier of its bearer, if the file states it.
    """

    identifier: str
    type: str
    centre: Vector
    size: Vector
    yaw: float = 0.0
    movable: bool | None = None
    states: Mapping[str, bool] = field(default_factory=dict)
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """The result of a reader. Openings name rooms by their identifiers."""

    rooms: tuple[ImportedRoom, ...]
    openings: tuple[Opening, ...]
    boxes: tuple[ImportedBox, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """A house made of an imported scene.

    Attributes:
        house: The house.
        notes: Differences from the file, in sentences.
        names: Identifier in the file -> name in the house.
        meshes: Name in the house -> file of its own mesh, if any.
    """

    house: House
    notes: tuple[str, ...]
    names: Mapping[str, str]
    meshes: Mapping[str, Path] = field(default_factory=dict)


def build(scene: Scene, source: Path) -> Imported:
    """Convert a scene to a house.

    Args:
        scene: Scene from a reader.
        source: Its file, whose name the house keeps.

    Raises:
        HomebodyError: There are no rooms, or the house is not valid (too large, too many objects).
    """
    entries = catalogue()
    for kind_of, items in (("room", scene.rooms), ("thing", scene.boxes)):
        counts = Counter(item.identifier for item in items)
        twice = next((name for name, count in counts.items() if count > 1), None)
        if twice is not None:
            raise HomebodyError(f"two {kind_of}s have the identifier {escape(twice[:80])}")
    rooms, room_names = _rooms(scene, entries)
    if not rooms:
        raise HomebodyError("the scene has no rooms")
    has_window = {
        room_names[name]
        for opening in scene.openings
        if opening.kind == "window"
        for name in opening.rooms
        if name in room_names
    }
    builder = _Builder(entries, rooms, {room.name for room in rooms} - has_window)
    for box in scene.boxes:
        builder.classify(box)
    builder.add_furniture()
    builder.add_lamps()
    builder.add_things()
    openings = tuple(
        replace(
            opening,
            rooms=tuple(room_names[name] for name in opening.rooms),
            swings_into=room_names.get(opening.swings_into, ""),
        )
        for opening in scene.openings
        if all(name in room_names for name in opening.rooms)
    )
    house = House(
        seed=0,
        kind="home",
        source=escape(source.name)[-80:],
        rooms=rooms,
        openings=openings,
        furniture=tuple(builder.furniture.values()),
        things=tuple(
            builder.things[name]
            for box in scene.boxes
            if (name := builder.names.get(box.identifier)) in builder.things
        ),
        wall=_wall(rooms, openings),
    )
    house = files.decode(files.encode(house))  # checks the limits of houses
    house, settled = settle(house, entries)
    house, without = hang(house)
    house = files.decode(files.encode(house))
    closed = len(scene.openings) - len(openings)
    notes = (*scene.notes, *builder.notes(closed, without), *settled)
    return Imported(house, notes, room_names | builder.names)


def _rooms(scene: Scene, entries: Catalogue) -> tuple[tuple[Room, ...], dict[str, str]]:
    rooms, names = [], dict[str, str]()
    counts: Counter[str] = Counter()
    for imported in scene.rooms:
        kind = room_kind(imported.type, entries)
        names[imported.identifier] = name = f"{kind}_{counts[kind]}"
        counts[kind] += 1
        look = entries.rooms[kind]
        outline = outline_of(imported.polygon)
        height = round(imported.height, 3)
        rooms.append(Room(name, kind, outline, height, look.floors[0], look.walls[0]))
    return tuple(rooms), names


def _wall(rooms: Sequence[Room], openings: Sequence[Opening]) -> float:
    """Return a thickness of walls with which each opening reaches both of its rooms."""
    parts = {room.name: parts_of(room) for room in rooms}
    far = 0.0
    for opening in openings:
        if opening.is_passage:
            middle = opening.middle
            for name in opening.rooms:
                far = max(far, min(gap((*middle, *middle), part) for part in parts[name]))
    return round(min(max(WALL, 2 * far), MAX_WALL), 3)


class _Builder:
    """Adds furniture, then the objects on it. Lamps are on in the rooms of ``lit``, which have
    no window."""

    def __init__(self, entries: Catalogue, rooms: Sequence[Room], lit: Collection[str]) -> None:
        self.entries = entries
        self.rooms = rooms
        self.lit = lit
        self.furniture: dict[str, Furniture] = {}
        self.things: dict[str, Thing] = {}
        self._containers: list[Thing] = []
        self.names: dict[str, str] = {}
        self._pieces: list[tuple[ImportedBox, Category, Room]] = []
        self._loose: list[tuple[ImportedBox, Category, Room]] = []
        self._counts: Counter[str] = Counter()
        self._outside: list[str] = []
        self._turned = self._lamps = 0
        self._in_the_air: list[str] = []
        self._unknown: Counter[str] = Counter()

    def classify(self, box: ImportedBox) -> None:
        """Record whether a box is furniture or an object, and its room."""
        category = category_of(box.type, self.entries)
        x, y, _ = box.centre
        far, room = min(
            ((min(gap((x, y, x, y), part) for part in parts_of(r)), r) for r in self.rooms),
            key=lambda option: option[0],
        )
        if far > AT_WALL:
            self._outside.append(box.identifier)
            return
        if not category.is_known:
            self._unknown[box.type] += 1
        small = max(box.size) <= SMALL
        movable = small if box.movable is None else box.movable
        is_thing = category.of == "things" or (category.of == "" and movable)
        (self._loose if is_thing else self._pieces).append((box, category, room))

    def add_furniture(self) -> None:
        """Add all furniture, with the receptacles of its category."""
        for box, category, room in self._pieces:
            size, yaw = self._align(box)
            kind = self.entries.furniture.get(category.name)
            x, y, z = box.centre
            affords = kind.affords if kind is not None else ()
            name = self._assign_name(box, category.name)
            self.furniture[name] = Furniture(
                name=name,
                category=category.name,
                room=room.name,
                pose=Pose((x, y, max(0.0, z - size[2] / 2)), yaw),
                size=size,
                receptacles=furniture_receptacles(kind, size) if kind is not None else (),
                style=_style(kind.style) if kind is not None else {},
                states=_states(affords, box.states, room.name in self.lit),
            )

    def add_lamps(self) -> None:
        """Add a ceiling lamp to each room that has none."""
        kind = self.entries.furniture[LAMP]
        w, d, h = (low for low, _ in kind.size)
        bright = {
            piece.room
            for piece in self.furniture.values()
            if (known := self.entries.furniture.get(piece.category)) and known.mount == "ceiling"
        }
        for room in self.rooms:
            if room.name not in bright:
                x0, y0, x1, y1 = max(parts_of(room), key=lambda p: (p[2] - p[0]) * (p[3] - p[1]))
                x, y = (x0 + x1) / 2, (y0 + y1) / 2
                name = f"{LAMP}_{self._counts[LAMP]}"
                self._counts[LAMP] += 1
                self._lamps += 1
                self.furniture[name] = Furniture(
                    name=name,
                    category=LAMP,
                    room=room.name,
                    pose=Pose((round(x, 3), round(y, 3), round(room.height - h, 3))),
                    size=(w, d, h),
                    style=_style(kind.style),
                    states=_states(kind.affords, {}, room.name in self.lit),
                )

    def add_things(self) -> None:
        """Add all objects; objects that carry others come first."""
        waiting = sorted(self._loose, key=self._is_full)
        while waiting:
            later = []
            for item in waiting:
                parent = item[0].parent
                ready = parent in self.names or not any(b.identifier == parent for b, *_ in waiting)
                if ready:
                    self._add_thing(*item)
                else:
                    later.append(item)
            if len(later) == len(waiting):  # a cycle
                for item in later:
                    self._add_thing(replace(item[0], parent=""), *item[1:])
                return
            waiting = later

    def notes(self, closed: int, without: int) -> list[str]:
        """Return the differences from the file."""
        notes = []
        if self._outside:
            notes.append(
                f"{format_count(len(self._outside), 'thing')} in no room omitted:"
                f" {_list_names(self._outside)}"
            )
        if self._unknown:
            notes.append(
                f"not in homebody's catalogue, so without affordances:"
                f" {format_count(len(self._unknown), 'category', 'categories')},"
                f" {_list_names(self._unknown)}"
            )
        if self._turned:
            notes.append(
                f"{format_count(self._turned, 'piece')} of furniture at an angle, replaced by boxes"
                " parallel to the axes"
            )
        if self._in_the_air:
            notes.append(
                f"{format_count(len(self._in_the_air), 'object')} without support in the file,"
                f" put on the floor: {_list_names(self._in_the_air)}"
            )
        if self._lamps:
            notes.append(f"{format_count(self._lamps, 'ceiling lamp')} added to rooms without one")
        if closed:
            notes.append(f"{format_count(closed, 'opening')} of missing rooms omitted")
        if without:
            notes.append(f"{format_count(without, 'door')} without a leaf: furniture is in the way")
        return notes

    # -- private ----------------------------------------------------------------------------------

    def _is_full(self, item: tuple[ImportedBox, Category, Room]) -> bool:
        """Return whether an object is no container."""
        kind = self.entries.things.get(item[1].name)
        return kind is None or kind.inside is None

    def _assign_name(self, box: ImportedBox, category: str) -> str:
        name = f"{category}_{self._counts[category]}"
        self._counts[category] += 1
        self.names[box.identifier] = name
        return name

    def _align(self, box: ImportedBox) -> tuple[Vector, float]:
        """Return size and yaw of a piece of furniture after turning it to a multiple of 90
        degrees."""
        quarter = round(box.yaw / 90) * 90.0
        off = box.yaw - quarter
        if abs(off) > 1.0:
            self._turned += 1
            turned = box_at(Pose((0.0, 0.0, 0.0), off), box.size).size
            return _lengths(turned), quarter % 360
        return _lengths(box.size), quarter % 360

    def _add_thing(self, box: ImportedBox, category: Category, room: Room) -> None:
        kind = self.entries.things.get(category.name)
        size = _lengths(box.size)
        x, y, z = box.centre
        pose = Pose((x, y, max(0.0, z - size[2] / 2)), round(box.yaw % 360, 1))
        affords = kind.affords if kind is not None else ()
        place = self._place(box, pose, room)
        name = self._assign_name(box, category.name)
        self.things[name] = Thing(
            name=name,
            category=category.name,
            size=size,
            pose=pose,
            place=place,
            style=_style(kind.style) if kind is not None else {},
            states=_states(affords, box.states, room.name in self.lit),
            receptacles=thing_receptacles(kind, size) if kind is not None else (),
        )
        if self.things[name].receptacles:
            self._containers.append(self.things[name])

    def _place(self, box: ImportedBox, pose: Pose, room: Room) -> tuple[str, str]:
        """Return the bearer of an object: the one in the file or, if the file has none, the object
        or furniture below."""
        owner = self.names.get(box.parent, "")
        if owner in self.things:
            if self.things[owner].receptacles:
                return owner, self.things[owner].receptacles[0].name
            return self.things[owner].place  # stacked: the bearer of the lower one
        candidates = (
            [self.furniture[owner]]
            if owner in self.furniture
            else [piece for piece in self.furniture.values() if piece.room == room.name]
        )
        if owner not in self.furniture and (container := self._container_at(pose)):
            return container
        x, y, z = pose.position
        best: tuple[float, str, str] | None = None
        for piece in candidates:
            for receptacle in piece.receptacles:
                low, high = _in_house(piece, receptacle)
                inside = low[0] <= x <= high[0] and low[1] <= y <= high[1]
                off = abs(z - low[2])
                if inside and off <= STANDS and (best is None or off < best[0]):
                    best = off, piece.name, receptacle.name
        if best is not None:
            return best[1], best[2]
        if z <= STANDS and owner not in self.furniture:
            return room.floor_name, ""
        below = [p for p in candidates if _is_over(p, pose) and z >= p.pose.position[2] - STANDS]
        if owner in self.furniture and not below:
            below = candidates
        if below:
            piece = max(below, key=lambda p: p.pose.position[2] + p.size[2])
            if owner in self.furniture or z <= piece.pose.position[2] + piece.size[2] + STANDS:
                return piece.name, self._new_surface(piece, z)
        self._in_the_air.append(box.identifier)
        return room.floor_name, ""

    def _container_at(self, pose: Pose) -> tuple[str, str] | None:
        """Return the container in which an object is, if any."""
        x, y, z = pose.position
        for thing in self._containers:
            a, b, c = thing.pose.position
            if abs(x - a) + abs(y - b) < 2 * max(thing.size):
                back = Pose((0.0, 0.0, 0.0), -thing.pose.yaw)
                own = to_world(back, (x - a, y - b, 0.0))
                for space in thing.receptacles:
                    is_over = all(space.low[i] <= own[i] <= space.high[i] for i in (0, 1))
                    if is_over and abs(z - c - space.low[2]) <= STANDS:
                        return thing.name, space.name
        return None

    def _new_surface(self, piece: Furniture, z: float) -> str:
        """Return a surface at a height that is not in the catalogue. It is added only once."""
        height = round(max(0.0, z - piece.pose.position[2]), 3)
        known = [r for r in piece.receptacles if abs(r.low[2] - height) <= STANDS]
        if known:
            return known[0].name
        name = f"surface_{sum(r.name.startswith('surface_') for r in piece.receptacles)}"
        w, d, _ = piece.size
        surface = Receptacle(
            name,
            "on",
            (round(-w / 2, 3), round(-d / 2, 3), height),
            (round(w / 2, 3), round(d / 2, 3), round(height + _HEADROOM, 3)),
        )
        self.furniture[piece.name] = replace(piece, receptacles=(*piece.receptacles, surface))
        return name


def _lengths(size: Vector) -> Vector:
    w, d, h = (max(0.001, round(side, 3)) for side in size)
    return w, d, h


def _style(style: Mapping[str, Sequence[tuple[float, float, float]]]) -> Colours:
    return {part: palette[0] for part, palette in style.items()}


def _states(affords: Sequence[str], given: Mapping[str, bool], lit: bool) -> dict[str, bool]:
    """Return the states that a category affords, with values from the file or else defaults.

    Defaults: shut, off, clean, empty, unlocked; lamps are on if ``lit``.
    """
    states = {STATE_OF[name]: STATE_OF[name] == "clean" for name in affords if name in STATE_OF}
    if lit and "light" in affords and "powered_on" in states:
        states["powered_on"] = True
    return states | {name: value for name, value in given.items() if name in states}


def _in_house(piece: Furniture, receptacle: Receptacle) -> tuple[Vector, Vector]:
    a, b = to_world(piece.pose, receptacle.low), to_world(piece.pose, receptacle.high)
    return (
        (min(a[0], b[0]), min(a[1], b[1]), a[2]),
        (max(a[0], b[0]), max(a[1], b[1]), b[2]),
    )


def _is_over(piece: Furniture, pose: Pose) -> bool:
    (x0, y0, _), (x1, y1, _) = piece.box.low, piece.box.high
    return x0 <= pose.position[0] <= x1 and y0 <= pose.position[1] <= y1


def format_count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 object``, ``2 objects``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _list_names(names: Sequence[str] | Counter[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - 8} more" if len(listed) > 8 else ""
    return ", ".join(name[:40] for name in listed[:8]) + more
