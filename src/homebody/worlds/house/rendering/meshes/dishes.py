"""Cookware, tableware and drinking vessels."""

from __future__ import annotations

import math

from homebody.worlds.house.rendering.materials import GLOSS, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER, STEEL, shade, surface_of
from homebody.worlds.house.rendering.meshes.solids import (
    ROUND,
    box,
    filling,
    lathe,
    made_of,
    only,
    prism,
    tint,
    unless,
)  # fmt: skip

DRINK = (0.45, 0.62, 0.72)
WINE = (0.45, 0.06, 0.12)
COFFEE = (0.35, 0.2, 0.12)


def mug(form: Form) -> None:
    """A mug, its handle to +x."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    r, x = d / 2, (d - w) / 2
    shares = ((0, 0), (0.92, 0), (0.92, 0), (1, 0.05), (1, 1), (0.88, 1), (0.85, 0.1), (0, 0.1))
    sketch.lathe((x, 0, 0), [(r * u, h * z) for u, z in shares], body, GLOSS, ROUND)
    edge, out, top, low = x + r - 0.004, w / 2 - 0.006, h * 0.8, h * 0.25
    handle = ((edge, 0, top), (out, 0, top - 0.01), (out, 0, low + 0.01), (edge, 0, low))
    sketch.tube(handle, 0.006, body, GLOSS, 5)
    if form.is_filled:
        sketch.lathe((x, 0, h * 0.82), [(r * 0.88, 0), (0, 0.001)], (0.32, 0.19, 0.1), GLOSS, ROUND)


def cutlery(form: Form) -> None:
    """Along y: a handle and the category's working end."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    metal, thick = surface_of(body), max(h * 0.4, 0.003)
    sketch.box((-w * 0.18, -d / 2, 0), (w * 0.18, d * 0.2, thick), body, metal)
    match form.category:
        case "fork":
            sketch.box((-w * 0.4, d * 0.2, 0), (w * 0.4, d * 0.32, thick), body, metal)
            for x in (-0.4, -0.08, 0.24):
                sketch.box((x * w, d * 0.32, 0), ((x + 0.16) * w, d / 2, thick), body, metal)
        case "spoon" | "ladle" | "teaspoon" | "wooden_spoon":
            r = w / 2
            sketch.box((-w * 0.12, d * 0.2, 0), (w * 0.12, d / 2 - r * 2, thick), body, metal)
            sketch.ball((0, d / 2 - r * 1.3, h * 0.4), (r, r * 1.3, h * 0.4), body, metal, 8)
        case "toothbrush":
            sketch.box((-w * 0.3, d * 0.2, 0), (w * 0.3, d / 2, thick), body, GLOSS)
            sketch.box((-w * 0.3, d * 0.34, thick), (w * 0.3, d * 0.49, h), PAPER)
        case _:
            sketch.box((-w / 2, d * 0.2, 0), (w / 2, d / 2, thick), body, metal)


def kettle(form: Form) -> None:
    """Along x: belly, spout, lid, handle; a teapot, a kettle, a watering can."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    metal, r, x = surface_of(body), min(d / 2, w * 0.32), -w * 0.02
    shares = ((0, 0), (0.9, 0), (1, 0.12), (0.95, 0.5), (0.6, 0.72), (0, 0.74))
    sketch.lathe((x, 0, 0), [(r * u, h * z) for u, z in shares], body, metal, 14)
    sketch.ball((x, 0, h * 0.76), h * 0.05, BLACK, GLOSS, 6)
    sketch.tube(((x + r * 0.8, 0, h * 0.3), (w / 2 - 0.015, 0, h * 0.66)), h * 0.045, body, metal)
    out = -w / 2 + 0.01
    if form.category == "watering_can":
        handle = [(x - r * 0.9, 0, h * 0.2), (out, 0, h * 0.6), (x, 0, h * 0.9)]
        sketch.tube(handle, 0.011, body, metal)
    elif form.category == "teapot":
        handle = [(x - r * 0.9, 0, h * 0.2), (out, 0, h * 0.35), (out, 0, h * 0.55)]
        sketch.tube([*handle, (x - r * 0.7, 0, h * 0.62)], 0.008, body, metal)
    else:
        handle = [(x - r * 0.8, 0, h * 0.6), (x - r * 0.7, 0, h - 0.01)]
        handle += [(x + r * 0.7, 0, h - 0.01), (x + r * 0.8, 0, h * 0.6)]
        sketch.tube(handle, 0.011, BLACK, GLOSS)


def pitcher(form: Form) -> None:
    """A jug, its handle to +x."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    surface, r, x = surface_of(body), d / 2, (d - w) / 2
    profile = [(0, 0), (r * 0.8, 0), (r, h * 0.3), (r * 0.7, h * 0.8), (r * 0.85, h)]
    profile += [(r * 0.78, h), (r * 0.6, h * 0.78), (r * 0.8, h * 0.3), (0, 0.02)]
    sketch.lathe((x, 0, 0), profile, body, surface, ROUND)
    out = w / 2 - 0.008
    handle = [(x + r * 0.75, 0, h * 0.85), (out, 0, h * 0.75)]
    handle += [(out, 0, h * 0.35), (x + r * 0.95, 0, h * 0.28)]
    sketch.tube(handle, 0.007, body, surface)
    if form.is_filled:
        sketch.lathe((x, 0, h * 0.65), [(r * 0.75, 0), (0, 0.001)], DRINK, GLOSS, ROUND)


def tray(form: Form) -> None:
    """A flat bottom with a low rim."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    surface, t = surface_of(body), 0.008
    if surface == GLOSS and body[0] > body[2] + 0.1:
        surface = WOOD
    sketch.box((-x, -y, 0), (x, y, t), shade(body, 0.95), surface)
    for side in (-x, x - t):
        sketch.box((side, -y, 0), (side + t, y, h), body, surface)
    sketch.box((-x, -y, 0), (x, -y + t, h), body, surface)
    sketch.box((-x, y - t, 0), (x, y, h), body, surface)


def pan(form: Form) -> None:
    """A pan whose handle points to -y."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    r = w / 2
    y = d / 2 - r
    profile = [(0, 0), (r * 0.8, 0), (r, h * 0.8), (r * 0.94, h * 0.8)]
    sketch.lathe((0, y, 0), [*profile, (r * 0.76, 0.006), (0, 0.006)], body, METAL, 16)
    sketch.tube(((0, y - r * 0.95, h * 0.65), (0, -d / 2, h * 0.9)), 0.012, BLACK, GLOSS)


def pot(form: Form) -> None:
    """A pot with two handles and a lid; without the lid when it is open."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    r, edge = d / 2, h * 0.78
    profile = [(0, 0), (r, 0), (r, 0), (r, edge), (r * 0.94, edge), (r * 0.94, 0.01), (0, 0.01)]
    sketch.lathe((0, 0, 0), profile, body, METAL, 16)
    for side in SIDES:
        x = side * (w / 2 - 0.02)
        x0, x1 = min(x, x + 0.02), max(x, x + 0.02)
        sketch.box((x0, -0.03, edge * 0.75), (x1, 0.03, edge * 0.82), BLACK, GLOSS)
        sketch.tube(((side * r * 0.9, 0, edge * 0.78), (x, 0, edge * 0.78)), 0.008, BLACK, GLOSS)
    if not form.is_open:
        lid = [(r, 0), (r * 0.9, h * 0.06), (0, h * 0.12)]
        sketch.lathe((0, 0, edge), lid, shade(body, 1.05), METAL, 16)
        sketch.cylinder((0, 0, h * 0.88), 0.018, h * 0.12, BLACK, GLOSS, segments=8)
    elif form.is_filled:
        sketch.cylinder((0, 0, 0.01), r * 0.93, edge * 0.7, DRINK, GLOSS)


def board(form: Form) -> None:
    """A flat board; chess boards are chequered."""
    sketch, (w, d, h) = form.sketch, form.size
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), form.tone(), 0.006, WOOD)
    if form.category != "chess_board":
        sketch.cylinder((w * 0.4, 0, h), 0.012, 0.0008, (0.2, 0.15, 0.1), segments=8)
        return
    s, z = w * 0.9 / 8, h + 0.0005
    for i in range(8):
        for j in range(i % 2, 8, 2):
            x, y = -w * 0.45 + i * s, -w * 0.45 + j * s
            square = ((x, y, z), (x + s, y, z), (x + s, y + s, z), (x, y + s, z))
            sketch.quad(*square, (0.93, 0.86, 0.72))
    white, black = (-w * 0.45 + s / 2, (0.9, 0.87, 0.8)), (w * 0.45 - s / 2, (0.12, 0.1, 0.1))
    for i in range(8):
        x = -w * 0.45 + (i + 0.5) * s
        for y, colour in (white, black):
            sketch.cylinder((x, y, h), s * 0.28, s * 0.8, colour, GLOSS, top=s * 0.1, segments=6)


def _topping(form: Form) -> None:
    """Cheese, salami and basil inside a crust, and the cuts between six slices."""
    w, _, h = form.size
    sketch, r = form.sketch, w / 2
    crust = [(r * 0.82, h * 0.6), (r * 0.9, h * 1.1), (r, h * 0.9), (r, h * 0.5)]
    sketch.lathe((0, 0, 0), crust, (0.72, 0.47, 0.22), MATT, 20)
    sketch.lathe((0, 0, 0), [(r * 0.86, h * 0.74), (0, h * 0.75)], (0.96, 0.8, 0.4), MATT, 20)
    for i in range(11):
        a, out = 2.4 * i, r * 0.76 * math.sqrt((i + 0.5) / 11)
        place = (math.cos(a) * out, math.sin(a) * out, h * 0.74)
        if i % 4 == 3:
            sketch.ball(place, (w * 0.05, w * 0.025, 0.002), (0.2, 0.45, 0.15), MATT, 6)
        else:
            sketch.cylinder(place, w * 0.06, 0.003, (0.75, 0.18, 0.12), segments=10)
    for i in range(3):
        cut = sketch.at((0, 0, h * 0.75), 60 * i)
        cut.box((-r * 0.98, -0.001, 0), (r * 0.98, 0.001, 0.0035), (0.5, 0.3, 0.15))


SHAPES: dict[str, Shape] = {
    "cup": made_of(
        lathe([(0, 0), (0.6, 0), (0.75, 0.1), (1, 1), (0.9, 1), (0.6, 0.12), (0, 0.1)]),
        filling(0.86, 0.8, COFFEE),
    ),
    "glass": made_of(
        lathe([(0, 0), (0.75, 0), (0.78, 0.04), (1, 1), (0.92, 1), (0.7, 0.08), (0, 0.06)]),
        filling(0.85, 0.7),
    ),
    "wine_glass": made_of(
        lathe([
            (0, 0), (0.75, 0), (0.7, 0.02), (0.1, 0.05), (0.09, 0.42), (0.6, 0.5),
            (1, 0.68), (0.8, 1), (0.74, 1), (0.9, 0.68), (0, 0.48),
        ]),
        filling(0.9, 0.68, WINE),
    ),
    "plate": made_of(
        lathe([(0, 0), (0.6, 0), (1, 0.8), (1, 1), (0.66, 0.42), (0, 0.36)], segments=20),
        unless("pizza", *(lathe([(r, z), (r + 0.03, z + 0.06), (r + 0.06, z)], tint(0.7),
                                segments=20) for r, z in ((0.6, 0.38), (0.92, 0.86)))),
        only("pizza", _topping),
    ),
    "bowl": made_of(
        lathe([
            (0, 0), (0.45, 0), (0.5, 0.08), (0.85, 0.5), (1, 1),
            (0.92, 1), (0.75, 0.5), (0.4, 0.14), (0, 0.1),
        ]),
        filling(0.86, 0.75),
    ),
    "knife": made_of(
        box((-0.35, -0.5, 0), (0.35, -0.08, 0.8), (0.15, 0.13, 0.12), WOOD),
        prism([(-0.3, -0.08), (0.4, -0.08), (0.5, 0.3), (-0.3, 0.5)], 0.2, 0.4, STEEL, METAL),
    ),
    "mug": mug, "cutlery": cutlery, "kettle": kettle, "pitcher": pitcher, "tray": tray, "pan": pan,
    "pot": pot, "board": board,
    "shaker": made_of(
        lathe([(0, 0), (0.95, 0), (1, 0.1), (0.7, 0.45), (0.85, 0.7)]),
        lathe([(0.84, 0), (0.84, 0.15), (0, 0.3)], STEEL, METAL, 10, base=0.7, is_round=True),
    ),
}  # fmt: skip
