"""Recipes of toys, sport and music."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.dishes import PAPER, turned
from homebody.worlds.house.rendering.meshes.food import open_box
from homebody.worlds.house.rendering.meshes.mesh import Sketch, mix, shade
from homebody.worlds.house.rendering.meshes.parts import BLACK, STEEL, Form, Recipe

WOOD, METAL, FABRIC, GLOSS, GLOW, MATT = (
    Surface.WOOD,
    Surface.METAL,
    Surface.FABRIC,
    Surface.GLOSS,
    Surface.GLOW,
    Surface.MATT,
)


def _lying(form: Form, part: Sketch, height: float) -> None:
    """What was drawn upright along z, lying along y with its middle at the origin."""
    d = form.size[1]
    form.sketch.add(part, (0, -d / 2, height), -90, "x")


def ball(form: Form) -> None:
    sketch, (w, d, _h) = form.sketch, form.size
    tone, r = form.tone("body"), form.size[2] / 2
    sketch.ball((0, 0, r), (w / 2, d / 2, r), tone, GLOSS, 14)
    line = (
        BLACK
        if form.category in ("basketball", "football", "medicine_ball")
        else mix(tone, PAPER, 0.7)
    )
    for axis in ("x", "y"):
        band = Sketch()
        band.lathe((0, 0, 0), [(r * 1.005, -r * 0.04), (r * 1.008, r * 0.04)], line, MATT, 16)
        sketch.add(band, (0, 0, r), 90, axis)
    if form.category == "football":
        for i in range(5):
            a = 2 * math.pi * i / 5
            sketch.ball(
                (math.cos(a) * r * 0.8, math.sin(a) * r * 0.8, r * 1.5), r * 0.25, BLACK, GLOSS, 6
            )


def toy_car(form: Form) -> None:
    """Front to +y; a truck has a bed."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, r = form.tone("body"), form.size[2] * 0.2
    sketch.cushion((-w / 2, -d / 2, r * 0.7), (w / 2, d / 2, h * 0.6), tone, h * 0.12, GLOSS)
    if form.category == "toy_truck":
        sketch.cushion((-w / 2, d * 0.12, h * 0.5), (w / 2, d * 0.42, h), tone, h * 0.1, GLOSS)
        sketch.box(
            (-w * 0.42, d * 0.42, h * 0.62), (w * 0.42, d * 0.43, h * 0.9), (0.5, 0.7, 0.85), GLOSS
        )
        open_box(Form(sub := Sketch(), (w, d * 0.55, h * 0.35), {}, {}), shade(tone, 0.75), GLOSS)
        sketch.add(sub, (0, -d * 0.2, h * 0.58))
    else:
        sketch.cushion(
            (-w * 0.42, -d * 0.3, h * 0.5),
            (w * 0.42, d * 0.2, h),
            (0.5, 0.7, 0.85),
            h * 0.15,
            GLOSS,
        )
        sketch.cushion(
            (-w * 0.4, -d * 0.26, h * 0.85), (w * 0.4, d * 0.14, h * 1.0), tone, h * 0.05, GLOSS
        )
    _wheels(form, r, (-d * 0.3, d * 0.3))


def _wheels(form: Form, r: float, places: tuple[float, ...]) -> None:
    w = form.size[0]
    for y in places:
        for x in (-w * 0.5, w * 0.5 - w * 0.14):
            wheel = Sketch()
            wheel.cylinder((0, 0, 0), r, w * 0.14, BLACK, GLOSS, segments=10)
            form.sketch.add(wheel, (x, y, r), 90, "y")


def toy_train(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    boiler = Sketch()
    boiler.cylinder((0, 0, 0), w * 0.36, d * 0.6, tone, GLOSS, segments=12)
    sketch.box((-w * 0.45, -d / 2, h * 0.2), (w * 0.45, d * 0.45, h * 0.32), BLACK, GLOSS)
    sketch.add(boiler, (0, -d * 0.15, h * 0.52), -90, "x")
    sketch.box(
        (-w * 0.45, -d / 2, h * 0.3), (w * 0.45, -d * 0.15, h * 0.9), shade(tone, 0.75), GLOSS
    )
    sketch.box((-w / 2, -d / 2, h * 0.9), (w / 2, -d * 0.12, h * 0.97), BLACK, GLOSS)
    sketch.cylinder((0, d * 0.32, h * 0.7), w * 0.12, h * 0.3, BLACK, GLOSS, top=w * 0.18)
    _wheels(form, h * 0.16, (-d * 0.36, -d * 0.05, d * 0.25))


def toy_airplane(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone, accent = form.tone("body"), (0.85, 0.25, 0.2)
    r = h * 0.28
    hull = Sketch()
    hull.lathe(
        (0, 0, 0),
        [(0, 0), (r * 0.5, d * 0.05), (r, d * 0.5), (r, d * 0.8), (0, d)],
        tone,
        GLOSS,
        10,
    )
    _lying(form, hull, h * 0.4)
    sketch.cushion((-w / 2, -d * 0.02, h * 0.33), (w / 2, d * 0.2, h * 0.42), accent, 0.005, GLOSS)
    sketch.cushion((-w * 0.2, -d / 2, h * 0.42), (w * 0.2, -d * 0.4, h * 0.5), accent, 0.004, GLOSS)
    sketch.box((-0.004, -d / 2, h * 0.45), (0.004, -d * 0.36, h), accent, GLOSS)
    _wheels(Form(sketch, (w * 0.3, d, h), {}, {}), h * 0.14, (d * 0.15,))


def doll(form: Form) -> None:
    """A little figure with a dress, or a robot of blocks."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    if form.category == "toy_robot":
        sketch.box((-w * 0.3, -d * 0.4, h * 0.3), (w * 0.3, d * 0.4, h * 0.68), tone, METAL)
        sketch.box(
            (-w * 0.22, -d * 0.35, h * 0.72),
            (w * 0.22, d * 0.35, h * 0.95),
            shade(tone, 0.85),
            METAL,
        )
        on = form.is_so("powered_on")
        for side in (-1, 1):
            x = side * w * 0.1
            sketch.box(
                (x - w * 0.05, d * 0.35, h * 0.82),
                (x + w * 0.05, d * 0.36, h * 0.89),
                (1, 0.9, 0.3) if on else BLACK,
                GLOW if on else GLOSS,
            )
            sketch.slab((side * w * 0.16, 0, 0), (w * 0.2, d * 0.6, h * 0.3), BLACK, GLOSS)
            sketch.slab(
                (side * w * 0.4, 0, h * 0.32),
                (w * 0.15, d * 0.3, h * 0.34),
                shade(tone, 0.7),
                METAL,
            )
        sketch.tube(((0, 0, h * 0.95), (0, 0, h)), 0.004, BLACK)
        return
    skin: Colour = (0.93, 0.76, 0.63)
    for side in (-1, 1):
        sketch.tube(
            ((side * w * 0.12, 0, 0.005), (side * w * 0.12, 0, h * 0.35)), w * 0.09, skin, MATT
        )
        sketch.tube(
            ((side * w * 0.2, 0, h * 0.66), (side * w * 0.42, 0, h * 0.45)), w * 0.07, skin, MATT
        )
    sketch.lathe(
        (0, 0, h * 0.25),
        [(w * 0.45, 0), (w * 0.2, h * 0.25), (w * 0.26, h * 0.42), (w * 0.1, h * 0.46)],
        tone,
        FABRIC,
        12,
        (1, d / w * 1.4),
    )
    sketch.ball((0, 0, h * 0.84), (w * 0.3, d * 0.45, h * 0.13), skin, MATT, 10)
    sketch.ball(
        (0, -d * 0.1, h * 0.88), (w * 0.33, d * 0.46, h * 0.12), (0.45, 0.27, 0.12), FABRIC, 10
    )


def plush(form: Form) -> None:
    """A soft animal that sits, its face at +y."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    pale = mix(tone, PAPER, 0.45)
    if form.category == "bath_duck":
        sketch.ball((0, -d * 0.05, h * 0.32), (w * 0.48, d * 0.45, h * 0.32), tone, GLOSS, 10)
        sketch.ball((0, d * 0.15, h * 0.75), (w * 0.28, d * 0.25, h * 0.25), tone, GLOSS, 10)
        sketch.ball(
            (0, d * 0.42, h * 0.72), (w * 0.13, d * 0.1, h * 0.06), (0.95, 0.5, 0.1), GLOSS, 6
        )
        return
    sketch.ball((0, 0, h * 0.3), (w * 0.36, d * 0.4, h * 0.3), tone, FABRIC, 10)
    sketch.ball((0, d * 0.18, h * 0.28), (w * 0.24, d * 0.26, h * 0.22), pale, FABRIC, 8)
    sketch.ball((0, 0, h * 0.7), (w * 0.33, d * 0.36, h * 0.2), tone, FABRIC, 10)
    sketch.ball((0, d * 0.3, h * 0.66), (w * 0.14, d * 0.16, h * 0.08), pale, FABRIC, 8)
    sketch.ball((0, d * 0.45, h * 0.69), w * 0.045, BLACK, GLOSS, 5)
    rabbit = form.category == "stuffed_rabbit"
    for side in (-1, 1):
        sketch.ball((side * w * 0.13, d * 0.33, h * 0.76), w * 0.035, BLACK, GLOSS, 5)
        ear = (w * 0.09, d * 0.08, h * 0.16) if rabbit else (w * 0.12, d * 0.1, h * 0.07)
        sketch.ball(
            (side * w * (0.14 if rabbit else 0.25), 0, h * 0.86), ear, shade(tone, 0.85), FABRIC, 7
        )
        sketch.ball(
            (side * w * 0.4, d * 0.1, h * 0.38), (w * 0.11, d * 0.14, h * 0.15), tone, FABRIC, 7
        )
        sketch.ball(
            (side * w * 0.26, d * 0.36, h * 0.09),
            (w * 0.14, d * 0.14, h * 0.09),
            shade(tone, 0.9),
            FABRIC,
            7,
        )


def blocks(form: Form) -> None:
    """A few building blocks, two on top."""
    sketch, (w, d, h) = form.sketch, form.size
    tones: list[Colour] = [
        form.tone("body"),
        (0.85, 0.25, 0.2),
        (0.25, 0.5, 0.85),
        (0.95, 0.8, 0.25),
        (0.3, 0.65, 0.35),
    ]
    s = h * 0.5
    for i, (x, y, z) in enumerate(
        ((-0.35, -0.2, 0), (0.05, -0.25, 0), (0.35, 0.1, 0), (-0.15, 0.25, 0), (-0.15, -0.2, 1))
    ):
        sketch.cushion(
            (x * w - s / 2, y * d - s / 2, z * s),
            (x * w + s / 2, y * d + s / 2, (z + 1) * s),
            tones[i],
            s * 0.08,
            WOOD,
        )


def guitar(form: Form) -> None:
    """Lies on its back, the neck along y."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, thick = form.tone("body"), form.size[2] * 0.75
    for y, r in ((-d * 0.28, w / 2), (-d * 0.08, w * 0.37)):
        sketch.lathe(
            (0, y, 0),
            [(0, 0), (r, 0), (r, 0), (r, thick), (r, thick), (0, thick)],
            tone,
            WOOD,
            18,
            (1.0, min(1.0, d * 0.21 / r)),
        )
    sketch.cylinder((0, -d * 0.14, thick), w * 0.13, 0.001, BLACK, segments=14)
    sketch.box(
        (-w * 0.07, -d * 0.14, thick), (w * 0.07, d * 0.42, h * 0.9), (0.2, 0.13, 0.09), WOOD
    )
    sketch.box((-w * 0.1, d * 0.4, thick * 0.9), (w * 0.1, d / 2, h), shade(tone, 0.5), WOOD)
    sketch.box(
        (-w * 0.14, -d * 0.34, thick), (w * 0.14, -d * 0.32, h * 0.85), (0.2, 0.13, 0.09), WOOD
    )


def drum(form: Form) -> None:
    turned(form, [(0, 0), (0.97, 0), (0.97, 0), (0.97, 0.98), (0, 0.98)])
    w, _, h = form.size
    for z in (0.0, h * 0.9):
        form.sketch.lathe(
            (0, 0, z), [(w / 2, 0), (w / 2, h * 0.1), (w * 0.46, h * 0.1)], STEEL, METAL, 16
        )
    form.sketch.cylinder((0, 0, h * 0.985), w * 0.46, 0.002, PAPER, segments=16)


def racket(form: Form) -> None:
    sketch, (_w, d, h) = form.sketch, form.size
    tone, r = form.tone("body"), form.size[0] / 2
    y, long = d / 2 - r * 1.25, 1.25
    sketch.lathe(
        (0, y, 0),
        [(r * 0.9, 0), (r, 0), (r, h), (r * 0.9, h), (r * 0.9, 0)],
        tone,
        GLOSS,
        20,
        (1, long),
    )
    for i in range(-3, 4):
        sketch.slab(
            (i * r * 0.25, y, h * 0.4),
            (0.003, r * 2.2 * math.sqrt(1 - (i * 0.25) ** 2), 0.003),
            PAPER,
        )
        sketch.slab(
            (0, y + i * r * 0.3, h * 0.4),
            (r * 1.8 * math.sqrt(1 - (i * 0.25) ** 2), 0.003, 0.003),
            PAPER,
        )
    sketch.tube(((0, -d / 2, h / 2), (0, y - r * long, h / 2)), h * 0.5, BLACK, FABRIC)


def skateboard(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    deck = h * 0.7
    sketch.cushion(
        (-w / 2, -d / 2, deck), (w / 2, d / 2, deck + 0.018), form.tone("body"), 0.008, WOOD
    )
    sketch.box((-w * 0.4, -d * 0.4, deck + 0.018), (w * 0.4, d * 0.4, deck + 0.02), BLACK, FABRIC)
    for y in (-d * 0.3, d * 0.3):
        sketch.box((-w * 0.3, y - 0.02, h * 0.3), (w * 0.3, y + 0.02, deck), STEEL, METAL)
    _wheels(form, h * 0.28, (-d * 0.3, d * 0.3))


def dumbbell(form: Form) -> None:
    """Along x: a bar between two six-sided weights."""
    sketch, (w, _d, _h) = form.sketch, form.size
    tone, r = form.tone("body"), form.size[2] / 2
    part = Sketch()
    part.cylinder((0, 0, 0), r * 0.3, w, STEEL, METAL, segments=8)
    part.cylinder((0, 0, 0), r, w * 0.3, tone, GLOSS, segments=6)
    part.cylinder((0, 0, w * 0.7), r, w * 0.3, tone, GLOSS, segments=6)
    sketch.add(part, (-w / 2, 0, r), 90, "y")


def kettlebell(form: Form) -> None:
    sketch, (w, _d, h) = form.sketch, form.size
    tone, r = form.tone("body"), form.size[1] / 2
    sketch.lathe(
        (0, 0, 0),
        [
            (0, 0),
            (r * 0.7, 0),
            (r, h * 0.25),
            (r * 0.85, h * 0.5),
            (r * 0.3, h * 0.62),
            (0, h * 0.63),
        ],
        tone,
        GLOSS,
        14,
    )
    arch = (
        (-w * 0.2, 0, h * 0.52),
        (-w * 0.36, 0, h * 0.8),
        (-w * 0.22, 0, h - 0.02),
        (w * 0.22, 0, h - 0.02),
        (w * 0.36, 0, h * 0.8),
        (w * 0.2, 0, h * 0.52),
    )
    sketch.tube(arch, 0.016, shade(tone, 0.8), METAL, 8)


RECIPES: dict[str, Recipe] = {
    "ball": ball,
    "toy_car": toy_car,
    "toy_train": toy_train,
    "toy_airplane": toy_airplane,
    "doll": doll,
    "plush": plush,
    "blocks": blocks,
    "guitar": guitar,
    "drum": drum,
    "racket": racket,
    "skateboard": skateboard,
    "dumbbell": dumbbell,
    "kettlebell": kettlebell,
}
"""By shape."""
