"""Calls out of whatever a model writes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import Action, Observation
from homebody.core.play.transcript import read_call
from homebody.goals.partnr import Evaluation
from homebody.suites.partnr.prompting.action_space import action_space, check
from homebody.suites.partnr.prompting.calls import (
    CALLS,
    DONE,
    MAX_ANSWER,
    CallError,
    format_call,
    parse_call,
    parse_calls,
)
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import Settings
from patience import calls
from suites.partnr.homes import make_task, of
from suites.partnr.prompting.valid_calls import random_call

THINGS = (("cup_0", "counter_0"), ("plate_0", "coffee_table_0"), ("basket_0", "bed_0"))


def observed(role: str, observability: str = "full") -> Observation:
    task = make_task(
        Evaluation((of("is_on_top", ["cup_0"], ["coffee_table_0"]),)),
        *THINGS,
        settings=Settings(observability=observability),
    )
    return PartnrSession(task).observe(role)


@pytest.mark.parametrize(
    ("answer", "call"),
    [
        ("Thought: the cup is there.\nPick[cup_0]\nAssigned!", Action("Pick", ("cup_0",))),
        ("Pick[cup_0]", Action("Pick", ("cup_0",))),
        ("**Action:** `Pick[ cup_0 ]`", Action("Pick", ("cup_0",))),
        ("1. pick[<cup_0>]", Action("Pick", ("cup_0",))),
        ("Wait[]\r\nAssigned!\r\n", Action("Wait")),
        ("Done[]", DONE),
        # the last on a line of its own, whatever thoughts say before or after it
        (
            "Thought: I could Pick[cup_0].\nNavigate[cup_0]\nAssigned!",
            Action("Navigate", ("cup_0",)),
        ),
        ("Navigate[cup_0]\nPick[cup_0]", Action("Pick", ("cup_0",))),
        ("Pick[cup_0]\nThen I will Open[fridge_0] it.", Action("Pick", ("cup_0",))),
        ("Thought: I will do Pick[cup_0] Assigned!", Action("Pick", ("cup_0",))),
        # what a model invents after its turn is not looked at
        (
            "Pick[cup_0]\nAssigned!\nResult: done\nNavigate[a]\nAssigned!",
            Action("Pick", ("cup_0",)),
        ),
        ("Pick[cup_0] Assigned!\nNavigate[a]\n", Action("Pick", ("cup_0",))),
        # next to something or not
        ("Place[cup_0, on, t, None, None]", Action("Place", ("cup_0", "on", "t"))),
        ("Place[cup_0,within,t,none,none]", Action("Place", ("cup_0", "within", "t"))),
        ("Place[cup_0, on, t]", Action("Place", ("cup_0", "on", "t"))),
        (
            "Rearrange[cup_0, on, t, next_to, plate_0]",
            Action("Rearrange", ("cup_0", "on", "t", "next_to", "plate_0")),
        ),
        ("FindObjectTool[a cup, or two]", Action("FindObjectTool", ("a cup, or two",))),
        ("FindAgentActionTool[]", Action("FindAgentActionTool")),
        # JSON
        (
            '{"thought": "x", "action": {"call": "Pick", "object": "cup_0"}}',
            Action("Pick", ("cup_0",)),
        ),
        ('```json\n{"action": "Pick[cup_0]"}\n```', Action("Pick", ("cup_0",))),
        (
            '{"action": {"call": "Place", "object": "a", "where": "on b", "next_to": null}}',
            Action("Place", ("a", "on", "b")),
        ),
        (
            '{"action": {"call": "Place", "object": "a", "where": "on b", "next_to": "c"}}',
            Action("Place", ("a", "on", "b", "next_to", "c")),
        ),
    ],
)
def test_reads_the_call_that_counts(answer: str, call: Action) -> None:
    assert parse_call(answer) == call


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("", "there is no call"),
        ("I am not sure what to do.", "there is no call"),
        ("Fly[kitchen_0]", "there is no Fly; the calls are Navigate"),
        ("Pick[]", "Pick is written Pick[object]"),
        ("Pick[cup_0, cup_1]", "Pick is written Pick[object]"),
        ("Done[all of it]", "Done is written Done[]"),
        ("Place[cup_0, table_1]", "Place is written Place[object, on or within"),
        ("Place[cup_0, on, t, next_to, None]", "next_to and a name, or None and None"),
        ("Place[cup_0, on, t, beside, plate_0]", "next_to and a name, or None and None"),
        ("FindRoomTool[ ]", "FindRoomTool is written FindRoomTool[query]"),
        ('{"thought": "hm"}', 'no "action"'),
        ('{"action": {"call": "Pick", "object": 3}}', 'Pick needs a "object"'),
    ],
)
def test_says_what_is_wrong(answer: str, told: str) -> None:
    with pytest.raises(CallError) as error:
        parse_call(answer)
    assert told in str(error.value)


def test_reads_a_line_for_each_agent() -> None:
    answer = (
        "Thought: both.\nAgent_0_Action: Pick[cup_0]\n- **Agent_1_Action:** Clean[plate_0]\n"
        "Assigned!\nAgent_0_Action: Wait[]"
    )
    assert parse_calls(answer, ("robot", "human")) == {
        "robot": Action("Pick", ("cup_0",)),
        "human": Action("Clean", ("plate_0",)),
    }
    assert parse_calls("Agent_1_Action: Wait[]", ("human",)) == {"human": Action("Wait")}
    with pytest.raises(CallError, match="no line for the human; write Agent_1_Action:"):
        parse_calls("Agent_0_Action: Wait[]", ("robot", "human"))
    as_json = '{"robot": {"call": "Wait"}, "human": {"call": "Pick", "object": "cup_0"}}'
    assert parse_calls(as_json, ("robot", "human"))["human"] == Action("Pick", ("cup_0",))


def test_one_done_is_for_both() -> None:
    both = {"robot": DONE, "human": DONE}
    assert parse_calls("Thought: all is done.\nDone[]", ("robot", "human")) == both
    with pytest.raises(CallError):
        parse_calls("Wait[]", ("robot", "human"))
    mixed = "Agent_0_Action: Done[]\nAgent_1_Action: Wait[]"
    assert parse_calls(mixed, ("robot", "human")) == {"robot": DONE, "human": Action("Wait")}


@given(st.text(max_size=400) | st.text(alphabet='PickDone[]{}":, \n_0!Agent1Action', max_size=200))
def test_any_text_is_a_call_or_an_error(text: str) -> None:
    for read in (lambda: parse_call(text), lambda: parse_calls(text, ("robot", "human"))):
        with suppress(CallError):
            read()


@pytest.mark.parametrize(
    "text",
    [
        "a" * 2_000_000,
        "a[" * 500_000,
        "Agent_0_Action" * 99_999,
        "\n" * 1_000_000,
        '{"a":' * 300_000,
        "] Assigned" * 200_000,
    ],
)
def test_long_answers_take_little_work(text: str) -> None:
    def refused(read: Callable[[], object]) -> None:
        with pytest.raises(CallError):
            read()

    for read in (lambda: parse_call(text), lambda: parse_calls(text, ("robot", "human"))):
        assert calls(partial(refused, read)) < 20 * MAX_ANSWER


def test_what_an_agent_can_name() -> None:
    robot = action_space(observed("robot"))
    human = action_space(observed("human"), perception=True)
    assert "Clean" not in robot.calls
    assert "Clean" in human.calls
    assert "FindRoomTool" not in robot.calls
    assert "FindRoomTool" in human.calls
    assert set(robot.objects) == {"cup_0", "plate_0", "basket_0"}
    assert "basket_0" in robot.holders["within"]
    assert "cup_0" not in robot.names("holder")
    assert "floor_kitchen_0" in robot.names("target")
    assert "floor_kitchen_0" in robot.holders["on"]
    assert set(observed("robot").knowledge.house.piece) == set(robot.furniture)
    unseen = action_space(observed("robot", "partial"))
    assert set(unseen.objects) < set(robot.objects)
    assert unseen.furniture == robot.furniture


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Clean[cup_0]", "the robot cannot do Clean; it can do Navigate"),
        ("FindRoomTool[kitchen]", "there is no FindRoomTool here"),
        ("Pick[cup_7]", "nothing named cup_7 is known so far"),
        ("Pick[counter_0]", "counter_0 stays where it is"),
        ("Pick[kitchen_0]", "kitchen_0 is a room"),
        ("Explore[counter_0]", "there is no room counter_0; the rooms are"),
        ("Place[cup_0, under, counter_0]", 'must be "on" or "within", not "under"'),
        ("Place[cup_0, on, plate_9]", "nothing named plate_9"),
        ("Place[cup_0, on, counter_0, next_to, plate_9]", "nothing named plate_9"),
        ("Navigate[robot]", "nothing named robot"),
        ("Open[floor_kitchen_0]", "floor_kitchen_0 cannot be opened"),
        ("Close[plate_0]", "plate_0 cannot be opened or closed"),
        ("Place[cup_0, within, floor_kitchen_0]", 'use "on"'),
        ("Place[cup_0, on, kitchen_0]", "put cup_0 on its floor, floor_kitchen_0, or on"),
        ("Place[cup_0, on, counter_0, next_to, floor_kitchen_0]", "cannot be placed next to floor"),
    ],
)
def test_checks_against_what_is_known(answer: str, told: str) -> None:
    with pytest.raises(CallError) as error:
        check(parse_call(answer), action_space(observed("robot")))
    assert told in str(error.value)


@given(st.integers(0, 10_000), st.sampled_from(["robot", "human"]), st.booleans())
def test_random_calls_are_valid_and_read_back(seed: int, agent: str, full: bool) -> None:
    one = _SPACES[agent, full]
    call = random_call(one, np.random.default_rng(seed))
    assert check(call, one) == call
    text = format_call(call)
    assert parse_call(text) == call
    assert read_call(text) is not None


_SPACES = {
    (role, full): action_space(observed(role, "full" if full else "partial"))
    for role in ("robot", "human")
    for full in (True, False)
}


def test_calls_have_all_five_arguments_when_written() -> None:
    assert format_call(Action("Place", ("a", "on", "b"))) == "Place[a, on, b, None, None]"
    assert format_call(Action("Wait")) == "Wait[]"
    assert set(CALLS) >= {"Navigate", "Done"}
