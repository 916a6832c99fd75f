"""The colour of what rays hit: light that falls on it, its own colour, its gloss.

Arrays of points are (3, n), single precision, in the frame of the house. Light is linear. Light on
an even face changes slowly: it is worked out at every second pixel of every second row, and between
pixels that show the same face, all lit or all in shadow, it is their mean. Where they differ it is
worked out for each pixel, so edges of things and of shadows stay sharp.
"""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.rendering.arrays import Floats, Index, Ints
from homebody.worlds.house.rendering.faces import COLOUR, SECOND, FaceTable, HitFaces
from homebody.worlds.house.rendering.lighting import (
    CELL,
    DAYLIGHT,
    SUN,
    SUNLIGHT,
    Lamps,
    lamps_on,
    light_grid,
    may_see_sun,
    sun_openings,
)
from homebody.worlds.house.rendering.materials import PATTERNED, SHINE, TWO_COLOURED, Surface
from homebody.worlds.house.rendering.outside import Outside
from homebody.worlds.house.rendering.patterns import FADING, patterned
from homebody.worlds.house.rendering.ray_scene import Filter, RayScene
from homebody.worlds.house.rendering.rays import FAR, Hits

GLOSSY = 0.13
"""What mirrors less is not worth its time."""
_SHADE = np.float32(0.12)  # share of a lamp's light that reaches its shadows by detours
_ONE = np.float32(1)


class Shader:
    """Gives what rays hit its colour; follows the state that a scene shows.

    Attributes:
        scene: What is shown.
        pixel: How wide a pixel is 1 m ahead of the camera, metres: what is finer is not drawn.
    """

    def __init__(self, scene: RayScene) -> None:
        self.scene = scene
        self.pixel = 0.0037
        self._grid = light_grid(scene.house)
        self._rooms = self._grid.room.astype(np.intp).ravel()
        self._daylight = self._grid.daylight.reshape(3, -1)
        self._open_floor = self._grid.open_floor.ravel()
        self._open_top = self._grid.open_top.ravel()
        self._sun_openings = [sun_openings(scene.house, room.name) for room in scene.house.rooms]
        self._outside = Outside(scene.house)
        self._version = self._builds = -1

    def prepare(self) -> None:
        """Bring the tables that depend on the state up to date."""
        if self._version == self.scene.version:
            return
        scene = self.scene
        if self._builds != scene.builds:
            self._builds = scene.builds
            self._base = FaceTable.of(scene.base, scene.owner[: len(scene.base)])
        self._version = scene.version
        self._lamps: Lamps = lamps_on(scene)
        lamps = [
            scene.number[piece.name]
            for piece in scene.house.furniture
            if piece.category == "ceiling_lamp"  # their light is right below them
        ]
        self._opaque = scene.opaque_triangles() & ~np.isin(scene.owner, lamps)
        added = FaceTable.of(scene.added, scene.owner[len(scene.base) :])
        # The last row is what rays that hit nothing have: triangle -1.
        self._tables = FaceTable.joined([self._base, added, FaceTable.nothing()])

    def light(
        self,
        origins: Floats,
        ways: Floats,
        only: Filter | None = None,
        width: int = 0,
        deep: int = 0,
    ) -> tuple[Floats, Hits]:
        """Light (3, n) that arrives along rays, and what they hit.

        Args:
            origins: (n, 3).
            ways: (n, 3); the part along the camera's direction is 1.
            only: What stops them.
            width: Of the picture whose whole rows these rays are; 0 if they are not.
            deep: How many panes of glass they have passed.
        """
        hits = self.scene.cast(origins, ways, only)
        missed = np.flatnonzero(hits.triangle < 0)
        if missed.size == len(ways):
            return self._outside.light(origins, ways, pixel=self.pixel), hits
        faces = HitFaces.of(self._tables, hits.triangle)
        across = ways.T.copy()
        light = self._lit(origins, across, faces, hits, width)
        if missed.size:
            starts, gone = origins[missed], ways[missed]
            light[:, missed] = self._outside.light(starts, gone, pixel=self.pixel)
        if deep < 2 and (faces.code == Surface.GLASS).any():
            # Two thirds of what is behind, one of the glass itself.
            glass = np.flatnonzero((faces.code == Surface.GLASS).take(faces.row))
            starts = origins[glass] + ways[glass] * (hits.distance[glass, None] + 1e-3)
            behind, _ = self.light(starts.astype(np.float32), ways[glass], only, deep=deep + 1)
            light[:, glass] = light[:, glass] * np.float32(0.3) + behind * np.float32(0.7)
        return light, hits

    def _lit(
        self, origins: Floats, ways: Floats, faces: HitFaces, hits: Hits, width: int
    ) -> Floats:
        """Light (3, n) from what rays with ways (3, n) hit; of no use where they hit nothing."""
        distance = hits.distance
        if faces.missed:  # far away numbers would overflow
            distance = np.where(distance < FAR, distance, _ONE)
        points = ways * distance
        points += origins.T
        if width and len(distance) >= 4 * width:
            light = self._woven(points, ways, faces, hits, width)
        else:
            light, _ = self._falling(points, ways, faces, hits, np.arange(len(distance)))
        albedo = self._albedo(faces, points, ways, distance)
        light *= albedo
        shiny = SHINE.take(faces.code) > GLOSSY
        if shiny.any():
            glossy = np.flatnonzero(shiny.take(faces.row))
            gloss = self._gloss(points, ways, faces, hits, albedo, glossy)
            for row in range(3):
                light[row, glossy] += gloss[row]
        if (faces.code == Surface.GLOW).any():
            glow = np.flatnonzero((faces.code == Surface.GLOW).take(faces.row))
            light[:, glow] = albedo[:, glow] * np.float32(1.9)
        return light

    # -- light that falls on points ---------------------------------------------------------------

    def _woven(
        self, points: Floats, ways: Floats, faces: HitFaces, hits: Hits, width: int
    ) -> Floats:
        """Falling light (3, n) for whole rows: every fourth pixel first, then what is between."""
        count = points.shape[1]
        rows = count // width
        face = faces.plane.take(faces.row).reshape(rows, width)
        first = np.arange(count).reshape(rows, width)[::2, ::2]
        light = np.empty((3, count), np.float32)
        sparse, dark = self._falling(points, ways, faces, hits, first.ravel())
        for row in range(3):
            light[row].reshape(rows, width)[::2, ::2] = sparse[row].reshape(first.shape)
        # What a pixel shows, and whether it is in the dark; equal in all four: one even patch.
        kind = face[::2, ::2] * 4 + dark.reshape(first.shape)
        right = np.concatenate([kind[:, 1:], kind[:, -1:]], axis=1)
        below = np.concatenate([kind[1:], kind[-1:]], axis=0)
        across = np.concatenate([right[1:], right[-1:]], axis=0)
        even_right, even_below = kind == right, kind == below
        even = even_right & even_below & (kind == across)
        uneven = np.ones((rows, width), bool)
        uneven[::2, ::2] = False
        own = kind >> 2
        wide, tall = width // 2, rows // 2
        uneven[::2, 1::2] = ~(even_right[:, :wide] & (face[::2, 1::2] == own[:, :wide]))
        uneven[1::2, ::2] = ~(even_below[:tall] & (face[1::2, ::2] == own[:tall]))
        uneven[1::2, 1::2] = ~(even[:tall, :wide] & (face[1::2, 1::2] == own[:tall, :wide]))
        half = np.float32(0.5)
        for row in range(3):
            channel = light[row].reshape(rows, width)
            base = sparse[row].reshape(first.shape)
            beside = (base + np.concatenate([base[:, 1:], base[:, -1:]], axis=1)) * half
            channel[::2, 1::2] = beside[:, :wide]
            under = (base + np.concatenate([base[1:], base[-1:]], axis=0)) * half
            channel[1::2, ::2] = under[:tall]
            middle = (beside + np.concatenate([beside[1:], beside[-1:]], axis=0)) * half
            channel[1::2, 1::2] = middle[:tall, :wide]
        left = np.flatnonzero(uneven)
        if left.size:
            dense, _ = self._falling(points, ways, faces, hits, left)
            for row in range(3):
                light[row, left] = dense[row]
        return light

    def _falling(
        self, points: Floats, ways: Floats, faces: HitFaces, hits: Hits, which: Index
    ) -> tuple[Floats, Ints]:
        """Light (3, m) that falls on some of the points; 1 where a lamp, 2 where the sun is
        hidden, 3 for both."""
        spot = points.take(which, axis=1, mode="clip")
        normal = self._normals(faces, which, hits, ways)
        grid, lamps = self._grid, self._lamps
        scale = np.float32(1 / CELL)
        lift = np.float32(0.03)
        x = (spot[0] + normal[0] * lift - np.float32(grid.low[0])) * scale
        y = (spot[1] + normal[1] * lift - np.float32(grid.low[1])) * scale
        cell = self._cell(x, y)
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
        sunny = np.flatnonzero(grid.sunny.take(room) & (facing > np.float32(0.05)))
        if sunny.size:
            dark[sunny] += 2
            sunny = self._before_windows(sunny, spot, room)
        if sunny.size:
            starts = _lifted(spot, normal, sunny)
            way = np.broadcast_to(SUN * np.float32(60), starts.shape)
            free = sunny[~self.scene.blocked(starts, way, self._opaque)]
            dark[free] -= 2
            strength = facing[free]
            for row in range(3):
                light[row, free] += strength * SUNLIGHT[row]
        return light, dark

    def _cell(self, x: Floats, y: Floats) -> Index:
        """The position in the flat grids of places given in cells, the nearest one if outside."""
        rows, columns = self._grid.room.shape
        cell: Index = np.clip(y, 0, rows - 1).astype(np.intp) * columns
        cell += np.clip(x, 0, columns - 1).astype(np.intp)
        return cell

    def _before_windows(self, which: Index, spot: Floats, room: Index) -> Index:
        """Those of some points that may see the sun through an opening of their room: all others
        need no ray."""
        places, rooms = spot.take(which, axis=1, mode="clip"), room.take(which)
        meeting = np.zeros(len(which), bool)
        for number in np.flatnonzero(np.bincount(rooms)).tolist():
            meeting |= may_see_sun(self._sun_openings[number], places) & (rooms == number)
        return which[meeting]

    def _lamp(self, spot: Floats, normal: Floats, room: Index) -> tuple[Floats, Ints]:
        """Light from the lamp that lights each point most, unless something is between, and half
        that of the others; where something is between."""
        lamps = self._lamps
        best = np.zeros(spot.shape[1], np.float32)
        others = np.zeros_like(best)
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
            others += np.where(more, best, power) * np.float32(0.5)
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
        return best + others, dark

    def _openness(self, cell: Index, z: Floats, up: Floats) -> Floats:
        """How much of the light from everywhere reaches points: less near walls and furniture."""
        low = np.where(z < np.float32(0.06), self._open_floor.take(cell), _ONE)
        top = np.where(up < np.float32(-0.5), self._open_top.take(cell), _ONE)
        share = np.float32(0.42) + np.float32(0.58) * low * top
        side = np.float32(0.72) + np.float32(0.28) * z / (z + np.float32(0.15))
        return share * np.where(np.abs(up) < np.float32(0.5), side, _ONE)

    def _normals(self, faces: HitFaces, which: Index, hits: Hits, ways: Floats) -> Floats:
        """Normals (3, m) on the side that is seen, bent where a surface is round."""
        own = faces.row.take(which)
        normal = faces.table[0:3].take(own, axis=1, mode="clip")
        curved = np.flatnonzero(faces.curved.take(own))
        if curved.size:
            corner = faces.normals.take(own.take(curved), axis=2)
            at = which.take(curved)
            u, v = hits.u.take(at), hits.v.take(at)
            mixed: Floats = corner[0] * (1 - u - v)
            mixed += corner[1] * u
            mixed += corner[2] * v
            mixed /= np.sqrt(np.maximum(_dot(mixed, mixed), np.float32(1e-9)))
            normal[:, curved] = mixed
        way = ways.take(which, axis=1, mode="clip")
        normal *= np.copysign(_ONE, -_dot(normal, way))
        return normal

    # -- own colours ------------------------------------------------------------------------------

    def _albedo(self, faces: HitFaces, points: Floats, ways: Floats, distance: Floats) -> Floats:
        """Linear colours (3, n)."""
        table, row = faces.table, faces.row
        plain = np.clip(table[COLOUR:SECOND], 0, 1)
        plain *= plain  # from sRGB: a square is near enough
        albedo = plain.take(row, axis=1, mode="clip")
        present = np.flatnonzero(np.bincount(faces.code, minlength=32)).tolist()
        if PATTERNED.isdisjoint(present):
            return albedo
        code = faces.code.astype(np.uint8).take(row)
        for surface in present:
            if surface not in PATTERNED:
                continue
            mask = code == np.uint8(surface)
            if surface in FADING:  # far away nothing of the pattern is left
                mask &= distance < np.float32(FADING[Surface(surface)] / self.pixel)
            where = np.flatnonzero(mask)
            own = row.take(where)
            colours = table[COLOUR:SECOND].take(own, axis=1, mode="clip")
            second = colours
            if surface in TWO_COLOURED:
                second = table[SECOND:].take(own, axis=1, mode="clip")
            normal = table[0:3].take(own, axis=1, mode="clip")
            spots = points.take(where, axis=1, mode="clip")
            # A pixel covers more of a face that is seen at a slant: the mean of both ways.
            way = ways.take(where, axis=1, mode="clip")
            slant = np.abs(_dot(way, normal)) / np.sqrt(_dot(way, way))
            wide = distance.take(where) * np.float32(self.pixel)
            wide /= np.sqrt(np.maximum(slant, np.float32(0.03)))
            pattern = patterned(surface, spots, normal, colours, second, wide)
            pattern = np.clip(pattern, 0, 1)
            pattern *= pattern
            for channel in range(3):
                albedo[channel, where] = pattern[channel]
        return albedo

    def _gloss(
        self,
        points: Floats,
        ways: Floats,
        faces: HitFaces,
        hits: Hits,
        albedo: Floats,
        which: Index,
    ) -> Floats:
        """What smooth surfaces mirror: the lamp as a spot, the room as bright above, dark below."""
        normal = self._normals(faces, which, hits, ways)
        way = ways.take(which, axis=1, mode="clip")
        way /= np.sqrt(_dot(way, way))
        across = _dot(way, normal)
        mirrored = way - normal * (across + across)
        spot = points.take(which, axis=1, mode="clip")
        cells = (spot[:2] - np.array([[self._grid.low[0]], [self._grid.low[1]]], np.float32)) / CELL
        room = self._rooms.take(self._cell(*cells), mode="clip")
        toward = self._lamps.places[:, 0].T.take(room, axis=1) - spot
        toward /= np.sqrt(np.maximum(_dot(toward, toward), np.float32(1e-6)))
        peak = np.maximum(_dot(mirrored, toward), 0)
        for _ in range(4):
            peak *= peak
        shine = SHINE.take(faces.code).take(faces.row.take(which))
        above = np.clip(mirrored[2] * np.float32(0.6) + np.float32(0.45), 0, 1)
        edge = 1 + across
        metal = shine > np.float32(0.5)
        share = np.where(metal, shine, shine * (np.float32(0.12) + edge * edge))
        amount = share * above * np.float32(0.8) + shine * peak * np.float32(0.6)
        tint = albedo.take(which, axis=1, mode="clip") * np.float32(1.1)
        gloss: Floats = np.where(metal, tint, _ONE) * amount
        return gloss


def _dot(a: Floats, b: Floats) -> Floats:
    """Products (n,) of vectors (3, n)."""
    product: Floats = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return product


def _lifted(spot: Floats, normal: Floats, which: Index) -> Floats:
    """Starts (m, 3) of rays a little off their surfaces."""
    lifted = spot.take(which, axis=1, mode="clip")
    lifted += normal.take(which, axis=1, mode="clip") * np.float32(2e-3)
    return np.ascontiguousarray(lifted.T)
