"""The prompt for a plan: the official template of action sequencing, filled in for other tasks."""

from __future__ import annotations

from homebody.data import behavior as data
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.behavior1k.tasks import state_facts


def action_sequencing_prompt(task: BehaviorTask) -> str:
    """The prompt that asks for a plan (EAI paper, appendix I.3): the state at first, the goal's
    conditions and the objects, in the layout of the official prompts."""
    template = str(data.load("prompts")["template"]["action_sequencing"])
    return template.format(
        init_state="".join(f"{list(fact)}\n" for fact in state_facts(task)),
        target_state="".join(f"{words}\n" for words in task.raw["goal"]),
        obj_list="".join(
            f"{ {'name': row['name'], 'category': row['category']} }\n" for row in task.objects
        ),
    )
