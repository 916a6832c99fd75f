"""Recipes of what one cooks with, eats from and drinks from."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import shade
from homebody.worlds.house.rendering.meshes.parts import BLACK, STEEL, Form, Recipe

WOOD, METAL, GLOSS, GLASS, GLOW, MATT = (
    Surface.WOOD,
    Surface.METAL,
    Surface.GLOSS,
    Surface.GLASS,
    Surface.GLOW,
    Surface.MATT,
)


GLASSY: Colour = (0.74, 0.85, 0.87)


DRINK: Colour = (0.45, 0.62, 0.72)


PAPER: Colour = (0.95, 0.94, 0.9)


ROUND = 12  # segments of small round things


def surface_of(tone: Colour) -> Surface:
    """Glass, metal or glaze, as the colour tells."""
    if max(abs(a - b) for a, b in zip(tone, GLASSY, strict=True)) < 0.03:
        return GLASS
    grey = max(tone) - min(tone) < 0.05
    return METAL if grey and 0.6 < tone[2] < 0.84 else GLOSS


def turned(form: Form, profile: list[tuple[float, float]], part: str = "body") -> None:
    """A profile in shares of radius and height."""
    w, d, h = form.size
    tone = form.tone(part)
    points = [(r * w / 2, z * h) for r, z in profile]
    form.sketch.lathe((0, 0, 0), points, tone, surface_of(tone), ROUND, (1.0, d / w))


def _filling(form: Form, share: float, level: float, tone: Colour = DRINK) -> None:
    w, d, h = form.size
    if form.is_so("filled"):
        form.sketch.lathe(
            (0, 0, h * level),
            [(w / 2 * share, 0.0), (0.0, 0.001)],
            tone,
            GLOSS,
            ROUND,
            (1.0, d / w),
        )


def cup(form: Form) -> None:
    turned(form, [(0, 0), (0.6, 0), (0.75, 0.1), (1, 1), (0.9, 1), (0.6, 0.12), (0, 0.1)])
    _filling(form, 0.86, 0.8, (0.35, 0.2, 0.12))


def mug(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    r, x, tone = d / 2, (d - w) / 2, form.tone("body")
    profile = [
        (0, 0),
        (r * 0.92, 0),
        (r * 0.92, 0),
        (r, 0.05 * h),
        (r, h),
        (r * 0.88, h),
        (r * 0.85, h * 0.1),
        (0, h * 0.1),
    ]
    sketch.lathe((x, 0, 0), profile, tone, GLOSS, ROUND)
    edge, top, low = x + r - 0.004, h * 0.8, h * 0.25
    out = w / 2 - 0.006
    sketch.tube(
        ((edge, 0, top), (out, 0, top - 0.01), (out, 0, low + 0.01), (edge, 0, low)),
        0.006,
        tone,
        GLOSS,
        5,
    )
    if form.is_so("filled"):
        sketch.lathe((x, 0, h * 0.82), [(r * 0.88, 0), (0, 0.001)], (0.32, 0.19, 0.1), GLOSS, ROUND)


def glass(form: Form) -> None:
    turned(form, [(0, 0), (0.75, 0), (0.78, 0.04), (1, 1), (0.92, 1), (0.7, 0.08), (0, 0.06)])
    _filling(form, 0.85, 0.7)


def wine_glass(form: Form) -> None:
    turned(
        form,
        [
            (0, 0),
            (0.75, 0),
            (0.7, 0.02),
            (0.1, 0.05),
            (0.09, 0.42),
            (0.6, 0.5),
            (1, 0.68),
            (0.8, 1),
            (0.74, 1),
            (0.9, 0.68),
            (0, 0.48),
        ],
    )
    _filling(form, 0.9, 0.68, (0.45, 0.06, 0.12))


def plate(form: Form) -> None:
    turned(form, [(0, 0), (0.6, 0), (1, 0.8), (1, 1), (0.66, 0.42), (0, 0.36)])
    if form.category == "pizza":
        w, _, h = form.size
        for x, y in ((0.2, 0.3), (-0.3, 0.15), (0.05, -0.3), (0.5, -0.1), (-0.4, -0.35)):
            form.sketch.cylinder(
                (x * w / 2, y * w / 2, h * 0.42), w * 0.07, 0.004, (0.75, 0.18, 0.12), segments=8
            )


def bowl(form: Form) -> None:
    turned(
        form,
        [
            (0, 0),
            (0.45, 0),
            (0.5, 0.08),
            (0.85, 0.5),
            (1, 1),
            (0.92, 1),
            (0.75, 0.5),
            (0.4, 0.14),
            (0, 0.1),
        ],
    )
    _filling(form, 0.86, 0.75)


def cutlery(form: Form) -> None:
    """Along y: a handle and what the category has at its end."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    metal = surface_of(tone)
    thick = max(h * 0.4, 0.003)
    sketch.box((-w * 0.18, -d / 2, 0), (w * 0.18, d * 0.2, thick), tone, metal)
    match form.category:
        case "fork":
            sketch.box((-w * 0.4, d * 0.2, 0), (w * 0.4, d * 0.32, thick), tone, metal)
            for x in (-0.4, -0.08, 0.24):
                sketch.box((x * w, d * 0.32, 0), ((x + 0.16) * w, d / 2, thick), tone, metal)
        case "spoon" | "ladle":
            r = w / 2
            sketch.ball((0, d / 2 - r * 1.3, h * 0.4), (r, r * 1.3, h * 0.4), tone, metal, 8)
        case "chopsticks":
            sketch.box((w * 0.25, -d / 2, 0), (w * 0.45, d / 2, thick), tone, WOOD)
        case "toothbrush":
            sketch.box((-w * 0.3, d * 0.2, 0), (w * 0.3, d / 2, thick), tone, GLOSS)
            sketch.box((-w * 0.3, d * 0.34, thick), (w * 0.3, d * 0.49, h), PAPER)
        case "comb":
            for i in range(9):
                y = -d * 0.2 + d * 0.075 * i
                sketch.box((-w / 2, y, 0), (w / 2, y + d * 0.03, thick), tone, GLOSS)
        case _:
            sketch.box((-w / 2, d * 0.2, 0), (w / 2, d / 2, thick), tone, metal)


def knife(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    sketch.box((-w * 0.35, -d / 2, 0), (w * 0.35, -d * 0.08, h * 0.8), (0.15, 0.13, 0.12), WOOD)
    blade = [(-w * 0.3, -d * 0.08), (w * 0.4, -d * 0.08), (w / 2, d * 0.3), (-w * 0.3, d / 2)]
    sketch.prism(blade, h * 0.2, h * 0.4, STEEL, METAL)


def kettle(form: Form) -> None:
    """Along x: belly, spout, lid, handle; a teapot, a kettle, a watering can."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    metal, r = surface_of(tone), min(d / 2, w * 0.32)
    x = -w * 0.02
    profile = [
        (0, 0),
        (r * 0.9, 0),
        (r, h * 0.12),
        (r * 0.95, h * 0.5),
        (r * 0.6, h * 0.72),
        (0, h * 0.74),
    ]
    sketch.lathe((x, 0, 0), profile, tone, metal, 14)
    sketch.ball((x, 0, h * 0.76), h * 0.05, BLACK, GLOSS, 6)
    sketch.tube(((x + r * 0.8, 0, h * 0.3), (w / 2 - 0.015, 0, h * 0.66)), h * 0.045, tone, metal)
    if form.category == "watering_can":
        sketch.tube(
            ((x - r * 0.9, 0, h * 0.2), (-w / 2 + 0.01, 0, h * 0.6), (x, 0, h * 0.9)),
            0.011,
            tone,
            metal,
        )
    elif form.category == "teapot":
        sketch.tube(
            (
                (x - r * 0.9, 0, h * 0.2),
                (-w / 2 + 0.01, 0, h * 0.35),
                (-w / 2 + 0.01, 0, h * 0.55),
                (x - r * 0.7, 0, h * 0.62),
            ),
            0.008,
            tone,
            metal,
        )
    else:
        sketch.tube(
            (
                (x - r * 0.8, 0, h * 0.6),
                (x - r * 0.7, 0, h - 0.01),
                (x + r * 0.7, 0, h - 0.01),
                (x + r * 0.8, 0, h * 0.6),
            ),
            0.011,
            BLACK,
            GLOSS,
        )


def pitcher(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone, r = form.tone("body"), form.size[1] / 2
    x = (d - w) / 2
    profile = [
        (0, 0),
        (r * 0.8, 0),
        (r, h * 0.3),
        (r * 0.7, h * 0.8),
        (r * 0.85, h),
        (r * 0.78, h),
        (r * 0.6, h * 0.78),
        (r * 0.8, h * 0.3),
        (0, 0.02),
    ]
    sketch.lathe((x, 0, 0), profile, tone, surface_of(tone), ROUND)
    out = w / 2 - 0.008
    sketch.tube(
        (
            (x + r * 0.75, 0, h * 0.85),
            (out, 0, h * 0.75),
            (out, 0, h * 0.35),
            (x + r * 0.95, 0, h * 0.28),
        ),
        0.007,
        tone,
        surface_of(tone),
    )
    if form.is_so("filled"):
        sketch.lathe((x, 0, h * 0.65), [(r * 0.75, 0), (0, 0.001)], DRINK, GLOSS, ROUND)


def tray(form: Form) -> None:
    """A flat bottom with a low rim."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    kind = WOOD if surface_of(tone) == GLOSS and tone[0] > tone[2] + 0.1 else surface_of(tone)
    t = 0.008
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, t), shade(tone, 0.95), kind)
    for x in (-w / 2, w / 2 - t):
        sketch.box((x, -d / 2, 0), (x + t, d / 2, h), tone, kind)
    sketch.box((-w / 2, -d / 2, 0), (w / 2, -d / 2 + t, h), tone, kind)
    if form.category != "dustpan":
        sketch.box((-w / 2, d / 2 - t, 0), (w / 2, d / 2, h), tone, kind)


def pan(form: Form) -> None:
    """A pan whose handle points to -y."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, r = form.tone("body"), w / 2
    y = d / 2 - r
    profile = [
        (0, 0),
        (r * 0.8, 0),
        (r, h * 0.8),
        (r * 0.94, h * 0.8),
        (r * 0.76, 0.006),
        (0, 0.006),
    ]
    sketch.lathe((0, y, 0), profile, tone, METAL, 16)
    sketch.tube(((0, y - r * 0.95, h * 0.65), (0, -d / 2, h * 0.9)), 0.012, BLACK, GLOSS)


def pot(form: Form) -> None:
    """A pot with two handles and a lid; without the lid when it is open."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, r = form.tone("body"), d / 2
    body = h * 0.78
    profile = [(0, 0), (r, 0), (r, 0), (r, body), (r * 0.94, body), (r * 0.94, 0.01), (0, 0.01)]
    sketch.lathe((0, 0, 0), profile, tone, METAL, 16)
    for side in (-1, 1):
        x = side * (w / 2 - 0.02)
        sketch.box(
            (min(x, x + 0.02), -0.03, body * 0.75),
            (max(x, x + 0.02), 0.03, body * 0.82),
            BLACK,
            GLOSS,
        )
        sketch.tube(((side * r * 0.9, 0, body * 0.78), (x, 0, body * 0.78)), 0.008, BLACK, GLOSS)
    if not form.is_so("open"):
        sketch.lathe(
            (0, 0, body), [(r, 0), (r * 0.9, h * 0.06), (0, h * 0.12)], shade(tone, 1.05), METAL, 16
        )
        sketch.cylinder((0, 0, h * 0.88), 0.018, h * 0.12, BLACK, GLOSS, segments=8)
    elif form.is_so("filled"):
        sketch.cylinder((0, 0, 0.01), r * 0.93, body * 0.7, DRINK, GLOSS)


def toaster(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d / 2, 0.01), (w / 2, d / 2, h), tone, 0.03, surface_of(tone))
    hot = form.is_so("powered_on")
    for y in (-d * 0.2, d * 0.12):
        inner = (1.0, 0.35, 0.1) if hot else (0.08, 0.08, 0.08)
        sketch.box(
            (-w * 0.36, y, h), (w * 0.36, y + d * 0.1, h + 0.001), inner, GLOW if hot else MATT
        )
    sketch.box((w / 2, -0.015, h * 0.55), (w / 2 + 0.012, 0.015, h * 0.62), BLACK, GLOSS)


def blender(form: Form) -> None:
    sketch, (w, _, h) = form.sketch, form.size
    r = w / 2
    sketch.lathe(
        (0, 0, 0),
        [(0, 0), (r, 0), (r, 0), (r * 0.75, h * 0.32), (0, h * 0.33)],
        form.tone("body"),
        GLOSS,
        14,
    )
    sketch.lathe(
        (0, 0, h * 0.33),
        [(r * 0.6, 0), (r * 0.8, h * 0.56), (r * 0.76, h * 0.56), (0, 0.01)],
        GLASSY,
        GLASS,
        14,
    )
    sketch.cylinder((0, 0, h * 0.88), r * 0.8, h * 0.12, BLACK, GLOSS, top=r * 0.4)
    sketch.tube(
        (
            (r * 0.75, 0, h * 0.8),
            (r * 0.98, 0, h * 0.75),
            (r * 0.9, 0, h * 0.45),
            (r * 0.65, 0, h * 0.42),
        ),
        0.01,
        BLACK,
        GLOSS,
    )


def coffee_machine(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    kind = surface_of(tone)
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, -d * 0.05, h), tone, 0.015, kind)
    sketch.cushion((-w / 2, -d / 2, h * 0.72), (w / 2, d / 2 - 0.02, h), tone, 0.015, kind)
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, h * 0.08), (0.2, 0.2, 0.21), METAL)
    sketch.cylinder((0, d * 0.2, h * 0.62), 0.03, h * 0.1, STEEL, METAL, segments=10)
    sketch.lathe(
        (0, d * 0.2, h * 0.08),
        [(0, 0), (w * 0.22, 0), (w * 0.26, h * 0.2), (w * 0.18, h * 0.32), (0, h * 0.32)],
        (0.2, 0.12, 0.08),
        GLOSS,
        12,
    )
    on = form.is_so("powered_on")
    sketch.slab(
        (0, d / 2 - 0.02, h * 0.82),
        (w * 0.5, 0.004, h * 0.08),
        (0.4, 0.9, 1.0) if on else BLACK,
        GLOW if on else GLOSS,
    )


def board(form: Form) -> None:
    """A flat board; chess boards are chequered."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), tone, 0.006, WOOD)
    if form.category == "chess_board":
        s = w * 0.9 / 8
        for i in range(8):
            for j in range(i % 2, 8, 2):
                x, y = -w * 0.45 + i * s, -w * 0.45 + j * s
                sketch.quad(
                    (x, y, h + 0.0005),
                    (x + s, y, h + 0.0005),
                    (x + s, y + s, h + 0.0005),
                    (x, y + s, h + 0.0005),
                    (0.93, 0.86, 0.72),
                )
        for i in range(8):
            x = -w * 0.45 + (i + 0.5) * s
            for y, piece in (
                (-w * 0.45 + s / 2, (0.9, 0.87, 0.8)),
                (w * 0.45 - s / 2, (0.12, 0.1, 0.1)),
            ):
                sketch.cylinder((x, y, h), s * 0.28, s * 0.8, piece, GLOSS, top=s * 0.1, segments=6)
    else:
        sketch.cylinder((w * 0.4, 0, h), 0.012, 0.0008, (0.2, 0.15, 0.1), segments=8)


def whisk(form: Form) -> None:
    sketch, (_w, d, h) = form.sketch, form.size
    r = h / 2
    sketch.tube(((0, -d / 2, r), (0, 0, r)), 0.008, STEEL)
    for i in range(4):
        a = math.pi * i / 4
        x, z = math.cos(a) * r * 0.9, math.sin(a) * r * 0.9
        loop = ((0, 0, r), (x, d * 0.3, r + z), (0, d / 2, r), (-x, d * 0.3, r - z), (0, 0, r))
        sketch.tube(loop, 0.0025, STEEL, segments=4)


def shaker(form: Form) -> None:
    turned(form, [(0, 0), (0.95, 0), (1, 0.1), (0.7, 0.45), (0.85, 0.7)])
    w, _, h = form.size
    form.sketch.lathe(
        (0, 0, h * 0.7), [(w * 0.42, 0), (w * 0.42, h * 0.15), (0, h * 0.3)], STEEL, METAL, 10
    )


RECIPES: dict[str, Recipe] = {
    "cup": cup,
    "mug": mug,
    "glass": glass,
    "wine_glass": wine_glass,
    "plate": plate,
    "bowl": bowl,
    "cutlery": cutlery,
    "knife": knife,
    "kettle": kettle,
    "pitcher": pitcher,
    "tray": tray,
    "pan": pan,
    "pot": pot,
    "toaster": toaster,
    "blender": blender,
    "coffee_machine": coffee_machine,
    "board": board,
    "whisk": whisk,
    "shaker": shaker,
}
"""By shape."""
