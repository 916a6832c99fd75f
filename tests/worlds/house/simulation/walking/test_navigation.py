"""Free space, shortest paths and places to stand."""

from __future__ import annotations

import dataclasses
import heapq
import math
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House, Opening, Person, Point, Pose
from homebody.worlds.house.simulation.walking import walls
from homebody.worlds.house.simulation.walking.navigation import Navigation, is_in_reach, navigation
from homebody.worlds.house.simulation.walking.walls import (
    contains,
    crosses_wall,
    hits,
    house_walls,
    room_at,
)
from patience import calls
from worlds.house.handmade import piece, room, six_rooms, two_rooms

HOUSE = two_rooms()
WAYS = navigation(HOUSE)
SIX = six_rooms()


def test_remembered_with_the_house() -> None:
    assert navigation(HOUSE) is WAYS
    assert navigation(HOUSE, 0.3) is not WAYS


def test_straight_lines_are_straight() -> None:
    path = WAYS.path((1.0, 3.5), (3.0, 3.5))
    assert path is not None
    assert path.points == ((1.0, 3.5), (3.0, 3.5))
    assert path.length == 2.0
    assert path.at(0.5) == (1.5, 3.5)
    assert path.at(9.0) == (3.0, 3.5)


def test_around_a_table_by_its_grown_corners() -> None:
    """From below to above the table: around two corners of its box grown by 0.25 m."""
    path = WAYS.path((1.2, 1.3), (1.2, 2.7))
    assert path is not None
    assert len(path.points) == 4
    assert path.points[1:3] == ((1.15, 1.35), (1.15, 2.65))
    assert path.length == pytest.approx(2 * math.sqrt(0.05**2 + 0.05**2) + 1.3)


def test_through_a_doorway_and_not_through_a_wall() -> None:
    path = WAYS.path((3.5, 2.0), (4.5, 2.0))
    assert path is not None
    assert path.length > 2.0
    assert all(contains_any(HOUSE, point) for point in path.points)
    assert crosses_wall(HOUSE, (3.5, 2.0), (4.5, 2.0))
    assert not crosses_wall(HOUSE, (3.5, 3.5), (4.5, 3.5))


def test_no_way_through_a_shut_entrance_or_a_narrow_door() -> None:
    door = HOUSE.openings[0]
    shut = dataclasses.replace(HOUSE, openings=(dataclasses.replace(door, kind="entrance"),))
    assert Navigation(shut, 0.25).path((2.0, 3.0), (6.0, 3.0)) is None
    assert math.isinf(Navigation(shut, 0.25).distance((2.0, 3.0), (6.0, 3.0)))
    assert Navigation(HOUSE, 0.44).path((2.0, 3.45), (6.0, 2.95)) is not None  # 0.9 m wide
    assert Navigation(HOUSE, 0.46).path((2.0, 3.45), (6.0, 2.95)) is None


def test_rugs_and_what_hangs_high_are_no_obstacles_but_people_are() -> None:
    assert WAYS.is_free((6.0, 3.4))
    assert not WAYS.is_free((2.0, 2.0))
    lamp = dataclasses.replace(
        piece("lamp_9", "kitchen_0", (1.0, 3.0), (0.4, 0.4, 0.3)),
        pose=Pose((1.0, 3.0, 2.3)),
    )
    person = Person("person_0", "standing", "kitchen_0", Pose((3.0, 3.2, 0.0)), (0.5, 0.4, 1.7))
    house = dataclasses.replace(HOUSE, furniture=(*HOUSE.furniture, lamp), people=(person,))
    ways = Navigation(house, 0.25)
    assert ways.is_free((1.0, 3.0))
    assert not ways.is_free((3.0, 3.0))


def test_an_l_shaped_room() -> None:
    outline = ((0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 2.0), (2.0, 4.0), (0.0, 4.0))
    hall = dataclasses.replace(room("hall_0", (0.0, 0.0), (4.0, 4.0)), outline=outline)
    house = House(0, "home", (hall,))
    ways = Navigation(house, 0.25)
    path = ways.path((1.0, 3.5), (3.5, 1.0))
    assert path is not None
    assert path.points[1:-1] == ((1.75, 1.75),)
    assert not contains(hall, (3.0, 3.0))
    assert contains(hall, (2.0, 3.0))
    assert contains(hall, (4.0, 0.0))
    assert not ways.is_free((3.0, 3.0))
    assert room_at(house, (9.0, 9.0)) == "hall_0"


def test_walls_and_rooms_fill_the_plan_without_overlap() -> None:
    low, high = house_walls(SIX)
    rng = np.random.default_rng(0)
    points = rng.uniform((-1, -1), (16, 10), (500, 2))
    for x, y in points:
        walled = bool(
            ((x > low[:, 0]) & (x < high[:, 0]) & (y > low[:, 1]) & (y < high[:, 1])).any()
        )
        free = contains_any(SIX, (x, y))
        assert walled != free


def test_spots_are_free_within_reach_and_begin_in_front() -> None:
    fridge = HOUSE.piece["fridge_0"].box
    spots = WAYS.spots(fridge, 0.8)
    assert spots[0] == (0.4, 1.0)
    assert len(WAYS.spots(fridge, 0.8, anywhere=True)) > len(spots)
    for spot in spots:
        assert WAYS.is_free(spot)
        assert is_in_reach(HOUSE, spot, fridge, 0.8)


def test_spots_never_reach_through_a_wall() -> None:
    shelf = piece("shelf_9", "kitchen_0", (3.85, 1.0), (0.3, 1.0, 1.0))
    house = dataclasses.replace(HOUSE, furniture=(*HOUSE.furniture, shelf))
    for spot in Navigation(house, 0.25).spots(shelf.box, 0.8):
        assert spot[0] < 4.0
    assert not is_in_reach(house, (4.4, 1.0), shelf.box, 0.8)


def test_stops_cover_the_room() -> None:
    ways = navigation(SIX)
    for place in SIX.rooms:
        stops = ways.stops(place.name)
        assert 1 <= len(stops) <= 8
        for x, y in ways.room_spots(place.name):
            assert min(math.dist((x, y), stop) for stop in stops) <= 2.0
    with pytest.raises(KeyError):
        ways.stops("attic_0")


def contains_any(house: House, point: Point) -> bool:
    from homebody.worlds.house.simulation.walking.walls import doorway_box

    x, y = point
    doors = [
        doorway_box(opening, house.wall) for opening in house.openings if opening.kind == "doorway"
    ]
    return any(contains(room, point) for room in house.rooms) or any(
        a < x < c and b < y < d for a, b, c, d in doors
    )


coordinates = st.tuples(st.floats(0.3, 15.0), st.floats(0.3, 8.8)).map(
    lambda point: (round(point[0], 2), round(point[1], 2))
)


@settings(max_examples=60)
@given(coordinates, coordinates, coordinates)
def test_distances_are_a_metric_and_paths_are_free(a: Point, b: Point, c: Point) -> None:
    ways = navigation(SIX)
    if not all(map(ways.is_free, (a, b, c))):
        return
    path = ways.path(a, b)
    assert path is not None
    assert path.length == pytest.approx(ways.distance(a, b))
    assert path.length == pytest.approx(
        sum(math.dist(p, q) for p, q in zip(path.points, path.points[1:], strict=False))
    )
    assert path.length >= math.dist(a, b) - 1e-9
    assert ways.distance(b, a) == pytest.approx(path.length)
    assert ways.distance(a, c) <= path.length + ways.distance(b, c) + 1e-6
    for p, q in zip(path.points, path.points[1:], strict=False):
        low, high = ways._low, ways._high
        assert not hits(np.array([p]), np.array([q]), low, high).any()


def test_no_grid_path_is_shorter() -> None:
    """An eight-connected grid of 0.05 m, searched by Dijkstra's, overestimates by at most 8.3 %
    and never finds a shorter way."""
    ways = navigation(HOUSE)
    start, goal = (0.5, 3.5), (7.5, 1.0)
    step = 0.05
    best = {(0, 0): 0.0}
    heap = [(0.0, (0, 0))]
    aim = (round((goal[0] - start[0]) / step), round((goal[1] - start[1]) / step))
    free: dict[tuple[int, int], bool] = {}
    while heap:
        cost, at = heapq.heappop(heap)
        if at == aim:
            break
        if cost > best[at]:
            continue
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                to = at[0] + dx, at[1] + dy
                if to not in free:
                    x, y = start[0] + to[0] * step, start[1] + to[1] * step
                    free[to] = ways.is_free((x, y))
                further = cost + step * math.hypot(dx, dy)
                if free[to] and further < best.get(to, math.inf):
                    best[to] = further
                    heapq.heappush(heap, (further, to))
    exact = ways.distance(start, goal)
    assert exact <= best[aim] + 1e-6
    assert best[aim] <= exact * 1.09


def test_unequal_doors_along_one_wall() -> None:
    rooms = (room("a_0", (0.0, 0.0), (4.0, 3.0)), room("b_0", (0.0, 3.12), (4.0, 6.0)))
    doors = tuple(
        Opening(f"doorway_{i}", "doorway", ("a_0", "b_0"), (x, 3.06), (x + 0.9, 3.06), 0.0, 2.1)
        for i, x in enumerate((0.2, 2.9))
    )
    ways = Navigation(House(0, "home", rooms, doors), 0.25)
    west, east = ways.distance((0.65, 2.0), (0.65, 4.0)), ways.distance((3.35, 2.0), (3.35, 4.0))
    assert west == east == 2.0
    assert ways.distance((2.0, 2.0), (2.0, 4.0)) > 2.0


def test_little_work() -> None:
    """Generous bounds, to notice a slip by an order of magnitude; benchmarks measure."""
    house = six_rooms()
    assert calls(lambda: Navigation(house, 0.25)) < 20_000
    ways = Navigation(house, 0.25)
    spots = [ways.room_spots(room.name)[0] for room in SIX.rooms]
    for start in spots:
        for goal in spots:
            assert ways.path(start, goal) is not None
            assert calls(partial(ways.path, start, goal)) < 1000


def test_nobody_is_sent_into_a_pocket() -> None:
    """Two cupboards shut off a corner of the kitchen, large enough to stand in."""
    block = (
        piece("cupboard_0", "kitchen_0", (0.6, 2.6), (1.2, 0.4, 1.0)),
        piece("cupboard_1", "kitchen_0", (1.4, 3.2), (0.4, 1.6, 1.0)),
    )
    house = dataclasses.replace(HOUSE, furniture=(*HOUSE.furniture, *block))
    ways = Navigation(house, 0.25)
    assert ways.is_free((0.5, 3.5))
    assert math.isinf(ways.distance((0.5, 3.5), (3.0, 3.4)))
    spots = ways.room_spots("kitchen_0")
    assert spots
    assert not any(x < 1.2 and y > 2.8 for x, y in spots)
    assert all(ways.distance(spots[0], spot) < math.inf for spot in spots)


@pytest.mark.parametrize(("seed", "kind"), [(1, "office"), (4, "gym")])
def test_places_to_be_sent_to_are_all_that_can_be_reached(seed: int, kind: str) -> None:
    """Against asking for the distance to each free point of the lattice."""
    house = generate(seed, kind)
    ways = Navigation(house, 0.25)
    kept = {spot for room in house.rooms for spot in ways.room_spots(room.name)}
    centre = ways.room_spots(house.rooms[0].name)[0]
    ways._rooms.clear()
    ways._is_connected = lambda points: np.ones(len(points), bool)  # type: ignore[method-assign]
    free = [spot for room in house.rooms for spot in ways.room_spots(room.name)]
    assert kept == {spot for spot in free if ways.distance(centre, spot) < math.inf}


def test_what_is_remembered_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homebody.worlds.house.simulation.walking.walls.MAX_CACHED", 20)
    ways, free = Navigation(HOUSE, 0.25), WAYS.room_spots("kitchen_0")
    assert len(free) > 30
    goals = [*free, *WAYS.room_spots("bedroom_0")]
    assert ways.distances(free[0], goals) == WAYS.distances(free[0], goals)
    for goal in goals:
        assert ways.path(free[5], goal) == WAYS.path(free[5], goal)
        assert len(ways._to) <= 20
    for index in range(30):
        box = dataclasses.replace(HOUSE.piece["table_0"].box, high=(2.0 + index / 100, 2.4, 0.75))
        ways.spots(box, 0.8)
    for start, end in pairwise(goals):
        assert ways.distances(start, (end, free[0])) == WAYS.distances(start, (end, free[0]))
    kept = ways._around, ways._from, ways._paths, ways._ends, ways._lengths, ways._to_all
    assert max(map(len, kept)) <= 20
    assert 10 <= sum(map(len, ways._to_all)) <= 20  # what is of several points counts as many
    ways.distances(free[0], free[:15])
    ways.distances(free[1], free[:15])
    assert len(ways._straight) <= 20


def test_what_is_of_several_points_takes_room_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "MAX_CACHED", 8)
    known: dict[tuple[Point, ...], int] = {}
    for number in range(40):
        goals = tuple((float(number), float(at)) for at in range(1 + number % 5))
        walls.evict_old_points(known, len(goals))
        known[goals] = number
        assert sum(map(len, known)) <= 8
    assert list(known.values())[-1] == 39  # the older go first
    assert sorted(known.values()) == list(known.values())
    walls.evict_old_points(known, 9)
    assert not known


def test_what_is_asked_for_is_not_forgotten_while_room_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(walls, "MAX_CACHED", 8)
    ways = Navigation(two_rooms(), 0.25)
    spots = [spot for room in ways.house.rooms for spot in ways.room_spots(room.name)][:12]
    fresh = Navigation(two_rooms(), 0.25)
    expected = [fresh.nearest([spot])[0].tolist() for spot in spots]
    for begin in range(6):  # some are known, others push them out
        part = slice(begin, begin + 6)
        assert ways.nearest(spots[part]).tolist() == expected[part]


def test_rooms_without_furniture_have_places_to_stand() -> None:
    """The corners outside the walls are as many as those at the doorway within."""
    bare = navigation(dataclasses.replace(HOUSE, furniture=(), things=(), people=()))
    for name in ("kitchen_0", "bedroom_0"):
        spots = bare.room_spots(name)
        assert spots
        assert all(contains(HOUSE.room[name], spot) for spot in spots)
