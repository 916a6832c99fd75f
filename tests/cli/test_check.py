"""``homebody check``: a table or JSON, and an exit code: 1 if a check has failed."""

from __future__ import annotations

import json

import pytest

from command import Homebody
from core.play.conformance import toys
from core.play.conformance.toys import BROKEN
from homebody import suites as registry
from homebody.suites import register_suite


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers goes with it."""
    monkeypatch.setattr(registry, "_REGISTERED", {})


def test_a_correct_suite_is_all_right(homebody: Homebody) -> None:
    register_suite(toys.CORRECT)
    result = homebody("check", toys.CORRECT.name, "--tasks", "1", "--seed", "3")
    assert (result.code, result.err) == (0, ""), result.out
    first, *table = result.out.splitlines()
    assert first == "toy.errand: 32 passed, 0 failed, 0 skipped"
    assert table[0].split() == ["session_starts", "passed", "2", "cases"]


def test_a_broken_one_is_not_and_it_says_why(homebody: Homebody) -> None:
    broken, check = BROKEN["an option stands twice"]
    register_suite(broken)
    result = homebody("check", broken.name, "--set", "mood=bad", "--format", "json")
    assert result.code == 1
    record = json.loads(result.out)
    assert (record["suite"], record["passed"]) == (broken.name, False)
    (found,) = (each for each in record["checks"] if each["status"] == "failed")
    assert found["check"] == check
    assert found["rule"].startswith("Each option occurs once")
    (problem, *_) = found["problems"]
    assert problem["message"].startswith("agent has an option twice: Open[")
    assert problem["settings"] == {"mood": "bad"}
    assert problem["task"] in ("milk", "butter", "peas")


def test_mistakes_are_said(homebody: Homebody) -> None:
    register_suite(toys.CORRECT)
    for wrong in (("--set", "mood=odd"), ("--format", "xml"), ("--tasks", "0")):
        assert homebody("check", toys.CORRECT.name, *wrong).code == 2
    assert homebody("check", "toy.nothing").code == 2
