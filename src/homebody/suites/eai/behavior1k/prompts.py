"""The prompt for a plan: the official template of action sequencing, filled in for other tasks."""

from __future__ import annotations

from homebody.suites.eai.behavior.prompts import filled_action_sequencing
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.behavior1k.tasks import state_facts


def action_sequencing_prompt(task: BehaviorTask) -> str:
    """The prompt that asks for a plan (EAI paper, appendix I.3): the state at first, the goal's
    conditions and the objects, in the layout of the official prompts."""
    goal: list[list[str]] = task.raw["goal"]
    objects = [(row["name"], row["category"]) for row in task.objects]
    return filled_action_sequencing(state_facts(task), goal, objects)
