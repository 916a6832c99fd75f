"""The sizes of stations and the positions of chips and slots in them.

Chips and slots are side by side, so that each has free space above it for lines. Lengths are
pixels, and y increases downwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from homebody.suites.partnr.pictures.cast import Where
from homebody.suites.partnr.pictures.frames import Chip, Move, Station
from homebody.suites.partnr.pictures.icons import HEIGHT, Icon, icon_of
from homebody.suites.partnr.pictures.marks import CHIP, SLOT, chip_width, order_width, slot_width
from homebody.suites.partnr.pictures.svg_elements import width_of

WIDEST: Final = 760.0
"""Widest row of items on one piece of furniture."""

Slot = tuple[int, int]
"""Index of a move, and of one of its targets."""
Item = Chip | Slot


@dataclass(frozen=True, slots=True)
class Block:
    """A measured station, with items relative to the upper left corner of its icon.

    Attributes:
        width: Total width.
        ascent: Height above the icon.
        descent: Height below the icon.
        icon_width: Width of the icon, which is centred.
        items: Item, x and y of its upper left corner; x from the block's left.
    """

    station: Station
    icon: Icon
    width: float
    ascent: float
    descent: float
    icon_width: float
    items: tuple[tuple[Item, float, float], ...]


def blocks_of(
    station: Station, slots: Mapping[Where, Sequence[Slot]], moves: Sequence[Move]
) -> list[Block]:
    """Return the blocks of a station: several if its items need more than one row."""
    icon = icon_of(station.kind)
    share = (icon.inside[2] - icon.inside[0]) / 100 if icon.stretches else 1.0
    on = _split_into_rows([*station.on, *slots.get((station.name, "on"), ())], moves, WIDEST)
    inside = _split_into_rows(
        [*station.inside, *slots.get((station.name, "within"), ())], moves, WIDEST * share
    )
    if len(on) == len(inside) == 1 and (_width(on[0], moves) + _width(inside[0], moves)) < WIDEST:
        return [_block(station, icon, on[0], inside[0], moves)]
    blocks = [_block(station, icon, row, [], moves) for row in on]
    blocks += [_block(station, icon, [], row, moves) for row in inside]
    return blocks or [_block(station, icon, [], [], moves)]


def _block(
    station: Station, icon: Icon, on: Sequence[Item], inside: Sequence[Item], moves: Sequence[Move]
) -> Block:
    x0, y0, x1, y1 = icon.inside
    share = (x1 - x0) / 100
    width_on, width_in = _width(on, moves), _width(inside, moves)
    wide = icon.width
    if icon.stretches:
        beside = (width_on + width_in + 28) / 0.84 if on and inside else 0
        wide = max(wide, width_on / 0.9, beside, (width_in + 8) / share if inside else 0)
    low = sum(order_width(goal) + 6 for goal in station.goals)
    label = width_of(station.label, 12) + 6
    both = width_on + width_in + 12 if on and inside else 0  # side by side: lines to both are free
    width = max(wide, width_on, width_in, both, label, low)
    left = (width - wide) / 2
    middle_on, middle_in = width / 2, left + (x0 + x1) / 200 * wide
    if both:
        middle_on = (width - max(both, wide * 0.8)) / 2 + width_on / 2
        middle_in = max(middle_in, middle_on + width_on / 2 + 12 + width_in / 2)
    middle_in = max(width_in / 2, min(middle_in, width - width_in / 2))
    surface, centre = icon.surface / 100 * HEIGHT, (y0 + y1) / 200 * HEIGHT
    items: list[tuple[Item, float, float]] = []
    for row, middle, level, lift in (
        (on, middle_on, surface, 1.0),
        (inside, middle_in, centre, 0.5),
    ):
        x = middle - _width(row, moves) / 2
        for item in row:
            tall = CHIP if isinstance(item, Chip) else SLOT
            items.append((item, x, level - tall * lift))
            x += _item_width(item, moves) + 6
    ascent = max((-y for _, _, y in items), default=0.0)
    descent = 44 if station.goals else 20
    return Block(station, icon, width, max(ascent, 0.0), descent, wide, tuple(items))


def _item_width(item: Item, moves: Sequence[Move]) -> float:
    return chip_width(item) if isinstance(item, Chip) else slot_width(moves[item[0]].number)


def _width(row: Sequence[Item], moves: Sequence[Move]) -> float:
    return sum(_item_width(item, moves) + 6 for item in row) - 6 if row else 0.0


def _split_into_rows(items: Sequence[Item], moves: Sequence[Move], most: float) -> list[list[Item]]:
    """Return items in rows that are not too wide."""
    rows: list[list[Item]] = []
    for item in items:
        if not rows or _width([*rows[-1], item], moves) > most:
            rows.append([])
        rows[-1].append(item)
    return rows
