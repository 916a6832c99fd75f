"""The user's own meshes in the place of ours, out of files in the usual formats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from homebody.core.errors import HomebodyError
from homebody.worlds.house.model.house import Colour, House, Vector
from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.gltf import TO_GLTF
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Mesh, flat_normals

MAX_TRIANGLES = 200_000
"""Of a mesh of the user's."""
FORMATS = (".glb", ".gltf", ".obj", ".ply", ".stl")


class UserMeshes:
    """Meshes of the user's by category, each stretched into the box of the thing that it shows.

    Give it as ``meshes`` to :meth:`.render.Renderer.of`, :func:`.gltf.to_glb` or
    :class:`.ray_scene.RayScene`.
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
            **{piece.name: piece.size for piece in house.furniture},
            **{thing.name: thing.size for thing in house.things},
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
    if len(loaded.faces) > MAX_TRIANGLES:
        raise HomebodyError(f"{path}: {len(loaded.faces)} triangles", f"at most {MAX_TRIANGLES}")
    corners = np.asarray(loaded.triangles, np.float32)
    if not np.isfinite(corners).all():
        raise HomebodyError(f"{path}: some coordinates are not finite")
    if path.suffix.lower() in (".glb", ".gltf", ".obj"):
        corners = corners @ TO_GLTF
    colours = _colours(loaded, len(corners))
    surfaces = np.full(len(corners), Surface.GLOSS, np.uint8)
    return Mesh(corners, flat_normals(corners), colours, colours, surfaces)


def _colours(loaded: Any, count: int, default: Colour = (0.7, 0.7, 0.7)) -> Floats:
    """Colours of faces, as far as the file says."""
    try:
        visual = loaded.visual
        if visual.kind == "texture":
            visual = visual.to_color()
        colours = np.asarray(visual.face_colors, np.float32)[:, :3] / 255
    except Exception:  # textures without a picture, colours of the wrong number
        colours = np.empty((0, 3), np.float32)
    if len(colours) != count:
        return np.tile(np.array(default, np.float32), (count, 1))
    return np.ascontiguousarray(colours)


def fitted(mesh: Mesh, size: Vector) -> Mesh:
    """A mesh moved and stretched so that it fills a box of a size, its bottom's middle at 0."""
    low, high = mesh.corners.min(axis=(0, 1)), mesh.corners.max(axis=(0, 1))
    span = np.maximum(high - low, 1e-6)
    scale = np.array(size, np.float32) / span
    shift = np.array([0.5, 0.5, 0.0], np.float32) * np.array(size, np.float32)
    corners = ((mesh.corners - low) * scale - shift).astype(np.float32)
    return Mesh(corners, flat_normals(corners), mesh.colours, mesh.seconds, mesh.surfaces)
