"""Files of meshes: what is none, or more than a mesh may be, is refused in a sentence."""

from __future__ import annotations

import base64
import io
import json
import logging
import random
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from PIL import Image

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.rendering import mesh_files
from homebody.worlds.house.rendering.gltf import to_glb
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.mesh_files import read_mesh
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.user_meshes import fit_mesh

BALL = trimesh.creation.icosphere(subdivisions=1)


def glb(change: Callable[[dict[str, Any]], object] = lambda tree: None, **views: bytes) -> bytes:
    """A ball as a glTF file, with something changed in what it says; ``views`` are more numbers."""
    data = BALL.export(file_type="glb")
    length = struct.unpack_from("<I", data, 12)[0]
    tree, binary = json.loads(data[20 : 20 + length]), data[28 + length :]
    for name, view in views.items():
        place = {"buffer": 0, "byteOffset": len(binary), "byteLength": len(view), "name": name}
        tree["bufferViews"].append(place)
        binary += view + bytes(-len(view) % 4)
    tree["buffers"][0]["byteLength"] = len(binary)
    change(tree)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def refuse(path: Path, data: bytes, why: str) -> None:
    path.write_bytes(data)
    with pytest.raises(HomebodyError, match=why) as caught:
        read_mesh(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("missing.glb", None, "file not found"),
        ("mesh.txt", b"v 0 0 0", "unknown mesh format"),
        ("broken.glb", b"nothing of the kind", "cannot be read"),
        ("empty.glb", b"", "cannot be read"),
        ("empty.obj", b"# nothing\n", "empty.obj"),
        ("wild.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "wild.obj"),
        ("far.obj", b"v 1e30 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite or exceed"),
        ("out.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "out.obj"),
        ("deep.gltf", b'{"a":' * 100_000, "cannot be read"),
        ("number.gltf", b"3", "cannot be read"),
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


Change = Callable[[dict[str, Any]], object]
HOSTILE: dict[str, tuple[Change, str]] = {
    "a huge count": (lambda t: t["accessors"][0].update(count=10**12), "invalid count"),
    "a count below zero": (lambda t: t["accessors"][0].update(count=-3), "invalid count"),
    "a count that is none": (lambda t: t["accessors"][0].update(count=True), "invalid count"),
    "zeros that are not there": (
        lambda t: t["accessors"].append({"count": 10**7, "type": "VEC3", "componentType": 5126}),
        "omits more than",
    ),
    "another file's numbers": (
        lambda t: t["buffers"][0].update(uri="../secret.bin"),
        "refers to other files",
    ),
    "another host's picture": (
        lambda t: t.update(images=[{"uri": "http://127.0.0.1:9/a.png"}]),
        "refers to other files",
    ),
    "many nodes": (
        lambda t: t.update(nodes=[{"mesh": 0}] * 10_001),
        "more than 10000 nodes",
    ),
    "a mesh shown often": (
        lambda t: t.update(nodes=[{"mesh": 0}] * 9_000, scenes=[{"nodes": list(range(9_000))}]),
        "720000 triangles",
    ),
    "nodes that share a child": (
        lambda t: t.update(nodes=[{"children": [2]}, {"children": [2]}, {"mesh": 0}]),
        "not a tree",
    ),
    "a mesh that is not there": (lambda t: t["nodes"][-1].update(mesh=7), "cannot be read"),
    "numbers that are no list": (lambda t: t.update(accessors={"a": 1}), "cannot be read"),
    "many pictures": (lambda t: t.update(images=[{"bufferView": 0}] * 101), "101 pictures"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files(tmp_path: Path, what: str) -> None:
    change, why = HOSTILE[what]
    refuse(tmp_path / "mesh.glb", glb(change), why)


def test_an_index_out_of_range(tmp_path: Path) -> None:
    # the indices come first in what trimesh writes: 80 triangles
    data = bytearray(glb())
    length = struct.unpack_from("<I", data, 12)[0]
    struct.pack_into("<I", data, 28 + length, 4_000_000_000)
    refuse(tmp_path / "mesh.glb", bytes(data), "a missing corner|cannot be read")


def test_a_small_file_with_a_huge_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mesh_files, "MAX_PIXELS", 100 * 100)
    packed = io.BytesIO()
    Image.new("1", (200, 200)).save(packed, "png")

    def add(tree: dict[str, Any]) -> None:
        tree["images"] = [{"bufferView": len(tree["bufferViews"]) - 1, "mimeType": "image/png"}]

    refuse(tmp_path / "mesh.glb", glb(add, picture=packed.getvalue()), "too many pixels: 40000")


def test_files_are_bounded_before_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mesh_files, "MAX_BYTES", 1000)
    refuse(tmp_path / "mesh.stl", BALL.export(file_type="stl"), "the file is too large")


def test_an_objects_materials_are_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "colours.mtl").write_text("newmtl red\nKd 1 0 0\n")
    path = tmp_path / "mesh.obj"
    path.write_text(
        "mtllib colours.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl red\nf 1/1 2/1 3/1\n"
    )
    assert np.allclose(read_mesh(path).colours, [0.7, 0.7, 0.7])


def mutated(data: bytes, chance: random.Random) -> bytes:
    """With bytes or numbers of its beginning changed, cut off, or doubled in part."""
    changed = bytearray(data)
    match chance.randrange(4):
        case 0:
            for _ in range(chance.choice((1, 2, 30))):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
        case 1:
            del changed[chance.randrange(len(changed)) :]
        case 2:
            begin, end = sorted(chance.sample(range(len(changed)), 2))
            changed[begin:begin] = changed[begin : min(end, begin + 2000)]
        case _:
            numbers = list(re.finditer(rb"\d+(\.\d+)?", data[:4000]))
            place = chance.choice(numbers).span() if numbers else (0, 1)
            size = place[1] - place[0]
            changed[slice(*place)] = chance.choice((b"9" * size, b"0" * size, b"-" + b"9" * size))
    return bytes(changed)


@pytest.mark.sampled
@pytest.mark.parametrize("suffix", ["glb", "obj", "ply", "stl"])
def test_whatever_is_in_a_file_it_is_a_mesh_or_a_sentence(tmp_path: Path, suffix: str) -> None:
    data = BALL.export(file_type=suffix)
    data = data.encode() if isinstance(data, str) else data
    path = tmp_path / f"mesh.{suffix}"
    read = 0
    for seed in range(150):
        path.write_bytes(mutated(data, random.Random(f"{suffix} {seed}")))
        try:
            mesh = fit_mesh(read_mesh(path), (1.0, 2.0, 0.5))
        except HomebodyError:
            continue
        read += 1
        for numbers in (mesh.corners, mesh.normals, mesh.colours):
            assert np.isfinite(numbers).all()
    assert 0 < read < 150


def test_a_broken_file_logs_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        refuse(tmp_path / "mesh.stl", b"solid nothing\n" * 20, "mesh.stl")
    assert not caplog.records


def test_the_light_of_gltf_becomes_colours(tmp_path: Path) -> None:
    ball = BALL.copy()
    ball.visual.vertex_colors = [64, 255, 0, 255]
    ball.export(tmp_path / "ball.glb")
    assert np.allclose(read_mesh(tmp_path / "ball.glb").colours, [0.5, 1, 0], atol=0.01)
    ball.export(tmp_path / "ball.ply")
    assert np.allclose(read_mesh(tmp_path / "ball.ply").colours, [0.25, 1, 0], atol=0.01)


def test_colours_of_corners_as_floats(tmp_path: Path) -> None:
    """A triangle whose corners have colours, twice in a scene."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")
    content = corners.tobytes() + np.array([[0.25, 1.0, 0.0]] * 3, "<f4").tobytes()
    mesh = {"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}}]}
    floats = {"componentType": 5126, "count": 3, "type": "VEC3"}
    tree = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0}, {"mesh": 0, "translation": [2, 0, 0]}], "meshes": [mesh],
        "buffers": [{"byteLength": len(content), "uri": _uri(content)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": at, "byteLength": 36} for at in (0, 36)
        ],
        "accessors": [
            {"bufferView": 0, **floats, "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, **floats},
        ],
    }  # fmt: skip
    path = tmp_path / "mesh.gltf"
    path.write_text(json.dumps(tree))
    assert np.allclose(read_mesh(path).colours, [[0.5, 1, 0]] * 2, atol=0.01)


def _uri(content: bytes) -> str:
    return "data:application/octet-stream;base64," + base64.b64encode(content).decode()


def test_colours_and_textures_of_an_exported_house_are_read(tmp_path: Path) -> None:
    house = generate(1, rooms=["bathroom"], furniture=1, things=0)
    path = tmp_path / "house.glb"
    path.write_bytes(to_glb(house))
    read = read_mesh(path)
    walls = RayScene(house).part(f"walls_{house.rooms[0].name}")
    for tone in np.unique(walls.colours[walls.surfaces == Surface.GLOSS], axis=0):
        assert np.abs(read.colours - tone).max(axis=1).min() < 0.02
    floor = RayScene(house).part(house.rooms[0].floor_name)
    flat = np.abs(read.corners[..., 2]).max(axis=1) < 1e-3
    apart = np.abs(read.colours[flat] - floor.colours[0]).max(axis=1)
    assert apart.min() < 0.15
