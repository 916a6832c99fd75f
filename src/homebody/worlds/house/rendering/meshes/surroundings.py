"""The surroundings of a house: street, gardens, trees, cars, other houses, its own outer walls.

They are visible but cannot be reached. Their frame has the middle of the house at the origin, y to
the street, x along it. The layout depends on the house's seed. ``GLOW`` surfaces (some panes,
street lamps) shine at night only, in their second colour.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from homebody.core.ground.seeds import choose
from homebody.worlds.house.model.house import Colour, House, Pose
from homebody.worlds.house.model.outlines import rooms_extent
from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.materials import GLOSS, GLOW, MATT, METAL, WOOD, Surface
from homebody.worlds.house.rendering.meshes.facade import facade
from homebody.worlds.house.rendering.meshes.frames import pose_of
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.meshes.palette import shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch

GROUND = -0.16
"""Height of the ground outdoors, metres: a step below the floor."""
FAR_OFF = 170.0
"""Distance from the house at which the ground ends, metres."""
LAMPLIGHT: tuple[Colour, ...] = ((1.0, 0.78, 0.45), (1.0, 0.85, 0.6), (0.95, 0.9, 0.8))
GRASS: tuple[Colour, Colour] = ((0.31, 0.42, 0.19), (0.43, 0.53, 0.27))
TAR: tuple[Colour, Colour] = ((0.30, 0.30, 0.32), (0.42, 0.42, 0.42))
SLABS: tuple[Colour, Colour] = ((0.66, 0.64, 0.61), (0.48, 0.46, 0.44))
FOLIAGE: tuple[Colour, ...] = (
    (0.24, 0.38, 0.17), (0.30, 0.43, 0.18), (0.20, 0.33, 0.20), (0.36, 0.44, 0.20),
)  # fmt: skip
WALLS: tuple[tuple[Colour, Surface], ...] = (
    ((0.60, 0.33, 0.25), Surface.BRICK), ((0.70, 0.48, 0.36), Surface.BRICK),
    ((0.88, 0.85, 0.78), Surface.PLASTER), ((0.80, 0.74, 0.62), Surface.PLASTER),
    ((0.72, 0.77, 0.78), Surface.PLASTER), ((0.85, 0.78, 0.70), Surface.PLASTER),
)  # fmt: skip
ROOFS: tuple[Colour, ...] = ((0.36, 0.20, 0.16), (0.27, 0.27, 0.29), (0.45, 0.27, 0.19))
PAINTS: tuple[Colour, ...] = (
    (0.55, 0.10, 0.10), (0.13, 0.20, 0.36), (0.75, 0.76, 0.78), (0.12, 0.12, 0.13),
    (0.86, 0.86, 0.85), (0.25, 0.33, 0.30), (0.42, 0.45, 0.50),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Site:
    """The site of a house.

    Attributes:
        pose: The frame of the surroundings in the house's frame: y is towards the street.
        half: Half the width of the house along the street, and half its depth.
    """

    pose: Pose
    half: tuple[float, float]


def site_of(house: House) -> Site:
    """Return the site; its street is at the front door."""
    x0, y0, x1, y1 = rooms_extent(house)
    middle = ((x0 + x1) / 2, (y0 + y1) / 2, 0.0)
    wide, deep = (x1 - x0) / 2 + house.wall, (y1 - y0) / 2 + house.wall
    doors = [opening for opening in house.openings if opening.kind == "entrance"]
    yaw = (pose_of(house, doors[0]).yaw + 180.0) % 360 if doors else 0.0
    half = (wide, deep) if yaw % 180 == 0 else (deep, wide)
    return Site(Pose(middle, yaw), half)


def surroundings(house: House) -> Mesh:
    """Return the triangles around a house, in its frame; the same for the same house."""
    site, sketch = site_of(house), Sketch()
    rng = np.random.default_rng([house.seed & 0xFFFFFFFF, 15])
    place = _Place(sketch.at(site.pose.position, site.pose.yaw), site.half, rng)
    if house.kind == "home":
        place.suburb()
    else:
        place.town()
    facade(sketch, house, GROUND)
    return sketch.mesh()


class _Place:
    """Draws one kind of surroundings, varied by ``rng``."""

    def __init__(self, sketch: Sketch, half: tuple[float, float], rng: np.random.Generator) -> None:
        self.sketch, self.half, self.rng = sketch, half, rng

    def suburb(self) -> None:
        """Draw a front garden, street, houses across and beside it, a garden behind."""
        (hx, hy), rng = self.half, self.rng
        front = hy + 4.0 + 2.5 * rng.random()
        back = hy + 9.0 + 6.0 * rng.random()
        self.ground(GRASS, Surface.LAWN)
        self.street(front)
        # The path to the pavement starts near the door: in the middle.
        self.flat(-0.7, 0.7, hy, front, SLABS, Surface.PAVING, 0.015)
        self.flat(-hx, hx, -hy - 3.0, -hy, SLABS, Surface.PAVING, 0.015)  # a terrace
        for side in (-1, 1):
            edge = side * (hx + 3.0 + 1.5 * rng.random())
            self.hedge((edge, -back), (edge, hy - 0.5))
            far = hx + 14.0 + 3.0 * rng.random()
            self.building(side * far, 3 * rng.random() - 2.0, 9.0, 9.0, 2)
            for _ in range(2):
                self.tree(edge + side * (1.5 + rng.random()), (rng.random() - 0.5) * 2 * hy, 4.5)
        self.hedge((-hx - 4.0, -back), (hx + 4.0, -back))
        for _ in range(7):
            x = (rng.random() - 0.5) * 2.2 * (hx + 5)
            self.tree(x, -hy - 4.5 - rng.random() * (back - hy + 3.0), 4.0 + 4 * rng.random())
        for side in (-1, 1):
            self.tree(side * (hx * 0.5 + rng.random() * 3), front - 1.6, 3.0 + rng.random())
        self.row(front + 2.0 + 6.4 + 2.0 + 5.0, 1, 2)
        self.row(-back - 14.0, -1, 2)
        self.woods()

    def town(self) -> None:
        """Draw a street with tall buildings, and a yard with cars behind."""
        (hx, hy), rng = self.half, self.rng
        front = hy + 0.6
        self.ground(GRASS, Surface.LAWN)
        self.street(front)
        back = hy + 22.0
        self.flat(-hx - 14, hx + 14, -back, -hy - 1.5, TAR, Surface.ASPHALT, 0.01)
        self.flat(-hx - 14, hx + 14, -hy - 1.5, hy, SLABS, Surface.PAVING, 0.02)
        for side in (-1, 1):
            self.building(side * (hx + 16.0), 0.0, 14.0, 2 * hy, 3, flat=True)
            self.hedge((side * (hx + 7.0), -hy - 3), (side * (hx + 7.0), -hy - 12))
        for i in range(-3, 4):
            if rng.random() < 0.7:
                self.car(i * 3.0, -hy - 14.0, 90.0)
            self.tree(i * 8.0 + rng.random() * 3, -back - 3.0, 6.0 + 3 * rng.random())
        self.row(front + 3.0 + 6.4 + 3.0, 1, 4)
        self.row(-back - 14.0, -1, 3)
        self.woods()

    # -- ground -----------------------------------------------------------------------------------

    def ground(self, colours: tuple[Colour, Colour], surface: Surface) -> None:
        """Draw a plain with small cells near the house, so that shadows show on it."""
        steps = [2.0 * i for i in range(17)] + [40.0, 60.0, 100.0, FAR_OFF]
        lines = np.array([-s for s in steps[:0:-1]] + steps, np.float32)
        x, y = np.meshgrid(lines, lines)
        points = np.stack([x, y, np.full_like(x, GROUND)], axis=2)
        a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
        quads = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3, 3)
        self.sketch.triangles(quads, colours[0], surface, None, colours[1])

    def flat(
        self,
        x0: float,
        x1: float,
        y0: float,
        y1: float,
        colours: tuple[Colour, Colour],
        surface: Surface,
        lift: float,
    ) -> None:
        """Draw a level rectangle on the ground, in pieces of some 4 m that show shadows."""
        columns, rows = max(1, round((x1 - x0) / 4)), max(1, round((y1 - y0) / 4))
        x, y = np.meshgrid(np.linspace(x0, x1, columns + 1), np.linspace(y0, y1, rows + 1))
        points = np.stack([x, y, np.full_like(x, GROUND + lift)], axis=2).astype(np.float32)
        a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
        quads = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3, 3)
        self.sketch.triangles(quads, colours[0], surface, None, colours[1])

    def street(self, y: float) -> None:
        """Draw pavements with kerbs, a road with a broken line, lamps, trees and parked cars."""
        rng, long = self.rng, 72.0
        for near in (y, y + 8.4):
            self.flat(-long, long, near, near + 2.0, SLABS, Surface.PAVING, 0.09)
        for kerb in (y + 1.95, y + 8.4):
            low, high = (-long, kerb, GROUND - 0.05), (long, kerb + 0.12, GROUND + 0.1)
            self.sketch.box(low, high, (0.72, 0.71, 0.69))
        self.flat(-long, long, y + 2.0, y + 8.4, TAR, Surface.ASPHALT, 0.005)
        for i in range(-12, 12):
            x = i * 6.0
            corners = ((x, y + 5.14), (x + 2.5, y + 5.14), (x + 2.5, y + 5.26), (x, y + 5.26))
            a, b, c, d = ((u, v, GROUND + 0.012) for u, v in corners)
            self.sketch.quad(a, b, c, d, (0.85, 0.85, 0.83))
        for i in range(-4, 5):
            x = i * 13.0 + rng.random() * 3
            if rng.random() < 0.75:
                self.tree(x, y + 1.3 if i % 2 else y + 9.4, 5.0 + 2.5 * rng.random())
            if rng.random() < 0.8:
                self.car(x + 4.5, y + 3.1 if rng.random() < 0.5 else y + 7.4, 0.0)
            if i % 2:
                self.street_lamp(x + 7.0, y + 1.6)

    def street_lamp(self, x: float, y: float) -> None:
        """Draw a post with an arm over the road."""
        post = ((x, y, GROUND), (x, y, 4.6), (x, y + 0.9, 4.9))
        self.sketch.tube(post, 0.05, (0.3, 0.33, 0.32), METAL, 6)
        low, high = (x - 0.1, y + 0.6, 4.84), (x + 0.1, y + 1.1, 4.9)
        self._lamp(low, high, (0.8, 0.8, 0.78), LAMPLIGHT[1])

    def _lamp(
        self,
        low: tuple[float, float, float],
        high: tuple[float, float, float],
        colour: Colour,
        night: Colour,
    ) -> None:
        """Draw a box that shines at night."""
        part = Sketch()
        part.box(low, high, colour, GLOSS)
        self.sketch.triangles(part.mesh().corners, colour, GLOW, None, night)

    # -- plants, cars and buildings ----------------------------------------------------------------

    def tree(self, x: float, y: float, tall: float) -> None:
        """Draw a trunk and a crown of a few balls, or a fir."""
        rng, sketch = self.rng, self.sketch
        leaf = shade(choose(rng, FOLIAGE), 0.9 + 0.25 * rng.random())
        trunk = (0.33, 0.25, 0.19)
        if rng.random() < 0.2:
            sketch.cylinder((x, y, GROUND), 0.12, tall * 0.3, trunk, WOOD, segments=6)
            for i in range(3):
                low, r = GROUND + tall * (0.15 + 0.25 * i), tall * (0.24 - 0.06 * i)
                dark = shade(leaf, 0.75)
                cone = [(0.0, 0.0), (r, 0.0), (r, 0.0), (0.03, tall * 0.4)]
                sketch.lathe((x, y, low), cone, dark, Surface.LEAVES, 9)
            return
        sketch.cylinder((x, y, GROUND), 0.06 + tall * 0.015, tall * 0.5, trunk, WOOD, segments=6)
        size = tall * 0.3
        for i in range(5):
            turn = 2.4 * i + 6 * rng.random()
            out = size * (0.6 if i else 0.0)
            place = (
                x + out * math.cos(turn),
                y + out * math.sin(turn),
                GROUND + tall * (0.62 + 0.1 * rng.random()) + (size * 0.35 if not i else 0.0),
            )
            r = size * (0.62 + 0.25 * rng.random())
            sketch.ball(place, (r, r, r * 0.85), leaf, Surface.LEAVES, 9)

    def hedge(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw a hedge along a line."""
        tall, thick = 1.1 + 0.6 * self.rng.random(), 0.35
        x0, x1 = sorted((start[0], end[0]))
        y0, y1 = sorted((start[1], end[1]))
        low, high = (x0 - thick, y0 - thick, GROUND - 0.1), (x1 + thick, y1 + thick, tall + GROUND)
        leaf = choose(self.rng, FOLIAGE)
        self.sketch.cushion(low, high, leaf, 0.2, Surface.LEAVES)

    def car(self, x: float, y: float, turn: float) -> None:
        """Draw a parked car."""
        paint = choose(self.rng, PAINTS)
        car = self.sketch.at((x, y, GROUND), turn + (180.0 if self.rng.random() < 0.5 else 0.0))
        car.cushion((-2.1, -0.86, 0.28), (2.1, 0.86, 0.82), paint, 0.14, GLOSS)
        rings = ((0.78, (-1.75, 1.15), 0.8), (1.38, (-1.2, 0.45), 0.62))
        (z0, (a0, b0), w0), (z1, (a1, b1), w1) = rings
        low = [(b0, -w0, z0), (b0, w0, z0), (a0, w0, z0), (a0, -w0, z0)]
        high = [(b1, -w1, z1), (b1, w1, z1), (a1, w1, z1), (a1, -w1, z1)]
        for i in range(4):
            j = (i + 1) % 4
            car.quad(low[i], low[j], high[j], high[i], (0.1, 0.12, 0.14), GLOSS)
        car.cushion((a1 - 0.1, -w1, z1 - 0.03), (b1 + 0.1, w1, z1 + 0.05), paint, 0.04, GLOSS)
        for dx in (-1.3, 1.3):
            for side in (-1, 1):
                wheel = car.at((dx, side * 0.72 - 0.1, 0.32), -90, "x")
                wheel.cylinder((0, 0, 0), 0.32, 0.2, (0.07, 0.07, 0.07), MATT, segments=10)
        for side in (-1, 1):
            low_corner, high_corner = (
                (2.06, side * 0.62 - 0.16, 0.55),
                (2.11, side * 0.62 + 0.16, 0.68),
            )
            car.box(low_corner, high_corner, (0.9, 0.9, 0.88), GLOSS)

    def row(self, y: float, way: int, floors: int) -> None:
        """Draw buildings along the street, their fronts at ``y``, facing the house."""
        x = -58.0 + 6 * self.rng.random()
        while x < 58:
            wide = 8.0 + 5.0 * self.rng.random() if floors < 3 else 12.0 + 8 * self.rng.random()
            deep = 8.0 + 2 * self.rng.random()
            tall = floors + int(self.rng.integers(0, 2)) if floors > 2 else floors
            self.building(
                x + wide / 2, y + way * deep / 2, wide, deep, tall, floors > 2, bars=False
            )
            x += wide + (3.0 + 3 * self.rng.random() if floors < 3 else 0.4)

    def building(
        self,
        x: float,
        y: float,
        wide: float,
        deep: float,
        floors: int,
        flat: bool = False,
        bars: bool = True,
    ) -> None:
        """Draw a house with windows on all sides, under a gable or a flat roof.

        Omit the ``bars`` of distant windows, because they would flicker.
        """
        rng, sketch = self.rng, self.sketch
        colour, surface = choose(rng, WALLS)
        storey = 2.9
        tall = storey * floors
        joints = (0.78, 0.74, 0.68) if surface == Surface.BRICK else colour
        walls = Sketch()
        walls.box((x - wide / 2, y - deep / 2, GROUND), (x + wide / 2, y + deep / 2, tall), colour)
        mesh = walls.mesh()
        sketch.triangles(mesh.corners, colour, surface, None, joints)
        roof = choose(rng, ROOFS)
        a, b, c, d = x - wide / 2 - 0.4, x + wide / 2 + 0.4, y - deep / 2 - 0.4, y + deep / 2 + 0.4
        if flat:
            sketch.box((a, c, tall), (b, d, tall + 0.45), shade(colour, 0.8))
        else:
            rise, z = deep * 0.38, tall - 0.1
            ridge = ((a, y, z + rise), (b, y, z + rise))
            sketch.quad((a, c, z), (b, c, z), ridge[1], ridge[0], roof)
            sketch.quad((b, d, z), (a, d, z), ridge[0], ridge[1], roof)
            for end, (s, t) in ((a + 0.4, (d, c)), (b - 0.4, (c, d))):
                gable = np.array([[(end, s, z), (end, t, z), (end, y, z + rise)]], np.float32)
                sketch.triangles(gable, colour, surface, None, joints)
            sketch.box(
                (x + wide * 0.2, y, z + rise * 0.4),
                (x + wide * 0.2 + 0.6, y + 0.6, z + rise + 0.7),
                joints,
            )
        door = int(rng.integers(4))
        for turn, long, out in (
            (0, wide, deep),
            (90, deep, wide),
            (180, wide, deep),
            (270, deep, wide),
        ):
            side = sketch.at((x, y, 0.0), turn)
            self._windows(
                side, long, -out / 2, floors, storey, door if turn in (0, 180) else -1, bars
            )

    def _windows(
        self,
        side: Sketch,
        long: float,
        y: float,
        floors: int,
        storey: float,
        door: int,
        with_bars: bool,
    ) -> None:
        """Draw windows of one side of a building, at ``y``; some are lit at night."""
        rng = self.rng
        count = max(1, round(long / 2.7))
        frames, panes = [], []
        for floor in range(floors):
            for i in range(count):
                x, low = long * ((i + 0.5) / count - 0.5), storey * floor + 0.95
                tall = 1.3
                if floor == 0 and i == door % count and door >= 0:
                    low, tall = GROUND + 0.1, 2.2
                frames.append((x - 0.6, x + 0.6, low - 0.08, low + tall + 0.08, y - 0.03))
                panes.append((x - 0.52, x + 0.52, low, low + tall, y - 0.05))
        lit = rng.random(len(panes)) < 0.4
        white = (0.9, 0.89, 0.86)
        self._quads(side, frames, white, white, MATT)
        for tone in range(3):
            own = [p for i, p in enumerate(panes) if lit[i] and i % 3 == tone]
            self._quads(side, own, (0.17, 0.21, 0.26), LAMPLIGHT[tone], GLOW)
        dark = [p for i, p in enumerate(panes) if not lit[i]]
        self._quads(side, dark, (0.15, 0.19, 0.24), (0.15, 0.19, 0.24), GLOSS)
        if not with_bars:
            return
        bars = [(x0 + 0.49, x1 - 0.49, z0, z1, y - 0.01) for x0, x1, z0, z1, y in panes]
        bars += [(x0, x1, z1 - 0.45, z1 - 0.4, y - 0.01) for x0, x1, _, z1, y in panes]
        bars += [
            (x0 - 0.15, x1 + 0.15, z0 - 0.14, z0 - 0.08, y - 0.01) for x0, x1, z0, _, y in panes
        ]
        self._quads(side, bars, white, white, MATT)

    def _quads(
        self,
        side: Sketch,
        spans: list[tuple[float, float, float, float, float]],
        colour: Colour,
        night: Colour,
        surface: Surface,
    ) -> None:
        """Draw upright rectangles x0, x1, z0, z1 that look to -y, at y."""
        if not spans:
            return
        x0, x1, z0, z1, y = np.array(spans, np.float32).T
        a, b, c, d = ((x0, y, z0), (x1, y, z0), (x1, y, z1), (x0, y, z1))
        corners = np.stack([np.stack(p, axis=1) for p in (a, b, c, a, c, d)], axis=1)
        side.triangles(corners.reshape(-1, 3, 3), colour, surface, None, night)

    def woods(self) -> None:
        """Draw distant trees all around: a band with an uneven upper edge."""
        count, far = 96, FAR_OFF * 0.92
        angles = np.linspace(0, 2 * math.pi, count + 1)
        tall = 7.0 + 7.0 * self.rng.random(count + 1)
        tall[-1] = tall[0]
        triangles: list[Floats] = []
        for (a, h), (b, k) in pairwise(zip(angles.tolist(), tall.tolist(), strict=True)):
            p, q = (far * math.cos(a), far * math.sin(a)), (far * math.cos(b), far * math.sin(b))
            low0, low1 = (*p, GROUND), (*q, GROUND)
            high0, high1 = (*p, h), (*q, k)
            triangles.append(np.array([[low1, low0, high0], [low1, high0, high1]], np.float32))
        self.sketch.triangles(np.concatenate(triangles), (0.27, 0.36, 0.25), Surface.LEAVES)
