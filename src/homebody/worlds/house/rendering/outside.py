"""The outdoors: the surroundings of a house under a sky, by day, at dusk, at night.

The surroundings are triangles at their true distances, so that two windows show the same street.
They have their own search tree, which is only used for rays that leave the house. Their light, with
shadows of the sun, is computed once at their corners and looked up for each ray. Light is linear,
directions and places are in the frame of the house.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.arrays import Floats, Index, Mask, linear
from homebody.worlds.house.rendering.lighting import TIMES
from homebody.worlds.house.rendering.materials import GLOW, PATTERNED
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.meshes.sketch import Sketch
from homebody.worlds.house.rendering.meshes.surroundings import GROUND, surroundings
from homebody.worlds.house.rendering.noise import cloud_cover, noise
from homebody.worlds.house.rendering.patterns import apply_pattern
from homebody.worlds.house.rendering.rays import FAR, Tree

SUN, _WEST, _MOON = (TIMES[time].sun for time in ("day", "evening", "night"))


@dataclass(frozen=True, slots=True)
class Hour:
    """Light outdoors at a time of day; colours are linear.

    Attributes:
        sun: Sunlight on a face that is perpendicular to it.
        shade: Light of the sky on a face that faces up.
        zenith: Colour of the sky at the zenith.
        horizon: Colour of the sky at the horizon.
        glow: Sunset glow, added at the western horizon.
        cloud: Colour of clouds.
        lamps: Brightness of panes and street lamps.
        stars: True if there are stars and a moon.
    """

    sun: tuple[float, float, float]
    shade: tuple[float, float, float]
    zenith: tuple[float, float, float]
    horizon: tuple[float, float, float]
    glow: tuple[float, float, float]
    cloud: tuple[float, float, float]
    lamps: float
    stars: bool = False


HOURS = {
    "day": Hour(
        (1.35, 1.25, 1.05), (0.42, 0.48, 0.58), (0.20, 0.42, 0.95), (0.78, 0.92, 1.10),
        (0.0, 0.0, 0.0), (1.35, 1.36, 1.38), 0.0,
    ),
    "evening": Hour(
        (0.10, 0.055, 0.03), (0.06, 0.062, 0.09), (0.025, 0.045, 0.13), (0.16, 0.13, 0.165),
        (0.48, 0.21, 0.07), (0.17, 0.11, 0.12), 0.75,
    ),
    "night": Hour(
        (0.0, 0.0, 0.0), (0.018, 0.022, 0.036), (0.002, 0.0035, 0.009), (0.009, 0.011, 0.021),
        (0.0, 0.0, 0.0), (0.014, 0.016, 0.026), 0.7, stars=True,
    ),
}  # fmt: skip
"""Light by time of day."""


class Outside:
    """The surroundings of a house, made at their first use.

    Attributes:
        house: The house.
    """

    def __init__(self, house: House) -> None:
        self.house = house
        self._lights: dict[str, Floats] = {}

    @cached_property
    def mesh(self) -> Mesh:
        """Return the triangles of the surroundings, in the frame of the house."""
        return surroundings(self.house)

    @cached_property
    def _tree(self) -> Tree:
        return Tree(self.mesh.corners)

    def light(
        self, origins: Floats, ways: Floats, time: str = "day", pixel: float = 0.0037
    ) -> Floats:
        """Return light (3, n) along rays that leave the house.

        Args:
            origins: (n, 3): starts of the rays.
            ways: (n, 3): directions, of any length.
            time: One of ``HOURS``.
            pixel: Width of a pixel at the length of a ray's direction, metres.
        """
        hour = HOURS[time]
        hits = self._tree.cast(
            np.ascontiguousarray(origins, np.float32), np.ascontiguousarray(ways, np.float32)
        )
        across = np.ascontiguousarray(ways.T)
        across = across / np.sqrt((across * across).sum(axis=0))
        light: Floats = np.empty_like(across)
        missed = hits.triangle < 0
        open_sky = np.flatnonzero(missed)
        if open_sky.size:
            light[:, open_sky] = sky(across.take(open_sky, axis=1), time)
        met = np.flatnonzero(~missed)
        if not met.size:
            return light
        triangle, distance = hits.triangle.take(met).astype(np.intp), hits.distance.take(met)
        u, v = hits.u.take(met), hits.v.take(met)
        corners = self._light_on(time).take(triangle, axis=0)
        falling = corners[:, 0] * (1 - u - v)[:, None]
        falling += corners[:, 1] * u[:, None]
        falling += corners[:, 2] * v[:, None]
        spots = (origins.take(met, axis=0) + ways.take(met, axis=0) * distance[:, None]).T
        lengths = np.sqrt((ways.take(met, axis=0) ** 2).sum(axis=1))
        colours = self._colours(triangle, np.ascontiguousarray(spots), distance * pixel)
        colours *= falling.T
        if hour.lamps:
            shines = self.mesh.surfaces.take(triangle) == GLOW
            night = self.mesh.seconds.take(triangle, axis=0).T
            colours += night * night * (shines * np.float32(hour.lamps))
        # Air makes distant objects pale.
        far = distance * lengths
        far /= far + np.float32(420)
        haze = np.array(hour.horizon, np.float32)[:, None]
        light[:, met] = colours + (haze - colours) * far
        return light

    def on_walls(self, normal: Floats, sunny: Mask, time: str) -> Floats:
        """Return light (3, n) on outer walls with normals (3, n) at points, some ``sunny``."""
        hour = HOURS[time]
        sun = np.maximum(SUN @ normal, 0) * sunny
        up = np.float32(0.62) + np.float32(0.38) * normal[2]
        light: Floats = sun * np.array(hour.sun, np.float32)[:, None]
        light += up * np.array(hour.shade, np.float32)[:, None]
        return light

    def _colours(self, triangle: Index, spots: Floats, footprint: Floats) -> Floats:
        """Return the colours (3, n) of the surfaces themselves, as linear light."""
        mesh = self.mesh
        colours: Floats = np.ascontiguousarray(mesh.colours.take(triangle, axis=0).T)
        codes = mesh.surfaces.take(triangle)
        for code in np.flatnonzero(np.bincount(codes)).tolist():
            if code not in PATTERNED:
                continue
            where = np.flatnonzero(codes == code)
            own = triangle.take(where)
            colours[:, where] = apply_pattern(
                code,
                spots.take(where, axis=1),
                mesh.normals[own, 0].T,
                colours.take(where, axis=1),
                mesh.seconds.take(own, axis=0).T,
                footprint.take(where) * np.float32(1.6),
            )
        np.clip(colours, 0, 1, out=colours)
        return linear(colours, out=colours)

    def _light_on(self, time: str) -> Floats:
        """Return light (n, 3, 3) on triangles: corner, channel."""
        if time not in self._lights:
            hour = HOURS[time]
            sun = np.maximum(self.mesh.normals @ SUN, 0) * self._sunlit
            up = np.float32(0.62) + np.float32(0.38) * self.mesh.normals[:, :, 2]
            light = sun[:, :, None] * np.array(hour.sun, np.float32)
            light += (up * self._openness)[:, :, None] * np.array(hour.shade, np.float32)
            self._lights[time] = light.astype(np.float32)
        return self._lights[time]

    @cached_property
    def _sunlit(self) -> Floats:
        """Triangle, corner -> 1 if the sun reaches it."""
        blocks = Sketch()
        for room in self.house.rooms:
            xs, ys = [x for x, _ in room.outline], [y for _, y in room.outline]
            low = (min(xs) - 0.1, min(ys) - 0.1, GROUND)
            blocks.box(low, (max(xs) + 0.1, max(ys) + 0.1, room.height + 0.3), (0.5, 0.5, 0.5))
        own = blocks.mesh().corners
        tree = Tree(np.concatenate([self.mesh.corners, own]))
        starts = self.mesh.corners + self.mesh.normals * np.float32(0.05)
        middles = self.mesh.corners.mean(axis=1, keepdims=True)
        starts += (middles - starts) * np.float32(0.02)
        starts = starts.reshape(-1, 3)
        ways = np.ascontiguousarray(np.broadcast_to(SUN * np.float32(80), starts.shape))
        hits = tree.cast(np.ascontiguousarray(starts), ways, np.ones(len(starts), np.float32))
        free: Floats = ((hits.triangle < 0) | (hits.distance >= FAR)).astype(np.float32)
        return free.reshape(-1, 3)

    @cached_property
    def _openness(self) -> Floats:
        """Triangle, corner -> visible share of the sky: less near the ground."""
        above = np.clip(self.mesh.corners[:, :, 2] - np.float32(GROUND), 0, 3)
        steep = 1 - np.abs(self.mesh.normals[:, :, 2])
        openness: Floats = 1 - steep * np.float32(0.35) * (1 - above / 3)
        return openness


def sky(directions: Floats, time: str = "day") -> Floats:
    """Return linear light (3, n) from the sky in directions (3, n) of length 1."""
    hour = HOURS[time]
    x, y, z = directions
    up = np.clip(z, 0, 1)
    rise = np.minimum(np.sqrt(up) * np.float32(1.15), 1)
    # Clouds lie in a plane high above; towards the horizon they become one.
    flat = 1 / (up + np.float32(0.09))
    cover = cloud_cover(x * flat, y * flat) * np.minimum(up * np.float32(9), 1)
    west = np.maximum(x * _WEST[0] + y * _WEST[1] + z * _WEST[2], 0)
    low = np.maximum(1 - up * np.float32(2.2), 0)
    glow = west * west * low
    light = np.empty_like(directions)
    for row in range(3):
        base = hour.horizon[row] + (hour.zenith[row] - hour.horizon[row]) * rise
        base += glow * np.float32(hour.glow[row])
        cloud = np.float32(hour.cloud[row]) + glow * np.float32(hour.glow[row] * 0.6)
        light[row] = base + (cloud - base) * cover
    if hour.stars:
        scale = np.float32(190)
        cells = [np.floor(part * scale).astype(np.int32) for part in directions]
        bright = noise(cells[0] + cells[2] * np.int32(7919), cells[1])
        stars = np.maximum(bright - np.float32(0.9975), 0) * np.float32(220) * (1 - cover)
        toward = x * _MOON[0] + y * _MOON[1] + z * _MOON[2]
        moon = np.clip((toward - np.float32(0.99945)) * np.float32(9000), 0, 1)
        halo = np.maximum(toward, 0) ** 64
        light += stars * (z > 0) + moon * np.float32(1.1) + halo * np.float32(0.03)
    return light
