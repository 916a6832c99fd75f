"""Meshes of the user's in the place of ours."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import trimesh

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.rendering.gltf import to_glb
from homebody.worlds.house.rendering.mesh_files import read_mesh
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.render import Renderer
from homebody.worlds.house.rendering.user_meshes import UserMeshes, fit_mesh


def test_own_meshes_are_in_pictures_and_files(tmp_path: Path) -> None:
    house = generate(1, rooms=["kitchen"], things=10)
    path = tmp_path / "thing.glb"
    trimesh.creation.icosphere(subdivisions=1).export(path)
    piece = house.furniture[0]
    own = UserMeshes(house, {piece.category: path})
    assert len(Renderer.of(house, meshes=own).scene.part(piece.name)) == 80
    scene = trimesh.load(io.BytesIO(to_glb(house, meshes=own)), file_type="glb")
    assert len(scene.geometry[piece.name].faces) == 80


def test_own_meshes_take_the_place_of_ours(tmp_path: Path) -> None:
    house = generate(1, rooms=["kitchen"], things=10)
    path = tmp_path / "thing.glb"
    trimesh.creation.icosphere(subdivisions=1, radius=3.0).export(path)
    category = house.furniture[0].category
    scene = RayScene(house, meshes=UserMeshes(house, {category: path}))
    for piece in house.furniture:
        own = scene.part(piece.name)
        if piece.category == category:
            assert len(own) == 80
            low, high = own.corners.min(axis=(0, 1)), own.corners.max(axis=(0, 1))
            np.testing.assert_allclose(low, piece.box.low, atol=2e-3)
            np.testing.assert_allclose(high, piece.box.high, atol=2e-3)
        else:
            assert len(own) != 80


def test_gltf_front_is_our_front(tmp_path: Path) -> None:
    path = tmp_path / "arrow.obj"
    # A flat arrow in glTF's frame: up is y, its tip to the front, z.
    path.write_text("v -1 0 0\nv 1 0 0\nv 0 0 3\nv 0 1 0\nf 1 2 3\nf 1 3 4\nf 2 4 3\nf 1 4 2\n")
    mesh = fit_mesh(read_mesh(path), (1.0, 3.0, 0.5))
    tip = mesh.corners.reshape(-1, 3)[mesh.corners.reshape(-1, 3)[:, 1].argmax()]
    np.testing.assert_allclose(tip, [0.0, 1.5, 0.0], atol=1e-5)
    assert mesh.corners[..., 2].max() == pytest.approx(0.5)
