"""A graph of places in a house between which an agent moves in a few large steps.

At a point, the agent faces one of several headings. There is a heading towards each neighbour, and
additional headings if two are more than a quarter turn apart, so that turning on the spot shows
everything around. Moving ahead leads to the neighbour of the heading. Therefore all possible views
are known in advance.

All inner doors stand open. :mod:`homebody.worlds.house.play.navigating.points` chooses the points
and :mod:`homebody.worlds.house.play.navigating.edges` joins them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from homebody.core.ground.sharing import never_changes
from homebody.worlds.house.model.agents import ROBOT
from homebody.worlds.house.model.house import House, Point, Vector
from homebody.worlds.house.play.navigating.edges import join_points
from homebody.worlds.house.play.navigating.points import choose_points
from homebody.worlds.house.rendering.render import EYE
from homebody.worlds.house.simulation.walking.destinations import facing
from homebody.worlds.house.simulation.walking.navigation import navigation
from homebody.worlds.house.simulation.walking.paths import apart
from homebody.worlds.house.simulation.walking.walls import Floats, memory

PITCH = 30.0
"""Degrees of looking up or down."""
AHEAD = -10.0
"""Pitch of looking ahead in degrees: a little down, where most objects are."""
LEVELS = (-1, 0, 1)
"""Looking down, ahead and up."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A direction to face at a point.

    Attributes:
        yaw: Degrees; 0 is north, 90 west.
        to: The point ahead; None without a neighbour.
    """

    yaw: float
    to: int | None = None


@dataclass(frozen=True, slots=True)
class NavigationPoint:
    """A place to stand.

    Attributes:
        position: x and y in metres.
        headings: Headings counter-clockwise, by yaw.
    """

    position: Point
    headings: tuple[Heading, ...]

    def nearest(self, yaw: float) -> int:
        """Return the number of the heading nearest to a yaw; the first of equals."""
        away = [abs((heading.yaw - yaw + 180.0) % 360.0 - 180.0) for heading in self.headings]
        return min(range(len(away)), key=lambda number: (round(away[number], 3), number))


@never_changes
@dataclass(frozen=True, slots=True, order=True)
class GraphView:
    """A position and direction of view.

    Attributes:
        point: Number of the point.
        heading: Number of the heading there.
        pitch: 1 for up, 0 for ahead, -1 for down.
    """

    point: int
    heading: int
    pitch: int = 0


@never_changes
@dataclass(frozen=True)
class NavigationGraph:
    """The points of a house; their headings name the neighbours."""

    points: tuple[NavigationPoint, ...]

    def heading(self, view: GraphView) -> Heading:
        """Return the heading of a view. Raises IndexError."""
        return self.points[view.point].headings[view.heading]

    def forward(self, view: GraphView) -> GraphView | None:
        """Return the level view after moving to the point ahead; None if there is no such point."""
        faced = self.heading(view)
        if faced.to is None:
            return None
        return GraphView(faced.to, self.points[faced.to].nearest(faced.yaw))

    def turn(self, view: GraphView, way: int) -> GraphView:
        """Return the view after a turn to the next heading at the same pitch.

        Args:
            way: 1 for left, -1 for right.
        """
        count = len(self.points[view.point].headings)
        return replace(view, heading=(view.heading + way) % count)

    def look(self, view: GraphView, way: int) -> GraphView | None:
        """Return the view after looking higher or lower; None at the limit.

        Args:
            way: 1 for up, -1 for down.
        """
        pitch = view.pitch + way
        return replace(view, pitch=pitch) if pitch in LEVELS else None

    def eye(self, view: GraphView) -> tuple[Vector, float, float]:
        """Return the position of the eyes in metres, and their yaw and pitch in degrees."""
        x, y = self.points[view.point].position
        return (x, y, EYE), self.heading(view).yaw, AHEAD + PITCH * view.pitch

    def views(self) -> Iterator[GraphView]:
        """Yield all views in order."""
        for number, point in enumerate(self.points):
            for heading in range(len(point.headings)):
                for pitch in LEVELS:
                    yield GraphView(number, heading, pitch)

    def neighbours(self, point: int) -> list[int]:
        """Return the neighbours of a point in the order of its headings."""
        return [at.to for at in self.points[point].headings if at.to is not None]

    def distance(self, start: int, goal: int) -> float:
        """Return the metres of the shortest way between two points; infinite without one."""
        return float(self._lengths[start, goal])

    @cached_property
    def _lengths(self) -> Floats:
        count = len(self.points)
        lengths = np.full((count, count), np.inf)
        np.fill_diagonal(lengths, 0.0)
        for number, point in enumerate(self.points):
            for other in self.neighbours(number):
                lengths[number, other] = apart(point.position, self.points[other].position)
        for through in range(count):  # Floyd and Warshall's
            np.minimum(lengths, lengths[:, through, None] + lengths[through], out=lengths)
        return lengths


def navigation_graph(house: House) -> NavigationGraph:
    """Return the graph of a house, cached with it; it does not depend on objects."""
    known: NavigationGraph | None = memory(house).get("navigation graph")
    if known is None:
        ways = navigation(house, ROBOT.radius)
        positions, edges = join_points(house, ways, *choose_points(house, ways))
        known = memory(house)["navigation graph"] = _graph(positions, edges)
    return known


def _graph(positions: Sequence[Point], edges: Sequence[tuple[int, int]]) -> NavigationGraph:
    around: Mapping[int, list[int]] = {number: [] for number in range(len(positions))}
    for first, second in edges:
        around[first].append(second)
        around[second].append(first)
    return NavigationGraph(
        tuple(
            NavigationPoint(at, with_fillers(tuple(
                Heading(facing(at, positions[other]) or 0.0, other) for other in around[number]
            )))
            for number, at in enumerate(positions)
        )
    )  # fmt: skip


def with_fillers(headings: Sequence[Heading]) -> tuple[Heading, ...]:
    """Return headings in order, with additional ones if two are more than 90 degrees apart."""
    ordered = sorted(headings or (Heading(0.0),), key=lambda heading: heading.yaw)
    full = list(ordered)
    for heading, after in zip(ordered, (*ordered[1:], ordered[0]), strict=True):
        gap = (after.yaw - heading.yaw) % 360.0 or 360.0
        count = math.ceil(round(gap / 90.0, 6))
        full += [
            Heading(round(heading.yaw + gap * part / count, 1) % 360.0) for part in range(1, count)
        ]
    return tuple(sorted(full, key=lambda heading: heading.yaw))
