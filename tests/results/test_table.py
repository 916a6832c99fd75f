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
from homebody.core.shown import shown
from homebody.results.table import (
    Format,
    Row,
    cell,
    failed_note,
    left_out_note,
    make_row,
    print_table,
    render,
    render_records,
)

BuildRow = Callable[..., Row]
HEADERS = ["Right answers", "Wrong", "Slips"]
NASTY = 'a|b, "c"\\'
"""A model name that every format must escape in its own way."""


def printed(
    rows: list[Row],
    suite: Suite[str],
    width: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> list[str]:
    """The lines of a table on a terminal of this width."""
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(rows, suite, CORRECTED)
    return capsys.readouterr().out.splitlines()


def failed(identifier: str, reason: str = "no") -> SampleError:
    return SampleError(identifier, 1, "agent_error", reason)


def words_of(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines]


def cells_of_markdown(line: str) -> list[str]:
    """As GitHub splits a row: at every bar that has no backslash before it."""
    assert line.startswith("| ")
    assert line.endswith(" |")
    return line.replace("\\|", "\0").strip("|").split("|")


# --- Rows -----------------------------------------------------------------------------------------


def test_a_row_holds_the_numbers_of_the_summary(row: BuildRow) -> None:
    made = row("m", "yes", "no!!", "yes", "no!")
    assert made.name == "m"
    assert made.tasks == 4
    assert made.values == {"Right answers": 50.0, "Wrong": 50.0, "Slips": 3}


def test_tasks_are_counted_once_however_often_they_are_asked(suite: Suite[str]) -> None:
    scores = [suite.score(task, "yes", CORRECTED) for task in ("t1", "t2", "t1", "t2")]
    assert make_row("m", suite, scores).tasks == 2


def test_rates_have_errors_and_tallies_do_not(row: BuildRow) -> None:
    errors = row("m", "yes", "no", "yes", "no").errors
    assert set(errors) == {"Right answers", "Wrong"}
    assert errors["Right answers"] == pytest.approx(100 * (0.25 / 3) ** 0.5)
    assert errors["Wrong"] == pytest.approx(errors["Right answers"])


def test_tasks_that_the_protocol_leaves_out_do_not_count(row: BuildRow) -> None:
    made = row("m", "yes", "-", "no!", "-")
    assert made.tasks == 2
    assert made.values == {"Right answers": 50.0, "Wrong": 50.0, "Slips": 1}


def test_it_is_said_which_tasks_the_protocol_leaves_out(row: BuildRow) -> None:
    assert left_out_note(row("m", "yes", "no"), CORRECTED) == ""
    assert left_out_note(row("m", "yes", "-"), CORRECTED) == (
        "1 of 2 tasks is in no number, as the corrected protocol leaves it out: t2"
    )
    assert left_out_note(row("m", "-", "-", "-", "-"), CORRECTED) == (
        "there are no numbers: 4 of 4 tasks are in no number, as the corrected protocol leaves"
        " them out: t1, t2, t3, ..."
    )


def test_it_is_said_why_there_are_no_numbers(suite: Suite[str]) -> None:
    score = Score("t1", {"right": 0.0}, {"right": False, "slips": 0})
    assert score.left_out("") is score
    without = score.left_out("no goal")
    made = make_row("m", suite, [without])
    assert (made.tasks, made.left_out) == (0, {"t1": "no goal"})
    assert left_out_note(made, CORRECTED) == (
        "there are no numbers: 1 of 1 task is in no number, as the corrected protocol leaves it"
        " out (no goal): t1"
    )
    (model,) = json.loads(render([made], suite, CORRECTED, Format.JSON))["models"]
    assert (model["tasks"], model["left_out"]) == (0, {"t1": "no goal"})


def test_the_tally_of_a_task_left_out_does_not_count(suite: Suite[str]) -> None:
    scores = [
        Score("t1", {}, {"identifier": "t1", "right": True, "slips": 1}),
        Score("t2", {}, {"identifier": "t2", "right": True, "slips": 5}, valid=False),
    ]
    assert make_row("m", suite, scores).values["Slips"] == 1


def test_a_task_without_a_score_is_missed(suite: Suite[str]) -> None:
    scores = [suite.score(task, "yes", CORRECTED) for task in ("t1", "t2", "t2")]
    made = make_row("m", suite, scores, map(failed, ["t3", "t2", "t3"]))
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


def test_failures_are_told_by_their_reasons() -> None:
    long = [failed(f"t{at}", f"context too long: {at} tokens") for at in range(12)]
    odd = [failed("x", "HTTP 400")]
    assert failed_note([*odd, *long], 37) == (
        "13 of 50 samples failed, and are in no number: context too long (12), HTTP 400 (1);"
        " the first, x (agent_error)"
    )
    assert failed_note(odd).startswith("1 sample failed, and is in no number: HTTP 400 (1); ")
    many = [failed("t", f"reason {at}") for at in range(9)]
    assert "reason 4 (1), ...;" in failed_note(many)
    assert failed_note([], 3) == ""


def test_of_no_scores_there_is_no_mean(suite: Suite[str]) -> None:
    reporting = replace(suite.reporting, means={"Partial": "right"})
    made = make_row("m", replace(suite, reporting=reporting), [], [failed("t1")])
    assert cell(made, "Partial") == "-"
    assert (made.tasks, made.asked) == (0, 1)


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
    assert lines[-1] == "2 in all"


def test_no_records() -> None:
    assert json.loads(render_records([], Format.JSON)) == []
    assert render_records([], Format.TABLE).strip() == "0 in all"


words = st.text()


@given(st.lists(st.fixed_dictionaries({"a": words, "b": words}), min_size=1))
def test_any_records_survive_csv(records: list[dict[str, str]]) -> None:
    text = render_records(records, Format.CSV)
    for read, record in zip(csv.DictReader(io.StringIO(text, newline="")), records, strict=True):
        assert {key: word.removeprefix("'") for key, word in read.items()} == {
            key: shown(word).removeprefix("'") for key, word in record.items()
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


def test_a_hostile_name_on_a_terminal(
    row: BuildRow,
    suite: Suite[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for width in (40, 200):
        text = "\n".join(printed([row(HOSTILE, "yes")], suite, width, capsys, monkeypatch))
        assert not set(text) & set("\x1b\x07\u202e\udcff")
        assert r"\x1b]0;t" in text


# --- On a terminal --------------------------------------------------------------------------------


def test_a_wide_terminal_shows_a_line_per_model(
    row: BuildRow,
    suite: Suite[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [row("one", "yes", "no!", "yes", "no"), row("two", "yes", "yes", "yes", "yes")]
    lines = words_of(printed(rows, suite, 120, capsys, monkeypatch))
    assert lines[0] == ["toy.world.quiz,", "in", "%,", "corrected", "protocol"]
    assert ["Model", "Tasks", "answers", "Wrong", "Slips"] in lines  # "Right" is above
    assert ["one", "4", "50.0", "50.0", "1"] in lines
    assert ["±28.9", "±28.9"] in lines
    assert ["two", "4", "100.0", "0.0", "0"] in lines


def test_a_narrow_terminal_shows_a_line_per_number(
    row: BuildRow,
    suite: Suite[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [row("one", "yes", "no!", "yes", "no"), row("two", "yes", "yes", "yes", "yes")]
    lines = words_of(printed(rows, suite, 38, capsys, monkeypatch))
    assert ["one", "two"] in lines
    assert ["Tasks", "4", "4"] in lines
    assert ["Right", "answers", "50.0", "±", "28.9", "100.0"] in lines
    assert ["Wrong", "50.0", "±", "28.9", "0.0"] in lines
    assert ["Slips", "1", "0"] in lines


@pytest.mark.parametrize("width", range(26, 60))
def test_no_number_is_cut_at_any_width(
    width: int,
    row: BuildRow,
    suite: Suite[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [row("model", "yes", "no!", "no", "no")]
    lines = printed(rows, suite, width, capsys, monkeypatch)
    assert all(len(line) <= width for line in lines[1:])
    seen = " ".join(lines).split()
    assert {"model", "25.0", "75.0", "Tasks", "answers", "Wrong", "Slips"} <= set(seen)


@pytest.mark.parametrize("width", [40, 120])
@pytest.mark.parametrize("name", ["m[red]x", "m[/b]x"])
def test_brackets_in_a_name_are_shown_as_they_are(
    name: str,
    width: int,
    row: BuildRow,
    suite: Suite[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = printed([row(name, "yes")], suite, width, capsys, monkeypatch)
    assert any(name in line.split() for line in lines)
