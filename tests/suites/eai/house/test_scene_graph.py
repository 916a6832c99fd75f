"""Scene graphs from pictures: how they are read and what they are worth."""

from __future__ import annotations

import json

import pytest

from homebody.core import Score
from homebody.suites.eai.house.scene_graph import SUITE, category, truth
from homebody.suites.eai.house.tasks import HouseTask, load_rooms


@pytest.fixture(scope="module")
def room() -> HouseTask:
    return max(load_rooms(), key=lambda task: len(task.line.room.facts))


def scored(task: HouseTask, **graph: object) -> Score:
    return SUITE.score(task, json.dumps({"nodes": [], "states": [], "edges": [], **graph}))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("bar_stool_12", "bar_stool"),
        ("Bar stool 2", "bar_stool"),
        ("tv", "tv"),
        ("floor_kitchen_0", "floor"),
        ("floor_lamp_1", "floor_lamp"),
        (" plate#3 ", "plate"),
        ("_7", ""),
    ],
)
def test_numbers_of_nodes_mean_nothing(name: str, word: str) -> None:
    assert category(name) == word


def test_counts_are_of_categories(room: HouseTask) -> None:
    wanted = truth(room)
    some = next(row for row, number in wanted["nodes"].items() if number == 1)[0]
    score = scored(room, nodes=[f"{some}_5", f"{some}_6", "unicorn_1"])
    right, wrong, missed = score.record["counts"]["nodes"]
    assert (right, wrong, missed) == (1, 2, wanted["nodes"].total() - 1)
    assert score.record["hallucinations"] == 1
    assert "unicorn" in score.record["explanation"]


def test_an_edge_the_wrong_way_round_is_wrong(room: HouseTask) -> None:
    (relation, first, second), *_ = truth(room)["edges"]
    right = scored(room, edges=[[relation, f"{first}_1", f"{second}_1"]]).record["counts"]["edges"]
    wrong = scored(room, edges=[[relation, f"{second}_1", f"{first}_1"]]).record["counts"]["edges"]
    assert right[:2] == [1, 0]
    assert wrong[:2] == [0, 1]


def test_what_pictures_do_not_show_is_neither_right_nor_wrong() -> None:
    task, fact = next(
        (task, fact)
        for task in load_rooms()
        for fact in task.line.room.unclear
        if not any(category(fact[1]) == category(state[1]) for state in task.line.room.facts)
        and not any(
            category(fact[1]) == category(each.name) and each.name != fact[1]
            for each in task.line.room.objects
        )
    )
    counts = scored(task, states=[list(fact)]).record["counts"]["states"]
    assert counts[:2] == [0, 0]


@pytest.mark.parametrize(
    "text",
    ["", "a nice kitchen", "[]", '{"nodes": 3}', '{"nodes": [[["a"]], 4, {"b": 1}]}', "[" * 9_000],
)
def test_any_text_has_a_score(room: HouseTask, text: str) -> None:
    score = SUITE.score(room, text)
    assert score.metrics["f1"] == 0.0


def test_too_many_nodes_cost_no_time(room: HouseTask) -> None:
    score = scored(room, nodes=["chair_1"] * 7_000)
    assert score.record["format_errors"] == 2_000
    assert score.metrics["precision"] < 0.01
