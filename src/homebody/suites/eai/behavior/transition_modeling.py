"""Transition modeling on BEHAVIOR; see :mod:`homebody.suites.eai.transition_modeling.scoring`.

The problems in the prompts lack the facts ``(same_obj x x)``, which stand for equality in the
annotated operators. The problems for the planner have them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from homebody.core import CORRECTED, HomebodyError, Protocol, Suite
from homebody.data import behavior as data
from homebody.planning.pddl import Problem, parse_problem
from homebody.suites.eai.behavior.prompts import official_prompt, transition_modeling_prompt
from homebody.suites.eai.behavior.protocol import QUIRKS
from homebody.suites.eai.transition_modeling import agents as operator_agents
from homebody.suites.eai.transition_modeling.operators import (
    TASK_QUIRKS,
    Reference,
    TransitionTask,
    make_reference,
)
from homebody.suites.eai.transition_modeling.scoring import make_suite

NAME = "eai.behavior.transition_modeling"
CATEGORIES = ("object_states", "spatial_relations", "non-spatial_relations")

_SPELLINGS = {"slice_carvingknife": "slice-carvingknife"}
_TO_DEFINE = "Action to be finished:"
_HEAD = re.compile(r"\(:action ([\w-]+)\)")
_NUMBER = re.compile(r"_\d+$")


@cache
def reference() -> Reference:
    """Load the 30 annotated operators. Raises HomebodyError if the data is missing."""
    stored = data.load("pddl")
    return make_reference("behavior", stored, CATEGORIES, spellings=_SPELLINGS, closed_heads=True)


def load_transition_tasks(protocol: Protocol = CORRECTED) -> Sequence[TransitionTask]:
    """Load the 100 tasks, in the official order. Raises HomebodyError if the data is missing."""
    return _load(protocol.kept_quirks(TASK_QUIRKS))


@cache
def _load(quirks: frozenset[str]) -> tuple[TransitionTask, ...]:
    as_evaluated = "other_operators_evaluated" in quirks
    as_written = "undeclared_object_refused" in quirks
    pddl, annotated = data.load("pddl"), reference()
    tasks = []
    for raw in data.load("tasks"):
        name = raw["id"]
        evaluated = tuple(pddl["task_operators"][name])
        to_define = evaluated if as_evaluated else _prompted_operators(name, annotated)
        problem = pddl["problems"][name]
        tasks.append(
            TransitionTask(
                id=name,
                name=raw["activity"],
                to_define=to_define,
                problem_text=problem if as_written else _declare_objects(problem, annotated),
                categories=tuple(pddl["task_categories"][name]),
                reference=annotated,
                given=tuple(operator for operator in evaluated if operator not in to_define),
                quirks=quirks,
            )
        )
    return tuple(tasks)


def _prompted_operators(task: str, annotated: Reference) -> tuple[str, ...]:
    """Return the operators that the prompt of a task leaves to be defined."""
    written = _HEAD.findall(official_prompt("transition_modeling", task).rpartition(_TO_DEFINE)[2])
    names = tuple(annotated.spellings.get(name, name) for name in written)
    if not names or not set(names) <= set(annotated.operators):
        raise HomebodyError(f"the prompt of {task} is not as expected")
    return names


def _declare_objects(text: str, annotated: Reference) -> str:
    """Declare the objects in a problem's facts, with types derived from their names."""
    missing = {name: _NUMBER.sub("", name) for name in _undeclared_objects(parse_problem(text))}
    lines = [f"{name} - {kind}" for name, kind in missing.items() if kind in annotated.domain.types]
    return text.replace("(:objects", " ".join(["(:objects", *lines]), 1)


def _undeclared_objects(problem: Problem) -> list[str]:
    named = {name for fact in problem.initial for name in fact.args}
    return sorted(named - set(problem.objects))


SUITE: Suite[TransitionTask] = make_suite(
    NAME,
    "Define preconditions and effects of operators (EAI, BEHAVIOR, 100 tasks)",
    CATEGORIES,
    quirks=QUIRKS,
    store=data.STORE,
    load=load_transition_tasks,
    describe=lambda task: ", ".join(task.to_define),
    prompt=transition_modeling_prompt,
    agents=operator_agents.AGENTS,
)
