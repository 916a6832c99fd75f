"""Bathrooms: toilets, washbasins, bathtubs, showers."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import GLASS, GLOSS, METAL
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import basin, tap
from homebody.worlds.house.rendering.meshes.palette import STEEL, WATER, shade


def toilet(form: Form) -> None:
    """Bowl, seat, tank; the lid stands up when it is open."""
    sketch, (w, d, h) = form.sketch, form.size
    body, lid = form.tone(), form.tone("lid", (0.95, 0.95, 0.94))
    rim, tank = min(0.42, h * 0.53), 0.19
    back, y, long = -d / 2, -d / 2 + tank, d - tank
    middle, stretch = y + long / 2, (1.0, long / w)
    sketch.cushion((-w * 0.46, back, rim - 0.03), (w * 0.46, y, h - 0.035), body, 0.025, GLOSS)
    low, high = (-w / 2, back, h - 0.035), (w / 2, y + 0.008, h)
    sketch.cushion(low, high, shade(lid, 1.03), 0.012, GLOSS)
    sketch.cylinder((0, back + 0.1, h), 0.022, 0.006, STEEL, METAL)
    bowl = [(0, 0), (w * 0.27, 0), (w * 0.25, 0.1), (w * 0.34, rim * 0.55)]
    bowl += [(w * 0.47, rim - 0.03), (w * 0.47, rim), (w * 0.33, rim)]
    bowl += [(w * 0.22, rim - 0.14), (0, rim - 0.2)]
    sketch.lathe((0, middle, 0), bowl, body, GLOSS, 20, stretch)
    sketch.cushion((-w * 0.22, back + 0.02, 0), (w * 0.22, middle, rim - 0.04), body, 0.03, GLOSS)
    seat = [(w * 0.3, 0), (w * 0.49, 0), (w * 0.49, 0.02), (w * 0.3, 0.02)]
    sketch.lathe((0, middle, rim), seat, lid, GLOSS, 20, stretch)
    sketch.cylinder((0, middle, rim - 0.16), 0.08, 0.01, WATER, GLOSS)
    flap = sketch.at((0, y + 0.01, rim + 0.02), 97 if form.is_open else 0, "x")
    cover = [(0, 0), (w * 0.49, 0), (w * 0.49, 0.018), (0, 0.022)]
    flap.lathe((0, long / 2, 0.0), cover, lid, GLOSS, 20, stretch)


def washbasin(form: Form) -> None:
    """A ceramic basin with a faucet on a column."""
    sketch, (x, y, h) = form.sketch, form.half
    ceramic, z = form.tone("basin"), form.bottom("basin", 0.85)
    column = [(0, 0), (x * 0.42, 0), (x * 0.42, 0), (x * 0.4, 0.04), (x * 0.28, 0.12)]
    column += [(x * 0.3, z * 0.7), (x * 0.5, z - 0.02)]
    sketch.lathe((0, -y * 0.35, 0), column, ceramic, GLOSS, 20, (1.0, 0.8))
    rim, y0, y1 = x - 0.07, -y + 0.14, y - 0.05
    sketch.cushion((-x, -y, z - 0.03), (-rim, y, h), ceramic, 0.02, GLOSS)
    sketch.cushion((rim, -y, z - 0.03), (x, y, h), ceramic, 0.02, GLOSS)
    sketch.cushion((-x + 0.01, -y, z - 0.03), (x - 0.01, y0, h), ceramic, 0.02, GLOSS)
    sketch.cushion((-x + 0.01, y1, z - 0.03), (x - 0.01, y, h), ceramic, 0.02, GLOSS)
    low, high = (-rim + 0.004, y0 + 0.004), (rim - 0.004, y1 - 0.004)
    basin(form, low, high, z, ceramic, GLOSS, h - 0.02)
    tap(sketch, (0, -y + 0.07, h), 0.13, 0.17)


def bathtub(form: Form) -> None:
    """A tub with a rim and a faucet at one end."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    rim, bottom = 0.08, h * 0.25
    sketch.cushion((-x, -y, 0.0), (x, -y + rim, h), body, 0.03, GLOSS)
    sketch.cushion((-x, y - rim, 0.0), (x, y, h), body, 0.03, GLOSS)
    sketch.cushion((-x, -y, 0.0), (-x + rim + 0.06, y, h), body, 0.03, GLOSS)
    sketch.cushion((x - rim, -y, 0.0), (x, y, h), body, 0.03, GLOSS)
    low, high = (-x + 0.05, -y + 0.05, bottom - 0.03), (x - 0.05, y - 0.05, bottom)
    sketch.box(low, high, shade(body, 0.97), GLOSS)
    if form.is_filled:
        level = h * 0.78
        low, high = (-x + rim, -y + rim, level - 0.01), (x - rim, y - rim, level)
        sketch.box(low, high, WATER, GLOSS)
    tap(sketch.at((-x + 0.06, 0, h), -90), (0, 0, 0), 0.16, 0.14)
    for side in SIDES:
        sketch.cylinder((-x + 0.06, side * 0.1, h), 0.025, 0.05, STEEL, METAL)


def shower(form: Form) -> None:
    """A tray in a corner, glass at its open sides, a head on a pole."""
    sketch, (w, _, _), (x, y, h) = form.sketch, form.size, form.half
    glass, frame = form.tone("glass"), form.tone("frame", STEEL)
    sketch.cushion((-x, -y, 0), (x, y, 0.07), form.tone("tray"), 0.015, GLOSS)
    sketch.cylinder((0, 0, 0.07), 0.04, 0.003, STEEL, METAL)
    for x0, y0 in ((-x, y - 0.025), (x - 0.025, y - 0.025), (x - 0.025, -y)):
        sketch.box((x0, y0, 0.06), (x0 + 0.025, y0 + 0.025, h), frame, METAL)
    sketch.box((-x, y - 0.025, h - 0.03), (x, y, h), frame, METAL)
    sketch.box((x - 0.025, -y, h - 0.03), (x, y, h), frame, METAL)
    sketch.box((x - 0.016, -y + 0.02, 0.07), (x - 0.01, y - 0.02, h - 0.03), glass, GLASS)
    leaf = sketch.at((-x + 0.03, y - 0.012, 0.075), 80 if form.is_open else 0)
    leaf.box((0, -0.003, 0), (w - 0.06, 0.003, h - 0.12), glass, GLASS)
    leaf.tube(((w - 0.12, 0.03, h * 0.42), (w - 0.12, 0.03, h * 0.58)), 0.01, frame)
    x, y = -w * 0.2, -y + 0.04
    pipe = ((x, y, 1.0), (x, y, h - 0.05), (x, y + 0.25, h - 0.02))
    sketch.tube(pipe, 0.012, STEEL)
    sketch.cylinder((x, y + 0.25, h - 0.06), 0.09, 0.02, STEEL, METAL, top=0.06, segments=16)
    sketch.slab((x, y, 0.98), (0.2, 0.05, 0.04), STEEL, METAL)


SHAPES: dict[str, Shape] = {
    "toilet": toilet, "washbasin": washbasin, "bathtub": bathtub, "shower": shower,
}  # fmt: skip
