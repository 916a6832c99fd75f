"""Tables of triangles for shading: planes, colours and surfaces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.rendering.arrays import Floats, Index, Ints, Mask
from homebody.worlds.house.rendering.meshes.mesh import Mesh, flat_normals

SURFACE, COLOUR, SECOND = 3, 4, 7
"""First columns of surface, colour and second colour; the flat normal is before them."""


@dataclass(frozen=True, slots=True)
class FaceTable:
    """Derived data of the triangles of a scene, a row for each.

    Attributes:
        table: (n, 10): flat normal, surface, colour, second colour.
        curved: Mask of triangles whose normals differ from corner to corner.
        normals: (n, 3, 3): the normals at their corners.
        planes: A number for each triangle, the same for coplanar triangles of one owner; round
            triangles have their own.
        looks: A number for each triangle, the same for triangles of one owner and one look that are
            coplanar or round: pixels with the same number have no edge between them.
    """

    table: Floats
    curved: Mask
    normals: Floats
    planes: NDArray[np.int64]
    looks: NDArray[np.int64]

    @classmethod
    def of(cls, mesh: Mesh, owner: Ints) -> FaceTable:
        """Return the table of triangles with the numbers of their owners."""
        flat = flat_normals(mesh.corners)[:, 0]
        code = mesh.surfaces[:, None].astype(np.float32)
        table = np.concatenate([flat, code, mesh.colours, mesh.seconds], axis=1, dtype=np.float32)
        first = mesh.normals[:, 0]
        apart = np.abs(mesh.normals[:, 1:] - first[:, None]).max(axis=(1, 2), initial=0)
        curved = apart > 1e-3
        offset = (flat * mesh.corners[:, 0]).sum(axis=1)
        whole = np.round(flat * 64).astype(np.int64) + 64
        way = (whole[:, 0] * 129 + whole[:, 1]) * 129 + whole[:, 2]
        planes = way * 65536 + np.round(offset * 100).astype(np.int64) % 65536
        planes = planes * 4096 + owner % 4096
        # Owners keep round triangles of the two tables apart.
        alone = -1 - (np.arange(len(planes)) * 4096 + owner % 4096)
        tones = np.round(table[:, SURFACE:] * 255).astype(np.int64)
        look = tones @ (np.int64(1_000_003) ** np.arange(tones.shape[1]))
        looks = np.where(curved, owner, planes) + look * 2_654_435_761
        return cls(table, curved, mesh.normals, np.where(curved, alone, planes), looks)

    @classmethod
    def nothing(cls) -> FaceTable:
        """Return one row, for rays that hit nothing."""
        table = np.zeros((1, 10), np.float32)
        table[0, 2] = 1
        none = np.zeros(1, np.int64)
        return cls(table, np.zeros(1, bool), np.zeros((1, 3, 3), np.float32), none, none)


@dataclass(frozen=True, slots=True)
class HitFaces:
    """The triangles that some rays hit: a few hundred rows, which stay in the cache.

    Attributes:
        row: (n,): ray -> row of the tables below.
        table: (10, m): as in :class:`FaceTable`, transposed.
        code: (m,): code of the surface.
        curved: (m,).
        normals: (3, 3, m): corner, axis, triangle.
        plane: (m,).
        missed: True if there are rays that hit nothing.
    """

    row: Index
    table: Floats
    code: Index
    curved: Mask
    normals: Floats
    plane: NDArray[np.int64]
    missed: bool

    @classmethod
    def of(cls, tables: FaceTable, triangle: Ints) -> HitFaces:
        """Return the triangles that rays hit; -1 is the last row of the tables."""
        used = np.zeros(len(tables.table), bool)
        hit = triangle.astype(np.intp)
        used[hit] = True
        which = np.flatnonzero(used)
        back = np.empty(len(used), np.intp)
        back[which] = np.arange(len(which))
        table = tables.table.take(which, axis=0).T.copy()
        return cls(
            back[hit],
            table,
            table[SURFACE].astype(np.intp),
            tables.curved.take(which),
            tables.normals.take(which, axis=0).transpose(1, 2, 0).copy(),
            tables.planes.take(which),
            bool(used[-1]),
        )
