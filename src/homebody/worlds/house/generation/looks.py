"""What an object looks like and is made of, drawn within what its category allows."""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.generation.random_draws import choose, sample_between
from homebody.worlds.house.model.catalogue import ThingKind
from homebody.worlds.house.model.house import Colour

LEAST_SIDE = 4
"""Millimetres: nothing is thinner."""


def sample_size(rng: np.random.Generator, kind: ThingKind) -> tuple[int, int, int]:
    """Width, depth and height in millimetres, even numbers."""
    factor = sample_between(rng, *kind.varies)
    width, depth, height = (max(LEAST_SIDE, round(side * factor * 500) * 2) for side in kind.size)
    return width, depth, height


def sample_style(rng: np.random.Generator, kind: ThingKind) -> tuple[dict[str, Colour], str]:
    """Colours by part, and the material: one that comes in the colour of the body."""
    style = {part: choose(rng, palette) for part, palette in kind.style.items()}
    materials = kind.made_of[style["body"]]
    return style, choose(rng, materials) if materials else ""
