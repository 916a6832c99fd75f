"""glTF files of houses, and meshes of the user's."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from homebody.core.errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.rendering.gltf import UserMeshes, fitted, read_mesh, to_glb
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.rays import RayScene
from homebody.worlds.house.rendering.render import Renderer


def test_a_house_as_glb_can_be_read_again() -> None:
    house = generate(1, rooms=2, things=20)
    scene = trimesh.load(io.BytesIO(to_glb(house)), file_type="glb")
    assert isinstance(scene, trimesh.Scene)
    names = set(scene.graph.nodes_geometry)
    assert {one.name for one in house.furniture} <= names
    assert {one.floor_name for one in house.rooms} <= names
    assert not any(name.startswith("ceiling_" + house.rooms[0].name) for name in names)
    piece = house.furniture[0]
    low, high = scene.geometry[piece.name].bounds
    # (x, y, z) of the house is (-x, z, y) of glTF.
    assert abs(-(low[0] + high[0]) / 2 - piece.box.centre[0]) < 0.2
    assert abs((low[2] + high[2]) / 2 - piece.box.centre[1]) < 0.2
    assert low[1] >= piece.box.low[2] - 0.02


def tree_of(data: bytes) -> dict[str, Any]:
    """The JSON of a binary glTF file."""
    length = int.from_bytes(data[12:16], "little")
    assert data[16:20] == b"JSON"
    assert int.from_bytes(data[8:12], "little") == len(data)
    tree: dict[str, Any] = json.loads(data[20 : 20 + length])
    return tree


def test_glass_blends_and_nothing_else_shines_like_metal() -> None:
    house = generate(1, rooms=2, things=20)
    data = to_glb(house)
    assert data == to_glb(house)
    tree = tree_of(data)
    opaque, glass = tree["materials"]
    assert opaque["alphaMode"] == "OPAQUE"
    assert glass["alphaMode"] == "BLEND"
    assert glass["pbrMetallicRoughness"]["baseColorFactor"][3] < 0.5
    for one in (opaque, glass):
        assert one["pbrMetallicRoughness"]["metallicFactor"] == 0
        assert one["pbrMetallicRoughness"]["roughnessFactor"] == 0.9
    scene = RayScene(house)
    seen = set()
    for mesh in tree["meshes"]:
        own = scene.part(mesh["name"])
        count = int((own.surfaces == Surface.GLASS).sum())
        faces = {
            one["material"]: tree["accessors"][one["indices"]]["count"] // 3
            for one in mesh["primitives"]
        }
        seen |= set(faces)
        assert faces == {code: n for code, n in enumerate((len(own) - count, count)) if n}
    assert seen == {0, 1}
    ends = [view["byteOffset"] + view["byteLength"] for view in tree["bufferViews"]]
    assert ends[-1] == tree["buffers"][0]["byteLength"]
    assert all(end % 4 == 0 for end in ends)


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
    mesh = fitted(read_mesh(path), (1.0, 3.0, 0.5))
    tip = mesh.corners.reshape(-1, 3)[mesh.corners.reshape(-1, 3)[:, 1].argmax()]
    np.testing.assert_allclose(tip, [0.0, 1.5, 0.0], atol=1e-5)
    assert mesh.corners[..., 2].max() == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("missing.glb", None, "no such file"),
        ("mesh.txt", b"v 0 0 0", "no known format"),
        ("broken.glb", b"nothing of the kind", "broken.glb"),
        ("empty.obj", b"# nothing\n", "empty.obj"),
        ("wild.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "wild.obj"),
    ],
)
def test_files_that_are_no_meshes(
    tmp_path: Path, name: str, content: bytes | None, why: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(HomebodyError, match=why):
        read_mesh(path)
