"""Free space and shortest paths in a house.

An agent is a square of half-width ``radius`` that never turns on the plan. Obstacles are walls,
furniture on the floor (not furniture that begins above 0.8 m), people, and open leaves of doors.
Shut doors are opened on the way. Doors that an agent cannot open count as walls. Obstacles grown by
the radius are rectangles that the agent's centre may touch, not enter, so a shortest path is a
chain of straight lines between their corners. Corners, their visibility and all distances are
computed once per house (some 20 ms); after that a path takes some tens of microseconds.

A shortest path turns at a corner like a taut string. Other lines are skipped. Paths are exact for
this agent and these boxes, without a grid.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from homebody.core.ground.sharing import never_changes
from homebody.worlds.house.model.house import NOISE, House, Point
from homebody.worlds.house.simulation.walking.obstacles import obstacles
from homebody.worlds.house.simulation.walking.paths import Path, apart
from homebody.worlds.house.simulation.walking.walls import (
    Bools,
    Floats,
    evict_old,
    evict_old_points,
    hits,
)


@never_changes
class ShortestPaths:
    """Free space and shortest paths in one house for agents of one radius.

    Attributes:
        house: The house, whose furniture never moves.
        radius: Half the width of the agent in metres.
        barred: Doors that are permanently shut.
    """

    def __init__(self, house: House, radius: float, barred: frozenset[str] = frozenset()) -> None:
        self.house = house
        self.radius = radius
        self.barred = barred
        low, high = obstacles(house, barred)
        self._low, self._high = low - radius, high + radius
        # less noise, for lines from one point: (x or y, 1, rectangle)
        self._inner_low = np.ascontiguousarray((self._low + NOISE).T)[:, None]
        self._inner_high = np.ascontiguousarray((self._high - NOISE).T)[:, None]
        self._nodes, self._turns = self._corners()
        self._between = self._distances()
        self._from: dict[Point, Floats] = {}
        self._to: dict[Point, Floats] = {}
        self._to_all: dict[tuple[Point, ...], Floats] = {}
        self._lengths: dict[tuple[Point, tuple[Point, ...]], list[float]] = {}
        self._paths: dict[tuple[Point, Point], Path] = {}
        self._straight: dict[tuple[Point, Point], bool] = {}
        self._ends: dict[tuple[int, Point], tuple[Point, ...]] = {}

    # -- free space -------------------------------------------------------------------------------

    def is_free(self, point: Point) -> bool:
        """Return whether an agent can stand at a point of the plan, other agents aside."""
        return bool(self._free(np.array([point]))[0])

    def sees_straight(self, start: Point, end: Point) -> bool:
        """Return whether an agent can walk straight from one free point to another."""
        straight = self._straight.get((start, end))
        return not self._is_blocked(start, (end,)).any() if straight is None else straight

    def is_clear(self, starts: Floats, ends: Floats) -> Bools:
        """Return the mask of the straight lines between n pairs of free points, each (n, 2), that
        hit nothing."""
        if not len(starts):
            return np.ones(0, bool)
        low = np.minimum(starts.min(axis=0), ends.min(axis=0))
        high = np.maximum(starts.max(axis=0), ends.max(axis=0))
        near = ((self._low < high) & (self._high > low)).all(axis=1)
        boxes = self._low[near], self._high[near]
        clear = np.empty(len(starts), bool)
        for at in range(0, len(starts), 4096):  # by parts, so that they stay in the cache
            part = slice(at, at + 4096)
            clear[part] = ~hits(starts[part], ends[part], *boxes).any(axis=1)
        return clear

    # -- paths ------------------------------------------------------------------------------------

    def distance(self, start: Point, goal: Point) -> float:
        """Return the length of the shortest path between two free points; infinite without one."""
        return self.distances(start, (goal,))[0]

    def distances(self, start: Point, goals: Sequence[Point]) -> Sequence[float]:
        """Return the lengths of the shortest paths from one free point to several."""
        if not goals:
            return []
        key = start, tuple(goals)
        lengths = self._lengths.get(key)
        if lengths is None:
            evict_old(self._lengths)
            lengths = self._lengths[key] = self._compute_distances(*key)
        return lengths

    def path(self, start: Point, goal: Point) -> Path | None:
        """Return the shortest path between two free points, or None."""
        key = start, goal
        path = self._paths.get(key)
        if path is None:
            path = self._find_path(start, goal)
            if path is not None:
                evict_old(self._paths)
                self._paths[key] = path
        return path

    # -- what paths are made of -------------------------------------------------------------------

    @property
    def corners(self) -> Floats:
        """The corners around which paths turn, (n, 2)."""
        return self._nodes

    @property
    def edges(self) -> Floats:
        """Lengths of the straight lines between corners that can be part of a shortest path, (n,
        n); infinite for other pairs."""
        return self._edges

    def nearest(self, points: Sequence[Point]) -> Floats:
        """Return the lengths of straight lines from points to all corners, (points, n)."""
        lengths = self._look_from(points)
        return np.array([lengths[point] for point in points]).reshape(-1, len(self._nodes))

    def is_blocked(self, start: Point, ends: Sequence[Point]) -> Bools:
        """Return which straight lines from a point hit something."""
        return self._is_blocked(start, ends)

    # -- how --------------------------------------------------------------------------------------

    def _is_blocked(self, start: Point, ends: Sequence[Point]) -> Bools:
        """Return which straight lines from a point hit something: :func:`hits` for one start."""
        at = np.array(start)[:, None, None]
        way = np.array(ends).T[:, :, None] - at
        way[np.abs(way) < 1e-12] = 1e-12
        to_low, to_high = (self._inner_low - at) / way, (self._inner_high - at) / way
        enters, leaves = np.minimum(to_low, to_high), np.maximum(to_low, to_high)
        first = np.maximum(np.maximum(enters[0], enters[1]), 0.0)
        last = np.minimum(np.minimum(leaves[0], leaves[1]), 1.0)
        blocked: Bools = (first < last).any(axis=1)
        return blocked

    def _compute_distances(self, start: Point, goals: tuple[Point, ...]) -> list[float]:
        """Return the lengths of the shortest paths."""
        blocked = self._is_blocked(start, goals).tolist()
        evict_old(self._straight, len(goals))
        for goal, is_blocked in zip(goals, blocked, strict=True):
            self._straight[start, goal] = not is_blocked
        through: list[float] = []
        if any(blocked):
            near, onward = self._nearest(start), self._onward_to_all(goals)
            through = (near + onward).min(axis=1, initial=np.inf).tolist()
        return [
            through[index] if blocked[index] else apart(start, goal)
            for index, goal in enumerate(goals)
        ]

    def _find_path(self, start: Point, goal: Point) -> Path | None:
        if self.sees_straight(start, goal):
            return Path((start, goal), apart(start, goal))
        if not len(self._nodes):
            return None
        through = self._nearest(start) + self._onward(goal)
        node = int(through.argmin())
        length = float(through[node])
        if math.isinf(length):
            return None
        return Path((start, *self._end(node, goal)), length)

    def _end(self, node: int, goal: Point) -> tuple[Point, ...]:
        """Return the end of a shortest path, from a corner on."""
        key = node, goal
        end = self._ends.get(key)
        if end is not None:
            return end
        onward, last = self._onward(goal), self._nearest(goal)
        points = []
        for _ in range(len(self._nodes)):
            points.append((float(self._nodes[node, 0]), float(self._nodes[node, 1])))
            # where the goal is in sight and no way around is shorter, the path ends
            if last[node] <= onward[node] + 1e-9:
                break
            ahead = self._edges[node] + onward
            ahead[node] = np.inf
            node = int(ahead.argmin())
        evict_old(self._ends)
        self._ends[key] = end = *points, goal
        return end

    def _free(self, points: Floats) -> Bools:
        low, high = self._low + 1e-6, self._high - 1e-6
        inside = (
            (points[:, 0, None] > low[:, 0])
            & (points[:, 0, None] < high[:, 0])
            & (points[:, 1, None] > low[:, 1])
            & (points[:, 1, None] < high[:, 1])
        )
        free: Bools = np.logical_not(inside.any(axis=1))
        return free

    def _corners(self) -> tuple[Floats, Floats]:
        """Return corners around which a path can turn, and their outward signs, each (n, 2).

        A corner inside another rectangle is omitted. A corner is also omitted if another rectangle
        begins beside it: it is flat or an inner corner, where no shortest path turns.
        """
        signs = np.array([(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)])
        corners = np.concatenate(
            [np.where(sign > 0, self._high, self._low) for sign in signs]
        ).reshape(-1, 2)
        turns = np.repeat(signs, len(self._low), axis=0)
        aside = 1e-4 * turns
        keep = (
            self._free(corners)
            & self._free(corners + aside * (1.0, -1.0))
            & self._free(corners + aside * (-1.0, 1.0))
        )
        both = np.concatenate([corners[keep].round(9), turns[keep]], axis=1)
        both = np.unique(both, axis=0).reshape(-1, 4)
        return both[:, :2], both[:, 2:]

    def _distances(self) -> Floats:
        """Return the shortest distances between all corners; set the straight lengths too."""
        nodes, turns = self._nodes, self._turns
        count = len(nodes)
        edges = np.full((count, count), np.inf)
        first, second = np.triu_indices(count, 1)
        way = nodes[second] - nodes[first]
        leaning = way[:, 0] * way[:, 1]
        bends = turns[:, 0] * turns[:, 1]
        taut = (leaning * bends[first] <= 1e-9) & (leaning * bends[second] <= 1e-9)
        first, second, way = first[taut], second[taut], way[taut]
        for at in range(0, len(first), 4096):  # by parts, so that they stay in the cache
            part = slice(at, at + 4096)
            start, end = first[part], second[part]
            clear = ~hits(nodes[start], nodes[end], self._low, self._high).any(axis=1)
            lengths = np.sqrt((way[part][clear] ** 2).sum(axis=1))
            edges[start[clear], end[clear]] = lengths
            edges[end[clear], start[clear]] = lengths
        np.fill_diagonal(edges, 0.0)
        self._edges = edges
        between = edges.copy()
        for node in range(count):  # Floyd and Warshall's
            np.minimum(between, between[:, node, None] + between[node], out=between)
        return between

    def _nearest(self, point: Point) -> Floats:
        """Return straight distances from a point to all corners; infinite where blocked."""
        lengths = self._from.get(point)
        return self._look_from((point,))[point] if lengths is None else lengths

    def _look_from(self, points: Sequence[Point]) -> Mapping[Point, Floats]:
        """Return straight distances from several points, even if the cache cannot store all of
        them."""
        known = {point: self._from[point] for point in points if point in self._from}
        fresh = [point for point in points if point not in known]
        if not fresh:
            return known
        at = np.array(fresh)
        way = self._nodes - at[:, None]
        bends = self._turns[:, 0] * self._turns[:, 1]
        first, second = np.nonzero(way[..., 0] * way[..., 1] * bends <= 1e-9)  # taut there
        clear = ~hits(at[first], self._nodes[second], self._low, self._high).any(axis=1)
        first, second = first[clear], second[clear]
        lengths = np.full(way.shape[:2], np.inf)
        lengths[first, second] = np.sqrt((way[first, second] ** 2).sum(axis=1))
        evict_old(self._from, len(fresh))
        new = dict(zip(fresh, lengths, strict=True))
        self._from.update(new)
        return known | new

    def _onward(self, goal: Point) -> Floats:
        """Return the shortest distances from all corners to a point."""
        onward = self._to.get(goal)
        if onward is None:
            evict_old(self._to)
            onward = self._to[goal] = (self._between + self._nearest(goal)).min(axis=1)
        return onward

    def _onward_to_all(self, goals: tuple[Point, ...]) -> Floats:
        """Return the shortest distances from all corners to several points, (points, corners)."""
        onward = self._to_all.get(goals)
        if onward is None:
            self._look_from(goals)
            evict_old_points(self._to_all, len(goals))
            onward = self._to_all[goals] = np.stack([self._onward(goal) for goal in goals])
        return onward
