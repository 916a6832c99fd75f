"""Which actions can help: from what is wanted back to what can be done now.

An action is worth trying if it brings about something that is wanted and not so, or something
that another such action still needs. A search over these actions alone stays small, although a
scene has 300 objects and 44 actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from homebody.core.action import Action
from homebody.core.formula import (
    EQUALS,
    And,
    Atom,
    Binding,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Structure,
    evaluate,
    substitute,
)
from homebody.worlds.virtualhome.view import StateView
from homebody.worlds.virtualhome.world import VirtualHome

WAYS_ON = {
    "ON": ("SWITCHON",),
    "OFF": ("SWITCHOFF",),
    "OPEN": ("OPEN",),
    "CLOSED": ("CLOSE",),
    "PLUGGED_IN": ("PLUGIN",),
    "PLUGGED_OUT": ("PLUGOUT",),
    "CLEAN": ("WASH", "RINSE", "SCRUB", "WIPE"),
}
"""State of a thing -> the actions on it that bring it about."""
WAYS_OFF = {
    "ON": ("SWITCHOFF",),
    "OFF": ("SWITCHON",),
    "OPEN": ("CLOSE",),
    "CLOSED": ("OPEN",),
    "PLUGGED_IN": ("PLUGOUT",),
    "PLUGGED_OUT": ("PLUGIN",),
    "DIRTY": ("WASH", "RINSE", "SCRUB", "WIPE"),
}
"""State of a thing -> the actions on it that end it."""

HOLDS = frozenset({"HOLDS", "HOLDS_RH", "HOLDS_LH"})
CANDIDATES = 5
"""Most objects that stand for a thing that is not named, e.g. any seat."""

_DERIVED = frozenset({"SEALED", "FREE_HAND", "SEAT_FREE", "BED_FREE"})

Literal: TypeAlias = tuple[bool, Atom]
"""A ground atom that should be true, or false."""


@dataclass(frozen=True)
class Relevance:
    """What can be done about a wish, in one household.

    Attributes:
        world: The household.
        named: The objects that matter (those of the plan and of the task): they come first where
            a thing is not named.
        actions: Predicates of wishes that are actions, to be done.
        in_hand: Of these objects, those that will be wanted in a hand: they come first where
            anything will do to fill one.
    """

    world: VirtualHome
    named: tuple[str, ...]
    actions: frozenset[str]
    in_hand: tuple[str, ...] = ()

    def doable(
        self, wish: Formula, structure: Structure, view: StateView, *, wide: bool = False
    ) -> list[Action]:
        """Actions whose conditions hold and which lead towards ``wish``; each once.

        Args:
            wish: What is wanted, without free variables.
            structure: What the wish is about: the state and, for action propositions, what was
                done.
            view: The state.
            wide: Also try what brings about what is so already, for it may have to be undone
                and done again, or made to last: who has to be next to two things carries one.
        """
        found: list[Action] = []
        tried: set[Action] = set()
        asked: set[Literal] = set()
        pending = self.literals(wish, structure, view, wide)
        while pending:
            literal = pending.pop(0)
            if literal in asked:
                continue
            asked.add(literal)
            for action in self.ways(literal, view):
                if action in tried:
                    continue
                tried.add(action)
                if not self.possible(action, view):
                    continue
                needs = self._needs(action)
                missing = [need for need in needs if not evaluate(need, view)]
                if not missing:
                    found.append(action)
                for need in needs if wide else missing:
                    pending += self.literals(need, view, view, wide)
        return found

    def possible(self, action: Action, view: StateView) -> bool:
        """Whether the objects allow an action, whatever their state."""
        schema = self.world.schemas[action.name]
        binding = schema.bind(self.world.agent, action)
        return all(evaluate(f, view, binding) for f in schema.affordances)

    def hopeless(self, wish: Formula, structure: Structure, view: StateView) -> Formula | None:
        """The part of ``wish`` that is not so and that no action can bring about, if any."""
        for part in wish.parts if isinstance(wish, And) else (wish,):
            literals = self.literals(part, structure, view)
            if literals and not any(
                self.possible(action, view)
                for literal in literals
                for action in self.ways(literal, view)
            ):
                return part
        return None

    def _needs(self, action: Action) -> list[Formula]:
        schema = self.world.schemas[action.name]
        binding = schema.bind(self.world.agent, action)
        return [substitute(condition, binding) for condition in schema.preconditions]

    # -- what is wanted ---------------------------------------------------------------------------

    def literals(
        self, wish: Formula, structure: Structure, view: StateView, wide: bool = False
    ) -> list[Literal]:
        """The literals of ``wish`` that keep it from being true; if ``wide``, all of them."""
        return list(self._literals(wish, structure, view, wide, True, {}))

    def _literals(
        self,
        wish: Formula,
        structure: Structure,
        view: StateView,
        wide: bool,
        want: bool,
        binding: Binding,
    ) -> Iterator[Literal]:
        match wish:
            case Atom(predicate, args):
                ground = Atom(predicate, tuple(binding.get(a, a) for a in args))
                if predicate == EQUALS:
                    return
                if wide or structure.holds(predicate, ground.args) != want:
                    yield want, ground
            case Not(body):
                yield from self._literals(body, structure, view, wide, not want, binding)
            case Implies(left, right):
                either = Or((Not(left), right))
                yield from self._literals(either, structure, view, wide, want, binding)
            case And(parts) | Or(parts):
                every = isinstance(wish, And) == want
                if every or wide or evaluate(wish, structure, binding) != want:
                    for part in parts:
                        yield from self._literals(part, structure, view, wide, want, binding)
            case Exists(variable, body) | Forall(variable, body) | Exactly(_, variable, body):
                if wide or evaluate(wish, structure, binding) != want:
                    for name in self._instances(variable, body, view):
                        extended = {**binding, variable: name}
                        yield from self._literals(body, structure, view, wide, want, extended)

    def _instances(self, variable: str, body: Formula, view: StateView) -> list[str]:
        """Objects to try for a thing that is not named: those that can be it at all."""
        for part in body.parts if isinstance(body, And) else (body,):
            match part:
                case Atom("KNIFE", (term,)) if term == variable:
                    return self._first(n for n in view.names if view.holds("KNIFE", (n,)))
                case Atom("IN_ROOM", (thing, term)) if term == variable:
                    return view.rooms(thing)
        return list(self.named[: 4 * CANDIDATES])

    # -- what brings it about ---------------------------------------------------------------------

    def ways(self, literal: Literal, view: StateView) -> Iterator[Action]:
        """Actions that bring a literal about, in a fixed order."""
        want, atom = literal
        if atom.predicate in _DERIVED:
            return self._derived(atom, want, view)
        return self._bring(atom, view) if want else self._end(atom, view)

    def _derived(self, atom: Atom, want: bool, view: StateView) -> Iterator[Action]:
        """Ways to what depends on where other things are."""
        thing = atom.args[0]
        if atom.predicate == "FREE_HAND" and want:
            for held in view.held(thing):
                yield Action("DROP", (held,))
        elif atom.predicate == "SEALED" and not want:
            for place in sorted(view.state.targets("INSIDE", thing)):
                if view.state.holds("CLOSED", (place,)):
                    yield Action("OPEN", (place,))
        elif want:
            for other in sorted(view.state.sources("ONTOP", thing)):
                yield Action("GRAB", (other,))

    def _bring(self, atom: Atom, view: StateView) -> Iterator[Action]:
        agent = self.world.agent
        match atom:
            case Atom(predicate, args) if predicate in self.actions:
                if self.world.schemas[predicate].arity == len(args):
                    yield Action(predicate, args)
            case Atom(predicate, (thing,)) if predicate in WAYS_ON:
                yield from (Action(name, (thing,)) for name in WAYS_ON[predicate])
            case Atom("SITTING", (who,)) if who == agent:
                yield from (Action("SIT", (seat,)) for seat in self._having("SITTABLE", view))
            case Atom("LYING", (who,)) if who == agent:
                yield from (Action("LIE", (bed,)) for bed in self._having("LIEABLE", view))
            case Atom("NEAR" | "NEXT_TO", (one, other)) if agent in (one, other):
                # FIND walks there, or takes note of a thing that is near already; what is held
                # stays near
                thing = other if one == agent else one
                yield Action("FIND", (thing,))
                yield Action("GRAB", (thing,))
            case Atom("NEXT_TO", (one, other)):
                for put in ("PUTBACK", "PUTIN"):
                    yield Action(put, (one, other))
                    yield Action(put, (other, one))
            case Atom(predicate, (who, thing)) if predicate in HOLDS and who == agent:
                yield Action("GRAB", (thing,))
                yield from self._make_way(predicate, thing, view)
            case Atom("FACED" | "FACING", (who, thing)) if who == agent:
                yield Action("TURNTO", (thing,))
            case Atom("ONTOP", (one, other)) if one == agent:
                yield Action("SIT", (other,))
                yield Action("LIE", (other,))
            case Atom("ONTOP", (one, other)) if other == agent:
                yield Action("PUTON", (one,))
            case Atom("ONTOP", (one, other)):
                yield Action("PUTBACK", (one, other))
            case Atom("INSIDE" | "IN_ROOM", (one, other)) if one == agent:
                yield Action("WALK", (other,))
            case Atom("INSIDE", (one, other)) if view.is_room(other):
                # carried there; what is let go of in a room is inside it
                yield Action("GRAB", (one,))
                if one in view.carried(agent):
                    yield Action("WALK", (other,))
            case Atom("INSIDE", (one, other)):
                yield Action("PUTIN", (one, other))
                yield Action("POUR", (one, other))

    def _make_way(self, hand: str, thing: str, view: StateView) -> Iterator[Action]:
        """What a certain hand needs: things are taken with the right hand if it is free."""
        agent = self.world.agent
        right = sorted(view.state.targets("HOLDS_RH", agent))
        left = sorted(view.state.targets("HOLDS_LH", agent))
        if hand == "HOLDS_RH":
            yield from (Action("DROP", (held,)) for held in dict.fromkeys((*right, *left)))
        elif hand == "HOLDS_LH" and thing in right:
            yield Action("DROP", (thing,))
        elif hand == "HOLDS_LH" and right:
            yield from (Action("DROP", (held,)) for held in left)
        elif hand == "HOLDS_LH":
            others = (name for name in (*self.in_hand, *self.named) if name != thing)
            grabbable = (n for n in others if view.state.holds("GRABBABLE", (n,)))
            yield from (Action("GRAB", (name,)) for name in self._first(grabbable))

    def _end(self, atom: Atom, view: StateView) -> Iterator[Action]:
        agent = self.world.agent
        match atom:
            case Atom(predicate, (thing,)) if predicate in WAYS_OFF:
                yield from (Action(name, (thing,)) for name in WAYS_OFF[predicate])
            case Atom("SITTING" | "LYING", (who,)) if who == agent:
                yield Action("STANDUP")
            case Atom(predicate, (who, thing)) if predicate in HOLDS and who == agent:
                yield Action("DROP", (thing,))
                places = [name for name in self.named if name not in (agent, thing)]
                yield from (Action("PUTBACK", (thing, place)) for place in places[:CANDIDATES])
            case Atom("ONTOP", (one, other)) if one == agent:
                yield Action("STANDUP")
            case Atom("ONTOP", (one, other)) if other == agent:
                yield Action("PUTOFF", (one,))
            case Atom("INSIDE" | "NEXT_TO" | "NEAR", (one, other)) if agent in (one, other):
                for place in self._elsewhere(view):
                    yield Action("WALK", (place,))
            case Atom("FACING", (one, _)) if one == agent:
                for place in self._elsewhere(view):
                    yield Action("WALK", (place,))
            case Atom("ONTOP" | "INSIDE" | "NEXT_TO", (one, other)):
                yield Action("GRAB", (one,))
                if atom.predicate == "NEXT_TO":
                    yield Action("GRAB", (other,))

    def _elsewhere(self, view: StateView) -> list[str]:
        """Where to go to be away from something: all rooms."""
        return [name for name in view.names if view.is_room(name)]

    def _having(self, affordance: str, view: StateView) -> list[str]:
        """Objects with an affordance: those that matter or, if none has it, some of the scene,
        beginning with the room the character is in."""
        holds = view.state.holds
        named = [name for name in self.named if holds(affordance, (name,))]
        if named:
            return named
        here = view.room(self.world.agent)
        every = [name for name in view.names if holds(affordance, (name,))]
        return self._first([n for n in every if view.room(n) == here] + every)

    @staticmethod
    def _first(names: Iterable[str]) -> list[str]:
        return list(islice(dict.fromkeys(names), CANDIDATES))


def _once(actions: Iterable[Action]) -> list[Action]:
    return list(dict.fromkeys(actions))
