"""Refinement of subgoals to actions on VirtualHome (EAI paper, 2.4 and D.3)."""

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


def make_setting(task: VirtualHomeTask, subgoals: Sequence[Subgoal]) -> Setting[StateView]:
    """Make the setting for refining subgoals on VirtualHome.

    The simulator chooses the hand that takes an object, so models cannot plan it: either hand
    suffices. Refinements that use the named hand are kept as well, because the task's goal may
    require this hand.
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
        taken_object=lambda action: action.args[0] if action.name == "GRAB" else None,
        advance=partial(_advance, due),
        relax=relax_hands,
        chooses=False,
        can_blame=_can_blame,
    )


def relax_hands(formula: Formula) -> Formula:
    """Replace the hand that holds an object by either hand in a formula."""
    return with_atoms(
        formula, lambda atom: Atom("HOLDS", atom.args) if atom.predicate in HANDS else atom
    )


def _already_met(
    goal: Formula, here: Segment[StateView], fillers: frozenset[str]
) -> Iterator[Literal]:
    for atom in atoms(relax_hands(goal)):
        beside = atom.predicate in ("NEXT_TO", "FACING")  # side effects, e.g. of sitting down
        if beside or not here.holds(atom.predicate, atom.args):
            continue
        if atom.predicate != "HOLDS" or atom.args[-1] not in fillers:
            yield atom


def _advance(wanted: Sequence[frozenset[str]], progress: int, action: Action) -> int:
    """Return the progress after an action; ``wanted`` are the alternatives of each action goal."""
    due = progress < len(wanted) and action.name in wanted[progress]
    return progress + 1 if due else progress


def _can_blame(action: Action, literal: Literal) -> bool:
    return not (action.name == "GRAB" and atom_of(literal).predicate in ("NEXT_TO", "NEAR"))
