"""Meshes: sets of triangles, each with a colour and a surface."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.rendering.arrays import Floats, join_rows


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles.

    Attributes:
        corners: (n, 3, 3): triangle, corner, axis; counter-clockwise seen from outside.
        normals: (n, 3, 3): of unit length, at each corner; they differ where a surface is round.
        colours: (n, 3): sRGB in [0, 1].
        seconds: (n, 3): the second colour of patterned surfaces.
        surfaces: (n,): codes of :class:`.materials.Surface`.
    """

    corners: Floats
    normals: Floats
    colours: Floats
    seconds: Floats
    surfaces: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.corners)

    def place(self, pose: Pose) -> Mesh:
        """Return the mesh at a pose."""
        turn = math.radians(pose.yaw)
        matrix = rotation_matrix("z", turn)
        corners = self.corners @ matrix.T + np.asarray(pose.position, np.float32)
        return Mesh(corners, self.normals @ matrix.T, self.colours, self.seconds, self.surfaces)


def join_meshes(meshes: Sequence[Mesh]) -> Mesh:
    """Return all triangles of some meshes, in their order."""
    if not meshes:
        empty: Any = np.zeros((0, 3, 3), np.float32)
        return Mesh(empty, empty, empty[:, 0], empty[:, 0], np.zeros(0, np.uint8))
    return join_rows(meshes)


def rotation_matrix(axis: str, angle: float) -> Floats:
    """Return the matrix that rotates points (columns) about an axis, radians counter-clockwise."""
    cos, sin = round(math.cos(angle), 9), round(math.sin(angle), 9)
    rows = {
        "x": [[1, 0, 0], [0, cos, -sin], [0, sin, cos]],
        "y": [[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]],
        "z": [[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]],
    }
    return np.array(rows[axis], np.float32)


def flat_normals(corners: Floats) -> Floats:
    """Return the normals (n, 3, 3) of flat triangles; up for degenerate ones."""
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(across, axis=1, keepdims=True)
    unit = np.where(length > 1e-12, across / np.maximum(length, 1e-12), np.array([0, 0, 1]))
    return np.repeat(unit[:, None].astype(np.float32), 3, axis=1)
