from itertools import pairwise

import pytest

from homebody.worlds.house.simulation.walking.destinations import Pause, walk_along
from homebody.worlds.house.simulation.walking.paths import Path
from worlds.house.handmade import two_rooms


def test_one_stands_still_where_the_walk_pauses() -> None:
    house = two_rooms()
    path = Path(((1.0, 3.4), (6.0, 3.4)), 5.0)
    plain = walk_along(house, path, 1.0)
    pauses = Pause(0.0, 6, "human"), Pause(2.0, 30, "human"), Pause(2.0, 4, "robot")
    walk = walk_along(house, path, 1.0, pauses)
    assert (plain.steps, walk.steps) == (150, 190)
    where = [walk.at(step)[0] for step in (0, 6, 36, 66, 80, 100, 130, 190, 500)]
    assert where == pytest.approx([1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 4.0, 6.0, 6.0])
    pose = walk.pose(80)
    assert pose is not None
    assert pose.yaw == 270.0  # it looks where it will go on
    ((step, come_out),) = plain.looks.items()
    assert walk.looks == {step + 40: come_out}  # out of the doorway, later


def test_knots_say_where_one_is_at_any_time() -> None:
    house = two_rooms()
    path = Path(((1.0, 3.4), (6.0, 3.4), (6.0, 3.0)), 5.4)
    walk = walk_along(house, path, 1.0, (Pause(0.0, 5, "a"), Pause(5.0, 10, "a")))
    times, xs, ys = zip(*walk.knots(100), strict=True)
    assert times == pytest.approx((100, 100, 105, 255, 255, 265, 277))
    assert xs == pytest.approx((1.0, 1.0, 1.0, 6.0, 6.0, 6.0, 6.0))
    assert ys == pytest.approx((3.4, 3.4, 3.4, 3.4, 3.4, 3.4, 3.0))
    knots = walk.knots()
    for (t0, *start), (t1, *end) in pairwise(knots):
        for step in range(int(t0) + 1, int(t1)):
            share = (step - t0) / (t1 - t0)
            between = [a + (b - a) * share for a, b in zip(start, end, strict=True)]
            assert walk.at(step) == pytest.approx(between)
