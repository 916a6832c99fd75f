"""Maps."""

from __future__ import annotations

import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.model.told_apart import appearance
from homebody.worlds.house.rendering.map_picture import map_labels, map_picture
from homebody.worlds.house.rendering.render import Renderer
from worlds.house.rendering.small_house import BALL, small_house


def test_a_map_shows_the_room_and_its_walls() -> None:
    renderer = Renderer.of(small_house(BALL))
    image = map_picture(renderer, 20.0, labels=False)
    assert image.shape == (round(5.0 * 20), round(7.0 * 20), 3)
    assert (image[2, 2] == (250, 250, 248)).all()
    assert image[50, 50].max() > 100  # the floor
    assert (image[9, 70] == (58, 60, 66)).all()  # the north wall
    marked = map_picture(renderer, 20.0, marked=[(3.0, 1.0, "here")])
    assert (marked != image).any()
    crossed = map_picture(renderer, 20.0, labels=False, lines=[((1.0, 1.0), (3.0, 1.0))])
    assert (crossed != image).any(axis=2).sum() == 41  # two metres, one pixel wide
    with pytest.raises(HomebodyError):
        map_picture(renderer, 0.0)


def test_names_that_do_not_fit_stand_in_a_legend_below() -> None:
    renderer = Renderer.of(small_house(BALL))
    image = map_picture(renderer, 12.0, furniture=True)
    plain = map_picture(renderer, 12.0, labels=False)
    assert image.shape[1] == plain.shape[1]
    assert image.shape[0] > plain.shape[0]


def test_people_have_the_words_of_texts() -> None:
    house = generate(2, "restaurant")
    state = HouseState.start(house)
    texts = [label.text for label in map_labels(state, (0.0, 0.0, 20.0))]
    assert house.people
    for person in house.people:
        assert person.name.replace("_", " ") not in texts
        assert appearance(person, house.people).removeprefix("the ") in texts
