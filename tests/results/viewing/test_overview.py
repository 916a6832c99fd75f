"""Runs together: the tables are those of the command line; abilities are means over suites."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from homebody.core import CORRECTED
from homebody.results.reference import rows as published
from homebody.results.rows import make_row
from homebody.results.viewing.documents import Documents, to_json
from homebody.results.viewing.overview import overview
from homebody.results.viewing.runs import Log, Run, read_runs
from homebody.results.writing import record_of
from homebody.suites import get_suite, loadable_suites
from own_suites import in_place
from toy_runs import NAME, chores, keep


def runs_of(tmp_path: Path, **outputs: list[str]) -> list[Run]:
    suite = chores()
    with in_place([suite]):
        found, wrong = read_runs([keep(tmp_path, suite, n, texts) for n, texts in outputs.items()])
    assert wrong == []
    return found


def test_a_table_has_the_numbers_of_the_command_line(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, one=["yes", "half", "no", "yes", "-"], two=["no"])
    (table,) = overview(runs)["tables"]
    assert [header["name"] for header in table["headers"]] == ["Success", "Progress", "Slips"]
    assert [header["low"] for header in table["headers"]] == [False, False, True]
    row = make_row("one", runs[0].suite, runs[0].scores)
    assert table["rows"][0]["values"] == [row.values[h] for h in ("Success", "Progress", "Slips")]
    assert table["rows"][0]["errors"][0] == pytest.approx(row.errors["Success"], abs=1e-4)
    assert table["rows"][0]["run"] == f"{NAME}.one"
    assert any("protocol excludes" in note for note in table["notes"])


def test_what_cannot_be_compared_shares_no_table(tmp_path: Path) -> None:
    first, second = runs_of(tmp_path, one=["yes"], two=["no"])
    older = replace(second, made={**second.made, "data": {"toy": "0"}})
    assert len(overview([first, second])["tables"]) == 1
    assert len(overview([first, older])["tables"]) == 2


def test_samples_and_problems_are_counted(tmp_path: Path) -> None:
    (run,) = overview(runs_of(tmp_path, one=["yes", "half", "no", "half", "-"]))["runs"]
    assert run["verdicts"] == [1, 2, 1, 1, 0]
    assert dict(run["problems"]) == {"missing step": 2, "wrong order": 2}
    assert run["made"]["model"] == "one"


def test_difficulty_is_of_groups_that_are_large_enough(tmp_path: Path) -> None:
    (run,) = overview(runs_of(tmp_path, one=["yes", "no"] * 20))["runs"]
    (chairs,) = run["difficulty"]
    assert chairs["name"] == "chairs"
    assert [label for label, *_ in chairs["groups"]] == ["0", "1", "2", "3", "4"]
    assert [tasks for _, tasks, *_ in chairs["groups"]] == [8] * 5
    assert all(low <= mean <= high for _, _, mean, low, high in chairs["groups"])


def test_abilities_are_means_over_suites(tmp_path: Path) -> None:
    outputs = ["yes", "half", "no", "yes"]
    (one,) = runs_of(tmp_path, one=outputs)
    other = replace(one, suite=replace(one.suite, name="toy.other"), records=one.records[:1])
    made: dict[str, Any] = overview([one, other])["abilities"]
    assert made["names"] == ["Order", "Sweeping"]
    (profile,) = made["profiles"]
    order, sweeping = profile["values"]
    assert sweeping["mean"] == pytest.approx(100 * (0.5 + 1) / 2)
    assert order["mean"] == pytest.approx(100 * (0.625 + 1) / 2)
    assert sweeping["suites"] == [NAME, "toy.other"]
    assert {
        "ability": "Order",
        "suite": NAME,
        "measure": "progress",
        "tasks": "with chairs",
    } in made["fed"]


def test_the_error_of_an_ability_is_that_of_drawing_other_clusters(tmp_path: Path) -> None:
    (one,) = runs_of(tmp_path, one=["yes", "half", "no", "yes"])
    (profile,) = overview([one])["abilities"]["profiles"]
    row = make_row("one", one.suite, one.scores)
    assert profile["values"][1]["error"] == pytest.approx(row.errors["Success"], abs=0.01)


def records_of() -> list[tuple[str, dict[str, Any]]]:
    """A record of a suite of each kind."""
    made = []
    for name, agent in (
        ("eai.virtualhome.action_sequencing", "random"),
        ("eai.virtualhome.goal_interpretation", "random"),
        ("house.bring", "idle"),
        ("partnr.val", "idle"),
    ):
        suite = get_suite(name)
        task = suite.tasks.load(CORRECTED)[0]
        made.append((name, record_of(suite.score(task, suite.answer(agent, task)))))
    return made


@pytest.mark.usefixtures("eai_data")
def test_records_that_somebody_has_edited_are_shown_as_far_as_can_be() -> None:
    rng = np.random.default_rng(0)
    values: list[Any] = [None, [], {}, "x", -1, 1e400, True, [[1]], {"a": {}}, "9" * 400]
    for name, record in records_of():
        for _ in range(60):
            edited = dict(record)
            for key in rng.choice(sorted(record), 3):
                if key in ("identifier", "epoch"):
                    continue
                if rng.random() < 0.4:
                    edited.pop(key, None)
                else:
                    edited[key] = values[rng.integers(len(values))]
            log = Log(Path("x.jsonl"), {"suite": name}, 1, (edited,), {})
            runs, wrong = read_runs([], [log])
            assert wrong == []
            made = Documents(tuple(runs))
            to_json(made.overview).encode()
            to_json(made.columns(runs[0].id)).encode()
            to_json(made.sample(runs[0].id, 0)).encode()


def test_papers_have_tables_of_their_own() -> None:
    tables = {table["suite"]: table for table in overview([], papers=True)["tables"]}
    told = {suite.name for suite in loadable_suites() if published(suite.name)}
    assert tables.keys() == told
    assert all(row["source"] for table in tables.values() for row in table["rows"])
