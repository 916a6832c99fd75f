"""Easy chairs, waiting-room seats and high chairs."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import legs
from homebody.worlds.house.rendering.meshes.palette import BLACK, STEEL, shade
from homebody.worlds.house.rendering.meshes.solids import ball, lathe, made_of, tone


def recliner(form: Form) -> None:
    """A thick armchair, its back tilted, a foot rest out in front."""
    sketch, (_, _, h), (x, y, _), fabric = form.sketch, form.size, form.half, form.tone("fabric")
    seat = form.bottom("seat", 0.46)
    sketch.cushion((-x + 0.04, -y + 0.12, 0.04), (x - 0.04, y - 0.2, seat - 0.1), fabric, 0.05)
    for side in SIDES:
        x0, x1 = sorted((side * x, side * (x - 0.18)))
        sketch.cushion((x0, -y + 0.14, 0.04), (x1, y - 0.2, seat + 0.2), fabric, 0.08)
    low, high = (-x + 0.17, -y + 0.2, seat - 0.14), (x - 0.17, y - 0.2, seat)
    sketch.cushion(low, high, shade(fabric, 1.1), 0.06)
    back = sketch.at((0, -y + 0.22, seat - 0.1), 16, "x")
    back.cushion((-x + 0.16, -0.1, 0), (x - 0.16, 0.1, h - seat + 0.02), shade(fabric, 1.05), 0.08)
    sketch.cushion((-x + 0.2, y - 0.2, seat - 0.22), (x - 0.2, y, seat - 0.1), fabric, 0.05)


def rocking_chair(form: Form) -> None:
    """A chair of wood on two bent runners."""
    sketch, (w, d, h), (x, _, _) = form.sketch, form.size, form.half
    frame, seat = form.tone("frame"), form.bottom("seat", 0.45)
    for side in (-x + 0.03, x - 0.03):
        curve = [(side, d * 0.5 * t, 0.02 + 0.12 * t * t) for t in (-1, -0.6, -0.2, 0.2, 0.6, 1)]
        sketch.tube(curve, 0.018, frame, WOOD)
        sketch.tube(((side, -d * 0.22, 0.06), (side, -d * 0.3, h)), 0.018, frame, WOOD)
        sketch.tube(((side, d * 0.24, 0.06), (side, d * 0.24, seat + 0.2)), 0.018, frame, WOOD)
        sketch.box(
            (side - 0.03, -d * 0.26, seat + 0.2), (side + 0.03, d * 0.3, seat + 0.23), frame, WOOD
        )
    low = (-x + 0.04, -d * 0.24, seat - 0.05)
    sketch.cushion(low, (x - 0.04, d * 0.28, seat), form.tone("seat"), 0.025)
    for i in range(5):
        at = -x + 0.1 + i * (w - 0.2) / 4
        sketch.tube(((at, -d * 0.23, seat), (at, -d * 0.29, h - 0.08)), 0.011, frame, WOOD)
    sketch.cushion((-x, -d * 0.32, h - 0.12), (x, -d * 0.27, h), frame, 0.02, WOOD)


def waiting_bench(form: Form) -> None:
    """Seats of plastic on a beam of steel."""
    sketch, (w, _, h), (x, y, _), seat = form.sketch, form.size, form.half, form.tone("seat")
    top, count = form.bottom("seat", 0.54), max(2, round(w / 0.55))
    sketch.box((-x + 0.05, -0.04, top - 0.12), (x - 0.05, 0.04, top - 0.06), STEEL, METAL)
    for side in SIDES:
        at = side * (x - 0.25)
        sketch.tube(((at, -y + 0.05, 0.02), (at, y - 0.05, 0.02)), 0.02, STEEL)
        sketch.tube(((at, 0, 0.02), (at, 0, top - 0.1)), 0.025, STEEL)
    for i in range(count):
        low, high = -x + i * w / count + 0.02, -x + (i + 1) * w / count - 0.02
        sketch.cushion((low, -y + 0.1, top - 0.05), (high, y, top), seat, 0.02, GLOSS)
        back = sketch.at(((low + high) / 2, -y + 0.12, top - 0.02), 10, "x")
        half = (high - low) / 2
        back.cushion((-half, -0.03, 0), (half, 0.02, h - top), seat, 0.02, GLOSS)


def side_stand(form: Form) -> None:
    """A square cushion on short legs."""
    (x, y, h), fabric = form.half, form.tone("fabric")
    legs(form, 0.1, form.tone("legs", BLACK), 0.035, 0.03)
    form.sketch.cushion((-x, -y, 0.08), (x, y, h - 0.02), fabric, 0.05)
    form.sketch.cushion((-x, -y, h * 0.6), (x, y, h), shade(fabric, 1.08), 0.05)


def high_chair(form: Form) -> None:
    """A chair on long legs with a tray."""
    sketch, (_, _, h), (x, y, _) = form.sketch, form.size, form.half
    frame, seat = form.tone("frame"), h * 0.52
    for sx in SIDES:
        for sy in SIDES:
            foot, top = (sx * (x - 0.02), sy * (y - 0.03), 0.0), (sx * x * 0.6, sy * y * 0.45, seat)
            sketch.tube((foot, top), 0.016, frame, WOOD)
    sketch.cushion(
        (-x * 0.75, -y * 0.6, seat - 0.03), (x * 0.75, y * 0.55, seat), form.tone("seat"), 0.02
    )
    sketch.cushion((-x * 0.75, -y * 0.75, seat), (x * 0.75, -y * 0.6, h), form.tone("seat"), 0.03)
    z = form.bottom("tray", 0.76)
    sketch.cushion(
        (-x + 0.02, -y * 0.1, z - 0.025), (x - 0.02, y, z), form.tone("tray"), 0.015, GLOSS
    )
    for side in SIDES:
        sketch.tube(
            ((side * x * 0.75, -y * 0.6, z - 0.02), (side * x * 0.8, 0, z - 0.02)),
            0.014,
            frame,
            WOOD,
        )
    sketch.tube(((-x * 0.8, y - 0.06, h * 0.25), (x * 0.8, y - 0.06, h * 0.25)), 0.014, frame, WOOD)


SHAPES: dict[str, Shape] = {
    "recliner": recliner,
    "rocking_chair": rocking_chair,
    "waiting_bench": waiting_bench,
    "ottoman": side_stand,
    "bean_bag": made_of(
        lathe([(0, 0), (0.8, 0), (1, 0.18), (0.98, 0.4), (0.7, 0.75), (0.3, 0.95), (0, 1)],
               tone("fabric"), FABRIC, 18),
        ball((0, 0.18, 0.5), (0.38, 0.3, 0.2), tone("fabric", factor=0.92), FABRIC),
    ),
    "high_chair": high_chair,
}  # fmt: skip
