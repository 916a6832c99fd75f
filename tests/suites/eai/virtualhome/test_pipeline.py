"""Goals that a model interpreted, put in place of the annotated ones."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED
from homebody.suites import get_suite
from homebody.suites.eai.pipeline import MAX_GOALS
from homebody.suites.eai.virtualhome.pipeline import PIPELINE
from homebody.suites.eai.virtualhome.tasks import (
    VirtualHomeTask,
    class_of,
    id_of,
    load_task,
    load_tasks,
)

pytestmark = pytest.mark.usefixtures("eai_data")
GOALS = PIPELINE.first
PLANS = get_suite("eai.virtualhome.action_sequencing")


def answer(states: Any = (), relations: Any = (), actions: Any = ()) -> str:
    return json.dumps(
        {
            "node goals": [{"name": n, "state": s} for n, s in states],
            "edge goals": [{"from_name": a, "relation": r, "to_name": b} for a, r, b in relations],
            "action goals": [{"action": name, "description": ""} for name in actions],
        }
    )


def goals_of(task: VirtualHomeTask) -> tuple[Any, ...]:
    return task.state_goals, task.relation_goals, task.action_goals


def test_goals_are_those_of_the_answer_over_objects() -> None:
    changed, record = PIPELINE.feed(
        load_task("27_2"),
        answer(
            [("washing_machine", "on"), ("washing_machine", "ON"), ("character", "SITTING")],
            [("soap", "ON", "washing_machine"), ("character", "CLOSE", "soap")],
            ["wash", "WASH"],
        ),
    )
    assert goals_of(changed) == (
        (("ON", "washing_machine.1001"), ("SITTING", "character.65")),
        (("ONTOP", "soap.1002", "washing_machine.1001"), ("NEXT_TO", "character.65", "soap.1002")),
        ("WASH",),
    )
    assert record == {
        "readable": True,
        "goals": {"state": 2, "relation": 2, "action": 1},
        "dropped_goals": 0,
    }
    prompt = PLANS.prompting.prompt(changed)
    assert "washing_machine is ON\ncharacter is SITTING\n" in prompt
    assert "soap is ON to washing_machine\ncharacter is CLOSE to soap\n" in prompt
    assert "WASH\n" in prompt


@pytest.mark.slow
def test_a_class_is_the_listed_object_with_the_lowest_id_or_else_the_scenes() -> None:
    several = 0
    for task in load_tasks()[::7]:
        objects = task.task.initial.objects
        for name in sorted({class_of(name) for name in objects}):
            same = [thing for thing in objects if class_of(thing) == name]
            listed = [thing for thing in task.relevant if class_of(thing) == name]
            found = PIPELINE.feed(task, answer([(name, "ON")]))[0].state_goals
            assert found == (("ON", min(listed or same, key=id_of)),)
            several += len(same) > 1
    assert several > 100


def test_what_does_not_exist_or_is_malformed_is_dropped_and_counted() -> None:
    text = answer(
        [("unicorn", "ON"), ("soap", "MELTED"), ("soap", "DIRTY")],
        [("soap", "WITHIN", "washing_machine"), ("soap", "ON", "unicorn")],
        ["FLY", "WASH|RINSE"],
    )
    changed, record = PIPELINE.feed(load_task("27_2"), text)
    assert goals_of(changed) == ((("DIRTY", "soap.1002"),), (), ())
    assert record["dropped_goals"] == 6
    changed, record = PIPELINE.feed(load_task("27_2"), '{"node goals": [3, {"name": "soap"}]}')
    assert (record["readable"], record["dropped_goals"]) == (
        True,
        4,
    )  # with two lists that are missing


@pytest.mark.parametrize(
    "text", ["", "no", "[]", "{}{}", '{"a":' * 3000, "{" * 300_000, "\ud800", "null"]
)
def test_an_answer_that_cannot_be_read_gives_no_goals(text: str) -> None:
    changed, record = PIPELINE.feed(load_task("27_2"), text)
    assert not record["readable"]
    assert goals_of(changed) == ((), (), ())
    assert "There is no action requirement." in PLANS.prompting.prompt(changed)


def test_the_number_of_goals_is_bounded() -> None:
    task = load_task("27_2")
    classes = sorted({class_of(name) for name in task.task.initial.objects})[:20]
    text = answer(relations=[(a, "ON", b) for a in classes for b in classes])
    changed, record = PIPELINE.feed(task, text)
    assert len(changed.relation_goals) == MAX_GOALS
    assert record["dropped_goals"] == 400 - MAX_GOALS


def test_annotated_goals_stay_as_they_are_where_classes_tell_objects_apart() -> None:
    generator, same, others = np.random.default_rng(0), 0, 0
    for task in load_tasks():
        changed, record = PIPELINE.feed(task, GOALS.text_agents["oracle"].answer(task, generator))
        assert (record["readable"], record["dropped_goals"]) == (True, 0)
        things = {
            name
            for _, *args in (*task.state_goals, *task.relation_goals)
            for name in args
            if name != task.task.world.agent
        }
        listed = [class_of(name) for name in task.relevant]
        if all(listed.count(class_of(name)) == 1 for name in things):
            assert goals_of(changed)[:2] == goals_of(task)[:2]
            same += 1
        else:
            others += 1
    assert (same, others) == (326, 16)


WORDS = "name state from_name relation to_name action soap ON on WASH x"
words = st.sampled_from(WORDS.split())
values = st.recursive(
    words | st.none() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=3),
    max_leaves=10,
)
lists = st.sampled_from(["node goals", "edge goals", "action goals"])


@pytest.mark.slow
@settings(max_examples=300)
@given(document=st.dictionaries(lists, values, max_size=3) | values)
def test_any_answer_gives_a_task_with_goals_that_exist(document: Any) -> None:
    task = load_task("27_2")
    changed, record = PIPELINE.feed(task, json.dumps(document))
    for field in fields(VirtualHomeTask):
        if not field.name.endswith("_goals"):
            assert getattr(changed, field.name) is getattr(task, field.name)
    objects = task.task.initial.objects
    states, relations, actions = goals_of(changed)
    assert all(name in objects for _, *args in (*states, *relations) for name in args)
    assert set(actions) <= {"WASH"}
    assert [*record["goals"].values()] == [len(states), len(relations), len(actions)]
    assert PLANS.prompting.prompt(changed)
    score = PLANS.score(task, "{}", CORRECTED)
    assert score.record["goals_met"]["state"][1] == 3  # judged by the annotated goals, as ever
