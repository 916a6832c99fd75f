"""Refining subgoals: the actions that are found, and what is said where there are none."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, PUBLISHED, execute
from homebody.suites.eai.behavior.plans import read_plan
from homebody.suites.eai.behavior.prompts import subgoal_decomposition_prompt
from homebody.suites.eai.behavior.subgoal_decomposition import SUITE, random, render, score
from homebody.suites.eai.behavior.tasks import load_task, load_tasks
from homebody.suites.eai.subgoal_decomposition.refinement import Limits
from suites.eai.behavior.subgoal_verdicts import EXAMPLE, FRUIT, verdict

pytestmark = pytest.mark.usefixtures("behavior_data")


@given(st.integers(0, 2**32))
@settings(max_examples=40)
def test_random_subgoals_give_a_plan_that_can_be_carried_out(seed: int) -> None:
    generator = np.random.default_rng(seed)
    tasks = load_tasks()
    task = tasks[int(generator.integers(len(tasks)))]
    found = score(task, random(task, generator), CORRECTED, Limits(nodes=2_000)).record
    plan = [one.partition("(") for one in found["plan"]]
    text = json.dumps([{"action": name, "object": args[:-1]} for name, _, args in plan])
    if not plan:
        return
    trace = execute(task.task.world, task.task.initial, read_plan(task, text, CORRECTED).actions)
    assert trace.failure is None
    assert not trace.skipped


def test_the_example_of_the_prompt_succeeds_but_as_published() -> None:
    found = verdict(EXAMPLE)
    assert found["success"], found["explanation"]
    assert found["additional_steps"] == 0
    assert found["plan"][:3] == [
        "OPEN(fridge_97)",
        "RIGHT_GRASP(strawberry_0)",
        "RIGHT_PLACE_ONTOP(countertop_84)",
    ]
    assert not verdict(EXAMPLE, protocol=PUBLISHED)["executable"]  # the fridge is closed


def test_quantified_subgoals_are_reached() -> None:
    found = verdict(["forall(jar_n_01, open(jar_n_01))", "forn(1, jar_n_01, open(jar_n_01))"])
    assert found["executable"]
    assert [one.partition("(")[0] for one in found["plan"]] == ["OPEN", "OPEN", "CLOSE"]


def test_actions_are_subgoals_too() -> None:
    found = verdict(["open(fridge.97)", "right_grasp(peach.0)", "left_grasp(peach.0)"])
    assert found["plan"] == [
        "OPEN(fridge_97)",
        "RIGHT_GRASP(peach_0)",
        "LEFT_GRASP(peach_0)",
    ]
    again = verdict(["open(fridge.97)", "right_grasp(peach.0) and right_grasp(peach.0)"])
    assert again["additional_steps"] == 0


def test_what_is_so_already_is_an_additional_step() -> None:
    assert verdict(["open(fridge.97)", "open(fridge.97)"])["additional_steps"] == 1
    assert verdict(["not open(fridge.97)"])["additional_steps"] == 1
    # relations can be brought about again, and the knife was taken by our own choice
    assert verdict(["ontop(jar.0, countertop.84)"])["additional_steps"] == 0
    found = verdict(["sliced(peach.0)", "holds_rh(carving_knife.0)"])
    assert found["executable"]
    assert found["additional_steps"] == 0


@pytest.mark.parametrize(
    ("subgoals", "error", "failed"),
    [
        (["open(jar.0)", "open(peach.0)"], "affordance_error", 2),
        (["burnt(peach.0)"], "affordance_error", 1),
        (["holds_rh(countertop.84)"], "affordance_error", 1),
        (["holds_rh(peach.0) and holds_rh(jar.0)"], "missing_step", 1),
        (["frozen(countertop.84)"], "affordance_error", 1),
        (["inside(room_floor_kitchen.0, jar.0)"], "affordance_error", 1),
        (["sliced(peach.0)", "holds_rh(peach.0)"], "affordance_error", 2),
    ],
)
def test_errors_of_subgoals_that_are_not_reached(
    subgoals: list[str], error: str, failed: int
) -> None:
    found = verdict(subgoals)
    assert (found["error_type"], found["failed_subgoal"]) == (error, failed), found["explanation"]
    assert not found["executable"]
    assert f"Subgoal {failed}" in found["explanation"]


def test_bounds_end_the_search_and_are_told() -> None:
    found = SUITE.with_bounds({"nodes": 5, "each": 5})
    record = found.score(load_task(FRUIT), render(EXAMPLE), CORRECTED).record
    assert record["search_limit"]
    assert "bounds" in record["explanation"]


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["bottling_fruit", "packing_lunches", "sorting_mail"])
def test_the_goal_of_the_prompt_can_be_a_subgoal(name: str) -> None:
    """Its quantifiers are spelt out before the search."""
    task = load_task(name)
    asked = subgoal_decomposition_prompt(task).partition("## Goal States\n")[2]
    lines = asked.partition("\n\n## Output")[0].splitlines()
    found = score(task, render(lines), CORRECTED)
    assert found.record["error_type"] is None or found.record["search_limit"]


@given(
    st.recursive(
        st.sampled_from(["open(jar_n_01)", "inside(peach.0, jar_n_01)", "sliced(peach.0)"]),
        lambda inner: st.one_of(
            inner.map(lambda body: f"not ({body})"),
            st.tuples(inner, st.sampled_from([" and ", " or ", " implies "]), inner).map(
                lambda parts: f"({''.join(parts)})"
            ),
            st.tuples(st.sampled_from(["forall", "exists", "forn(1, "]), inner).map(
                lambda parts: (
                    f"{parts[0].rstrip('(1, ')}"
                    f"({'1, ' if parts[0].startswith('forn') else ''}jar_n_01, {parts[1]})"
                )
            ),
        ),
        max_leaves=4,
    )
)
@settings(max_examples=40)
def test_formulas_with_quantifiers_give_a_score(formula: str) -> None:
    found = score(load_task(FRUIT), render([formula]), CORRECTED, Limits(nodes=300, each=100))
    assert found.record["executable"] or found.record["error_type"]
