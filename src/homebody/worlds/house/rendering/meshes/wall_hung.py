"""Objects on or against walls: maps, boards, clocks, heaters."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, METAL, WOOD, Surface
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import bars_around
from homebody.worlds.house.rendering.meshes.palette import BLACK, BRASS, PAPER, STEEL, mix, shade
from homebody.worlds.house.rendering.meshes.solids import (
    box,
    cushion,
    made_of,
    move,
    on_off,
    tint,
    tone,
    tube,
)


def world_map(form: Form) -> None:
    """A map: blue seas, green and brown lands."""
    sketch, (w, _, h), (x, y, _) = form.sketch, form.size, form.half
    sketch.box((-x, -y, 0), (x, y * 0.4, h), form.tone("sea"), Surface.MATT)
    bars_around(sketch, (-x, -y, 0), (x, y, h), 0.02, form.tone("frame"), WOOD)
    lands: tuple[tuple[Colour, tuple[tuple[float, float], ...]], ...] = (
        ((0.45, 0.62, 0.35), ((0.05, 0.7), (0.3, 0.58), (0.26, 0.8), (0.12, 0.86))),
        ((0.5, 0.6, 0.32), ((0.23, 0.52), (0.33, 0.42), (0.28, 0.16), (0.24, 0.28))),
        ((0.72, 0.6, 0.35), ((0.45, 0.55), (0.56, 0.58), (0.6, 0.44), (0.53, 0.2), (0.46, 0.42))),
        ((0.5, 0.66, 0.4), ((0.45, 0.64), (0.58, 0.62), (0.6, 0.8), (0.48, 0.78))),
        ((0.62, 0.62, 0.38), ((0.58, 0.6), (0.74, 0.44), (0.86, 0.6), (0.92, 0.8), (0.6, 0.84))),
        ((0.75, 0.58, 0.35), ((0.8, 0.3), (0.86, 0.18), (0.94, 0.24), (0.9, 0.34))),
    )
    e = y * 0.4 + 0.002
    for colour, outline in lands:
        # seen from the front, the picture's left is the piece's right
        corners = [(x - u * w, e, v * h) for u, v in outline]
        for i in range(1, len(corners) - 1):
            for a, b in ((i, i + 1), (i + 1, i)):
                third = corners[b]
                sketch.quad(corners[0], corners[a], third, third, colour)


def bulletin_board(form: Form) -> None:
    """A board of cork with notes."""
    sketch, (w, _, h), (x, y, _) = form.sketch, form.size, form.half
    sketch.box((-x, -y, 0), (x, y * 0.3, h), form.tone("board"), Surface.MATT)
    bars_around(sketch, (-x, -y, 0), (x, y, h), 0.025, form.tone("frame"), WOOD)
    notes: tuple[Colour, ...] = (PAPER, (0.95, 0.85, 0.4), (0.65, 0.82, 0.92), (0.95, 0.7, 0.72))
    e = y * 0.3 + 0.002
    for i in range(9):
        n = (i * 37 + form.variant * 11) % 23
        u, v = -x + w * (0.12 + 0.1 * (i % 3) * 2.7), h * (0.16 + 0.27 * (i // 3))
        u, v = u + (n % 5) * 0.01, v + (n % 3) * 0.012
        wide, tall = 0.09 + 0.02 * (n % 3), 0.1 + 0.015 * (n % 4)
        sketch.box((u, y * 0.3, v), (u + wide, e, v + tall), notes[(i + n) % 4])
        sketch.ball((u + wide / 2, e, v + tall - 0.012), 0.006, (0.8, 0.15, 0.15), GLOSS, 6)


def radiator(form: Form) -> None:
    """Ribs between two pipes."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    count = int(w / 0.08)
    for i in range(count):
        at = -x + (i + 0.5) * w / count
        sketch.cushion((at - 0.03, -y + 0.02, 0.1), (at + 0.03, y, h), body, 0.02, GLOSS)
    for z in (0.16, h - 0.06):
        sketch.box((-x, -y + 0.03, z - 0.02), (x, y - 0.03, z + 0.02), body, GLOSS)
    for side in SIDES:
        sketch.tube(((side * (x - 0.04), 0, 0), (side * (x - 0.04), 0, 0.14)), 0.012, body, GLOSS)
    sketch.at((x - 0.02, 0, 0.16), 90, "y").cylinder((0, 0, 0), 0.025, 0.03, PAPER, GLOSS)


def wall_shelf(form: Form) -> None:
    """A board on two brackets."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    sketch.box((-x, -y, h - 0.025), (x, y, h), body, WOOD)
    for side in SIDES:
        at, metal = side * x * 0.7, form.tone("legs", BLACK)
        sketch.box((at - 0.01, -y, 0), (at + 0.01, -y + 0.01, h - 0.025), metal, METAL)
        sketch.box((at - 0.01, -y, h - 0.033), (at + 0.01, y - 0.03, h - 0.025), metal, METAL)


def grandfather_clock(form: Form) -> None:
    """A tall case with a dial and a pendulum behind glass."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    sketch.box((-x, -y, 0), (x, y, h * 0.16), body, WOOD)
    sketch.box((-x * 0.75, -y, h * 0.16), (x * 0.75, y - 0.04, h * 0.72), shade(body, 0.9), WOOD)
    bars_around(sketch, (-x * 0.75, -y, h * 0.16), (x * 0.75, y - 0.02, h * 0.72), 0.05, body, WOOD)
    sketch.box((-x * 0.95, -y, h * 0.72), (x * 0.95, y - 0.02, h * 0.95), body, WOOD)
    sketch.cushion((-x, -y, h * 0.93), (x, y, h), body, 0.03, WOOD)
    dial = sketch.at((0, y - 0.02, h * 0.83), -90, "x")
    dial.cylinder((0, 0, 0), w * 0.36, 0.006, BRASS, METAL, segments=28)
    dial.cylinder((0, 0, 0.006), w * 0.31, 0.004, form.tone("face", PAPER), segments=28)
    for long, hour in ((0.16, form.variant % 12), (0.24, form.variant % 7)):
        dial.at((0, 0, 0.011), 30.0 * hour).box((-0.006, 0, 0), (0.006, w * long, 0.002), BLACK)
    sketch.tube(((0, y - 0.036, h * 0.68), (0, y - 0.036, h * 0.34)), 0.006, BRASS)
    sketch.at((0, y - 0.04, h * 0.33), -90, "x").cylinder(
        (0, 0, 0), 0.07, 0.012, BRASS, METAL, segments=18
    )


def _scale(form: Form) -> None:
    """The marks of a thermostat from blue to red, and its pointer."""
    (w, d, _), cold, warm = form.size, (0.2, 0.4, 0.85), (0.85, 0.2, 0.15)
    for i in range(11):
        mark = form.sketch.at((0, 0, d * 0.8), 320 - 28 * i)
        mark.box((-0.0015, w * 0.34, 0), (0.0015, w * 0.46, 0.001), mix(cold, warm, i / 10))
    form.sketch.at((0, 0, d), 200).box((-0.002, 0, 0), (0.002, w * 0.28, 0.001), PAPER)


SHAPES: dict[str, Shape] = {
    "world_map": world_map,
    "bulletin_board": bulletin_board,
    "radiator": radiator,
    "wall_shelf": wall_shelf,
    "towel_rack": made_of(
        *(tube([(s * 0.48, -0.5, 0.96), (s * 0.48, 0.1, 0.96)], (0, 0.01), tone("frame"))
          for s in (-1, 1)),
        tube([(-0.5, 0.1, 0.96), (0.5, 0.1, 0.96)], (0, 0.009), tone("frame")),
        cushion((-0.38, -0.05, 0.05), (0.2, 0.3, 1), 0.05, tone("cloth")),
        box((-0.385, 0.29, 0.18), (0.205, 0.31, 0.24), tone("cloth", factor=0.8), FABRIC),
    ),
    "air_conditioner": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 1), 0.2, finish=GLOSS),
        box((-0.44, 0.46, 0.06), (0.44, 0.505, 0.16), (0.25, 0.25, 0.27)),
        box((-0.44, 0.49, 0.3), (0.44, 0.506, 0.32), tint(0.8)),
        box((0.34, 0.49, 0.4), (0.4, 0.508, 0.48), on_off((0.2, 0.8, 0.4), STEEL), GLOSS),
    ),
    "thermostat": move(  # a dial with a scale and a pointer
        (0, -0.5, 0.5), -90, "x",
        lambda form: form.sketch.cylinder((0, 0, 0), form.size[0] / 2, form.size[1] * 0.8,
                                          form.tone(), GLOSS, segments=20),
        lambda form: form.sketch.cylinder((0, 0, form.size[1] * 0.8), form.size[0] * 0.3,
                                          form.size[1] * 0.2, form.tone("face", BLACK), GLOSS,
                                          segments=20),
        _scale,
    ),
    "calendar": made_of(
        box((-0.5, -0.5, 0), (0.5, 0, 0.96), tone("page", PAPER)),
        box((-0.46, 0, 0.5), (0.46, 0.2, 0.93), tone("picture")),
        box((-0.46, 0.1, 0.5), (0.46, 0.25, 0.66), (0.3, 0.5, 0.3)),
        *(box((-0.42 + 0.12 * i, 0, 0.06 + 0.1 * j), (-0.34 + 0.12 * i, 0.15, 0.1 + 0.1 * j),
              (0.45, 0.45, 0.5)) for i in range(7) for j in range(4)),
        box((-0.5, -0.4, 0.96), (0.5, 0.4, 1), (0.3, 0.3, 0.32)),
    ),
    "projector_screen": made_of(
        cushion((-0.5, -0.5, 0.94), (0.5, 0.5, 1), 0.03, tone("frame"), GLOSS),
        box((-0.48, -0.1, 0.03), (0.48, 0.0, 0.95), (0.1, 0.1, 0.1)),
        box((-0.45, -0.02, 0.06), (0.45, 0.06, 0.93), tone("board", PAPER)),
        box((-0.49, -0.2, 0), (0.49, 0.2, 0.03), tone("frame"), METAL),
    ),
    "grandfather_clock": grandfather_clock,
}  # fmt: skip
