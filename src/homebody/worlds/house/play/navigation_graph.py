"""A graph of places in a house between which one moves in a few large steps.

At a point one faces one of its headings: towards each neighbour, and between those wherever more
than a quarter of a turn would be left out, so that turning on the spot shows everything around.
Ahead of a heading that leads to a neighbour one moves to it; the others are for looking only. All
views that can be had are thus known beforehand.

All doors inside the house stand open. Where the points are says
:mod:`homebody.worlds.house.play.navigating.points`, which of them are joined
:mod:`homebody.worlds.house.play.navigating.edges`.
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
"""Degrees that one looks up or down."""
AHEAD = -10.0
"""Degrees of looking ahead: a little down, where most things are, and not at the ceiling."""
LEVELS = (-1, 0, 1)
"""Looking down, ahead and up."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A way to face at a point.

    Attributes:
        yaw: Degrees; 0 looks north, 90 west.
        to: The point that lies ahead; None if one can only look there.
    """

    yaw: float
    to: int | None = None


@dataclass(frozen=True, slots=True)
class NavigationPoint:
    """A place to stand.

    Attributes:
        position: x and y in metres.
        headings: Counter-clockwise, by yaw.
    """

    position: Point
    headings: tuple[Heading, ...]

    def nearest(self, yaw: float) -> int:
        """The number of the heading nearest to a yaw; of two as near the first."""
        away = [abs((heading.yaw - yaw + 180.0) % 360.0 - 180.0) for heading in self.headings]
        return min(range(len(away)), key=lambda number: (round(away[number], 3), number))


@never_changes
@dataclass(frozen=True, slots=True, order=True)
class GraphView:
    """Where one stands and looks.

    Attributes:
        point: Number of the point.
        heading: Number of the heading there.
        pitch: 1 looks up, 0 ahead, -1 down.
    """

    point: int
    heading: int
    pitch: int = 0


@never_changes
@dataclass(frozen=True)
class NavigationGraph:
    """The points of a house; which are neighbours, their headings say."""

    points: tuple[NavigationPoint, ...]

    def heading(self, view: GraphView) -> Heading:
        """What a view faces. Raises IndexError if there is no such view."""
        return self.points[view.point].headings[view.heading]

    def forward(self, view: GraphView) -> GraphView | None:
        """The view after moving to the point that is faced, looking on as nearly the same way as
        can be, level; None if no point is faced."""
        faced = self.heading(view)
        if faced.to is None:
            return None
        return GraphView(faced.to, self.points[faced.to].nearest(faced.yaw))

    def turn(self, view: GraphView, way: int) -> GraphView:
        """The view after turning to the next heading, as high as before.

        Args:
            way: 1 to the left, -1 to the right.
        """
        count = len(self.points[view.point].headings)
        return replace(view, heading=(view.heading + way) % count)

    def look(self, view: GraphView, way: int) -> GraphView | None:
        """The view after looking higher or lower; None if one looks as high or low as one can.

        Args:
            way: 1 up, -1 down.
        """
        pitch = view.pitch + way
        return replace(view, pitch=pitch) if pitch in LEVELS else None

    def eye(self, view: GraphView) -> tuple[Vector, float, float]:
        """The position of the eyes in metres, their yaw and pitch in degrees."""
        x, y = self.points[view.point].position
        return (x, y, EYE), self.heading(view).yaw, AHEAD + PITCH * view.pitch

    def views(self) -> Iterator[GraphView]:
        """All views there are, in order."""
        for number, point in enumerate(self.points):
            for heading in range(len(point.headings)):
                for pitch in LEVELS:
                    yield GraphView(number, heading, pitch)

    def neighbours(self, point: int) -> list[int]:
        """The points that one can move to, in the order of the headings."""
        return [at.to for at in self.points[point].headings if at.to is not None]

    def distance(self, start: int, goal: int) -> float:
        """Metres along the shortest way from a point to another; infinite if there is none."""
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
    """The graph of a house, remembered with it. It hangs on rooms, furniture and people, not on
    objects: the same scene with others has the same graph."""
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
    """Headings in order, and more between those that are over 90 degrees apart, evenly. Where there
    is but one, straight on from there, away from it, is among them."""
    ordered = sorted(headings or (Heading(0.0),), key=lambda heading: heading.yaw)
    full = list(ordered)
    for heading, after in zip(ordered, (*ordered[1:], ordered[0]), strict=True):
        gap = (after.yaw - heading.yaw) % 360.0 or 360.0
        count = math.ceil(round(gap / 90.0, 6))
        full += [
            Heading(round(heading.yaw + gap * part / count, 1) % 360.0) for part in range(1, count)
        ]
    return tuple(sorted(full, key=lambda heading: heading.yaw))
