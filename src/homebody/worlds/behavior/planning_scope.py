"""Finds the objects and places that are relevant to a goal, for a planning problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from homebody.core.formula import And, Atom, Formula, Not, Or
from homebody.core.state import State
from homebody.worlds.behavior.view import StateView

MAX_TOOLS = 2
"""Maximum number of tools or places of one kind in a planning problem."""


def is_never_there(view: StateView, name: str) -> bool:
    """Return whether an object is absent and not half of anything that could be sliced."""
    return view.is_absent(name) and not view.state.targets("part_of", name)


def is_movable(view: StateView, name: str) -> bool:
    """Return whether an object can be grasped once it is reachable."""
    holds = view.state.holds
    if holds("FLOOR", (name,)) or holds("AGENT", (name,)) or is_never_there(view, name):
        return False
    return not view.is_too_big_to_hold(name)


@dataclass
class PlanningScope:
    """The objects and places that may help with a goal, and the possible uses of each."""

    view: StateView
    objects: dict[str, None] = field(default_factory=dict)
    moved: dict[str, None] = field(default_factory=dict)
    opened: dict[str, None] = field(default_factory=dict)
    switched: dict[str, None] = field(default_factory=dict)
    cut: dict[str, None] = field(default_factory=dict)
    floors: dict[str, None] = field(default_factory=dict)
    into: dict[tuple[str, str], None] = field(default_factory=dict)
    onto: dict[tuple[str, str], None] = field(default_factory=dict)
    beside: dict[tuple[str, str], None] = field(default_factory=dict)
    below: dict[tuple[str, str], None] = field(default_factory=dict)
    edges: dict[str, None] = field(default_factory=dict)
    dirty: dict[str, None] = field(default_factory=dict)
    soaking: dict[str, None] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The state to plan from."""
        return self.view.state

    def marked_with(self, *marks: str) -> list[str]:
        """Return the objects with any of these marks, each once."""
        return list(dict.fromkeys(n for mark in marks for (n,) in self.state.match(mark, (None,))))

    def add_goal(self, formula: Formula, definitions: Mapping[str, Formula]) -> None:
        """Add everything that may help to make a ground formula over facts and definitions true."""
        wanted = list(
            dict.fromkeys(
                literal
                for part in (*definitions.values(), formula)
                for literal in literals(part, definitions)
            )
        )
        floor = self.view.default_floor()
        if floor is not None:
            self.add_floor(floor)
        for atom, _ in wanted:  # first, because parts replace them in all other facts
            for name in atom.args:
                whole = next(iter(self.state.targets("part_of", name)), None)
                if whole is not None:
                    self.add_slicing(whole)
            if atom.predicate == "sliced":
                self.add_slicing(atom.args[0])
        for atom, value in wanted:
            self.add_fact(atom.predicate, atom.args, value)
        self.add_nesting(
            [a for a, value in wanted if value],
            formula.parts if isinstance(formula, And) else (formula,),
        )

        self.add_clearing()

    def add_clearing(self) -> None:
        """If a place rests on movable objects, allow moving it elsewhere."""
        places = dict.fromkeys(place for _, place in (*self.into, *self.onto))
        for place in places:
            below = [support for _, support in self.view.supports_of(place)]
            for at, support in enumerate(below):
                if support in self.moved:
                    for name in (place, *below[:at]):
                        self.add_move(name)

    def add_nesting(self, wanted: Sequence[Atom], surely: Sequence[Formula]) -> None:
        """Allow moving a support to the required place of its content, or one container into
        another."""
        inside = [a.args for a in wanted if a.predicate == "inside"]
        for fact in wanted:
            for thing, place in inside if fact.predicate in ("inside", "ontop") else ():
                support = fact.args[1]
                if thing != fact.args[0] or support == place:
                    continue
                if fact.predicate == "ontop" or {fact, Atom("inside", (thing, place))} <= {*surely}:
                    self.add_put_in(support, place)

    def pieces(self, name: str) -> list[str]:
        """Return an object and, if it is or may be cut, its halves."""
        if name in self.cut or self.view.is_halved(name):
            return [name, *sorted(self.state.sources("part_of", name))]
        return [name]

    def add_fact(self, predicate: str, args: tuple[str, ...], value: bool) -> None:
        """Add everything that may help to make a fact true, or false."""
        for name in args:
            self.add_object(name)
        firsts, seconds = self.pieces(args[0]), self.pieces(args[-1])
        pairs = [(first, second) for first in firsts for second in seconds if first != second]
        match predicate, value:
            case "inside", True:
                for first, second in pairs:
                    self.add_put_in(first, second)
            case (("ontop" | "onfloor"), True):
                for first, second in pairs:
                    self.add_put_on(first, second)
            case "touching", True:
                for first, second in pairs:
                    self.add_put_on(first, second)
                    self.add_put_on(second, first)
            case (("nextto" | "under"), _):
                self.edges.update(dict.fromkeys((*firsts, *seconds)))
                for first, second in pairs:
                    for name in (first, second):
                        self.add_move(name)
                    if value and predicate == "nextto":
                        self.beside[first, second] = self.beside[second, first] = None
                    elif value:
                        self.below[first, second] = None
            case (("inside" | "ontop" | "onfloor" | "touching"), False):
                for first, second in pairs:
                    self.add_move(first)
                    if predicate == "touching":
                        self.add_move(second)
                    if self.state.holds("FLOOR", (second,)):
                        self.add_other_places(first, second)
                    for _, support in self.view.supports_of(first):
                        self.add_move(support)
            case (("dusty" | "stained"), False):
                for first in firsts:
                    self.add_cleaning(first, predicate)
            case "cooked", True:
                for first in firsts:
                    for cooker in self.marked_with("COOKER", "heatSource"):
                        self.add_put_on(first, cooker)
            case "frozen", True:
                for first in firsts:
                    for fridge in self.marked_with("coldSource", "FRIDGE"):
                        self.add_put_in(first, fridge)
            case "soaked", True:
                for first in firsts:
                    self.add_soaking(first)
            case "open", _:
                self.add_opening(args[0])
            case "toggled_on", _:
                self.add_switching(args[0])

    def add_object(self, name: str) -> None:
        """Add an object, its supports, and the containers that must be opened to reach it."""
        if name in self.objects:
            return
        self.objects[name] = None
        for whole in sorted(self.state.targets("part_of", name)):
            self.add_object(whole)
        for relation, place in self.view.supports_of(name):
            self.add_object(place)
            if relation == "inside":
                self.add_opening(place)

    def add_floor(self, name: str) -> None:
        """Add a floor to put objects on."""
        self.objects[name] = None
        self.floors[name] = None

    def add_move(self, name: str) -> None:
        """Allow moving an object, if that is possible."""
        if is_movable(self.view, name):
            self.add_object(name)
            self.moved[name] = None

    def add_put_in(self, name: str, place: str) -> None:
        """Allow putting an object, or its support if it cannot be moved itself, into a place."""
        if self.state.holds("FLOOR", (place,)):
            return
        if not is_movable(self.view, name):
            for _, support in self.view.supports_of(name)[:1]:
                self.add_put_in(support, place)
        elif name != place and not self.view.is_too_big(name, place):
            self.add_move(name)
            self.add_object(place)
            self.add_opening(place)
            self.into[name, place] = None

    def add_put_on(self, name: str, place: str) -> None:
        """Allow putting an object onto a place, if it can be moved."""
        if name == place or not is_movable(self.view, name):
            return
        self.add_move(name)
        if self.state.holds("FLOOR", (place,)):
            self.add_floor(place)
        else:
            self.add_object(place)
            self.onto[name, place] = None

    def add_other_places(self, name: str, floor: str) -> None:
        """Add places for an object that must leave a floor: floors, fixed objects, or bigger
        ones."""
        places = [
            *self.marked_with("FLOOR"),
            *self.marked_with("FIXED"),
            *self.objects,
            *self.state.names,
        ]
        size = self.view.litres(name)
        fit = [
            place
            for place in dict.fromkeys(places)
            if place not in (name, floor, self.view.agent)
            and not self.view.is_absent(place)
            and self.view.litres(place) >= size
        ]
        for place in fit[:MAX_TOOLS]:
            self.add_put_on(name, place)

    def add_opening(self, name: str) -> None:
        """Allow opening an object. If it is running, allow switching it off first."""
        if self.state.holds("openable", (name,)) and name not in self.opened:
            self.opened[name] = None
            self.add_object(name)
            if self.state.holds("toggled_on", (name,)):
                self.add_switching(name)

    def add_switching(self, name: str) -> None:
        """Allow switching an object on and off."""
        if self.state.holds("toggleable", (name,)) and name not in self.switched:
            self.switched[name] = None
            self.add_object(name)
            self.add_opening(name)

    def add_slicing(self, name: str) -> None:
        """Allow slicing an object: add its halves, and tools."""
        if name in self.cut or self.state.holds("PART", (name,)):
            return
        self.cut[name] = None
        self.add_object(name)
        for half in self.state.sources("part_of", name):
            self.add_object(half)
        self.add_move(name)
        for tool in self.nearest(self.marked_with("slicer")):
            self.add_move(tool)

    def add_cleaning(self, name: str, dirt: str) -> None:
        """Allow removing dust or stains: add tools, or machines if there are no tools."""
        self.dirty[name] = None
        tools = self.nearest(self.marked_with("cleaningTool"))
        if dirt == "stained":
            soakable = self.marked_with("soakable", "soaked")
            tools = self.nearest([t for t in self.marked_with("cleaningTool") if t in soakable])
            for tool in tools:
                self.add_soaking(tool)
            tools += self.nearest(self.marked_with("CLEANSER"))
        for tool in tools:
            self.add_move(tool)
        if not tools:  # in something that washes
            for machine in self.marked_with("SINK", "waterSource"):
                self.add_switching(machine)
                self.add_put_on(name, machine)
            for machine in self.marked_with("DISHWASHER"):
                self.add_switching(machine)
                self.add_put_in(name, machine)

    def add_soaking(self, name: str) -> None:
        """Allow soaking an object where there is water."""
        if not self.state.holds("soakable", (name,)) or name in self.soaking:
            return
        self.soaking[name] = None
        waters = [
            place
            for place in self.marked_with("SINK", "waterSource", "POT")
            if not self.state.holds("PART", (place,))
        ]
        for place in self.nearest(waters):
            self.add_switching(place)
            self.add_put_on(name, place)

    def nearest(self, names: Sequence[str]) -> list[str]:
        """Return some of the objects for a purpose, preferably objects in no or few closed
        containers."""
        there = [
            n for n in names if not is_never_there(self.view, n) and not self.view.is_halved(n)
        ]
        held = sorted(there, key=lambda n: (n not in self.objects, len(self.view.supports_of(n))))
        return held[:MAX_TOOLS]


def literals(formula: Formula, definitions: Mapping[str, Formula]) -> Iterator[tuple[Atom, bool]]:
    """Yield a formula's facts, each with its wanted value; both values for negated definitions."""
    match formula:
        case Atom(predicate, args):
            if args or predicate not in definitions:
                yield formula, True
        case Not(Atom(predicate, args) as atom):
            if args or predicate not in definitions:
                yield atom, False
            else:
                for fact, _ in literals(definitions[predicate], definitions):
                    yield fact, True
                    yield fact, False
        case And(parts) | Or(parts):
            for part in parts:
                yield from literals(part, definitions)
