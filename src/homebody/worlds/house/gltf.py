"""Houses as glTF files, and the user's own meshes in the place of ours.

glTF has y up and z to the front; homebody has z up and a thing's front at +y. Both ways turn, and
neither mirrors: (x, y, z) of homebody is (-x, z, y) of glTF.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from homebody.core.errors import HomebodyError
from homebody.worlds.house.house import Colour, House, Vector
from homebody.worlds.house.materials import Surface
from homebody.worlds.house.rays import RayScene
from homebody.worlds.house.shapes import Floats, Mesh, flat_normals
from homebody.worlds.house.state import HouseState

MOST_TRIANGLES = 200_000
"""Of a mesh of the user's."""
_TO_GLTF = np.array([[-1, 0, 0], [0, 0, 1], [0, 1, 0]], np.float32)  # its own inverse
FORMATS = (".glb", ".gltf", ".obj", ".ply", ".stl")


def to_glb(house: House, state: HouseState | None = None, ceilings: bool = False) -> bytes:
    """A house in a state as a binary glTF file.

    Every floor, wall, opening, piece of furniture, object and person is a node of its name, so that
    a viewer can hide or pick it. Colours are those of corners.

    Args:
        house: The house.
        state: The first one if left out.
        ceilings: Whether to add them; one looks into the rooms from above without.
    """
    import trimesh

    scene = RayScene(house, state)
    found: Any = trimesh.Scene()
    for name in scene.names[1:]:
        mesh = scene.part(name)
        if not len(mesh) or (
            name.startswith("ceiling_") and name not in house.piece and not ceilings
        ):
            continue
        found.add_geometry(_trimesh(mesh), node_name=name, geom_name=name)
    data: bytes = found.export(file_type="glb")
    return data


def _trimesh(mesh: Mesh) -> Any:
    import trimesh

    linear = np.where(mesh.surfaces[:, None] == Surface.GLOW, 1.0, mesh.colours) ** 2.2
    alpha = np.where(mesh.surfaces == Surface.GLASS, 0.35, 1.0)[:, None]
    colours = np.concatenate([linear, alpha], axis=1)
    corners = (mesh.corners @ _TO_GLTF).reshape(-1, 3)
    normals = (mesh.normals @ _TO_GLTF).reshape(-1, 3)
    per_corner = np.round(np.repeat(colours, 3, axis=0) * 255).astype(np.uint8)
    rows = np.concatenate([np.round(corners, 5), np.round(normals, 3), per_corner], axis=1)
    _, first, places = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    solid = trimesh.Trimesh(
        corners[first], places.reshape(-1, 3), vertex_normals=normals[first], process=False
    )
    solid.visual = trimesh.visual.ColorVisuals(solid, vertex_colors=per_corner[first])
    return solid


class UserMeshes:
    """Meshes of the user's by category, each stretched into the box of the thing that it shows.

    Give it to a :class:`~homebody.worlds.house.rays.RayScene` as ``meshes``.
    """

    def __init__(self, house: House, files: Mapping[str, Path | str]) -> None:
        """Read the files.

        Args:
            house: Whose things are shown.
            files: Category of furniture or objects -> a file (glb, gltf, obj, ply, stl).

        Raises:
            HomebodyError: a file is not there, is of another format, holds no triangles or too
                many; the message names it.
        """
        self._meshes = {category: read_mesh(Path(path)) for category, path in files.items()}
        self._sizes: dict[str, Vector] = {
            **{one.name: one.size for one in house.furniture},
            **{one.name: one.size for one in house.things},
        }

    def __call__(self, name: str, category: str) -> Mesh | None:
        """The mesh of a thing in its own frame; None if its category has none."""
        mesh, size = self._meshes.get(category), self._sizes.get(name)
        return fitted(mesh, size) if mesh is not None and size is not None else None


def read_mesh(path: Path) -> Mesh:
    """A mesh out of a file, z up. Raises HomebodyError: see :class:`UserMeshes`."""
    import trimesh

    if path.suffix.lower() not in FORMATS:
        raise HomebodyError(
            f"{path}: no known format of meshes", f"use one of: {' '.join(FORMATS)}"
        )
    if not path.is_file():
        raise HomebodyError(f"{path}: there is no such file")
    try:
        loaded: Any = trimesh.load(path, force="mesh")
    except Exception as error:  # whatever a broken file makes a parser say
        raise HomebodyError(f"{path}: cannot be read as a mesh: {error}") from error
    if not isinstance(loaded, trimesh.Trimesh) or not len(loaded.faces):
        raise HomebodyError(f"{path}: no triangles in it")
    if len(loaded.faces) > MOST_TRIANGLES:
        raise HomebodyError(f"{path}: {len(loaded.faces)} triangles", f"at most {MOST_TRIANGLES}")
    corners = np.asarray(loaded.triangles, np.float32)
    if not np.isfinite(corners).all():
        raise HomebodyError(f"{path}: some coordinates are not finite")
    if path.suffix.lower() in (".glb", ".gltf", ".obj"):
        corners = corners @ _TO_GLTF
    colours = _colours(loaded, len(corners))
    surfaces = np.full(len(corners), Surface.GLOSS, np.uint8)
    return Mesh(corners, flat_normals(corners), colours, colours, surfaces)


def _colours(loaded: Any, count: int, default: Colour = (0.7, 0.7, 0.7)) -> Floats:
    """Colours of faces, as far as the file says."""
    try:
        visual = loaded.visual
        if visual.kind == "texture":
            visual = visual.to_color()
        found = np.asarray(visual.face_colors, np.float32)[:, :3] / 255
    except Exception:  # textures without a picture, colours of the wrong number
        found = np.empty((0, 3), np.float32)
    if len(found) != count:
        return np.tile(np.array(default, np.float32), (count, 1))
    return np.ascontiguousarray(found)


def fitted(mesh: Mesh, size: Vector) -> Mesh:
    """A mesh moved and stretched so that it fills a box of a size, its bottom's middle at 0."""
    low, high = mesh.corners.min(axis=(0, 1)), mesh.corners.max(axis=(0, 1))
    span = np.maximum(high - low, 1e-6)
    scale = np.array(size, np.float32) / span
    shift = np.array([0.5, 0.5, 0.0], np.float32) * np.array(size, np.float32)
    corners = ((mesh.corners - low) * scale - shift).astype(np.float32)
    return Mesh(corners, flat_normals(corners), mesh.colours, mesh.seconds, mesh.surfaces)
