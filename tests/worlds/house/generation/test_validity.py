"""The checker finds what is wrong with a house: each spoilt in one way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check
from homebody.worlds.house.model.house import (
    Furniture,
    House,
    Opening,
    Person,
    Pose,
    Receptacle,
    Room,
    Thing,
)

TOP = Receptacle("top", "on", (-0.5, -0.3, 0.75), (0.5, 0.3, 1.25))
TABLE = Furniture(
    "table_0",
    "table",
    "kitchen_0",
    Pose((2.0, 2.0, 0.0)),
    (1.2, 0.8, 0.75),
    (TOP,),
    {},
    {"clean": True},
)
CUP = Thing(
    "apple_0",
    "apple",
    (0.08, 0.08, 0.08),
    Pose((2.0, 2.0, 0.75)),
    ("table_0", "top"),
    {},
    {"clean": True},
)


def _house() -> House:
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    beside = tuple((x + 4.12, y) for x, y in square)
    return House(
        0,
        "home",
        (
            Room("kitchen_0", "kitchen", square, 2.6, "oak_planks", (1.0, 1.0, 1.0)),
            Room("bedroom_0", "bedroom", beside, 2.6, "oak_planks", (1.0, 1.0, 1.0)),
        ),
        (
            Opening(
                "doorway_0",
                "doorway",
                ("kitchen_0", "bedroom_0"),
                (4.06, 1.0),
                (4.06, 1.9),
                0.0,
                2.1,
            ),
            Opening("entrance_0", "entrance", ("kitchen_0",), (-0.06, 1.0), (-0.06, 1.9), 0.0, 2.1),
            Opening("window_0", "window", ("kitchen_0",), (1.0, 4.06), (2.0, 4.06), 1.0, 2.1),
        ),
        (TABLE,),
        (CUP,),
    )


def _piece(name: str, category: str, x: float, y: float, **more: object) -> Furniture:
    size = more.pop("size", (1.0, 0.5, 1.0))
    z = more.pop("z", 0.0)
    yaw = more.pop("yaw", 0.0)
    return Furniture(name, category, "kitchen_0", Pose((x, y, z), yaw), size, **more)  # type: ignore[arg-type]


def test_a_sound_house_has_no_problems():
    assert check(_house()) == []


def _with(*furniture: Furniture, things: tuple[Thing, ...] = (), **more: object) -> House:
    house = _house()
    return replace(
        house, furniture=(*house.furniture, *furniture), things=(*house.things, *things), **more
    )


def _moved(**more: object) -> Thing:
    return replace(CUP, **{"name": "apple_1", **more})  # type: ignore[arg-type]


BAD: dict[str, House] = {
    "kitchen_0 has a floor of the unknown material jelly": replace(
        _house(), rooms=(replace(_house().rooms[0], floor="jelly"), *_house().rooms[1:])
    ),
    "2 things have the name table_0": _with(replace(TABLE, pose=Pose((3.0, 3.5, 0.0)))),
    "car_0 overlaps table_0": _with(_piece("car_0", "rug", 2.2, 2.2)),
    "rug_0 is not wholly in kitchen_0": _with(
        _piece("rug_0", "rug", 0.2, 3.0, states={"clean": True})
    ),
    "painting_0 hangs in the air": _with(_piece("painting_0", "painting", 2.0, 3.3, z=1.2)),
    "painting_0 hangs over window_0": _with(
        _piece("painting_0", "painting", 1.5, 3.98, z=1.2, yaw=180.0, size=(0.6, 0.04, 0.5))
    ),
    "unicorn_0 is of the unknown category": _with(_piece("unicorn_0", "unicorn", 3.0, 3.5)),
    "has the states": _with(_piece("shelf_0", "shelf", 3.0, 3.7, yaw=180.0)),
    "bedroom_0 cannot be reached": _with(
        _piece("sculpture_0", "sculpture", 3.4, 1.5, size=(0.6, 2.9, 1.0))
    ),
    "the entrance is blocked": _with(
        _piece("sculpture_0", "sculpture", 0.5, 1.5, size=(0.9, 2.9, 1.0))
    ),
    "shelf_0 cannot be reached": _with(
        _piece("shelf_0", "shelf", 0.3, 3.7, size=(0.5, 0.5, 1.0), states={"clean": True}),
        _piece("sculpture_0", "sculpture", 0.8, 3.6, size=(0.4, 0.8, 1.0)),
        _piece("sculpture_1", "sculpture", 0.5, 2.9, size=(1.0, 0.5, 1.0)),
        _piece("sculpture_2", "sculpture", 1.25, 3.4, size=(0.4, 1.2, 1.0)),
    ),
    "there is no place to stand in front of shelf_0": _with(
        _piece("shelf_0", "shelf", 3.0, 3.7, states={"clean": True}, size=(0.8, 0.4, 1.5))
    ),
    "apple_1 overlaps apple_0": _with(things=(_moved(),)),
    "apple_1 does not stand on": _with(things=(_moved(pose=Pose((2.3, 2.0, 0.9))),)),
    "apple_1 does not fit in": _with(things=(_moved(pose=Pose((2.5, 2.0, 0.75))),)),
    "apple_1 is on cloud": _with(things=(_moved(place=("cloud", "top")),)),
    "which it does not have": _with(things=(_moved(place=("table_0", "drawer")),)),
    "apple_1 is in itself": _with(things=(_moved(place=("apple_1", "inside")),)),
    "apple_1 overlaps table_0": _with(
        things=(_moved(pose=Pose((2.5, 2.0, 0.0)), place=("floor_kitchen_0", "")),)
    ),
    "apple_1 is on floor_kitchen_0 but does not touch it": _with(
        things=(_moved(pose=Pose((1.0, 1.0, 0.1)), place=("floor_kitchen_0", "")),)
    ),
    "is locked without a key": _with(
        _piece(
            "safe_0", "safe", 3.0, 0.3, size=(0.4, 0.4, 0.5), states={"open": False, "locked": True}
        )
    ),
    "opened by apple_0, which is not a key": _with(
        _piece(
            *("safe_0", "safe", 3.0, 0.3),
            size=(0.4, 0.4, 0.5),
            states={"open": False, "locked": True},
            key="apple_0",
        )
    ),
    "its key is locked away": _with(
        _piece(
            *("safe_0", "safe", 3.0, 0.3),
            size=(0.4, 0.4, 0.5),
            states={"open": False, "locked": True},
            key="key_0",
            receptacles=(Receptacle("inside", "within", (-0.1, -0.1, 0.1), (0.1, 0.1, 0.4)),),
        ),
        things=(
            Thing("key_0", "key", (0.03, 0.08, 0.01), Pose((3.0, 0.3, 0.1)), ("safe_0", "inside")),
        ),
    ),
    "person_0 stands in table_0": _with(
        people=(
            Person("person_0", "standing", "kitchen_0", Pose((2.0, 2.0, 0.0)), (0.5, 0.5, 1.7)),
        )
    ),
    "person_0 is sitting on nothing": _with(
        people=(Person("person_0", "sitting", "kitchen_0", Pose((1.0, 3.0, 0.0)), (0.5, 0.5, 1.3)),)
    ),
    "there is no entrance": replace(_house(), openings=_house().openings[:1]),
    "doorway_0 is not in a wall of kitchen_0": replace(
        _house(),
        openings=(
            replace(_house().openings[0], start=(4.3, 1.0), end=(4.3, 1.9)),
            *_house().openings[1:],
        ),
    ),
    "entrance_0 is not in an outer wall": replace(
        _house(),
        openings=(
            _house().openings[0],
            replace(_house().openings[1], start=(4.06, 2.5), end=(4.06, 3.4)),
        ),
    ),
    "are closer than a wall": replace(
        _house(),
        rooms=(
            _house().rooms[0],
            replace(_house().rooms[1], outline=((4.0, 0.0), (8.0, 0.0), (8.0, 4.0), (4.0, 4.0))),
        ),
    ),
    "walls of kitchen_0 are not parallel": replace(
        _house(),
        rooms=(
            replace(_house().rooms[0], outline=((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (1.0, 3.0))),
        ),
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_each_fault_is_told(message: str):
    problems = check(BAD[message])
    assert any(message in problem for problem in problems), problems


@pytest.mark.slow
def test_a_key_may_be_locked_in_if_that_can_be_unlocked():
    houses = [generate(seed, "office", 6) for seed in range(8)]
    assert any(piece.states.get("locked") for house in houses for piece in house.furniture)
    assert not any(map(check, houses))
