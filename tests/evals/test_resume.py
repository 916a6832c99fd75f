"""Which of a run's logs it goes on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from homebody import suites as registry
from homebody.core import HomebodyError, Prompting, Protocol, Score, Scoring, Suite, Tasks
from homebody.evals import run
from homebody.suites import register_suite
from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
NAME = "toy.resumed"


def quiz(*tasks: str) -> Suite[str]:
    def score(task: str, output: str, protocol: Protocol) -> Score:
        return Score(task, {"success": 1.0}, {"identifier": task})

    return Suite(
        name=NAME,
        title="Say something",
        tasks=Tasks(load=lambda protocol: tasks, identify=str, describe=str),
        scoring=Scoring(score),
        prompting=Prompting(prompt=str),
    )


@pytest.mark.parametrize(("later", "resumed"), [(("a", "b", "c"), 2), (("c", "b", "d"), 0)])
def test_a_log_of_other_tasks_is_not_gone_on_with(
    later: tuple[str, ...],
    resumed: int,
    server: ModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "_REGISTERED", {})
    register_suite(quiz("a", "b", "c"))
    server.fail = [200] * 2 + [401]
    with pytest.raises(HomebodyError, match="out of order"):
        run(NAME, model=server.model, max_connections=1, log_dir=tmp_path)
    register_suite(quiz(*later), replace=True)
    server.fail = []
    result = run(NAME, model=server.model, max_connections=1, log_dir=tmp_path)
    assert result.resumed == resumed
    assert [score.identifier for score in result.scores] == list(later)
