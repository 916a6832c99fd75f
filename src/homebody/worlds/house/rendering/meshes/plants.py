"""Plants in pots, vases with flowers."""

from __future__ import annotations

import math
from itertools import pairwise

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, MATT, WOOD
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import shade
from homebody.worlds.house.rendering.meshes.solids import turned


def potted_plant(form: Form) -> None:
    """A pot and leaves: long ones that bend, or a little tree."""
    sketch, (w, d, h), leaf = form.sketch, form.size, form.tone("leaves", (0.25, 0.5, 0.25))
    r, rim = min(w, d) * 0.3, min(0.34, h * 0.3)
    pot = [(0, 0), (0.72, 0), (0.72, 0), (1, 1), (0.9, 1), (0.85, 0.88), (0, 0.88)]
    profile = [(r * u, rim * z) for u, z in pot]
    sketch.lathe((0, 0, 0), profile, form.tone("pot"), GLOSS, 16)
    sketch.cylinder((0, 0, rim * 0.85), r * 0.86, 0.01, (0.25, 0.18, 0.12))
    if form.variant % 3 == 0:
        sketch.cylinder((0, 0, rim * 0.8), 0.02, h * 0.45, (0.4, 0.28, 0.18), WOOD, segments=6)
        n = form.variant
        for _ in range(14):
            n = (n * 1103515245 + 12345) % 2147483648
            angle, out, up = (n >> 8) % 360, 0.55 + ((n >> 4) % 100) / 240, ((n >> 12) % 100) / 100
            x = math.cos(math.radians(angle)) * w * 0.33 * out
            y = math.sin(math.radians(angle)) * d * 0.33 * out
            tone = shade(leaf, 0.85 + 0.3 * ((n >> 5) % 10) / 10)
            place = (x, y, h * 0.58 + up * h * 0.32)
            sketch.ball(place, (w * 0.16, d * 0.16, h * 0.085), tone, FABRIC, 7)
        return
    broad = w * (0.07 if form.variant % 3 == 1 else 0.11)
    for i in range(16):
        tall = (h - rim) * (0.55 + 0.45 * ((i * 7 + form.variant) % 10) / 9)
        out = w * 0.47 * (0.35 + 0.65 * ((i * 5) % 8) / 7)
        _blade(form, i * 137.5, rim * 0.85, tall, out, broad, shade(leaf, 0.8 + 0.045 * (i % 10)))


def _blade(
    form: Form, turn: float, z: float, tall: float, out: float, broad: float, tone: Colour
) -> None:
    """A leaf that rises from the middle of a pot and bends outwards."""
    blade = form.sketch.at((0, 0, 0), turn)
    steps = ((0.0, 0.0, 0.25), (0.3, 0.55, 0.8), (0.65, 0.9, 1.0), (1.0, 1.0, 0.0))
    for (a, p, s), (b, q, t) in pairwise(steps):
        x0, x1, z0, z1 = a * out, b * out, z + p * tall, z + q * tall
        y0, y1 = broad * s / 2, broad * t / 2
        blade.quad((x0, -y0, z0), (x0, y0, z0), (x1, y1, z1), (x1, -y1, z1), tone, FABRIC)


def plant(form: Form) -> None:
    """A small pot with leaves, or a cactus."""
    sketch, (w, d, h), leaf = form.sketch, form.size, form.tone("body", (0.3, 0.55, 0.3))
    r, rim = w * 0.34, h * 0.36
    pot = [(0, 0), (r * 0.75, 0), (r * 0.75, 0), (r, rim), (r * 0.9, rim), (0, rim * 0.9)]
    sketch.lathe((0, 0, 0), pot, form.tone("pot", (0.73, 0.42, 0.3)), GLOSS, 12)
    if form.category == "cactus":
        sketch.ball((0, 0, h * 0.66), (w * 0.26, d * 0.26, h * 0.34), leaf, FABRIC, 8)
        sketch.ball((w * 0.25, 0, h * 0.68), (w * 0.12, d * 0.12, h * 0.16), leaf, FABRIC, 6)
        return
    for i in range(9):
        a, out = i * 2.4, w * (0.14 + 0.035 * (i % 8))
        x, y, z = math.cos(a) * out, math.sin(a) * out * d / w, h * (0.9 - 0.06 * (i % 5))
        place, tone = (x, y, z - h * 0.1), shade(leaf, 0.8 + 0.08 * (i % 5))
        sketch.ball(place, (w * 0.13, d * 0.13, h * 0.14), tone, FABRIC, 6)


_VASE = turned(
    [
        *((0, 0), (0.55, 0), (0.6, 0.02), (1, 0.4), (0.85, 0.65)),
        *((0.45, 0.85), (0.6, 1), (0.52, 1), (0.36, 0.85), (0, 0.8)),
    ]
)
_PETALS = ((0.9, 0.4, 0.5), (0.95, 0.85, 0.35), (0.9, 0.9, 0.92))


def vase(form: Form) -> None:
    """A vase; every other one has flowers."""
    _VASE(form)
    if form.category == "vase" and form.variant % 2:
        sketch, (w, _, h) = form.sketch, form.size
        for i in range(5):
            x, y = math.cos(i * 2.4) * w * 0.35, math.sin(i * 2.4) * w * 0.35
            sketch.tube(((0, 0, h * 0.8), (x, y, h * 1.3)), 0.004, (0.25, 0.5, 0.22), MATT, 4)
            sketch.ball((x, y, h * 1.32), w * 0.17, _PETALS[(i + form.variant) % 3], FABRIC, 6)


SHAPES: dict[str, Shape] = {"potted_plant": potted_plant, "plant": plant, "vase": vase}
