"""Which actions can help: from what is wanted back to what can be done now.

An action is worth trying if it brings about something that is wanted and not so, or something
that another such action still needs: a hand to be free, a container to be open, a tool to be held.
What is wanted of a derived predicate (``CAN_WASH``) is first put in terms of facts that actions
change (a soaked rag in a hand, or the thing in a sink that is on).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias

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
    evaluate,
    is_variable,
    substitute,
)
from homebody.worlds.behavior.actions import HANDS, STATES, atom
from homebody.worlds.behavior.view import StateView
from homebody.worlds.behavior.world import Behavior

CANDIDATES: Final = 5
"""Most objects that stand for a thing that is not named, e.g. any knife."""
INSTANCES: Final = 20
"""Most objects that are tried for a variable."""
MAX_LITERALS: Final = 120
"""Most literals of one wish that are pursued in one state."""
MAX_OPTIONS: Final = 400
"""Most ways to something that are looked at in one state."""

WAYS_ON: Final[Mapping[str, str]] = {
    "open": "OPEN",
    "toggled_on": "TOGGLE_ON",
    "cooked": "COOK",
    "frozen": "FREEZE",
    "sliced": "SLICE",
    "soaked": "SOAK",
}
"""State of a thing -> the action on it that brings it about."""
WAYS_OFF: Final[Mapping[str, str]] = {
    "open": "CLOSE",
    "toggled_on": "TOGGLE_OFF",
    "frozen": "UNFREEZE",
    "soaked": "DRY",
    "dusty": "CLEAN",
    "stained": "CLEAN",
}
"""State of a thing -> the action on it that ends it."""
REMOVED_BY: Final[Mapping[str, str]] = {"dusty": "CAN_DUST", "stained": "CAN_WASH"}
PLACING: Final[Mapping[str, str]] = {
    "inside": "PLACE_INSIDE",
    "ontop": "PLACE_ONTOP",
    "onfloor": "PLACE_ONTOP",
    "under": "PLACE_UNDER",
    "nextto": "PLACE_NEXTTO",
}
POURING: Final[Mapping[str, str]] = {
    "inside": "TRANSFER_CONTENTS_INSIDE",
    "ontop": "TRANSFER_CONTENTS_ONTOP",
    "onfloor": "TRANSFER_CONTENTS_ONTOP",
}
_GOAL_RELATIONS: Final = frozenset({"inside", "ontop", "onfloor", "under", "nextto", "touching"})

Literal: TypeAlias = tuple[bool, Atom]
"""A ground atom that should be true, or false."""
_Rests: TypeAlias = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Option:
    """An action that would bring a literal about.

    Attributes:
        action: The action.
        held: What has to be in its hand, if it is about what is held.
        also: What has to hold besides its conditions for it to help.
    """

    action: Action
    held: str | None = None
    also: tuple[Formula, ...] = ()


class _Eyes:
    """A view in which ``inside`` is seen through what is in between, as goals see it."""

    __slots__ = ("_view",)

    def __init__(self, view: StateView) -> None:
        self._view = view

    @property
    def names(self) -> Iterable[str]:
        return self._view.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        if predicate == "inside":
            return ("inside", args[1]) in self._view.above(args[0])
        return self._view.holds(predicate, args)

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        return self._view.match(predicate, args)


@dataclass(frozen=True)
class Relevance:
    """What can be done about a wish, in one household.

    Attributes:
        world: The household.
        named: The objects that matter most: they come first where a thing is not named.
        actions: Predicates of wishes that are actions, to be done.
        work: A counter of the options that were looked at, for who bounds the work.
    """

    world: Behavior
    named: tuple[str, ...]
    actions: frozenset[str]
    work: list[int] = field(default_factory=lambda: [0], compare=False, repr=False)
    _conditions: dict[Action, tuple[tuple[Formula, ...], tuple[Formula, ...]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def doable(
        self, wish: Formula, structure: Structure, view: StateView, *, wide: bool = False
    ) -> list[Action]:
        """Actions whose conditions hold and which lead towards ``wish``; each once.

        Args:
            wish: What is wanted, without free variables.
            structure: What the wish is about: the state as goals see it and, for action
                propositions, what was done.
            view: The state as conditions of actions see it.
            wide: Also try what brings about what is so already, for it may have to be undone
                and done again, and either hand where one would do.
        """
        eyes = _Eyes(view)
        rests = self._rests(wish, view)
        either = wide or any(part.predicate in HANDS.values() for part in atoms(wish))
        found: dict[Action, None] = {}
        tried: set[Option] = set()
        asked: set[Literal] = set()
        pending = self._some(wish, structure, view, wide, True)
        at = 0
        while at < len(pending) and len(tried) < MAX_OPTIONS:
            literal = pending[at]
            at += 1
            if literal in asked:
                continue
            asked.add(literal)
            means = self._means(literal, view, either)
            if means is not None:
                pending += self._some(means, eyes, view, wide, literal[0])
                continue
            for option in self.options(literal, view, either, rests):
                if option in tried:
                    continue
                tried.add(option)
                self.work[0] += 1
                if not self.possible(option, view):
                    continue
                needs = self._needs(option)
                missing = [need for need in needs if not evaluate(need, eyes)]
                if not missing:
                    found[option.action] = None
                for need in needs if wide else missing:
                    if option.held is None or not isinstance(need, Exists):
                        pending += self._some(need, eyes, view, wide, True)
        return list(found)

    def possible(self, option: Option, view: StateView) -> bool:
        """Whether the objects allow an action, whatever their state."""
        action = option.action
        if not all(evaluate(f, view) for f in self._split(action)[0]):
            return False
        if option.held is None or option.held in view.held():
            return True
        if action.name.endswith("_PLACE_INSIDE") and view.too_big(option.held, action.args[0]):
            return False
        hand = action.name.partition("_")[0]
        grasp = self._split(Action(f"{hand}_GRASP", (option.held,)))[0]
        return all(evaluate(f, view) for f in grasp)

    def hopeless(self, wish: Formula, structure: Structure, view: StateView) -> Formula | None:
        """The part of ``wish`` that is not so and that no action can bring about, if any."""
        for part in wish.parts if isinstance(wish, And) else (wish,):
            literals = self.literals(part, structure, view)
            if literals and not any(self._hope(literal, view, 3) for literal in literals):
                return part
        return None

    def _hope(self, literal: Literal, view: StateView, depth: int) -> bool:
        means = self._means(literal, view, True)
        if means is None or depth == 0:
            return any(self.possible(one, view) for one in self.options(literal, view, True, {}))
        eyes = _Eyes(view)
        if evaluate(means, eyes) == literal[0]:
            return True
        parts = self._some(means, eyes, view, False, literal[0])
        return any(self._hope(part, view, depth - 1) for part in parts)

    def ways(self, literal: Literal, view: StateView) -> Iterator[Action]:
        """Actions that bring a literal about, in a fixed order; where something has to be in a
        hand first, those that take it."""
        means = self._means(literal, view, False)
        if means is not None:
            for part in self._some(means, _Eyes(view), view, False, literal[0]):
                if part != literal and self._means(part, view, False) is None:
                    yield from self.ways(part, view)
            return
        for option in self.options(literal, view, False, {}):
            if option.held is None or option.held in view.held():
                yield option.action
            else:
                hand = option.action.name.partition("_")[0]
                yield Action(f"{hand}_GRASP", (option.held,))

    # -- conditions -------------------------------------------------------------------------------

    def _split(self, action: Action) -> tuple[tuple[Formula, ...], tuple[Formula, ...]]:
        """What the objects must be, and what must be so."""
        known = self._conditions.get(action)
        if known is None:
            schema = self.world.schemas[action.name]
            binding = schema.bind(self.world.agent, action)
            lasting = tuple(f for f in schema.affordances if not _depends_on_hands(f))
            passing = tuple(f for f in schema.affordances if _depends_on_hands(f))
            known = (
                tuple(substitute(f, binding) for f in lasting),
                tuple(substitute(f, binding) for f in (*passing, *schema.preconditions)),
            )
            self._conditions[action] = known
        return known

    def _needs(self, option: Option) -> tuple[Formula, ...]:
        first = option.also
        if option.held is not None:
            hand = option.action.name.partition("_")[0]
            first = (atom(HANDS[hand], option.held), *first)
        return (*first, *self._split(option.action)[1])

    # -- what is wanted ---------------------------------------------------------------------------

    def literals(self, wish: Formula, structure: Structure, view: StateView) -> list[Literal]:
        """The literals of ``wish`` that keep it from being true; the first of them."""
        return self._some(wish, structure, view, False, True)

    def all_literals(self, wish: Formula, structure: Structure, view: StateView) -> list[Literal]:
        """All literals of ``wish``; the first of them."""
        return self._some(wish, structure, view, True, True)

    def _some(
        self, wish: Formula, structure: Structure, view: StateView, wide: bool, want: bool
    ) -> list[Literal]:
        found = self._literals(wish, structure, view, wide, want, {})
        return list(dict.fromkeys(islice(found, MAX_LITERALS)))

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
                ground = Atom(predicate, tuple([binding.get(a, a) for a in args]))
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
                    for name in self._instances(wish, structure, want, binding):
                        extended = {**binding, variable: name}
                        yield from self._literals(body, structure, view, wide, want, extended)
                        if isinstance(wish, Exactly):  # too many, or too few
                            yield from self._literals(
                                body, structure, view, wide, not want, extended
                            )

    def _instances(
        self, wish: Exists | Forall | Exactly, structure: Structure, want: bool, binding: Binding
    ) -> list[str]:
        """Objects to try for a variable: where all must change, those that are not as wanted;
        else those that have what no action changes (a knife, a jar)."""
        variable, body = wish.variable, wish.body
        every = isinstance(wish, Forall) == want and not isinstance(wish, Exactly)
        ordered = dict.fromkeys((*self.named, *structure.names))
        fixed = []
        for part in body.parts if isinstance(body, And) else (body,):
            if isinstance(part, Implies):
                part = part.left
            if isinstance(part, Atom) and variable in part.args and self._fixed(part.predicate):
                fixed.append(part)
        found = (
            name
            for name in ordered
            if all(_unless_open(part, structure, {**binding, variable: name}) for part in fixed)
            and (not every or evaluate(body, structure, {**binding, variable: name}) != want)
        )
        return list(islice(found, INSTANCES))

    def _fixed(self, predicate: str) -> bool:
        """Whether no action changes what a predicate says."""
        return predicate not in self.actions and (
            predicate == EQUALS
            or predicate in _LASTING
            or "." in predicate  # categories, such as jar.n.01
        )

    def _rests(self, wish: Formula, view: StateView) -> _Rests:
        """Places that a wish names, or means, for each thing; and under an empty name, where it
        wants something to be elsewhere, what else things can be put down on."""
        found: dict[str, list[str]] = {}
        for part in atoms(wish):
            if any(map(is_variable, part.args)):
                continue
            match part:
                case Atom("ontop" | "onfloor" | "inside", (thing, place)):
                    found.setdefault(thing, []).append(place)
                case Atom("touching", (one, other)):
                    found.setdefault(one, []).append(other)
                    found.setdefault(other, []).append(one)
                case Atom("cooked" | "soaked" | "dusty" | "stained" as state, (thing,)):
                    found.setdefault(thing, []).extend(self._work_places(state, thing, view))
        if _negates_relations(wish):
            solid = (n for n in self._having(view) if not view.state.holds("FLOOR", (n,)))
            others = list(islice((n for n in solid if n != self.world.agent), 2))
            floor = view.default_floor()
            found[""] = [*(() if floor is None else (floor,)), *others]
        return {
            thing: tuple(islice(dict.fromkeys(places), CANDIDATES))
            for thing, places in found.items()
        }

    def _work_places(self, state: str, thing: str, view: StateView) -> list[str]:
        """Where a thing is cooked, soaked or cleaned."""
        if thing not in view.state.objects:
            return []
        setting = {"cooked": "IN_COOKER", "soaked": "IN_WATER"}.get(state)
        means = self._washers(thing, view)
        if setting is not None:
            means = self._settings(setting, thing, view)
        return [part.args[1] for one in means for part in atoms(one) if len(part.args) == 2]

    # -- in terms of what actions change ----------------------------------------------------------

    def _means(self, literal: Literal, view: StateView, wide: bool) -> Formula | None:
        """What a literal comes to; ``None`` if actions change it directly."""
        _, wanted = literal
        predicate, args = wanted.predicate, wanted.args
        if predicate in self.actions or not args:
            return None
        thing = args[0]
        halves = self._halves(thing, view)
        moved = predicate in _GOAL_RELATIONS or predicate in _PASSED_ON
        if halves and moved:
            return And(tuple(Atom(predicate, (half, *args[1:])) for half in halves))
        if predicate in _GOAL_RELATIONS:
            others = self._halves(args[1], view)
            if others:
                return Or(tuple(Atom(predicate, (thing, half)) for half in others))
        match predicate:
            case "ontop" if view.state.holds("FLOOR", (args[1],)):
                return atom("onfloor", *args)
            case "touching" if literal[0]:
                floor = next((name for name in args if view.state.holds("FLOOR", (name,))), None)
                if floor is not None:
                    return atom("onfloor", args[0] if floor == args[1] else args[1], floor)
                return Or((atom("LIES", *args), atom("LIES", *args[::-1])))
            case "HELD":
                sides = self._sides(thing, view, wide) if literal[0] else HANDS
                return Or(tuple(atom(HANDS[side], thing) for side in sides))
            case "FREE_HAND":
                held = ((hand, view.in_hand(hand)) for hand in HANDS.values())
                return Or(tuple(Not(atom(hand, one)) for hand, names in held for one in names))
            case "CARRIED_LH" | "CARRIED_RH":
                return self._carried(thing, f"holds_{predicate[-2:].lower()}", view)
            case "SHUT_IN":
                closed = [
                    place
                    for relation, place in view.above(thing)
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
        return sorted(view.state.sources("part_of", name)) if view.halved(name) else []

    def _carried(self, thing: str, hand: str, view: StateView) -> Formula:
        """In the hand itself, or held together with what is by a chain of supports."""
        links: list[Formula] = []
        below = thing
        for relation, place in view.above(thing):
            links.append(atom(relation, below, place))
            below = place
        return And((*links, atom(hand, below)))

    def _settings(self, predicate: str, thing: str, view: StateView) -> list[Formula]:
        """Where cooking, soaking and freezing are done."""
        found: list[Formula] = []
        old = self.world.quirks
        for place in self._having(view):
            holds = view.state.holds
            if place == thing:
                continue
            if predicate == "IN_COOKER":
                by_name = "cooks_in_saucepans_only" in old
                marked = holds("COOKER", (place,)) or holds("heatSource", (place,))
                if "saucepan" in place if by_name else marked:
                    found.append(atom("WITHIN", thing, place))
            elif predicate == "CHILLED":
                if holds("FRIDGE", (place,)) or holds("coldSource", (place,)):
                    found.append(atom("inside", thing, place))
            elif "soaks_in_sinks_and_teapots_only" in old:
                if "sink" in place or "teapot" in place:
                    found.append(self._running(thing, place, view))
            elif holds("POT", (place,)):
                found.append(atom("WITHIN", thing, place))
            elif view.sink(place):
                found.append(self._running(thing, place, view))
        return found

    def _running(self, thing: str, place: str, view: StateView) -> Formula:
        there = atom("WITHIN", thing, place)
        if not view.state.holds("toggleable", (place,)):
            return there
        return And((there, atom("toggled_on", place)))

    def _tools(self, predicate: str, view: StateView) -> list[Formula]:
        """What cleans when it is held."""
        holds, found = view.state.holds, list[Formula]()
        by_name = "cleaners_by_name" in self.world.quirks
        for name in self._having(view):
            if holds("cleaningTool", (name,)):
                if predicate == "CAN_DUST":
                    found.append(atom("HELD", name))
                elif holds("soakable", (name,)):
                    found.append(And((atom("HELD", name), atom("soaked", name))))
            cleanser = "detergent" in name if by_name else holds("CLEANSER", (name,))
            if cleanser and predicate == "CAN_WASH":
                found.append(atom("HELD", name))
        return found[: 2 * CANDIDATES]

    def _washers(self, thing: str, view: StateView) -> list[Formula]:
        """Machines that clean what is in them."""
        holds = view.state.holds
        return [
            And((atom("WITHIN", thing, place), atom("toggled_on", place)))
            for place in self._having(view)
            if place != thing
            and holds("toggleable", (place,))
            and (holds("DISHWASHER", (place,)) or view.sink(place))
        ]

    def _having(self, view: StateView) -> list[str]:
        """All things, those that matter most first."""
        return list(dict.fromkeys((*self.named, *view.names)))

    # -- what brings it about ---------------------------------------------------------------------

    def options(
        self, literal: Literal, view: StateView, wide: bool, rests: _Rests
    ) -> Iterator[Option]:
        """Actions that bring about a literal that has no other means, in a fixed order."""
        want, wanted = literal
        predicate, args = wanted.predicate, wanted.args
        if predicate in self.actions:
            if want and self.world.schemas[predicate].arity == len(args):
                yield Option(Action(predicate, args))
        elif self.world.agent in args:
            yield from self._agents(want, wanted, view)
        elif len(args) == 1:
            yield from self._state(want, predicate, args[0], view, rests)
        elif len(args) == 2 and want:
            yield from self._bring(predicate, args[0], args[1], view, wide, rests)
        elif len(args) == 2:
            yield from self._end(predicate, args[0], args[1], view, wide, rests)

    def _agents(self, want: bool, wanted: Atom, view: StateView) -> Iterator[Option]:
        """Where the agent is: it goes to things by itself."""
        other = next((arg for arg in wanted.args if arg != self.world.agent), None)
        if wanted.predicate == "nextto" and want and other is not None:
            yield Option(Action("NAVIGATE_TO", (other,)))
        elif wanted.predicate in ("onfloor", "nextto") and other is not None:
            floors = [row[0] for row in view.match("FLOOR", (None,))]
            for floor in floors:
                if (floor == other) == want or wanted.predicate == "nextto":
                    yield Option(Action("NAVIGATE_TO", (floor,)))

    def _state(
        self, want: bool, predicate: str, thing: str, view: StateView, rests: _Rests
    ) -> Iterator[Option]:
        for side, hand in HANDS.items():
            if predicate == hand:
                name = f"{side}_GRASP" if want else f"{side}_RELEASE"
                yield Option(Action(name, (thing,)))
                for place in () if want else rests.get("", ()):
                    if place != thing:
                        yield Option(Action(f"{side}_PLACE_ONTOP", (place,)))
                return
        name = (WAYS_ON if want else WAYS_OFF).get(predicate, "")
        if predicate == "sliced" and want and view.state.holds("PART", (thing,)):
            thing = next(iter(sorted(view.state.targets("part_of", thing))))
        if name:
            also = REMOVED_BY.get(predicate)
            yield Option(Action(name, (thing,)), None, (atom(also, thing),) if also else ())
        if predicate in REMOVED_BY and not want:
            for place in self._having(view):
                if place != thing and view.state.holds("DISHWASHER", (place,)):
                    there = atom("inside", thing, place)
                    yield Option(Action("TOGGLE_ON", (place,)), None, (there,))

    def _bring(
        self, predicate: str, thing: str, place: str, view: StateView, wide: bool, rests: _Rests
    ) -> Iterator[Option]:
        if predicate in ("WITHIN", "LIES"):  # in it or on it, as it comes
            easy = view.state.holds("open", (place,)) or not view.state.holds("openable", (place,))
            predicate = "inside" if easy and not view.too_big(thing, place) else "ontop"
        if predicate not in PLACING:
            return
        if predicate == "nextto":
            for one, other in ((thing, place), (place, thing)):
                for side in self._sides(one, view, wide):
                    yield from self._beside(f"{side}_PLACE_NEXTTO", one, other, rests, view)
                    for rest in (*rests.get(one, ()), *rests.get("", ())):
                        # next to what it is in: on something else that is in there
                        tops = view.lying(rest) if rest == other else [rest]
                        for top in tops if one != rest else ():
                            both = Action(f"{side}_PLACE_NEXTTO_ONTOP", (other, top))
                            yield Option(both, one)
            return
        if predicate == "under":
            for side in self._sides(thing, view, wide):
                yield from self._beside(f"{side}_PLACE_UNDER", thing, place, rests, view)
            return
        yield from self._put(PLACING[predicate], thing, place, view, wide)
        if predicate == "inside":
            # what carries the thing can be put there, and what is too big put on what is inside
            carriers = [name for _, name in view.above(thing) if place not in view.within(name)]
            for carrier in carriers:
                yield from self._put(PLACING[predicate], carrier, place, view, wide)
            for rest in rests.get(thing, ()):  # on what is in there, or will be
                if rest not in (thing, place) and not view.state.holds("FLOOR", (rest,)):
                    for side in self._sides(thing, view, wide):
                        there = (atom("inside", rest, place),)
                        yield Option(Action(f"{side}_PLACE_ONTOP", (rest,)), thing, there)
            if view.too_big(thing, place):
                for other in view.lying(place)[:CANDIDATES]:
                    if view.state.holds("inside", (other, place)):
                        yield from self._put("PLACE_ONTOP", thing, other, view, wide)
        support = view.support(thing)
        if predicate in POURING and support is not None:
            carrier = support[1]
            for side in self._sides(carrier, view, wide):
                yield Option(Action(f"{side}_{POURING[predicate]}", (place,)), carrier)

    def _beside(
        self, name: str, thing: str, other: str, rests: _Rests, view: StateView
    ) -> Iterator[Option]:
        """Put something next to or under another; where it shall rest on a place, the other has
        to rest there too, for that is where it comes to rest."""
        action = Action(name, (other,))
        yield Option(action, thing)
        for rest in rests.get(thing, ()):
            if rest not in (thing, other):
                floor = view.state.holds("FLOOR", (rest,))
                yield Option(action, thing, (atom("onfloor" if floor else "LIES", other, rest),))

    def _put(
        self, name: str, thing: str, place: str, view: StateView, wide: bool
    ) -> Iterator[Option]:
        if thing == place:
            return
        for side in self._sides(thing, view, wide):
            yield Option(Action(f"{side}_{name}", (place,)), thing)

    def _sides(self, thing: str, view: StateView, wide: bool) -> list[str]:
        """The hand that has a thing or may take it: the right one if both are free."""
        if wide:
            return ["RIGHT", "LEFT"]
        for side, hand in HANDS.items():
            if thing in view.in_hand(hand):
                return [side]
        free = [side for side in ("RIGHT", "LEFT") if not view.in_hand(HANDS[side])]
        return free[:1] or ["RIGHT", "LEFT"]

    def _end(
        self, predicate: str, thing: str, place: str, view: StateView, wide: bool, rests: _Rests
    ) -> Iterator[Option]:
        moved = [thing]
        if predicate in ("inside", "WITHIN", "under", "nextto"):
            chain = [name for _, name in view.above(thing)]
            moved += chain[: chain.index(place)] if place in chain else chain
        if predicate in ("under", "nextto", "touching"):
            moved += [place, *(name for _, name in view.above(place))]
        for name in dict.fromkeys(moved):
            for side in self._sides(name, view, wide):
                yield Option(Action(f"{side}_GRASP", (name,)))
        if predicate not in ("inside", "ontop") or view.support(thing) != (predicate, place):
            return
        if place in view.held() or len(view.lying(place)) > 1:  # pour out all at once
            floor = view.default_floor()
            places = (*(() if floor is None else (floor,)), *rests.get("", ()))
            for other in dict.fromkeys(places):
                for side in self._sides(place, view, wide) if other != place else ():
                    yield Option(Action(f"{side}_TRANSFER_CONTENTS_ONTOP", (other,)), place)


_PASSED_ON: Final = frozenset(STATES) - {"sliced"}
"""States of a sliced whole that are those of its halves."""
_LASTING: Final = frozenset(
    {
        *("FLOOR", "PART", "FIXED", "HUNG", "COOKER", "POT", "FRIDGE", "SINK", "DISHWASHER"),
        *("CLEANSER", "AGENT", "slicer", "cleaningTool", "openable", "toggleable", "cookable"),
        *("freezable", "sliceable", "soakable", "dustyable", "stainable", "waterSource"),
        *("coldSource", "heatSource", "part_of", "TOO_BIG"),
    }
)
"""Predicates of properties, which no action changes."""


def _negates_relations(formula: Formula) -> bool:
    match formula:
        case Not(body):
            return any(len(part.args) == 2 for part in atoms(body))
        case And(parts) | Or(parts):
            return any(map(_negates_relations, parts))
    return False


def _depends_on_hands(formula: Formula) -> bool:
    """Whether an affordance is about what is in a hand now, which changes."""
    match formula:
        case Exists() | Forall() | Exactly():
            return True
        case Not(body):
            return _depends_on_hands(body)
        case Implies(left, right):
            return _depends_on_hands(left) or _depends_on_hands(right)
        case And(parts) | Or(parts):
            return any(map(_depends_on_hands, parts))
    return False


def _unless_open(part: Atom, structure: Structure, binding: Binding) -> bool:
    """Whether an atom holds, or has a variable that is still to be bound."""
    if any(term.startswith("?") and term not in binding for term in part.args):
        return True
    return evaluate(part, structure, binding)
