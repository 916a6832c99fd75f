"""Pipelines (EAI paper, appendix G): planning for goals that the model itself has interpreted.

The answer to goal interpretation names classes; the planning prompts name goals of objects. A
class stands for the object that a plan would get for it (:mod:`.action_sequencing`): of the
objects of that class that the prompt lists the one with the lowest id, or else of the scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from homebody.core.task import Pipeline
from homebody.suites.eai.virtualhome.goal_interpretation import NAME
from homebody.suites.eai.virtualhome.goals import read_goals
from homebody.suites.eai.virtualhome.tasks import RELATIONS, VirtualHomeTask, id_of

FIRST = NAME
"""The suite whose answers are fed on."""

MAX_GOALS = 100
"""Of each kind; the annotations have 16 at most. Bounds the second prompt."""


@dataclass(frozen=True, slots=True)
class Interpreted:
    """A task with predicted goals in place of the annotated ones.

    Attributes:
        task: Only its three lists of goals are other than the annotated task's.
        readable: False if the answer holds no goals because it is not in the format.
        kept: Kind -> number of goals fed on.
        dropped: Malformed goals, goals with names that do not exist, and goals too many.
    """

    task: VirtualHomeTask
    readable: bool
    kept: Mapping[str, int]
    dropped: int

    def record(self) -> dict[str, Any]:
        return {"readable": self.readable, "goals": dict(self.kept), "dropped_goals": self.dropped}


def interpreted(task: VirtualHomeTask, output: str) -> Interpreted:
    """Put the goals of a goal-interpretation answer into a task; never raises.

    An answer that cannot be read gives no goals: the next module is asked all the same, as it
    would be in a system made of the two. Reading follows the corrected protocol; the published
    evaluator has no pipeline on VirtualHome.
    """
    read = read_goals(output, _objects_by_class(task))
    kept = {kind: found[:MAX_GOALS] for kind, found in read.goals.items()}
    too_many = sum(len(read.goals[kind]) - len(kept[kind]) for kind in kept)
    return Interpreted(
        task=replace(
            task,
            state_goals=tuple((state, thing) for thing, state in kept["state"]),
            relation_goals=tuple((RELATIONS.get(r, r), a, b) for a, r, b in kept["relation"]),
            action_goals=tuple(name for (name,) in kept["action"]),
        ),
        readable=read.readable,
        kept={kind: len(found) for kind, found in kept.items()},
        dropped=read.dropped + too_many,
    )


def _objects_by_class(task: VirtualHomeTask) -> dict[str, str]:
    objects = task.task.initial.objects
    found: dict[str, str] = {}
    for pool in (task.relevant, sorted(objects, key=id_of)):
        for name in pool:
            found.setdefault(objects[name].category, name)
    return found


def _feed(task: VirtualHomeTask, output: str) -> tuple[VirtualHomeTask, Mapping[str, Any]]:
    found = interpreted(task, output)
    return found.task, found.record()


PIPELINE: Pipeline[VirtualHomeTask] = Pipeline(FIRST, _feed, repeated=("precision", "recall", "f1"))
"""Of the suites that can be asked for other goals than the annotated ones."""
