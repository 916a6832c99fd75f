"""A BEHAVIOR task as sessions play it: what is seen, what is told, what is asked for.

A room is its floor. The agent goes to what it acts on by itself, so that only what is in another
room has to be navigated to, to be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final

from homebody.core import Action, Fact, State, Trace
from homebody.core.formula import Atom, Not, Structure, atoms, bound_by, is_variable, nodes
from homebody.core.ground.sharing import never_changes
from homebody.goals.bddl import BDDLGoal, Tree, phrase
from homebody.goals.bddl.grounding import All, Any, Choose, Match
from homebody.goals.bddl.phrases import noun
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.behavior.world import WORLD
from homebody.suites.eai.interactive.scene import Standing
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
"""Action -> what it does, and what its objects are called."""
_PLACES: Final = {"ontop": "on", "inside": "in"}
_PLACING: Final = frozenset({"inside", "ontop", "onfloor", "open", "sliced", *HANDS.values()})
"""Predicates on which it depends where things are and whether they are seen."""
_TOLD: Final = frozenset({*STATES, *HANDS.values(), "inside", "ontop", "onfloor", "under"})
"""Predicates of which an agent is told that they have changed."""
MAX_REMEMBERED: Final = 10_000
"""Most sets of facts for which a scene keeps how far they meet its goal."""


@never_changes
@dataclass(frozen=True, eq=False)
class BehaviorScene:
    """See :class:`homebody.suites.eai.interactive.scene.Scene`.

    Attributes:
        annotated: The task with its annotations.
        eai: BEHAVIOR, as the other abilities see it.
        arguments: Action -> what it does, and what its objects are called.
    """

    annotated: BehaviorTask
    eai: ClassVar = WORLD
    arguments: ClassVar = ARGUMENTS

    @cached_property
    def world(self) -> Behavior:
        """The household."""
        world = self.annotated.task.world
        assert isinstance(world, Behavior)
        return world

    # -- what is seen -----------------------------------------------------------------------------

    @cached_property
    def rooms(self) -> tuple[str, ...]:
        """The floors, in a fixed order."""
        state = self.annotated.task.initial
        return tuple(name for name in state.objects if state.holds("FLOOR", (name,)))

    def _view(self, state: State) -> StateView:
        """A state as it is, by no quirk of a protocol."""
        return StateView(state, self.world.agent, frozenset())

    def room(self, state: State, name: str) -> str | None:
        """The floor that a thing is above, however far."""
        return self._view(state).floor_of(name)

    def seen(self, state: State, room: str | None, names: Iterable[str]) -> frozenset[str]:
        """The things of these that an agent in a room sees. What is cut is where its halves are."""
        view = self._view(state)
        return frozenset(name for name in names if self._sees(view, room, name))

    def _sees(self, view: StateView, room: str | None, name: str) -> bool:
        if name == view.agent or name in self.rooms:
            return True
        if view.is_absent(name) or view.is_shut_in(name):
            return False
        return view.is_halved(name) or view.floor_of(name) == room

    def moved(self, state: State, facts: Iterable[Fact]) -> set[str]:
        """What may be seen, or not, because of changed facts."""
        things = {fact[1] for fact in facts if fact[0] in _PLACING}
        things.discard(self.world.agent)
        view = self._view(state)
        return {name for thing in things for name in view.objects_within(thing)}

    def search(self, state: State, name: str) -> Action | None:
        """Go to the room of a thing, or open what it is shut in."""
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
        """What the goal says of all of a kind, or some -> the objects that are meant."""
        conditions = self.annotated.problem.conditions
        bound = (x.type for c in conditions for node in nodes(c) for x in bound_by(node))
        return {kind: self._goal.over.of(kind) for kind in dict.fromkeys(bound)}

    @cached_property
    def goal_objects(self) -> frozenset[str]:
        """The objects that the instruction names."""
        wanted = (atom for c in self.annotated.problem.conditions for atom in atoms(c))
        named = {name for atom in wanted for name in atom.args if not is_variable(name)}
        return frozenset(named.union(*self._kinds.values()))

    @cached_property
    def told(self) -> frozenset[str]:
        """Everything, as in the official prompt."""
        return frozenset(self.annotated.task.initial.objects)

    @cached_property
    def instruction(self) -> str:
        """The instruction, the conditions of the goal, and which objects they are about."""
        lines = [
            self.annotated.task.instruction.strip(),
            "",
            "In the end all of this has to be so:",
        ]
        lines += [f"- {phrase(condition)}" for condition in self.annotated.problem.conditions]
        if self._kinds:
            kinds = (f"- {noun(kind)}: {name_list(names)}" for kind, names in self._kinds.items())
            lines += ["", "Which things are meant by these words:", *kinds]
        return "\n".join(lines)

    def is_there(self, state: State, name: str) -> bool:
        """Whether a thing is neither half of a whole nor a whole in halves."""
        view = self._view(state)
        return not view.is_absent(name) and not view.is_halved(name)

    def is_part_of_house(self, name: str) -> bool:
        """Nothing is: floors are rooms."""
        return False

    def place(self, state: State, name: str) -> tuple[str, str] | None:
        """What a thing is on or in."""
        support = self._view(state).support(name)
        return None if support is None else (_PLACES[support[0]], support[1])

    def adjectives(self, state: State, name: str) -> Sequence[str]:
        """The states of a thing, and what it is next to and under."""
        told = [
            clause(Atom(predicate, (name,))).removeprefix(f"{name} is ")
            for predicate in STATES
            if state.holds(predicate, (name,))
        ]
        if state.holds("openable", (name,)) and not state.holds("open", (name,)):
            told.append("closed")
        if state.holds("toggleable", (name,)) and not state.holds("toggled_on", (name,)):
            told.append("switched off")
        for relation in ("nextto", "under"):
            near = sorted(state.targets(relation, name) - {self.world.agent})
            if near:
                text = clause(Atom(relation, (name, name_list(near))))
                told.append(text.removeprefix(f"{name} is "))
        return told

    def agent_lines(self, view: Structure, names: Sequence[str]) -> Sequence[str]:
        """Where the agent is and what it holds."""
        floors = [name for name in self.rooms if view.holds("FLOOR_OF", (self.world.agent, name))]
        hands = [
            f"In your {side.lower()} hand: {name_list(n for n in names if view.holds(hand, (n,)))}."
            for side, hand in HANDS.items()
        ]
        return [f"You are {self.world.agent}, on {name_list(floors)}.", " ".join(hands)]

    def change(self, before: State, after: State, action: Action) -> Sequence[str]:
        """What an action has brought about."""
        delete, add = after.change_from
        agent = self.world.agent
        beside = [f for f in add if f[0] == "nextto" and f[1] != agent and f[2] in action.args]
        told = [clause(Atom(f[0], f[1:])) for f in add if f[0] in _TOLD or f in beside]
        told += [clause(Atom(f[0], f[1:]), True) for f in delete if f[0] in STATES]
        hands = (f for f in delete if f[0] in HANDS.values())
        return told or [clause(Atom(f[0], f[1:]), True) for f in hands]

    # -- the goal ---------------------------------------------------------------------------------

    @cached_property
    def _goal(self) -> BDDLGoal:
        goal = self.annotated.task.goal
        assert isinstance(goal, BDDLGoal)
        return goal

    @cached_property
    def _atoms(self) -> tuple[Atom, ...]:
        """The facts that the goal depends on, each once."""
        return tuple(dict.fromkeys(_leaves(self._goal.tree)))

    @cached_property
    def _about(self) -> Mapping[str, tuple[int, ...]]:
        """Object -> the places in ``_atoms`` of those that are about it, or what it is half of."""
        initial = self.annotated.task.initial
        places: dict[str, list[int]] = {}
        for place, atom in enumerate(self._atoms):
            for name in dict.fromkeys(atom.args):
                for part in (name, *initial.sources("part_of", name)):
                    places.setdefault(part, []).append(place)
        return {name: tuple(of) for name, of in places.items()}

    @cached_property
    def _progress(self) -> dict[int, float]:
        return {}

    def standing(
        self, last: Standing | None, states: Sequence[State], actions: Sequence[Action]
    ) -> Standing:
        """How far the goal is met. Facts are asked again if what they are about has changed, and
        what the same facts were worth is remembered."""
        if last is None:
            truths, asked = 0, set(range(len(self._atoms)))
        else:
            truths, asked = last.truths, self._changed(states[last.step + 1 :])
        if asked or last is None:
            view = self._goal.view(states[-1])
            for place in asked:
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
        return Standing(progress, len(actions), truths)

    def _changed(self, states: Sequence[State]) -> set[int]:
        """The facts of the goal that may have changed on the way through these states."""
        about: set[int] = set()
        for state in states:
            delete, add = state.change_from
            facts = [fact for fact in (*delete, *add) if self.world.agent not in fact]
            names = {name for fact in facts for name in fact[1:]} | self.moved(state, facts)
            for name in names:
                about.update(self._about.get(name, ()))
        return about


def _leaves(tree: Tree) -> Iterator[Atom]:
    """The atoms of a goal."""
    match tree:
        case Atom():
            yield tree
        case Not(Atom() as atom):
            yield atom
        case All(parts) | Any(parts):
            for part in parts:
                yield from _leaves(part)
        case Choose(_, yes, no):
            for part in (*yes, *no):
                yield from _leaves(part)
        case Match(_, cells, _):
            for row in cells:
                for cell in row:
                    yield from _leaves(cell)
