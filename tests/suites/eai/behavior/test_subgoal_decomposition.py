"""Subgoal decomposition on BEHAVIOR: reading, refining, judging, and how published differs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, Protocol, execute
from homebody.suites import get_suite
from homebody.suites.eai.behavior.plans import read_plan
from homebody.suites.eai.behavior.prompts import subgoal_decomposition_prompt
from homebody.suites.eai.behavior.protocol import PUBLISHED, SUBGOAL_DECOMPOSITION
from homebody.suites.eai.behavior.subgoal_decomposition import (
    NAME,
    SUITE,
    oracle,
    random,
    render,
    score,
)
from homebody.suites.eai.behavior.subgoal_syntax import Category, SubgoalError, parse
from homebody.suites.eai.behavior.subgoals import read_subgoals
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_task, load_tasks
from homebody.suites.eai.subgoal_decomposition.refinement import Limits
from homebody.suites.eai.trajectory import GrammarError

pytestmark = pytest.mark.usefixtures("behavior_data")

FRUIT = "bottling_fruit"
EXAMPLE = (
    "ontop(strawberry.0, countertop.84) and ontop(peach.0, countertop.84)",
    "holds_rh(carving_knife.0)",
    "sliced(strawberry.0) and sliced(peach.0)",
    "inside(strawberry.0, jar.0) and not inside(peach.0, jar.0)",
    "inside(peach.0, jar.1) and not inside(strawberry.0, jar.1)",
    "not open(jar.0) and not open(jar.1)",
)
"""What the official prompt gives as an example."""
RNG = np.random.default_rng(0)


def verdict(
    subgoals: Sequence[Any] | str, name: str = FRUIT, protocol: Protocol = CORRECTED
) -> dict[str, Any]:
    text = subgoals if isinstance(subgoals, str) else render(subgoals)
    return dict(score(load_task(name, protocol), text, protocol).record)


def read(*subgoals: str, name: str = FRUIT) -> list[str]:
    found = read_subgoals(load_task(name), render(subgoals), CORRECTED)
    return [str(subgoal.formula) for subgoal in found]


# -- reading -------------------------------------------------------------------------------------


def test_what_is_around_the_object_does_not_matter() -> None:
    plain = render(EXAMPLE)
    expected = read(*EXAMPLE)
    for text in (f"<think>{{no}}</think> Here:\n```json\n{plain}\n```", plain.replace('"', "'")):
        found = read_subgoals(load_task(FRUIT), text, CORRECTED)
        assert [str(subgoal.formula) for subgoal in found] == expected


def test_names_are_written_in_many_ways() -> None:
    expected = read("holds_rh(strawberry_0_part_0)")
    for written in ("strawberry.0_part_0", "strawberry_0_part.0", "strawberry.0.part.0"):
        assert read(f"holds_rh({written})") == expected
    assert read("1. Open(jar.0) AND NOT Sliced(peach_0).") == read(
        "open(jar.0) and not sliced(peach.0)"
    )
    stove = "cleaning_stove"
    assert read("toggled_on(sink.82)", name=stove) == read("toggledon(sink.82)", name=stove)
    assert read("toggled.on(sink.82)", name=stove) == read("toggledon(sink.82)", name=stove)
    boxes = "packing_boxes_for_household_move_or_trip"
    assert "t-shirt_0" in read("holds_rh(t-shirt.0)", name=boxes)[0]


def test_quantifiers_of_the_prompt_and_of_ltl_mean_the_same() -> None:
    assert read("forall(jar_n_01, (not open(jar_n_01)))")[0].replace("jar_n_01", "x") == read(
        "forall x. (jar_n_01(x) implies not open(x))"
    )[0].replace("jar_n_01", "x")
    assert (
        read("forn(2, jar_n_01, open(jar_n_01))")[0].replace("?jar_n_01", "?x")
        == read("forn 2. x. (jar_n_01(x) and open(x))")[0]
    )
    assert read("exists=2 x. (open(x))") == read("forn 2 x. (open(x))")


def test_then_inside_an_item_makes_several_subgoals() -> None:
    assert len(read("open(jar.0) then not open(jar.0)")) == 2


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ("no idea", "parsing"),
        ("{}", "parsing"),
        (render([]), "parsing"),
        ('{"output": "open(jar.0)"}', "parsing"),
        ('{"output": [["open(jar.0)"]]}', "parsing"),
        ('{"output": [""]}', "parsing"),
        (render(["open(jar.0"]), "parsing"),
        (render(["open the jar.0"]), "parsing"),
        (render(["(open(jar.0) then open(jar.1)) or open(jar.0)"]), "parsing"),
        (render(["forall(open(jar.0))"]), "parsing"),
        (render(["forpairs(x, jar_n_01, inside(x, jar_n_01))"]), "parsing"),
        (render(["open(jar.0) & open(jar.1)"]), "parsing"),
        (render(["open(jar.0)"] * 201), "parsing"),
        ("[" * 100_000, "parsing"),
        (render(["(" * 50_000]), "parsing"),
        (render(["not " * 30_000 + "open(jar.0)"]), "parsing"),
        (
            render(["exists a. (exists b. (exists c. (exists d. (exists e. (touching(a, e))))))"]),
            "parsing",
        ),
        (render(["shut(jar.0)"]), "action_hallucination"),
        (render(["isInKitchen(jar.0)"]), "action_hallucination"),
        (render(["burn(strawberry.0)"]), "action_hallucination"),
        (render(["open(jar.9)"]), "object_hallucination"),
        (render(["open(jar)"]), "object_hallucination"),
        (render(["inside(strawberry.0, agent)"]), "object_hallucination"),
        (render(["open(jar.0, jar.1)"]), "argument_number"),
        (render(["inside(jar.0)"]), "argument_number"),
        (render(["open()"]), "argument_number"),
        (render(["left_place_nextto_ontop(jar.0)"]), "argument_number"),
    ],
)
def test_grammar_errors(output: str, error: str) -> None:
    found = verdict(output)
    assert found["error_type"] == error, found["explanation"]
    assert not found["executable"]
    assert found["progress"] == 0.0
    assert found["goals_met"] == {"state": [0, 3], "relation": [0, 2]}


@given(st.text(max_size=200) | st.lists(st.text(max_size=20), max_size=5).map(render))
@settings(max_examples=150)
def test_any_text_gives_a_score(output: str) -> None:
    for protocol in (CORRECTED, PUBLISHED):
        found = score(load_task(FRUIT, protocol), output, protocol)
        assert 0.0 <= found.metrics["progress"] <= 1.0
        assert found.record["error_type"] or found.record["executable"]


WORDS = (
    *("open", "inside", "not", "and", "or", "then", "implies", "forall", "exists", "forn"),
    *("forpairs", "(", ")", ",", ".", "=", "2", "x", "jar_n_01", "jar.0", "(x)", "(jar.0, x)"),
)


@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_any_words_are_a_formula_or_not(text: str) -> None:
    found: object
    try:
        found = parse(text, {"jar_n_01": Category("jar.n.01", 2)})
    except SubgoalError as error:
        found = str(error)
    assert found


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
    trace = execute(task.task.world, task.task.initial, read_plan(task, text, CORRECTED))
    assert trace.failure is None
    assert not trace.skipped


# -- refining and judging ------------------------------------------------------------------------


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
    found = SUITE.bounded({"nodes": 5, "each": 5})
    record = found.score(load_task(FRUIT), render(EXAMPLE), CORRECTED).record
    assert record["search_limit"]
    assert "bounds" in record["explanation"]


def test_the_same_output_gives_the_same_record() -> None:
    task = load_task("cleaning_stove")
    output = oracle(task, RNG)
    assert score(task, output, CORRECTED) == score(task, output, CORRECTED)


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


def succeeded(protocol: Protocol) -> set[str]:
    tasks: Sequence[BehaviorTask] = load_tasks(protocol)
    scores = [score(task, oracle(task, RNG), protocol) for task in tasks]
    return {one.identifier for one in scores if one.record["success"]}


def test_the_annotated_plans_told_as_subgoals() -> None:
    corrected, published = succeeded(CORRECTED), succeeded(PUBLISHED)
    # the plans of the others miss their goal, two of them because they are for a changed one
    assert len(corrected) == 89
    assert len(published) == 82
    changed = {task.id for task in load_tasks() if task.as_instructed is not task}
    assert published - changed < corrected


def test_the_summary_has_the_published_schema() -> None:
    suite = get_suite(NAME)
    tasks = suite.load(CORRECTED)[:5]
    summary = suite.summarise([suite.score(t, oracle(t, RNG), CORRECTED) for t in tasks])
    assert list(summary["goal_evaluation"]) == [
        "task_success_rate",
        "state_goal",
        "relation_goal",
        "action_goal",
        "total_goal",
    ]
    assert list(summary["trajectory_evaluation"]["grammar_error"]) == [
        "parsing",
        "hallucination",
        "predicate_argument_number",
    ]


# -- published -----------------------------------------------------------------------------------

HELD = ("holds_rh(carving_knife.0)", "holds_lh(jar.0)")


def test_published_reads_by_pattern() -> None:
    def texts(*items: Any) -> list[str]:
        found = read_subgoals(load_task(FRUIT), json.dumps({"output": items}), PUBLISHED)
        return [subgoal.text for subgoal in found]

    assert texts("open(jar.0) or open(jar.1)") == ["open(jar.0)"]
    assert texts("open(jar.0)", "exists(jar_n_01, open(jar_n_01))", "onfloor(agent.1, x)") == [
        "open(jar.0)"
    ]
    assert texts("not not not open(jar.0)", "(open(jar.1)) and sliced(peach.0)") == [
        *("not open(jar.0)", "open(jar.1)", "sliced(peach.0)")
    ]
    assert texts("toggled.on(fridge.97)", "left_grasp(jar.0)") == [
        *("toggledon(fridge.97)", "left_grasp(jar.0)")
    ]
    for items in (["not not open(jar.0)"], [7], [], ["jar_n_01(jar.0)"], ["open()"]):
        with pytest.raises(GrammarError) as caught:
            texts(*items)
        assert caught.value.error.value == "parsing", items


@pytest.mark.parametrize(
    ("subgoals", "plan"),
    [
        (["holds_rh(jar.0)", "inside(jar.1, bottom_cabinet_no_top.80)"], ["LEFT_GRASP(jar_1)"]),
        ([*HELD, "open(fridge.97)"], ["RIGHT_RELEASE(carving_knife_0)", "OPEN(fridge_97)"]),
        ([*HELD, "holds_rh(jar.1)"], ["RIGHT_RELEASE(carving_knife_0)", "RIGHT_GRASP(jar_1)"]),
        ([*HELD, "not holds_rh(jar.0)", "not holds_lh(jar.0)"], ["LEFT_RELEASE(jar_0)"]),
        (["not ontop(jar.0, countertop.84)", "open(jar.0)"], ["OPEN(jar_0)"]),
        (
            ["nextto(jar.0, jar.1)", "ontop(jar.0, countertop.84)"],
            ["RIGHT_GRASP(jar_0)", "RIGHT_PLACE_NEXTTO_ONTOP(jar_1, countertop_84)"],
        ),
        (
            ["ontop(jar.0, countertop.84)", "ontop(jar.1, countertop.84)"],
            ["RIGHT_GRASP(jar_1)", "RIGHT_PLACE_ONTOP(countertop_84)"],
        ),
    ],
)
def test_published_rules(subgoals: list[str], plan: list[str]) -> None:
    assert verdict(subgoals, protocol=PUBLISHED)["plan"][-len(plan) :] == plan


CASES: dict[str, tuple[str, str, str, Any, Any]] = {
    "subgoals_read_by_pattern": (
        FRUIT,
        render(["open(jar.0)", "forall(jar_n_01, shut(jar_n_01))"]),
        "error_type",
        None,
        "action_hallucination",
    ),
    "subgoals_refined_by_rules": (FRUIT, render(EXAMPLE), "executable", False, True),
    "changed_goals_judged": (
        "rearranging_furniture",
        render(["holds_rh(table_lamp.0)"]),
        "conditions_met",
        [False] * 3,
        [False] * 4,  # the prompt asks for one more
    ),
    "affordance_errors_come_last": (
        FRUIT,
        render(["open(fridge.97)", HELD[0], "sliced(peach.0)", "holds_lh(peach.0)"]),
        "error_type",
        "wrong_order",
        "affordance_error",
    ),
    "additional_steps_of_failed_plans_uncounted": (
        FRUIT,
        render(["open(jar.0)", "open(jar.0)"]),
        "counts",
        {"grammar_errors": 0, "additional_steps": 0},
        {"grammar_errors": 0, "additional_steps": 1},
    ),
    "unread_subgoals_meet_stored_verdicts": (
        "cleaning_bedroom",
        "",
        "goals_met",
        {"state": [0, 1], "relation": [1, 5]},  # the vacuum is next to the bed
        {"state": [0, 1], "relation": [0, 5]},
    ),
}
"""Quirk -> task, output, key of the record, its value with the quirk and without."""


def test_every_quirk_has_a_case() -> None:
    assert set(CASES) == {one.name for one in SUBGOAL_DECOMPOSITION}


@pytest.mark.parametrize("quirk", CASES)
def test_quirk_changes_the_published_verdict(quirk: str) -> None:
    name, output, key, kept, mended = CASES[quirk]
    assert verdict(output, name, PUBLISHED)[key] == kept
    assert verdict(output, name, PUBLISHED.without(quirk))[key] == mended


@given(st.sets(st.sampled_from([one.name for one in SUBGOAL_DECOMPOSITION])), st.integers(0, 99))
@settings(max_examples=30)
def test_any_set_of_quirks_gives_a_score(quirks: set[str], number: int) -> None:
    protocol = PUBLISHED.without(*quirks)
    task = load_tasks(protocol)[number]
    for output in (oracle(task, RNG), render(EXAMPLE), render(["forall(jar_n_01, open(x))"])):
        found = score(task, output, protocol).record
        assert found["error_type"] or found["executable"]
