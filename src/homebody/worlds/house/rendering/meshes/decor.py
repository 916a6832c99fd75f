"""Recipes of lights, plants and what hangs on walls or lies on floors."""

from __future__ import annotations

import math
from itertools import pairwise

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Sketch, mix, shade
from homebody.worlds.house.rendering.meshes.parts import BLACK, STEEL, Form, Recipe

WOOD, METAL, FABRIC, GLOSS, GLOW = (
    Surface.WOOD,
    Surface.METAL,
    Surface.FABRIC,
    Surface.GLOSS,
    Surface.GLOW,
)


WARM: Colour = (1.0, 0.93, 0.78)


def floor_lamp(form: Form) -> None:
    """A shade on a pole."""
    sketch, (w, _, h) = form.sketch, form.size
    pole, on = form.tone("pole"), form.is_so("powered_on")
    sketch.cylinder((0, 0, 0), w * 0.38, 0.025, pole, METAL, segments=18)
    sketch.cylinder((0, 0, 0.02), 0.013, h - 0.25, pole, METAL, segments=8)
    tone = mix(form.tone("shade"), WARM, 0.6) if on else form.tone("shade")
    profile = [(w / 2, h - 0.3), (w * 0.34, h)]
    sketch.lathe((0, 0, 0), profile, tone, GLOW if on else FABRIC, 18)
    sketch.ball((0, 0, h - 0.17), 0.04, WARM if on else (0.9, 0.9, 0.88), GLOW if on else GLOSS, 8)


def table_lamp(form: Form) -> None:
    """A shade on a turned foot."""
    sketch, (w, _, h) = form.sketch, form.size
    on, foot = form.is_so("powered_on"), form.tone("body", form.tone("pole", (0.6, 0.45, 0.3)))
    sketch.lathe(
        (0, 0, 0),
        [
            (0, 0),
            (w * 0.3, 0),
            (w * 0.3, h * 0.04),
            (w * 0.1, h * 0.1),
            (w * 0.17, h * 0.3),
            (w * 0.05, h * 0.5),
            (w * 0.04, h * 0.7),
        ],
        foot,
        GLOSS,
        14,
    )
    tone = form.tone("shade", (0.93, 0.89, 0.8))
    sketch.lathe(
        (0, 0, 0),
        [(w / 2, h * 0.5), (w * 0.3, h)],
        mix(tone, WARM, 0.6) if on else tone,
        GLOW if on else FABRIC,
        16,
    )
    sketch.ball((0, 0, h * 0.7), w * 0.1, WARM, GLOW if on else GLOSS, 8)


def ceiling_lamp(form: Form) -> None:
    """A bowl under the ceiling, or a shade on a cord."""
    sketch, (w, _, h) = form.sketch, form.size
    on = form.is_so("powered_on")
    tone = form.tone("shade")
    sketch.cylinder((0, 0, h - 0.02), 0.06, 0.02, (0.9, 0.9, 0.88), GLOSS)
    sketch.cylinder((0, 0, h * 0.45), 0.007, h * 0.55, BLACK, segments=6)
    if form.variant % 2:
        bulb = WARM if on else (0.95, 0.94, 0.9)
        sketch.ball((0, 0, h * 0.35), (w * 0.4, w * 0.4, h * 0.33), bulb, GLOW if on else GLOSS, 18)
    else:
        sketch.lathe(
            (0, 0, 0),
            [(w / 2, 0.02), (w * 0.42, h * 0.25), (w * 0.12, h * 0.5), (0, h * 0.52)],
            tone,
            GLOSS,
            20,
        )
        sketch.ball((0, 0, h * 0.16), w * 0.14, WARM, GLOW if on else GLOSS, 10)


def potted_plant(form: Form) -> None:
    """A pot and leaves: long ones that bend, or a little tree."""
    sketch, (w, d, h) = form.sketch, form.size
    pot, leaf = form.tone("pot"), form.tone("leaves", (0.25, 0.5, 0.25))
    r = min(w, d) * 0.3
    rim = min(0.34, h * 0.3)
    sketch.lathe(
        (0, 0, 0),
        [
            (0, 0),
            (r * 0.72, 0),
            (r * 0.72, 0),
            (r, rim),
            (r * 0.9, rim),
            (r * 0.85, rim * 0.88),
            (0, rim * 0.88),
        ],
        pot,
        GLOSS,
        16,
    )
    sketch.cylinder((0, 0, rim * 0.85), r * 0.86, 0.01, (0.25, 0.18, 0.12))
    if form.variant % 3 == 0:
        sketch.cylinder((0, 0, rim * 0.8), 0.02, h * 0.45, (0.4, 0.28, 0.18), WOOD, segments=6)
        n = form.variant
        for _ in range(14):
            n = (n * 1103515245 + 12345) % 2147483648
            angle, out, up = (n >> 8) % 360, 0.55 + ((n >> 4) % 100) / 240, ((n >> 12) % 100) / 100
            x = math.cos(math.radians(angle)) * w * 0.33 * out
            y = math.sin(math.radians(angle)) * d * 0.33 * out
            z = h * 0.58 + up * h * 0.32
            tone = shade(leaf, 0.85 + 0.3 * ((n >> 5) % 10) / 10)
            sketch.ball((x, y, z), (w * 0.16, d * 0.16, h * 0.085), tone, FABRIC, 7)
        return
    count = 16
    for i in range(count):
        turn = i * 137.5
        tall = (h - rim) * (0.55 + 0.45 * ((i * 7 + form.variant) % 10) / 9)
        out = w * 0.47 * (0.35 + 0.65 * ((i * 5) % 8) / 7)
        broad = w * (0.07 if form.variant % 3 == 1 else 0.11)
        _blade(form, turn, rim * 0.85, tall, out, broad, shade(leaf, 0.8 + 0.045 * (i % 10)))


def _blade(
    form: Form, turn: float, z: float, tall: float, out: float, broad: float, tone: Colour
) -> None:
    """A leaf that rises from the middle of a pot and bends outwards."""
    blade = Sketch()
    steps = ((0.0, 0.0, 0.25), (0.3, 0.55, 0.8), (0.65, 0.9, 1.0), (1.0, 1.0, 0.0))
    for (a, p, s), (b, q, t) in pairwise(steps):
        x0, x1, z0, z1 = a * out, b * out, z + p * tall, z + q * tall
        y0, y1 = broad * s / 2, broad * t / 2
        blade.quad((x0, -y0, z0), (x0, y0, z0), (x1, y1, z1), (x1, -y1, z1), tone, FABRIC)
    form.sketch.add(blade, turn=turn)


def painting(form: Form) -> None:
    """A frame around a landscape, a still life, or shapes."""
    sketch, (w, d, h) = form.sketch, form.size
    frame, field, figure = form.tone("frame"), form.tone("field"), form.tone("figure")
    back, front, rim = -d / 2, d / 2, 0.035
    sketch.box((-w / 2, back, 0), (w / 2, front - 0.012, h), frame, WOOD)
    for x0, x1, z0, z1 in (
        (-w / 2, -w / 2 + rim, 0, h), (w / 2 - rim, w / 2, 0, h),
        (-w / 2, w / 2, 0, rim), (-w / 2, w / 2, h - rim, h),
    ):  # fmt: skip
        sketch.box((x0, back, z0), (x1, front, z1), frame, WOOD)
    y = front - 0.01
    x0, x1, z0, z1 = -w / 2 + rim, w / 2 - rim, rim, h - rim

    def patch(points: list[tuple[float, float]], tone: Colour, layer: int) -> None:
        # Points as shares of the picture, seen from its front: x from left (+x) to right.
        at = y + layer * 0.0012
        placed = [(x1 - u * (x1 - x0), at, z0 + v * (z1 - z0)) for u, v in points]
        for i in range(1, len(placed) - 1):
            sketch.quad(placed[0], placed[i], placed[i + 1], placed[i + 1], tone)

    patch([(0, 0), (1, 0), (1, 1), (0, 1)], field, 0)
    dark, pale = shade(figure, 0.6), mix(figure, (1, 1, 1), 0.5)
    match form.variant % 4:
        case 0:  # hills and a sun
            patch([(0, 0), (1, 0), (1, 0.5), (0.7, 0.62), (0.35, 0.42), (0, 0.55)], pale, 1)
            patch([(0, 0), (1, 0), (1, 0.25), (0.6, 0.4), (0, 0.2)], dark, 2)
            patch(_circle(0.7, 0.78, 0.09, w / h), figure, 1)
        case 1:  # shapes
            patch([(0.1, 0.15), (0.55, 0.15), (0.55, 0.7), (0.1, 0.7)], figure, 1)
            patch(_circle(0.62, 0.6, 0.22, w / h), dark, 2)
            patch([(0.3, 0.05), (0.9, 0.05), (0.75, 0.45)], pale, 3)
        case 2:  # a vase with flowers
            patch([(0, 0), (1, 0), (1, 0.28), (0, 0.28)], dark, 1)
            patch(
                [(0.4, 0.15), (0.6, 0.15), (0.66, 0.4), (0.55, 0.55), (0.45, 0.55), (0.34, 0.4)],
                pale,
                2,
            )
            for u, v in ((0.4, 0.72), (0.5, 0.82), (0.6, 0.72), (0.5, 0.66)):
                patch(_circle(u, v, 0.09, w / h), figure, 3)
        case _:  # stripes
            for i in range(4):
                tone = (figure, dark, pale, shade(figure, 0.8))[i]
                patch(
                    [
                        (0.08 + 0.22 * i, 0.08),
                        (0.24 + 0.22 * i, 0.08),
                        (0.24 + 0.22 * i, 0.92),
                        (0.08 + 0.22 * i, 0.92),
                    ],
                    tone,
                    1,
                )


def _circle(u: float, v: float, r: float, aspect: float) -> list[tuple[float, float]]:
    steps = [2 * math.pi * i / 12 for i in range(12)]
    return [(u + r * math.cos(a) / max(aspect, 0.5), v + r * math.sin(a)) for a in steps]


def mirror(form: Form) -> None:
    """A framed mirror; it shows a sheen."""
    sketch, (w, d, h) = form.sketch, form.size
    frame, rim = form.tone("frame"), 0.03
    sketch.box((-w / 2, -d / 2, 0), (w / 2, 0, h), frame, WOOD)
    low, high = (-w / 2 + rim, 0, rim), (w / 2 - rim, d * 0.2, h - rim)
    sketch.box(low, high, form.tone("glass", (0.8, 0.84, 0.88)), Surface.MIRROR)
    for x0, x1, z0, z1 in (
        (-w / 2, -w / 2 + rim, 0, h), (w / 2 - rim, w / 2, 0, h),
        (-w / 2, w / 2, 0, rim), (-w / 2, w / 2, h - rim, h),
    ):  # fmt: skip
        sketch.box((x0, 0, z0), (x1, d / 2, z1), frame, WOOD)


def wall_clock(form: Form) -> None:
    """A round face with two hands."""
    sketch, (w, d, h) = form.sketch, form.size
    dial = Sketch()
    dial.lathe(
        (0, 0, 0),
        [(0, 0), (w / 2, 0), (w / 2, 0), (w / 2, d), (w * 0.44, d), (w * 0.44, d * 0.6)],
        form.tone("body"),
        GLOSS,
        24,
    )
    dial.cylinder(
        (0, 0, d * 0.5), w * 0.45, d * 0.1, form.tone("face", (0.95, 0.95, 0.93)), segments=24
    )
    z = d * 0.62
    for i in range(12):
        a = math.radians(30 * i)
        dial.slab(
            (math.sin(a) * w * 0.38, math.cos(a) * w * 0.38, z),
            (w * 0.025, w * 0.025, 0.002),
            BLACK,
        )
    for i, (long, turn) in enumerate(
        ((0.24, 30.0 * (form.variant % 12)), (0.34, 30.0 * (form.variant % 7)))
    ):
        hand = Sketch()
        hand.box(
            (-w * 0.015, 0, z + 0.003 * i), (w * 0.015, w * long, z + 0.003 * i + 0.002), BLACK
        )
        dial.add(hand, turn=turn)
    sketch.add(dial, (0, -d / 2, h / 2), -90, "x")


def whiteboard(form: Form) -> None:
    """A framed board with writing and a tray; a dark one is written on in chalk."""
    sketch, (w, d, h) = form.sketch, form.size
    board, frame = form.tone("board", (0.95, 0.95, 0.95)), form.tone("frame", STEEL)
    dark = sum(board) < 1.5
    sketch.box((-w / 2, -d / 2, 0.03), (w / 2, 0, h), board, Surface.MATT if dark else GLOSS)
    for x0, x1, z0, z1 in (
        (-w / 2, -w / 2 + 0.025, 0.03, h), (w / 2 - 0.025, w / 2, 0.03, h),
        (-w / 2, w / 2, 0.03, 0.055), (-w / 2, w / 2, h - 0.025, h),
    ):  # fmt: skip
        sketch.box((x0, -d / 2, z0), (x1, d / 2, z1), frame, WOOD if dark else METAL)
    sketch.box((-w * 0.3, 0, 0.02), (w * 0.3, d / 2 + 0.05, 0.035), frame, METAL)
    inks: list[Colour] = (
        [(0.92, 0.92, 0.9)] if dark else [(0.15, 0.25, 0.6), (0.75, 0.15, 0.15), (0.1, 0.1, 0.1)]
    )
    n = form.variant + 3
    for row in range(4):
        n = (n * 73 + 41) % 1009
        long = w * (0.2 + 0.25 * (n % 10) / 10)
        z, x = h - 0.2 - row * h * 0.13, w * 0.42
        while long > 0:
            word = 0.04 + (n % 5) * 0.02
            sketch.box((x - word, 0, z), (x, 0.002, z + 0.03), inks[row % len(inks)])
            x, long, n = x - word - 0.03, long - word - 0.03, (n * 73 + 41) % 1009
    ring = Sketch()
    ring.lathe(
        (0, 0, 0), [(0.13, 0), (0.14, 0), (0.14, 0.003), (0.13, 0.003)], inks[0], Surface.MATT, 20
    )
    sketch.add(ring, (-w * 0.25, 0, h * 0.55), -90, "x")


def tv(form: Form) -> None:
    """A flat screen; bright when it is on."""
    sketch, (w, d, h) = form.sketch, form.size
    body, on = form.tone("body", BLACK), form.is_so("powered_on")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2 - 0.004, h), body, 0.01, GLOSS)
    screen(form, (-w / 2 + 0.015, 0.02), (w / 2 - 0.015, h - 0.015), d / 2, on)


def screen(
    form: Form, low: tuple[float, float], high: tuple[float, float], y: float, on: bool
) -> None:
    """A display over (x, z): black, or a bright picture."""
    sketch, (x0, z0), (x1, z1) = form.sketch, low, high
    if not on:
        sketch.box((x0, y - 0.004, z0), (x1, y, z1), (0.04, 0.045, 0.05), GLOSS)
        return
    sketch.box((x0, y - 0.004, z0), (x1, y, z1), (0.25, 0.5, 0.85), GLOW)
    middle = z0 + (z1 - z0) * 0.35
    sketch.box((x0, y, z0), (x1, y + 0.001, middle), (0.25, 0.6, 0.3), GLOW)
    x, z = x0 + (x1 - x0) * 0.7, z0 + (z1 - z0) * 0.7
    s = (z1 - z0) * 0.1
    sketch.box((x - s, y, z - s), (x + s, y + 0.001, z + s), (1.0, 0.85, 0.35), GLOW)


def rug(form: Form) -> None:
    """A border and a field, with a lozenge."""
    sketch, (w, d, h) = form.sketch, form.size
    field, border = form.tone("field"), form.tone("border", (0.9, 0.86, 0.78))
    t = max(h, 0.006)
    sketch.box((-w / 2, -d / 2, 0.001), (w / 2, d / 2, t), border, FABRIC)
    sketch.box(
        (-w / 2 + 0.09, -d / 2 + 0.09, t), (w / 2 - 0.09, d / 2 - 0.09, t + 0.001), field, FABRIC
    )
    lozenge = [(w * 0.3, 0.0), (0.0, d * 0.3), (-w * 0.3, 0.0), (0.0, -d * 0.3)]
    sketch.prism(lozenge, t + 0.001, t + 0.002, mix(field, border, 0.55), FABRIC)
    sketch.prism([(x * 0.55, y * 0.55) for x, y in lozenge], t + 0.002, t + 0.003, field, FABRIC)


def fireplace(form: Form) -> None:
    """A chimney breast with a hearth; logs burn when it is on."""
    sketch, (w, d, h) = form.sketch, form.size
    body, mantel = form.tone("body"), form.tone("mantel", (0.5, 0.35, 0.2))
    stone = Surface.STONE
    x, top = w * 0.27, h * 0.62
    sketch.box((-w / 2, -d / 2, 0), (-x, d / 2 - 0.06, h - 0.06), body, stone)
    sketch.box((x, -d / 2, 0), (w / 2, d / 2 - 0.06, h - 0.06), body, stone)
    sketch.box((-x, -d / 2, top), (x, d / 2 - 0.06, h - 0.06), body, stone)
    sketch.box((-x, -d / 2, 0), (x, -d / 2 + 0.03, top), (0.13, 0.11, 0.1))
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, 0.05), shade(body, 0.6), stone)
    sketch.box((-w / 2, -d / 2, h - 0.06), (w / 2, d / 2, h), mantel, WOOD)
    for i in range(3):
        y = -0.08 + 0.07 * (i % 2)
        sketch.tube(
            ((-w * 0.17, y, 0.1 + 0.04 * i), (w * 0.17, y + 0.03, 0.1 + 0.05 * (i % 2))),
            0.035,
            (0.33, 0.2, 0.12),
            WOOD,
        )
    if form.is_so("powered_on"):
        for i in range(5):
            x, tall = (i - 2) * 0.08, 0.16 + 0.07 * ((i * 3) % 4)
            tone: Colour = (1.0, 0.55, 0.1) if i % 2 else (1.0, 0.8, 0.25)
            sketch.cylinder((x, -0.05, 0.12), 0.05, tall, tone, GLOW, top=0.0, segments=8)


def sculpture(form: Form) -> None:
    """A bust, a stack of stones, or a twisted column, on a base."""
    sketch, (w, d, h) = form.sketch, form.size
    body, base = form.tone("body"), form.tone("base", (0.7, 0.7, 0.7))
    r = min(w, d) / 2
    foot = h * 0.3
    sketch.slab((0, 0, 0), (w, d, foot), base, Surface.STONE)
    match form.variant % 3:
        case 0:
            sketch.lathe(
                (0, 0, foot),
                [
                    (0, 0),
                    (r * 0.4, 0),
                    (r * 0.3, h * 0.1),
                    (r * 0.85, h * 0.22),
                    (r * 0.8, h * 0.3),
                    (r * 0.25, h * 0.37),
                    (r * 0.22, h * 0.44),
                ],
                body,
                Surface.STONE,
                18,
                (1.0, 0.6),
            )
            sketch.ball((0, 0, h * 0.84), (r * 0.42, r * 0.48, h * 0.15), body, Surface.STONE, 16)
            sketch.ball(
                (0, r * 0.46, h * 0.82), (r * 0.08, r * 0.12, h * 0.04), body, Surface.STONE, 8
            )
        case 1:
            z, size = foot, h * 0.22
            for i in range(4):
                sketch.ball(
                    ((i % 2 - 0.5) * r * 0.2, 0, z + size * 0.5),
                    (r * (0.85 - 0.15 * i), r * (0.8 - 0.15 * i), size * 0.52),
                    shade(body, 1 - 0.06 * (i % 2)),
                    Surface.STONE,
                    14,
                )
                z, size = z + size * 0.97, size * 0.86
        case _:
            for i in range(12):
                part = Sketch()
                part.slab((0, 0, 0), (r * 1.1, r * 0.5, (h - foot) / 12), body, METAL)
                sketch.add(part, (0, 0, foot + (h - foot) * i / 12), 15 * i)


RECIPES: dict[str, Recipe] = {
    "floor_lamp": floor_lamp,
    "table_lamp": table_lamp,
    "ceiling_lamp": ceiling_lamp,
    "potted_plant": potted_plant,
    "painting": painting,
    "mirror": mirror,
    "wall_clock": wall_clock,
    "whiteboard": whiteboard,
    "tv": tv,
    "rug": rug,
    "fireplace": fireplace,
    "sculpture": sculpture,
}
"""By shape."""
