"""Houses as binary glTF 2.0 files.

glTF has y up and z to the front. homebody has z up and the front at +y. The conversion turns and
does not mirror: (x, y, z) of homebody is (-x, z, y) of glTF.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import orjson
from numpy.typing import NDArray

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.arrays import Index, Mask, linear
from homebody.worlds.house.rendering.exporting import Look, Node, Shape, find_shapes, nodes_of
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.ray_scene import MeshOf
from homebody.worlds.house.rendering.textures import Atlas

TO_GLTF = np.array([[-1, 0, 0], [0, 0, 1], [0, 1, 0]], np.float32)
"""Converts points (rows) between the frames of homebody and glTF. It is its own inverse."""
QUALITY: Final = 90
"""Quality of the picture of patterns, a JPEG."""
_FLOAT, _BYTE, _SHORT, _INT = 5126, 5121, 5123, 5125
_COLUMNS: Final = {
    "POSITION": ("VEC3", _FLOAT, 12),
    "NORMAL": ("VEC3", _FLOAT, 12),
    "COLOR_0": ("VEC3", _FLOAT, 12),
    "COLOR_0 bytes": ("VEC4", _BYTE, 4),
    "TEXCOORD_0": ("VEC2", _FLOAT, 8),
    "short": ("SCALAR", _SHORT, 0),
    "int": ("SCALAR", _INT, 0),
}
"""Column of numbers -> its type, type of its components, and bytes from one to the next. Each
column is a buffer view, of corners or of ``short`` or ``int`` indices."""


def to_glb(
    house: House,
    state: HouseState | None = None,
    ceilings: bool = False,
    meshes: MeshOf | None = None,
) -> bytes:
    """Return a house in a state as a binary glTF 2.0 file. The same house gives the same bytes.

    Every floor, wall, opening, piece of furniture, object and person is a node of its name with its
    pose, so that a viewer can hide, pick or move it. Equal shapes are one mesh. Materials are
    physically based; colours are vertex colours, and patterns a texture.

    Args:
        house: The house.
        state: The state to show; the first state if None.
        ceilings: True to add ceilings, which hide the rooms from above.
        meshes: The user's own meshes, such as :class:`.user_meshes.UserMeshes`.

    Raises:
        HomebodyError: Pillow is not installed.
    """
    return glb(nodes_of(house, state, ceilings, meshes), detailed=True)


def glb(nodes: Iterable[Node], detailed: bool = False) -> bytes:
    """Return a binary glTF 2.0 file of some nodes with distinct names.

    Args:
        nodes: The nodes to write.
        detailed: True for all materials, patterns, and exact colours. Without, all is matt but
            glass, and colours are bytes: dark ones are off by up to 3 of 255, as they are linear.

    Raises:
        HomebodyError: Pillow, which writes the picture of patterns, is not installed.
    """
    nodes = list(nodes)
    numbers, shapes, atlas = find_shapes(nodes, detailed)
    file = _File(detailed)
    meshes = [{"primitives": file.primitives(shape)} for shape in shapes]
    for (name, *_), number in zip(nodes, numbers, strict=True):
        meshes[number].setdefault("name", name)  # type: ignore[arg-type]
    written = [
        {"name": name, "mesh": number, **_placement(pose), "extras": dict(known)}
        for (name, _, known, pose), number in zip(nodes, numbers, strict=True)
    ]
    tree: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "homebody"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": written,
        "meshes": meshes,
    }
    return file.write(tree, atlas)


class _File:
    """The numbers and materials of a file."""

    def __init__(self, detailed: bool) -> None:
        self._detailed = detailed
        self._columns: dict[str, list[NDArray[Any]]] = {name: [] for name in _COLUMNS}
        self._sizes = dict.fromkeys(_COLUMNS, 0)
        self._accessors: list[dict[str, Any]] = []
        self._materials: dict[Look, dict[str, Any]] = {}

    def primitives(self, shape: Shape) -> list[dict[str, Any]]:
        """Add the triangles of a shape; return a primitive for each look."""
        looks = shape.looks
        if not self._detailed:
            glass = shape.mesh.surfaces == Surface.GLASS
            kinds = ((Look(Surface.MATT), ~glass), (Look(Surface.GLASS), glass))
            looks = tuple((look, mask) for look, mask in kinds if mask.any())
        return [self._primitive(shape, look, mask) for look, mask in looks]

    def write(self, tree: dict[str, Any], atlas: Atlas) -> bytes:
        """Return the file: a tree of nodes and meshes, with all added parts."""
        materials = list(self._materials.values())
        chunks: list[bytes] = []
        views: list[dict[str, Any]] = []
        used: dict[str, int] = {}
        for column, arrays in self._columns.items():
            if arrays:
                stride = _COLUMNS[column][2]
                used[column] = len(views)
                views.append(
                    {"target": 34962, "byteStride": stride} if stride else {"target": 34963}
                )
                chunks.append(b"".join(each.tobytes() for each in arrays))
        for accessor in self._accessors:
            accessor["bufferView"] = used[accessor["bufferView"]]
        if any("baseColorTexture" in each["pbrMetallicRoughness"] for each in materials):
            tree["textures"] = [{"source": 0, "sampler": 0}]
            tree["samplers"] = [
                {"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071}
            ]
            tree["images"] = [
                {"name": "patterns", "mimeType": "image/jpeg", "bufferView": len(views)}
            ]
            views.append({})
            chunks.append(picture(atlas))
        extensions = sorted({name for each in materials for name in each.get("extensions", ())})
        tree |= {"materials": materials, "accessors": self._accessors, "bufferViews": views}
        tree |= {"extensionsUsed": extensions} if extensions else {}
        start = 0
        for view, chunk in zip(views, chunks, strict=True):
            view |= {"buffer": 0, "byteOffset": start, "byteLength": len(chunk)}
            start += len(chunk) + -len(chunk) % 4
        binary = b"".join(chunk + b"\0" * (-len(chunk) % 4) for chunk in chunks)
        tree["buffers"] = [{"byteLength": len(binary)}]
        text = orjson.dumps(tree)
        text += b" " * (-len(text) % 4)
        sizes = [len(text).to_bytes(4, "little"), len(binary).to_bytes(4, "little")]
        body = sizes[0] + b"JSON" + text + sizes[1] + b"BIN\0" + binary
        return b"glTF" + (2).to_bytes(4, "little") + (12 + len(body)).to_bytes(4, "little") + body

    def _primitive(self, shape: Shape, look: Look, mask: Mask) -> dict[str, Any]:
        mesh = shape.mesh
        corners = np.round((mesh.corners[mask] @ TO_GLTF).reshape(-1, 3), 5) + 0.0  # no -0.0
        normals = np.round((mesh.normals[mask] @ TO_GLTF).reshape(-1, 3), 3) + 0.0
        columns = {"POSITION": corners, "NORMAL": normals}
        if look.painted:
            places = shape.places[mask].reshape(-1, 2)
            columns["TEXCOORD_0"] = np.stack([places[:, 0], 1 - places[:, 1]], axis=1)
        else:
            glows = (mesh.surfaces[mask] == Surface.GLOW)[:, None] & (not self._detailed)
            light = linear(np.where(glows, np.float32(1), mesh.colours[mask])).clip(0, 1)
            light = np.repeat(light, 3, axis=0)
            if self._detailed:
                columns["COLOR_0"] = np.round(light, 5).astype(np.float32)
            else:
                light = np.pad(light, ((0, 0), (0, 1)), constant_values=1)
                columns["COLOR_0 bytes"] = np.round(light * 255).astype(np.uint8)
        first, faces = _find_distinct(list(columns.values()))
        attributes = {
            column.split()[0]: self._add(column, array[first]) for column, array in columns.items()
        }
        short = len(first) < 65535
        faces = faces.astype(np.uint16 if short else np.uint32)
        indices = self._add("short" if short else "int", faces)
        return {"attributes": attributes, "indices": indices, "material": self._material(look)}

    def _add(self, column: str, array: NDArray[Any]) -> int:
        kind, component, _ = _COLUMNS[column]
        accessor: dict[str, Any] = {
            "bufferView": column,
            "byteOffset": self._sizes[column],
            "componentType": component,
            "count": len(array),
            "type": kind,
        }
        if component == _BYTE:
            accessor["normalized"] = True
        if column == "POSITION":
            accessor |= {"min": array.min(axis=0).tolist(), "max": array.max(axis=0).tolist()}
        self._columns[column].append(array)
        self._sizes[column] += array.nbytes
        self._accessors.append(accessor)
        return len(self._accessors) - 1

    def _material(self, look: Look) -> int:
        """Add a material if it is new; return its number."""
        if look not in self._materials:
            self._materials[look] = _material(look)
        return list(self._materials).index(look)


def _material(look: Look) -> dict[str, Any]:
    material = look.material
    clear = material.transmission > 0
    shading = {
        "baseColorFactor": [1.0, 1.0, 1.0, round(1 - material.transmission, 3)],
        "metallicFactor": material.metalness,
        "roughnessFactor": material.roughness,
        **({"baseColorTexture": {"index": 0}} if look.painted else {}),
    }
    made: dict[str, Any] = {"name": look.name, "pbrMetallicRoughness": shading}
    made |= {"alphaMode": "BLEND", "doubleSided": True} if clear else {}
    extensions = {}
    if not material.metalness:
        extensions["KHR_materials_ior"] = {"ior": round(material.refractive_index, 4)}
    if look.glow:
        made["emissiveFactor"] = look.glow
        extensions["KHR_materials_emissive_strength"] = {"emissiveStrength": material.emission}
    return made | ({"extensions": extensions} if extensions else {})


def picture(atlas: Atlas) -> bytes:
    """Return the picture of patterns as a JPEG."""
    try:
        from PIL import Image
    except ImportError as error:
        raise HomebodyError(
            "writing textures needs Pillow", "pip install 'homebody[house]'"
        ) from error
    light = np.square(np.arange(256) / 255)  # homebody's sRGB, which is not quite the standard
    standard = np.where(light > 0.0031308, 1.055 * light ** (1 / 2.4) - 0.055, 12.92 * light)
    texels = np.round(standard * 255).astype(np.uint8)[atlas.texels[::-1]]
    packed = io.BytesIO()
    Image.fromarray(texels).save(packed, "JPEG", quality=QUALITY)
    return packed.getvalue()


def _placement(pose: Pose) -> dict[str, Any]:
    """Return a pose as translation and rotation, each omitted if it changes nothing."""
    moved = (np.round(TO_GLTF.astype(np.float64) @ pose.position, 5) + 0.0).tolist()
    half = math.radians(pose.yaw % 360) / 2
    turned = [0.0, round(math.sin(half), 7), 0.0, round(math.cos(half), 7)]
    placed = {"translation": moved} if any(moved) else {}
    return placed | ({"rotation": turned} if turned[1] else {})


def _find_distinct(columns: Sequence[NDArray[Any]]) -> tuple[Index, Index]:
    """Return the first row of each distinct value, and for each row the index of its value."""
    rows = np.concatenate([column.view(np.uint8) for column in columns], axis=1)
    whole = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}").reshape(-1)
    _, first, places = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)  # in their order: near ones stay near, which packs better
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return first[order], rank[places.reshape(-1)]
