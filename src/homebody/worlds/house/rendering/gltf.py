"""Houses as glTF files, which trimesh writes.

glTF has y up and z to the front. homebody has z up and the front at +y. The conversion turns and
does not mirror: (x, y, z) of homebody is (-x, z, y) of glTF.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.arrays import Index, Mask, linear
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.ray_scene import MeshOf, RayScene

TO_GLTF = np.array([[-1, 0, 0], [0, 0, 1], [0, 1, 0]], np.float32)
"""Converts points (rows) of homebody into those of glTF, and back: it is its own inverse."""
Node: TypeAlias = tuple[str, Mesh, Mapping[str, Any], Pose | None]
"""Name, mesh, ``extras``, and pose of the mesh's frame in the house. None: the house's own frame.
"""
_ROOT: Final = "the house"
"""The parent frame of all nodes in trimesh. It cannot clash with a node, as names have no spaces.
"""
_EXACT: Final = "_exact"
"""The attribute in which trimesh writes colours unchanged. It converts others to bytes."""


def to_glb(
    house: House,
    state: HouseState | None = None,
    ceilings: bool = False,
    meshes: MeshOf | None = None,
) -> bytes:
    """Return a house in a state as a binary glTF 2.0 file. The same house gives the same bytes.

    Every floor, wall, opening, piece of furniture, object and person is a node of its name, so that
    a viewer can hide or pick it. Colours are vertex colours.

    Args:
        house: The house.
        state: The state to show; the first state if None.
        ceilings: True to add ceilings, which hide the rooms from above.
        meshes: The user's own meshes, such as :class:`.user_meshes.UserMeshes`.
    """
    found = parts(house, state, ceilings, meshes)
    return glb(((name, mesh, extras(house, name), None) for name, mesh in found), exact=True)


def parts(
    house: House, state: HouseState | None, ceilings: bool, meshes: MeshOf | None
) -> Iterator[tuple[str, Mesh]]:
    """Yield the name and mesh of everything that is exported, as in :func:`to_glb`."""
    scene = RayScene(house, state, meshes)
    for name in scene.names[1:]:
        mesh = scene.part(name)
        ceiling = name.startswith("ceiling_") and name not in house.piece
        if len(mesh) and (ceilings or not ceiling):
            yield name, mesh


def extras(house: House, name: str) -> dict[str, Any]:
    """Return metadata of a part: name (as in actions), kind, category, room, material and more."""
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


def glb(nodes: Iterable[Node], exact: bool = False) -> bytes:
    """Return a binary glTF 2.0 file of some nodes with distinct names.

    The glass of a mesh, whose material blends, is a child node unless the whole mesh is glass.

    Args:
        nodes: The nodes to write.
        exact: True to write colours as floats, which take three times the space of bytes. As bytes,
            dark colours are off by up to 3 of 255, since they are linear.

    Raises:
        HomebodyError: trimesh is not installed.
    """
    try:
        import trimesh
    except ImportError as error:
        raise HomebodyError(
            "writing glTF needs trimesh", "pip install 'homebody[house]'"
        ) from error

    scene: Any = trimesh.Scene(base_frame=_ROOT)
    materials = (_material("opaque", 255), _material("glass", 89))
    for name, mesh, known, pose in nodes:
        above = _ROOT
        at: dict[str, Any] = {"matrix": _matrix(pose), "metadata": dict(known)}
        glass = mesh.surfaces == Surface.GLASS
        for part, material in zip((~glass, glass), materials, strict=True):
            if part.any():
                node = name if above == _ROOT else f"{name} {material.name}"
                scene.geometry[node] = _geometry(mesh, part, material, exact)
                scene.graph.update(node, above, geometry=node, **at)
                above, at = name, {}
    written: bytes = scene.export(
        file_type="glb", include_normals=True, tree_postprocessor=_name_colours
    )
    return written


def _material(name: str, alpha: int) -> Any:
    """Return a material that is multiplied with the vertex colours."""
    import trimesh

    blends = alpha < 255
    material: Any = trimesh.visual.material.PBRMaterial
    return material(
        name=name,
        baseColorFactor=(255, 255, 255, alpha),
        metallicFactor=0.0,  # the default is metal, which is black without surroundings
        roughnessFactor=0.9,
        alphaMode="BLEND" if blends else "OPAQUE",
        doubleSided=blends,
    )


def _matrix(pose: Pose | None) -> NDArray[np.float64]:
    matrix = np.eye(4)
    if pose is not None:
        turn = math.radians(pose.yaw)
        cos, sin = round(math.cos(turn), 9), round(math.sin(turn), 9)
        matrix[:3, :3] = (cos, 0, sin), (0, 1, 0), (-sin, 0, cos)
        matrix[:3, 3] = np.round(TO_GLTF.astype(np.float64) @ pose.position, 5)
    return matrix


def _geometry(mesh: Mesh, part: Mask, material: Any, exact: bool) -> Any:
    """Return triangles of a mesh as trimesh geometry, in which equal corners are merged."""
    import trimesh

    corners = np.round((mesh.corners[part] @ TO_GLTF).reshape(-1, 3), 5) + 0.0  # no -0.0
    normals = np.round((mesh.normals[part] @ TO_GLTF).reshape(-1, 3), 3) + 0.0
    glows = (mesh.surfaces[part] == Surface.GLOW)[:, None]
    light = np.repeat(linear(np.where(glows, np.float32(1), mesh.colours[part])), 3, axis=0)
    if exact:
        colours = np.round(light, 5).astype(np.float32)
    else:
        opaque = np.pad(np.clip(light, 0, 1), ((0, 0), (0, 1)), constant_values=1)
        colours = np.round(opaque * 255).astype(np.uint8)
    first, faces = _find_distinct((corners, normals, colours))
    visuals: Any = trimesh.visual.TextureVisuals
    visual = visuals(material=material)
    known: dict[str, Any] = {_EXACT: colours[first]} if exact else {}
    if not exact:
        visual.vertex_attributes["color"] = colours[first]
    return trimesh.Trimesh(
        corners[first],
        faces.reshape(-1, 3),
        vertex_normals=normals[first],
        visual=visual,
        vertex_attributes=known,
        process=False,
    )


def _name_colours(tree: dict[str, Any]) -> None:
    for mesh in tree.get("meshes", ()):
        for primitive in mesh["primitives"]:
            if _EXACT in (attributes := primitive["attributes"]):
                attributes["COLOR_0"] = attributes.pop(_EXACT)


def _find_distinct(columns: Sequence[NDArray[Any]]) -> tuple[Index, Index]:
    """Return the first row of each distinct value, and for each row the number of its value."""
    rows = np.concatenate([column.view(np.uint8) for column in columns], axis=1)
    whole = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}").reshape(-1)
    _, first, places = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)  # in their order: near ones stay near, which packs better
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return first[order], rank[places.reshape(-1)]
