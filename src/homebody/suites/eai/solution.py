"""The goal, ground truth and initial state of a task, as text for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from homebody.core import State
from homebody.core.goal import Goal
from homebody.core.play.transcript import number_lines, write_call
from homebody.goals.bddl import BDDLGoal
from homebody.goals.bddl.phrases import sentence
from homebody.goals.ltl.goal import LTLGoal
from homebody.goals.ltl.printing import show
from homebody.suites.eai.transition_modeling.operators import TransitionTask

NOT_PLACES: Final = frozenset({"NEXT_TO", "FACING"})
"""Relations that are omitted, because nearly all objects of a room have them."""


def show_solution(task: Any) -> Mapping[str, str]:
    """Return the goal, plan and map of an annotated task. The map is symbolic: the facts of the
    initial state, one object a line."""
    inner = task.task
    plan = inner.reference or ()
    listed = number_lines(map(write_call, plan))
    parts = {"Goal": _goal_text(inner.goal), "Map": list_facts(inner.initial)}
    return parts | ({"Ground truth": listed} if listed else {})


def show_problem(task: TransitionTask) -> Mapping[str, str]:
    """Return the operators to define, and the planning problem, of a task of transition
    modeling."""
    return {"Goal": f"define {', '.join(task.to_define)}", "Map": task.problem_text}


def _goal_text(goal: Goal) -> str:
    if isinstance(goal, LTLGoal):
        return show(goal.formula)
    return sentence(goal.conditions) if isinstance(goal, BDDLGoal) else str(goal)


def list_facts(state: State) -> str:
    """Return a line for each object of a state: its states, and the places where it is."""
    lines: dict[str, list[str]] = {}
    for fact in sorted(state.facts()):
        if len(fact) > 1 and fact[0] not in NOT_PLACES:
            relation, first, *others = fact
            lines.setdefault(first, []).append(" ".join((relation, *others)))
    return "\n".join(f"{name}: {', '.join(facts)}" for name, facts in sorted(lines.items()))
