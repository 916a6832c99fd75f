"""Houses as glTF files.

glTF has y up and z to the front; homebody has z up and a thing's front at +y. Both ways turn, and
neither mirrors: (x, y, z) of homebody is (-x, z, y) of glTF.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.arrays import Mask, linear
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.ray_scene import MeshOf, RayScene

TO_GLTF = np.array([[-1, 0, 0], [0, 0, 1], [0, 1, 0]], np.float32)
"""Turns points (rows) of homebody into those of glTF, and back: it is its own inverse."""
_OPAQUE, _GLASS = 0, 1
MATERIALS: list[dict[str, Any]] = [
    {
        "name": name,
        "pbrMetallicRoughness": {
            "baseColorFactor": [1.0, 1.0, 1.0, alpha],  # times the colours of corners
            "metallicFactor": 0.0,  # the default is metal, which is black without a surrounding
            "roughnessFactor": 0.9,
        },
        "alphaMode": mode,
        "doubleSided": blends,
    }
    for name, mode, alpha, blends in (
        ("opaque", "OPAQUE", 1.0, False),
        ("glass", "BLEND", 0.35, True),
    )
]
"""Of glTF files, in the order of ``_OPAQUE`` and ``_GLASS``."""


def to_glb(
    house: House,
    state: HouseState | None = None,
    ceilings: bool = False,
    meshes: MeshOf | None = None,
) -> bytes:
    """A house in a state as a binary glTF 2.0 file; the same house gives the same bytes.

    Every floor, wall, opening, piece of furniture, object and person is a node of its name, so that
    a viewer can hide or pick it. Colours are those of corners; what is of glass is a primitive of
    its own, with a material that blends.

    Args:
        house: The house.
        state: The first one if left out.
        ceilings: Whether to add them; one looks into the rooms from above without.
        meshes: The user's own meshes, such as :class:`.user_meshes.UserMeshes`.
    """
    file = GlbFile()
    for name, mesh in parts(house, state, ceilings, meshes):
        file.add(name, mesh, extras(house, name))
    return file.content()


def parts(
    house: House, state: HouseState | None, ceilings: bool, meshes: MeshOf | None
) -> Iterator[tuple[str, Mesh]]:
    """What is exported of a house: each thing with its mesh in the house, as :func:`to_glb` has
    them."""
    scene = RayScene(house, state, meshes)
    for name in scene.names[1:]:
        mesh = scene.part(name)
        ceiling = name.startswith("ceiling_") and name not in house.piece
        if len(mesh) and (ceilings or not ceiling):
            yield name, mesh


def extras(house: House, name: str) -> dict[str, Any]:
    """What a program may want to know of a part beside its shape: its name (as actions have it),
    what it is, its category, room, material, affordances, and the names of its receptacles; of an
    opening the rooms it joins, of a person the room, posture and activity."""
    if name in house.piece:
        piece = house.piece[name]
        known = {"kind": "furniture", "category": piece.category, "room": piece.room}
        known |= {"material": piece.material} if piece.material else {}
        receptacles = [receptacle.name for receptacle in piece.receptacles]
    elif name in house.thing:
        thing = house.thing[name]
        known = {"kind": "object", "category": thing.category, "on": thing.place[0]}
        known |= {"material": thing.material} if thing.material else {}
        receptacles = [receptacle.name for receptacle in thing.receptacles]
    elif name in house.floors:
        room = house.floors[name]
        known = {"kind": "floor", "category": room.kind, "room": room.name}
        receptacles = []
    elif name in house.person:
        person = house.person[name]
        doing = {"activity": person.activity} if person.activity else {}
        return {
            "name": name,
            "kind": "person",
            "room": person.room,
            "posture": person.posture,
            **doing,
        }
    else:
        opening = next((opening for opening in house.openings if opening.name == name), None)
        if opening is None:
            return {"name": name, "kind": "structure"}
        openable = {"affordances": ["openable"]} if opening.kind == "door" else {}
        return {"name": name, "kind": opening.kind, "rooms": list(opening.rooms), **openable}
    affords = list(catalogue().affords(known["category"]))
    lists = {"affordances": affords, "receptacles": receptacles}
    return {"name": name, **known, **{key: names for key, names in lists.items() if names}}


class GlbFile:
    """A glTF file that grows by nodes: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html"""

    def __init__(self) -> None:
        self._views: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._nodes: list[dict[str, Any]] = []
        self._known: dict[int, tuple[Mesh, int]] = {}  # id -> the mesh, and its number
        self._data = bytearray()

    def add(
        self, name: str, mesh: Mesh, known: Mapping[str, Any], pose: Pose | None = None
    ) -> None:
        """A node, with a primitive of what is opaque in the mesh and one of what is of glass.

        Args:
            name: Of the node.
            mesh: What is seen of it; that of several nodes is written once.
            known: Becomes the node's ``extras``.
            pose: Of the mesh's frame in the house; None if that is the house's own.
        """
        if id(mesh) not in self._known:
            glass = mesh.surfaces == Surface.GLASS
            parts = ((_OPAQUE, ~glass), (_GLASS, glass))
            primitives = [self._primitive(mesh, code, part) for code, part in parts if part.any()]
            self._known[id(mesh)] = mesh, len(self._meshes)
            self._meshes.append({"name": name, "primitives": primitives})
        node: dict[str, Any] = {"name": name, "mesh": self._known[id(mesh)][1], "extras": known}
        if pose is not None:
            half = math.radians(pose.yaw) / 2
            node["translation"] = (TO_GLTF @ pose.position).round(5).tolist()
            node["rotation"] = [0.0, round(math.sin(half), 6), 0.0, round(math.cos(half), 6)]
        self._nodes.append(node)

    def content(self) -> bytes:
        """The file: a header, a chunk of JSON and a chunk of numbers, each of whole 4 bytes."""
        nodes = self._nodes
        tree: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "homebody"},
            "scene": 0,
            "scenes": [{"nodes": list(range(len(nodes)))} if nodes else {}],
        }
        if nodes:  # the format has no empty lists
            tree |= {
                "nodes": nodes,
                "meshes": self._meshes,
                "materials": MATERIALS,
                "accessors": self._accessors,
                "bufferViews": self._views,
                "buffers": [{"byteLength": len(self._data)}],
            }
        text = json.dumps(tree, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if nodes:
            chunks += struct.pack("<I4s", len(self._data), b"BIN\0") + self._data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def _primitive(self, mesh: Mesh, material: int, part: Mask) -> dict[str, Any]:
        corners = np.round((mesh.corners[part] @ TO_GLTF).reshape(-1, 3), 5) + 0.0  # no -0.0
        normals = np.round((mesh.normals[part] @ TO_GLTF).reshape(-1, 3), 3) + 0.0
        glows = (mesh.surfaces[part] == Surface.GLOW)[:, None]
        light = linear(np.where(glows, np.float32(1), mesh.colours[part]))
        # Of linear light, 8 bits would make all dark colours one, and some programs misread 16.
        colours = np.round(np.repeat(light, 3, axis=0), 5)
        rows = np.concatenate([corners, normals, colours], axis=1)
        _, first, places = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        points = corners[first]
        bounds = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        lengths = np.linalg.norm(normals[first], axis=1, keepdims=True)
        unit = normals[first] / np.maximum(lengths, 1e-6)  # rounding has changed their lengths
        attributes = {
            "POSITION": self._accessor(points.astype("<f4"), "VEC3", **bounds),
            "NORMAL": self._accessor(unit.astype("<f4"), "VEC3"),
            "COLOR_0": self._accessor(colours[first].astype("<f4"), "VEC3"),
        }
        faces = self._accessor(places.reshape(-1).astype("<u4"), "SCALAR", for_faces=True)
        return {"attributes": attributes, "indices": faces, "material": material}

    def _accessor(
        self, values: NDArray[Any], kind: str, for_faces: bool = False, **more: Any
    ) -> int:
        data = values.tobytes()
        target = 34963 if for_faces else 34962  # ELEMENT_ARRAY_BUFFER, ARRAY_BUFFER
        view = {"buffer": 0, "byteOffset": len(self._data), "byteLength": len(data)}
        self._views.append({**view, "target": target})
        self._data += data
        code = {"f4": 5126, "u4": 5125}[values.dtype.str[1:]]
        accessor: dict[str, Any] = {"bufferView": len(self._views) - 1, "componentType": code}
        accessor |= {"count": len(values), "type": kind, **more}
        self._accessors.append(accessor)
        return len(self._accessors) - 1
