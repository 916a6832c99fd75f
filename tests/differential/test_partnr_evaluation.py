"""homebody's judge against the published evaluation classes of PARTNR, on random runs.

Needs a checkout of the published code: the environment variable ``HOMEBODY_PARTNR_CHECKOUT`` names
its folder.
"""

import os
from pathlib import Path
from random import Random

import pytest

from differential import partnr_runs as runs
from differential.published import venv_python
from homebody.data.cache import cache_dir
from homebody.goals.partnr import (
    PUBLISHED,
    QUIRKS,
    Evaluation,
    Judge,
    Proposition,
    SameArgConstraint,
)

pytestmark = pytest.mark.differential

VARIABLE = "HOMEBODY_PARTNR_CHECKOUT"
RUNS = 6_000


@pytest.fixture(scope="module")
def checkout() -> Path:
    given = os.environ.get(VARIABLE)
    if not given:
        pytest.skip(f"{VARIABLE} names no checkout of the published code")
    return Path(given)


def judge(evaluation, steps, quirks):
    """Percent complete of each step, told only of the names that changed, and the judge."""
    facts = set()
    holds = runs.holds_in(facts)
    told = Judge(evaluation, quirks)
    percents = []
    for step in steps:
        for fact, value in step:
            (facts.add if value else facts.discard)(fact)
        told.step(holds, {name for fact, _ in step for name in fact[1:]})
        percents.append(told.result().percent_complete)
    return percents, told.result()


def same(record, percents, result) -> bool:
    at = [-1 if one is None else one for one in result.satisfied_at]
    rows = [[index not in broken for index in range(len(at))] for broken in map(set, result.broken)]
    return (
        record["percents"] == pytest.approx(percents)
        and record["satisfied_at"] == at
        and record["constraints"] == rows
    )


def test_the_same_under_published_and_every_quirk_makes_a_difference(checkout, tmp_path) -> None:
    random = Random(6)
    cases = []
    for _ in range(RUNS):
        evaluation = runs.random_evaluation(random)
        cases.append((evaluation, runs.random_run(random, evaluation, random.randint(1, 25))))
    jobs = [runs.job(*case) for case in cases]
    records = runs.run_published(
        venv_python(cache_dir() / "differential"), checkout, jobs, tmp_path
    )
    assert [one["error"] for one in records if "error" in one] == []
    wrong = [
        case
        for case, record in zip(cases, records, strict=True)
        if not same(record, *judge(*case, PUBLISHED))
    ]
    assert len(wrong) == 0, wrong[0]
    complete = sum(record["percents"][-1] == 1.0 for record in records)
    assert 0.05 * RUNS < complete < 0.95 * RUNS  # both ends of what there is to tell apart
    for quirk in QUIRKS:
        assert any(
            not same(record, *judge(*case, PUBLISHED - {quirk}))
            for case, record in zip(cases, records, strict=True)
        ), quirk


def test_ties_of_clusters_stop_the_published_code(checkout, tmp_path) -> None:
    """Which is why these are judged as its documentation says, under either protocol."""
    evaluation = Evaluation(
        (
            Proposition("is_clustered", (("ab",), ("cd",)), (1, 1)),
            Proposition("is_on_top", (("ab", "ef"), ("hi",))),
        ),
        (),
        (SameArgConstraint((0, 1), ("*args_0", "object_handles")),),
    )
    near = [(("is_next_to", "ab", "cd"), True), (("is_next_to", "cd", "ab"), True)]
    steps = [near, [(("is_on_top", "ab", "hi"), True)]]
    jobs = [runs.job(evaluation, steps)]
    (record,) = runs.run_published(
        venv_python(cache_dir() / "differential"), checkout, jobs, tmp_path
    )
    assert record["error"].startswith("ValueError")
    _, result = judge(evaluation, steps, PUBLISHED)
    assert result.success
