"""Pet furniture: aquariums, cages, beds, cat trees."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import (
    FABRIC,
    GLASS,
    GLOSS,
    GLOW,
    METAL,
    WOOD,
    Surface,
)
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import GLASSY, PAPER, WATER, shade
from homebody.worlds.house.rendering.meshes.solids import ball, box, cushion, made_of, tone, tube


def aquarium(form: Form) -> None:
    """Glass with water, gravel, plants and fish on a cabinet."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    base = h * 0.55
    sketch.box((-x, -y, 0), (x, y, base), body, WOOD)
    for side in SIDES:
        x0, x1 = sorted((side * 0.005, side * (x - 0.01)))
        sketch.box((x0, y - 0.002, 0.02), (x1, y + 0.008, base - 0.02), shade(body, 1.05), WOOD)
    sketch.box((-x + 0.01, -y + 0.01, base), (x - 0.01, y - 0.01, base + 0.05), (0.75, 0.65, 0.45))
    sketch.box((-x + 0.005, -y + 0.006, base), (x - 0.005, -y + 0.01, h - 0.05), shade(WATER, 0.8))
    fish: tuple[Colour, ...] = ((0.95, 0.5, 0.1), (0.9, 0.8, 0.2), (0.85, 0.2, 0.2))
    for i in range(5):
        at = (-x + w * (0.18 + 0.16 * i), y * (0.2 - 0.2 * (i % 2)), base + 0.14 + 0.07 * (i % 3))
        sketch.ball(at, (0.035, 0.012, 0.02), fish[i % 3], GLOSS, 8)
        tail = ((at[0] - 0.03, at[1], at[2]), (at[0] - 0.055, at[1], at[2] + 0.015))
        sketch.tube(tail, 0.006, fish[i % 3], GLOSS, 4)
    for i in range(4):
        u, v = -x + 0.1 + w * 0.23 * i, -y * 0.3
        weed = ((u, v, base + 0.04), (u + 0.02, v, base + 0.18), (u, v, base + 0.3))
        sketch.tube(weed, 0.01, (0.2, 0.55, 0.25), Surface.MATT, 5)
    for low, high in (
        ((-x, y - 0.008, base), (x, y - 0.002, h - 0.04)),
        ((-x, -y, base), (-x + 0.006, y, h - 0.04)),
        ((x - 0.006, -y, base), (x, y, h - 0.04)),
    ):
        sketch.box(low, high, form.tone("glass", GLASSY), GLASS)
    lid = (1.0, 0.97, 0.85) if form.is_on else shade(body, 0.8)
    sketch.box((-x, -y, h - 0.04), (x, y, h), shade(body, 0.8), GLOSS)
    sketch.box(
        (-x + 0.05, -y + 0.05, h - 0.045),
        (x - 0.05, y - 0.05, h - 0.04),
        lid,
        GLOW if form.is_on else GLOSS,
    )


def bird_cage(form: Form) -> None:
    """A domed cage of wire on a stand, with a bird."""
    sketch, (w, _, h), frame = form.sketch, form.size, form.tone("frame")
    r, low = w / 2, h * 0.5
    sketch.cylinder((0, 0, 0), r * 0.75, 0.03, frame, METAL, segments=18)
    sketch.tube(((0, 0, 0.02), (0, 0, low)), 0.015, frame)
    sketch.cylinder((0, 0, low), r, 0.04, frame, METAL, segments=20)
    for i in range(16):
        a = 2 * math.pi * i / 16
        x, y = math.cos(a), math.sin(a)
        dome = [(x * r, y * r, low), (x * r, y * r, h * 0.85), (x * r * 0.7, y * r * 0.7, h * 0.95)]
        sketch.tube((*dome, (0, 0, h - 0.01)), 0.004, frame, segments=4)
    sketch.ball((0, 0, h - 0.02), 0.02, frame, METAL, 8)
    sketch.tube(((-r, 0, h * 0.68), (r, 0, h * 0.68)), 0.006, (0.6, 0.45, 0.3), WOOD)
    bird = form.tone("bird")
    sketch.ball((0.02, 0, h * 0.68 + 0.05), (0.03, 0.035, 0.05), bird, FABRIC, 10)
    sketch.ball((0.02, 0.02, h * 0.68 + 0.11), 0.026, shade(bird, 1.1), FABRIC, 8)
    sketch.ball((0.02, 0.048, h * 0.68 + 0.108), 0.009, (0.9, 0.55, 0.1), GLOSS, 6)


def cat_tree(form: Form) -> None:
    """Platforms on posts wound with rope, and a den."""
    sketch, (w, d, h), (x, y, _) = form.sketch, form.size, form.half
    body, post = form.tone(), form.tone("post", (0.8, 0.68, 0.46))
    levels = ((0.0, 0.0, 0.0, 1.0), (-0.12, 0.0, h * 0.5, 0.62), (0.1, 0.0, h - 0.05, 0.7))
    for dx, dy, z, share in levels:
        centre = (dx * w, dy * d, z)
        sketch.cushion(
            (centre[0] - x * share * 0.95, -y * share, z),
            (min(x, centre[0] + x * share * 0.95), y * share, z + 0.05),
            body,
            0.02,
        )
    for at, z0, z1 in (
        ((-0.22, 0.1), 0.05, 0.5),
        ((0.22, -0.15), 0.05, 0.97),
        ((0.05, 0.2), 0.5, 0.97),
    ):
        start, end = h * z0, h * z1 - 0.04
        sketch.cylinder((at[0] * w, at[1] * d, start), 0.045, end - start, post, FABRIC)
        for k in range(int((end - start) / 0.06)):
            sketch.cylinder(
                (at[0] * w, at[1] * d, start + 0.06 * k), 0.048, 0.02, shade(post, 0.8), FABRIC
            )
    sketch.cushion((0.02, -y * 0.9, 0.05), (x * 0.95, y * 0.5, 0.36), body, 0.05)
    hole = sketch.at((x * 0.5, y * 0.5, 0.2), -90, "x")
    hole.cylinder((0, 0, 0), 0.1, 0.004, (0.1, 0.09, 0.08), segments=18)
    sketch.tube(((-x * 0.6, y * 0.4, h * 0.5), (-x * 0.6, y * 0.4, h * 0.34)), 0.003, PAPER, FABRIC)
    sketch.ball((-x * 0.6, y * 0.4, h * 0.32), 0.03, (0.8, 0.3, 0.3), FABRIC, 8)


SHAPES: dict[str, Shape] = {
    "aquarium": aquarium,
    "bird_cage": bird_cage,
    "cat_tree": cat_tree,
    "litter_box": made_of(
        *(box(low, high, finish=GLOSS) for low, high in (
            ((-0.5, -0.5, 0), (0.5, 0.5, 0.08)), ((-0.5, -0.5, 0), (-0.46, 0.5, 1)),
            ((0.46, -0.5, 0), (0.5, 0.5, 1)), ((-0.5, -0.5, 0), (0.5, -0.45, 1)),
            ((-0.5, 0.45, 0), (0.5, 0.5, 0.6)))),
        box((-0.46, -0.45, 0.08), (0.46, 0.45, 0.35), tone("sand")),
        *(ball((u, v, 0.36), (0.08, 0.08, 0.08), tone("sand", factor=0.9), FABRIC, 6)
          for u, v in ((-0.2, 0.1), (0.25, -0.1), (0.05, 0.2))),
        tube([(0.2, 0.1, 0.4), (0.4, 0.3, 1.0)], (0, 0.009), (0.85, 0.3, 0.3), GLOSS),
    ),
    "pet_bed": made_of(
        cushion((-0.5, -0.5, 0), (0.5, -0.3, 1), 0.4),
        cushion((-0.5, 0.3, 0), (0.5, 0.5, 0.7), 0.3),
        cushion((-0.5, -0.5, 0), (-0.3, 0.5, 1), 0.4), cushion((0.3, -0.5, 0), (0.5, 0.5, 1), 0.4),
        cushion((-0.36, -0.36, 0), (0.36, 0.36, 0.5), 0.2, tone("cover")),
    ),
}  # fmt: skip
