"""Pillows and blankets."""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.rendering.meshes.sketch import Sketch
from homebody.worlds.house.rendering.meshes.soft import blanket, pillow


def test_a_pillow_fills_its_box_and_is_thickest_in_the_middle() -> None:
    sketch = Sketch()
    pillow(sketch, (-0.3, -0.2, 0.0), (0.3, 0.2, 0.15), (0.8, 0.8, 0.8))
    mesh = sketch.mesh()
    points = mesh.corners.reshape(-1, 3)
    assert np.allclose(points.min(axis=0), (-0.3, -0.2, 0.0), atol=0.02)
    assert np.allclose(points.max(axis=0), (0.3, 0.2, 0.15), atol=0.02)
    rim = np.abs(points[:, 0]) > 0.27
    assert np.ptp(points[rim, 2]) < 0.8 * np.ptp(points[:, 2])
    # Normals look outwards: away from the middle.
    outward = ((points - (0, 0, 0.07)) * mesh.normals.reshape(-1, 3)).sum(axis=1)
    assert (outward > -1e-3).mean() > 0.97


def test_a_blanket_lies_on_the_bed_and_hangs_down_its_sides() -> None:
    sketch = Sketch()
    blanket(sketch, (-0.8, 0.8), (-0.5, 1.0), (0.3, 0.55), (0.5, 0.2, 0.2))
    points = sketch.mesh().corners.reshape(-1, 3)
    lying = (np.abs(points[:, 0]) < 0.6) & (points[:, 1] < 0.9)
    assert np.abs(points[lying, 2] - 0.55).max() < 0.03
    assert points[np.abs(points[:, 0]) > 0.79][:, 2].min() < 0.32
