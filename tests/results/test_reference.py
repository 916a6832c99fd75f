"""Published figures: the file agrees with itself, with the paper, and shows beside ours."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody import cli
from homebody.core import CORRECTED, Suite
from homebody.results import reference
from homebody.results.reference import (
    Disagreement,
    Figure,
    Table,
    among,
    eai,
    etplan,
    figures,
    parse,
    partnr,
)
from homebody.results.rows import Row
from homebody.results.table import Format, render
from homebody.results.terminal import _even_parts, _parts, _room, print_table
from homebody.suites import get_suite, list_suites
from places import ROOT

PAPER = ROOT.parent / "shared/papers/eai-paper.txt"
WEBSITE = ROOT.parent / "shared/papers/eai-website.txt"
EMBODIEDEVAL = ROOT.parent / "shared/papers/embodiedeval-paper.txt"
PARTNR = ROOT.parent / "shared/papers/partnr-paper.txt"
ETPLAN = ROOT.parent / "shared/papers/etplan-paper.txt"
needs_partnr = pytest.mark.skipif(not PARTNR.exists(), reason="the paper's text is not here")
needs_paper = pytest.mark.skipif(not PAPER.exists(), reason="the paper's text is not here")
needs_website = pytest.mark.skipif(not WEBSITE.exists(), reason="the website's text is not here")

V, B = "eai.virtualhome.", "eai.behavior."
STOPPED = ("Parsing", "Halluc.", "Arg. num.", "Wrong order", "Missing", "Affordance")
RUN = ("Task SR", "Exec SR", *STOPPED, "Additional")
GOALS = ("State", "Relation", "Action", "Total")
BENCHMARK = [table for table in eai().tables if not table.setting]
MODELS = list(BENCHMARK[0].models)


def named(tables: list[Table]) -> pytest.MarkDecorator:
    ids = [f"{t.number}-{t.suite}-{t.setting}".rstrip("-") for t in tables]
    return pytest.mark.parametrize("table", tables, ids=ids)


# --- The file agrees with itself ------------------------------------------------------------------


def test_every_module_of_both_simulators_has_figures() -> None:
    modules = ["action_sequencing", "goal_interpretation"]
    modules += ["subgoal_decomposition", "transition_modeling"]
    assert {t.suite for t in BENCHMARK} == {s + m for s in (V, B) for m in modules}
    assert set(eai().order) == {t.suite for t in BENCHMARK}
    assert {t.number for t in eai().tables} == {*range(9, 23)}


@named(BENCHMARK)
def test_a_table_has_the_18_models(table: Table) -> None:
    assert len(table.models) == 18
    assert set(table.models) == set(MODELS)


@named(list(eai().tables))
def test_figures_are_percentages_and_know_their_table(table: Table) -> None:
    for row in table.models.values():
        assert len(row) == len(table.columns)
        for figure in row:
            assert 0 <= figure.value <= 100
            assert figure.value == round(figure.value, 1)
            assert figure.table == table.number


@named([t for t in BENCHMARK if "Exec SR" in t.columns])
def test_plans_run_or_stop_and_no_goal_is_met_by_more_than_run(table: Table) -> None:
    for model, row in table.models.items():
        by_name = dict(zip(table.columns, row, strict=True))
        total = sum(by_name[name].value for name in ("Exec SR", *STOPPED))
        doubted = any(figure.doubt for figure in row)
        assert abs(total - 100) < 1.05 or doubted, f"{model}: {total}"
        assert by_name["Task SR"].value <= by_name["Exec SR"].value


@pytest.mark.parametrize(
    ("suite", "number", "tasks"),
    [
        (V + "action_sequencing", 12, 305),  # the published evaluator drops the others
        (V + "subgoal_decomposition", 10, 338),
        (B + "action_sequencing", 12, 100),
        (B + "subgoal_decomposition", 10, 100),
    ],
)
def test_rates_are_shares_of_a_whole_number_of_tasks(suite: str, number: int, tasks: int) -> None:
    (table,) = [t for t in BENCHMARK if (t.suite, t.number) == (suite, number)]
    for row in table.models.values():
        for name, figure in zip(table.columns, row, strict=True):
            if name == "Additional" and suite.startswith(V):
                continue  # steps, not tasks
            nearest = 100 * round(figure.value * tasks / 100) / tasks
            assert abs(nearest - figure.value) < 0.1 or figure.doubt


@named([t for t in BENCHMARK if "Total" in t.columns])
def test_the_total_is_the_same_weighted_mean_of_the_kinds_for_every_model(table: Table) -> None:
    values = np.array([[figure.value for figure in row] for row in table.models.values()])
    weights, *_ = np.linalg.lstsq(values[:, :-1], values[:, -1], rcond=None)
    assert weights.sum() == pytest.approx(1, abs=2e-3)
    assert np.abs(values[:, :-1] @ weights - values[:, -1]).max() < 0.15


@named([t for t in BENCHMARK if any(c.endswith(" F1") for c in t.columns)])
def test_f1_is_that_of_precision_and_recall(table: Table) -> None:
    for row in table.models.values():
        by_name = dict(zip(table.columns, row, strict=True))
        for name, f1 in by_name.items():
            if not name.endswith(" F1"):
                continue
            precision, recall = (by_name[name.replace("F1", x)].value for x in "PR")
            right = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
            off = abs(right - f1.value)
            if f1.doubt:
                assert f"{right:.1f}" in f1.doubt
            else:
                assert off < (0.2 if table.number == 9 else 0.7)  # many of table 13 are whole


@pytest.mark.parametrize("suite", [name for name in list_suites() if name in eai().order])
def test_columns_are_named_as_the_suite_names_them(suite: str) -> None:
    reporting = get_suite(suite).reporting
    headers = {*reporting.summary.columns, *reporting.means, *reporting.tallies}
    for model, row in figures(suite).items():
        assert set(row) <= headers, model
    assert eai().order[suite] in headers


# --- the PARTNR paper -----------------------------------------------------------------------------


@pytest.mark.parametrize("suite", sorted(partnr().order))
def test_partnr_columns_are_named_as_the_suite_names_them(suite: str) -> None:
    reporting = get_suite(suite).reporting
    headers = {*reporting.summary.columns, *reporting.means, *reporting.measures}
    published = figures(suite)
    assert len(published) == {"partnr.val": 13, "partnr.test": 11}[suite]
    for model, row in published.items():
        assert set(row) <= headers, model
    assert partnr().order[suite] in headers


@needs_partnr
def test_partnr_figures_are_those_of_the_paper() -> None:
    printed = set(re.findall(r"(\d+\.\d+) ?±(?: ?(\d+\.\d+))?", PARTNR.read_text()))
    for table in partnr().tables:
        for row in table.models.values():
            for column, figure in zip(table.columns, row, strict=True):
                assert figure.error is not None
                plain = column in ("Steps", "Cycles", "Exploration")
                value, error = (x if plain else x / 100 for x in (figure.value, figure.error))
                assert any(
                    float(a) == pytest.approx(value) and float(b or 0) == pytest.approx(error)
                    for a, b in printed
                ), (table.number, column, figure)


# --- the EmbodiedEval paper -----------------------------------------------------------------------


@pytest.mark.skipif(not ETPLAN.exists(), reason="the paper's text is not here")
def test_etplan_figures_of_other_settings_are_those_of_the_paper() -> None:
    text = ETPLAN.read_text()
    others = [table for table in etplan().tables if table.number in (4, 6, 7)]
    assert {table.number for table in others} == {4, 6, 7}
    for table in others:
        start = text.index(f"Table {table.number}: Comparison")
        part = text[start : start + 700]
        for model, row in table.models.items():
            assert [figure.table for figure in row] == [table.number] * len(row), model
            assert all(f"{figure.value:.2f}".rstrip("0") in part for figure in row), model
    assert figures("etplan.navigation", "prompt=few-shot")["GPT-4"]["Success"].value == 77.81


def test_embodiedeval_columns_are_named_as_the_suite_names_them() -> None:
    headers = set(get_suite("embodiedeval.test").reporting.summary.columns)
    published = figures("embodiedeval.test")
    assert len(published) == 22
    assert all(set(row) <= headers for row in published.values())


@pytest.mark.skipif(not EMBODIEDEVAL.is_file(), reason="the paper's text is not there")
def test_embodiedeval_figures_are_those_of_the_paper() -> None:
    printed = EMBODIEDEVAL.read_text()
    for row in re.findall(r"^([^\t\n]+)((?:\t[^\t\n]+){13})", printed, re.MULTILINE):
        name = re.sub(r"\s*\[\d+\]|<[^>]*>", "", row[0])
        numbers = re.findall(r"\d+\.\d\d", row[1])
        own = figures("embodiedeval.test").get(name)
        if own is None or len(numbers) != 13:
            continue
        shown = [f"{own[c].value:.2f}" for c in ("Attr QA", "Spat QA", "Nav", "Object", "Social")]
        assert shown == [numbers[at] for at in (0, 1, 2, 5, 8)]
        assert [f"{own[c].value:.2f}" for c in ("Success", "GcS")] == numbers[11:]


# --- and with the paper ---------------------------------------------------------------------------


def model_named(text: str) -> str | None:
    """The model that a table's first cell means; the tables spell some in several ways."""
    name = text.strip().removesuffix(" Instruct").replace("Mistral 8x", "Mixtral 8x")
    name = re.sub(r"Llama-?3|Llama 3", "Llama 3", name)
    name = re.sub(r"(\d)b\b", r"\1B", name)
    return name if name in MODELS else None


def paper_tables() -> dict[tuple[int, str], dict[str, list[str]]]:
    """(table, module it is about if it is in parts) -> model -> its cells that hold something."""
    found: dict[tuple[int, str], dict[str, list[str]]] = defaultdict(dict)
    number, part = 0, ""
    for line in PAPER.read_text().splitlines():
        if match := re.match(r"Table (\d+):", line):
            number, part = int(match[1]), ""
        first, *cells = line.split("\t")
        if not any(cells) and (match := re.search("(Action Seq|Subgoal Dec)", line)):
            part = {"A": "action_sequencing", "S": "subgoal_decomposition"}[match[0][0]]
        model = model_named(first)
        if number and model and cells:
            key = (number, part if number in (6, 16) else "")
            found[key].setdefault(model, [cell.strip() for cell in cells if cell.strip()])
    return found


def website_tables() -> Iterator[tuple[str, dict[str, list[str]]]]:
    """(caption and part, model -> cells) in the order of the page."""
    caption, rows = "", dict[str, list[str]]()
    for line in WEBSITE.read_text().splitlines():
        text = line.strip()
        match = re.fullmatch(r"(.+?)((?: (?:\d+\.\d|-))+)", text)
        if match and (model := model_named(match[1])):
            rows[model] = match[2].split()
        elif text.startswith(("Table:", "Goal Interpretation +")):
            if rows:
                yield caption, rows
            caption, rows = text, {}
    yield caption, rows


def kept(number: int, suite: str, setting: str = "") -> dict[str, list[str]]:
    """Model -> its figures as printed, from our file."""
    (table,) = [
        t for t in eai().tables if (t.number, t.suite, t.setting) == (number, suite, setting)
    ]
    return {model: [f"{f.value:.1f}" for f in row] for model, row in table.models.items()}


def without_gaps(cells: list[str]) -> list[str]:
    return [cell for cell in cells if cell != "-"]


def check_full_tables(rows_of: dict[int, dict[str, list[str]]]) -> None:
    """Tables 9 to 15, row by row; VirtualHome and BEHAVIOR take turns in all but 13 and 14."""
    sides = {V: 0, B: 1}
    for simulator, side in sides.items():
        for number, suite, start, end in (
            (9, "goal_interpretation", 0, 24),
            (10, "subgoal_decomposition", 0, 18),
            (12, "action_sequencing", 0, 18),
            (11, "action_sequencing", 0, 8),
            (11, "subgoal_decomposition", 8, 16),
            (15, "transition_modeling", 0, 10),
        ):
            ours = kept(number, simulator + suite)
            for model, cells in rows_of[number].items():
                assert ours[model] == without_gaps(cells[start + side : end : 2]), (number, model)
    for number, simulator in ((13, V), (14, B)):
        assert kept(number, simulator + "transition_modeling") == rows_of[number]


@needs_paper
def test_full_tables_are_those_of_the_paper() -> None:
    rows_of = {number: rows for (number, _), rows in paper_tables().items()}
    assert all(len(rows_of[number]) == 18 for number in range(9, 16))
    check_full_tables(rows_of)


@needs_website
def test_full_tables_are_those_of_the_website() -> None:
    found = [rows for _, rows in website_tables()]
    assert len(found) == 10
    check_full_tables(dict(zip((9, 12, 11, 10, 13, 14, 15), found, strict=False)))


@needs_website
def test_pipelines_are_those_of_the_website() -> None:
    found = {caption: rows for caption, rows in website_tables() if " + " in caption}
    pipeline = "pipeline: with the goals that the model itself interpreted"
    for module in ("action_sequencing", "subgoal_decomposition"):
        (rows,) = [r for c, r in found.items() if c.lower().endswith(module.replace("_", " "))]
        assert len(rows) == 15
        for at, setting in enumerate(("modular", pipeline)):
            ours = kept(16, B + module, setting)
            assert ours == {model: cells[at::2] for model, cells in rows.items()}


@needs_paper
@pytest.mark.parametrize("module", ["action_sequencing", "subgoal_decomposition"])
def test_pipelines_are_those_of_the_paper_but_where_we_say_so(module: str) -> None:
    theirs = paper_tables()[16, module]
    assert len(theirs) == 15
    modular, pipeline = [t for t in eai().tables if (t.number, t.suite) == (16, B + module)]
    for model, cells in theirs.items():
        both = zip(modular.models[model], pipeline.models[model], strict=True)
        ours = [f"{figure.value:.1f}" for pair in both for figure in pair]
        doubted = any(f.doubt for f in (*modular.models[model], *pipeline.models[model]))
        assert (ours == cells) != doubted, model


@needs_paper
@named([t for t in eai().tables if t.number >= 17])
def test_figures_of_experiments_are_in_their_table(table: Table) -> None:
    text = re.split(rf"(?m)^Table {table.number}:", PAPER.read_text())[1][:1500]
    numbers = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)}
    for row in table.models.values():
        for figure in row:
            assert figure.value in numbers or figure.doubt


def differences() -> Iterator[Disagreement]:
    """What the shorter tables 3 to 7 of the paper give otherwise than our file."""
    theirs = paper_tables()
    both = [(V, 0), (B, 1)]
    plan = [  # table, part, full table, module, columns, first cell
        (3, "", 9, "goal_interpretation", ("Overall F1",), 0),
        (3, "", 12, "action_sequencing", RUN[:2], 2),
        (3, "", 10, "subgoal_decomposition", RUN[:2], 6),
        (5, "", 11, "action_sequencing", GOALS, 0),
        (5, "", 11, "subgoal_decomposition", GOALS, 8),
        (6, "action_sequencing", 12, "action_sequencing", RUN, 0),
        (6, "subgoal_decomposition", 10, "subgoal_decomposition", RUN, 0),
    ]
    for number, part, full, module, columns, start in plan:
        for model, cells in theirs[number, part].items():
            for at, (column, (simulator, side)) in enumerate((c, s) for c in columns for s in both):
                suite, cell = simulator + module, cells[start + at]
                if cell == "-":
                    assert side == 1
                    assert column == "Action"
                    continue
                ours = figures(suite)[model][column]
                assert ours.table == full
                if ours.value != float(cell):
                    yield Disagreement(number, full, suite, model, column, float(cell))
    yield from differences_of_table_7(theirs[7, ""])


def differences_of_table_7(rows: dict[str, list[str]]) -> Iterator[Disagreement]:
    """Its rows have lost some of the dashes, but no figure: they are read in order."""
    columns = [
        (simulator + "transition_modeling", f"{kind} {what}")
        for kind in ("States", "Orientation", "Affordance", "Spatial", "Non-spatial")
        for what in ("F1", "SR")
        for simulator in (V, B)
    ]
    for model, cells in rows.items():
        ours = [(suite, name, figures(suite)[model].get(name)) for suite, name in columns]
        figured = [(suite, name, figure) for suite, name, figure in ours if figure]
        for (suite, name, figure), cell in zip(figured, without_gaps(cells), strict=True):
            if figure.value != float(cell):
                yield Disagreement(7, figure.table, suite, model, name, float(cell))


@needs_paper
def test_all_disagreements_of_the_shorter_tables_are_listed() -> None:
    theirs = paper_tables()
    models = [len(theirs[key]) for key in theirs if key[0] in (3, 5, 6, 7)]
    assert models == [18, 7, 7, 7, 7]
    found = list(differences())
    assert sorted(map(str, found)) == sorted(map(str, eai().disagreements))


@needs_paper
def test_table_4_agrees_with_the_full_one() -> None:
    rows = paper_tables()[4, ""]
    assert len(rows) == 6
    for model, cells in rows.items():
        for simulator, side in ((V, 0), (B, 1)):
            ours = kept(9, simulator + "goal_interpretation")[model]
            assert ours[:6] == cells[side::2]


def test_the_documentation_lists_all_doubts_and_disagreements() -> None:
    text = (ROOT / "docs/benchmarks/published-results.md").read_text()
    for found in eai().disagreements:
        ours = figures(found.suite)[found.model][found.column].value
        short = found.suite.removeprefix("eai.")
        line = f"| {found.number} | {found.full} | {short} | {found.model} | {found.column} |"
        assert f"{line} {found.value} | {ours} |" in text
    for table in BENCHMARK:
        for model, row in table.models.items():
            for column, figure in zip(table.columns, row, strict=True):
                if figure.doubt:
                    short = table.suite.removeprefix("eai.")
                    start = f"| {table.number} | {short} | {model} | {column} |"
                    assert f"{start} {figure.value} | {figure.doubt} |" in text


# --- Reading --------------------------------------------------------------------------------------

GOOD = """
paper = "A paper"
[order]
"a.b.c" = "Rate"
[[table]]
number = 1
suite = "a.b.c"
columns = ["Rate", "Other"]
rows = [["m", 50.0, 1.5]]
doubts = [["m", "Other", "smudged"]]
[shorter]
rows = [[2, 1, "a.b.c", "m", "Rate", 51.0]]
"""


def test_a_file_is_read() -> None:
    paper = parse(GOOD)
    assert paper.name == "A paper"
    (read,) = paper.tables
    assert read.models == {"m": (Figure(50.0, 1), Figure(1.5, 1, "smudged"))}
    assert paper.disagreements == (Disagreement(2, 1, "a.b.c", "m", "Rate", 51.0),)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("50.0, 1.5]", "50.0]", "table 1, a.b.c: m has 1 of 2 figures"),
        ("50.0", "101.0", "table 1, a.b.c: 101.0 of m is not a percentage"),
        ("50.0", "nan", "table 1, a.b.c: nan of m is not a percentage"),
        ("50.0", '"-"', "table 1, a.b.c: '-' of m is not a percentage"),
        ("50.0", "true", "table 1, a.b.c: True of m is not a percentage"),
        ('[["m", 50.0', '[["m", 1.0, 2.0], ["m", 50.0', "table 1, a.b.c: m is there twice"),
        ('"Rate", "Other"', '"Other", "Other"', "table 1, a.b.c: 'Other' is there twice"),
        ('"Other", "sm', '"Else", "sm', r"table 1, a.b.c: a doubt is about no figure"),
        ('c" = "Rate"', 'c" = "Rating"', "a.b.c is ordered by 'Rating'"),
    ],
)
def test_a_mistake_in_the_file_says_where_it_is(old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(ValueError, match=re.escape(message)):
        parse(GOOD.replace(old, new))


def test_experiments_are_kept_apart() -> None:
    suite = V + "action_sequencing"
    assert figures(suite)["GPT-4o"]["Task SR"] == Figure(61.6, 12)
    replanned = figures(suite, "replanning: up to three more attempts")
    assert replanned["GPT-4o"]["Task SR"] == Figure(77.4, 17)


# --- Among our own rows ---------------------------------------------------------------------------

SUITE = V + "action_sequencing"


def own_row(rate: float, name: str = "mine") -> Row:
    suite = get_suite(SUITE)
    values = dict.fromkeys([*suite.reporting.summary.columns, *suite.reporting.means], 50.0) | {
        "Task SR": rate
    }
    return Row(name, 338, values, dict.fromkeys(values, 2.0))


def test_a_published_row_knows_its_source_and_has_no_errors() -> None:
    row = next(row for row in reference.rows(SUITE) if row.name == "GPT-4o")
    assert row.source == "EAI paper, tables 11 and 12"
    assert (row.tasks, row.errors) == (None, {})
    assert (row.values["Task SR"], row.values["Total"]) == (61.6, 71.8)
    assert "Partial" not in row.values


@given(st.lists(st.floats(0, 100), max_size=5))
def test_rows_are_ranked_by_the_main_column_and_none_is_lost(rates: list[float]) -> None:
    mine = [own_row(rate, str(at)) for at, rate in enumerate(rates)]
    found = among(mine, get_suite(SUITE))
    shown = [row.values["Task SR"] for row in found]
    assert shown == sorted(shown, reverse=True)
    assert sorted(row.name for row in found) == sorted([*map(str, range(len(rates))), *MODELS])


def test_a_suite_without_published_figures_shows_only_ours(suite: Suite[str]) -> None:
    mine = [Row("m", 1, {}, {})]
    assert among(mine, suite) == mine


def shown(form: Format, rate: float = 70.0) -> str:
    suite = get_suite(SUITE)
    return render(among([own_row(rate)], suite), suite, CORRECTED, form)


def test_json_says_which_rows_are_published() -> None:
    models = json.loads(shown(Format.JSON))["models"]
    assert [m["model"] for m in models if "source" not in m] == ["mine"]
    assert [m["model"] for m in models[:6]] == [
        "Mistral Large",
        "Gemini 1.5 Pro",
        "Claude-3.5 Sonnet",
        "o1-preview",
        "mine",
        "Claude-3 Opus",
    ]
    assert models[0]["tasks"] is None
    assert models[0]["values"]["Partial"] is None
    assert models[0]["source"] == "EAI paper, tables 11 and 12"


def test_csv_has_a_column_for_the_source() -> None:
    lines = list(csv.DictReader(io.StringIO(shown(Format.CSV))))
    assert len(lines) == 19
    by_name = {line["Model"]: line for line in lines}
    assert by_name["mine"]["Source"] == ""
    assert by_name["mine"]["Task SR SE"] == "2.0"
    assert by_name["GPT-4o"]["Source"] == "EAI paper, tables 11 and 12"
    assert (by_name["GPT-4o"]["Task SR"], by_name["GPT-4o"]["Partial"]) == ("61.6", "")
    assert (by_name["GPT-4o"]["Tasks"], by_name["GPT-4o"]["Task SR SE"]) == ("", "")


def test_markdown_marks_published_rows_and_says_where_they_are_from() -> None:
    lines = shown(Format.MARKDOWN).splitlines()
    assert sum("†" in line for line in lines) == 19
    assert any(line.startswith("| mine | 338 | 70.0 ± 2.0 |") for line in lines)
    assert any(line.startswith("| GPT-4o † | - | 61.6 | 82.0 |") for line in lines)
    assert lines[-2:] == ["", "† published: EAI paper, tables 11 and 12"]


@pytest.mark.sampled
@pytest.mark.parametrize("name", sorted(set(list_suites()) & set(eai().order)))
@pytest.mark.parametrize("width", [60, 80, 100, 120, 160, 200])
def test_a_terminal_of_any_width_shows_every_figure(
    width: int, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = get_suite(name)
    values = dict.fromkeys(
        [
            *suite.reporting.summary.columns,
            *suite.reporting.means,
            *suite.reporting.measures,
            *suite.reporting.tallies,
        ],
        50.0,
    )
    mine = Row(
        "openai/some-model", 338, values, dict.fromkeys(suite.reporting.summary.columns, 2.0)
    )
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(among([mine], suite), suite, CORRECTED)
    _title, *lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= width for line in lines)
    assert lines[-1].startswith("† published: EAI paper, table")
    cells = defaultdict[str, list[str]](list)
    for line in lines[:-1]:
        if match := re.match(r" (\S.*?)  +(\S.*)", line):
            cells[match[1]] += match[2].split()
    for row in reference.rows(name):
        expected = [f"{row.values[h]:.1f}" if h in row.values else "-" for h in values]
        assert cells[f"{row.name} †"] == ["-", *expected]
    assert cells["openai/some-model"][0] == "338"


@given(st.lists(st.integers(1, 30), min_size=2, max_size=20), st.integers(20, 200))
def test_columns_are_shared_out_without_losing_one(widths: list[int], room: int) -> None:
    parts = _even_parts(widths, room)
    assert [at for part in parts for at in part[1:]] == list(range(1, len(widths)))
    for part in parts:
        assert part[0] == 0
        assert len(part) == 2 or _room([widths[at] for at in part]) <= room
    assert len(parts) == len(_parts(widths, room))


# --- From the command line ------------------------------------------------------------------------


@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_score_with_reference(
    protocol: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outputs = tmp_path / "mine_outputs.json"
    outputs.write_text(json.dumps([{"identifier": "27_2", "llm_output": "{}"}]))
    command = ["score", SUITE, str(outputs), "--reference", "-f", "json", "-p", protocol]
    monkeypatch.setattr(sys, "argv", ["homebody", *command])
    capsys.readouterr()
    cli.main()
    out, err = capsys.readouterr()
    names = [model["model"] for model in json.loads(out)["models"]]
    assert (len(names), names[-1]) == (19, "mine")
    assert ("--protocol published" in err) == (protocol == "corrected")
