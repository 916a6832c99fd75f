"""Bodies that move on the plan, exactly: when somebody has to stand still so that others can pass.

A trajectory is a chain of straight lines in space and time; bodies are squares that do not turn.
When two of them overlap is therefore worked out in closed form for each two straight lines, and
nothing is sampled. This is planning with safe intervals (Phillips and Likhachev 2011) along a path
that is given, where what is planned is by how many steps one is late at each point of it.

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
"""A straight line in space and time; one that stands is one too."""
Region: TypeAlias = list[tuple[float, float]]
"""Corners of a convex region: time in one's own plan, by how much one is late."""
Delays: TypeAlias = list[tuple[float, float]]
"""Delays from the first to the last of each pair, whole numbers; the very last may be infinite."""

FOR_EVER = 1e7
"""A time that nobody sees."""
TOUCHING = 1e-7
"""Metres by which bodies may overlap and still only touch: the noise of sums."""
NOISE = 1e-6
"""Steps that are the noise of sums."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Where somebody will be, from now on for ever.

    Attributes:
        name: Who.
        knots: Where it is at certain times, in order. Between them it goes straight on, after the
            last it stands. The first is not after now.
        keeps: How far another's middle must be from its own, in x or in y: the sum of their radii.
    """

    name: str
    knots: tuple[Knot, ...]
    keeps: float

    @property
    def end(self) -> Point:
        """Where it will stand in the end."""
        _, x, y = self.knots[-1]
        return x, y

    @property
    def moves(self) -> bool:
        """Whether it is not there yet."""
        return self.knots[-1][0] > 0.0


class Halt(NamedTuple):
    """Standing still so that somebody can pass.

    Attributes:
        time: When, in one's own plan, which has no halts.
        steps: How long.
        name: For whom.
    """

    time: float
    steps: int
    name: str


def halts(knots: Sequence[Knot], others: Sequence[Trajectory], most: int) -> list[Halt] | None:
    """Where to stand still on a way, so that one overlaps nobody and is at its end soonest.

    Args:
        knots: Where one would be if one never stood still, from 0 on.
        others: Who is not going to give way.
        most: By how many steps one may be late in the end.

    Returns:
        In order; None if the way cannot be gone, or not so soon.
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
        return []  # others are there at other times, as one knows without looking at delays
    edges = sorted({0.0, end, *(t for region, _ in regions for t, _ in region)})
    stops = [edges[0], *(b for a, b in pairwise(edges) if b > a + NOISE)]
    reached: Delays = [(0, 0)]
    arrivals: list[Delays] = []  # for each stop: with which delays one can be there
    for index, stop in enumerate(stops):
        at = _position(knots, stop)
        arrivals.append(_soonest(reached, _complement(_passing(at, stop, others), True)))
        if stop is not stops[-1]:
            between = (_late(region, stop, stops[index + 1]) for region, _ in regions)
            reached = _common(arrivals[-1], _complement(between))
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
    """The least x and y and the most x and y of where somebody is."""
    _, xs, ys = zip(*knots, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_far(
    box: tuple[float, float, float, float], other: tuple[float, float, float, float], keeps: float
) -> bool:
    """Whether what is within two boxes is always so far apart as it must be."""
    return (
        box[0] - other[2] >= keeps
        or other[0] - box[2] >= keeps
        or box[1] - other[3] >= keeps
        or other[1] - box[3] >= keeps
    )


def _lines(trajectory: Trajectory) -> Iterator[Line]:
    """The straight lines of a trajectory that are not over."""
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
    """Between which delays others overlap a body that is somewhere at a time of its plan."""
    for other in others:
        keeps = other.keeps - TOUCHING
        for (t0, *start), (t1, *end) in _lines(other):
            first, last = t0, t1
            for here, a, b in zip(at, start, end, strict=True):
                apart, speed = a - here, (b - a) / (t1 - t0)
                if abs(speed) * (t1 - t0) < TOUCHING:
                    last = last if abs(apart) < keeps else -math.inf
                else:
                    one, two = t0 + (-keeps - apart) / speed, t0 + (keeps - apart) / speed
                    first, last = max(first, min(one, two)), min(last, max(one, two))
            if first < last:
                yield first - time, last - time


def _overlap(mine: Line, theirs: Line, keeps: float) -> Region:
    """Where in (time of one's own plan, delay) two bodies overlap, each on a straight line."""
    (t0, x0, y0), (t1, x1, y1) = mine
    (u0, a0, b0), (u1, a1, b1) = theirs
    keeps -= TOUCHING / 2  # less than where one may wait, so that one may at its edge
    if (
        t1 <= t0
        or u1 <= t0  # over before one comes there
        or max(x0, x1) <= min(a0, a1) - keeps
        or min(x0, x1) >= max(a0, a1) + keeps
        or max(y0, y1) <= min(b0, b1) - keeps
        or min(y0, y1) >= max(b0, b1) + keeps
    ):
        return []
    # with a delay d one is at the time t of one's plan when it is t + d
    region = [(t0, u0 - t0), (t1, u0 - t1), (t1, u1 - t1), (t0, u1 - t0)]
    region = _clip(region, 0.0, 1.0, 1.0)  # no more of what nobody can be: early
    for p0, p1, q0, q1 in ((x0, x1, a0, a1), (y0, y1, b0, b1)):
        own, other = (p1 - p0) / (t1 - t0), (q1 - q0) / (u1 - u0)
        apart = p0 - own * t0 - q0 + other * u0  # + (own - other) * t - other * d
        region = _clip(region, own - other, -other, keeps + apart)
        region = _clip(region, other - own, other, keeps - apart)
    return region


def _clip(region: Region, along: float, across: float, plus: float) -> Region:
    """The part of a convex region in which ``along * t + across * d + plus`` is not negative."""
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


def _late(region: Region, start: float, end: float) -> tuple[float, float]:
    """Between which delays one comes through a region in a part of one's plan."""
    times = [t for t, _ in region]
    if min(max(times), end) - max(min(times), start) < NOISE:
        return 0.0, 0.0
    part = [d for _, d in _clip(_clip(region, 1.0, 0.0, -start), -1.0, 0.0, end)]
    return (min(part), max(part)) if part else (0.0, 0.0)


def _complement(blocked: Iterable[tuple[float, float]], waiting: bool = False) -> Delays:
    """The whole delays from 0 on that are within none of the (open) intervals.

    Args:
        blocked: The intervals.
        waiting: Whether one is also to come from each delay of a pair to all others of it, through
            all that is between: what is blocked between two whole numbers parts them then.
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
    """With which delays one can be somewhere if one may wait there: from the least on with which
    one comes there, as long as it is safe."""
    arrivals = []
    for low, high in safe:
        inside = [max(low, a) for a, b in reached if max(low, a) <= min(high, b)]
        if inside:
            arrivals.append((min(inside), high))
    return arrivals


def _waited_for(regions: Sequence[tuple[Region, str]], stop: float, late: float) -> str:
    """Who would be in the way next if one went on from a stop with a delay."""
    met = [
        (min(t for t, _ in ahead), name)
        for region, name in regions
        if (ahead := _clip(region, 1.0, 0.0, -stop - NOISE))
        and min(d for _, d in ahead) < late + NOISE
        and max(d for _, d in ahead) > late - NOISE
    ]
    return min(met)[1] if met else regions[0][1]
