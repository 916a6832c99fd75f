"""Transition modeling on VirtualHome; see :mod:`homebody.suites.eai.transition_modeling`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from homebody.core import CORRECTED, Protocol, Suite, TextAgent
from homebody.data import eai as data
from homebody.suites.eai.transition_modeling import agents as operator_agents
from homebody.suites.eai.transition_modeling.operators import (
    TITLES,
    Reference,
    TransitionTask,
    make_reference,
)
from homebody.suites.eai.transition_modeling.scoring import make_suite
from homebody.suites.eai.virtualhome.protocol import QUIRKS
from homebody.worlds.virtualhome.pddl import translations

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.virtualhome.transition_modeling"
CATEGORIES = tuple(TITLES)


@cache
def reference() -> Reference:
    """Load the 33 annotated operators. Raises HomebodyError if the data is missing."""
    return make_reference("virtualhome", data.load()["pddl"], CATEGORIES)


def load_transition_tasks(protocol: Protocol = CORRECTED) -> Sequence[TransitionTask]:
    """Load the 296 tasks whose planning problem has a solution, in the official order."""
    return _load()


@cache
def _load() -> tuple[TransitionTask, ...]:
    stored = data.load()
    pddl, categories = stored["pddl"], stored["vocabulary"]["task_categories"]
    evaluated = set(pddl["evaluated"])
    return tuple(
        TransitionTask(
            id=raw["id"],
            name=raw["name"],
            to_define=tuple(pddl["task_operators"][raw["id"]]),
            problem_text=pddl["problems"][raw["id"]],
            categories=tuple(categories[raw["id"]]),
            reference=reference(),
        )
        for raw in stored["tasks"]
        if raw["id"] in evaluated
    )


def prompt(task: TransitionTask) -> str:
    """Return the prompt for a task's operators (EAI paper, appendix I.4)."""
    texts = task.reference.texts
    handlers = "".join(
        f"(:action {name}\n  :parameters {texts[name].parameters}\n"
        "  :precondition ()\n  :effect ()\n)\n"
        for name in task.to_define
    )
    template: str = data.load()["prompts"]["transition_modeling"]
    # the official template lacks the closing bracket of its second placeholder
    return template.replace("<problem_file>", task.problem_text).replace(
        "<action_handlers", handlers
    )


def generated_output(task: TransitionTask, generator: np.random.Generator) -> str:
    """Return operators generated from the action schemas of homebody's VirtualHome."""
    return operator_agents.render(translations()[name].text for name in task.to_define)


SUITE: Suite[TransitionTask] = make_suite(
    NAME,
    "Define preconditions and effects of operators (EAI, VirtualHome, 296 tasks)",
    CATEGORIES,
    quirks=QUIRKS,
    store=data.STORE,
    load=load_transition_tasks,
    describe=lambda task: f"{task.name}: {', '.join(task.to_define)}",
    prompt=prompt,
    agents={**operator_agents.AGENTS, "oracle": TextAgent(generated_output)},
)
