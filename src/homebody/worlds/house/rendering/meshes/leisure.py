"""Toys, decoration and sports items. See also toys.py, decor.py and sports.py."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLASS, GLOSS, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, BRASS, GLASSY, PAPER, STEEL, shade
from homebody.worlds.house.rendering.meshes.pocket import text
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
    tint,
    tube,
)

GREEN: Colour = (0.25, 0.48, 0.2)
SIX: tuple[Colour, ...] = (
    (0.85, 0.12, 0.12), (0.95, 0.8, 0.15), (0.15, 0.35, 0.8), (0.2, 0.65, 0.3),
    (0.95, 0.5, 0.1), (0.95, 0.95, 0.93),
)  # fmt: skip


def puzzle_cube(form: Form) -> None:
    """A cube of three by three fields a side, mixed up."""
    w, _, _ = form.size
    s = w / 3
    form.sketch.cushion((-w / 2, -w / 2, 0), (w / 2, w / 2, w), BLACK, 0.003, GLOSS)
    for i in range(3):
        for j in range(3):
            u, v = -w / 2 + i * s + s * 0.08, j * s + s * 0.08
            a, b, c = (SIX[(i * 7 + j * 5 + k * 3 + form.variant) % 6] for k in range(3))
            e = w / 2 + 0.0006
            for side in (-1, 1):
                y = sorted((side * e, side * (e - 0.001)))
                form.sketch.box((u, y[0], v), (u + s * 0.84, y[1], v + s * 0.84), a, GLOSS)
                form.sketch.box((y[0], u, v), (y[1], u + s * 0.84, v + s * 0.84), b, GLOSS)
            top = (u + s * 0.84, v - w / 2 + s * 0.84, w + 0.0006)
            form.sketch.box((u, v - w / 2, w), top, c, GLOSS)


def wreath(form: Form) -> None:
    """A ring of leaves with red berries and a bow."""
    (w, _, h), body = form.size, form.tone()
    for i in range(22):
        a = 2 * math.pi * i / 22
        r = w * 0.38 * (1 + 0.06 * (i % 3 - 1))
        place = (math.cos(a) * r, math.sin(a) * r, h * 0.5)
        form.sketch.ball(place, (w * 0.09, w * 0.09, h * 0.45), shade(body, 0.8 + 0.15 * (i % 3)))
        if i % 4 == 0:
            form.sketch.ball((place[0], place[1], h * 0.85), w * 0.025, SIX[0], GLOSS, 6)
    form.sketch.ball((-w * 0.08, -w * 0.38, h * 0.8), (w * 0.1, w * 0.05, h * 0.2), SIX[0], FABRIC)
    form.sketch.ball((w * 0.08, -w * 0.38, h * 0.8), (w * 0.1, w * 0.05, h * 0.2), SIX[0], FABRIC)


def bouquet(form: Form) -> None:
    """Flowers in a wrapping."""
    (w, _, h), body = form.size, form.tone()
    cone = [(0, 0), (w * 0.12, 0), (w * 0.1, h * 0.2), (w * 0.42, h * 0.62), (w * 0.3, h * 0.6)]
    form.sketch.lathe((0, 0, 0), cone, (0.93, 0.88, 0.78), MATT, 9)
    for i in range(14):
        a, ring = 2.4 * i, math.sqrt(i / 14)
        x, y = math.cos(a) * ring * w * 0.4, math.sin(a) * ring * w * 0.4
        z = h * (0.88 - 0.2 * ring)
        flower = shade(body, 0.9 + 0.1 * (i % 3)) if i % 4 else PAPER
        form.sketch.tube(((x * 0.4, y * 0.4, h * 0.5), (x, y, z)), 0.003, GREEN, MATT, 4)
        form.sketch.ball((x, y, z), (w * 0.085, w * 0.085, h * 0.05), flower, MATT, 8)
        form.sketch.ball((x, y, z + h * 0.045), w * 0.03, (0.95, 0.8, 0.25), MATT, 6)
    for i in range(6):
        a = math.pi * i / 3 + 0.3
        place = (math.cos(a) * w * 0.4, math.sin(a) * w * 0.4, h * 0.62)
        form.sketch.ball(place, (w * 0.09, w * 0.09, h * 0.04), GREEN, MATT, 7)


def yarn_ball(form: Form) -> None:
    """A ball of wool with threads around it."""
    (w, _, h), body = form.size, form.tone()
    form.sketch.ball((0, 0, h / 2), w * 0.47, body, FABRIC, 16)
    for i in range(7):
        band = form.sketch.at((0, 0, h / 2), 26 * i, "x").at((0, 0, 0), 37 * i, "y")
        ring = [(w * 0.475, -0.003), (w * 0.49, 0), (w * 0.475, 0.003)]
        band.lathe((0, 0, 0), ring, shade(body, 0.82), FABRIC, 18)


SHAPES: dict[str, Shape] = {
    "puzzle_cube": puzzle_cube, "wreath": wreath, "bouquet": bouquet, "yarn_ball": yarn_ball,
    # -- decoration
    "snow_globe": made_of(
        lathe([(0, 0), (1, 0), (0.95, 0.14), (0.75, 0.24), (0, 0.24)], finish=WOOD, segments=18),
        ball((0, 0, 0.6), (0.42, 0.42, 0.38), GLASSY, GLASS, 16),
        cylinder((0, 0, 0.24), 0.3, 0.05, (0.95, 0.96, 0.97), MATT),
        cylinder((0, 0, 0.28), 0.16, 0.42, GREEN, MATT, top=0.0, segments=8),
    ),
    "hourglass": made_of(
        *(cylinder((0, 0, z), 0.5, 0.07, finish=WOOD, segments=18) for z in (0, 0.93)),
        lathe([(0.75, 0), (0.7, 0.3), (0.08, 0.46), (0.7, 0.62), (0.75, 0.9)], GLASSY, GLASS,
               base=0.05),
        cylinder((0, 0, 0.07), 0.32, 0.2, (0.88, 0.75, 0.5), MATT, top=0.05),
        *(tube([(x, y, 0.05), (x, y, 0.95)], (0, 0.004), finish=WOOD)
          for x, y in ((0.42, 0), (-0.21, 0.36), (-0.21, -0.36))),
    ),
    "lantern": made_of(
        box((-0.45, -0.45, 0), (0.45, 0.45, 0.06), finish=METAL),
        box((-0.45, -0.45, 0.68), (0.45, 0.45, 0.74), finish=METAL),
        cylinder((0, 0, 0.74), 0.5, 0.14, finish=METAL, top=0.12, segments=4),
        *(box((x - 0.04, y - 0.04, 0.05), (x + 0.04, y + 0.04, 0.7), finish=METAL)
          for x in (-0.4, 0.4) for y in (-0.4, 0.4)),
        cylinder((0, 0, 0.06), 0.16, 0.3, on_off((1, 0.9, 0.65), (0.95, 0.93, 0.85)), MATT),
        tube([(-0.2, 0, 0.84), (0, 0, 1), (0.2, 0, 0.84)], (0, 0.004)),
    ),
    "balloon": made_of(
        ball((0, 0, 0.62), (0.5, 0.5, 0.38), finish=GLOSS, segments=16),
        cylinder((0, 0, 0.2), 0.06, 0.07, finish=GLOSS, top=0.02),
        tube([(0, 0, 0.2), (0.06, 0.04, 0.1), (0, 0, 0)], (0, 0.0015), PAPER, MATT, 4),
    ),
    "piggy_bank": made_of(
        ball((0, -0.02, 0.52), (0.46, 0.4, 0.36), finish=GLOSS, segments=16),
        ball((0, 0.3, 0.55), (0.3, 0.18, 0.24), finish=GLOSS),
        move((0, 0.42, 0.52), -90, "x", cylinder((0, 0, 0), 0.14, 0.07, tint(0.85), GLOSS)),
        *(cylinder((x, y, 0), 0.1, 0.28, tint(0.9), GLOSS, segments=8)
          for x in (-0.24, 0.24) for y in (-0.22, 0.18)),
        *(ball((x, 0.28, 0.82), (0.1, 0.04, 0.1), tint(0.85), GLOSS, 6) for x in (-0.2, 0.2)),
        *(ball((x, 0.44, 0.64), (0.035, 0.02, 0.03), BLACK, GLOSS, 6) for x in (-0.13, 0.13)),
        box((-0.03, -0.2, 0.87), (0.03, 0.08, 0.89), BLACK),
    ),
    "fire_extinguisher": made_of(
        lathe([(0, 0), (0.8, 0), (0.85, 0.04), (0.85, 0.68), (0.3, 0.8), (0, 0.8)], finish=GLOSS,
               segments=16),
        cylinder((0, 0, 0.78), 0.12, 0.1, BLACK, METAL),
        tube([(-0.1, 0, 0.88), (0.5, 0, 0.96)], (0, 0.008), BLACK, METAL),
        tube([(-0.1, 0, 0.84), (0.45, 0, 0.84)], (0, 0.007), BLACK, METAL),
        tube([(-0.1, 0, 0.84), (-0.48, 0, 0.7), (-0.48, 0, 0.25)], (0, 0.01), BLACK, GLOSS),
        box((-0.25, 0.4, 0.3), (0.25, 0.45, 0.55), PAPER),
    ),
    "crate": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 0.05), finish=WOOD),
        *(box((-0.5, y - 0.02, z), (0.5, y + 0.02, z + 0.24), finish=WOOD)
          for y in (-0.48, 0.48) for z in (0.05, 0.38, 0.72)),
        *(box((x - 0.015, -0.5, z), (x + 0.015, 0.5, z + 0.24), tint(0.93), WOOD)
          for x in (-0.485, 0.485) for z in (0.05, 0.38, 0.72)),
        *(box((x - 0.03, y - 0.04, 0), (x + 0.03, y + 0.04, 0.98), tint(0.85), WOOD)
          for x in (-0.44, 0.44) for y in (-0.42, 0.42)),
    ),
    # -- toys
    "toy_boat": made_of(
        prism([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.2), (0, 0.5), (-0.5, 0.2)], 0, 0.3, finish=GLOSS),
        box((-0.3, -0.35, 0.3), (0.3, 0.0, 0.5), PAPER, GLOSS),
        tube([(0, 0.08, 0.3), (0, 0.08, 1)], (0, 0.004), (0.6, 0.42, 0.25), WOOD),
        move((0, 0.08, 0.36), 90, "z", move((0, 0, 0), 90, "x", lambda form: form.sketch.prism(
            [(-0.09, 0), (0.0, 0), (0.0, 0.1)], -0.002, 0.002, PAPER, FABRIC))),
        move((0, 0.1, 0.36), 90, "z", move((0, 0, 0), 90, "x", lambda form: form.sketch.prism(
            [(0.01, 0), (0.07, 0), (0.01, 0.08)], -0.002, 0.002, shade(form.tone(), 0.8),
            FABRIC))),
    ),
    "toy_dinosaur": made_of(
        ball((0, -0.02, 0.5), (0.42, 0.24, 0.26), finish=GLOSS),
        tube([(0, 0.14, 0.58), (0, 0.3, 0.82), (0, 0.38, 0.9)], (0, 0.018), finish=GLOSS),
        ball((0, 0.4, 0.9), (0.22, 0.1, 0.1), finish=GLOSS, segments=8),
        tube([(0, -0.22, 0.48), (0, -0.38, 0.32), (0, -0.5, 0.12)], (0, 0.012), finish=GLOSS),
        *(cylinder((x, y, 0), 0.14, 0.36, tint(0.9), GLOSS, segments=8)
          for x in (-0.28, 0.28) for y in (-0.12, 0.12)),
        *(cylinder((0, y, 0.72 - abs(y) * 0.6), 0.1, 0.12, tint(0.7), GLOSS, top=0.0, segments=5)
          for y in (-0.16, -0.05, 0.06)),
    ),
    "toy_horse": made_of(
        ball((0, -0.05, 0.55), (0.36, 0.3, 0.15), finish=GLOSS),
        tube([(0, 0.14, 0.58), (0, 0.27, 0.88)], (0, 0.017), finish=GLOSS, segments=8),
        tube([(0, 0.25, 0.9), (0, 0.47, 0.74)], (0, 0.015), finish=GLOSS, segments=8),
        ball((0, 0.47, 0.74), (0.2, 0.07, 0.07), pale(0.4), GLOSS, 8),
        *(row for s in (-1, 1) for row in (
            cylinder((s * 0.12, 0.22, 0.92), 0.08, 0.1, finish=GLOSS, top=0.01, segments=6),
            ball((s * 0.22, 0.34, 0.87), (0.05, 0.02, 0.02), BLACK, GLOSS, 6),
            *(row for y in (-0.24, 0.16) for row in (
                tube([(s * 0.22, y, 0.5), (s * 0.22, y * 1.1, 0.08)], (0, 0.008), tint(0.9), GLOSS),
                cylinder((s * 0.22, y * 1.1, 0), 0.14, 0.09, BLACK, GLOSS, segments=8))))),
        *(ball((0, 0.03 + 0.055 * i, 0.74 + 0.05 * i), (0.11, 0.05, 0.06), (0.25, 0.15, 0.1),
            FABRIC, 6)
          for i in range(5)),
        tube([(0, -0.32, 0.62), (0, -0.44, 0.58), (0, -0.49, 0.25)], (0, 0.01), (0.25, 0.15, 0.1),
            FABRIC),
        cushion((-0.4, -0.16, 0.58), (0.4, 0.08, 0.73), 0.08, (0.7, 0.15, 0.12), MATT),
    ),
    "dollhouse": made_of(
        box((-0.46, -0.4, 0), (0.46, -0.34, 0.64), finish=WOOD),
        *(box((-0.46, -0.4, z), (0.46, 0.4, z + 0.02), (0.85, 0.7, 0.5), WOOD)
          for z in (0, 0.31, 0.62)),
        *(box((x - 0.015, -0.4, 0), (x + 0.015, 0.4, 0.64), tint(0.95), WOOD)
          for x in (-0.45, 0, 0.45)),
        move((0, 0, 0.63), 0, "z", lambda form: form.sketch.at(
            (0, -form.size[1] / 2, 0), 90, "x").at((0, 0, 0), 0, "y").prism(
                [(-form.size[0] / 2, 0), (form.size[0] / 2, 0), (0, form.size[2] * 0.37)],
                -form.size[1], 0, (0.6, 0.22, 0.18), WOOD)),
        box((-0.3, -0.2, 0.02), (-0.15, 0.1, 0.12), (0.3, 0.5, 0.8), GLOSS),
        box((0.15, -0.2, 0.33), (0.35, 0.2, 0.42), (0.85, 0.4, 0.5), FABRIC),
    ),
    "kite": made_of(
        prism([(0, -0.3), (0.5, 0.15), (0, 0.5), (-0.5, 0.15)], 0.2, 0.5, finish=FABRIC),
        prism([(0, -0.3), (0.5, 0.15), (0, 0.15)], 0.5, 0.6, tint(0.75), FABRIC),
        prism([(0, 0.15), (0, 0.5), (-0.5, 0.15)], 0.5, 0.6, tint(0.75), FABRIC),
        tube([(0, -0.3, 0.4), (0.12, -0.36, 0.4), (-0.08, -0.44, 0.4), (0.06, -0.5, 0.4)],
             (0, 0.004), PAPER, FABRIC),
    ),
    "yo_yo": made_of(
        lathe([(0, 0), (0.9, 0), (1, 0.2), (0.9, 0.42), (0.3, 0.46), (0.3, 0.54), (0.9, 0.58),
                (1, 0.8), (0.9, 1), (0, 1)], finish=GLOSS, segments=18),
        cylinder((0, 0, 1), 0.25, 0.02, PAPER, GLOSS),
    ),
    "spinning_top": made_of(
        lathe([(0, 0), (0.1, 0.06), (1, 0.5), (0.95, 0.62), (0.15, 0.72), (0.1, 1), (0, 1)],
               finish=GLOSS, segments=18),
        lathe([(0.99, 0), (0.97, 0.05)], PAPER, GLOSS, 18, base=0.54),
    ),
    "xylophone": made_of(
        *(prism([(-0.5, y * 0.5 - 0.05), (0.5, y * 0.32 - 0.05), (0.5, y * 0.32 + 0.05),
                 (-0.5, y * 0.5 + 0.05)], 0, 0.5, finish=WOOD) for y in (-0.6, 0.6)),
        *(box((-0.45 + 0.12 * i - 0.045, -0.5 + 0.025 * i, 0.5),
              (-0.45 + 0.12 * i + 0.045, 0.5 - 0.025 * i, 0.8), SIX[i % 5], METAL)
          for i in range(8)),
        tube([(-0.3, 0.1, 0.92), (0.25, -0.2, 0.92)], (0, 0.003), (0.7, 0.5, 0.3), WOOD),
    ),
    "trumpet": made_of(
        tube([(0, -0.5, 0.7), (0, 0.3, 0.7)], (0, 0.008)),
        move((0, 0.22, 0.7), -90, "x", lambda form: form.sketch.lathe(
            (0, 0, 0), [(0.008, 0), (0.02, form.size[1] * 0.18), (form.size[0] / 2,
             form.size[1] * 0.28), (form.size[0] * 0.44, form.size[1] * 0.27)], form.tone(), METAL,
            16)),
        tube([(0, -0.1, 0.7), (0, -0.25, 0.35), (0, -0.1, 0.2), (0, 0.12, 0.2), (0, 0.2, 0.5),
              (0, 0.1, 0.7)], (0, 0.007)),
        *(tube([(0, y, 0.2), (0, y, 1)], (0, 0.011), BRASS) for y in (-0.08, 0, 0.08)),
    ),
    "scooter": made_of(
        box((-0.16, -0.36, 0.12), (0.16, 0.3, 0.16), finish=METAL),
        tube([(0, 0.3, 0.14), (0, 0.36, 0.5), (0, 0.28, 1)], (0, 0.018)),
        tube([(-0.5, 0.28, 0.98), (0.5, 0.28, 0.98)], (0, 0.014), BLACK, GLOSS),
        *(move((-0.04, y, 0.1), 90, "y", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[2] * 0.1, form.size[0] * 0.1, BLACK, GLOSS, segments=14))
          for y in (-0.4, 0.38)),
    ),
    # -- sports
    "bat": made_of(
        move((0, -0.5, 0.5), -90, "x", lambda form: form.sketch.lathe(
            (0, 0, 0), [(form.size[2] / 2 * r, form.size[1] * z) for r, z in (
                (0, 0), (0.55, 0), (0.55, 0.02), (0.38, 0.04), (0.42, 0.4), (0.95, 0.75),
                (1, 0.95), (0.7, 1), (0, 1))], form.tone(), WOOD, 12)),
    ),
    "paddle": made_of(
        move((0, 0.2, 0), 0, "z", lathe([(0, 0), (1, 0), (1, 1), (0, 1)], finish=MATT,
               segments=20, is_round=True)),
        box((-0.09, -0.5, 0), (0.09, -0.08, 1.2), (0.78, 0.58, 0.35), WOOD),
    ),
    "shuttlecock": made_of(
        ball((0, 0, 0.14), (0.2, 0.2, 0.15), PAPER, GLOSS),
        lathe([(0.38, 0.2), (1, 1), (0.95, 1), (0.34, 0.24)], finish=MATT, segments=9),
        lathe([(0.72, 0), (0.74, 0.05)], tint(0.7), MATT, 9, base=0.62),
    ),
    "hockey_stick": made_of(  # a flat shaft at an angle to its long blade at +y, taped
        prism([(-0.5, -0.5), (-0.41, -0.5), (-0.21, 0.44), (-0.31, 0.46)], 0.25, 0.75,
            finish=GLOSS),
        prism([(-0.5, -0.5), (-0.405, -0.5), (-0.37, -0.34), (-0.47, -0.34)], 0.2, 0.8, PAPER,
            FABRIC),
        prism([(-0.31, 0.44), (0.42, 0.43), (0.5, 0.45), (0.48, 0.49), (-0.26, 0.5)], 0.35, 0.65,
            finish=GLOSS),
        *(prism([(x, 0.432), (x + 0.07, 0.431), (x + 0.07, 0.502), (x, 0.502)], 0.3, 0.7,
            lambda form: PAPER if max(form.tone()) < 0.3 else BLACK, FABRIC)
          for x in (-0.1, 0.0, 0.1, 0.2)),
    ),
    "weight_plate": made_of(  # its rim and hub raised, a hole in its middle
        lathe([(0.15, 0), (1, 0), (1, 0), (1, 1), (1, 1), (0.8, 1), (0.8, 1), (0.76, 0.5),
               (0.76, 0.5), (0.36, 0.5), (0.36, 0.5), (0.33, 1), (0.33, 1), (0.15, 1), (0.15, 1),
               (0.15, 0)], finish=GLOSS, segments=24),
        lathe([(0.2, 1.0), (0.2, 1.02), (0.2, 1.02), (0.14, 1.02), (0.14, 1.02), (0.14, 0)], STEEL,
              METAL, 16),
        text("kg", (0.22, 0.16), PAPER, 0.5, 0.28),
    ),
    "boxing_gloves": made_of(*(row for x in (-0.26, 0.26) for row in (
        ball((x, 0.18, 0.5), (0.23, 0.31, 0.48), finish=GLOSS),
        cushion((x - 0.19, -0.3, 0.12), (x + 0.19, 0.2, 0.9), 0.35, finish=GLOSS),
        ball((x * 0.45, 0.06, 0.62), (0.08, 0.22, 0.26), tint(0.8), GLOSS, 8),
        cushion((x - 0.2, -0.5, 0.06), (x + 0.2, -0.24, 0.94), 0.2, pale(0.9), FABRIC),
        *(row for i in range(3) for row in (
            box((x - 0.08, -0.2 + 0.08 * i, 0.88), (x + 0.08, -0.18 + 0.08 * i, 0.93), PAPER),
            box((x - 0.01 * i, -0.2 + 0.08 * i, 0.88), (x + 0.02, -0.12 + 0.08 * i, 0.92),
                PAPER)))))),
    "roller_skates": made_of(*(row for x in (-0.25, 0.25) for row in (
        cushion((x - 0.18, -0.45, 0.4), (x + 0.18, 0.4, 0.68), 0.15, finish=GLOSS),
        cushion((x - 0.17, -0.48, 0.5), (x + 0.17, 0.0, 1), 0.12, finish=GLOSS),
        box((x - 0.16, -0.45, 0.3), (x + 0.16, 0.4, 0.4), BLACK, METAL),
        *(move((x + s * 0.14 - 0.05, y, 0.16), 90, "y", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[2] * 0.16, form.size[0] * 0.1, (0.9, 0.45, 0.2), GLOSS))
          for s in (-1, 1) for y in (-0.3, 0.28))))),
}  # fmt: skip
