"""What every task that comes with homebody must show: one right order, no success for less.

The tests read the tasks and play them by scripts, so they hold for any data.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from homebody.core import Action
from homebody.goals.etplan import ROBOT, Condition
from homebody.suites import get_suite
from homebody.suites.etplan.tasks import EtplanTask, load
from suites.etplan.scripted import begin, carry, judge, placements, placements_of_stages

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


ROWS_OF_TASKS = list(load("test"))
PUTTING = [row for row in ROWS_OF_TASKS if not row.startswith("navigation")]
FREE = [row for row in PUTTING if "relation" not in row and row != "temporal"]
EVERY = 50


def put_at_start(task: EtplanTask) -> set[Condition]:
    """What the task puts somewhere and some object of the class is there already."""
    facts = begin(task).source.facts
    return {
        condition
        for condition in frozenset[Condition]().union(*task.goal.new_puts)
        for first in facts.instances(condition.first)
        for second in facts.instances(condition.second)
        if first != second and facts.holds(condition.relation, first, second)
    }


@pytest.mark.sampled
@pytest.mark.parametrize("row", ROWS_OF_TASKS)
def test_the_oracle_succeeds_and_nothing_is_reached_without_acting(row: str) -> None:
    suite = get_suite(f"etplan.{row}")
    for task in load("test")[row][3::EVERY]:
        assert not judge(begin(task)).success
        score = suite.score(task, suite.answer("oracle", task))
        assert score.metrics == {"success": 1.0, "progress": 1.0}, task.id
        assert suite.score(task, suite.answer("idle", task)).metrics["success"] == 0


@pytest.mark.slow
def test_nothing_is_at_the_start_where_the_task_puts_it() -> None:
    assert [task.id for row in PUTTING for task in load("test")[row] if put_at_start(task)] == []


@pytest.mark.sampled
@pytest.mark.parametrize("row", PUTTING)
def test_leaving_out_or_undoing_a_part_fails(row: str) -> None:
    for task in load("test")[row][3::EVERY]:
        parts = placements(task)
        for left_out in range(len(parts)):
            session = begin(task)
            for number, placement in enumerate(parts):
                if number != left_out:
                    carry(session, placement)
            verdict = judge(session)
            assert not verdict.success, (task.id, left_out)
            assert verdict.progress < 1
        session = begin(task)
        assert all(carry(session, placement) for placement in parts), task.id
        assert judge(session).success, task.id
        pick = Action("Pick", parts[-1].args[:1])
        assert session.simulation.do(ROBOT, pick).ok
        session.source.seen.add(pick)
        assert not judge(session).success, (task.id, "undone")


@pytest.mark.sampled
@pytest.mark.parametrize("row", FREE)
def test_another_object_of_the_class_and_another_place_succeed(row: str) -> None:
    tried = 0
    for task in load("test")[row][3::10]:
        facts, (first, *rest) = begin(task).source.facts, placements(task)
        name, relation, target = first.args
        for other in facts.instances(facts.category(name))[:2]:
            for place in facts.instances(facts.category(target))[:3]:
                session = begin(task)
                order = [Action("Place", (other, relation, place))]
                order += [Action("Place", (each.args[0], relation, place)) for each in rest]
                if (other, place) != (name, target) and all(carry(session, p) for p in order):
                    tried += 1
                    assert judge(session).success, (task.id, other, place)
        if tried >= 5:
            return
    assert tried
