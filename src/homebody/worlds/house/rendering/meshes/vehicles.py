"""Cars and bicycles. Toy vehicles are in toys.py."""

from __future__ import annotations

import math
from collections.abc import Iterable

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, METAL
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, STEEL
from homebody.worlds.house.rendering.meshes.sketch import Sketch


def wheels(sketch: Sketch, width: float, radius: float, places: Iterable[float]) -> None:
    """Draw pairs of small wheels under an object, one pair for each y of ``places``; metres."""
    for y in places:
        for x in (-width * 0.5, width * 0.5 - width * 0.14):
            wheel = sketch.at((x, y, radius), 90, "y")
            wheel.cylinder((0, 0, 0), radius, width * 0.14, BLACK, GLOSS, segments=10)


def car(form: Form) -> None:
    """Body, cabin, windows, wheels, lamps; its front is +y."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    glass: Colour = (0.25, 0.32, 0.36)
    waist = h * 0.58
    sketch.cushion((-x, -y, h * 0.17), (x, y, waist), body, 0.12, GLOSS)
    y0, y1 = -d * 0.42, d * 0.2
    outline = [(y0, waist - 0.02), (y1 + 0.35, waist - 0.02), (y1 - 0.25, h), (y0 + 0.35, h)]
    cabin = sketch.at((0, 0, 0), 90).at((0, 0, 0), 90, "x")  # (x, y, z) -> (x, -z, y)
    cabin.prism(outline, -w * 0.42, w * 0.42, glass, GLOSS)
    low, high = (-w * 0.41, y0 + 0.33, h - 0.05), (w * 0.41, y1 - 0.23, h + 0.0)
    sketch.cushion(low, high, body, 0.03, GLOSS)
    pillar = -0.25 * d / 4
    for side in (-w * 0.425, w * 0.405):
        low, high = (side, pillar, waist - 0.02), (side + 0.035, pillar + 0.09, h - 0.02)
        sketch.box(low, high, body, GLOSS)
    for side in (-x + 0.1, x - 0.1):
        for axle in (-d * 0.31, d * 0.31):
            wheel = sketch.at((side, axle, 0.32)).at((0, 0, 0), 90, "y")
            wheel.cylinder((0, 0, -0.11), 0.32, 0.22, BLACK, FABRIC, segments=20)
            wheel.cylinder((0, 0, -0.115), 0.19, 0.23, STEEL, METAL, segments=12)
    for side in (-w * 0.36, w * 0.36):
        low, high = (side - 0.16, y - 0.06, h * 0.38), (side + 0.16, y + 0.005, h * 0.47)
        sketch.cushion(low, high, (0.95, 0.95, 0.9), 0.03, GLOSS)
        low, high = (side - 0.14, -y - 0.005, h * 0.4), (side + 0.14, -y + 0.06, h * 0.48)
        sketch.cushion(low, high, (0.75, 0.1, 0.1), 0.03, GLOSS)
    sketch.box((-w * 0.25, y - 0.05, h * 0.22), (w * 0.25, y + 0.004, h * 0.34), BLACK)


def bicycle(form: Form) -> None:
    """Wheels, frame, saddle, handlebars, along x."""
    sketch, (w, d, h), frame = form.sketch, form.size, form.tone("frame")
    r = min(w * 0.2, h * 0.34)
    back, front = (-w / 2 + r, 0.0, r), (w / 2 - r, 0.0, r)
    tyre = [(0.92, -0.018), (1, -0.018), (1, 0.018), (0.92, 0.018), (0.92, -0.018)]
    for centre in (back, front):
        wheel = sketch.at(centre).at((0, 0, 0), 90, "x")
        profile = [(r * share, z) for share, z in tyre]
        wheel.lathe((0, 0, 0), profile, form.tone("wheels", BLACK), FABRIC, 24)
        for i in range(8):
            a = math.pi * i / 8
            x, y = math.cos(a) * r * 0.93, math.sin(a) * r * 0.93
            wheel.tube(((-x, -y, 0), (x, y, 0)), 0.003, STEEL, segments=3)
    pedals, saddle = (-w * 0.06, 0.0, r * 0.9), (-w * 0.15, 0.0, h * 0.78)
    head = (w * 0.22, 0.0, h * 0.78)
    bars = ((back, pedals), (pedals, saddle), (saddle, head), (pedals, head), (back, saddle))
    for bar in (*bars, (front, head)):
        sketch.tube(bar, 0.018, frame)
    x, _, z = saddle
    sketch.cushion((x - 0.13, -0.07, z + 0.02), (x + 0.12, 0.07, z + 0.08), BLACK, 0.03)
    top = (head[0] - 0.02, 0.0, h - 0.03)
    sketch.tube((head, top), 0.016, frame)
    sketch.tube(((top[0], -d / 2, h - 0.02), top, (top[0], d / 2, h - 0.02)), 0.014, BLACK)
    x, _, z = pedals
    sketch.tube(((x - 0.12, 0.08, z - 0.1), (x, 0, z), (x + 0.12, -0.08, z + 0.1)), 0.012, STEEL)


SHAPES: dict[str, Shape] = {"car": car, "bicycle": bicycle}
