"""What a role knows of a world with geometry, for a browser to draw: a scene as JSON, meshes as
bytes.

A mesh is, little-endian: three whole numbers of 4 bytes, how many corners are of what is opaque, of
what one can see through, and of what shines; then of all these corners, in this order, three to a
triangle: the positions (three floats of 4 bytes each), the normals (four signed bytes each, of 127
to a unit, the last unused), the colours (four bytes each, sRGB, the last unused). Several meshes
are one after the other, each after the number of its bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from homebody.core.play.known_scene import KnownScene, KnownSolid, Triangles

Draw: TypeAlias = Callable[[str], Triangles]
MAX_MESHES: Final = 500
"""That can be asked for at once."""
_SHELL: Final = frozenset({"floor", "wall", "ceiling", "opening"})


def scene_json(scene: KnownScene) -> dict[str, Any]:
    """A scene: ``eye``, and solids in three lists: ``shell`` (which never changes), ``things`` and
    ``agents``."""
    told: dict[str, list[dict[str, Any]]] = {"shell": [], "things": [], "agents": []}
    for solid in scene.solids:
        of_kind = "agents" if solid.kind == "agent" else "things"
        where = "shell" if solid.kind in _SHELL else of_kind
        told[where].append(_solid_json(solid))
    eye = {"position": scene.eye, "yaw": scene.yaw, "pitch": scene.pitch, "fov": scene.fov}
    return {"eye": eye, **told}


def _solid_json(solid: KnownSolid) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": solid.name,
        "kind": solid.kind,
        "category": solid.category,
        "mesh": solid.mesh,
        "position": [round(x, 4) for x in solid.position],
        "yaw": round(solid.yaw, 3),
        "room": solid.room,
    }
    if solid.holder:
        told |= {"holder": solid.holder, "relation": solid.relation}
    if solid.states:
        told["states"] = dict(solid.states)
    if solid.near:
        told["near"] = True
    if solid.kind == "agent":
        told["seen"] = solid.seen
    return told


def mesh_makers(scene: KnownScene) -> Mapping[str, Draw]:
    """Mesh -> what draws it, of all solids of a scene."""
    return dict.fromkeys((solid.mesh for solid in scene.solids), scene.draw)


def mesh_bytes(triangles: Triangles) -> bytes:
    """A mesh as bytes."""
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
    """Meshes one after the other, each after the number of its bytes."""
    return b"".join(part for mesh in meshes for part in (struct.pack("<I", len(mesh)), mesh))
