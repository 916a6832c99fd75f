"""Settings of Inspect's viewer for a suite: columns, labels, colours and order."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from inspect_ai.viewer import (
    SampleScoreView,
    ScoreColorScale,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

from homebody.core import CORRECTED, Suite
from homebody.evals.logs import SCORER

_BEFORE: Final = ("sampleStatus", "sampleId", "epoch")
_BEHIND: Final = ("error", "tokens", "duration")
_HIDDEN: Final = ("answer", "limit", "retries", "sampleUuid")
MANY: Final = 4
"""Number of metrics above which columns are narrow."""


def viewer_of(suite: Suite[Any]) -> ViewerConfig:
    """Return the viewer settings for a suite's log.

    Each metric is a column with a label and a colour scale from 0 to 1. The worst samples are
    first.
    """
    metrics = metrics_of(suite)
    # prompts all begin alike, so the task is shown unless the input is short
    visible, hidden = ("target", "input") if suite.playing is None else ("input", "target")
    faults = suite.viewing.faults
    view = TaskSamplesView(
        name=suite.title,
        columns=[
            *(TaskSamplesColumn(id=name) for name in (*_BEFORE, visible)),
            *(TaskSamplesColumn.score(SCORER, name) for name in metrics),
            *(TaskSamplesColumn(id=name) for name in _BEHIND),
            *(TaskSamplesColumn(id=name, visible=False) for name in (hidden, *_HIDDEN)),
        ],
        sort=[TaskSamplesSort.score(SCORER, name) for name in metrics[:1]],
        multiline=False,
        compact_scores=len(metrics) > MANY,
        score_labels={name: label_of(name) for name in metrics},
        score_color_scales={
            name: ScoreColorScale(
                palette="good-low" if name in faults else "good-high", min=0.0, max=1.0
            )
            for name in metrics
        },
    )
    return ViewerConfig(
        task_samples_view=view,
        sample_score_view=SampleScoreView(default="grid"),
    )


def metrics_of(suite: Suite[Any]) -> tuple[str, ...]:
    """Return the names of a suite's metrics in order, from the score of an empty output.

    The result is empty if the suite cannot score it.
    """
    with suppress(Exception):  # a display problem must not fail a run
        task = suite.tasks.load(CORRECTED)[0]
        return tuple(suite.score(task, "").metrics)
    return ()


def label_of(metric: str) -> str:
    """Return a metric in words: ``additional_step`` is ``Additional step``."""
    words = metric.replace("_", " ")
    return words.upper() if len(words) <= 3 or words == "f1" else words[:1].upper() + words[1:]
