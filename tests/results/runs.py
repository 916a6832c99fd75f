"""Runs of the toy suite on disk, as `--out` leaves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from homebody.core import CORRECTED, SampleError, Score, Suite
from homebody.core.score import Usage
from homebody.results.samples import SampledRun, read_run
from homebody.results.writing import keep_run


def kept(
    suite: Suite[str],
    root: Path,
    name: str,
    answers: Mapping[str, Sequence[str]],
    errors: Sequence[SampleError] = (),
    *,
    metric: str = "success",
    usage: Usage | None = None,
    run: Mapping[str, Any] | None = None,
) -> SampledRun:
    """A run of a model: what it answered to each task, in each epoch."""
    scores: list[Score] = []
    outputs: list[tuple[str, str]] = []
    for task, texts in answers.items():
        for epoch, text in enumerate(texts, 1):
            score = suite.score(task, text, CORRECTED)
            record = {**score.record, "explanation": f"{task} was answered with {text}"}
            metrics = {metric: score.metrics["right"], "length": min(1.0, len(text) / 10)}
            scores.append(replace(score, record=record, metrics=metrics, epoch=epoch, usage=usage))
            outputs.append((task, text))
    keep_run(root, name, suite, scores, CORRECTED, errors, outputs, run or {"model": name})
    return read_run(root / name)
