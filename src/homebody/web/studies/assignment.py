"""Assignment of conditions and tasks to participants, seeded and balanced.

Participants who play together form a group, with consecutive numbers; its size depends on the
condition. Groups take turns at conditions. The seed shuffles the list of tasks once. Each group
continues where the previous group stopped, so the numbers of times that tasks are played differ by
at most one. With the order ``balanced``, groups with the same tasks start at different tasks in
turn. Practice comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from homebody.core.ground.seeds import generator, shuffle
from homebody.suites import get_suite
from homebody.web.studies.study import Condition, Study, study_tasks


@dataclass(frozen=True, slots=True)
class Item:
    """A task that a group plays.

    Attributes:
        task: Id of the task.
        condition: Condition in which it is played.
        practice: True if it is excluded from results.
    """

    task: str
    condition: Condition
    practice: bool = False


@dataclass(frozen=True, slots=True)
class PlayingGroup:
    """Participants who play together.

    Attributes:
        number: Number of the group, from 0.
        members: Numbers of its participants, from 1.
        items: Tasks in their order.
    """

    number: int
    members: tuple[int, ...]
    items: tuple[Item, ...]

    def role(self, participant: int, item: Item) -> str:
        """Return a participant's role: roles rotate from one task to the next."""
        persons = item.condition.persons
        turn = self.members.index(participant) + self.items.index(item)
        return persons[turn % len(persons)]


def assign(study: Study) -> tuple[PlayingGroup, ...]:
    """Return the groups of a study. They depend only on the study.

    The last group is omitted if it is incomplete, so that nobody waits for a participant who does
    not exist.
    """
    tasks = list(study_tasks(study, get_suite(study.suite)))
    mixed = shuffle(generator(f"study order {study.seed}"), tasks)
    each = study.tasks_each or len(tasks)
    groups: list[PlayingGroup] = []
    next_member, per_condition = 1, [0] * len(study.conditions)
    while True:
        number = len(groups)
        first = number % len(study.conditions)
        size = len(study.conditions[first].persons)
        if next_member + size - 1 > study.participants:
            return tuple(groups)
        turn = per_condition[first] if study.design == "between" else number
        per_condition[first] += 1
        own = _tasks(study, tasks if study.order == "listed" else mixed, each, turn, number)
        items = tuple(
            Item(task, study.conditions[_condition_index(study, number, at)])
            for at, task in enumerate(own)
        )
        practice = tuple(Item(task, items[0].condition, True) for task in study.practice)
        members = tuple(range(next_member, next_member + size))
        groups.append(PlayingGroup(number, members, practice + items))
        next_member += size


def _condition_index(study: Study, number: int, at: int) -> int:
    """Return the index of the condition in which a group plays its task."""
    return (number + (at if study.design == "within" else 0)) % len(study.conditions)


def _tasks(study: Study, tasks: Sequence[str], each: int, turn: int, number: int) -> list[str]:
    """Return the tasks of the ``turn``-th group in its condition."""
    begin = turn * each
    own = [tasks[(begin + at) % len(tasks)] for at in range(each)]
    if study.order == "random":
        return shuffle(generator(f"study group {study.seed} {number}"), own)
    if study.order == "balanced":
        rounds = begin // len(tasks)  # number of earlier passes through all tasks
        own = own[rounds % each :] + own[: rounds % each]
    return own
