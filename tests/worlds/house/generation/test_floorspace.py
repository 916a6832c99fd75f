"""The space of a room: who could still reach what."""

from homebody.worlds.house.generation.floorspace import Wall, room_space
from homebody.worlds.house.generation.geometry import crosses
from homebody.worlds.house.model.house import Opening
from worlds.house.handmade import room


def test_nobody_reaches_around_a_door_that_stands_open() -> None:
    bath = room("bathroom_0", (0.0, 0.0), (2.1, 3.4))
    door = Opening(
        "door_0",
        "door",
        ("bathroom_0", "hallway_0"),
        (0.6, 3.46),
        (1.5, 3.46),
        0.0,
        2.1,
        swings_into="bathroom_0",
        hinge="end",
        states={"open": True, "locked": False},
    )
    space = room_space(bath, [door])
    wall = Wall(0, 2100, 0, 3400, 1)
    behind, ahead = wall.rect(2900, 3180, 0, 140), wall.rect(1500, 1780, 0, 140)
    assert any(row >> 11 & 1 for row in space.free[26:])  # one stands on the other side of the leaf
    assert space.standing_floor(behind) is None
    assert space.standing_floor(ahead) is not None


def test_ways_that_touch_a_rectangle_cross_it() -> None:
    wall = (0, 0, 10, 100)
    assert crosses((-20, 50), (20, 50), wall)
    assert crosses((-20, 90), (20, 95), wall)
    assert not crosses((-20, 50), (-5, 50), wall)
    assert not crosses((-20, 120), (20, 105), wall)
    assert not crosses((20, 0), (20, 100), wall)
