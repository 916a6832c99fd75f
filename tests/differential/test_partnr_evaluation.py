"""homebody's judge against the published evaluation classes of PARTNR, on random runs.

What they say of the runs is recorded (see :mod:`differential.recorded`). To ask them again takes a
checkout of the published code: the environment variable ``HOMEBODY_PARTNR_CHECKOUT`` names its
folder.
"""

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from differential import partnr_runs as runs
from differential import published
from differential.recorded import Recording
from homebody.goals.partnr import (
    QUIRKS,
    Evaluation,
    Judge,
    Proposition,
    SameArgConstraint,
)

VARIABLE = "HOMEBODY_PARTNR_CHECKOUT"
COMMIT = "facebookresearch/partnr-planner@ddfff19f4b6c098a31edea4d19e7b75db72433c2"
RUNS = 6_000

CLUSTERS = Evaluation(
    (
        Proposition("is_clustered", (("ab",), ("cd",)), (1, 1)),
        Proposition("is_on_top", (("ab", "ef"), ("hi",))),
    ),
    (),
    (SameArgConstraint((0, 1), ("*args_0", "object_handles")),),
)
NEAR = [
    [(("is_next_to", "ab", "cd"), True), (("is_next_to", "cd", "ab"), True)],
    [(("is_on_top", "ab", "hi"), True)],
]


@cache
def cases() -> list[tuple[Evaluation, list[runs.Step]]]:
    random = Random(6)
    made = []
    for _ in range(RUNS):
        evaluation = runs.random_evaluation(random)
        made.append((evaluation, runs.random_run(random, evaluation, random.randint(1, 25))))
    return made


def ask(jobs: Sequence[Any], workdir: Path) -> list[Any]:
    checkout = os.environ.get(VARIABLE)
    if not checkout:
        pytest.skip(f"{VARIABLE} names no checkout of the published code")
    return published.drive(runs.DRIVER, [checkout], jobs, workdir)


def verdict(record: dict[str, Any]) -> dict[str, Any]:
    """All that there is at the end, or the kind of exception."""
    if "error" in record:
        return {"error": record["error"].partition(":")[0]}
    assert {len(row) for row in record["constraints"]} <= {len(record["satisfied_at"])}
    return {
        "percents": [round(percent, 9) for percent in record["percents"]],
        "satisfied_at": record["satisfied_at"],
        "broken": [[i for i, met in enumerate(row) if not met] for row in record["constraints"]],
    }


RECORDED = Recording(
    "partnr_evaluation",
    COMMIT,
    lambda: [runs.job(*case) for case in [*cases(), (CLUSTERS, NEAR)]],
    ask,
    verdict,
    chunk=2000,
)


def judge(evaluation, steps, quirks):
    """Percent complete of each step, told only of the names that changed, and the result."""
    facts = set()
    judge = Judge(evaluation, quirks)
    holds = runs.holds_in(facts)
    percents = []
    for step in steps:
        for fact, value in step:
            (facts.add if value else facts.discard)(fact)
        judge.step(holds, {name for fact, _ in step for name in fact[1:]})
        percents.append(judge.result().percent_complete)
    return percents, judge.result()


def same(theirs, percents, result) -> bool:
    return (
        theirs["percents"] == pytest.approx(percents)
        and theirs["satisfied_at"] == [-1 if at is None else at for at in result.satisfied_at]
        and theirs["broken"] == [sorted(set(broken)) for broken in result.broken]
    )


@pytest.mark.slow
@pytest.mark.parametrize("one_in", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_the_same_under_published_and_every_quirk_makes_a_difference(one_in: int) -> None:
    judged = list(zip(cases(), RECORDED.verdicts(), strict=False))[::one_in]
    assert not any("error" in theirs for _, theirs in judged)
    wrong = [case for case, theirs in judged if not same(theirs, *judge(*case, QUIRKS.keys()))]
    assert len(wrong) == 0, wrong[0]
    complete = sum(theirs["percents"][-1] == 1.0 for _, theirs in judged)
    assert (
        0.05 * len(judged) < complete < 0.95 * len(judged)
    )  # both ends of what there is to tell apart
    for quirk in QUIRKS:
        quirks = QUIRKS.keys() - {quirk}
        assert any(not same(theirs, *judge(*case, quirks)) for case, theirs in judged), quirk


@pytest.mark.slow
def test_constraints_on_clusters_stop_the_published_code() -> None:
    """Which is why these are judged as its documentation says, under either protocol."""
    assert RECORDED.verdicts()[-1] == {"error": "ValueError"}
    _, result = judge(CLUSTERS, NEAR, QUIRKS.keys())
    assert result.success
