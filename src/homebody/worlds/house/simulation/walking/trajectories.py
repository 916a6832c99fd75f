"""Exact motion of bodies on the plan. It computes the pauses that let others pass.

A trajectory is a chain of straight lines in space and time; bodies are squares that do not turn.
Overlaps of two straight lines are computed in closed form, without sampling. This is safe-interval
planning (Phillips and Likhachev 2011) along a given path; it plans the delay at each point.

Times are in steps from now on, positions and distances in metres.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from homebody.worlds.house.model.house import Point

Knot: TypeAlias = tuple[float, float, float]
"""Time, x and y."""
Line: TypeAlias = tuple[Knot, Knot]
"""A straight line in space and time. Standing still is also such a line."""
Region: TypeAlias = list[tuple[float, float]]
"""Corners of a convex region: time in the own plan, delay."""
Delays: TypeAlias = list[tuple[float, float]]
"""Intervals of whole delays, ends included; the last end may be infinite."""

FOR_EVER = 1e7
"""A time beyond any simulation."""
TOUCHING = 1e-7
"""Overlap in metres up to which bodies only touch: floating-point noise."""
NOISE = 1e-6
"""Floating-point noise in steps."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """All future positions of an agent.

    Attributes:
        name: The agent.
        knots: Timed positions in order, straight between them; the agent stands after the last. The
            first is not after now.
        keeps: Distance in x or in y that another's middle must keep: the sum of their radii.
    """

    name: str
    knots: tuple[Knot, ...]
    keeps: float

    @property
    def end(self) -> Point:
        """The final position."""
        _, x, y = self.knots[-1]
        return x, y

    @property
    def moves(self) -> bool:
        """True if it has not arrived."""
        return self.knots[-1][0] > 0.0


class Halt(NamedTuple):
    """A pause so that somebody can pass.

    Attributes:
        time: The time in the agent's own plan without pauses.
        steps: The duration.
        name: The agent that passes.
    """

    time: float
    steps: int
    name: str


def halts(knots: Sequence[Knot], others: Sequence[Trajectory], most: int) -> list[Halt] | None:
    """Return the pauses that avoid all overlaps and arrive soonest.

    Args:
        knots: Timed positions without pauses, from 0 on.
        others: Agents that do not give way.
        most: Maximum delay in steps at the end.

    Returns:
        The pauses in order; None if there is no such plan.
    """
    box = _box(knots)
    regions = [
        (region, other.name)
        for other in others
        for theirs in _lines(other)
        if not _is_far(box, _box(theirs), other.keeps)
        for mine in pairwise(knots)
        if (region := _overlap(mine, theirs, other.keeps))
    ]
    if not regions:
        return []
    met = {name for _, name in regions}
    others = [other for other in others if other.name in met]
    end = knots[-1][0]
    if all(d > NOISE for region, _ in regions for _, d in region) and not any(
        last > 0.0 for _, last in _passing(knots[-1][1:], end, others)
    ):
        return []  # others are there at other times
    edges = sorted({0.0, end, *(t for region, _ in regions for t, _ in region)})
    stops = [edges[0], *(b for a, b in pairwise(edges) if b > a + NOISE)]
    spans = [(*_span(region), region) for region, _ in regions]
    reached: Delays = [(0, 0)]
    arrivals: list[Delays] = []  # possible delays at each stop
    for index, stop in enumerate(stops):
        at = _position(knots, stop)
        arrivals.append(_soonest(reached, _complement(_passing(at, stop, others), True)))
        if stop is not stops[-1]:
            onward = stops[index + 1]
            between = (
                _late(region, stop, onward)
                for first, last, region in spans
                if min(last, onward) - max(first, stop) >= NOISE
            )
            reached = _common(arrivals[-1], _complement(between))
            if not reached or reached[0][0] > most:
                return None
    late = next((low for low, high in arrivals[-1] if high == math.inf), math.inf)
    if late > most:
        return None
    found = []
    for stop, arrived in zip(reversed(stops), reversed(arrivals), strict=True):
        before = next(low for low, high in arrived if low <= late <= high)
        if before < late:
            found.append(Halt(stop, int(late - before), _waited_for(regions, stop, late - 1)))
        late = before
    return found[::-1]


def _box(knots: Iterable[Knot]) -> tuple[float, float, float, float]:
    """Return the bounding rectangle of knots: low x, low y, high x, high y."""
    _, xs, ys = zip(*knots, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_far(
    box: tuple[float, float, float, float], other: tuple[float, float, float, float], keeps: float
) -> bool:
    """Return whether all points of two boxes always keep the distance."""
    return (
        box[0] - other[2] >= keeps
        or other[0] - box[2] >= keeps
        or box[1] - other[3] >= keeps
        or other[1] - box[3] >= keeps
    )


def _lines(trajectory: Trajectory) -> Iterator[Line]:
    """Yield the straight lines of a trajectory that are not over."""
    for before, after in pairwise(trajectory.knots):
        if after[0] > max(before[0], 0.0):
            yield before, after
    last = trajectory.knots[-1]
    yield last, (FOR_EVER, *last[1:])


def _position(knots: Sequence[Knot], time: float) -> Point:
    for (t0, x0, y0), (t1, x1, y1) in pairwise(knots):
        if time < t1:
            share = (time - t0) / (t1 - t0)
            return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
    _, x, y = knots[-1]
    return x, y


def _passing(at: Point, time: float, others: Iterable[Trajectory]) -> Iterator[tuple[float, float]]:
    """Yield the intervals of delays for which others overlap a body at a point of its plan."""
    x, y = at
    for other in others:
        keeps = other.keeps - TOUCHING
        near = other.keeps
        for (t0, x0, y0), (t1, x1, y1) in _lines(other):
            if (
                x < min(x0, x1) - near
                or x > max(x0, x1) + near
                or y < min(y0, y1) - near
                or y > max(y0, y1) + near
            ):
                continue
            first, last = t0, t1
            for here, a, b in ((x, x0, x1), (y, y0, y1)):
                apart, speed = a - here, (b - a) / (t1 - t0)
                if abs(speed) * (t1 - t0) < TOUCHING:
                    last = last if abs(apart) < keeps else -math.inf
                else:
                    one, two = t0 + (-keeps - apart) / speed, t0 + (keeps - apart) / speed
                    first, last = max(first, min(one, two)), min(last, max(one, two))
            if first < last:
                yield first - time, last - time


def _overlap(mine: Line, theirs: Line, keeps: float) -> Region:
    """Return the region of (time of the own plan, delay) in which two bodies overlap."""
    (t0, x0, y0), (t1, x1, y1) = mine
    (u0, a0, b0), (u1, a1, b1) = theirs
    keeps -= TOUCHING / 2  # a little less, so that waiting at the edge is allowed
    if (
        t1 <= t0
        or u1 <= t0  # over before the body arrives
        or max(x0, x1) <= min(a0, a1) - keeps
        or min(x0, x1) >= max(a0, a1) + keeps
        or max(y0, y1) <= min(b0, b1) - keeps
        or min(y0, y1) >= max(b0, b1) + keeps
    ):
        return []
    # with a delay d, the time t of the own plan is reached at t + d
    region = [(t0, u0 - t0), (t1, u0 - t1), (t1, u1 - t1), (t0, u1 - t0)]
    region = _clip(region, 0.0, 1.0, 1.0)  # nobody is early
    if not region:
        return region
    for p0, p1, q0, q1 in ((x0, x1, a0, a1), (y0, y1, b0, b1)):
        own, other = (p1 - p0) / (t1 - t0), (q1 - q0) / (u1 - u0)
        apart = p0 - own * t0 - q0 + other * u0  # + (own - other) * t - other * d
        region = _clip(region, own - other, -other, keeps + apart)
        region = region and _clip(region, other - own, other, keeps - apart)
        if not region:
            break
    return region


def _clip(region: Region, along: float, across: float, plus: float) -> Region:
    """Return the part of a convex region in which ``along * t + across * d + plus`` >= 0."""
    kept: Region = []
    for index, (t, d) in enumerate(region):
        s, c = region[index - 1]
        before, now = along * s + across * c + plus, along * t + across * d + plus
        if (before < 0.0) != (now < 0.0):
            share = before / (before - now)
            kept.append((s + (t - s) * share, c + (d - c) * share))
        if now >= 0.0:
            kept.append((t, d))
    return kept


def _span(region: Region) -> tuple[float, float]:
    """Return the first and last time of a region in the own plan."""
    times = [t for t, _ in region]
    return min(times), max(times)


def _late(region: Region, start: float, end: float) -> tuple[float, float]:
    """Return the interval of delays that meet a region in a part of the own plan."""
    part = [d for _, d in _clip(_clip(region, 1.0, 0.0, -start), -1.0, 0.0, end)]
    return (min(part), max(part)) if part else (0.0, 0.0)


def _complement(blocked: Iterable[tuple[float, float]], waiting: bool = False) -> Delays:
    """Return the whole delays from 0 on that are in none of the open intervals.

    Args:
        blocked: The intervals.
        waiting: True if the whole time between two consecutive delays must be free. Then a blocked
            interval between two whole numbers separates them.
    """
    free: Delays = []
    low = 0
    for first, last in sorted(blocked):
        before, after = math.floor(first + NOISE), math.ceil(last - NOISE)
        if last - first > NOISE and after > max(low, before + (not waiting)):
            if before >= low:
                free.append((low, before))
            low = after
    if low < FOR_EVER / 2:
        free.append((low, math.inf))
    return free


def _common(some: Delays, others: Delays) -> Delays:
    return [(max(a, c), min(b, d)) for a, b in some for c, d in others if max(a, c) <= min(b, d)]


def _soonest(reached: Delays, safe: Delays) -> Delays:
    """Return the possible delays at a place where an agent may wait, from the earliest arrival
    on."""
    arrivals = []
    for low, high in safe:
        inside = [max(low, a) for a, b in reached if max(low, a) <= min(high, b)]
        if inside:
            arrivals.append((min(inside), high))
    return arrivals


def _waited_for(regions: Sequence[tuple[Region, str]], stop: float, late: float) -> str:
    """Return the agent that would be in the way next after a stop with a delay."""
    met = [
        (min(t for t, _ in ahead), name)
        for region, name in regions
        if (ahead := _clip(region, 1.0, 0.0, -stop - NOISE))
        and min(d for _, d in ahead) < late + NOISE
        and max(d for _, d in ahead) > late - NOISE
    ]
    return min(met)[1] if met else regions[0][1]
