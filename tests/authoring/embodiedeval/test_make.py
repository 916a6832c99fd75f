"""Tasks out of drafts: the shortest run, eight answers, and nothing that gives itself away."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from authoring.embodiedeval.families.tried import flat, made
from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.make import (
    ANSWERS,
    LONGEST,
    SHORTEST,
    _starts,
    choose_answers,
    make_task,
    numbers_around,
    places_of,
)
from homebody.core import CORRECTED
from homebody.suites.embodiedeval.session import start
from homebody.worlds.house.play.navigation_graph import GraphView
from suites.embodiedeval.small_tasks import survey, task_of


@pytest.mark.parametrize(
    ("category", "family"),
    [("attribute_qa", "quantity"), ("navigation", "go_to"), ("object_interaction", "pick_up")],
)
def test_tasks_are_neither_too_short_nor_too_long(category: str, family: str) -> None:
    task = task_of(category, family)
    assert SHORTEST <= len(task.plan) <= LONGEST


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("category", "family"),
    [
        ("navigation", "round_trip"),
        ("object_interaction", "put_back"),
        ("object_interaction", "if_it_is_on"),
        ("object_interaction", "if_something_is_in_it"),
        ("social_interaction", "two_deliveries"),
    ],
)
def test_nothing_is_met_at_the_start(category: str, family: str) -> None:
    tasks = [task for each in (survey, flat) if (task := made(each(), category, family))]
    assert tasks
    for task in tasks:
        assert start(task, {}, 0, CORRECTED).progress() == 0.0


def test_a_start_leads_on_if_any_heading_of_its_point_does() -> None:
    drafts = FAMILIES["navigation"]["go_to"](survey(), np.random.default_rng(0))
    for draft in list(drafts)[:4]:
        for point, heading in _starts(survey(), draft, np.random.default_rng(0)):
            headings = survey().graph.points[point].headings
            ways_on = [at for at, each in enumerate(headings) if each.to is not None]
            telling = [at for at in ways_on if survey().is_telling(GraphView(point, at))]
            assert not telling or heading in telling


def test_numbers_are_in_order_and_the_right_one_is_among_them() -> None:
    wrong = [str(number) for number in range(1, 12) if number != 4]
    options = choose_answers("4", wrong, np.random.default_rng(0), Counter())
    numbers = [int(option.text) for option in options]
    assert numbers == sorted(numbers)
    assert len(numbers) == ANSWERS
    assert 4 in numbers


def test_what_is_often_right_is_often_wrong() -> None:
    wrong = [f"w{number}" for number in range(20)]
    likely = Counter({f"w{number}": 10 for number in range(7)})
    likelier = Counter(
        sum(option.text in likely for option in choose_answers("right", wrong, rng, likely))
        for rng in map(np.random.default_rng, range(160))
    )
    assert len(likelier) == ANSWERS
    assert max(likelier.values()) <= 40
    assert not choose_answers("right", wrong[:6], np.random.default_rng(0), likely)


def test_no_length_is_right_too_often() -> None:
    wrong = ["a" * length for length in (*range(1, 10), *range(11, 20))]
    places, right = Counter(), "b" * 10
    for seed in range(160):
        texts = [
            option.text
            for option in choose_answers(right, wrong, np.random.default_rng(seed), Counter())
        ]
        places[places_of(right, texts, len)[0]] += 1
    assert len(places) == ANSWERS
    assert min(places.values()) >= 5
    assert max(places.values()) <= 40


def test_counts_are_anywhere_among_consecutive_numbers() -> None:
    places = Counter()
    for seed in range(200):
        for right in (1, 3, 9):
            numbers = {right, *map(int, numbers_around(right, np.random.default_rng(seed)))}
            assert max(numbers) - min(numbers) + 1 == len(numbers) == ANSWERS
            assert min(numbers) >= 1
            places[right, right - min(numbers)] += 1
    assert {place for right, place in places if right == 9} == set(range(ANSWERS))
    assert {place for right, place in places if right == 1} == {0}


def test_the_needed_options_are_anywhere() -> None:
    draft = next(
        FAMILIES["social_interaction"]["find_by_activity"](survey(), np.random.default_rng(0))
    )
    (needed,) = draft.does[0]
    places = Counter()
    for number in range(12):
        task = make_task(
            survey(), "social_interaction", "f", draft, f"f-{number}", np.random.default_rng(0)
        )
        assert task is not None
        assert sorted(map(str, task.options)) == sorted(map(str, draft.options))
        places[task.options.index(needed)] += 1
    assert len(places) > 2
