"""Sport: machines and racks of gyms, weights, balls, rackets, boards."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, GLOW, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER, STEEL, mix, shade
from homebody.worlds.house.rendering.meshes.prints import print_words
from homebody.worlds.house.rendering.meshes.vehicles import wheels


def treadmill(form: Form) -> None:
    """A belt, uprights, handles and a display; the runner faces its back."""
    sketch, (w, d, _), (x, y, h), frame = form.sketch, form.size, form.half, form.tone("frame")
    sketch.box((-x, -y, 0.03), (x, y, 0.14), frame, GLOSS)
    low, high = (-w * 0.32, -y + 0.25, 0.14), (w * 0.32, y - 0.03, 0.155)
    sketch.box(low, high, form.tone("belt", BLACK), FABRIC)
    sketch.cushion((-x, -y, 0.1), (x, -y + 0.28, 0.24), frame, 0.05, GLOSS)
    for side in (-w * 0.44, w * 0.44):
        sketch.tube(((side, -d * 0.4, 0.12), (side, -d * 0.34, h - 0.2)), 0.03, frame)
        rail = ((side, -d * 0.34, h - 0.22), (side, -d * 0.02, h - 0.28))
        sketch.tube(rail, 0.022, BLACK, GLOSS)
    sketch.slab((0, -d * 0.36, h - 0.3), (w * 0.9, 0.08, 0.12), frame, GLOSS)
    panel = sketch.at((0, -d * 0.37, h - 0.27), 15, "x")
    panel.box((-w * 0.3, -0.02, 0), (w * 0.3, 0.02, 0.28), BLACK, GLOSS)
    screen, surface = (0.05, 0.05, 0.06), GLOSS
    if form.is_on:
        screen, surface = form.tone("screen", (0.2, 0.4, 0.7)), GLOW
    panel.box((-w * 0.26, 0.02, 0.04), (w * 0.26, 0.024, 0.25), screen, surface)


def exercise_bike(form: Form) -> None:
    """A flywheel, a saddle, handlebars, a display."""
    sketch, (w, d, h), frame = form.sketch, form.size, form.tone("frame")
    for y in (-d * 0.46, d * 0.46):
        sketch.slab((0, y, 0), (w, 0.07, 0.05), BLACK, GLOSS)
    sketch.slab((0, 0, 0.04), (0.07, d * 0.92, 0.06), frame, GLOSS)
    wheel = sketch.at((0, -d * 0.24, h * 0.28)).at((0, 0, 0), 90, "y")
    wheel.cylinder((0, 0, -0.03), h * 0.22, 0.06, shade(frame, 0.8), METAL, segments=22)
    wheel.cylinder((0, 0, -0.04), h * 0.1, 0.08, STEEL, METAL, segments=14)
    sketch.tube(((0, -d * 0.2, 0.3), (0, -d * 0.3, h * 0.88)), 0.03, frame)
    sketch.tube(((0, d * 0.05, 0.1), (0, d * 0.22, h * 0.72)), 0.03, frame)
    low, high = (-0.12, d * 0.1, h * 0.72), (0.12, d * 0.36, h * 0.8)
    sketch.cushion(low, high, form.tone("seat", BLACK), 0.035, GLOSS)
    shares = ((-0.42, -0.12, 0.9), (-0.3, -0.3, 0.88), (0.3, -0.3, 0.88), (0.42, -0.12, 0.9))
    sketch.tube([(w * u, d * v, h * z) for u, v, z in shares], 0.018, BLACK, GLOSS)
    sketch.box((-0.12, -d * 0.33, h * 0.88), (0.12, -d * 0.3, h), BLACK, GLOSS)
    screen, surface = ((0.3, 0.7, 1.0), GLOW) if form.is_on else ((0.08, 0.08, 0.09), GLOSS)
    sketch.box((-0.1, -d * 0.3, h * 0.9), (0.1, -d * 0.297, h * 0.985), screen, surface)
    sketch.tube(((-0.16, 0.0, 0.24), (0.16, -0.04, 0.42)), 0.02, STEEL)


def weight_bench(form: Form) -> None:
    """A padded bench under a barbell."""
    sketch, (w, d, h), frame = form.sketch, form.size, form.tone("frame")
    low, high = (-0.15, -d * 0.38, 0.38), (0.15, d * 0.48, 0.46)
    sketch.cushion(low, high, form.tone("seat", BLACK), 0.03, FABRIC)
    sketch.slab((0, d * 0.05, 0.33), (0.08, d * 0.85, 0.05), frame, METAL)
    for y in (-d * 0.3, d * 0.42):
        sketch.slab((0, y, 0), (0.36, 0.06, 0.05), frame, METAL)
        sketch.slab((0, y, 0), (0.06, 0.06, 0.34), frame, METAL)
    for x in (-0.35, 0.35):
        sketch.slab((x, -d * 0.42, 0), (0.06, 0.3, 0.05), frame, METAL)
        sketch.slab((x, -d * 0.42, 0), (0.06, 0.06, h * 0.84), frame, METAL)
    sketch.slab((0, -d * 0.42, 0.3), (0.7, 0.05, 0.05), frame, METAL)
    z, y = h * 0.86, -d * 0.39
    sketch.tube(((-w / 2, y, z), (w / 2, y, z)), 0.014, STEEL, segments=8)
    for side in SIDES:
        for inward, r in ((0.0, 0.15), (0.05, 0.15), (0.1, 0.1)):
            plate = sketch.at((side * (w / 2 - 0.08 - inward), y, z)).at((0, 0, 0), 90, "y")
            plate.cylinder((0, 0, -0.02), r, 0.04, BLACK, GLOSS, segments=18)


def dumbbell_rack(form: Form) -> None:
    """Two sloped rails with a few dumbbells of its own at the back."""
    sketch, (w, d, _), (x, y, h), frame = form.sketch, form.size, form.half, form.tone("frame")
    for side in (-x + 0.03, x - 0.03):
        sketch.slab((side, 0, 0), (0.06, d, 0.05), frame, METAL)
        sketch.slab((side, -d * 0.2, 0), (0.06, 0.08, h - 0.02), frame, METAL)
    for space in form.spaces("shelf", "top"):
        z = space.low[2]
        sketch.box((-x, -y + 0.02, z - 0.03), (x, y - 0.02, z), frame, METAL)
        for i in range(int(w / 0.16)):
            r = 0.035 + 0.003 * i
            bell = sketch.at((-x + 0.1 + i * 0.16, -y + 0.13, z + r)).at((0, 0, 0), 90, "x")
            for end in (-0.075, 0.045):
                bell.cylinder((0, 0, end), r, 0.03, BLACK, GLOSS, segments=8)
            bell.cylinder((0, 0, -0.05), 0.013, 0.1, STEEL, METAL, segments=6)


def dumbbell(form: Form) -> None:
    """Along x: a bar between two six-sided weights."""
    (w, _, h), body = form.size, form.tone()
    r = h / 2
    bell = form.sketch.at((-w / 2, 0, r), 90, "y")
    bell.cylinder((0, 0, 0), r * 0.3, w, STEEL, METAL, segments=8)
    bell.cylinder((0, 0, 0), r, w * 0.3, body, GLOSS, segments=6)
    bell.cylinder((0, 0, w * 0.7), r, w * 0.3, body, GLOSS, segments=6)


def kettlebell(form: Form) -> None:
    """A weight with a handle."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    shares = ((0, 0), (0.7, 0), (1, 0.25), (0.85, 0.5), (0.3, 0.62), (0, 0.63))
    sketch.lathe((0, 0, 0), [(d / 2 * r, h * z) for r, z in shares], body, GLOSS, 14)
    arch = (
        *((-w * 0.2, 0, h * 0.52), (-w * 0.36, 0, h * 0.8), (-w * 0.22, 0, h - 0.02)),
        *((w * 0.22, 0, h - 0.02), (w * 0.36, 0, h * 0.8), (w * 0.2, 0, h * 0.52)),
    )
    sketch.tube(arch, 0.016, shade(body, 0.8), METAL, 8)


def ball(form: Form) -> None:
    """A ball with two seams; a football has patches, a medicine ball ridges."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    if form.category == "medicine_ball":
        _medicine_ball(form)
        return
    r, is_dark = h / 2, form.category in ("basketball", "football")
    sketch.ball((0, 0, r), (x, y, r), body, GLOSS, 14)
    line: Colour = BLACK if is_dark else mix(body, PAPER, 0.7)
    for axis in ("x", "y"):
        band = sketch.at((0, 0, r), 90, axis)
        band.lathe((0, 0, 0), [(r * 1.005, -r * 0.04), (r * 1.008, r * 0.04)], line, MATT, 16)
    for i in range(5 if form.category == "football" else 0):
        a = 2 * math.pi * i / 5
        place = (math.cos(a) * r * 0.8, math.sin(a) * r * 0.8, r * 1.5)
        sketch.ball(place, r * 0.25, BLACK, GLOSS, 6)


def _medicine_ball(form: Form) -> None:
    sketch, r, body = form.sketch, form.size[2] / 2, form.tone()
    sketch.ball((0, 0, r), r * 0.97, body, MATT, 20)
    for i in range(-3, 4):
        z, out = r * (1 + 0.22 * i), r * math.sqrt(1 - (0.22 * i) ** 2)
        ridge = [(out * 0.96, -r * 0.05), (out, -r * 0.04), (out, r * 0.04), (out * 0.96, r * 0.05)]
        sketch.lathe((0, 0, z), ridge, shade(body, 0.75), MATT, 24)
    face = sketch.at((0, 0, r), -50, "x").at((0, 0, r * 0.9), 180)
    face.cylinder((0, 0, 0), r * 0.45, r * 0.12, PAPER, MATT, segments=20)
    print_words(face.at((0, 0, r * 0.121)), ["kg"], (r * 0.55, r * 0.6), BLACK)


def racket(form: Form) -> None:
    """A head with strings, a handle to -y."""
    sketch, (w, d, h) = form.sketch, form.size
    r, long = w / 2, 1.25
    y = d / 2 - r * long
    rim = [(r * 0.9, 0), (r, 0), (r, h), (r * 0.9, h), (r * 0.9, 0)]
    sketch.lathe((0, y, 0), rim, form.tone(), GLOSS, 20, (1, long))
    for i in range(-3, 4):
        chord = math.sqrt(1 - (i * 0.25) ** 2)
        sketch.slab((i * r * 0.25, y, h * 0.4), (0.003, r * 2.2 * chord, 0.003), PAPER)
        sketch.slab((0, y + i * r * 0.3, h * 0.4), (r * 1.8 * chord, 0.003, 0.003), PAPER)
    sketch.tube(((0, -d / 2, h / 2), (0, y - r * long, h / 2)), h * 0.5, BLACK, FABRIC)


def skateboard(form: Form) -> None:
    """A deck on four wheels."""
    sketch, (w, d, h) = form.sketch, form.size
    deck, top = h * 0.7, h * 0.7 + 0.018
    sketch.cushion((-w / 2, -d / 2, deck), (w / 2, d / 2, top), form.tone(), 0.008, WOOD)
    sketch.box((-w * 0.4, -d * 0.4, top), (w * 0.4, d * 0.4, deck + 0.02), BLACK, FABRIC)
    for y in (-d * 0.3, d * 0.3):
        sketch.box((-w * 0.3, y - 0.02, h * 0.3), (w * 0.3, y + 0.02, deck), STEEL, METAL)
    wheels(sketch, w, h * 0.28, (-d * 0.3, d * 0.3))


SHAPES: dict[str, Shape] = {
    "treadmill": treadmill, "exercise_bike": exercise_bike, "weight_bench": weight_bench,
    "dumbbell_rack": dumbbell_rack, "dumbbell": dumbbell, "kettlebell": kettlebell,
    "ball": ball, "racket": racket, "skateboard": skateboard,
}  # fmt: skip
