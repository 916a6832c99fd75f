"""What a path tracer is told of a house."""

from __future__ import annotations

import json

import numpy as np
import pytest

from homebody.worlds.house.rendering.outside import Outside
from homebody.worlds.house.rendering.pathtracing.scene import describe_scene
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.triangle_tables import FaceTable
from worlds.house.rendering.small_house import BALL, small_house


@pytest.mark.slow
def test_it_is_told_of_all_triangles_but_hidden_ones() -> None:
    scene = RayScene(small_house(BALL))
    values, arrays = describe_scene(scene, Outside(scene.house), "day")
    json.dumps(values)  # plain values
    _, without = describe_scene(scene, Outside(scene.house), "day", {"ball_0"})
    ball = len(scene.part("ball_0"))
    assert len(arrays["corners"]) == len(without["corners"]) + ball
    assert len({len(arrays[name]) for name in ("corners", "normals", "codes", "places")}) == 1
    assert len(values["windows"]) == 1


def test_no_two_faces_of_a_thing_stay_in_one_plane() -> None:
    """Where they cover each other, pictures had black patches."""
    scene = RayScene(small_house(BALL))
    _, arrays = describe_scene(scene, Outside(scene.house), "day")
    mesh = scene.base
    planes = FaceTable.of(mesh, scene.owner[: len(mesh)]).planes
    moved = np.linalg.norm(arrays["corners"] - mesh.corners, axis=2).max(axis=1)
    assert moved.max() < 1e-3
    quads = planes[0::2] == planes[1::2] if not len(planes) % 2 else np.zeros(0, bool)
    assert quads.any()
    assert np.allclose(moved[0::2][quads], moved[1::2][quads], atol=1e-6)
    _, counts = np.unique(planes, return_counts=True)
    assert (moved > 0).any() == bool((counts > 2).any())
