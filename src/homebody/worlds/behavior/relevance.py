"""BEHAVIOR's part of the search for actions that can help.

Goals on a derived predicate (``CAN_WASH``) are rewritten in terms of facts that actions change (a
soaked rag in a hand, or the object in a sink that is on). This module also handles the two hands,
the supports of objects, and the places that a goal requires.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

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
    atoms,
    is_variable,
    substitute,
)
from homebody.core.truth import evaluate
from homebody.planning.relevance import Focus, Option, Relevance, achievers
from homebody.worlds.behavior.actions import HANDS, OBJ, RELATIONS, STATES, action_schemas, atom
from homebody.worlds.behavior.scene import MARKS
from homebody.worlds.behavior.view import StateView
from homebody.worlds.behavior.world import Behavior

CANDIDATES: Final = 5
"""Maximum number of candidates for an unnamed object, e.g. any knife."""
INSTANCES: Final = 20
"""Maximum number of objects to try for a variable."""
MAX_LITERALS: Final = 120
"""Maximum number of literals of one goal to pursue in one state."""
MAX_OPTIONS: Final = 400
"""Maximum number of options to consider in one state."""

_ACHIEVERS: Final = {
    literal: sorted(effects, key=lambda effect: effect.fact.args != (OBJ,))
    for literal, effects in achievers(action_schemas()).items()
}
"""The effects of the paper's schemas, so that plans do not depend on quirks. Effects on the
action's object come first."""


def _actions_moving(*links: str) -> Mapping[str, str]:
    """Return a mapping from relations to the actions, without a side, that achieve them for objects
    with these links."""
    names: dict[str, str] = {}
    for (want, relation), effects in _ACHIEVERS.items():
        for effect in effects if want else ():
            side, _, name = effect.schema.name.partition("_")
            moved, *others = effect.fact.args
            linked = any(
                isinstance(part, Atom) and part.predicate in links and part.args[0] == moved
                for part in effect.conditions()
            )
            if side in HANDS and others == [OBJ] and linked:
                names.setdefault(relation, name)
    return names


PLACING: Final = _actions_moving(*HANDS.values())
"""Relation -> action that achieves it for the object in a hand (``PLACE_INSIDE`` ...)."""
POURING: Final = _actions_moving("LIES")
"""Relation -> action that achieves it for the contents (``TRANSFER_CONTENTS_INSIDE`` ...)."""


class _SeenThrough:
    """A view in which ``inside`` holds through intermediate objects, as goals see it."""

    __slots__ = ("_view",)

    def __init__(self, view: StateView) -> None:
        self._view = view

    @property
    def names(self) -> Iterable[str]:
        return self._view.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        if predicate == "inside":
            return ("inside", args[1]) in self._view.supports_of(args[0])
        return self._view.holds(predicate, args)

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        return self._view.match(predicate, args)


def relevance(
    world: Behavior, named: tuple[str, ...], actions: frozenset[str]
) -> Relevance[StateView]:
    """Return the actions that can help a goal in one household.

    Args:
        world: The household.
        named: The most important objects. They are the first candidates for an unnamed object.
        actions: Predicates of goals that are actions, to be done.
    """
    guide = _Guide(world, named, actions)
    return Relevance(
        world,
        guide.options,
        guide.instances,
        focus=guide.focus,
        seen=_SeenThrough,
        rewritten=guide.rewrite,
        lasting=lambda affordance: not _is_about_hands(affordance),
        allows=_can_fit,
        first=_grasp_for,
        max_literals=MAX_LITERALS,
        max_options=MAX_OPTIONS,
    )


@dataclass(frozen=True)
class _Guide:
    """See :func:`relevance` and :class:`homebody.planning.relevance.Relevance`."""

    world: Behavior
    named: tuple[str, ...]
    actions: frozenset[str]

    def focus(self, goal: Formula, view: StateView, wide: bool) -> Focus:
        """Return either hand if the goal names one, and the places of the goal."""
        either = wide or any(part.predicate in HANDS.values() for part in atoms(goal))
        return Focus(either, self._places(goal, view))

    def instances(
        self,
        quantified: Exists | Forall | Exactly,
        structure: Structure,
        want: bool,
        binding: Binding,
        view: StateView,
    ) -> Iterator[tuple[bool, str]]:
        """Yield the objects to try: objects that must change or, if none exist, objects with
        the constant properties."""
        variable, body = quantified.variable, quantified.body
        count = isinstance(quantified, Exactly)
        every = isinstance(quantified, Forall) == want and not count
        fixed = []
        for part in body.parts if isinstance(body, And) else (body,):
            if isinstance(part, Implies):
                part = part.left
            if isinstance(part, Atom) and variable in part.args and self._is_fixed(part.predicate):
                fixed.append(part)
        names = (
            name
            for name in dict.fromkeys((*self.named, *structure.names))
            if all(_can_hold(part, structure, {**binding, variable: name}) for part in fixed)
            and (not every or evaluate(body, structure, {**binding, variable: name}) != want)
        )
        for name in islice(names, INSTANCES):
            yield want, name
            if count:  # too many or too few
                yield not want, name

    def _is_fixed(self, predicate: str) -> bool:
        """Return whether no action changes the predicate."""
        return predicate not in self.actions and (
            predicate == EQUALS
            or predicate in _LASTING
            or "." in predicate  # categories, such as jar.n.01
        )

    def _places(self, goal: Formula, view: StateView) -> dict[str, tuple[str, ...]]:
        """Return the goal's places for each object; under "", other places to put objects down."""
        places: dict[str, list[str]] = {}
        for part in atoms(goal):
            if any(map(is_variable, part.args)):
                continue
            match part:
                case Atom("ontop" | "onfloor" | "inside", (thing, place)):
                    places.setdefault(thing, []).append(place)
                case Atom("touching", (first, second)):
                    places.setdefault(first, []).append(second)
                    places.setdefault(second, []).append(first)
                case Atom("cooked" | "soaked" | "dusty" | "stained" as state, (thing,)):
                    places.setdefault(thing, []).extend(self._work_places(state, thing, view))
        if _has_negated_relation(goal):
            solid = (n for n in self._objects(view) if not view.state.holds("FLOOR", (n,)))
            others = list(islice((n for n in solid if n != self.world.agent), 2))
            places[""] = [*_floors(view), *others]
        return {
            thing: tuple(islice(dict.fromkeys(names), CANDIDATES))
            for thing, names in places.items()
        }

    def _work_places(self, state: str, thing: str, view: StateView) -> list[str]:
        """Return the places where an object is cooked, soaked or cleaned."""
        if thing not in view.state.objects:
            return []
        setting = {"cooked": "IN_COOKER", "soaked": "IN_WATER"}.get(state)
        if setting is None:
            ways = self._washers(thing, view)
        else:
            ways = self._settings(setting, thing, view)
        return [part.args[1] for way in ways for part in atoms(way) if len(part.args) == 2]

    # -- rewriting to facts that actions change ----------------------------------------------------

    def rewrite(self, want: bool, fact: Atom, view: StateView, either_hand: bool) -> Formula | None:
        """Return a formula that makes a fact true; ``None`` if actions change it directly."""
        predicate, args = fact.predicate, fact.args
        if predicate in self.actions or not args:
            return None
        thing = args[0]
        halves = self._halves(thing, view)
        moved = predicate in RELATIONS or predicate in _PASSED_ON
        if halves and moved:
            return And(tuple(Atom(predicate, (half, *args[1:])) for half in halves))
        if predicate in RELATIONS:
            others = self._halves(args[1], view)
            if others:
                return Or(tuple(Atom(predicate, (thing, half)) for half in others))
        match predicate:
            case "ontop" if view.state.holds("FLOOR", (args[1],)):
                return atom("onfloor", *args)
            case "touching" if want:
                floor = next((name for name in args if view.state.holds("FLOOR", (name,))), None)
                if floor is not None:
                    return atom("onfloor", args[0] if floor == args[1] else args[1], floor)
                return Or((atom("LIES", *args), atom("LIES", *args[::-1])))
            case "HELD":
                sides = _sides(thing, view, either_hand) if want else HANDS
                return Or(tuple(atom(HANDS[side], thing) for side in sides))
            case "FREE_HAND":
                held = ((hand, view.in_hand(hand)) for hand in HANDS.values())
                return Or(tuple(Not(atom(hand, name)) for hand, names in held for name in names))
            case "CARRIED_LH" | "CARRIED_RH":
                return self._carried_formula(thing, f"holds_{predicate[-2:].lower()}", view)
            case "SHUT_IN":
                closed = [
                    place
                    for relation, place in view.supports_of(thing)
                    if relation == "inside" and view.state.holds("openable", (place,))
                ]
                return Or(tuple(Not(atom("open", place)) for place in closed))
            case "ABSENT":
                wholes = sorted(view.state.targets("part_of", thing))
                return Or(tuple(Not(atom("sliced", whole)) for whole in wholes))
            case "IN_COOKER" | "IN_WATER" | "CHILLED":
                return Or(tuple(self._settings(predicate, thing, view)))
            case "CAN_DUST" | "CAN_WASH":
                return Or(tuple(self._tools(predicate, view) + self._washers(thing, view)))
        return None

    def _halves(self, name: str, view: StateView) -> list[str]:
        return sorted(view.state.sources("part_of", name)) if view.is_halved(name) else []

    def _carried_formula(self, thing: str, hand: str, view: StateView) -> Formula:
        """Return the formula that the object, or the last object in its chain of supports, is in
        the hand."""
        links: list[Formula] = []
        below = thing
        for relation, place in view.supports_of(thing):
            links.append(atom(relation, below, place))
            below = place
        return And((*links, atom(hand, below)))

    def _settings(self, predicate: str, thing: str, view: StateView) -> list[Formula]:
        """Return formulas for being at a place where cooking, soaking or freezing is done."""
        settings: list[Formula] = []
        quirks = self.world.quirks
        for place in self._objects(view):
            holds = view.state.holds
            if place == thing:
                continue
            if predicate == "IN_COOKER":
                by_name = "cooks_in_saucepans_only" in quirks
                marked = holds("COOKER", (place,)) or holds("heatSource", (place,))
                if "saucepan" in place if by_name else marked:
                    settings.append(atom("WITHIN", thing, place))
            elif predicate == "CHILLED":
                if holds("FRIDGE", (place,)) or holds("coldSource", (place,)):
                    settings.append(atom("inside", thing, place))
            elif "soaks_in_sinks_and_teapots_only" in quirks:
                if "sink" in place or "teapot" in place:
                    settings.append(self._running_formula(thing, place, view))
            elif holds("POT", (place,)):
                settings.append(atom("WITHIN", thing, place))
            elif view.is_sink(place):
                settings.append(self._running_formula(thing, place, view))
        return settings

    def _running_formula(self, thing: str, place: str, view: StateView) -> Formula:
        there = atom("WITHIN", thing, place)
        if not view.state.holds("toggleable", (place,)):
            return there
        return And((there, atom("toggled_on", place)))

    def _tools(self, predicate: str, view: StateView) -> list[Formula]:
        """Return formulas for holding a cleaning tool."""
        holds, tools = view.state.holds, list[Formula]()
        by_name = "cleaners_by_name" in self.world.quirks
        for name in self._objects(view):
            if holds("cleaningTool", (name,)):
                if predicate == "CAN_DUST":
                    tools.append(atom("HELD", name))
                elif holds("soakable", (name,)):
                    tools.append(And((atom("HELD", name), atom("soaked", name))))
            cleanser = "detergent" in name if by_name else holds("CLEANSER", (name,))
            if cleanser and predicate == "CAN_WASH":
                tools.append(atom("HELD", name))
        return tools[: 2 * CANDIDATES]

    def _washers(self, thing: str, view: StateView) -> list[Formula]:
        """Return formulas for being in a machine that cleans."""
        holds = view.state.holds
        return [
            And((atom("WITHIN", thing, place), atom("toggled_on", place)))
            for place in self._objects(view)
            if place != thing
            and holds("toggleable", (place,))
            and (holds("DISHWASHER", (place,)) or view.is_sink(place))
        ]

    def _objects(self, view: StateView) -> list[str]:
        """Return all objects, the most important first."""
        return list(dict.fromkeys((*self.named, *view.names)))

    # -- actions that achieve a fact --------------------------------------------------------------

    def options(self, want: bool, fact: Atom, view: StateView, focus: Focus) -> Iterator[Option]:
        """Yield actions that make a fact true, or false, in a fixed order."""
        if fact.predicate in self.actions:
            if want and self.world.schemas[fact.predicate].arity == len(fact.args):
                yield Option(Action(fact.predicate, fact.args))
        elif self.world.agent in fact.args:
            yield from self._go_options(want, fact, view)
        elif len(fact.args) == 1:
            yield from self._state_options(want, fact, view, focus)
        elif len(fact.args) == 2 and want:
            yield from self._relation_options(fact.predicate, *fact.args, view, focus)
        elif len(fact.args) == 2:
            yield from self._separation_options(fact.predicate, *fact.args, view, focus)

    def _go_options(self, want: bool, fact: Atom, view: StateView) -> Iterator[Option]:
        """Yield options for the agent's location; it walks by itself."""
        other = next((arg for arg in fact.args if arg != self.world.agent), None)
        if fact.predicate == "nextto" and want and other is not None:
            yield Option(Action("NAVIGATE_TO", (other,)))
        elif fact.predicate in ("onfloor", "nextto") and other is not None:
            floors = [row[0] for row in view.match("FLOOR", (None,))]
            for floor in floors:
                if (floor == other) == want or fact.predicate == "nextto":
                    yield Option(Action("NAVIGATE_TO", (floor,)))

    def _state_options(
        self, want: bool, fact: Atom, view: StateView, focus: Focus
    ) -> Iterator[Option]:
        """Yield options for the state of an object, or the hand that holds it."""
        thing = fact.args[0]
        if fact.predicate == "sliced" and want and view.state.holds("PART", (thing,)):
            thing = next(iter(sorted(view.state.targets("part_of", thing))))
        for effect in _ACHIEVERS.get((want, fact.predicate), ()):
            name = effect.schema.name
            if effect.fact.args == (OBJ,):
                if not want and name.endswith("_GRASP"):
                    continue  # out of one hand into the other
                parts = effect.conditions()
                also = tuple(substitute(part, {OBJ: thing}) for part in parts)
                yield Option(Action(name, (thing,)), None, also)
            elif name.endswith("_PLACE_ONTOP"):  # out of the hand
                for place in focus.places.get("", ()):
                    if place != thing:
                        yield Option(Action(name, (place,)))
            elif name == "TOGGLE_ON":  # a dishwasher
                for place in self._objects(view):
                    if place != thing and view.state.holds("DISHWASHER", (place,)):
                        there = atom("inside", thing, place)
                        yield Option(Action(name, (place,)), None, (there,))

    def _relation_options(
        self, predicate: str, thing: str, place: str, view: StateView, focus: Focus
    ) -> Iterator[Option]:
        """Yield options for a relation of one object to another."""
        if predicate in ("WITHIN", "LIES"):  # in it or on it, whichever is easier
            easy = view.state.holds("open", (place,)) or not view.state.holds("openable", (place,))
            predicate = "inside" if easy and not view.is_too_big(thing, place) else "ontop"
        if predicate == "nextto":
            yield from self._beside_options(predicate, thing, place, view, focus)
            yield from self._beside_options(predicate, place, thing, view, focus)
        elif predicate == "under":
            yield from self._beside_options(predicate, thing, place, view, focus)
        elif predicate in PLACING:
            yield from self._put_options(PLACING[predicate], thing, place, view, focus)
            if predicate == "inside":
                yield from self._inside_options(thing, place, view, focus)
            support = view.support(thing)
            if support is not None:
                yield from _options_holding(POURING[predicate], support[1], place, view, focus)

    def _beside_options(
        self, relation: str, thing: str, other: str, view: StateView, focus: Focus
    ) -> Iterator[Option]:
        """Yield options that put something next to or under another; they share a support."""
        supports = focus.places.get(thing, ())
        for side in _sides(thing, view, focus.either_hand):
            put = Action(f"{side}_{PLACING[relation]}", (other,))
            yield _option_holding(put, thing)
            for support in supports:
                if support not in (thing, other):
                    floor = view.state.holds("FLOOR", (support,))
                    there = atom("onfloor" if floor else "LIES", other, support)
                    yield _option_holding(put, thing, there)
            for support in (*supports, *focus.places.get("", ())) if relation == "nextto" else ():
                # next to its container: on something else inside
                tops = view.contents_of(support) if support == other else [support]
                for top in tops if thing != support else ():
                    yield _option_holding(Action(f"{side}_PLACE_NEXTTO_ONTOP", (other, top)), thing)

    def _put_options(
        self, name: str, thing: str, place: str, view: StateView, focus: Focus
    ) -> Iterator[Option]:
        if thing != place:
            yield from _options_holding(name, thing, place, view, focus)

    def _inside_options(
        self, thing: str, place: str, view: StateView, focus: Focus
    ) -> Iterator[Option]:
        """Yield other ways into a place: in a carrier, or on something inside the place."""
        for _, carrier in view.supports_of(thing):
            if place not in view.objects_within(carrier):
                yield from self._put_options(PLACING["inside"], carrier, place, view, focus)
        for support in focus.places.get(thing, ()):  # on something that is or will be inside
            if support not in (thing, place) and not view.state.holds("FLOOR", (support,)):
                there = atom("inside", support, place)
                yield from _options_holding(PLACING["ontop"], thing, support, view, focus, there)
        if view.is_too_big(thing, place):
            for other in view.contents_of(place)[:CANDIDATES]:
                if view.state.holds("inside", (other, place)):
                    yield from self._put_options(PLACING["ontop"], thing, other, view, focus)

    def _separation_options(
        self, predicate: str, thing: str, place: str, view: StateView, focus: Focus
    ) -> Iterator[Option]:
        """Yield options that end a relation by taking one of the objects away."""
        moved = [thing]
        if predicate in ("inside", "WITHIN", "under", "nextto"):
            chain = [name for _, name in view.supports_of(thing)]
            moved += chain[: chain.index(place)] if place in chain else chain
        if predicate in ("under", "nextto", "touching"):
            moved += [place, *(name for _, name in view.supports_of(place))]
        for name in dict.fromkeys(moved):
            for side in _sides(name, view, focus.either_hand):
                yield Option(Action(f"{side}_GRASP", (name,)))
        if predicate not in ("inside", "ontop") or view.support(thing) != (predicate, place):
            return
        if place in view.held_objects() or len(view.contents_of(place)) > 1:  # pour out all at once
            for other in dict.fromkeys((*_floors(view), *focus.places.get("", ()))):
                yield from self._put_options(POURING["ontop"], place, other, view, focus)


def _can_fit(option: Option, view: StateView) -> bool:
    """Return whether the object of an option fits into its target."""
    action, held = option.action, option.held
    if held is None or held in view.held_objects() or not action.name.endswith("_PLACE_INSIDE"):
        return True
    return not view.is_too_big(held, action.args[0])


def _grasp_for(option: Option, view: StateView) -> Action | None:
    """Return the grasp of the object that an option needs in the hand, unless it is held."""
    if option.held is None or option.held in view.held_objects():
        return None
    hand = option.action.name.partition("_")[0]
    return Action(f"{hand}_GRASP", (option.held,))


def _options_holding(
    name: str, thing: str, place: str, view: StateView, focus: Focus, *also: Formula
) -> Iterator[Option]:
    """Yield an action on a place for each hand that may hold the object."""
    for side in _sides(thing, view, focus.either_hand):
        yield _option_holding(Action(f"{side}_{name}", (place,)), thing, *also)


def _option_holding(action: Action, thing: str, *also: Formula) -> Option:
    """Return an option that requires the object in the hand that the action uses."""
    hand = HANDS[action.name.partition("_")[0]]
    return Option(action, thing, (atom(hand, thing), *also))


def _sides(thing: str, view: StateView, either_hand: bool) -> list[str]:
    """Return the hand that has or may take an object: the right one if both are free."""
    if either_hand:
        return ["RIGHT", "LEFT"]
    for side, hand in HANDS.items():
        if thing in view.in_hand(hand):
            return [side]
    free = [side for side in ("RIGHT", "LEFT") if not view.in_hand(HANDS[side])]
    return free[:1] or ["RIGHT", "LEFT"]


def _floors(view: StateView) -> list[str]:
    """Return the floor where falling objects land, if the scene has one."""
    floor = view.default_floor()
    return [] if floor is None else [floor]


_PASSED_ON: Final = frozenset(STATES) - {"sliced"}
"""States that a sliced whole shares with its halves."""
_LASTING: Final = frozenset(
    {
        *MARKS,
        "FLOOR", "PART", "FIXED", "AGENT", "slicer", "cleaningTool", "openable", "toggleable",
        "cookable", "freezable", "sliceable", "soakable", "dustyable", "stainable",
        "waterSource", "coldSource", "heatSource", "part_of", "TOO_BIG",
    }
)  # fmt: skip
"""Predicates that no action changes."""


def _has_negated_relation(formula: Formula) -> bool:
    match formula:
        case Not(body):
            return any(len(part.args) == 2 for part in atoms(body))
        case And(parts) | Or(parts):
            return any(map(_has_negated_relation, parts))
    return False


def _is_about_hands(formula: Formula) -> bool:
    """Return whether an affordance depends on the objects in the hands, which can change."""
    match formula:
        case Exists() | Forall() | Exactly():
            return True
        case Not(body):
            return _is_about_hands(body)
        case Implies(left, right):
            return _is_about_hands(left) or _is_about_hands(right)
        case And(parts) | Or(parts):
            return any(map(_is_about_hands, parts))
    return False


def _can_hold(part: Atom, structure: Structure, binding: Binding) -> bool:
    """Return whether an atom holds, or has an unbound variable."""
    if any(term.startswith("?") and term not in binding for term in part.args):
        return True
    return evaluate(part, structure, binding)
