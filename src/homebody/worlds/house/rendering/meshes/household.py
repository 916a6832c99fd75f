"""Items for cleaning, bathrooms, babies, pets and doctors."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLASS, GLOSS, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.containers import printed
from homebody.worlds.house.rendering.meshes.form import Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, GLASSY, PAPER, STEEL
from homebody.worlds.house.rendering.meshes.solids import (
    ball,
    box,
    cushion,
    cylinder,
    lathe,
    made_of,
    move,
    on_off,
    pale,
    prism,
    sheen,
    tint,
    tube,
)

STRAW: Colour = (0.85, 0.72, 0.42)
RED: Colour = (0.8, 0.12, 0.12)

SHAPES: dict[str, Shape] = {
    # -- cleaning
    "broom": made_of(
        tube([(0, 0, 0.3), (0, 0, 1)], (0, 0.011), finish=WOOD),
        box((-0.5, -0.3, 0.2), (0.5, 0.3, 0.27), tint(0.8), WOOD),
        prism([(-0.42, -0.3), (0.42, -0.3), (0.5, 0.5), (-0.5, 0.5)], 0, 0.2, STRAW, FABRIC),
    ),
    "mop": made_of(
        tube([(0, 0, 0.14), (0, 0, 1)], (0, 0.011), finish=WOOD),
        *(tube([(0, 0, 0.2), (x, y, 0.1), (x * 1.3, y * 1.3, 0)], (0, 0.012), (0.9, 0.89, 0.84),
               FABRIC) for x in (-0.36, -0.18, 0, 0.18, 0.36) for y in (-0.36, 0, 0.36)),
    ),
    "toilet_brush": made_of(
        lathe([(0, 0), (1, 0), (1, 0), (0.85, 0.36), (0.75, 0.36)], segments=16),
        tube([(0, 0, 0.3), (0, 0, 1)], (0, 0.008), STEEL),
        ball((0, 0, 0.98), (0.1, 0.1, 0.02), STEEL, METAL, 8),
    ),
    "plunger": made_of(
        lathe([(0.9, 0), (1, 0.02), (0.85, 0.14), (0.3, 0.24), (0, 0.26)], finish=GLOSS),
        tube([(0, 0, 0.24), (0, 0, 1)], (0, 0.011), (0.75, 0.55, 0.32), WOOD),
    ),
    "squeegee": made_of(
        tube([(0, -0.5, 0.5), (0, 0.4, 0.5)], (0, 0.011), finish=GLOSS),
        box((-0.5, 0.36, 0.2), (0.5, 0.46, 0.8), STEEL, METAL),
        box((-0.5, 0.46, 0.4), (0.5, 0.5, 0.6), BLACK),
    ),
    "lint_roller": made_of(
        tube([(0, -0.5, 0.5), (0, 0, 0.5)], (0, 0.012), (0.25, 0.5, 0.75), GLOSS),
        move((-0.5, 0.25, 0.5), 90, "y", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[2] * 0.48, form.size[0], PAPER, MATT)),
    ),
    "gloves": made_of(*(row for x in (-0.26, 0.26) for row in (
        cushion((x - 0.2, -0.5, 0), (x + 0.2, 0.1, 0.9), 0.4, finish=GLOSS),
        *(cushion((x + f - 0.05, 0.0, 0.05), (x + f + 0.05, top, 0.8), 0.35, finish=GLOSS)
          for f, top in ((-0.15, 0.36), (-0.05, 0.48), (0.05, 0.5), (0.15, 0.4))),
        cushion((x + 0.14, -0.25, 0.05), (x + 0.24, 0.08, 0.8), 0.35, finish=GLOSS)))),
    "trash_bag": made_of(
        ball((0, 0, 0.38), (0.5, 0.5, 0.38), finish=GLOSS),
        lathe([(0.5, 0), (0.14, 0.22), (0.12, 0.26), (0.36, 0.4), (0.1, 0.4)], finish=GLOSS,
               segments=9, base=0.6),
    ),
    "hanger": made_of(
        tube([(0, 0.05, 0.5), (-0.5, -0.4, 0.5), (0.5, -0.4, 0.5), (0, 0.05, 0.5)], (0, 0.006),
             finish=WOOD),
        tube([(0, 0.05, 0.5), (0, 0.28, 0.5), (0.07, 0.4, 0.5), (0, 0.5, 0.5), (-0.06, 0.42, 0.5)],
             (0, 0.003), STEEL),
    ),
    "robot_vacuum": made_of(
        lathe([(0, 0.1), (0.96, 0.1), (1, 0.3), (1, 0.75), (0.9, 0.9), (0, 0.92)], finish=GLOSS,
               segments=24),
        cylinder((0, 0.1, 0.9), 0.16, 0.1, tint(0.6), GLOSS),
        cylinder((0, -0.25, 0.91), 0.05, 0.03, on_off((0.2, 0.8, 0.4), STEEL), GLOSS),
    ),
    "wet_floor_sign": made_of(
        *(move((0, side * 0.5, 0), side * 14, "x",
                 box((-0.5, -0.02, 0), (0.5, 0.02, 1), finish=GLOSS),
                 box((-0.14, -0.03, 0.35), (0.14, 0.03, 0.8), BLACK)) for side in (-1, 1)),
    ),
    # -- bathroom
    "pen_holder": made_of(
        lathe([(0, 0), (0.92, 0), (0.95, 0.02), (1, 0.7), (0.9, 0.7), (0.85, 0.06), (0, 0.05)]),
        *(tube([(x, y, 0.1), (x * 1.6, y * 1.6, z)], (0, 0.005), tone, GLOSS) for x, y, z, tone in (
            (0.15, 0.1, 1, (0.2, 0.3, 0.7)), (-0.18, 0.05, 0.92, RED),
            (0.05, -0.2, 0.97, (0.9, 0.75, 0.2)))),
    ),
    "shaver": made_of(  # three round heads that look to +y
        cushion((-0.36, -0.3, 0), (0.36, 0.3, 0.74), 0.12, finish=GLOSS),
        box((-0.2, 0.3, 0.1), (0.2, 0.33, 0.6), BLACK),
        move((0, 0.34, 0.44), -90, "x", cylinder((0, 0, 0), 0.12, (0, 0.002), STEEL, METAL)),
        move((0, 0, 0.72), -50, "x", cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.1), 0.1, BLACK, GLOSS),
             *(row for x, y in ((-0.23, 0.2), (0.23, 0.2), (0, -0.22)) for row in (
                 cylinder((x, y, 0.1), 0.21, 0.035, STEEL, METAL, segments=14),
                 cylinder((x, y, 0.13), 0.15, 0.015, BLACK, segments=14),
                 cylinder((x, y, 0.14), 0.09, 0.02, STEEL, METAL)))),
    ),
    "hand_mirror": made_of(
        move((0, 0.24, 0), 0, "z", lathe(
            [(0, 0), (0.95, 0), (1, 0.3), (0.98, 1), (0.88, 1), (0.88, 0.8), (0, 0.8)],
            finish=GLOSS, segments=20, is_round=True)),
        move((0, 0.24, 0), 0, "z", cylinder((0, 0, 0.82), 0.43, 0.03, (0.85, 0.9, 0.93), METAL)),
        tube([(0, -0.02, 0.5), (0, -0.5, 0.5)], (0, 0.009), finish=GLOSS),
    ),
    "lipstick": made_of(
        cylinder((0, 0, 0), 0.5, 0.55, BLACK, GLOSS),
        cylinder((0, 0, 0.55), 0.4, 0.15, (0.8, 0.65, 0.35), METAL),
        cylinder((0, 0, 0.7), 0.32, 0.3, finish=GLOSS, top=0.12),
    ),
    # -- doctors
    "pill_bottle": made_of(
        lathe([(0, 0), (1, 0), (1, 0), (1, 0.72), (0.8, 0.76)], finish=GLOSS),
        cylinder((0, 0, 0.76), 0.5, 0.24, PAPER, GLOSS),
        lathe([(1.02, 0), (1.02, 0.4)], PAPER, MATT, base=0.16),
        printed(0.18, 0.54),
    ),
    "thermometer": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.2, 1), 0.4, finish=GLOSS),
        box((-0.3, -0.3, 0.95), (0.3, 0.0, 1.02), (0.5, 0.6, 0.55)),
        tube([(0, 0.2, 0.5), (0, 0.5, 0.5)], 0.16, STEEL),
    ),
    "syringe": made_of(
        move((0, -0.28, 0.5), -90, "x", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[2] * 0.4, form.size[1] * 0.5, GLASSY, GLASS)),
        tube([(0, -0.3, 0.5), (0, 0, 0.5)], 0.18, (0.35, 0.6, 0.85), GLOSS),
        tube([(0, -0.46, 0.5), (0, -0.28, 0.5)], 0.08, PAPER, GLOSS),
        *(box((-0.5, y, 0.35), (0.5, y + 0.03, 0.65), PAPER, GLOSS) for y in (-0.5, -0.3)),
        tube([(0, 0.22, 0.5), (0, 0.5, 0.5)], 0.03, STEEL),
    ),
    "kidney_dish": made_of(
        *(move((0, -0.5, 0), turn, "z", cushion((-0.16, 0.35, 0), (0.16, 0.95, 1), 0.2,
                 finish=METAL)) for turn in (-36, -24, -12, 0, 12, 24, 36)),
        *(move((0, -0.5, 0), turn, "z", box((-0.1, 0.42, 0.98), (0.1, 0.88, 1.02), tint(0.6)))
          for turn in (-30, -18, -6, 6, 18, 30)),
    ),
    "crutch": made_of(
        tube([(0, 0.5, 0.5), (0, 0.1, 0.5)], (0, 0.011), BLACK, GLOSS),
        tube([(0, -0.05, 0.5), (0, 0.35, 0.5)], (0, 0.012)),
        tube([(0, -0.05, 0.5), (-0.3, -0.2, 0.5), (-0.3, -0.44, 0.5)], (0, 0.01)),
        tube([(0, -0.05, 0.5), (0.3, -0.2, 0.5), (0.3, -0.44, 0.5)], (0, 0.01)),
        cushion((-0.45, -0.5, 0.2), (0.45, -0.44, 0.8), 0.2, BLACK),
        tube([(-0.3, -0.22, 0.5), (0.3, -0.22, 0.5)], (0, 0.014), BLACK, GLOSS),
    ),
    "cane": made_of(
        tube([(0, 0.5, 0.5), (0, -0.42, 0.5), (0.1, -0.49, 0.5), (0.3, -0.49, 0.5),
              (0.42, -0.44, 0.5), (0.42, -0.38, 0.5)], (0, 0.011), finish=WOOD),
        tube([(0, 0.47, 0.5), (0, 0.5, 0.5)], (0, 0.013), BLACK, GLOSS),
    ),
    "hot_water_bottle": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.3, 1), 0.45, finish=GLOSS),
        *(box((x - 0.02, -0.4, 0.98), (x + 0.02, 0.2, 1.03), tint(0.8)) for x in
          (-0.3, -0.15, 0, 0.15, 0.3)),
        tube([(0, 0.26, 0.5), (0, 0.45, 0.5)], (0, 0.018), finish=GLOSS),
        tube([(0, 0.42, 0.5), (0, 0.5, 0.5)], (0, 0.014), BLACK, GLOSS),
    ),
    "clipboard": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 0.25), finish=WOOD),
        box((-0.44, -0.46, 0.25), (0.44, 0.4, 0.32), PAPER),
        *(box((-0.36, y, 0.32), (0.3, y + 0.012, 0.34), (0.5, 0.5, 0.55))
          for y in (-0.3, -0.15, 0.0, 0.15)),
        box((-0.22, 0.36, 0.25), (0.22, 0.5, 1), STEEL, METAL),
    ),
    # -- babies and pets
    "baby_bottle": made_of(
        lathe([(0, 0), (0.95, 0), (1, 0.04), (1, 0.58), (0.8, 0.64)], GLASSY, GLASS),
        cylinder((0, 0, 0.03), 0.44, 0.36, PAPER, MATT),
        cylinder((0, 0, 0.63), 0.46, 0.12, finish=GLOSS),
        lathe([(0.7, 0), (0.6, 0.06), (0.24, 0.12), (0.2, 0.23), (0, 0.25)], STRAW, GLOSS,
               base=0.75),
    ),
    "sippy_cup": made_of(
        lathe([(0, 0), (0.55, 0), (0.68, 0.7)], finish=GLOSS, is_round=True),
        lathe([(0.7, 0), (0.68, 0.1), (0, 0.14)], pale(0.5), GLOSS, base=0.7, is_round=True),
        cushion((-0.12, 0.1, 0.8), (0.12, 0.34, 1), 0.08, pale(0.5), GLOSS),
        *(tube([(s * 0.3, 0, 0.6), (s * 0.48, 0, 0.5), (s * 0.48, 0, 0.3), (s * 0.28, 0, 0.2)],
               (0, 0.006), pale(0.5), GLOSS) for s in (-1, 1)),
    ),
    "potty": made_of(
        lathe([(0, 0), (1, 0), (0.85, 0.3), (0.9, 0.62), (0.95, 0.68), (0.62, 0.68), (0.5, 0.2),
                (0, 0.15)], finish=GLOSS, segments=18),
        cushion((-0.36, -0.5, 0.5), (0.36, -0.36, 1), 0.15, finish=GLOSS),
        cushion((-0.1, 0.3, 0.6), (0.1, 0.46, 0.88), 0.12, finish=GLOSS),
    ),
    "pet_bowl": lathe([(0, 0), (1, 0), (0.95, 0.2), (0.86, 1), (0.78, 1), (0.66, 0.3), (0, 0.25)],
                       finish=sheen, segments=20),
    "pet_carrier": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.47, 0.5), 0.12, finish=GLOSS),
        cushion((-0.47, -0.48, 0.45), (0.47, 0.46, 0.92), 0.16, tint(0.8), GLOSS),
        box((-0.34, 0.46, 0.12), (0.34, 0.48, 0.78), (0.16, 0.16, 0.17)),
        *(tube([(x, 0.49, 0.12), (x, 0.49, 0.78)], (0, 0.004), STEEL) for x in
          (-0.27, -0.135, 0, 0.135, 0.27)),
        tube([(0, -0.2, 0.9), (0, -0.15, 1), (0, 0.15, 1), (0, 0.2, 0.9)], (0, 0.014), BLACK,
             GLOSS),
    ),
    "bone": made_of(
        tube([(-0.3, 0, 0.5), (0.3, 0, 0.5)], (0, 0.013), finish=MATT, segments=8),
        *(ball((x, y, 0.5), (0.13, 0.3, 0.48), finish=MATT, segments=8)
          for x in (-0.36, 0.36) for y in (-0.2, 0.2)),
    ),
    "rattle": made_of(
        ball((-0.28, 0, 0.5), (0.22, 0.5, 0.5), finish=GLOSS),
        tube([(-0.1, 0, 0.5), (0.5, 0, 0.5)], (0, 0.008), pale(0.5), GLOSS),
        ball((0.44, 0, 0.5), (0.06, 0.22, 0.22), finish=GLOSS, segments=8),
    ),
    "tie": made_of(
        prism([(-0.2, -0.38), (0, -0.5), (0.5, -0.3), (0.12, 0.38), (-0.12, 0.38)], 0, 0.8,
              finish=FABRIC),
        cushion((-0.22, 0.36, 0), (0.22, 0.5, 1), 0.3, tint(0.9)),
    ),
    "sandals": made_of(*(row for x in (-0.27, 0.27) for row in (
        cushion((x - 0.21, -0.5, 0), (x + 0.21, 0.5, 0.4), 0.2, tint(0.6), MATT),
        cushion((x - 0.2, -0.48, 0.38), (x + 0.2, 0.48, 0.5), 0.1, (0.75, 0.6, 0.42), MATT),
        tube([(x - 0.21, 0.15, 0.4), (x, 0.18, 0.95), (x + 0.21, 0.15, 0.4)], (0, 0.012),
             finish=FABRIC),
        tube([(x - 0.2, -0.2, 0.4), (x, -0.24, 1), (x + 0.2, -0.2, 0.4)], (0, 0.01),
             finish=FABRIC)))),
    "high_heels": made_of(*(row for x in (-0.26, 0.26) for row in (  # pumps, their toes at +y
        tube([(x, 0.3, 0.08), (x, 0.16, 0.14), (x, -0.2, 0.5), (x, -0.42, 0.56)], 0.09, tint(0.6),
             GLOSS, 8),
        ball((x, 0.28, 0.17), (0.15, 0.22, 0.18), finish=GLOSS),
        *(tube([(x + s * 0.13, 0.3, 0.16), (x + s * 0.14, 0.1, 0.36), (x + s * 0.13, -0.2, 0.68),
                (x + s * 0.06, -0.46, 0.82)], 0.045, finish=GLOSS) for s in (-1, 1)),
        cushion((x - 0.13, -0.5, 0.5), (x + 0.13, -0.36, 0.98), 0.12, finish=GLOSS),
        cylinder((x, -0.44, 0), 0.028, 0.56, finish=GLOSS, top=0.1)))),
}  # fmt: skip
