"""Where agents can walk: free space, shortest paths, distances, places to stand.

An agent is a square of half-width ``radius`` that never turns on the plan. What stands in its way
are walls, furniture that stands on the floor (what begins above 0.8 m is walked under or past),
people, and the leaves of doors, where they stand when they are open. Shut doors are opened on the
way; those that an agent cannot open are walls to it. Grown by the radius, these are rectangles that
the agent's centre may touch, not enter; so a shortest path is a chain of straight lines between
corners of such rectangles. The corners, which of them see each other, and all distances between
them are worked out once for a house (some 20 ms); after that a path takes some tens of
microseconds.

Only lines that are taut at a corner, as a string pulled around it would be, can be part of a
shortest path; the others are not looked at. Paths are exact for this agent and these boxes; no
grid is involved.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from homebody.worlds.house.model.house import Box, House, Point, Vector, box_at
from homebody.worlds.house.simulation.doors import open_leaves, shut_leaves
from homebody.worlds.house.simulation.walls import (
    NOISE,
    Bools,
    Floats,
    crosses_wall,
    hits,
    house_walls,
    in_outline,
    make_room,
    memory,
    reach_walls,
)

WALKED_UNDER = 0.8
"""Metres: what begins higher is no obstacle."""
STEPPED_OVER = 0.05
"""Metres: what is lower is no obstacle (rugs)."""
SLACK = 0.05
"""Metres that agents keep from what they stand at."""
LATTICE = 0.25
"""Metres between the points of a room that agents may be sent to."""
EXPLORED = 2.0
"""Metres around each stop of an exploration that count as looked at."""


@dataclass(frozen=True, slots=True)
class Path:
    """A walk: the points where it starts, turns and ends, and its length in metres."""

    points: tuple[Point, ...]
    length: float
    legs: tuple[float, ...] = field(init=False, repr=False, compare=False)
    """Metres from each point to the next."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "legs", tuple(map(apart, self.points, self.points[1:])))

    def until(self, distance: float) -> Path:
        """Its first so many metres."""
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
        """Where one is after so many metres."""
        for index, leg in enumerate(self.legs):
            if distance < leg:
                (a, b), (c, d) = self.points[index], self.points[index + 1]
                share = distance / leg
                return a + (c - a) * share, b + (d - b) * share
            distance -= leg
        return self.points[-1]


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
        ready = known[key] = Navigation(house, radius, barred)
    return ready


class Navigation:
    """Walking in one house for agents of one radius; made by :func:`navigation`.

    Attributes:
        house: The house, as it stands: furniture never moves.
        radius: Half the width of the agent, in metres.
        barred: Doors that are shut for good.
    """

    def __init__(self, house: House, radius: float, barred: frozenset[str] = frozenset()) -> None:
        self.house = house
        self.radius = radius
        self.barred = barred
        low, high = _obstacles(house, barred)
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
        self._around: dict[tuple[Vector, Vector, float, bool], tuple[Point, ...]] = {}
        self._rooms: dict[str, tuple[Point, ...]] = {}
        self._stops: dict[str, tuple[Point, ...]] = {}

    # -- free space -------------------------------------------------------------------------------

    def is_free(self, point: Point) -> bool:
        """Whether an agent can stand at a point of the plan (other agents aside)."""
        return bool(self._free(np.array([point]))[0])

    def sees_straight(self, start: Point, end: Point) -> bool:
        """Whether an agent can walk in a straight line from one free point to another."""
        straight = self._straight.get((start, end))
        return not self._blocked(start, (end,)).any() if straight is None else straight

    # -- paths ------------------------------------------------------------------------------------

    def distance(self, start: Point, goal: Point) -> float:
        """Length of the shortest path between two free points; infinite if there is none."""
        return self.distances(start, (goal,))[0]

    def distances(self, start: Point, goals: Sequence[Point]) -> Sequence[float]:
        """Lengths of the shortest paths from one free point to several."""
        if not goals:
            return []
        key = start, tuple(goals)
        lengths = self._lengths.get(key)
        if lengths is None:
            make_room(self._lengths)
            lengths = self._lengths[key] = self._worked_out(*key)
        return lengths

    def path(self, start: Point, goal: Point) -> Path | None:
        """The shortest path between two free points, or None if there is none."""
        key = start, goal
        path = self._paths.get(key)
        if path is None:
            path = self._find_path(start, goal)
            if path is not None:
                make_room(self._paths)
                self._paths[key] = path
        return path

    # -- what paths are made of -------------------------------------------------------------------

    @property
    def corners(self) -> Floats:
        """The corners around which paths turn, (n, 2)."""
        return self._nodes

    @property
    def edges(self) -> Floats:
        """Lengths of the straight lines between corners, (n, n); infinite where there is none, or
        none that is taut."""
        return self._edges

    def nearest(self, points: Sequence[Point]) -> Floats:
        """Lengths of the straight lines from points to all corners, (points, n), as
        :attr:`edges`."""
        lengths = self._look_from(points)
        return np.array([lengths[point] for point in points]).reshape(-1, len(self._nodes))

    def blocked(self, start: Point, ends: Sequence[Point]) -> Bools:
        """Which straight lines from a point run into something."""
        return self._blocked(start, ends)

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
                spots = self._usable(box, reach, _lattice(box, reach, 0.1))
                spots = spots or self._usable(box, reach, _lattice(box, reach, 0.03))
            else:
                spots = self._usable(box, reach, _beside(box, self.radius + SLACK))
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
            points = points[in_outline(outline, points) & self._stood(points)]
            points = points[self._connected(points)]
            if len(points):
                far = ((points - points.mean(axis=0)) ** 2).sum(axis=1).round(6)
                points = points[np.argsort(far, kind="stable")]
            self._rooms[room] = _as_points(points)
        return self._rooms[room]

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

    def _blocked(self, start: Point, ends: Sequence[Point]) -> Bools:
        """Which straight lines from a point run into something; :func:`hits`, for one start."""
        at = np.array(start)[:, None, None]
        way = np.array(ends).T[:, :, None] - at
        way[np.abs(way) < 1e-12] = 1e-12
        to_low, to_high = (self._inner_low - at) / way, (self._inner_high - at) / way
        enters, leaves = np.minimum(to_low, to_high), np.maximum(to_low, to_high)
        first = np.maximum(np.maximum(enters[0], enters[1]), 0.0)
        last = np.minimum(np.minimum(leaves[0], leaves[1]), 1.0)
        blocked: Bools = (first < last).any(axis=1)
        return blocked

    def _worked_out(self, start: Point, goals: tuple[Point, ...]) -> list[float]:
        """Lengths of the shortest paths."""
        blocked = self._blocked(start, goals).tolist()
        make_room(self._straight, len(goals))
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
        """The end of a shortest path: from a corner on."""
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
        make_room(self._ends)
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

    def _stood(self, points: Floats) -> Bools:
        """Which points are free, and not where the leaf of a door would be if it were shut."""
        stood = self._free(points)
        for leaf in shut_leaves(self.house).values():
            low, high = np.array(leaf.low[:2]), np.array(leaf.high[:2])
            margin = self.radius + SLACK / 2
            stood &= ((points <= low - margin) | (points >= high + margin)).any(axis=1)
        return stood

    def _connected(self, points: Floats) -> Bools:
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

    def _corners(self) -> tuple[Floats, Floats]:
        """Corners around which a path can turn, and which way they point, each (n, 2).

        A corner inside another rectangle is out of the way; one beside which another rectangle
        begins is flat or an inner corner, where no shortest path turns.
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
        """Shortest distances between all corners; sets the lengths of straight lines too."""
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
        """Straight distances from a point to all corners; infinite where the way is blocked."""
        lengths = self._from.get(point)
        return self._look_from((point,))[point] if lengths is None else lengths

    def _look_from(self, points: Sequence[Point]) -> Mapping[Point, Floats]:
        """The straight distances from several points, worked out at once. What is asked for now is
        not forgotten, though what is remembered may be while there is made room."""
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
        make_room(self._from, len(fresh))
        new = dict(zip(fresh, lengths, strict=True))
        self._from.update(new)
        return known | new

    def _onward(self, goal: Point) -> Floats:
        """Shortest distances from all corners to a point."""
        onward = self._to.get(goal)
        if onward is None:
            make_room(self._to)
            onward = self._to[goal] = (self._between + self._nearest(goal)).min(axis=1)
        return onward

    def _onward_to_all(self, goals: tuple[Point, ...]) -> Floats:
        """Shortest distances from all corners to several points, (points, corners)."""
        onward = self._to_all.get(goals)
        if onward is None:
            self._look_from(goals)
            make_room(self._to_all)
            onward = self._to_all[goals] = np.stack([self._onward(goal) for goal in goals])
        return onward

    def _usable(self, box: Box, reach: float, points: Floats) -> tuple[Point, ...]:
        points = np.round(points, 3)
        low, high = np.array(box.low[:2]), np.array(box.high[:2])
        touched = np.clip(points, low, high)
        near = ((points - touched) ** 2).sum(axis=1) <= (reach - 1e-6) ** 2
        keep = near & self._stood(points)
        points, touched = points[keep], touched[keep]
        walls = reach_walls(self.house)
        seen = ~hits(points, touched, *walls).any(axis=1)
        return _as_points(points[seen])


def in_reach(house: House, point: Point, box: Box, reach: float) -> bool:
    """Whether an agent at a point can reach a box: near enough on the plan, and neither a wall nor
    a door, open or not, between."""
    (x, y), (a, b, _), (c, d, _) = point, box.low, box.high
    touched = min(max(x, a), c), min(max(y, b), d)
    return apart(point, touched) <= reach and not crosses_wall(house, point, touched)


def _obstacles(house: House, barred: frozenset[str]) -> tuple[Floats, Floats]:
    boxes = [
        piece.box
        for piece in house.furniture
        if piece.box.low[2] < WALKED_UNDER and piece.box.high[2] > STEPPED_OVER
    ]
    boxes += [person_box(house, person.name) for person in house.people if not person.on]
    boxes += open_leaves(house).values()
    boxes += [shut_leaves(house)[name] for name in sorted(barred)]
    walls_low, walls_high = house_walls(house)
    low = np.array([box.low[:2] for box in boxes]).reshape(-1, 2)
    high = np.array([box.high[:2] for box in boxes]).reshape(-1, 2)
    return np.concatenate([walls_low, low]), np.concatenate([walls_high, high])


def person_box(house: House, name: str) -> Box:
    """The box of somebody who is part of the scene. Raises KeyError."""
    return _person_boxes(house)[name]


def is_person(house: House, name: str) -> bool:
    """Whether somebody who is part of the scene has this name."""
    return name in _person_boxes(house)


def _person_boxes(house: House) -> Mapping[str, Box]:
    boxes: dict[str, Box] | None = memory(house).get("people")
    if boxes is None:
        boxes = {person.name: box_at(person.pose, person.size) for person in house.people}
        memory(house)["people"] = boxes
    return boxes


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


def apart(point: Point, other: Point) -> float:
    """Distance between two points of the plan."""
    # not math.hypot: square roots are the same on every platform
    across, along = point[0] - other[0], point[1] - other[1]
    return math.sqrt(across * across + along * along)
