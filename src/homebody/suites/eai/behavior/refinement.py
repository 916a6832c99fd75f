"""Refinement of subgoals to actions on BEHAVIOR (EAI paper, 2.4 and D.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from homebody.core import State
from homebody.core.formula import Formula, Literal, atom_of, atoms
from homebody.core.truth import evaluate
from homebody.planning.relevance import Relevance
from homebody.suites.eai.behavior.subgoals import ACTIONS
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.subgoal_decomposition.refinement import (
    Segment,
    Setting,
    Subgoal,
)
from homebody.worlds.behavior import Behavior
from homebody.worlds.behavior.actions import HANDS
from homebody.worlds.behavior.relevance import relevance
from homebody.worlds.behavior.view import StateView

OPTIONS_AN_ACTION = 5
"""Number of options that can be evaluated in the time of one action."""
_BESIDE = ("nextto", "touching")


class _Truth:
    """A state in the vocabulary of subgoals: the vocabulary of goals, and categories."""

    __slots__ = ("_goal", "_state")

    def __init__(self, world: Behavior, state: State) -> None:
        self._state = state
        self._goal = world.view(state)

    @property
    def names(self) -> Iterable[str]:
        return self._goal.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        if "." not in predicate:
            return self._goal.holds(predicate, args)
        thing = self._state.objects.get(args[0])
        return thing is not None and thing.category == predicate and not self._half(args[0])

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        if "." not in predicate:
            return self._goal.match(predicate, args)
        names = self.names if args[0] is None else (args[0],)
        return [(name,) for name in names if self.holds(predicate, (name,))]

    def _half(self, name: str) -> bool:
        return self._state.holds("PART", (name,))


def make_setting(task: BehaviorTask, subgoals: Sequence[Subgoal]) -> Setting[StateView]:
    """Make the setting for refining the subgoals of one output on BEHAVIOR."""
    world = task.task.world
    assert isinstance(world, Behavior)
    wanted = [atom for goal in subgoals for atom in atoms(goal.formula)]
    objects = task.task.initial.objects
    named = dict.fromkeys(arg for atom in wanted for arg in atom.args if arg in objects)
    relevant = relevance(world, tuple(named), ACTIONS)
    priced = 0

    def price() -> int:
        nonlocal priced
        new, priced = relevant.effort.options - priced, relevant.effort.options
        return new // OPTIONS_AN_ACTION

    return Setting(
        relevant,
        ACTIONS,
        view=world.conditions,
        truth=lambda view: _Truth(world, view.state),
        already_met=partial(_already_met, relevant),
        taken_object=lambda action: action.args[0] if action.name.endswith("_GRASP") else None,
        price=price,
    )


def _already_met(
    relevant: Relevance[StateView], goal: Formula, here: Segment[StateView], fillers: frozenset[str]
) -> Iterator[Literal]:
    for literal in relevant.all_literals(goal, here, here.view):
        atom = atom_of(literal)
        held = atom.predicate in HANDS.values() and atom.args[0] in fillers
        side_effect = atom.predicate in _BESIDE or held
        if not side_effect and evaluate(literal, here):
            yield literal
