"""Every check can fail, and says what reproduces it; a correct suite passes them all."""

from __future__ import annotations

import json

import pytest

from core.play.conformance import toys
from core.play.conformance.toys import ASKED_BROKEN, BROKEN, suite
from homebody.core import HomebodyError, Tasks
from homebody.core.play.conformance.report import CheckReport
from homebody.core.play.conformance.runner import check_suite

NOT_OF_TEXTS = {"goal_is_open_at_the_start", "order_matters"}


def failed(report: CheckReport) -> set[str]:
    return {result.check for result in report.results if result.status == "failed"}


def test_a_correct_suite_passes_every_check() -> None:
    report = check_suite(toys.CORRECT, tasks=3)
    assert report.passed, str(report)
    assert all(result.status == "passed" for result in report.results), str(report)
    assert str(report).startswith("toy.errand: 32 passed, 0 failed, 0 skipped\n")


def test_a_role_may_lose_its_turn_to_another() -> None:
    report = check_suite(toys.NARROW, tasks=2)
    assert {each.check for each in report.results if each.status != "passed"} == {"order_matters"}


@pytest.mark.parametrize("session", [toys.Wide, toys.PerceivesEverything])
def test_an_override_of_perceive_may_see_everything(session: type[toys.Wide]) -> None:
    assert failed(check_suite(toys.narrow(session), tasks=2)) <= {"order_matters"}


def messages(session: type[toys.Wide], check: str) -> list[str]:
    results = check_suite(toys.narrow(session), tasks=2).results
    (problems,) = [each.problems for each in results if each.check == check]
    return [problem.message for problem in problems]


def test_a_goal_that_is_met_at_the_start_is_not_the_fault_of_the_base() -> None:
    report = check_suite(toys.narrow(toys.IsThere), tasks=2)
    assert "the goal is met at the start" in str(report)
    assert "session_base" not in str(report)


def test_a_session_that_cannot_begin_is_reported_once() -> None:
    report = check_suite(toys.narrow(toys.CannotBegin), tasks=2)
    assert failed(report) == {"session_starts"}
    (message, *_) = messages(toys.CannotBegin, "session_starts")
    assert "cannot be started and observed: KeyError('3') was raised at" in message
    assert "in __init__()" in message
    (asleep,) = {each.why for each in report.results if each.status == "skipped"}
    assert asleep == "no session can be started: see session_starts"


@pytest.mark.parametrize("session", [toys.BeginsNothing, toys.BeginsHalf, toys.BeginsBefore])
def test_what_begin_returns_is_named(session: type[toys.Wide]) -> None:
    (message, *_) = messages(session, "outcomes_are_observed")
    assert "begin() returned" in message
    assert "for Walk[" in message
    assert "return a whole number, the steps" in message
    assert "session_base" not in message
    report = str(check_suite(toys.narrow(session), tasks=2))
    assert report.count("for Walk[1]") == 1, "a problem is printed once"
    assert "These checks failed with the same problems" in report


def test_a_failure_of_the_oracle_says_how_it_ended() -> None:
    (message, *_) = messages(toys.NeverArrives, "oracle_succeeds")
    assert "ending: nobody may do more" in message
    assert "Walk[1] failed: the bridge is slippery" in message


def test_of_a_suite_that_is_asked_the_checks_of_sessions_are_skipped() -> None:
    report = check_suite(toys.ASKED)
    assert report.passed, str(report)
    skipped = {result.check: result.why for result in report.results if result.status == "skipped"}
    assert {"session_replays", *NOT_OF_TEXTS} <= skipped.keys()
    assert all("has no sessions" in why for why in skipped.values())
    assert len(report.results) - len(skipped) == 6


@pytest.mark.sampled
@pytest.mark.parametrize("broken", BROKEN)
def test_each_check_finds_what_is_wrong(broken: str) -> None:
    made, check = BROKEN[broken]
    report = check_suite(made, tasks=2)
    assert not report.passed
    assert check in failed(report), str(report)


@pytest.mark.parametrize("broken", ASKED_BROKEN)
def test_checks_find_what_is_wrong_where_tasks_are_asked(broken: str) -> None:
    made, check = ASKED_BROKEN[broken]
    assert check in failed(check_suite(made)), broken


def test_there_is_a_broken_suite_for_each_check() -> None:
    checks = {result.check for result in check_suite(toys.CORRECT, tasks=1).results}
    assert checks == {check for _, check in BROKEN.values()}


def test_a_problem_says_what_reproduces_it() -> None:
    made, check = BROKEN["outcomes have no words"]
    report = check_suite(made, tasks=2, seed=3)
    (result,) = (each for each in report.results if each.check == check)
    problem = result.problems[0]
    assert problem.task in ("milk", "butter", "peas")
    assert 0 < problem.steps <= 8, "it is shortened"
    assert problem.calls
    assert all(call.split()[1] == "agent:" for call in problem.calls)
    assert f"seed {problem.seed}" in str(report)
    assert problem.message in str(report)
    assert json.loads(json.dumps(report.record))["passed"] is False


def test_what_a_suite_raises_is_said_with_its_place() -> None:
    made, check = BROKEN["scoring raises"]
    report = check_suite(made, tasks=1)
    (result,) = (each for each in report.results if each.check == check)
    assert "ValueError('that is no transcript')" in result.problems[0].message
    assert "toys.py:" in result.problems[0].message


def test_a_suite_that_no_module_has_is_not_scored_elsewhere() -> None:
    report = check_suite(suite(), tasks=1)
    assert report.results[-1].status == "skipped"
    assert "cannot import" in report.results[-1].why
    assert "fresh_process_agrees" in failed(check_suite(toys.BY_HASH, tasks=1))


def test_settings_can_be_given() -> None:
    report = check_suite(toys.CORRECT, tasks=1, settings={"mood": "bad"})
    assert report.passed
    with pytest.raises(HomebodyError, match="mood cannot be"):
        check_suite(toys.CORRECT, settings={"mood": "worse"})


def test_a_suite_without_tasks_is_refused() -> None:
    without = suite(tasks=Tasks(load=lambda protocol: [], identify=str, describe=str))
    with pytest.raises(HomebodyError, match="no tasks"):
        check_suite(without)
