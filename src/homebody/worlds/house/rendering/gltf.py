"""Houses as glTF files.

glTF has y up and z to the front; homebody has z up and a thing's front at +y. Both ways turn, and
neither mirrors: (x, y, z) of homebody is (-x, z, y) of glTF.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.arrays import Index, Mask, linear
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
_FACES: Final = "faces"
_VIEWS: Final = ("POSITION", "NORMAL", "COLOR_0", _FACES)
"""What is kept apart in the data of a file."""
_ARRAY_BUFFER, _ELEMENT_ARRAY_BUFFER = 34962, 34963
_COMPONENTS: Final = {"i1": 5120, "u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
"""Numbers of glTF for kinds of numbers."""


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
    """A glTF file that grows by nodes: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html

    Args:
        small: Whether normals and colours are bytes: some 45 % smaller, for programs that have the
            extension KHR_mesh_quantization. Dark colours are then off by up to 3 of 255.
    """

    def __init__(self, small: bool = False) -> None:
        self._small = small
        self._accessors: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._nodes: list[dict[str, Any]] = []
        self._known: dict[int, tuple[Mesh, int]] = {}  # id -> the mesh, and its number
        self._views = [bytearray() for _ in _VIEWS]

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
        data = b"".join(self._views)
        tree: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "homebody"},
            "scene": 0,
            "scenes": [{"nodes": list(range(len(nodes)))} if nodes else {}],
        }
        if nodes:  # the format has no empty lists
            if self._small:
                names = ["KHR_mesh_quantization"]
                tree |= {"extensionsUsed": names, "extensionsRequired": names}
            tree |= {
                "nodes": nodes,
                "meshes": self._meshes,
                "materials": MATERIALS,
                "accessors": self._accessors,
                "bufferViews": self._view_list(),
                "buffers": [{"byteLength": len(data)}],
            }
        text = json.dumps(tree, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if nodes:
            chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def _view_list(self) -> list[dict[str, Any]]:
        """A view of the data for each kind of numbers, which all meshes share."""
        ends = np.cumsum([len(view) for view in self._views]).tolist()
        strides = ({"byteStride": 12}, *[{"byteStride": 4 if self._small else 12}] * 2, {})
        return [
            {
                "buffer": 0,
                "byteOffset": end - len(view),
                "byteLength": len(view),
                **stride,
                "target": _ELEMENT_ARRAY_BUFFER if name == _FACES else _ARRAY_BUFFER,
            }
            for name, view, end, stride in zip(_VIEWS, self._views, ends, strides, strict=True)
        ]

    def _primitive(self, mesh: Mesh, material: int, part: Mask) -> dict[str, Any]:
        corners = np.round((mesh.corners[part] @ TO_GLTF).reshape(-1, 3), 5) + 0.0  # no -0.0
        normals = np.round((mesh.normals[part] @ TO_GLTF).reshape(-1, 3), 3) + 0.0
        glows = (mesh.surfaces[part] == Surface.GLOW)[:, None]
        light = np.repeat(linear(np.where(glows, np.float32(1), mesh.colours[part])), 3, axis=0)
        if self._small:
            normals = np.round(normals * 127).astype("<i1")
            colours = np.round(np.clip(light, 0, 1) * 255).astype("<u1")
        else:
            # Of linear light, 8 bits would make all dark colours one, and some programs misread 16.
            colours = np.round(light, 5).astype("<f4")
        columns = [corners.astype("<f4"), normals, colours]
        first, faces = _different(columns)
        points, normals, colours = (column[first] for column in columns)
        low, high = ([float(str(x)) for x in end] for end in (points.min(0), points.max(0)))
        if not self._small:
            lengths = np.linalg.norm(normals, axis=1, keepdims=True)
            normals = normals / np.maximum(lengths, 1e-6)  # rounding has changed their lengths
        attributes = {
            "POSITION": self._accessor("POSITION", points, min=low, max=high),
            "NORMAL": self._accessor("NORMAL", normals.astype(normals.dtype.newbyteorder("<"))),
            "COLOR_0": self._accessor("COLOR_0", colours),
        }
        indices = self._accessor(_FACES, faces.astype("<u2" if len(points) < 65536 else "<u4"))
        return {"attributes": attributes, "indices": indices, "material": material}

    def _accessor(self, view: str, values: NDArray[Any], **more: Any) -> int:
        """The number of an accessor to some values, of a row each."""
        data = self._views[_VIEWS.index(view)]
        code = _COMPONENTS[values.dtype.str[1:]]
        accessor: dict[str, Any] = {
            "bufferView": _VIEWS.index(view),
            "byteOffset": len(data),
            "componentType": code,
            "count": len(values),
            "type": "SCALAR" if view == _FACES else "VEC3",
            **more,
        }
        if values.dtype.itemsize == 1:
            accessor["normalized"] = True
            values = np.pad(values, ((0, 0), (0, 1)))  # each row is to begin at whole 4 bytes
        data += values.tobytes()
        data += bytes(-len(data) % 4)
        self._accessors.append(accessor)
        return len(self._accessors) - 1


def _different(columns: Sequence[NDArray[Any]]) -> tuple[Index, Index]:
    """Which rows differ from all before them, and of each row which of these is the same."""
    rows = np.concatenate([column.view(np.uint8) for column in columns], axis=1)
    whole = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}").reshape(-1)
    _, first, places = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)  # as they come: what is near stays near, which packs better
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return first[order], rank[places.reshape(-1)]
