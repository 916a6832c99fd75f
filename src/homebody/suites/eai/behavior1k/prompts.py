"""The prompt for a plan: the official template of action sequencing, filled for other tasks."""

from __future__ import annotations

from homebody.suites.eai.behavior.prompts import fill_action_sequencing
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.behavior1k.tasks import state_facts


def action_sequencing_prompt(task: BehaviorTask) -> str:
    """Return the prompt for a plan, laid out like the official ones (EAI paper, appendix I.3)."""
    goal: list[list[str]] = task.raw["goal"]
    objects = [(row["name"], row["category"]) for row in task.objects]
    return fill_action_sequencing(state_facts(task), goal, objects)
