"""What recipes of shapes are given, and parts of much furniture: legs, doors, drawers, taps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from homebody.worlds.house.model.house import Colour, Receptacle, Vector
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Sketch, Style, shade


@dataclass(frozen=True, slots=True)
class Form:
    """What a recipe draws: one thing, in its own frame.

    Attributes:
        sketch: Where it is drawn.
        size: (width along x, depth along y, height) of its box.
        style: Colours by part.
        states: ``open``, ``powered_on``, ``filled`` ...
        receptacles: Where things can be put: boards are drawn under them.
        variant: A number that tells things of one kind apart.
        category: Of the catalogue: shapes that many share may add what is special to one.
    """

    sketch: Sketch
    size: Vector
    style: Style
    states: Mapping[str, bool]
    receptacles: Sequence[Receptacle] = ()
    variant: int = 0
    category: str = ""

    def tone(self, part: str, default: Colour = (0.7, 0.7, 0.7)) -> Colour:
        """The colour of a part."""
        return self.style.get(part, default)

    def is_so(self, state: str) -> bool:
        return self.states.get(state, False)

    def spaces(self, *starts: str) -> list[Receptacle]:
        """Receptacles whose names start so, lowest first."""
        found = [one for one in self.receptacles if one.name.startswith(starts)]
        return sorted(found, key=lambda one: (one.low[2], one.low[0]))


Recipe: TypeAlias = Callable[[Form], None]
"""Draws a thing."""

STEEL: Colour = (0.72, 0.74, 0.76)
BLACK: Colour = (0.10, 0.10, 0.11)
TIMBER: Colour = (0.72, 0.53, 0.33)


def legs(
    form: Form, height: float, colour: Colour, thick: float = 0.05, inset: float = 0.02
) -> None:
    """Four straight legs under a piece."""
    w, d, _ = form.size
    x, y = w / 2 - inset - thick / 2, d / 2 - inset - thick / 2
    for sx in (-x, x):
        for sy in (-y, y):
            form.sketch.slab((sx, sy, 0.0), (thick, thick, height), colour, Surface.WOOD)


def carcass(
    form: Form, low: Vector, high: Vector, colour: Colour, thick: float = 0.02, lid: bool = True
) -> None:
    """A hollow body, open to the front: bottom, sides, back, and a lid."""
    sketch, (x0, y0, z0), (x1, y1, z1) = form.sketch, low, high
    sketch.box((x0, y0, z0), (x1, y1, z0 + thick), colour, Surface.WOOD)
    if lid:
        sketch.box((x0, y0, z1 - thick), (x1, y1, z1), colour, Surface.WOOD)
    sketch.box((x0, y0, z0), (x0 + thick, y1, z1), colour, Surface.WOOD)
    sketch.box((x1 - thick, y0, z0), (x1, y1, z1), colour, Surface.WOOD)
    sketch.box((x0, y0, z0), (x1, y0 + 0.01, z1), shade(colour, 0.85), Surface.WOOD)


def boards(
    form: Form,
    spaces: Sequence[Receptacle],
    colour: Colour,
    inset: float = 0.0,
    thick: float = 0.018,
) -> None:
    """A board right below each space, over the width of the piece."""
    w, d, _ = form.size
    for one in spaces:
        z = one.low[2]
        low, high = (-w / 2 + inset, -d / 2 + inset, z - thick), (w / 2 - inset, one.high[1], z)
        form.sketch.box(low, high, colour, Surface.WOOD)


def door(
    form: Form,
    low: tuple[float, float],
    high: tuple[float, float],
    y: float,
    colour: Colour,
    handle: Colour,
    hinge: str = "left",
    surface: Surface = Surface.WOOD,
    knob: str = "bar",
) -> None:
    """A door over (x, z) from ``low`` to ``high`` whose back is at ``y``: shut, or 100 degrees open
    if the piece is. Hinges are as seen from the front; a door hinged ``down`` lies flat when open.
    """
    thick, gap = 0.02, 0.003
    w, h = high[0] - low[0] - 2 * gap, high[1] - low[1] - 2 * gap
    leaf = Sketch()
    # Drawn from the hinge at the origin; the piece is seen from +y, so its left is +x.
    if hinge == "down":
        leaf.box((-w / 2, 0, 0), (w / 2, thick, h), colour, surface)
        leaf.tube(
            ((-w * 0.35, thick + 0.03, h * 0.88), (w * 0.35, thick + 0.03, h * 0.88)), 0.009, handle
        )
        pivot = ((low[0] + high[0]) / 2, y, low[1] + gap)
        form.sketch.add(leaf, pivot, -88 if form.is_so("open") else 0, "x")
        return
    way = -1.0 if hinge == "left" else 1.0
    x0, x1 = sorted((0.0, way * w))
    leaf.box((x0, 0, 0), (x1, thick, h), colour, surface)
    if surface == Surface.WOOD and min(w, h) > 0.25:  # a raised frame, so that it reads as a door
        rim, deep = 0.05, thick + 0.006
        tone = shade(colour, 1.04)
        leaf.box((x0, 0, 0), (x0 + rim, deep, h), tone, surface)
        leaf.box((x1 - rim, 0, 0), (x1, deep, h), tone, surface)
        leaf.box((x0, 0, 0), (x1, deep, rim), tone, surface)
        leaf.box((x0, 0, h - rim), (x1, deep, h), tone, surface)
    at = way * (w - 0.035)
    middle = h * (0.5 if h > 0.9 else (0.75 if low[1] < 0.8 else 0.25))
    if knob == "bar":
        half = min(0.3, h * 0.3) / 2
        bar = (
            (at, thick, middle - half),
            (at, thick + 0.03, middle - half),
            (at, thick + 0.03, middle + half),
            (at, thick, middle + half),
        )
        leaf.tube(bar, 0.007, handle, segments=5)
    else:
        leaf.ball((at, thick + 0.02, middle), 0.018, handle, Surface.METAL, 8)
    pivot = (high[0] - gap if hinge == "left" else low[0] + gap, y, low[1] + gap)
    turn = 0.0 if not form.is_so("open") else (100 * way)
    form.sketch.add(leaf, pivot, turn)


def doors(
    form: Form,
    low: tuple[float, float],
    high: tuple[float, float],
    y: float,
    colour: Colour,
    handle: Colour,
    **more: Any,
) -> None:
    """One door, or a pair if it would be wider than 0.6 m."""
    if high[0] - low[0] <= 0.6:
        door(form, low, high, y, colour, handle, "left", **more)
        return
    middle = (low[0] + high[0]) / 2
    door(form, low, (middle, high[1]), y, colour, handle, "right", **more)
    door(form, (middle, low[1]), high, y, colour, handle, "left", **more)


def drawer(
    form: Form,
    low: tuple[float, float],
    high: tuple[float, float],
    y: float,
    deep: float,
    colour: Colour,
    handle: Colour,
    pulled: float = 0.25,
    surface: Surface = Surface.WOOD,
) -> None:
    """A drawer whose front covers (x, z) from ``low`` to ``high``; out if the piece is open."""
    sketch, gap = form.sketch, 0.003
    out = min(pulled, deep * 0.6) if form.is_so("open") else 0.0
    (x0, z0), (x1, z1) = low, high
    front = y + out
    sketch.box((x0 + gap, front, z0 + gap), (x1 - gap, front + 0.02, z1 - gap), colour, surface)
    if out:
        inner = shade(colour, 0.85)
        back, top = front - deep + 0.02, z1 - (z1 - z0) * 0.3
        sketch.box((x0 + 0.02, back, z0 + 0.012), (x1 - 0.02, front, z0 + 0.022), inner, surface)
        sketch.box((x0 + 0.02, back, z0 + 0.012), (x0 + 0.03, front, top), inner, surface)
        sketch.box((x1 - 0.03, back, z0 + 0.012), (x1 - 0.02, front, top), inner, surface)
    half, z, x = min(0.16, (x1 - x0) * 0.25), (z0 + z1) / 2, (x0 + x1) / 2
    bar = (
        (x - half, front + 0.02, z),
        (x - half, front + 0.045, z),
        (x + half, front + 0.045, z),
        (x + half, front + 0.02, z),
    )
    sketch.tube(bar, 0.007, handle, segments=5)


def tap(form: Form, at: Vector, reach: float = 0.14, height: float = 0.22) -> None:
    """A faucet standing at a place, its spout towards +y."""
    x, y, z = at
    sketch, chrome = form.sketch, (0.82, 0.84, 0.86)
    sketch.cylinder(at, 0.022, 0.04, chrome, Surface.METAL, segments=8)
    bend = (
        (x, y, z),
        (x, y, z + height * 0.85),
        (x, y + reach * 0.3, z + height),
        (x, y + reach, z + height),
        (x, y + reach, z + height * 0.8),
    )
    sketch.tube(bend, 0.012, chrome)
    sketch.tube(((x + 0.02, y, z + 0.05), (x + 0.07, y, z + 0.08)), 0.008, chrome)
