"""A caption lists what a picture shows, by the rule that its docstring states."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.play.captions import caption
from worlds.house.handmade import six_rooms

pytest.importorskip("embreex", reason="needs: pip install 'homebody[house]'")


def test_kinds_are_listed_by_thirds_the_largest_first() -> None:
    from homebody.worlds.house.rendering.render import Picture

    house = six_rooms()
    state = HouseState.start(house, {"human": Body(Pose((1.0, 1.0, 0.0)))})
    piece, thing = house.furniture[0], house.things[0]
    same = [other for other in house.things if other.category == thing.category][:1]
    names = ("", house.rooms[0].floor_name, piece.name, thing.name, same[0].name, "human")
    ids = np.ones((90, 90), int)
    ids[:40, :30] = 2
    ids[50:60, 5:20] = 3
    ids[70:72, 35:50] = 5
    ids[0, 89] = 4  # too small
    seen = Picture(np.zeros((90, 90, 3), np.uint8), np.zeros((90, 90)), ids, names)  # type: ignore[arg-type]
    words = [each.category.replace("_", " ") for each in (piece, thing)]
    assert caption(seen, state) == (
        f"on the left: {words[0]}, {words[1]}; in the middle: the human; on the right: nothing."
    )
