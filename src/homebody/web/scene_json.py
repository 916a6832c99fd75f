"""Converts a role's knowledge of a world with geometry to JSON and meshes.

A mesh is little-endian. It starts with three 4-byte integers: the number of corners of opaque,
transparent and shining triangles. Then come, for all corners in this order, three to a triangle:
positions (three 4-byte floats), normals (four signed bytes, 127 to a unit, the last unused) and
colours (four bytes, sRGB, the last unused). Several meshes follow each other, each after its size
in bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from homebody.core.play.known_scene import KnownScene, KnownSolid, Triangles

Draw: TypeAlias = Callable[[str], Triangles]
MAX_MESHES: Final = 500
"""Maximum number of meshes per request."""
_SHELL: Final = frozenset({"floor", "wall", "ceiling", "opening"})


def scene_json(scene: KnownScene) -> dict[str, Any]:
    """Return a scene: ``eye``, and solids as ``shell`` (constant), ``things`` and ``agents``."""
    solids: dict[str, list[dict[str, Any]]] = {"shell": [], "things": [], "agents": []}
    for solid in scene.solids:
        of_kind = "agents" if solid.kind == "agent" else "things"
        where = "shell" if solid.kind in _SHELL else of_kind
        solids[where].append(_solid_json(solid))
    eye = {"position": scene.eye, "yaw": scene.yaw, "pitch": scene.pitch, "fov": scene.fov}
    return {"eye": eye, **solids}


def _solid_json(solid: KnownSolid) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": solid.name,
        "kind": solid.kind,
        "category": solid.category,
        "mesh": solid.mesh,
        "position": [round(x, 4) for x in solid.position],
        "yaw": round(solid.yaw, 3),
        "room": solid.room,
    }
    if solid.holder:
        fields |= {"holder": solid.holder, "relation": solid.relation}
    if solid.states:
        fields["states"] = dict(solid.states)
    if solid.near:
        fields["near"] = True
    if solid.kind == "agent":
        fields["seen"] = solid.seen
    return fields


def mesh_makers(scene: KnownScene) -> Mapping[str, Draw]:
    """Return mesh -> function that makes it, for all solids of a scene."""
    return dict.fromkeys((solid.mesh for solid in scene.solids), scene.draw)


def mesh_bytes(triangles: Triangles) -> bytes:
    """Return a mesh as bytes."""
    import numpy as np

    order = np.argsort(triangles.kinds, kind="stable")
    counts = np.bincount(triangles.kinds, minlength=3)[:3] * 3
    corners = triangles.corners[order].reshape(-1, 3).astype("<f4")
    normals = np.zeros((len(corners), 4), np.int8)
    normals[:, :3] = np.round(triangles.normals[order].reshape(-1, 3) * 127)
    colours = np.full((len(corners), 4), 255, np.uint8)
    colours[:, :3] = np.repeat(np.clip(np.round(triangles.colours[order] * 255), 0, 255), 3, axis=0)
    head = struct.pack("<3I", *map(int, counts))
    return b"".join((head, corners.tobytes(), normals.tobytes(), colours.tobytes()))


def join_meshes(meshes: Iterable[bytes]) -> bytes:
    """Return meshes one after the other, each after its size in bytes."""
    return b"".join(part for mesh in meshes for part in (struct.pack("<I", len(mesh)), mesh))
