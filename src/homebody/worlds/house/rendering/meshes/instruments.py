"""Musical instruments."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import GLOSS, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER, STEEL, shade
from homebody.worlds.house.rendering.meshes.solids import lathe

EBONY = (0.2, 0.13, 0.09)


def piano(form: Form) -> None:
    """An upright piano: keys, a music stand, pedals."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    back, keys = -y + d * 0.55, h * 0.58
    sketch.box((-x, -y, 0), (x, back, h), body, GLOSS)
    for side in (-x, x - 0.05):
        sketch.box((side, back, 0), (side + 0.05, y, keys + 0.06), body, GLOSS)
    sketch.box((-x, back, keys - 0.08), (x, y, keys), body, GLOSS)
    low, high = (-w * 0.3, back, keys + 0.12), (w * 0.3, back + 0.02, keys + 0.4)
    sketch.box(low, high, shade(body, 1.3), WOOD)
    if form.is_open:
        low, high = (-x + 0.06, back + 0.05, keys), (x - 0.06, y - 0.02, keys + 0.018)
        sketch.box(low, high, (0.96, 0.95, 0.9), GLOSS)
        for i in range(36):
            key = -x + 0.06 + (w - 0.12) * (i + 1) / 36
            if i % 7 in (0, 1, 3, 4, 5):
                sketch.slab((key, back + 0.1, keys + 0.018), (0.018, 0.1, 0.012), BLACK, GLOSS)
            gap = (key, back + 0.1, keys + 0.0182)
            sketch.slab(gap, (0.002, 0.2, 0.0005), (0.4, 0.4, 0.4))
    else:
        low, high = (-x + 0.05, back, keys), (x - 0.05, y, keys + 0.04)
        sketch.box(low, high, shade(body, 1.1), GLOSS)
    for pedal in (-0.08, 0.0, 0.08):
        sketch.slab((pedal, back + 0.05, 0.04), (0.03, 0.12, 0.015), (0.8, 0.65, 0.3), METAL)


def guitar(form: Form) -> None:
    """A guitar on its back, the neck along y."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    thick = h * 0.75
    for y, r in ((-d * 0.28, w / 2), (-d * 0.08, w * 0.37)):
        profile = [(0, 0), (r, 0), (r, 0), (r, thick), (r, thick), (0, thick)]
        sketch.lathe((0, y, 0), profile, body, WOOD, 18, (1.0, min(1.0, d * 0.21 / r)))
    sketch.cylinder((0, -d * 0.14, thick), w * 0.13, 0.001, BLACK, segments=14)
    sketch.box((-w * 0.07, -d * 0.14, thick), (w * 0.07, d * 0.42, h * 0.9), EBONY, WOOD)
    sketch.box((-w * 0.1, d * 0.4, thick * 0.9), (w * 0.1, d / 2, h), shade(body, 0.5), WOOD)
    sketch.box((-w * 0.14, -d * 0.34, thick), (w * 0.14, -d * 0.32, h * 0.85), EBONY, WOOD)


def drum(form: Form) -> None:
    """A body between two rims, a skin."""
    lathe([(0, 0), (0.97, 0), (0.97, 0), (0.97, 0.98), (0, 0.98)])(form)
    sketch, (w, _, h) = form.sketch, form.size
    for z in (0.0, h * 0.9):
        rim = [(w / 2, 0), (w / 2, h * 0.1), (w * 0.46, h * 0.1)]
        sketch.lathe((0, 0, z), rim, STEEL, METAL, 16)
    sketch.cylinder((0, 0, h * 0.985), w * 0.46, 0.002, PAPER, segments=16)


SHAPES: dict[str, Shape] = {"piano": piano, "guitar": guitar, "drum": drum}
