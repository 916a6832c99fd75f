"""Runs with differently worded prompts are not compared without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from homebody.core import CORRECTED, HomebodyError, Suite
from homebody.results.prompt_versions import prompt_version_of, prompt_versions_note
from homebody.results.record import check_place
from homebody.results.run_comparisons import compare
from homebody.suites import get_suite
from prompt_versions import digest_of, our_suites, read_digests
from results.runs import kept

UPDATE = "raise prompt_version of the suite, then run: python tests/prompt_versions.py"
ANSWERS = {"t1": ["yes"], "t2": ["no"], "t3": ["yes"]}


def test_a_run_of_before_has_the_first_version() -> None:
    assert prompt_version_of({"model": "m"}) == 1
    assert prompt_version_of({"model": "m", "prompt_version": 3}) == 3
    assert prompt_version_of({"agent": "oracle", "model": None}) is None
    assert prompt_version_of({}) is None


def test_versions_that_differ_are_noted() -> None:
    old, new = {"model": "a"}, {"model": "b", "prompt_version": 2}
    assert prompt_versions_note([("a", old), ("c", {"agent": "oracle"})]) == ""
    note = prompt_versions_note([("b", new), ("a", old), ("c", old)])
    assert note.endswith("version 1: a, c; version 2: b")


def test_a_comparison_and_a_folder_say_so(suite: Suite[str], tmp_path: Path) -> None:
    first = kept(suite, tmp_path, "a", ANSWERS, run={"model": "a"})
    second = kept(suite, tmp_path, "b", ANSWERS, run={"model": "b", "prompt_version": 2})
    found = compare(first.comparable, second.comparable)
    assert "differently worded prompts" in found.warnings[0]
    assert not compare(first.comparable, first.comparable).prompt_note
    check_place(first.folder, suite.name, CORRECTED.name, {"model": "a", "prompt_version": 1})
    with pytest.raises(HomebodyError, match="prompt_version 1 there, 2 here"):
        check_place(first.folder, suite.name, CORRECTED.name, {"model": "a", "prompt_version": 2})


@pytest.mark.sampled
@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize("name", our_suites())
def test_a_new_wording_has_a_new_version(name: str) -> None:
    suite, recorded = get_suite(name), read_digests()[name]
    assert {"version": suite.prompt_version, "digest": digest_of(suite)} == recorded, UPDATE
