"""Small kitchen machines and helpers: cookers, mixers, scales, racks, graters."""

from __future__ import annotations

import math
from itertools import pairwise

from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, GLASSY, PAPER, STEEL, shade
from homebody.worlds.house.rendering.meshes.solids import (
    ball,
    box,
    cushion,
    cylinder,
    lathe,
    made_of,
    move,
    on_off,
    only,
    prism,
    sheen,
    tint,
    tube,
)

RED_LAMP = (0.9, 0.2, 0.1)


def muffin_tin(form: Form) -> None:
    """A flat tin with hollows in rows."""
    (w, d, h), (x, y, _), body = form.size, form.half, form.tone()
    rows = 2 if d / w < 0.5 else 3
    columns = max(2, round(rows * w / d))
    form.sketch.cushion((-x, -y, h * 0.7), (x, y, h), body, 0.004, METAL)
    for i in range(columns):
        for j in range(rows):
            place = ((i + 0.5) * w / columns - x, (j + 0.5) * d / rows - y)
            r = min(w / columns, d / rows) * 0.4
            form.sketch.cylinder((*place, 0), r * 0.75, h * 0.95, shade(body, 0.9), METAL, r)
            form.sketch.cylinder((*place, h), r * 0.95, 0.0008, shade(body, 0.35), MATT)


def dish_rack(form: Form) -> None:
    """A frame of wire in which plates stand."""
    (w, _, h), (x, y, _), body = form.size, form.half, form.tone()
    sketch = form.sketch
    for z in (0.01, h - 0.006):
        ring = ((-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z), (-x, -y, z))
        sketch.tube(ring, 0.005, body)
    for sx in SIDES:
        for sy in SIDES:
            sketch.tube(((sx * x, sy * y, 0), (sx * x, sy * y, h)), 0.005, body)
    for i in range(1, 9):
        at = -x + w * i / 9
        sketch.tube(((at, -y, 0.01), (at, y, 0.01)), 0.003, body, segments=4)
        sketch.tube(((at, y * 0.3, 0.01), (at, y * 0.3, h * 0.7)), 0.003, body, segments=4)


def knife_block(form: Form) -> None:
    """A slanting block of wood with handles of knives."""
    (w, d, h), body = form.size, form.tone()
    block = form.sketch.at((0, -d * 0.12, 0), 18, "x")
    block.box((-w / 2, -d * 0.25, 0.02), (w / 2, d * 0.42, h * 0.72), body, WOOD)
    form.sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, 0.02), body, WOOD)
    for i in range(3):
        for j in range(2):
            x, y = (i - 1) * w * 0.28, d * (0.0 + 0.22 * j)
            low, high = (x - 0.008, y - 0.012, h * 0.72), (x + 0.008, y + 0.012, h * 0.93)
            block.box(low, high, BLACK, GLOSS)


def bread_box(form: Form) -> None:
    """A box whose round front rolls up."""
    (_, d, h), (x, y, _), body = form.size, form.half, form.tone()
    form.sketch.box((-x, -y, 0), (x, y, h * 0.06), body, WOOD)
    form.sketch.box((-x, -y, h * 0.06), (x, d * 0.1, h), body, WOOD)
    steps = [math.pi / 2 * i / 6 for i in range(7)]
    arc = [(d * 0.1 + d * 0.4 * math.cos(a), h * 0.06 + h * 0.9 * math.sin(a)) for a in steps]
    if not form.is_open:
        for (y0, z0), (y1, z1) in pairwise(arc):
            front = ((x, y0, z0), (-x, y0, z0), (-x, y1, z1), (x, y1, z1))
            form.sketch.quad(*front, shade(body, 0.95 + 0.1 * (z0 > h / 2)), WOOD)
    form.sketch.box((-0.05, y - 0.02, h * 0.1), (0.05, y, h * 0.16), BLACK, METAL)
    for side in SIDES:
        outline = [(-y, h * 0.06), *arc, (-y, h * 0.96)]
        flank = form.sketch.at((side * (x - 0.005), 0, 0), 90).at((0, 0, 0), 90, "x")
        flank.prism(outline, -0.005, 0.005, body, WOOD)


SHAPES: dict[str, Shape] = {
    "muffin_tin": muffin_tin, "dish_rack": dish_rack, "knife_block": knife_block,
    "wok": made_of(
        lambda form: form.sketch.lathe(
            (0, form.size[1] / 2 - form.size[0] / 2, 0),
            [(form.size[0] / 2 * r, form.size[2] * z) for r, z in (
                (0, 0), (0.35, 0.02), (0.75, 0.4), (1, 0.85), (0.95, 0.85), (0.7, 0.42),
                (0.3, 0.06), (0, 0.05))],
            form.tone(), METAL, 18),
        tube([(0, -0.15, 0.75), (0, -0.5, 0.95)], (0, 0.012), (0.35, 0.22, 0.14), WOOD),
    ),
    "rice_cooker": made_of(
        lathe([(0, 0), (0.8, 0), (0.95, 0.1), (1, 0.6), (0.96, 0.7)], finish=GLOSS, segments=18),
        lathe([(0.97, 0), (0.8, 0.2), (0, 0.26)], tint(0.9), GLOSS, 18, base=0.7),
        cylinder((0, 0, 0.94), 0.1, 0.06, BLACK, GLOSS),
        box((-0.14, 0.44, 0.2), (0.14, 0.5, 0.45), BLACK, GLOSS),
        box((-0.04, 0.49, 0.28), (0.04, 0.505, 0.34), on_off(RED_LAMP, STEEL), GLOSS),
    ),
    "toaster_oven": made_of(
        cushion((-0.5, -0.5, 0.05), (0.5, 0.44, 1), 0.06, finish=sheen),
        box((-0.45, 0.43, 0.16), (0.22, 0.46, 0.88), on_off((0.9, 0.45, 0.15), BLACK), GLOSS),
        tube([(-0.4, 0.48, 0.82), (0.18, 0.48, 0.82)], (0, 0.008), STEEL),
        *(move((0.36, 0.43, z), -90, "x", cylinder((0, 0, 0), 0.06, 0.07, STEEL, METAL))
          for z in (0.28, 0.52, 0.76)),
        *(cylinder((x, y, 0), 0.03, 0.06, BLACK) for x in (-0.4, 0.4) for y in (-0.4, 0.36)),
    ),
    "hand_mixer": made_of(
        cushion((-0.4, -0.5, 0.45), (0.4, 0.4, 0.75), 0.12, finish=GLOSS),
        tube([(0, 0.3, 0.72), (0, 0.2, 0.94), (0, -0.4, 0.94), (0, -0.45, 0.7)], (0, 0.011),
             tint(0.85), GLOSS),
        *(tube([(x, 0.25, 0.5), (x, 0.25, 0.1)], (0, 0.003), STEEL) for x in (-0.22, 0.22)),
        *(ball((x, 0.25, 0.1), (0.18, 0.09, 0.1), STEEL, METAL, 8) for x in (-0.22, 0.22)),
    ),
    "stand_mixer": made_of(
        cushion((-0.42, -0.5, 0), (0.42, 0.5, 0.09), 0.04, finish=GLOSS),
        cushion((-0.26, -0.48, 0.06), (0.26, -0.22, 0.75), 0.08, finish=GLOSS),
        cushion((-0.3, -0.5, 0.68), (0.3, 0.42, 1), 0.13, finish=GLOSS),
        cylinder((0, 0.18, 0.45), 0.08, 0.26, STEEL, METAL),
        lambda form: form.sketch.lathe(
            (0, form.size[1] * 0.18, form.size[2] * 0.09),
            [(form.size[0] * r, form.size[2] * z) for r, z in (
                (0, 0), (0.28, 0), (0.46, 0.36), (0.43, 0.36), (0.26, 0.03), (0, 0.03))],
            STEEL, METAL, 16),
    ),
    "juicer": made_of(
        lathe([(0, 0), (1, 0), (1, 0), (0.9, 0.55), (0.85, 0.6)], finish=sheen, segments=16),
        lathe([(0.95, 0), (1, 0.1), (0.3, 0.14)], GLASSY, GLOSS, 16, base=0.58),
        cylinder((0, 0, 0.66), 0.3, 0.34, (0.95, 0.6, 0.2), GLOSS, top=0.04, segments=8),
    ),
    "kitchen_scale": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.7), 0.2, finish=GLOSS),
        cylinder((0, -0.1, 0.7), 0.38, 0.3, STEEL, METAL, segments=20),
        box((-0.22, 0.32, 0.7), (0.22, 0.46, 0.74), on_off((0.6, 0.85, 0.7), BLACK), GLOSS),
    ),
    "tongs": made_of(
        *(tube([(0, -0.5, 0.5), (x, 0, 0.5), (x * 0.7, 0.4, 0.5)], (0, 0.006))
          for x in (-0.4, 0.4)),
        *(ball((x, 0.43, 0.5), (0.2, 0.07, 0.3), finish=METAL, segments=8) for x in (-0.26, 0.26)),
    ),
    "peeler": made_of(
        cushion((-0.25, -0.5, 0), (0.25, 0.05, 1), 0.35, finish=GLOSS),
        tube([(0, 0.05, 0.5), (-0.42, 0.18, 0.5), (-0.42, 0.5, 0.5), (0.42, 0.5, 0.5),
              (0.42, 0.18, 0.5), (0, 0.05, 0.5)], (0, 0.003), STEEL),
        box((-0.42, 0.36, 0.35), (0.42, 0.46, 0.5), STEEL, METAL),
    ),
    "grater": made_of(
        move((0, 0, 0), 0, "z", prism([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], 0,
               0.04, STEEL, METAL)),
        cylinder((0, 0, 0), 0.62, 0.85, STEEL, METAL, top=0.42, segments=4),
        *(box((x - 0.03, 0.36 - 0.05 * i, 0.15 + 0.12 * i), (x + 0.03, 0.46 - 0.02 * i,
              0.19 + 0.12 * i), BLACK) for x in (-0.2, 0.0, 0.2) for i in range(4)),
        tube([(-0.25, 0, 0.84), (-0.25, 0, 0.98), (0.25, 0, 0.98), (0.25, 0, 0.84)], (0, 0.007),
             BLACK, GLOSS),
    ),
    "cleaver": made_of(
        box((-0.5, -0.05, 0.3), (0.45, 0.5, 0.6), finish=METAL),
        box((0.4, -0.05, 0.35), (0.5, 0.5, 0.55), PAPER, METAL),
        box((-0.45, -0.5, 0.1), (-0.08, -0.04, 0.9), (0.25, 0.16, 0.1), WOOD),
    ),
    "funnel": lathe([(0.1, 0), (0.13, 0), (0.16, 0.42), (1, 0.95), (1, 1), (0.94, 1), (0.1, 0.45)],
                     finish=GLOSS, segments=18),
    "kitchen_timer": made_of(  # its dial to +y
        cushion((-0.5, -0.3, 0), (0.5, 0.36, 1), 0.3, finish=GLOSS),
        move((0, 0.36, 0.5), -90, "x", cylinder((0, 0, 0), 0.42, (0, 0.002), PAPER, GLOSS,
            segments=20),
             *(move((0, 0, 0), 30 * i, "z", box((-0.02, 0.28, 0), (0.02, 0.4, (0, 0.003)), BLACK))
               for i in range(12)),
             cylinder((0, 0, 0), 0.16, (0, 0.012), tint(0.7), GLOSS),
             move((0, 0, 0), 40, "z", box((-0.04, 0, 0), (0.04, 0.3, (0, 0.013)), (0.8, 0.1,
                 0.1)))),
    ),
    "bread_box": bread_box,
    "paper_towel_roll": made_of(
        cylinder((0, 0, 0), 0.5, 0.04, (0.6, 0.42, 0.25), WOOD, segments=20),
        cylinder((0, 0, 0.04), 0.44, 0.82, finish=MATT, segments=20),
        cylinder((0, 0, 0.04), 0.07, 0.96, (0.6, 0.42, 0.25), WOOD),
    ),
    "mitt": made_of(
        cushion((-0.4, -0.5, 0), (0.34, -0.2, 1), 0.4, tint(0.8)),
        cushion((-0.42, -0.3, 0.02), (0.28, 0.5, 0.98), 0.45),
        move((0.26, -0.1, 0.5), -35, "z", ball((0, 0.1, 0), (0.14, 0.2, 0.45), finish=FABRIC)),
    ),
    "egg_cup": lathe([(0, 0), (0.8, 0), (0.75, 0.06), (0.2, 0.2), (0.2, 0.4), (0.85, 0.7),
                       (1, 1), (0.88, 1), (0.6, 0.7), (0, 0.6)], finish=GLOSS, segments=16),
    "cake_stand": made_of(
        lathe([(0, 0), (0.5, 0), (0.45, 0.06), (0.12, 0.25), (0.12, 0.8), (0.4, 0.88)],
               segments=18),
        lathe([(0, 0.86), (0.96, 0.86), (1, 0.95), (1, 1), (0.95, 0.94), (0, 0.93)], segments=22),
    ),
    "sugar_bowl": made_of(
        lathe([(0, 0), (0.5, 0), (0.95, 0.3), (1, 0.5), (0.7, 0.72)], finish=GLOSS),
        lathe([(0.74, 0), (0.4, 0.14), (0, 0.16)], finish=GLOSS, base=0.72),
        ball((0, 0, 0.92), (0.1, 0.1, 0.08), finish=GLOSS),
    ),
    "butter_dish": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.16), 0.08, finish=GLOSS),
        cushion((-0.42, -0.4, 0.14), (0.42, 0.4, 0.85), 0.16, finish=sheen),
        ball((0, 0, 0.9), (0.06, 0.1, 0.1), finish=GLOSS),
    ),
    "corkscrew": made_of(
        tube([(-0.5, -0.3, 0.5), (0.5, -0.3, 0.5)], (0, 0.009), finish=GLOSS),
        tube([(0, -0.3, 0.5), (0, 0.05, 0.5)], (0, 0.006), STEEL),
        tube([(0, 0.05, 0.5), (0.08, 0.12, 0.7), (-0.08, 0.2, 0.3), (0.08, 0.28, 0.7),
              (-0.08, 0.36, 0.3), (0.06, 0.43, 0.6), (0, 0.5, 0.5)], (0, 0.002), STEEL),
    ),
    "disc": made_of(
        lathe([(0, 0), (0.96, 0), (1, 0.3), (1, 0.7), (0.95, 1), (0, 1)], finish=sheen,
               segments=18),
        only("cookie", *(ball((x, y, 0.95), (0.07, 0.07, 0.25), (0.25, 0.14, 0.08), MATT, 6)
             for x, y in ((0.2, 0.1), (-0.2, 0.2), (0.05, -0.25), (-0.25, -0.12), (0.3, -0.2)))),
        only("coin", lathe([(0.8, 0), (0.84, 0.06), (0.8, 0.06)], tint(0.6), METAL, 18,
                            base=1.0)),
    ),
}  # fmt: skip
