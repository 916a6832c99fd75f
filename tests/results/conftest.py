"""A toy suite: four tasks, and an output is right if it is ``yes``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from homebody.core import CORRECTED, Prompting, Protocol, Reporting, Score, Scoring, Suite, Tasks
from homebody.core.suite import Summary
from homebody.results.rows import Row, make_row

TASKS = ("t1", "t2", "t3", "t4")


def score(task: str, output: str, protocol: Protocol) -> Score:
    """``yes`` is right, each ``!`` is a slip, and ``-`` leaves the task out."""
    record = {"identifier": task, "right": output == "yes", "slips": output.count("!")}
    return Score(task, {"right": float(output == "yes")}, record, valid=output != "-")


def count(score: Score) -> Counter[str]:
    return Counter(right=score.record["right"], tasks=1) if score.valid else Counter()


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    percent = 100 * sums["right"] / sums["tasks"] if sums["tasks"] else 0.0
    return {"rates": {"right": percent, "wrong": 100 - percent}}


@pytest.fixture
def suite() -> Suite[str]:
    return Suite(
        name="toy.world.quiz",
        title="Say yes",
        tasks=Tasks(
            prepare=lambda progress: None,
            load=lambda protocol: TASKS,
            identify=str,
            describe=str,
        ),
        scoring=Scoring(
            protocols={"corrected": CORRECTED},
            score=score,
        ),
        reporting=Reporting(
            summary=Summary(
                count, rates, {"Right answers": ("rates", "right"), "Wrong": ("rates", "wrong")}
            ),
            tallies={"Slips": "slips"},
        ),
        prompting=Prompting(
            prompt=str,
        ),
    )


@pytest.fixture
def row(suite: Suite[str]) -> Callable[..., Row]:
    """``row(name, "yes", "no", ...)``: the row of a model that gave these outputs."""

    def build(name: str, *outputs: str) -> Row:
        scores = [score(task, text, CORRECTED) for task, text in zip(TASKS, outputs, strict=False)]
        return make_row(name, suite, scores)

    return build
