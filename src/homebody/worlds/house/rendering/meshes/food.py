"""Recipes of food, and of packages and bottles of all kinds."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.dishes import PAPER, ROUND, _filling, surface_of, turned
from homebody.worlds.house.rendering.meshes.mesh import Sketch, mix, shade
from homebody.worlds.house.rendering.meshes.parts import BLACK, STEEL, Form, Recipe

WOOD, METAL, FABRIC, GLOSS, GLASS, GLOW, MATT = (
    Surface.WOOD,
    Surface.METAL,
    Surface.FABRIC,
    Surface.GLOSS,
    Surface.GLASS,
    Surface.GLOW,
    Surface.MATT,
)


def rod(form: Form) -> None:
    """Along x: rolling pins, carrots, cucumbers, torches, umbrellas."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, r = form.tone("body"), min(d, h) / 2
    part = Sketch()
    match form.category:
        case "carrot":
            part.lathe(
                (0, 0, 0),
                [(0, 0), (r * 0.35, w * 0.05), (r, w * 0.78), (0, w * 0.82)],
                tone,
                GLOSS,
                8,
            )
            part.cylinder(
                (0, 0, w * 0.8), r * 0.5, w * 0.2, (0.25, 0.55, 0.2), top=r * 0.9, segments=6
            )
        case "rolling_pin":
            part.cylinder((0, 0, 0), r * 0.4, w, tone, WOOD, segments=8)
            part.cylinder((0, 0, w * 0.18), r, w * 0.64, tone, WOOD)
        case "flashlight":
            part.cylinder((0, 0, 0), r * 0.7, w * 0.7, tone, METAL)
            on = form.is_so("powered_on")
            part.cylinder(
                (0, 0, w * 0.68),
                r * 0.7,
                w * 0.32,
                (1, 0.95, 0.7) if on else tone,
                GLOW if on else METAL,
                top=r,
            )
        case "umbrella":
            part.cylinder((0, 0, w * 0.2), r * 0.25, w * 0.8, tone, FABRIC, top=r, segments=8)
            part.cylinder((0, 0, 0), r * 0.2, w * 0.3, BLACK, GLOSS, segments=6)
        case _:
            part.lathe(
                (0, 0, 0),
                [
                    (0, 0),
                    (r * 0.8, w * 0.06),
                    (r, w * 0.3),
                    (r, w * 0.7),
                    (r * 0.8, w * 0.94),
                    (0, w),
                ],
                tone,
                GLOSS,
                8,
            )
    sketch.add(part, (-w / 2, 0, r), 90, "y")


def bottle(form: Form) -> None:
    """A bottle with a label and a cap; wine and beer have long necks."""
    sketch, (w, _d, h) = form.sketch, form.size
    tone, flat = form.tone("body"), form.size[1] / form.size[0]
    r = w / 2
    slim = form.category in ("wine_bottle", "beer_bottle", "oil_bottle", "sauce_bottle")
    shoulder, neck = (0.62, 0.32) if slim else (0.74, 0.5)
    profile = [
        (0, 0),
        (r * 0.92, 0),
        (r, h * 0.03),
        (r, h * shoulder),
        (r * neck, h * (shoulder + 0.16)),
        (r * neck, h * 0.92),
    ]
    sketch.lathe((0, 0, 0), profile, tone, surface_of(tone), ROUND, (1.0, flat))
    cap = form.tone("cap", shade(tone, 0.5) if slim else (0.93, 0.93, 0.92))
    sketch.cylinder((0, 0, h * 0.9), r * neck * 1.12, h * 0.1, cap, GLOSS, segments=10)
    if form.category not in ("thermos", "water_bottle"):
        label = form.tone("label", PAPER if max(tone) < 0.75 else shade(tone, 0.6))
        sketch.lathe(
            (0, 0, h * 0.18),
            [(r * 1.012, 0), (r * 1.012, h * 0.3)],
            label,
            MATT,
            ROUND,
            (1.0, flat),
        )


def bottle_spray(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone, flat, r = form.tone("body"), form.size[1] / form.size[0], form.size[0] / 2
    sketch.lathe(
        (0, 0, 0),
        [(0, 0), (r, 0), (r, 0), (r, h * 0.5), (r * 0.35, h * 0.7), (r * 0.3, h * 0.8)],
        tone,
        GLOSS,
        ROUND,
        (1.0, flat),
    )
    sketch.lathe(
        (0, 0, h * 0.12), [(r * 1.01, 0), (r * 1.01, h * 0.28)], PAPER, MATT, ROUND, (1.0, flat)
    )
    head: Colour = (0.93, 0.93, 0.92)
    sketch.box((-w * 0.14, -d * 0.2, h * 0.8), (w / 2, d * 0.2, h), head, GLOSS)
    sketch.tube(((w * 0.3, 0, h * 0.82), (w * 0.22, 0, h * 0.66)), 0.006, head, GLOSS)


def box(form: Form) -> None:
    """A package: print on its broad sides. Open ones show their inside."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    glassy = surface_of(tone) == GLASS
    kind = (
        GLASS
        if glassy
        else (GLOSS if "container" in form.category or "lunch" in form.category else MATT)
    )
    if form.is_so("open"):
        open_box(form, tone, kind)
    else:
        sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, h), tone, kind)
    label = form.tone("label", mix(tone, PAPER, 0.75) if sum(tone) < 2 else shade(tone, 0.6))
    if h > max(w, d) * 0.6:
        for y in (-d / 2 - 0.0006, d / 2 + 0.0006):
            low, high = (
                (-w * 0.36, min(y, 0.99 * y), h * 0.28),
                (w * 0.36, max(y, 0.99 * y), h * 0.62),
            )
            sketch.box(low, high, label)
            sketch.box((-w * 0.2, low[1], h * 0.7), (w * 0.2, high[1], h * 0.86), shade(label, 0.7))
    elif not form.is_so("open"):
        if form.category in ("lunch_box", "food_container"):
            sketch.cushion(
                (-w / 2, -d / 2, h * 0.82), (w / 2, d / 2, h), shade(tone, 0.75), 0.008, GLOSS
            )
        elif form.category == "egg_carton":
            for i in range(5):
                for y in (-d * 0.22, d * 0.22):
                    sketch.ball(
                        (-w * 0.4 + i * w * 0.2, y, h),
                        (w * 0.08, d * 0.17, h * 0.2),
                        shade(tone, 1.1),
                        MATT,
                        6,
                    )
        else:
            sketch.box((-w * 0.32, -d * 0.25, h), (w * 0.32, d * 0.25, h + 0.0006), label)
    if form.category == "tissue_box":
        sketch.ball((0, 0, h), (w * 0.16, d * 0.16, h * 0.4), PAPER, FABRIC, 6)


def open_box(form: Form, tone: Colour, kind: Surface, flaps: bool = False) -> None:
    """A box without its top."""
    sketch, (w, d, h) = form.sketch, form.size
    t = max(0.003, min(w, d) * 0.02)
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, t), shade(tone, 0.9), kind)
    for x in (-w / 2, w / 2 - t):
        sketch.box((x, -d / 2, 0), (x + t, d / 2, h), tone, kind)
    for y in (-d / 2, d / 2 - t):
        sketch.box((-w / 2, y, 0), (w / 2, y + t, h), tone, kind)
    if flaps:
        for side in (-1, 1):
            x = side * w / 2
            sketch.quad(
                (x, -d / 2, h),
                (x + side * w * 0.2, -d / 2, h + 0.03),
                (x + side * w * 0.2, d / 2, h + 0.03),
                (x, d / 2, h),
                shade(tone, 1.05),
            )


def brick(form: Form) -> None:
    w, d, h = form.size
    form.sketch.cushion(
        (-w / 2, -d / 2, 0),
        (w / 2, d / 2, h),
        form.tone("body"),
        min(w, d, h) * 0.2,
        GLOSS if form.category == "soap" else MATT,
    )


def bucket(form: Form) -> None:
    turned(
        form,
        [(0, 0), (0.72, 0), (0.72, 0), (1, 0.97), (1.0, 1), (0.93, 1), (0.68, 0.05), (0, 0.04)],
    )
    _filling(form, 0.85, 0.7)
    w, _, h = form.size
    if form.category == "bucket":
        form.sketch.tube(
            (
                (-w / 2, 0, h * 0.9),
                (-w * 0.35, w * 0.3, h),
                (w * 0.35, w * 0.3, h),
                (w / 2, 0, h * 0.9),
            ),
            0.004,
            STEEL,
            segments=5,
        )
    else:
        form.sketch.cylinder((0, 0, h * 0.85), w * 0.44, 0.005, (0.3, 0.2, 0.13))


def cake(form: Form) -> None:
    sketch, (w, _, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cylinder((0, 0, 0), w / 2, h * 0.06, PAPER, GLOSS, segments=18)
    sketch.cylinder((0, 0, h * 0.06), w * 0.44, h * 0.7, tone, MATT, segments=18)
    sketch.cylinder((0, 0, h * 0.7), w * 0.45, h * 0.12, (0.97, 0.92, 0.86), MATT, segments=18)
    for i in range(7):
        a = 2 * math.pi * i / 7
        sketch.ball(
            (math.cos(a) * w * 0.33, math.sin(a) * w * 0.33, h * 0.86),
            h * 0.12,
            (0.8, 0.12, 0.15),
            GLOSS,
            6,
        )


def can(form: Form) -> None:
    sketch, (w, _, h) = form.sketch, form.size
    r, tone = w / 2, form.tone("body")
    sketch.lathe(
        (0, 0, 0),
        [
            (0, 0),
            (r * 0.88, 0),
            (r, h * 0.06),
            (r, h * 0.94),
            (r * 0.9, h),
            (r * 0.9, h),
            (0, h * 0.985),
        ],
        STEEL,
        METAL,
        ROUND,
    )
    sketch.lathe((0, 0, h * 0.08), [(r * 1.01, 0), (r * 1.01, h * 0.84)], tone, GLOSS, ROUND)
    sketch.lathe(
        (0, 0, h * 0.4), [(r * 1.02, 0), (r * 1.02, h * 0.2)], mix(tone, PAPER, 0.8), MATT, ROUND
    )


def jar(form: Form) -> None:
    turned(form, [(0, 0), (0.9, 0), (1, 0.06), (1, 0.74), (0.85, 0.82)])
    w, _, h = form.size
    cap = form.tone("cap", (0.85, 0.85, 0.83))
    form.sketch.cylinder((0, 0, h * 0.8), w * 0.46, h * 0.2, cap, GLOSS)
    form.sketch.lathe((0, 0, h * 0.2), [(w * 0.507, 0), (w * 0.507, h * 0.36)], PAPER, MATT, ROUND)


def carton(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    side = h * 0.78
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, side), PAPER)
    sketch.box((-w * 0.503, -d * 0.503, 0.01), (w * 0.503, d * 0.503, side * 0.55), tone)
    for y in (-d / 2, d / 2):
        sketch.quad(
            (-w / 2, y, side), (w / 2, y, side), (w / 2, 0, h * 0.95), (-w / 2, 0, h * 0.95), tone
        )
    for x in (-w / 2, w / 2):
        sketch.quad((x, -d / 2, side), (x, d / 2, side), (x, 0, h * 0.95), (x, 0, h * 0.95), PAPER)
    sketch.box((-w / 2, -0.002, h * 0.93), (w / 2, 0.002, h), PAPER)
    sketch.cylinder((0, d * 0.3, side + 0.01), w * 0.14, 0.02, tone, GLOSS, segments=8)


def fruit(form: Form) -> None:
    """Round things that grow: by category a stalk, a crown, ribs, leaves."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, name = form.tone("body"), form.category
    green: Colour = (0.25, 0.5, 0.2)
    match name:
        case "pear":
            sketch.lathe(
                (0, 0, 0),
                [
                    (0, 0),
                    (w * 0.4, h * 0.08),
                    (w / 2, h * 0.3),
                    (w * 0.26, h * 0.65),
                    (w * 0.18, h * 0.88),
                    (0, h * 0.92),
                ],
                tone,
                GLOSS,
                10,
            )
        case "pineapple":
            sketch.ball((0, 0, h * 0.32), (w / 2, d / 2, h * 0.32), tone, WOOD, 10)
            for i in range(7):
                leaf = Sketch()
                leaf.quad(
                    (0, -0.015, 0), (0, 0.015, 0), (0.05, 0, h * 0.4), (0.05, 0, h * 0.4), green
                )
                sketch.add(leaf, (0, 0, h * 0.6), i * 51)
        case "watermelon":
            sketch.ball((0, 0, h / 2), (w / 2, d / 2, h / 2), (0.18, 0.42, 0.18), GLOSS, 12)
        case "lettuce":
            sketch.ball(
                (0, 0, h * 0.48), (w * 0.36, d * 0.36, h * 0.45), mix(tone, PAPER, 0.25), FABRIC, 8
            )
            for i in range(6):
                a = i * 1.047
                sketch.ball(
                    (math.cos(a) * w * 0.3, math.sin(a) * d * 0.3, h * 0.45),
                    (w * 0.19, d * 0.19, h * 0.42),
                    shade(tone, 0.85 + 0.06 * (i % 3)),
                    FABRIC,
                    6,
                )
        case "pumpkin":
            for i in range(6):
                a = i * 1.047
                sketch.ball(
                    (math.cos(a) * w * 0.2, math.sin(a) * d * 0.2, h * 0.43),
                    (w * 0.3, d * 0.3, h * 0.43),
                    tone,
                    GLOSS,
                    8,
                )
            sketch.cylinder((0, 0, h * 0.8), w * 0.06, h * 0.2, green, segments=6)
        case _:
            sketch.ball((0, 0, h * 0.48), (w / 2, d / 2, h * 0.48), tone, GLOSS, 10)
    if name in ("apple", "pear", "tomato", "peach", "onion"):
        sketch.cylinder(
            (0, 0, h * 0.9),
            w * 0.03,
            h * 0.12,
            green if name == "tomato" else (0.35, 0.25, 0.15),
            segments=4,
        )


def banana(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    r = h * 0.36
    points = [
        (-w / 2 + 0.01, -d * 0.2, r),
        (-w * 0.28, d * 0.1, r),
        (0, d * 0.2, r),
        (w * 0.28, d * 0.1, r),
        (w / 2 - 0.01, -d * 0.2, r),
    ]
    sketch.tube(points, r, form.tone("body"), GLOSS, 7)
    for x, y, _z in (points[0], points[-1]):
        sketch.ball((x, y, r), r * 0.5, (0.35, 0.27, 0.1), MATT, 5)


def loaf(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), tone, min(d, h) * 0.42, MATT)
    if form.category == "sandwich":
        sketch.cushion(
            (-w * 0.51, -d * 0.51, h * 0.35),
            (w * 0.51, d * 0.51, h * 0.55),
            (0.4, 0.65, 0.25),
            0.01,
            MATT,
        )
    else:
        for i in range(3):
            x = -w * 0.25 + i * w * 0.25
            sketch.box(
                (x - 0.006, -d * 0.3, h * 0.97), (x + 0.006, d * 0.3, h * 1.0), shade(tone, 1.3)
            )


def wedge(form: Form) -> None:
    w, d, h = form.size
    outline = [(-w / 2, -d / 2), (w / 2, 0.0), (-w / 2, d / 2)]
    form.sketch.prism(outline, 0, h, form.tone("body"), GLOSS)


def sack(form: Form) -> None:
    """A soft bag with a printed front, pinched at its top."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h * 0.92), tone, d * 0.42, GLOSS)
    sketch.box((-w * 0.46, -d * 0.06, h * 0.88), (w * 0.46, d * 0.06, h), shade(tone, 0.85), GLOSS)
    label = mix(tone, PAPER, 0.8) if sum(tone) < 2.2 else (0.7, 0.25, 0.2)
    for y in (-d / 2 - 0.001, d / 2):
        sketch.box((-w * 0.28, y, h * 0.3), (w * 0.28, y + 0.001, h * 0.65), label)


def tube(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d * 0.34, h), form.tone("body"), h * 0.4, GLOSS)
    sketch.box((-w * 0.2, d * 0.34, h * 0.2), (w * 0.2, d / 2, h * 0.8), (0.9, 0.2, 0.2), GLOSS)


RECIPES: dict[str, Recipe] = {
    "rod": rod,
    "bottle": bottle,
    "bottle_spray": bottle_spray,
    "box": box,
    "brick": brick,
    "bucket": bucket,
    "cake": cake,
    "can": can,
    "jar": jar,
    "carton": carton,
    "fruit": fruit,
    "banana": banana,
    "loaf": loaf,
    "wedge": wedge,
    "sack": sack,
    "tube": tube,
}
"""By shape."""
