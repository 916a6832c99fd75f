"""Counts the actions that an output leaves to the search.

The search finds its own way to a subgoal, so the whole goal, named as the only subgoal, is nearly
always reached. Such an output lacks the intermediate steps. The measure cannot distinguish planned
steps from memorised ones (docs/benchmarks/baselines.md). It is defined by homebody, not by the
paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from homebody.core import Action, Measure
from homebody.core.formula import And, Atom, Formula, Literal, Not, atoms
from homebody.core.truth import evaluate
from homebody.planning.search import TooMuchEffort
from homebody.suites.eai.subgoal_decomposition.refinement import (
    MAX_EFFORT,
    Refinement,
    SearchNode,
    Setting,
    Subgoal,
    ViewedState,
    segment_of,
)

V = TypeVar("V", bound=ViewedState)

ALLOWED = (0, 1)
"""Maximum numbers of actions that the search may add to each subgoal, for the two rates."""
MEASURES: Mapping[str, Measure] = {
    f"SR@{most}": Measure(f"success_at_{most}", percent=True) for most in ALLOWED
}


def searched_fields(success: bool, lengths: Sequence[int], found: Sequence[int]) -> dict[str, Any]:
    """Return the fields of the record.

    Args:
        success: True if the goal was reached.
        lengths: Number of actions for each subgoal that was reached.
        found: Number of these actions that the search found by itself.
    """
    at = {f"success_at_{n}": success and max(found, default=0) <= n for n in ALLOWED}
    return {"subgoal_actions": list(lengths), "searched_actions": list(found), **at}


def count_searched(setting: Setting[V], way: Refinement, subgoals: Sequence[Subgoal]) -> list[int]:
    """Count the actions of each reached subgoal that the search found by itself.

    A subgoal requests its last action. It also requests every action that makes one of its literals
    true, if the literal was false before and still holds when the subgoal is reached. All other
    actions are found by the search. The literals are the subgoal itself or the parts of its
    outermost ``and``; alternatives request no actions. Therefore, if the search may not find any
    action, a model gains nothing by splitting an ``and``, by adding literals that hold anyway, or
    by detours. If the search may find one action per subgoal, splitting has an advantage.
    """
    setting.relevance.effort.left = MAX_EFFORT // 10
    nodes = way.node.path()
    found, start = list[int](), 0
    for subgoal, length in zip(subgoals, way.lengths, strict=False):  # the last are not reached
        try:
            requested = _count_requested(
                setting, subgoal.formula, nodes[start : start + length + 1]
            )
        except TooMuchEffort:
            requested = 1
        found.append(length - requested)
        start += length
    return found


def _count_requested(setting: Setting[V], subgoal: Formula, nodes: Sequence[SearchNode]) -> int:
    """Count the actions from the first node to the last that a subgoal requests."""
    if len(nodes) <= 2:
        return len(nodes) - 1
    goal = setting.relax(subgoal)
    actions = {Action(atom.predicate, atom.args) for atom in atoms(goal)}
    places = [segment_of(setting, nodes[0].state)]
    done = frozenset[Action]()
    for node in nodes[1:]:
        done |= actions & {node.action}
        places.append(segment_of(setting, node.state, done))
    requested = {len(nodes) - 1}
    for literal in _literals(goal):
        if evaluate(literal, places[-1]) and not evaluate(literal, places[0]):
            earlier = range(len(places) - 2, -1, -1)
            requested.add(1 + next(at for at in earlier if not evaluate(literal, places[at])))
    return len(requested)


def _literals(goal: Formula) -> Iterator[Literal]:
    match goal:
        case And(parts):
            for part in parts:
                yield from _literals(part)
        case Atom() | Not(Atom()):
            yield goal
