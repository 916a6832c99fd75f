"""Paths on the plan: chains of straight lines."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from homebody.core.ground.sharing import never_changes
from homebody.worlds.house.model.house import Point


@never_changes
@dataclass(frozen=True, slots=True)
class Path:
    """A path: the points where it starts, turns and ends, and its length in metres."""

    points: tuple[Point, ...]
    length: float
    legs: tuple[float, ...] = field(init=False, repr=False, compare=False)
    """Metres from each point to the next."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "legs", tuple(map(apart, self.points, self.points[1:])))

    def until(self, distance: float) -> Path:
        """Return the path up to a distance in metres."""
        gone, points = 0.0, [self.points[0]]
        for leg, end in zip(self.legs, self.points[1:], strict=True):
            if gone + leg >= distance:
                break
            gone += leg
            points.append(end)
        if distance > gone:
            points.append(self.at(distance))
        return Path(tuple(points), max(gone, distance))

    def at(self, distance: float) -> Point:
        """Return the position after some metres."""
        for index, leg in enumerate(self.legs):
            if distance < leg:
                (a, b), (c, d) = self.points[index], self.points[index + 1]
                share = distance / leg
                return a + (c - a) * share, b + (d - b) * share
            distance -= leg
        return self.points[-1]


def apart(point: Point, other: Point) -> float:
    """Return the distance between two points of the plan."""
    # not math.hypot: square roots are the same on every platform
    across, along = point[0] - other[0], point[1] - other[1]
    return math.sqrt(across * across + along * along)
