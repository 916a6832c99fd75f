"""Places where agents can walk and stand: shortest paths, and places to reach objects from.

Both are computed once per house and agent size, and cached with the house.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from homebody.worlds.house.model.house import Box, House, Point, Vector
from homebody.worlds.house.simulation.walking.doors import shut_leaves
from homebody.worlds.house.simulation.walking.paths import apart
from homebody.worlds.house.simulation.walking.shortest_paths import ShortestPaths
from homebody.worlds.house.simulation.walking.walls import (
    Bools,
    Floats,
    crosses_wall,
    evict_old,
    hits,
    in_outline,
    memory,
    reach_walls,
    with_things,
)

SLACK = 0.05
"""Distance in metres between an agent and the object that it stands at."""
LATTICE = 0.25
"""Metres between the candidate points of a room."""
EXPLORED = 2.0
"""Radius in metres around each stop of an exploration that counts as seen."""
MAX_BARRED = 64
"""Maximum number of sets of permanently shut doors that are cached with a house."""


def navigation(
    house: House, radius: float = 0.25, barred: frozenset[str] = frozenset()
) -> Navigation:
    """Return the navigation of a house, cached with it.

    Args:
        house: The house.
        radius: Half the width of the agent in metres.
        barred: Doors that are permanently shut.
    """
    known: dict[tuple[float, frozenset[str]], Navigation]
    known = memory(house).setdefault("navigation", {})
    key = round(radius, 4), barred
    ready = known.get(key)
    if ready is None:
        others = [key for key in known if key[1]]
        if len(others) >= MAX_BARRED:
            known.pop(others[0], None)
        bare = with_things(house, ())  # or one game's objects would live as long as the scene
        ready = known[key] = Navigation(bare, radius, barred)
    return ready


class Navigation(ShortestPaths):
    """Walking and standing in one house for agents of one radius; made by :func:`navigation`."""

    def __init__(self, house: House, radius: float, barred: frozenset[str] = frozenset()) -> None:
        super().__init__(house, radius, barred)
        self._around: dict[tuple[Vector, Vector, float, bool], tuple[Point, ...]] = {}
        self._rooms: dict[str, tuple[Point, ...]] = {}
        self._stops: dict[str, tuple[Point, ...]] = {}
        self.detours: dict[Any, Any] = {}
        """The cache of :func:`.detours.detours`."""

    # -- places to stand --------------------------------------------------------------------------

    def spots(self, box: Box, reach: float, anywhere: bool = False) -> tuple[Point, ...]:
        """Return free points from which a box is within reach and not behind a wall.

        Args:
            box: A box in the frame of the house.
            reach: Metres from an agent's middle.
            anywhere: True for all points on a lattice around it, False for points right beside it
                only.

        Returns:
            Points in a fixed order, whether or not there is a way to them.
        """
        key = box.low, box.high, reach, anywhere
        spots = self._around.get(key)
        if spots is None:
            if anywhere:  # a finer lattice helps in narrow places
                spots = self._reachable_spots(box, reach, _lattice(box, reach, 0.1))
                spots = spots or self._reachable_spots(box, reach, _lattice(box, reach, 0.03))
            else:
                spots = self._reachable_spots(box, reach, _beside(box, self.radius + SLACK))
            evict_old(self._around)
            self._around[key] = spots
        return spots

    def room_spots(self, room: str) -> tuple[Point, ...]:
        """Return points of a room where an agent can stand and from which it can walk elsewhere,
        central points first. Raises KeyError."""
        if room not in self._rooms:
            outline = self.house.room[room].outline
            xs, ys = [x for x, _ in outline], [y for _, y in outline]
            columns = np.arange(min(xs) + LATTICE / 2, max(xs), LATTICE)
            rows = np.arange(min(ys) + LATTICE / 2, max(ys), LATTICE)
            points = np.round(
                np.stack(np.meshgrid(columns, rows, indexing="ij"), axis=-1).reshape(-1, 2), 3
            )
            points = points[in_outline(outline, points) & self.can_stand(points)]
            points = points[self._is_connected(points)]
            if len(points):
                far = ((points - points.mean(axis=0)) ** 2).sum(axis=1).round(6)
                points = points[np.argsort(far, kind="stable")]
            self._rooms[room] = _as_points(points)
        return self._rooms[room]

    @cached_property
    def all_spots(self) -> Floats:
        """The points of all rooms, (n, 2); see :meth:`room_spots`."""
        spots = [spot for room in self.house.rooms for spot in self.room_spots(room.name)]
        return np.array(spots).reshape(-1, 2)

    def corner_spots(self, room: str) -> tuple[Point, ...]:
        """Return corners of paths in a room, in whole millimetres. Raises KeyError.

        They also cover passages that contain no lattice point.
        """
        if not len(self._nodes):
            return ()
        thousandths = (self._nodes * 1000).round(3)
        outwards = np.where(self._turns > 0, np.ceil(thousandths), np.floor(thousandths)) / 1000
        points = outwards[in_outline(self.house.room[room].outline, outwards)]
        points = points[self.can_stand(points)]
        return _as_points(np.round(points[self._is_connected(points)], 3))

    def stops(self, room: str) -> tuple[Point, ...]:
        """Return points of a room within 2 m of all its free points. Raises KeyError."""
        if room not in self._stops:
            points = np.array(self.room_spots(room)).reshape(-1, 2)
            chosen: list[int] = []
            far = np.full(len(points), np.inf)
            while len(points) and (not chosen or far.max() > EXPLORED):
                chosen.append(int(far.argmax()))
                away = ((points - points[chosen[-1]]) ** 2).sum(axis=1)
                far = np.minimum(far, np.sqrt(away))
            self._stops[room] = _as_points(points[chosen])
        return self._stops[room]

    # -- how --------------------------------------------------------------------------------------

    def can_stand(self, points: Floats) -> Bools:
        """Return which points are free and clear of all shut leaves, (n,)."""
        stood = self._free(points)
        for leaf in shut_leaves(self.house).values():
            low, high = np.array(leaf.low[:2]), np.array(leaf.high[:2])
            margin = self.radius + SLACK / 2
            stood &= ((points <= low - margin) | (points >= high + margin)).any(axis=1)
        return stood

    def _is_connected(self, points: Floats) -> Bools:
        """Return which free points are in the largest connected part of the rooms, (n,).

        A straight line connects these points to a corner from which most other corners in the rooms
        can be reached.
        """
        connected: Bools = np.ones(len(points), bool)
        inside: Bools = np.zeros(len(self._nodes), bool)
        for room in self.house.rooms:
            inside |= in_outline(room.outline, self._nodes)
        if not inside.any() or not len(points):
            return connected
        reached = np.isfinite(self._between[:, inside])[inside]
        main = np.isfinite(self._between[np.flatnonzero(inside)[reached.sum(axis=1).argmax()]])
        nearest = ((points[:, None] - self._nodes) ** 2).sum(axis=2).argmin(axis=1)
        seen = ~hits(points, self._nodes[nearest], self._low, self._high).any(axis=1)
        # corners without shortest paths have no links, so unconnected points try all corners
        connected = seen & main[nearest]
        for index in np.flatnonzero(~connected):
            starts = np.broadcast_to(points[index], self._nodes.shape)
            clear = ~hits(starts, self._nodes, self._low, self._high).any(axis=1)
            connected[index] = bool((clear & main).any())
        return connected

    def _reachable_spots(self, box: Box, reach: float, points: Floats) -> tuple[Point, ...]:
        points = np.round(points, 3)
        low, high = np.array(box.low[:2]), np.array(box.high[:2])
        touched = np.clip(points, low, high)
        near = ((points - touched) ** 2).sum(axis=1) <= (reach - 1e-6) ** 2
        keep = near & self.can_stand(points)
        points, touched = points[keep], touched[keep]
        walls = reach_walls(self.house)
        seen = ~hits(points, touched, *walls).any(axis=1)
        return _as_points(points[seen])


def is_in_reach(house: House, point: Point, box: Box, reach: float) -> bool:
    """Return whether a box is near on the plan with no wall or door, even an open one, between."""
    (x, y), (a, b, _), (c, d, _) = point, box.low, box.high
    touched = min(max(x, a), c), min(max(y, b), d)
    return apart(point, touched) <= reach and not crosses_wall(house, point, touched)


def _beside(box: Box, gap: float) -> Floats:
    """Return points along the four sides of a box, each side from its middle outwards."""
    (a, b, _), (c, d, _) = box.low, box.high
    shares = (0.5, 0.25, 0.75, 0.05, 0.95)
    across, along = [a + (c - a) * s for s in shares], [b + (d - b) * s for s in shares]
    north = [(x, d + gap) for x in across]
    east = [(c + gap, y) for y in along]
    south = [(x, b - gap) for x in across]
    west = [(a - gap, y) for y in along]
    return np.array(north + east + south + west)


def _lattice(box: Box, reach: float, step: float) -> Floats:
    """Return points on a lattice around a box, the nearest to its middle first."""
    (a, b, _), (c, d, _) = box.low, box.high
    columns, rows = np.arange(a - reach, c + reach, step), np.arange(b - reach, d + reach, step)
    points = np.stack(np.meshgrid(columns, rows, indexing="ij"), axis=-1).reshape(-1, 2)
    far = ((points - ((a + c) / 2, (b + d) / 2)) ** 2).sum(axis=1).round(6)
    nearest_first: Floats = points[np.argsort(far, kind="stable")]
    return nearest_first


def _as_points(points: Floats) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in points)
