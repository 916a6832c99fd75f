"""The time of real answers on the house clock: measured, recorded, and kept by resumed runs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from homebody import evals
from homebody.core import CORRECTED, HomebodyError
from homebody.core.play.transcript import decode
from homebody.suites.partnr.suite import PLAYING
from homebody.suites.partnr.tasks import PartnrTask
from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
NAME = "partnr.val"
SECONDS = 0.3
CALLS = ("Explore[kitchen_0]", "Explore[bedroom_0]", "Done[]")


def slow_answer(messages: list[tuple[str, str]]) -> str:
    time.sleep(SECONDS)
    said = sum(role == "assistant" for role, _ in messages)
    return f"Thought: go on.\n{CALLS[min(said, 2)]}\nAssigned!"


def thinking_steps(output: str) -> list[int]:
    calls = [entry.call for entry in decode(output).entries]
    return [int(call[6:-1]) for call in calls if call.startswith("Think[")]


def test_a_resumed_run_keeps_the_times(
    server: ModelServer, tmp_path: Path, one_episode: PartnrTask
) -> None:
    server.converse = slow_answer
    server.fail = [200] * len(CALLS) + [401]
    options = {"settings": {"team": "single", "clock": "wall"}, "epochs": 2, "max_connections": 1}
    with pytest.raises(HomebodyError, match="out of order"):
        evals.run(NAME, model=server.model, log_dir=tmp_path, **options)  # type: ignore[arg-type]
    server.fail = []
    asked = len(server.requests)
    results = evals.run(NAME, model=server.model, log_dir=tmp_path, **options)  # type: ignore[arg-type]
    assert len(server.requests) == asked + len(CALLS)
    assert [len(thinking_steps(output)) for _, output in results.outputs] == [3, 3]
    for (_, output), score in zip(results.outputs, results.scores, strict=True):
        steps = thinking_steps(output)
        assert all(SECONDS * 30 <= each < 30 * 30 for each in steps)
        again = PLAYING.score(one_episode, output, CORRECTED)
        assert again.record["steps"] == score.record["steps"] > sum(steps)
        assert again.metrics == score.metrics
    reused = evals.run(NAME, model=server.model, log_dir=tmp_path, reuse=True, **options)  # type: ignore[arg-type]
    assert reused.outputs == results.outputs
