"""Houses, scenarios, scenes of others and meshes as targets: what is read is also checked, written
and begun."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np

from homebody.worlds.house.exchange import habitat, procthor
from homebody.worlds.house.exchange.imported import Imported
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check as problems_of
from homebody.worlds.house.io import files
from homebody.worlds.house.model.agents import HUMAN, ROBOT
from homebody.worlds.house.model.catalogue import catalogue_files, read_catalogue
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.recipe import HouseRecipe
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.gltf import to_glb
from homebody.worlds.house.rendering.user_meshes import read_mesh
from homebody.worlds.house.simulation import scenario as scenarios
from hostile.readers import reader, reader_of_files
from hostile.target import Broken, Input, Prepared, Target
from worlds.house.exchange import scenes


def house_targets() -> Iterator[Target]:
    """A target for each format of files."""
    yield Target("house", lambda: reader(small_houses(), _house))
    yield Target("scenario", lambda: reader(_small_scenarios(), _scenario))
    yield Target("catalogue", _catalogue)
    yield Target("procthor", _procthor)
    yield Target("habitat", _habitat)
    for suffix in (".glb", ".obj", ".ply", ".stl"):
        yield Target(f"mesh {suffix}", partial(_meshes, suffix))


def small_houses() -> list[bytes]:
    """Files of houses of two rooms."""
    return [files.encode(_generated(seed)) for seed in range(3)]


def _generated(seed: int) -> House:
    return generate(seed, rooms=2, furniture=6, things=6)


def _house(data: bytes) -> object:
    house = files.decode(data)
    HouseState.start(house)
    again = files.encode(house)
    if files.encode(files.decode(again)) != again:
        raise Broken("what is written is read as something else")
    return problems_of(house)


def _small_scenarios() -> list[bytes]:
    roles = (scenarios.Role("robot", ROBOT), scenarios.Role("human", HUMAN))
    recipe = HouseRecipe(3, "home", 2, furniture=6, things=6)
    chances, goal = {"Pick": 0.1}, {"deep": [1, None]}
    made = [
        scenarios.Scenario(house, roles, "Bring the cup.", goal, failures=chances)
        for house in (*map(_generated, range(3)), recipe)
    ]
    woken = _generated(0)
    made.append(scenarios.Scenario(woken, roles, awake=[one.name for one in woken.people]))
    return [files.encode(one) for one in made]


def _scenario(data: bytes) -> object:
    scenario = files.decode_scenario(data)
    if not isinstance(scenario.house, House):
        return scenario.house  # generating any house takes seconds
    return scenarios.start(scenario, scenario.house).state.bodies


# -- the catalogue ---------------------------------------------------------------------------------

_DAMAGED = (
    "x = " + "[" * 5000,
    "[things]\na = " + "{b = " * 3000,
    "[furniture.x]\nsize = [nan, inf, -1]\n",
    "[things.x]\nsize = [1e9, 0, 0]\n",
    '[things."a b]c"]\nsize = [0.1, 0.1, 0.1]\n',
    "[things]\nx = 3\n",
    "[rooms.kitchen]\n",
    "[people]\ngarments = []\n",
    "things = 1979-05-27\n",
    "[things.x]\ncolours = [0x7fffffffffffffffffff]\n",
)


def _catalogue() -> Prepared:
    """Small files of ours, each damaged while all others stay as they are."""
    texts = catalogue_files()
    names = sorted(texts, key=lambda name: len(texts[name]))[:8]

    def judge(given: Input, which: int, random: Random) -> bytes:
        def read(text: str) -> int:
            return len(read_catalogue({**texts, names[which]: text}).things)

        return reader([], read).judge(given, which, random)

    return Prepared([texts[name] for name in names], judge, [(text, None) for text in _DAMAGED])


# -- scenes of others ------------------------------------------------------------------------------


def _procthor() -> Prepared:
    made = [scenes.procthor(_generated(seed)) for seed in range(3)]
    sizes = {}
    for _, assets in made:
        for asset in (asset for group in assets.values() for asset in group):
            sizes[asset["assetId"]] = msgspec.convert(asset, procthor.Asset)
    valid = [json.dumps(scene).encode() for scene, _ in made]
    return reader_of_files(valid, lambda path: _imported(procthor.read_house(path, sizes)), ".json")


def _habitat() -> Prepared:
    valid = [json.dumps(scenes.habitat(_generated(seed))[0]).encode() for seed in range(3)]
    suffix = ".scene_instance.json"
    return reader_of_files(valid, lambda path: _imported(habitat.read_scene(path)), suffix)


def _imported(imported: Imported) -> object:
    return _house(files.encode(imported.house))


# -- meshes ----------------------------------------------------------------------------------------


def _meshes(suffix: str) -> Prepared:
    import trimesh

    shapes = [trimesh.creation.icosphere(subdivisions=1), trimesh.creation.box((1, 2, 3))]
    exported = [shape.export(file_type=suffix[1:]) for shape in shapes]
    valid = [data if isinstance(data, bytes) else data.encode() for data in exported]
    if suffix == ".glb":
        valid.append(to_glb(generate(1, rooms=1, furniture=1, things=0)))
    crafted = {".glb": _crafted_glb(), ".obj": _CRAFTED_OBJ}.get(suffix, ())
    return reader_of_files(valid, _mesh, suffix, crafted=crafted)


def _mesh(path: Path) -> object:
    mesh = read_mesh(path)
    if not np.isfinite(mesh.corners).all():
        raise Broken("a corner is not finite")
    return mesh.corners.shape


_CORNERS = b"v 0 0 0\nv 1 0 0\nv 0 1 0\n"
_CRAFTED_OBJ = (
    b"v 0 0 0\nf 1 2 3\n",
    b"v 0 0\nv 1 0\nv 0 1\nf 1 2 3\n",
    b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    b"v 1e39 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    _CORNERS + b"f 1 2 9\n",
    _CORNERS + b"f -9 1 2\n",
    _CORNERS + b"f 1 2 3\n" * 300_000,
    b"mtllib /dev/zero\n" + _CORNERS + b"f 1 2 3\n",
    b"mtllib ../../../../etc/passwd\nusemtl x\n" + _CORNERS + b"f 1 2 3\n",
)


def _crafted_glb() -> Sequence[bytes]:
    """Triangles with indices and counts that are out of range, and files of nothing."""
    indices = ((0, 1, 2), (0, 1, 7), (0, 1, 2**32 - 1), (0, 1), (0, 1, 2) * 300_000)
    accessors: tuple[dict[str, Any], ...] = (
        {"count": 2**31}, {"count": -1}, {"bufferView": 9}, {"type": "MAT9"}, {"byteOffset": 2**40},
    )  # fmt: skip
    return (
        *map(_triangle, indices),
        *(_triangle((0, 1, 2), **accessor) for accessor in accessors),
        *(_glb(content, b"") for content in ({}, [], None)),
    )


def _triangle(indices: Sequence[int], **accessor: Any) -> bytes:
    """A .glb file of three corners, with any indices."""
    corners = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    numbers = struct.pack(f"<{len(indices)}I", *indices)
    of_corners = {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", **accessor}
    of_numbers = {"bufferView": 1, "componentType": 5125, "count": len(indices), "type": "SCALAR"}
    content = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [of_corners, of_numbers],
        "bufferViews": [
            {"buffer": 0, "byteLength": len(corners)},
            {"buffer": 0, "byteOffset": len(corners), "byteLength": len(numbers)},
        ],
        "buffers": [{"byteLength": len(corners) + len(numbers)}],
    }
    return _glb(content, corners + numbers)


def _glb(content: Any, binary: bytes) -> bytes:
    """A .glb file of a JSON value and bytes."""
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
