"""Food that one tells by its inside, skin or leaves: tables of parts. See also produce.py."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, MATT
from homebody.worlds.house.rendering.meshes.containers import printed
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER, mix, shade
from homebody.worlds.house.rendering.meshes.solids import (
    Paint,
    ball,
    cylinder,
    lathe,
    made_of,
    move,
    pale,
    tint,
    tube,
)

GREEN: Colour = (0.28, 0.52, 0.2)
BROWN: Colour = (0.4, 0.27, 0.16)
CREAM: Colour = (0.97, 0.93, 0.82)
CRUMB: Colour = (0.78, 0.56, 0.3)


def half(x: float, skin: Paint, flesh: Colour, *rows: Shape) -> Shape:
    """Return a fruit cut in half at a place along x, its face up, with rows on the face."""
    return move((x, 0, 0), 0, "z",
        lathe([(0, 0), (0.6, 0.06), (0.92, 0.3), (1, 0.6)], skin, MATT, 16),
        lathe([(1, 0.6), (0.97, 0.63), (0, 0.63)], flesh, GLOSS, 16), *rows)  # fmt: skip


def leaves(form: Form) -> None:
    """A head of leaves that lie over each other, with veins."""
    (w, d, h), body = form.size, form.tone()
    form.sketch.ball((0, 0, h * 0.5), (w * 0.4, d * 0.4, h * 0.47), mix(body, CREAM, 0.3), GLOSS)
    for i in range(12):
        a, low = 2.4 * i, i < 6
        leaf = form.sketch.at((0, 0, h * 0.02), math.degrees(a)).at(
            (0, d * (0.24 if low else 0.2), 0), 14 - 16 * low, "x"
        )
        tone = mix(shade(body, 0.9), CREAM, 0.04 * (i % 4))
        wide, tall = w * (0.24 if low else 0.22), h * (0.33 if low else 0.44)
        leaf.ball((0, d * 0.2, tall), (wide, d * 0.08, tall), tone, FABRIC, 10)
        for s in (-1, 0, 1):
            vein = ((0, d * 0.285, tall * 0.4), (s * wide * 0.5, d * 0.275, tall * 1.3))
            leaf.tube(vein, w * 0.008, mix(body, CREAM, 0.65), MATT, 4)


def stripes(form: Form) -> None:
    """A watermelon: dark stripes along it."""
    (w, d, h) = form.size
    form.sketch.ball((0, 0, h / 2), (w / 2, d / 2, h / 2), (0.38, 0.62, 0.28), GLOSS, 18)
    for i in range(10):
        a = 2 * math.pi * i / 10
        arc = [(w * 0.5 * math.cos(t), d * 0.5 * math.sin(t) * math.cos(a + 0.09 * math.sin(9 * t)),
                h * (0.5 + 0.5 * math.sin(t) * math.sin(a + 0.09 * math.sin(9 * t))))
               for t in (0.15, 0.5, 0.85, 1.2, 1.57, 1.95, 2.3, 2.65, 3.0)]  # fmt: skip
        form.sketch.tube(arc, w * 0.016, (0.1, 0.3, 0.12), GLOSS, 5)
    form.sketch.tube(((w * 0.49, 0, h * 0.5), (w * 0.54, 0, h * 0.6)), 0.006, BROWN, MATT)


def seeds(form: Form) -> None:
    """Black seeds in a ring on a cut kiwi."""
    w, d, h = form.size
    for i in range(14):
        a = 2 * math.pi * i / 14
        place = (math.cos(a) * w * 0.24, math.sin(a) * d * 0.24, h * 0.635)
        form.sketch.ball(place, (w * 0.022, d * 0.028, h * 0.015), BLACK, GLOSS, 5)


def seam(form: Form) -> None:
    """A ball with the stitches of a baseball, or the curve of a tennis ball."""
    r, is_tennis = form.size[2] / 2, form.category == "tennis_ball"
    form.sketch.ball((0, 0, r), r * 0.98, form.tone(), FABRIC, 16)
    line = PAPER if is_tennis else (0.8, 0.12, 0.12)
    steps = [2 * math.pi * i / 40 for i in range(41)]
    way = [(r * (0.72 * math.cos(t) + 0.28 * math.cos(3 * t)),
            r * (0.72 * math.sin(t) - 0.28 * math.sin(3 * t)),
            r + r * 0.9 * math.sin(2 * t)) for t in steps]  # fmt: skip
    for a, b in pairwise(way):
        form.sketch.tube((a, b), r * (0.045 if is_tennis else 0.025), line, MATT, 4)
        if not is_tennis:
            across = [(b[1] - a[1]) * 0.6, (a[0] - b[0]) * 0.6]
            middle = [(p + q) / 2 for p, q in zip(a, b, strict=True)]
            ends = [
                (middle[0] + s * across[0], middle[1] + s * across[1], middle[2]) for s in (-1, 1)
            ]
            form.sketch.tube(ends, r * 0.02, line, MATT, 3)


def dimples(form: Form) -> None:
    """A golf ball."""
    r = form.size[2] / 2
    form.sketch.ball((0, 0, r), r, form.tone(), GLOSS, 16)
    for i in range(90):
        z, a = 1 - 2 * (i + 0.5) / 90, 2.39996 * i
        spot = form.sketch.at((0, 0, r), math.degrees(a)).at(
            (0, 0, 0), math.degrees(math.acos(z)), "y"
        )
        spot.cylinder((0, 0, r * 0.98), r * 0.08, r * 0.02, shade(form.tone(), 0.8), segments=6)


def panels(form: Form) -> None:
    """A volleyball: three strips on each of six sides, a seam around each."""
    r = form.size[2] / 2
    form.sketch.ball((0, 0, r), r * 0.97, (0.3, 0.3, 0.32), MATT, 18)
    for turn, axis, spin in ((0, "z", 0), (180, "x", 0), (90, "x", 90), (-90, "x", 90),
                             (90, "y", 90), (-90, "y", 90)):  # fmt: skip
        side = form.sketch.at((0, 0, r), turn, axis).at((0, 0, 0), spin)
        for i in (-1, 0, 1):
            u, v = np.meshgrid(0.52 * i + np.array((-0.24, 0, 0.24)), np.linspace(-0.75, 0.75, 7))
            out = np.stack([np.tan(u), np.tan(v), np.ones_like(u)], axis=2)
            out *= r / np.linalg.norm(out, axis=2, keepdims=True)
            tone = form.tone() if i else mix(form.tone(), (0.2, 0.4, 0.8), 0.75)
            side.sheet(out.astype(np.float32), tone, GLOSS)


_ONION = ((0, 0.04), (0.5, 0.06), (0.86, 0.2), (1, 0.44), (0.93, 0.62), (0.7, 0.76), (0.36, 0.85),
          (0.16, 0.92), (0.12, 1.0), (0, 1.0))  # fmt: skip


def _skin(form: Form) -> Colour:
    """Return the colour of an onion, somewhat browner."""
    return mix(form.tone(), (0.75, 0.4, 0.12), 0.4)


SHAPES: dict[str, Shape] = {
    "lettuce": leaves, "cabbage": leaves, "watermelon": stripes,
    "tennis_ball": seam, "baseball": seam, "golf_ball": dimples, "volleyball": panels,
    "kiwi": made_of(
        half(0, BROWN, (0.55, 0.72, 0.22), cylinder((0, 0, 0.63), 0.16, 0.01, CREAM, GLOSS), seeds),
    ),
    "avocado": half(
        0, (0.12, 0.2, 0.1), (0.82, 0.85, 0.45),
        cylinder((0, 0, 0.63), 0.38, 0.01, (0.93, 0.9, 0.6), GLOSS, segments=16),
        ball((0, -0.04, 0.64), (0.2, 0.2, 0.16), (0.42, 0.24, 0.12), GLOSS)),
    "garlic": made_of(
        *(ball((0.24 * math.cos(1.047 * i), 0.24 * math.sin(1.047 * i), 0.36), (0.24, 0.24, 0.36),
               (0.95, 0.92, 0.88) if i % 2 else (0.9, 0.83, 0.83), GLOSS, 8) for i in range(6)),
        lathe([(0.62, 0), (0.22, 0.25), (0.1, 0.5), (0.12, 0.55), (0, 0.56)], CREAM, MATT, 10,
              base=0.5),
        lathe([(0.1, -0.0), (0.2, 0.03)], BROWN, MATT, 8),
    ),
    "sausage": made_of(*(
        move((0, y, 0.5), 0, "z",
             tube([(-0.4, 0.1, 0), (-0.15, -0.1, 0), (0.15, -0.1, 0), (0.4, 0.1, 0)], (0, 0.0075),
                  tint(0.95), GLOSS, 8),
             *(ball((s * 0.4, 0.1, 0), (0.05, 0.25, 0.25), tint(0.95), GLOSS, 8) for s in (-1, 1)),
             *(tube([(s * 0.42, 0.14, 0), (s * 0.49, 0.24, 0)], (0, 0.002), tint(0.6), GLOSS)
               for s in (-1, 1))) for y in (-0.26, 0.26))),
    "roast_chicken": made_of(  # its breast up, its legs to +y
        ball((0, -0.08, 0.44), (0.36, 0.42, 0.42), finish=GLOSS, segments=14),
        *(ball((x, -0.12, 0.7), (0.16, 0.3, 0.24), tint(1.08), GLOSS) for x in (-0.12, 0.12)),
        *(row for s in (-1, 1) for row in (
            ball((s * 0.28, 0.14, 0.4), (0.15, 0.2, 0.3), tint(0.88), GLOSS),
            tube([(s * 0.26, 0.22, 0.46), (s * 0.14, 0.42, 0.66)], (0, 0.016), tint(0.8), GLOSS, 8),
            tube([(s * 0.14, 0.42, 0.66), (s * 0.11, 0.5, 0.76)], (0, 0.007), CREAM, GLOSS),
            ball((s * 0.11, 0.51, 0.78), (0.05, 0.05, 0.08), CREAM, GLOSS, 8),
            ball((s * 0.4, -0.18, 0.42), (0.09, 0.2, 0.16), tint(0.8), GLOSS))),
        *(ball((x, y, 0.06), (0.14, 0.12, 0.06), GREEN, FABRIC, 6) for x, y in (
            (-0.4, 0.3), (0.4, 0.3), (-0.44, -0.3), (0.44, -0.3), (0, -0.46))),
    ),
    "ice_cream": made_of(  # a tub with three scoops and a wafer
        lathe([(0, 0), (0.78, 0), (0.96, 0.5), (1, 0.52), (1, 0.56), (0.92, 0.56)], PAPER, GLOSS,
            18),
        lathe([(0.87, 0.0), (0.93, 0.22)], pale(0.1), MATT, 18, base=0.16), printed(0.16, 0.4,
            pale(0.1)),
        *(ball((x, y, 0.66), (0.27, 0.27, 0.3), tone, MATT, 10) for x, y, tone in (
            (-0.2, -0.12, (0.96, 0.7, 0.76)), (0.22, -0.1, (0.42, 0.27, 0.18)),
            (0.0, 0.2, (0.98, 0.94, 0.78)))),
        move((0.1, -0.2, 0.7), 24, "y", tube([(0, 0, 0), (0, 0, 0.5)], (0, 0.007), CRUMB, MATT)),
        ball((0, 0.18, 0.98), (0.06, 0.06, 0.06), (0.8, 0.1, 0.15), GLOSS, 8),
    ),
    "cookie_jar": made_of(
        lathe([(0, 0), (0.7, 0), (0.96, 0.2), (1, 0.45), (0.82, 0.66), (0.7, 0.7)], finish=GLOSS,
              segments=18),
        lambda form: None if form.is_open else made_of(
            lathe([(0.78, 0), (0.76, 0.05), (0.3, 0.14), (0, 0.15)], tint(0.75), GLOSS, 18,
                base=0.7),
            ball((0, 0, 0.92), (0.16, 0.16, 0.07), CRUMB, MATT))(form),
        printed(0.42, 0.62),
        *(move((0, 0, 0.26), turn, "z", move((0, 0.5, 0), -90, "x",
               cylinder((0, 0, -0.02), 0.16, 0.05, CRUMB, MATT),
               *(cylinder((x, y, 0.03), 0.025, 0.01, BROWN, MATT, segments=6)
                 for x, y in ((0.06, 0.04), (-0.07, 0.05), (0.0, -0.08), (0.09, -0.06)))))
          for turn in (-38, 0, 38, 180)),
    ),
    "mango": made_of(  # its stalk at -x, with a leaf
        ball((0.02, 0, 0.48), (0.46, 0.48, 0.48), (0.95, 0.68, 0.2), GLOSS, 14),
        ball((-0.2, 0.04, 0.58), (0.3, 0.43, 0.41), (0.82, 0.25, 0.18), GLOSS, 14),
        ball((0.24, -0.05, 0.44), (0.27, 0.4, 0.4), (0.5, 0.62, 0.2), GLOSS, 14),
        tube([(-0.42, 0, 0.68), (-0.52, 0, 0.84)], (0, 0.003), BROWN, MATT),
        ball((-0.4, 0.2, 0.95), (0.12, 0.3, 0.06), GREEN, FABRIC, 8),
    ),
    "onion": made_of(  # a smooth globe with fine lines, a dry neck and roots
        lathe(_ONION, _skin, GLOSS, 20),
        *(move((0, 0, 0), 22.5 * i, "z", tube([(0.503 * r, 0, z) for r, z in _ONION[1:-1]],
                                              (0, 0.0003), tint(0.72), MATT, 4))
          for i in range(16)),
        *(tube([(0, 0, 0.88), (0.1 * math.cos(a), 0.1 * math.sin(a), 1.06)], (0, 0.0016), tint(0.8),
               FABRIC, 5) for a in (0.3, 2.2, 4.4)),
        *(tube([(0, 0, 0.06), (0.2 * math.cos(a), 0.2 * math.sin(a), 0.0)], (0, 0.0005), CREAM,
               MATT, 4) for a in (0.5, 1.7, 3.0, 4.2, 5.4)),
    ),
    "potato": made_of(  # lumps and eyes
        ball((0.02, 0, 0.47), (0.46, 0.48, 0.46), finish=MATT),
        ball((-0.2, 0.06, 0.52), (0.3, 0.4, 0.42), tint(0.97), MATT),
        ball((0.26, -0.08, 0.5), (0.24, 0.38, 0.38), tint(1.03), MATT),
        *(ball((x, y, z), (0.03, 0.035, 0.04), tint(0.55), MATT, 6) for x, y, z in (
            (-0.3, 0.1, 0.9), (0.0, 0.24, 0.85), (0.24, 0.05, 0.88), (0.1, 0.46, 0.5), (-0.18,
                0.44, 0.6),
            (0.4, 0.2, 0.55))),
    ),
}  # fmt: skip
