"""Numbers drawn from a seeded generator, with nothing but ``Generator.random``: what other methods
make of its stream may change with numpy's version, and with it every house."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def between(rng: np.random.Generator, least: float, most: float) -> float:
    """A number from ``least`` on and below ``most``, each as likely as the other."""
    return least + (most - least) * rng.random()


def weighted(rng: np.random.Generator, weights: Sequence[float]) -> int:
    """A number below ``len(weights)``, each as likely as its weight says."""
    left = rng.random() * sum(weights)
    for i, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return i
    return len(weights) - 1
