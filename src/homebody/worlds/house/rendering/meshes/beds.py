"""Beds."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import WOOD
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import legs
from homebody.worlds.house.rendering.meshes.palette import mix
from homebody.worlds.house.rendering.meshes.soft import blanket, pillow


def bed(form: Form) -> None:
    """Frame, headboard, mattress, pillows and a blanket turned down."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    frame, cover, top = form.tone("frame"), form.tone("cover"), form.bottom("top", 0.55)
    sketch.box((-x, -y, 0), (x, -y + 0.06, h), frame, WOOD)
    sketch.box((-x, y - 0.04, 0), (x, y, top - 0.1), frame, WOOD)
    for side in (-x, x - 0.04):
        sketch.box((side, -y, 0.08), (side + 0.04, y, top - 0.18), frame, WOOD)
    low, high = (-x + 0.03, -y + 0.06, top - 0.26), (x - 0.03, y - 0.04, top - 0.02)
    sketch.cushion(low, high, (0.95, 0.94, 0.92), 0.05)
    fold = -y + d * 0.36
    number = form.variant
    blanket(
        sketch, (-x - 0.014, x + 0.014), (fold, y + 0.006), (top - 0.22, top + 0.01), cover, number
    )
    lathe = mix(cover, (1, 1, 1), 0.6)
    ends, up = (fold - 0.12, fold + 0.1), (top - 0.18, top + 0.022)
    blanket(sketch, (-x - 0.02, x + 0.02), ends, up, lathe, number + 3)
    low_edge = (-x + 0.02, fold - 0.13, top - 0.01)
    sketch.cushion(low_edge, (x - 0.02, fold - 0.09, top + 0.022), lathe, 0.012)
    cloth, back = form.tone("pillow", (0.95, 0.95, 0.93)), -y + 0.1
    wide, middles = (w * 0.42, (-w * 0.24, w * 0.24)) if w > 1.25 else (w * 0.7, (0.0,))
    for middle in middles:
        low = (middle - wide / 2, back, top - 0.03)
        high = (middle + wide / 2, back + 0.4, top - 0.03 + 0.15)
        pillow(sketch, low, high, cloth)


def crib(form: Form) -> None:
    """A small bed behind bars."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    frame, top = form.tone("frame"), form.bottom("inside", 0.45)
    legs(form, h, frame, 0.045, 0.0)
    low, high = (-x + 0.03, -y + 0.03, top - 0.12), (x - 0.03, y - 0.03, top)
    sketch.cushion(low, high, form.tone("cover"), 0.03)
    for z in (top - 0.16, h - 0.04):
        for side in (-x + 0.01, x - 0.04):
            sketch.box((side, -y, z), (side + 0.03, y, z + 0.04), frame, WOOD)
        for end in (-y + 0.01, y - 0.04):
            sketch.box((-x, end, z), (x, end + 0.03, z + 0.04), frame, WOOD)
    bars = [(s, -y + d * i / 11) for i in range(1, 11) for s in (-x + 0.025, x - 0.025)]
    bars += [(-x + w * i / 6, e) for i in range(1, 6) for e in (-y + 0.025, y - 0.025)]
    for side, end in bars:
        sketch.slab((side, end, top - 0.15), (0.016, 0.016, h - top + 0.12), frame, WOOD)


SHAPES: dict[str, Shape] = {"bed": bed, "kids_bed": bed, "crib": crib}
