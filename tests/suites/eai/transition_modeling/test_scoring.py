"""Scoring operators: what is right, wrong and missed, and what is said of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, PUBLISHED
from homebody.suites import get_suite
from homebody.suites.eai.transition_modeling import agents as operator_agents
from homebody.suites.eai.transition_modeling.scoring import score
from homebody.suites.eai.virtualhome.transition_modeling import (
    CATEGORIES,
    NAME,
    load_transition_tasks,
    reference,
)
from suites.eai.virtualhome.operator_answers import GRAB, LAMP, answer, blocks, task

pytestmark = pytest.mark.usefixtures("eai_data")


def test_an_early_end_costs_what_it_hides() -> None:
    """One `)` too many in switch_on, as answers have it: its effect is not read as empty."""
    whole = answer(LAMP)
    precondition = reference().texts["switch_on"].precondition
    early = answer(LAMP, switch_on={"precondition": f"{precondition})"})
    assert whole != early
    found = score(task(LAMP), early, CORRECTED)
    assert found.record["problems"] == {"switch_on": "it closes before its :effect"}
    assert found.record["operators"]["switch_on"] == {
        "precondition": [0, 0, 4],
        "effect": [0, 0, 2],
    }
    assert not found.record["success"]


def test_renaming_and_reordering_cost_nothing() -> None:
    """The predicted operator is written with other names, in another order."""
    grab = reference().texts["grab"]
    new = {
        key: getattr(grab, key).replace("?obj", "?o").replace("?char", "?robot")
        for key in ("parameters", "precondition", "effect")
    }
    output = operator_agents.render(blocks(GRAB, {"grab": new})[::-1])
    assert score(task(GRAB), output, CORRECTED).metrics["f1"] == 1


def test_an_or_too_many_costs_only_itself() -> None:
    """It used to cost the whole precondition, several times over."""
    text = reference().texts["switch_on"].precondition
    pairs = [("on", "open"), ("open", "closed"), ("clean", "dirty"), ("movable", "has_plug")]
    ors = [f"(or ({one} ?obj) ({other} ?obj))" for one, other in pairs]
    for count in range(len(ors) + 1):
        new = {"precondition": f"{text[:-1]} {' '.join(ors[:count])})"}
        record = score(task(LAMP), answer(LAMP, switch_on=new), CORRECTED).record
        assert record["operators"]["switch_on"]["precondition"] == [4, 2 * count, 0]


def test_wrong_missed_and_hallucinated() -> None:
    output = json.dumps(
        {
            "output": "(:action grab :parameters (?char - character ?obj - object)"
            " :precondition (and (grabbable ?obj) (has_switch ?obj) (shiny ?obj)) :effect ())"
            "(:action fly :parameters () :precondition () :effect ())"
        }
    )
    found = score(task(GRAB), output, CORRECTED)
    record = found.record
    assert record["missing"] == ["walk_towards"]
    assert record["hallucinated"] == ["fly"]
    assert record["counts"]["precondition"]["object_affordance"] == [1, 1, 0]
    assert record["counts"]["precondition"]["unknown"] == [0, 1, 0]
    assert record["operators"]["grab"]["precondition"][:2] == [1, 2]
    assert record["operators"]["walk_towards"]["precondition"] == [0, 0, 2]
    assert "unknown predicate 'shiny'" in record["problems"]["grab"]
    assert not record["success"]
    assert "shiny" in record["explanation"]


def test_a_problem_is_told_once_and_where_it_is() -> None:
    output = answer(LAMP, switch_on={"effect": "(and (on ?obj) (nor (off ?obj)))"}, plug_in=None)
    record = score(task(LAMP), output, CORRECTED).record
    assert " of the operator: " in record["problems"]["switch_on"]
    assert record["explanation"].count(record["problems"]["switch_on"]) == 1
    assert record["explanation"].startswith("No plan: switch_on: line ")
    two = answer(LAMP, switch_on={"effect": "(shiny ?obj)"}, walk_towards={"effect": "(dull ?obj)"})
    explanation = score(task(LAMP), two, CORRECTED).record["explanation"]
    assert (explanation.count("shiny ?obj"), explanation.count("dull ?obj")) == (1, 1)


def test_odd_types_are_hinted_at() -> None:
    assert "Hint" not in score(task(GRAB), answer(GRAB), CORRECTED).record["explanation"]
    found = score(
        task(GRAB), answer(GRAB).replace("(?obj2 - object)", "(?obj2 - thing)"), CORRECTED
    )
    assert found.metrics["invalid_operator"] == 0
    assert "Hints: grab: unknown type 'thing' of ?obj2" in found.record["explanation"]


def test_success_rates_by_category() -> None:
    suite = get_suite(NAME)
    solved = task(GRAB)
    unsolved = next(
        one
        for one in load_transition_tasks()
        if len(set(one.categories) & set(solved.categories)) == 1
    )
    scores = [
        suite.score(unsolved, "", CORRECTED),
        suite.score(solved, operator_agents.annotated_output(solved), CORRECTED),
    ]
    summary = suite.summarise(scores)
    for category in CATEGORIES:
        tried = [category in unsolved.categories, category in solved.categories]
        rate = 100 * tried[1] / sum(tried) if any(tried) else 0
        assert summary[category]["planner_success_rate"] == rate
    assert summary["overall"]["planner_success_rate"] == 50


texts = st.text("()?:;{}\"'\\ \nandorwhegbxisp_-", max_size=60)


@given(texts, texts, st.integers(0, 295))
def test_any_text_gets_a_score(head: str, inside: str, at: int) -> None:
    one = load_transition_tasks()[at]
    name = one.to_define[0]
    text = f"{head}(:action {name} :parameters (?char - character) :precondition ({inside}"
    for protocol in (CORRECTED, PUBLISHED):
        found = score(one, text + ") :effect ())", protocol)
        assert all(0 <= value <= 1 for value in found.metrics.values())
        assert json.loads(json.dumps(found.record)) == found.record
