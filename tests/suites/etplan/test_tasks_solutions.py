"""What every task that comes with homebody must show: one right order, no success for less.

The tests read the tasks and play them by scripts, so they hold for any data.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from homebody.suites import get_suite
from homebody.suites.etplan.tasks import EtplanTask, load
from suites.etplan.scripted import begin, carry, judge, placements_of_stages

pytest.importorskip("embreex")


def check_order(task: EtplanTask) -> None:
    """Each two steps that put things fail in the other order."""
    stages = placements_of_stages(task)
    steps = [number for number, stage in enumerate(stages) if stage]
    for one, other in combinations(steps, 2):
        order = [*stages]
        order[one], order[other] = order[other], order[one]
        session = begin(task)
        done = [carry(session, placement) for stage in order for placement in stage]
        verdict = judge(session)
        assert not verdict.success, (task.id, one, other)
        assert not all(done) or "too early" in verdict.explanation, (task.id, verdict.explanation)


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(p, marks=pytest.mark.slow) for p in range(1, 20))]
)
def test_steps_in_another_order_fail(part: int) -> None:
    for task in load("test")["temporal"][part::20]:
        check_order(task)


def test_a_step_done_too_early_is_labelled_as_wrong_order() -> None:
    suite = get_suite("etplan.temporal")
    task = load("test")["temporal"][0]
    session = begin(task)
    for stage in reversed(placements_of_stages(task)):
        assert all(carry(session, placement) for placement in stage)
    record = suite.score(task, session.transcript().encode()).record
    assert record["labels"] == ["wrong order", "unfinished"]
    assert not record["success"]
    assert [text for text, met in record["conditions"] if not met] == [
        f"STEP_2: {condition}" for condition in task.goal.new_puts[1]
    ]
