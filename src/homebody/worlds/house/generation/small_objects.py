"""Places small objects and keys on surfaces, in furniture, in containers and on floors.

The catalogue states which objects may be where. Each object gets a place within the free space of
its receptacle, without touching other objects. Lengths are whole millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from homebody.core.ground.seeds import choose, shuffle
from homebody.worlds.house.generation.floorspace import REACH, RoomSpace
from homebody.worlds.house.generation.geometry import Extent, Rect, overlap
from homebody.worlds.house.generation.looks import sample_size, sample_style
from homebody.worlds.house.generation.slots import Slot, seats_at, seats_in, slot_of
from homebody.worlds.house.model.catalogue import Catalogue, ThingKind
from homebody.worlds.house.model.house import (
    Colour,
    Furniture,
    Pose,
    Room,
    Thing,
    Vector,
)
from homebody.worlds.house.model.kinds import EMPTY, MAX_THINGS, PUT_AWAY
from homebody.worlds.house.model.outlines import grown_by
from homebody.worlds.house.model.receptacles import thing_receptacles

_GAP = 10
"""Gap between objects."""
_TRIES = 14
"""Maximum number of attempts to find a place in a receptacle."""
_LOOKS = 3
"""Number of appearances sampled for an object, from which one is chosen."""
_HEADS = 1500
"""Tables longer than this have seats at their heads."""
_SETTING = 360
"""Depth of the table setting in front of a seat."""

Look: TypeAlias = tuple[dict[str, Colour], str]
"""Colours by part, and the material."""
Spot: TypeAlias = tuple[tuple[int, int], float, Rect]
"""Middle, yaw and rectangle of an object, relative to its bearer."""


class Stocker:
    """Fills a house with objects and collects them in ``things``."""

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
        self.stocked = 1.0  # share of the shelves of shops that have goods
        self._counts: dict[str, int] = {}
        self._colours: dict[tuple[int, str], dict[Colour, int]] = {}
        self.counts = [0] * len(rooms)
        self.slots: list[list[Slot]] = [[] for _ in rooms]
        number = {room.name: i for i, room in enumerate(rooms)}
        seats = seats_in(catalogue, rooms, furniture)
        for piece in furniture:
            if piece.name not in occupied:
                for receptacle in piece.receptacles:
                    locked = piece.states.get("locked", False) and receptacle.kind == "within"
                    slot = slot_of(
                        piece.name, piece.category, receptacle, number[piece.room], piece.pose
                    )
                    slot.locked = locked
                    like = catalogue.furniture[piece.category].receptacle_kind(receptacle.name)
                    slot.holds, slot.likely = like.holds, like.likely
                    affords = catalogue.furniture[piece.category].affords
                    slot.seat = "sittable" in affords or "lieable" in affords
                    if receptacle.kind == "on":
                        slot.seats = seats_at(piece, seats[piece.room], slot.rect)
                    self._keep_work_free(slot)
                    self.slots[slot.room].append(slot)
        for i, (room, space) in enumerate(zip(rooms, spaces, strict=True)):
            pose = Pose((0.0, 0.0, 0.0))
            self.slots[i].append(Slot(room.floor_name, "floor", "", i, space.bounds, 0, 1000, pose))
        self._reached = [space.reachable_cells(space.free) for space in spaces]
        self.options = [self._allowed_slots(i) for i in range(len(rooms))]

    def _keep_work_free(self, slot: Slot) -> None:
        """Keep a part of a surface free: the middle if there are seats around it, else an end."""
        share = self.catalogue.furniture[slot.category].work(slot.receptacle)
        if not share:
            return
        x0, y0, x1, y1 = slot.rect
        if len(slot.seats) > 1:
            inset = _SETTING if x1 - x0 > _HEADS - 100 else 0
            low, high = x0 + inset, x1 - inset
            deep = math.ceil(share * (x1 - x0) * (y1 - y0) / (high - low)) + 2
            start = (y0 + y1 - deep) // 2
            slot.work.append((low, start, high, start + deep))
            return
        long = math.ceil(share * (x1 - x0)) + 2
        if self.rng.random() < 0.5:
            slot.work.append((x0, y0, x0 + long, y1))
        else:
            slot.work.append((x1 - long, y0, x1, y1))

    def targets(
        self, density: float, count: int | None = None, most: int = MAX_THINGS
    ) -> list[int]:
        """Return the number of objects for each room; ``count`` is the total, if given, else
        ``most`` the maximum at density 1.

        This also sets the limits of floors: a few objects of different kinds. Above density 1 there
        are more.
        """
        self.stocked = min(1.0, density)
        for floor, room in zip(self.floors(), self.rooms, strict=True):
            some = 0.5 + self.rng.random()
            floor.most = round(self.catalogue.rooms[room.kind].on_floor * density * some)
            floor.one_each = density <= 1
        natural = [
            self.catalogue.rooms[room.kind].things * (0.85 + 0.3 * self.rng.random())
            for room in self.rooms
        ]
        total = math.fsum(natural)
        wanted = min(total * density, most * max(1.0, density)) if count is None else count
        shares = [round(share * wanted / total) if total else 0 for share in natural]
        if count is not None:
            shares[0] += count - sum(shares)
        return shares

    def floors(self) -> list[Slot]:
        """Return the floors of the rooms."""
        return [slots[-1] for slots in self.slots]

    def strew(self) -> None:
        """Allow any objects on floors, as long as they fit."""
        for floor in self.floors():
            floor.most, floor.one_each = 10 * MAX_THINGS, False

    def lock(self, rooms: Collection[str]) -> None:
        """Forbid keys in the named rooms."""
        for room, slots in zip(self.rooms, self.slots, strict=True):
            for slot in slots:
                slot.locked |= room.name in rooms

    def add_key(self) -> str:
        """Put a key at a place where it can be found. Return its name, or "" if there is no such
        place."""
        kind = self.catalogue.things["key"]
        usual = [
            slot
            for slots in self.slots
            for slot in slots
            if slot.category in kind.places and slot.can_take("key") and not slot.locked
        ]
        slots = usual or [slot for slots in self.slots for slot in slots if not slot.locked]
        for slot in shuffle(self.rng, slots):
            if self.put(kind, slot):
                return self.things[-1].name
        return ""

    def _allowed_slots(self, room: int) -> list[tuple[ThingKind, list[Slot]]]:
        """Return a mapping from kinds of objects to their possible slots in a room."""
        by_category: dict[str, list[Slot]] = {}
        for slot in self.slots[room]:
            by_category.setdefault(slot.category, []).append(slot)
        allowed = []
        own = self.rooms[room].kind
        usual = {own, *self.catalogue.rooms[own].like}
        for kind in self.catalogue.things.values():
            if not usual.isdisjoint(kind.rooms):
                slots = [
                    slot
                    for place in kind.places
                    for slot in by_category.get(place, ())
                    if slot.can_take(kind.name)
                ]
                if slots:
                    allowed.append((kind, slots))
        return allowed

    def put(self, kind: ThingKind, slot: Slot) -> bool:
        """Put an object somewhere in a slot; return success."""
        size = self.size_for(kind)
        spot = self.spot_at_wall(slot, size) if slot.category == "floor" else None
        if spot is None and not slot.one_each:
            spot = self.spot_anywhere(slot, size, straight=kind.inside is not None)
        return spot is not None and self.add(kind, size, slot, spot) is not None

    def size_for(self, kind: ThingKind, upright: bool = False) -> Extent:
        """Sample a size for an object. With ``upright`` it stands on its edge with its back to the
        front of the furniture, like a book."""
        width, depth, height = sample_size(self.rng, kind)
        return (height, width, depth) if upright else (width, depth, height)

    def add(
        self,
        kind: ThingKind,
        size: Extent,
        slot: Slot,
        spot: Spot,
        look: Look | None = None,
    ) -> Thing:
        """Add an object at a free spot; without ``look`` its appearance is sampled."""
        (x, y), yaw, rect = spot
        slot.taken.append(rect)
        slot.kinds.add(kind.name)
        number = self._counts[kind.name] = self._counts.get(kind.name, -1) + 1
        self.counts[slot.room] += 1
        style, material = look or self.look_of(kind, slot.room)
        extent: Vector = (size[0] / 1000, size[1] / 1000, size[2] / 1000)
        thing = Thing(
            name=f"{kind.name}_{number}",
            category=kind.name,
            size=extent,
            pose=_in_world(slot.pose, x, y, slot.floor, yaw),
            place=(slot.owner, slot.receptacle),
            style=style,
            states=sample_states(
                self.rng,
                {state: slot.likely.get(state, chance) for state, chance in kind.likely.items()},
            ),
            receptacles=thing_receptacles(kind, extent),
            material=material,
        )
        self.things.append(thing)
        return thing

    def look_of(self, kind: ThingKind, room: int) -> Look:
        """Sample colours and material of an object, preferably ones that are rare among the objects
        of its kind in the room."""
        used = self._colours.setdefault((room, kind.name), {})
        looks = [sample_style(self.rng, kind) for _ in range(_LOOKS)]
        look = min(looks, key=lambda option: used.get(option[0]["body"], 0))
        used[look[0]["body"]] = used.get(look[0]["body"], 0) + 1
        return look

    def slot_in(self, thing: Thing, outer: Slot) -> Slot:
        """Return the slot for the inside of a container that stands in another slot."""
        slot = slot_of(thing.name, thing.category, thing.receptacles[0], outer.room, thing.pose)
        above = outer.height - slot.floor  # what sticks out must fit in the outer space too
        slot.height = min(slot.height, above)
        lid = "openable" in self.catalogue.things[thing.category].affords
        slot.likely = PUT_AWAY if lid else EMPTY
        return slot

    def spot_at(self, slot: Slot, size: Extent, x: int, y: int, yaw: int) -> Spot | None:
        """Return the spot at a point, turned by a multiple of 90 degrees, or None if occupied."""
        wide, deep = (size[0], size[1]) if yaw % 180 == 0 else (size[1], size[0])
        rect = (x - wide // 2, y - deep // 2, x + wide // 2, y + deep // 2)
        x0, y0, x1, y1 = slot.rect
        if size[2] > slot.height or rect[0] < x0 or rect[1] < y0 or rect[2] > x1 or rect[3] > y1:
            return None
        if any(overlap(rect, solid) for solid in (*slot.taken, *slot.work)):
            return None
        if slot.category == "floor" and not self._floor_free(slot, rect):
            return None
        return (x, y), float(yaw), rect

    def _floor_free(self, slot: Slot, rect: Rect) -> bool:
        space = self.spaces[slot.room]
        return not any(overlap(rect, solid) for solid in (*space.solids, *space.keeps)) and (
            space.has_cell_in(self._reached[slot.room], grown_by(rect, REACH))
        )

    def spot_at_wall(self, floor: Slot, size: Extent, door: bool = False) -> Spot | None:
        """Return a free spot of a floor at a wall, near a doorway if ``door``, or None."""
        space = self.spaces[floor.room]
        best: tuple[int, Spot] | None = None
        for _ in range(2 * _TRIES):
            wall = choose(self.rng, space.walls)
            low, high = wall.low + _GAP + size[0] // 2, wall.high - _GAP - size[0] // 2
            if low > high:
                continue
            ends = (low, high, int(self.rng.integers(low, high + 1)), 0)
            along = ends[int(self.rng.integers(4))] or ends[2]
            off = wall.at - wall.sign * (_GAP + size[1] // 2)
            x, y = (off, along) if wall.axis == 0 else (along, off)
            spot = self.spot_at(floor, size, x, y, wall.yaw)
            if spot is None:
                continue
            away = space.distance_to_door(x, y) if door else 0
            if not away:
                return spot
            if best is None or away < best[0]:
                best = away, spot
        return best[1] if best else None

    def spot_anywhere(self, slot: Slot, size: Extent, straight: bool) -> Spot | None:
        """Return a free spot in a slot, or None; if ``straight``, parallel to its sides."""
        width, depth, height = size
        if height > slot.height:
            return None
        x0, y0, x1, y1 = slot.rect
        solids = [*slot.taken, *slot.work]
        is_floor = slot.category == "floor"
        if is_floor:
            space = self.spaces[slot.room]
            solids += [*space.solids, *space.keeps]
        best: tuple[int, Spot] | None = None
        for i in range(_TRIES):
            turned = self.rng.random() < 0.3
            wide, deep = (depth, width) if turned else (width, depth)
            yaw = 90.0 if turned else 0.0
            # Most objects lie slightly askew. Containers do not, so that their contents lie
            # parallel to the axes of the house.
            if i < 4 and not straight and self.rng.random() < 0.5:
                skew = float(self.rng.integers(-4, 5) * 5)
                cos, sin = (abs(round(f(math.radians(skew)), 12)) for f in (math.cos, math.sin))
                wide, deep = (
                    math.ceil(round((wide * cos + deep * sin) / 2 + 0.5, 6)) * 2,
                    math.ceil(round((wide * sin + deep * cos) / 2 + 0.5, 6)) * 2,
                )
                yaw += skew
            if wide > x1 - x0 or deep > y1 - y0:
                continue
            x = int(self.rng.integers(x0 + wide // 2, x1 - wide // 2 + 1))
            y = int(self.rng.integers(y0 + deep // 2, y1 - deep // 2 + 1))
            rect = (x - wide // 2, y - deep // 2, x + wide // 2, y + deep // 2)
            around = grown_by(rect, _GAP)
            if any(overlap(around, solid) for solid in solids):
                continue
            if not is_floor:
                return (x, y), yaw, rect
            edge = min(x - x0, y - y0, x1 - x, y1 - y)  # on floors, preferably at the side
            near = grown_by(rect, REACH)
            if (best is None or edge < best[0]) and space.has_cell_in(
                self._reached[slot.room], near
            ):
                best = edge, ((x, y), yaw, rect)
        return best[1] if best else None


def sample_states(rng: np.random.Generator, likely: Mapping[str, float]) -> dict[str, bool]:
    """Sample states by their probabilities. Locked furniture is closed, and open appliances are
    off."""
    states = {state: bool(rng.random() < chance) for state, chance in likely.items()}
    if states.get("locked"):
        states["open"] = False
    if states.get("open") and states.get("powered_on") and likely["powered_on"] < 0.9:
        states["powered_on"] = False
    return states


def _in_world(pose: Pose, x: int, y: int, z: int, yaw: float) -> Pose:
    """Return the pose of a place given in millimetres relative to another pose."""
    turn = math.radians(pose.yaw)
    cos, sin = round(math.cos(turn), 12), round(math.sin(turn), 12)
    px, py, pz = pose.position
    position = (
        round(px + (x * cos - y * sin) / 1000, 3),
        round(py + (x * sin + y * cos) / 1000, 3),
        round(pz + z / 1000, 3),
    )
    return Pose(position, (pose.yaw + yaw) % 360)
