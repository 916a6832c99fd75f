"""Scores: as action sequencing judges the plan of what was carried out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, DONE, Action
from homebody.suites import get_suite
from homebody.suites.eai.behavior import plans as behavior_plans
from homebody.suites.eai.behavior.audit import audit as audit_behavior
from homebody.suites.eai.interactive.session import EaiSession, start
from homebody.suites.eai.virtualhome import plans as virtualhome_plans
from homebody.suites.eai.virtualhome.audit import audit as audit_virtualhome
from suites.eai.interactive.played import ROOM, WORLDS, begin, do, play_any, scenes, tasks

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")

RENDER = {"virtualhome": virtualhome_plans.render, "behavior": behavior_plans.render}
READING = {
    "virtualhome": (
        *("ids_required", "only_changed_objects_known", "actions_missing_from_vocabulary"),
        *("outputs_read_by_pattern", "ground_truth_plan_not_judged", "crashes"),
        "parsing_errors_counted_twice",
    ),
    "behavior": ("first_brackets_evaluated", "unread_outputs_meet_what_held", "burn_is_known"),
}
"""Quirks of reading plans, which sessions have nothing to do with."""


def as_plan(world: str, session: EaiSession, protocol: Any) -> dict[str, Any]:
    """What action sequencing says of the actions that were carried out."""
    suite = get_suite(f"eai.{world}.action_sequencing")
    output = RENDER[world](session.actions)
    record = suite.score(session.scene.annotated_task, output, protocol).record
    names = ("success", "progress", "goals_met", "valid", "categories", "task", "identifier")
    return {name: record[name] for name in (*names, "plan")}


@pytest.mark.sampled
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("protocol", ["corrected", "published"])
@settings(max_examples=40)
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(1, 25), room=st.booleans())
def test_the_verdict_is_that_of_action_sequencing_on_what_was_carried_out(
    world: str, protocol: str, data: st.DataObject, seed: int, steps: int, room: bool
) -> None:
    suite = get_suite(f"eai.{world}.interactive")
    rules = suite.protocol(protocol)
    rules = rules.without(*READING[world])
    found = data.draw(tasks(world, rules))
    session = play_any(start(found, ROOM if room else {}, 0, rules), seed, steps)
    score = session.score(rules)
    if session.actions:  # to action sequencing an empty plan is no plan
        expected = as_plan(world, session, rules)
        assert {name: score.record[name] for name in expected} == expected
    assert score.record["actions"] + score.record["refused"] == score.record["steps"]


@pytest.mark.slow
@pytest.mark.parametrize("room", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("world", WORLDS)
def test_the_oracle_misses_the_tasks_that_the_audit_lists(world: str, room: bool) -> None:
    suite = get_suite(f"eai.{world}.interactive")
    settings = ROOM if room else {}
    missed = {
        found.annotated_task.id
        for found in scenes(world)
        if not suite.score(found, suite.answer("oracle", found, settings=settings)).record[
            "success"
        ]
    }
    audit = audit_virtualhome() if world == "virtualhome" else audit_behavior()
    listed = {finding.task for finding in audit if finding.problem not in ("", "no_goal")}
    assert missed == listed
    assert len(missed) == {"virtualhome": 3, "behavior": 12}[world]


def test_a_longer_way_is_worth_less() -> None:
    """Four of five actions of the annotated plan do; six others make nine."""
    detours = ("OPEN[fridge_97]", "CLOSE[fridge_97]")
    for extra, worth in ((0, 1.0), (1, 3 / 5), (3, 3 / 9)):
        session = begin("behavior", "installing_a_fax_machine")
        thing, table = "facsimile_0", "breakfast_table_37"
        do(session, f"TOGGLE_ON[{thing}]")
        for _ in range(extra):
            do(session, f"TOGGLE_OFF[{thing}]", f"TOGGLE_ON[{thing}]")
        assert not do(session, detours[0]).ok  # what is refused is no part of the way
        do(session, f"LEFT_GRASP[{thing}]")
        assert session.score(CORRECTED).metrics["path_weighted_success"] == 0
        do(session, f"LEFT_PLACE_ONTOP[{table}]")
        score = session.score(CORRECTED)
        assert score.metrics["success"] == 1
        assert score.metrics["path_weighted_success"] == pytest.approx(worth)
        assert score.record["refused"] == score.record["hallucination"] == 1


def test_what_was_refused_is_counted_by_its_error() -> None:
    session = begin("virtualhome", "120_1")
    do(session, "SWITCHON[light.411]", "FLY[x]", "WALK[x]", "WALK[]", "EAT[light.411]")
    do(session, "WALK[light.411]", "SWITCHON[light.411]", "SWITCHON[light.411]")
    session.note("agent", "hm")
    record = session.score(CORRECTED).record
    counts = {
        "missing_step": 1, "hallucination": 2, "argument_number": 1, "affordance_error": 1,
        "additional_step": 1, "unreadable": 1, "wrong_order": 0, "execution_failure": 0,
    }  # fmt: skip
    assert {name: record[name] for name in counts} == counts
    assert (record["steps"], record["actions"], record["refused"]) == (9, 2, 7)
    assert record["explanation"].startswith("Step 1, SWITCHON(light.411): Not possible")
    assert record["progress"] == 0.75  # both are plugged in, and one is on


@pytest.mark.parametrize("world", WORLDS)
def test_the_summary_and_the_table_have_what_was_scored(world: str) -> None:
    suite = get_suite(f"eai.{world}.interactive")
    scores = []
    for found in scenes(world)[:6]:
        session = start(found, {}, 0)
        for action in found.annotated_task.task.reference:
            session.act("agent", action)
        session.act("agent", Action("FLY"))
        scores.append(session.score(CORRECTED))
    summary = suite.summarise(scores)
    assert summary["refused"]["hallucination"] == 1
    assert summary["task_success_rate"] == round(
        sum(score.metrics["success"] for score in scores) / 6, 4
    )
    for path in suite.reporting.summary.columns.values():
        value: Any = summary
        for key in path:
            value = value[key]
        assert isinstance(value, float)
    for key in suite.reporting.tallies.values():
        assert all(isinstance(score.record[key], int) for score in scores)
    demands = suite.experiments.demands
    assert demands is not None
    assert demands.goals is not None
    for found, score in zip(scenes(world)[:6], scores, strict=True):
        assert demands.factors(found)["plan length"] == len(found.annotated_task.task.reference)
        assert any(met for _, _, met in demands.goals(found, score))


def test_who_does_nothing_has_met_what_held() -> None:
    session = begin("behavior", "bottling_fruit")
    session.act("agent", DONE)
    record = session.score(CORRECTED).record
    assert not record["success"]
    assert record["goals_met"]["state"] == [1.0, 3.0]  # no jar is open
