"""VirtualHome's part of the search for actions that can help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from typing import Final

from homebody.core.action import Action
from homebody.core.formula import And, Atom, Binding, Exactly, Exists, Forall, Structure
from homebody.core.truth import evaluate
from homebody.planning.relevance import Achiever, Focus, Option, Relevance, achievers
from homebody.worlds.virtualhome.actions import DEST, OBJ, action_schemas
from homebody.worlds.virtualhome.view import StateView
from homebody.worlds.virtualhome.world import VirtualHome

PURPOSES: Final[dict[str, tuple[str, ...]]] = {
    "FIND": ("NEXT_TO(agent, _)", "NEXT_TO(_, agent)"),
    "GRAB": (
        "HOLDS(agent, _)",
        "NEXT_TO(agent, _)",
        "NEXT_TO(_, agent)",
        "INSIDE(_, room)",
        "not ONTOP(_, _)",
        "not INSIDE(_, _)",
        "not NEXT_TO(_, _)",
    ),
    "WALK": (
        "INSIDE(agent, _)",
        "INSIDE(_, room)",
        "not INSIDE(agent, _)",
        "not INSIDE(_, agent)",
        "not NEXT_TO(agent, _)",
        "not NEXT_TO(_, agent)",
        "not FACING(agent, _)",
    ),
    "TURNTO": ("FACING(agent, _)",),
    "SIT": ("SITTING(agent)", "ONTOP(agent, _)"),
    "LIE": ("LYING(agent)", "ONTOP(agent, _)"),
    "DROP": ("not HOLDS(agent, _)",),
    "PUTBACK": ("ONTOP(_, _)", "NEXT_TO(_, _)", "not HOLDS(agent, _)"),
    "PUTIN": ("INSIDE(_, _)", "INSIDE(_, agent)", "NEXT_TO(_, _)"),
    "POUR": ("INSIDE(_, _)", "INSIDE(_, agent)"),
    "PUTON": ("ONTOP(_, agent)",),
    "PUTOFF": ("not ONTOP(_, agent)",),
    "RUN": (),
    "RELEASE": (),
    "PUTOBJBACK": (),
}
"""Action -> the effects for which it is tried. Other actions are tried for all their effects.

This cannot be derived from the schemas. For example, walking has a dozen side effects, and sitting
down ends lying, but nobody sits down for this purpose. ``RUN`` does what ``WALK`` does, ``RELEASE``
what ``DROP``, and ``PUTOBJBACK`` what ``PUTBACK`` and ``PUTIN`` do. Actions for the same effect are
tried in this order, then in the order of the schemas.
"""

_ACHIEVERS: Final = achievers(action_schemas())
"""The effects of the paper's schemas, so that plans do not depend on quirks."""
_REFLEXIVE: Final = frozenset({"WITHIN", "IN_ROOM"})
"""Relations that every object, or every room, has to itself."""

HOLDS: Final = frozenset({"HOLDS", "HOLDS_RH", "HOLDS_LH"})
CANDIDATES: Final = 5
"""Maximum number of candidates for an unnamed object, e.g. any seat."""

_DERIVED = frozenset({"SEALED", "FREE_HAND", "SEAT_FREE", "BED_FREE"})


def relevance(
    world: VirtualHome,
    named: tuple[str, ...],
    actions: frozenset[str],
    in_hand: tuple[str, ...] = (),
) -> Relevance[StateView]:
    """Return the actions that can help a goal in one household.

    Args:
        world: The household.
        named: The objects of the plan and of the task, which come first for an unnamed object.
        actions: Predicates of goals that are actions, to be done.
        in_hand: Objects that will be needed in a hand, which come first to fill one.
    """
    guide = _Guide(world, named, actions, in_hand)
    return Relevance(world, guide.options, guide.instances)


@dataclass(frozen=True)
class _Guide:
    """See :func:`relevance` and :class:`homebody.planning.relevance.Relevance`."""

    world: VirtualHome
    named: tuple[str, ...]
    actions: frozenset[str]
    in_hand: tuple[str, ...]

    def instances(
        self,
        quantified: Exists | Forall | Exactly,
        structure: Structure,
        want: bool,
        binding: Binding,
        view: StateView,
    ) -> Iterable[tuple[bool, str]]:
        """Return the objects that are possible values of the variable or, if unknown, the most
        important objects."""
        variable, body = quantified.variable, quantified.body
        names: Iterable[str] = self.named[: 4 * CANDIDATES]
        for part in body.parts if isinstance(body, And) else (body,):
            match part:
                case Atom("KNIFE", (term,)) if term == variable:
                    names = _first_few(name for name in view.names if view.holds("KNIFE", (name,)))
                    break
                case Atom("IN_ROOM", (thing, term)) if term == variable:
                    names = view.rooms(thing)
                    break
        return [(want, name) for name in names]

    def options(self, want: bool, atom: Atom, view: StateView, focus: Focus) -> Iterator[Option]:
        """Return actions that make an atom true, or false, in a fixed order."""
        if atom.predicate in _DERIVED:
            actions = self._actions_on_others(atom, want, view)
        elif want and atom.predicate in self.actions:
            fits = self.world.schemas[atom.predicate].arity == len(atom.args)
            actions = iter([Action(atom.predicate, atom.args)] if fits else [])
        else:
            actions = chain(
                self._achieving_actions(want, self._stored_fact(want, atom), view),
                self._make_way(want, atom, view),
            )
        return (Option(action) for action in dict.fromkeys(actions))

    def _actions_on_others(self, atom: Atom, want: bool, view: StateView) -> Iterator[Action]:
        """Yield actions for facts that depend on where other objects are."""
        thing = atom.args[0]
        if atom.predicate == "FREE_HAND" and want:
            yield from (Action("DROP", (held,)) for held in view.held_objects(thing))
        elif atom.predicate == "SEALED" and not want:
            for place in sorted(view.state.targets("INSIDE", thing)):
                if view.state.holds("CLOSED", (place,)):
                    yield Action("OPEN", (place,))
        elif want:
            for other in sorted(view.state.sources("ONTOP", thing)):
                yield Action("GRAB", (other,))

    def _stored_fact(self, want: bool, atom: Atom) -> Atom:
        """Return the fact that makes a derived predicate true."""
        about_agent = self.world.agent in atom.args
        match atom:
            case Atom("NEAR", args) if about_agent:
                return Atom("NEXT_TO", args)
            case Atom("FACED", args) if want:
                return Atom("FACING", args)
            case Atom("IN_ROOM", (who, room)) if want and who == self.world.agent:
                return Atom("INSIDE", (who, room))
            case Atom("HOLDS", args):
                return Atom("HOLDS_RH", args)
        return atom

    def _achieving_actions(self, want: bool, fact: Atom, view: StateView) -> Iterator[Action]:
        """Yield actions that are tried for this effect."""
        for achiever in _achievers_for(want, fact.predicate, self._purpose_of(want, fact, view)):
            binding = achiever.match(fact, self.world.agent)
            if binding is not None:
                for objects in self._objects(achiever, binding, view):
                    yield Action(achiever.schema.name, objects)

    def _purpose_of(self, want: bool, fact: Atom, view: StateView) -> str:
        """Return a literal as :data:`PURPOSES` writes it."""
        roles = ["_"] * len(fact.args)
        if self.world.agent in fact.args:
            roles[fact.args.index(self.world.agent)] = "agent"
        elif want and fact.predicate == "INSIDE" and view.is_room(fact.args[1]):
            roles[1] = "room"
        predicate = "HOLDS" if fact.predicate in HOLDS else fact.predicate
        return f"{'' if want else 'not '}{predicate}({', '.join(roles)})"

    def _objects(
        self, achiever: Achiever, binding: Binding, view: StateView
    ) -> Iterator[tuple[str, ...]]:
        """Yield the objects of an action, with candidates for an object that the effect does not
        determine."""
        agent = self.world.agent
        free = dict(_reflexive_bindings(achiever, binding))
        bound = {**free, **binding}
        if achiever.schema.name == "WALK" and OBJ in free:  # carried things move along
            moved = bound[achiever.fact.args[0]]
            if moved != agent and moved not in view.carried_objects(agent):
                return
        terms = [parameter.name for parameter in achiever.schema.parameters[1:]]
        candidates: Iterable[str] = ()
        match achiever.schema.name, [term for term in terms if term not in bound]:
            case _, []:
                yield tuple(bound[term] for term in terms)
            case "WALK", _:  # to be away from something
                candidates = [row[0] for row in view.state.match("ROOM", (None,))]
            case "SIT" | "LIE", _:  # where the character is, or else anywhere
                seats = sorted(view.state.targets("ONTOP", agent))
                candidates = dict.fromkeys((*seats, *self._allowed_objects(achiever, view)))
            case "PUTBACK", _:
                places = [name for name in self.named if name not in (agent, bound[OBJ])]
                candidates = places[:CANDIDATES]
        for name in candidates:
            yield tuple(bound.get(term, name) for term in terms)

    def _allowed_objects(self, achiever: Achiever, view: StateView) -> list[str]:
        """Return objects that afford an action: the most important ones or, if none exist, some
        objects of the scene."""

        def is_allowed(name: str) -> bool:
            return all(evaluate(part, view, {OBJ: name}) for part in achiever.schema.affordances)

        named = [name for name in self.named if is_allowed(name)]
        if named:
            return named
        here = view.room(self.world.agent)
        every = [name for name in view.names if is_allowed(name)]
        return _first_few([name for name in every if view.room(name) == here] + every)

    def _make_way(self, want: bool, atom: Atom, view: StateView) -> Iterator[Action]:
        """Yield the actions that prepare a certain hand. Objects are taken with the right hand if
        it is free."""
        agent, hand = self.world.agent, atom.predicate
        if not want or hand not in ("HOLDS_RH", "HOLDS_LH") or atom.args[0] != agent:
            return
        thing = atom.args[1]
        right = sorted(view.state.targets("HOLDS_RH", agent))
        left = sorted(view.state.targets("HOLDS_LH", agent))
        if hand == "HOLDS_RH":
            yield from (Action("DROP", (held,)) for held in dict.fromkeys((*right, *left)))
        elif thing in right:
            yield Action("DROP", (thing,))
        elif right:
            yield from (Action("DROP", (held,)) for held in left)
        else:
            others = (name for name in (*self.in_hand, *self.named) if name != thing)
            grabbable = (name for name in others if view.state.holds("GRABBABLE", (name,)))
            yield from (Action("GRAB", (name,)) for name in _first_few(grabbable))


@cache
def _achievers_for(want: bool, predicate: str, kind: str) -> tuple[Achiever, ...]:
    """Return the effects that make such facts true on purpose, in the order of :data:`PURPOSES`."""
    order = list(PURPOSES)
    effects = [
        effect
        for effect in _ACHIEVERS.get((want, predicate), ())
        if kind in PURPOSES.get(effect.schema.name, (kind,))
    ]
    named = [effect for effect in effects if effect.schema.name in PURPOSES]
    named.sort(key=lambda effect: order.index(effect.schema.name))
    return (*named, *(effect for effect in effects if effect.schema.name not in PURPOSES))


def _reflexive_bindings(achiever: Achiever, binding: Binding) -> Iterator[tuple[str, str]]:
    """Yield bindings of free parameters of an effect to the object itself, because an object is
    within itself."""
    for part in achiever.conditions():
        if isinstance(part, Atom) and part.predicate in _REFLEXIVE:
            first, second = part.args
            if second in (OBJ, DEST) and first in binding:
                yield second, binding[first]
            elif first in (OBJ, DEST) and second in binding:
                yield first, binding[second]


def _first_few(names: Iterable[str]) -> list[str]:
    return list(islice(dict.fromkeys(names), CANDIDATES))
