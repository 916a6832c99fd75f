"""Furniture of offices and lecture rooms."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import GLOSS, GLOW, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, GLASSY, PAPER, STEEL, shade
from homebody.worlds.house.rendering.meshes.solids import box, cushion, made_of, on_off, tint, tone


def lectern(form: Form) -> None:
    """A slanting top on a column."""
    sketch, (_, d, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    sketch.box((-x * 0.8, -y * 0.8, 0), (x * 0.8, y * 0.8, 0.05), shade(body, 0.8), WOOD)
    sketch.box((-x * 0.6, -y * 0.5, 0.05), (x * 0.6, y * 0.5, h * 0.86), body, WOOD)
    sketch.box((-x, -y, h * 0.84), (x, y, h * 0.88), body, WOOD)
    sketch.box((-x, -y, h * 0.88), (x, -y + 0.03, h), body, WOOD)
    top = sketch.at((0, y - 0.02, h * 0.87), -14, "x")
    top.box((-x, -d + 0.06, 0), (x, 0, 0.02), shade(body, 1.05), WOOD)
    sketch.tube(((0.12, -y * 0.2, h * 0.9), (0.1, -y * 0.4, h)), 0.006, BLACK)


def easel(form: Form) -> None:
    """Three legs with a board: an unfinished picture, or a flip chart with curves."""
    sketch, (w, _, h), (x, y, _) = form.sketch, form.size, form.half
    frame, surface = form.tone("frame", STEEL), WOOD if form.category == "easel" else METAL
    for side in SIDES:
        sketch.tube(
            ((side * (x - 0.03), y - 0.03, 0), (side * 0.06, -y * 0.2, h)), 0.016, frame, surface
        )
    sketch.tube(((0, -y + 0.02, 0), (0, -y * 0.2, h - 0.1)), 0.016, frame, surface)
    board = sketch.at((0, y * 0.35, h * 0.42), 8, "x")
    board.box((-x, -0.02, 0), (x, 0, h * 0.5), form.tone("board", PAPER))
    board.box((-x, -0.03, -0.03), (x, 0.05, 0), frame, surface)
    if form.category == "easel":
        tones: tuple[Colour, ...] = ((0.45, 0.65, 0.85), (0.35, 0.55, 0.3), (0.9, 0.75, 0.3))
        board.box((-x * 0.85, 0, h * 0.2), (x * 0.85, 0.002, h * 0.47), tones[0])
        board.box((-x * 0.85, 0, h * 0.03), (x * 0.85, 0.002, h * 0.2), tones[1])
        board.at((x * 0.4, 0.002, h * 0.38), -90, "x").cylinder((0, 0, 0), 0.05, 0.002, tones[2])
        return
    for i in range(4):
        z, long = h * (0.42 - 0.08 * i), w * (0.5 - 0.1 * (i % 2))
        board.box((x * 0.85 - long, 0, z), (x * 0.85, 0.002, z + 0.015), (0.2, 0.3, 0.6))


SHAPES: dict[str, Shape] = {
    "lectern": lectern,
    "easel": easel,
    "paper_shredder": made_of(
        cushion((-0.46, -0.46, 0), (0.46, 0.46, 0.7), 0.05, tone("bin", factor=0.9), GLOSS),
        cushion((-0.5, -0.5, 0.68), (0.5, 0.5, 1), 0.06, finish=GLOSS),
        box((-0.36, -0.06, 0.995), (0.36, 0.06, 1.003), BLACK),
        box((-0.3, -0.01, 0.98), (0.3, 0.01, 1.12), PAPER),
        box((-0.3, 0.455, 0.15), (0.3, 0.47, 0.5), GLASSY, GLOSS),
        box((0.3, 0.49, 0.85), (0.36, 0.51, 0.9), on_off((0.2, 0.8, 0.4), STEEL), GLOSS),
    ),
    "server_rack": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.42, 1), finish=METAL),
        *(row for i in range(9) for row in (
            box((-0.42, 0.42, 0.06 + 0.1 * i), (0.42, 0.46, 0.14 + 0.1 * i), (0.3, 0.31, 0.33),
                METAL),
            box((0.3, 0.46, 0.09 + 0.1 * i), (0.34, 0.465, 0.11 + 0.1 * i),
                on_off((0.2, 0.9, 0.4), STEEL), lambda form: GLOW if form.is_on else GLOSS),
            box((0.2, 0.46, 0.09 + 0.1 * i), (0.24, 0.465, 0.11 + 0.1 * i),
                on_off((0.3, 0.6, 1.0), STEEL), lambda form: GLOW if form.is_on else GLOSS))),
        box((-0.5, 0.42, 0), (-0.45, 0.5, 1), tint(0.8), METAL),
        box((0.45, 0.42, 0), (0.5, 0.5, 1), tint(0.8), METAL),
    ),
}  # fmt: skip
