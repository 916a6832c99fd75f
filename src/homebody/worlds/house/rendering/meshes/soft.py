"""Soft objects: pillows, puffed cushions, blankets with folds."""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.model.house import Colour, Vector
from homebody.worlds.house.rendering.materials import FABRIC, Surface
from homebody.worlds.house.rendering.meshes.sketch import Sketch


def pillow(
    sketch: Sketch,
    low: Vector,
    high: Vector,
    colour: Colour,
    power: float = 3.0,
    surface: Surface = FABRIC,
) -> None:
    """Draw a pillow that fills a box, thickest in its middle; a higher power is more box-like."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    steps = np.sin(np.linspace(-np.pi / 2, np.pi / 2, 8))  # closer together at the seam
    u, v = np.meshgrid(steps, steps)
    thick = np.sqrt((1 - np.abs(u) ** power) * (1 - np.abs(v) ** power))
    pinch = 0.3 / power  # between its corners the seam runs inward
    x = (x0 + x1) / 2 + (x1 - x0) / 2 * u * (1 - pinch * (1 - v * v) * u * u)
    y = (y0 + y1) / 2 + (y1 - y0) / 2 * v * (1 - pinch * (1 - u * u) * v * v)
    seam = z0 + (z1 - z0) * 0.42
    upper = np.stack([x, y, seam + (z1 - seam) * thick], axis=2)
    lower = np.stack([x, y, seam - (seam - z0) * thick], axis=2)
    sketch.sheet(upper, colour, surface)
    sketch.sheet(lower[:, ::-1], colour, surface)


def blanket(
    sketch: Sketch,
    across: tuple[float, float],
    along: tuple[float, float],
    up: tuple[float, float],
    colour: Colour,
    number: int = 0,
) -> None:
    """Draw a blanket over x and y ranges of a bed, hanging down on both sides and at its far end.

    ``up`` is the lower end and the height of the blanket, ``number`` varies its folds.
    """
    (x0, x1), (y0, y1), (low, top) = across, along, up
    share = np.array([0, 0, 0.02, 0.1, 0.24, 0.38, 0.5, 0.62, 0.76, 0.9, 0.98, 1, 1])
    rows = np.array([0, 0.1, 0.22, 0.35, 0.48, 0.6, 0.72, 0.84, 0.94, 0.99, 1, 1])
    u, v = np.meshgrid(share, rows)
    x, y = x0 + (x1 - x0) * u, y0 + (y1 - y0) * v
    wave = np.sin(7.0 * x + 4.3 * y + number) * np.sin(5.1 * y - 3.2 * x + 2.0 * number)
    z = top - 0.006 + 0.008 * wave
    z[:, [1, -2]] -= 0.02
    hem = low + 0.012 * np.sin(9.0 * y + number)
    z[:, [0, -1]] = hem[:, [0, -1]]
    z[-2] -= 0.015
    z[-1] = low + 0.012 * np.sin(8.0 * x[-1] + number)
    # The hanging part swings in and out.
    bow = 0.016 * np.sin(13.0 * y[:, 0] + number)
    x[:, 0] -= 0.008 + bow
    x[:, -1] += 0.008 + bow[::-1]
    y[-1] += 0.008 * (1 + np.sin(11.0 * x[-1]))
    sketch.sheet(np.stack([x, y, z], axis=2), colour)
