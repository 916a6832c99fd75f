"""Furniture into rooms, by the rules of the catalogue.

Rules are tried in order in each room; each knows a way of placing (against a wall, in a corner, in
the middle, in rows ...) and the company a piece keeps (chairs around a table, nightstands beside a
bed). A piece is only placed where nothing overlaps, its front stays free, and everything in the
room can still be walked to.

Lengths in here are whole millimetres; :func:`furniture` turns them into metres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from homebody.worlds.house.generation.arrange import (
    SEAT_GAP,
    Arranger,
    floor_before,
    middle_of,
    rect_at,
    turned,
)
from homebody.worlds.house.generation.floorspace import Item, RoomSpace, Wall, grown, overlap
from homebody.worlds.house.model.catalogue import FurnitureKind, Rule

BOARDS = ("blackboard", "whiteboard")


@dataclass(slots=True)
class Furnisher(Arranger):
    """Furnishes one room by the rules of its kind."""

    def follow_rules(self) -> None:
        """Place what the rules of the kind of room ask for, as far as it fits."""
        late = ("hang", "ceiling", "rug")  # what hangs must not hang behind a wardrobe
        rules = list(enumerate(self.kind.furniture))
        # Boards may: rows of seats face them, wherever they found a wall.
        rules.sort(key=lambda one: one[1].by in late and one[1].what[0] not in BOARDS)
        for self.rank, rule in rules:
            if self.rng.random() < rule.chance:
                self._follow(rule)

    def add_extra(self) -> bool:
        """Place one more piece out of the extras of the kind of room. Returns whether it fitted."""
        self.rank = len(self.kind.furniture) + 1
        names = self.kind.extra
        for i in self.rng.permutation(len(names)):
            kind = self.catalogue.furniture[names[int(i)]]
            by = {"wall": "hang", "ceiling": "ceiling", "rug": "rug"}.get(kind.mount)
            by = by or ("wall" if kind.front else "corner")
            if self._follow(Rule((kind.name,), by)):
                return True
        return False

    def _follow(self, rule: Rule) -> bool:
        ways: Mapping[str, Callable[[Rule, FurnitureKind], bool]] = {
            "wall": self._at_wall,
            "corner": self._in_corner,
            "centre": self._in_centre,
            "facing": self._facing,
            "desk": self._desk,
            "hang": self._hang,
            "ceiling": self._ceiling,
            "rug": self._rug,
            "counter": self._on_counter,
        }
        kind = self.catalogue.furniture[rule.what[0]]
        count = int(self.rng.integers(rule.count[0], rule.count[1] + 1))
        if rule.by == "row":
            return self._row(rule, count)
        if rule.by == "block":
            return self._block(rule, kind, count)
        if rule.by == "ceiling" and count > 1:
            return self._lamps(kind, count)
        placed = [ways[rule.by](rule, kind) for _ in range(count)]
        return any(placed)

    def _facing(self, rule: Rule, kind: FurnitureKind) -> bool:
        """A sofa that faces a television on a wall; else just against a wall."""
        stand = self.catalogue.furniture[rule.companions["opposite"]]
        size, stand_size = self._size(kind), self._size(stand)
        for wall in self._walls():
            room = self._across(wall)
            if room < 3000:
                continue
            for start in self._starts(
                wall, stand, stand_size, stand_size[0] + 200, rule, clear=True
            ):
                at = start + 100
                middle = at + stand_size[0] // 2
                spare = room - stand_size[1] - size[1]
                to_wall = spare <= 2900
                far = room - size[1] if to_wall else stand_size[1] + 2600
                opposite = Wall(
                    wall.axis, wall.at - wall.sign * room, wall.low, wall.high, -wall.sign
                )
                rect = wall.rect(at, at + stand_size[0], 0, stand_size[1])
                front = wall.rect(at, at + stand_size[0], stand_size[1], stand_size[1] + 400)
                use = wall.rect(at, at + stand_size[0], stand_size[1] + 280, stand_size[1] + 650)
                item = Item(rect, front, use)
                if not self.space.fits([item]):
                    continue
                saved = _saved(self.space)
                self.space.take([item])
                begin = middle - size[0] // 2
                off = room - far - size[1]
                alone = Rule(rule.what, "wall", companions={"before": rule.companions["before"]})
                if self._stand(alone, kind, size, opposite, begin, off):
                    self._add(stand, stand_size, middle_of(rect), wall.yaw)
                    self.space.focus = wall
                    if above := rule.companions.get("above"):
                        self._above(above, wall, middle, stand_size[0])
                    return True
                _restore(self.space, saved)
        before = {"before": rule.companions["before"]} if "before" in rule.companions else {}
        placed = self._at_wall(Rule(rule.what, "wall", companions=before), kind)
        over = {"above": rule.companions["above"]} if "above" in rule.companions else {}
        return self._at_wall(Rule((stand.name,), "wall", companions=over), stand) or placed

    def _desk(self, rule: Rule, kind: FurnitureKind) -> bool:
        """A desk or counter with somebody behind it, between it and a wall, looking out."""
        size = self._size(kind)
        chair = self.catalogue.furniture[rule.companions["front"]]
        chair_size = self._size(chair)
        # Whoever sits there has the wall behind, best without windows: room for a board.
        walls = sorted(self._walls(), key=lambda wall: any(gap[2] for gap in self.space.gaps[wall]))
        behind = chair_size[1] + SEAT_GAP + 450
        for wall in walls:
            long = wall.high - wall.low
            for share in (0.5, 0.3, 0.7):
                start = wall.low + round(long * share / 10) * 10 - size[0] // 2
                rect = wall.rect(start, start + size[0], behind, behind + size[1])
                middle = start + size[0] // 2
                far = behind - SEAT_GAP
                chair_rect = wall.rect(
                    middle - chair_size[0] // 2,
                    middle + chair_size[0] // 2,
                    far - chair_size[1],
                    far,
                )
                free = wall.rect(start, start + size[0], 0, behind)
                items = [Item(rect), Item(chair_rect, wall.rect(start, start + size[0], 0, 350))]
                if any(overlap(free, solid) for solid in self.space.solids):
                    continue
                if not self.space.fits(items):
                    continue
                self.space.take(items)
                self._add(kind, size, middle_of(rect), (wall.yaw + 180) % 360)
                self._add(chair, chair_size, middle_of(chair_rect), wall.yaw)
                self.space.focus = wall
                return True
        alone = Rule(rule.what, "wall", companions=rule.companions)
        return self._at_wall(alone, kind)

    def _in_centre(self, rule: Rule, kind: FurnitureKind) -> bool:
        """In the open, near the middle of the room, with seats around it."""
        size = self._size(kind)
        x0, y0, x1, y1 = self.space.bounds
        long = x1 - x0 >= y1 - y0
        turn = 0 if long == (size[0] >= size[1]) else 90
        spots = [((x0 + x1) // 2, (y0 + y1) // 2)]
        for reach in (0.15, 0.3, 0.45, 0.6, 0.75, 0.9):
            for _ in range(4):
                dx, dy = self.rng.uniform(-1, 1, 2) * reach / 2
                spots.append(
                    (round(spots[0][0] + dx * (x1 - x0)), round(spots[0][1] + dy * (y1 - y0)))
                )
        around = rule.companions.get("around")
        for least in (3, 2, 1) if around else (0,):
            for x, y in spots:
                centre = (x // 10 * 10, y // 10 * 10)
                for yaw in (turn, (turn + 90) % 180):
                    if self._centre_at(kind, size, centre, yaw, around, least):
                        return True
        return False

    def _centre_at(
        self,
        kind: FurnitureKind,
        size: tuple[int, int, int],
        centre: tuple[int, int],
        yaw: int,
        around: str | None,
        least: int,
        margin: int = 0,
    ) -> bool:
        rect = rect_at(centre, size, yaw)
        main = Item(rect)
        if front := round(kind.front * 1000):
            keep = floor_before(rect, yaw, 0, front)
            main = Item(rect, keep, floor_before(rect, yaw, 280, 650))
        if margin and any(overlap(grown(rect, margin), one) for one in self.space.solids):
            return False
        if not self.space.fits([main]) or self.space.under(rect, size[2] / 1000):
            return False
        seats: list[tuple[tuple[int, int, int], tuple[int, int], int, Item]] = []
        chair = self.catalogue.furniture[around] if around else kind
        if around:
            for one_size, spot, turn in self._seats(chair, size, centre, yaw, kind):
                item = Item(rect_at(spot, one_size, turn))
                taken = [main, *(one[3] for one in seats), item]
                if self.space.fits(taken):
                    seats.append((one_size, spot, turn, item))
            if len(seats) < least:
                return False
        self.space.take([main, *(one[3] for one in seats)])
        self._add(kind, size, centre, yaw)
        for one_size, spot, turn, _ in seats:
            self._add(chair, one_size, spot, turn)
        return True

    def _seats(
        self,
        chair: FurnitureKind,
        size: tuple[int, int, int],
        centre: tuple[int, int],
        yaw: int,
        kind: FurnitureKind,
    ) -> Iterator[tuple[tuple[int, int, int], tuple[int, int], int]]:
        """Places for chairs around a table: along its sides, and at its heads if it is long."""
        one = self._size(chair)
        along = min(4, max(1, size[0] // (one[0] + 130)))
        spots: list[tuple[int, int, int]] = []
        bar = kind.name == "kitchen_island"  # only one side has stools
        for side in (1,) if bar else (1, -1):
            y = side * (size[1] // 2 + SEAT_GAP + one[1] // 2)
            for i in range(along):
                x = round((i + 0.5) * size[0] / along) // 10 * 10 - size[0] // 2
                spots.append((x, y, 180 if side > 0 else 0))
        if size[0] >= 1500 and not bar:
            x = size[0] // 2 + SEAT_GAP + one[1] // 2
            spots += [(x, 0, 90), (-x, 0, 270)]
        for x, y, turn in spots:
            x, y = turned(x, y, yaw)
            yield one, (centre[0] + x, centre[1] + y), (turn + yaw) % 360

    def _row(self, rule: Rule, count: int) -> bool:
        """Pieces side by side along a wall; what does not fit goes to other walls, then is left."""
        names = list(rule.what) * count if len(rule.what) == 1 else list(rule.what)
        kinds = [self.catalogue.furniture[name] for name in names]
        pieces = [(kind, self._size(kind)) for kind in kinds]
        deep = max(size[1] for _, size in pieces)
        gap = 200 if len(rule.what) == 1 else 0
        walls = sorted(
            self._walls(),
            key=lambda wall: (
                -max([b - a for a, b in self._row_spans(wall, deep, pieces)] or [0]) // 600
            ),
        )
        left = pieces
        for wall in walls:
            for low, high in self._row_spans(wall, deep, pieces):
                fit, at = [], 0
                for kind, size in left:
                    if at + size[0] <= high - low:
                        fit.append((kind, size))
                        at += size[0] + gap
                if len(fit) < min(2, len(left)):
                    continue
                # At the end of the wall if the stretch reaches it.
                start = low if low == wall.low or high != wall.high else high - at + gap
                left = self._lay_row(rule, wall, start, gap, fit, left)
                break
            if not left:
                return True
        for kind, _ in left:
            if kind.name != "counter":
                self._at_wall(Rule((kind.name,), "wall"), kind)
        return True

    def _row_spans(
        self, wall: Wall, deep: int, pieces: Sequence[tuple[FurnitureKind, tuple[int, int, int]]]
    ) -> list[tuple[int, int]]:
        low = min(size[2] for _, size in pieces) / 1000
        return self.space.intervals(wall, deep, 500, low)

    def _lay_row(
        self,
        rule: Rule,
        wall: Wall,
        start: int,
        gap: int,
        fit: Sequence[tuple[FurnitureKind, tuple[int, int, int]]],
        left: Sequence[tuple[FurnitureKind, tuple[int, int, int]]],
    ) -> list[tuple[FurnitureKind, tuple[int, int, int]]]:
        rest = list(left)
        at = start
        above = rule.companions.get("above")
        for kind, size in fit:
            tall = any(
                a < at + size[0] and at < b and size[2] / 1000 > bottom
                for a, b, bottom in self.space.gaps[wall]
            )
            alone = Rule((kind.name,), "wall")
            if not tall and self._stand(alone, kind, size, wall, at):
                rest.remove((kind, size))
                if above and kind.name != "fridge":
                    self._above(above, wall, at + size[0] // 2, size[0])
            at += size[0] + gap
        return rest

    def _on_counter(self, rule: Rule, kind: FurnitureKind) -> bool:
        """On a counter of this room, at its back and one of its ends."""
        size = self._size(kind)
        counters = [piece for piece in self.pieces if piece.kind.name in ("counter", "dishwasher")]
        counters = [piece for piece in counters if piece.size[0] >= size[0] + 40]
        if not counters:
            return False
        one = counters[int(self.rng.integers(len(counters)))]
        side = (one.size[0] - size[0]) // 2 - 20
        x, y = turned(
            side if self.rng.random() < 0.5 else -side, -(one.size[1] - size[1]) // 2 + 20, one.yaw
        )
        self._add(
            kind, size, (one.centre[0] + x, one.centre[1] + y), one.yaw, one.bottom + one.size[2]
        )
        return True

    def _block(self, rule: Rule, kind: FurnitureKind, count: int) -> bool:
        """Rows over the whole floor, all the same way."""
        size = self._size(kind)
        seat = rule.companions.get("front")
        around = rule.companions.get("around")
        company = seat or around
        chair = self.catalogue.furniture[company] if company else None
        deep = self._size(chair)[1] + SEAT_GAP if chair else 0
        focus = self.space.focus or self._walls()[0]
        yaw = focus.yaw if rule.same else (focus.yaw + int(self.rng.choice([0, 90]))) % 360
        gap = round(rule.gap * 1000)
        width, depth = size[0] + gap, size[1] + deep + gap
        if around:
            depth += deep
            width += 2 * deep if size[0] >= 1500 else 0
        x0, y0, x1, y1 = self.space.bounds
        pitch_x, pitch_y = (width, depth) if yaw % 180 == 0 else (depth, width)
        margin = 350
        across = max(1, (x1 - x0 - 2 * margin + gap) // pitch_x)
        down = max(1, (y1 - y0 - 2 * margin + gap) // pitch_y)
        left = x0 + (x1 - x0 - across * pitch_x) // 2
        low = y0 + (y1 - y0 - down * pitch_y) // 2
        spots = [
            (
                (left + i * pitch_x + pitch_x // 2) // 10 * 10,
                (low + j * pitch_y + pitch_y // 2) // 10 * 10,
            )
            for j in range(down)
            for i in range(across)
        ]
        if self.space.focus:  # nearest rows first
            axis = 0 if focus.axis == 0 else 1
            spots.sort(key=lambda spot: abs(spot[axis] - focus.at))
            if rule.same:  # nobody sits beside the teacher
                spots = [spot for spot in spots if abs(spot[axis] - focus.at) > 2600]
        done = 0
        for centre in spots:
            if done >= count:
                break
            if around:
                done += self._centre_at(kind, size, centre, yaw, around, 2, 200)
            elif chair:
                done += self._seated_at(kind, size, centre, yaw, chair)
            else:
                done += self._centre_at(kind, size, centre, yaw, None, 0, gap // 2)
        while done < rule.count[0] and not around:  # doorways are in the way: against walls then
            if not self._at_wall(Rule(rule.what, "wall", companions=rule.companions), kind):
                break
            done += 1
        return done > 0

    def _seated_at(
        self,
        kind: FurnitureKind,
        size: tuple[int, int, int],
        centre: tuple[int, int],
        yaw: int,
        chair: FurnitureKind,
    ) -> bool:
        one = self._size(chair)
        x, y = turned(0, -(one[1] + SEAT_GAP) // 20 * 10, yaw)
        desk = (centre[0] + x, centre[1] + y)
        x, y = turned(0, (size[1] + one[1]) // 2 + SEAT_GAP, yaw)
        spot = (desk[0] + x, desk[1] + y)
        turn = (yaw + 180) % 360
        items = [Item(rect_at(desk, size, yaw)), Item(rect_at(spot, one, turn))]
        if any(
            overlap(grown(item.rect, 250), solid) for item in items for solid in self.space.solids
        ):
            return False
        if not self.space.fits(items):
            return False
        self.space.take(items)
        self._add(kind, size, desk, yaw)
        self._add(chair, one, spot, turn)
        return True

    def _hang(self, rule: Rule, kind: FurnitureKind) -> bool:
        size = self._size(kind)
        bottom = round(kind.at * 1000)
        walls = self._walls()
        focus = self.space.focus
        if focus and kind.name in (*BOARDS, "tv"):
            walls = [focus, *(wall for wall in walls if wall != focus)]
        for wall in walls:
            spans = self.space.hanging(wall, bottom / 1000, (bottom + size[2]) / 1000, size[1])
            spans = [(a, b) for a, b in spans if b - a >= size[0]]
            if spans:
                low, high = spans[int(self.rng.integers(len(spans)))]
                share = 0.5 if self.rng.random() < 0.6 else float(self.rng.uniform())
                start = round((low + (high - low - size[0]) * share) / 10) * 10
                start = min(max(start, low), high - size[0])
                rect = wall.rect(start, start + size[0], 0, size[1])
                if self.space.touches(self.space.reached(self.space.free), grown(rect, 900)):
                    self.space.access.append(grown(rect, 900))
                    self._add(kind, size, middle_of(rect), wall.yaw)
                    if kind.name in BOARDS:  # rows of seats face it
                        self.space.focus = wall
                    return True
        return False

    def _ceiling(self, rule: Rule, kind: FurnitureKind) -> bool:
        return self._lamps(kind, 1)

    def _lamps(self, kind: FurnitureKind, count: int) -> bool:
        size = self._size(kind)
        x0, y0, x1, y1 = self.space.bounds
        bottom = round(self.room.height * 1000) - size[2]
        done = False
        for i in range(count):
            share = (i + 0.5) / count
            wide = x1 - x0 >= y1 - y0
            x = x0 + (x1 - x0) * (share if wide else 0.5)
            y = y0 + (y1 - y0) * (0.5 if wide else share)
            centre = (round(x / 10) * 10, round(y / 10) * 10)
            rect = rect_at(centre, size, 0)
            top = self.room.height
            low = bottom / 1000
            if any(
                overlap(rect, one) and low < end and start < top
                for one, start, end in self.space.tall
            ):
                continue
            if not any(overlap(rect, out) for out in self.space.outside):
                self._add(kind, size, centre, 0, bottom)
                done = True
        return done

    def _rug(self, rule: Rule, kind: FurnitureKind) -> bool:
        size = self._size(kind)
        x0, y0, x1, y1 = self.space.bounds
        for _ in range(12):
            yaw = int(self.rng.choice([0, 90]))
            x, y = self.rng.uniform((x0 + 500, y0 + 500), (x1 - 500, y1 - 500))
            centre = (round(x / 10) * 10, round(y / 10) * 10)
            rect = rect_at(centre, size, yaw)
            if rect[0] < x0 or rect[1] < y0 or rect[2] > x1 or rect[3] > y1:
                continue
            near = grown(rect, 500)
            if any(overlap(rect, solid) for solid in self.space.solids):
                continue
            if self.space.touches(self.space.reached(self.space.free), near):
                self.space.access.append(near)
                self._add(kind, size, centre, yaw)
                return True
        return False


def _saved(space: RoomSpace) -> tuple[int, int, int, list[int]]:
    return len(space.solids), len(space.keeps), len(space.access), list(space.free)


def _restore(space: RoomSpace, saved: tuple[int, int, int, list[int]]) -> None:
    del space.solids[saved[0] :], space.keeps[saved[1] :], space.access[saved[2] :]
    space.free = saved[3]
