"""Plans in symbolic worlds, step by step: what changed, what was lacking, and the same verdict as
the score's."""

from __future__ import annotations

import pytest

from homebody.core import CORRECTED
from homebody.results.viewing.symbolic import symbolic_replay
from homebody.suites import get_suite

PLANS = "eai.virtualhome.action_sequencing"


@pytest.mark.usefixtures("eai_data")
def test_each_step_says_what_it_changed_and_the_last_what_it_lacked() -> None:
    suite = get_suite(PLANS)
    plan = '{"WALK": ["soap", "1002"], "GRAB": ["soap", "1002"], "SWITCHON": ["soap", "1002"]}'
    made = symbolic_replay(suite, suite.task("27_2"), plan, CORRECTED)
    assert made is not None
    walk, grab, switch = made["steps"]
    assert [step["ok"] for step in made["steps"]] == [True, True, False]
    assert "NEXT_TO(character.65, soap.1002)" in walk["added"]
    assert grab["added"] == [
        "HOLDS_RH(character.65, soap.1002)",
        "TAKEN_NEXT_TO(soap.1002, basket_for_clothes.1000)",
    ]
    assert switch["message"] == "Not possible: soap.1002 has no switch."
    assert switch["failing"]
    assert len(grab["conditions"]) == len(made["end"]["conditions"]) == 5
    assert made["end"]["success"] is False


@pytest.mark.usefixtures("eai_data")
def test_steps_that_are_not_needed_or_not_tried_are_told() -> None:
    suite = get_suite(PLANS)
    plan = (
        '{"WALK": ["soap", "1002"], "TURNTO": ["soap", "1002"], "TURNTO": ["soap", "1002"],'
        ' "EAT": ["soap", "1002"], "GRAB": ["soap", "1002"]}'
    )
    made = symbolic_replay(suite, suite.task("27_2"), plan, CORRECTED)
    assert made is not None
    assert [step["ok"] for step in made["steps"]] == [True, True, None, False, None]
    assert made["steps"][2]["needless"] is True
    assert made["steps"][4]["message"] == "not executed: the plan ended earlier"


@pytest.mark.sampled
@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize("agent", ["oracle", "copycat", "random"])
@pytest.mark.parametrize("ability", ["action_sequencing", "subgoal_decomposition"])
@pytest.mark.parametrize("world", ["virtualhome", "behavior"])
def test_the_end_is_as_it_is_scored(world: str, ability: str, agent: str) -> None:
    suite = get_suite(f"eai.{world}.{ability}")
    tasks = suite.tasks.load(CORRECTED)
    shown = 0
    for task in tasks[:: len(tasks) // 4]:
        output = suite.answer(agent, task)
        score, made = suite.score(task, output), symbolic_replay(suite, task, output, CORRECTED)
        if made is None or not score.valid:
            continue
        shown += 1
        assert made["end"]["success"] is score.record["success"]
        assert [step["ok"] for step in made["steps"]].count(False) == (
            not score.record["executable"]
        )
    assert shown


@pytest.mark.usefixtures("eai_data")
def test_what_is_no_plan_has_no_replay() -> None:
    suite = get_suite(PLANS)
    task = suite.task("27_2")
    assert symbolic_replay(suite, task, "<script>", CORRECTED) is None
    goals = get_suite("eai.virtualhome.goal_interpretation")
    assert symbolic_replay(goals, goals.task("27_2"), "{}", CORRECTED) is None
