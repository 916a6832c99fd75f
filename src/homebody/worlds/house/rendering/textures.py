"""Painted patterns of surfaces: a picture of every patterned face, all in one atlas.

The fast pictures compute patterns at each visible point (:mod:`.patterns`). Other renderers cannot
call that code, so the same function is evaluated beforehand on a grid of points of each face.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.rendering.arrays import Floats, Index, Ints, Mask
from homebody.worlds.house.rendering.materials import PATTERNED
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.patterns import apply_pattern
from homebody.worlds.house.rendering.triangle_tables import FaceTable

TEXEL = 0.004
MAX_TEXELS = 16_000_000
WIDTH = 4096
"""Width of the atlas, texels."""
_SMALLEST = 0.03
"""Size in metres below which a face has one colour."""
_CHUNK = 1 << 19


@dataclass(frozen=True, slots=True)
class Atlas:
    """Painted faces.

    Attributes:
        texels: (height, WIDTH, 3) bytes, sRGB, the first row the lowest.
        textured: (n,): mask of triangles that have a place in it.
        places: (n, 3, 2): positions of their corners, as shares of its width and height.
    """

    texels: NDArray[np.uint8]
    textured: Mask
    places: Floats


def paint(mesh: Mesh, owner: Ints, texel: float = TEXEL, most: int = MAX_TEXELS) -> Atlas:
    """Paint the patterned faces of a scene.

    Args:
        mesh: Its triangles.
        owner: Triangle -> number of its owner.
        texel: Width of a texel, metres; wider if there would be more than ``most`` texels.
        most: Maximum texels.
    """
    count = len(mesh)
    places = np.zeros((count, 3, 2), np.float32)
    which = np.flatnonzero(np.isin(mesh.surfaces, [int(code) for code in PATTERNED]))
    extent = np.ptp(mesh.corners[which], axis=1).max(axis=1, initial=0)
    which = which[extent >= _SMALLEST]
    textured = np.zeros(count, bool)
    if not which.size:
        return Atlas(np.zeros((0, WIDTH, 3), np.uint8), textured, places)
    textured[which] = True
    group, first = _groups(mesh, owner, which)
    normal = FaceTable.of(mesh, owner).table[which[first], :3]
    across, along = _axes(normal)
    corners = mesh.corners[which]
    flat = np.stack(
        [
            (corners * across[group][:, None]).sum(axis=2),
            (corners * along[group][:, None]).sum(axis=2),
        ],
        axis=2,
    )
    low = np.full((len(first), 2), np.inf)
    high = np.full((len(first), 2), -np.inf)
    np.minimum.at(low, group, flat.min(axis=1))
    np.maximum.at(high, group, flat.max(axis=1))
    texel = _widen(texel, most, high - low)
    sizes = np.ceil((high - low) / texel).astype(np.int64) + 2
    at, height = _pack(sizes)
    inside = (flat - low[group][:, None]) / texel + 0.5 + at[group][:, None]
    places[which] = inside / np.array([WIDTH, height])
    texels = np.zeros((height * WIDTH, 3), np.uint8)
    depth = (mesh.corners[which[first], 0] * normal).sum(axis=1)
    for code in np.unique(mesh.surfaces[which]).tolist():
        own = np.flatnonzero(mesh.surfaces[which[first]] == code)
        _paint_groups(
            texels, code, own, sizes, at, low, texel, (across, along, normal, depth),
            mesh.colours[which[first]], mesh.seconds[which[first]],
        )  # fmt: skip
    return Atlas(texels.reshape(height, WIDTH, 3), textured, places)


def _groups(mesh: Mesh, owner: Ints, which: Index) -> tuple[Index, Index]:
    """Group triangles of one owner, plane and look: triangle -> group, and the first of each."""
    planes = FaceTable.of(mesh, owner).planes[which]
    look = np.concatenate([mesh.colours[which], mesh.seconds[which]], axis=1)
    whole = np.round(look * 1000).astype(np.int64) @ (1009 ** np.arange(6, dtype=np.int64))
    keys = np.stack([planes, owner[which].astype(np.int64), mesh.surfaces[which], whole], axis=1)
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return group.reshape(-1), first


def _axes(normal: Floats) -> tuple[Floats, Floats]:
    """Return two orthogonal directions in each plane."""
    level = np.abs(normal[:, 2]) > 0.99
    across = np.stack([-normal[:, 1], normal[:, 0], np.zeros(len(normal))], axis=1)
    across[level] = (1, 0, 0)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    along = np.cross(normal, across)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    return across.astype(np.float32), along.astype(np.float32)


def _widen(texel: float, most: int, extents: NDArray[np.float64]) -> float:
    texel = max(texel, float(extents.max()) / (WIDTH - 4))
    while float(np.prod(np.ceil(extents / texel) + 2, axis=1).sum()) > most:
        texel *= 1.25
    return texel


def _pack(sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return positions of rectangles (width, height) on shelves, tallest first, and the height."""
    at = np.zeros_like(sizes)
    x = y = shelf = 0
    for i in np.argsort(-sizes[:, 1], kind="stable").tolist():
        width, height = int(sizes[i, 0]), int(sizes[i, 1])
        if x + width > WIDTH:
            x, y, shelf = 0, y + shelf, 0
        at[i] = x, y
        x, shelf = x + width, max(shelf, height)
    return at, y + shelf


def _paint_groups(
    texels: NDArray[np.uint8],
    code: int,
    own: Index,
    sizes: NDArray[np.int64],
    at: NDArray[np.int64],
    low: NDArray[np.float64],
    texel: float,
    frames: tuple[Floats, Floats, Floats, Floats],
    colours: Floats,
    seconds: Floats,
) -> None:
    across, along, normal, depth = frames
    counts = sizes[own].prod(axis=1)
    ends = np.cumsum(counts)
    for start in range(0, int(ends[-1]), _CHUNK):
        number = np.arange(start, min(start + _CHUNK, int(ends[-1])))
        of = np.searchsorted(ends, number, side="right")
        inner = number - (ends[of] - counts[of])
        of = own[of]
        i, j = inner % sizes[of, 0], inner // sizes[of, 0]
        u, v = low[of, 0] + i * texel, low[of, 1] + j * texel
        points = across[of] * u[:, None] + along[of] * v[:, None] + normal[of] * depth[of, None]
        wide = np.full(len(of), texel, np.float32)
        pattern = apply_pattern(
            code,
            np.ascontiguousarray(points.T, np.float32),
            np.ascontiguousarray(normal[of].T),
            np.ascontiguousarray(colours[of].T),
            np.ascontiguousarray(seconds[of].T),
            wide,
        )
        rows = (at[of, 1] + j) * WIDTH + at[of, 0] + i
        texels[rows] = np.round(np.clip(pattern.T, 0, 1) * 255)
