"""Shared parts of furniture: legs, bodies, boards, doors, drawers, frames, basins, taps."""

from __future__ import annotations

from collections.abc import Sequence

from homebody.worlds.house.model.house import Colour, Receptacle, Vector
from homebody.worlds.house.rendering.materials import GLASS, GLOSS, METAL, WOOD, Surface
from homebody.worlds.house.rendering.meshes.form import Form
from homebody.worlds.house.rendering.meshes.palette import STEEL, WATER, shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch

Corner = tuple[float, float]
"""Two coordinates of a corner, metres: (x, z) of fronts, (x, y) of basins."""
MIRROR = Surface.MIRROR
_GAP = 0.003  # around doors and drawers, metres


def legs(
    form: Form, height: float, colour: Colour, thick: float = 0.05, inset: float = 0.02
) -> None:
    """Draw four straight legs under a piece."""
    w, d, _ = form.size
    x, y = w / 2 - inset - thick / 2, d / 2 - inset - thick / 2
    for sx in (-x, x):
        for sy in (-y, y):
            form.sketch.slab((sx, sy, 0.0), (thick, thick, height), colour, WOOD)


def carcass(
    form: Form, low: Vector, high: Vector, colour: Colour, thick: float = 0.02, lid: bool = True
) -> None:
    """Draw a hollow body, open to the front: bottom, sides, back, and a lid."""
    sketch, (x0, y0, z0), (x1, y1, z1) = form.sketch, low, high
    sketch.box((x0, y0, z0), (x1, y1, z0 + thick), colour, WOOD)
    if lid:
        sketch.box((x0, y0, z1 - thick), (x1, y1, z1), colour, WOOD)
    sketch.box((x0, y0, z0), (x0 + thick, y1, z1), colour, WOOD)
    sketch.box((x1 - thick, y0, z0), (x1, y1, z1), colour, WOOD)
    sketch.box((x0, y0, z0), (x1, y0 + 0.01, z1), shade(colour, 0.85), WOOD)


def boards(
    form: Form,
    spaces: Sequence[Receptacle],
    colour: Colour,
    inset: float = 0.0,
    thick: float = 0.018,
) -> None:
    """Draw a board right below each space, over the width of the piece."""
    x, y, _ = form.half
    for space in spaces:
        z = space.low[2]
        low, high = (-x + inset, -y + inset, z - thick), (x - inset, space.high[1], z)
        form.sketch.box(low, high, colour, WOOD)


def bars_around(
    sketch: Sketch, low: Vector, high: Vector, rim: float, colour: Colour, surface: Surface
) -> None:
    """Draw bars as wide as ``rim`` around the front of a box: left, right, below, above."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    sketch.box((x0, y0, z0), (x0 + rim, y1, z1), colour, surface)
    sketch.box((x1 - rim, y0, z0), (x1, y1, z1), colour, surface)
    sketch.box((x0, y0, z0), (x1, y1, z0 + rim), colour, surface)
    sketch.box((x0, y0, z1 - rim), (x1, y1, z1), colour, surface)


def door(
    form: Form,
    low: Corner,
    high: Corner,
    y: float,
    colour: Colour,
    handle: Colour | None = None,
    hinge: str = "left",
    surface: Surface = WOOD,
) -> None:
    """Draw a door over (x, z) from ``low`` to ``high`` whose back is at ``y``.

    It is 100 degrees open if the piece is open. Hinges are as seen from the front; a door hinged
    ``down`` lies flat when open. The default handle colour comes from the style of the piece.
    """
    thick, handle = 0.02, handle or form.tone("handle", STEEL)
    w, h = high[0] - low[0] - 2 * _GAP, high[1] - low[1] - 2 * _GAP
    # Drawn from the hinge at the origin; the piece is seen from +y, so its left is +x.
    if hinge == "down":
        pivot = ((low[0] + high[0]) / 2, y, low[1] + _GAP)
        leaf = form.sketch.at(pivot, -88 if form.is_open else 0, "x")
        leaf.box((-w / 2, 0, 0), (w / 2, thick, h), colour, surface)
        z = h * 0.88
        leaf.tube(((-w * 0.35, thick + 0.03, z), (w * 0.35, thick + 0.03, z)), 0.009, handle)
        return
    way = -1.0 if hinge == "left" else 1.0
    pivot = (high[0] - _GAP if hinge == "left" else low[0] + _GAP, y, low[1] + _GAP)
    leaf = form.sketch.at(pivot, 100 * way if form.is_open else 0.0)
    x0, x1 = sorted((0.0, way * w))
    e = 0.003 if surface in (GLASS, MIRROR) else 0.0  # a pane lies within its frame
    leaf.box((x0 + e, e, e), (x1 - e, thick, h - e), colour, surface)
    if surface in (WOOD, GLASS, MIRROR) and min(w, h) > 0.2:  # a raised frame: it looks like a door
        rim = (0.05, shade(colour, 1.04), WOOD) if surface == WOOD else (0.025, handle, METAL)
        bars_around(leaf, (x0, 0, 0), (x1, thick + 0.006, h), *rim)
    x, middle = way * (w - 0.035), h * (0.5 if h > 0.9 else (0.75 if low[1] < 0.8 else 0.25))
    half = min(0.3, h * 0.3) / 2
    _grip(leaf, (x, thick, middle - half), (x, thick, middle + half), thick + 0.03, handle)


def _grip(sketch: Sketch, start: Vector, end: Vector, out: float, colour: Colour) -> None:
    """Draw a handle between two places on a front, projecting to y = ``out``."""
    (x0, y, z0), (x1, _, z1) = start, end
    bow = ((x0, y, z0), (x0, out, z0), (x1, out, z1), (x1, y, z1))
    sketch.tube(bow, 0.007, colour, segments=5)


def doors(
    form: Form,
    low: Corner,
    high: Corner,
    y: float,
    colour: Colour,
    handle: Colour | None = None,
    surface: Surface = WOOD,
) -> None:
    """Draw one door, or a pair if it would be wider than 0.6 m, or as a mirror 0.4 m."""
    if high[0] - low[0] <= (0.4 if surface == MIRROR else 0.6):
        door(form, low, high, y, colour, handle, "left", surface)
        return
    middle = (low[0] + high[0]) / 2
    door(form, low, (middle, high[1]), y, colour, handle, "right", surface)
    door(form, (middle, low[1]), high, y, colour, handle, "left", surface)


def drawer(
    form: Form,
    low: Corner,
    high: Corner,
    y: float,
    deep: float,
    colour: Colour,
    handle: Colour | None = None,
    pulled: float = 0.25,
    surface: Surface = WOOD,
) -> None:
    """Draw a drawer, its front over (x, z) from ``low`` to ``high``; out if the piece is open."""
    sketch, handle = form.sketch, handle or form.tone("handle", STEEL)
    out = min(pulled, deep * 0.6) if form.is_open else 0.0
    (x0, z0), (x1, z1), front = low, high, y + out
    sketch.box((x0 + _GAP, front, z0 + _GAP), (x1 - _GAP, front + 0.02, z1 - _GAP), colour, surface)
    if out:
        inner = shade(colour, 0.85)
        back, top = front - deep + 0.02, z1 - (z1 - z0) * 0.3
        sketch.box((x0 + 0.02, back, z0 + 0.012), (x1 - 0.02, front, z0 + 0.022), inner, surface)
        sketch.box((x0 + 0.02, back, z0 + 0.012), (x0 + 0.03, front, top), inner, surface)
        sketch.box((x1 - 0.03, back, z0 + 0.012), (x1 - 0.02, front, top), inner, surface)
    half, z, x = min(0.16, (x1 - x0) * 0.25), (z0 + z1) / 2, (x0 + x1) / 2
    _grip(sketch, (x - half, front + 0.02, z), (x + half, front + 0.02, z), front + 0.045, handle)


def drawers_under_top(form: Form, colour: Colour) -> None:
    """Draw the fronts of drawers under a top."""
    _, d, h = form.size
    y = d / 2 - 0.03
    for space in form.spaces("drawer"):
        low, high = (space.low[0] - 0.02, space.low[2] - 0.02), (space.high[0] + 0.02, h - 0.03)
        if not form.is_open:
            form.sketch.box((low[0], -d / 2 + 0.06, low[1]), (high[0], y, high[1]), colour, WOOD)
        drawer(form, low, high, y, d - 0.1, colour)


def basin(
    form: Form, low: Corner, high: Corner, z: float, colour: Colour, surface: Surface, rim: float
) -> None:
    """Draw an open trough over (x, y) from ``low`` to ``high``: floor at ``z``, edge at ``rim``."""
    sketch, (x0, y0), (x1, y1), t = form.sketch, low, high, 0.012
    sketch.box((x0, y0, z - 0.015), (x1, y1, z), shade(colour, 0.92), surface)
    sketch.box((x0 - t, y0 - t, z - 0.015), (x0, y1 + t, rim), colour, surface)
    sketch.box((x1, y0 - t, z - 0.015), (x1 + t, y1 + t, rim), colour, surface)
    sketch.box((x0, y0 - t, z - 0.015), (x1, y0, rim), colour, surface)
    sketch.box((x0, y1, z - 0.015), (x1, y1 + t, rim), colour, surface)
    sketch.cylinder(((x0 + x1) / 2, (y0 + y1) / 2, z), 0.022, 0.003, STEEL, METAL)
    if form.is_filled:
        level = z + (rim - z) * 0.7
        sketch.box((x0, y0, level - 0.002), (x1, y1, level), WATER, GLOSS)


def tap(sketch: Sketch, at: Vector, reach: float = 0.14, height: float = 0.22) -> None:
    """Draw a faucet at a place, its spout towards +y."""
    (x, y, z), chrome = at, (0.82, 0.84, 0.86)
    sketch.cylinder(at, 0.022, 0.04, chrome, METAL, segments=8)
    top = z + height
    bend = (
        *((x, y, z), (x, y, z + height * 0.85), (x, y + reach * 0.3, top)),
        *((x, y + reach, top), (x, y + reach, z + height * 0.8)),
    )
    sketch.tube(bend, 0.012, chrome)
    sketch.tube(((x + 0.02, y, z + 0.05), (x + 0.07, y, z + 0.08)), 0.008, chrome)
