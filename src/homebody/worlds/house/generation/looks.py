"""Samples size, colours and material of an object within the limits of its category."""

from __future__ import annotations

import numpy as np

from homebody.core.ground.seeds import choose
from homebody.worlds.house.generation.random_draws import sample_between
from homebody.worlds.house.model.catalogue import ThingKind
from homebody.worlds.house.model.house import Colour

LEAST_SIDE = 4
"""Minimum side in millimetres."""


def sample_size(rng: np.random.Generator, kind: ThingKind) -> tuple[int, int, int]:
    """Sample width, depth and height in millimetres, even numbers."""
    factor = sample_between(rng, *kind.varies)
    width, depth, height = (max(LEAST_SIDE, round(side * factor * 500) * 2) for side in kind.size)
    return width, depth, height


def sample_style(rng: np.random.Generator, kind: ThingKind) -> tuple[dict[str, Colour], str]:
    """Sample colours by part, and a material that exists in the colour of the body."""
    style = {part: choose(rng, palette) for part, palette in kind.style.items()}
    materials = kind.made_of[style["body"]]
    return style, choose(rng, materials) if materials else ""
