"""What lies open in each room, as things are moved and doors opened."""

from __future__ import annotations

from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.rooms import in_the_open, room_now
from worlds.house.handmade import two_rooms


def objects(state: HouseState, room: str) -> set[str]:
    """The objects that lie open in a room."""
    return {name for name in in_the_open(state, room) if name in state.house.thing}


def test_what_was_shut_in_where_nothing_lay_open_is_seen_when_it_is_opened() -> None:
    state = HouseState.start(two_rooms())
    for name in objects(HouseState.start(two_rooms()), "bedroom_0"):
        state.move(name, ("floor_kitchen_0", ""), Pose((1.0, 2.0, 0.0)))
    assert objects(state, "bedroom_0") == set()
    state.set("safe_0", "open", True)
    assert objects(state, "bedroom_0") == {"book_0"}
    state.set("safe_0", "open", False)
    assert objects(state, "bedroom_0") == set()
    state.move("book_0", ("floor_kitchen_0", ""), Pose((2.0, 2.0, 0.0)))
    assert room_now(state, "book_0") == "kitchen_0"
    assert "book_0" in objects(state, "kitchen_0")
