"""The one reader of structured answers: what it reads through, what it refuses, and that nothing
can hurt it."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.ground.nesting import MAX_DEPTH
from homebody.suites.eai.answers import object_with, read_answer
from homebody.suites.eai.lenient_json import MAX_CHARACTERS, MAX_FOUND, JsonObject, to_plain
from homebody.suites.eai.reading import Deviation, ParsingError, Reading

ANSWER = {"output": ["a", {"b": 1.5, "c": None}], "other": "it's"}
WRITTEN = json.dumps(ANSWER)


def read(text: str, reading: Reading | None = None) -> Any:
    shaped = object_with(["output"], beside=["other"])
    return to_plain(read_answer(text, reading or Reading(), shaped, 'an object with "output"'))


@pytest.mark.parametrize(
    ("text", "deviations"),
    [
        (WRITTEN, set()),
        (json.dumps(ANSWER, indent=2), set()),
        (f"```json\n{WRITTEN}\n```", set()),
        (f"```\n{WRITTEN}", set()),
        (f"{WRITTEN}<|eot_id|>", set()),
        (f"<think>Is it {{this}}? {{}}</think>\n{WRITTEN}", set()),
        (f'Is it {{"output": 3}}? No: {{ </think>\n{WRITTEN}', set()),
        (f"Here you are:\n{WRITTEN}", {Deviation.PROSE}),
        (f"{WRITTEN} I hope {{this}} helps [you].", {Deviation.PROSE}),
        (str(ANSWER), {Deviation.PYTHON}),
        (WRITTEN.replace("]", ",]"), {Deviation.COMMAS}),
        (WRITTEN.replace('"a", ', '"a" '), set()),  # two texts side by side could be one
        (WRITTEN.replace(", ", ", // why\n"), {Deviation.COMMENTS}),
        (WRITTEN.replace(", ", ", # why\n"), {Deviation.COMMENTS}),
        (WRITTEN.replace(", ", ", /* why */"), {Deviation.COMMENTS}),
        (WRITTEN[1:-1], {Deviation.BRACES}),
        (f"```json\n{WRITTEN[1:]}\n```", {Deviation.BRACES}),
        (WRITTEN.replace("1.5", "1.5,,") + f"\nAgain:\n{WRITTEN}", {Deviation.PROSE}),
        (f"[see [1] and {{this}}: {WRITTEN}", {Deviation.PROSE}),
        (f"{WRITTEN}\n{WRITTEN}", {Deviation.REPEATED}),
        (f"[{WRITTEN}]", {Deviation.SHAPE}),
        (f'{{"answer": {WRITTEN}}}', {Deviation.SHAPE}),
        (WRITTEN.replace('"output"', '"Output "'), {Deviation.CASE}),
        (f"[THINK]{{</think>?[/THINK]{WRITTEN}", set()),
        (f"<|channel|>analysis<|message|>{{<|end|><|channel|>final<|message|>{WRITTEN}", set()),
        (f"\ufeff<s>{WRITTEN}</s><\uff5cend\u2581of\u2581sentence\uff5c>", set()),
        (WRITTEN.replace(": ", "\uff1a").replace(", ", "\uff0c"), {Deviation.TYPOGRAPHY}),
        (WRITTEN.replace('"a"', "\u201ca\u201d"), {Deviation.TYPOGRAPHY}),
        (WRITTEN.replace('"a"', "\u2018a\u2019"), {Deviation.TYPOGRAPHY}),
        (WRITTEN.replace('"a"', '"""a"""'), {Deviation.PYTHON}),
        (WRITTEN.replace('"output"', '"_out-put"'), {Deviation.NAMES}),
    ],
)
def test_what_can_be_meant_in_one_way_is_read_and_noted(
    text: str, deviations: set[Deviation]
) -> None:
    reading = Reading()
    assert text != WRITTEN or not deviations
    if '"a" {' in text:
        deviations = {Deviation.COMMAS}
    assert read(text, reading) == ANSWER
    assert set(reading.deviations or ()) == deviations
    if deviations:
        with pytest.raises(ParsingError, match="which is not the requested format"):
            read(text, Reading(strict=True))
    else:
        assert read(text, Reading(strict=True)) == ANSWER
    assert read(text, Reading(strict=True, prompted=frozenset(deviations))) == ANSWER


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the output is empty"),
        ("<think>What now?</think> \n", "the output is empty behind its reasoning"),
        (f"<think>What now? {WRITTEN}", "reasoning that never ends"),
        ("I cannot do that.", "no JSON, but 'I cannot do that.', where an object with"),
        ("null", "no JSON"),
        ("{}", "an empty object where"),
        ('{"node_goals": 1}', "an object with the key 'node_goals' where"),
        ('{"output": 1}\n\n{"output": 2}', "different answers, in lines 1 and 3"),
        ('{"output": [1, 2}', "',' or ']' is expected in line 1, not '}'"),
        (
            '{\n"output": [cup]}',
            "a string, a number, a list or an object is expected in line 2, not 'cup'",
        ),
        ('{"output": ["cup', "a string that begins in line 1 never ends"),
        ('{\n"output": [\n1', "the '[' of line 2 is never closed"),
        ('{"output" 1}', "':' behind a key is expected in line 1, not '1'"),
        ("{output: 1}", "a key in quotes is expected in line 1, not 'output'"),
        ('{"output": [1,,2]}', "is expected in line 1, not ','"),
        ('{"output": 1 /* why', "a comment never ends"),
        ('{"output": ' + "9" * 5000 + "}", "a string, a number, a list or an object is expected"),
        ('{"output": ' + "[" * 90_000, "nested too deep"),
        ('{"output": [' + '{"output": 1}, ' * (MAX_FOUND + 1), "never closed"),
        ('{"output": 1} ' * (MAX_FOUND + 1), "more than 1,000 lists and objects"),
        ("x" * (MAX_CHARACTERS + 1), "characters"),
    ],
)
def test_what_is_no_answer_is_told_by_what_was_found(text: str, reason: str) -> None:
    with pytest.raises(ParsingError) as caught:
        read(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("'it\\'s'", "it's"),
        ('\'a "b" \\"c\\"\'', 'a "b" "c"'),
        ('"it\'s"', "it's"),
        ('"\\_ \\u00e4 \\u12 \\\\"', "\\_ ä \\u12 \\"),
        ('"a\nb"', "a\nb"),
        ("'''it's \"a\"'''", 'it\'s "a"'),
        ('""', ""),
        ('\u201cit\'s "a"\u201d', 'it\'s "a"'),
        ("(1, 2)", [1, 2]),
        ("(1)", 1),
        ("()", []),
        ("-1.5e3", -1500.0),
        ("007", 7),
        ("True", True),
        ("None", None),
    ],
)
def test_values_as_python_writes_them(written: str, value: object) -> None:
    assert read(f'{{"output": {written}}}') == {"output": value}


def test_of_an_answer_that_was_cut_off_no_part_is_one() -> None:
    with pytest.raises(ParsingError, match="never closed"):
        read('[{"output": 1}, {"output": 1}, ')


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1,, "b": {"output": 1}}',
        '[{"output": 2}, "b" 1, {"output": 1}]',
        '[{"output": 2}], "b"}, {"output": 1}, ,{"output": 2}]',
        '[{"output": 2] 1, {"output": 1}]',
        '{"output": [1, "cup, ["b"]}\n\nThat is {"output": 1}.',
    ],
)
def test_what_is_in_a_broken_answer_is_none(text: str) -> None:
    with pytest.raises(ParsingError):
        read(text)


def test_nothing_is_noted_before_the_reader_is_asked() -> None:
    reading = Reading()
    reading.note(Deviation.CASE, "'grab' for 'GRAB'")
    assert reading.record == {}


def test_other_keys_are_noted_but_for_those_that_may_stand_beside() -> None:
    reading = Reading()
    assert read('{"why": "so", "output": 1, "other": 2}', reading)["output"] == 1
    assert reading.deviations == {Deviation.SHAPE: "another key, 'why'"}


def test_repeated_keys_are_kept_in_order() -> None:
    pairs = read_answer('{"a": 1, "a": 2}', Reading(), lambda value, reading: value, "anything")
    assert pairs == [("a", 1), ("a", 2)]
    assert isinstance(pairs, JsonObject)


def test_the_first_of_a_kind_is_noted() -> None:
    reading = Reading()
    read('{"output": [1,\n2,],\n"other": [3,],}', reading)
    assert reading.record == {
        "deviations": {"commas": "a comma behind the last item in line 2"},
    }
    assert Reading().record == {}  # nothing was read


@pytest.mark.sampled
@pytest.mark.parametrize(
    "broken", ['{"a":', "[", '["', "[ x", '{"a" ', "'", '[1,{"', '["""', "[\u201c", "{", "[{"]
)
def test_many_broken_pieces_take_no_time(broken: str) -> None:
    start = time.process_time()
    with pytest.raises(ParsingError):
        read(broken * (MAX_CHARACTERS // len(broken)))
    assert time.process_time() - start < 15  # quadratic time would take minutes


@pytest.mark.parametrize("times", [MAX_DEPTH + 1, 900, 3_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_what_is_nested_too_deep_is_passed_over(opening: str, closing: str, times: int) -> None:
    deep = opening * times + "1" + closing * times
    with pytest.raises(ParsingError, match="nested too deep"):
        read(f'{{"output": {deep}}}')
    assert read(f'Not this: {deep}. This: {{"output": 1}}') == {"output": 1}
    assert read('{"output": "' + "[" * 500 + '"}') == {"output": "[" * 500}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(json_values, st.sampled_from([None, 1]))
def test_json_and_python_say_the_same(value: object, indent: int | None) -> None:
    answer = {"output": value}
    reading = Reading()
    assert read(json.dumps(answer, indent=indent), reading) == answer
    assert reading.deviations == {}
    assert read(repr(answer)) == answer
    assert read("# so:\n" + json.dumps(answer, ensure_ascii=False)) == answer


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(list("[]{}(),:'\"\\#/*1a\n ")), max_size=40).map("".join)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    for strict in (False, True):
        with contextlib.suppress(ParsingError):
            read_answer(text, Reading(strict), lambda value, reading: value, "anything")
