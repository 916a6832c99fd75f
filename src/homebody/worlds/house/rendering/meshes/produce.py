"""Meat, baked goods, and fruit and vegetables that are not round. See also food.py."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import GLOSS, MATT, WOOD
from homebody.worlds.house.rendering.meshes.containers import printed
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import mix, shade
from homebody.worlds.house.rendering.meshes.solids import (
    ball,
    box,
    cushion,
    cylinder,
    lathe,
    made_of,
    move,
    only,
    prism,
    tube,
)

GREEN: Colour = (0.28, 0.52, 0.2)
CRUST: Colour = (0.72, 0.48, 0.24)
CREAM: Colour = (0.97, 0.93, 0.82)


def grapes(form: Form) -> None:
    """Berries in a heap with a stalk."""
    (w, d, h), body = form.size, form.tone()
    r = min(w, d, h) * 0.17
    for i in range(22):
        a, level = 2.4 * i, 1 - i / 22
        out = math.sqrt(max(0.0, 1 - level**2)) * 0.42 + 0.02
        place = (math.cos(a) * out * (w - 2 * r), math.sin(a) * out * (d - 2 * r), 0.0)
        z = r + level * (h * 0.85 - 2 * r)
        form.sketch.ball((place[0], place[1], z), r, shade(body, 0.9 + 0.05 * (i % 4)), GLOSS, 8)
    form.sketch.tube(((0, 0, h * 0.75), (0, 0, h)), 0.003, (0.4, 0.3, 0.15), WOOD, 5)


def broccoli(form: Form) -> None:
    """A stem with a head of small knobs."""
    (w, d, h), body = form.size, form.tone()
    stem = mix(body, CREAM, 0.55)
    form.sketch.cylinder((0, 0, 0), w * 0.14, h * 0.5, stem, GLOSS, top=w * 0.26, segments=8)
    for i in range(19):
        a, ring = 2.4 * i, math.sqrt(i / 19)
        place = (math.cos(a) * ring * w * 0.34, math.sin(a) * ring * d * 0.34)
        z = h * (0.84 - 0.34 * ring**2)
        knob = (w * 0.15, d * 0.15, h * 0.14)
        form.sketch.ball((*place, z), knob, shade(body, 0.88 + 0.06 * (i % 4)), MATT, 7)


def celery(form: Form) -> None:
    """Broad stalks along x from a pale base at -x, sprays of leaves at +x."""
    (w, d, h), body = form.size, form.tone()
    pale_green = mix(body, CREAM, 0.5)
    form.sketch.ball((-w * 0.43, 0, h * 0.45), (w * 0.07, d * 0.4, h * 0.36), CREAM, GLOSS, 10)
    for i in range(7):
        y, z = (i - 3) * d * 0.125, h * (0.3 + 0.3 * (i % 2))
        stalk = ((-w * 0.45, y * 0.8, h * 0.45), (-w * 0.1, y, z), (w * 0.1, y * 1.1, z))
        form.sketch.tube(stalk, d * 0.13, shade(pale_green, 0.85 + 0.09 * (i % 3)), GLOSS, 7)
        for k in range(5):
            x, aside = w * (0.18 + 0.07 * k), y * 1.2 + d * 0.16 * (k % 2 * 2 - 1)
            tip = (x, aside, z + h * 0.08 * k)
            form.sketch.tube(((w * 0.08, y, z), tip), d * 0.035, pale_green, MATT, 4)
            leaf = shade(GREEN, 0.85 + 0.15 * ((i + k) % 3))
            form.sketch.ball(tip, (w * 0.06, d * 0.16, h * 0.08), leaf, MATT, 5)


def fish(form: Form) -> None:
    """A fish along x, its tail at -x."""
    (w, d, h), body = form.size, form.tone()
    sketch, z = form.sketch, h / 2
    sketch.ball((w * 0.08, 0, z), (w * 0.42, d * 0.42, h * 0.46), body, GLOSS, 14)
    tail = [(-w * 0.3, 0.0), (-w / 2, d * 0.45), (-w * 0.45, 0.0), (-w / 2, -d * 0.45)]
    sketch.prism([tail[0], tail[1], tail[2]], z - 0.004, z + 0.004, shade(body, 0.8), GLOSS)
    sketch.prism([tail[0], tail[2], tail[3]], z - 0.004, z + 0.004, shade(body, 0.8), GLOSS)
    sketch.ball((w * 0.4, d * 0.12, h * 0.78), w * 0.02, (0.05, 0.05, 0.05), GLOSS, 6)
    sketch.ball((w * 0.4, -d * 0.12, h * 0.78), w * 0.02, (0.05, 0.05, 0.05), GLOSS, 6)


FAT: Colour = (0.95, 0.86, 0.78)

SHAPES: dict[str, Shape] = {
    "grapes": grapes, "broccoli": broccoli, "celery": celery, "fish": fish,
    "strawberry": made_of(
        lathe([(0, 0), (0.45, 0.15), (1, 0.62), (0.8, 0.86), (0, 0.88)], finish=GLOSS, segments=8),
        cylinder((0, 0, 0.84), 0.45, 0.08, GREEN, MATT, top=0.1, segments=5),
        cylinder((0, 0, 0.86), 0.06, 0.14, GREEN, MATT, segments=5),
    ),
    "bell_pepper": made_of(
        *(ball((x, y, 0.45), (0.34, 0.34, 0.45), finish=GLOSS)
          for x, y in ((0.16, 0.16), (-0.16, 0.16), (0.16, -0.16), (-0.16, -0.16))),
        tube([(0, 0, 0.75), (0, 0, 0.93), (0.06, 0, 1)], 0.07, GREEN, GLOSS),
    ),
    "eggplant": move(
        (-0.5, 0, 0.5), 90, "y",
        lambda form: form.sketch.lathe(
            (0, 0, 0),
            [(form.size[2] / 2 * r, form.size[0] * z) for r, z in (
                (0, 0), (0.7, 0.04), (1, 0.25), (0.8, 0.55), (0.5, 0.8), (0.3, 0.86))],
            shade(form.tone(), 0.6), GLOSS, 12),
        lambda form: form.sketch.cylinder(
            (0, 0, form.size[0] * 0.8), form.size[2] * 0.24, form.size[0] * 0.2, GREEN, MATT,
            top=form.size[2] * 0.08, segments=7),
    ),
    "corn": made_of(
        ball((0.08, 0, 0.5), (0.42, 0.4, 0.42), finish=MATT),
        *(tube([(-0.5, y, 0.3), (-0.1, y * 2.2, 0.45), (0.22, y, 0.55)], (0, 0.009), GREEN, MATT)
          for y in (-0.18, 0, 0.18)),
    ),
    "mushroom": made_of(
        cylinder((0, 0, 0), 0.2, 0.6, CREAM, MATT),
        lathe([(0.9, 0), (1, 0.12), (0.7, 0.42), (0, 0.52)], finish=MATT, base=0.46),
    ),
    "donut": made_of(
        lathe([(0.42, 0.5), (0.5, 0.12), (0.72, 0), (0.95, 0.2), (1, 0.5)], CRUST, MATT, 18),
        lathe([(1, 0.5), (0.92, 0.82), (0.7, 1), (0.5, 0.85), (0.42, 0.5)], finish=GLOSS,
               segments=18),
    ),
    "muffin": made_of(
        lathe([(0, 0), (0.66, 0), (0.66, 0), (0.9, 0.55)], (0.9, 0.86, 0.78), MATT),
        lathe([(0.92, 0.55), (1, 0.66), (0.7, 0.92), (0, 1)], finish=MATT),
        only("cupcake", lathe([(0.95, 0.56), (0.9, 0.7), (0.5, 0.9), (0, 1)], finish=GLOSS)),
        only("cupcake", ball((0, 0, 0.96), (0.09, 0.09, 0.07), (0.8, 0.1, 0.12), GLOSS)),
    ),
    "pie": made_of(
        lathe([(0, 0), (0.78, 0), (1, 0.9), (0.95, 1), (0.8, 0.7), (0, 0.82)], finish=MATT,
               segments=20),
        *(box((-0.42, y - 0.025, 0.8), (0.42, y + 0.025, 0.95), CRUST, MATT)
          for y in (-0.2, 0.0, 0.2)),
        *(box((x - 0.025, -0.4, 0.82), (x + 0.025, 0.4, 0.97), CRUST, MATT)
          for x in (-0.2, 0.0, 0.2)),
    ),
    "burger": made_of(
        lathe([(0, 0), (0.85, 0), (0.96, 0.15), (0.9, 0.3), (0, 0.3)], finish=MATT),
        cylinder((0, 0, 0.3), 0.5, 0.1, GREEN, MATT),
        cylinder((0, 0, 0.4), 0.48, 0.16, (0.33, 0.18, 0.1), MATT),
        cylinder((0, 0, 0.54), 0.49, 0.06, (0.95, 0.75, 0.2), GLOSS),
        lathe([(0.95, 0), (0.98, 0.1), (0.75, 0.36), (0, 0.42)], finish=MATT, base=0.58),
    ),
    "hot_dog": made_of(
        cushion((-0.45, -0.5, 0), (0.45, -0.1, 0.8), 0.35, finish=MATT),
        cushion((-0.45, 0.1, 0), (0.45, 0.5, 0.8), 0.35, finish=MATT),
        tube([(-0.5, 0, 0.6), (0.5, 0, 0.6)], (0, 0.014), (0.62, 0.22, 0.14), GLOSS, 8),
        tube([(-0.4, 0.06, 0.92), (-0.2, -0.06, 0.92), (0, 0.06, 0.92), (0.2, -0.06, 0.92),
              (0.4, 0.06, 0.92)], (0, 0.003), (0.95, 0.78, 0.15), GLOSS, 5),
    ),
    "steak": made_of(  # raw, with a rim of fat and its bone
        *(prism([(-0.5 * r, -0.1), (-0.3 * r, -0.42 * r), (0.1 * r, -0.5 * r), (0.44 * r, -0.3 * r),
                 (0.5 * r, 0.1 * r), (0.3 * r, 0.36 * r), (-0.1 * r, 0.3 * r), (-0.34 * r, 0.5 * r),
                 (-0.48 * r, 0.3 * r)], low, high, paint, GLOSS)
          for r, low, high, paint in ((1, 0, 0.9, FAT), (0.88, 0.85, 1, (0.68, 0.13, 0.13)))),
        tube([(-0.34, 0.4, 0.95), (-0.16, 0.0, 1.0), (0.0, -0.42, 0.95)], (0, 0.004), FAT, MATT),
        tube([(-0.16, 0.0, 1.0), (0.16, 0.06, 1.0)], (0, 0.004), FAT, MATT),
        *(tube([(x, y, 1), (x + 0.1, y + t, 1)], (0, 0.001), FAT, MATT, 4) for x, y, t in (
            (0.1, -0.3, 0.1), (0.22, -0.1, -0.12), (-0.3, -0.2, 0.08), (0.24, 0.16, 0.1),
            (-0.36, 0.12, -0.1), (-0.28, -0.05, 0.06))),
    ),
    "lollipop": made_of(
        move((0, 0.3, 0.5), 0, "z", ball((0, 0, 0), (0.5, 0.17, 0.5), finish=GLOSS)),
        tube([(0, 0.2, 0.5), (0, -0.5, 0.5)], (0, 0.002), CREAM, MATT, 5),
    ),
    "ketchup": made_of(
        lathe([(0, 0), (0.95, 0), (1, 0.06), (0.9, 0.4), (1, 0.68), (0.6, 0.78)], finish=GLOSS),
        lathe([(0.62, 0), (0.62, 0), (0.5, 0.09), (0.16, 0.1), (0.1, 0.23), (0, 0.23)], CREAM,
               GLOSS, base=0.77, is_round=True),
        lathe([(1.02, 0), (0.97, 0.24)], (0.96, 0.94, 0.88), MATT, base=0.24),
        printed(0.24, 0.46),
    ),
}  # fmt: skip
