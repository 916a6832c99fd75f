"""Scores out of Inspect logs, also out of logs in which something is broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import log as inspect
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser
from inspect_ai.scorer import Score as InspectScore

from homebody.core import HomebodyError, Score
from homebody.evals import scores_from_log
from homebody.evals.logs import (
    SCORER,
    errors_from_log,
    outputs_from_log,
    read_log,
    read_log_identity,
)
from homebody.evals.metadata import score_to_metadata
from homebody.evals.model_resume import RUN

GOOD = Score("a", {"success": 1.0}, {"identifier": "a"})
KEPT = score_to_metadata(GOOD)


def log_of(*metadata: dict[str, Any]) -> inspect.EvalLog:
    """A log of the samples a, b, ... whose scores are kept so."""
    samples = [
        inspect.EvalSample(
            id=name, epoch=1, input="?", target="",
            scores={SCORER: InspectScore(value=1.0, answer=name, metadata=kept)},
        )
        for name, kept in zip("abcdef", metadata, strict=False)
    ]  # fmt: skip
    spec = inspect.EvalSpec(
        created="2026-11-22T13:00:00+00:00",
        task="toy",
        model="mockllm/model",
        dataset=inspect.EvalDataset(sample_ids=[sample.id for sample in samples]),
        config=inspect.EvalConfig(),
    )
    return inspect.EvalLog(eval=spec, status="success", samples=samples)


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {name: value for name, value in KEPT.items() if name != "metrics"},
        {**KEPT, "metrics": [1.0]},
        {**KEPT, "metrics": {"success": "all"}},
        {**KEPT, "record": None},
        {**KEPT, "valid": "yes"},
        {**KEPT, "identifier": 1},
    ],
)
def test_a_score_that_cannot_be_read_costs_its_sample(bad: dict[str, Any], tmp_path: Path) -> None:
    log = log_of(KEPT, bad)
    path = tmp_path / "log.json"
    inspect.write_eval_log(log, str(path), format="json")
    assert scores_from_log(path) == scores_from_log(log) == [GOOD]
    assert outputs_from_log(log) == [("a", "a")]
    assert [(error.identifier, error.kind) for error in errors_from_log(log)] == [
        ("b", "internal_error")
    ]
    with pytest.raises(HomebodyError, match="not a log of a homebody suite"):
        scores_from_log(log_of(bad))


def test_a_log_has_what_was_asked_and_said(tmp_path: Path) -> None:
    log = log_of(KEPT)
    log.eval.metadata = {RUN: {"suite": "toy"}}
    assert log.samples is not None
    log.samples[0].messages = [
        ChatMessageUser(content="[human] what now?"),
        ChatMessageAssistant(content="[human] I wait] a while"),
        ChatMessageAssistant(content="[robot] I go"),
        ChatMessageAssistant(content="[human] Done"),
    ]
    path = tmp_path / "log.json"
    inspect.write_eval_log(log, str(path), format="json")
    kept = read_log(path)
    assert kept.outputs == {("a", 1): "a"}
    assert [record["identifier"] for record in kept.records] == ["a"]
    assert [(each.role, each.text) for each in kept.messages["a", 1]] == [
        ("user", "[human] what now?"),
        ("assistant", "[human] I wait] a while"),
        ("assistant", "[robot] I go"),
        ("assistant", "[human] Done"),
    ]
    assert read_log_identity(path) == kept.run
    assert read_log_identity(tmp_path / "none.eval") is None
    with pytest.raises(HomebodyError, match="cannot read"):
        read_log(tmp_path / "none.eval")
