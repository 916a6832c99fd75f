"""What models said in runs, as data for fine-tuning: `homebody etplan samples --run`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from command import caller
from homebody.suites.etplan.tasks import encode_tasks, load
from homebody.suites.etplan.training import collect_samples

if TYPE_CHECKING:
    from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")


def test_samples_of_a_model_are_those_of_its_runs_that_succeeded(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    server: ModelServer,
    tmp_path: Path,
) -> None:
    homebody = caller(capsys, monkeypatch)
    tasks, out, logs = tmp_path / "tasks.jsonl", tmp_path / "samples.jsonl", tmp_path / "logs"
    some = [
        msgspec.structs.replace(task, most_actions=0) for task in load("test")["navigation"][:3]
    ]
    tasks.write_bytes(encode_tasks(some, packed=False))
    by_expert = {task: collect_samples(task) for task in some}
    known = {sample.question: sample.answer for each in by_expert.values() for sample in each}
    right = [  # the plans are the model's own
        sample
        for task in some[1:]
        for sample in collect_samples(
            task, [each.answer for each in by_expert[task] if each.about != "plan"]
        )
    ]

    def converse(said: list[tuple[str, str]]) -> str:
        question = said[0][1]
        if some[0].instruction in question:
            return "[]"
        if some[1].instruction in question and len(said) == 1:
            return "I do not know."  # and is asked again
        return known.get(question, "[]")

    server.converse = converse
    run = ("run", "etplan.navigation", "--tasks", tasks, "--model", server.model)
    assert homebody(*run, "--log-dir", logs, "--max-connections", "1").code == 0
    made = homebody("etplan", "samples", tasks, out, "--run", logs, "--engine", "serial")
    assert made.code == 0, made.err
    assert "2 plans of 3 tasks" in made.out
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["messages"] for line in lines] == [
        json.loads(sample.line())["messages"] for sample in right
    ]
    tasks.write_bytes(encode_tasks(load("test")["temporal"][:2], packed=False))
    other = homebody("etplan", "samples", tasks, out, "--run", logs)
    assert other.code == 2
    assert "is not a run of the pipeline over these tasks" in " ".join(other.err.split())
