"""Scores: what of an explanation is kept."""

from __future__ import annotations

from homebody.core.score import MAX_EXPLANATION, cut_text


def test_an_explanation_can_be_written_whatever_an_answer_said() -> None:
    assert cut_text("no such object: si\ud800nk, naïve") == "no such object: si?nk, naïve"


def test_a_long_explanation_has_an_end() -> None:
    assert cut_text("x" * MAX_EXPLANATION) == "x" * MAX_EXPLANATION
    cut = cut_text("x" * (MAX_EXPLANATION + 1))
    assert len(cut) == MAX_EXPLANATION
    assert cut.endswith(" ...")
