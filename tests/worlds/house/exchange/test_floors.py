"""Floors of others become rectilinear outlines that houses take."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.exchange.floors import MAX_CORNERS, WALL, outline_of
from homebody.worlds.house.model.house import Point


def area(outline: tuple[Point, ...]) -> float:
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return sum(a * d - c * b for (a, b), (c, d) in pairs) / 2


def test_what_is_rectilinear_is_kept_but_for_half_a_wall() -> None:
    shape = [(0.0, 0.0), (0.0, 4.0), (2.0, 4.0), (2.0, 2.0), (5.0, 2.0), (5.0, 0.0)]  # clockwise
    by = WALL / 2
    assert set(outline_of(shape)) == {
        (by, by), (by, 4 - by), (2 - by, 4 - by), (2 - by, 2 - by), (5 - by, 2 - by), (5 - by, by)
    }  # fmt: skip


@pytest.mark.slow
@given(
    st.integers(3, 12),
    st.floats(1.5, 8.0),
    st.floats(0.0, 2 * math.pi),
    st.tuples(st.floats(-20, 20), st.floats(-20, 20)),
)
def test_any_convex_floor_becomes_steps(
    corners: int, radius: float, turn: float, middle: Point
) -> None:
    polygon = [
        (middle[0] + radius * math.cos(turn + i * math.tau / corners),
         middle[1] + radius * math.sin(turn + i * math.tau / corners))
        for i in range(corners)
    ]  # fmt: skip
    outline = outline_of(polygon)
    assert 4 <= len(outline) <= MAX_CORNERS
    for (a, b), (c, d) in zip(outline, (*outline[1:], outline[0]), strict=True):
        assert (a == c) != (b == d)
    true = corners / 2 * radius**2 * math.sin(math.tau / corners)
    assert 0.6 * true < area(outline) < 1.2 * true


@pytest.mark.parametrize("polygon", [[], [(0.0, 0.0)] * 5, [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]])
def test_what_has_no_area_is_refused(polygon: list[Point]) -> None:
    with pytest.raises(HomebodyError):
        outline_of(polygon)


def test_a_star_of_many_corners_is_a_room_or_refused() -> None:
    corners = [
        (20 + (9 if i % 2 else 20) * math.cos(i * math.tau / 2_000),
         20 + (9 if i % 2 else 20) * math.sin(i * math.tau / 2_000))
        for i in range(2_000)
    ]  # fmt: skip
    with contextlib.suppress(HomebodyError):
        assert len(outline_of(corners)) <= MAX_CORNERS
