"""Ways around standing bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from homebody.core.ground.sharing import never_changes
from homebody.worlds.house.model.house import Box, House, Point
from homebody.worlds.house.simulation.walking.navigation import Navigation
from homebody.worlds.house.simulation.walking.paths import Path, apart
from homebody.worlds.house.simulation.walking.walls import Floats, evict_old, hits

Standing: TypeAlias = tuple[float, float, float]
"""x and y of a present or future position, and the distance in x or in y that others must keep."""

MAX_DETOURS = 32
"""Maximum number of sets of standing bodies whose detours are cached with a navigation."""


def detours(ways: Navigation, bodies: Sequence[Standing]) -> Detours:
    """Return the detours around standing bodies, cached with the navigation."""
    known: dict[tuple[Standing, ...], Detours] = ways.detours
    key = tuple(bodies)
    found = known.get(key)
    if found is None:
        for old in tuple(known)[: len(known) - MAX_DETOURS + 1]:
            known.pop(old, None)
        found = known[key] = Detours(ways, key)
    return found


@never_changes
class Detours:
    """Walking in a house with standing bodies: :class:`.navigation.Navigation` with more obstacles.

    A shortest path turns at corners of obstacles. The corners of the house and their straight
    connections are known. Connections that bodies block are removed, and the corners of the bodies
    are added.

    Args:
        ways: Navigation of the house without them.
        bodies: Their positions.
    """

    def __init__(self, ways: Navigation, bodies: Sequence[Standing]) -> None:
        self.ways = ways
        self.house: House = ways.house
        self.radius = ways.radius
        middles = np.array([(x, y) for x, y, _ in bodies])
        keeps = np.array([keeps for _, _, keeps in bodies])[:, None]
        self._low, self._high = middles - keeps, middles + keeps
        corners = [
            (float(x), float(y))
            for (a, b), (c, d) in zip(self._low, self._high, strict=True)
            for x in (a, c)
            for y in (b, d)
        ]
        self._corners = [corner for corner in corners if self._is_clear(corner)]
        self._nodes = np.concatenate([ways.corners, np.array(self._corners).reshape(-1, 2)])
        self._lengths: Floats | None = None
        self._reached: dict[Point, Floats] = {}
        self._seen: dict[Point, Floats] = {}

    def spots(self, box: Box, reach: float, anywhere: bool = False) -> tuple[Point, ...]:
        """Return spots like :meth:`.navigation.Navigation.spots`."""
        return self.ways.spots(box, reach, anywhere)

    def room_spots(self, room: str) -> tuple[Point, ...]:
        """Return spots like :meth:`.navigation.Navigation.room_spots`."""
        return self.ways.room_spots(room)

    def distances(self, start: Point, goals: Sequence[Point]) -> Sequence[float]:
        """Return the shortest distances from one free point to several; infinite without a path."""
        if not goals:
            return []
        through = (self._onward(goals) + self._from(start)).min(axis=1, initial=np.inf)
        straight = self._straight(start, goals)
        lengths: list[float] = np.minimum(through, straight).tolist()
        return lengths

    def path(self, start: Point, goal: Point) -> Path | None:
        """Return the shortest path between two free points, or None."""
        if np.isfinite(self._straight(start, [goal])[0]):
            return Path((start, goal), apart(start, goal))
        far = self._from(start)
        whole = far + self._onward([goal])[0]
        node = int(whole.argmin()) if len(whole) else 0
        if not len(whole) or np.isinf(whole[node]):
            return None
        lengths, first = self._corner_lengths(), self._onward([start])[0]
        points = [goal]
        for _ in range(len(self._nodes)):
            points.append((float(self._nodes[node, 0]), float(self._nodes[node, 1])))
            if first[node] <= far[node] + 1e-9:
                break
            before = far + lengths[:, node]
            before[node] = np.inf
            node = int(before.argmin())
        return Path((start, *points[::-1]), float(whole.min()))

    # -- how --------------------------------------------------------------------------------------

    def _is_clear(self, corner: Point) -> bool:
        inside = (self._low + 1e-6 < corner) & (corner < self._high - 1e-6)
        return not bool(inside.all(axis=1).any()) and self.ways.is_free(corner)

    def _straight(self, start: Point, goals: Sequence[Point]) -> Floats:
        """Return the lengths of straight lines; infinite where blocked."""
        ends = np.array(goals)
        starts = np.broadcast_to(np.array(start), ends.shape)
        lengths: Floats = np.sqrt(((ends - starts) ** 2).sum(axis=1))
        lengths[self.ways.is_blocked(start, goals)] = np.inf
        lengths[hits(starts, ends, self._low, self._high).any(axis=1)] = np.inf
        return lengths

    def _onward(self, points: Sequence[Point]) -> Floats:
        """Return the lengths of straight lines from points to all corners."""
        seen = {point: self._seen[point] for point in points if point in self._seen}
        fresh = [point for point in points if point not in seen]
        if fresh:
            new = dict(zip(fresh, self._look_from(fresh), strict=True))
            evict_old(self._seen, len(new))
            self._seen.update(new)
            seen |= new
        return np.array([seen[point] for point in points]).reshape(-1, len(self._nodes))

    def _look_from(self, points: Sequence[Point]) -> Floats:
        known = len(self.ways.corners)
        lengths = np.full((len(points), len(self._nodes)), np.inf)
        lengths[:, :known] = self.ways.nearest(points)
        at = np.array(points)
        first, second = np.nonzero(np.isfinite(lengths[:, :known]))
        cut = hits(at[first], self._nodes[second], self._low, self._high).any(axis=1)
        lengths[first[cut], second[cut]] = np.inf
        for index, corner in enumerate(self._corners):
            lengths[:, known + index] = self._straight(corner, points)
        return lengths

    def _corner_lengths(self) -> Floats:
        """Return the lengths of straight lines between all corners."""
        if self._lengths is None:
            known = len(self.ways.corners)
            lengths = np.full((len(self._nodes),) * 2, np.inf)
            lengths[:known, :known] = self.ways.edges
            first, second = np.nonzero(np.isfinite(np.triu(self.ways.edges, 1)))
            cut = hits(
                self.ways.corners[first], self.ways.corners[second], self._low, self._high
            ).any(axis=1)
            lengths[first[cut], second[cut]] = lengths[second[cut], first[cut]] = np.inf
            if self._corners:
                lengths[known:] = self._onward(self._corners)
                lengths[:known, known:] = lengths[known:, :known].T
            np.fill_diagonal(lengths, 0.0)
            self._lengths = lengths
        return self._lengths

    def _from(self, start: Point) -> Floats:
        """Return the shortest distances from a point to all corners."""
        reached = self._reached.get(start)
        if reached is None:
            lengths = self._corner_lengths()
            reached = self._onward([start])[0]
            while len(reached):  # one more turn each time
                nearer = (reached[:, None] + lengths).min(axis=0)
                if (nearer >= reached).all():
                    break
                reached = nearer
            evict_old(self._reached)
            self._reached[start] = reached
        return reached
