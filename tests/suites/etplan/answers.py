"""Right answers to the pipeline's questions, of somebody who knows where everything is."""

from __future__ import annotations

import json

from homebody.suites.etplan.agents.questions import Inquiry, select_choices
from homebody.suites.etplan.context import TaskContext
from homebody.suites.etplan.training import expert_answer


def true_answer(context: TaskContext, inquiry: Inquiry) -> str:
    if inquiry.wanted is None:
        return expert_answer(context, inquiry)
    facts = context.facts
    name = next(
        name
        for action in reversed(context.task.reference)
        for name in action.args
        if inquiry.wanted.category == facts.category(name)
    )
    if inquiry.about == "rooms":
        room = facts.room(name)
        return json.dumps(sorted(inquiry.choices, key=lambda each: each != room))
    if facts.room(name) != inquiry.room:
        return "[]"
    around = map(facts.category, facts.around(name)[:6])
    return json.dumps(select_choices(around, inquiry.choices)[:3])
