"""Shared colours, and surfaces by colour."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import GLASS, GLOSS, METAL, Surface

STEEL: Colour = (0.72, 0.74, 0.76)
BLACK: Colour = (0.10, 0.10, 0.11)
BRASS: Colour = (0.8, 0.65, 0.35)
TIMBER: Colour = (0.72, 0.53, 0.33)
PAPER: Colour = (0.95, 0.94, 0.9)
SILVERED: Colour = (0.96, 0.97, 0.97)
"""The colour of mirrors."""
GLASSY: Colour = (0.74, 0.85, 0.87)
WATER: Colour = (0.55, 0.75, 0.85)
WARM: Colour = (1.0, 0.93, 0.78)
"""Colour of lamplight."""
SPINES: tuple[Colour, ...] = (
    (0.55, 0.16, 0.14), (0.16, 0.25, 0.42), (0.18, 0.36, 0.26), (0.80, 0.70, 0.48),
    (0.30, 0.22, 0.18), (0.72, 0.40, 0.18), (0.86, 0.84, 0.78), (0.42, 0.22, 0.40),
)  # fmt: skip
"""Colours of books, and of rows of clothes and goods."""


def shade(colour: Colour, factor: float) -> Colour:
    """Return a darker (factor < 1) or lighter colour."""
    red, green, blue = (min(1.0, max(0.0, part * factor)) for part in colour)
    return red, green, blue


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return a colour between two; share 0 is the first."""
    red, green, blue = (a + (b - a) * share for a, b in zip(first, second, strict=True))
    return red, green, blue


def surface_of(colour: Colour) -> Surface:
    """Return glass, metal or glaze, by the colour."""
    if max(abs(a - b) for a, b in zip(colour, GLASSY, strict=True)) < 0.03:
        return GLASS
    is_grey = max(colour) - min(colour) < 0.05
    return METAL if is_grey and 0.6 < colour[2] < 0.84 else GLOSS
