"""Differences between the official operators and the simulator's actions.

The official domain is written by hand; :mod:`homebody.worlds.virtualhome.pddl` generates the same
operators from the schemas of the executed actions. :func:`compare_operators` matches the two, and
:func:`audit_operators` lists the tasks that can only be solved with the hand-written operators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from homebody.core.formula import Atom
from homebody.planning.pddl import Operator, parse_operators
from homebody.suites.eai.transition_modeling.matching import match_operators
from homebody.suites.eai.transition_modeling.operators import TransitionTask
from homebody.suites.eai.transition_modeling.planning import plan
from homebody.suites.eai.virtualhome.transition_modeling import load_transition_tasks, reference
from homebody.worlds.virtualhome.pddl import translations

_CLOSED = (
    "the official operator requires the opposite state, the action only that its effect does not"
    " hold"
)
_HANDS = "the action needs a free hand"
_SEATS = "the action makes the character leave its seat"
_NEAR = "the action makes object and place near each other"
_LANDS = "the official operator does not say where the object lands"

REASONS: Mapping[str, str] = {
    "walk_towards": "the action ends all facts about nearness, facing and rooms, and moves held"
    " objects along; objects near the target become near only when that is queried",
    "walk_into": "the action ends all facts about nearness, facing and other rooms, and moves held"
    " objects along",
    "find": "the action walks to an object that is not near; the official operator only requires"
    " the object to be near",
    "sit": f"the action ends lying; {_SEATS}",
    "standup": _SEATS,
    "grab": "the action does not grab a held object again, removes the object from its place, and"
    " fills the right hand first; one of the official operator's three conditional effects may"
    " fill both hands",
    "open": f"{_CLOSED}; {_HANDS}",
    "close": f"{_CLOSED}; the official operator switches the object off and leaves it open",
    "put_on": f"the action requires a grabbable object; {_NEAR}",
    "put_on_character": "the action is for clothes only",
    "put_inside": f"the action requires a grabbable object and a place that can be opened; {_NEAR}",
    "switch_on": f"{_CLOSED}; for the action the object must not be unplugged, for the official"
    " operator it must be plugged in",
    "switch_off": _CLOSED,
    "turn_to": "the action ends facing other objects",
    "drop": f"the action uses the room of the character; {_LANDS}",
    "touch": "the official operator has the conditions of reading: a readable object in a hand",
    "lie": _SEATS,
    "watch": "the action requires the object in the same room",
    "move": _HANDS,
    "squeeze": _HANDS,
    "plug_in": f"{_CLOSED}; {_HANDS}; the official operator also plugs in objects with a switch and"
    " no plug",
    "plug_out": f"{_CLOSED}; {_HANDS}",
    "cut": f"{_HANDS}, and a knife in one",
}
"""Operator -> the reason why the two versions differ. The other operators are equal.

One difference is not listed, because matching ignores ``=``: the generated operators put no object
on or into itself.
"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """F1 of the generated operator against the official operator, in [0, 1], and the reason if it
    is not 1.

    ``unsaid`` are predicates of the schema without a counterpart in the official vocabulary.
    """

    operator: str
    precondition: float
    effect: float
    reason: str
    unsaid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnsolvedTask:
    """A task that the generated operators do not solve."""

    task: str
    name: str
    reason: str


@cache
def generated_operators() -> Mapping[str, Operator]:
    """Return the operators generated from the action schemas, by official name."""
    return {
        name: parse_operators(translation.text)[0] for name, translation in translations().items()
    }


def compare_operators() -> list[Comparison]:
    """Compare all 33 operators, in the order of the official domain."""
    comparisons = []
    for name, official in reference().operators.items():
        precondition, effect = match_operators(generated_operators()[name], official)
        comparisons.append(
            Comparison(
                name,
                precondition.f1,
                effect.f1,
                REASONS.get(name, ""),
                translations()[name].unsaid,
            )
        )
    return comparisons


def audit_operators(tasks: Sequence[TransitionTask] | None = None) -> list[UnsolvedTask]:
    """Return the tasks that have no solution with the generated operators, with the reasons."""
    unsolved = []
    for task in load_transition_tasks() if tasks is None else tasks:
        operators = tuple(generated_operators()[name] for name in task.to_define)
        if plan(operators, task).status != "solved":
            unsolved.append(UnsolvedTask(task.id, task.name, _explain(task)))
    return unsolved


def _explain(task: TransitionTask) -> str:
    """Name the operator that is the cause: with the official operator in its place, there is a
    plan."""
    facts = task.problem.initial
    if "plug_in" in task.to_define:
        things = sorted(
            fact.args[0]
            for fact in facts
            if fact.predicate == "plugged_out" and Atom("has_plug", fact.args) not in facts
        )
        if things and _is_solved_with(task, "plug_in"):
            return f"plug_in: {', '.join(things)} must be plugged in and has no plug"
    if "grab" in task.to_define and _is_solved_with(task, "grab"):
        return "grab: one thing must be in both hands at once"
    return "several operators"


def _is_solved_with(task: TransitionTask, official: str) -> bool:
    operators = {name: generated_operators()[name] for name in task.to_define}
    operators[official] = reference().operators[official]
    return plan(tuple(operators.values()), task).status == "solved"
