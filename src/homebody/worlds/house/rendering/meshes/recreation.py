"""Games and exercise: game tables and training machines."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, GLOW, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER, STEEL
from homebody.worlds.house.rendering.meshes.solids import cylinder, lathe, made_of, tone, tube


def pool_table(form: Form) -> None:
    """Cloth between cushions, six pockets, balls."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    top, cloth = form.bottom("top", 0.95), form.tone("cloth")
    for sx in SIDES:
        for sy in SIDES:
            at = (sx * (x - 0.15), sy * (y - 0.15), 0.0)
            sketch.cylinder(at, 0.05, h * 0.7, body, WOOD, top=0.08)
    sketch.box((-x + 0.04, -y + 0.04, h * 0.66), (x - 0.04, y - 0.04, top - 0.01), body, WOOD)
    sketch.box((-x + 0.1, -y + 0.1, top - 0.01), (x - 0.1, y - 0.1, top), cloth, FABRIC)
    for low, high in (
        ((-x, -y), (x, -y + 0.12)),
        ((-x, y - 0.12), (x, y)),
        ((-x, -y), (-x + 0.12, y)),
        ((x - 0.12, -y), (x, y)),
    ):
        sketch.box((*low, top - 0.06), (*high, h), body, WOOD)
    for sx in (-1, 0, 1):
        for sy in SIDES:
            at = (sx * (x - 0.12), sy * (y - 0.11), h)
            sketch.cylinder(at, 0.06, 0.003, BLACK, segments=14)
    tones: tuple[Colour, ...] = (
        (0.9, 0.8, 0.2),
        (0.2, 0.3, 0.8),
        (0.85, 0.15, 0.15),
        (0.45, 0.2, 0.6),
        (0.95, 0.5, 0.15),
        (0.15, 0.5, 0.25),
        BLACK,
    )
    for i in range(7):
        a = 2.4 * i
        at = (math.cos(a) * 0.07 * i + w * 0.1, math.sin(a) * 0.06 * i, top + 0.028)
        sketch.ball(at, 0.028, tones[i], GLOSS, 10)
    sketch.ball((-w * 0.3, 0.05, top + 0.028), 0.028, PAPER, GLOSS, 10)


def table_tennis_table(form: Form) -> None:
    """A green or blue board with white lines and a net."""
    sketch, (_, _, h), (x, y, _), top = form.sketch, form.size, form.half, form.tone("top")
    sketch.box((-x, -y, h - 0.025), (x, y, h - 0.001), top, GLOSS)
    for low, high in (
        ((-x, -y), (x, -y + 0.02)),
        ((-x, y - 0.02), (x, y)),
        ((-x, -y), (-x + 0.02, y)),
        ((x - 0.02, -y), (x, y)),
        ((-x, -0.006), (x, 0.006)),
    ):
        sketch.box((*low, h - 0.002), (*high, h), PAPER)
    for sx in SIDES:
        for sy in SIDES:
            at = (sx * x * 0.7, sy * y * 0.75)
            sketch.tube(((*at, 0.02), (*at, h - 0.03)), 0.02, form.tone("legs", BLACK))
    sketch.box((-0.004, -y, h), (0.004, y, h + 0.15), (0.2, 0.25, 0.3), FABRIC)
    sketch.box((-0.006, -y, h + 0.14), (0.006, y, h + 0.152), PAPER)


def rowing_machine(form: Form) -> None:
    """A rail with a sliding seat, a flywheel, a handle."""
    sketch, (_, _, h), (x, y, _), frame = form.sketch, form.size, form.half, form.tone("frame")
    sketch.box((-0.05, -y, 0.28), (0.05, y * 0.5, 0.33), STEEL, METAL)
    sketch.box((-x * 0.8, -y, 0), (x * 0.8, -y + 0.06, 0.05), frame, METAL)
    sketch.tube(((0, -y + 0.05, 0.03), (0, -y + 0.05, 0.28)), 0.03, frame)
    sketch.cushion((-0.17, -y * 0.3, 0.34), (0.17, -y * 0.08, 0.42), form.tone("seat", BLACK), 0.03)
    wheel = sketch.at((-0.07, y * 0.72, h * 0.42), 90, "y")
    wheel.cylinder((0, 0, 0), h * 0.36, 0.14, frame, GLOSS, segments=22)
    sketch.box((-x * 0.8, y - 0.08, 0), (x * 0.8, y, 0.05), frame, METAL)
    sketch.box((-0.05, y * 0.5, 0), (0.05, y - 0.02, 0.3), frame, METAL)
    sketch.tube(((0, y * 0.6, h * 0.6), (0, y * 0.4, h - 0.08)), 0.02, frame)
    sketch.box((-0.09, y * 0.38, h - 0.14), (0.09, y * 0.42, h), BLACK, GLOSS)
    sketch.tube(((-x * 0.8, y * 0.3, h * 0.55), (x * 0.8, y * 0.3, h * 0.55)), 0.015, BLACK, GLOSS)
    for side in SIDES:
        rest = sketch.at((side * 0.16, y * 0.42, 0.18), -40, "x")
        rest.box((-0.06, -0.02, 0), (0.06, 0.02, 0.28), BLACK, GLOSS)


def elliptical(form: Form) -> None:
    """Pedals on long bars, arms to pull, a wheel at the back."""
    sketch, (_, _, h), (x, y, _), frame = form.sketch, form.size, form.half, form.tone("frame")
    for end in (-y + 0.03, y - 0.09):
        sketch.box((-x, end, 0), (x, end + 0.06, 0.07), BLACK, METAL)
    sketch.box((-0.05, -y + 0.05, 0.03), (0.05, y - 0.05, 0.1), frame, METAL)
    wheel = sketch.at((-0.09, -y * 0.6, h * 0.26), 90, "y")
    wheel.cylinder((0, 0, 0), h * 0.2, 0.18, frame, GLOSS, segments=22)
    sketch.tube(((0, y * 0.75, 0.08), (0, y * 0.6, h * 0.85)), 0.035, frame)
    sketch.box((-0.12, y * 0.55, h * 0.82), (0.12, y * 0.62, h * 0.95), BLACK, GLOSS)
    if form.is_on:
        sketch.box((-0.1, y * 0.545, h * 0.84), (0.1, y * 0.55, h * 0.93), (0.3, 0.7, 0.9), GLOW)
    for side in SIDES:
        at, lift = side * 0.18, 0.1 * side
        bar = (
            (at, -y * 0.6, h * 0.26 + lift),
            (at, y * 0.35, 0.22),
            (side * 0.24, y * 0.6, h * 0.55),
        )
        sketch.tube(bar, 0.025, STEEL)
        arm = (bar[2], (side * 0.26, y * 0.45, h * 0.8), (side * 0.26, y * 0.2, h))
        sketch.tube(arm, 0.025, frame)
        sketch.tube(((side * 0.26, y * 0.36, h * 0.86), arm[2]), 0.034, BLACK, GLOSS)
        low, z = (at - 0.09, -y * 0.25), 0.28 + lift
        sketch.cushion((*low, z), (at + 0.09, y * 0.25, z + 0.05), STEEL, 0.02, GLOSS)
        for end in (-y * 0.25, y * 0.22):  # rims of the pedal
            sketch.box((low[0], end, z), (at + 0.09, end + 0.03, z + 0.1), BLACK, GLOSS)


SHAPES: dict[str, Shape] = {
    "pool_table": pool_table,
    "table_tennis_table": table_tennis_table,
    "rowing_machine": rowing_machine,
    "elliptical_trainer": elliptical,
    "punching_bag": made_of(
        cylinder((0, 0, 0), 0.5, 0.12, tone("base"), GLOSS, top=0.36, segments=20),
        tube([(0, 0, 0.1), (0, 0, 0.4)], (0, 0.04), STEEL),
        lathe([(0, 0), (0.5, 0.02), (0.62, 0.05), (0.62, 0.62), (0.5, 0.66), (0, 0.67)],
               finish=GLOSS, segments=18, base=0.33),
        lathe([(0.63, 0), (0.63, 0.03)], PAPER, GLOSS, 18, base=0.75),
    ),
}  # fmt: skip
