"""Groups of objects: a set table, a row of books, shelves of goods.

The catalogue defines groups (``thing_groups.toml``). This module arranges their parts in a
receptacle. If the first part does not fit, the group is omitted. The other parts are placed if they
fit. Lengths are whole millimetres, x runs along the front of a piece, y from its back to its front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from homebody.core.ground.seeds import shuffle
from homebody.worlds.house.generation.geometry import Extent, overlap, turn_corner
from homebody.worlds.house.generation.random_draws import sample_weighted
from homebody.worlds.house.generation.slots import Slot
from homebody.worlds.house.generation.small_objects import Look, Spot, Stocker
from homebody.worlds.house.model.catalogue import ThingKind
from homebody.worlds.house.model.groups import GroupKind, GroupPart
from homebody.worlds.house.model.house import Thing

_STEP = 40
"""Distance to the next start of a row if something is in the way."""
_RELATED = 6
"""Number of related goods on a piece of furniture."""


def place_groups(stocker: Stocker, room: int, limit: int, singles: int) -> None:
    """Place the usual groups of a room, up to ``limit`` objects in the house.

    Only stocks of goods leave no space for ``singles``, objects that are placed one by one.
    """
    kind = stocker.rooms[room].kind
    usual = {kind, *stocker.catalogue.rooms[kind].like}
    for group in stocker.catalogue.groups.values():
        if usual.isdisjoint(group.rooms):
            continue
        slots = [
            slot
            for slot in stocker.slots[room]
            if slot.category in group.on and slot.receptacle.startswith(group.receptacle)
        ]
        owners = list(dict.fromkeys(slot.owner for slot in slots))
        is_stock = group.parts[0].by == "stock"
        most = limit if is_stock else limit - singles
        chance = group.chance * (stocker.stocked if is_stock else 1.0)
        placed = 0
        pieces: set[str] = set()
        for slot in shuffle(stocker.rng, slots):
            if placed >= group.most or len(stocker.things) >= most:
                break
            if slot.owner in pieces or not slot.places_left:
                continue
            along = owners.index(slot.owner) / len(owners)
            if stocker.rng.random() < chance and _place(stocker, slot, group, most, along):
                placed += 1
                if not group.repeats:
                    pieces.add(slot.owner)
            elif is_stock:
                slot.most = len(slot.taken)


def _place(stocker: Stocker, slot: Slot, group: GroupKind, limit: int, along: float = 0.0) -> bool:
    """Place a group; ``along`` is the position of the piece among those of the room, 0 to 1."""
    first: Thing | None = None
    inner: Slot | None = None
    for part in group.parts:
        if part.chance < 1 and stocker.rng.random() >= part.chance:
            continue
        if part.inside and inner is None:
            if first is None:
                return False
            inner = stocker.slot_in(first, slot)
        before = len(stocker.things)
        where = inner if part.inside and inner else slot
        if any(map(where.can_take, part.what)):
            items = _items(stocker, where, _related(part, along) if part.by == "stock" else part)
            _WAYS[part.by](stocker, where, part, items, min(limit - before, where.places_left))
        if first is None:
            if len(stocker.things) == before:
                return False
            first = stocker.things[before]
    return first is not None


def _related(part: GroupPart, along: float) -> GroupPart:
    """Return the part with the related goods at a position among all of its goods."""
    start = round(along * max(0, len(part.what) - _RELATED))
    end = start + _RELATED
    return replace(part, what=part.what[start:end], weights=part.weights[start:end])


Item: TypeAlias = tuple[ThingKind, Extent, Look | None]
"""Category, size and appearance of an object. If ``look`` is None, the appearance is sampled."""


def _items(stocker: Stocker, slot: Slot, part: GroupPart) -> Iterator[Item]:
    """Yield objects of a part that may be in a slot, without end."""
    things = stocker.catalogue.things
    weights = [
        weight if slot.can_take(name) else 0.0
        for name, weight in zip(part.what, part.weights, strict=True)
    ]
    while True:
        kind = things[part.what[sample_weighted(stocker.rng, weights)]]
        size = stocker.size_for(kind, part.upright)
        look = stocker.look_of(kind, slot.room) if part.same else None
        yield kind, size, look
        while part.same:
            yield kind, size, look


def _count(stocker: Stocker, part: GroupPart, left: int) -> int:
    return min(int(stocker.rng.integers(part.count[0], part.count[1] + 1)), left)


def _row(stocker: Stocker, slot: Slot, part: GroupPart, items: Iterator[Item], left: int) -> None:
    """Place objects side by side, from one end."""
    x0, y0, x1, y1 = slot.rect
    gap = round(part.gap * 1000)
    way = 1 if stocker.rng.random() < 0.5 else -1
    at = x0 if way > 0 else x1
    for _ in range(_count(stocker, part, left)):
        kind, size, look = next(items)
        wide, deep = size[0], size[1]
        if size[2] > slot.height or deep > y1 - y0:
            continue
        y = (y0 + y1) // 2 + round(part.at[1] * (y1 - y0 - deep) / 2)
        while x0 <= at <= x1:
            x = at + way * (wide // 2)
            spot = stocker.spot_at(slot, size, x, y, 0)
            if spot is not None:
                stocker.add(kind, size, slot, spot, look)
                at += way * (wide + gap)
                break
            at += way * _STEP


def _grid(stocker: Stocker, slot: Slot, part: GroupPart, items: Iterator[Item], left: int) -> None:
    """Place columns of equal objects, one behind the other, like goods in a shop."""
    x0, y0, x1, y1 = slot.rect
    gap = round(part.gap * 1000)
    kind, size, look = next(items)
    wide, deep = size[0], size[1]
    rows = min(part.deep, (y1 - y0) // (deep + gap))
    at = x0 + wide // 2
    columns = _count(stocker, part, left)
    while columns and at + wide // 2 <= x1:
        spots = [
            spot
            for row in range(rows)
            if (spot := stocker.spot_at(slot, size, at, y1 - deep // 2 - row * (deep + gap), 0))
        ]
        for spot in spots[:left]:
            stocker.add(kind, size, slot, spot, look)
            left -= 1
        columns -= bool(spots)
        at += wide + gap if spots else _STEP


def _stock(stocker: Stocker, slot: Slot, part: GroupPart, items: Iterator[Item], left: int) -> None:
    """Fill a shelf with columns of goods, several of each product side by side."""
    x0, y0, x1, y1 = slot.rect
    gap = round(part.gap * 1000)
    at = x0
    for kind, size, look in items:
        wide, deep = size[0] + gap, size[1] + gap
        fits = size[2] <= slot.height and deep <= y1 - y0
        look = look or stocker.look_of(kind, slot.room)
        for _ in range(_count(stocker, part, left) if fits else 0):
            for row in range(min(part.deep, (y1 - y0) // deep)):
                x, y = at + size[0] // 2, y1 - size[1] // 2 - row * deep
                spot = stocker.spot_at(slot, size, x, y, 0) if left else None
                if spot is not None:
                    stocker.add(kind, size, slot, spot, look)
                    left -= 1
            at += wide
        if not fits:
            at += _STEP
        if at >= x1 - _STEP or not left:
            break
    slot.most = len(slot.taken)


def _seats(stocker: Stocker, slot: Slot, part: GroupPart, items: Iterator[Item], left: int) -> None:
    """Place one object before each seat at a table, or none at all."""
    right, ahead = (round(value * 1000) for value in part.at)
    spots: list[tuple[Item, Spot]] = []
    if len(slot.seats) > left:
        return
    for seat in slot.seats:
        item = next(items)
        dx, dy = turn_corner(right, ahead, seat.yaw)
        spot = stocker.spot_at(slot, item[1], seat.x + dx, seat.y + dy, seat.yaw)
        if spot is None or any(overlap(spot[2], other[2]) for _, other in spots):
            return
        spots.append((item, spot))
    for (kind, size, look), spot in spots:
        stocker.add(kind, size, slot, spot, look)


def _spot(stocker: Stocker, slot: Slot, part: GroupPart, items: Iterator[Item], left: int) -> None:
    """Place an object at a point of the surface, parallel to it."""
    x0, y0, x1, y1 = slot.rect
    if not left:
        return
    kind, size, look = next(items)
    x = (x0 + x1) // 2 + round(part.at[0] * (x1 - x0 - size[0]) / 2)
    y = (y0 + y1) // 2 + round(part.at[1] * (y1 - y0 - size[1]) / 2)
    spot = stocker.spot_at(slot, size, x, y, 0)
    if spot is not None:
        stocker.add(kind, size, slot, spot, look)


def _scatter(
    stocker: Stocker, slot: Slot, part: GroupPart, items: Iterator[Item], left: int
) -> None:
    """Place objects anywhere."""
    for _ in range(_count(stocker, part, left)):
        kind, size, look = next(items)
        spot = stocker.spot_anywhere(slot, size, straight=kind.inside is not None)
        if spot is not None:
            stocker.add(kind, size, slot, spot, look)


def _door(stocker: Stocker, slot: Slot, part: GroupPart, items: Iterator[Item], left: int) -> None:
    """Place objects on the floor at a wall near a doorway."""
    for _ in range(_count(stocker, part, left)):
        kind, size, look = next(items)
        spot = stocker.spot_at_wall(slot, size, door=True)
        if spot is not None:
            stocker.add(kind, size, slot, spot, look)


_WAYS: Mapping[str, Callable[[Stocker, Slot, GroupPart, Iterator[Item], int], None]] = {
    "row": _row,
    "grid": _grid,
    "stock": _stock,
    "seats": _seats,
    "spot": _spot,
    "scattered": _scatter,
    "door": _door,
}
