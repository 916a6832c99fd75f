"""Blender reads exported houses: everything in them, in place, and complete.

``HOMEBODY_BLENDER`` names a Python with ``bpy`` 5; nothing is tested without."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from homebody.worlds.house.exchange.usd import save_usd
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.rendering.exporting import find_shapes, nodes_of
from homebody.worlds.house.rendering.gltf import to_glb

BLENDER = os.environ.get("HOMEBODY_BLENDER", "")
SCRIPT = """
import bpy, json, math, sys
bpy.ops.wm.read_factory_settings(use_empty=True)
read = bpy.ops.import_scene.gltf if sys.argv[1].endswith("glb") else bpy.ops.wm.usd_import
read(filepath=sys.argv[1])
found = {}
for each in bpy.data.objects:
    parts = each.instance_collection.all_objects if each.instance_collection else [each]
    meshes = [part.data for part in parts if part.type == "MESH"]
    matrix = each.matrix_world
    turn = math.degrees(math.atan2(matrix[1][0], matrix[0][0]))
    count = sum(len(mesh.polygons) for mesh in meshes)
    found[each.name] = [*matrix.translation, turn % 360, count]
print("", json.dumps(found), sep="\\n")
"""


@pytest.mark.slow
@pytest.mark.skipif(not BLENDER, reason="HOMEBODY_BLENDER is not set")
@pytest.mark.parametrize("suffix", [".glb", ".usda"])
@pytest.mark.parametrize("kind", ["home", "office", "shop"])
def test_blender_reads_names_poses_and_triangles(tmp_path: Path, kind: str, suffix: str) -> None:
    house = generate(1, kind)
    path = tmp_path / f"house{suffix}"
    if suffix == ".glb":
        path.write_bytes(to_glb(house))
    else:
        pytest.importorskip("pxr")
        save_usd(house, path)
    command = [BLENDER, "-c", SCRIPT, str(path)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    turned = -1 if suffix == ".glb" else 1
    wanted = {}
    nodes = list(nodes_of(house))
    numbers, shapes, _ = find_shapes(nodes, painted=True)
    for (name, _, _, pose), number in zip(nodes, numbers, strict=True):
        assert isinstance(pose, Pose)
        x, y, z = pose.position
        wanted[name] = [turned * x, turned * y, z, pose.yaw % 360, len(shapes[number].mesh)]
    if suffix == ".usda":  # each instance has its mesh below it
        found = {name: found[name] for name in found if name in wanted}
    assert found.keys() == wanted.keys()
    wrong = {
        name: (found[name], wanted[name]) for name in wanted if not same(found[name], wanted[name])
    }
    assert wrong == {}


def same(found: list[float], wanted: list[float]) -> bool:
    """Whether two nodes agree; 359.99 degrees are those of 0."""
    *place, turn, count = (a - b for a, b in zip(found, wanted, strict=True))
    return max(map(abs, place)) < 1e-4 and abs((turn + 180) % 360 - 180) < 0.01 and count == 0
