"""The colour of what rays hit: light that falls on it, its own colour, its gloss.

Arrays of points are (3, n), single precision, in the frame of the house. Light is linear. Light on
an even face changes slowly: it is worked out at every second pixel of every second row, and between
pixels that show the same face, all lit or all in shadow, it is their mean. Where they differ it is
worked out for each pixel, so edges of things and of shadows stay sharp.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.lighting import (
    CELL,
    DAYLIGHT,
    SUN,
    SUNLIGHT,
    Lamps,
    make_lamps,
    make_plan,
)
from homebody.worlds.house.materials import (
    DIRECTED,
    FADING,
    PATTERNED,
    SHINE,
    TWO_COLOURED,
    Surface,
    patterned,
    sky,
)
from homebody.worlds.house.rays import Hits, RayScene, Without, opaque_triangles
from homebody.worlds.house.shapes import Floats, Mesh, flat_normals

Index: TypeAlias = NDArray[np.intp]
"""Positions in an array."""
Mask: TypeAlias = NDArray[np.bool_]

GLOSSY = 0.13
"""What mirrors less is not worth its time."""
_SURFACE, _COLOUR, _SECOND = 3, 4, 7  # rows of the table
_SHADE = np.float32(0.12)  # share of a lamp's light that reaches its shadows by detours
_ONE = np.float32(1)


class Shader:
    """Gives what rays hit its colour; follows the state that a scene shows."""

    def __init__(self, scene: RayScene) -> None:
        self.scene = scene
        self._plan = make_plan(scene.house)
        self._rooms = self._plan.room.astype(np.intp).ravel()
        self._daylight = self._plan.daylight.reshape(3, -1)
        self._version = self._builds = -1

    def prepare(self) -> None:
        """Bring the tables that depend on the state up to date."""
        if self._version == self.scene.version:
            return
        scene = self.scene
        if self._builds != scene.builds:
            self._builds = scene.builds
            self._base = _Tables.of(scene.base)
        self._version = scene.version
        self._lamps: Lamps = make_lamps(scene)
        lamps = [
            scene.number[piece.name]
            for piece in scene.house.furniture
            if piece.category == "ceiling_lamp"  # their light is right below them
        ]
        self._opaque = opaque_triangles(scene) & ~np.isin(scene.owner, lamps)
        tables = self._base
        if len(scene.added):
            new = _Tables.of(scene.added)
            tables = _Tables(
                np.concatenate([tables.table, new.table], axis=1),
                np.concatenate([tables.curved, new.curved]),
                np.concatenate([tables.normals, new.normals]),
                np.concatenate([tables.planes, new.planes]),
            )
        self._table, self._round, self._normal = tables.table, tables.curved, tables.normals
        # Triangles of one thing in one plane share a number, round ones have their own.
        plane = tables.planes * 4096 + scene.owner % 4096
        self._faces = np.where(self._round, -1 - np.arange(len(plane)), plane)
        self._glass = scene.surfaces == Surface.GLASS

    def light(
        self,
        origins: Floats,
        ways: Floats,
        without: Without | None = None,
        width: int = 0,
        deep: int = 0,
    ) -> tuple[Floats, Hits]:
        """Light (3, n) that arrives along rays, and what they hit.

        Args:
            origins: (n, 3).
            ways: (n, 3); the part along the camera's direction is 1.
            without: What they pass through.
            width: Of the picture whose whole rows these rays are; 0 if they are not.
            deep: How many panes of glass they have passed.
        """
        hits = self.scene.cast(origins, ways, without)
        tri = hits.triangle.astype(np.intp)
        seen = np.flatnonzero(tri >= 0)
        if seen.size == len(tri):
            light = self._lit(origins, ways, tri, hits, width)
        else:
            out = np.flatnonzero(tri < 0)
            if width and seen.size:  # rows stay whole: the sky is written over them
                near = np.where(tri < 0, np.float32(1), hits.distance)
                safe = Hits(near, hits.triangle, hits.u, hits.v)
                light = self._lit(origins, ways, tri, safe, width)
            else:
                light = np.empty((3, len(tri)), np.float32)
                part = Hits(hits.distance[seen], hits.triangle[seen], hits.u[seen], hits.v[seen])
                if seen.size:
                    light[:, seen] = self._lit(origins[seen], ways[seen], tri[seen], part, 0)
            unit = ways[out].T.copy()
            unit /= np.sqrt(_dot(unit, unit))
            light[:, out] = sky(unit)
        if deep < 2:
            glass = seen[self._glass[tri[seen]]]
            if glass.size:  # two thirds of what is behind, one of the glass itself
                starts = origins[glass] + ways[glass] * (hits.distance[glass, None] + 1e-3)
                behind, _ = self.light(starts.astype(np.float32), ways[glass], without, 0, deep + 1)
                light[:, glass] = light[:, glass] * np.float32(0.3) + behind * np.float32(0.7)
        return light, hits

    def _lit(self, origins: Floats, ways: Floats, tri: Index, hits: Hits, width: int) -> Floats:
        points = (origins + ways * hits.distance[:, None]).T.copy()
        code = self._table[_SURFACE].take(tri, mode="clip").astype(np.intp)
        if width and len(tri) >= 4 * width:
            light = self._woven(points, ways, tri, hits, width)
        else:
            light, _ = self._falling(points, ways, tri, hits, np.arange(len(tri)))
        albedo = self._albedo(tri, code, points, ways, hits.distance)
        light *= albedo
        glossy = np.flatnonzero(SHINE.take(code) > GLOSSY)
        if glossy.size:
            gloss = self._gloss(points, ways, tri, code, hits, albedo, glossy)
            for row in range(3):
                light[row, glossy] += gloss[row]
        glow = np.flatnonzero(code == Surface.GLOW)
        if glow.size:
            light[:, glow] = albedo[:, glow] * np.float32(1.9)
        return light

    # -- light that falls on points ---------------------------------------------------------------

    def _woven(self, points: Floats, ways: Floats, tri: Index, hits: Hits, width: int) -> Floats:
        """Falling light (3, n) for whole rows: every fourth pixel first, then what is between."""
        rows = len(tri) // width
        face = self._faces.take(tri, mode="clip").reshape(rows, width)
        grid = np.arange(len(tri)).reshape(rows, width)
        first = grid[::2, ::2]
        light = np.empty((3, len(tri)), np.float32)
        shadows = np.zeros((rows, width), np.int32)
        some, dark = self._falling(points, ways, tri, hits, first.ravel())
        for row in range(3):
            light[row, first.ravel()] = some[row]
        shadows[::2, ::2] = dark.reshape(first.shape)
        # What a pixel shows, and whether it is in the dark; equal in all four: one even patch.
        kind = face[::2, ::2] * 4 + shadows[::2, ::2]
        right = np.concatenate([kind[:, 1:], kind[:, -1:]], axis=1)
        below = np.concatenate([kind[1:], kind[-1:]], axis=0)
        across = np.concatenate([right[1:], right[-1:]], axis=0)
        even_right, even_below = kind == right, kind == below
        even = even_right & even_below & (kind == across)
        rest = np.ones((rows, width), bool)
        rest[::2, ::2] = False
        own = kind >> 2
        wide, tall = width // 2, rows // 2
        rest[::2, 1::2] = ~(even_right[:, :wide] & (face[::2, 1::2] == own[:, :wide]))
        rest[1::2, ::2] = ~(even_below[:tall] & (face[1::2, ::2] == own[:tall]))
        rest[1::2, 1::2] = ~(even[:tall, :wide] & (face[1::2, 1::2] == own[:tall, :wide]))
        half = np.float32(0.5)
        for row in range(3):
            one = light[row].reshape(rows, width)
            base = one[::2, ::2]
            beside = (base + np.concatenate([base[:, 1:], base[:, -1:]], axis=1)) * half
            one[::2, 1::2] = beside[:, :wide]
            under = (base + np.concatenate([base[1:], base[-1:]], axis=0)) * half
            one[1::2, ::2] = under[:tall]
            middle = (beside + np.concatenate([beside[1:], beside[-1:]], axis=0)) * half
            one[1::2, 1::2] = middle[:tall, :wide]
        left = np.flatnonzero(rest)
        if left.size:
            some, _ = self._falling(points, ways, tri, hits, left)
            for row in range(3):
                light[row, left] = some[row]
        return light

    def _falling(
        self, points: Floats, ways: Floats, tri: Index, hits: Hits, which: Index
    ) -> tuple[Floats, NDArray[np.int32]]:
        """Light (3, m) that falls on some of the points; 1 where a lamp, 2 where the sun is
        hidden, 3 for both."""
        own = tri.take(which)
        spot = points.take(which, axis=1, mode="clip")
        normal = self._normals(own, which, hits, ways)
        plan, lamps = self._plan, self._lamps
        rows, columns = plan.room.shape
        scale = np.float32(1 / CELL)
        lift = np.float32(0.03)
        x = (spot[0] + normal[0] * lift - np.float32(plan.low[0])) * scale
        y = (spot[1] + normal[1] * lift - np.float32(plan.low[1])) * scale
        cell = np.clip(y, 0, rows - 1).astype(np.intp) * columns
        cell += np.clip(x, 0, columns - 1).astype(np.intp)
        room = self._rooms.take(cell, mode="clip")
        day = self._daylight.take(cell, axis=1, mode="clip")
        soft = np.maximum(_dot(normal, day), 0) + np.float32(0.25) * np.sqrt(_dot(day, day))
        # From everywhere: more from above, less in corners.
        base = lamps.ambient.take(room) * (np.float32(0.82) + np.float32(0.18) * normal[2])
        base = (base + soft) * self._openness(cell, spot[2], normal[2])
        key, dark = self._lamp(spot, normal, room)
        light = np.empty_like(spot)
        for row in range(3):
            light[row] = base * DAYLIGHT[row] + key * lamps.colours[:, row].take(room)
        facing = _dot(normal, SUN[:, None])
        sunny = np.flatnonzero(plan.sunny.take(room) & (facing > np.float32(0.05)))
        if sunny.size:
            starts = _lifted(spot, normal, sunny)
            way = np.empty_like(starts)
            way[:] = SUN * np.float32(60)
            shut = self.scene.blocked(starts, way, self._opaque)
            strength = facing[sunny] * ~shut
            dark[sunny] += 2 * shut
            for row in range(3):
                light[row, sunny] += strength * SUNLIGHT[row]
        return light, dark

    def _lamp(self, spot: Floats, normal: Floats, room: Index) -> tuple[Floats, NDArray[np.int32]]:
        """Light from the lamp that lights each point most, unless something is between, and half
        that of the others; where something is between."""
        lamps = self._lamps
        best = np.zeros(spot.shape[1], np.float32)
        rest = np.zeros_like(best)
        toward = np.empty_like(spot)
        for k in range(int(lamps.count[room].max())):
            gap = np.empty_like(spot)
            for row in range(3):
                gap[row] = lamps.places[:, k, row].take(room)
            gap -= spot
            square = _dot(gap, gap)
            facing = np.maximum(_dot(gap, normal), 0) / np.sqrt(square + np.float32(1e-6))
            power = lamps.powers[:, k].take(room) * facing / (square + np.float32(1.3))
            if k == 0:
                best, toward = power, gap
                continue
            more = power > best
            rest += np.where(more, best, power) * np.float32(0.5)
            best = np.where(more, power, best)
            toward = np.where(more, gap, toward)
        dark = np.zeros(len(best), np.int32)
        lit = np.flatnonzero(best > np.float32(1e-3))
        if lit.size:
            starts = _lifted(spot, normal, lit)
            ends = toward.take(lit, axis=1, mode="clip").T.copy()
            shut = self.scene.blocked(starts, ends, self._opaque)
            dark[lit] = shut
            best[lit[shut]] *= _SHADE
        return best + rest, dark

    def _openness(self, cell: Index, z: Floats, up: Floats) -> Floats:
        """How much of the light from everywhere reaches points: less near walls and furniture."""
        plan = self._plan
        low = np.where(z < np.float32(0.06), plan.open_floor.ravel().take(cell), _ONE)
        top = np.where(up < np.float32(-0.5), plan.open_top.ravel().take(cell), _ONE)
        found = np.float32(0.42) + np.float32(0.58) * low * top
        side = np.float32(0.72) + np.float32(0.28) * z / (z + np.float32(0.15))
        return found * np.where(np.abs(up) < np.float32(0.5), side, _ONE)

    def _normals(self, own: Index, which: Index, hits: Hits, ways: Floats) -> Floats:
        """Normals (3, m) on the side that is seen, bent where a surface is round."""
        normal = self._table[0:3].take(own, axis=1, mode="clip")
        curved = np.flatnonzero(self._round.take(own, mode="clip"))
        if curved.size:
            corner = self._normal.take(own[curved], axis=0)
            at = which[curved]
            u, v = hits.u[at][:, None], hits.v[at][:, None]
            mixed = corner[:, 0] * (1 - u - v) + corner[:, 1] * u + corner[:, 2] * v
            mixed /= np.sqrt(np.maximum((mixed * mixed).sum(axis=1, keepdims=True), 1e-9))
            normal[:, curved] = mixed.T
        way = ways.take(which, axis=0).T
        normal *= np.where(_dot(normal, way) > 0, -_ONE, _ONE)
        return normal

    # -- own colours ------------------------------------------------------------------------------

    def _albedo(
        self, tri: Index, code: Index, points: Floats, ways: Floats, distance: Floats
    ) -> Floats:
        """Linear colours (3, n)."""
        albedo = self._table[_COLOUR:_SECOND].take(tri, axis=1, mode="clip")
        for surface in np.flatnonzero(np.bincount(code, minlength=32)).tolist():
            if surface not in PATTERNED:
                continue
            mask = code == surface
            if surface in FADING:  # far away nothing of the pattern is left
                mask &= distance < np.float32(FADING[Surface(surface)])
            where = np.flatnonzero(mask)
            own = tri.take(where)
            colours = albedo.take(where, axis=1, mode="clip")
            second, normal = colours, colours
            if surface in TWO_COLOURED:
                second = self._table[_SECOND:].take(own, axis=1, mode="clip")
            if surface in DIRECTED:
                normal = self._table[0:3].take(own, axis=1, mode="clip")
            spots = points.take(where, axis=1, mode="clip")
            found = patterned(surface, spots, normal, colours, second, distance.take(where))
            for row in range(3):
                albedo[row, where] = found[row]
        np.clip(albedo, 0, 1, out=albedo)
        albedo *= albedo  # from sRGB: a square is near enough
        return albedo

    def _gloss(
        self,
        points: Floats,
        ways: Floats,
        tri: Index,
        code: Index,
        hits: Hits,
        albedo: Floats,
        which: Index,
    ) -> Floats:
        """What smooth surfaces mirror: the lamp as a spot, the room as bright above, dark below."""
        own = tri.take(which)
        normal = self._normals(own, which, hits, ways)
        way = ways.take(which, axis=0).T.copy()
        way /= np.sqrt(_dot(way, way))
        across = _dot(way, normal)
        mirrored = way - normal * (across + across)
        spot = points.take(which, axis=1, mode="clip")
        cells = (spot[:2] - np.array([[self._plan.low[0]], [self._plan.low[1]]], np.float32)) / CELL
        rows, columns = self._plan.room.shape
        cell = np.clip(cells[1], 0, rows - 1).astype(np.intp) * columns
        cell += np.clip(cells[0], 0, columns - 1).astype(np.intp)
        room = self._rooms.take(cell, mode="clip")
        toward = self._lamps.places[:, 0].T.take(room, axis=1) - spot
        toward /= np.sqrt(np.maximum(_dot(toward, toward), np.float32(1e-6)))
        peak = np.maximum(_dot(mirrored, toward), 0)
        for _ in range(4):
            peak *= peak
        shine = SHINE.take(code.take(which))
        above = np.clip(mirrored[2] * np.float32(0.6) + np.float32(0.45), 0, 1)
        edge = 1 + across
        metal = shine > np.float32(0.5)
        share = np.where(metal, shine, shine * (np.float32(0.12) + edge * edge))
        amount = share * above * np.float32(0.8) + shine * peak * np.float32(0.6)
        tint = albedo.take(which, axis=1, mode="clip") * np.float32(1.1)
        found: Floats = np.where(metal, tint, _ONE) * amount
        return found


def _dot(a: Floats, b: Floats) -> Floats:
    found: Floats = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return found


def _lifted(spot: Floats, normal: Floats, which: Index) -> Floats:
    """Starts (m, 3) of rays a little off their surfaces."""
    lifted = spot.take(which, axis=1, mode="clip")
    lifted += normal.take(which, axis=1, mode="clip") * np.float32(2e-3)
    return np.ascontiguousarray(lifted.T)


@dataclass(frozen=True, slots=True)
class _Tables:
    """What is derived from triangles.

    Attributes:
        table: (10, triangles): flat normal, surface, colour, second colour.
        curved: Which triangles have normals that differ from corner to corner.
        normals: (triangles, 3, 3): those normals.
        planes: A number for each triangle, the same for those in one plane.
    """

    table: Floats
    curved: Mask
    normals: Floats
    planes: NDArray[np.int64]

    @classmethod
    def of(cls, mesh: Mesh) -> _Tables:
        flat = flat_normals(mesh.corners)[:, 0]
        code = mesh.surfaces[None].astype(np.float32)
        table = np.concatenate([flat.T, code, mesh.colours.T, mesh.seconds.T])
        first = mesh.normals[:, 0]
        apart = np.abs(mesh.normals[:, 1:] - first[:, None]).max(axis=(1, 2), initial=0)
        offset = (flat * mesh.corners[:, 0]).sum(axis=1)
        whole = np.round(flat * 64).astype(np.int64) + 64
        way = (whole[:, 0] * 129 + whole[:, 1]) * 129 + whole[:, 2]
        planes = way * 65536 + np.round(offset * 100).astype(np.int64) % 65536
        return cls(table, apart > 1e-3, mesh.normals, planes)
