"""Places furniture along walls: sofas that face a television, desks, rows, and hanging pieces.

Each function places furniture by a rule and returns whether it placed any. Lengths are whole
millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence

from homebody.core.ground.seeds import choose
from homebody.worlds.house.generation.arrange import SEAT_GAP, Arranger
from homebody.worlds.house.generation.floorspace import Footprint, RoomSpace, Wall
from homebody.worlds.house.generation.geometry import (
    Extent,
    middle_of,
    overlap,
    turn_corner,
)
from homebody.worlds.house.model.catalogue import FurnitureKind, Rule

BOARDS = ("blackboard", "whiteboard")
"""Furniture that seats should face, such as televisions."""


def place_facing(arranger: Arranger, rule: Rule, kind: FurnitureKind) -> bool:
    """Place a sofa facing a television on a wall or, without one, anywhere against a wall."""
    stand = arranger.catalogue.furniture[rule.companions["opposite"]]
    size, stand_size = arranger.size_of(kind), arranger.size_of(stand)
    for wall in arranger.shuffled_walls():
        room = arranger.distance_across(wall)
        if room < 3000:
            continue
        for start in arranger.starts(
            wall, stand, stand_size, stand_size[0] + 200, rule, clear=True
        ):
            at = start + 100
            middle = at + stand_size[0] // 2
            spare = room - stand_size[1] - size[1]
            to_wall = spare <= 2900
            far = room - size[1] if to_wall else stand_size[1] + 2600
            opposite = Wall(wall.axis, wall.at - wall.sign * room, wall.low, wall.high, -wall.sign)
            rect = wall.rect(at, at + stand_size[0], 0, stand_size[1])
            front = wall.rect(at, at + stand_size[0], stand_size[1], stand_size[1] + 400)
            use = wall.rect(at, at + stand_size[0], stand_size[1] + 280, stand_size[1] + 650)
            footprint = Footprint(rect, front, use)
            if not arranger.space.has_room_for([footprint]):
                continue
            saved = _save(arranger.space)
            arranger.space.take([footprint])
            begin = middle - size[0] // 2
            off = room - far - size[1]
            alone = Rule(rule.what, "wall", companions={"before": rule.companions["before"]})
            if arranger.stand(alone, kind, size, opposite, begin, off):
                arranger.add(stand, stand_size, middle_of(rect), wall.yaw)
                arranger.space.focus = wall
                if above := rule.companions.get("above"):
                    arranger.hang_above(above, wall, middle, stand_size[0])
                return True
            _restore(arranger.space, saved)
    before = {"before": rule.companions["before"]} if "before" in rule.companions else {}
    placed = arranger.place_at_wall(Rule(rule.what, "wall", companions=before), kind)
    over = {"above": rule.companions["above"]} if "above" in rule.companions else {}
    return arranger.place_at_wall(Rule((stand.name,), "wall", companions=over), stand) or placed


def place_desk(arranger: Arranger, rule: Rule, kind: FurnitureKind) -> bool:
    """Place a desk or counter with a seat behind it, between it and a wall."""
    size = arranger.size_of(kind)
    chair = arranger.catalogue.furniture[rule.companions["front"]]
    chair_size = arranger.size_of(chair)
    # The seat has the wall behind, preferably without windows: room for a board.
    walls = sorted(
        arranger.shuffled_walls(), key=lambda wall: any(gap[2] for gap in arranger.space.gaps[wall])
    )
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
            footprints = [
                Footprint(rect),
                Footprint(chair_rect, wall.rect(start, start + size[0], 0, 350)),
            ]
            if any(overlap(free, solid) for solid in arranger.space.solids):
                continue
            if not arranger.space.has_room_for(footprints):
                continue
            arranger.space.take(footprints)
            arranger.add(kind, size, middle_of(rect), (wall.yaw + 180) % 360)
            arranger.add(chair, chair_size, middle_of(chair_rect), wall.yaw)
            arranger.space.focus = wall
            return True
    alone = Rule(rule.what, "wall", companions=rule.companions)
    return arranger.place_at_wall(alone, kind)


def place_row(arranger: Arranger, rule: Rule, kind: FurnitureKind, count: int) -> bool:
    """Place pieces side by side along a wall. Pieces that do not fit go to other walls or are
    omitted."""
    names = list(rule.what) * count if len(rule.what) == 1 else list(rule.what)
    kinds = [arranger.catalogue.furniture[name] for name in names]
    pieces = [(kind, arranger.size_of(kind)) for kind in kinds]
    deep = max(size[1] for _, size in pieces)
    gap = round(rule.gap * 1000) if len(rule.what) == 1 else 0
    long = sum(size[0] + gap for _, size in pieces) - gap

    def worth(wall: Wall) -> tuple[int, int]:
        spans = _row_spans(arranger, wall, deep, pieces)
        low, high = max(spans, key=lambda span: span[1] - span[0], default=(0, 0))
        hidden = _fit_row(arranger, wall, low, high, gap, pieces)[0]
        return -min(high - low, long) // 600, hidden

    walls = sorted(arranger.shuffled_walls(), key=worth)
    left = pieces
    for wall in walls:
        for low, high in _row_spans(arranger, wall, deep, pieces):
            fit, at = [], 0
            for kind, size in left:
                if at + size[0] <= high - low:
                    fit.append((kind, size))
                    at += size[0] + gap
            if len(fit) < min(2, len(left)):
                continue
            _, start, ordered = _fit_row(arranger, wall, low, high, gap, fit)
            left = _lay_row(arranger, rule, wall, start, gap, ordered, left)
            break
        if not left:
            return True
    for kind, _ in left if left == pieces or len(rule.what) > 1 else ():
        if kind.name != "counter":
            arranger.place_at_wall(Rule((kind.name,), "wall"), kind)
    return True


def place_cubicles(arranger: Arranger, rule: Rule, kind: FurnitureKind, count: int) -> bool:
    """Place pieces side by side along a wall with a panel between neighbours and at open ends. If
    there is no room for so many, place fewer; a last one may stand without panels."""
    panel = arranger.catalogue.furniture[rule.companions["sides"]]
    size, screen = arranger.size_of(kind), arranger.size_of(panel)
    inner = size[0] + round(rule.gap * 1000)
    for number in range(count, 0, -1):
        for wall in arranger.shuffled_walls():
            for low, high in arranger.space.intervals(wall, screen[1], 500, screen[2] / 1000):
                at_start, at_end = low == wall.low, high == wall.high
                long = number * (inner + screen[0]) + (0 if at_start or at_end else screen[0])
                if high - low < long:
                    continue
                start = low if at_start or not at_end else high - long
                first = start if at_start else start + screen[0]
                seats = [first + i * (inner + screen[0]) for i in range(number)]
                panels = [at + inner for at in seats[: -1 if at_end and not at_start else None]]
                panels += [] if at_start else [start]
                footprints = [
                    _before_wall(wall, at + (inner - size[0]) // 2, size, round(kind.front * 1000))
                    for at in seats
                ]
                screens = [Footprint(wall.rect(at, at + screen[0], 0, screen[1])) for at in panels]
                if arranger.space.has_room_for([*footprints, *screens]):
                    arranger.space.take([*footprints, *screens])
                    for footprint in footprints:
                        arranger.add(kind, size, middle_of(footprint.rect), wall.yaw)
                    for footprint in screens:
                        arranger.add(panel, screen, middle_of(footprint.rect), wall.yaw)
                    return True
    return arranger.place_at_wall(Rule(rule.what, "wall"), kind)


def _before_wall(wall: Wall, start: int, size: Extent, front: int) -> Footprint:
    """Return the footprint of a piece at a wall that is used from its front."""
    end, deep = start + size[0], size[1]
    keep, access = (wall.rect(start, end, deep + a, deep + b) for a, b in ((0, front), (280, 650)))
    return Footprint(wall.rect(start, end, 0, deep), keep, access)


def _row_spans(
    arranger: Arranger, wall: Wall, deep: int, pieces: Sequence[tuple[FurnitureKind, Extent]]
) -> list[tuple[int, int]]:
    low = min(size[2] for _, size in pieces) / 1000
    return arranger.space.intervals(wall, deep, 500, low)


def _fit_row(
    arranger: Arranger,
    wall: Wall,
    low: int,
    high: int,
    gap: int,
    fit: Sequence[tuple[FurnitureKind, Extent]],
) -> tuple[int, int, Sequence[tuple[FurnitureKind, Extent]]]:
    """Return, for a row, the number of pieces in front of windows (as few as possible), the start
    and the order."""
    starts = [low, high - sum(size[0] + gap for _, size in fit) + gap]
    if high == wall.high and low != wall.low:
        starts.reverse()
    starts += range(low + 100, max(starts), 100)
    runs = []
    for order in (fit, fit[::-1]):
        for start in starts:
            at, hidden = start, 0
            for _, size in order:
                hidden += _is_before_window(arranger, wall, at, size)
                at += size[0] + gap
            runs.append((hidden, start, order))
    return min(runs, key=lambda run: run[0])


def _is_before_window(arranger: Arranger, wall: Wall, at: int, size: Extent) -> bool:
    """Return whether a piece at a wall would cover a window there."""
    height = size[2] / 1000
    if arranger.space.is_under(wall.rect(at, at + size[0], 0, size[1]), height):
        return True
    return any(
        a < at + size[0] and at < b and height > bottom
        for a, b, bottom in arranger.space.gaps[wall]
    )


def _lay_row(
    arranger: Arranger,
    rule: Rule,
    wall: Wall,
    start: int,
    gap: int,
    fit: Sequence[tuple[FurnitureKind, Extent]],
    left: Sequence[tuple[FurnitureKind, Extent]],
) -> list[tuple[FurnitureKind, Extent]]:
    unplaced = list(left)
    at = start
    above = rule.companions.get("above")
    for kind, size in fit:
        alone = Rule((kind.name,), "wall")
        if not _is_before_window(arranger, wall, at, size) and arranger.stand(
            alone, kind, size, wall, at
        ):
            unplaced.remove((kind, size))
            if above and kind.name != "fridge":
                arranger.hang_above(above, wall, at + size[0] // 2, size[0])
        at += size[0] + gap
    return unplaced


def place_on_counter(arranger: Arranger, rule: Rule, kind: FurnitureKind) -> bool:
    """Place a piece on a counter of the room, at its back and one of its ends."""
    size = arranger.size_of(kind)
    counters = [piece for piece in arranger.pieces if piece.kind.name in ("counter", "dishwasher")]
    counters = [piece for piece in counters if piece.size[0] >= size[0] + 40]
    if not counters:
        return False
    counter = choose(arranger.rng, counters)
    side = (counter.size[0] - size[0]) // 2 - 20
    x, y = turn_corner(
        side if arranger.rng.random() < 0.5 else -side,
        -(counter.size[1] - size[1]) // 2 + 20,
        counter.yaw,
    )
    arranger.add(
        kind,
        size,
        (counter.centre[0] + x, counter.centre[1] + y),
        counter.yaw,
        counter.bottom + counter.size[2],
    )
    return True


def hang(arranger: Arranger, rule: Rule, kind: FurnitureKind) -> bool:
    """Hang a piece on a wall within reach. If seats should face the piece, it hangs opposite
    them."""
    size = arranger.size_of(kind)
    bottom = round(kind.at * 1000)
    walls = arranger.shuffled_walls()
    if kind.name == "tv":
        walls.sort(key=lambda wall: -_length_facing(arranger, wall))
    focus = arranger.space.focus
    if focus and kind.name in (*BOARDS, "tv"):
        walls = [focus, *(wall for wall in walls if wall != focus)]
    for wall in walls:
        spans = arranger.space.hanging_intervals(
            wall, bottom / 1000, (bottom + size[2]) / 1000, size[1]
        )
        spans = [(a, b) for a, b in spans if b - a >= size[0]]
        if spans:
            low, high = choose(arranger.rng, spans)
            share = 0.5 if arranger.rng.random() < 0.6 else float(arranger.rng.random())
            start = round((low + (high - low - size[0]) * share) / 10) * 10
            start = min(max(start, low), high - size[0])
            rect = wall.rect(start, start + size[0], 0, size[1])
            access = arranger.space.standing_floor(rect)
            if access is not None:
                arranger.space.access.append(access)
                arranger.add(kind, size, middle_of(rect), wall.yaw)
                if kind.name in BOARDS:  # rows of seats face it
                    arranger.space.focus = wall
                return True
    return False


def _length_facing(arranger: Arranger, wall: Wall) -> int:
    """Return the total width in millimetres of the beds and seats that face a wall. Beds count five
    times."""
    return sum(
        piece.size[0] * (5 if "lieable" in piece.kind.affords else 1)
        for piece in arranger.pieces
        if (piece.yaw + 180) % 360 == wall.yaw
        and not {"sittable", "lieable"}.isdisjoint(piece.kind.affords)
    )


def _save(space: RoomSpace) -> tuple[int, int, int, list[int]]:
    return len(space.solids), len(space.keeps), len(space.access), list(space.free)


def _restore(space: RoomSpace, saved: tuple[int, int, int, list[int]]) -> None:
    del space.solids[saved[0] :], space.keeps[saved[1] :], space.access[saved[2] :]
    space.free = saved[3]
