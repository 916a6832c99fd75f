"""Where agents can walk and stand: shortest paths, and places from which things are reached.

Both are worked out once for a house, for agents of one size, and remembered with it.
"""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.model.house import Box, House, Point, Vector
from homebody.worlds.house.simulation.walking.doors import shut_leaves
from homebody.worlds.house.simulation.walking.paths import apart
from homebody.worlds.house.simulation.walking.shortest_paths import ShortestPaths
from homebody.worlds.house.simulation.walking.walls import (
    Bools,
    Floats,
    crosses_wall,
    hits,
    in_outline,
    make_room,
    memory,
    reach_walls,
    with_things,
)

SLACK = 0.05
"""Metres that agents keep from what they stand at."""
LATTICE = 0.25
"""Metres between the points of a room that agents may be sent to."""
EXPLORED = 2.0
"""Metres around each stop of an exploration that count as looked at."""
MAX_BARRED = 64
"""Sets of barred doors for which ways are remembered with a house."""


def navigation(
    house: House, radius: float = 0.25, barred: frozenset[str] = frozenset()
) -> Navigation:
    """What is known about walking in a house, remembered with it.

    Args:
        house: The house.
        radius: Half the width of the agent, in metres.
        barred: Doors that are shut for good.
    """
    known: dict[tuple[float, frozenset[str]], Navigation]
    known = memory(house).setdefault("navigation", {})
    key = round(radius, 4), barred
    ready = known.get(key)
    if ready is None:
        others = [key for key in known if key[1]]
        if len(others) >= MAX_BARRED:
            known.pop(others[0], None)
        bare = with_things(house, ())  # so that one game's things do not live as long as the scene
        ready = known[key] = Navigation(bare, radius, barred)
    return ready


class Navigation(ShortestPaths):
    """Walking and standing in one house for agents of one radius; made by :func:`navigation`."""

    def __init__(self, house: House, radius: float, barred: frozenset[str] = frozenset()) -> None:
        super().__init__(house, radius, barred)
        self._around: dict[tuple[Vector, Vector, float, bool], tuple[Point, ...]] = {}
        self._rooms: dict[str, tuple[Point, ...]] = {}
        self._stops: dict[str, tuple[Point, ...]] = {}

    # -- places to stand --------------------------------------------------------------------------

    def spots(self, box: Box, reach: float, anywhere: bool = False) -> tuple[Point, ...]:
        """Free points from which a box is within reach and not behind a wall.

        Args:
            box: In the frame of the house.
            reach: Metres from an agent's middle.
            anywhere: All on a lattice around it, not only those right beside it.

        Returns:
            Points in a fixed order. Whether there is a way to them is not looked at.
        """
        key = box.low, box.high, reach, anywhere
        spots = self._around.get(key)
        if spots is None:
            if anywhere:  # in a cranny a finer lattice may still find one
                spots = self._reachable_spots(box, reach, _lattice(box, reach, 0.1))
                spots = spots or self._reachable_spots(box, reach, _lattice(box, reach, 0.03))
            else:
                spots = self._reachable_spots(box, reach, _beside(box, self.radius + SLACK))
            make_room(self._around)
            self._around[key] = spots
        return spots

    def room_spots(self, room: str) -> tuple[Point, ...]:
        """Points of a room on a lattice where an agent can stand and from where it can get
        about in the house, those in its middle first. Raises KeyError."""
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

    def corner_spots(self, room: str) -> tuple[Point, ...]:
        """Corners in a room around which paths turn, in whole millimetres, from where an agent can
        get about: there are some in passages that no spot of a lattice is in. Raises KeyError."""
        if not len(self._nodes):
            return ()
        thousandths = (self._nodes * 1000).round(3)
        outwards = np.where(self._turns > 0, np.ceil(thousandths), np.floor(thousandths)) / 1000
        points = outwards[in_outline(self.house.room[room].outline, outwards)]
        points = points[self.can_stand(points)]
        return _as_points(np.round(points[self._is_connected(points)], 3))

    def stops(self, room: str) -> tuple[Point, ...]:
        """Points of a room from which one has looked at all of it: each of its free points is
        within 2 m of one of them. Raises KeyError."""
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
        """Which points are free, and not where the leaf of a door would be if it were shut."""
        stood = self._free(points)
        for leaf in shut_leaves(self.house).values():
            low, high = np.array(leaf.low[:2]), np.array(leaf.high[:2])
            margin = self.radius + SLACK / 2
            stood &= ((points <= low - margin) | (points >= high + margin)).any(axis=1)
        return stood

    def _is_connected(self, points: Floats) -> Bools:
        """Which free points are in the largest part of the free space of the rooms, not in a
        pocket between pieces of furniture: those that see a corner which most others in the rooms
        can be reached from. There are corners outside the walls too, which may be more."""
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
        # a corner that no shortest path turns at is not linked to others: then all are looked at
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
    """Whether an agent at a point can reach a box: near enough on the plan, and neither a wall nor
    a door, open or not, between."""
    (x, y), (a, b, _), (c, d, _) = point, box.low, box.high
    touched = min(max(x, a), c), min(max(y, b), d)
    return apart(point, touched) <= reach and not crosses_wall(house, point, touched)


def _beside(box: Box, gap: float) -> Floats:
    """Points along the four sides of a box, each side from its middle outwards."""
    (a, b, _), (c, d, _) = box.low, box.high
    shares = (0.5, 0.25, 0.75, 0.05, 0.95)
    across, along = [a + (c - a) * s for s in shares], [b + (d - b) * s for s in shares]
    north = [(x, d + gap) for x in across]
    east = [(c + gap, y) for y in along]
    south = [(x, b - gap) for x in across]
    west = [(a - gap, y) for y in along]
    return np.array(north + east + south + west)


def _lattice(box: Box, reach: float, step: float) -> Floats:
    """Points every so many metres around a box, the nearest to its middle first."""
    (a, b, _), (c, d, _) = box.low, box.high
    columns, rows = np.arange(a - reach, c + reach, step), np.arange(b - reach, d + reach, step)
    points = np.stack(np.meshgrid(columns, rows, indexing="ij"), axis=-1).reshape(-1, 2)
    far = ((points - ((a + c) / 2, (b + d) / 2)) ** 2).sum(axis=1).round(6)
    nearest_first: Floats = points[np.argsort(far, kind="stable")]
    return nearest_first


def _as_points(points: Floats) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in points)
