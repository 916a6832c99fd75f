"""Clothes and linen, spread out small: one sees what they are. Tables of cut pieces.

Pieces lie on each other with their upper end to -y, so that one who stands in front of them at +y
sees them upright. Coordinates are shares of the object's width and depth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, METAL
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import PAPER, STEEL
from homebody.worlds.house.rendering.meshes.pocket import text
from homebody.worlds.house.rendering.meshes.soft import pillow
from homebody.worlds.house.rendering.meshes.solids import (
    BODY,
    Paint,
    ball,
    box,
    colour_of,
    made_of,
    move,
    pale,
    tint,
    tube,
)

Outline = Sequence[tuple[float, float]]
TOP = 0.8
"""Height of a single layer, as a share of the object's height."""


def piece(outline: Outline, low: float = 0.0, high: float = TOP, paint: Paint = BODY) -> Shape:
    """Return a convex piece of cloth, counter-clockwise, with round edges."""

    def draw(form: Form) -> None:
        w, d, h = form.size
        rim = np.array(outline, np.float32) * (w, d)
        middle = rim.mean(axis=0)
        rings = [
            np.column_stack([middle + (rim - middle) * share, np.full(len(rim), z * h)])
            for share, z in ((0.97, low), (1.0, (low + high) / 2), (0.86, high))
        ]
        corners = []
        for a, b in ((rings[0], rings[1]), (rings[1], rings[2])):
            for i in range(len(rim)):
                j = (i + 1) % len(rim)
                corners += [(a[i], a[j], b[j]), (a[i], b[j], b[i])]
        top = rings[2]
        corners += [(top[0], top[i], top[i + 1]) for i in range(1, len(rim) - 1)]
        form.sketch.triangles(np.array(corners, np.float32), colour_of(form, paint), FABRIC)

    return draw


def both(outline: Outline, low: float = 0.0, high: float = TOP, paint: Paint = BODY) -> Shape:
    """Return a piece and its mirror image."""
    mirrored = [(-x, y) for x, y in reversed(outline)]
    return made_of(piece(outline, low, high, paint), piece(mirrored, low, high, paint))


def band(x0: float, y0: float, x1: float, y1: float, paint: Paint, high: float = TOP) -> Shape:
    """Return a strip on top of a layer."""
    return box((x0, y0, high - 0.1), (x1, y1, (high, 0.002)), paint, FABRIC)


def buttons(x: float, *heights: float) -> Shape:
    """Return buttons in a column."""
    return made_of(*(ball((x, y, TOP), (0.022, 0.026, 0.12), PAPER, GLOSS, 6) for y in heights))


def spread(*rows: Shape) -> Shape:
    """Return pieces with their upper end to -y."""
    return move((0, 0, 0), 180, "z", *rows)


def sideways(*rows: Shape) -> Shape:
    """Return pieces of an object that is longer along x, their upper end to -x."""
    shape = made_of(*rows)

    def draw(form: Form) -> None:
        (w, d, h), sketch = form.size, form.sketch.at((0, 0, 0), 90)
        shape(replace(form, size=(d, w, h), sketch=sketch))

    return draw


def duvet(form: Form) -> None:
    """A folded quilt: stuffed squares on a smooth layer."""
    (w, d, h), (x, y, _) = form.size, form.half
    form.sketch.cushion((-x, -y, 0), (x, y, h * 0.5), form.tone(), h * 0.2)
    for i in range(12):
        low = (i % 4 / 4 - 0.5) * w, (i // 4 / 3 - 0.5) * d, h * 0.42
        pillow(form.sketch, low, (low[0] + w / 4, low[1] + d / 3, h), form.tone(), 4.0)


TORSO = piece([(-0.27, -0.5), (0.27, -0.5), (0.29, 0.4), (0.12, 0.5), (-0.12, 0.5), (-0.29, 0.4)])
SHORT = both([(-0.5, 0.2), (-0.38, 0.04), (-0.25, 0.24), (-0.25, 0.48)])
LONG = both([(-0.5, -0.3), (-0.37, -0.36), (-0.24, 0.2), (-0.25, 0.48), (-0.33, 0.4)])
NECK = piece([(-0.1, 0.5), (-0.07, 0.39), (0.07, 0.39), (0.1, 0.5)], TOP, TOP + 0.05, tint(0.45))
COLLAR = both([(-0.12, 0.5), (-0.14, 0.4), (-0.06, 0.34), (0.0, 0.44)], TOP, 1.0, pale(0.4))
LAPELS = both([(-0.14, 0.5), (-0.15, 0.2), (0.0, 0.02), (-0.02, 0.4)], TOP, 1.0, tint(0.72))
LEGS = both([(-0.42, -0.5), (-0.1, -0.5), (0.0, 0.2), (0.0, 0.5), (-0.34, 0.5)])
WAIST = band(-0.34, 0.4, 0.34, 0.5, tint(0.65))
SEAM = band(-0.008, -0.46, 0.008, 0.42, tint(0.6))

SHAPES: dict[str, Shape] = {
    "t_shirt": spread(TORSO, SHORT, NECK),
    "shirt": spread(TORSO, LONG, SEAM, COLLAR, buttons(0.0, -0.35, -0.15, 0.05, 0.25)),
    "sweater": spread(
        TORSO, LONG, NECK, band(-0.25, -0.48, 0.25, -0.38, tint(0.7)),
        *(band(-0.24, y, 0.24, y + 0.05, pale(0.5)) for y in (0.0, 0.12)),
    ),
    "hoodie": spread(
        TORSO, LONG,
        both([(-0.2, 0.36), (0.0, 0.3), (0.0, 0.5), (-0.12, 0.5)], TOP * 0.5, 1.0, tint(0.85)),
        both([(-0.17, -0.32), (0.0, -0.32), (0.0, -0.04), (-0.1, -0.04)], TOP, 0.92, tint(0.8)),
        *(tube([(x, 0.34, 1), (x, 0.12, 0.9)], (0, 0.003), PAPER, FABRIC) for x in (-0.04, 0.04)),
    ),
    "jacket": spread(
        TORSO, LONG, COLLAR, box((-0.015, -0.47, TOP), (0.015, 0.4, (TOP, 0.003)), STEEL, METAL),
        *(band(x, -0.2, x + 0.1, -0.17, tint(0.5)) for x in (-0.2, 0.1)),
    ),
    "coat": spread(
        piece([(-0.36, -0.5), (0.36, -0.5), (0.26, 0.44), (0.12, 0.5), (-0.12, 0.5), (-0.26,
            0.44)]),
        both([(-0.5, -0.12), (-0.39, -0.18), (-0.22, 0.24), (-0.24, 0.48)]), LAPELS,
        band(-0.32, -0.1, 0.32, -0.02, tint(0.6)), SEAM,
        buttons(0.06, -0.36, -0.22, 0.06), buttons(-0.06, -0.36, -0.22, 0.06),
    ),
    "bathrobe": spread(
        piece([(-0.34, -0.5), (0.34, -0.5), (0.27, 0.44), (0.12, 0.5), (-0.12, 0.5), (-0.27,
            0.44)]),
        both([(-0.5, -0.06), (-0.36, -0.14), (-0.22, 0.2), (-0.24, 0.48)]),
        both([(-0.14, 0.5), (-0.12, 0.1), (0.0, -0.5), (0.02, 0.0), (-0.03, 0.42)], TOP, 0.95,
             pale(0.45)),
        band(-0.33, -0.08, 0.33, 0.02, tint(0.7), 0.95),
        tube([(-0.02, -0.03, 1), (-0.1, -0.36, 0.95)], (0, 0.008), tint(0.7), FABRIC),
        tube([(0.02, -0.03, 1), (0.06, -0.4, 0.95)], (0, 0.008), tint(0.7), FABRIC),
    ),
    "pajamas": spread(
        both([(-0.3, -0.5), (-0.06, -0.5), (0.0, -0.1), (0.0, 0.1), (-0.26, 0.1)], 0, 0.55),
        piece([(-0.25, -0.16), (0.25, -0.16), (0.27, 0.42), (0.12, 0.5), (-0.12, 0.5),
               (-0.27, 0.42)]),
        both([(-0.5, -0.02), (-0.4, -0.1), (-0.23, 0.2), (-0.24, 0.48)]), COLLAR,
        *(band(x, -0.14, x + 0.025, 0.42, pale(0.6)) for x in (-0.2, -0.1, 0.08, 0.18)),
        *(band(x, -0.48, x + 0.02, -0.16, pale(0.6), 0.55) for x in (-0.22, -0.12, 0.1, 0.2)),
        buttons(0.0, -0.05, 0.1, 0.25),
    ),
    "hospital_gown": spread(
        piece([(-0.36, -0.5), (0.36, -0.5), (0.28, 0.4), (0.1, 0.5), (-0.1, 0.5), (-0.28, 0.4)]),
        SHORT, NECK, *(band(x, y, x + 0.03, y + 0.04, tint(0.55)) for x, y in (
            (-0.2, -0.35), (0.0, -0.35), (0.2, -0.35), (-0.1, -0.15), (0.1, -0.15), (-0.2, 0.05),
            (0.0, 0.05), (0.2, 0.05), (-0.1, 0.22), (0.1, 0.22))),
        *(tube([(x, 0.46, TOP), (x * 2, 0.36, 1)], (0, 0.004), PAPER, FABRIC)
          for x in (-0.1, 0.1)),
    ),
    "dress": spread(
        piece([(-0.5, -0.5), (0.5, -0.5), (0.14, 0.08), (-0.14, 0.08)]),
        piece([(-0.14, 0.06), (0.14, 0.06), (0.18, 0.36), (-0.18, 0.36)]),
        both([(-0.18, 0.34), (-0.09, 0.34), (-0.08, 0.5), (-0.13, 0.5)]),
        band(-0.15, 0.03, 0.15, 0.11, tint(0.6)),
        *(tube([(x * 0.3, 0.04, TOP), (x, -0.46, TOP)], (0, 0.003), tint(0.7), FABRIC)
          for x in (-0.3, -0.1, 0.1, 0.3)),
    ),
    "skirt": spread(  # flared, with a waistband, a button and a striped hem
        piece([(-0.5, -0.44), (-0.2, -0.5), (0.2, -0.5), (0.5, -0.44), (0.2, 0.42), (-0.2, 0.42)]),
        piece([(-0.23, 0.34), (0.23, 0.34), (0.21, 0.5), (-0.21, 0.5)], 0, 1.05, pale(0.5)),
        ball((0.14, 0.42, 1.05), (0.03, 0.03, 0.12), tint(0.4), GLOSS, 6),
        *(tube([(-0.44, y + 0.05, TOP), (-0.2, y, TOP), (0.2, y, TOP), (0.44, y + 0.05, TOP)],
               (0, 0.004), pale(0.6), FABRIC) for y in (-0.42, -0.34)),
        *(tube([(x * 0.4, 0.36, TOP), (x * 0.8, -0.2, TOP)], (0, 0.003), tint(0.7), FABRIC)
          for x in (-0.24, 0, 0.24)),
    ),
    "trousers": spread(
        LEGS, WAIST, *(band(x, 0.38, x + 0.03, (0.5), tint(0.45)) for x in (-0.22, 0.19)),
        buttons(0.0, 0.45), band(-0.008, 0.16, 0.008, 0.4, tint(0.5)),
        *(tube([(x * 0.7, 0.36, TOP), (x, -0.48, TOP)], (0, 0.003), tint(0.75), FABRIC)
          for x in (-0.25, 0.25)),
    ),
    "shorts": spread(
        both([(-0.5, -0.5), (-0.06, -0.5), (0.0, 0.0), (0.0, 0.5), (-0.36, 0.5)]),
        band(-0.36, 0.36, 0.36, 0.48, tint(0.65)),
        *(tube([(x, 0.4, TOP), (2.2 * x, 0.14, TOP)], (0, 0.003), PAPER, FABRIC)
          for x in (-0.03, 0.03)),
    ),
    "apron": spread(
        piece([(-0.36, -0.5), (0.36, -0.5), (0.36, 0.08), (-0.36, 0.08)]),
        piece([(-0.18, 0.04), (0.18, 0.04), (0.14, 0.36), (-0.14, 0.36)]),
        tube([(-0.12, 0.34, 0.5), (-0.12, 0.46, 0.5), (0, 0.5, 0.5), (0.12, 0.46, 0.5),
              (0.12, 0.34, 0.5)], (0, 0.005), PAPER, FABRIC),
        *(tube([(s * 0.35, 0.04, 0.5), (s * 0.46, 0.0, 0.4), (s * 0.5, -0.2, 0.3)], (0, 0.004),
               PAPER, FABRIC) for s in (-1, 1)),
        band(-0.2, -0.3, 0.2, -0.08, tint(0.7)), band(-0.2, -0.1, 0.2, -0.08, PAPER, 0.85),
    ),
    "underwear": spread(
        piece([(-0.14, -0.5), (0.14, -0.5), (0.46, 0.2), (0.48, 0.46), (-0.48, 0.46),
               (-0.46, 0.2)]),
        band(-0.47, 0.36, 0.47, 0.5, pale(0.6)),
        *(tube([(s * 0.14, -0.48, TOP), (s * 0.45, 0.2, TOP)], (0, 0.003), pale(0.6), FABRIC)
          for s in (-1, 1)),
    ),
    "swimsuit": sideways(  # hips, waist, chest, cups and straps, with piping
        piece([(-0.07, -0.5), (0.07, -0.5), (0.3, -0.12), (0.26, -0.02), (-0.26, -0.02),
               (-0.3, -0.12)], 0, 0.4),
        piece([(-0.26, -0.05), (0.26, -0.05), (0.17, 0.12), (-0.17, 0.12)], 0, 0.4),
        piece([(-0.17, 0.1), (0.17, 0.1), (0.25, 0.22), (0.22, 0.3), (-0.22, 0.3),
               (-0.25, 0.22)], 0, 0.4),
        *(row for s in (-1, 1) for row in (
            piece([(s * 0.02, 0.27), (s * 0.23, 0.27), (s * 0.19, 0.37), (s * 0.14, 0.37)][::s], 0,
                  0.4),
            tube([(s * 0.165, 0.35, 0.2), (s * 0.15, 0.49, 0.2)], (0, 0.0035), finish=FABRIC),
            tube([(s * 0.07, -0.49, 0.3), (s * 0.29, -0.13, 0.3)], (0, 0.0025), PAPER, FABRIC),
            tube([(0, 0.26, 0.42), (s * 0.06, 0.28, 0.42), (s * 0.14, 0.37, 0.42)], (0, 0.0025),
                 PAPER, FABRIC),
            ball((s * 0.13, 0.24, 0.35), (0.08, 0.08, 0.25), finish=FABRIC, segments=10))),
    ),
    "socks": spread(*(row for x in (-0.26, 0.24) for row in (
        piece([(x - 0.1, -0.3), (x + 0.1, -0.3), (x + 0.1, 0.4), (x - 0.1, 0.4)]),
        piece([(x - 0.1, -0.5), (x + 0.16, -0.5), (x + 0.26, -0.4), (x + 0.22, -0.24),
               (x + 0.1, -0.2), (x - 0.1, -0.2)]),
        piece([(x - 0.1, 0.34), (x + 0.1, 0.34), (x + 0.1, 0.5), (x - 0.1, 0.5)], 0, 1,
              pale(0.6)),
        piece([(x + 0.16, -0.48), (x + 0.27, -0.4), (x + 0.23, -0.26), (x + 0.17, -0.26)], 0.2, 1,
              pale(0.6)),
    ))),
    "scarf": spread(  # laid in a loop, its ends across each other
        *(tube([(0.34 * math.cos(a) * r, 0.16 + 0.27 * math.sin(a) * r, 0.45)
                for a in (2 * math.pi * i / 16 for i in range(17))], (0, 0.013), paint, FABRIC, 6)
          for r, paint in ((1.0, tint(0.85)), (0.8, BODY))),
        *(row for s, z in ((-1, 0.1), (1, 0.3)) for row in (
            piece([(-s * 0.12, -0.02), (s * 0.16, -0.4), (s * 0.4, -0.34), (s * 0.1, 0.06)][::s],
                  z, z + 0.6),
            *(tube([(s * (0.02 + 0.16 * t), -0.08 - 0.26 * t, z + 0.6),
                    (s * (0.22 + 0.16 * t), -0.02 - 0.26 * t, z + 0.6)], (0, 0.004), pale(0.7),
                   FABRIC) for t in (0.3, 0.55, 0.8)),
            *(tube([(s * (0.17 + 0.05 * i), -0.4 + 0.012 * i, z + 0.3),
                    (s * (0.21 + 0.05 * i), -0.5 + 0.012 * i, z)], (0, 0.002), pale(0.7), FABRIC, 4)
              for i in range(5)))),
    ),
    "diaper": spread(
        piece([(-0.5, 0.16), (0.5, 0.16), (0.5, 0.5), (-0.5, 0.5)]),
        piece([(-0.26, -0.4), (0.26, -0.4), (0.26, 0.4), (-0.26, 0.4)], 0.2, 1, PAPER),
        piece([(-0.44, -0.5), (0.44, -0.5), (0.44, -0.2), (-0.44, -0.2)]),
        *(tube([(s * (0.25 + 0.03 * (i % 2)), -0.28 + 0.06 * i, 0.7) for i in range(10)], (0,
            0.003),
               pale(0.7), FABRIC) for s in (-1, 1)),
        *(band(x, 0.26, x + 0.14, 0.4, (0.35, 0.6, 0.85), 0.9) for x in (-0.56, 0.42)),
        move((0, 0.3, 1), 180, "z", text("baby", (0.4, 0.2), (0.35, 0.6, 0.85), 0.02)),
    ),
    "napkin": made_of(
        piece([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], 0, 0.5, tint(0.85)),
        piece([(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5)], 0.4, 1.0),
        tube([(0.42, -0.42, 1), (-0.42, 0.42, 1)], (0, 0.002), pale(0.7), FABRIC),
        tube([(0.26, -0.42, 1), (-0.42, 0.26, 1)], (0, 0.0015), pale(0.7), FABRIC),
    ),
    "placemat": made_of(
        box((-0.46, -0.5, 0), (0.46, 0.5, 0.9), finish=FABRIC),
        *(band(x, -0.5, x + 0.02, 0.5, pale(0.45), 0.95)
          for x in (-0.42, -0.36, -0.3, 0.28, 0.34, 0.4)),
        *(box((s * 0.46 - 0.04, -0.49 + 0.049 * i, 0), (s * 0.46 + 0.04, -0.47 + 0.049 * i, 0.5),
              pale(0.3), FABRIC) for s in (-1, 1) for i in range(20)),
    ),
    "tablecloth": made_of(
        piece([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], 0, 0.55, tint(0.85)),
        piece([(-0.5, -0.48), (0.5, -0.48), (0.5, 0.49), (-0.5, 0.49)], 0.45, 1.0),
        *(box((-0.4 + 0.2 * i, -0.43, 0.9), (-0.3 + 0.2 * i, 0.43, (1, 0.001)), tint(0.75), FABRIC)
          for i in range(4)),
        *(box((-0.43, -0.4 + 0.2 * i, 0.9), (0.43, -0.3 + 0.2 * i, (1, 0.0015)), tint(0.6), FABRIC)
          for i in range(4)),
    ),
    "blanket": made_of(
        piece([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], 0, 0.55, tint(0.85)),
        piece([(-0.5, -0.47), (0.5, -0.47), (0.5, 0.49), (-0.5, 0.49)], 0.45, 1.0),
        *(box((x, -0.42, 0.9), (x + t, 0.42, (1, 0.002)), pale(0.5), FABRIC)
          for x, t in ((-0.34, 0.12), (-0.16, 0.03), (0.1, 0.12), (0.28, 0.03))),
        *(box((-0.43, y, 0.9), (0.43, y + t, (1, 0.003)), tint(0.5), FABRIC)
          for y, t in ((-0.3, 0.12), (-0.12, 0.03), (0.12, 0.12), (0.3, 0.03))),
        *(tube([(-0.45 + 0.1 * i, 0.47, 0.4), (-0.45 + 0.1 * i, 0.53, 0.02)], (0, 0.006), BODY,
               FABRIC) for i in range(10)),
    ),
    "duvet": duvet,
    "bed_sheet": made_of(
        *(piece([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], i / 4, i / 4 + 0.26,
                tint(1 - 0.08 * (i % 2))) for i in range(4)),
        box((-0.46, 0.3, 0.95), (0.46, 0.34, (1, 0.002)), pale(0.7), FABRIC),
        *(ball((-0.4 + 0.1 * i, 0.4, 1), (0.02, 0.03, 0.04), pale(0.7), FABRIC, 6)
          for i in range(9)),
    ),
}  # fmt: skip
