"""Tables: every format says the same numbers, and another program can read them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, SampleError, Score, Suite
from homebody.core.ground.escaping import escape
from homebody.results.rows import Row, make_row
from homebody.results.table import Format, cell, render, render_records

BuildRow = Callable[..., Row]
HEADERS = ["Right answers", "Wrong", "Slips"]
NASTY = 'a|b, "c"\\'
"""A model name that every format must escape in its own way."""


def cells_of_markdown(line: str) -> list[str]:
    """As GitHub splits a row: at every bar that has no backslash before it."""
    assert line.startswith("| ")
    assert line.endswith(" |")
    return line.replace("\\|", "\0").strip("|").split("|")


# --- Cells ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (50.0, 12.34, "50.0 ± 12.3"),
        (100.0, 0.0, "100.0"),
        (33.3333, 0.04, "33.3"),
        (50.0, float("nan"), "50.0"),
    ],
)
def test_a_cell_shows_its_error_if_it_has_one(value: float, error: float, text: str) -> None:
    made = Row("m", 4, {"Rate": value, "Slips": 7}, {"Rate": error})
    assert cell(made, "Rate") == text
    assert cell(made, "Slips") == "7"


# --- Formats --------------------------------------------------------------------------------------


def test_json(row: BuildRow, suite: Suite[str]) -> None:
    rows = [row(NASTY, "yes", "no", "yes", "no"), row("m", "yes")]
    document = json.loads(render(rows, suite, CORRECTED, Format.JSON))
    assert document["suite"] == "toy.world.quiz"
    assert document["protocol"] == "corrected"
    first, second = document["models"]
    assert first == {
        "model": NASTY,
        "tasks": 4,
        "values": {"Right answers": 50.0, "Wrong": 50.0, "Slips": 0},
        "standard_errors": {"Right answers": 28.8675, "Wrong": 28.8675},
    }
    assert second["standard_errors"] == {"Right answers": None, "Wrong": None}


def test_csv(row: BuildRow, suite: Suite[str]) -> None:
    rows = [row(NASTY, "yes", "no!", "yes", "no"), row("two\nlines", "yes", "yes", "no")]
    text = render(rows, suite, CORRECTED, Format.CSV)
    first, second = csv.DictReader(io.StringIO(text))
    assert first["Model"] == NASTY
    assert second["Model"] == "two\\nlines"
    assert (first["Tasks"], second["Tasks"]) == ("4", "3")
    for line, made in zip((first, second), rows, strict=True):
        found = {header: float(line[header]) for header in HEADERS}
        assert found == pytest.approx(made.values, abs=1e-4)


def test_markdown(row: BuildRow, suite: Suite[str]) -> None:
    rows = [row(NASTY, "yes", "no!", "yes", "no"), row("m", "yes", "yes", "yes", "yes")]
    lines = render(rows, suite, CORRECTED, Format.MARKDOWN).splitlines()
    header, rule, first, second = [
        [cell.strip() for cell in cells_of_markdown(line)] for line in lines
    ]
    assert header == ["Model", "Tasks", *HEADERS]
    assert rule == ["---", "---:", "---:", "---:", "---:"]
    assert first == [
        NASTY.replace("\\", "\\\\").replace("|", "\0"),
        "4",
        "50.0 ± 28.9",
        "50.0 ± 28.9",
        "1",
    ]
    assert second == ["m", "4", "100.0", "0.0", "0"]


def test_no_rows(suite: Suite[str]) -> None:
    assert json.loads(render([], suite, CORRECTED, Format.JSON))["models"] == []
    (header,) = csv.reader([render([], suite, CORRECTED, Format.CSV)])
    assert set(HEADERS) < set(header)
    assert len(render([], suite, CORRECTED, Format.MARKDOWN).splitlines()) == 2


def test_a_task_without_a_score_is_missed(suite: Suite[str]) -> None:
    scores = [suite.score(task, "yes", CORRECTED) for task in ("t1", "t2", "t2")]
    errors = [SampleError(task, 1, "agent_error", "no") for task in ("t3", "t2", "t3")]
    made = make_row("m", suite, scores, errors)
    assert (made.tasks, made.asked) == (2, 3)
    whole = make_row("w", suite, scores)
    lines = render([made, whole], suite, CORRECTED, Format.MARKDOWN).splitlines()[2:]
    assert [cells_of_markdown(line)[1].strip() for line in lines] == ["2 of 3", "2"]
    document = json.loads(render([made, whole], suite, CORRECTED, Format.JSON))
    assert [model.get("asked") for model in document["models"]] == [3, None]
    header, *rows = csv.reader(render([made, whole], suite, CORRECTED, Format.CSV).splitlines())
    assert [(row[header.index("Tasks")], row[header.index("Asked")]) for row in rows] == [
        ("2", "3"),
        ("2", "2"),
    ]
    assert "Asked" not in render([whole], suite, CORRECTED, Format.CSV)


def test_answers_that_end_early_have_columns_where_there_are_any(suite: Suite[str]) -> None:
    def ended(task: str, **record: Any) -> Score:
        score = suite.score(task, "yes", CORRECTED)
        return replace(score, record={**score.record, **record})

    some = [
        ended("t1", stop_reason="max_tokens"),
        ended("t2", stop_reasons={"empty": 3, "stop": 9}),
    ]
    model = make_row("model", suite, some)
    other = make_row("other", suite, [ended("t1", stop_reason="stop")])
    agent = make_row("agent", suite, [ended("t1")])
    document = json.loads(render([model, other, agent], suite, CORRECTED, Format.JSON))
    found = [
        (each["values"]["Truncated answers"], each["values"]["Empty answers"])
        for each in document["models"]
    ]
    assert found == [(1, 3), (0, 0), (None, None)]
    first, _, *lines = render([model, other, agent], suite, CORRECTED, Format.MARKDOWN).splitlines()
    assert cells_of_markdown(first)[-2:] == [" Truncated answers ", " Empty answers "]
    assert [cells_of_markdown(line)[-1].strip() for line in lines] == ["3", "0", "-"]
    for form in (Format.CSV, Format.JSON, Format.MARKDOWN):
        assert "Refused answers" not in render([model, other, agent], suite, CORRECTED, form)
        assert "Truncated answers" not in render([other, agent], suite, CORRECTED, form)


# --- Plain records --------------------------------------------------------------------------------

RECORDS = [
    {"task": "1_1", "reason": 'It has "no" goal, | at all.'},
    {"task": "2_1", "reason": "It stops at step 2."},
]


def test_records_as_json() -> None:
    assert json.loads(render_records(RECORDS, Format.JSON)) == RECORDS


def test_records_as_csv() -> None:
    text = render_records(RECORDS, Format.CSV)
    assert list(csv.DictReader(io.StringIO(text))) == RECORDS


def test_records_as_markdown() -> None:
    lines = render_records(RECORDS, Format.MARKDOWN).splitlines()
    assert [len(cells_of_markdown(line)) for line in lines] == [2, 2, 2, 2]
    assert 'It has "no" goal, \\| at all.' in lines[2]


def test_records_for_people() -> None:
    lines = render_records(RECORDS, Format.TABLE).splitlines()
    assert lines[0] == "task  reason"
    assert lines[1] == '1_1   It has "no" goal, | at all.'
    assert lines[-1] == "2 in total"


def test_no_records() -> None:
    assert json.loads(render_records([], Format.JSON)) == []
    assert render_records([], Format.TABLE).strip() == "0 in total"


words = st.text()


@given(st.lists(st.fixed_dictionaries({"a": words, "b": words}), min_size=1))
def test_any_records_survive_csv(records: list[dict[str, str]]) -> None:
    text = render_records(records, Format.CSV)
    for read, record in zip(csv.DictReader(io.StringIO(text, newline="")), records, strict=True):
        assert {key: word.removeprefix("'") for key, word in read.items()} == {
            key: escape(word).removeprefix("'") for key, word in record.items()
        }


# --- Names that would do something ---------------------------------------------------------------

HOSTILE = "\x1b]0;t\x07 \u202e a\nb | `c` <script>x</script> ![](http://x) \udcff"


@pytest.mark.parametrize("form", Format)
def test_no_format_lets_a_name_steer(form: Format, suite: Suite[str], row: BuildRow) -> None:
    texts = [render_records([{HOSTILE: HOSTILE}], form)]
    if form is not Format.TABLE:
        texts.append(render([row(HOSTILE, "yes")], suite, CORRECTED, form))
    for text in texts:
        assert not set(text) & set("\x1b\x07\u202e\udcff")
        text.encode()


@pytest.mark.parametrize("form", [Format.CSV, Format.MARKDOWN, Format.TABLE])
def test_a_name_takes_one_line(form: Format) -> None:
    lines = render_records([{"name": "one"}], form).splitlines()
    assert len(render_records([{"name": HOSTILE}], form).splitlines()) == len(lines)


def test_json_says_what_a_name_is() -> None:
    records = [{"name": HOSTILE}]
    assert json.loads(render_records(records, Format.JSON)) == records


def test_markdown_shows_a_name_as_text() -> None:
    line = render_records([{"name": HOSTILE}], Format.MARKDOWN).splitlines()[2]
    assert r"\| \`c\` \<script>x\</script> !\[](http://x)" in line
    plain = render_records([{"name": "p < 0.001, 1 > 0"}], Format.MARKDOWN).splitlines()[2]
    assert plain == "| p < 0.001, 1 > 0 |"


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+1+1", "'+1+1"),
        ("-2+3", "'-2+3"),
        ("@SUM(1,2)", '"\'@SUM(1,2)"'),
        ("\uff1d1+1", "'\uff1d1+1"),  # a wide =
        ("\t=1+1", r"\t=1+1"),
        ("\r=1+1", r"\r=1+1"),
        ("a;=1+1", '"a;=1+1"'),
        ('"=1+1', '"""=1+1"'),
        ("-0.52", "-0.52"),
        ("+.5e3", "+.5e3"),
        ("-", "-"),
        ("", ""),
        ("gpt-4o", "gpt-4o"),
    ],
)
def test_no_cell_of_csv_is_a_formula(name: str, cell: str) -> None:
    assert render_records([{"name": name}], Format.CSV) == f"name\n{cell}"
