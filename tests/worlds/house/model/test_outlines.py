"""Lines over rectangles, and the extent of a house."""

from __future__ import annotations

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.outlines import crossed_part, edges_of, rooms_extent

RECT = (1.0, 1.0, 3.0, 2.0)


@pytest.mark.parametrize(
    ("start", "end", "part"),
    [
        ((0.0, 1.5), (4.0, 1.5), (0.25, 0.75)),
        ((2.0, 1.5), (2.0, 5.5), (0.0, 0.125)),
        ((0.0, 1.0), (4.0, 1.0), (0.25, 0.75)),
        ((0.0, 0.5), (4.0, 0.5), None),
    ],
)
def test_a_line_crosses_a_rectangle(
    start: tuple[float, float], end: tuple[float, float], part: tuple[float, float] | None
) -> None:
    assert crossed_part(start, end, RECT) == part


def test_a_line_along_an_edge_may_count_as_outside() -> None:
    assert crossed_part((0.0, 1.0), (4.0, 1.0), RECT, at_edge=False) is None


def test_a_line_past_a_corner_leaves_before_it_enters() -> None:
    part = crossed_part((0.0, 1.5), (1.5, 3.0), RECT)
    assert part is not None
    assert part[0] > part[1]


def test_the_edges_of_an_outline_face_outwards() -> None:
    corners = [(0, 0), (2, 0), (2, 1), (0, 1)]
    assert list(edges_of(corners)) == [
        *((1, 0, 0, 2, -1), (0, 2, 0, 1, 1), (1, 1, 0, 2, 1), (0, 0, 0, 1, -1))
    ]


def test_the_extent_of_a_house_has_all_rooms() -> None:
    house = generate(0)
    x0, y0, x1, y1 = rooms_extent(house)
    corners = [corner for room in house.rooms for corner in room.outline]
    assert all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in corners)
    assert {x0, x1} <= {x for x, _ in corners}
    assert {y0, y1} <= {y for _, y in corners}
