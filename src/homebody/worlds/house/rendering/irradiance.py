"""Soft light in rooms: from the sky through windows, and from one thing to another.

Each room has a grid of probes. A probe keeps the light that would fall on a small face there that
looks to one of six sides. What is baked, once for each room that is seen, are walls, furniture and
doors as they stand: first a coarse grid in all rooms, in which light goes to and fro some times,
through open doors too; then a fine one, whose rays find their light in the coarse ones. So the
light of a room does not hang on which rooms were seen before it. Objects and agents take part in
it, but do not change it: what they hide is the matter of :mod:`occlusion`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, pi, sqrt
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.arrays import Floats, Index, Ints
from homebody.worlds.house.rendering.direct import Direct, key_lamps, lamp_light
from homebody.worlds.house.rendering.faces import COLOUR, SECOND, FaceTable
from homebody.worlds.house.rendering.lighting import (
    Lamp,
    Pane,
    RoomGrid,
    Time,
    panes_of,
)
from homebody.worlds.house.rendering.materials import TWO_COLOURED, Surface
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.rays import Tree

Sky: TypeAlias = Callable[[Floats, Floats], Floats]
"""Starts and ways (n, 3) of rays that leave the house -> light (3, n) that comes along them."""
COARSE, FINE = 0.8, 0.25
"""Metres between probes."""
COARSE_RAYS, FINE_RAYS = 96, 64
MOST = 4000
"""Probes of a room: in large ones they are farther apart."""
BOUNCES = 4
_GLARE = 0.6
"""What a lamp lights from nearer, metres, is so bright and small that rays would find it by chance:
it shines by itself."""
_SKY = 24  # directions along each side of what is seen through a window
_MARGIN = 0.06  # metres between the outermost probes and the walls
_LIFT = np.float32(0.06)  # metres before a face at which its light is looked up
SIDES = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float32)


@dataclass(frozen=True, slots=True)
class Probes:
    """The grid of a room.

    Attributes:
        low: The first probe.
        step: Metres between probes along x, y, z.
        counts: Probes along x, y, z.
        light: (6, probes, 4): side, probe (z runs fastest), colour and a column that pads it.
    """

    low: Floats
    step: Floats
    counts: tuple[int, int, int]
    light: Floats

    def lookup(self, spot: Floats, normal: Floats) -> Floats:
        """Light (3, n) that falls on points (3, n) with normals (3, n)."""
        _, ny, nz = self.counts
        cell = np.zeros(spot.shape[1], np.intp)
        shares = []
        for axis, stride in enumerate((ny * nz, nz, 1)):
            at = spot[axis] + normal[axis] * _LIFT
            at -= self.low[axis]
            at *= 1 / self.step[axis]
            np.clip(at, 0, np.float32(self.counts[axis] - 1.001), out=at)
            whole = at.astype(np.intp)
            at -= whole
            shares.append(at)
            whole *= stride
            cell += whole
        size = self.light.shape[1]
        # Rows of four numbers are looked up as one of sixteen bytes: much faster.
        rows = self.light.reshape(-1, 4).view(np.complex128).ravel()
        squares = normal * normal
        positive = normal > 0
        light = np.zeros((3, spot.shape[1]), np.float32)
        for axis in range(3):
            facing = np.flatnonzero(squares[axis] > np.float32(0.002))
            if not facing.size:
                continue
            whole = len(facing) == len(cell)
            base = cell if whole else cell.take(facing)
            side = np.where(positive[axis] if whole else positive[axis].take(facing), 0, size)
            base = base + (side + 2 * axis * size)
            own = shares if whole else [share.take(facing) for share in shares]
            found = _interpolated(rows, base, own, (ny * nz, nz, 1))
            weight = squares[axis] if whole else squares[axis].take(facing)
            for row in range(3):
                if whole:
                    light[row] += found[:, row] * weight
                else:
                    light[row, facing] += found[:, row] * weight
        return light


def _interpolated(
    rows: np.ndarray, base: Index, shares: Sequence[Floats], strides: tuple[int, int, int]
) -> Floats:
    """Means (n, 4) of the eight rows around, weighted by how near they are."""
    sx, sy, sz = (share[:, None] for share in shares)
    dx, dy, dz = strides

    def along_z(at: Index) -> Floats:
        low = rows.take(at, mode="clip").view(np.float32).reshape(-1, 4)
        high = rows.take(at + dz, mode="clip").view(np.float32).reshape(-1, 4)
        high -= low
        high *= sz
        high += low
        return high

    def along_y(at: Index) -> Floats:
        low, high = along_z(at), along_z(at + dy)
        high -= low
        high *= sy
        high += low
        return high

    low, high = along_y(base), along_y(base + dx)
    high -= low
    high *= sx
    high += low
    return high


class Baker:
    """Works out the probes of the rooms of a house, for one time of day, lamps and doors."""

    def __init__(self, house: House, grid: RoomGrid, mesh: Mesh) -> None:
        """Of what stands still: floors, walls, ceilings, openings with their doors, furniture."""
        self.house = house
        self.grid = grid
        self._tree = Tree(mesh.corners)
        table = FaceTable.of(mesh, np.zeros(len(mesh), np.int32)).table
        self._normals = table[:, :3].copy()
        self._albedo = _albedo(table)
        self._opaque = ~np.isin(mesh.surfaces, (Surface.GLASS, Surface.GLOW))
        self._windows = [panes_of(house, room.name) for room in house.rooms]

    def light_up(self, time: Time, sky: Sky, lamps: Sequence[Lamp], seen: Ints) -> Lit:
        """The coarse probes of all rooms.

        Args:
            time: Of day.
            sky: What comes from outdoors.
            lamps: Those that are on.
            seen: (rooms, rooms): whether light goes from one room to another at once, through an
                open door; 1 for a room itself.
        """
        return Lit(self, time, sky, lamps, seen)

    def blocked(self, starts: Floats, ways: Floats) -> np.ndarray:
        """Which rays meet something that light does not pass."""
        return self._tree.blocks(starts, ways, np.ones(len(starts), np.float32), self._opaque)

    def cast(self, starts: Floats, ways: Floats) -> tuple[Ints, Floats]:
        """Triangles (-1 for none) and distances of what stops rays, glass not."""
        hits = self._tree.cast(starts, ways)
        hits = self._tree.cast_past(hits, self._opaque, starts, ways)
        return hits.triangle, hits.distance


def _albedo(table: Floats) -> Floats:
    """Linear colours (n, 3) of triangles, patterns as their mean."""
    two = np.isin(table[:, 3].astype(np.intp), [int(surface) for surface in TWO_COLOURED])
    first, second = table[:, COLOUR:SECOND], table[:, SECOND:]
    colour = np.where(two[:, None], first * np.float32(0.65) + second * np.float32(0.35), first)
    colour = np.clip(colour, 0, np.float32(0.96))
    albedo: Floats = colour * colour
    return albedo


class Lit:
    """The rooms of a house under one light: coarse probes of all, fine ones of those asked for."""

    def __init__(
        self, baker: Baker, time: Time, sky: Sky, lamps: Sequence[Lamp], seen: Ints
    ) -> None:
        self._baker, self._seen = baker, seen
        self._lamps = [lamp for lamp in lamps if lamp.still]
        self._skies = [[_seen_sky(pane, sky) for pane in panes] for panes in baker._windows]
        # What the sun falls on shines by itself here, so that rays cannot miss it.
        self._direct = Direct(baker.house, None, self._lamps, baker.blocked, _GLARE)
        self._patches = [
            _joined([self._sunny(room, time), self._glaring(room)])
            for room in range(len(baker.house.rooms))
        ]
        self._fine: dict[int, Probes] = {}
        self._coarse = self._to_and_fro()

    def room(self, room: int) -> Probes:
        """The fine probes of a room, baked when first asked for."""
        probes = self._fine.get(room)
        if probes is None:
            low, step, counts, points = _grid(self._baker.house, room, FINE)
            fixed, hits = self._gathered(room, points, FINE_RAYS)
            light = fixed + hits.bounced(self._coarse)
            probes = _probes(low, step, counts, light, hits.valid)
            self._fine[room] = probes
        return probes

    def mean(self, room: int) -> float:
        """The mean light in a room, to which eyes adapt."""
        coarse = self._coarse[room]
        light = float(coarse.light[:, :, :3].mean())
        points = _grid(self._baker.house, room, COARSE)[3].T
        for lamp in key_lamps(self._lamps, room):
            gap = lamp.position[:, None] - points
            square = np.maximum((gap * gap).sum(axis=0), np.float32(0.3))
            light += float((lamp.power.mean() / (4 * pi * pi) / square).mean()) / 4
        return light

    def _to_and_fro(self) -> list[Probes]:
        rooms = range(len(self._baker.house.rooms))
        grids = [_grid(self._baker.house, room, COARSE) for room in rooms]
        parts = [self._gathered(room, grids[room][3], COARSE_RAYS) for room in rooms]
        light = [fixed for fixed, _ in parts]
        probes: list[Probes] = []
        for _ in range(BOUNCES):
            probes = [
                _probes(*grids[room][:3], light[room], parts[room][1].valid) for room in rooms
            ]
            light = [fixed + hits.bounced(probes) for fixed, hits in parts]
        return [_probes(*grids[room][:3], light[room], parts[room][1].valid) for room in rooms]

    def _gathered(self, room: int, points: Floats, rays: int) -> tuple[Floats, _Gathered]:
        """Light (probes, 6, 3) that comes straight to points of a room, and what they see."""
        sphere = _sphere(rays)
        fixed = np.zeros((len(points), 6, 3), np.float32)
        for other in np.flatnonzero(self._seen[room]).tolist():
            for pane, sky in zip(self._baker._windows[other], self._skies[other], strict=True):
                self._from_sky(points, pane, sky, fixed)
            self._from_patches(points, self._patches[other], fixed)
            keys = {lamp.name for lamp in key_lamps(self._lamps, room)}
            for lamp in self._lamps:
                if lamp.room == other and not (other == room and lamp.name in keys):
                    self._from_lamp(points, lamp, fixed)
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
        lamps, _ = self._direct.falling(spot, normal, rooms)
        gathered = _Gathered(sphere, len(points), hit, spot, normal, rooms, albedo, valid)
        return fixed + gathered.summed(albedo * lamps), gathered

    def _from_sky(self, points: Floats, pane: Pane, sky: Floats, into: Floats) -> None:
        tangent = np.array([-pane.way[1], pane.way[0], 0], np.float32)
        for middle in pane.middles:
            toward = middle - points
            facing = -(toward @ pane.way)
            near = np.flatnonzero(facing > 0)
            if not near.size:
                continue
            free = near[~self._baker.blocked(points[near], np.ascontiguousarray(toward[near]))]
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

    def _from_patches(self, points: Floats, patches: _Patches, into: Floats) -> None:
        for middle, way, light, area in zip(
            patches.middles, patches.ways, patches.light, patches.areas, strict=True
        ):
            toward = middle - points
            facing = -(toward @ way)
            near = np.flatnonzero(facing > 0)
            if not near.size:
                continue
            free = near[~self._baker.blocked(points[near], toward[near] * np.float32(0.98))]
            gap = toward[free]
            _add(into, free, gap, light * facing[free][:, None], float(area))

    def _from_lamp(self, points: Floats, lamp: Lamp, into: Floats) -> None:
        toward = lamp.position - points
        gaps = np.sqrt((toward * toward).sum(axis=1, keepdims=True))
        ways = toward * np.maximum(1 - np.float32(lamp.reach) / gaps, np.float32(0.01))
        gap = toward[free := np.flatnonzero(~self._baker.blocked(points, ways))].T.copy()
        for side, normal in enumerate(SIDES):
            amount = lamp_light(gap, normal[:, None], max(lamp.radius, 0.1))
            into[free, side] += amount[:, None] * lamp.power

    def _sunny(self, room: int, time: Time) -> _Patches:
        """Where the sun falls through windows, in pieces."""
        house = self._baker.house
        name = house.rooms[room].name
        return _joined([self._sunny_pane(pane, time) for pane in panes_of(house, name, 5, 5)])

    def _sunny_pane(self, pane: Pane, time: Time) -> _Patches:
        baker, facing = self._baker, -float(pane.way @ time.sun)
        if facing < 0.02:
            return _NO_PATCHES
        starts = pane.middles + pane.way * np.float32(0.02)
        out = np.tile(time.sun * np.float32(60), (len(starts), 1))
        starts = starts[~baker.blocked(starts, out)]
        ways = np.tile(-time.sun, (len(starts), 1))
        triangle, distance = baker.cast(starts, ways)
        hit = np.flatnonzero(triangle >= 0)
        own, strength = triangle[hit], np.float32(facing * pane.area)
        light = baker._albedo[own] * time.sunlight * strength
        normals = baker._normals[own]
        cosine = np.abs(normals @ time.sun)
        middles = starts[hit] + ways[hit] * distance[hit, None] + normals * np.float32(0.01)
        return _Patches(middles, normals, light, strength / np.maximum(cosine, np.float32(0.1)))

    def _glaring(self, room: int) -> _Patches:
        """What the lamps of a room light from very near, a piece for each side of each lamp."""
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
    """What sun and lamps fall on: (n, 3) middles, normals, light sent back; (n,) areas."""

    middles: Floats
    ways: Floats
    light: Floats
    areas: Floats


_NONE = np.zeros((0, 3), np.float32)
_NO_PATCHES = _Patches(_NONE, _NONE, _NONE, _NONE[:, 0])


def _joined(parts: Sequence[_Patches]) -> _Patches:
    parts = [_NO_PATCHES, *parts]
    return _Patches(
        np.concatenate([part.middles for part in parts]),
        np.concatenate([part.ways for part in parts]),
        np.concatenate([part.light for part in parts]),
        np.concatenate([part.areas for part in parts]),
    )


@dataclass(frozen=True, slots=True)
class _Gathered:
    """What rays from probes hit: ray number, place, normal, room and colour; which are of use."""

    sphere: Floats
    probes: int
    ray: Index
    spot: Floats
    normal: Floats
    rooms: Index
    albedo: Floats
    valid: np.ndarray

    def summed(self, radiance: Floats) -> Floats:
        """Light (probes, 6, 3) of the radiance (3, hits) of what was hit."""
        rays = len(self.sphere)
        whole = np.zeros((self.probes * rays, 3), np.float32)
        whole[self.ray] = radiance.T
        weights = np.maximum(self.sphere @ SIDES.T, 0) * np.float32(4 / rays)
        summed: Floats = np.matmul(weights.T, whole.reshape(self.probes, rays, 3))
        return summed

    def bounced(self, probes: Sequence[Probes]) -> Floats:
        """Light (probes, 6, 3) sent on by what was hit, if these probes say what falls on it."""
        return self.summed(
            self.albedo * lookup(probes.__getitem__, self.spot, self.normal, self.rooms)
        )


def lookup(probes: Callable[[int], Probes], spot: Floats, normal: Floats, rooms: Index) -> Floats:
    """Light (3, n) on points (3, n) with normals (3, n), by the probes of their rooms."""
    present = np.flatnonzero(np.bincount(rooms)).tolist()
    if len(present) == 1:
        return probes(present[0]).lookup(spot, normal)
    light = np.empty_like(spot)
    for room in present:
        which = np.flatnonzero(rooms == room)
        light[:, which] = probes(room).lookup(spot.take(which, axis=1), normal.take(which, axis=1))
    return light


def _seen_sky(pane: Pane, sky: Sky) -> Floats:
    """What is seen through a window from its middle (side, up, 3), by the sines of the angles."""
    sines = (np.arange(_SKY, dtype=np.float32) + np.float32(0.5)) * np.float32(2 / _SKY) - 1
    side, up = (part.ravel() for part in np.meshgrid(sines, sines, indexing="ij"))
    ahead = np.sqrt(np.maximum(1 - side * side - up * up, np.float32(1e-4)))
    x, y = -pane.way[0] * ahead - pane.way[1] * side, -pane.way[1] * ahead + pane.way[0] * side
    ways = np.stack([x, y, up], axis=1)
    starts = np.tile(pane.middles.mean(axis=0), (len(ways), 1))
    return np.ascontiguousarray(sky(starts, ways).T).reshape(_SKY, _SKY, 3)


def _add(into: Floats, which: Index, gap: Floats, flux: Floats, area: float) -> None:
    """Add light of a small area to probes (m) from which it is at ``gap`` (m, 3); ``flux`` (m, 3):
    its radiance, times its size, times its cosine times the distance."""
    square = (gap * gap).sum(axis=1)
    # A near piece is no point: it cannot give more than its own radiance.
    share = 1 / (square * (np.float32(pi) * square + np.float32(area)))
    for side, normal in enumerate(SIDES):
        cosine = np.maximum(gap @ normal, 0)
        into[which, side] += flux * (cosine * share)[:, None]


def _sphere(count: int) -> Floats:
    """Ways (n, 3) spread evenly over all directions."""
    steps = np.arange(count) + 0.5
    up = 1 - 2 * steps / count
    turn = steps * (pi * (3 - sqrt(5)))
    flat = np.sqrt(1 - up * up)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), up], axis=1).astype(np.float32)


def _grid(
    house: House, room: int, gap: float
) -> tuple[Floats, Floats, tuple[int, int, int], Floats]:
    """First probe, steps, counts and all probes (n, 3) of a room."""
    outline, height = house.rooms[room].outline, house.rooms[room].height
    lows = [min(x for x, _ in outline), min(y for _, y in outline), 0.0]
    highs = [max(x for x, _ in outline), max(y for _, y in outline), height]
    volume = (highs[0] - lows[0]) * (highs[1] - lows[1]) * height
    gap = max(gap, (volume / MOST) ** (1 / 3))
    axes = []
    for low, high in zip(lows, highs, strict=True):
        count = max(3, ceil((high - low - 2 * _MARGIN) / gap) + 1)
        axes.append(np.linspace(low + _MARGIN, high - _MARGIN, count, dtype=np.float32))
    x, y, z = np.meshgrid(*axes, indexing="ij")
    points = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
    first = np.array([axis[0] for axis in axes], np.float32)
    step = np.array([axis[1] - axis[0] for axis in axes], np.float32)
    return first, step, (len(axes[0]), len(axes[1]), len(axes[2])), points


def _probes(
    low: Floats, step: Floats, counts: tuple[int, int, int], light: Floats, valid: np.ndarray
) -> Probes:
    """Probes; those in walls and furniture take the light of what is beside them."""
    whole = np.zeros((*counts, 6, 4), np.float32)
    whole[..., :3] = light.reshape(*counts, 6, 3)
    known = valid.reshape(counts).astype(np.float32)
    whole *= known[..., None, None]
    for _ in range(max(counts)):
        if known.all() or not known.any():
            break
        total, weight = _sums(whole), _sums(known)
        fresh = (known == 0) & (weight > 0)
        whole[fresh] = total[fresh] / weight[fresh][:, None, None]
        known[fresh] = 1
    flat = whole.reshape(-1, 6, 4).transpose(1, 0, 2)
    return Probes(low, step, counts, np.ascontiguousarray(flat))


def _sums(values: Floats) -> Floats:
    """For each cell the sum over the six beside it."""
    total = np.zeros_like(values)
    for axis in range(3):
        ahead = [slice(None)] * values.ndim
        behind = [slice(None)] * values.ndim
        ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
        total[tuple(behind)] += values[tuple(ahead)]
        total[tuple(ahead)] += values[tuple(behind)]
    return total
