"""Who plays what: the same each time, and balanced."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from homebody.core import CORRECTED
from homebody.suites import get_suite
from homebody.web.studies.assignment import assign
from homebody.web.studies.study import Condition, Study

IDS = [task.id for task in get_suite("partnr.val").tasks.load(CORRECTED)[:6]]
ALONE = Condition("alone", {"human": "person"}, {"team": "single"})
PAIR = Condition("pair", {"human": "person", "robot": "person"})
HELPED = Condition("helped", {"human": "person", "robot": "expert"})


def study(**changes: Any) -> Study:
    usual: dict[str, Any] = {
        "title": "T",
        "suite": "partnr.val",
        "conditions": (ALONE, HELPED),
        "participants": 12,
        "tasks": tuple(IDS),
        "tasks_each": 3,
    }
    return Study(**(usual | changes))


@pytest.mark.parametrize("design", ["between", "within"])
@pytest.mark.parametrize("order", ["balanced", "random", "listed"])
def test_every_task_is_played_as_often_as_any_other(design: str, order: str) -> None:
    groups = assign(study(design=design, order=order))
    assert groups == assign(study(design=design, order=order))
    played = Counter(item.task for group in groups for item in group.items)
    assert set(played.values()) == {6}
    for group in groups:
        assert len({item.task for item in group.items}) == 3
    conditions = Counter(item.condition.name for group in groups for item in group.items)
    assert max(conditions.values()) - min(conditions.values()) <= len(groups)
    if design == "between":
        assert all(len({item.condition.name for item in group.items}) == 1 for group in groups)
        by_condition = Counter((i.condition.name, i.task) for group in groups for i in group.items)
        assert set(by_condition.values()) == {3}


def test_tasks_come_at_every_place_in_a_balanced_order() -> None:
    groups = assign(study(participants=72))
    places = Counter((item.task, at) for group in groups for at, item in enumerate(group.items))
    assert len(places) == 18
    assert max(places.values()) - min(places.values()) <= 0


def test_those_who_play_together_are_a_group_and_take_turns_in_their_roles() -> None:
    groups = assign(study(conditions=(PAIR,), participants=5))
    assert [group.members for group in groups] == [(1, 2), (3, 4)]  # the fifth has no partner
    first = groups[0]
    for at, item in enumerate(first.items):
        roles = [first.role(member, item) for member in first.members]
        assert sorted(roles) == ["human", "robot"]
        assert roles[0] == ("human" if at % 2 == 0 else "robot")


def test_conditions_for_one_and_for_two_go_by_turns() -> None:
    groups = assign(study(conditions=(ALONE, PAIR), participants=6))
    assert [len(group.members) for group in groups] == [1, 2, 1, 2]
