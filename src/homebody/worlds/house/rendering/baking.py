"""Soft light in rooms: from the sky through windows, and from one object to another.

Each room has a grid of probes. For each of six directions, a probe stores the light on a small face
in this direction. A room is baked when it is first seen, with its walls, furniture and doors.
First, the probes of a coarse grid in all rooms exchange light several times, also through open
doors. Then the rays of a fine grid find their light in the coarse grids. Therefore the light of a
room does not depend on the rooms that were seen before. Objects and agents receive this light but
do not change it. :mod:`occlusion` computes the light that they block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi, sqrt
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.arrays import Floats, Index, Ints, Mask, join_rows, linear
from homebody.worlds.house.rendering.direct import Direct, key_lamps, lamp_light
from homebody.worlds.house.rendering.lighting import Lamp, Pane, RoomGrid, Time, panes_of
from homebody.worlds.house.rendering.materials import TWO_COLOURED, Surface
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.probes import (
    SIDES,
    Probes,
    grid_of,
    lookup,
    probes_of,
    smooth,
    volume_of,
)
from homebody.worlds.house.rendering.rays import Tree
from homebody.worlds.house.rendering.triangle_tables import COLOUR, SECOND, FaceTable

Sky: TypeAlias = Callable[[Floats, Floats], Floats]
"""Starts and directions (n, 3) of rays that leave the house -> light (3, n) along them."""
COARSE, FINE = 0.8, 0.25
"""Metres between probes."""
MOST_COARSE = 12_000
"""Maximum coarse probes of a house. Very large houses have wider gaps."""
COARSE_RAYS, FINE_RAYS = 96, 64
BOUNCES = 4
_GLARE = 0.6
"""Distance in metres below which a lamp lights a spot that is too bright and small for rays to
find.

Such spots are added as light sources of their own.
"""
_SKY = 24  # directions along each side of the view through a window
_BRIGHTEST = 4
"""Maximum brightness of one direction through a window, as a multiple of the mean.

Otherwise the few probes that see a street lamp would be visible as blotches in a dark room.
"""


class Baker:
    """Computes the probes of the rooms of a house, for one time of day, lamps and doors."""

    def __init__(self, house: House, grid: RoomGrid, mesh: Mesh) -> None:
        """Prepare the static mesh: floors, walls, ceilings, openings with doors, furniture."""
        self.house = house
        self.grid = grid
        opaque = ~np.isin(mesh.surfaces, (Surface.GLASS, Surface.GLOW))
        self._tree = Tree(mesh.corners[opaque])
        table = FaceTable.of(mesh, np.zeros(len(mesh), np.int32)).table[opaque]
        self._normals = table[:, :3].copy()
        self._albedo = _albedo(table)
        self._windows = [panes_of(house, room.name) for room in house.rooms]

    def light_up(self, time: Time, sky: Sky, lamps: Sequence[Lamp], seen: Ints) -> RoomLight:
        """Return the light of all rooms, with their coarse probes.

        Args:
            time: Time of day.
            sky: Light from outdoors.
            lamps: The lamps that are on.
            seen: (rooms, rooms): 1 if light passes directly from one room to another through an
                open door. The diagonal is 1.
        """
        return RoomLight(self, time, sky, lamps, seen)

    def find_blocked(self, starts: Floats, ways: Floats) -> Mask:
        """Return the mask of rays that meet something opaque."""
        return self._tree.blocks(starts, ways)

    def cast(self, starts: Floats, ways: Floats) -> tuple[Ints, Floats]:
        """Return triangles (-1 for none) and distances of the first hits. Rays pass through
        glass."""
        hits = self._tree.cast(starts, ways)
        return hits.triangle, hits.distance


def _albedo(table: Floats) -> Floats:
    """Return the linear colours (n, 3) of triangles. A pattern has its mean colour."""
    two = np.isin(table[:, 3].astype(np.intp), [int(surface) for surface in TWO_COLOURED])
    first, second = table[:, COLOUR:SECOND], table[:, SECOND:]
    colour = np.where(two[:, None], first * np.float32(0.65) + second * np.float32(0.35), first)
    colour = np.clip(colour, 0, np.float32(0.96))
    return linear(colour)


class RoomLight:
    """The rooms of a house under one light: coarse probes of all, fine probes on request."""

    def __init__(
        self, baker: Baker, time: Time, sky: Sky, lamps: Sequence[Lamp], seen: Ints
    ) -> None:
        self._baker, self._seen = baker, seen
        self._lamps = [lamp for lamp in lamps if lamp.still]
        self._skies = [[_look_through(pane, sky) for pane in panes] for panes in baker._windows]
        # Sunlit spots are light sources of their own here, so that rays cannot miss them.
        self._direct = Direct(baker.house, None, self._lamps, baker.find_blocked, _GLARE)
        self._patches = [
            join_rows([_NO_PATCHES, self._sun_patches(room, time), self._glare_patches(room)])
            for room in range(len(baker.house.rooms))
        ]
        self._fine: dict[int, Probes] = {}
        volume = sum(volume_of(room) for room in baker.house.rooms)
        self._gap = max(COARSE, (volume / MOST_COARSE) ** (1 / 3))
        self._coarse = self._bounce_light()

    def room(self, room: int) -> Probes:
        """Return the fine probes of a room, baked at the first request."""
        probes = self._fine.get(room)
        if probes is None:
            low, step, counts, points = grid_of(self._baker.house, room, FINE)
            fixed, hits = self._gather(room, points, FINE_RAYS)
            # A few rays per probe would leave blotches on walls.
            light = fixed + smooth(hits.bounce(self._coarse), counts, hits.valid)
            probes = probes_of(low, step, counts, light, hits.valid)
            self._fine[room] = probes
        return probes

    def mean(self, room: int) -> float:
        """Return the mean light in a room, to which eyes adapt."""
        coarse = self._coarse[room]
        light = float(coarse.light[:, :, :3].mean())
        points = grid_of(self._baker.house, room, self._gap)[3].T
        for lamp in key_lamps(self._lamps, room):
            gap = lamp.position[:, None] - points
            square = np.maximum((gap * gap).sum(axis=0), np.float32(0.3))
            light += float((lamp.power.mean() / (4 * pi * pi) / square).mean()) / 4
        return light

    def _bounce_light(self) -> list[Probes]:
        rooms = range(len(self._baker.house.rooms))
        grids = [grid_of(self._baker.house, room, self._gap) for room in rooms]
        parts = [self._gather(room, grids[room][3], COARSE_RAYS) for room in rooms]
        light = [fixed + hits.sum_light(hits.albedo * hits.lamps) for fixed, hits in parts]
        probes: list[Probes] = []
        for _ in range(BOUNCES):
            probes = [
                probes_of(*grids[room][:3], light[room], parts[room][1].valid) for room in rooms
            ]
            light = [fixed + hits.bounce(probes) for fixed, hits in parts]
        return [probes_of(*grids[room][:3], light[room], parts[room][1].valid) for room in rooms]

    def _gather(self, room: int, points: Floats, rays: int) -> tuple[Floats, _ProbeHits]:
        """Return direct light (probes, 6, 3) at points of a room, and the hits of their rays."""
        sphere = _sphere(rays)
        fixed = np.zeros((len(points), 6, 3), np.float32)
        for other in np.flatnonzero(self._seen[room]).tolist():
            for pane, sky in zip(self._baker._windows[other], self._skies[other], strict=True):
                self._add_sky(points, pane, sky, fixed)
            self._add_patches(points, self._patches[other], fixed)
            keys = {lamp.name for lamp in key_lamps(self._lamps, room)}
            for lamp in self._lamps:
                if lamp.room == other and not (other == room and lamp.name in keys):
                    self._add_lamp(points, lamp, fixed)
        starts = np.repeat(points, rays, axis=0)
        ways = np.tile(sphere, (len(points), 1))
        triangle, distance = self._baker.cast(starts, ways)
        hit = np.flatnonzero(triangle >= 0)
        own = triangle[hit]
        normal = self._baker._normals.take(own, axis=0).T.copy()
        way = ways[hit].T
        back = (normal * way).sum(axis=0) > 0
        spot = starts[hit].T + way * distance[hit]
        behind = np.bincount(hit[back] // rays, minlength=len(points))
        valid = behind < 0.2 * rays
        use = np.flatnonzero(~back & valid.take(hit // rays))
        hit, own = hit[use], own[use]
        spot, normal = spot[:, use], normal[:, use]
        rooms = self._baker.grid.room(spot, normal)
        albedo = self._baker._albedo.take(own, axis=0).T.copy()
        lamps, _ = self._direct.light_on(spot, normal, rooms)
        return fixed, _ProbeHits(
            sphere, len(points), hit, spot, normal, rooms, albedo, lamps, valid
        )

    def _add_sky(self, points: Floats, pane: Pane, sky: Floats, into: Floats) -> None:
        tangent = np.array([-pane.way[1], pane.way[0], 0], np.float32)
        for middle in pane.middles:
            toward = middle - points
            facing = -(toward @ pane.way)
            near = np.flatnonzero(facing > 0)
            if not near.size:
                continue
            free = near[~self._baker.find_blocked(points[near], np.ascontiguousarray(toward[near]))]
            gap = toward[free]
            length = np.sqrt((gap * gap).sum(axis=1))
            side, up = (
                (gap @ tangent / length + 1) * (_SKY / 2),
                (gap[:, 2] / length + 1) * (_SKY / 2),
            )
            light = sky[
                np.minimum(side.astype(np.intp), _SKY - 1), np.minimum(up.astype(np.intp), _SKY - 1)
            ]
            _add(
                into, free, gap, light * (facing[free] * np.float32(pane.area))[:, None], pane.area
            )

    def _add_patches(self, points: Floats, patches: _Patches, into: Floats) -> None:
        for middle, way, light, area in zip(
            patches.middles, patches.ways, patches.light, patches.areas, strict=True
        ):
            toward = middle - points
            facing = -(toward @ way)
            near = np.flatnonzero(facing > 0)
            if not near.size:
                continue
            free = near[~self._baker.find_blocked(points[near], toward[near] * np.float32(0.98))]
            gap = toward[free]
            _add(into, free, gap, light * facing[free][:, None], float(area))

    def _add_lamp(self, points: Floats, lamp: Lamp, into: Floats) -> None:
        toward = lamp.position - points
        gaps = np.sqrt((toward * toward).sum(axis=1, keepdims=True))
        ways = toward * np.maximum(1 - np.float32(lamp.reach) / gaps, np.float32(0.01))
        gap = toward[free := np.flatnonzero(~self._baker.find_blocked(points, ways))].T.copy()
        for side, normal in enumerate(SIDES):
            amount = lamp_light(gap, normal[:, None], max(lamp.radius, 0.1))
            into[free, side] += amount[:, None] * lamp.power

    def _sun_patches(self, room: int, time: Time) -> _Patches:
        """Return the sunlit patches of a room."""
        house = self._baker.house
        name = house.rooms[room].name
        return join_rows(
            [_NO_PATCHES, *(self._pane_patches(pane, time) for pane in panes_of(house, name, 5, 5))]
        )

    def _pane_patches(self, pane: Pane, time: Time) -> _Patches:
        baker, facing = self._baker, -float(pane.way @ time.sun)
        if facing < 0.02:
            return _NO_PATCHES
        starts = pane.middles + pane.way * np.float32(0.02)
        out = np.tile(time.sun * np.float32(60), (len(starts), 1))
        starts = starts[~baker.find_blocked(starts, out)]
        ways = np.tile(-time.sun, (len(starts), 1))
        triangle, distance = baker.cast(starts, ways)
        hit = np.flatnonzero(triangle >= 0)
        own, strength = triangle[hit], np.float32(facing * pane.area)
        light = baker._albedo[own] * time.sunlight * strength
        normals = baker._normals[own]
        cosine = np.abs(normals @ time.sun)
        middles = starts[hit] + ways[hit] * distance[hit, None] + normals * np.float32(0.01)
        return _Patches(middles, normals, light, strength / np.maximum(cosine, np.float32(0.1)))

    def _glare_patches(self, room: int) -> _Patches:
        """Return the spots that lamps of a room light from very near, one for each side of a
        lamp."""
        baker, sphere = self._baker, _sphere(64)
        middles, normals, light = [], [], []
        for lamp in key_lamps(self._lamps, room):
            starts = lamp.position + sphere * np.float32(lamp.reach)
            triangle, distance = baker.cast(starts, sphere)
            spots = starts + sphere * distance[:, None]
            near = (triangle >= 0) & (distance + np.float32(lamp.reach) < _GLARE)
            sides = (baker._normals[triangle] @ SIDES.T).argmax(axis=1)
            for side in range(6):
                own = np.flatnonzero(near & (sides == side))
                if own.size:
                    middles.append(spots[own].mean(axis=0) + SIDES[side] * np.float32(0.02))
                    normals.append(SIDES[side])
                    albedo = baker._albedo[triangle[own]].sum(axis=0)
                    light.append(albedo * lamp.power / np.float32(len(sphere) * pi))
        if not middles:
            return _NO_PATCHES
        areas = np.full(len(middles), _GLARE**2, np.float32)
        return _Patches(np.array(middles), np.array(normals), np.array(light), areas)


@dataclass(frozen=True, slots=True)
class _Patches:
    """Lit patches: (n, 3) centres, normals and reflected light; (n,) areas."""

    middles: Floats
    ways: Floats
    light: Floats
    areas: Floats


_NONE = np.zeros((0, 3), np.float32)
_NO_PATCHES = _Patches(_NONE, _NONE, _NONE, _NONE[:, 0])


@dataclass(frozen=True, slots=True)
class _ProbeHits:
    """Hits of rays from probes: ray number, place, normal, room, colour, light of lamps; mask of
    valid probes."""

    sphere: Floats
    probes: int
    ray: Index
    spot: Floats
    normal: Floats
    rooms: Index
    albedo: Floats
    lamps: Floats
    valid: Mask

    def sum_light(self, radiance: Floats) -> Floats:
        """Return light (probes, 6, 3) of the radiance (3, hits) of the hits."""
        rays = len(self.sphere)
        whole = np.zeros((self.probes * rays, 3), np.float32)
        whole[self.ray] = radiance.T
        weights = np.maximum(self.sphere @ SIDES.T, 0) * np.float32(4 / rays)
        summed: Floats = np.matmul(weights.T, whole.reshape(self.probes, rays, 3))
        return summed

    def bounce(self, probes: Sequence[Probes]) -> Floats:
        """Return light (probes, 6, 3) that the hits reflect, given the probes that light them."""
        soft = lookup(probes.__getitem__, self.spot, self.normal, self.rooms)
        return self.sum_light(self.albedo * (soft + self.lamps))


def _look_through(pane: Pane, sky: Sky) -> Floats:
    """Return the light (side, up, 3) that enters the centre of a window from each direction; the
    axes are the sines of the angles to the side and up."""
    sines = (np.arange(_SKY, dtype=np.float32) + np.float32(0.5)) * np.float32(2 / _SKY) - 1
    side, up = (part.ravel() for part in np.meshgrid(sines, sines, indexing="ij"))
    ahead = np.sqrt(np.maximum(1 - side * side - up * up, np.float32(1e-4)))
    x, y = -pane.way[0] * ahead - pane.way[1] * side, -pane.way[1] * ahead + pane.way[0] * side
    ways = np.stack([x, y, up], axis=1)
    starts = np.tile(pane.middles.mean(axis=0), (len(ways), 1))
    light: Floats = np.ascontiguousarray(sky(starts, ways).T)
    mean = light.mean(axis=0)
    light = np.minimum(light, mean * np.float32(_BRIGHTEST))
    light *= mean / np.maximum(light.mean(axis=0), np.float32(1e-9))
    table: Floats = light.reshape(_SKY, _SKY, 3)
    return table


def _add(into: Floats, which: Index, gap: Floats, flux: Floats, area: float) -> None:
    """Add light of a small area to ``m`` probes; ``gap`` (m, 3) leads from the probes to the area.

    ``flux`` (m, 3) is its radiance, times its size, times its cosine times the distance.
    """
    square = (gap * gap).sum(axis=1)
    # A near patch is no point: it cannot give more than its own radiance.
    share = 1 / (square * (np.float32(pi) * square + np.float32(area)))
    for side, normal in enumerate(SIDES):
        cosine = np.maximum(gap @ normal, 0)
        into[which, side] += flux * (cosine * share)[:, None]


def _sphere(count: int) -> Floats:
    """Return directions (n, 3), spread evenly over the sphere."""
    steps = np.arange(count) + 0.5
    up = 1 - 2 * steps / count
    turn = steps * (pi * (3 - sqrt(5)))
    flat = np.sqrt(1 - up * up)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), up], axis=1).astype(np.float32)
