"""Runs as the published code records them: read back, they are worth the same."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from homebody.core import CORRECTED, Score
from homebody.core.play.transcript import Transcript, TranscriptEntry
from homebody.suites import get_suite
from homebody.suites.embodiedeval.recorded import score_runs
from homebody.suites.embodiedeval.submission import SUBMISSION, record_steps


def unfold(folder: Path, agent: str, most: int = 4) -> list[Score]:
    """Write the records of an agent's runs of the first tasks; the scores of these runs."""
    suite = get_suite("embodiedeval.test")
    answers = []
    for task in suite.tasks.load(CORRECTED)[:most]:
        output = suite.answer(agent, task)
        answers.append((task, output, suite.score(task, output)))
    for name, content in SUBMISSION.extra_files(answers).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return [score for _, _, score in answers]


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["oracle", "random"])
def test_records_are_worth_what_their_runs_are(tmp_path: Path, agent: str) -> None:
    scores = unfold(tmp_path / agent, agent)
    unfold(tmp_path / "people", "oracle")
    read = list(score_runs(tmp_path / agent, CORRECTED, tmp_path / "people"))
    for score, again in zip(scores, read, strict=True):
        assert isinstance(again, Score)
        assert again.metrics == pytest.approx(score.metrics)
        assert again.record["category"] == score.record["category"]
        assert again.record["steps"] == score.record["steps"]
        assert again.record["interactions_done"] == score.record["interactions_done"]
        assert not math.isnan(again.metrics["spl"])


def test_what_could_not_be_read_is_recorded_as_such() -> None:
    task = get_suite("embodiedeval.test").tasks.load(CORRECTED)[0]
    calls = "? I do not know", "? Choice: [99]", "TurnLeft[]"
    entries = tuple(TranscriptEntry(at, "agent", call) for at, call in enumerate(calls))
    steps = record_steps(task, Transcript({}, 0, entries).encode())
    assert [step["action_error"] for step in steps] == [
        "no option match",
        "option out of range",
        "",
    ]
    assert steps[-1]["action_choice"] > 0
    assert record_steps(task, "no transcript") == []
