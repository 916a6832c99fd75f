"""Places single pieces of furniture in a room, together with their companions.

A piece is placed only where nothing overlaps, its front stays free and everything in the room can
still be reached on foot. Lengths are whole millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from homebody.core.ground.seeds import choose, shuffle
from homebody.worlds.house.generation.floorspace import Footprint, RoomSpace, Wall
from homebody.worlds.house.generation.geometry import Extent, Rect, middle_of, rect_at
from homebody.worlds.house.generation.random_draws import sample_between
from homebody.worlds.house.model.catalogue import (
    Catalogue,
    FurnitureKind,
    Palette,
    RoomKind,
    Rule,
    StyleKind,
)
from homebody.worlds.house.model.house import Colour, Room

SEAT_GAP = 40
"""Gap between a table and a chair at it."""
OWN_COLOURS = ("painting", "potted_plant", "bicycle", "toy_chest", "car", "sculpture", "locker")
"""Categories whose pieces need not look the same."""


@dataclass(slots=True)
class PlacedFurniture:
    """A placed piece of furniture; ``centre`` and ``bottom`` are the middle of its bottom."""

    kind: FurnitureKind
    room: int
    centre: tuple[int, int]
    bottom: int
    yaw: int
    size: Extent
    rank: int
    style: dict[str, Colour] = field(default_factory=dict)

    @property
    def rect(self) -> Rect:
        """The rectangle that it covers."""
        return rect_at(self.centre, self.size, self.yaw)


@dataclass(slots=True)
class Arranger:
    """Places pieces in one room and collects them in ``pieces``."""

    rng: np.random.Generator
    catalogue: Catalogue
    number: int
    room: Room
    space: RoomSpace
    style: StyleKind | None = None
    pieces: list[PlacedFurniture] = field(default_factory=list)
    colours: dict[tuple[str, Palette], Colour] = field(default_factory=dict)
    rank: int = 0

    @property
    def kind(self) -> RoomKind:
        """The kind of the room."""
        return self.catalogue.rooms[self.room.kind]

    def place_at_wall(self, rule: Rule, kind: FurnitureKind) -> bool:
        """Place a piece along a wall, in a sampled size or the smallest; return success."""
        size = self.size_of(kind)
        small = (round(kind.size[0][0] * 500) * 2, size[1], size[2])
        return self._place_sized(rule, kind, size) or (
            small[0] < size[0] and self._place_sized(rule, kind, small)
        )

    def _place_sized(self, rule: Rule, kind: FurnitureKind, size: Extent) -> bool:
        sides = rule.companions.get("sides")
        beside = self.size_of(self.catalogue.furniture[sides]) if sides else None
        extra = beside[0] + 20 if beside else 0
        for long in (size[0] + 2 * extra, size[0] + extra, size[0]):
            for wall in self.shuffled_walls(rule.by == "corner"):
                for start in self.starts(wall, kind, size, long, rule):
                    at = start + extra if long > size[0] else start
                    if self.stand(rule, kind, size, wall, at):
                        if beside and sides:
                            self._place_beside(sides, beside, wall, at, size[0])
                        return True
            if not beside:
                return False
        return False

    def place_in_corner(self, rule: Rule, kind: FurnitureKind) -> bool:
        """Place a piece in a corner, or else somewhere along a wall; return success."""
        return self.place_at_wall(rule, kind) or self.place_at_wall(
            Rule(rule.what, "wall", companions=rule.companions), kind
        )

    def stand(
        self,
        rule: Rule,
        kind: FurnitureKind,
        size: Extent,
        wall: Wall,
        start: int,
        off: int = 0,
    ) -> bool:
        """Put a piece at a wall, with its companions before and above it; return success."""
        rect = wall.rect(start, start + size[0], off, off + size[1])
        group = [(kind, size, middle_of(rect), wall.yaw)]
        front = round(kind.front * 1000)
        keep = wall.rect(start, start + size[0], off + size[1], off + size[1] + front)
        access = wall.rect(start, start + size[0], off + size[1] + 280, off + size[1] + 650)
        footprint = Footprint(rect, keep if front else None, access if front else None)
        seat = rule.companions.get("front")
        before = rule.companions.get("before")
        footprints = [footprint]
        if seat:
            chair = self.catalogue.furniture[seat]
            chair_size = self.size_of(chair)
            near = off + size[1] + SEAT_GAP
            middle = start + size[0] // 2
            chair_rect = wall.rect(
                middle - chair_size[0] // 2, middle + chair_size[0] // 2, near, near + chair_size[1]
            )
            group.append((chair, chair_size, middle_of(chair_rect), (wall.yaw + 180) % 360))
            footprints = [Footprint(rect), Footprint(chair_rect)]
        elif before:
            table = self.catalogue.furniture[before]
            table_size = self.size_of(table)
            near = off + size[1] + 380
            middle = start + size[0] // 2
            table_rect = wall.rect(
                middle - table_size[0] // 2, middle + table_size[0] // 2, near, near + table_size[1]
            )
            both = [footprint, Footprint(table_rect)]
            if self.space.has_room_for(both):
                group.append((table, table_size, middle_of(table_rect), wall.yaw))
                footprints = both
        if not self.space.has_room_for(footprints):
            return False
        for (_, (_, _, height), _, _), footprint in zip(group, footprints, strict=True):
            if self.space.is_under(footprint.rect, height / 1000):
                return False
        self.space.take(footprints)
        for placed in group:
            self.add(*placed)
        above = rule.companions.get("above")
        if above and not off:
            self.hang_above(above, wall, start + size[0] // 2, size[0])
        return True

    def _place_beside(self, name: str, size: Extent, wall: Wall, start: int, width: int) -> None:
        kind = self.catalogue.furniture[name]
        for at in (start - size[0] - 20, start + width + 20):
            if at < wall.low or at + size[0] > wall.high:
                continue
            rect = wall.rect(at, at + size[0], 0, size[1])
            if self.space.has_room_for([Footprint(rect)]):
                self.space.take([Footprint(rect)])
                self.add(kind, size, middle_of(rect), wall.yaw)

    def hang_above(self, name: str, wall: Wall, middle: int, width: int) -> bool:
        """Hang a piece above another at a wall; return success."""
        kind = self.catalogue.furniture[name]
        size = self.size_of(kind)
        cabinet = kind.name == "wall_cabinet"  # a row of cabinets reaches into the corner
        size = (width if cabinet else min(width, size[0]), size[1], size[2])
        bottom = round(kind.at * 1000)
        start = middle - size[0] // 2
        top = (bottom + size[2]) / 1000
        spans = self.space.hanging_intervals(
            wall, bottom / 1000, top, size[1], 0 if cabinet else 100
        )
        if not any(low <= start and start + size[0] <= high for low, high in spans):
            return False
        rect = wall.rect(start, start + size[0], 0, size[1])
        access = self.space.standing_floor(rect)
        if access is None:
            return False
        self.space.access.append(access)
        self.add(kind, size, middle_of(rect), wall.yaw)
        return True

    def shuffled_walls(self, corners: bool = False) -> list[Wall]:
        """Return the walls in random order, long ones preferably first."""
        walls = self.space.walls
        keys = self.rng.random(len(walls))
        lengths = [wall.high - wall.low for wall in walls]
        longest = max(lengths)
        order = sorted(
            range(len(walls)),
            key=lambda i: float(keys[i]) - (0.0 if corners else 0.7 * lengths[i] / longest),
        )
        return [walls[i] for i in order]

    def starts(
        self,
        wall: Wall,
        kind: FurnitureKind,
        size: Extent,
        long: int,
        rule: Rule,
        clear: bool = False,
    ) -> list[int]:
        """Return possible starts along a wall for a length ``long``, best first."""
        height = 9.0 if clear else size[2] / 1000
        spans = self.space.intervals(wall, size[1], round(kind.front * 1000), height)
        starts = []
        for low, high in spans:
            if high - low < long:
                continue
            middle = (low + high - long) // 20 * 10
            middle = max(middle, low)
            if rule.by == "corner":
                starts += [
                    at
                    for at, is_end in ((low, low == wall.low), (high - long, high == wall.high))
                    if is_end
                ]
            elif rule.middle or clear:
                starts.append(middle)
            else:
                options = [low, high - long] if self.rng.random() < 0.75 else [middle]
                starts.append(choose(self.rng, options))
        if len(starts) > 1:
            starts = shuffle(self.rng, starts)
        return starts

    def distance_across(self, wall: Wall) -> int:
        """Return the distance from a wall to the opposite side of the room."""
        x0, y0, x1, y1 = self.space.bounds
        if wall.axis == 0:
            return wall.at - x0 if wall.sign > 0 else x1 - wall.at
        return wall.at - y0 if wall.sign > 0 else y1 - wall.at

    def size_of(self, kind: FurnitureKind) -> Extent:
        """Return width, depth and height, including the base. Pieces of one kind in a room have
        equal sizes."""
        lift = self._lift(kind)
        for piece in self.pieces:
            if piece.kind is kind and kind.name not in OWN_COLOURS:
                return piece.size[0], piece.size[1], piece.size[2] + lift
        sides = [
            round(sample_between(self.rng, *span) * 50) * 20
            if span[0] < span[1]
            else round(span[0] * 1000)
            for span in kind.size
        ]
        return sides[0] // 2 * 2, sides[1] // 2 * 2, sides[2] + lift

    def _lift(self, kind: FurnitureKind) -> int:
        """Return the height of a piece's base, 0 without a base."""
        base = self.catalogue.furniture.get(kind.base)
        return round(base.size[2][0] * 1000) if base else 0

    def add(
        self,
        kind: FurnitureKind,
        size: Extent,
        centre: tuple[int, int],
        yaw: int,
        bottom: int | None = None,
    ) -> None:
        """Add a piece with its base, and choose its colours. The default height is the height of
        its kind."""
        if bottom is None:
            bottom = round(kind.at * 1000) if kind.mount == "wall" else 0
        if lift := self._lift(kind):
            base = self.catalogue.furniture[kind.base]
            self.add(base, (size[0], size[1], lift), centre, yaw, bottom)
            size, bottom = (size[0], size[1], size[2] - lift), bottom + lift
        piece = PlacedFurniture(kind, self.number, centre, bottom, yaw, size, self.rank)
        for part, palette in kind.style.items():
            piece.style[part] = self._colour(kind, part, palette)
        self.pieces.append(piece)
        if kind.mount == "rug":  # people walk over it, but nothing stands on or under it
            self.space.keeps.append(piece.rect)
        else:
            self.space.tall.append((piece.rect, bottom / 1000, (bottom + size[2]) / 1000))

    def _colour(self, kind: FurnitureKind, part: str, palette: Palette) -> Colour:
        if self.style is not None:
            palette = tuple(colour for colour in palette if colour in self.style.colours) or palette
        new = choose(self.rng, palette)
        if kind.name in OWN_COLOURS:
            return new
        return self.colours.setdefault((part, palette), new)
