"""Draws from a seeded generator, with nothing but its ``random`` and ``integers``: what others of
its methods make of its stream may change with numpy's version, and with it every house."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def sample_between(rng: np.random.Generator, least: float, most: float) -> float:
    """A number from ``least`` on and below ``most``, each as likely as the other."""
    return least + (most - least) * rng.random()


def choose(rng: np.random.Generator, options: Sequence[T]) -> T:
    """One of some, each as likely as the others."""
    return options[int(rng.integers(len(options)))]


def sample_weighted(rng: np.random.Generator, weights: Sequence[float]) -> int:
    """A number below ``len(weights)``, each as likely as its weight says."""
    left = rng.random() * math.fsum(weights)  # sum() rounds as Python's version does
    for i, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return i
    return len(weights) - 1
