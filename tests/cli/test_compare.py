"""`homebody compare`, and what `homebody results` tells of samples."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from command import Homebody
from places import DOCS

pytest.importorskip("statsmodels")
pytest.importorskip("duckdb")
SUITE = "house.bring"
EVIL = "<script>\x1b[31m=cmd()|' /C calc'!A0\u202e" + "x" * 3_000


@pytest.fixture
def two_runs(homebody: Homebody) -> None:
    for agent in ("idle", "random"):
        words = ("run", SUITE, "-a", agent, "--limit", "6", "--workers", "1", "--out", "out")
        assert homebody(*words).code == 0


@pytest.mark.usefixtures("two_runs")
def test_two_runs_are_compared(homebody: Homebody) -> None:
    told = homebody("compare", "out/idle", "out/random", "--show", "1")
    assert told.code == 0
    assert "house.bring, A: idle, B: random; 6 tasks in 2 clusters, in %" in told.out
    assert "success" in told.out
    assert "note: there are only 2 clusters of tasks" in told.err
    rows = list(
        csv.DictReader(io.StringIO(homebody("compare", "out/idle", "out/random", "-f", "csv").out))
    )
    assert {row["metric"] for row in rows} == {"success", "progress"}
    same = homebody("compare", "out/idle", "out/idle")
    assert "B is better at 0 tasks, A at 0; 6 are equal" in same.out


@pytest.mark.sampled
@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("compare out/idle", "two runs, or one run with --protocols"),
        ("compare out/idle out/random --protocols a,b", "two runs, or one run with --protocols"),
        ("compare out/idle out", "out has several runs"),
        ("compare out/idle nowhere", "no results in nowhere"),
        ("compare out/idle --protocols corrected", "is not two protocols"),
        ("compare out/idle --protocols corrected,published", "has no protocol 'published'"),
        ("compare out/idle out/random -f odd", "unknown format: 'odd'"),
        ("results out --where colour=red", "unknown column: 'colour'"),
        ("results out --sql nonsense", "the query is wrong"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_line(
    homebody: Homebody, words: str, problem: str
) -> None:
    told = homebody(*words.split())
    assert (told.code, told.out) == (2, "")
    assert problem in told.err
    assert told.err.count("\n") == 1


@pytest.mark.usefixtures("two_runs")
def test_samples_are_listed_filtered_and_asked(homebody: Homebody) -> None:
    listed = homebody("results", "out", "--samples", "-f", "csv").out
    rows = list(csv.DictReader(io.StringIO(listed)))
    assert len(rows) == 12
    assert {row["model"] for row in rows} == {"idle", "random"}
    some = homebody("results", "out", "--samples", "--where", "model=idle", "-f", "json").out
    assert len(json.loads(some)) == 6
    runs = json.loads(homebody("results", "out", "-f", "json").out)
    assert [(run["run"], run["samples"]) for run in runs] == [("idle", "6"), ("random", "6")]
    asked = homebody("results", "out", "--sql", "SELECT count(*) AS n FROM samples", "-f", "csv")
    assert asked.out == "n\n12\n"
    sure = homebody("results", "out", "--stats").out
    assert "between tasks" in sure
    assert "Wilson" in sure


def test_hostile_text_is_text(homebody: Homebody) -> None:
    """From a file of outputs, through samples, CSV, comparison and SQL."""
    Path("m_outputs.json").write_text(json.dumps([{"identifier": "home-0-0", "llm_output": EVIL}]))
    assert homebody("score", SUITE, "m_outputs.json", "--out", "scored").code == 0
    lines = Path("scored/m/samples.jsonl").read_text().splitlines()
    record = json.loads(lines[0]) | {"explanation": EVIL}
    Path("scored/m/samples.jsonl").write_text(json.dumps(record) + "\n")
    run = json.loads(Path("scored/m/run.json").read_text()) | {"files": {}}
    Path("scored/m/run.json").write_text(json.dumps(run))
    said = [
        homebody("results", "scored", "--samples", "-f", form).out
        for form in ("csv", "json", "markdown", "table")
    ]
    said.append(homebody("compare", "scored", "scored").out)
    said.append(homebody("results", "scored", "--sql", "SELECT explanation FROM samples").out)
    for text in said:
        assert "\x1b" not in text
        assert "\u202e" not in text
    (row,) = csv.DictReader(io.StringIO(said[0]))
    assert row["explanation"].startswith("<script>")
    Path("scored/m/samples.jsonl").write_text(json.dumps(record | {"explanation": "=cmd()"}))
    (row,) = csv.DictReader(
        io.StringIO(homebody("results", "scored", "--samples", "-f", "csv").out)
    )
    assert row["explanation"] == "'=cmd()"


@pytest.mark.slow
@pytest.mark.usefixtures("eai_data")
def test_the_page_shows_what_is_printed(homebody: Homebody) -> None:
    suite = "eai.virtualhome.action_sequencing"
    assert homebody("run", suite, "-a", "copycat", "-a", "frequent", "-o", "plans").code == 0
    printed = homebody("compare", "plans/copycat", "plans/frequent").out.splitlines()
    page = (DOCS / "guides/compare-runs.md").read_text()
    block = page.partition(f"    {suite}, A:")[2].partition("\n\n")[0].splitlines()[1:]
    assert len(block) > 5
    assert {line.removeprefix("    ").rstrip() for line in block} <= {x.rstrip() for x in printed}
