"""Furniture of bedrooms and nurseries: bunk beds, playpens, dressing tables."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import METAL, WOOD, Surface
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import boards, drawer
from homebody.worlds.house.rendering.meshes.palette import PAPER, SILVERED


def bunk_bed(form: Form) -> None:
    """Two beds above each other, with a ladder."""
    sketch, (w, d, h), (x, y, _) = form.sketch, form.size, form.half
    frame, cover, pillow = form.tone("frame"), form.tone("cover"), form.tone("pillow", PAPER)
    for sx in SIDES:
        for sy in SIDES:
            sketch.slab((sx * (x - 0.035), sy * (y - 0.035), 0), (0.07, 0.07, h), frame, WOOD)
    for space in form.spaces("lower", "upper"):
        z = space.low[2]
        sketch.box((-x, -y, z - 0.22), (x, y, z - 0.14), frame, WOOD)
        sketch.cushion((-x + 0.04, -y + 0.05, z - 0.16), (x - 0.04, y - 0.05, z), PAPER, 0.04)
        sketch.cushion(
            (-x + 0.03, -y + d * 0.3, z - 0.12), (x - 0.03, y - 0.05, z + 0.006), cover, 0.04
        )
        sketch.cushion((-w * 0.3, -y + 0.08, z - 0.01), (w * 0.3, -y + 0.4, z + 0.09), pillow, 0.05)
        for end in (-y, y - 0.03):
            sketch.box((-x, end, z - 0.05), (x, end + 0.03, z + 0.12), frame, WOOD)
    top = h * 0.85
    for side in (-x, x - 0.03):
        far = y if side < 0 else y - 0.55
        sketch.box((side, -y, top + 0.06), (side + 0.03, far, top + 0.14), frame, WOOD)
    for at in (y - 0.48, y - 0.1):
        sketch.box((x - 0.03, at, 0), (x, at + 0.05, h), frame, WOOD)
    for i in range(5):
        z = h * (0.14 + 0.15 * i)
        sketch.box((x - 0.03, y - 0.46, z), (x, y - 0.06, z + 0.035), frame, WOOD)


def playpen(form: Form) -> None:
    """Bars around a soft floor."""
    sketch, (_, _, h), (x, y, _), frame = form.sketch, form.size, form.half, form.tone("frame")
    sketch.cushion(
        (-x + 0.03, -y + 0.03, 0.01), (x - 0.03, y - 0.03, h * 0.08), form.tone("cover"), 0.02
    )
    for z in (0.03, h - 0.03):
        for a, b in (
            ((-x, -y), (x, -y)),
            ((x, -y), (x, y)),
            ((x, y), (-x, y)),
            ((-x, y), (-x, -y)),
        ):
            sketch.tube(((*a, z), (*b, z)), 0.02, frame, WOOD)
    for i in range(10):
        t = -1 + 0.1 + 2 * i / 10
        for at in ((t * x, -y), (t * x, y), (-x, t * y), (x, t * y)):
            sketch.tube(((*at, 0.03), (*at, h - 0.03)), 0.009, frame, WOOD, 5)


def dressing_table(form: Form) -> None:
    """A small table with drawers and a mirror."""
    sketch, (_, d, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    top = form.bottom("top", 0.54)
    for sx in SIDES:
        for sy in SIDES:
            at = (sx * (x - 0.04), sy * (y - 0.04), 0)
            sketch.cylinder(at, 0.018, top - 0.15, body, WOOD, top=0.025, segments=8)
    sketch.cushion((-x, -y, top - 0.025), (x, y, top), body, 0.01, WOOD)
    sketch.box((-x + 0.02, -y + 0.02, top - 0.16), (x - 0.02, y - 0.03, top - 0.025), body, WOOD)
    for low, high in ((-x + 0.02, -0.01), (0.01, x - 0.02)):
        drawer(form, (low, top - 0.155), (high, top - 0.03), y - 0.03, d - 0.1, body)
    disc = sketch.at((0, -y + 0.03, (top + h) / 2), -90, "x")
    r = (h - top) / 2
    rim = [(0, -0.012), (r, -0.012), (r, 0.012), (r * 0.92, 0.012), (r * 0.9, 0.004), (0, 0.004)]
    disc.lathe((0, 0, 0), rim, form.tone("frame"), METAL, 28, (0.85, 1.0))
    disc.lathe(
        (0, 0, 0.005),
        [(r * 0.91, 0), (0, 0.001)],
        SILVERED,
        Surface.MIRROR,
        28,
        (0.85, 1.0),
    )


def changing_table(form: Form) -> None:
    """Shelves below a top with a rim and a soft mat."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    top = form.bottom("top", 0.94)
    for side in (-x, x - 0.03):
        sketch.box((side, -y, 0), (side + 0.03, y, h), body, WOOD)
    sketch.box((-x, -y, 0), (x, -y + 0.02, h), body, WOOD)
    sketch.box((-x, -y, top - 0.07), (x, y, top - 0.045), body, WOOD)
    sketch.box((-x, y - 0.02, top - 0.07), (x, y, h), body, WOOD)
    boards(form, form.spaces("shelf"), body)
    low, high = (-x + 0.05, -y + 0.04, top - 0.05), (x - 0.05, y - 0.04, top)
    sketch.cushion(low, high, form.tone("cover"), 0.025)


SHAPES: dict[str, Shape] = {
    "bunk_bed": bunk_bed,
    "playpen": playpen,
    "dressing_table": dressing_table,
    "changing_table": changing_table,
}  # fmt: skip
