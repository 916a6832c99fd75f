"""Groups of tasks that are compared with each other."""

from __future__ import annotations

from functools import lru_cache

import pytest

from homebody.authoring.etplan.house_setting import HouseSetting
from homebody.authoring.etplan.make import Batch, Group, is_solved, work
from homebody.authoring.etplan.setting import matching_instances
from homebody.core.play.transcript import read_call
from homebody.goals.etplan import ROBOT, Target, jobs
from homebody.suites.etplan.tasks import EtplanTask

SEED = 47


@lru_cache
def setting() -> HouseSetting:
    return HouseSetting(SEED)


@lru_cache
def groups() -> tuple[Group, ...]:
    return tuple(work(Batch(SEED, 2, 0)))


def matching(task: EtplanTask) -> list[str]:
    """The right objects to find first."""
    wanted: Target = jobs(task.goal)[0].thing
    return matching_instances(setting(), wanted)


@pytest.mark.slow
def test_a_group_has_an_open_task_one_with_a_hidden_thing_and_the_same_from_afar() -> None:
    occluded = [group for group in groups() if group[0].row.startswith(("navi", "mani"))]
    assert len(occluded) > 2
    for first, hidden, far in occluded:
        assert hidden.row == f"{first.row}_size"
        assert far.row == f"{first.row}_distance"
        assert hidden.start == first.start != far.start
        assert (far.instruction, far.criterion) == (first.instruction, first.criterion)
        assert far.away > first.away
        assert hidden.hidden
        assert not first.hidden
        rooms = setting().facts.room
        for task in (first, hidden):
            seen = [
                name in setting().seen_on_entering(task.start, rooms(name))
                for name in matching(task)
            ]
            assert any(seen) == (task is first)


@pytest.mark.slow
def test_the_robot_starts_in_another_room_and_does_not_see_what_it_looks_for() -> None:
    for task in (task for group in groups() for task in group):
        here = setting().room_at(task.start)
        seen = setting().seen_on_entering(task.start, here)
        names = matching(task)
        assert names
        assert not [n for n in names if n in seen or setting().facts.room(n) == here], task


@pytest.mark.slow
def test_nothing_goes_where_it_came_from() -> None:
    tasks = [task for group in groups() for task in group if task.row != "temporal"]
    for task in tasks:  # a container that is filled first may go back
        for step in task.plan:
            action = read_call(step)
            if action is not None and action.name == "Place":
                assert action.args[2] not in setting().facts.around(action.args[0])[:1]


@pytest.mark.slow
def test_two_hands_never_need_more_actions_than_one() -> None:
    pairs = [group for group in groups() if group[0].row == "several"]
    assert pairs
    for one, two in pairs:
        assert two.row == "several_two_arms"
        assert (two.start, two.criterion) == (one.start, one.criterion)
        assert len(two.plan) <= len(one.plan)
    assert any(len(two.plan) < len(one.plan) for one, two in pairs)


@pytest.mark.slow
def test_a_stated_relation_is_needed() -> None:
    facts = setting().facts
    for task in (task for group in groups() for task in group if "relation" in task.row):
        for condition in task.goal.conditions:
            if ROBOT in (condition.first, condition.second) or condition in task.goal.puts:
                continue
            names = setting().instances(condition.first)
            held = [setting().holds_for(name, condition) for name in names]
            assert any(held), task
            assert not all(held), task
            if condition.relation == "CLOSE":
                assert len(facts.instances(condition.second)) == 1


@pytest.mark.slow
def test_the_oracle_solves_tasks_within_their_limits() -> None:
    assert sum(all(map(is_solved, group)) for group in groups()[::4]) >= len(groups()) // 5
    assert all(len(task.plan) < task.limit for group in groups() for task in group)
