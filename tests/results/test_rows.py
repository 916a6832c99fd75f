"""Rows: the numbers of a model, and what is said of those that are in none."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from homebody.core import CORRECTED, SampleError, Score, Suite
from homebody.results.rows import Row, excluded_note, failed_note, make_row
from homebody.results.table import Format, cell, headers_of, render
from homebody.suites import get_suite

BuildRow = Callable[..., Row]


def failed(identifier: str, reason: str = "no") -> SampleError:
    return SampleError(identifier, 1, "agent_error", reason)


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
    assert excluded_note(row("m", "yes", "no"), CORRECTED) == ""
    assert excluded_note(row("m", "yes", "-"), CORRECTED) == (
        "the corrected protocol excludes 1 of 2 tasks: t2"
    )
    assert excluded_note(row("m", "-", "-", "-", "-"), CORRECTED) == (
        "there are no metrics: the corrected protocol excludes 4 of 4 tasks: t1, t2, t3, ..."
    )


def test_it_is_said_why_there_are_no_numbers(suite: Suite[str]) -> None:
    score = Score("t1", {"right": 0.0}, {"right": False, "slips": 0})
    assert score.exclude("") is score
    without = score.exclude("no goal")
    made = make_row("m", suite, [without])
    assert (made.tasks, made.left_out) == (0, {"t1": "no goal"})
    assert excluded_note(made, CORRECTED) == (
        "there are no metrics: the corrected protocol excludes 1 of 1 task (no goal): t1"
    )
    (model,) = json.loads(render([made], suite, CORRECTED, Format.JSON))["models"]
    assert (model["tasks"], model["left_out"]) == (0, {"t1": "no goal"})


def test_the_tally_of_a_task_left_out_does_not_count(suite: Suite[str]) -> None:
    scores = [
        Score("t1", {}, {"identifier": "t1", "right": True, "slips": 1}),
        Score("t2", {}, {"identifier": "t2", "right": True, "slips": 5}, valid=False),
    ]
    assert make_row("m", suite, scores).values["Slips"] == 1


def test_failures_are_told_by_their_reasons() -> None:
    long = [failed(f"t{at}", f"context too long: {at} tokens") for at in range(12)]
    odd = [failed("x", "HTTP 400")]
    assert failed_note([*odd, *long], 37) == (
        "13 of 50 samples failed and are excluded: context too long (12), HTTP 400 (1);"
        " the first, x (agent_error)"
    )
    assert failed_note(odd).startswith("1 sample failed and is excluded: HTTP 400 (1); ")
    many = [failed("t", f"reason {at}") for at in range(9)]
    assert "reason 4 (1), ...;" in failed_note(many)
    assert failed_note([], 3) == ""


def test_of_no_scores_there_is_no_mean(suite: Suite[str]) -> None:
    reporting = replace(suite.reporting, means={"Partial": "right"})
    made = make_row("m", replace(suite, reporting=reporting), [], [failed("t1")])
    assert cell(made, "Partial") == "-"
    assert (made.tasks, made.asked) == (0, 1)


def test_errors_are_those_of_drawing_other_clusters(suite: Suite[str]) -> None:
    """Tasks of a cluster that fare alike tell no more than one of them."""
    alike = {"t1": "a", "t2": "a", "t3": "b", "t4": "b"}
    clustered = replace(suite, tasks=replace(suite.tasks, cluster=alike.__getitem__))
    answers = {"t1": "yes", "t2": "yes", "t3": "no", "t4": "no"}

    def errors(of: Suite[str], tasks: list[str]) -> float:
        scores = [of.score(task, answers[task], CORRECTED) for task in tasks]
        assert make_row("m", of, scores).tasks == len(tasks)
        return make_row("m", of, scores).errors["Right answers"]

    assert errors(clustered, ["t1", "t2", "t3", "t4"]) == errors(suite, ["t1", "t3"])
    assert errors(clustered, ["t1", "t2", "t3", "t4"]) > errors(suite, ["t1", "t2", "t3", "t4"])


def test_failed_runs_are_counted_by_their_labels() -> None:
    suite = get_suite("house.bring")

    def score(name: str, *labels: str, **given: bool) -> Score:
        metrics = {"success": float(not labels), "progress": float(not labels)}
        record = {"actions": 1, "refused": 0, "moved": 1.0, "labels": list(labels)}
        return Score(name, metrics, record, **given)  # type: ignore[arg-type]

    scores = [
        score("a", "never found", "gave up"),
        score("b", "gave up", "of another version"),
        score("c"),
        score("d", "gave up", valid=False),
    ]
    row = make_row("m", suite, scores)
    counted = {name: n for name, n in row.values.items() if name.startswith("Failed: ") and n}
    assert counted == {"Failed: never found": 1, "Failed: gave up": 2}
    headers = headers_of([row], suite)
    assert headers[-2:] == ["Failed: never found", "Failed: gave up"]
    old = [replace(each, record={"actions": 1, "refused": 0, "moved": 1.0}) for each in scores]
    assert not any("Failed" in name for name in make_row("m", suite, old).values)
