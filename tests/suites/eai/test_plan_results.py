"""Explanations of scores: those that were read beside their tasks, and how they are bounded."""

import tomllib
from functools import cache
from pathlib import Path

import pytest

from homebody.core import CORRECTED, Action, ErrorType, Failure, State, Trace, Verdict
from homebody.core.score import MAX_EXPLANATION, cut_text
from homebody.suites import get_suite
from homebody.suites.eai.plan_results import cut_list, explain_trace, wrong_number_text

READ = tomllib.loads((Path(__file__).parent / "explanations.toml").read_text())["read"]


@cache
def tasks(name: str) -> dict[str, object]:
    suite = get_suite(name)
    return {suite.tasks.identify(task): task for task in suite.tasks.load(CORRECTED)}


@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize("entry", READ, ids=lambda entry: f"{entry['suite'][4:]} {entry['task']}")
def test_explanations_are_as_they_were_read(entry: dict[str, str]) -> None:
    task = tasks(entry["suite"])[entry["task"]]
    score = get_suite(entry["suite"]).scoring.score(task, entry["answer"], CORRECTED)
    assert score.record["explanation"] == entry["explanation"]


def refused(count: int) -> Trace:
    failure = Failure(Action("OPEN", ("box",)), ErrorType.ADDITIONAL_STEP, (), "Not needed.")
    state = State({}, {}, {})
    return Trace((state,), skipped=tuple((index, failure) for index in range(count)))


def test_all_steps_that_were_passed_over_are_told() -> None:
    verdict = Verdict(True, 1.0, (), "All hold.")
    three = explain_trace(refused(3), verdict, True)
    assert [f"Step {number}, OPEN(box)" in three for number in (1, 2, 3, 4)] == [*[True] * 3, False]
    assert "Not carried out either: step 5. All hold." in explain_trace(refused(5), verdict, True)
    many = explain_trace(refused(200), verdict, True)
    assert "Not carried out either: steps 5, 6, " in many
    assert many.endswith(" 24 and 176 more. All hold.")
    assert len(many) < MAX_EXPLANATION


def test_what_a_model_writes_is_cut() -> None:
    four = ["x" * 1000, "b", "c", "d"]
    assert cut_list("Wrong: ", four, 2) == f"Wrong: {'x' * 120}..., b and 2 more"
    assert cut_list("Wrong: ", four[1:], 2) == "Wrong: b, c, d"  # not "and 1 more"
    assert len(cut_text("x" * 5_000)) == MAX_EXPLANATION
    assert cut_text("short") == "short"


def test_one_object_is_no_objects() -> None:
    assert wrong_number_text("ON", 1, 2) == "ON takes 1 object, not 2"
    assert wrong_number_text("INSIDE", 2, 1) == "INSIDE takes 2 objects, not 1"
