"""Refining subgoals: the actions that are found, and what is said where there are none."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from homebody.core import CORRECTED, PUBLISHED
from homebody.planning.relevance import EACH_OPTION, Option, Relevance
from homebody.suites import get_suite
from homebody.suites.eai.subgoal_decomposition.refinement import MAX_EFFORT, Limits, refine
from homebody.suites.eai.virtualhome.refinement import make_setting
from homebody.suites.eai.virtualhome.subgoal_decomposition import oracle, render, score
from homebody.suites.eai.virtualhome.subgoals import read_subgoals
from homebody.suites.eai.virtualhome.tasks import load_task, load_tasks
from suites.eai.virtualhome.subgoal_verdicts import CLOTHES, LIGHT, ME, verdict
from suites.long_outputs import long_outputs

pytestmark = pytest.mark.usefixtures("eai_data")


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


def test_what_holds_already_is_an_additional_step() -> None:
    found = verdict(["PLUGGED_IN(light.245)", "ON(light.245)", "ON(light.245)", "ON(light.411)"])
    start = load_task(LIGHT).task.initial
    held = start.holds("PLUGGED_IN", ("light.245",))
    assert found["success"]
    assert found["additional_steps"] == 1 + held
    assert ("Subgoals 1, 3 hold" if held else "Subgoal 3 holds") in found["explanation"]


@pytest.mark.parametrize(
    ("rests", "then", "plan", "needless"),
    [
        ("ONTOP({}, chair.103)", "ONTOP({}, toilet.37)", "FIND SIT STANDUP FIND SIT", 0),
        (
            "ONTOP({}, chair.103)",
            "LYING({}) and ONTOP({}, bed.105)",
            "FIND SIT STANDUP FIND LIE",
            0,
        ),
        ("LYING({}) and ONTOP({}, bed.105)", "SITTING({})", "FIND LIE SIT", 0),
        ("ONTOP({}, chair.103)", "SITTING({})", "FIND SIT", 1),
    ],
)
def test_one_stands_up_for_another_seat(rests: str, then: str, plan: str, needless: int) -> None:
    found = verdict([text.format(ME, ME) for text in (rests, then)], "323_2")
    assert [step.partition("]")[0][1:] for step in found["plan"]] == plan.split()
    assert found["executable"]
    assert found["additional_steps"] == needless


def test_being_near_again_is_no_additional_step() -> None:
    near = f"NEXT_TO({ME}, light.245)"
    assert verdict([near, near, "ON(light.245)", "ON(light.411)"])["additional_steps"] == 0


@pytest.mark.parametrize(
    ("subgoal", "error", "words"),
    [
        ("PLUGGED_IN(character.65)", "affordance_error", "has no plug"),
        ("DIRTY(light.245)", "affordance_error", "no action brings about DIRTY(light.245)"),
        ("CAN_OPEN(light.245)", "affordance_error", "no action"),
        ("ON(light.245) and OFF(light.245)", "missing_step", "OFF(light.245) exclude each other"),
        ("READ(light.245)", "affordance_error", "cannot be read"),
        ("ON(light.411) and READ(light.245)", "affordance_error", "cannot be read"),
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
    few = refine(
        make_setting(task, subgoals), task.task.initial, subgoals, Limits(nodes=50, each=10)
    )
    assert few.limited
    assert few.failed_at == 0
    record = score(task, render([impossible]), CORRECTED, Limits(nodes=50)).record
    assert record["search_limit"]
    assert "within the bounds of the search" in record["explanation"]


@pytest.mark.sampled
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


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name",
    [
        "and of relations 20000",
        "and of exists 20000",
        "and of foralls 20000",
        "or of exactly 20000",
        "200 2 forn clique or ",
    ],
)
def test_what_is_looked_at_is_bounded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions that might help were listed by the ten thousand before the first was tried."""
    looked_at = []
    possible = Relevance._possible

    def counted(self: Relevance[Any], option: Option, view: Any) -> bool:
        looked_at.append(option)
        return possible(self, option, view)

    monkeypatch.setattr(Relevance, "_possible", counted)
    task = load_task("27_2")
    text = dict(long_outputs("eai.virtualhome.subgoal_decomposition", task))[name]
    found = score(task, text, CORRECTED).record
    assert found["subgoals"]
    assert len(looked_at) <= 1.1 * MAX_EFFORT / EACH_OPTION


def test_subgoals_of_too_many_characters_are_not_read() -> None:
    task = load_task("27_2")
    text = dict(long_outputs("eai.virtualhome.subgoal_decomposition", task))["and of ors 99000"]
    found = score(task, text, CORRECTED).record
    assert found["error_type"] == "parsing"
    assert "more than 40,000 characters" in found["explanation"]
