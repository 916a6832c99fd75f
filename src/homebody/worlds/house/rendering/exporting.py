"""The nodes, shapes and looks of triangles that exporters of houses write.

Equal shapes are one :class:`Shape`. Patterns (planks, cloth, tiles) are painted into one picture.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Colour, House, Pose, to_world
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.rendering.arrays import Floats, Mask, linear
from homebody.worlds.house.rendering.materials import MATERIALS, Material, Surface
from homebody.worlds.house.rendering.meshes.by_name import mesh_of
from homebody.worlds.house.rendering.meshes.frames import pose_of
from homebody.worlds.house.rendering.meshes.mesh import Mesh, join_meshes
from homebody.worlds.house.rendering.ray_scene import MeshOf
from homebody.worlds.house.rendering.textures import Atlas, paint

FILE_TEXEL = 0.008
"""Width of a texel in exported files, metres; wider if there would be more than
``MAX_FILE_TEXELS``."""
MAX_FILE_TEXELS = 4_000_000
Node: TypeAlias = tuple[str, Mesh, Mapping[str, Any], Pose]
"""Name, mesh in its own frame, metadata, and the pose of that frame in the house."""


class Look(NamedTuple):
    """The look that some triangles share.

    Attributes:
        surface: Their surface, which has a :class:`.materials.Material`.
        painted: True if their colours are in the picture of patterns.
        glow: Light that they emit; None if they do not glow.
    """

    surface: Surface
    painted: bool = False
    glow: Colour | None = None

    @property
    def name(self) -> str:
        """A name that identifies it: ``wood_painted``, ``glow_fffaf0``."""
        glow = "".join(f"{round(each * 255):02x}" for each in self.glow or ())
        parts = (self.surface.name.lower(), "painted" * self.painted, glow)
        return "_".join(part for part in parts if part)

    @property
    def material(self) -> Material:
        """Its optical properties."""
        return MATERIALS[self.surface]


@dataclass(frozen=True, slots=True)
class Shape:
    """A mesh that one or more nodes show.

    Attributes:
        mesh: Its triangles.
        looks: The looks of its triangles, each with a mask.
        places: (n, 3, 2): positions of corners in the picture of patterns, as shares of its size.
    """

    mesh: Mesh
    looks: tuple[tuple[Look, Mask], ...]
    places: Floats


def nodes_of(
    house: House,
    state: HouseState | None = None,
    ceilings: bool = False,
    meshes: MeshOf | None = None,
) -> Iterator[Node]:
    """Yield everything in a house in a state that has a shape, contents of shut containers too.

    The frame of a floor, its walls and its ceiling is at the lower corner of the room.

    Args:
        house: The house.
        state: The state to show; the first state if None.
        ceilings: True to add ceilings, which hide the rooms from above.
        meshes: The user's own meshes, such as :class:`.user_meshes.UserMeshes`.
    """
    state = state or HouseState.start(house)
    at: dict[str, Pose] = {}
    for room in house.rooms:
        corner = Pose((min(x for x, _ in room.outline), min(y for _, y in room.outline), 0.0))
        names = [room.floor_name, f"walls_{room.name}", *[f"ceiling_{room.name}"] * ceilings]
        at |= dict.fromkeys(names, corner)
    at |= {opening.name: pose_of(house, opening) for opening in house.openings}
    at |= {person.name: person.pose for person in house.people}
    at |= {piece.name: piece.pose for piece in house.furniture}
    at |= {thing.name: state.poses[thing.name] for thing in house.things}
    at |= {agent: body.pose for agent, body in state.bodies.items()}
    for name, pose in at.items():
        known = extras(house, name, state)
        mesh = None
        if meshes is not None and known["kind"] in ("furniture", "object"):
            mesh = meshes(name, known["category"])
        if mesh is None:
            mesh = shape_of(house, state.bodies, name, state.visible_states(name), pose)
        if len(mesh):
            yield name, mesh, known, pose


def shape_of(
    house: House, bodies: Mapping[str, Body], name: str, states: Mapping[str, Any], pose: Pose
) -> Mesh:
    """Return a mesh in the frame of its node, which has a pose; see :func:`.by_name.mesh_of`."""
    mesh = mesh_of(house, bodies, name, states)
    if any(name in group for group in (house.piece, house.thing, house.person, bodies)):
        return mesh
    x, y, z = pose.position  # others are in the frame of the house
    back = to_world(Pose((0.0, 0.0, 0.0), -pose.yaw), (-x, -y, -z))
    return mesh.place(Pose(back, -pose.yaw))


def extras(house: House, name: str, state: HouseState | None = None) -> dict[str, Any]:
    """Return metadata of a part: name (as in actions), kind, category, room, material and more."""
    if name in house.piece:
        piece = house.piece[name]
        known = {"kind": "furniture", "category": piece.category, "room": piece.room}
        known |= {"material": piece.material} if piece.material else {}
        receptacles = [receptacle.name for receptacle in piece.receptacles]
    elif name in house.thing:
        thing = house.thing[name]
        on = (state.places[name] if state else thing.place)[0]
        known = {"kind": "object", "category": thing.category, "on": on}
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
    elif state is not None and name in state.bodies:
        return {"name": name, "kind": "agent"}
    else:
        opening = next((opening for opening in house.openings if opening.name == name), None)
        if opening is None:
            return {"name": name, "kind": "structure"}
        openable = {"affordances": ["openable"]} if opening.kind == "door" else {}
        return {"name": name, "kind": opening.kind, "rooms": list(opening.rooms), **openable}
    affords = list(catalogue().affords(known["category"]))
    lists = {"affordances": affords, "receptacles": receptacles}
    return {"name": name, **known, **{key: names for key, names in lists.items() if names}}


def find_shapes(nodes: Iterable[Node], painted: bool) -> tuple[list[int], list[Shape], Atlas]:
    """Return the number of each node's shape, the distinct shapes, and the picture of patterns.

    Args:
        nodes: The nodes to write.
        painted: True to paint patterns; without, patterned triangles have one colour.
    """
    known: dict[bytes, int] = {}
    meshes: list[Mesh] = []
    numbers = []
    for _, mesh, _, _ in nodes:
        columns = (mesh.corners, mesh.normals, mesh.colours, mesh.seconds, mesh.surfaces)
        content = hashlib.blake2b(b"".join(np.ascontiguousarray(each).data for each in columns))
        number = known.setdefault(content.digest(), len(meshes))
        numbers.append(number)
        if number == len(meshes):
            meshes.append(_drop_useless(mesh))
    counts = [len(mesh) for mesh in meshes]
    owner = np.repeat(np.arange(len(meshes), dtype=np.int32), counts)
    whole = join_meshes(meshes if painted else [])
    atlas = paint(whole, owner[: len(whole)], FILE_TEXEL, MAX_FILE_TEXELS)
    ends = np.cumsum(counts)[:-1]
    textured = np.split(atlas.textured, ends) if painted else [each.surfaces < 0 for each in meshes]
    places = np.split(atlas.places, ends) if painted else [each.normals[..., :2] for each in meshes]
    return numbers, [_shape(*each) for each in zip(meshes, textured, places, strict=True)], atlas


def _drop_useless(mesh: Mesh) -> Mesh:
    """Return a mesh without triangles of no area or that are there twice, which Blender drops."""
    if not len(mesh):
        return mesh
    low = mesh.corners.min(axis=(0, 1))
    step = max(1e-5, float((mesh.corners - low).max()) / 2**20)
    cells = ((mesh.corners - low) / step).round().astype(np.int64) @ (1 << 42, 1 << 21, 1)
    points, numbers = np.unique(cells, return_inverse=True)
    rows = numbers.reshape(-1, 3)
    starts = (rows.argmin(axis=1)[:, None] + np.arange(3)) % 3
    a, b, c = np.take_along_axis(rows, starts, 1).T
    _, first = np.unique((a * len(points) + b) * len(points) + c, return_index=True)
    kept = np.sort(first[(a != b)[first] & (b != c)[first] & (c != a)[first]])
    columns = (mesh.corners, mesh.normals, mesh.colours, mesh.seconds, mesh.surfaces)
    return Mesh(*(column[kept] for column in columns))


def _shape(mesh: Mesh, textured: Mask, places: Floats) -> Shape:
    glows = mesh.surfaces == Surface.GLOW
    light = np.where(glows[:, None], np.round(linear(mesh.colours).clip(0, 1) * 255), 0)
    keys = np.column_stack([mesh.surfaces, textured, light]).astype(np.int64)
    rows, of = np.unique(keys, axis=0, return_inverse=True)
    looks = []
    for number, (code, painted, *tone) in enumerate(rows.tolist()):
        r, g, b = (each / 255 for each in tone)
        glow = (r, g, b) if code == Surface.GLOW else None
        looks.append((Look(Surface(code), bool(painted), glow), of.reshape(-1) == number))
    return Shape(mesh, tuple(looks), places)
