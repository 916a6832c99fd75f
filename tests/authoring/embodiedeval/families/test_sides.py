"""Questions about where things are: geometry by hand, and drafts that are well formed."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from homebody.authoring.embodiedeval import families
from homebody.authoring.embodiedeval.bearings import (
    ahead,
    left_of,
    only_in,
    turn_between,
    yaw_to,
)
from homebody.authoring.embodiedeval.draft import FAMILIES, Draft
from homebody.authoring.embodiedeval.families.plan import along_walls, from_door, way
from homebody.authoring.embodiedeval.families.sides import evenly
from homebody.authoring.embodiedeval.make import ANSWERS, make_task
from homebody.authoring.embodiedeval.survey import Survey
from homebody.suites.embodiedeval.tasks import Scene
from homebody.worlds.house.model.house import Box, Room


def box(x: float, y: float, size: float = 0.6) -> Box:
    """A box of a side about a point."""
    half = size / 2
    return Box((x - half, y - half, 0.0), (x + half, y + half, 1.0))


@cache
def survey(kind: str, seed: int) -> Survey:
    assert families
    return Survey(Scene(kind, seed))


NEW = ("facing", "left_of", "perspective", "taller", "larger_room", "path", "entering", "order")


def test_directions_turn_to_the_left() -> None:
    assert yaw_to((0, 0), (-1, 0)) == pytest.approx(90)
    assert turn_between(170, -170) == pytest.approx(20)


def test_left_is_the_left_hand_of_who_faces_a_piece() -> None:
    others = {"east": box(1, 0), "west": box(-1, 0), "far": box(9, 0)}
    assert left_of(box(0, 0), 0.0, others) == "east"
    assert left_of(box(0, 0), 180.0, others) == "west"
    others = {"north": box(0, 1), "south": box(0, -1)}
    assert left_of(box(0, 0), 90.0, others) == "north"
    assert left_of(box(0, 0), 270.0, others) == "south"
    assert left_of(box(0, 0), 0.0, {"far": box(3, 0)}) is None
    assert left_of(box(0, 0), 0.0, {"aside": box(1, 0.5)}) is None


def test_what_is_ahead_is_met_first_and_clearly() -> None:
    boxes = {"near": box(-2, 0), "far": box(-4, 0), "other": box(2, 0)}
    assert ahead((0, 0), 90.0, boxes, 6.0) == "near"
    assert ahead((0, 0), 0.0, boxes, 6.0) is None
    assert ahead((0, 0.35), 90.0, boxes, 6.0) is None


def test_what_somebody_has_to_the_left_is_told_from_what_is_ahead() -> None:
    boxes = {"left": box(-1, 0), "ahead": box(0, 2), "behind": box(-2.5, 0)}
    assert only_in((0, 0), 0.0, 60.0, 120.0, boxes, 3.0) == "left"
    assert only_in((0, 0), 180.0, 60.0, 120.0, boxes, 3.0) is None


def test_no_answer_is_right_more_often_than_another_if_it_can_be_helped() -> None:
    drafts = [Draft(f"q{at}", "a" if at < 20 else "b") for at in range(24)]
    drawn = [draft.right for draft in evenly(np.random.default_rng(0), drafts, 8)]
    assert drawn.count("a") == drawn.count("b") == 4


def test_who_comes_in_is_told_on_which_side_and_how_far() -> None:
    near, far = "less than 2.5 metres away", "more than 2.5 metres away"
    assert from_door((0, 0), 0.0, box(-1, 2)) is None  # neither near nor far
    assert from_door((0, 0), 0.0, box(-0.8, 1.6)) == f"ahead to the left and {near}"
    assert from_door((0, 0), 180.0, box(-2, -4)) == f"ahead to the right and {far}"
    assert from_door((0, 0), 90.0, box(-0.5, 1.5)) == f"sharply to the right and {near}"
    assert from_door((0, 0), 0.0, box(0, 2)) is None


def test_the_way_between_two_rooms_is_told_if_there_is_one_only() -> None:
    beside = {"a": ["b"], "b": ["a", "c", "d"], "c": ["b", "d"], "d": ["b", "c", "e"], "e": ["d"]}
    assert way(beside, "a", "b") == []
    assert way({**beside, "c": ["b"], "d": ["b", "e"]}, "a", "e") == ["b", "d"]
    assert way(beside, "a", "e") is None


def test_what_stands_at_the_walls_is_told_clockwise() -> None:
    room = Room("r", "kitchen", ((0, 0), (6, 0), (6, 6), (0, 6)), 2.6, "oak", (1.0, 1.0, 1.0))
    boxes = {
        "south": box(3, 0.3),
        "middle": box(3, 3),
        "west": box(0.3, 3),
        "north": box(2, 5.7),
        "east": box(5.7, 4),
        "later": box(5.7, 2),
    }
    assert along_walls(room, boxes) == ["north", "east", "later", "south", "west"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "seed"), [("home", 4), pytest.param("office", 5, marks=pytest.mark.slow)]
)
def test_drafts_are_well_formed(kind: str, seed: int) -> None:
    for name in NEW:
        for draft in FAMILIES["spatial_qa"][name](survey(kind, seed), np.random.default_rng(0)):
            texts = (draft.right, *draft.wrong)
            assert len(set(texts)) >= ANSWERS, (name, draft)
            assert draft.right not in draft.wrong, (name, draft)
            assert draft.looks, (name, draft)
            assert not any(set(",()[]_") & set(text) for text in texts), (name, draft)
            assert "_" not in draft.instruction, (name, draft)


@pytest.mark.slow
def test_a_task_of_each_family_can_be_solved() -> None:
    rng, solved = np.random.default_rng(0), set()
    for kind, seed in (("home", 4), ("office", 5), ("gym", 30083)):
        for name in sorted(set(NEW) - solved):
            for draft in FAMILIES["spatial_qa"][name](survey(kind, seed), rng):
                if make_task(survey(kind, seed), "spatial_qa", name, draft, "t", rng):
                    solved.add(name)
                    break
    # few scenes have two pieces of a kind whose heights differ so much
    assert solved >= set(NEW) - {"taller"}
