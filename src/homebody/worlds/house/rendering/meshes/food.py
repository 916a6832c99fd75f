"""Food. Packaged food is in containers.py."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import GLOSS, MATT, WOOD
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import PAPER, shade
from homebody.worlds.house.rendering.meshes.solids import prism

GREEN: Colour = (0.25, 0.5, 0.2)


def fruit(form: Form) -> None:
    """Round fruit and vegetables, with stalk, crown, ribs or leaves by category."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    match form.category:
        case "pear":
            pear = [(0, 0), (w * 0.4, h * 0.08), (w / 2, h * 0.3), (w * 0.26, h * 0.65)]
            sketch.lathe((0, 0, 0), [*pear, (w * 0.18, h * 0.88), (0, h * 0.92)], body, GLOSS, 10)
        case "pineapple":
            sketch.ball((0, 0, h * 0.32), (w / 2, d / 2, h * 0.32), body, WOOD, 10)
            tip = (0.05, 0, h * 0.4)
            for i in range(7):
                leaf = sketch.at((0, 0, h * 0.6), i * 51)
                leaf.quad((0, -0.015, 0), (0, 0.015, 0), tip, tip, GREEN)
        case "pumpkin":
            for i in range(6):
                a = i * 1.047
                place = (math.cos(a) * w * 0.2, math.sin(a) * d * 0.2, h * 0.43)
                sketch.ball(place, (w * 0.3, d * 0.3, h * 0.43), body, GLOSS, 8)
            sketch.cylinder((0, 0, h * 0.8), w * 0.06, h * 0.2, GREEN, segments=6)
        case _:
            sketch.ball((0, 0, h * 0.48), (w / 2, d / 2, h * 0.48), body, GLOSS, 10)
    if form.category in ("orange", "lime", "lemon"):
        for a in (0, 72, 144, 216, 288):
            calyx = sketch.at((0, 0, h * 0.955), a)
            calyx.ball((w * 0.05, 0, 0), (w * 0.06, w * 0.022, h * 0.012), GREEN, MATT, 6)
    if form.category in ("apple", "pear", "tomato", "peach"):
        stalk = GREEN if form.category == "tomato" else (0.35, 0.25, 0.15)
        sketch.cylinder((0, 0, h * 0.9), w * 0.03, h * 0.12, stalk, segments=4)


def banana(form: Form) -> None:
    """A bow along x with dark ends."""
    sketch, (w, d, h) = form.sketch, form.size
    r = h * 0.36
    start, end = (-w / 2 + 0.01, -d * 0.2, r), (w / 2 - 0.01, -d * 0.2, r)
    points = [start, (-w * 0.28, d * 0.1, r), (0, d * 0.2, r), (w * 0.28, d * 0.1, r), end]
    sketch.tube(points, r, form.tone(), GLOSS, 7)
    for tip in (start, end):
        sketch.ball(tip, r * 0.5, (0.35, 0.27, 0.1), MATT, 5)


def loaf(form: Form) -> None:
    """Bread with cuts; a sandwich has a green layer; a croissant is bent."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    if form.category == "croissant":
        for i in range(7):
            t = (i - 3) / 3
            thick = 1 - 0.6 * abs(t)
            place = (t * w * 0.42, d * (0.18 - 0.5 * t * t) * 0.7, h * 0.5 * thick)
            radii = (w * 0.11, d * 0.32 * thick, h * 0.5 * thick)
            sketch.ball(place, radii, shade(body, 0.9 + 0.1 * (i % 2)), MATT, 8)
        return
    rim = min(d, h) * 0.42
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), body, rim, MATT)
    if form.category == "sandwich":
        low, high = (-w * 0.51, -d * 0.51, h * 0.35), (w * 0.51, d * 0.51, h * 0.55)
        sketch.cushion(low, high, (0.4, 0.65, 0.25), 0.01, MATT)
        return
    for i in range(3):
        x = -w * 0.25 + i * w * 0.25
        low, high = (x - 0.006, -d * 0.3, h * 0.97), (x + 0.006, d * 0.3, h * 1.0)
        sketch.box(low, high, shade(body, 1.3))


def cake(form: Form) -> None:
    """A cake on a plate, with cherries."""
    sketch, (w, _, h) = form.sketch, form.size
    sketch.cylinder((0, 0, 0), w / 2, h * 0.06, PAPER, GLOSS, segments=18)
    sketch.cylinder((0, 0, h * 0.06), w * 0.44, h * 0.7, form.tone(), MATT, segments=18)
    sketch.cylinder((0, 0, h * 0.7), w * 0.45, h * 0.12, (0.97, 0.92, 0.86), MATT, segments=18)
    for i in range(7):
        a = 2 * math.pi * i / 7
        place = (math.cos(a) * w * 0.33, math.sin(a) * w * 0.33, h * 0.86)
        sketch.ball(place, h * 0.12, (0.8, 0.12, 0.15), GLOSS, 6)


SHAPES: dict[str, Shape] = {
    "fruit": fruit, "banana": banana, "loaf": loaf, "cake": cake,
    "wedge": prism([(-0.5, -0.5), (0.5, 0), (-0.5, 0.5)], 0, 1, finish=GLOSS),  # of cheese
}  # fmt: skip
