"""The colour of ray hits: light, own colour and reflections.

Arrays of points are (3, n), single precision, in the frame of the house. Light on an even face
changes slowly. Therefore it is computed at every second pixel of every second row. A pixel between
them takes the mean of its neighbours if they show the same face, and are all lit or all in shadow.
Otherwise the pixel is computed individually, so that edges of objects and shadows stay sharp. Edges
of the shadows of lamps are then made soft (:mod:`penumbras`). Soft light comes from the probes of
rooms (:mod:`baking`), reduced by occlusion (:mod:`occlusion`); sun and lamps are in :mod:`direct`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.rendering.arrays import Floats, Index, Ints, Mask, dot, join_rows, linear
from homebody.worlds.house.rendering.direct import Direct
from homebody.worlds.house.rendering.lighting import RoomGrid, lamps_on, time_of
from homebody.worlds.house.rendering.materials import (
    EMISSION,
    PATTERNED,
    TRANSMISSION,
    TWO_COLOURED,
    Surface,
)
from homebody.worlds.house.rendering.noise import FADING
from homebody.worlds.house.rendering.outside import SUN, Outside
from homebody.worlds.house.rendering.patterns import DIRECTED, apply_pattern
from homebody.worlds.house.rendering.penumbras import Rows
from homebody.worlds.house.rendering.probes import lookup
from homebody.worlds.house.rendering.ray_scene import Filter, RayScene
from homebody.worlds.house.rendering.rays import FAR, Hits
from homebody.worlds.house.rendering.reflections import add_mirrored
from homebody.worlds.house.rendering.static_scene import BakedLight
from homebody.worlds.house.rendering.triangle_tables import COLOUR, SECOND, FaceTable, HitFaces

_DEEPEST = 2  # maximum panes of glass and mirrors along a ray
_BAKED_PIXEL = 0.05  # see Shader.pixel
_SOURCES, _BITS = 5, 12  # bits for hidden light sources; for these and the room
_ONE = np.float32(1)
_LOWEST = np.iinfo(np.int64).min


class Shader:
    """Computes colours of ray hits; follows the state that a scene shows.

    Attributes:
        scene: The scene.
        pixel: Width of a pixel 1 m ahead of the camera, metres: finer details are not drawn.
    """

    def __init__(self, scene: RayScene, time: str = "day") -> None:
        """Prepare a shader. Raise HomebodyError if there is no such time of day."""
        self.scene = scene
        self.pixel = 0.0037
        self.time = time_of(time)
        self._grid = RoomGrid.of(scene.house)
        self._baked_light: BakedLight | None = None
        self._hour, self._outside = time, Outside(scene.house)
        self._version = self._builds = -1

    def prepare(self) -> None:
        """Update the tables that depend on the state."""
        if self._version == self.scene.version:
            return
        scene = self.scene
        if self._baked_light is None:
            # Baked light must not depend on the first camera.
            sky = partial(self._outside.light, time=self._hour, pixel=_BAKED_PIXEL)
            self._baked_light = BakedLight(scene, self._grid, self.time, sky)
        if self._builds != scene.builds:
            self._builds = scene.builds
            self._base = FaceTable.of(scene.base, scene.owner[: len(scene.base)])
        self._version = scene.version
        added = FaceTable.of(scene.added, scene.owner[len(scene.base) :])
        # The last row is for missing hits: triangle -1.
        self._tables = join_rows([self._base, added, FaceTable.nothing()])
        lamps = lamps_on(scene)
        own = [scene.number[lamp.name] for lamp in lamps if lamp.name]
        shining = np.isin(scene.owner, own)
        # A lamp does not block itself. All shadows use this one mask: with another mask
        # the scene would rebuild its tree, or cast rays twice.
        self._opaque = scene.opaque_triangles() & ~shining
        whole = scene.without()
        self._blocking = replace(whole, stops=whole.stops & self._opaque, all_old_stop=False)
        self._screen = np.append(np.where(shining, _ONE, np.float32(self.time.screens)), _ONE)
        self._lamps = lamps
        self._direct = Direct(
            scene.house,
            self.time,
            lamps,
            lambda starts, ways: scene.find_blocked(starts, ways, self._opaque),
        )
        self._lit, self._occlusion = self._baked_light.follow(lamps)

    def exposures(self, spot: Floats) -> Floats:
        """Return the exposures of eyes at points (3, n)."""
        self.prepare()
        rooms = self._grid.room(spot, np.zeros_like(spot))
        by_room = np.zeros(len(self.scene.house.rooms), np.float32)
        for room in np.flatnonzero(np.bincount(rooms)).tolist():
            by_room[room] = exposure_for(self._lit.mean(room), self.time.darkest)
        return by_room.take(rooms)

    def outdoors(self, origins: Floats, ways: Floats) -> Floats:
        """Return light (3, n) from outdoors along ways (n, 3) of any length."""
        return self._outside.light(origins, ways, self._hour, self.pixel)

    def looks(self, triangle: Ints) -> NDArray[np.int64]:
        """Return the looks of triangles; see :class:`.triangle_tables.FaceTable`."""
        return self._tables.looks.take(triangle)

    def light(
        self,
        origins: Floats,
        ways: Floats,
        only: Filter | None = None,
        width: int = 0,
        deep: int = 0,
    ) -> tuple[Floats, Hits]:
        """Return light (3, n) along rays, and their hits.

        Args:
            origins: (n, 3).
            ways: (n, 3); the component along the camera's direction is 1.
            only: Triangles that stop them.
            width: Width of the picture, if these rays are its whole rows; else 0.
            deep: Number of panes of glass and mirrors that they have met.
        """
        hits = self.scene.cast(origins, ways, only)
        missed = np.flatnonzero(hits.triangle < 0)
        if missed.size == len(ways):
            return self.outdoors(origins, ways), hits
        faces = HitFaces.of(self._tables, hits.triangle)
        across = ways.T.copy()
        light = self._light_hits(origins, across, faces, hits, width, only, deep)
        if missed.size:
            light[:, missed] = self.outdoors(origins[missed], ways[missed])
        return light, hits

    def _light_hits(
        self,
        origins: Floats,
        ways: Floats,
        faces: HitFaces,
        hits: Hits,
        width: int,
        only: Filter | None,
        deep: int,
    ) -> Floats:
        """Return light (3, n) from the hits of rays with ways (3, n); undefined without hit."""
        distance = hits.distance
        if faces.missed:  # distant numbers would overflow
            distance = np.where(distance < FAR, distance, _ONE)
        points = ways * distance
        points += origins.T
        if width and len(distance) >= 4 * width:
            light = self._interpolate_light(points, ways, faces, hits, width)
        else:
            every = np.arange(len(distance))
            light, _ = self._light_on(points, ways, faces, hits, every, deep < _DEEPEST)
        albedo = self._albedo(faces, points, ways, distance, deep < _DEEPEST)
        light *= albedo
        through = TRANSMISSION.take(faces.code)
        if through.any() and deep < _DEEPEST:
            glass = np.flatnonzero(through.take(faces.row) > 0)
            starts = points.take(glass, axis=1).T + ways.take(glass, axis=1).T * np.float32(1e-3)
            behind, _ = self.light(
                np.ascontiguousarray(starts), ways.take(glass, axis=1).T.copy(), only, deep=deep + 1
            )
            share = through.take(faces.row.take(glass))
            light[:, glass] = light[:, glass] * (1 - share) + behind * share
        traced = self._trace if deep == 0 else None
        add_mirrored(
            light, albedo, points, ways, faces, hits, width, self._normals, self._soft_light, traced
        )
        glowing = EMISSION.take(faces.code)
        if glowing.any():
            glow = np.flatnonzero(glowing.take(faces.row) > 0)
            power = glowing.take(faces.row.take(glow)) * self._screen.take(hits.triangle[glow])
            light[:, glow] += albedo[:, glow] * power
        return light

    def _soft_light(self, spot: Floats, ways: Floats, normals: Floats) -> Floats:
        """Return blurred light (3, n) that points (3, n) with normals (3, n) reflect, from about a
        direction (3, n)."""

        def seen(some: Index) -> Floats:
            way, normal = ways.take(some, axis=1), normals.take(some, axis=1)
            return way - normal * (2 * dot(way, normal))

        room, _ = self._grid.find_rooms(spot, normals, seen)
        return lookup(self._lit.room, spot, ways, room)

    def _trace(self, starts: Floats, ways: Floats, sharp: bool) -> Floats:
        """Return light (3, n) along reflected rays (n, 3). If not ``sharp``, the result is
        approximate. No names are hidden."""
        return self.light(starts, ways, deep=1 if sharp else _DEEPEST)[0]

    # -- light that falls on points ---------------------------------------------------------------

    def _interpolate_light(
        self, points: Floats, ways: Floats, faces: HitFaces, hits: Hits, width: int
    ) -> Floats:
        """Return light (3, n) on whole rows, first at every fourth pixel and row, then between
        them."""
        rows = points.shape[1] // width
        face = faces.plane.take(faces.row).reshape(rows, width)
        pixels = np.arange(points.shape[1]).reshape(rows, width)
        light = np.empty((3, rows, width), np.float32)
        kind = np.empty((rows, width), np.int64)  # face of a pixel, hidden light sources and room
        for step in (4, 2, 1):
            lights, kinds = light[:, ::step, ::step], kind[::step, ::step]
            own = face[::step, ::step]
            fresh = np.ones(own.shape, bool) if step == 4 else _fill(lights, kinds, own)
            if step == 1:
                _spread(lights, kinds, own, fresh)
            which = pixels[::step, ::step][fresh]
            if which.size:
                found, dark = self._light_on(points, ways, faces, hits, which)
                for row in range(3):
                    lights[row][fresh] = found[row]
                kinds[fresh] = (own[fresh] << _BITS) + dark
        light = light.reshape(3, -1)
        dark = (kind.ravel() & ((1 << _SOURCES) - 1)).astype(np.int32)
        room = (kind.ravel() >> _SOURCES) & ((1 << (_BITS - _SOURCES)) - 1)
        view = Rows(face, hits.distance, ways, lambda some: self._normals(faces, some, hits, ways))
        self._direct.soften(
            light,
            points,
            room,
            dark,
            view,
            lambda starts, along: self.scene.cast(starts, along, self._blocking).distance,
        )
        return light

    def _light_on(
        self,
        points: Floats,
        ways: Floats,
        faces: HitFaces,
        hits: Hits,
        which: Index,
        shadows: bool = True,
    ) -> tuple[Floats, Ints]:
        """Return light (3, m) on some of the points, and numbers of hidden sources and rooms."""
        spot = points.take(which, axis=1, mode="clip")
        normal = self._normals(faces, which, hits, ways)
        room, out = self._grid.find_rooms(
            spot, normal, lambda some: ways.take(which.take(some), axis=1)
        )
        light = lookup(self._lit.room, spot, normal, room)
        if shadows:
            light *= self._occlusion.openness(spot, normal)
        direct, dark = self._direct.light_on(spot, normal, room, shadows)
        light += direct
        if out.size:
            sides = normal.take(out, axis=1)
            sunny = self._find_sunny(spot.take(out, axis=1), sides)
            light[:, out] = self._outside.on_walls(sides, sunny, self._hour)
            dark[out] = ~sunny
        dark += (room % (1 << (_BITS - _SOURCES)) << _SOURCES).astype(np.int32)
        return light, dark

    def _find_sunny(self, spot: Floats, normal: Floats) -> Mask:
        """Return the mask of outdoor points in the sun."""
        starts = np.ascontiguousarray((spot + normal * np.float32(0.01)).T)
        toward = np.tile(SUN * np.float32(60), (len(starts), 1))
        return ~self.scene.find_blocked(starts, toward, self._opaque)

    def _normals(self, faces: HitFaces, which: Index, hits: Hits, ways: Floats) -> Floats:
        """Return normals (3, m) on the visible side, smoothed on round surfaces."""
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
            mixed /= np.sqrt(np.maximum(dot(mixed, mixed), np.float32(1e-9)))
            normal[:, curved] = mixed
        way = ways.take(which, axis=1, mode="clip")
        normal *= np.copysign(_ONE, -dot(normal, way))
        return normal

    # -- own colours ------------------------------------------------------------------------------

    def _albedo(
        self, faces: HitFaces, points: Floats, ways: Floats, distance: Floats, fine: bool
    ) -> Floats:
        """Return linear colours (3, n). If not ``fine``, patterns of surfaces are ignored."""
        table, row = faces.table, faces.row
        plain = np.clip(table[COLOUR:SECOND], 0, 1)
        linear(plain, out=plain)
        albedo = plain.take(row, axis=1, mode="clip")
        present = np.flatnonzero(np.bincount(faces.code, minlength=32)).tolist()
        if not fine or PATTERNED.isdisjoint(present):
            return albedo
        code = faces.code.astype(np.uint8).take(row)
        for surface in present:
            if surface not in PATTERNED:
                continue
            mask = code == np.uint8(surface)
            if surface in FADING:  # a distant pattern is invisible
                mask &= distance < np.float32(FADING[Surface(surface)] / self.pixel)
            where = np.flatnonzero(mask)
            own = row.take(where)
            colours = table[COLOUR:SECOND].take(own, axis=1, mode="clip")
            second = colours
            if surface in TWO_COLOURED:
                second = table[SECOND:].take(own, axis=1, mode="clip")
            spots = points.take(where, axis=1, mode="clip")
            wide = distance.take(where) * np.float32(self.pixel)
            normal = colours  # unused
            if surface in DIRECTED or surface not in FADING:
                normal = table[0:3].take(own, axis=1, mode="clip")
            if surface not in FADING:
                # A pixel covers more of a slanted face: take the mean of both directions.
                way = ways.take(where, axis=1, mode="clip")
                slant = np.abs(dot(way, normal)) / np.sqrt(dot(way, way))
                wide /= np.sqrt(np.maximum(slant, np.float32(0.03)))
            pattern = apply_pattern(surface, spots, normal, colours, second, wide)
            np.clip(pattern, 0, 1, out=pattern)
            linear(pattern, out=pattern)
            for channel in range(3):
                albedo[channel, where] = pattern[channel]
        return albedo


def _fill(light: Floats, kind: NDArray[np.int64], face: NDArray[np.int64]) -> Mask:
    """Fill the unknown pixels of a grid whose neighbours agree. Return the mask of the other
    pixels.

    Every second pixel of every second row is known.

    Args:
        light: (3, rows, columns).
        kind: (rows, columns): pixels with the same number have the same light sources.
        face: (rows, columns): visible face: ``kind`` without its last ``_BITS`` bits.
    """
    tall, wide = face.shape[0] // 2, face.shape[1] // 2
    own = kind[::2, ::2]
    right = np.concatenate([own[:, 1:], own[:, -1:]], axis=1)
    below = np.concatenate([own[1:], own[-1:]], axis=0)
    across = np.concatenate([right[1:], right[-1:]], axis=0)
    even_right, even_below = own == right, own == below
    even = even_right & even_below & (own == across)
    alone = own >> _BITS
    uneven = np.zeros(face.shape, bool)
    uneven[::2, 1::2] = ~(even_right[:, :wide] & (face[::2, 1::2] == alone[:, :wide]))
    uneven[1::2, ::2] = ~(even_below[:tall] & (face[1::2, ::2] == alone[:tall]))
    uneven[1::2, 1::2] = ~(even[:tall, :wide] & (face[1::2, 1::2] == alone[:tall, :wide]))
    half = np.float32(0.5)
    for channel in light:
        base = channel[::2, ::2]
        beside = (base + np.concatenate([base[:, 1:], base[:, -1:]], axis=1)) * half
        channel[::2, 1::2] = beside[:, :wide]
        under = (base + np.concatenate([base[1:], base[-1:]], axis=0)) * half
        channel[1::2, ::2] = under[:tall]
        middle = (beside + np.concatenate([beside[1:], beside[-1:]], axis=0)) * half
        channel[1::2, 1::2] = middle[:tall, :wide]
    kind[::2, 1::2], kind[1::2, ::2] = own[:, :wide], own[:tall]
    kind[1::2, 1::2] = own[:tall, :wide]
    return uneven


def _spread(light: Floats, kind: NDArray[np.int64], face: NDArray[np.int64], uneven: Mask) -> None:
    """Copy light at edges from neighbours that show the same face, except across shadow edges.

    Pixels without such a neighbour stay ``uneven``.

    Args:
        light: See :func:`_fill`.
        kind: See :func:`_fill`.
        face: See :func:`_fill`.
        uneven: Pixels that :func:`_fill` could not fill.
    """
    at = np.flatnonzero(uneven & (face >= 0))
    y, x = np.divmod(at, face.shape[1])
    own = kind[::2, ::2].ravel()
    tall, wide = (face.shape[0] + 1) // 2, (face.shape[1] + 1) // 2
    row, column = y >> 1, x >> 1
    below, right = np.minimum(row + (y & 1), tall - 1), np.minimum(column + (x & 1), wide - 1)
    row *= wide
    below *= wide
    around = np.stack([row + column, row + right, below + column, below + right])
    kinds = own.take(around)
    alike = kinds >> _BITS == face.ravel().take(at)
    highest = np.where(alike, kinds, _LOWEST).max(axis=0)
    known = np.flatnonzero((highest != _LOWEST) & (~alike | (kinds == highest)).all(axis=0))
    weights = alike.take(known, axis=1).astype(np.float32)
    weights /= weights.sum(axis=0)
    at, around = at.take(known), around.take(known, axis=1)
    for channel in light:
        channel[y.take(known), x.take(known)] = (
            channel[::2, ::2].ravel().take(around) * weights
        ).sum(axis=0)
    kind[y.take(known), x.take(known)] = highest.take(known)
    uneven.ravel()[at] = False


REFERENCE = 0.12
"""The mean light of a room at which the exposure is ``NEUTRAL``."""
NEUTRAL = 4.5
ADAPTATION = 0.55
"""Strength of adaptation. With 1, all rooms look equally bright; with 0, there is no adaptation."""


def exposure_for(mean: float, darkest: float) -> float:
    """Return the exposure of eyes in a room with this mean light, at least ``darkest``."""
    return float(NEUTRAL * (REFERENCE / max(mean, darkest)) ** ADAPTATION)
