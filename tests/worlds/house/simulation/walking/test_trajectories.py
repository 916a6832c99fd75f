from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from homebody.worlds.house.simulation.walking.trajectories import Halt, Knot, Trajectory, halts

KEEPS = 0.5
TOUCHING = 1e-6


def at(knots: tuple[Knot, ...], time: float) -> tuple[float, float]:
    for (t0, x0, y0), (t1, x1, y1) in pairwise(knots):
        if t0 <= time < t1:
            share = (time - t0) / (t1 - t0)
            return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
    return knots[-1][1:] if time >= knots[-1][0] else knots[0][1:]


def halting(knots: tuple[Knot, ...], stops: list[Halt]) -> tuple[Knot, ...]:
    """The knots of who halts."""
    times = sorted({t for t, _, _ in knots} | {halt.time for halt in stops})
    late, found = 0, []
    for time in times:
        found.append((time + late, *at(knots, time)))
        for halt in stops:
            if halt.time == time:
                late += halt.steps
                found.append((time + late, *at(knots, time)))
    return tuple(found)


def overlaps(mine: tuple[Knot, ...], others: list[Trajectory]) -> bool:
    for other in others:
        times = {t for knots in (mine, other.knots) for t, _, _ in knots}
        for time in sorted({*times, *np.arange(0.0, max(times) + 1, 0.25)}):
            (x, y), (a, b) = at(mine, time), at(other.knots, time)
            if max(abs(x - a), abs(y - b)) < other.keeps - TOUCHING:
                return True
    return False


def line(*points: tuple[float, float], speed: float = 1 / 30, since: float = 0.0) -> Iterator[Knot]:
    time = since
    yield time, *points[0]
    for (a, b), (c, d) in pairwise(points):
        time += max(((a - c) ** 2 + (b - d) ** 2) ** 0.5, 1e-3) / speed
        yield time, c, d


def test_who_crosses_is_waited_for() -> None:
    mine = tuple(line((0.0, 0.0), (4.0, 0.0)))
    other = Trajectory("human", tuple(line((2.0, 2.0), (2.0, -2.0))), KEEPS)
    (halt,) = halts(mine, [other], 1000) or []
    # it stops where the other just does not touch it, and goes on when that one is off its line
    assert halt.name == "human"
    assert halt.time == pytest.approx(45.0)  # at 1.5 m
    assert halt.time + halt.steps == pytest.approx(75.0)
    assert not overlaps(halting(mine, [halt]), [other])


def test_nobody_is_waited_for_who_has_passed_or_comes_later() -> None:
    mine = tuple(line((0.0, 0.0), (4.0, 0.0)))
    passed = tuple(line((2.0, 2.0), (2.0, -2.0), since=-75.0))
    assert halts(mine, [Trajectory("human", passed, KEEPS)], 1000) == []
    later = ((0.0, 2.0, 2.0), *line((2.0, 2.0), (2.0, -2.0), since=90.0))
    assert halts(mine, [Trajectory("human", later, KEEPS)], 1000) == []


def test_a_way_that_somebody_will_stand_in_is_none() -> None:
    mine = tuple(line((0.0, 0.0), (4.0, 0.0)))
    across = tuple(line((2.0, 2.0), (2.0, 0.4)))
    assert halts(mine, [Trajectory("human", across, KEEPS)], 1000) is None
    towards = tuple(line((4.0, 0.0), (1.0, 0.0)))  # head-on, and nobody gets past
    assert halts(mine, [Trajectory("human", towards, KEEPS)], 1000) is None
    assert halts(mine, [Trajectory("human", ((0.0, 2.0, 0.5),), KEEPS)], 1000) == []  # touched


def test_who_is_slower_is_followed() -> None:
    mine = tuple(line((0.0, 0.0), (4.0, 0.0)))
    other = Trajectory("human", tuple(line((0.6, 0.0), (5.0, 0.0), speed=1 / 90)), KEEPS)
    stops = halts(mine, [other], 1000)
    assert stops
    assert not overlaps(halting(mine, stops), [other])
    # it is half a metre behind when it comes to its end
    assert sum(halt.steps for halt in stops) == pytest.approx(3.9 * 90 - 120, abs=1.0)
    assert halts(mine, [other], 100) is None  # which takes too long


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(40))
def test_there_is_no_sooner_way(seed: int) -> None:
    """Against a search over every delay at many points of the way."""
    rng = np.random.default_rng(seed)

    def walk(speed: float, count: int) -> tuple[Knot, ...]:
        while True:
            corners = [(float(x), float(y)) for x, y in rng.integers(0, 7, size=(count, 2)) / 2.0]
            if all(a != b for a, b in pairwise(corners)):
                return tuple(line(*corners, speed=speed))

    mine = walk(1 / 20, 3)
    others = [
        Trajectory(str(index), walk(float(rng.integers(1, 5)) / 60, rng.integers(1, 4)), KEEPS)
        for index in range(2)
    ]
    others = [one for one in others if not overlaps((mine[0],), [replace_end(one)])]
    stops = halts(mine, others, 400)
    if stops is not None:
        assert not overlaps(halting(mine, stops), others)
    late = sum(halt.steps for halt in stops) if stops is not None else None
    least = searched(mine, others)
    if late is None:
        assert least is None
    elif least is not None:
        assert late <= least


def replace_end(one: Trajectory) -> Trajectory:
    """Where it is at first, which is where nobody else can start."""
    return Trajectory(one.name, one.knots[:1], one.keeps)


def searched(mine: tuple[Knot, ...], others: list[Trajectory]) -> int | None:
    """The least delay at the end, by trying all of up to 400 steps every half step of the way;
    with 2 cm to spare, for what is between."""
    times = np.arange(0.0, mine[-1][0] + 0.5, 0.5).clip(max=mine[-1][0])
    own = np.array([at(mine, time) for time in times])
    clock = np.arange(0.0, 1200.0, 0.5)
    free = np.ones((len(times), 400), bool)
    for other in others:
        where = np.array([at(other.knots, time) for time in clock])
        for index, time in enumerate(times):
            near = (np.abs(where - own[index]) < other.keeps + 0.02).all(axis=1)
            now = 2 * (np.arange(400) + time)
            free[index] &= ~near[now.astype(int).clip(max=len(clock) - 1)]
    reached = np.zeros(400, bool)
    reached[0] = free[0, 0]
    for index in range(len(times)):
        reached &= free[index]
        for late in range(1, 400):
            reached[late] |= reached[late - 1] & free[index, late]
    settled = np.flatnonzero(~free[-1])
    after = int(settled[-1]) + 1 if len(settled) else 0
    final = np.flatnonzero(reached[after:])
    return int(final[0]) + after if len(final) else None
