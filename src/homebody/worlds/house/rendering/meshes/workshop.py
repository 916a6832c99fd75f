"""Tools of workshops, garages and gardens: see also tools.py."""

from __future__ import annotations

import math

from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, STEEL, shade
from homebody.worlds.house.rendering.meshes.solids import (
    box,
    cushion,
    cylinder,
    made_of,
    move,
    prism,
    tint,
    tube,
)


def rope(form: Form) -> None:
    """Coils above each other; a loose end."""
    (w, _, h), body = form.size, form.tone()
    rings = 4
    thick = h / rings / 2
    for i in range(rings):
        r, z = w / 2 - thick - (i % 2) * thick * 0.7, thick + i * h / rings
        points = [
            (math.cos(2 * math.pi * k / 16) * r, math.sin(2 * math.pi * k / 16) * r, z)
            for k in range(17)
        ]
        form.sketch.tube(points, thick, shade(body, 1 - 0.1 * (i % 2)), FABRIC, 6)
    low, high = (w * 0.3, -w * 0.07, 0.0), (w * 0.5, w * 0.07, form.size[2])
    form.sketch.cushion(low, high, shade(body, 0.75), thick)
    form.sketch.tube(((0, -w * 0.38, thick), (w * 0.2, -w * 0.1, thick)), thick, body, FABRIC, 6)


def tire(form: Form) -> None:
    """A tyre that lies on its side, with treads."""
    (w, _, h), body = form.size, form.tone()
    r = w / 2
    profile = [(0.6, 0.1), (0.85, 0), (0.97, 0.2), (1, 0.5), (0.97, 0.8), (0.85, 1), (0.6, 0.9)]
    profile += [(0.56, 0.5), (0.6, 0.1)]
    form.sketch.lathe((0, 0, 0), [(r * u, h * z) for u, z in profile], body, MATT, 26)
    for i in range(26):
        tread = form.sketch.at((0, 0, 0), i * 360 / 26)
        tread.box((r * 0.985, -0.008, h * 0.15), (r, 0.008, h * 0.85), shade(body, 0.6))


SHAPES: dict[str, Shape] = {
    "rope": rope, "tire": tire,
    "crowbar": made_of(
        tube([(0, -0.5, 0.5), (0, 0.4, 0.5), (0.2, 0.48, 0.5), (0.45, 0.42, 0.5)], (0, 0.009),
             finish=METAL, segments=6),
        box((-0.15, -0.5, 0.3), (0.15, -0.44, 0.7), finish=METAL),
    ),
    "axe": made_of(
        tube([(-0.2, -0.5, 0.5), (-0.2, 0.5, 0.5)], (0, 0.013), finish=WOOD),
        prism([(-0.4, 0.28), (0.1, 0.3), (0.5, 0.18), (0.5, 0.5), (0.1, 0.42), (-0.4, 0.42)], 0.1,
              0.9, STEEL, METAL),
    ),
    "paint_roller": made_of(
        move((-0.5, 0.36, 0.5), 90, "y", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[2] * 0.5, form.size[0] * 0.9, (0.93, 0.9, 0.82), FABRIC)),
        tube([(0.4, 0.36, 0.5), (0.5, 0.36, 0.5), (0.5, 0.15, 0.5), (0, 0.05, 0.5),
              (0, -0.15, 0.5)], (0, 0.004), STEEL),
        tube([(0, -0.12, 0.5), (0, -0.5, 0.5)], (0, 0.014), finish=GLOSS),
    ),
    "padlock": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.62), 0.08, finish=METAL),
        tube([(-0.3, 0, 0.6), (-0.3, 0, 0.88), (-0.15, 0, 0.98), (0.15, 0, 0.98), (0.3, 0, 0.88),
              (0.3, 0, 0.6)], (0, 0.004), STEEL),
        box((-0.05, 0.5, 0.15), (0.05, 0.52, 0.32), BLACK),
    ),
    "gas_can": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.78), 0.08, finish=GLOSS),
        tube([(-0.25, 0, 0.76), (-0.2, 0, 0.94), (0.15, 0, 0.94), (0.2, 0, 0.76)], (0, 0.013),
             finish=GLOSS),
        tube([(0.32, 0, 0.76), (0.45, 0, 1)], (0, 0.016), BLACK, GLOSS),
        *(box((-0.34, y, z), (0.34, y + 0.01, z + 0.05), tint(0.8)) for y in (0.49,)
          for z in (0.25, 0.45)),
    ),
    "bicycle_pump": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 0.03), BLACK, METAL),
        cylinder((0, 0, 0.03), 0.11, 0.75, finish=METAL),
        tube([(0, 0, 0.76), (0, 0, 0.96)], (0, 0.006), STEEL),
        tube([(-0.48, 0, 0.97), (0.48, 0, 0.97)], (0, 0.014), BLACK, GLOSS),
        tube([(0.1, 0, 0.08), (0.4, 0.2, 0.15), (0.35, 0.2, 0.5), (0.14, 0.1, 0.62)], (0, 0.007),
             BLACK, GLOSS),
    ),
    "shovel": made_of(
        tube([(0, -0.38, 0.5), (0, 0.2, 0.5)], (0, 0.016), finish=WOOD),
        tube([(-0.3, -0.48, 0.5), (0.3, -0.48, 0.5), (0, -0.36, 0.5), (-0.3, -0.48, 0.5)],
             (0, 0.012), BLACK, GLOSS),
        prism([(-0.5, 0.2), (0.5, 0.2), (0.5, 0.38), (0, 0.5), (-0.5, 0.38)], 0.3, 0.5, STEEL,
              METAL),
    ),
    "rake": made_of(
        tube([(0, -0.5, 0.5), (0, 0.42, 0.5)], (0, 0.014), finish=WOOD),
        box((-0.5, 0.4, 0.4), (0.5, 0.44, 0.7), STEEL, METAL),
        *(tube([(-0.46 + 0.115 * i, 0.43, 0.5), (-0.46 + 0.115 * i, 0.5, 0.1)], (0, 0.004), STEEL)
          for i in range(9)),
    ),
    "trowel": made_of(
        tube([(0, -0.5, 0.6), (0, -0.12, 0.6)], (0, 0.014), finish=WOOD),
        tube([(0, -0.12, 0.6), (0, 0.05, 0.3)], (0, 0.006), STEEL),
        prism([(-0.5, 0.0), (0.5, 0.0), (0.42, 0.3), (0, 0.5), (-0.42, 0.3)], 0.1, 0.3, STEEL,
              METAL),
    ),
}  # fmt: skip
