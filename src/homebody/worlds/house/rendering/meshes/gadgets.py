"""Electronic gadgets and desk items. See also electronics.py and stationery.py."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import GLASS, GLOSS, GLOW, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, GLASSY, PAPER, STEEL, WARM
from homebody.worlds.house.rendering.meshes.solids import (
    ball,
    box,
    cushion,
    cylinder,
    lathe,
    lit,
    made_of,
    move,
    on_off,
    tint,
    tube,
)

GREEN_LAMP = (0.25, 0.8, 0.35)

SHAPES: dict[str, Shape] = {
    "walkie_talkie": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.68), 0.06, finish=GLOSS),
        tube([(-0.28, 0, 0.66), (-0.28, 0, 1)], (0, 0.006), BLACK, GLOSS),
        cylinder((0.25, 0, 0.68), 0.13, 0.07, BLACK, GLOSS),
        box((-0.32, 0.5, 0.42), (0.32, 0.52, 0.58), on_off(GREEN_LAMP, STEEL), GLOSS),
        *(box((-0.3, 0.5, z), (0.3, 0.52, z + 0.03), BLACK) for z in (0.1, 0.18, 0.26)),
    ),
    "webcam": made_of(
        cushion((-0.5, -0.3, 0.4), (0.5, 0.35, 1), 0.25, finish=GLOSS),
        move((0, 0.34, 0.7), -90, "x", cylinder((0, 0, 0), 0.2, 0.12, BLACK, GLOSS)),
        cushion((-0.3, -0.5, 0), (0.3, 0.5, 0.2), 0.1, finish=GLOSS),
        tube([(0, 0, 0.15), (0, 0, 0.45)], (0, 0.006), BLACK, GLOSS),
    ),
    "router": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.24), 0.08, finish=GLOSS),
        *(tube([(x, -0.4, 0.2), (x, -0.44, 1)], (0, 0.007), tint(0.7), GLOSS)
          for x in (-0.4, 0, 0.4)),
        *(box((x, 0.49, 0.1), (x + 0.03, 0.51, 0.15), on_off(GREEN_LAMP, BLACK), lit)
          for x in (-0.2, -0.1, 0, 0.1)),
    ),
    "projector": made_of(
        cushion((-0.5, -0.5, 0.1), (0.5, 0.46, 1), 0.2, finish=GLOSS),
        move((-0.22, 0.44, 0.56), -90, "x",
               cylinder((0, 0, 0), 0.12, 0.3, BLACK, GLOSS),
               cylinder((0, 0, 0.3), 0.09, 0.03, on_off(WARM, (0.3, 0.4, 0.5)), lit)),
        *(box((0.1, 0.455, z), (0.4, 0.47, z + 0.06), BLACK) for z in (0.3, 0.45, 0.6)),
        *(cylinder((x, y, 0), 0.03, 0.12, BLACK) for x in (-0.4, 0.4) for y in (-0.4, 0.4)),
    ),
    "earbuds": made_of(  # in their open case
        cushion((-0.5, -0.3, 0), (0.5, 0.5, 0.55), 0.25, finish=GLOSS),
        box((-0.42, -0.2, 0.5), (0.42, 0.42, 0.57), BLACK),
        move((0, -0.3, 0.5), 15, "x", cushion((-0.5, -0.22, 0), (0.5, 0, 1.3), 0.1, tint(0.9),
                                             GLOSS)),
        *(row for x in (-0.22, 0.22) for row in (
            tube([(x, 0.1, 0.5), (x, 0.1, 1.0)], (0, 0.0032), PAPER, GLOSS),
            ball((x, 0.14, 1.15), (0.13, 0.15, 0.28), PAPER, GLOSS, 8),
            ball((x * 0.6, 0.24, 1.15), (0.06, 0.08, 0.16), BLACK, MATT, 6))),
    ),
    "microphone": made_of(  # its cable plug at -y, a grid of wire around its head
        tube([(0, -0.5, 0.5), (0, 0.12, 0.5)], 0.24, BLACK, GLOSS, 10),
        tube([(0, 0.1, 0.5), (0, 0.16, 0.5)], 0.42, BLACK, GLOSS, 12),
        ball((0, 0.3, 0.5), (0.48, 0.18, 0.48), (0.5, 0.5, 0.53), MATT),
        *(move((0, 0.3, 0.5), turn, axis, lathe([(1.0, -0.02), (1.03, 0), (1.0, 0.02)],
               (0.3, 0.3, 0.33), METAL, 16, is_round=True))
          for turn, axis in ((0, "z"), (90, "y"), (45, "y"), (-45, "y"))),
        tube([(0, 0.29, 0.5), (0, 0.31, 0.5)], 0.52, STEEL, segments=14),
        box((-0.08, -0.16, 0.72), (0.08, -0.06, 0.82), (0.8, 0.15, 0.12), GLOSS),
        tube([(0, -0.5, 0.5), (0.3, -0.6, 0.3), (0.9, -0.62, 0.1), (1.3, -0.4, 0.1)], (0, 0.003),
             BLACK, MATT),
    ),
    "record_player": made_of(
        cushion((-0.5, -0.5, 0.1), (0.5, 0.5, 0.55), 0.06, finish=WOOD),
        cylinder((-0.1, 0, 0.55), 0.36, 0.1, BLACK, GLOSS, segments=24),
        cylinder((-0.1, 0, 0.65), 0.11, 0.02, (0.75, 0.2, 0.2), MATT),
        tube([(0.38, -0.3, 0.75), (0.38, 0.05, 0.75), (0.16, 0.2, 0.7)], (0, 0.006)),
        cylinder((0.38, -0.3, 0.55), 0.06, 0.25, STEEL, METAL),
        box((-0.48, -0.5, 0.6), (0.48, -0.48, 1), GLASSY, GLASS),
    ),
    "power_strip": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.9), 0.2, finish=GLOSS),
        *(cylinder((x, 0, 0.88), 0.055, 0.05, tint(0.75), MATT)
          for x in (-0.36, -0.18, 0, 0.18)),
        box((0.34, -0.25, 0.88), (0.44, 0.25, 1), on_off((0.95, 0.25, 0.1), (0.4, 0.1, 0.05)),
            GLOSS),
    ),
    "sewing_machine": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.16), 0.05, finish=GLOSS),
        cushion((0.18, -0.4, 0.14), (0.5, 0.4, 1), 0.08, finish=GLOSS),
        cushion((-0.48, -0.34, 0.62), (0.3, 0.34, 1), 0.08, finish=GLOSS),
        cushion((-0.48, -0.3, 0.4), (-0.26, 0.3, 0.7), 0.06, finish=GLOSS),
        tube([(-0.37, 0, 0.42), (-0.37, 0, 0.17)], (0, 0.004)),
        move((0.48, 0, 0.72), 90, "y", cylinder((0, 0, 0), 0.12, 0.06, STEEL, METAL)),
        box((-0.2, 0.34, 0.72), (0.05, 0.36, 0.9), (0.85, 0.5, 0.5)),
    ),
    "desk_lamp": made_of(
        cylinder((0, -0.2, 0), 0.42, 0.05, finish=GLOSS, segments=18),
        tube([(0, -0.2, 0.04), (0, -0.38, 0.48)], (0, 0.008), STEEL),
        tube([(0, -0.38, 0.48), (0, 0.18, 0.88)], (0, 0.008), STEEL),
        ball((0, -0.38, 0.48), (0.07, 0.04, 0.03), BLACK, GLOSS, 8),
        move((0, 0.25, 0.78), 30, "x",
               lathe([(0.75, 0), (0.5, 0.16), (0.2, 0.26), (0, 0.27)], finish=GLOSS,
                      is_round=True),
               cylinder((0, 0, 0.01), 0.3, 0.05, on_off(WARM, PAPER),
                        lambda form: GLOW if form.is_on else MATT)),
    ),
    "space_heater": made_of(
        cushion((-0.5, -0.4, 0.08), (0.5, 0.4, 1), 0.06, finish=GLOSS),
        box((-0.42, 0.38, 0.2), (0.42, 0.41, 0.85), (0.2, 0.18, 0.18)),
        *(move((0, 0.42, z), 90, "y", cylinder((0, 0, -0.45), 0.03, 0.9,
                 on_off((1, 0.4, 0.1), STEEL), lit)) for z in (0.35, 0.68)),
        *(box((x - 0.06, -0.5, 0), (x + 0.06, 0.5, 0.1), BLACK) for x in (-0.36, 0.36)),
        *(tube([(-0.42, 0.45, z), (0.42, 0.45, z)], (0, 0.003), STEEL)
          for z in (0.28, 0.44, 0.6, 0.76)),
    ),
    "service_bell": made_of(
        cylinder((0, 0, 0), 0.5, 0.14, BLACK, GLOSS, segments=18),
        lathe([(0.95, 0), (0.9, 0.28), (0.6, 0.58), (0, 0.68)], finish=METAL, segments=18,
               base=0.16),
        cylinder((0, 0, 0.84), 0.08, 0.16, STEEL, METAL),
    ),
    "magnifying_glass": made_of(
        move((0, 0.26, 0), 0, "z",
               lathe([(0.86, 0), (1, 0.1), (1, 0.9), (0.86, 1), (0.86, 0)], STEEL, METAL, 20,
                      is_round=True),
               cylinder((0, 0, 0.4), 0.43, 0.2, GLASSY, GLASS, segments=20)),
        tube([(0, 0.0, 0.5), (0, -0.5, 0.5)], (0, 0.009), finish=WOOD),
    ),
    "microscope": made_of(
        cushion((-0.45, -0.5, 0), (0.45, 0.4, 0.1), 0.04, finish=GLOSS),
        cushion((-0.18, -0.48, 0.08), (0.18, -0.24, 0.7), 0.08, finish=GLOSS),
        box((-0.42, -0.3, 0.32), (0.42, 0.3, 0.37), BLACK, METAL),
        move((0, -0.1, 0.6), 22, "x",
               cylinder((0, 0.05, -0.14), 0.16, 0.42, tint(0.95), GLOSS),
               cylinder((0, 0.05, 0.28), 0.13, 0.1, BLACK, GLOSS),
               cylinder((0, 0.05, -0.24), 0.09, 0.12, STEEL, METAL)),
    ),
    "paint_set": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 0.7), finish=GLOSS),
        *(cylinder((-0.4 + 0.16 * i, y, 0.7), 0.06, 0.15, colour, MATT) for (i, y, colour) in (
            (0, 0.22, (0.8, 0.1, 0.1)), (1, 0.22, (0.95, 0.5, 0.1)), (2, 0.22, (0.95, 0.85, 0.2)),
            (3, 0.22, (0.2, 0.6, 0.25)), (4, 0.22, (0.2, 0.6, 0.85)), (5, 0.22, (0.15, 0.2, 0.7)),
            (0, -0.1, (0.5, 0.2, 0.6)), (1, -0.1, (0.9, 0.5, 0.6)), (2, -0.1, (0.45, 0.28, 0.15)),
            (3, -0.1, (0.95, 0.95, 0.92)), (4, -0.1, (0.5, 0.5, 0.5)), (5, -0.1, BLACK))),
        tube([(-0.45, -0.38, 0.85), (0.4, -0.38, 0.85)], (0, 0.004), (0.7, 0.5, 0.25), WOOD),
    ),
}  # fmt: skip
