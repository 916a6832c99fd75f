"""glTF files of houses: everything in them, in place, in its materials; other readers agree."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.arrays import linear
from homebody.worlds.house.rendering.exporting import nodes_of
from homebody.worlds.house.rendering.gltf import TO_GLTF, glb, to_glb
from homebody.worlds.house.rendering.materials import MATERIALS, Surface
from homebody.worlds.house.rendering.meshes.by_name import mesh_of
from homebody.worlds.house.rendering.ray_scene import RayScene
from worlds.house.rendering.small_house import HIDDEN, small_house

VALIDATOR = os.environ.get("HOMEBODY_GLTF_VALIDATOR", "")
"""Folder in which ``npm install gltf-validator`` was run."""


def tree_of(data: bytes) -> dict[str, Any]:
    """The JSON of a binary glTF file."""
    length = int.from_bytes(data[12:16], "little")
    assert data[16:20] == b"JSON"
    assert int.from_bytes(data[8:12], "little") == len(data)
    tree: dict[str, Any] = json.loads(data[20 : 20 + length])
    return tree


def load(data: bytes) -> trimesh.Scene:
    scene = trimesh.load(io.BytesIO(data), file_type="glb")
    assert isinstance(scene, trimesh.Scene)
    return scene


def corners_of(scene: trimesh.Scene, name: str) -> NDArray[np.float64]:
    """The corners of a node in the house, in homebody's frame."""
    below = [name, *scene.graph.transforms.children.get(name, [])]
    found = []
    for node in below:
        matrix, geometry = scene.graph.get(node)
        if geometry is not None:
            found.append(trimesh.transform_points(scene.geometry[geometry].vertices, matrix))
    return np.concatenate(found) @ TO_GLTF


def test_it_has_the_contents_of_shut_containers() -> None:
    house = small_house()
    assert not house.piece["cabinet_0"].states["open"]
    house = replace(house, things=(HIDDEN,))
    assert "cup_0" in {node["name"] for node in tree_of(to_glb(house))["nodes"]}


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["home", "office", "restaurant", "shop"])
def test_trimesh_reads_count_names_and_poses(kind: str) -> None:
    house = generate(1, kind)
    scene = load(to_glb(house))
    everything = [*house.rooms, *house.openings, *house.furniture, *house.things, *house.people]
    names = {each.name for each in everything} - {room.name for room in house.rooms}
    names |= {name for room in house.rooms for name in (room.floor_name, f"walls_{room.name}")}
    top = set(scene.graph.transforms.children[scene.graph.base_frame])
    assert top == names
    for each in (*house.furniture, *house.things, *house.people):
        assert isinstance(each.pose, Pose)
        matrix, _ = scene.graph.get(each.name)
        assert matrix[:3, 3] == pytest.approx(TO_GLTF @ each.pose.position, abs=1e-4)
        ahead = TO_GLTF @ matrix[:3, :3] @ TO_GLTF @ (0.0, 1.0, 0.0)
        turn = np.radians(each.pose.yaw)
        assert ahead == pytest.approx((-np.sin(turn), np.cos(turn), 0.0), abs=1e-4)
    drawn = RayScene(house)
    for name in names - house.thing.keys():  # the scene omits contents of shut containers
        expected = drawn.part(name).corners.reshape(-1, 3)
        found = corners_of(scene, name)
        assert found.min(axis=0) == pytest.approx(expected.min(axis=0), abs=1e-3)
        assert found.max(axis=0) == pytest.approx(expected.max(axis=0), abs=1e-3)


def test_equal_shapes_are_one_mesh() -> None:
    house = generate(1, "restaurant")
    tree = tree_of(to_glb(house))
    assert len(tree["meshes"]) < len(tree["nodes"])
    shown: dict[int, set[str]] = {}
    for node in tree["nodes"]:
        shown.setdefault(node["mesh"], set()).add(node["extras"].get("category", ""))
    assert max(map(len, shown.values())) == 1
    assert shown.keys() == set(range(len(tree["meshes"])))


def test_materials_are_those_of_pictures() -> None:
    house = generate(1, rooms=["bathroom", "living_room"], things=200)
    data = to_glb(house)
    assert data == to_glb(house)
    tree = tree_of(data)
    drawn = {int(code) for _, mesh, _, _ in nodes_of(house) for code in np.unique(mesh.surfaces)}
    names = {material["name"] for material in tree["materials"]}
    for surface in map(Surface, drawn):
        form = re.compile(surface.name.lower() + "(_painted|_[0-9a-f]{6})?")
        own = [name for name in names if form.fullmatch(name)]
        assert own, surface
        made = [each for each in tree["materials"] if each["name"] in own]
        for material in made:
            shading = material["pbrMetallicRoughness"]
            assert shading["roughnessFactor"] == MATERIALS[surface].roughness
            assert shading["metallicFactor"] == MATERIALS[surface].metalness
            assert ("baseColorTexture" in shading) == material["name"].endswith("_painted")
            assert (material.get("alphaMode") == "BLEND") == (surface == Surface.GLASS)
            assert ("emissiveFactor" in material) == (surface == Surface.GLOW)
    assert drawn >= {Surface.METAL, Surface.GLASS, Surface.GLOW, Surface.FABRIC}


def test_floors_have_their_pattern() -> None:
    """The colours of the floor's picture are those that pictures compute."""
    house = generate(1, rooms=["bathroom"], things=0)
    floor = load(to_glb(house)).geometry[house.rooms[0].floor_name]
    picture: Any = floor.visual.material.baseColorTexture
    texels = np.asarray(picture, np.float64) / 255
    spots = np.asarray(floor.visual.uv) * (picture.width, picture.height)
    low, high = spots.min(axis=0).astype(int), spots.max(axis=0).astype(int)
    size = (high - low) * 0.008
    extent = np.ptp(floor.vertices, axis=0)[[0, 2]]
    assert sorted(size) == pytest.approx(sorted(extent), abs=0.02)
    # trimesh turns v over: rows are counted from below
    own = texels[::-1][low[1] : high[1], low[0] : high[0]]
    mesh = RayScene(house).part(house.rooms[0].floor_name)
    tones = np.stack([mesh.colours[0], mesh.seconds[0]])
    assert own.reshape(-1, 3).std(axis=0).max() > 0.01
    assert own.mean(axis=(0, 1)) == pytest.approx(tones.mean(axis=0), abs=0.15)


def test_colours_are_the_light_that_pictures_take_them_for() -> None:
    house = generate(1, rooms=["bathroom"], things=0)
    name = f"walls_{house.rooms[0].name}"
    scene, mesh = load(to_glb(house)), mesh_of(house, {}, f"walls_{house.rooms[0].name}", {})
    plain = next(
        each
        for key, each in scene.geometry.items()
        if key.startswith(name) and each.visual.material.name == "gloss"
    )
    expected = np.unique(linear(mesh.colours[mesh.surfaces == Surface.GLOSS]).round(4), axis=0)
    read = np.unique(plain.visual.vertex_attributes["color"][:, :3].round(4), axis=0)
    assert read == pytest.approx(expected, abs=2e-4)


def test_plain_files_have_colours_of_bytes_and_two_materials() -> None:
    house = generate(1, rooms=["bathroom"], things=10)
    nodes = list(nodes_of(house, ceilings=True))
    plain, detailed = glb(nodes), glb(nodes, detailed=True)
    assert len(plain) < 0.8 * len(detailed)
    assert {each["name"] for each in tree_of(plain)["materials"]} == {"matt", "glass"}
    one, other = load(plain), load(detailed)
    for name, *_ in nodes:
        assert corners_of(one, name).mean() == pytest.approx(corners_of(other, name).mean(), abs=1)
        assert np.ptp(corners_of(one, name), axis=0) == pytest.approx(
            np.ptp(corners_of(other, name), axis=0), abs=1e-4
        )


def test_a_node_stands_where_its_pose_says() -> None:
    house = generate(1, rooms=["bathroom"], things=10)
    piece = house.furniture[0]
    mesh = mesh_of(house, {}, piece.name, piece.states)
    pose = replace(piece.pose, yaw=30.0)
    scene = load(glb([(piece.name, mesh, {}, pose)]))
    placed = mesh.place(pose).corners.reshape(-1, 3) @ TO_GLTF
    assert np.allclose(scene.bounds, [placed.min(axis=0), placed.max(axis=0)], atol=1e-4)


def test_a_state_decides_where_objects_are() -> None:
    house = generate(1, rooms=["kitchen"], things=10)
    state, (one, other) = HouseState.start(house), house.things[:2]
    state.move(one.name, other.place, other.pose)
    node = next(each for each in tree_of(to_glb(house, state))["nodes"] if each["name"] == one.name)
    assert node["translation"] == pytest.approx(TO_GLTF @ other.pose.position, abs=1e-4)
    assert node["extras"]["on"] == other.place[0]


@pytest.mark.slow
def test_extras_say_what_doors_people_and_materials_are() -> None:
    house = generate(2, "restaurant")
    told = {node["name"]: node["extras"] for node in tree_of(to_glb(house))["nodes"]}
    door = next(iter(house.door.values()))
    assert told[door.name]["rooms"] == list(door.rooms)
    assert told[door.name]["affordances"] == ["openable"]
    person = house.people[0]
    assert told[person.name]["room"] == person.room
    assert told[person.name].get("activity", "") == person.activity
    thing = next(thing for thing in house.things if thing.material)
    assert told[thing.name]["material"] == thing.material


KINDS = ("home", "office", "classroom", "shop", "gym", "restaurant", "gallery", "hospital")


@pytest.mark.slow
@pytest.mark.skipif(not VALIDATOR, reason="HOMEBODY_GLTF_VALIDATOR is not set")
def test_khronos_validator_finds_nothing(tmp_path: Path) -> None:
    houses: list[House] = [generate(0, kind) for kind in (*KINDS, "hotel", "supermarket")]
    houses += [generate(seed, "home") for seed in (1, 2)]
    paths = [tmp_path / f"{number}.glb" for number in range(len(houses))]
    for path, house in zip(paths, houses, strict=True):
        path.write_bytes(to_glb(house, ceilings=True))
    node = shutil.which("node")
    assert node is not None
    script = """
        const { validateBytes } = require('gltf-validator');
        const read = (file) => new Uint8Array(require('fs').readFileSync(file));
        Promise.all(process.argv.slice(1).map((file) => validateBytes(read(file))))
          .then((all) => console.log(JSON.stringify(all.map((each) => each.issues))));
    """
    called = subprocess.run(
        [node, "-e", script, *map(str, paths)],
        cwd=VALIDATOR,
        capture_output=True,
        check=True,
    )
    issues = json.loads(called.stdout)
    assert len(issues) == 12
    assert [(each["numErrors"], each["numWarnings"]) for each in issues] == [(0, 0)] * 12
