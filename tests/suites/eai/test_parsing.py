"""Reading model output: every shape that should pass, and nothing that can hurt."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.nesting import MAX_DEPTH
from homebody.suites.eai.parsing import (
    MAX_CHARACTERS,
    PUBLISHED_DEPTH,
    Deeper,
    ParsingError,
    levels,
    not_json,
    parse_list,
    parse_object,
    parse_plan,
    plain,
    published_goals,
    published_json,
    published_plan,
)

PLAN = '{"FIND": ["cup", "1"], "FIND": ["sink", 2], "STANDUP": []}'
STEPS = [("FIND", ("cup", "1")), ("FIND", ("sink", "2")), ("STANDUP", ())]


@pytest.mark.parametrize(
    "text",
    [
        PLAN,
        f"  \n{PLAN}\n",
        f"```json\n{PLAN}\n```",
        f"```\n{PLAN}```",
        f"Here is the plan:\n```json\n{PLAN}\n```\nDone.",
        f"```json\n{PLAN}",
        f"Here is the plan: {PLAN}",
        f"{PLAN} I hope {{this}} helps.",
        f"<think>Shall I {{walk}}? {PLAN}</think>\n{PLAN}",
        f"```python\nprint(1)\n```\n```json\n{PLAN}\n```",
        f"[{PLAN}]",
        PLAN.replace('"', "'"),
        PLAN + "<|eot_id|>",
    ],
)
def test_plans_in_every_tolerated_dress(text: str) -> None:
    assert [(step.name, step.args) for step in parse_plan(text)] == STEPS


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the output is empty"),
        ("<think>What now?</think> \n", "the output is empty"),
        ("I cannot do that.", "not JSON"),
        ("{}", "no action"),
        ("[]", "not an object"),
        (PLAN + PLAN, "2 JSON objects"),
        ('[{"FIND": ["cup"]}, {"GRAB": ["cup"]}]', "2 JSON objects"),
        ("null", "not an object"),
        ('{"FIND": "cup"}', "not a list"),
        ('{"FIND": {"a": 1}}', "not a list"),
        ('{"FIND": [["cup"]]}', "neither a name nor an id"),
        ('{"FIND": [null]}', "neither a name nor an id"),
        ('{"FIND": [true]}', "neither a name nor an id"),
        ('{"FIND": ["cup"]', "not JSON"),
        ('{"FIND": ' + "[" * 90_000, "nested too deep|not JSON"),
        ('{"FIND": [' + "9" * 5000 + "]}", "not JSON"),
        ("x" * (MAX_CHARACTERS + 1), "characters"),
    ],
)
def test_what_is_no_plan_says_why(text: str, reason: str) -> None:
    with pytest.raises(ParsingError, match=reason):
        parse_plan(text)


def test_apostrophes_in_valid_json_are_kept() -> None:
    assert parse_object('{"a": "it\'s"}') == [("a", "it's")]


PUBLISHED_PATTERN = re.compile(r'"(\w+)"\s*:\s*(\[[^\]]+\])')
pieces = st.sampled_from(
    [
        '"GRAB"',
        '"',
        ":",
        " : ",
        "[",
        "]",
        "[]",
        '["cup", "1"]',
        "[1]",
        ",",
        "{",
        "}",
        "x",
        "'",
        "\n",
    ]
)


@given(st.lists(pieces, max_size=25).map("".join))
def test_published_plan_finds_what_the_published_pattern_finds(text: str) -> None:
    collapsed = re.sub(r"\s+", " ", text.strip())
    try:
        expected = [(key, json.loads(v)) for key, v in PUBLISHED_PATTERN.findall(collapsed)]
    except ValueError:
        with pytest.raises(ParsingError):
            published_plan(text)
    else:
        assert published_plan(text) == expected


def test_published_plan_takes_linear_time() -> None:
    """The pattern itself would need hours on this."""
    assert published_plan('"a":[' * (MAX_CHARACTERS // 5)) == []


def test_many_broken_objects_take_no_time() -> None:
    with pytest.raises(ParsingError):
        parse_object('{"a":' * (MAX_CHARACTERS // 5))


@pytest.mark.parametrize("read", [published_plan, published_goals, parse_object])
def test_no_reader_reads_without_end(read: Callable[[str], object]) -> None:
    with pytest.raises(ParsingError, match="characters"):
        read("x" * (MAX_CHARACTERS + 1))


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parse_object, parse_plan, published_plan, published_goals):
        with contextlib.suppress(ParsingError):
            read(text)


@pytest.mark.parametrize(
    ("text", "comma", "kind", "message"),
    [
        (
            '{"a": 1, }',
            7,
            "object",
            "Expecting property name enclosed in double quotes: line 1 column 10 (char 9)",
        ),
        ('{"a": [1,]}', 8, "array", "Expecting value: line 1 column 10 (char 9)"),
        ('{"a": ["\\u00e4", \t ] }', 15, "array", "Expecting value: line 1 column 20 (char 19)"),
    ],
)
def test_what_is_not_json_is_told_the_same_on_each_python(
    text: str, comma: int, kind: str, message: str
) -> None:
    """Python 3.13 has words of its own for a comma behind the last item."""
    assert text[comma] == ","
    in_3_13 = json.JSONDecodeError(f"Illegal trailing comma before end of {kind}", text, comma)
    assert not_json(in_3_13) == f"the output is not JSON: {message}"
    for read in (parse_object, published_goals):
        with pytest.raises(ParsingError) as caught:
            read(text)
        assert str(caught.value) == f"the output is not JSON: {message}"


@pytest.mark.parametrize(
    "text",
    [
        "[not 1]",
        "[{'a': }]",
        "[{{}: 1}]",
        "[1\x00]",
        "[" + "-" * 900 + "1]",
        "[" + "-" * 90_000 + "1]",
    ],
)
def test_what_is_no_literal_is_told_the_same_each_time(text: str) -> None:
    """It was told with the address of an object in memory."""
    with pytest.raises(ParsingError, match=r"^the list cannot be read: malformed node or string$"):
        parse_list(text)


# -- nesting ---------------------------------------------------------------------------------------

FORMS = [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), ('{"a":[', "]}")]


@pytest.mark.parametrize(("opening", "closing"), FORMS)
@pytest.mark.parametrize("times", [MAX_DEPTH + 1, 900, 1_000, 3_000])
def test_objects_nested_too_deep_are_no_objects(opening: str, closing: str, times: int) -> None:
    text = opening * times + "1" + closing * times
    with pytest.raises(ParsingError, match="nested too deep"):
        parse_object(f'{{"a": {text}}}')
    assert parse_object(f'Not this: {{"a": {text}}}. This: {{"b": 1}}') == [("b", 1)]


def test_objects_beside_brackets_are_found() -> None:
    text = '{"a": "' + "[" * 500 + '"}'
    assert plain(parse_object(text)) == {"a": "[" * 500}
    assert parse_object("[" * 500 + '{"b": [1]}') == [("b", [1])]
    assert parse_object('{"' * 90 + '" {"b": [1]}' + "[" * 500) == [("b", [1])]
    deepest = plain(parse_object('{"a":' * MAX_DEPTH + "1" + "}" * MAX_DEPTH))
    assert levels(deepest) == MAX_DEPTH


@pytest.mark.parametrize(("opening", "closing"), FORMS)
def test_published_json_is_read_to_where_the_published_evaluators_read(
    opening: str, closing: str
) -> None:
    each = opening.count("[") + opening.count("{")
    most = PUBLISHED_DEPTH // each
    assert levels(published_json(opening * most + "1" + closing * most)) == each * most
    with pytest.raises(ValueError, match="nested more than"):
        published_json(opening * (most + 1) + "1" + closing * (most + 1))


@pytest.mark.parametrize("depth", [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, 250, 900])
@pytest.mark.parametrize(
    "inner", ["x", "1 2", "{1: 2}", '"', '"a": 1', "]", "[}", '{"a" 1}', "{[]: 1}", ",", "01"]
)
def test_what_is_wrong_far_down_is_wrong(inner: str, depth: int) -> None:
    with pytest.raises(ValueError, match=r"line 1 column|nested more"):
        published_json(f'["a", {"[" * depth}{inner}{"]" * depth}]')


def test_what_is_wrong_around_what_lies_deep_is_wrong() -> None:
    deep = "[" * 150 + "]" * 150
    for text in (f"[1{deep}]", f"[{deep}.5]", f"{{{deep}: 1}}", f"[{deep}{deep}]", f"[-{deep}]"):
        with pytest.raises(ValueError, match="line 1 column"):
            published_json(text)


@pytest.mark.parametrize("text", ["[" * 500 + "1]", '{"a": ' * 500, "[" * 500 + "]" * 399 + "1"])
def test_what_is_never_closed_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="nested more than"):
        published_json(text)


def test_what_lies_deeper_stands_as_text() -> None:
    deep = "[" * 120 + ' "]" ' + "]" * 120
    value = published_json(f'{{"a": 1, "b": {deep}, "c": {deep}, "d": [2]}}')
    assert (value["a"], value["d"], levels(value)) == (1, [2], 121)
    assert value["b"] == value["c"]
    for _ in range(MAX_DEPTH - 1):
        (value["b"],) = value["b"]
    assert value["b"] == Deeper("[" * 21 + ' "]" ' + "]" * 21)
