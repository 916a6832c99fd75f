"""Pipelines on VirtualHome: interpreted goals are put into tasks (:mod:`..pipeline`).

Outputs of goal interpretation name classes; the planning prompts name goals of objects. A class
stands for the same object as in a plan (:mod:`.plans`): the listed object of that class with the
lowest id or, if none is listed, the object of the scene with the lowest id. The published evaluator
has no pipeline on VirtualHome.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homebody.core import CORRECTED
from homebody.suites.eai.pipeline import make_pipeline
from homebody.suites.eai.plan_results import KINDS
from homebody.suites.eai.reading import Reading
from homebody.suites.eai.virtualhome.goal_interpretation import SUITE
from homebody.suites.eai.virtualhome.goals import (
    GoalReading,
    known_classes,
    predicted_goals,
    read_object,
)
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask, id_of
from homebody.worlds.virtualhome.scene_graph import RELATIONS


def _read(task: VirtualHomeTask, output: str) -> tuple[list[tuple[str, tuple[str, ...]]], int]:
    reading = GoalReading(Reading(), known_classes(task.task.initial.objects))
    written = read_object(output, CORRECTED, reading.answer)
    stands_for = _objects_by_class(task)
    goals: list[tuple[str, tuple[str, ...]]] = [
        (kind, goal)
        for kind in KINDS
        for goal in dict.fromkeys(predicted_goals(written, kind, stands_for, CORRECTED, reading))
    ]
    return goals, reading.hallucinations + reading.format_errors


def _ask_for(
    task: VirtualHomeTask, goals: Sequence[tuple[str, tuple[str, ...]]]
) -> VirtualHomeTask:
    states, relations, actions = ([g for of, g in goals if of == kind] for kind in KINDS)
    return replace(
        task,
        state_goals=tuple((state, thing) for thing, state in states),
        relation_goals=tuple((RELATIONS.get(r, r), a, b) for a, r, b in relations),
        action_goals=tuple(name for (name,) in actions),
    )


def _objects_by_class(task: VirtualHomeTask) -> dict[str, str]:
    objects = task.task.initial.objects
    by_class: dict[str, str] = {}
    for pool in (task.relevant, sorted(objects, key=id_of)):
        for name in pool:
            by_class.setdefault(objects[name].category, name)
    return by_class


PIPELINE = make_pipeline(SUITE, KINDS, _read, _ask_for)
