"""Plants in pots, vases with flowers."""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, MATT, WOOD
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch
from homebody.worlds.house.rendering.meshes.solids import lathe

EARTH: Colour = (0.25, 0.18, 0.12)
TURN = 137.5
"""Degrees from one leaf to the next, as in real plants."""


def leaf(
    sketch: Sketch,
    long: float,
    wide: float,
    rise: float,
    droop: float,
    tone: Colour,
    steps: int = 4,
) -> None:
    """Draw a leaf that grows from the origin along x, folded along its middle.

    It leaves the stem ``rise`` degrees above the level and bends down by ``droop`` degrees to its
    tip.
    """
    at = np.linspace(0, 1, steps + 1)
    angle = np.radians(rise - droop * at)
    gaps = np.diff(at, prepend=0.0) * long
    x, z = np.cumsum(np.cos(angle) * gaps), np.cumsum(np.sin(angle) * gaps)
    half = wide / 2 * np.sqrt(np.maximum(np.sin(np.pi * (0.06 + 0.94 * at)), 0))
    fold = half * 0.35
    rows = [np.stack([x, side * half, z + abs(side) * fold], axis=1) for side in (-1.0, 0.0, 1.0)]
    sketch.sheet(np.stack(rows, axis=0), tone, FABRIC)


def potted_plant(form: Form) -> None:
    """A pot, and a little tree, arching leaves, large leaves on stems, or upright blades."""
    sketch, (w, d, h), green = form.sketch, form.size, form.tone("leaves", (0.25, 0.5, 0.25))
    r, rim = min(w, d) * 0.3, min(0.34, h * 0.3)
    pot = [(0, 0), (0.72, 0), (0.72, 0), (1, 1), (0.9, 1), (0.85, 0.88), (0, 0.88)]
    sketch.lathe((0, 0, 0), [(r * u, rim * z) for u, z in pot], form.tone("pot"), GLOSS, 16)
    sketch.cylinder((0, 0, rim * 0.85), r * 0.86, 0.01, EARTH)
    reach, number = min(w, d) / 2, form.variant
    tall = h - rim
    match number % 4:
        case 0:  # a little tree
            bend = reach * 0.15
            trunk = ((0, 0, rim * 0.8), (bend, 0, rim + tall * 0.3), (0, 0, rim + tall * 0.55))
            sketch.tube(trunk, 0.014, (0.42, 0.31, 0.22), WOOD, 6)
            for i in range(26):
                share = i / 25
                place = (0.0, 0.0, rim + tall * (0.42 + 0.42 * share))
                stem = sketch.at(place, TURN * i + 40 * number)
                long = reach * (0.95 - 0.45 * share)
                tone = shade(green, 0.75 + 0.04 * ((i * 7 + number) % 10))
                leaf(stem, long, long * 0.55, 50 * share, 60 - 20 * share, tone)
        case 1:  # arching leaves
            for i in range(18):
                share = ((i * 5 + number) % 18) / 17
                long = min(tall * 0.95, 3.2 * reach) * (1 - 0.3 * share)
                stem = sketch.at((0, 0, rim * 0.86), TURN * i)
                tone = shade(green, 0.8 + 0.04 * (i % 10))
                leaf(stem, long, reach * 0.2, 88 - 8 * share, 25 + 75 * share, tone, 6)
        case 2:  # large leaves on stems
            for i in range(11):
                share = i / 10
                turn, out = TURN * i + 30 * number, reach * (0.45 - 0.2 * share)
                top = rim + tall * (0.35 + 0.5 * share)
                stem = sketch.at((0, 0, 0), turn)
                stem.tube(
                    ((0, 0, rim * 0.86), (out * 0.4, 0, top * 0.7), (out, 0, top)),
                    0.006,
                    shade(green, 0.8),
                    MATT,
                    4,
                )
                size = reach * (0.85 - 0.2 * share)
                tone = shade(green, 0.72 + 0.05 * ((i * 3) % 7))
                leaf(stem.at((out, 0, top)), size, size * 0.85, 12 + 30 * share, 60, tone)
        case _:  # upright blades
            for i in range(12):
                long = tall * (0.6 + 0.4 * ((i * 5 + number) % 12) / 11)
                stem = sketch.at((reach * 0.12 * (i % 3), 0, rim * 0.86), TURN * i)
                tone = shade(green, 0.7 + 0.06 * (i % 6))
                leaf(stem, long, reach * 0.22, 86, 12, tone, 5)


def plant(form: Form) -> None:
    """A small pot with leaves, or a cactus."""
    sketch, (w, d, h), green = form.sketch, form.size, form.tone("body", (0.3, 0.55, 0.3))
    r, rim = w * 0.34, h * 0.36
    pot = [(0, 0), (r * 0.75, 0), (r * 0.75, 0), (r, rim), (r * 0.9, rim), (0, rim * 0.9)]
    sketch.lathe((0, 0, 0), pot, form.tone("pot", (0.73, 0.42, 0.3)), GLOSS, 12)
    sketch.cylinder((0, 0, rim * 0.85), r * 0.9, 0.003, EARTH, segments=10)
    if form.category == "cactus":
        sketch.ball((0, 0, h * 0.66), (w * 0.26, d * 0.26, h * 0.34), green, FABRIC, 8)
        sketch.ball((w * 0.25, 0, h * 0.68), (w * 0.12, d * 0.12, h * 0.16), green, FABRIC, 6)
        return
    reach, number = min(w, d) / 2, form.variant
    for i in range(16):
        share = i / 15
        stem = sketch.at((0, 0, rim * 0.9 + (h - rim) * 0.4 * share), TURN * i + 20 * number)
        tone = shade(green, 0.75 + 0.05 * ((i * 3 + number) % 10))
        long = min(reach * (1.0 - 0.25 * share), (h - rim) * 0.75)
        leaf(stem, long, long * (0.35 + 0.1 * (number % 3)), 25 + 50 * share, 60, tone, 3)


_VASE = lathe(
    [
        *((0, 0), (0.55, 0), (0.6, 0.02), (1, 0.4), (0.85, 0.65)),
        *((0.45, 0.85), (0.6, 1), (0.52, 1), (0.36, 0.85), (0, 0.8)),
    ]
)
_PETALS: tuple[Colour, ...] = (
    (0.88, 0.36, 0.45), (0.95, 0.80, 0.30), (0.92, 0.91, 0.90), (0.70, 0.45, 0.75),
)  # fmt: skip


def vase(form: Form) -> None:
    """A vase; two of three have flowers."""
    _VASE(form)
    if form.category != "vase" or form.variant % 3 == 0:
        return
    sketch, (w, _, h), green = form.sketch, form.size, (0.27, 0.45, 0.22)
    size = max(w * 0.2, 0.018)
    for i in range(7):
        stem = sketch.at((0, 0, h * 0.8), TURN * i + 50 * form.variant)
        out, up = w * (0.12 + 0.08 * (i % 4)), h * (0.42 + 0.1 * ((i * 3) % 5))
        stem.tube(((0, 0, 0), (out * 0.5, 0, up * 0.6), (out, 0, up)), 0.0025, green, MATT, 4)
        leaf(
            stem.at((out * 0.4, 0, up * 0.45), 70.0 * (i % 2)),
            size * 1.6,
            size * 0.5,
            40,
            70,
            green,
            3,
        )
        head = stem.at((out, 0, up), 25.0 + 12 * i, "y")
        petal = _PETALS[(form.variant + (i % 3 == 0)) % len(_PETALS)]
        for k in range(7):
            around = head.at((0, 0, 0), 360 / 7 * k)
            leaf(around, size, size * 0.7, 48, 40, shade(petal, 0.9 + 0.03 * (k % 4)), 2)
        head.ball((0, 0, size * 0.12), size * 0.22, (0.8, 0.65, 0.25), MATT, 6)


SHAPES: dict[str, Shape] = {"potted_plant": potted_plant, "plant": plant, "vase": vase}
