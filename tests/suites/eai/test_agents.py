"""Agents that need no model: shortcuts answer in the format, the same each time, and use nothing
of a task's annotation but what its prompt shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from homebody.core import CORRECTED, Action
from homebody.core.formula import Atom, Not
from homebody.suites import get_suite
from homebody.suites.eai.agents import majority, most_frequent
from homebody.suites.eai.behavior import baselines as behavior
from homebody.suites.eai.behavior.tasks import load_task as behavior_task
from homebody.suites.eai.virtualhome import baselines as virtualhome
from homebody.suites.eai.virtualhome.tasks import load_task as virtualhome_task

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")

SUITES = [
    f"eai.{world}.{ability}"
    for world in ("virtualhome", "behavior")
    for ability in (
        "goal_interpretation",
        "subgoal_decomposition",
        "action_sequencing",
        "transition_modeling",
        "interactive",
    )
]


def test_what_most_say() -> None:
    assert most_frequent(["b", "a", "c", "a", "b"]) == "a"
    assert majority([["b", "a"], ["a", "a"], ["c", "b"], ["b", "d"], ["a"]]) == ["a", "b"]
    assert majority([["a"], ["b"]]) == majority([]) == []


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize("agent", ["copycat", "frequent"])
def test_shortcuts_answer_in_the_format_and_the_same_each_time(name: str, agent: str) -> None:
    suite = get_suite(name)
    for task in suite.tasks.load(CORRECTED)[::20]:
        output = suite.answer(agent, task)
        seed = 0 if suite.playing is not None else 1  # transcripts say theirs
        assert output == suite.answer(agent, task, seed=seed)
        record = suite.score(task, output).record
        assert not record.get("format_errors")
        assert record.get("error_type") != "parsing"
        assert not record.get("problem")


def forgetful(task: Any, goals: bool) -> Any:
    """The task with another annotated plan and, if ``goals``, without annotated goals: what prompts
    do not show."""
    other = replace(task.task, reference=(Action("WALK", ("nowhere.1",)),))
    if goals:
        return replace(task, task=other, state_goals=(), relation_goals=(), action_goals=())
    return replace(task, task=other)


@pytest.mark.parametrize("agent", ["copycat", "frequent"])
def test_shortcuts_do_not_see_the_annotation_of_the_task(agent: str) -> None:
    for ability in ("goal_interpretation", "action_sequencing"):
        suite = get_suite(f"eai.virtualhome.{ability}")
        for task in suite.tasks.load(CORRECTED)[::20]:
            other = forgetful(task, ability == "goal_interpretation")
            assert suite.answer(agent, task) == suite.answer(agent, other)
    suite = get_suite("eai.behavior.action_sequencing")
    for task in suite.tasks.load(CORRECTED)[::10]:
        assert suite.answer(agent, task) == suite.answer(agent, forgetful(task, goals=False))


def written(plan: Callable[[Any], tuple[Action, ...]], task: Any) -> list[str]:
    return list(map(str, plan(task)))


def test_copied_plans_do_what_the_goal_says_and_no_more() -> None:
    task = virtualhome_task("417_1")
    assert task.state_goals[0] == ("CLOSED", "washing_machine.1000")
    assert written(virtualhome.copied_plan, task)[:2] == [
        "WALK(washing_machine.1000)",
        "CLOSE(washing_machine.1000)",
    ]
    assert written(behavior.copied_plan, behavior_task("bottling_fruit")) == [
        "OPEN(jar_0)",
        "OPEN(jar_1)",
        "OPEN(fridge_97)",
        "RIGHT_GRASP(strawberry_0)",
        "RIGHT_PLACE_INSIDE(jar_0)",
        "RIGHT_GRASP(peach_0)",
        "RIGHT_PLACE_INSIDE(jar_0)",
        "CLOSE(jar_0)",
        "CLOSE(jar_1)",
        "SLICE(strawberry_0)",
        "SLICE(peach_0)",
    ]


def test_frequent_plans_are_those_of_other_tasks() -> None:
    task = virtualhome_task("417_1")
    names = {name for action in virtualhome.frequent_plan(task) for name in action.args}
    assert names <= {*task.relevant}
    literals = behavior.stated_literals(behavior_task("bottling_fruit"))
    assert Atom("sliced", ("peach_0",)) in literals
    assert Not(Atom("open", ("jar_0",))) in literals


def test_a_copied_goal_is_the_effect_of_every_operator() -> None:
    suite = get_suite("eai.virtualhome.transition_modeling")
    task = suite.task("27_2")
    text = json.loads(suite.answer("copycat", task))["output"]
    assert text.count("(:action") == len(task.to_define)
    assert text.count(":precondition ()") == len(task.to_define)
    assert "(obj_ontop ?obj1 ?obj2)" in text
    assert suite.score(task, suite.answer("copycat", task)).metrics["success"] == 1.0
