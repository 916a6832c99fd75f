"""glTF files of houses."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import trimesh

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.rendering.arrays import linear
from homebody.worlds.house.rendering.gltf import TO_GLTF, glb, parts, to_glb
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.by_name import mesh_of
from homebody.worlds.house.rendering.ray_scene import RayScene


def test_a_house_as_glb_can_be_read_again() -> None:
    house = generate(1, rooms=2, things=20)
    scene = trimesh.load(io.BytesIO(to_glb(house)), file_type="glb")
    assert isinstance(scene, trimesh.Scene)
    names = set(scene.graph.nodes)  # one of glass, too, has a node for each
    assert {piece.name for piece in house.furniture} <= names
    assert {room.floor_name for room in house.rooms} <= names
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


@pytest.mark.slow
def test_glass_blends_and_nothing_else_shines_like_metal() -> None:
    house = generate(1, rooms=["bathroom", "living_room"], things=200)
    data = to_glb(house)
    assert data == to_glb(house)
    tree = tree_of(data)
    opaque, glass = tree["materials"]
    assert opaque["alphaMode"] == "OPAQUE"
    assert glass["alphaMode"] == "BLEND"
    assert glass["pbrMetallicRoughness"]["baseColorFactor"][3] < 0.5
    for material in (opaque, glass):
        assert material["pbrMetallicRoughness"]["metallicFactor"] == 0
        assert material["pbrMetallicRoughness"]["roughnessFactor"] == 0.9
    scene = RayScene(house)
    counts: dict[str, dict[int, int]] = {}
    for mesh in tree["meshes"]:
        (part,) = mesh["primitives"]
        faces = tree["accessors"][part["indices"]]["count"] // 3
        counts.setdefault(mesh["name"].split()[0], {})[part["material"]] = faces
    for name, faces_of in counts.items():
        own = scene.part(name)
        count = int((own.surfaces == Surface.GLASS).sum())
        assert faces_of == {code: n for code, n in enumerate((len(own) - count, count)) if n}
    assert {len(faces_of) for faces_of in counts.values()} == {1, 2}
    assert {tuple(faces_of) for faces_of in counts.values()} >= {(0,), (0, 1)}
    nodes = [tree["nodes"][at] for at in tree["scenes"][0]["nodes"]]
    assert {node["name"] for node in nodes} == counts.keys()  # what else is of glass is a child
    ends = [view["byteOffset"] + view["byteLength"] for view in tree["bufferViews"]]
    assert ends[-1] == tree["buffers"][0]["byteLength"]
    assert all(end % 4 == 0 for end in ends)


def test_colours_are_the_light_that_pictures_take_them_for() -> None:
    house = generate(1, rooms=["bathroom"], things=0)
    data = to_glb(house)
    tree = tree_of(data)
    binary = data[28 + int.from_bytes(data[12:16], "little") :]
    name = house.rooms[0].floor_name
    (part,) = next(mesh for mesh in tree["meshes"] if mesh["name"] == name)["primitives"]
    accessor = tree["accessors"][part["attributes"]["COLOR_0"]]
    assert accessor["byteOffset"] == 0
    view = tree["bufferViews"][accessor["bufferView"]]
    first = np.frombuffer(binary, "<f4", 3, view["byteOffset"])
    assert np.allclose(first, linear(RayScene(house).part(name).colours[0]), atol=1e-4)


def test_colours_are_bytes_or_exact() -> None:
    house = generate(1, rooms=["bathroom"], things=10)
    nodes = [(name, mesh, {"name": name}, None) for name, mesh in parts(house, None, True, None)]
    files = [glb(nodes, exact) for exact in (True, False)]
    assert len(files[1]) < 0.95 * len(files[0])
    assert files[1] == glb(nodes)
    one, other = (trimesh.load(io.BytesIO(file), file_type="glb") for file in files)
    assert isinstance(one, trimesh.Scene)
    assert isinstance(other, trimesh.Scene)
    assert one.geometry.keys() == other.geometry.keys()
    for name, mesh in one.geometry.items():
        like = other.geometry[name]
        assert np.array_equal(mesh.triangles, like.triangles)
        places = mesh.faces.reshape(-1), like.faces.reshape(-1)
        assert np.allclose(mesh.vertex_normals[places[0]], like.vertex_normals[places[1]])
        assert np.allclose(np.linalg.norm(mesh.vertex_normals, axis=1), 1, atol=1e-5)
        light = (each.visual.vertex_attributes["color"] for each in (mesh, like))
        exact, bytes_ = (each[at][:, :3] for each, at in zip(light, places, strict=True))
        assert np.allclose(exact, bytes_ / 255, atol=0.003)


def test_a_node_stands_where_its_pose_says() -> None:
    house = generate(1, rooms=["bathroom"], things=10)
    piece = house.furniture[0]
    mesh = mesh_of(house, {}, piece.name, piece.states)
    pose = replace(piece.pose, yaw=30.0)
    scene = trimesh.load(io.BytesIO(glb([(piece.name, mesh, {}, pose)])), file_type="glb")
    placed = mesh.place(pose).corners.reshape(-1, 3) @ TO_GLTF
    assert np.allclose(scene.bounds, [placed.min(axis=0), placed.max(axis=0)], atol=1e-4)


@pytest.mark.slow
def test_extras_say_what_doors_people_and_materials_are() -> None:
    house = generate(2, "restaurant")
    nodes = tree_of(to_glb(house))["nodes"]
    told = {node["name"]: node["extras"] for node in nodes if "extras" in node}
    door = next(iter(house.door.values()))
    assert told[door.name]["rooms"] == list(door.rooms)
    assert told[door.name]["affordances"] == ["openable"]
    person = house.people[0]
    assert told[person.name]["room"] == person.room
    assert told[person.name].get("activity", "") == person.activity
    thing = next(thing for thing in house.things if thing.material)
    assert told[thing.name]["material"] == thing.material


def test_colours_are_kept_by_trimesh() -> None:
    house = generate(1, rooms=["bathroom"], things=0)
    name = house.rooms[0].floor_name
    loaded = trimesh.load(io.BytesIO(to_glb(house)), file_type="glb")
    read = loaded.geometry[name].visual.vertex_attributes["color"][0]
    assert np.allclose(read, linear(RayScene(house).part(name).colours[0]), atol=1e-4)
