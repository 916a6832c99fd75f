"""Navigation graphs: points one can stand at, straight clear edges, headings that show all."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.play.navigation_graph import (
    GraphView,
    Heading,
    NavigationGraph,
    navigation_graph,
    with_fillers,
)
from homebody.worlds.house.simulation.navigation import navigation
from homebody.worlds.house.simulation.walls import room_at

KINDS = [
    "home",
    "office",
    "classroom",
    "shop",
    "gym",
    "restaurant",
    "gallery",
    "hospital",
    "hotel",
    "supermarket",
]


@pytest.mark.parametrize("kind", KINDS)
def test_graphs_are_walkable_connected_and_in_all_rooms(kind: str) -> None:
    house = generate(1, kind)
    graph, ways = navigation_graph(house), navigation(house)
    assert navigation_graph(house) is graph
    rooms = {room_at(house, point.position) for point in graph.points}
    assert rooms == {room.name for room in house.rooms if ways.room_spots(room.name)}
    for number, point in enumerate(graph.points):
        assert ways.is_free(point.position)
        assert math.isfinite(graph.distance(0, number))
        for other in graph.neighbours(number):
            assert ways.sees_straight(point.position, graph.points[other].position)
            assert number in graph.neighbours(other)


@given(st.lists(st.integers(0, 3599), max_size=6, unique=True))
def test_headings_leave_no_gap_over_a_quarter_turn(tenths: list[int]) -> None:
    made = [Heading(yaw / 10, number) for number, yaw in enumerate(tenths)]
    headings = with_fillers(made)
    yaws = [heading.yaw for heading in headings]
    assert yaws == sorted(yaws)
    assert set(made) <= set(headings)
    gaps = [(b - a) % 360 for a, b in zip(yaws, yaws[1:] + yaws[:1], strict=True)]
    assert max(gaps) <= 90.11
    if len(made) == 1:  # straight on at a dead end
        assert any(abs((yaw - made[0].yaw) % 360 - 180) < 0.06 for yaw in yaws)


def test_views() -> None:
    graph: NavigationGraph = navigation_graph(generate(2))
    views = list(graph.views())
    assert len(views) == len(set(views)) == 3 * sum(len(point.headings) for point in graph.points)
    for view in views:
        assert graph.turned(graph.turned(view, 1), -1) == view
        (_, _, z), yaw, pitch = graph.eye(view)
        assert (z, pitch) == (1.5, 30 * view.pitch)
        assert 0 <= yaw < 360
        ahead, to = graph.forward(view), graph.heading(view).to
        assert (ahead is None) == (to is None)
        if ahead is not None:
            assert (ahead.point, ahead.pitch) == (to, 0)
            turned = abs((graph.heading(ahead).yaw - yaw + 180) % 360 - 180)
            assert turned <= 45.1
    level = GraphView(0, 0)
    up = graph.looked(level, 1)
    assert up == GraphView(0, 0, 1)
    assert graph.looked(up, 1) is None
    assert graph.looked(up, -1) == level
