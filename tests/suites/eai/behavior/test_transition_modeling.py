"""Transition modeling on BEHAVIOR: what is asked, read and planned with, and its own quirks.

What it shares with VirtualHome is tested in ``suites/eai/transition_modeling``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, PUBLISHED, Protocol, Score
from homebody.data import behavior as data
from homebody.planning.solver import execution
from homebody.results.rows import make_row
from homebody.suites.eai.behavior.prompts import transition_modeling_prompt as prompt
from homebody.suites.eai.behavior.protocol import QUIRKS, TRANSITION_MODELING_BEHAVIOR
from homebody.suites.eai.behavior.transition_modeling import (
    CATEGORIES,
    SUITE,
    load_transition_tasks,
    reference,
)
from homebody.suites.eai.transition_modeling import agents as operator_agents
from homebody.suites.eai.transition_modeling import planning as operator_planning
from homebody.suites.eai.transition_modeling.operators import TransitionTask, read
from homebody.suites.eai.transition_modeling.scoring import score
from suites.eai.behavior.operator_answers import FRUIT, answer, task

pytestmark = pytest.mark.usefixtures("behavior_data")

FLOORS = "cleaning_floors_0_Merom_0_int_1_2021-06-23_16-12-28"


def filled_in(one: TransitionTask) -> str:
    """The end of the prompt with the annotated conditions in the places left for them."""
    left = prompt(one).rpartition("Action to be finished:")[2].strip().removesuffix("Output:")

    def fill(head: re.Match[str]) -> str:
        name = head[2].replace("slice_carvingknife", "slice-carvingknife")
        text = reference().texts[name]
        return f"{head[1]}\n:precondition {text.precondition}\n:effect {text.effect}"

    pattern = r"(\(:action ([\w-]+)\)\n:parameters .*)\n:precondition \(\)\n:effect \(\)"
    return json.dumps({"output": re.sub(pattern, fill, left)})


def scores_of(agent: str, protocol: Protocol = CORRECTED) -> list[Score]:
    generator = np.random.default_rng(3)
    return [
        SUITE.score(one, SUITE.text_agents[agent].answer(one, generator), protocol)
        for one in SUITE.tasks.load(protocol)
    ]


# -- tasks -----------------------------------------------------------------------------------------


def test_100_tasks_in_their_three_categories() -> None:
    tasks = load_transition_tasks()
    assert [one.id for one in tasks] == [raw["id"] for raw in data.load("tasks")]
    counts = Counter(category for one in tasks for category in one.categories)
    assert counts == {"object_states": 45, "spatial_relations": 94, "non-spatial_relations": 61}
    assert set(counts) == set(CATEGORIES) == set(reference().category.values())
    assert len(reference().operators) == 30


def test_prompts_are_the_official_ones_and_ask_for_the_operators() -> None:
    official = data.load("prompts")["user"]["transition_modeling"]
    for one in load_transition_tasks():
        assert prompt(one) == official[one.id]
        end = prompt(one).rpartition("Action to be finished:")[2]
        for name in one.to_define:
            written = name.replace("slice-carvingknife", "slice_carvingknife")
            parameters = reference().texts[name].parameters
            assert f"(:action {written})\n:parameters {parameters}\n" in end
        assert end.count(":action") == len(one.to_define)


def test_25_tasks_are_evaluated_on_other_operators_than_those_asked_for() -> None:
    official = data.load("pddl")["task_operators"]
    differing = []
    for ours, theirs in zip(load_transition_tasks(), load_transition_tasks(PUBLISHED), strict=True):
        assert list(theirs.to_define) == official[theirs.id]
        assert theirs.given == ()
        assert set(ours.given) == set(theirs.to_define) - set(ours.to_define)
        if set(ours.to_define) != set(theirs.to_define):
            differing.append(ours)
    assert len(differing) == 25
    assert {name for one in differing for name in one.given} == {"release", "open", "place_onfloor"}


def test_only_one_problem_is_mended() -> None:
    """The undeclared object is declared, and nothing else is changed."""
    changed = [
        (ours, theirs)
        for ours, theirs in zip(
            load_transition_tasks(), load_transition_tasks(PUBLISHED), strict=True
        )
        if ours.problem_text != theirs.problem_text
    ]
    ((ours, theirs),) = changed
    assert ours.id == FLOORS
    added = ours.problem.objects.keys() - theirs.problem.objects.keys()
    assert {name: ours.problem.objects[name] for name in added} == {
        "cleansing_agent_n_01_1": "cleansing_agent_n_01"
    }
    assert (ours.problem.initial, ours.problem.goal) == (
        theirs.problem.initial,
        theirs.problem.goal,
    )


# -- scoring ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_official_operators_are_perfect_and_solve_every_problem() -> None:
    found = scores_of("oracle")
    summary = SUITE.summarise(found)
    assert list(summary) == [*CATEGORIES, "overall"]
    assert {value for row in summary.values() for value in row.values()} == {100.0}
    for one, got in zip(SUITE.tasks.load(CORRECTED), found, strict=True):
        operators = tuple(one.reference.operators[n] for n in (*one.to_define, *one.given))
        plan = tuple((step.split()[0], tuple(step.split()[1:])) for step in got.record["plan"])
        domain = operator_planning.domain_of(operators, one.reference)
        assert execution.fault(domain, one.problem, plan) == ""


@pytest.mark.slow
def test_published_loses_the_problem_that_its_planner_refuses() -> None:
    found = scores_of("oracle", PUBLISHED)
    assert [got.identifier for got in found if not got.record["success"]] == [FLOORS]
    overall = SUITE.summarise(found)["overall"]
    assert (overall["f1"], overall["planner_success_rate"]) == (100.0, 99.0)
    assert sum(got.record["hallucinations"] for got in found) == 3  # slice_carvingknife


@pytest.mark.slow
def test_operators_filled_into_the_prompt_are_right() -> None:
    """It closes each operator after its name, and so do answers."""
    for one in load_transition_tasks():
        got = score(one, filled_in(one), CORRECTED)
        assert got.record["problems"] == {}
        assert (got.metrics["f1"], got.metrics["success"]) == (1, 1), one.id


def test_an_end_that_the_prompt_does_not_have_is_a_problem() -> None:
    early = "(:action open :parameters (?obj - object ?agent - agent)) :precondition ()"
    assert read(early, CORRECTED, reference())["open"].problem == (
        "it closes before its :precondition"
    )


def test_what_is_given_need_not_be_defined_and_may_not_be_changed() -> None:
    one = task(FRUIT)
    assert one.given == ("release",)
    useless = "(:action release :parameters (?obj - object ?agent - agent) :precondition (bad))"
    got = score(one, answer(one)[:-2] + useless + '"}', CORRECTED)
    assert (got.record["hallucinated"], got.record["success"]) == (["release"], True)


def test_both_spellings_are_one_operator() -> None:
    one = task(FRUIT)
    hyphened = answer(one)
    assert "slice-carvingknife" in hyphened
    spelled = operator_agents.annotated_output(one)
    assert "slice_carvingknife" in spelled
    assert score(one, hyphened, CORRECTED) == score(one, spelled, CORRECTED)
    both = json.loads(hyphened)["output"] + json.loads(spelled)["output"]
    got = score(one, json.dumps({"output": both}), CORRECTED)
    assert got.record["predicted"] == len(one.to_define)
    assert got.record["operators"].keys() == set(one.to_define)


def test_an_undecided_plan_is_no_missing_one() -> None:
    """The planner is not given time enough to say anything, or can say that there is no plan."""
    one = task(FRUIT)
    hurried = SUITE.with_bounds({"nodes": 1, "seconds": 0.001})
    undecided = hurried.score(one, answer(one), CORRECTED)
    assert (undecided.record["undecided"], undecided.metrics["success"]) == (True, 0)
    assert undecided.record["explanation"].startswith("Undecided whether there is a plan: ")
    decided = SUITE.score(one, answer(one, grasp={"effect": "()"}), CORRECTED)
    assert (decided.record["undecided"], decided.metrics["success"]) == (False, 0)
    assert decided.record["explanation"].startswith("No plan: ")
    assert make_row("a", SUITE, [undecided, decided]).values["Undecided"] == 1


def test_random_and_empty_are_near_zero() -> None:
    for name in ("random", "empty"):
        found = scores_of(name)
        assert not any(one.record["problems"] for one in found)
        assert np.mean([one.metrics["success"] for one in found]) < 0.03
        assert np.mean([one.metrics["f1"] for one in found]) < 0.08
        assert [one.record for one in scores_of(name)] == [one.record for one in found]


texts = st.text("()?:;{}\"'\\ \nandorwhegbxisp_-", max_size=60)


@given(texts, texts, st.integers(0, 99))
def test_any_text_gets_a_score(head: str, inside: str, at: int) -> None:
    for protocol in (CORRECTED, PUBLISHED):
        one = load_transition_tasks(protocol)[at]
        text = (
            f"{head}(:action {one.to_define[0]}) :parameters (?a - agent) :precondition ({inside}"
        )
        found = score(one, text + ") :effect ())", protocol)
        assert all(0 <= value <= 1 for value in found.metrics.values())
        assert json.loads(json.dumps(found.record)) == found.record


# -- a case for every difference that BEHAVIOR alone has -------------------------------------------


CASES = {
    "other_operators_evaluated": (FRUIT, "missing"),
    "prompted_name_hallucinated": (FRUIT, "hallucinated"),
    "undeclared_object_refused": (FLOORS, "success"),
}


def test_every_quirk_has_a_case() -> None:
    assert set(CASES) == set(TRANSITION_MODELING_BEHAVIOR)


@pytest.mark.parametrize("quirk", CASES)
def test_mending_one_quirk_changes_the_published_verdict(quirk: str) -> None:
    identifier, key = CASES[quirk]
    output = filled_in(task(identifier))

    def verdict(protocol: Protocol) -> Any:
        return score(task(identifier, protocol), output, protocol).record[key]

    mended = verdict(PUBLISHED.without(quirk))
    assert verdict(PUBLISHED) != mended
    assert verdict(CORRECTED) == (True if key == "success" else [])
    names = {"missing": "release", "hallucinated": "slice_carvingknife"}
    if key in names:
        assert names[key] in verdict(PUBLISHED)
        assert names[key] not in mended


def test_without_quirks_it_is_the_corrected_protocol() -> None:
    mended = PUBLISHED.without(*QUIRKS)
    assert load_transition_tasks(mended) == load_transition_tasks(CORRECTED)
    generator = np.random.default_rng(1)
    for one in load_transition_tasks()[::9]:
        for agent in (each.answer for each in SUITE.text_agents.values()):
            output = agent(one, generator)
            assert score(one, output, mended) == score(one, output, CORRECTED)


def test_published_reads_no_name_beyond_a_hyphen() -> None:
    one = task(FRUIT, PUBLISHED)
    for output in (answer(one), operator_agents.annotated_output(one)):
        record = score(one, output, PUBLISHED).record
        assert len(record["hallucinated"]) == 1
        assert record["missing"] == ["slice-carvingknife"]
        assert record["success"]  # the planner is given the annotated one
