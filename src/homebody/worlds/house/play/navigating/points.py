"""The points of a navigation graph: at doors, furniture and people, and on unseen floor.

They are chosen greedily: the next point is the one that serves most of the targets
(:mod:`.targets`) and of the floor that no point serves yet. Comparisons use whole numbers, so that
ties are resolved alike on every platform.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from homebody.worlds.house.model.house import House, Opening, Point
from homebody.worlds.house.play.navigating.lines import (
    crosses,
    off_line,
    off_lines,
    same_way,
    squared_distances,
    steps,
)
from homebody.worlds.house.play.navigating.targets import find_targets
from homebody.worlds.house.simulation.walking.navigation import LATTICE, Navigation
from homebody.worlds.house.simulation.walking.paths import apart
from homebody.worlds.house.simulation.walking.walls import (
    Bools,
    Floats,
    in_outline,
    room_at,
)

SIGHT = 1.8
"""Radius in metres of the floor that a point serves."""
SPACING = 1.2
"""Preferred minimum distance in metres between points of a room."""
CLOSEST = 0.8
"""Minimum distance in metres, if a target cannot be reached otherwise."""
OFF_CENTRE = 0.2
"""Maximum distance in metres from an edge to the middle of its doorway."""
STAGES = ((2.0, 8), (SPACING, 6), (CLOSEST, 9))
"""Minimum distance between points, and minimum gain, in each stage."""
DEPTH = 1.0
"""Preferred distance in metres of a point from its doorway."""
STEP = (1.2, 3.3)
"""Minimum and maximum length in metres of an edge through a door."""
ASIDE = 0.4
"""Minimum distance in metres between an edge and points that are not its ends."""
LONGEST = 3.6
"""Maximum length of an edge in metres."""
FORCED = 25
"""Minimum gain for edges that :meth:`_Room.can_join` would forbid."""


def choose_points(house: House, ways: Navigation) -> tuple[list[Point], list[tuple[Point, Point]]]:
    """Choose the points of a house and the edges made with them."""
    rooms = {room.name: _Room(house, ways, room.name) for room in house.rooms}
    for opening in house.openings:
        if opening.is_passage:
            _choose_door_points(house, ways, opening, rooms)
    edges: list[tuple[Point, Point]] = []
    for room in rooms.values():
        room.fill()
        edges += [edge for edge in room.edges if edge not in edges]
    return [point for room in rooms.values() for point in room.chosen], edges


class _Room:
    """A room while points are chosen in it."""

    def __init__(self, house: House, ways: Navigation, name: str) -> None:
        self.house, self.ways, self.name = house, ways, name
        lattice = ways.room_spots(name)
        spots = dict.fromkeys([*lattice, *ways.corner_spots(name)])
        self.spots: Floats = np.array(list(spots)).reshape(-1, 2)
        self.lattice: Floats = self.spots[: len(lattice)]
        self.targets = find_targets(house, name, self.spots)
        self.floor = self._floor()
        self.unserved = np.ones(self.targets.served.shape[1], bool)
        self.unseen = self.floor.any(axis=0)
        self.clearance = (squared_distances(self.spots, self.lattice) <= 0.55**2).sum(axis=1)
        self.chosen: list[Point] = []
        self.part: list[int] = []  # connected part of each chosen point
        self.rows: list[Bools] = []  # spots to which each chosen point can have an edge
        self.edges: list[tuple[Point, Point]] = []
        self.allowed: Bools = np.ones(len(self.spots), bool)

    def _floor(self) -> Bools:
        """Return which sampled spots of the floor each spot sees, (spots, sampled)."""
        spots = self.spots
        if not len(self.lattice):
            return np.zeros((len(spots), 0), bool)
        rows = np.rint((self.lattice - self.lattice.min(axis=0)) / LATTICE).astype(np.int64)
        sampled = self.lattice[(rows % 2 == 0).all(axis=1)]
        first, second = np.nonzero(squared_distances(spots, sampled) <= SIGHT * SIGHT)
        seen = np.zeros((len(spots), len(sampled)), bool)
        seen[first, second] = self.ways.is_clear(spots[first], sampled[second])
        return seen

    def gains(self) -> Floats:
        """Return the gain of each spot: the targets and the floor that it serves and that no point
        serves yet."""
        targets, unserved = self.targets, self.unserved
        reached = (targets.served[:, unserved] * targets.weight[unserved]).sum(axis=1)
        gains: Floats = reached + self.floor[:, self.unseen].sum(axis=1)
        return gains

    def choose(self, point: Point) -> None:
        """Add a point, at a spot or between spots."""
        if point in self.chosen:
            return
        at = np.array(point)
        spots = self.spots
        for other, row in zip(self.chosen, self.rows, strict=True):
            row &= off_lines(np.array(other), spots, at) >= ASIDE * ASIDE
        row = squared_distances(spots, at[None])[:, 0] <= LONGEST * LONGEST
        row[row] = self.ways.is_clear(np.repeat(at[None], int(row.sum()), axis=0), spots[row])
        for other in self.chosen:
            row &= off_lines(at, spots, np.array(other)) >= ASIDE * ASIDE
        for start, end in self.edges:
            row &= ~crosses(at, spots, np.array(start), np.array(end))
        self.chosen.append(point)
        self.rows.append(row)
        self.part.append(max(self.part, default=-1) + 1)
        if len(spots):
            nearest = int(squared_distances(spots, np.array([point]))[:, 0].argmin())
            self.unserved &= ~self.targets.served[nearest]
            self.unseen &= ~self.floor[nearest]

    def join(self, start: Point, end: Point) -> None:
        """Add an edge; one of its ends may be in another room."""
        self.edges.append((start, end))
        first, second = np.array(start), np.array(end)
        self.allowed &= off_line(self.spots, first, second) >= ASIDE * ASIDE + 0.04
        for point, row in zip(self.chosen, self.rows, strict=True):
            at = np.array(point)
            if point in (start, end):
                row &= ~same_way(self.spots - at, second - at if point == start else first - at)
            else:
                row &= ~crosses(at, self.spots, first, second)
        if start in self.chosen and end in self.chosen:
            one, other = (self.part[self.chosen.index(point)] for point in (start, end))
            self.part = [one if part == other else part for part in self.part]

    def can_join(self, start: Point, end: Point) -> bool:
        """Return whether an edge between two points is allowed: short, clear of walls and of other
        points, without crossings or another edge in nearly the same direction."""
        first, second = np.array(start), np.array(end)
        ends = second[None]
        far = squared_distances(first[None], ends)[0, 0]
        if far > LONGEST * LONGEST or not self.ways.is_clear(first[None], ends)[0]:
            return False
        for other in self.chosen:
            aside = off_lines(first, ends, np.array(other))[0]
            if other not in (start, end) and aside < ASIDE * ASIDE:
                return False
        for a, b in self.edges:
            if crosses(first, ends, np.array(a), np.array(b))[0]:
                return False
            for at, to in ((start, end), (end, start)):
                if at in (a, b):
                    onward = np.array(b if at == a else a) - np.array(at)
                    if same_way((np.array(to) - np.array(at))[None], onward)[0]:
                        return False
        return True

    def _join_parts(self) -> None:
        while True:
            pairs = sorted(
                (round(float(squared_distances(np.array([a]), np.array([b]))[0, 0]), 6), a, b)
                for i, a in enumerate(self.chosen)
                for j, b in enumerate(self.chosen[:i])
                if self.part[i] != self.part[j]
            )
            for _, a, b in pairs:
                if self.can_join(a, b):
                    self.join(a, b)
                    break
            else:
                return

    def fill(self) -> None:
        """Choose points until no other has enough gain."""
        if not len(self.spots):
            return
        if not self.chosen:
            best = int((self.gains() * 8 + self.clearance * 4).argmax())
            x, y = self.spots[best].tolist()
            self.choose((x, y))
        self._join_parts()
        for spacing, least in STAGES:
            while self._grow(spacing, least):
                self._join_parts()

    def _grow(self, spacing: float, least: int) -> bool:
        """Add one more point with an edge, or points towards a spot that no edge can reach.

        Return whether to continue.
        """
        far = squared_distances(self.spots, np.array(self.chosen)).round(6)
        rows = np.stack(self.rows, axis=1)
        part = np.array(self.part)
        reached: Bools = np.stack([rows[:, part == p].any(axis=1) for p in sorted(set(self.part))])
        free = self.allowed & (far.min(axis=1) >= spacing * spacing - 1e-6)
        gains = np.where(free, self.gains(), -1)
        if gains.max() < least:
            return False
        scores = (gains + 60 * (reached.sum(axis=0) - 1)) * 8 + self.clearance * 4
        scores[~reached.any(axis=0) | (gains < least)] = -1
        best = int(scores.argmax())
        if scores[best] < 0:
            goal = int(gains.argmax())
            self.allowed[goal] = False  # it is tried only once
            return self._extend_towards(goal, far, np.any(reached, axis=0), int(gains[goal]))
        self._add(best, far, rows)
        return True

    def _add(self, spot: int, far: Floats, rows: Bools) -> None:
        """Choose a spot that an edge can reach, and add the shortest such edge."""
        x, y = self.spots[spot].tolist()
        to = next(i for i in np.argsort(far[spot], kind="stable") if rows[spot, i])
        self.choose((x, y))
        self.join((x, y), self.chosen[to])

    def _extend_towards(self, goal: int, far: Floats, reached: Bools, gain: int) -> bool:
        """Add points towards a spot that no edge can reach. Return whether to continue."""
        x, y = self.spots[goal].tolist()
        lengths = np.array(self.ways.distances((x, y), self.chosen)).round(6)
        near = np.flatnonzero(
            self.allowed & reached & (far.min(axis=1) >= CLOSEST * CLOSEST - 1e-6)
        )
        if len(near):  # through a spot on the way
            spots = [(u, v) for u, v in self.spots[near].tolist()]
            left = np.array(self.ways.distances((x, y), spots)).round(6)
            if left.min() < lengths.min() - 0.3:
                self.allowed[goal] = True
                self._add(int(near[left.argmin()]), far, np.stack(self.rows, axis=1))
                return True
        path = self.ways.path(self.chosen[int(lengths.argmin())], (x, y))
        if path is None:
            return True
        points = steps(self.ways, path, LONGEST)
        outline = self.house.room[self.name].outline
        if not in_outline(outline, np.array(points)).all():
            return True
        path_end = self._path_end(points)
        if path_end is not None:
            points = path_end
        elif gain < FORCED:
            return True
        for start, end in pairwise(points):
            self.choose(end)
            self.join(start, end)
        return True

    def _path_end(self, points: tuple[Point, ...]) -> tuple[Point, ...] | None:
        """Return the end of a path from a chosen or new point with a valid edge to it, or None."""
        for i in range(len(points) - 1, 0, -1):
            if points[i] in self.chosen:
                return points[i:]
            far = squared_distances(np.array([points[i]]), np.array(self.chosen))[0].round(6)
            for number in np.argsort(far, kind="stable").tolist():
                if self.can_join(self.chosen[number], points[i]):
                    return self.chosen[number], *points[i:]
        for i in range(len(points) - 1, 0, -1):
            for (a, b), (c, d) in self.edges:
                middle = round((a + c) / 2, 3), round((b + d) / 2, 3)
                both = (a, b) in self.chosen and (c, d) in self.chosen
                if (
                    both
                    and apart((a, b), (c, d)) > 2 * CLOSEST
                    and self._split((a, b), (c, d), middle, points[i])
                ):
                    return middle, *points[i:]
        return None

    def _split(self, start: Point, end: Point, middle: Point, to: Point) -> bool:
        """Make the middle of an edge a point if a valid edge leads from there; True on success."""
        if not self.ways.is_free(middle) or not self.can_join(middle, to):
            return False
        at = np.array([middle, middle])
        if not self.ways.is_clear(at, np.array([start, end])).all():
            return False
        self.edges.remove((start, end))
        part = self.part[self.chosen.index(start)]
        self.choose(middle)
        self.part[-1] = part
        self.join(start, middle)
        self.join(middle, end)
        return self.can_join(middle, to)


def _choose_door_points(
    house: House, ways: Navigation, opening: Opening, rooms: dict[str, _Room]
) -> None:
    """Choose points on both sides of a doorway, joined by an edge through its middle."""
    (a, b), (c, d) = opening.start, opening.end
    middle = np.array([(a + c) / 2, (b + d) / 2])
    axis = 1 if abs(c - a) >= abs(d - b) else 0  # of the direction of passage
    sides = []
    for sign in (-1, 1):
        beyond = middle.copy()
        beyond[axis] += sign * (house.wall / 2 + 0.1)
        room = rooms[room_at(house, (float(beyond[0]), float(beyond[1])))]
        straight = np.repeat(middle[None], 8, axis=0)
        straight[:, axis] += sign * (house.wall / 2 + 0.3 + 0.25 * np.arange(8))
        straight = np.round(straight, 3)
        straight = straight[in_outline(house.room[room.name].outline, straight)]
        straight = straight[ways.can_stand(straight)]
        known = np.array(room.chosen).reshape(-1, 2)
        places = np.concatenate([known, straight, room.spots])
        gains = np.zeros(len(places))
        if len(room.spots):
            near = squared_distances(room.spots, places).argmin(axis=0)
            wide = room.floor.sum(axis=1)
            gains = (np.minimum(room.gains(), 60) + 3 * wide + 3 * room.clearance)[near]
        if len(known):
            close = squared_distances(places, known).min(axis=1)
            gains[close < SPACING * SPACING - 1e-6] -= 400
            gains[: len(known)] += 500
        depth = np.abs((places - middle)[:, axis])
        gains = gains - np.rint(np.abs(depth - DEPTH) * 80)
        keep = (
            (depth <= 2.6)
            & (np.abs((places - middle)[:, 1 - axis]) <= 1.6)
            & ((places - middle)[:, axis] * sign > 0)
        )
        sides.append((room, places[keep], gains[keep]))
    (one, starts, first), (other, ends, second) = sides
    i, j = np.nonzero(np.ones((len(starts), len(ends)), bool))
    start, end = starts[i] - middle, ends[j] - middle
    way = end - start
    share = -start[:, axis] / way[:, axis]
    aside = np.abs(start[:, 1 - axis] + share * way[:, 1 - axis])
    length = np.sqrt((way * way).sum(axis=1))
    keep = (aside <= OFF_CENTRE) & (length >= STEP[0]) & (length <= STEP[1])
    i, j, way, aside, length = i[keep], j[keep], way[keep], aside[keep], length[keep]
    clear = ways.is_clear(starts[i], ends[j])
    i, j, way, aside, length = i[clear], j[clear], way[clear], aside[clear], length[clear]
    if not len(i):
        return
    skew = np.abs(way[:, 1 - axis]) / length
    score = first[i] + second[j] - np.rint(aside * 200 + skew * 80)
    order = np.argsort(-score, kind="stable")
    for best in (*order[:30], *order[30::10][:60], order[0]):
        (x, y), (u, v) = starts[i[best]].tolist(), ends[j[best]].tolist()
        if one.can_join((x, y), (u, v)) and other.can_join((x, y), (u, v)):
            break
    one.choose((x, y))
    other.choose((u, v))
    one.join((x, y), (u, v))
    other.join((x, y), (u, v))
