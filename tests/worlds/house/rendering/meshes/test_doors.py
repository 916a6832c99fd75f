"""A door's leaf is where the model says, shut and open, with a handle on both sides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from homebody.worlds.house.model.doors import open_leaf, shut_leaf
from homebody.worlds.house.model.house import Opening
from homebody.worlds.house.rendering.meshes.doors import leaf
from homebody.worlds.house.rendering.meshes.sketch import Sketch
from worlds.house.handmade import with_door

HOUSE = with_door()
DOORS = [
    replace(HOUSE.door["door_0"], hinge=hinge, swings_into=room)
    for hinge in ("start", "end")
    for room in ("kitchen_0", "bedroom_0")
]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: f"{door.hinge} {door.swings_into}")
@pytest.mark.parametrize("is_open", [False, True])
def test_a_leaf_fills_its_place_but_for_the_frame_and_handles(door: Opening, is_open: bool):
    sketch = Sketch()
    leaf(sketch, HOUSE, door, is_open)
    corners = sketch.mesh().corners.reshape(-1, 3)
    box = (open_leaf if is_open else shut_leaf)(HOUSE, door)
    low, high = corners.min(axis=0), corners.max(axis=0)
    thin = 0 if box.size[0] < box.size[1] else 1
    assert np.allclose(low[[1 - thin, 2]], [box.low[1 - thin], 0.0], atol=0.04)
    assert np.allclose(high[[1 - thin, 2]], [box.high[1 - thin], 2.1], atol=0.05)
    for side, beyond in ((box.low[thin] - low[thin], "low"), (high[thin] - box.high[thin], "high")):
        assert 0.03 < side < 0.08, beyond  # the handles, one on each side
    handles = corners[np.abs(corners[:, thin] - box.centre[thin]) > 0.05]
    hinge = door.start if door.hinge == "start" else door.end
    if not is_open:
        assert (np.abs(handles[:, 1] - hinge[1]) > 0.6).all()
