"""Where things are to each other, on plans that can be checked by hand."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from homebody.authoring.embodiedeval.alike import is_like_room
from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.families.space import (
    ACROSS,
    SECTORS,
    STEP,
    crosses,
    sector,
    sizes_around,
)
from homebody.authoring.embodiedeval.survey import Survey
from homebody.suites.embodiedeval.tasks import Scene
from homebody.worlds.house.model.house import Furniture, Point, Pose
from suites.embodiedeval.small_tasks import survey


@pytest.mark.parametrize(
    ("other", "where"),
    [
        ((0.0, 5.0), "straight ahead"),
        ((-3.0, 3.0), "ahead on the left"),
        ((-4.0, 0.0), "on the left"),
        ((-2.0, -2.0), "behind on the left"),
        ((0.1, -3.0), "straight behind"),
        ((2.0, -2.0), "behind on the right"),
        ((4.0, 0.2), "on the right"),
        ((2.0, 2.0), "ahead on the right"),
        ((1.0, 2.4), None),
    ],
)
def test_directions_of_somebody_who_looks_north(other: Point, where: str | None) -> None:
    assert sector((0.0, 0.0), (0.0, 1.0), other) == where


def test_a_line_runs_through_what_is_between_its_ends() -> None:
    table = Furniture("table_0", "table", "den_0", Pose((2.0, 0.0, 0.0)), (1.0, 1.0, 0.7))
    assert crosses((0.0, 0.0), (4.0, 0.0), table)
    assert not crosses((0.0, 0.0), (1.0, 0.0), table)
    assert not crosses((0.0, 0.45), (4.0, 0.45), table)  # along its edge
    assert crosses((2.0, -3.0), (2.0, 3.0), table)


@pytest.mark.parametrize("value", [0.9, 3.0, 12.0])
def test_sizes_differ_clearly_and_are_plausible(value: float) -> None:
    places = set()
    for seed in range(40):
        right, wrong = sizes_around(value, np.random.default_rng(seed), "m")
        numbers = sorted(float(each.split()[0]) for each in (right, *wrong))
        assert len(set(numbers)) == 8
        assert float(right.split()[0]) == pytest.approx(value, rel=0.05)
        assert numbers[0] > 0.1
        assert numbers[-1] < 50
        places.add(numbers.index(float(right.split()[0])))
    assert len(places) >= 2


def test_sizes_have_two_digits() -> None:
    for value, text in ((0.997, "1.0 m"), (17.04, "17 m"), (108.4, "110 m"), (0.231, "0.23 m")):
        assert sizes_around(value, np.random.default_rng(0), "m")[0] == text


def test_answers_differ_by_what_people_can_tell() -> None:
    for step, unit in ((STEP, "m"), (ACROSS, "times")):
        for seed in range(20):
            right, wrong = sizes_around(1.3, np.random.default_rng(seed), unit, step)
            numbers = sorted(float(each.split()[0]) for each in (right, *wrong))
            ratios = [b / a for a, b in pairwise(numbers)]
            assert min(ratios) >= 0.9 * step, numbers
    assert STEP >= 1.25**2  # an error of a quarter
    assert ACROSS >= 1.4**2


@pytest.mark.parametrize("name", sorted(FAMILIES["spatial_qa"]))
def test_one_answer_is_right_and_the_others_are_not(name: str) -> None:
    for draft in FAMILIES["spatial_qa"][name](survey(), np.random.default_rng(0)):
        assert draft.right
        assert draft.right not in draft.wrong
        assert not any(set(",[]") & set(text) for text in (draft.right, *draft.wrong))
        assert draft.looks


def test_there_are_eight_directions() -> None:
    assert len(set(SECTORS)) == 8


def test_no_room_is_offered_that_may_be_taken_for_the_right_one() -> None:
    assert is_like_room("hospital_corridor", "hallway")
    assert not is_like_room("ward", "restroom")


@pytest.mark.slow
def test_no_room_of_a_hospital_is_offered_that_may_be_taken_for_the_right_one() -> None:
    hospital = Survey(Scene("hospital", 30_063))
    drafts = list(FAMILIES["spatial_qa"]["next_room"](hospital, np.random.default_rng(0)))
    assert {draft.right for draft in drafts} == {"the hospital corridor"}
    for draft in drafts:
        assert "the ward" in draft.wrong
        assert not {"the hallway", "the hospital corridor"} & {*draft.wrong}
