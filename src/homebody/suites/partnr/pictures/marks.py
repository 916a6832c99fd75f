"""The marks of a picture: chips, slots, pills and arrowheads, with their widths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from homebody.suites.partnr.pictures.frames import Chip, WantedState
from homebody.suites.partnr.pictures.svg_elements import (
    INK,
    MOTIFS,
    WHITE,
    box,
    colour_of,
    ink_on,
    label,
    motif,
    tag,
    tooltip,
    width_of,
)

CHIP: Final = 22.0
"""Height of a chip in pixels."""
SLOT: Final = 18.0
DASHES: Final = "1 3.2"
MAX_SOCKETS: Final = 8


def chip_width(chip: Chip) -> float:
    """Return the width of a chip with its wanted states."""
    return width_of(chip.label, 12, True) + 14 + 17 * len(chip.states) + goals_width(chip.goals)


def goals_width(goals: Sequence[WantedState]) -> float:
    """Return the width of the rings behind a chip."""
    return sum(24 + (width_of(goal.count, 10) + 4 if goal.count else 0) for goal in goals)


def draw_chip(chip: Chip, x: float, y: float) -> str:
    """Draw a chip with its upper left corner at (x, y), followed by its wanted states."""
    colour = colour_of(chip.colour)
    ink = ink_on(colour) if chip.sure else INK
    width = chip_width(chip) - goals_width(chip.goals)
    drawn = [
        tooltip(chip.name),
        box(x, y, width, CHIP, 5, fill=colour, stroke=WHITE)
        if chip.sure
        else box(x, y, width, CHIP, 5, fill=WHITE, stroke=colour, line=2, dashes=DASHES),
    ]
    at = x + 7
    for state in chip.states:
        drawn.append(motif(state, at + 7, y + CHIP / 2, ink, 13))
        at += 17
    drawn.append(label((at + x + width - 7) / 2, y + 15.5, chip.label, 12, fill=ink, weight="bold"))
    drawn.append(_goals(chip.goals, x + width, y))
    return tag("g", "".join(drawn), class_="chip")


def _goals(goals: Sequence[WantedState], x: float, y: float) -> str:
    drawn = []
    for goal in goals:
        colour = colour_of(goal.colour)
        drawn.append(
            tag(
                "circle",
                cx=x + 13,
                cy=y + CHIP / 2,
                r=10,
                fill=WHITE,
                stroke=colour,
                stroke_width=2,
                stroke_linecap="round",
                stroke_dasharray="none" if goal.sure else "0.1 4",
            )
        )
        drawn.append(motif(goal.motif, x + 13, y + CHIP / 2, INK, 14))
        x += 24
        if goal.count:
            drawn.append(box(x, y + 4, width_of(goal.count, 10) + 2, 14, 3, fill=WHITE))
            drawn.append(label(x + 2, y + 15, goal.count, 10, anchor="start"))
            x += width_of(goal.count, 10) + 4
    return "".join(drawn)


def goal_text(goal: WantedState) -> str:
    """Return the wanted state of furniture in words."""
    words = {"on": "switch on", "off": "switch off", "filled": "fill", "dirty": "soil"}
    text = words.get(goal.motif, MOTIFS[goal.motif])
    return f"{text} ({goal.count})" if goal.count else text


def order_width(goal: WantedState) -> float:
    """Return the width of the pill with a wanted state of furniture."""
    return width_of(goal_text(goal), 11, True) + 30


def draw_order(goal: WantedState, x: float, y: float) -> str:
    """Draw a wanted state of furniture: a pill with its upper left corner at (x, y)."""
    colour = colour_of(goal.colour)
    return (
        box(
            x, y, order_width(goal), 20, 10, fill=WHITE, stroke=colour, line=2,
            dashes="none" if goal.sure else DASHES,
        )
        + motif(goal.motif, x + 13, y + 10, INK, 13)
        + label(x + 23, y + 14, goal_text(goal), 11, anchor="start", weight="bold")
    )  # fmt: skip


def slot_width(sockets: int) -> float:
    """Return the width of a slot for this number of objects."""
    more = width_of(f"+{sockets - MAX_SOCKETS}", 11, True) if sockets > MAX_SOCKETS else 0
    return 14 + 13 * min(sockets, MAX_SOCKETS) + more


def draw_slot(colours: Sequence[int], sockets: int, x: float, y: float) -> str:
    """Draw the dark place for coming objects, with a square for each."""
    count = min(sockets, MAX_SOCKETS)
    shown = [colour_of(colours[min(at, len(colours) - 1)]) for at in range(count)]
    drawn = [box(x, y, slot_width(sockets), SLOT, 4, fill="#33373f")]
    for at, colour in enumerate(shown):
        drawn.append(box(x + 8.5 + 13 * at, y + 4.5, 9, 9, 2, fill=colour, stroke=WHITE, line=0.8))
    if sockets > count:
        drawn.append(
            label(
                x + 12 + 13 * count,
                y + 13,
                f"+{sockets - count}",
                11,
                fill=WHITE,
                anchor="start",
                weight="bold",
            )
        )
    return "".join(drawn)


def draw_count(text: str, x: float, y: float, colour: str) -> str:
    """Draw a label in the middle of a line."""
    width = width_of(text, 11, True) + 12
    return box(x - width / 2, y - 8, width, 16, 8, fill=WHITE, stroke=colour) + label(
        x, y + 4, text, 11, weight="bold"
    )


def count_width(text: str) -> float:
    """Return the width of a label in a line; 0 without text."""
    return width_of(text, 11, True) + 12 if text else 0


def draw_head(x: float, y: float, colour: str) -> str:
    """Draw an arrowhead that points down to (x, y)."""
    a, b = f"{x - 5.5:.1f},{y - 9:.1f}", f"{x + 5.5:.1f},{y - 9:.1f}"
    return tag(
        "polygon", points=f"{a} {b} {x:.1f},{y:.1f}", fill=colour, stroke=WHITE, stroke_width=1
    )
