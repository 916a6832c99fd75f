"""Decoration: pictures, mirrors, clocks, boards, rugs, fireplaces, sculptures, figures."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import (
    FABRIC,
    GLOSS,
    GLOW,
    MATT,
    METAL,
    STONE,
    WOOD,
    Surface,
)  # fmt: skip
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import bars_around
from homebody.worlds.house.rendering.meshes.motifs import motif
from homebody.worlds.house.rendering.meshes.palette import (
    BLACK,
    PAPER,
    SILVERED,
    STEEL,
    TIMBER,
    mix,
    shade,
)
from homebody.worlds.house.rendering.meshes.solids import ball, box, lathe, made_of, move, tube

# -- on walls -------------------------------------------------------------------------------------


def painting(form: Form) -> None:
    """A frame around one of the :mod:`motifs`."""
    sketch, (x, y, h) = form.sketch, form.half
    frame, rim = form.tone("frame"), 0.035
    sketch.box((-x, -y, 0), (x, y - 0.012, h), frame, WOOD)
    bars_around(sketch, (-x, -y, 0), (x, y, h), rim, frame, WOOD)
    x0, x1, z0, z1 = -x + rim, x - rim, rim, h - rim
    aspect = (x1 - x0) / (z1 - z0)
    patches = motif(form.variant, form.tone("field"), form.tone("figure"), aspect)
    for layer, (outline, tone) in enumerate(patches):
        at = y - 0.0115 + layer * 0.0003
        # Seen from its front, left is +x; patches are cut off at the edge.
        points = [
            (x1 - min(max(u, 0), 1) * (x1 - x0), at, z0 + min(max(v, 0), 1) * (z1 - z0))
            for u, v in outline
        ]
        sketch.polygon(points, tone)


def mirror(form: Form) -> None:
    """A framed mirror."""
    sketch, (_, d, _), (x, y, h) = form.sketch, form.size, form.half
    frame, rim = form.tone("frame"), 0.03
    sketch.box((-x, -y, 0), (x, 0, h), frame, WOOD)
    low, high = (-x + rim, 0, rim), (x - rim, d * 0.2, h - rim)
    sketch.box(low, high, SILVERED, Surface.MIRROR)
    bars_around(sketch, (-x, 0, 0), (x, y, h), rim, frame, WOOD)


def wall_clock(form: Form) -> None:
    """A round face with two hands."""
    w, d, h = form.size
    dial = form.sketch.at((0, -d / 2, h / 2), -90, "x")
    rim = [(0, 0), (w / 2, 0), (w / 2, 0), (w / 2, d), (w * 0.44, d), (w * 0.44, d * 0.6)]
    dial.lathe((0, 0, 0), rim, form.tone(), GLOSS, 24)
    face = form.tone("face", (0.95, 0.95, 0.93))
    dial.cylinder((0, 0, d * 0.5), w * 0.45, d * 0.1, face, segments=24)
    z = d * 0.62
    for i in range(12):
        a = math.radians(30 * i)
        place = (math.sin(a) * w * 0.38, math.cos(a) * w * 0.38, z)
        dial.slab(place, (w * 0.025, w * 0.025, 0.002), BLACK)
    for i, (long, hour) in enumerate(((0.24, form.variant % 12), (0.34, form.variant % 7))):
        low, high = (-w * 0.015, 0, z + 0.003 * i), (w * 0.015, w * long, z + 0.003 * i + 0.002)
        dial.at((0, 0, 0), 30.0 * hour).box(low, high, BLACK)


def whiteboard(form: Form) -> None:
    """A framed board with writing and a tray; a dark one is written on in chalk."""
    sketch, (w, _, _), (x, y, h) = form.sketch, form.size, form.half
    board, frame = form.tone("board", (0.95, 0.95, 0.95)), form.tone("frame", STEEL)
    is_dark = sum(board) < 1.5
    sketch.box((-x, -y, 0.03), (x, 0, h), board, MATT if is_dark else GLOSS)
    bars_around(sketch, (-x, -y, 0.03), (x, y, h), 0.025, frame, WOOD if is_dark else METAL)
    sketch.box((-w * 0.3, 0, 0.02), (w * 0.3, y + 0.05, 0.035), frame, METAL)
    inks: tuple[Colour, ...] = ((0.15, 0.25, 0.6), (0.75, 0.15, 0.15), (0.1, 0.1, 0.1))
    if is_dark:
        inks = ((0.92, 0.92, 0.9),)
    n = form.variant + 3
    for row in range(4):
        n = (n * 73 + 41) % 1009
        long = w * (0.2 + 0.25 * (n % 10) / 10)
        z, right = h - 0.2 - row * h * 0.13, w * 0.42
        while long > 0:
            word, ink = 0.04 + (n % 5) * 0.02, inks[row % len(inks)]
            sketch.box((right - word, 0, z), (right, 0.002, z + 0.03), ink)
            right, long, n = right - word - 0.03, long - word - 0.03, (n * 73 + 41) % 1009
    ring = [(0.13, 0), (0.14, 0), (0.14, 0.003), (0.13, 0.003)]
    sketch.at((-w * 0.25, 0, h * 0.55), -90, "x").lathe((0, 0, 0), ring, inks[0], MATT, 20)


# -- on floors ------------------------------------------------------------------------------------


def rug(form: Form) -> None:
    """A border and a field, with a lozenge."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    field, border = form.tone("field"), form.tone("border", (0.9, 0.86, 0.78))
    t = max(h, 0.006)
    sketch.box((-x, -y, 0.001), (x, y, t), border, FABRIC)
    sketch.box((-x + 0.09, -y + 0.09, t), (x - 0.09, y - 0.09, t + 0.001), field, FABRIC)
    lozenge = [(w * 0.3, 0.0), (0.0, d * 0.3), (-w * 0.3, 0.0), (0.0, -d * 0.3)]
    sketch.prism(lozenge, t + 0.001, t + 0.002, mix(field, border, 0.55), FABRIC)
    sketch.prism([(x * 0.55, y * 0.55) for x, y in lozenge], t + 0.002, t + 0.003, field, FABRIC)


def fireplace(form: Form) -> None:
    """A chimney breast with a hearth; logs burn when it is on."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    hearth, top, front = w * 0.27, h * 0.62, y - 0.06
    sketch.box((-x, -y, 0), (-hearth, front, h - 0.06), body, STONE)
    sketch.box((hearth, -y, 0), (x, front, h - 0.06), body, STONE)
    sketch.box((-hearth, -y, top), (hearth, front, h - 0.06), body, STONE)
    sketch.box((-hearth, -y, 0), (hearth, -y + 0.03, top), (0.13, 0.11, 0.1))
    sketch.box((-x, -y, 0), (x, y, 0.05), shade(body, 0.6), STONE)
    sketch.box((-x, -y, h - 0.06), (x, y, h), form.tone("mantel", (0.5, 0.35, 0.2)), WOOD)
    for i in range(3):
        back = -0.08 + 0.07 * (i % 2)
        log = ((-w * 0.17, back, 0.1 + 0.04 * i), (w * 0.17, back + 0.03, 0.1 + 0.05 * (i % 2)))
        sketch.tube(log, 0.035, (0.33, 0.2, 0.12), WOOD)
    for i in range(5 if form.is_on else 0):
        tall = 0.16 + 0.07 * ((i * 3) % 4)
        flame = (1.0, 0.55, 0.1) if i % 2 else (1.0, 0.8, 0.25)
        place = ((i - 2) * 0.08, -0.05, 0.12)
        sketch.cylinder(place, 0.05, tall, flame, GLOW, top=0.0, segments=8)


def sculpture(form: Form) -> None:
    """A bust, a stack of stones, or a twisted column, on a base."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    r, foot = min(w, d) / 2, h * 0.3
    sketch.slab((0, 0, 0), (w, d, foot), form.tone("base", (0.7, 0.7, 0.7)), STONE)
    match form.variant % 3:
        case 0:
            bust = [(0, 0), (0.4, 0), (0.3, 0.1), (0.85, 0.22), (0.8, 0.3), (0.25, 0.37)]
            profile = [(r * u, h * z) for u, z in (*bust, (0.22, 0.44))]
            sketch.lathe((0, 0, foot), profile, body, STONE, 18, (1.0, 0.6))
            sketch.ball((0, 0, h * 0.84), (r * 0.42, r * 0.48, h * 0.15), body, STONE, 16)
            sketch.ball((0, r * 0.46, h * 0.82), (r * 0.08, r * 0.12, h * 0.04), body, STONE, 8)
        case 1:
            z, size = foot, h * 0.22
            for i in range(4):
                place = ((i % 2 - 0.5) * r * 0.2, 0, z + size * 0.5)
                radii = (r * (0.85 - 0.15 * i), r * (0.8 - 0.15 * i), size * 0.52)
                sketch.ball(place, radii, shade(body, 1 - 0.06 * (i % 2)), STONE, 14)
                z, size = z + size * 0.97, size * 0.86
        case _:
            for i in range(12):
                layer = sketch.at((0, 0, foot + (h - foot) * i / 12), 15 * i)
                layer.slab((0, 0, 0), (r * 1.1, r * 0.5, (h - foot) / 12), body, METAL)


# -- on tables and shelves ------------------------------------------------------------------------


def clock(form: Form) -> None:
    """An alarm clock, its face at +y."""
    sketch, (w, d, h) = form.sketch, form.size
    r = min(w, h) * 0.42
    dial = sketch.at((0, -d / 2, h * 0.45), -90, "x")
    dial.cylinder((0, 0, 0), r, d * 0.8, form.tone(), GLOSS, segments=18)
    dial.cylinder((0, 0, d * 0.8), r * 0.85, 0.002, PAPER, segments=18)
    dial.box((-0.003, 0, d * 0.81), (0.003, r * 0.7, d * 0.84), BLACK)
    dial.box((-r * 0.5, -0.003, d * 0.81), (0, 0.003, d * 0.84), BLACK)
    for side in SIDES:
        sketch.ball((side * r * 0.6, 0, h * 0.45 + r), r * 0.32, STEEL, METAL, 8)
        sketch.tube(((side * r * 0.5, 0, h * 0.2), (side * r * 0.8, 0, 0.004)), 0.006, STEEL)


_FIGURE = lathe([(0.5, 0.07), (0.35, 0.3), (0.45, 0.5), (0.6, 0.68), (0.2, 0.75), (0.18, 0.78)])


def figurine(form: Form) -> None:
    """A small standing figure, or a bust."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    sketch.cylinder((0, 0, 0), w * 0.45, h * 0.07, shade(body, 0.6), WOOD)
    if form.category == "bust":
        bust = [(0, 0), (0.2, 0), (0.15, 0.12), (0.5, 0.28), (0.44, 0.4), (0.14, 0.47)]
        profile = [(w * r, h * z) for r, z in (*bust, (0.13, 0.56))]
        sketch.lathe((0, 0, h * 0.07), profile, body, STONE, 14, (1, 0.6))
        sketch.ball((0, 0, h * 0.8), (w * 0.26, d * 0.32, h * 0.19), body, STONE, 12)
        sketch.ball((0, d * 0.3, h * 0.78), (w * 0.05, d * 0.07, h * 0.05), body, STONE, 6)
        return
    _FIGURE(form)
    sketch.ball((0, 0, h * 0.88), (w * 0.18, d * 0.18, h * 0.11), body, GLOSS, 8)


def globe(form: Form) -> None:
    """A globe of the earth on a foot."""
    sketch, (w, _, h) = form.sketch, form.size
    r = w * 0.46
    sketch.cylinder((0, 0, 0), w * 0.3, h * 0.05, TIMBER, WOOD)
    sketch.cylinder((0, 0, h * 0.04), 0.012, h - 2 * r - h * 0.04, TIMBER, WOOD, segments=6)
    z = h - r
    sketch.ball((0, 0, z), r, form.tone("body", (0.3, 0.55, 0.8)), GLOSS, 16)
    for a, up, size in ((0.3, 0.3, 0.45), (1.9, -0.2, 0.4), (3.4, 0.4, 0.5), (4.8, -0.35, 0.35)):
        x, y = math.cos(a) * r * 0.72, math.sin(a) * r * 0.72
        sketch.ball((x, y, z + up * r), r * size * 0.78, (0.45, 0.62, 0.32), MATT, 8)


def trophy(form: Form) -> None:
    """A cup with two handles on a block."""
    sketch, (w, _, h), gold = form.sketch, form.size, form.tone("body", (0.82, 0.66, 0.28))
    sketch.slab((0, 0, 0), (w * 0.5, w * 0.5, h * 0.15), BLACK, GLOSS)
    cup = [(0.18, 0), (0.05, 0.1), (0.06, 0.3), (0.32, 0.5), (0.36, 0.85), (0.32, 0.85), (0.1, 0.4)]
    sketch.lathe((0, 0, h * 0.15), [(w * r, h * z) for r, z in cup], gold, METAL, 14)
    for side in SIDES:
        handle = [(side * w * 0.34, 0, h * 0.92), (side * w / 2, 0, h * 0.85)]
        handle += [(side * w * 0.45, 0, h * 0.68), (side * w * 0.26, 0, h * 0.6)]
        sketch.tube(handle, 0.008, gold)


SHAPES: dict[str, Shape] = {
    "painting": painting, "mirror": mirror, "wall_clock": wall_clock, "whiteboard": whiteboard,
    "rug": rug, "fireplace": fireplace, "sculpture": sculpture, "clock": clock,
    "figurine": figurine, "globe": globe, "trophy": trophy,
    "frame": made_of(  # a picture that leans back
        move(
            (0, 0.1, 0), 10, "x",
            box((-0.5, (0, -0.012), 0), (0.5, 0, 0.98), finish=WOOD),
            box((-0.38, 0, 0.1), (0.38, (0, 0.001), 0.88), (0.75, 0.85, 0.92), GLOSS),
            box((-0.38, 0, 0.1), (0.38, (0, 0.0015), 0.4), (0.35, 0.55, 0.3), GLOSS),
            box((-0.1, 0, 0.25), (0.1, (0, 0.002), 0.6), (0.8, 0.35, 0.3), GLOSS),
            ball((0, 0, 0.66), (0.08, (0, 0.003), 0.07), (0.9, 0.72, 0.58), MATT, 8),
        ),
        tube([(0, -0.05, 0.6), (0, -0.5, 0)], (0, 0.004), BLACK),
    ),
}  # fmt: skip
