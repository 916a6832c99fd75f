"""Relations on scenes placed by hand, at and around each threshold."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.worlds.house.model.house import Box, House, Person, Pose, Receptacle, Thing, Vector
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.simulation.relations import (
    corners,
    is_clean,
    is_close,
    is_clustered,
    is_dirty,
    is_empty,
    is_facing,
    is_filled,
    is_in_room,
    is_inside,
    is_next_to,
    is_occluded,
    is_on_floor,
    is_on_top,
    is_powered_off,
    is_powered_on,
    rests_on,
    room_of,
)
from worlds.house.handmade import INSIDE, piece, room, table, thing, two_rooms

FLOOR = ("floor_kitchen_0", "")
MM = 0.001


def scene(*things: Thing) -> HouseState:
    """Objects in the kitchen of ``two_rooms``, with its furniture."""
    house = two_rooms()
    return HouseState.start(dataclasses.replace(house, things=things))


def cube(name: str, x: float, y: float, z: float = 0.0, side: float = 0.1) -> Thing:
    return thing(name, (x, y, z), FLOOR, (side, side, side))


# -- on top -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "on"),
    [(2.0, True), (2.65 - MM, True), (2.65, True), (2.65 + MM, False), (3.2, False)],
)
def test_on_top_needs_one_corner_above(x: float, on: bool) -> None:
    """The table ends at x = 2.6; the cube's western corners are 0.05 m west of its middle."""
    assert is_on_top(scene(cube("box_0", x, 2.0, 0.75)), "box_0", "table_0") is on


def test_on_top_of_a_turned_thing_looks_at_its_own_corners() -> None:
    turned = thing("box_0", (2.66, 2.0, 0.75), FLOOR, (0.1, 0.1, 0.1), yaw=45.0)
    state = scene(turned)
    assert is_on_top(state, "box_0", "table_0")  # a corner reaches 0.07 m west
    assert not is_on_top(scene(cube("box_0", 2.66, 2.0, 0.75)), "box_0", "table_0")


def test_rays_go_on_through_what_they_meet_first() -> None:
    state = scene(
        thing("plate_0", (2.0, 2.0, 0.75), ("table_0", "top"), (0.2, 0.2, 0.02)),
        thing("cup_0", (2.0, 2.0, 0.77), ("table_0", "top")),
    )
    assert is_on_top(state, "cup_0", "plate_0")
    assert is_on_top(state, "cup_0", "table_0")
    assert not is_on_top(state, "plate_0", "cup_0")
    assert not is_on_top(state, "table_0", "cup_0")
    assert not is_on_top(state, "cup_0", "cup_0")


def test_what_bears_a_thing() -> None:
    state = HouseState.start(two_rooms())
    assert rests_on(state, "cup_0", "table_0")
    assert not rests_on(state, "cup_0", "table_1")
    state.move("cup_0", ("basket_0", "inside"), Pose((5.0, 3.4, 0.02)))
    assert rests_on(state, "cup_0", "floor_bedroom_0")
    assert rests_on(state, "cup_0", "basket_0")


# -- inside -----------------------------------------------------------------------------------


def test_inside_a_cupboard_and_not_on_it() -> None:
    state = HouseState.start(two_rooms())
    assert is_inside(state, "milk_0", "fridge_0")
    assert not is_inside(state, "cup_0", "table_0")
    assert not is_inside(state, "milk_0", "safe_0")
    assert not is_inside(state, "fridge_0", "milk_0")


@pytest.mark.parametrize(("x", "inside"), [(5.0, True), (5.25, True), (5.3, False), (5.6, False)])
def test_inside_a_basket_as_far_as_two_pairs_of_rays(x: float, inside: bool) -> None:
    """The basket's hollow is from x = 4.82 to 5.18 and open above: only rays along x and y."""
    ball = thing("ball_0", (x, 3.4, 0.02), ("basket_0", "inside"), (0.2, 0.1, 0.1))
    basket = thing("basket_0", (5.0, 3.4, 0.0), FLOOR, (0.4, 0.3, 0.3), (INSIDE,))
    state = HouseState.start(dataclasses.replace(two_rooms(), things=(ball, basket)))
    assert is_inside(state, "ball_0", "basket_0") is inside


def test_rays_reach_a_metre() -> None:
    def hall(width: float) -> HouseState:
        # a trough open above and at its ends: only the rays along x can meet it
        space = Receptacle("inside", "on", (-width / 2, -0.5, 0.1), (width / 2, 0.5, 2.0))
        trough = piece("trough_0", "hall_0", (3.0, 3.0), (width + 0.2, 1.0, 1.0), 0.0, (space,))
        ball = thing("ball_0", (3.0, 3.0, 0.2), ("trough_0", "inside"), (0.02, 0.02, 0.1))
        rooms = (room("hall_0", (0.0, 0.0), (6.0, 6.0)),)
        return HouseState.start(House(0, "home", rooms, (), (trough,), (ball,)))

    assert is_inside(hall(1.96), "ball_0", "trough_0")
    assert is_inside(hall(1.98), "ball_0", "trough_0")  # the corners are 0.01 m off the middle
    assert not is_inside(hall(2.02), "ball_0", "trough_0")


def slabs(outer: Box, hollow: Box) -> list[Box]:
    """What is left of a box when a hollow in it is taken away: up to six boxes."""
    parts = []
    low, high = list(outer.low), list(outer.high)
    for axis in range(3):
        for end in (0, 1):
            a, b = list(low), list(high)
            if end == 0:
                b[axis] = low[axis] = hollow.low[axis]
            else:
                a[axis] = high[axis] = hollow.high[axis]
            if b[axis] - a[axis] > 1e-9:
                parts.append(Box((a[0], a[1], a[2]), (b[0], b[1], b[2])))
    return parts


def meets(point: Vector, axis: int, side: int, walls: list[Box]) -> bool:
    """Whether a ray of 1 m along an axis meets one of some boxes."""
    others = [k for k in range(3) if k != axis]
    for box in walls:
        if all(box.low[k] <= point[k] <= box.high[k] for k in others):
            near = box.low[axis] - point[axis] if side > 0 else point[axis] - box.high[axis]
            if 0.0 <= near <= 1.0:
                return True
    return False


cells = st.integers(1, 40).map(lambda number: number * 0.05)


@settings(max_examples=150)
@given(
    size=st.tuples(cells, cells, cells),
    rims=st.tuples(*[st.tuples(st.integers(0, 3), st.integers(0, 3))] * 3),
    inner=st.tuples(cells, cells, cells),
    at=st.tuples(st.integers(-20, 20), st.integers(-20, 20), st.integers(0, 40)),
)
def test_inside_is_what_casting_all_rays_says(
    size: Vector, rims: tuple[tuple[int, int], ...], inner: Vector, at: tuple[int, int, int]
) -> None:
    """All 54 rays against the walls of a box with one hollow, by other means than the module's."""
    low = tuple(-size[k] / 2 + rims[k][0] * 0.05 if k < 2 else rims[2][0] * 0.05 for k in range(3))
    high = tuple((size[k] / 2 if k < 2 else size[2]) - rims[k][1] * 0.05 for k in range(3))
    if any(high[k] - low[k] < 0.04 for k in range(3)):
        return
    a, b, c = low
    d, e, f = high
    space = Receptacle("inside", "within", (a, b, c), (d, e, f))
    chest = piece("chest_0", "hall_0", (5.0, 5.0), size, 0.0, (space,))
    # off the multiples of 0.05 m, so that no ray runs along an edge
    where = 5.0 + at[0] * 0.05 + 0.013, 5.0 + at[1] * 0.05 + 0.017, at[2] * 0.05 + 0.011
    inner = inner[0] - 0.004, inner[1] - 0.006, inner[2] - 0.008
    cup = thing("cup_0", where, ("chest_0", "inside"), inner)
    rooms = (room("hall_0", (0.0, 0.0), (10.0, 10.0)),)
    state = HouseState.start(House(0, "home", rooms, (), (chest,), (cup,)))
    hollow = Box((a + 5, b + 5, c), (d + 5, e + 5, f))
    walls = slabs(chest.box, hollow)
    points = [*corners(state, "cup_0"), state.box("cup_0").centre]
    # a ray that begins in solid matter meets nothing
    free = [p for p in points if all(hollow.low[k] <= p[k] <= hollow.high[k] for k in range(3))]
    count = sum(
        meets(p, axis, -1, walls) and meets(p, axis, 1, walls) for p in free for axis in range(3)
    )
    assert is_inside(state, "cup_0", "chest_0") is (count >= 2)


# -- rooms and floors --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "inside"),
    [(2.0, True), (4.0, True), (4.05, True), (4.05 + MM, False), (4.2, False)],
)
def test_a_quarter_of_the_keypoints_must_be_in_the_room(y: float, inside: bool) -> None:
    """The room ends at y = 4: half of the corners of a cube are in until it is 0.05 m beyond."""
    assert is_in_room(scene(cube("box_0", 2.0, y)), "box_0", "kitchen_0") is inside


def test_two_keypoints_of_nine_are_not_enough() -> None:
    """Turned by 45 degrees at a wall: first one edge, which is two corners, then three."""
    half = 0.1 * 2**0.5 / 2
    for y, inside in ((4.0 + half - MM, False), (4.0 - MM, True), (4.0 + MM, False)):
        turned = thing("box_0", (2.0, y, 0.0), FLOOR, (0.1, 0.1, 0.1), yaw=45.0)
        assert is_in_room(scene(turned), "box_0", "kitchen_0") is inside


def test_above_the_ceiling_is_not_in_the_room() -> None:
    assert is_in_room(scene(cube("box_0", 2.0, 2.0, 2.55)), "box_0", "kitchen_0")
    assert not is_in_room(scene(cube("box_0", 2.0, 2.0, 2.61)), "box_0", "kitchen_0")
    with pytest.raises(KeyError):
        is_in_room(scene(cube("box_0", 2.0, 2.0)), "box_0", "attic_0")


@pytest.mark.parametrize(
    ("z", "on"), [(0.0, True), (0.04, True), (0.04 + MM, False), (-0.04, True), (-0.041, False)]
)
def test_on_floor_within_four_centimetres(z: float, on: bool) -> None:
    assert is_on_floor(scene(cube("box_0", 1.0, 3.0, z)), "box_0") is on


def test_not_on_floor_in_furniture_or_outside_but_on_a_rug() -> None:
    assert not is_on_floor(scene(cube("box_0", 2.0, 2.0)), "box_0")  # in the table's box
    assert not is_on_floor(scene(cube("box_0", -1.0, 2.0)), "box_0")
    assert is_on_floor(scene(cube("box_0", 6.0, 3.4, 0.01)), "box_0")


# -- next to and clustered ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("apart", "near"),
    [(0.0, True), (0.5 - MM, True), (0.5, True), (0.5 + MM, False), (2.0, False)],
)
def test_next_to_up_to_half_a_metre_between_boxes(apart: float, near: bool) -> None:
    state = scene(cube("box_0", 1.0, 3.0), cube("box_1", 1.1 + apart, 3.0))
    assert is_next_to(state, "box_0", "box_1") is near
    assert is_next_to(state, "box_1", "box_0") is near


def test_next_to_measures_diagonally() -> None:
    """0.3 and 0.4 m apart along the axes is 0.5 m."""
    assert is_next_to(scene(cube("a", 1.0, 1.0), cube("b", 1.4, 1.5)), "a", "b")
    assert not is_next_to(scene(cube("a", 1.0, 1.0), cube("b", 1.401, 1.501)), "a", "b")


@pytest.mark.parametrize(
    ("z", "near"), [(0.0, True), (0.1 - MM, True), (0.1, False), (0.1 + MM, False)]
)
def test_next_to_must_overlap_in_height(z: float, near: bool) -> None:
    """The lower cube is 0.1 m high; touching is not overlapping."""
    assert is_next_to(scene(cube("a", 1.0, 3.0), cube("b", 1.2, 3.0, z)), "a", "b") is near


def test_nothing_is_next_to_itself_or_the_table_it_stands_on() -> None:
    state = HouseState.start(two_rooms())
    assert not is_next_to(state, "cup_0", "cup_0")
    assert not is_next_to(state, "cup_0", "table_0")
    with pytest.raises(KeyError):
        is_next_to(state, "cup_0", "unicorn_0")


def test_clustered_needs_a_neighbour_for_each_not_for_all() -> None:
    row = [cube(f"c{i}", 0.5 + 0.55 * i, 3.0) for i in range(4)]
    state = scene(*row, cube("far", 3.9, 0.9))
    assert is_clustered(state, ["c0", "c1", "c2", "c3"])
    assert not is_next_to(state, "c0", "c3")
    assert not is_clustered(state, ["c0", "c1", "far"])
    assert not is_clustered(state, ["c0", "c3"])
    assert not is_clustered(state, ["c0"])


@given(st.floats(0.5, 3.5), st.floats(0.5, 3.5), st.floats(0.5, 3.5), st.floats(0.5, 3.5))
def test_next_to_is_symmetric(a: float, b: float, c: float, d: float) -> None:
    state = scene(cube("a", a, b), cube("b", c, d))
    assert is_next_to(state, "a", "b") == is_next_to(state, "b", "a")
    assert is_close(state, "a", "b") == is_close(state, "b", "a")


def test_states_are_said_only_of_what_can_have_them() -> None:
    state = HouseState.start(two_rooms())
    assert is_dirty(state, "cup_0")
    assert not is_clean(state, "cup_0")
    assert is_clean(state, "cup_1")
    assert is_empty(state, "cup_0")
    assert is_powered_on(state, "fridge_0")
    assert is_powered_off(state, "lamp_0")
    every = (is_clean, is_dirty, is_filled, is_empty, is_powered_on, is_powered_off)
    assert not any(name(state, "ball_0") for name in every)
    state.set("cup_0", "filled", True)
    assert is_filled(state, "cup_0")


# -- distance and sight ------------------------------------------------------------------------


@pytest.mark.parametrize(("apart", "close"), [(1.5, True), (1.5 + MM, False)])
def test_close_up_to_a_metre_and_a_half(apart: float, close: bool) -> None:
    state = scene(cube("a", 1.0, 3.0), cube("b", 1.1 + apart, 3.0))
    assert is_close(state, "a", "b") is close
    assert is_close(state, "a", "b", limit=2.0)


def test_not_close_through_a_wall() -> None:
    ball = thing("b", (4.2, 1.0, 0.0), ("floor_bedroom_0", ""), (0.1, 0.1, 0.1))
    state = scene(cube("a", 3.9, 1.0), ball)
    assert room_of(state, "b") == "bedroom_0"
    assert not is_close(state, "a", "b")


@pytest.mark.parametrize(
    ("yaw", "faces"), [(0.0, True), (44.9, True), (-44.9, True), (45.1, False), (180.0, False)]
)
def test_facing_within_45_degrees(yaw: float, faces: bool) -> None:
    state = scene(cube("b", 1.0, 3.5))
    state.bodies["robot"] = Body(Pose((1.0, 1.0, 0.0), yaw))
    assert is_facing(state, "robot", "b") is faces


def test_facing_ends_at_walls_and_at_its_range() -> None:
    state = scene(cube("b", 7.0, 2.5))
    state.bodies["robot"] = Body(Pose((3.0, 2.5, 0.0), 270.0))  # east
    assert not is_facing(state, "robot", "b")  # the wall
    state.walk("robot", Pose((3.0, 3.3, 0.0), 270.0))
    assert is_facing(state, "robot", "b")  # through the doorway
    assert not is_facing(state, "robot", "b", limit=4.0)
    assert not is_facing(state, "b", "b")


def test_occluded_by_walls_furniture_and_doors_of_cupboards() -> None:
    state = HouseState.start(two_rooms())
    eye = (1.0, 3.0, 1.4)
    assert not is_occluded(state, "cup_0", eye)
    assert is_occluded(state, "key_0", (1.0, 1.0, 1.4))  # in the other room
    assert is_occluded(state, "milk_0", eye)  # the fridge is shut
    state.set("fridge_0", "open", True)
    assert not is_occluded(state, "milk_0", (0.4, 1.0, 0.6))
    low = scene(cube("ball_0", 2.0, 1.0, side=0.2))
    assert is_occluded(low, "ball_0", (2.0, 3.5, 0.3))  # behind the table
    assert not is_occluded(low, "ball_0", (2.0, 3.5, 3.5))  # over it


def test_people_of_the_scene_have_places_too() -> None:
    person = Person("person_0", "standing", "kitchen_0", Pose((3.0, 3.0, 0.0)), (0.5, 0.4, 1.7))
    house = dataclasses.replace(two_rooms(), people=(person,))
    state = HouseState.start(house)
    assert is_in_room(state, "person_0", "kitchen_0")
    assert room_of(state, "person_0") == "kitchen_0"
    assert is_next_to(state, "person_0", "table_0")
    assert is_facing(state, "person_0", "table_0") is False


def test_table_turned_by_a_quarter() -> None:
    house = dataclasses.replace(
        two_rooms(), furniture=(table("table_0", "kitchen_0", (2.0, 2.0), 90.0),)
    )
    house = dataclasses.replace(house, things=(cube("a", 2.0, 2.64, 0.75),))
    state = HouseState.start(house)
    assert is_on_top(state, "a", "table_0")  # it is 1.2 m deep now
