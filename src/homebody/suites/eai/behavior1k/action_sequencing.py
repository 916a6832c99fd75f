"""Action sequencing on BEHAVIOR-1K: the activities beyond EAI's 100, judged in the same way.

There are no annotated plans. The ``planner`` agent shows which tasks can be done.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from homebody.core import Action, Progress, Suite
from homebody.data import bddl
from homebody.data import behavior as data
from homebody.suites.eai.behavior import action_sequencing as behavior
from homebody.suites.eai.behavior.planner import planner
from homebody.suites.eai.behavior.plans import known_objects, render
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.behavior1k.prompts import action_sequencing_prompt
from homebody.suites.eai.behavior1k.tasks import load_tasks

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.behavior1k.action_sequencing"
STEPS = 15
"""Actions of a random plan: about as many as the annotated plans of BEHAVIOR have."""


def prepare(progress: Progress | None) -> None:
    """Fetch the activities, and BEHAVIOR's data for the template of the prompt."""
    bddl.fetch(progress=progress)
    data.fetch(progress=progress)


def random(task: BehaviorTask, generator: np.random.Generator) -> str:
    """Random actions on random objects."""
    schemas = task.task.world.schemas
    names, objects = sorted(schemas), sorted(known_objects(task))
    plan = []
    for _ in range(STEPS):
        name = names[generator.integers(len(names))]
        picked = generator.integers(len(objects), size=schemas[name].arity)
        plan.append(Action(name, tuple(objects[i] for i in picked)))
    return render(plan)


SUITE: Suite[BehaviorTask] = replace(
    behavior.SUITE,
    name=NAME,
    title="Turn a goal into an executable plan (BEHAVIOR-1K, 1,013 activities)",
    prepare=prepare,
    load=load_tasks,
    prompt=action_sequencing_prompt,
    agents={"planner": planner, "random": random, "empty": behavior.empty},
    pipeline=None,
    demands=None,
)
