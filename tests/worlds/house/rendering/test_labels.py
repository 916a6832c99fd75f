"""Labels on maps do not overlap."""

from __future__ import annotations

from itertools import combinations

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.labels import Label, PlacedLabel, place_labels
from homebody.worlds.house.rendering.map_picture import map_labels, measure_text

KINDS = ("home", "office", "classroom", "shop", "gym", "restaurant", "gallery")


def squares(text: str, size: float) -> tuple[float, float]:
    return len(text) * size * 0.6, size


def overlapping(placed: list[PlacedLabel]) -> list[tuple[PlacedLabel, PlacedLabel]]:
    return [
        (one, other)
        for one, other in combinations(placed, 2)
        if one.box[0] < other.box[2]
        and other.box[0] < one.box[2]
        and one.box[1] < other.box[3]
        and other.box[1] < one.box[3]
    ]


@pytest.mark.slow
def test_labels_of_fifty_houses_do_not_overlap_and_none_is_lost() -> None:
    for seed in range(50):
        house = generate(seed, KINDS[seed % len(KINDS)], things=0)
        xs, ys = zip(*(point for room in house.rooms for point in room.outline), strict=True)
        frame = min(xs) - 0.5, max(ys) + 0.5, 50.0
        width, height = ((max(s) - min(s) + 1) * 50.0 for s in (xs, ys))
        labels = map_labels(HouseState.start(house), frame, furniture=True)
        placed, legend = place_labels(labels, measure_text, width, height)
        assert not overlapping(placed)
        assert all(one.box[0] >= 0 and one.box[3] <= height for one in placed)
        told = {one.text for one in placed} | {line.split(" ", 1)[1] for line in legend}
        assert told >= {label.text for label in labels}
        rooms = {room.name.replace("_", " ") for room in house.rooms}
        assert rooms <= told


def test_what_has_no_room_is_a_number_with_a_legend() -> None:
    small = (40.0, 40.0, 60.0, 52.0)
    labels = [Label("hallway", 50, 50, 10, small), Label("a long name", 80, 80, 10, small)]
    placed, legend = place_labels([*labels, labels[1]], squares, 100, 100)
    assert [one.text for one in placed] == ["1", "2", "2"]
    assert legend == ["1 hallway", "2 a long name"]
    assert not overlapping(placed)


def test_a_label_makes_way_for_one_that_matters_more() -> None:
    placed, legend = place_labels(
        [Label("first", 50, 50, 10), Label("other", 50, 52, 10)], squares, 100, 100
    )
    assert placed[0].box == (35.0, 45.0, 65.0, 55.0)
    assert placed[1].text == "other"
    assert not overlapping(placed)
    assert legend == []
