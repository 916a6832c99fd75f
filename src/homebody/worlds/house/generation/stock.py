"""Small objects into a house: on surfaces, in furniture, in containers, on floors, and keys.

What may be where is the catalogue's; here each object gets a place in which it has room: within the
free space of its receptacle, and clear of the others there.

Lengths in here are whole millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from homebody.worlds.house.generation.floorspace import RoomSpace
from homebody.worlds.house.generation.geometry import Rect, grown, overlap
from homebody.worlds.house.generation.looks import draw_size, draw_style
from homebody.worlds.house.generation.receptacles import thing_receptacles
from homebody.worlds.house.model.catalogue import Catalogue, ThingKind
from homebody.worlds.house.model.house import Furniture, Pose, Receptacle, Room, Thing, Vector

_GAP = 10
"""Between objects."""
_FLOOR_SHARE = 0.12
"""How often a thing that may lie on the floor does."""
_FLOOR_REACH = 700
"""How near one must be able to stand to what lies on a floor."""
_MAX_THINGS = 270
"""Objects that are placed unasked: environments have slots for so many."""
_MAX_IN_VAIN = 150
"""So many objects in a row that did not fit: the house is full."""
_TRIES = 14
"""Tries to find a place in a receptacle."""


@dataclass(slots=True)
class Slot:
    """A receptacle or a floor while it is being filled.

    Attributes:
        owner: Furniture, object or floor.
        category: Of the owner, or ``floor``.
        receptacle: Its name, "" for floors.
        room: Number of the room.
        rect: The free surface, in the frame of the owner.
        floor: Height of the surface above the owner's bottom.
        height: Free height.
        pose: Of the owner.
        taken: Rectangles of what is there.
        locked: Whether it is behind a door or in a drawer that is locked.
    """

    owner: str
    category: str
    receptacle: str
    room: int
    rect: Rect
    floor: int
    height: int
    pose: Pose
    taken: list[Rect] = field(default_factory=list)
    locked: bool = False


class Stocker:
    """Fills a house with objects; ``things`` has what was placed."""

    def __init__(
        self,
        rng: np.random.Generator,
        catalogue: Catalogue,
        rooms: Sequence[Room],
        spaces: Sequence[RoomSpace],
        furniture: Sequence[Furniture],
        occupied: frozenset[str],
    ) -> None:
        self.rng = rng
        self.catalogue = catalogue
        self.rooms = rooms
        self.spaces = spaces
        self.things: list[Thing] = []
        self._counts: dict[str, int] = {}
        self._full = [catalogue.rooms[room.kind].stock for room in rooms]
        self._slots: list[list[Slot]] = [[] for _ in rooms]
        number = {room.name: i for i, room in enumerate(rooms)}
        for piece in furniture:
            if piece.name not in occupied:
                for receptacle in piece.receptacles:
                    locked = piece.states.get("locked", False) and receptacle.kind == "within"
                    slot = _slot(
                        piece.name, piece.category, receptacle, number[piece.room], piece.pose
                    )
                    slot.locked = locked
                    self._slots[slot.room].append(slot)
        for i, (room, space) in enumerate(zip(rooms, spaces, strict=True)):
            pose = Pose((0.0, 0.0, 0.0))
            self._slots[i].append(
                Slot(room.floor_name, "floor", "", i, space.bounds, 0, 1000, pose)
            )
        self._reached = [space.reached(space.free) for space in spaces]
        self._options = [self._allowed(i) for i in range(len(rooms))]

    def capacity(self) -> int:
        """About how many objects look natural."""
        counts = (
            min(round(26 * full), round(1.1 * len(slots) * full))
            for slots, full in zip(self._slots, self._full, strict=True)
        )
        return min(sum(counts), _MAX_THINGS)

    def fill(self, count: int) -> bool:
        """Add objects until there are ``count``. Returns whether so many fitted."""
        weights = np.array([min(30.0, len(slots) + 1.0) for slots in self._slots]) * self._full
        weights[[not options for options in self._options]] = 0.0
        if weights.sum() == 0:
            return len(self.things) >= count
        share = np.cumsum(weights / weights.sum())
        in_vain = 0
        while in_vain < _MAX_IN_VAIN:
            before = len(self.things)
            if before >= count:
                return True
            room = int(np.searchsorted(share, self.rng.random() * share[-1], side="right"))
            self._one_more(min(room, len(self.rooms) - 1), count)
            in_vain = 0 if len(self.things) > before else in_vain + 1
        return len(self.things) >= count

    def lock(self, rooms: Collection[str]) -> None:
        """Have no keys in some rooms, by name."""
        for room, slots in zip(self.rooms, self._slots, strict=True):
            for slot in slots:
                slot.locked |= room.name in rooms

    def add_key(self) -> str:
        """Put a key somewhere it can be found. Returns its name, or "" if there is no place."""
        kind = self.catalogue.things["key"]
        usual = [
            slot
            for slots in self._slots
            for slot in slots
            if slot.category in kind.places and not slot.locked
        ]
        slots = usual or [slot for slots in self._slots for slot in slots if not slot.locked]
        for i in self.rng.permutation(len(slots)):
            if self._put(kind, slots[int(i)]):
                return self.things[-1].name
        return ""

    def _allowed(self, room: int) -> list[tuple[ThingKind, list[Slot]]]:
        """Kinds of objects of a room, with the slots that they may be in."""
        by_category: dict[str, list[Slot]] = {}
        for slot in self._slots[room]:
            by_category.setdefault(slot.category, []).append(slot)
        allowed = []
        for kind in self.catalogue.things.values():
            if self.rooms[room].kind in kind.rooms:
                slots = [slot for place in kind.places for slot in by_category.get(place, ())]
                if slots:
                    allowed.append((kind, slots))
        return allowed

    def _one_more(self, room: int, limit: int) -> None:
        options = self._options[room]
        weights = [
            kind.weight / (1 + self._counts.get(f"{kind.name}@{room}", 0)) ** 1.5
            for kind, _ in options
        ]
        kind, slots = options[_drawn(self.rng, weights)]
        floors = [slot for slot in slots if slot.category == "floor"]
        others = [slot for slot in slots if slot.category != "floor"]
        if floors and (not others or self.rng.random() < _FLOOR_SHARE):
            slot = floors[0]
        else:
            # Visible surfaces rather than drawers, and what is empty rather than full.
            slot = others[_drawn(self.rng, [1.0 / (1 + len(other.taken)) for other in others])]
        if self._put(kind, slot):
            key = f"{kind.name}@{room}"
            self._counts[key] = self._counts.get(key, 0) + 1
            if kind.inside and len(self.things) < limit and self.rng.random() < 0.6:
                self._fill_container(kind, self.things[-1], slot, limit)

    def _fill_container(self, kind: ThingKind, thing: Thing, outer: Slot, limit: int) -> None:
        """Things that go into a container: those whose usual place it is, or anything around."""
        slot = _slot(thing.name, kind.name, thing.receptacles[0], outer.room, thing.pose)
        above = outer.height - slot.floor  # what sticks out must fit in the outer space too
        slot.height = min(slot.height, above)
        around = [option for option, _ in self._options[outer.room] if not option.inside]
        usual = [option for option in around if kind.name in option.places]
        if not usual and "openable" not in kind.affords and kind.name not in ("basket", "tray"):
            return
        options = usual or around
        for _ in range(int(self.rng.integers(1, 4))):
            if options and len(self.things) < limit:
                self._put(options[_drawn(self.rng, [option.weight for option in options])], slot)

    def _put(self, kind: ThingKind, slot: Slot) -> bool:
        width, depth, height = draw_size(self.rng, kind)
        if height > slot.height:
            return False
        spot = self._place(slot, width, depth, straight=kind.inside is not None)
        if spot is None:
            return False
        (x, y), yaw, rect = spot
        slot.taken.append(rect)
        number = self._counts[kind.name] = self._counts.get(kind.name, -1) + 1
        size: Vector = (width / 1000, depth / 1000, height / 1000)
        pose = _in_world(slot.pose, x, y, slot.floor, yaw)
        style, material = draw_style(self.rng, kind)
        self.things.append(
            Thing(
                name=f"{kind.name}_{number}",
                category=kind.name,
                size=size,
                pose=pose,
                place=(slot.owner, slot.receptacle),
                style=style,
                states=draw_states(self.rng, kind.likely),
                receptacles=thing_receptacles(kind, size),
                material=material,
            )
        )
        return True

    def _place(
        self, slot: Slot, width: int, depth: int, straight: bool
    ) -> tuple[tuple[int, int], float, Rect] | None:
        """A free place in a slot: its middle, the yaw and the rectangle, relative to the owner."""
        x0, y0, x1, y1 = slot.rect
        solids = list(slot.taken)
        is_floor = slot.category == "floor"
        if is_floor:
            space = self.spaces[slot.room]
            solids += [*space.solids, *space.keeps]
        best: tuple[int, tuple[int, int], float, Rect] | None = None
        for i in range(_TRIES):
            turned = self.rng.random() < 0.3
            wide, deep = (depth, width) if turned else (width, depth)
            yaw = 90.0 if turned else 0.0
            # Most are not put down quite straight. Containers are, so that what is in them lies
            # parallel to the axes of the house.
            if i < 4 and not straight and self.rng.random() < 0.5:
                skew = float(self.rng.integers(-4, 5) * 5)
                cos, sin = (abs(f(math.radians(skew))) for f in (math.cos, math.sin))
                wide, deep = (
                    math.ceil((wide * cos + deep * sin) / 2 + 0.5) * 2,
                    math.ceil((wide * sin + deep * cos) / 2 + 0.5) * 2,
                )
                yaw += skew
            if wide > x1 - x0 or deep > y1 - y0:
                continue
            x = int(self.rng.integers(x0 + wide // 2, x1 - wide // 2 + 1))
            y = int(self.rng.integers(y0 + deep // 2, y1 - deep // 2 + 1))
            rect = (x - wide // 2, y - deep // 2, x + wide // 2, y + deep // 2)
            around = grown(rect, _GAP)
            if any(overlap(around, solid) for solid in solids):
                continue
            if not is_floor:
                return (x, y), yaw, rect
            edge = min(x - x0, y - y0, x1 - x, y1 - y)  # on floors, rather at the side
            near = grown(rect, _FLOOR_REACH)
            if (best is None or edge < best[0]) and space.touches(self._reached[slot.room], near):
                best = edge, (x, y), yaw, rect
        return best[1:] if best else None


def draw_states(rng: np.random.Generator, likely: Mapping[str, float]) -> dict[str, bool]:
    """States at first, by their chances. What is locked is shut; what is open does not run."""
    states = {state: bool(rng.random() < chance) for state, chance in likely.items()}
    if states.get("locked"):
        states["open"] = False
    if states.get("open") and states.get("powered_on") and likely["powered_on"] < 0.9:
        states["powered_on"] = False
    return states


def _drawn(rng: np.random.Generator, weights: Sequence[float]) -> int:
    left = rng.random() * sum(weights)
    for i, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return i
    return len(weights) - 1


def _slot(owner: str, category: str, receptacle: Receptacle, room: int, pose: Pose) -> Slot:
    x0, y0, z0 = (round(value * 1000) for value in receptacle.low)
    x1, y1, z1 = (round(value * 1000) for value in receptacle.high)
    return Slot(owner, category, receptacle.name, room, (x0, y0, x1, y1), z0, z1 - z0, pose)


def _in_world(pose: Pose, x: int, y: int, z: int, yaw: float) -> Pose:
    """A pose given in millimetres relative to another."""
    turn = math.radians(pose.yaw)
    cos, sin = round(math.cos(turn), 12), round(math.sin(turn), 12)
    px, py, pz = pose.position
    position = (
        round(px + (x * cos - y * sin) / 1000, 3),
        round(py + (x * sin + y * cos) / 1000, 3),
        round(pz + z / 1000, 3),
    )
    return Pose(position, (pose.yaw + yaw) % 360)
