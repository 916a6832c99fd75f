"""Soft light."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.baking import _look_through
from homebody.worlds.house.rendering.lighting import Pane


def test_a_street_lamp_gives_its_light_but_from_no_single_direction() -> None:
    pane = Pane(np.zeros((1, 3), np.float32), np.array([0, 1, 0], np.float32), 1.0)

    def street(starts: Floats, ways: Floats) -> Floats:
        light = np.full((3, len(ways)), 0.01, np.float32)
        light[:, 300] = 5.0
        return light

    seen = _look_through(pane, street)
    assert seen.mean() == pytest.approx((575 * 0.01 + 5.0) / 576, rel=1e-4)
    assert seen.max() < 8 * seen.mean()
