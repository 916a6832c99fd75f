"""Baselines that make a BEHAVIOR plan without planning (docs/benchmarks/baselines.md). They show
how high shortcuts score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

from homebody.core import Action
from homebody.core.formula import Atom, Literal, atom_of
from homebody.goals.bddl import TooLargeError, ground, options, universe
from homebody.suites.eai.agents import most_frequent
from homebody.suites.eai.behavior.plans import known_objects
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_tasks

_FOR_STATE: Final = {
    ("cooked", True): "COOK",
    ("dusty", False): "CLEAN",
    ("frozen", True): "FREEZE",
    ("frozen", False): "UNFREEZE",
    ("open", True): "OPEN",
    ("open", False): "CLOSE",
    ("sliced", True): "SLICE",
    ("soaked", True): "SOAK",
    ("soaked", False): "DRY",
    ("stained", False): "CLEAN",
    ("toggled_on", True): "TOGGLE_ON",
    ("toggled_on", False): "TOGGLE_OFF",
}
"""State and its goal value -> the action with the corresponding name."""
_FOR_RELATION: Final = {
    "inside": "RIGHT_PLACE_INSIDE",
    "nextto": "RIGHT_PLACE_NEXTTO",
    "onfloor": "RIGHT_PLACE_ONTOP",
    "ontop": "RIGHT_PLACE_ONTOP",
    "touching": "RIGHT_PLACE_NEXTTO",
    "under": "RIGHT_PLACE_UNDER",
}

Kind: TypeAlias = tuple[str, bool]
"""A predicate, and the truth value that a goal requires."""
Shape: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
"""Actions in which indices of a goal's arguments replace the objects."""


def stated_literals(task: BehaviorTask) -> tuple[Literal, ...]:
    """Return the first option of each condition of the goal, in order. A condition with too many
    options is omitted."""
    if task.interpreted is not None:
        return task.interpreted
    over = universe(task.problem)
    literals: dict[Literal, None] = {}
    for condition in task.problem.conditions:
        try:
            literals.update(dict.fromkeys(next(options(ground(condition, over)), ())))
        except TooLargeError:
            continue
    return tuple(literals)


def copied_plan(task: BehaviorTask) -> tuple[Action, ...]:
    """For each goal, in the order of the prompt, do the action with the name of the goal.

    Placing follows grasping. Objects that the goal names, and containers of these, are opened first
    if possible.
    """
    literals = stated_literals(task)
    plan = [Action("OPEN", (name,)) for name in _closed_objects(task, literals)]
    for literal in literals:
        atom, positive = atom_of(literal), isinstance(literal, Atom)
        if len(atom.args) == 2 and positive and atom.predicate in _FOR_RELATION:
            thing, place = atom.args
            plan += (
                Action("RIGHT_GRASP", (thing,)),
                Action(_FOR_RELATION[atom.predicate], (place,)),
            )
        elif (atom.predicate, positive) in _FOR_STATE:
            plan.append(Action(_FOR_STATE[atom.predicate, positive], atom.args))
    return tuple(plan) or _walk_plan(task)


def _closed_objects(task: BehaviorTask, literals: Sequence[Literal]) -> list[str]:
    state = task.task.initial
    named = dict.fromkeys(name for literal in literals for name in atom_of(literal).args)
    around = [place for name in named for place in sorted(state.targets("inside", name))]
    shut = {thing.name for thing in task.things if "openable" in thing.abilities}
    return [
        name
        for name in dict.fromkeys((*named, *around))
        if name in shut and not state.holds("open", (name,))
    ]


def frequent_plan(task: BehaviorTask) -> tuple[Action, ...]:
    """For each goal, in the order of the prompt, do the actions that are most frequent in plans of
    other activities."""
    shapes = _shapes_by_kind()
    plan: list[Action] = []
    for literal in stated_literals(task):
        known = shapes.get(_kind(literal), ())
        others = [shape for activity, shape in known if activity != task.task.name]
        if others:
            args = atom_of(literal).args
            shape = most_frequent(others)
            plan += [Action(name, tuple(args[at] for at in places)) for name, places in shape]
    return tuple(plan) or _walk_plan(task)


def _walk_plan(task: BehaviorTask) -> tuple[Action, ...]:
    """Return a plan for agents that found none. An output without an action would be unreadable."""
    return (Action("NAVIGATE_TO", tuple(known_objects(task)[:1])),)


@cache
def _shapes_by_kind() -> Mapping[Kind, Sequence[tuple[str, Shape]]]:
    """Map each kind of literal to the activities with such a goal, and to the actions of their
    plans for it."""
    kinds: defaultdict[Kind, list[tuple[str, Shape]]] = defaultdict(list)
    for task in load_tasks():
        for literal in stated_literals(task):
            shape = _shape(atom_of(literal).args, task.task.reference)
            if shape:
                kinds[_kind(literal)].append((task.task.name, shape))
    return kinds


def _kind(literal: Literal) -> Kind:
    return atom_of(literal).predicate, isinstance(literal, Atom)


def _shape(args: Sequence[str], plan: Sequence[Action]) -> Shape:
    """Return the actions of a plan that involve only the objects of a literal, from the first use
    of its first object to the last use of its second."""
    if len(args) == 2:
        at = [place for place, action in enumerate(plan) if args[0] in action.args]
        plan = plan[at[0] :] if at else ()
        end = [place for place, action in enumerate(plan) if args[1] in action.args]
        plan = plan[: end[0] + 1] if end else ()
    return tuple(
        (action.name, tuple(args.index(thing) for thing in action.args))
        for action in plan
        if set(action.args) <= set(args)
    )
