"""Houses as glTF files, which trimesh writes.

glTF has y up and z to the front; homebody has z up and a thing's front at +y. Both ways turn, and
neither mirrors: (x, y, z) of homebody is (-x, z, y) of glTF.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

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
Node: TypeAlias = tuple[str, Mesh, Mapping[str, Any], Pose | None]
"""Its name; what is seen of it; its ``extras``; where the mesh's frame is in the house, None if
that is the house's own."""
_ROOT: Final = "the house"
"""The frame of trimesh that all nodes are in, and no node; names have no spaces."""
_EXACT: Final = "_exact"
"""The attribute in which trimesh writes colours as they are: of others it makes bytes."""


def to_glb(
    house: House,
    state: HouseState | None = None,
    ceilings: bool = False,
    meshes: MeshOf | None = None,
) -> bytes:
    """A house in a state as a binary glTF 2.0 file; the same house gives the same bytes.

    Every floor, wall, opening, piece of furniture, object and person is a node of its name, so that
    a viewer can hide or pick it. Colours are those of corners.

    Args:
        house: The house.
        state: The first one if left out.
        ceilings: Whether to add them; one looks into the rooms from above without.
        meshes: The user's own meshes, such as :class:`.user_meshes.UserMeshes`.
    """
    found = parts(house, state, ceilings, meshes)
    return glb(((name, mesh, extras(house, name), None) for name, mesh in found), exact=True)


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


def glb(nodes: Iterable[Node], exact: bool = False) -> bytes:
    """A binary glTF 2.0 file of some nodes, each of a name of its own. What is of glass in a mesh,
    whose material blends, is a child of the node if there is more in it.

    Args:
        nodes: What is in it.
        exact: Whether colours are floats, which take three times as much as bytes. As these, dark
            colours are off by up to 3 of 255: they are of linear light.
    """
    import trimesh

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
    """A material that colours of corners are multiplied with."""
    import trimesh

    blends = alpha < 255
    material: Any = trimesh.visual.material.PBRMaterial
    return material(
        name=name,
        baseColorFactor=(255, 255, 255, alpha),
        metallicFactor=0.0,  # the default is metal, which is black without a surrounding
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
    """Triangles of a mesh as trimesh's, in which corners that are the same are one."""
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
    """Which rows differ from all before them, and of each row which of these is the same."""
    rows = np.concatenate([column.view(np.uint8) for column in columns], axis=1)
    whole = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}").reshape(-1)
    _, first, places = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)  # as they come: what is near stays near, which packs better
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return first[order], rank[places.reshape(-1)]
