"""The same language as JSON schema, GBNF and regular expression, and none but valid calls in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import DONE, Action
from homebody.goals.partnr import Evaluation
from homebody.suites.partnr.prompting import grammars
from homebody.suites.partnr.prompting.action_space import ActionSpace, action_space, check
from homebody.suites.partnr.prompting.calls import (
    CALLS,
    CallError,
    format_call,
    parse_call,
    parse_calls,
)
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import Settings
from suites.partnr.gbnf import Grammar
from suites.partnr.homes import make_task, of
from suites.partnr.prompting.valid_calls import random_call

NOTHING_SEEN = ActionSpace(
    "robot",
    ("Navigate", "Explore", "Pick", "Place", "Open", "Wait", "Done"),
    ("kitchen_0",),
    ("floor_kitchen_0", "table_0"),
    (),
)


@cache
def spaces(perception: bool = False) -> tuple[ActionSpace, ActionSpace]:
    task = make_task(
        Evaluation((of("is_on_top", ["cup_0"], ["coffee_table_0"]),)),
        ("cup_0", "counter_0"),
        ("plate_0", "coffee_table_0"),
        ("basket_0", "bed_0"),
        settings=Settings(observability="full"),
    )
    simulation = PartnrSession(task).simulation
    return action_space(simulation, "robot", perception), action_space(
        simulation, "human", perception
    )


@cache
def grammar(perception: bool, both: bool) -> Grammar:
    return Grammar(grammars.gbnf(spaces(perception) if both else spaces(perception)[1:]))


@cache
def expression(perception: bool, both: bool) -> re.Pattern[str]:
    return re.compile(grammars.regex(spaces(perception) if both else spaces(perception)[1:]))


@cache
def validator(perception: bool, both: bool) -> Any:
    schema = grammars.schema(spaces(perception) if both else spaces(perception)[1:])
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


# -- what is in the language -----------------------------------------------------------------------


@given(st.integers(0, 2**32), st.booleans())
def test_all_that_the_grammar_draws_is_valid_for_one(seed: int, perception: bool) -> None:
    text = grammar(perception, False).draw(np.random.default_rng(seed))
    call = parse_call(text)
    assert check(call, spaces(perception)[1]) == call
    assert expression(perception, False).fullmatch(text)


@given(st.integers(0, 2**32))
def test_all_that_the_grammar_draws_is_valid_for_both(seed: int) -> None:
    text = grammar(False, True).draw(np.random.default_rng(seed))
    calls = parse_calls(text, ("robot", "human"))
    for one in spaces():
        assert check(calls[one.role], one)
    assert expression(False, True).fullmatch(text)


def as_json(action: Action) -> dict[str, Any]:
    """A call as the schema has it, whether or not the call is valid."""
    args = list(action.args)
    found: dict[str, Any] = {"call": action.name}
    for field, kind in CALLS.get(action.name, ()):
        if kind == "beside":
            found[field] = args[1] if args[:1] == ["next_to"] and len(args) > 1 else None
        elif args:
            found[field] = args.pop(0)
    return found


NAMES = ("cup_0", "plate_0", "counter_0", "floor_kitchen_0", "kitchen_0", "cup_9", "robot", "on")


@st.composite
def any_call(draw: st.DrawFn) -> Action:
    """A call that may be valid, or wrong in its name, the number or kind of its arguments."""
    one = spaces()[draw(st.integers(0, 1))]
    call = random_call(one, np.random.default_rng(draw(st.integers(0, 2**32))))
    if draw(st.booleans()):
        return call
    name = draw(st.sampled_from([*CALLS, "Fly", call.name]))
    args = list(call.args)
    if args and draw(st.booleans()):
        args[draw(st.integers(0, len(args) - 1))] = draw(st.sampled_from(NAMES))
    return Action(name, tuple(args))


@settings(max_examples=300)
@given(any_call(), st.booleans())
def test_regex_schema_grammar_and_parser_agree(call: Action, perception: bool) -> None:
    text = f"Thought: so be it.\n{format_call(call)}\nAssigned!"
    try:
        read = parse_call(text)
        valid = check(read, spaces(perception)[1]) == read
    except CallError:
        valid = False
    assert bool(expression(perception, False).fullmatch(text)) is valid
    assert grammar(perception, False).has(text) is valid
    fields = as_json(call)
    as_expected = len(call.args) == 2 * ("next_to" in call.args) + sum(
        kind != "beside" for _, kind in CALLS.get(call.name, ())
    )
    if as_expected:  # else there is no such JSON
        answer = {"thought": "so be it", "action": fields}
        assert validator(perception, False).is_valid(answer) is valid
        if valid:
            assert parse_call(json.dumps(answer)) == read


@given(st.integers(0, 2**32))
def test_answers_for_both_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot, human = (random_call(one, rng) for one in spaces())
    text = (
        f"Thought: x\nAgent_0_Action: {format_call(robot)}\nAgent_1_Action: {format_call(human)}\n"
        "Assigned!"
    )
    answer = {"thought": "x", "robot": as_json(robot), "human": as_json(human)}
    assert expression(False, True).fullmatch(text)
    assert grammar(False, True).has(text)
    assert validator(False, True).is_valid(answer)
    for form in (text, json.dumps(answer)):
        assert parse_calls(form, ("robot", "human")) == {"robot": robot, "human": human}


@pytest.mark.parametrize(
    "text",
    [
        "Thought: x\nAgent_0_Action: Clean[cup_0]\nAgent_1_Action: Wait[]\nAssigned!",
        "Thought: x\nAgent_1_Action: Wait[]\nAssigned!",
        "Thought: x\nWait[]\nAssigned!",
        "Agent_0_Action: Wait[]\nAgent_1_Action: Wait[]\nAssigned!",
    ],
)
def test_what_is_not_in_the_language_of_both(text: str) -> None:
    assert not expression(False, True).fullmatch(text)
    assert not grammar(False, True).has(text)


def test_one_done_for_both_is_in_the_language() -> None:
    text = "Thought: all is done.\nDone[]\nAssigned!"
    assert expression(False, True).fullmatch(text)
    assert grammar(False, True).has(text)
    assert parse_calls(text, ("robot", "human")) == {"robot": DONE, "human": DONE}


def test_thoughts_are_bounded() -> None:
    for length, fits in ((grammars.MAX_THOUGHT, True), (grammars.MAX_THOUGHT + 1, False)):
        text = f"Thought: {'x' * length}\nWait[]\nAssigned!"
        assert bool(expression(False, False).fullmatch(text)) is fits
        assert grammar(False, False).has(text) is fits
        answer = {"thought": "x" * length, "action": {"call": "Wait"}}
        assert validator(False, False).is_valid(answer) is fits


def test_no_call_needs_an_object_before_one_is_known() -> None:
    pattern = re.compile(grammars.regex([NOTHING_SEEN]))
    one = Grammar(grammars.gbnf([NOTHING_SEEN]))
    schema = grammars.schema([NOTHING_SEEN])
    assert NOTHING_SEEN.possible() == ("Navigate", "Explore", "Open", "Wait", "Done")
    for call, fits in (("Open[table_0]", True), ("Pick[cup_0]", False), ("Pick[]", False)):
        text = f"Thought: \n{call}\nAssigned!"
        assert bool(pattern.fullmatch(text)) is fits
        assert one.has(text) is fits
    assert "Pick" not in json.dumps(schema)


def test_schema_keeps_to_what_strict_modes_take() -> None:
    def walk(part: Any) -> Iterator[dict[str, Any]]:
        if isinstance(part, dict):
            yield part
            for value in part.values():
                yield from walk(value)
        elif isinstance(part, list):
            for value in part:
                yield from walk(value)

    for both in (spaces(True), spaces(True)[:1]):
        for part in walk(grammars.schema(both)):
            if part.get("type") == "object":
                assert part["additionalProperties"] is False
                assert part["required"] == list(part["properties"])


def test_names_are_quoted() -> None:
    odd = ActionSpace("robot", ("Pick", "Done"), (), (), ('a"b\\c', "d.e+f"))
    text = 'Thought: x\nPick[a"b\\c]\nAssigned!'
    assert re.fullmatch(grammars.regex([odd]), text)
    assert Grammar(grammars.gbnf([odd])).has(text)
    assert not re.fullmatch(grammars.regex([odd]), "Thought: x\nPick[dxeef]\nAssigned!")
