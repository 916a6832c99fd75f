"""Where things fit."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.simulation.placing import fit, fit_on_floor
from homebody.worlds.house.simulation.relations import (
    gap,
    is_inside,
    is_next_to,
    is_on_top,
)
from worlds.house.handmade import piece, table, thing, two_rooms

TOP = ("table_0", "top")


def with_things(*sizes: tuple[float, float, float], yaw: float = 0.0) -> HouseState:
    """Objects on the kitchen floor, and a turned table."""
    things = [
        thing(f"box_{i}", (0.5, 3.0, 0.0), ("floor_kitchen_0", ""), size)
        for i, size in enumerate(sizes)
    ]
    tables = (table("table_0", "kitchen_0", (2.0, 2.0), yaw),)
    house = dataclasses.replace(two_rooms(), things=tuple(things), furniture=tables)
    return HouseState.start(house)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.floats(0.02, 0.6), st.floats(0.02, 0.6), st.floats(0.02, 0.5)), min_size=1,
        max_size=8,
    ),
    st.sampled_from([0.0, 90.0, 180.0, 270.0]),
    st.tuples(st.floats(0, 4), st.floats(0, 4)),
)  # fmt: skip
def test_what_is_put_on_a_table_is_on_it_and_touches_nothing(
    sizes: list[tuple[float, float, float]], yaw: float, toward: tuple[float, float]
) -> None:
    state = with_things(*sizes, yaw=yaw)
    box = state.house.piece["table_0"].box
    for name in state.house.thing:
        pose = fit(state, name, TOP, (*toward, 0.0))
        if pose is None:
            continue
        state.move(name, TOP, pose)
        own = state.box(name)
        assert is_on_top(state, name, "table_0")
        for axis in (0, 1):
            assert own.low[axis] >= box.low[axis] - 0.001
            assert own.high[axis] <= box.high[axis] + 0.001
        for other in state.objects_at(TOP):
            if other != name:
                assert gap(own, state.box(other)) > 0.005


def test_near_the_wanted_point_and_beside_another() -> None:
    state = with_things((0.1, 0.1, 0.1), (0.1, 0.1, 0.1))
    pose = fit(state, "box_0", TOP, (2.4, 2.1, 0.0))
    assert pose is not None
    assert pose.position == (2.4, 2.1, 0.75)
    state.move("box_0", TOP, pose)
    pose = fit(state, "box_1", TOP, (0.0, 0.0, 0.0), beside="box_0")
    assert pose is not None
    state.move("box_1", TOP, pose)
    assert is_next_to(state, "box_0", "box_1")
    assert gap(state.box("box_0"), state.box("box_1")) < 0.02


def test_turned_if_it_only_fits_so_and_refused_if_not() -> None:
    state = with_things((0.7, 1.1, 0.1), (0.9, 1.3, 0.1), (0.1, 0.1, 0.7))
    pose = fit(state, "box_0", TOP, (2.0, 2.0, 0.0))
    assert pose is not None
    assert pose.yaw == 90.0
    assert fit(state, "box_1", TOP, (2.0, 2.0, 0.0)) is None
    assert fit(state, "box_2", TOP, (2.0, 2.0, 0.0)) is None  # 0.6 m of space above the table
    with pytest.raises(KeyError):
        fit(state, "box_0", ("table_0", "attic"), (2.0, 2.0, 0.0))


def test_furniture_that_stands_on_a_surface_takes_its_place() -> None:
    microwave = dataclasses.replace(
        piece("microwave_0", "kitchen_0", (1.8, 2.0), (0.6, 0.8, 0.3)),
        pose=Pose((1.8, 2.0, 0.75)),
    )
    house = dataclasses.replace(
        two_rooms(), furniture=(table("table_0", "kitchen_0", (2.0, 2.0)), microwave)
    )
    state = HouseState.start(house)
    pose = fit(state, "ball_0", TOP, (1.8, 2.0, 0.0))
    assert pose is not None
    state.move("ball_0", TOP, pose)
    assert gap(state.box("ball_0"), state.box("microwave_0")) > 0.0


def test_into_a_turned_basket() -> None:
    house = two_rooms()
    turned = dataclasses.replace(house.thing["basket_0"], pose=Pose((5.0, 3.4, 0.0), 30.0))
    things = tuple(turned if thing.name == "basket_0" else thing for thing in house.things)
    state = HouseState.start(dataclasses.replace(house, things=things))
    for name in ("cup_0", "cup_1", "key_0"):
        pose = fit(state, name, ("basket_0", "inside"), (5.0, 3.4, 0.0))
        assert pose is not None
        state.move(name, ("basket_0", "inside"), pose)
        assert is_inside(state, name, "basket_0")


def test_on_the_floor_in_front_of_the_agent() -> None:
    state = HouseState.start(two_rooms())
    state.bodies["robot"] = Body(Pose((3.0, 3.2, 0.0), 90.0))  # facing west
    pose = fit_on_floor(state, "cup_0", "floor_kitchen_0", "robot", 0.8)
    assert pose is not None
    assert pose.position[0] < 2.7
    assert pose.position[1] == pytest.approx(3.2)
    beside = fit_on_floor(state, "cup_0", "floor_kitchen_0", "robot", 0.8, beside="table_0")
    assert beside is not None
    state.move("cup_0", ("floor_kitchen_0", ""), beside)
    assert is_next_to(state, "cup_0", "table_0")
    with pytest.raises(KeyError):
        fit_on_floor(state, "cup_0", "floor_attic_0", "robot", 0.8)


def test_what_stands_in_a_basket_counts_where_it_is_put() -> None:
    house = two_rooms()
    state = HouseState.start(house)
    tall = dataclasses.replace(house.thing["statue_0"], size=(0.05, 0.05, 0.55))
    things = tuple(tall if thing.name == "statue_0" else thing for thing in house.things)
    state = HouseState.start(dataclasses.replace(house, things=things))
    shelf = ("fridge_0", "shelf")  # 0.5 m high
    state.set("fridge_0", "open", True)
    state.move("milk_0", ("floor_kitchen_0", ""), Pose((0.5, 3.5, 0.0)))
    assert fit(state, "basket_0", shelf, (0.0, 0.0, 0.0)) is not None
    at = state.poses["basket_0"].position
    state.move("statue_0", ("basket_0", "inside"), Pose((at[0] + 0.25, at[1], 0.02)))
    assert fit(state, "basket_0", shelf, (0.0, 0.0, 0.0)) is None  # it would stick out
    pose = fit(state, "basket_0", TOP, (0.0, 2.0, 0.0))
    assert pose is not None
    state.move("basket_0", TOP, pose)
    table = state.box("table_0")
    for name in ("basket_0", "statue_0"):  # which leans out of it to one side
        box = state.box(name)
        for axis in (0, 1):
            assert table.low[axis] - 0.001 <= box.low[axis]
            assert box.high[axis] <= table.high[axis] + 0.001
    state.bodies["robot"] = Body(Pose((2.0, 1.2, 0.0)))
    for name in ("cup_0", "ball_0", "key_0"):
        pose = fit(state, name, TOP, state.poses["statue_0"].position)
        assert pose is not None
        state.move(name, TOP, pose)
        assert gap(state.box(name), state.box("statue_0")) > 0.005
