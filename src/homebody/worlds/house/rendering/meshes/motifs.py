"""Motifs of pictures and screens, composed of a few flat patches."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TypeAlias

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.meshes.palette import mix, shade

Outline: TypeAlias = list[tuple[float, float]]
"""Convex, counter-clockwise, in shares of the picture: from the left, from below."""
Patch: TypeAlias = tuple[Outline, Colour]
WHITE: Colour = (1.0, 1.0, 1.0)


def motif(number: int, field: Colour, figure: Colour, aspect: float) -> Iterator[Patch]:
    """Yield the patches of a motif, from back to front.

    Args:
        number: Selects the motif and its variation.
        field: Colour of the ground.
        figure: Colour of the figures.
        aspect: Width of the picture by its height.
    """
    yield box(0, 0, 1, 1), field
    yield from MOTIFS[number % len(MOTIFS)](number // len(MOTIFS), field, figure, aspect)


def box(u0: float, v0: float, u1: float, v1: float) -> Outline:
    """A rectangle."""
    return [(u0, v0), (u1, v0), (u1, v1), (u0, v1)]


def oval(u: float, v: float, wide: float, tall: float) -> Outline:
    """An ellipse by its middle and its radii."""
    steps = [2 * math.pi * i / 14 for i in range(14)]
    return [(u + wide * math.cos(a), v + tall * math.sin(a)) for a in steps]


def hills(number: int, field: Colour, figure: Colour, aspect: float) -> Iterator[Patch]:
    """Ridges behind each other, paler with distance, and a sun."""
    yield from sky_bands(field)
    yield oval(0.62 + 0.06 * (number % 4), 0.76, 0.08 / aspect, 0.08), mix(figure, WHITE, 0.55)
    for i, pale in enumerate((0.65, 0.4, 0.15, 0.0)):
        base, n = 0.52 - 0.13 * i, number * 7 + i * 5
        tone = mix(shade(figure, 0.75), field, pale)
        for k in range(4):
            peak = base + 0.05 * ((n + 3 * k) % 5) / 4
            left = 0.25 * k
            end = base + 0.05 * ((n + 3 * k + 3) % 5) / 4
            yield [(left, 0), (left + 0.25, 0), (left + 0.25, end), (left, peak)], tone


def sky_bands(field: Colour) -> Iterator[Patch]:
    """A sky that grows paler downwards."""
    for i in range(5):
        yield box(0, 0.4 + 0.1 * i, 1, 1.0), mix(field, WHITE, 0.45 - 0.1 * i)


def sea(number: int, field: Colour, figure: Colour, aspect: float) -> Iterator[Patch]:
    """Water under a sky, with a boat."""
    yield from sky_bands(field)
    for i in range(4):
        yield box(0, 0, 1, 0.42 - 0.1 * i), mix(shade(figure, 0.7), field, 0.5 - 0.14 * i)
    u = 0.3 + 0.1 * (number % 4)
    hull = mix(figure, (0.2, 0.12, 0.1), 0.6)
    yield [(u - 0.1, 0.36), (u + 0.1, 0.36), (u + 0.14, 0.42), (u - 0.13, 0.42)], hull
    yield [(u, 0.44), (u + 0.12, 0.45), (u, 0.74)], WHITE
    yield [(u - 0.09, 0.46), (u - 0.01, 0.45), (u - 0.01, 0.68)], mix(figure, WHITE, 0.6)


def shapes(number: int, field: Colour, figure: Colour, aspect: float) -> Iterator[Patch]:
    """Circles, bars and a triangle on each other."""
    dark, pale = shade(figure, 0.55), mix(figure, WHITE, 0.5)
    yield box(0.1, 0.15, 0.5 + 0.05 * (number % 3), 0.72), figure
    yield oval(0.62, 0.6, 0.22 / max(aspect, 0.6), 0.22), dark
    yield [(0.3, 0.06), (0.9, 0.06), (0.75, 0.46)], pale
    yield oval(0.3, 0.78, 0.07 / max(aspect, 0.6), 0.07), mix(dark, field, 0.4)


def fields(number: int, field: Colour, figure: Colour, aspect: float) -> Iterator[Patch]:
    """Two or three fields of colour with soft edges."""
    bands = ((0.55, 0.94, figure), (0.08, 0.48, shade(figure, 0.6)))
    for low, high, tone in bands if number % 2 else bands[::-1]:
        for i in range(4):
            rim = 0.06 + 0.015 * i
            edge = 0.015 * i
            outline = box(rim, low + edge, 1 - rim, high - edge)
            yield outline, mix(field, tone, 0.4 + 0.2 * i)


def flowers(number: int, field: Colour, figure: Colour, aspect: float) -> Iterator[Patch]:
    """A vase with flowers on a table."""
    wide, green = 0.5 / max(aspect, 0.6), (0.3, 0.42, 0.25)
    yield box(0, 0, 1, 0.26), mix(shade(figure, 0.45), field, 0.25)
    for i in range(7):
        u, v = 0.5 + wide * (0.11 * i - 0.33), 0.68 + 0.05 * ((i * 3 + number) % 4)
        yield [(0.49, 0.5), (0.51, 0.5), (u + 0.006, v), (u - 0.006, v)], green
    for i in range(7):
        u, v = 0.5 + wide * (0.11 * i - 0.33), 0.68 + 0.05 * ((i * 3 + number) % 4)
        tone = mix(figure, WHITE, 0.18 * (i % 4))
        yield oval(u, v, 0.1 * wide * 2, 0.085), tone
        yield oval(u, v, 0.035 * wide * 2, 0.03), mix((0.9, 0.75, 0.3), tone, 0.2)
    vase = [(0.42, 0.14), (0.58, 0.14), (0.63, 0.34), (0.55, 0.52), (0.45, 0.52), (0.37, 0.34)]
    yield [(0.5 + (u - 0.5) * 2 * wide, v) for u, v in vase], mix(field, WHITE, 0.6)


def portrait(number: int, field: Colour, figure: Colour, aspect: float) -> Iterator[Patch]:
    """Head and shoulders."""
    wide = 1 / max(aspect, 0.6)
    skin = ((0.87, 0.68, 0.55), (0.62, 0.43, 0.31), (0.45, 0.30, 0.22))[number % 3]
    hair = ((0.20, 0.13, 0.09), (0.55, 0.38, 0.2), (0.12, 0.11, 0.11))[(number // 3) % 3]
    yield oval(0.5, 0.62, 0.19 * wide, 0.24), hair
    body = [(0.5 - 0.36 * wide, 0.0), (0.5 + 0.36 * wide, 0.0)]
    body += [(0.5 + 0.3 * wide, 0.24), (0.5 + 0.1 * wide, 0.36)]
    body += [(0.5 - 0.1 * wide, 0.36), (0.5 - 0.3 * wide, 0.24)]
    yield body, figure
    yield box(0.5 - 0.06 * wide, 0.3, 0.5 + 0.06 * wide, 0.46), shade(skin, 0.85)
    yield oval(0.5, 0.58, 0.14 * wide, 0.19), skin
    yield oval(0.5, 0.75, 0.15 * wide, 0.06), hair
    for side in (-1, 1):
        yield oval(0.5 + side * 0.055 * wide, 0.6, 0.017 * wide, 0.014), (0.15, 0.12, 0.1)
    yield oval(0.5, 0.48, 0.045 * wide, 0.011), (0.65, 0.32, 0.3)


def leaves(number: int, field: Colour, figure: Colour, aspect: float) -> Iterator[Patch]:
    """One branch with leaves, as in a herbarium."""
    wide, green = 1 / max(aspect, 0.6), mix(figure, (0.25, 0.42, 0.22), 0.6)
    paper = mix(field, (0.96, 0.94, 0.88), 0.85)
    yield box(0, 0, 1, 1), paper
    yield [(0.493, 0.1), (0.507, 0.1), (0.503, 0.9), (0.497, 0.9)], shade(green, 0.7)
    for i in range(5 + number % 2):
        v = 0.24 + 0.11 * i
        long = (0.3 - 0.03 * i) * wide
        for side in (-1, 1):
            tip = (0.5 + side * long, v + 0.13)
            low = (0.5 + side * long * 0.62, v + 0.03)
            high = (0.5 + side * long * 0.4, v + 0.12)
            outline = [(0.5, v), low, tip, high]
            yield outline if side > 0 else outline[::-1], shade(green, 0.85 + 0.07 * (i % 4))
    yield box(0.36, 0.045, 0.64, 0.06), mix(paper, (0, 0, 0), 0.6)


def poster(number: int, field: Colour, figure: Colour, aspect: float) -> Iterator[Patch]:
    """A picture above lines of print."""
    yield box(0, 0, 1, 1), mix(field, WHITE, 0.75)
    for outline, tone in MOTIFS[number % 3](number, field, figure, aspect):
        yield [(0.08 + 0.84 * u, 0.36 + 0.56 * v) for u, v in outline], tone
    ink = shade(figure, 0.35)
    yield box(0.08, 0.24, 0.5 + 0.08 * (number % 5), 0.31), ink
    for i in range(3):
        yield (
            box(0.08, 0.17 - 0.05 * i, 0.92 - 0.13 * ((number + i) % 4), 0.19 - 0.05 * i),
            mix(ink, WHITE, 0.4),
        )


def work(number: int) -> Iterator[Patch]:
    """A window with lines of text and a chart, on a screen."""
    yield box(0.06, 0.12, 0.7, 0.92), (0.93, 0.94, 0.95)
    yield box(0.06, 0.86, 0.7, 0.92), (0.35, 0.45, 0.6)
    for i in range(8):
        long = 0.3 + 0.05 * ((number + 5 * i) % 6)
        yield box(0.1, 0.78 - 0.08 * i, 0.1 + long, 0.805 - 0.08 * i), (0.35, 0.37, 0.4)
    yield box(0.74, 0.3, 0.95, 0.8), (0.18, 0.22, 0.28)
    for i in range(4):
        top = 0.42 + 0.08 * ((number + 3 * i) % 4)
        yield box(0.77 + 0.043 * i, 0.34, 0.8 + 0.043 * i, top), (0.35, 0.7, 0.6)
    yield box(0, 0, 1, 0.06), (0.12, 0.13, 0.16)


Motif: TypeAlias = Callable[[int, Colour, Colour, float], Iterator[Patch]]
MOTIFS: tuple[Motif, ...] = (hills, sea, shapes, fields, flowers, portrait, leaves, poster)
"""Motifs by number; each returns its patches as :func:`motif` does."""
