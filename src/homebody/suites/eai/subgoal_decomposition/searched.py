"""What an answer leaves to the search: a measure that tells naming a goal from telling a plan.

The search finds its own way to a subgoal, so that the whole goal, named as the only subgoal, is
nearly always reached. What such an answer does not have is the steps on the way. Whether steps
were thought of or are there by rote cannot be told (docs/benchmarks/baselines.md). This is
homebody's measure; the paper has none.
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
    Reached,
    Refinement,
    Seen,
    Setting,
    Subgoal,
    segment_of,
)

V = TypeVar("V", bound=Seen)

ALLOWED = (0, 1)
"""Actions of its own that the search may add to a subgoal in the two rates: none, as where each
action is told; or one, as where fetching a thing, or walking there, goes without saying."""
MEASURES: Mapping[str, Measure] = {
    f"SR@{most}": Measure(f"success_at_{most}", percent=True) for most in ALLOWED
}


def searched_fields(success: bool, lengths: Sequence[int], found: Sequence[int]) -> dict[str, Any]:
    """What records say.

    Args:
        success: The goal was reached.
        lengths: Of each subgoal that was reached, how many actions led there.
        found: How many of them the search found by itself.
    """
    at = {f"success_at_{n}": success and max(found, default=0) <= n for n in ALLOWED}
    return {"subgoal_actions": list(lengths), "searched_actions": list(found), **at}


def count_searched(setting: Setting[V], way: Refinement, subgoals: Sequence[Subgoal]) -> list[int]:
    """How many actions of each subgoal that was reached the search found by itself.

    A subgoal asks for an action that brings about one of its literals, which did not hold before
    and holds when the subgoal is reached, and for the last one in any case; all others are found.
    Its literals are the subgoal, or the parts of its outermost ``and``; of alternatives
    none is asked for. So where none may be found, nothing is gained by splitting an ``and``, by
    what holds anyway, or by detours. Where one may, it may for each subgoal: splitting gains.
    """
    setting.relevance.effort.left = MAX_EFFORT // 10
    nodes = way.node.path()
    found, start = list[int](), 0
    for subgoal, length in zip(subgoals, way.lengths, strict=False):  # the last are not reached
        try:
            asked = _asked_for(setting, subgoal.formula, nodes[start : start + length + 1])
        except TooMuchEffort:
            asked = 1
        found.append(length - asked)
        start += length
    return found


def _asked_for(setting: Setting[V], subgoal: Formula, nodes: Sequence[Reached]) -> int:
    """How many of the actions from the first node to the last a subgoal asks for."""
    if len(nodes) <= 2:
        return len(nodes) - 1
    goal = setting.loosely(subgoal)
    actions = {Action(atom.predicate, atom.args) for atom in atoms(goal)}
    places = [segment_of(setting, nodes[0].state)]
    done = frozenset[Action]()
    for node in nodes[1:]:
        done |= actions & {node.action}
        places.append(segment_of(setting, node.state, done))
    asked = {len(nodes) - 1}
    for literal in _literals(goal):
        if evaluate(literal, places[-1]) and not evaluate(literal, places[0]):
            earlier = range(len(places) - 2, -1, -1)
            asked.add(1 + next(at for at in earlier if not evaluate(literal, places[at])))
    return len(asked)


def _literals(goal: Formula) -> Iterator[Literal]:
    match goal:
        case And(parts):
            for part in parts:
                yield from _literals(part)
        case Atom() | Not(Atom()):
            yield goal
