"""The interface of a BEHAVIOR task to sessions: its observations, messages and goal.

A floor stands for its room. Actions include the walk to their object, so the agent only has to
navigate to see objects in other rooms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final

from homebody.core import Action, Fact, State, Trace
from homebody.core.formula import Atom, Structure, atom_of, atoms, bound_by, is_variable, nodes
from homebody.core.ground.sharing import never_changes
from homebody.goals.bddl import BDDLGoal, phrase
from homebody.goals.bddl.counting import literals
from homebody.goals.bddl.phrases import noun
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.behavior.world import WORLD
from homebody.suites.eai.interactive.scene import GoalProgress
from homebody.suites.eai.interactive.session_text import name_list
from homebody.worlds.behavior import Behavior
from homebody.worlds.behavior.actions import HANDS, STATES
from homebody.worlds.behavior.phrases import phrase as clause
from homebody.worlds.behavior.view import StateView

_ONE: Final = ("object",)
_EITHER_HAND: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "GRASP": ("take a thing into the {} hand", _ONE),
    "RELEASE": ("drop the thing in the {} hand on the floor", _ONE),
    "PLACE_INSIDE": ("put what is in the {} hand inside something open", ("target",)),
    "PLACE_ONTOP": ("put what is in the {} hand on top of something, or on a floor", ("target",)),
    "PLACE_UNDER": ("put what is in the {} hand under something", ("target",)),
    "PLACE_NEXTTO": ("put what is in the {} hand next to something", ("target",)),
    "PLACE_NEXTTO_ONTOP": (
        "put what is in the {} hand next to something, on top of something else",
        ("beside", "target"),
    ),
    "TRANSFER_CONTENTS_INSIDE": ("empty what is in the {} hand into something", ("target",)),
    "TRANSFER_CONTENTS_ONTOP": ("empty what is in the {} hand onto something", ("target",)),
}
ARGUMENTS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "NAVIGATE_TO": ("go to a thing, or to a floor", ("target",)),
    "OPEN": ("open a thing, with a free hand; not while it is on", _ONE),
    "CLOSE": ("close a thing, with a free hand", _ONE),
    "TOGGLE_ON": ("switch on a thing that is closed, with a free hand", _ONE),
    "TOGGLE_OFF": ("switch off a thing, with a free hand", _ONE),
    "SLICE": ("slice a thing, with a knife in a hand", _ONE),
    "CLEAN": ("clean a thing, with a cleaning tool in a hand or in a running sink", _ONE),
    "SOAK": ("soak a thing that is in a running sink or a pot, with a free hand", _ONE),
    "DRY": ("dry a thing", _ONE),
    "FREEZE": ("freeze a thing that is in a fridge, with a free hand", _ONE),
    "UNFREEZE": ("thaw a thing", _ONE),
    "COOK": ("cook a thing that is in or on a pan, with a free hand", _ONE),
    **{
        f"{side}_{name}": (text.format(side.lower()), arguments)
        for side in HANDS
        for name, (text, arguments) in _EITHER_HAND.items()
    },
}
"""Action -> its description, and names for its objects."""
_PLACES: Final = {"ontop": "on", "inside": "in"}
_PLACING: Final = frozenset({"inside", "ontop", "onfloor", "open", "sliced", *HANDS.values()})
"""Predicates that determine the place and visibility of objects."""
_REPORTED: Final = frozenset({*STATES, *HANDS.values(), "inside", "ontop", "onfloor", "under"})
"""Predicates whose changes are reported to the agent."""
MAX_REMEMBERED: Final = 10_000
"""Maximum number of sets of facts whose progress a scene caches."""


@never_changes
@dataclass(frozen=True, eq=False)
class BehaviorScene:
    """A scene of BEHAVIOR. See :class:`homebody.suites.eai.interactive.scene.Scene`.

    Attributes:
        annotated_task: The task with its annotations.
        eai: BEHAVIOR, as the other abilities see it.
        arguments: Action -> its description, and names for its objects.
    """

    annotated_task: BehaviorTask
    eai: ClassVar = WORLD
    arguments: ClassVar = ARGUMENTS

    @cached_property
    def world(self) -> Behavior:
        """The household."""
        world = self.annotated_task.task.world
        assert isinstance(world, Behavior)
        return world

    # -- what is seen -----------------------------------------------------------------------------

    @cached_property
    def rooms(self) -> tuple[str, ...]:
        """The floors, in a fixed order."""
        state = self.annotated_task.task.initial
        return tuple(name for name in state.objects if state.holds("FLOOR", (name,)))

    def _view(self, state: State) -> StateView:
        """Return the view of a state without quirks of a protocol."""
        return StateView(state, self.world.agent, frozenset())

    def room(self, state: State, name: str) -> str | None:
        """Return the floor below an object, at any distance."""
        return self._view(state).floor_of(name)

    def visible_objects(
        self, state: State, room: str | None, names: Iterable[str]
    ) -> frozenset[str]:
        """Return the objects visible in a room. A cut object is at the place of its halves."""
        view = self._view(state)
        return frozenset(name for name in names if self._is_visible(view, room, name))

    def _is_visible(self, view: StateView, room: str | None, name: str) -> bool:
        if name == view.agent or name in self.rooms:
            return True
        if view.is_absent(name) or view.is_shut_in(name):
            return False
        return view.is_halved(name) or view.floor_of(name) == room

    def moved_objects(self, state: State, facts: Iterable[Fact]) -> set[str]:
        """Return the objects whose visibility may depend on the changed facts."""
        things = {fact[1] for fact in facts if fact[0] in _PLACING}
        things.discard(self.world.agent)
        view = self._view(state)
        return {name for thing in things for name in view.objects_within(thing)}

    def search(self, state: State, name: str) -> Action | None:
        """Go to the room of an object, or open its container."""
        view = self._view(state)
        floor = view.floor_of(name)
        if floor is not None and floor != view.floor_of(self.world.agent):
            return Action("NAVIGATE_TO", (floor,))
        for relation, place in reversed(view.supports_of(name)):
            shut = state.holds("openable", (place,)) and not state.holds("open", (place,))
            if relation == "inside" and shut:
                return Action("OPEN", (place,))
        return None

    # -- words ------------------------------------------------------------------------------------

    @cached_property
    def _kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Kind of objects that the goal quantifies over -> its objects."""
        conditions = self.annotated_task.problem.conditions
        bound = (x.type for c in conditions for node in nodes(c) for x in bound_by(node))
        return {kind: self._goal.over.of(kind) for kind in dict.fromkeys(bound)}

    @cached_property
    def goal_objects(self) -> frozenset[str]:
        """The objects that the instruction names."""
        wanted = (atom for c in self.annotated_task.problem.conditions for atom in atoms(c))
        named = {name for atom in wanted for name in atom.args if not is_variable(name)}
        return frozenset(named.union(*self._kinds.values()))

    @cached_property
    def task_objects(self) -> frozenset[str]:
        """All objects, as in the official prompt."""
        return frozenset(self.annotated_task.task.initial.objects)

    @cached_property
    def instruction(self) -> str:
        """The instruction, the conditions of the goal, and the objects of its kinds."""
        lines = [
            self.annotated_task.task.instruction.strip(),
            "",
            "In the end, all of this must hold:",
        ]
        lines += [f"- {phrase(condition)}" for condition in self.annotated_task.problem.conditions]
        if self._kinds:
            kinds = (f"- {noun(kind)}: {name_list(names)}" for kind, names in self._kinds.items())
            lines += ["", "These words refer to:", *kinds]
        return "\n".join(lines)

    def is_there(self, state: State, name: str) -> bool:
        """Return whether an object exists now: it is neither a half of an uncut whole nor a whole
        that was cut."""
        view = self._view(state)
        return not view.is_absent(name) and not view.is_halved(name)

    def is_part_of_house(self, name: str) -> bool:
        """Return False: floors are rooms."""
        return False

    def place(self, state: State, name: str) -> tuple[str, str] | None:
        """Return the support or container of an object."""
        support = self._view(state).support(name)
        return None if support is None else (_PLACES[support[0]], support[1])

    def adjectives(self, state: State, name: str) -> Sequence[str]:
        """Describe the states of an object, and the objects that it is next to or under."""
        words = [
            clause(Atom(predicate, (name,))).removeprefix(f"{name} is ")
            for predicate in STATES
            if state.holds(predicate, (name,))
        ]
        if state.holds("openable", (name,)) and not state.holds("open", (name,)):
            words.append("closed")
        if state.holds("toggleable", (name,)) and not state.holds("toggled_on", (name,)):
            words.append("switched off")
        for relation in ("nextto", "under"):
            near = sorted(state.targets(relation, name) - {self.world.agent})
            if near:
                text = clause(Atom(relation, (name, name_list(near))))
                words.append(text.removeprefix(f"{name} is "))
        return words

    def agent_lines(self, view: Structure, names: Sequence[str]) -> Sequence[str]:
        """Describe the agent's location and held objects."""
        floors = [name for name in self.rooms if view.holds("FLOOR_OF", (self.world.agent, name))]
        hands = [
            f"In your {side.lower()} hand: {name_list(n for n in names if view.holds(hand, (n,)))}."
            for side, hand in HANDS.items()
        ]
        return [f"You are {self.world.agent}, on {name_list(floors)}.", " ".join(hands)]

    def change(self, before: State, after: State, action: Action) -> Sequence[str]:
        """Describe the effects of an action."""
        delete, add = after.change_from
        agent = self.world.agent
        beside = [f for f in add if f[0] == "nextto" and f[1] != agent and f[2] in action.args]
        words = [clause(Atom(f[0], f[1:])) for f in add if f[0] in _REPORTED or f in beside]
        words += [clause(Atom(f[0], f[1:]), True) for f in delete if f[0] in STATES]
        hands = (f for f in delete if f[0] in HANDS.values())
        return words or [clause(Atom(f[0], f[1:]), True) for f in hands]

    # -- the goal ---------------------------------------------------------------------------------

    @cached_property
    def _goal(self) -> BDDLGoal:
        goal = self.annotated_task.task.goal
        assert isinstance(goal, BDDLGoal)
        return goal

    @cached_property
    def _atoms(self) -> tuple[Atom, ...]:
        """The facts that the goal depends on, each once."""
        return tuple(dict.fromkeys(map(atom_of, literals(self._goal.tree))))

    @cached_property
    def _about(self) -> Mapping[str, tuple[int, ...]]:
        """Object -> indices of the atoms in ``_atoms`` that are about it or its whole."""
        initial = self.annotated_task.task.initial
        places: dict[str, list[int]] = {}
        for place, atom in enumerate(self._atoms):
            for name in dict.fromkeys(atom.args):
                for part in (name, *initial.sources("part_of", name)):
                    places.setdefault(part, []).append(place)
        return {name: tuple(of) for name, of in places.items()}

    @cached_property
    def _progress(self) -> dict[int, float]:
        return {}

    def goal_progress(
        self, last: GoalProgress | None, states: Sequence[State], actions: Sequence[Action]
    ) -> GoalProgress:
        """Return the progress, from facts about changed objects; equal facts are cached."""
        if last is None:
            truths, changed = 0, set(range(len(self._atoms)))
        else:
            truths, changed = last.truths, self._changed_atoms(states[last.step + 1 :])
        if changed or last is None:
            view = self._goal.view(states[-1])
            for place in changed:
                atom, bit = self._atoms[place], 1 << place
                truths = truths | bit if view.holds(atom.predicate, atom.args) else truths & ~bit
        if last is not None and truths == last.truths:
            return replace(last, step=len(actions))
        progress = self._progress.get(truths)
        if progress is None:
            progress = self._goal.progress(Trace((states[-1],)))
            if len(self._progress) >= MAX_REMEMBERED:
                self._progress.clear()
            self._progress[truths] = progress
        return GoalProgress(progress, len(actions), truths)

    def _changed_atoms(self, states: Sequence[State]) -> set[int]:
        """Return the indices of goal facts that these states may have changed."""
        about: set[int] = set()
        for state in states:
            delete, add = state.change_from
            facts = [fact for fact in (*delete, *add) if self.world.agent not in fact]
            names = {name for fact in facts for name in fact[1:]} | self.moved_objects(state, facts)
            for name in names:
                about.update(self._about.get(name, ()))
        return about
