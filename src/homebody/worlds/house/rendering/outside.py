"""What is seen outdoors."""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.rendering.arrays import Floats


def sky(directions: Floats) -> Floats:
    """Linear light (3, n) from outdoors in directions (3, n): sky, trees, a lawn."""
    x, y, z = directions
    light: Floats = np.empty_like(directions)
    up = np.clip(z, 0, 1)
    for row, (low, high) in enumerate(((0.95, 0.30), (1.05, 0.55), (1.15, 1.05))):
        light[row] = low + (high - low) * np.minimum(up * np.float32(1.6), 1)
    wave = np.abs(((x - y) * np.float32(4.0)) % 2 - 1) + np.abs((x * np.float32(9.0)) % 2 - 1)
    trees = z < np.float32(0.02) + wave * np.float32(0.05)
    lawn = z < np.float32(-0.03)
    light[:, trees] = np.array([[0.10], [0.20], [0.07]], np.float32)
    light[:, lawn] = np.array([[0.22], [0.40], [0.12]], np.float32)
    return light
