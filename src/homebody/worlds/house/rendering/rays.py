"""Ray casting at meshes in a search tree; rays can pass through chosen triangles, such as glass.

The library is Embree, in single precision. Positions are metres in the frame of the house.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.rendering.arrays import Floats, Index, Ints, Mask
from homebody.worlds.house.rendering.meshes.mesh import Mesh

FAR = 1e4
"""The distance of a missing hit."""
_STEP = 2e-4  # metres behind a passed triangle at which a ray restarts


@dataclass(frozen=True, slots=True)
class Hits:
    """Hits of rays.

    Attributes:
        distance: Along the ray, in lengths of its direction; ``FAR`` if it hits nothing.
        triangle: Number of the triangle in the tables of the scene; -1 for none.
        u: Barycentric coordinate of the hit: the corners weigh 1 - u - v, u, v.
        v: See u.
    """

    distance: Floats
    triangle: Ints
    u: Floats
    v: Floats


class Tree:
    """An Embree tree of some triangles."""

    __slots__ = ("_embree", "count")

    def __init__(self, corners: Floats, faces: Ints | None = None) -> None:
        """Build the tree of triangles (n, 3, 3), or of points (m, 3) and corner indices (n, 3).

        Raises:
            HomebodyError: embreex is not installed.
        """
        device = _device()
        from embreex.mesh_construction import TriangleMesh  # type: ignore[import-untyped]
        from embreex.rtcore_scene import EmbreeScene  # type: ignore[import-untyped]

        self.count = len(corners) if faces is None else len(faces)
        self._embree = EmbreeScene(device)
        if self.count and faces is None:
            TriangleMesh(self._embree, np.ascontiguousarray(corners, np.float32))
        elif self.count:
            TriangleMesh(self._embree, np.ascontiguousarray(corners, np.float32), faces)

    def cast(self, origins: Floats, directions: Floats, far: Floats | None = None) -> Hits:
        """Return the first hits of rays (n, 3), at most ``far`` away."""
        answer = self._embree.run(origins, directions, far, output=True)
        triangle: Ints = answer["primID"]
        return Hits(answer["tfar"], triangle, answer["u"], answer["v"])

    def cast_past(self, hits: Hits, stops: Mask, origins: Floats, directions: Floats) -> Hits:
        """Return the final hits of rays, given their first hits. Only triangles in ``stops`` end a
        ray; it passes through all others."""
        passing = np.flatnonzero(hits.triangle >= 0)
        passing = passing[~stops.take(hits.triangle.take(passing))]
        if not passing.size:
            return hits
        distance, triangle = hits.distance.copy(), hits.triangle.copy()
        u, v = hits.u.copy(), hits.v.copy()
        for _ in range(64):
            lengths = np.linalg.norm(directions[passing], axis=1)
            start = distance[passing] + _STEP / lengths
            start = start.astype(np.float32)
            ways = directions[passing]
            again = self.cast(origins[passing] + ways * start[:, None], ways)
            missed = again.triangle < 0
            distance[passing] = np.where(missed, np.float32(FAR), again.distance + start)
            triangle[passing], u[passing], v[passing] = again.triangle, again.u, again.v
            passing = passing[~missed & ~stops[np.maximum(again.triangle, 0)]]
            if not passing.size:
                break
        triangle[passing] = -1
        distance[passing] = FAR
        return Hits(distance, triangle, u, v)

    def blocks(self, origins: Floats, directions: Floats, opaque: Mask | None = None) -> Mask:
        """Return the mask of rays that meet an opaque triangle within their lengths.

        All triangles are opaque if ``opaque`` is None.
        """
        far = np.ones(len(origins), np.float32)  # Embree writes into it
        if opaque is None or opaque.all():
            met: Mask = self._embree.run(origins, directions, far, query="OCCLUDED") >= 0
            return met
        hit: Ints = self._embree.run(origins, directions, far)
        blocked: Mask = hit >= 0
        passing = np.flatnonzero(blocked)
        passing = passing[~opaque.take(hit.take(passing))]
        if passing.size:  # they met transparent triangles: only these continue
            starts, ways = origins[passing], directions[passing]
            once = np.ones(len(passing), np.float32)
            end = self.cast_past(self.cast(starts, ways, once), opaque, starts, ways)
            blocked[passing] = (end.triangle >= 0) & (end.distance < 1)
        return blocked


@dataclass(frozen=True, slots=True)
class SmallTree:
    """A tree with a box around it, which only the rays that meet the box enter.

    Attributes:
        tree: The tree.
        first: Number of its first triangle in the tables of the scene.
        low: Lower corner of the box.
        high: Upper corner.
        names: Owners of its triangles.
        parts: Triangles by owner.
    """

    tree: Tree
    first: int
    low: Floats
    high: Floats
    names: frozenset[str]
    parts: tuple[Mesh, ...]

    @property
    def numbers(self) -> slice:
        """Return the range of numbers of its triangles."""
        return slice(self.first, self.first + self.tree.count)

    def find_entering(self, origins: Floats, directions: Floats) -> Index:
        """Return the numbers of the rays that meet the box."""
        with np.errstate(divide="ignore", invalid="ignore"):
            enter, leave = np.float32(0), np.float32(FAR)
            for axis in range(3):
                inverse = 1 / directions[:, axis]
                a = (self.low[axis] - origins[:, axis]) * inverse
                b = (self.high[axis] - origins[:, axis]) * inverse
                enter = np.maximum(enter, np.fmin(a, b))
                leave = np.minimum(leave, np.fmax(a, b))
        meeting: Index = np.flatnonzero(leave >= enter)
        return meeting


def require_rays() -> None:
    """Raise HomebodyError if rays cannot be cast here."""
    _device()


@cache
def _device() -> Any:
    try:
        from embreex import rtcore  # type: ignore[import-untyped]
    except ImportError as error:
        raise HomebodyError(
            "casting rays needs embreex", "pip install 'homebody[house]'"
        ) from error
    return rtcore.EmbreeDevice()
