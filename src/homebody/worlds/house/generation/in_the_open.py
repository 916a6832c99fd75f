"""Places furniture away from walls: tables with seats, rows over the whole floor, lamps.

Each function places furniture by a rule and returns whether it placed any. Lengths are whole
millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator

from homebody.worlds.house.generation.arrange import SEAT_GAP, Arranger
from homebody.worlds.house.generation.floorspace import Footprint
from homebody.worlds.house.generation.geometry import (
    Extent,
    floor_before,
    middle_of,
    overlap,
    rect_at,
    turn_corner,
)
from homebody.worlds.house.generation.random_draws import sample_between
from homebody.worlds.house.model.catalogue import FurnitureKind, Rule
from homebody.worlds.house.model.outlines import grown_by

_MARGIN = 350
"""Minimum distance between a block and walls."""
_FACING = 4
"""Number of pieces that face the same way above which none stands at a wall instead."""
_PARKED = 450
"""Distance between a parked piece and the wall beside it."""


def place_in_centre(arranger: Arranger, rule: Rule, kind: FurnitureKind) -> bool:
    """Place a piece near the middle of the room, with seats around it."""
    size = arranger.size_of(kind)
    x0, y0, x1, y1 = arranger.space.bounds
    long = x1 - x0 >= y1 - y0
    turn = 0 if long == (size[0] >= size[1]) else 90
    spots = [((x0 + x1) // 2, (y0 + y1) // 2)]
    for reach in (0.15, 0.3, 0.45, 0.6, 0.75, 0.9):
        for _ in range(4):
            dx, dy = (sample_between(arranger.rng, -1, 1) * reach / 2 for _ in range(2))
            spots.append((round(spots[0][0] + dx * (x1 - x0)), round(spots[0][1] + dy * (y1 - y0))))
    around = rule.companions.get("around")
    for least in (3, 2, 1) if around else (0,):
        for x, y in spots:
            centre = (x // 10 * 10, y // 10 * 10)
            for yaw in (turn, (turn + 90) % 180):
                if _place_centre(arranger, kind, size, centre, yaw, around, least):
                    return True
    return False


def _place_centre(
    arranger: Arranger,
    kind: FurnitureKind,
    size: Extent,
    centre: tuple[int, int],
    yaw: int,
    around: str | None,
    least: int,
    margin: int = 0,
) -> bool:
    rect = rect_at(centre, size, yaw)
    main = Footprint(rect)
    if front := round(kind.front * 1000):
        keep = floor_before(rect, yaw, 0, front)
        main = Footprint(rect, keep, floor_before(rect, yaw, 280, 650))
    if margin and any(overlap(grown_by(rect, margin), solid) for solid in arranger.space.solids):
        return False
    if not arranger.space.has_room_for([main]) or arranger.space.is_under(rect, size[2] / 1000):
        return False
    seats: list[tuple[Extent, tuple[int, int], int, Footprint]] = []
    chair = arranger.catalogue.furniture[around] if around else kind
    if around:
        for seat_size, spot, turn in _seats(arranger, chair, size, centre, yaw, kind):
            footprint = Footprint(rect_at(spot, seat_size, turn))
            taken = [main, *(seat[3] for seat in seats), footprint]
            if arranger.space.has_room_for(taken):
                seats.append((seat_size, spot, turn, footprint))
        if len(seats) < least:
            return False
    arranger.space.take([main, *(seat[3] for seat in seats)])
    arranger.add(kind, size, centre, yaw)
    for seat_size, spot, turn, _ in seats:
        arranger.add(chair, seat_size, spot, turn)
    return True


def _seats(
    arranger: Arranger,
    chair: FurnitureKind,
    size: Extent,
    centre: tuple[int, int],
    yaw: int,
    kind: FurnitureKind,
) -> Iterator[tuple[Extent, tuple[int, int], int]]:
    """Yield places for chairs along a table's sides, and at its heads if it is long."""
    chair_size = arranger.size_of(chair)
    along = min(4, max(1, size[0] // (chair_size[0] + 130)))
    spots: list[Extent] = []
    bar = kind.name == "kitchen_island"  # stools on one side only
    for side in (1,) if bar else (1, -1):
        y = side * (size[1] // 2 + SEAT_GAP + chair_size[1] // 2)
        for i in range(along):
            x = round((i + 0.5) * size[0] / along) // 10 * 10 - size[0] // 2
            spots.append((x, y, 180 if side > 0 else 0))
    if size[0] >= 1500 and not bar:
        x = size[0] // 2 + SEAT_GAP + chair_size[1] // 2
        spots += [(x, 0, 90), (-x, 0, 270)]
    for x, y, turn in spots:
        x, y = turn_corner(x, y, yaw)
        yield chair_size, (centre[0] + x, centre[1] + y), (turn + yaw) % 360


def place_parked(arranger: Arranger, rule: Rule, kind: FurnitureKind) -> bool:
    """Place a piece lengthwise beside a long wall, with the rest of the floor on one side."""
    size = arranger.size_of(kind)
    walls = arranger.shuffled_walls()
    gate = arranger.space.gate  # cars leave straight on
    walls.sort(
        key=lambda wall: (
            gate is not None and wall.axis == gate.axis,
            (wall.low - wall.high) // 1000,
        )
    )
    for wall in walls:
        turn = 90 if size[1] > size[0] else 0
        long, wide = max(size[:2]), min(size[:2])
        spare = wall.high - wall.low - long
        for share in (0.5, 0.3, 0.7, 0.1, 0.9):
            start = wall.low + round(spare * share / 10) * 10
            rect = wall.rect(start, start + long, _PARKED, _PARKED + wide)
            footprint = Footprint(rect)
            if arranger.space.has_room_for([footprint]) and not arranger.space.is_under(
                rect, size[2] / 1000
            ):
                arranger.space.take([footprint])
                arranger.add(kind, size, middle_of(rect), (wall.yaw + turn) % 360)
                return True
    return place_in_centre(arranger, rule, kind)


def place_block(arranger: Arranger, rule: Rule, kind: FurnitureKind, count: int) -> bool:
    """Place rows over the whole floor, all facing the same way."""
    size = arranger.size_of(kind)
    seat = rule.companions.get("front")
    around = rule.companions.get("around")
    company = seat or around
    chair = arranger.catalogue.furniture[company] if company else None
    deep = arranger.size_of(chair)[1] + SEAT_GAP if chair else 0
    focus = arranger.space.focus or arranger.shuffled_walls()[0]
    yaw = focus.yaw if rule.same else (focus.yaw + 90 * int(arranger.rng.integers(2))) % 360
    gap = round(rule.gap * 1000)
    width, depth = size[0] + gap, size[1] + deep + gap
    if around:
        depth += deep
        width += 2 * deep if size[0] >= 1500 else 0
    x0, y0, x1, y1 = arranger.space.bounds
    size_x, size_y = (width, depth) if yaw % 180 == 0 else (depth, width)
    beside = (rule.together, 1) if yaw % 180 == 0 else (1, rule.together)
    spots = [
        (x, y)
        for y in _spread(y0, y1, size_y, gap, beside[1])
        for x in _spread(x0, x1, size_x, gap, beside[0])
    ]
    if arranger.space.focus:  # nearest rows first
        axis = 0 if focus.axis == 0 else 1
        spots.sort(key=lambda spot: abs(spot[axis] - focus.at))
        if rule.same:  # no seats beside the teacher
            spots = [spot for spot in spots if abs(spot[axis] - focus.at) > 2600]
    done = 0
    for centre in spots:
        if done >= count:
            break
        if around:
            done += _place_centre(arranger, kind, size, centre, yaw, around, 2, 200)
        elif chair:
            done += _place_desk_and_seat(arranger, kind, size, centre, yaw, chair)
        else:
            margin = gap // 2 if rule.together == 1 else 0
            done += _place_centre(arranger, kind, size, centre, yaw, None, 0, margin)
    least = min(rule.count[0], _FACING) if rule.same else rule.count[0]
    while done < least and not around:  # doorways are in the way: use walls instead
        if not arranger.place_at_wall(Rule(rule.what, "wall", companions=rule.companions), kind):
            break
        done += 1
    return done > 0


def _spread(low: int, high: int, size: int, gap: int, together: int) -> list[int]:
    """Return the centres of pieces along a line, in blocks of ``together`` pieces without gaps."""
    spots: list[int] = []
    at = 0
    while low + 2 * _MARGIN + at + size - gap <= high or not spots:
        spots.append(at + size // 2)
        at += size if len(spots) % together == 0 else size - gap
    start = low + (high - low - spots[-1] - size + size // 2) // 2
    return [(start + spot) // 10 * 10 for spot in spots]


def _place_desk_and_seat(
    arranger: Arranger,
    kind: FurnitureKind,
    size: Extent,
    centre: tuple[int, int],
    yaw: int,
    chair: FurnitureKind,
) -> bool:
    chair_size = arranger.size_of(chair)
    x, y = turn_corner(0, -(chair_size[1] + SEAT_GAP) // 20 * 10, yaw)
    desk = (centre[0] + x, centre[1] + y)
    x, y = turn_corner(0, (size[1] + chair_size[1]) // 2 + SEAT_GAP, yaw)
    spot = (desk[0] + x, desk[1] + y)
    turn = (yaw + 180) % 360
    footprints = [Footprint(rect_at(desk, size, yaw)), Footprint(rect_at(spot, chair_size, turn))]
    if any(
        overlap(grown_by(footprint.rect, 250), solid)
        for footprint in footprints
        for solid in arranger.space.solids
    ):
        return False
    if not arranger.space.has_room_for(footprints):
        return False
    arranger.space.take(footprints)
    arranger.add(kind, size, desk, yaw)
    arranger.add(chair, chair_size, spot, turn)
    return True


def place_lamps(arranger: Arranger, rule: Rule, kind: FurnitureKind, count: int) -> bool:
    """Hang lamps from the ceiling along the longer side of the room."""
    size = arranger.size_of(kind)
    x0, y0, x1, y1 = arranger.space.bounds
    bottom = round(arranger.room.height * 1000) - size[2]
    done = False
    for i in range(count):
        share = (i + 0.5) / count
        wide = x1 - x0 >= y1 - y0
        x = x0 + (x1 - x0) * (share if wide else 0.5)
        y = y0 + (y1 - y0) * (0.5 if wide else share)
        done |= any(
            _hang_from_ceiling(arranger, kind, size, (x + aside, y + ahead), bottom)
            for aside, ahead in _LAMP_OFFSETS
        )
    return done


_LAMP_OFFSETS = (
    (0, 0),
    *((a, b) for far in (400, 800, 1200) for a, b in ((far, 0), (-far, 0), (0, far), (0, -far))),
)
"""Shifts in millimetres that are tried for a lamp that would be out of reach."""


def _hang_from_ceiling(
    arranger: Arranger, kind: FurnitureKind, size: Extent, at: tuple[float, float], bottom: int
) -> bool:
    """Hang a lamp, if there is room and it can be reached; return success."""
    centre = (round(at[0] / 10) * 10, round(at[1] / 10) * 10)
    rect = rect_at(centre, size, 0)
    low, top, bounds = bottom / 1000, arranger.room.height, arranger.space.bounds
    if rect[0] < bounds[0] or rect[1] < bounds[1] or rect[2] > bounds[2] or rect[3] > bounds[3]:
        return False
    tall = any(
        overlap(rect, other) and low < end and start < top
        for other, start, end in arranger.space.tall
    )
    if tall or any(overlap(rect, out) for out in arranger.space.outside):
        return False
    access = arranger.space.standing_floor(rect)
    if access is None:
        return False
    arranger.space.access.append(access)
    arranger.add(kind, size, centre, 0, bottom)
    return True
