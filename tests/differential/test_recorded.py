"""Recorded verdicts are those that the published evaluators give still."""

from __future__ import annotations

from pathlib import Path

import pytest

from differential.recorded import FULL, digest
from differential.recordings import RECORDINGS
from thorough import THOROUGH

pytestmark = [
    pytest.mark.differential,
    pytest.mark.usefixtures("eai_data", "behavior_data"),
    pytest.mark.parametrize("name", RECORDINGS),
]


def test_nothing_is_kept_of_inputs_that_there_are_no_more(name: str) -> None:
    recording = RECORDINGS[name]
    assert recording.kept().keys() == {digest(item) for item in recording.inputs()}


def test_the_published_evaluator_says_the_same_again(name: str, tmp_path: Path) -> None:
    recording = RECORDINGS[name]
    step = 1 if FULL else recording.again if THOROUGH else 4 * recording.again
    inputs = recording.inputs()[::step]
    again = [recording.verdict(record) for record in recording.ask(inputs, tmp_path)]
    kept = recording.verdicts()[::step]
    differing = [
        (item, before, now)
        for item, before, now in zip(inputs, kept, again, strict=True)
        if before != now and "too_long" not in (before.keys() | now.keys())
    ]
    assert not differing, f"{len(differing)} of {len(inputs)} differ, first: {differing[:3]}"
