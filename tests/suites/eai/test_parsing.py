"""Reading model output: every shape that should pass, and nothing that can hurt."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.suites.eai.parsing import (
    MAX_CHARACTERS,
    ParsingError,
    parse_object,
    parse_plan,
    published_goals,
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
        ("", "not JSON"),
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
