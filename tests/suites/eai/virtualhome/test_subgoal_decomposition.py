"""Subgoal decomposition: reading, refining, judging, and how the published evaluator differs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, HomebodyError, Protocol
from homebody.results.outputs import Output, score_outputs
from homebody.suites import get_suite
from homebody.suites.eai.trajectory import GrammarError
from homebody.suites.eai.virtualhome.audit import audit
from homebody.suites.eai.virtualhome.protocol import DIFFERENCES, PUBLISHED
from homebody.suites.eai.virtualhome.refinement import Limits, refine
from homebody.suites.eai.virtualhome.subgoal_decomposition import (
    SUITE,
    oracle,
    render,
    score,
)
from homebody.suites.eai.virtualhome.subgoals import read_subgoals
from homebody.suites.eai.virtualhome.tasks import load_task, load_tasks

pytestmark = pytest.mark.usefixtures("eai_data")

LIGHT = "120_1"  # ON and PLUGGED_IN of light.245 and light.411
CLOTHES = "417_1"  # clothes and soap onto a washing machine that is closed, on and plugged in
ME = "character.65"


def verdict(
    subgoals: Sequence[str] | str, identifier: str = LIGHT, protocol: Protocol = CORRECTED
) -> dict[str, Any]:
    text = subgoals if isinstance(subgoals, str) else render(subgoals)
    return dict(score(load_task(identifier, protocol), text, protocol).record)


def read(text: str, identifier: str = LIGHT) -> list[str]:
    return [str(s.formula) for s in read_subgoals(load_task(identifier), text, CORRECTED)]


# -- reading -------------------------------------------------------------------------------------


def test_what_is_around_the_object_does_not_matter() -> None:
    plain = render(["ON(light.245)", f"NEXT_TO({ME}, light.411)"])
    expected = read(plain)
    assert read(f"<think>{{no}}</think> Here it is:\n```json\n{plain}\n```") == expected
    assert read(plain.replace('"', "'")) == expected


def test_names_and_cases_are_looked_up() -> None:
    assert read(render(["on(light)"])) == read(render(["ON(light.245)"]))
    assert read(render(["SLEEP"])) == read(render(["SLEEP()"]))
    assert read(render(["1. ON(light.245) AND OFF(light.411).", ""])) == read(
        render(["ON(light.245) and OFF(light.411)"])
    )
    assert read(render(["BETWEEN(door.44, bathroom.1, bedroom.67)"])) == read(
        render(["BETWEEN(door.44, bathroom.1) and BETWEEN(door.44, bedroom.67)"])
    )


def test_then_inside_an_item_makes_several_subgoals() -> None:
    assert len(read(render(["PLUGGED_IN(light.245) then ON(light.245)"]))) == 2


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ("no idea", "parsing"),
        ("{}", "parsing"),
        (render([]), "parsing"),
        ('{"output": "ON(light.245)"}', "parsing"),
        ('{"output": [["ON(light.245)"]]}', "parsing"),
        ('{"output": [""]}', "parsing"),
        (render(["ON(light.245"]), "parsing"),
        (render(["turn on the light.245"]), "parsing"),
        (render(["(ON(light.245) then OFF(light.245)) or OPEN(light.245)"]), "parsing"),
        (render(["exists x. (exists y. (exists z. (BETWEEN(x, y, z))))"]), "parsing"),
        (render(["ON(light.245)"] * 201), "parsing"),
        ("[" * 100_000, "parsing"),
        (render(["(" * 50_000]), "parsing"),
        (render(["GLOWING(light.245)"]), "action_hallucination"),
        (render([f"WALK({ME}, light.245)"]), "action_hallucination"),
        (render(["POUR(light.245, light.411)"]), "action_hallucination"),
        (render(["ON(light.9)"]), "object_hallucination"),
        (render(["ON(lantern)"]), "object_hallucination"),
        (render(["ON(light.245, light.411)"]), "argument_number"),
        (render(["FACING(light.245)"]), "argument_number"),
        (render(["SLEEP(light.245)"]), "argument_number"),
    ],
)
def test_grammar_errors(output: str, error: str) -> None:
    found = verdict(output)
    assert found["error_type"] == error, found["explanation"]
    assert not found["executable"]
    assert found["progress"] == 0.0


def test_an_action_that_the_task_asks_for_is_known_there() -> None:
    assert read_subgoals(
        load_task("183_2"), render(["POUR(ground_coffee.1001, coffe_maker.290)"]), CORRECTED
    )
    with pytest.raises(GrammarError):
        read_subgoals(load_task(LIGHT), render(["POUR(light.245, light.411)"]), CORRECTED)


@given(st.text(max_size=200) | st.lists(st.text(max_size=20), max_size=5).map(render))
@settings(max_examples=150)
def test_any_text_gives_a_score(output: str) -> None:
    for protocol in (CORRECTED, PUBLISHED):
        found = score(load_task(LIGHT, protocol), output, protocol)
        assert 0.0 <= found.metrics["progress"] <= 1.0
        assert found.record["error_type"] or found.record["executable"]
        json.dumps(dict(found.record))


# -- refining and judging ------------------------------------------------------------------------


def test_missing_actions_are_found() -> None:
    found = verdict(["ON(light.245)", "ON(light.411)"])
    assert found["success"]
    assert found["additional_steps"] == 0
    plan = [line.partition("]")[0][1:] for line in found["plan"]]
    assert plan.count("SWITCHON") == 2
    assert plan[-1] == "SWITCHON"


def test_one_subgoal_may_ask_for_everything() -> None:
    together = " and ".join(f"ON(light.{n}) and PLUGGED_IN(light.{n})" for n in (245, 411))
    assert verdict([together])["success"]


def test_the_refined_plan_is_executable_and_succeeds_as_a_plan() -> None:
    sequencing = get_suite("eai.virtualhome.action_sequencing")
    for task in load_tasks()[::23]:
        if not task.has_goal:
            continue
        found = score(task, oracle(task, np.random.default_rng(0)), CORRECTED).record
        steps = []
        for line in found["plan"]:
            name, _, rest = line[1:].partition("]")
            words = rest.replace("<", " ").replace(">", " ").replace("(", " ").replace(")", " ")
            steps.append(f'"{name}": {json.dumps(words.split())}')
        plan = "{" + ", ".join(steps) + "}"
        again = sequencing.score(task, plan, CORRECTED).record
        assert again["executable"], again["explanation"]
        assert again["success"] == found["success"]


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


def test_what_holds_already_is_an_additional_step() -> None:
    found = verdict(["PLUGGED_IN(light.245)", "ON(light.245)", "ON(light.245)", "ON(light.411)"])
    start = load_task(LIGHT).task.initial
    held = start.holds("PLUGGED_IN", ("light.245",))
    assert found["success"]
    assert found["additional_steps"] == 1 + held
    assert "holds already" in found["explanation"]


def test_being_near_again_is_no_additional_step() -> None:
    near = f"NEXT_TO({ME}, light.245)"
    assert verdict([near, near, "ON(light.245)", "ON(light.411)"])["additional_steps"] == 0


@pytest.mark.parametrize(
    ("subgoal", "error", "words"),
    [
        ("PLUGGED_IN(character.65)", "affordance_error", "not something with a plug"),
        ("DIRTY(light.245)", "affordance_error", "no action brings about DIRTY(light.245)"),
        ("CAN_OPEN(light.245)", "affordance_error", "no action"),
        ("ON(light.245) and OFF(light.245)", "missing_step", "its parts exclude each other"),
        ("READ(light.245)", "affordance_error", "not something to read"),
        ("ON(light.411) and READ(light.245)", "affordance_error", "not something to read"),
    ],
)
def test_what_cannot_be_reached_says_why(subgoal: str, error: str, words: str) -> None:
    found = verdict(["ON(light.245)", subgoal])
    assert found["failed_subgoal"] == 2
    assert found["goals_met"]["state"][0] >= 1
    assert not found["executable"]
    assert not found["success"]
    assert found["error_type"] == error
    assert words in found["explanation"]


def test_actions_are_done_for_each_subgoal_that_asks_for_them() -> None:
    found = verdict(["TOUCH(light.245)", "TOUCH(light.245)"])
    assert sum("[TOUCH]" in line for line in found["plan"]) == 2


def test_any_part_of_an_or_counts() -> None:
    assert verdict(["DIRTY(light.245) or ON(light.245)", "ON(light.411)"])["success"]
    # the published evaluator follows the part that it draws, here the first
    assert not verdict(["DIRTY(light.245) or ON(light.245)", "ON(light.411)"], protocol=PUBLISHED)[
        "success"
    ]


def test_the_best_of_several_refinements_counts() -> None:
    """CLEAN can be reached by four actions; the task asks for one of them by name."""
    task = next(
        t
        for t in load_tasks()
        if t.action_goals in (("RINSE|WASH",), ("WASH|RINSE|SCRUB|WIPE",))
        and any(t.task.initial.holds("DIRTY", (name,)) for name in t.relevant)
    )
    thing = next(n for n in task.relevant if task.task.initial.holds("DIRTY", (n,)))
    found = score(task, render([f"CLEAN({thing})"]), CORRECTED).record
    assert found["goals_met"]["action"] == [1, 1]


def test_a_search_is_bounded_and_says_so() -> None:
    task = load_task(CLOTHES)
    things = [n for n in task.relevant if "clothes" in n]
    impossible = " and ".join(f"HOLDS_RH({ME}, {name})" for name in things)
    subgoals = read_subgoals(task, render([impossible]), CORRECTED)
    few = refine(task, subgoals, Limits(nodes=50, each=10))
    assert few.limited
    assert few.failed_at == 0
    record = score(task, render([impossible]), CORRECTED, Limits(nodes=50)).record
    assert record["search_limit"]
    assert "within the bounds of the search" in record["explanation"]


@pytest.mark.parametrize("identifier", ["417_1", "487_1", "419_2", "826_1"])
def test_a_subgoal_of_many_parts_is_reached_part_by_part(identifier: str) -> None:
    """There are too many orders to try them all, and it must not starve what comes after."""
    task = load_task(identifier)
    things = [f"{relation}({a}, {b})" for relation, a, b in task.relation_goals]
    states = [f"{state}({thing})" for state, thing in task.state_goals]
    place = task.relation_goals[0][2]
    opened = [f"OPEN({place})"] if ("CLOSED", place) in task.state_goals else []
    order = sorted(states, key=lambda text: text.startswith("CLOSED"))
    found = score(task, render([*opened, " and ".join(things), *order]), CORRECTED).record
    assert found["success"], found["explanation"]
    assert not found["search_limit"]


@pytest.mark.parametrize(
    ("identifier", "subgoals"),
    [
        ("313_2", [f"HOLDS_LH({ME}, toothbrush.1001)"]),
        ("491_2", [f"HOLDS_LH({ME}, tooth_paste.1001)", f"HOLDS_RH({ME}, toothbrush.1000)"]),
        ("491_2", [f"HOLDS_RH({ME}, toothbrush.1000)", f"HOLDS_LH({ME}, tooth_paste.1001)"]),
        ("896_2", [f"HOLDS_LH({ME}, novel.1000)", "READ(novel.1000)"]),
    ],
)
def test_the_hand_that_is_named_is_reached_where_the_goal_asks_for_it(
    identifier: str, subgoals: list[str]
) -> None:
    found = verdict(subgoals, identifier)
    assert found["success"], found["explanation"]
    assert found["additional_steps"] == 0


def test_either_hand_will_do_on_the_way() -> None:
    """There is one thing, so that the left hand cannot be the one that takes it."""
    found = verdict(
        [f"HOLDS_LH({ME}, soap.1002)", "ONTOP(soap.1002, washing_machine.1001)"], "27_2"
    )
    assert found["executable"]


def test_a_part_that_changes_nothing_is_named() -> None:
    found = verdict(["TYPE(computer.417) and SWITCHOFF(computer.417)"], "1003_2")
    assert found["additional_steps"] == 1
    assert "SWITCHOFF(computer.417) changes nothing" in found["explanation"]


def test_a_search_that_was_cut_does_not_say_impossible() -> None:
    both = "INSIDE(soap.1002, washing_machine.1001) and INSIDE(soap.1002, basket_for_clothes.1000)"
    found = verdict([both], "27_2")
    assert found["search_limit"]
    assert "Not possible:" not in found["explanation"].partition("For one")[0]
    shallow = score(load_task(LIGHT), render(["ON(light.245)"]), CORRECTED, Limits(depth=1)).record
    assert shallow["search_limit"]


def test_bounds_are_options() -> None:
    task = load_task(LIGHT)
    output = render(["ON(light.245)", "ON(light.411)"])
    assert SUITE.score(task, output, CORRECTED).record["success"]
    narrow = SUITE.bounded({"depth": 1})
    assert narrow.bounds["depth"] == 1
    assert not narrow.score(task, output, CORRECTED).record["executable"]
    with pytest.raises(HomebodyError, match="no bound 'seconds'"):
        SUITE.bounded({"seconds": 3})
    with pytest.raises(HomebodyError, match="positive"):
        SUITE.bounded({"nodes": 0})


def test_files_may_name_tasks_as_the_published_evaluator_does() -> None:
    scores = score_outputs(
        SUITE, [Output(f"scene_1_{LIGHT}", render(["ON(light.245)"])), Output(LIGHT, "")], CORRECTED
    )
    assert [found.identifier for found in scores] == [LIGHT, LIGHT]


def test_the_summary_has_the_published_schema() -> None:
    tasks = load_tasks()[::40]
    generator = np.random.default_rng(3)
    scores = [
        score(task, agent(task, generator), CORRECTED)
        for task in tasks
        for agent in SUITE.agents.values()
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
    prompt = SUITE.prompt(load_task("27_2"))
    assert "| washing_machine.1001 | placable_objects | ['CAN_OPEN'" in prompt
    assert "ONTOP(soap.1002, washing_machine.1001)" in prompt
    assert "<" not in prompt
    assert "HOLDS_RH" in SUITE.system()


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


def test_action_goals_by_name_need_no_object_and_stop_at_the_first_unmet() -> None:
    task = next(t for t in load_tasks(PUBLISHED) if len(t.action_goals) > 1)
    first = task.action_goals[0].split("|")[0]
    last = task.action_goals[-1].split("|")[0]
    assert first != last
    thing = next(n for n in task.relevant if n != ME)
    output = render([f"{last}({thing})"])
    base = PUBLISHED.without("goals_outside_subgoal_vocabulary")
    kept = score(task, output, base).record["goals_met"]["action"]
    assert kept[0] == 0
    assert kept[1] == len(task.action_goals)


def test_exceptions_of_the_published_evaluator_are_parsing_errors() -> None:
    for subgoal in ("not ON(light.245)", "ON(light)", "forall x. (ON(x))"):
        found = verdict([subgoal], protocol=PUBLISHED)
        assert found["error_type"] == "parsing", subgoal


def test_what_the_published_reader_takes() -> None:
    """``not not not`` is one; ids may have zeros in front; WIPE is known though not offered."""
    padded = verdict(["ON(light.00245)", "ON(light.411)"], protocol=PUBLISHED)
    assert padded["success"]
    assert verdict(["not not not ON(light.245)"], protocol=PUBLISHED)["subgoals"]
    assert verdict(["WIPE(light.245)"], protocol=PUBLISHED)["error_type"] == "missing_step"


def test_the_rules_are_bounded_too() -> None:
    task = load_task(LIGHT, PUBLISHED)
    output = render([f"ONTOP({ME}, bed.105)", f"NEXT_TO({ME}, bed.105)"] * 60)
    found = score(task, output, PUBLISHED, Limits(nodes=200)).record
    assert found["search_limit"] or found["error_type"]
    json.dumps(dict(found))
