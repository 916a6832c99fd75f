"""How the published evaluators read outputs, and that nothing of it can hurt."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.ground.nesting import MAX_DEPTH
from homebody.suites.eai.lenient_json import MAX_CHARACTERS
from homebody.suites.eai.published import (
    PUBLISHED_DEPTH,
    Deeper,
    count_levels,
    json_error_text,
    published_goals,
    published_json,
    published_plan,
    python_literal,
)
from homebody.suites.eai.reading import ParsingError

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


@pytest.mark.parametrize("read", [published_plan, published_goals])
def test_no_reader_reads_without_end(read: Callable[[str], object]) -> None:
    with pytest.raises(ParsingError, match="characters"):
        read("x" * (MAX_CHARACTERS + 1))


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (published_plan, published_goals):
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
    assert json_error_text(in_3_13) == f"the output is not JSON: {message}"
    with pytest.raises(ParsingError) as caught:
        published_goals(text)
    assert str(caught.value) == f"the output is not JSON: {message}"


@pytest.mark.parametrize(
    "text", ["[not 1]", "[{'a': }]", "[{{}: 1}]", "[1\x00]", "[" + "-" * 90_000 + "1]"]
)
def test_what_is_no_literal_is_told_the_same_each_time(text: str) -> None:
    """It was told with the address of an object in memory."""
    with pytest.raises(ValueError, match=r"^malformed node or string$"):
        python_literal(text)


FORMS = [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), ('{"a":[', "]}")]


@pytest.mark.parametrize(("opening", "closing"), FORMS)
def test_published_json_is_read_to_where_the_published_evaluators_read(
    opening: str, closing: str
) -> None:
    each = opening.count("[") + opening.count("{")
    most = PUBLISHED_DEPTH // each
    assert count_levels(published_json(opening * most + "1" + closing * most)) == each * most
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
    assert (value["a"], value["d"], count_levels(value)) == (1, [2], 121)
    assert value["b"] == value["c"]
    for _ in range(MAX_DEPTH - 1):
        (value["b"],) = value["b"]
    assert value["b"] == Deeper("[" * 21 + ' "]" ' + "]" * 21)
