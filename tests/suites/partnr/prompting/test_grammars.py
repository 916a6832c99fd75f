"""The same language as JSON schema, GBNF and regular expression, and none but valid calls in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.util import JSONSchema

import strict_schemas
from homebody.core import DONE, Action
from homebody.goals.partnr import Evaluation
from homebody.suites.partnr.prompting import grammars
from homebody.suites.partnr.prompting.action_space import ActionSpace, action_space, check
from homebody.suites.partnr.prompting.calls import (
    CALLS,
    TOOLS,
    CallError,
    format_call,
    parse_call,
    parse_calls,
)
from homebody.suites.partnr.prompting.tools import answer_tool
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.tasks import load
from suites.partnr.gbnf import Grammar
from suites.partnr.homes import make_task, of
from suites.partnr.prompting.valid_calls import as_json, random_call
from thorough import part_of

NOTHING_SEEN = ActionSpace(
    "robot",
    ("Navigate", "Explore", "Pick", "Place", "Open", "Wait", "Done"),
    ("kitchen_0",),
    ("floor_kitchen_0",),
    ("table_0",),
    (),
    able={"open": ("table_0",)},
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
    session = PartnrSession(task)
    robot, human = map(session.observe, ("robot", "human"))
    return action_space(robot, perception), action_space(human, perception)


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
    assert NOTHING_SEEN.possible_calls() == ("Navigate", "Explore", "Open", "Wait", "Done")
    for call, fits in (("Open[table_0]", True), ("Pick[cup_0]", False), ("Pick[]", False)):
        text = f"Thought: \n{call}\nAssigned!"
        assert bool(pattern.fullmatch(text)) is fits
        assert one.has(text) is fits
    assert "Pick" not in json.dumps(schema)


def test_names_are_quoted() -> None:
    odd = ActionSpace("robot", ("Pick", "Done"), (), (), (), ('a"b\\c', "d.e+f"))
    text = 'Thought: x\nPick[a"b\\c]\nAssigned!'
    assert re.fullmatch(grammars.regex([odd]), text)
    assert Grammar(grammars.gbnf([odd])).has(text)
    assert not re.fullmatch(grammars.regex([odd]), "Thought: x\nPick[dxeef]\nAssigned!")


# -- what the world and providers say of it --------------------------------------------------------

UNKNOWN = re.compile(
    r"there is no(thing)? named|there is no (skill|object|furniture|person)|there is no room named"
    r"|not known|you cannot do|is written|can be placed|things are placed|stays where"
    r"|the relation|cannot (?!be placed next|be reached|be put on|go ahead|look further)"
)
"""What the world says of a call that no agent can make, whatever it did before."""


def session_of(given: Mapping[str, str], seed: int) -> PartnrSession:
    tasks = load("val")
    task = tasks[seed % len(tasks)]
    return PartnrSession(replace(task, settings=Settings(**given), seed=seed))


@pytest.mark.sampled
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"observability": "full"},
        {"team": "single"},
        {"perception": "erring", "skills": "failing"},
        {"planner": "tools"},
        {"actions": "low_level"},
    ],
    ids=str,
)
def test_the_world_refuses_none_of_it_as_unknown(given: Mapping[str, str]) -> None:
    """Calls are drawn from the schema and the grammar in turn, in many states of many episodes,
    and tried; the expression has them, too."""
    rng = np.random.default_rng(len(given))
    tried = 0
    seeds = part_of(range(0, 1_000, 125), 4)
    for seed in seeds:
        session = session_of(given, seed)
        simulation = session.simulation
        for turn in range(20):
            for role in simulation.agents:
                space = action_space(session.observe(role), given.get("planner") == "tools")
                schema = grammars.schema([space])
                assert not strict_schemas.problems(schema)
                pattern = re.compile(grammars.regex([space], bare=True))
                grammar = Grammar(grammars.gbnf([space], bare=True))
                for draw in range(8):
                    if simulation.busy(role) is not None:
                        break
                    if draw % 2:
                        call = parse_call(json.dumps(strict_schemas.drawn(schema, rng)))
                    else:
                        call = parse_call(grammar.draw(rng))
                    assert check(call, space) == call
                    assert pattern.fullmatch(format_call(call))
                    assert grammar.has(format_call(call))
                    if call.name in TOOLS:
                        assert answer_tool(session, (role,), role, call)
                    elif call != DONE:
                        refused = simulation.act(role, call)
                        assert refused is None or not UNKNOWN.search(refused.message), refused
                        tried += 1
            for event in simulation.advance() if turn % 4 else ():
                assert event.ok or not UNKNOWN.search(event.message), event
    assert tried > 15 * len(seeds)


def test_all_that_the_world_would_do_is_offered() -> None:
    """Nothing that could be done is left out: what is known is tried with every skill."""
    session = session_of({"observability": "full"}, 0)
    simulation = session.simulation
    house = simulation.state.house
    named = [*house.room, *house.floors, *house.piece, *house.thing, *house.door]
    for role, agent in simulation.agents.items():
        space = action_space(session.observe(role))
        for name in set(CALLS) & agent.skills:
            for thing in named if [k for _, k in CALLS[name]] not in ([], ["room"]) else ():
                args = (thing,) if len(CALLS[name]) == 1 else (*house.thing, "on", thing)[-3:]
                call = Action(name, args)
                try:
                    check(call, space)
                except CallError:
                    assert simulation.act(role, call) is not None, call


def large(role: str, objects: int = 150, furniture: int = 100) -> ActionSpace:
    """What somebody can name in a house of many things."""
    rooms = tuple(f"living_room_{number}" for number in range(10))
    floors = tuple(f"floor_{room}" for room in rooms)
    pieces = tuple(f"kitchen_cabinet_{number}" for number in range(furniture))
    things = tuple(f"measuring_tape_{number}" for number in range(objects))
    return ActionSpace(
        role,
        tuple(CALLS),
        rooms,
        floors,
        pieces,
        things,
        {"on": floors + pieces, "within": pieces},
        {
            "open": pieces[::2],
            "clean": pieces[::2] + things,
            "filled": things[::10],
            "powered_on": pieces[::4],
        },
        tuple(f"door_{number}" for number in range(12)),
    )


@pytest.mark.parametrize(
    "few", [(large("robot", 10, 30),), (large("human", 100, 60), large("robot", 100, 60))]
)
def test_schema_is_one_of_strict_mode(few: tuple[ActionSpace, ...]) -> None:
    for these in (few, spaces(True), spaces(True)[:1], [large("robot"), large("human")]):
        schema = grammars.schema(these)
        assert strict_schemas.problems(schema) == []
        assert JSONSchema(**schema).model_dump(exclude_none=True) == schema


def test_long_lists_are_patterns_of_the_same_names() -> None:
    both = [large("robot"), large("human")]
    schema = grammars.schema(both)
    assert "enum" not in schema["properties"]["robot"]["anyOf"][0]["properties"]["target"]
    is_valid = jsonschema.Draft202012Validator(schema).is_valid
    rng = np.random.default_rng(0)
    for _ in range(200):
        answer = strict_schemas.drawn(schema, rng) | {"thought": "x"}
        assert is_valid(answer)
        calls = parse_calls(json.dumps(answer), ("robot", "human"))
        for space, call in zip(both, calls.values(), strict=True):
            assert check(call, space) == call
    for target, known in (("measuring_tape_1", True), ("tape_1", False)):
        calls = {role: {"call": "Navigate", "target": target} for role in ("robot", "human")}
        assert is_valid({"thought": "x", **calls}) is known


def test_constraints_of_large_houses_are_small() -> None:
    one = [large("human", 100, 80)]
    assert len(json.dumps(grammars.schema(one))) < 45_000
    assert len(grammars.gbnf(one)) < 27_000
    assert len(grammars.regex(one)) < 22_000


def test_texts_of_json_need_no_escapes() -> None:
    """Some servers put patterns between quotes as they are."""
    schema = json.dumps(grammars.schema(spaces(True)))
    patterns = re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', schema)
    assert patterns
    for pattern in map(json.loads, patterns):
        assert not re.fullmatch(pattern, 'a "quoted" cup')
        assert not re.fullmatch(pattern, "a\\cup")
        assert not re.fullmatch(pattern, "a\ncup")
        assert re.fullmatch(pattern, "a cup")


@pytest.mark.parametrize(
    ("call", "valid"),
    [
        ("Say[human, cup_0 is on counter_0, take it]", True),
        ("Say[human, hello]", True),
        ("Say[robot, hello]", False),
        ("Say[human]", False),
        ("Say[human, (hello)]", False),
        (f"Say[human, {121 * 'a'}]", False),
    ],
)
def test_words_are_in_the_language(call: str, valid: bool) -> None:
    task = make_task(
        Evaluation((of("is_clean", ["cup_0"]),)),
        ("cup_0", "counter_0"),
        settings=Settings(talk="radio"),
    )
    space = action_space(PartnrSession(task).observe("robot"))
    text = f"Thought: so be it.\n{call}\nAssigned!"
    assert bool(re.fullmatch(grammars.regex([space]), text)) is valid
    assert Grammar(grammars.gbnf([space])).has(text) is valid
    to, _, words = call[len("Say[") : -1].partition(", ")
    raw = {"thought": "", "action": {"call": "Say", "agent": to, "words": words}}
    checker = jsonschema.Draft202012Validator(grammars.schema([space]))
    assert checker.is_valid(raw) is valid
    for answer in (text, json.dumps(raw)):
        try:
            read = check(parse_call(answer), space)
        except CallError:
            assert not valid
        else:
            assert valid
            assert format_call(read) == call
