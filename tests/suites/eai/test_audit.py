"""What the audits of both worlds say of prompts: goals listed twice, tasks asked alike."""

from __future__ import annotations

import re

import pytest

from homebody.core import CORRECTED
from homebody.suites import get_suite
from homebody.suites.eai.behavior import audit as behavior
from homebody.suites.eai.virtualhome import audit as virtualhome
from homebody.suites.eai.virtualhome.plans import render
from homebody.suites.eai.virtualhome.prompts import (
    action_sequencing_prompt,
    goal_interpretation_prompt,
)
from homebody.suites.eai.virtualhome.tasks import class_of, load_task, load_tasks
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
def test_a_line_that_is_repeated_means_all_the_objects_of_its_class() -> None:
    found = virtualhome.find_same_goal_lines()
    assert found[0].reason == (
        "Its prompt repeats a line for different objects: clothes_pants is ON to washing_machine"
        " (clothes_pants.1001, clothes_pants.1002); clothes_shirt is ON to washing_machine"
        " (clothes_shirt.1004, clothes_shirt.1003)."
    )
    assert len(found) == 15
    page = (DOCS / "trust/audits.md").read_text()
    for finding in found:
        assert finding.task in page
        task, prompt = load_task(finding.task), action_sequencing_prompt(load_task(finding.task))
        for line, objects in re.findall(r"(\w+ is [\w ]+) \(([^)]+)\)", finding.reason):
            listed = [o for o in task.relevant if class_of(o) == line.split()[0]]
            assert sorted(listed) == sorted(objects.split(", "))
            assert prompt.splitlines().count(line) == len(listed) > 1


@pytest.mark.usefixtures("eai_data")
def test_listed_objects_of_a_class_do_not_differ_in_their_states() -> None:
    for task in load_tasks(CORRECTED):
        lines = re.findall(r"^(\w+, states: .*)$", action_sequencing_prompt(task), re.MULTILINE)
        assert len(lines) == len(task.changed)
        assert len({line.split(",")[0] for line in lines}) == len(set(lines)), task.id


@pytest.mark.usefixtures("eai_data")
def test_the_page_on_complaints_has_its_numbers_right() -> None:
    tasks = load_tasks(CORRECTED)
    states = [
        re.findall(r"possible states: \[(.*)\]", goal_interpretation_prompt(task)) for task in tasks
    ]
    repeating = sum(
        any(len(set(line.split(", "))) < len(line.split(", ")) for line in lines)
        for lines in states
    )
    without = sum(not task.action_goals for task in tasks)
    page = " ".join((DOCS / "trust/complaints/eai.md").read_text().split())
    assert f"{without} of {len(tasks)} tasks have no action goals" in page
    assert f"{repeating} of {len(tasks)} prompts of goal interpretation repeat" in page


@pytest.mark.usefixtures("eai_data")
def test_one_light_is_not_enough_where_the_prompt_repeats_the_line() -> None:
    suite, task = get_suite("eai.virtualhome.action_sequencing"), load_task("120_1")
    steps = task.task.reference
    assert suite.score(task, render(steps), CORRECTED).metrics["success"] == 1
    of_one = tuple(step for step in steps if "light.411" not in step.args)
    assert len(of_one) < len(steps)
    assert suite.score(task, render(of_one), CORRECTED).metrics["success"] == 0


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


REPORTED = {
    "organizing_file_cabinet": "",
    "thawing_frozen_food": "goal_not_reached",
    "serving_a_meal": "goal_not_reached",
    "packing_child_s_bag": "goal_not_reached",
    "filling_a_Christmas_stocking": "",
    "storing_the_groceries": "goal_not_reached",
    "sorting_mail": "goal_not_reached",
    "putting_away_toys": "",
    "cleaning_up_the_kitchen_only": "",
    "laying_wood_floors": "",
    "sorting_groceries": "goal_not_reached",
}
"""Problem of each task that thread 20 of EAI's repository lists."""


@pytest.mark.usefixtures("behavior_data")
def test_six_of_the_eleven_reported_plans_fail() -> None:
    found = {each.name: each for each in behavior.audit() if each.name in REPORTED}
    assert {name: each.problem for name, each in found.items()} == REPORTED
    sound = [each for each in found.values() if not each.problem]
    assert [each.name for each in sound if not each.published] == ["putting_away_toys"]
    assert not any(each.additional_steps for each in sound)
