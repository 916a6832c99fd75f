"""What the audits of both worlds say of prompts: goals listed twice, tasks asked alike."""

from __future__ import annotations

import pytest

from homebody.core import CORRECTED
from homebody.suites import get_suite
from homebody.suites.eai.behavior import audit as behavior
from homebody.suites.eai.virtualhome import audit as virtualhome
from homebody.suites.eai.virtualhome.plans import render
from homebody.suites.eai.virtualhome.tasks import load_task
from places import DOCS


@pytest.mark.usefixtures("eai_data")
def test_the_page_on_audits_has_the_failing_plans_of_virtualhome() -> None:
    page = (DOCS / "trust/audits.md").read_text()
    failing = [each for each in virtualhome.audit() if each.problem != "no_goal"]
    assert len(failing) == 3
    for one in failing:
        row = f"| {one.task} | {one.name} | {one.problem.replace('_', ' ')} | {one.reason} |"
        assert row in page, row


@pytest.mark.usefixtures("eai_data")
def test_doing_what_is_listed_twice_costs_a_step() -> None:
    found = {finding.task: finding for finding in virtualhome.find_repeated_goals()}
    assert {task for task, finding in found.items() if "SWITCHOFF" in finding.reason} == {
        "1003_2",
        "481_2",
        "986_2",
    }
    assert found["1003_2"].reason == (
        "Its prompt lists the action goal SWITCHOFF twice. SWITCHOFF(computer.417) once more: Not"
        " needed: computer.417 is switched off already. (additional step)"
    )
    assert len(found) == 10
    page = (DOCS / "benchmarks/eai-protocols.md").read_text()
    assert all(task in page for task in found)
    suite = get_suite("eai.virtualhome.action_sequencing")
    assert suite.prompting is not None
    for task in map(load_task, found):
        assert any(
            f"\n{goal}\n{goal}\n" in suite.prompting.prompt(task) for goal in task.action_goals
        )
    task = load_task("1003_2")
    plan = task.task.reference
    score = suite.score(task, render((*plan, plan[-1])), CORRECTED)
    assert score.metrics["additional_step"] == score.metrics["success"] == 1


@pytest.mark.usefixtures("eai_data")
def test_tasks_with_the_same_prompt_are_told() -> None:
    found = virtualhome.find_shared_prompts()
    assert found[0].task == "11_1"
    assert found[0].reason == "Its prompt of action sequencing is also that of 443_2."
    assert len(found) == 28
    assert sum(2 + finding.reason.count(",") for finding in found) == 81


@pytest.mark.usefixtures("behavior_data")
def test_of_behavior_one_goal_is_listed_twice() -> None:
    (finding,) = behavior.find_repeated_goals()
    assert finding.name == "cleaning_up_after_a_meal"
    assert finding.reason == "Its prompts list not stained(room_floor_dining_room.0) 2 times."
