"""Garden and garage: mowers, barrows, ladders, mopeds."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import GLOSS, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import legs
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER, STEEL, shade
from homebody.worlds.house.rendering.meshes.solids import (
    box,
    cushion,
    cylinder,
    made_of,
    move,
    on_off,
    tone,
    tube,
)


def moped(form: Form) -> None:
    """Two wheels, a shield, a seat, handlebars with a lamp."""
    sketch, (_, d, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    r = h * 0.21
    for end in (-y + r, y - r):
        wheel = sketch.at((-0.05, end, r), 90, "y")
        wheel.cylinder((0, 0, 0), r, 0.1, BLACK, GLOSS, segments=20)
        wheel.cylinder((0, 0, -0.005), r * 0.5, 0.11, STEEL, METAL, segments=14)
    sketch.cushion(
        (-x * 0.5, -y + r * 0.5, r * 1.1), (x * 0.5, -y + d * 0.42, h * 0.62), body, 0.1, GLOSS
    )
    seat = form.tone("seat", BLACK)
    sketch.cushion((-x * 0.42, -y + r, h * 0.6), (x * 0.42, d * 0.06, h * 0.72), seat, 0.05)
    sketch.box(
        (-x * 0.45, -d * 0.1, r * 0.8), (x * 0.45, y - r * 1.9, r * 1.05), shade(body, 0.8), GLOSS
    )
    shield = sketch.at((0, y - r * 2.0, r * 0.9), -14, "x")
    shield.cushion((-x * 0.75, -0.03, 0), (x * 0.75, 0.03, h * 0.56), body, 0.03, GLOSS)
    sketch.tube(((0, y - r, r), (0, y - r * 1.6, h * 0.85)), 0.03, STEEL)
    sketch.tube(
        ((-x, y - r * 1.9, h * 0.94), (0, y - r * 1.5, h * 0.86), (x, y - r * 1.9, h * 0.94)),
        0.018,
        BLACK,
        GLOSS,
    )
    lamp = on_off((1, 0.97, 0.8), PAPER)
    colour = lamp(form) if callable(lamp) else lamp
    sketch.ball((0, y - r * 1.3, h * 0.8), 0.07, colour, GLOSS)
    sketch.ball((0, y - r, r * 1.2), (0.09, r * 0.9, r * 1.0), body, GLOSS)


def lawn_mower(form: Form) -> None:
    """A deck on wheels with a motor, a bag and a long handle."""
    sketch, (_, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    frame = form.tone("frame", BLACK)
    sketch.cushion((-x * 0.85, y - 0.75, 0.1), (x * 0.85, y, 0.3), body, 0.06, GLOSS)
    sketch.cylinder((0, y - 0.36, 0.28), 0.14, 0.14, BLACK, GLOSS, segments=16)
    for side in SIDES:
        for end in (y - 0.66, y - 0.12):
            r = 0.11
            wheel = sketch.at((side * (x - 0.03) - 0.03, end, r), 90, "y")
            wheel.cylinder((0, 0, 0), r, 0.06, BLACK, GLOSS, segments=16)
            wheel.cylinder((0, 0, -0.004), r * 0.5, 0.068, body, GLOSS, segments=12)
        handle = ((side * x * 0.7, y - 0.7, 0.26), (side * x * 0.7, -y + 0.1, h - 0.05))
        sketch.tube((*handle, (side * x * 0.7, -y, h)), 0.014, frame)
    sketch.tube(((-x * 0.7, -y, h), (x * 0.7, -y, h)), 0.018, BLACK, GLOSS)
    sketch.cushion((-x * 0.7, y - 1.15, 0.16), (x * 0.7, y - 0.74, 0.46), (0.22, 0.24, 0.22), 0.08)


def wheelbarrow(form: Form) -> None:
    """A tray on a wheel and two legs, two handles."""
    sketch, (_, d, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    frame, low = form.tone("frame", BLACK), form.bottom("tray", 0.5)
    wheel = sketch.at((-0.04, y - 0.2, 0.2), 90, "y")
    wheel.cylinder((0, 0, 0), 0.2, 0.08, BLACK, GLOSS, segments=20)
    wheel.cylinder((0, 0, -0.004), 0.09, 0.088, STEEL, METAL)
    for side in SIDES:
        at = side * x * 0.75
        sketch.tube(
            ((side * 0.06, y - 0.2, 0.2), (at, 0, low - 0.04), (at, -y, h * 0.85)),
            0.016,
            frame,
            WOOD,
        )
        sketch.tube(((at, -d * 0.15, low - 0.04), (at, -d * 0.2, 0)), 0.014, frame)
    bottom = [
        (-x * 0.6, -d * 0.12),
        (x * 0.6, -d * 0.12),
        (x * 0.5, d * 0.22),
        (-x * 0.5, d * 0.22),
    ]
    top = [(-x, -d * 0.2), (x, -d * 0.2), (x * 0.8, d * 0.42), (-x * 0.8, d * 0.42)]
    sketch.prism(bottom, low - 0.03, low, body, METAL)
    for i in range(4):
        j = (i + 1) % 4
        wall = ((*bottom[i], low), (*bottom[j], low), (*top[j], h), (*top[i], h))
        sketch.quad(*wall, body, METAL)
        sketch.quad(wall[1], wall[0], wall[3], wall[2], shade(body, 0.85), METAL)


def step_ladder(form: Form) -> None:
    """Two pairs of legs that lean on each other, with steps between the front legs."""
    sketch, (x, y, h), frame = form.sketch, form.half, form.tone("frame")
    for side in SIDES:
        sketch.tube(((side * (x - 0.02), y - 0.02, 0), (side * x * 0.7, 0.02, h)), 0.018, frame)
        sketch.tube(((side * (x - 0.02), -y + 0.02, 0), (side * x * 0.7, -0.02, h)), 0.014, frame)
    for i in range(1, 5):
        t = i / 5
        z, at, half = h * t, (y - 0.02) * (1 - t) + 0.02 * t, (x - 0.03) * (1 - 0.3 * t)
        sketch.box((-half, at - 0.05, z - 0.025), (half, at + 0.04, z), shade(frame, 0.9), METAL)
    sketch.box((-x * 0.75, -0.12, h - 0.03), (x * 0.75, 0.12, h), shade(frame, 0.8), METAL)


def sun_lounger(form: Form) -> None:
    """A long frame with a cushion, its back raised."""
    sketch, (_, d, _), (x, y, _) = form.sketch, form.size, form.half
    frame, cover, z = form.tone("frame"), form.tone("cover"), 0.3
    legs(form, z, frame, 0.05, 0.05)
    sketch.box((-x, -y, z - 0.05), (x, y, z), frame, WOOD)
    sketch.cushion((-x + 0.03, -d * 0.12, z), (x - 0.03, y - 0.03, z + 0.07), cover, 0.03)
    back = sketch.at((0, -d * 0.12, z), -42, "x")
    back.box((-x, -d * 0.36, -0.03), (x, 0, 0), frame, WOOD)
    back.cushion((-x + 0.03, -d * 0.36, 0), (x - 0.03, 0.02, 0.07), cover, 0.03)


SHAPES: dict[str, Shape] = {
    "moped": moped,
    "lawn_mower": lawn_mower,
    "wheelbarrow": wheelbarrow,
    "step_ladder": step_ladder,
    "sun_lounger": sun_lounger,
    "grill": made_of(
        *(box((x - 0.02, y - 0.04, 0), (x + 0.02, y + 0.04, 0.6), tone("frame"), METAL)
          for x in (-0.26, 0.26) for y in (-0.4, 0.4)),
        cushion((-0.3, -0.46, 0.52), (0.3, 0.46, 0.72), 0.06, finish=GLOSS),
        lambda form: None if form.is_open else form.sketch.cushion(
            (-form.size[0] * 0.3, -form.size[1] * 0.46, form.size[2] * 0.7),
            (form.size[0] * 0.3, form.size[1] * 0.46, form.size[2]), form.tone(),
            form.size[2] * 0.14, GLOSS),
        lambda form: form.sketch.at(
            (0, -form.size[1] * 0.46, form.size[2] * 0.72), 80, "x").cushion(
                (-form.size[0] * 0.3, 0, 0), (form.size[0] * 0.3, form.size[1] * 0.8,
                form.size[2] * 0.12), form.tone(), 0.06, GLOSS) if form.is_open else None,
        tube([(-0.15, 0.48, 0.82), (0.15, 0.48, 0.82)], (0, 0.012), STEEL),
        *(box((s * 0.4 - 0.1, -0.4, 0.68), (s * 0.4 + 0.1, 0.4, 0.71), tone("frame"), METAL)
          for s in (-1, 1)),
        box((-0.26, -0.4, 0.12), (0.26, 0.4, 0.15), tone("frame"), METAL),
        *(move((x, 0.46, 0.6), -90, "x", cylinder((0, 0, 0), 0.02, 0.03, STEEL, METAL))
          for x in (-0.15, 0, 0.15)),
    ),
}  # fmt: skip
