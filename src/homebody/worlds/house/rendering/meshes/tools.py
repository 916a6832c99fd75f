"""Recipes of tools, and of small things that decorate or are worn."""

from __future__ import annotations

import math

from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.decor import table_lamp
from homebody.worlds.house.rendering.meshes.dishes import PAPER, turned
from homebody.worlds.house.rendering.meshes.mesh import Sketch, shade
from homebody.worlds.house.rendering.meshes.parts import BLACK, STEEL, TIMBER, Form, Recipe

WOOD, METAL, FABRIC, GLOSS, GLASS, GLOW, MATT = (
    Surface.WOOD,
    Surface.METAL,
    Surface.FABRIC,
    Surface.GLOSS,
    Surface.GLASS,
    Surface.GLOW,
    Surface.MATT,
)


def tool(form: Form) -> None:
    """A handle and a working end, along y."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, thick = form.tone("body"), max(form.size[2] * 0.5, 0.004)
    name = form.category
    if name == "wrench":
        sketch.box((-w * 0.2, -d * 0.4, 0), (w * 0.2, d * 0.4, thick), STEEL, METAL)
        for y in (-d * 0.42, d * 0.42):
            sketch.lathe(
                (0, y, 0),
                [(w * 0.2, 0), (w / 2, 0), (w / 2, thick), (w * 0.2, thick)],
                STEEL,
                METAL,
                10,
            )
        return
    sketch.cushion((-w * 0.3, -d / 2, 0), (w * 0.3, 0, min(h, w)), tone, min(h, w) * 0.3, GLOSS)
    if name in ("brush", "hairbrush", "paintbrush"):
        sketch.box((-w / 2, d * 0.05, h * 0.4), (w / 2, d / 2, h), shade(tone, 0.85), WOOD)
        bristles = (0.2, 0.18, 0.16) if name == "hairbrush" else (0.85, 0.78, 0.6)
        sketch.box((-w * 0.42, d * 0.1, 0), (w * 0.42, d * 0.48, h * 0.45), bristles, FABRIC)
    else:
        sketch.tube(((0, 0, thick), (0, d / 2, thick)), min(w, h) * 0.16, STEEL)


def hammer(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    sketch.tube(
        ((0, -d / 2, h / 2), (0, d * 0.42, h / 2)), h * 0.36, form.tone("body", TIMBER), WOOD
    )
    sketch.box((-w / 2, d * 0.38, 0), (w * 0.35, d / 2, h), STEEL, METAL)
    sketch.prism([(w * 0.35, d * 0.39), (w / 2, d * 0.36), (w * 0.35, d / 2)], 0, h, STEEL, METAL)


def scissors(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    for side in (-1, 1):
        half = Sketch()
        half.box((-w * 0.06, -d * 0.1, 0), (w * 0.06, d / 2, h * 0.5), STEEL, METAL)
        half.lathe(
            (side * w * 0.05, -d * 0.3, 0),
            [(w * 0.17, 0), (w * 0.27, 0), (w * 0.27, h), (w * 0.17, h), (w * 0.17, 0)],
            tone,
            GLOSS,
            10,
            (1, 1.6),
        )
        sketch.add(half, (side * w * 0.14, 0, 0), side * 9)


def saw(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    blade = [(-w * 0.3, -d * 0.2), (w / 2, -d * 0.2), (w * 0.15, d / 2), (-w * 0.3, d / 2)]
    sketch.prism(blade, h * 0.4, h * 0.5, STEEL, METAL)
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, -d * 0.2, h), form.tone("body"), h * 0.4, WOOD)
    sketch.cylinder((0, -d * 0.35, h), w * 0.16, 0.001, BLACK, segments=8)


def drill(form: Form) -> None:
    """Stands on its battery, the bit along +y."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d * 0.35, 0), (w / 2, d * 0.15, h * 0.22), BLACK, 0.01, GLOSS)
    sketch.cushion(
        (-w * 0.28, -d * 0.25, h * 0.15), (w * 0.28, d * 0.05, h * 0.75), BLACK, 0.012, GLOSS
    )
    sketch.cushion((-w * 0.38, -d / 2, h * 0.65), (w * 0.38, d * 0.2, h), tone, 0.02, GLOSS)
    z = h * 0.82
    sketch.tube(((0, d * 0.2, z), (0, d * 0.34, z)), w * 0.22, BLACK, GLOSS)
    sketch.tube(((0, d * 0.34, z), (0, d / 2, z)), w * 0.06, STEEL)


def clock(form: Form) -> None:
    """An alarm clock, its face at +y."""
    sketch, (_w, d, h) = form.sketch, form.size
    tone, r = form.tone("body"), min(form.size[0], form.size[2]) * 0.42
    dial = Sketch()
    dial.cylinder((0, 0, 0), r, d * 0.8, tone, GLOSS, segments=18)
    dial.cylinder((0, 0, d * 0.8), r * 0.85, 0.002, PAPER, segments=18)
    dial.box((-0.003, 0, d * 0.81), (0.003, r * 0.7, d * 0.84), BLACK)
    dial.box((-r * 0.5, -0.003, d * 0.81), (0, 0.003, d * 0.84), BLACK)
    sketch.add(dial, (0, -d / 2, h * 0.45), -90, "x")
    for side in (-1, 1):
        sketch.ball((side * r * 0.6, 0, h * 0.45 + r), r * 0.32, STEEL, METAL, 8)
        sketch.tube(((side * r * 0.5, 0, h * 0.2), (side * r * 0.8, 0, 0.004)), 0.006, STEEL)


def frame(form: Form) -> None:
    """A picture that leans back."""
    sketch, (w, d, h) = form.sketch, form.size
    part = Sketch()
    part.box((-w / 2, -0.012, 0), (w / 2, 0, h * 0.98), form.tone("body"), WOOD)
    part.box((-w * 0.38, 0, h * 0.1), (w * 0.38, 0.001, h * 0.88), (0.75, 0.85, 0.92), GLOSS)
    part.box((-w * 0.38, 0, h * 0.1), (w * 0.38, 0.0015, h * 0.4), (0.35, 0.55, 0.3), GLOSS)
    part.box((-w * 0.1, 0, h * 0.25), (w * 0.1, 0.002, h * 0.6), (0.8, 0.35, 0.3), GLOSS)
    part.ball((0, 0, h * 0.66), (w * 0.08, 0.003, h * 0.07), (0.9, 0.72, 0.58), MATT, 8)
    sketch.add(part, (0, d * 0.1, 0), 10, "x")
    sketch.tube(((0, -d * 0.05, h * 0.6), (0, -d / 2, 0)), 0.004, BLACK)


def vase(form: Form) -> None:
    turned(
        form,
        [
            (0, 0),
            (0.55, 0),
            (0.6, 0.02),
            (1, 0.4),
            (0.85, 0.65),
            (0.45, 0.85),
            (0.6, 1),
            (0.52, 1),
            (0.36, 0.85),
            (0, 0.8),
        ],
    )
    if form.category == "vase" and form.variant % 2:
        w, _, h = form.size
        for i in range(5):
            x, y = math.cos(i * 2.4) * w * 0.35, math.sin(i * 2.4) * w * 0.35
            form.sketch.tube(((0, 0, h * 0.8), (x, y, h * 1.3)), 0.004, (0.25, 0.5, 0.22), MATT, 4)
            petal = ((0.9, 0.4, 0.5), (0.95, 0.85, 0.35), (0.9, 0.9, 0.92))[(i + form.variant) % 3]
            form.sketch.ball((x, y, h * 1.32), w * 0.17, petal, FABRIC, 6)


def plant(form: Form) -> None:
    """A pot with leaves, or a cactus."""
    sketch, (w, d, h) = form.sketch, form.size
    pot, leaf = form.tone("pot", (0.73, 0.42, 0.3)), form.tone("body", (0.3, 0.55, 0.3))
    r, rim = w * 0.34, h * 0.36
    sketch.lathe(
        (0, 0, 0),
        [(0, 0), (r * 0.75, 0), (r * 0.75, 0), (r, rim), (r * 0.9, rim), (0, rim * 0.9)],
        pot,
        GLOSS,
        12,
    )
    if form.category == "cactus":
        sketch.ball((0, 0, h * 0.66), (w * 0.26, d * 0.26, h * 0.34), leaf, FABRIC, 8)
        sketch.ball((w * 0.25, 0, h * 0.68), (w * 0.12, d * 0.12, h * 0.16), leaf, FABRIC, 6)
        return
    for i in range(9):
        a, out = i * 2.4, w * (0.14 + 0.035 * (i % 8))
        x, y, z = math.cos(a) * out, math.sin(a) * out * d / w, h * (0.9 - 0.06 * (i % 5))
        sketch.ball(
            (x, y, z - h * 0.1),
            (w * 0.13, d * 0.13, h * 0.14),
            shade(leaf, 0.8 + 0.08 * (i % 5)),
            FABRIC,
            6,
        )


def candle(form: Form) -> None:
    sketch, (w, _, h) = form.sketch, form.size
    tone, lit = form.tone("body"), form.is_so("powered_on")
    if form.category == "candle_holder":
        turned(form, [(0, 0), (1, 0), (0.9, 0.04), (0.2, 0.1), (0.2, 0.4), (0.5, 0.5), (0.3, 0.52)])
        sketch.cylinder((0, 0, h * 0.5), w * 0.15, h * 0.42, PAPER, segments=8)
    else:
        sketch.cylinder((0, 0, 0), w / 2, h * 0.85, tone, GLOSS)
    sketch.cylinder((0, 0, h * 0.85), 0.002, h * 0.08, BLACK, segments=4)
    if lit:
        sketch.ball((0, 0, h * 0.98), (0.008, 0.008, 0.02), (1.0, 0.8, 0.3), GLOW, 6)


def figurine(form: Form) -> None:
    """A small standing figure, or a bust."""
    tone = form.tone("body")
    sketch, (w, d, h) = form.sketch, form.size
    sketch.cylinder((0, 0, 0), w * 0.45, h * 0.07, shade(tone, 0.6), WOOD)
    if form.category == "bust":
        sketch.lathe(
            (0, 0, h * 0.07),
            [
                (0, 0),
                (w * 0.2, 0),
                (w * 0.15, h * 0.12),
                (w * 0.5, h * 0.28),
                (w * 0.44, h * 0.4),
                (w * 0.14, h * 0.47),
                (w * 0.13, h * 0.56),
            ],
            tone,
            Surface.STONE,
            14,
            (1, 0.6),
        )
        sketch.ball((0, 0, h * 0.8), (w * 0.26, d * 0.32, h * 0.19), tone, Surface.STONE, 12)
        sketch.ball((0, d * 0.3, h * 0.78), (w * 0.05, d * 0.07, h * 0.05), tone, Surface.STONE, 6)
        return
    turned(form, [(0.5, 0.07), (0.35, 0.3), (0.45, 0.5), (0.6, 0.68), (0.2, 0.75), (0.18, 0.78)])
    sketch.ball((0, 0, h * 0.88), (w * 0.18, d * 0.18, h * 0.11), tone, GLOSS, 8)


def globe(form: Form) -> None:
    sketch, (w, _, h) = form.sketch, form.size
    r = w * 0.46
    sketch.cylinder((0, 0, 0), w * 0.3, h * 0.05, TIMBER, WOOD)
    sketch.cylinder((0, 0, h * 0.04), 0.012, h - 2 * r - h * 0.04, TIMBER, WOOD, segments=6)
    z = h - r
    sketch.ball((0, 0, z), r, form.tone("body", (0.3, 0.55, 0.8)), GLOSS, 16)
    for a, up, s in ((0.3, 0.3, 0.45), (1.9, -0.2, 0.4), (3.4, 0.4, 0.5), (4.8, -0.35, 0.35)):
        x, y = math.cos(a) * r * 0.72, math.sin(a) * r * 0.72
        sketch.ball((x, y, z + up * r), r * s * 0.78, (0.45, 0.62, 0.32), MATT, 8)


def trophy(form: Form) -> None:
    sketch, (w, _, h) = form.sketch, form.size
    gold = form.tone("body", (0.82, 0.66, 0.28))
    sketch.slab((0, 0, 0), (w * 0.5, w * 0.5, h * 0.15), BLACK, GLOSS)
    sketch.lathe(
        (0, 0, h * 0.15),
        [
            (w * 0.18, 0),
            (w * 0.05, h * 0.1),
            (w * 0.06, h * 0.3),
            (w * 0.32, h * 0.5),
            (w * 0.36, h * 0.85),
            (w * 0.32, h * 0.85),
            (w * 0.1, h * 0.4),
        ],
        gold,
        METAL,
        14,
    )
    for side in (-1, 1):
        x = side * w * 0.34
        sketch.tube(
            (
                (x, 0, h * 0.92),
                (side * w / 2, 0, h * 0.85),
                (side * w * 0.45, 0, h * 0.68),
                (side * w * 0.26, 0, h * 0.6),
            ),
            0.008,
            gold,
        )


def lamp(form: Form) -> None:
    table_lamp(form)


def bulb(form: Form) -> None:
    sketch, (w, _, h) = form.sketch, form.size
    sketch.ball((0, 0, h * 0.64), (w / 2, w / 2, h * 0.36), form.tone("body"), GLOSS, 10)
    sketch.cylinder((0, 0, 0), w * 0.22, h * 0.36, STEEL, METAL, segments=8)


def watch(form: Form) -> None:
    sketch, (w, _d, h) = form.sketch, form.size
    r = w * 0.42
    band = Sketch()
    band.lathe(
        (0, 0, -h * 0.25),
        [(r, 0), (r, h * 0.5), (r * 0.93, h * 0.5), (r * 0.93, 0)],
        form.tone("body"),
        GLOSS,
        14,
    )
    sketch.add(band, (0, 0, h * 0.25))
    face = Sketch()
    face.cylinder((0, 0, 0), h * 0.48, 0.008, STEEL, METAL, segments=12)
    face.cylinder((0, 0, 0.008), h * 0.4, 0.001, PAPER, segments=12)
    sketch.add(face, (0, r, h / 2), -90, "x")


def glasses(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone, y = form.tone("body", BLACK), d / 2 - 0.005
    dark = form.category == "sunglasses"
    for side in (-1, 1):
        lens = Sketch()
        lens.cylinder(
            (0, 0, 0),
            w * 0.18,
            0.003,
            (0.08, 0.08, 0.1) if dark else (0.74, 0.85, 0.87),
            GLOSS if dark else GLASS,
        )
        lens.lathe(
            (0, 0, -0.001),
            [(w * 0.17, 0), (w * 0.2, 0), (w * 0.2, 0.005), (w * 0.17, 0.005)],
            tone,
            GLOSS,
            12,
        )
        sketch.add(lens, (side * w * 0.24, y, h / 2), -90, "x")
        sketch.tube(
            ((side * w * 0.46, y, h * 0.6), (side * w * 0.46, -d / 2, h * 0.4)),
            0.0035,
            tone,
            GLOSS,
            4,
        )
    sketch.tube(((-w * 0.06, y, h * 0.6), (w * 0.06, y, h * 0.6)), 0.003, tone, GLOSS, 4)


def key(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body", (0.8, 0.66, 0.35))
    sketch.lathe(
        (0, -d / 2 + w / 2, 0),
        [(w * 0.25, 0), (w / 2, 0), (w / 2, h * 0.6), (w * 0.25, h * 0.6), (w * 0.25, 0)],
        tone,
        METAL,
        12,
    )
    sketch.box((-w * 0.1, -d / 2 + w, 0), (w * 0.1, d / 2, h * 0.5), tone, METAL)
    for y in (0.3, 0.42):
        sketch.box((0, d * y, 0), (w * 0.4, d * (y + 0.06), h * 0.5), tone, METAL)


def pen(form: Form) -> None:
    sketch, (_w, d, _h) = form.sketch, form.size
    tone, r = form.tone("body"), form.size[2] / 2
    sketch.tube(((0, -d / 2, r), (0, d * 0.36, r)), r, tone, GLOSS)
    part = Sketch()
    part.cylinder(
        (0, 0, 0),
        r,
        d * 0.14,
        TIMBER if form.category == "pencil" else shade(tone, 0.5),
        top=r * 0.2,
        segments=6,
    )
    sketch.add(part, (0, d * 0.36, r), -90, "x")


def stapler(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, h * 0.2), BLACK, GLOSS)
    arm = Sketch()
    arm.cushion((-w * 0.4, 0, 0), (w * 0.4, d * 0.96, h * 0.42), form.tone("body"), 0.008, GLOSS)
    sketch.add(arm, (0, -d / 2, h * 0.25), 8, "x")


def iron(form: Form) -> None:
    """Lies flat, its tip to +y."""
    sketch, (w, d, h) = form.sketch, form.size
    sole = [
        (-w / 2, -d / 2),
        (w / 2, -d / 2),
        (w / 2, d * 0.05),
        (w * 0.25, d * 0.32),
        (0, d / 2),
        (-w * 0.25, d * 0.32),
        (-w / 2, d * 0.05),
    ]
    sketch.prism(sole, 0, h * 0.12, STEEL, METAL)
    sketch.prism(
        [(x * 0.85, y * 0.88) for x, y in sole], h * 0.12, h * 0.5, form.tone("body"), GLOSS
    )
    sketch.tube(
        (
            (0, -d * 0.4, h * 0.45),
            (0, -d * 0.38, h * 0.9),
            (0, d * 0.2, h * 0.88),
            (0, d * 0.26, h * 0.45),
        ),
        0.016,
        BLACK,
        GLOSS,
    )


RECIPES: dict[str, Recipe] = {
    "tool": tool,
    "hammer": hammer,
    "scissors": scissors,
    "saw": saw,
    "drill": drill,
    "clock": clock,
    "frame": frame,
    "vase": vase,
    "plant": plant,
    "candle": candle,
    "figurine": figurine,
    "globe": globe,
    "trophy": trophy,
    "lamp": lamp,
    "bulb": bulb,
    "watch": watch,
    "glasses": glasses,
    "key": key,
    "pen": pen,
    "stapler": stapler,
    "iron": iron,
}
"""By shape."""
