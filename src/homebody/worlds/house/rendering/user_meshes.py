"""The user's own meshes, from files in the usual formats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from homebody.worlds.house.model.house import House, Vector
from homebody.worlds.house.rendering.mesh_files import read_mesh
from homebody.worlds.house.rendering.meshes.mesh import Mesh, flat_normals


class UserMeshes:
    """Meshes of the user by category or name, each stretched into the box of its object.

    Pass it as ``meshes`` to :meth:`.render.Renderer.of`, :func:`.gltf.to_glb` or
    :class:`.ray_scene.RayScene`.
    """

    def __init__(self, house: House, files: Mapping[str, Path | str]) -> None:
        """Read the files.

        Args:
            house: The house that is shown.
            files: Category of furniture or objects, or the name of one (which takes precedence) ->
                a file (glb, gltf, obj, ply, stl).

        Raises:
            HomebodyError: A file is missing, has another format, or no triangles or too many. The
                message names the file.
        """
        self._meshes = {category: read_mesh(Path(path)) for category, path in files.items()}
        self._sizes: dict[str, Vector] = {
            **{piece.name: piece.size for piece in house.furniture},
            **{thing.name: thing.size for thing in house.things},
        }

    def __call__(self, name: str, category: str) -> Mesh | None:
        """Return the mesh of an object in its own frame; None if its category has none."""
        mesh, size = self._meshes.get(name, self._meshes.get(category)), self._sizes.get(name)
        return fit_mesh(mesh, size) if mesh is not None and size is not None else None


def fit_mesh(mesh: Mesh, size: Vector) -> Mesh:
    """Return a mesh moved and stretched to fill a box of a size, its bottom's centre at 0."""
    low, high = mesh.corners.min(axis=(0, 1)), mesh.corners.max(axis=(0, 1))
    span = np.maximum(high - low, 1e-6)
    scale = np.array(size, np.float32) / span
    shift = np.array([0.5, 0.5, 0.0], np.float32) * np.array(size, np.float32)
    corners = ((mesh.corners - low) * scale - shift).astype(np.float32)
    return Mesh(corners, flat_normals(corners), mesh.colours, mesh.seconds, mesh.surfaces)
