"""Seats: sofas, chairs, stools, benches."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import GLOSS, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, shade
from homebody.worlds.house.rendering.meshes.soft import pillow


def _couch(form: Form, seats: int, arm: float) -> None:
    """Seats between arms, ``arm`` metres wide."""
    sketch, (w, _, _), (x, y, h) = form.sketch, form.size, form.half
    fabric, dark = form.tone("fabric"), form.tone("legs", (0.3, 0.2, 0.15))
    lighter, seat = shade(fabric, 1.08), form.bottom("seat", 0.52)
    for sx in (-x + 0.08, x - 0.08):
        for sy in (-y + 0.08, y - 0.08):
            sketch.cylinder((sx, sy, 0), 0.02, 0.1, dark, WOOD, segments=6)
    sketch.cushion((-x, -y, 0.09), (x, y - 0.02, seat - 0.12), fabric, 0.03)
    sketch.cushion((-x, -y, 0.09), (x, -y + 0.2, h * 0.95), fabric, 0.06)
    for x0, x1 in ((-x, -x + arm), (x - arm, x)):
        sketch.cushion((x0, -y, 0.09), (x1, y, seat + 0.18), fabric, 0.06)
    each = (w - 2 * arm) / seats
    for i in range(seats):
        x0 = -x + arm + i * each
        low, high = (x0 + 0.003, -y + 0.16, seat - 0.16), (x0 + each - 0.003, y + 0.004, seat)
        pillow(sketch, low, high, lighter, 9.0)
        back = sketch.at((x0 + each / 2, -y + 0.12, (seat + h) / 2 - 0.01), -90, "x")
        tall = (h - seat) / 2 + 0.02
        pillow(back, (-each / 2 + 0.006, -tall, 0.0), (each / 2 - 0.006, tall, 0.2), lighter, 5.0)


def sofa(form: Form) -> None:
    """Two or three seats, arms, cushions."""
    w, d, h = form.size
    _couch(form, 3 if w > 2.0 else 2, 0.2)
    if "cushion" in form.style:
        for side in SIDES:
            place = (side * (w / 2 - 0.42), -d / 2 + 0.36, h * 0.53 + 0.2)
            leaning = form.sketch.at(place, side * -12.0).at((0, 0, 0), -110, "x")
            pillow(leaning, (-0.21, -0.21, -0.07), (0.21, 0.21, 0.08), form.tone("cushion"))


def armchair(form: Form) -> None:
    """One seat between arms."""
    _couch(form, 1, 0.16)


def chair(form: Form) -> None:
    """Seat, four legs, a back of slats."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    seat_tone, leg_tone = form.tone("seat"), form.tone("legs")
    seat, t = min(h * 0.52, 0.47), 0.036
    for sx in (-x + t / 2, x - t / 2):
        sketch.slab((sx, y - t, 0), (t, t, seat - 0.03), leg_tone, WOOD)
        sketch.slab((sx, -y + t, 0), (t, t, h), leg_tone, WOOD)
        sketch.slab((sx, 0, seat * 0.35), (t * 0.6, d - 2 * t, t * 0.7), leg_tone, WOOD)
    sketch.cushion((-x, -y + t, seat - 0.035), (x, y, seat), seat_tone, 0.015, WOOD)
    sketch.slab((0, -y + t, h - 0.11), (w - t, 0.02, 0.11), seat_tone, WOOD)
    if form.variant % 2:
        for i in range(4):
            place = (-x + w * (i + 1) / 5, -y + t, seat)
            sketch.slab(place, (0.025, 0.015, h - seat - 0.1), leg_tone, WOOD)
    else:
        for i in range(2):
            z = seat + (h - seat - 0.11) * (i + 1) / 3
            sketch.slab((0, -y + t, z - 0.03), (w - t, 0.016, 0.055), seat_tone, WOOD)


def office_chair(form: Form) -> None:
    """A swivel chair on five castors."""
    sketch, (w, d, h) = form.sketch, form.size
    seat_tone, metal, seat = form.tone("seat"), form.tone("legs", BLACK), h * 0.48
    for i in range(5):
        foot = sketch.at((0, 0, 0), 72 * i + 18)
        foot.box((0.0, -0.02, 0.06), (w * 0.46, 0.02, 0.09), metal, METAL)
        foot.ball((w * 0.44, 0, 0.03), 0.03, BLACK, GLOSS, 8)
    sketch.cylinder((0, 0, 0.07), 0.025, seat - 0.14, metal, METAL, segments=8)
    sketch.cushion((-w * 0.42, -d * 0.4, seat - 0.08), (w * 0.42, d * 0.45, seat), seat_tone, 0.04)
    sketch.slab((0, -d * 0.42, seat - 0.06), (0.06, 0.03, 0.25), metal, METAL)
    sketch.cushion((-w * 0.38, -d * 0.46, seat + 0.1), (w * 0.38, -d * 0.36, h), seat_tone, 0.045)
    for side in SIDES:
        x = side * w * 0.44
        sketch.slab((x, 0, seat - 0.05), (0.025, 0.03, 0.22), metal, METAL)
        sketch.slab((x, 0.02, seat + 0.17), (0.05, d * 0.45, 0.03), BLACK, GLOSS)


def stool(form: Form) -> None:
    """A round seat on legs; a tall one gets a foot ring."""
    sketch, (r, _, h) = form.sketch, form.half
    leg_tone = form.tone("legs")
    for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        foot, top = (sx * r * 0.68, sy * r * 0.68, 0.0), (sx * r * 0.45, sy * r * 0.45, h - 0.04)
        sketch.tube((foot, top), 0.016, leg_tone, WOOD)
    if h > 0.6:
        ring = [(0.55, 0.55), (-0.55, 0.55), (-0.55, -0.55), (0.55, -0.55), (0.55, 0.55)]
        sketch.tube([(x * r * 1.05, y * r * 1.05, h * 0.35) for x, y in ring], 0.01, leg_tone)
    sketch.cylinder((0, 0, h - 0.05), r, 0.05, form.tone("seat"), WOOD, segments=18)


def bench(form: Form) -> None:
    """Boards on two pairs of legs."""
    sketch, (_, d, _), (x, y, h) = form.sketch, form.size, form.half
    for i in range(3):
        y0 = -y + d * i / 3
        low, high = (-x, y0 + 0.006, h - 0.04), (x, y0 + d / 3 - 0.006, h)
        sketch.box(low, high, form.tone("seat"), WOOD)
    for middle in (-x + 0.12, x - 0.12):
        sketch.slab((middle, 0, h - 0.09), (0.05, d * 0.92, 0.05), form.tone("legs"), METAL)
        for end in (-d * 0.4, d * 0.4):
            sketch.slab((middle, end, 0), (0.05, 0.05, h - 0.09), form.tone("legs"), METAL)


SHAPES: dict[str, Shape] = {
    "sofa": sofa, "armchair": armchair, "chair": chair,
    "office_chair": office_chair, "stool": stool, "bench": bench,
}  # fmt: skip
