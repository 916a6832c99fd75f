"""Pipelines on VirtualHome: interpreted goals are put into tasks (:mod:`..pipeline`).

The answer to goal interpretation names classes; the planning prompts name goals of objects. A
class stands for the object that a plan would get for it (:mod:`.plans`): of the objects of that
class that the prompt lists the one with the lowest id, or else of the scene.
"""

from __future__ import annotations

from dataclasses import replace

from homebody.core import CORRECTED
from homebody.suites.eai.pipeline import MAX_GOALS, Interpreted, make_pipeline
from homebody.suites.eai.plan_results import KINDS
from homebody.suites.eai.reading import ParsingError, Reading
from homebody.suites.eai.virtualhome.goal_interpretation import SUITE
from homebody.suites.eai.virtualhome.goals import (
    GoalReading,
    known_classes,
    predicted_goals,
    read_object,
)
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask, id_of
from homebody.worlds.virtualhome.scene_graph import RELATIONS


def interpreted(task: VirtualHomeTask, output: str) -> Interpreted[VirtualHomeTask]:
    """Put the goals of a goal-interpretation answer into a task; never raises.

    Only its three lists of goals are then other than the annotated task's. Reading follows the
    corrected protocol; the published evaluator has no pipeline on VirtualHome.
    """
    empty = replace(task, state_goals=(), relation_goals=(), action_goals=())
    reading = GoalReading(Reading(), known_classes(task.task.initial.objects))
    try:
        written = read_object(output, CORRECTED, reading.answer)
    except ParsingError:
        return Interpreted(empty, False, dict.fromkeys(KINDS, 0), 0)
    stands_for = _objects_by_class(task)
    goals: dict[str, list[tuple[str, ...]]] = {
        kind: list(dict.fromkeys(predicted_goals(written, kind, stands_for, CORRECTED, reading)))
        for kind in KINDS
    }
    kept = {kind: listed[:MAX_GOALS] for kind, listed in goals.items()}
    too_many = sum(len(goals[kind]) - len(kept[kind]) for kind in kept)
    return Interpreted(
        task=replace(
            empty,
            state_goals=tuple((state, thing) for thing, state in kept["state"]),
            relation_goals=tuple((RELATIONS.get(r, r), a, b) for a, r, b in kept["relation"]),
            action_goals=tuple(name for (name,) in kept["action"]),
        ),
        readable=True,
        kept={kind: len(listed) for kind, listed in kept.items()},
        dropped=reading.hallucinations + reading.format_errors + too_many,
    )


def _objects_by_class(task: VirtualHomeTask) -> dict[str, str]:
    objects = task.task.initial.objects
    by_class: dict[str, str] = {}
    for pool in (task.relevant, sorted(objects, key=id_of)):
        for name in pool:
            by_class.setdefault(objects[name].category, name)
    return by_class


PIPELINE = make_pipeline(SUITE, interpreted)
