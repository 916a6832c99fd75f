"""Transition modeling on VirtualHome: its tasks, its agents, and each quirk."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from homebody.core import CORRECTED, PUBLISHED, Protocol
from homebody.suites import get_suite
from homebody.suites.eai.transition_modeling import agents as operator_agents
from homebody.suites.eai.transition_modeling.scoring import score
from homebody.suites.eai.virtualhome.protocol import DIFFERENCES
from homebody.suites.eai.virtualhome.transition_modeling import (
    CATEGORIES,
    NAME,
    load_transition_tasks,
    prompt,
    reference,
)
from places import DOCS
from suites.eai.virtualhome.operator_answers import (
    CONDITIONAL,
    GRAB,
    LAMP,
    agent_scores,
    answer,
    blocks,
    task,
)

pytestmark = pytest.mark.usefixtures("eai_data")


# -- tasks -----------------------------------------------------------------------------------------


def test_296_tasks_with_categories() -> None:
    tasks = load_transition_tasks()
    assert len(tasks) == len({one.id for one in tasks}) == 296
    assert all(1 <= len(one.categories) <= 2 for one in tasks)
    assert {category for one in tasks for category in one.categories} == set(CATEGORIES)
    assert len(reference().operators) == 33


def test_prompts_hold_the_problem_and_the_heads_of_the_operators() -> None:
    one = task(GRAB)
    text = prompt(one)
    assert one.problem_text in text
    assert "<problem_file>" not in text
    assert "(:action grab\n  :parameters (?char - character ?obj - object)\n" in text


# -- scoring ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_official_operators_are_perfect_under_both_protocols() -> None:
    suite = get_suite(NAME)
    for protocol in suite.scoring.protocols.values():
        scores = [
            suite.score(one, operator_agents.annotated_output(one), protocol)
            for one in suite.tasks.load(protocol)
        ]
        summary = suite.summarise(scores)
        assert list(summary) == [*CATEGORIES, "overall"]
        assert {value for row in summary.values() for value in row.values()} == {100.0}
        assert all(found.record["plan"] for found in scores)


# -- agents ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_oracle_has_the_figures_of_the_page() -> None:
    page = (DOCS / "trust/audits.md").read_text()
    overall = get_suite(NAME).summarise(agent_scores("oracle"))["overall"]
    precision, recall, f1, solved = (f"{value:.1f} %" for value in overall.values())
    assert (
        f"a precision of {precision}, a recall of {recall}, an F1 of {f1} and a planner success"
        f" rate of {solved}."
    ) in " ".join(page.split())


@pytest.mark.slow
def test_random_and_empty_are_near_zero() -> None:
    for name in ("random", "empty"):
        found = agent_scores(name)
        assert not any(one.record["problems"] for one in found)  # wrong, but well formed
        assert np.mean([one.metrics["success"] for one in found]) < 0.03
        assert np.mean([one.metrics["f1"] for one in found]) < 0.06
    assert [s.record for s in agent_scores("random")] == [s.record for s in agent_scores("random")]


# -- a case for every difference -------------------------------------------------------------------

FULL_HANDS = (
    "(not (and (exists (?obj3 - object) (holds_lh ?char ?obj3))"
    " (exists (?obj4 - object) (holds_rh ?char ?obj4)) (shiny ?obj)))"
)


MORE_PARAMETERS = "(?char - character ?obj - object ?x - object)"


@pytest.mark.parametrize(
    "parameters",
    [
        MORE_PARAMETERS,
        "(?char - character)",
        "(?obj - object ?char - character)",
        "(?char - object ?obj - object)",
        "(?char ?obj)",
    ],
)
def test_operators_with_other_parameters_than_those_given_are_wrong(parameters: str) -> None:
    right = score(task(LAMP), answer(LAMP), CORRECTED)
    changed = answer(LAMP, switch_on={"parameters": parameters})
    found = score(task(LAMP), changed, CORRECTED)
    missing = score(task(LAMP), answer(LAMP, switch_on=None), CORRECTED)
    assert right.metrics["success"] == 1
    assert found.metrics["success"] == 0
    assert found.record["counts"] == missing.record["counts"]  # all that is missed
    assert "not those given, (?char - character ?obj - object)" in found.record["explanation"]
    assert list(found.record["problems"]) == ["switch_on"]


def test_names_of_parameters_are_free() -> None:
    changed = {
        "parameters": "(?who - character ?lamp - object)",
        "precondition": "(and (has_switch ?lamp) (off ?lamp) (plugged_in ?lamp)"
        " (next_to ?who ?lamp))",
        "effect": "(and (on ?lamp) (not (off ?lamp)))",
    }
    found = score(task(LAMP), answer(LAMP, switch_on=changed), CORRECTED)
    assert (found.metrics["f1"], found.metrics["success"]) == (1, 1)


def cases() -> dict[str, tuple[str, str, tuple[str, ...], str]]:
    """Quirk -> (task, output, quirks mended beforehand, what must change in the record)."""
    commented = answer(LAMP).replace("\\n:effect", " ; then\\n:effect")
    return {
        "operators_read_by_brackets": (
            LAMP,
            "\n".join(blocks(LAMP)).replace(":effect", "; then\n:effect"),
            (),
            "counts",
        ),
        "unreadable_outputs_left_out": (LAMP, '{"output": []}', (), "valid"),
        "other_parameters_accepted": (
            LAMP,
            answer(LAMP, switch_on={"parameters": MORE_PARAMETERS}),
            ("domain_completed_with_ground_truth",),
            "success",
        ),
        "missing_operators_cost_nothing": (LAMP, answer(LAMP, plug_in=None), (), "counts"),
        "conditions_compared_as_text": (
            LAMP,
            answer(
                LAMP,
                switch_on={
                    "parameters": "(?c - character ?o - object)",
                    "precondition": "(and (has_switch ?o) (off ?o) (plugged_in ?o)"
                    " (next_to ?c ?o))",
                    "effect": "(and (on ?o) (not (off ?o)))",
                },
            ),
            (),
            "counts",
        ),
        "unreadable_conditions_cost_nothing": (
            LAMP,
            answer(LAMP, switch_on={"precondition": "(not (on ?obj) (off ?obj))"}),
            (),
            "counts",
        ),
        "matched_rows_misread": (
            LAMP,
            answer(
                LAMP,
                switch_on={
                    "precondition": "(and (next_to ?char ?obj) (clean ?obj) (off ?obj))",
                },
            ),
            (),
            "counts",
        ),
        "parts_of_clauses_suffice": (
            GRAB,
            answer(GRAB, grab={"precondition": f"(and {FULL_HANDS.replace('shiny', 'clean')})"}),
            (),
            "counts",
        ),
        "predicates_counted_once": (LAMP, answer(LAMP), (), "counts"),
        "unknown_predicates_cost_nothing": (
            GRAB,
            answer(GRAB, grab={"precondition": f"(and (grabbable ?obj) {FULL_HANDS})"}),
            (),
            "published_crash",
        ),
        "tools_apart": (
            LAMP,
            answer(LAMP, switch_on={"precondition": "(recipient ?obj)"}),
            (),
            "counts",
        ),
        "domain_completed_with_ground_truth": (LAMP, "I cannot.", (), "success"),
        "quantified_parts_refused": (LAMP, answer(LAMP, switch_on=CONDITIONAL), (), "success"),
        "hallucinated_operators_planned_with": (
            LAMP,
            commented[:-2] + "(:action fly :parameters () :precondition () :effect (shiny))" + '"}',
            (),
            "success",
        ),
    }


QUIRKS = [d.name for d in DIFFERENCES if d.module == "transition_modeling"]


def test_every_quirk_has_a_case() -> None:
    assert sorted(cases()) == sorted(QUIRKS)


@pytest.mark.parametrize("quirk", QUIRKS)
def test_mending_one_quirk_changes_the_published_verdict(quirk: str) -> None:
    identifier, output, mended, key = cases()[quirk]
    base = PUBLISHED.without(*mended)

    def verdict(protocol: Protocol) -> Any:
        found = score(task(identifier), output, protocol)
        return {**found.record, "valid": found.valid}.get(key)

    assert verdict(base) != verdict(base.without(quirk))


def test_without_quirks_it_is_the_corrected_protocol() -> None:
    mended = PUBLISHED.without(*QUIRKS)
    outputs = [output for _, output, _, _ in cases().values()]
    for identifier in (GRAB, LAMP):
        for output in outputs:
            expected = score(task(identifier), output, CORRECTED)
            assert score(task(identifier), output, mended) == expected


def test_right_answers_in_the_cases_are_right_when_corrected() -> None:
    renamed = score(task(LAMP), cases()["conditions_compared_as_text"][1], CORRECTED)
    assert (renamed.metrics["f1"], renamed.record["success"]) == (1, True)
    commented = score(task(LAMP), cases()["operators_read_by_brackets"][1], CORRECTED)
    assert (commented.metrics["f1"], commented.record["success"]) == (1, True)
    refusal = score(task(LAMP), "I cannot.", CORRECTED)
    assert (refusal.metrics["f1"], refusal.record["success"]) == (0, False)
    assert re.match("The output has no", refusal.record["explanation"])
