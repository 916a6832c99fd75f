"""The goal of a task as one picture: PrediViz (appendix A.5.2) in our own style.

It is drawn from the evaluation function and the initial places, so it can be compared with the
instruction above it. Rooms are boxes with furniture in them, objects coloured chips. An arrow leads
from each object to the dark slot where it has to be. It is solid if the object is required, and
dotted if other objects are also possible; "2 of 3" gives the number. A wanted state is in a ring
behind a chip or below a piece of furniture. A temporal group is a frame that starts with the result
of the previous one. Relations (next to, same, different) are noted at the side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from homebody.core.ground.user_errors import HomebodyError
from homebody.goals.partnr import Episode, temporal_groups
from homebody.suites.partnr.pictures.cast import MAX_PROPOSITIONS, NOWHERE, Cast, cast_of, label_of
from homebody.suites.partnr.pictures.frames import Chip, Frame, frames_of
from homebody.suites.partnr.pictures.icons import draw_icon
from homebody.suites.partnr.pictures.layout import Layout, RoomBox, Wire, lay_out
from homebody.suites.partnr.pictures.legend import WIDTH as NOTES
from homebody.suites.partnr.pictures.legend import draw_legend, legend_of
from homebody.suites.partnr.pictures.marks import (
    draw_chip,
    draw_count,
    draw_head,
    draw_order,
    draw_slot,
    order_width,
)
from homebody.suites.partnr.pictures.svg_elements import (
    FONT,
    INK,
    MOTIFS,
    MUTED,
    PALE,
    ROOM,
    WHITE,
    box,
    colour_of,
    escape,
    label,
    motif,
    number,
    path,
    tag,
    tooltip,
    width_of,
    wrap,
)
from homebody.worlds.house.model.house import House

if TYPE_CHECKING:
    from homebody.suites.partnr.tasks import PartnrTask

WIDTH: Final = 1200.0
MARGIN: Final = 24.0
_GREY: Final = "#454a52"
BUS: Final = "#7a808a"
"""Colour of a line that several colours share."""


def draw(task: Episode | PartnrTask, house: House | None = None) -> str:
    """Return the picture of a task as SVG text.

    Args:
        task: An episode or a task.
        house: The episode's house, for places of objects that the episode does not place itself. A
            task has its own.

    Raises:
        HomebodyError: An episode is given without a house.
    """
    if not isinstance(task, Episode):
        episode, house = task.episode, house or task.house
    elif house is None:
        raise HomebodyError("an episode is drawn in its house", "give the house, or a task")
    else:
        episode = task
    cast = cast_of(episode, house)
    frames = frames_of(cast)
    notes = [legend_of(cast, frame, frames) for frame in frames]
    wide = WIDTH - 2 * MARGIN - (NOTES + 16 if any(notes) else 0)
    drawn, y = _header(episode)
    used: set[str] = set()
    for at, (frame, legend) in enumerate(zip(frames, notes, strict=True)):
        if frame.title:
            drawn.append(_banner(at + 1, frame.title, y))
            y += 40
        layout = lay_out(frame, wide)
        drawn.append(
            tag(
                "g",
                _frame(layout, cast),
                transform=f"translate({number(MARGIN)} {number(y)})",
                class_="frame",
            )
        )
        column, height = draw_legend(legend, WIDTH - MARGIN - NOTES, y + 10)
        drawn.append(column)
        y += max(layout.height, height + 10) + 12
        used |= _used_marks(frame)
    strip, y = _list_omissions(cast, frames, y)
    key, y = _key(used, y)
    sheet = [box(0, 0, WIDTH, y, fill=WHITE), *drawn, *strip, *key]
    head = tag("title", escape(" ".join(episode.instruction[:600].split())))
    return tag(
        "svg",
        head + "".join(sheet),
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTH,
        height=y,
        viewBox=f"0 0 {number(WIDTH)} {number(y)}",
        font_family=FONT,
        role="img",
    )


def _header(episode: Episode) -> tuple[list[str], float]:
    lines = wrap(episode.instruction, WIDTH - 2 * MARGIN, 19, 6, bold=True)
    drawn = [
        label(MARGIN, 40 + 27 * at, line, 19, anchor="start", weight="bold")
        for at, line in enumerate(lines)
    ]
    y = 40 + 27 * max(len(lines) - 1, 0) + 16
    return [*drawn, path([(MARGIN, y), (WIDTH - MARGIN, y)], PALE, width=1.5)], y + 14


def _banner(at: int, title: str, y: float) -> str:
    end = MARGIN + 44 + width_of(title, 17, True)
    return (
        tag("circle", cx=MARGIN + 15, cy=y + 15, r=15, fill=INK)
        + label(MARGIN + 15, y + 21, str(at), 16, fill=WHITE, weight="bold")
        + label(MARGIN + 40, y + 21, title, 17, anchor="start", weight="bold")
        + path([(end + 8, y + 15), (WIDTH - MARGIN, y + 15)], PALE, width=1.5)
    )


def _frame(layout: Layout, cast: Cast) -> str:
    """Return rooms and furniture, lines over them, and items on top."""
    under = [_room(room_box, cast) for room_box in layout.boxes]
    over: list[str] = []
    for room_box, base in zip(layout.boxes, layout.base, strict=True):
        for block, left in zip(room_box.blocks, room_box.lefts, strict=True):
            station = block.station
            middle = left + block.width / 2
            icon = draw_icon(block.icon, middle - block.icon_width / 2, base, block.icon_width)
            under.append(tag("g", tooltip(station.name) + icon, class_="station"))
            over.append(label(middle, base + 100, station.label, 12))
            x = middle + 3 - sum(order_width(goal) + 6 for goal in station.goals) / 2
            for goal in station.goals:
                over.append(draw_order(goal, x, base + 107))
                x += order_width(goal) + 6
            for item, dx, dy in block.items:
                if isinstance(item, Chip):
                    over.append(draw_chip(item, left + dx, base + dy))
                else:
                    move = layout.wires[item[0]].move
                    slot = draw_slot(move.colours, move.number, left + dx, base + dy)
                    over.append(tag("g", tooltip(station.name) + slot, class_="slot"))
    lines = [_lines(wire) for wire in layout.wires]
    return "".join([*under, *lines, *over, *(_counts(wire) for wire in layout.wires)])


def _room(room_box: RoomBox, cast: Cast) -> str:
    name = "not in this house" if room_box.room == NOWHERE else cast.label(room_box.room)
    name += ", continued" if room_box.again else ""
    return box(
        room_box.x, room_box.y, room_box.width, room_box.height, 8, fill=ROOM, stroke="#c9cdd4"
    ) + label(
        room_box.x + room_box.width / 2,
        room_box.y + room_box.height - 10,
        name,
        13,
        fill=_GREY,
        weight="bold",
    )


def _lines(wire: Wire) -> str:
    """Return a move: lines up from its objects, along, and arrows down to its places."""
    move = wire.move
    choice = len(move.targets) > 1
    tone = colour_of(move.colours[0]) if len(set(move.colours)) == 1 else BUS
    lines: list[tuple[list[tuple[float, float]], str, bool]] = []
    marks: list[str] = []
    if len(wire.sources) == len(wire.targets) == 1 and not wire.trunks:
        (a,), (b,) = wire.sources, wire.targets
        level = wire.levels[a.row]
        bend = [(a.x, a.y), (a.x, level), (b.x, level), (b.x, b.y - 8)]
        lines.append((_round_corners(bend), tone, False))
        marks.append(draw_head(b.x, b.y - 1, tone))
    else:
        dotted = choice or not move.every
        for row, level in wire.levels.items():
            xs = _crossings(wire, row)
            lines.append(([(min(xs), level), (max(xs), level)], tone, dotted))
        lines += [([(x, top), (x, low)], tone, dotted) for x, top, low in wire.trunks]
        for end, index in zip(wire.sources, move.colours, strict=False):
            level = wire.levels[end.row]
            lines.append(([(end.x, end.y), (end.x, level)], colour_of(index), not move.every))
            marks.append(tag("circle", cx=end.x, cy=level, r=3, fill=colour_of(index)))
        for end in wire.targets:
            lines.append(([(end.x, wire.levels[end.row]), (end.x, end.y - 8)], tone, dotted))
            marks.append(draw_head(end.x, end.y - 1, tone))
    halos = [path(points, WHITE, width=6.2) for points, _, _ in lines]
    drawn = [path(points, colour, dotted=dots) for points, colour, dots in lines]
    return "".join([*halos, *drawn, *marks])


def _crossings(wire: Wire, row: int) -> list[float]:
    """Return the x coordinates at which lines meet the line of a row, from the left."""
    xs = [end.x for end in (*wire.sources, *wire.targets) if end.row == row]
    level = wire.levels[row]
    return sorted([*xs, *(x for x, top, low in wire.trunks if level in (top, low))])


def _round_corners(corners: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a line with rounded corners, in three steps each."""
    points = [corners[0]]
    for a, b, c in zip(corners, corners[1:], corners[2:], strict=False):
        before = abs(a[0] - b[0]) + abs(a[1] - b[1])
        after = abs(c[0] - b[0]) + abs(c[1] - b[1])
        cut = min(7.0, before / 2, after / 2)
        if cut < 1:
            points.append(b)
            continue
        p = (b[0] + (a[0] - b[0]) * cut / before, b[1] + (a[1] - b[1]) * cut / before)
        q = (b[0] + (c[0] - b[0]) * cut / after, b[1] + (c[1] - b[1]) * cut / after)
        for t in (0.0, 0.25, 0.5, 0.75, 1.0):
            u = 1 - t
            points.append(
                (
                    u * u * p[0] + 2 * u * t * b[0] + t * t * q[0],
                    u * u * p[1] + 2 * u * t * b[1] + t * t * q[1],
                )
            )
    return [*points, corners[-1]]


def _counts(wire: Wire) -> str:
    """Return the label with the number of objects, placed on the longest free part of the line."""
    if not wire.move.count:
        return ""
    row = wire.sources[0].row if wire.sources else next(iter(wire.levels))
    level = wire.levels[row]
    xs = _crossings(wire, row)
    low, high = max(pairwise(xs), key=lambda pair: pair[1] - pair[0], default=(xs[0], xs[0]))
    tone = colour_of(wire.move.colours[0])
    return draw_count(wire.move.count, (low + high) / 2, level, tone)


def _used_marks(frame: Frame) -> set[str]:
    """Return the marks that the key has to explain."""
    used: set[str] = set()
    for move in frame.moves:
        used.add("slot")
        used.add("dotted" if len(move.targets) > 1 or not move.every else "solid")
    for station in frame.stations:
        chips = (*station.on, *station.inside)
        used.update(goal.motif for chip in chips for goal in chip.goals)
        used.update(state for chip in chips for state in chip.states)
        used.update(goal.motif for goal in station.goals)
        used.update("ring" for chip in chips if chip.goals)
        used.update("unsure" for chip in chips if not chip.sure)
    return used


def _list_omissions(cast: Cast, frames: Sequence[Frame], y: float) -> tuple[list[str], float]:
    """Return the notes on other rooms and on parts that are not drawn."""
    shown = {station.room for frame in frames for station in frame.stations}
    left = [
        label_of(room.name, cast.house, cast.episode)
        for room in cast.house.rooms
        if room.name not in shown
    ]
    lines = []
    if left:
        lines += wrap(f"Other rooms: {', '.join(left)}", WIDTH - 2 * MARGIN, 12, 3)
    count = len(cast.episode.evaluation.propositions)
    groups = len(temporal_groups(cast.episode.evaluation))
    if count > MAX_PROPOSITIONS:
        lines.append(f"Not drawn: {count - MAX_PROPOSITIONS} more propositions")
    if cast.left:
        lines.append(f"Not drawn: {cast.left} more things")
    if groups > len(frames):
        lines.append(f"Not drawn: {groups - len(frames)} more steps")
    drawn = [
        label(MARGIN, y + 14 + 18 * at, line, 12, fill=MUTED, anchor="start")
        for at, line in enumerate(lines)
    ]
    return drawn, y + 18 * len(lines) + 8


def _key(used: set[str], y: float) -> tuple[list[str], float]:
    """Return the explanation of the marks in use."""
    entries: list[tuple[str, str]] = [
        (mark, meaning)
        for mark, meaning in (
            ("solid", "has to go there"),
            ("dotted", "one of several will do"),
            ("slot", "where it has to be"),
            ("unsure", "here, or where else it may have been put"),
            ("ring", "state to be reached"),
            *MOTIFS.items(),
        )
        if mark in used
    ]
    drawn = [path([(MARGIN, y), (WIDTH - MARGIN, y)], PALE, width=1.5)]
    x, y = MARGIN, y + 22
    for mark, meaning in entries:
        wide = 42 + width_of(meaning, 11) + 18
        if x + wide > WIDTH - MARGIN:
            x, y = MARGIN, y + 24
        drawn.append(_mark(mark, x, y))
        drawn.append(label(x + 38, y + 4, meaning, 11, fill=_GREY, anchor="start"))
        x += wide
    return drawn, y + 20 if entries else y


def _mark(mark: str, x: float, y: float) -> str:
    if mark in ("solid", "dotted"):
        return path([(x, y - 5), (x + 24, y - 5)], _GREY, dotted=mark == "dotted") + path(
            [(x + 24, y - 5), (x + 24, y)], _GREY
        ) + draw_head(x + 24, y + 8, _GREY)  # fmt: skip
    if mark == "slot":
        return draw_slot((0,), 1, x, y - 9)
    if mark == "unsure":
        return box(x, y - 9, 30, 17, 4, stroke=_GREY, line=2, dashes="1 3.2")
    if mark == "ring":
        return tag("circle", cx=x + 15, cy=y, r=9, fill=WHITE, stroke=_GREY, stroke_width=2)
    return motif(mark, x + 16, y, INK, 15)
