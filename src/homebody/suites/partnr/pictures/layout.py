"""The positions in a frame: rooms in rows, stations in rooms, lines in lanes of their own.

Chips and slots stand on furniture or in it, side by side, so that each has a free way up. A move is
one line above the furniture: chips lead up to it and arrows from it down to slots. The line of a
move within a room is in the room. The lines of other moves are above the row of rooms. Each line
has its own track. Rows are joined beside the rooms.

Pixels, from the upper left corner of the frame; y goes down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from homebody.suites.partnr.pictures.blocks import Block, Slot, blocks_of
from homebody.suites.partnr.pictures.cast import Where
from homebody.suites.partnr.pictures.frames import Chip, Frame, Move, Station
from homebody.suites.partnr.pictures.icons import HEIGHT
from homebody.suites.partnr.pictures.marks import chip_width, count_width, slot_width

TRACK: Final = 18.0
"""Distance between parallel lines."""
SIDE: Final = 30.0
"""Margin left and right of the rooms, where lines go from row to row."""
GAP: Final = 20.0
"""Gap between rooms."""
PAD: Final = 14.0
BETWEEN: Final = 18.0
"""Gap between stations."""


@dataclass(slots=True)
class RoomBox:
    """A room, or a part of one that is too wide for a row; ``again`` if not the first part."""

    room: str
    blocks: list[Block]
    again: bool = False
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    lefts: list[float] = field(default_factory=list)
    """Left edge of each block."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of a line: the middle of a chip's or slot's upper edge, with its row and room."""

    x: float
    y: float
    row: int
    box: int


@dataclass(frozen=True, slots=True)
class Wire:
    """The lines of a move: ends, height in each row, and trunks (x, upper and lower y)."""

    move: Move
    sources: tuple[End, ...]
    targets: tuple[End, ...]
    levels: Mapping[int, float]
    trunks: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a frame. ``base`` is the y of the icons' upper edge by room box."""

    boxes: tuple[RoomBox, ...]
    base: tuple[float, ...]
    wires: tuple[Wire, ...]
    width: float
    height: float


def lay_out(frame: Frame, width: float) -> Layout:
    """Compute the layout of a frame of a given width."""
    slots: dict[Where, list[Slot]] = {}
    for m, move in enumerate(frame.moves):
        for t, target in enumerate(move.targets):
            slots.setdefault(target, []).append((m, t))
    blocks = [
        block
        for station in _order_stations(frame)
        for block in blocks_of(station, slots, frame.moves)
    ]
    rows = _rows(blocks, width - 2 * SIDE)
    boxes = [box for row in rows for box in row]
    row_of = [at for at, row in enumerate(rows) for _ in row]
    _place_across(rows, width)
    ends = _ends(boxes, row_of)
    lanes = _lanes(frame.moves, ends, rows, width)
    return _place_down(frame, rows, row_of, ends, lanes, width)


def _order_stations(frame: Frame) -> list[Station]:
    """Return stations by room, sources before targets among rooms and in each room."""
    targets = {name for move in frame.moves for name, _ in move.targets}
    carried = {name for move in frame.moves for name in move.sources}

    def role(station: Station) -> int:
        taken = any(chip.name in carried for chip in (*station.on, *station.inside))
        return 1 + (station.name in targets) - taken

    rooms: dict[str, list[Station]] = {}
    for station in frame.stations:
        rooms.setdefault(station.room, []).append(station)
    by_role = sorted(rooms.values(), key=lambda of: sum(map(role, of)) / len(of))
    return [station for of in by_role for station in sorted(of, key=role)]


def _rows(blocks: Sequence[Block], width: float) -> list[list[RoomBox]]:
    """Return rooms in rows that fit the width."""
    boxes: list[RoomBox] = []
    for block in blocks:
        last = boxes[-1] if boxes else None
        more = block.width + BETWEEN
        if last is None or last.room != block.station.room or last.width + more > width:
            again = last is not None and last.room == block.station.room
            last = RoomBox(block.station.room, [], again)
            last.width = 2 * PAD - BETWEEN
            boxes.append(last)
        last.blocks.append(block)
        last.width += more
    rows: list[list[RoomBox]] = []
    for box in boxes:
        box.width = max(box.width, 110)
        used = sum(other.width + GAP for other in rows[-1]) if rows else width
        if used + box.width > width:
            rows.append([])
        rows[-1].append(box)
    return rows


def _place_across(rows: Sequence[Sequence[RoomBox]], width: float) -> None:
    """Set the x of rooms and stations; they share the free width of a row."""
    for row in rows:
        natural = sum(box.width for box in row)
        free = width - 2 * SIDE - GAP * (len(row) - 1) - natural
        x = SIDE
        for box in row:
            extra = max(0.0, min(free * box.width / natural, box.width))
            step = extra / (len(box.blocks) + 1)
            box.x, box.width = x, box.width + extra
            used = sum(block.width + BETWEEN for block in box.blocks) - BETWEEN
            at = x + max(PAD + step, (box.width - used - step * (len(box.blocks) - 1)) / 2)
            for block in box.blocks:
                box.lefts.append(at)
                at += block.width + BETWEEN + step
            x += box.width + GAP


Ends = dict[str | Slot, End]
"""Name of an object, or slot -> the end of its lines; y counts from the upper edge of the icons."""


def _ends(boxes: Sequence[RoomBox], row_of: Sequence[int]) -> Ends:
    ends: Ends = {}
    for b, box in enumerate(boxes):
        for block, left in zip(box.blocks, box.lefts, strict=True):
            for item, x, y in block.items:
                if isinstance(item, Chip):
                    label = chip_width(Chip(item.name, item.label, 0, states=item.states))
                    ends[item.name] = End(left + x + label / 2, y, row_of[b], b)
                else:
                    ends[item] = End(left + x, y, row_of[b], b)
    return ends


@dataclass(slots=True)
class Lanes:
    """The tracks of the lines.

    Attributes:
        room: Moves whose line is in a room: move -> room box.
        track: (move, row) -> track, counted from below.
        most_room: Room box -> number of tracks.
        most_row: Row -> number of tracks above it.
        ends: Move -> its ends, sources first.
        trunk: (move, upper row) -> x of its line down to the next row.
    """

    room: dict[int, int] = field(default_factory=dict)
    track: dict[tuple[int, int], int] = field(default_factory=dict)
    most_room: dict[int, int] = field(default_factory=dict)
    most_row: dict[int, int] = field(default_factory=dict)
    ends: dict[int, tuple[tuple[End, ...], tuple[End, ...]]] = field(default_factory=dict)
    trunk: dict[tuple[int, int], float] = field(default_factory=dict)


def _lanes(
    moves: Sequence[Move], ends: Ends, rows: Sequence[Sequence[RoomBox]], width: float
) -> Lanes:
    lanes = Lanes()
    uses: dict[str, int] = {}
    for move in moves:
        for name in move.sources:
            uses[name] = uses.get(name, 0) + 1
    seen: dict[str, int] = {}
    spans: list[tuple[bool, int, float, float, int, int]] = []
    downs: dict[float, list[tuple[int, int]]] = {}
    for m, move in enumerate(moves):
        sources = []
        for name in move.sources:
            if name not in ends:
                continue
            end = ends[name]
            rank = seen[name] = seen.get(name, 0) + 1
            shift = 8 * (rank - (uses[name] + 1) / 2)  # several lines from one chip
            sources.append(End(end.x + max(-24.0, min(24.0, shift)), end.y, end.row, end.box))
        targets = []
        for t in range(len(move.targets)):
            end = ends[m, t]
            targets.append(End(end.x + slot_width(move.number) / 2, end.y, end.row, end.box))
        lanes.ends[m] = tuple(sources), tuple(targets)
        both = [*sources, *targets]
        inside = len({end.box for end in both}) == 1
        if inside:
            lanes.room[m] = both[0].box
        touched = sorted({end.row for end in both})
        xs = {row: [end.x for end in both if end.row == row] for row in touched}
        for upper, lower in pairwise(touched):
            middle = sum(end.x for end in both) / len(both)
            x = _gap(rows[upper:lower], middle, width)
            x = _shift_aside(x, upper, lower, downs)
            lanes.trunk[m, upper] = x
            xs[upper].append(x)
            xs[lower].append(x)
        for row in touched:
            spread = max(count_width(move.count) - max(xs[row]) + min(xs[row]), 0) / 2
            low, high = min(xs[row]) - spread - 5, max(xs[row]) + spread + 5
            spans.append((inside, both[0].box if inside else row, low, high, m, row))
    taken: dict[tuple[bool, int, int], list[tuple[float, float]]] = {}
    for inside, lane, low, high, m, row in sorted(
        spans, key=lambda span: (span[3] - span[2], span)
    ):
        track = 0
        while any(a < high and low < b for a, b in taken.get((inside, lane, track), ())):
            track += 1
        taken.setdefault((inside, lane, track), []).append((low, high))
        lanes.track[m, row] = track
        most = lanes.most_room if inside else lanes.most_row
        most[lane] = max(most.get(lane, 0), track + 1)
    return lanes


def _gap(rows: Sequence[Sequence[RoomBox]], x: float, width: float) -> float:
    """Return the x nearest to a given one at which a line can pass some rows of rooms."""
    free = [SIDE / 2, width - SIDE / 2]
    if len(rows) == 1:
        free += [box.x + box.width + GAP / 2 for box in rows[0][:-1]]
        free.append(min(width - SIDE / 2, rows[0][-1].x + rows[0][-1].width + GAP / 2))
    return min(free, key=lambda candidate: (abs(candidate - x), candidate))


def _shift_aside(
    x: float, upper: int, lower: int, taken: dict[float, list[tuple[int, int]]]
) -> float:
    """Return x, shifted a little if other lines pass the same rows there."""
    for step in (0, -6, 6, -12, 12):
        others = taken.setdefault(x + step, [])
        if not any(upper < b and a < lower for a, b in others):
            break
    others.append((upper, lower))
    return x + step


def _place_down(
    frame: Frame,
    rows: Sequence[Sequence[RoomBox]],
    row_of: Sequence[int],
    ends: Ends,
    lanes: Lanes,
    width: float,
) -> Layout:
    boxes = [box for row in rows for box in row]
    base: list[float] = []
    tops: list[float] = []
    y = 4.0
    at = 0
    for r, row in enumerate(rows):
        y += TRACK * lanes.most_row.get(r, 0) + 6
        numbers = range(at, at + len(row))
        ascent = max(block.ascent for box in row for block in box.blocks)
        inner = max(lanes.most_room.get(b, 0) for b in numbers) * TRACK
        descent = max(block.descent for box in row for block in box.blocks)
        tops.append(y)
        icons = y + 16 + inner + ascent
        for room_box in row:
            room_box.y, room_box.height = y, icons - y + HEIGHT + descent + 30
            base.append(icons)
        y += row[0].height + 10
        at += len(row)
    wires = []
    for m, move in enumerate(frame.moves):
        sources, targets = lanes.ends[m]
        placed = [
            [End(e.x, e.y + base[e.box], e.row, e.box) for e in side] for side in (sources, targets)
        ]
        levels = {}
        for row_at in sorted({e.row for e in (*sources, *targets)}):
            track = lanes.track[m, row_at]
            if m in lanes.room:
                b = lanes.room[m]
                ascent = max(block.ascent for box in rows[row_at] for block in box.blocks)
                levels[row_at] = base[b] - ascent - 14 - TRACK * track
            else:
                levels[row_at] = tops[row_at] - 9 - TRACK * track
        touched = sorted(levels)
        trunks = tuple((lanes.trunk[m, a], levels[a], levels[b]) for a, b in pairwise(touched))
        wires.append(Wire(move, tuple(placed[0]), tuple(placed[1]), levels, trunks))
    return Layout(tuple(boxes), tuple(base), tuple(wires), width, y)
