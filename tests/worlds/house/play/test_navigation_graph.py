"""Navigation graphs: points one can stand at, straight clear edges, headings that show all."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import Box, House, Point, box_at
from homebody.worlds.house.play.navigation_graph import (
    AHEAD,
    GraphView,
    Heading,
    NavigationGraph,
    navigation_graph,
    with_fillers,
)
from homebody.worlds.house.simulation.walking.navigation import is_in_reach, navigation
from homebody.worlds.house.simulation.walking.walls import room_at, with_things
from thorough import part_of
from worlds.house.handmade import room

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


@pytest.mark.sampled
@pytest.mark.parametrize("seed", part_of([1, 12]))
@pytest.mark.parametrize("kind", KINDS)
def test_graphs_are_walkable_connected_and_in_all_rooms(kind: str, seed: int) -> None:
    house = generate(seed, kind)
    graph, ways = navigation_graph(house), navigation(house)
    assert navigation_graph(house) is graph
    at = [point.position for point in graph.points]
    rooms = [room_at(house, point) for point in at]
    assert set(rooms) == {room.name for room in house.rooms if ways.room_spots(room.name)}
    close, turns = 0, []
    for number, point in enumerate(graph.points):
        assert ways.is_free(at[number])
        # millimetres; half ones in passages as wide as who walks there
        assert tuple(round(2 * x, 3) / 2 for x in at[number]) == at[number]
        assert math.isfinite(graph.distance(0, number))
        for other in graph.neighbours(number):
            assert ways.sees_straight(at[number], at[other])
            assert number in graph.neighbours(other)
            assert math.dist(at[number], at[other]) <= 3.61
        same = [other for other in range(number) if rooms[other] == rooms[number]]
        close += sum(math.dist(at[number], at[other]) < 0.75 for other in same)
        yaws = [heading.yaw for heading in point.headings if heading.to is not None]
        turns += [(b - a) % 360 or 360.0 for a, b in zip(yaws, yaws[1:] + yaws[:1], strict=True)]
    assert min(turns) > 1
    assert sum(turn < 34.8 for turn in turns) <= 2  # what connects a corner may be odd
    assert close <= 0.1 * len(at)


@pytest.mark.slow
def test_nearly_all_is_in_reach_of_a_point_and_all_people_are() -> None:
    reached, objects = 0, 0
    for seed, kind in enumerate(KINDS):
        house = generate(seed, kind)
        points = [point.position for point in navigation_graph(house).points]

        def is_reached(box: Box, points: list[Point] = points, house: House = house) -> bool:
            return any(is_in_reach(house, point, box, 1.2) for point in points)

        for person in house.people:
            assert is_reached(box_at(person.pose, person.size))
        for thing in house.things:
            holder = house.piece.get(thing.place[0])
            if holder is None or holder.states.get("open", True):
                objects += 1
                reached += is_reached(box_at(thing.pose, thing.size))
    assert objects > 1000
    assert reached >= 0.92 * objects


def test_all_floor_is_near_a_point_in_sight() -> None:
    house = generate(4)
    graph, ways = navigation_graph(house), navigation(house)
    spots = [spot for room in house.rooms for spot in ways.room_spots(room.name)]
    seen = [
        any(
            math.dist(spot, point.position) <= 1.8 and ways.sees_straight(spot, point.position)
            for point in graph.points
        )
        for spot in spots
    ]
    assert sum(seen) >= 0.95 * len(spots)


def test_doorways_are_passed_along_their_middles() -> None:
    house = generate(1)
    graph = navigation_graph(house)
    doors = [opening for opening in house.openings if opening.is_passage]
    passed = set()
    for number, point in enumerate(graph.points):
        for other in graph.neighbours(number):
            (x, y), (u, v) = point.position, graph.points[other].position
            for door in doors:
                (a, b), (c, d) = door.start, door.end
                level = abs(d - b) < abs(c - a)
                if not level:
                    a, b, c, d, x, y, u, v = b, a, d, c, y, x, v, u
                if (y - b) * (v - b) < 0:
                    across = x + (u - x) * (b - y) / (v - y)
                    if min(a, c) < across < max(a, c):
                        assert abs(across - (a + c) / 2) <= 0.201
                        passed.add(door.name)
                if not level:
                    x, y, u, v = y, x, v, u
    assert passed == {door.name for door in doors}


def test_the_same_scene_with_other_objects_has_the_same_graph() -> None:
    house = generate(3)
    graph = navigation_graph(house)
    assert navigation_graph(with_things(house, ())) is graph
    assert navigation_graph(generate(3)) == graph
    assert navigation_graph(generate(3)) is not graph


def test_a_bare_room_has_a_graph_too() -> None:
    house = House(0, "home", (room("kitchen_0", (0.0, 0.0), (1.0, 1.0)),))
    graph = navigation_graph(house)
    assert [len(point.headings) for point in graph.points] == [4]
    assert graph.forward(GraphView(0, 0)) is None
    nowhere = House(0, "home", (room("kitchen_0", (0.0, 0.0), (0.3, 0.3)),))
    assert navigation_graph(nowhere).points == ()


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
        assert graph.turn(graph.turn(view, 1), -1) == view
        (_, _, z), yaw, pitch = graph.eye(view)
        assert (z, pitch) == (1.5, AHEAD + 30 * view.pitch)
        assert 0 <= yaw < 360
        ahead, to = graph.forward(view), graph.heading(view).to
        assert (ahead is None) == (to is None)
        if ahead is not None:
            assert (ahead.point, ahead.pitch) == (to, 0)
            turned = abs((graph.heading(ahead).yaw - yaw + 180) % 360 - 180)
            assert turned <= 45.1
    level = GraphView(0, 0)
    up = graph.look(level, 1)
    assert up == GraphView(0, 0, 1)
    assert graph.look(up, 1) is None
    assert graph.look(up, -1) == level
