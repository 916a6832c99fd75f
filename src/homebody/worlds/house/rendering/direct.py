"""Direct light from the sun and from lamps, with shadows.

Arrays of points are (3, n). For each of the strongest lamps of a room, a ray is cast from each
point. The other lamps are part of the room's probes (:mod:`baking`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.arrays import Floats, Index, Ints, Mask
from homebody.worlds.house.rendering.lighting import Lamp, Time, can_see_sun, sun_openings
from homebody.worlds.house.rendering.penumbras import Rows, find_penumbra

Blocked: TypeAlias = Callable[[Floats, Floats], Mask]
"""Starts and directions (n, 3) of rays -> mask of rays that meet something within their lengths."""
KEYS = 2
"""Number of lamps of a room that cast shadows."""
_LEAST = np.float32(1e-5)  # less light is not worth a ray
_FAINT = 0.1  # smaller shares of the power of a room's strongest lamp keep sharp shadows


def key_lamps(lamps: Sequence[Lamp], room: int) -> list[Lamp]:
    """Return the lamps of a room for which rays are cast: the strongest and all movable lamps.

    The residual light of a room is not among them: it casts no shadows.
    """
    own = sorted(
        (lamp for lamp in lamps if lamp.room == room and lamp.name),
        key=lambda lamp: (-float(lamp.power.sum()), lamp.name),
    )
    still = [lamp for lamp in own if lamp.still][:KEYS]
    return still + [lamp for lamp in own if not lamp.still][:KEYS]


class Direct:
    """Sun and lamps of a house at one time and in one state."""

    def __init__(
        self,
        house: House,
        time: Time | None,
        lamps: Sequence[Lamp],
        blocked: Blocked,
        least: float = 0.0,
    ) -> None:
        """Omit the sun if ``time`` is None. Omit lamps nearer than ``least`` metres."""
        self._least = least
        self._time = time
        self._blocked = blocked
        self._keys = [key_lamps(lamps, room) for room in range(len(house.rooms))]
        self._openings = [
            sun_openings(house, room.name, time.sun) if time else np.zeros((0, 2, 3), np.float32)
            for room in house.rooms
        ]

    def light_on(
        self, spot: Floats, normal: Floats, room: Index, shadows: bool = True
    ) -> tuple[Floats, Ints]:
        """Return light (3, n) of lamps and sun, and a bit mask of hidden sources per point.

        Without ``shadows``, all lamps are visible everywhere.
        """
        light = np.zeros_like(spot)
        dark = np.zeros(spot.shape[1], np.int32)
        for number in np.flatnonzero(np.bincount(room)).tolist():
            keys = self._keys[number]
            boxes = self._openings[number]
            if not keys and not len(boxes):
                continue
            which = np.flatnonzero(room == number)
            whole = len(which) == len(room)
            own = spot if whole else spot.take(which, axis=1)
            ways = normal if whole else normal.take(which, axis=1)
            for bit, lamp in enumerate(keys):
                self._lamp(lamp, own, ways, which, light, dark, 2 << bit, shadows)
            if self._time is not None and len(boxes):
                self._sun(self._time, boxes, own, ways, which, light, dark)
        return light, dark

    def soften(
        self,
        light: Floats,
        spot: Floats,
        room: Index,
        dark: Ints,
        view: Rows,
        reach: Callable[[Floats, Floats], Floats],
    ) -> None:
        """Make the edges of the shadows of lamps soft, in whole rows of pixels.

        Args:
            light: (3, n).
            spot: (3, n).
            room: (n,): numbers of rooms.
            dark: (n,): the bit masks of :meth:`light_on`.
            view: What the pixels show.
            reach: Starts and ways of rays -> how far they get, in lengths of their ways.
        """
        for number in np.flatnonzero(np.bincount(room)).tolist():
            own, keys = np.where(room == number, dark, 0), self._keys[number]
            least = _FAINT * max((float(lamp.power.max()) for lamp in keys), default=0.0)
            for bit, lamp in enumerate(keys):
                hidden = own & (2 << bit) != 0
                if lamp.power.max() < least or not hidden.any():
                    continue

                def half_width(pixels: Index, lamp: Lamp = lamp) -> Floats:
                    starts = offset_starts(spot.take(pixels, axis=1), view.normals(pixels))
                    ways, gaps = _ways_to(lamp, starts)
                    hidden = reach(starts, ways) * np.sqrt((ways * ways).sum(axis=1))
                    # Near the lamp, what hides it counts as a radius away from it.
                    beyond = np.maximum(gaps - hidden, np.float32(lamp.radius))
                    half: Floats = lamp.radius * hidden / beyond
                    return half

                pixels, share = find_penumbra(view, hidden.reshape(view.face.shape), half_width)
                toward = lamp.position[:, None] - spot.take(pixels, axis=1)
                amount = lamp_light(toward, view.normals(pixels), lamp.radius)
                amount *= share - ~hidden.take(pixels)
                for row in range(3):
                    # Light between computed pixels can be less than what the lamp adds there.
                    mixed = light[row, pixels] + amount * lamp.power[row]
                    light[row, pixels] = np.maximum(mixed, 0)

    def _lamp(
        self,
        lamp: Lamp,
        spot: Floats,
        normal: Floats,
        which: Index,
        light: Floats,
        dark: Ints,
        bit: int,
        shadows: bool,
    ) -> None:
        toward = lamp.position[:, None] - spot
        amount = lamp_light(toward, normal, lamp.radius)
        if self._least:
            amount[(toward * toward).sum(axis=0) < np.float32(self._least**2)] = 0
        lit = np.flatnonzero(amount * lamp.power.max() > _LEAST)
        if not lit.size:
            return
        free = lit
        if shadows:
            starts = offset_starts(spot, normal, lit)
            ways, _ = _ways_to(lamp, starts)
            shut = self._blocked(starts, ways)
            dark[which[lit[shut]]] += bit
            free = lit[~shut]
        at, amount = which[free], amount.take(free)
        for row in range(3):
            light[row, at] += amount * lamp.power[row]

    def _sun(
        self,
        time: Time,
        boxes: Floats,
        spot: Floats,
        normal: Floats,
        which: Index,
        light: Floats,
        dark: Ints,
    ) -> None:
        sun = time.sun
        facing = normal[0] * sun[0] + normal[1] * sun[1] + normal[2] * sun[2]
        sunny = np.flatnonzero(facing > np.float32(0.02))
        if not sunny.size:
            return
        dark[which[sunny]] += 1
        sunny = sunny[can_see_sun(boxes, spot.take(sunny, axis=1), sun)]
        if not sunny.size:
            return
        starts = offset_starts(spot, normal, sunny)
        free = sunny[~self._blocked(starts, np.tile(sun * np.float32(60), (len(starts), 1)))]
        at, strength = which[free], facing.take(free)
        dark[at] -= 1
        for row in range(3):
            light[row, at] += strength * time.sunlight[row]


def _ways_to(lamp: Lamp, starts: Floats) -> tuple[Floats, Floats]:
    """Return rays (n, 3) from starts to a lamp that its own mesh does not block, and the distances
    (n,) of its middle."""
    ways = lamp.position - starts
    gaps = np.sqrt((ways * ways).sum(axis=1))
    ways *= np.maximum(1 - np.float32(lamp.reach) / gaps, np.float32(0.01))[:, None]
    return ways, gaps


def lamp_light(toward: Floats, normal: Floats, radius: float) -> Floats:
    """Return light (n,) of an unhidden lamp of power 1 at ``toward`` (3, n) from points."""
    square = toward[0] * toward[0] + toward[1] * toward[1] + toward[2] * toward[2]
    facing = toward[0] * normal[0] + toward[1] * normal[1] + toward[2] * normal[2]
    facing = np.maximum(facing, 0)
    # Very near, it is as bright as its own face, not brighter.
    square = np.maximum(square, np.float32(radius * radius + 4e-4))
    amount: Floats = facing / (square * np.sqrt(square)) * np.float32(1 / (4 * pi * pi))
    return amount


def offset_starts(spot: Floats, normal: Floats, which: Index | None = None) -> Floats:
    """Return starts (m, 3) of rays a little off their surfaces."""
    if which is not None:
        spot, normal = (each.take(which, axis=1, mode="clip") for each in (spot, normal))
    start = spot + normal * np.float32(2e-3)
    return np.ascontiguousarray(start.T)
