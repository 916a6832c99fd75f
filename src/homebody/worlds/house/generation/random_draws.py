"""Samples from a seeded generator, using only its methods ``random`` and ``integers``.

Results of its other methods may change with numpy's version, which would change every house.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np


def sample_between(rng: np.random.Generator, least: float, most: float) -> float:
    """Sample a number from ``least`` on and below ``most``, uniformly."""
    return least + (most - least) * rng.random()


def sample_weighted(rng: np.random.Generator, weights: Sequence[float]) -> int:
    """Sample a number below ``len(weights)``, by the weights."""
    left = rng.random() * math.fsum(weights)  # the rounding of sum() depends on Python's version
    for i, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return i
    return len(weights) - 1
