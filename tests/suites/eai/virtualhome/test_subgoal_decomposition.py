"""Subgoal decomposition on VirtualHome: scores, agents, and how the published evaluator differs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, PUBLISHED, HomebodyError, Protocol
from homebody.results.outputs import Output
from homebody.results.scoring import score_outputs
from homebody.suites.eai.virtualhome.audit import audit
from homebody.suites.eai.virtualhome.protocol import DIFFERENCES
from homebody.suites.eai.virtualhome.subgoal_decomposition import (
    SUITE,
    copycat,
    oracle,
    render,
    score,
)
from homebody.suites.eai.virtualhome.subgoals import read_subgoals
from homebody.suites.eai.virtualhome.tasks import load_task, load_tasks
from suites.eai.virtualhome.subgoal_verdicts import LIGHT, ME, verdict

pytestmark = pytest.mark.usefixtures("eai_data")


# -- scores and agents -----------------------------------------------------------------------------


@given(st.text(max_size=200) | st.lists(st.text(max_size=20), max_size=5).map(render))
@settings(max_examples=150)
def test_any_text_gives_a_score(output: str) -> None:
    for protocol in (CORRECTED, PUBLISHED):
        found = score(load_task(LIGHT, protocol), output, protocol)
        assert 0.0 <= found.metrics["progress"] <= 1.0
        assert found.record["error_type"] or found.record["executable"]
        json.dumps(dict(found.record))


@pytest.mark.slow
def test_the_oracle_reaches_every_goal_but_those_of_audited_tasks() -> None:
    audited = {finding.task for finding in audit()}
    failed = set()
    for task in load_tasks():
        found = score(task, oracle(task, np.random.default_rng(0)), CORRECTED)
        if found.valid and not found.record["success"]:
            failed.add(task.id)
        if found.valid:
            assert found.record["error_type"] is None, found.record["explanation"]
            assert found.record["additional_steps"] == 0, found.record["explanation"]
    assert failed <= audited
    assert len(failed) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "states", "actions"), [(CORRECTED, 189, 145), (PUBLISHED, 154, 31)]
)
def test_copying_the_goal_nearly_solves_the_suite(
    protocol: Protocol, states: int, actions: int
) -> None:
    solved = [
        task
        for task in load_tasks(protocol)
        if score(task, copycat(task, np.random.default_rng(0)), protocol).record["success"]
    ]
    assert sum(not task.action_goals for task in solved) == states  # of 189, and 4 without a goal
    assert sum(bool(task.action_goals) for task in solved) == actions  # of 149


def test_the_copycat_writes_what_the_prompt_lists() -> None:
    task = load_task(LIGHT)
    copied = json.loads(copycat(task, np.random.default_rng(0)))["output"]
    assert len(copied) == 1
    assert copied[0].replace(" and ", "\n") in SUITE.prompting.prompt(task)


def test_bounds_are_options() -> None:
    task = load_task(LIGHT)
    output = render(["ON(light.245)", "ON(light.411)"])
    assert SUITE.score(task, output, CORRECTED).record["success"]
    narrow = SUITE.with_bounds({"depth": 1})
    assert narrow.scoring.bounds["depth"] == 1
    assert not narrow.score(task, output, CORRECTED).record["executable"]
    with pytest.raises(HomebodyError, match="no bound 'seconds'"):
        SUITE.with_bounds({"seconds": 3})
    with pytest.raises(HomebodyError, match="positive"):
        SUITE.with_bounds({"nodes": 0})


def test_files_may_name_tasks_as_the_published_evaluator_does() -> None:
    scored = score_outputs(
        SUITE, [Output(f"scene_1_{LIGHT}", render(["ON(light.245)"])), Output(LIGHT, "")], CORRECTED
    )
    assert [found.identifier for found in scored.scores] == [LIGHT, LIGHT]


def test_the_summary_has_the_published_schema() -> None:
    tasks = load_tasks()[::40]
    generator = np.random.default_rng(3)
    scores = [
        score(task, agent(task, generator), CORRECTED)
        for task in tasks
        for agent in (each.answer for each in SUITE.text_agents.values())
    ]
    published = SUITE.summarise(scores)
    percent = SUITE.summarise(scores, exact=True)
    assert list(published["goal_evaluation"]) == [
        "task_success_rate",
        "state_goal",
        "relation_goal",
        "action_goal",
        "overall_goal",
    ]
    assert list(published["trajectory_evaluation"]["runtime_error"]) == [
        "wrong_order",
        "missing_step",
        "additional_step",
        "affordance",
    ]
    share = published["goal_evaluation"]["task_success_rate"]
    assert 0 < share < 1
    assert percent["goal_evaluation"]["task_success_rate"] == pytest.approx(100 * share, abs=0.01)


def test_the_prompt_names_the_objects_and_the_goal() -> None:
    prompt = SUITE.prompting.prompt(load_task("27_2"))
    assert "| washing_machine.1001 | placable_objects | ['CAN_OPEN'" in prompt
    assert "ONTOP(soap.1002, washing_machine.1001)" in prompt
    assert "<" not in prompt
    assert "HOLDS_RH" in SUITE.prompting.system()


def test_the_oracle_is_read_without_error_on_every_task() -> None:
    for task in load_tasks():
        told = json.loads(oracle(task, np.random.default_rng(0)))["output"]
        assert len(read_subgoals(task, render(told), CORRECTED)) >= len(told) > 0


# -- the published evaluator ---------------------------------------------------------------------

# quirk -> (task, output, quirks mended beforehand, entry that changes, with it, without it)
CASES: dict[str, tuple[str, str, tuple[str, ...], str, Any, Any]] = {
    "subgoals_read_by_pattern": (
        LIGHT,
        render(["first the lamp", "ON(light.245)", "ON(light.411)"]),
        (),
        "error_type",
        None,
        "parsing",
    ),
    "subgoals_refined_by_rules": (
        LIGHT,
        render(["SITTING(character.65)", "ON(light.245)", "ON(light.411)"]),
        ("goals_met_along_the_way",),
        "subgoals",
        None,
        None,
    ),
    "goals_met_along_the_way": (
        LIGHT,
        render(["ON(light.245)", "ON(light.411)", "OFF(light.245)"]),
        (),
        "success",
        True,
        False,
    ),
    "goals_outside_subgoal_vocabulary": (
        "183_2",
        render([f"NEXT_TO({ME}, coffe_maker.290)"]),
        (),
        "error_type",
        "parsing",
        None,
    ),
    "action_goals_by_name": ("", "", (), "goals_met", None, None),
    "additional_steps_of_failed_plans_uncounted": (
        LIGHT,
        render(["ON(light.245)", "ON(light.245)"]),
        (),
        "additional_steps",
        0,
        1,
    ),
    "repeated_goals_of_unread_outputs": (
        "540_1",
        "no subgoals",
        (),
        "goals_met",
        None,
        None,
    ),
}


def test_every_difference_has_a_case() -> None:
    names = {d.name for d in DIFFERENCES if d.module == "subgoal_decomposition"}
    assert names == set(CASES)


@pytest.mark.parametrize(
    "quirk", sorted(name for name, case in CASES.items() if case[4] is not None or case[5])
)
def test_quirk_changes_the_published_verdict(quirk: str) -> None:
    identifier, output, mended, key, kept, without = CASES[quirk]
    base = PUBLISHED.without(*mended)
    assert verdict(output, identifier, base)[key] == kept
    assert verdict(output, identifier, base.without(quirk))[key] == without


def test_rules_skip_what_they_have_no_rule_for() -> None:
    _, output, mended, *_ = CASES["subgoals_refined_by_rules"]
    base = PUBLISHED.without(*mended)
    by_rules = verdict(output, protocol=base)
    searched = verdict(output, protocol=base.without("subgoals_refined_by_rules"))
    assert by_rules["success"]
    assert not any("[SIT]" in line for line in by_rules["plan"])
    assert searched["success"]
    assert any("[SIT]" in line for line in searched["plan"])


def test_a_repeated_goal_of_an_unread_output_counts_twice() -> None:
    kept = verdict("nothing", "540_1", PUBLISHED)["goals_met"]["relation"]
    mended = verdict("nothing", "540_1", PUBLISHED.without("repeated_goals_of_unread_outputs"))
    assert kept[1] == mended["goals_met"]["relation"][1] + 1


def test_what_counts_as_an_additional_step_is_called_one() -> None:
    task = load_task("27_2")
    answer = json.dumps({"output": ["CLOSED(washing_machine.1001)"]})
    record = SUITE.score(task, answer, CORRECTED).record
    assert record["additional_steps"] == 1
    assert record["explanation"].startswith("Subgoal 1 holds already. (additional step) ")
