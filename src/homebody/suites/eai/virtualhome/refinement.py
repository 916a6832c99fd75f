"""From subgoals to actions on VirtualHome (EAI paper, 2.4 and D.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from homebody.core import Action
from homebody.core.formula import (
    Atom,
    Formula,
    Literal,
    atom_of,
    atoms,
    with_atoms,
)
from homebody.suites.eai.subgoal_decomposition.refinement import (
    Segment,
    Setting,
    Subgoal,
)
from homebody.suites.eai.virtualhome.tasks import ACTION_PREDICATES, VirtualHomeTask, id_of
from homebody.worlds.virtualhome.relevance import relevance
from homebody.worlds.virtualhome.view import StateView
from homebody.worlds.virtualhome.world import VirtualHome

HANDS = frozenset({"HOLDS_RH", "HOLDS_LH"})


def setting(task: VirtualHomeTask, subgoals: Sequence[Subgoal]) -> Setting[StateView]:
    """What is special about refining subgoals on VirtualHome.

    Which hand takes a thing is the simulator's choice, and models do not plan for it: a thing in
    either hand will do. Ways that have it in the hand that is named are kept beside, for the
    task's goal may ask for that.
    """
    world = task.task.world
    assert isinstance(world, VirtualHome)
    wanted = [atom for goal in subgoals for atom in atoms(goal.formula)]
    named = {arg for atom in wanted for arg in atom.args if arg in task.task.initial.objects}
    in_hand = [atom.args[-1] for atom in wanted if atom.predicate in HANDS]
    relevant = relevance(
        world,
        tuple(sorted(named | set(task.relevant), key=id_of)),
        ACTION_PREDICATES,
        tuple(dict.fromkeys(name for name in in_hand if name in named)),
    )
    due = tuple(frozenset(choice.split("|")) for choice in task.action_goals)
    return Setting(
        relevant,
        ACTION_PREDICATES,
        view=world.view,
        truth=lambda view: view,
        already_met=_already_met,
        taken=lambda action: action.args[0] if action.name == "GRAB" else None,
        advanced=partial(_advanced, due),
        loosely=either_hand,
        chooses=False,
        blamed=_blamed,
    )


def either_hand(formula: Formula) -> Formula:
    """``formula`` with no say in which hand holds a thing."""
    return with_atoms(
        formula, lambda atom: Atom("HOLDS", atom.args) if atom.predicate in HANDS else atom
    )


def _already_met(
    goal: Formula, here: Segment[StateView], fillers: frozenset[str]
) -> Iterator[Literal]:
    for atom in atoms(either_hand(goal)):
        beside = atom.predicate in ("NEXT_TO", "FACING")  # who sits down faces what the seat does
        if beside or not here.holds(atom.predicate, atom.args):
            continue
        if atom.predicate != "HOLDS" or atom.args[-1] not in fillers:
            yield atom


def _advanced(wanted: Sequence[frozenset[str]], progress: int, action: Action) -> int:
    """``wanted`` are the actions of the task's goal, in order; of each one will do."""
    due = progress < len(wanted) and action.name in wanted[progress]
    return progress + 1 if due else progress


def _blamed(action: Action, literal: Literal) -> bool:
    return not (action.name == "GRAB" and atom_of(literal).predicate in ("NEXT_TO", "NEAR"))
