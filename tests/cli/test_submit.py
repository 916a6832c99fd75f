"""`homebody submit`, and `homebody score` of what it makes: the same numbers as the runs'."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Homebody
from homebody.core import CORRECTED
from homebody.results.submission_writing import find_submitted_suites
from places import DOCS


@pytest.mark.usefixtures("eai_data")
def test_a_submission_scores_as_its_run(homebody: Homebody) -> None:
    suite = "eai.virtualhome.goal_interpretation"
    assert homebody("run", suite, "-a", "copycat", "-o", "runs").code == 0
    made = homebody("submit", suite, "runs", "-o", "s.zip")
    assert made.code == 0, made.err
    assert "virtualhome_goal_interpretation_outputs.json: 342 of 342" in made.out
    scored = homebody("score", "s.zip", "-o", "again")
    assert scored.code == 0, scored.err
    summary = Path(f"again/{suite}/s/summary.json")
    assert summary.read_text() == Path("runs/copycat/summary.json").read_text()


@pytest.mark.usefixtures("eai_data")
def test_what_is_not_whole_is_written_only_if_asked_for(homebody: Homebody) -> None:
    suite = "eai.virtualhome.subgoal_decomposition"
    homebody("run", suite, "-a", "oracle", "--limit", "3", "-o", "runs")
    refused = homebody("submit", suite, "runs", "-o", "s.zip")
    assert refused.code == 2
    assert "missing: 335" in refused.out
    assert "--partial" in refused.err
    assert not Path("s.zip").exists()
    assert homebody("submit", suite, "runs", "--partial", "-o", "s.zip").code == 0
    assert b'"scene_1_27_2"' in Path("s.zip").read_bytes()  # stored as it is
    assert homebody("score", "s.zip").code == 0


@pytest.mark.slow
def test_transcripts_are_handed_in(homebody: Homebody) -> None:
    for suite, agent in (("partnr.val", "idle"), ("embodiedeval.test", "random")):
        homebody("run", suite, "-a", agent, "--limit", "2", "-o", f"runs/{suite}")
        made = homebody("submit", suite, "runs", "--partial", "-o", f"{agent}.zip")
        assert made.code == 0, made.err
        scored = homebody("score", f"{agent}.zip", "-o", "again")
        assert scored.code == 0, scored.err
        again = Path(f"again/{suite}/{agent}/summary.json").read_text()
        assert again == Path(f"runs/{suite}/{agent}/summary.json").read_text()


def test_what_is_no_submission_is_told(homebody: Homebody) -> None:
    Path("s.zip").write_text("no archive")
    assert homebody("score", "s.zip").code == 2
    assert "not a zip archive" in homebody("score", "s.zip").err
    assert "is not a submission file" in homebody("score", "nothing.zip").err
    assert "not a .zip file" in homebody("submit", "eai", ".", "-o", "s.tar").err


@pytest.mark.usefixtures("eai_data", "behavior_data")
def test_the_page_has_the_numbers_of_tasks_right() -> None:
    page = (DOCS / "guides/report-and-leaderboard.md").read_text()
    for suite in find_submitted_suites("eai"):
        submission = suite.published.submission
        assert submission is not None
        wanted = submission.includes or (lambda task: True)
        number = sum(map(wanted, suite.tasks.load(CORRECTED)))
        assert f"    {submission.file}: {number} of {number}\n" in page
