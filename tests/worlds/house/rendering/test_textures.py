"""Painted faces show what the patterns say."""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.rendering.materials import PATTERNED
from homebody.worlds.house.rendering.patterns import apply_pattern
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.textures import TEXEL, WIDTH, paint
from worlds.house.rendering.small_house import BALL, small_house


def test_every_place_of_a_painted_face_has_its_pattern() -> None:
    scene = RayScene(small_house(BALL))
    mesh = scene.base
    atlas = paint(mesh, scene.owner[: len(mesh)])
    assert atlas.textured.any()
    assert set(mesh.surfaces[atlas.textured].tolist()) <= {int(code) for code in PATTERNED}
    height = len(atlas.texels)
    rng = np.random.default_rng(0)
    which = np.flatnonzero(atlas.textured)
    weights = rng.dirichlet((1, 1, 1), len(which))[:, :, None]
    places = (atlas.places[which] * weights).sum(axis=1) * (WIDTH, height) - 0.5
    points = (mesh.corners[which] * weights).sum(axis=1).astype(np.float32)
    cells = np.round(places).astype(int)
    painted = atlas.texels[cells[:, 1], cells[:, 0]] / 255
    flat = np.cross(
        mesh.corners[which, 1] - mesh.corners[which, 0],
        mesh.corners[which, 2] - mesh.corners[which, 0],
    )
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    apart = []
    for code in np.unique(mesh.surfaces[which]).tolist():
        own = np.flatnonzero(mesh.surfaces[which] == code)
        tables = (points[own], flat[own], mesh.colours[which[own]], mesh.seconds[which[own]])
        tables = tuple(np.ascontiguousarray(table.T, np.float32) for table in tables)
        pattern = apply_pattern(code, *tables, np.full(len(own), TEXEL, np.float32))
        apart.append(np.abs(painted[own] - np.clip(pattern.T, 0, 1)).max(axis=1))
    # A texel away a seam may begin: most places are as they should be, and none is empty.
    assert np.quantile(np.concatenate(apart), 0.8) < 0.06
    assert (painted.max(axis=1) > 0.02).all()


def test_a_scene_without_patterns_has_no_atlas() -> None:
    scene = RayScene(small_house(BALL))
    ball = scene.part("ball_0")
    atlas = paint(ball, np.ones(len(ball), np.int32))
    assert not atlas.textured.any()
    assert atlas.texels.shape == (0, WIDTH, 3)
