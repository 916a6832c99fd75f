"""Toys. Sports toys are in sports.py."""

from __future__ import annotations

from dataclasses import replace

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, GLOW, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.containers import open_box
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, shade
from homebody.worlds.house.rendering.meshes.solids import (
    ball,
    made_of,
    only,
    pale,
    tint,
    tube,
    unless,
)  # fmt: skip
from homebody.worlds.house.rendering.meshes.vehicles import wheels

PANE: Colour = (0.5, 0.7, 0.85)
RED: Colour = (0.85, 0.25, 0.2)
RABBIT = "stuffed_rabbit"


def toy_car(form: Form) -> None:
    """Front to +y; a truck has a bed."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    r = h * 0.2
    sketch.cushion((-x, -y, r * 0.7), (x, y, h * 0.6), body, h * 0.12, GLOSS)
    if form.category == "toy_truck":
        sketch.cushion((-x, d * 0.12, h * 0.5), (x, d * 0.42, h), body, h * 0.1, GLOSS)
        sketch.box((-w * 0.42, d * 0.42, h * 0.62), (w * 0.42, d * 0.43, h * 0.9), PANE, GLOSS)
        bed, size = sketch.at((0, -d * 0.2, h * 0.58)), (w, d * 0.55, h * 0.35)
        open_box(bed, size, shade(body, 0.75), GLOSS)
    else:
        low, high = (-w * 0.42, -d * 0.3, h * 0.5), (w * 0.42, d * 0.2, h)
        sketch.cushion(low, high, PANE, h * 0.15, GLOSS)
        low, high = (-w * 0.4, -d * 0.26, h * 0.85), (w * 0.4, d * 0.14, h * 1.0)
        sketch.cushion(low, high, body, h * 0.05, GLOSS)
    wheels(sketch, w, r, (-d * 0.3, d * 0.3))


def toy_train(form: Form) -> None:
    """An engine: boiler, cab, chimney."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    sketch.box((-w * 0.45, -d / 2, h * 0.2), (w * 0.45, d * 0.45, h * 0.32), BLACK, GLOSS)
    boiler = sketch.at((0, -d * 0.15, h * 0.52), -90, "x")
    boiler.cylinder((0, 0, 0), w * 0.36, d * 0.6, body, GLOSS, segments=12)
    low, high = (-w * 0.45, -d / 2, h * 0.3), (w * 0.45, -d * 0.15, h * 0.9)
    sketch.box(low, high, shade(body, 0.75), GLOSS)
    sketch.box((-w / 2, -d / 2, h * 0.9), (w / 2, -d * 0.12, h * 0.97), BLACK, GLOSS)
    sketch.cylinder((0, d * 0.32, h * 0.7), w * 0.12, h * 0.3, BLACK, GLOSS, top=w * 0.18)
    wheels(sketch, w, h * 0.16, (-d * 0.36, -d * 0.05, d * 0.25))


def toy_airplane(form: Form) -> None:
    """Its nose to +y."""
    sketch, (w, d, h) = form.sketch, form.size
    r = h * 0.28
    hull = [(0, 0), (r * 0.5, d * 0.05), (r, d * 0.5), (r, d * 0.8), (0, d)]
    sketch.at((0, -d / 2, h * 0.4), -90, "x").lathe((0, 0, 0), hull, form.tone(), GLOSS, 10)
    sketch.cushion((-w / 2, -d * 0.02, h * 0.33), (w / 2, d * 0.2, h * 0.42), RED, 0.005, GLOSS)
    sketch.cushion((-w * 0.2, -d / 2, h * 0.42), (w * 0.2, -d * 0.4, h * 0.5), RED, 0.004, GLOSS)
    sketch.box((-0.004, -d / 2, h * 0.45), (0.004, -d * 0.36, h), RED, GLOSS)
    wheels(sketch, w * 0.3, h * 0.14, (d * 0.15,))


def doll(form: Form) -> None:
    """A little figure with a dress, or a robot of blocks."""
    if form.category == "toy_robot":
        _robot(form)
        return
    sketch, (w, d, h) = form.sketch, form.size
    skin: Colour = (0.93, 0.76, 0.63)
    for side in SIDES:
        leg = ((side * w * 0.12, 0, 0.005), (side * w * 0.12, 0, h * 0.35))
        sketch.tube(leg, w * 0.09, skin, MATT)
        arm = ((side * w * 0.2, 0, h * 0.66), (side * w * 0.42, 0, h * 0.45))
        sketch.tube(arm, w * 0.07, skin, MATT)
    dress = [(w * 0.45, 0), (w * 0.2, h * 0.25), (w * 0.26, h * 0.42), (w * 0.1, h * 0.46)]
    sketch.lathe((0, 0, h * 0.25), dress, form.tone(), FABRIC, 12, (1, d / w * 1.4))
    sketch.ball((0, 0, h * 0.84), (w * 0.3, d * 0.45, h * 0.13), skin, MATT, 10)
    hair = (0, -d * 0.1, h * 0.88), (w * 0.33, d * 0.46, h * 0.12)
    sketch.ball(*hair, (0.45, 0.27, 0.12), FABRIC, 10)


def _robot(form: Form) -> None:
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    sketch.box((-w * 0.3, -d * 0.4, h * 0.3), (w * 0.3, d * 0.4, h * 0.68), body, METAL)
    low, high = (-w * 0.22, -d * 0.35, h * 0.72), (w * 0.22, d * 0.35, h * 0.95)
    sketch.box(low, high, shade(body, 0.85), METAL)
    eye, surface = ((1, 0.9, 0.3), GLOW) if form.is_on else (BLACK, GLOSS)
    for side in SIDES:
        x = side * w * 0.1
        low, high = (x - w * 0.05, d * 0.35, h * 0.82), (x + w * 0.05, d * 0.36, h * 0.89)
        sketch.box(low, high, eye, surface)
        sketch.slab((side * w * 0.16, 0, 0), (w * 0.2, d * 0.6, h * 0.3), BLACK, GLOSS)
        arm = (side * w * 0.4, 0, h * 0.32), (w * 0.15, d * 0.3, h * 0.34)
        sketch.slab(*arm, shade(body, 0.7), METAL)
    sketch.tube(((0, 0, h * 0.95), (0, 0, h)), 0.004, BLACK)


_DUCK = made_of(
    ball((0, -0.05, 0.32), (0.48, 0.45, 0.32), finish=GLOSS, segments=10),
    ball((0, 0.15, 0.75), (0.28, 0.25, 0.25), finish=GLOSS, segments=10),
    ball((0, 0.42, 0.72), (0.13, 0.1, 0.06), (0.95, 0.5, 0.1), GLOSS, 6),
)
_SITTING = made_of(  # a soft animal, its face at +y
    only(
        "stuffed_elephant",
        tube(
            [(0, 0.3, 0.68), (0, 0.5, 0.54), (0, 0.58, 0.36), (0, 0.72, 0.3)],
            0.1,
            finish=FABRIC,
            segments=8,
        ),
        ball((-0.5, -0.02, 0.72), (0.24, 0.07, 0.2), tint(0.85), FABRIC, 8),
        ball((0.5, -0.02, 0.72), (0.24, 0.07, 0.2), tint(0.85), FABRIC, 8),
        ball((-0.5, 0.03, 0.72), (0.17, 0.05, 0.14), pale(0.5), FABRIC, 8),
        ball((0.5, 0.03, 0.72), (0.17, 0.05, 0.14), pale(0.5), FABRIC, 8),
    ),
    only(
        "stuffed_dog",
        ball((-0.32, 0.02, 0.68), (0.07, 0.12, 0.17), tint(0.6), FABRIC, 8),
        ball((0.32, 0.02, 0.68), (0.07, 0.12, 0.17), tint(0.6), FABRIC, 8),
    ),
    ball((0, 0, 0.3), (0.36, 0.4, 0.3), finish=FABRIC, segments=10),
    ball((0, 0.18, 0.28), (0.24, 0.26, 0.22), pale(0.45), FABRIC, 8),
    ball((0, 0, 0.7), (0.33, 0.36, 0.2), finish=FABRIC, segments=10),
    ball((0, 0.3, 0.66), (0.14, 0.16, 0.08), pale(0.45), FABRIC, 8),
    unless("stuffed_elephant", ball((0, 0.45, 0.69), 0.045, BLACK, GLOSS, 5)),
    *(
        made_of(
            ball((s * 0.13, 0.33, 0.76), 0.035, BLACK, GLOSS, 5),
            only(
                RABBIT,
                ball((s * 0.14, 0, 1.12), (0.1, 0.1, 0.3), tint(0.85), FABRIC, 8),
                ball((s * 0.14, 0.08, 1.14), (0.06, 0.05, 0.23), (0.93, 0.6, 0.65), FABRIC, 8),
            ),
            unless(
                f"{RABBIT} stuffed_elephant",
                ball((s * 0.25, 0, 0.86), (0.12, 0.1, 0.07), tint(0.85), FABRIC, 7),
            ),
            ball((s * 0.4, 0.1, 0.38), (0.11, 0.14, 0.15), finish=FABRIC, segments=7),
            ball((s * 0.26, 0.36, 0.09), (0.14, 0.14, 0.09), tint(0.9), FABRIC, 7),
        )
        for s in SIDES
    ),
)


def plush(form: Form) -> None:
    """A soft animal; the ears of a rabbit take the upper third of its height."""
    w, d, h = form.size
    if form.category == RABBIT:
        form = replace(form, size=(w, d, h / 1.42))
    (_DUCK if form.category == "bath_duck" else _SITTING)(form)


def blocks(form: Form) -> None:
    """A few building blocks, one on top."""
    sketch, (w, d, h) = form.sketch, form.size
    s = h * 0.5
    colours = (form.tone(), RED, (0.25, 0.5, 0.85), (0.95, 0.8, 0.25), (0.3, 0.65, 0.35))
    places = (-0.35, -0.2, 0), (0.05, -0.25, 0), (0.35, 0.1, 0), (-0.15, 0.25, 0), (-0.15, -0.2, 1)
    for (x, y, z), colour in zip(places, colours, strict=True):
        low = (x * w - s / 2, y * d - s / 2, z * s)
        high = (x * w + s / 2, y * d + s / 2, (z + 1) * s)
        sketch.cushion(low, high, colour, s * 0.08, WOOD)


SHAPES: dict[str, Shape] = {
    "toy_car": toy_car, "toy_train": toy_train, "toy_airplane": toy_airplane, "doll": doll,
    "blocks": blocks, "plush": plush,
}  # fmt: skip
