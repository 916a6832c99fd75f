"""Action sequencing on BEHAVIOR-1K: the activities beyond EAI's 100, judged in the same way.

There are no annotated plans. The ``planner`` agent shows which tasks are feasible.
"""

from __future__ import annotations

from dataclasses import replace

from homebody.core import Progress, Prompting, Suite
from homebody.data import behavior as behavior_data
from homebody.data import behavior1k as data
from homebody.suites.eai.agents import random_plan
from homebody.suites.eai.behavior import action_sequencing as behavior
from homebody.suites.eai.behavior.planner import planner
from homebody.suites.eai.behavior.plans import known_objects, render
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.behavior1k.prompts import action_sequencing_prompt
from homebody.suites.eai.behavior1k.tasks import load_tasks

NAME = "eai.behavior1k.action_sequencing"
STEPS = 15
"""Number of actions of a random plan, as in typical annotated plans of BEHAVIOR."""


def prepare(progress: Progress | None) -> None:
    """Fetch the activities, and BEHAVIOR's data for the template of the prompt."""
    data.fetch(progress=progress)
    behavior_data.fetch(progress=progress)


def versions() -> dict[str, str]:
    """Return the versions of the data: these activities and BEHAVIOR's tasks differ in ``bddl``."""
    return {**behavior_data.STORE.versions(), **data.STORE.versions()}


SUITE: Suite[BehaviorTask] = replace(
    behavior.SUITE,
    name=NAME,
    title="Turn a goal into an executable plan (BEHAVIOR-1K, 1,013 activities)",
    tasks=replace(behavior.SUITE.tasks, prepare=prepare, load=load_tasks, data=versions),
    published=replace(behavior.SUITE.published, submission=None),
    experiments=replace(behavior.SUITE.experiments, pipeline=None, demands=None),
    prompting=Prompting(action_sequencing_prompt),
    text_agents={
        "planner": planner,
        "random": random_plan(render, known_objects, STEPS),
        "copycat": behavior.SUITE.text_agents["copycat"],
        "frequent": behavior.SUITE.text_agents["frequent"],
        "empty": behavior.SUITE.text_agents["empty"],
    },
)
