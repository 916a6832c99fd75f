"""BEHAVIOR's vocabulary of conditions and goals: facts and derived predicates.

Conditions of actions read the stored facts through :class:`StateView`; goals read them through
:class:`GoalView`:

- ``inside(x, z)`` also holds if ``x`` is in or on something inside ``z``, at any depth: an apple on
  a plate in a cabinet is inside the cabinet. ``ontop`` is direct.
- ``ontop`` of a floor is ``onfloor``. ``touching`` holds if it is stated, or if one object rests on
  the other.
- A sliced whole has the states and relations that both halves have. Another object is related to it
  if it is related to either half.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from homebody.core.state import State, rows_that_hold
from homebody.worlds.behavior.actions import EDGES, HANDS, RELATIONS
from homebody.worlds.behavior.scene import SizedObject
from homebody.worlds.behavior.sizes import HOLDABLE


class StateView:
    """A state with the derived predicates of actions' conditions.

    Attributes:
        state: The state.
        agent: The agent's object name.
        quirks: Published behaviours to keep.
    """

    __slots__ = ("_above", "_in_hand", "_one_relation", "_truths", "agent", "quirks", "state")

    def __init__(self, state: State, agent: str, quirks: frozenset[str]) -> None:
        self.state = state
        self.agent = agent
        self.quirks = quirks
        self._one_relation = "one_relation_per_pair" in quirks
        self._above: dict[str, list[tuple[str, str]]] = {}
        self._in_hand: dict[str, list[str]] = {}
        self._truths: dict[tuple[str, tuple[str, ...]], bool] = {}

    @property
    def names(self) -> Iterable[str]:
        """All object names, in a fixed order."""
        return self.state.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Return whether a ground atom is true; see :class:`~homebody.core.formula.Structure`."""
        derived = _DERIVED.get(predicate)
        if derived is None:
            return self.is_stored(predicate, args)
        truth = self._truths.get((predicate, args))
        if truth is None:
            truth = self._truths[predicate, args] = derived(self, args[0], args[-1])
        return truth

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """Return the rows that match a pattern; see :class:`~homebody.core.formula.Structure`."""
        listed = _LISTED.get(predicate)
        if listed is not None:
            return list(listed(self, args))
        if predicate in _DERIVED:
            return rows_that_hold(self, predicate, args)
        rows = self.state.match(predicate, args)
        if self._one_relation and predicate in ("under", "onfloor"):
            return [row for row in rows if self.is_stored(predicate, row)]
        return rows

    def is_stored(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Return whether a fact is stored. With the published behaviour, facts that are read later
        can overwrite it."""
        holds = self.state.holds
        if not holds(predicate, args):
            return False
        if not self._one_relation or predicate not in ("under", "onfloor"):
            return True
        return not holds("nextto", args) and not (predicate == "onfloor" and holds("under", args))

    # -- locations ------------------------------------------------------------------------------

    def support(self, name: str) -> tuple[str, str] | None:
        """Return ``(relation, place)`` of an object's support or container. Floors are excluded."""
        for relation in ("inside", "ontop"):
            for place in self.state.targets(relation, name):
                return relation, place
        return None

    def supports_of(self, name: str) -> list[tuple[str, str]]:
        """Return the chain of supports from an object down."""
        chain = self._above.get(name)
        if chain is None:
            chain = []
            seen = {name}
            below = self.support(name)
            while below is not None and below[1] not in seen:
                chain.append(below)
                seen.add(below[1])
                below = self.support(below[1])
            self._above[name] = chain
        return chain

    def contents_of(self, place: str) -> list[str]:
        """Return the objects directly in or on an object."""
        sources = self.state.sources
        return sorted(sources("inside", place) | sources("ontop", place))

    def objects_within(self, name: str) -> list[str]:
        """Return an object and all objects in or on it, at any depth."""
        seen = {name}
        frontier = [name]
        for place in frontier:
            for thing in self.contents_of(place):
                if thing not in seen:
                    seen.add(thing)
                    frontier.append(thing)
        return frontier

    def edges_from(self, name: str) -> list[str]:
        """Return the objects that an object is next to, under or touching, and its floor."""
        return sorted({n for relation in EDGES for n in self.state.targets(relation, name)})

    def edges_to(self, name: str) -> list[str]:
        """Return the objects that are next to, under or touching an object, or on it if it is a
        floor."""
        return sorted({n for relation in EDGES for n in self.state.sources(relation, name)})

    def is_related(self, name: str) -> bool:
        """Return whether one of two objects is next to the other, under it, or on it if it is a
        floor."""
        targets, sources = self.state.targets, self.state.sources
        around = {n for r in EDGES[:3] for n in (*targets(r, name), *sources(r, name))}
        return bool(around - {self.agent})

    def in_hand(self, hand: str) -> list[str]:
        """Return the objects in a hand."""
        names = self._in_hand.get(hand)
        if names is None:
            names = self._in_hand[hand] = sorted(self.state.members(hand))
        return names

    def held_objects(self) -> list[str]:
        """Return the objects in either hand."""
        return [name for hand in HANDS.values() for name in self.in_hand(hand)]

    def is_carried(self, name: str, hand: str) -> bool:
        """Return whether an object is in the hand, or in or on the held object."""
        held = self.in_hand(hand)
        return name in held or any(place in held for _, place in self.supports_of(name))

    def default_floor(self) -> str | None:
        """Return the scene's first floor, if any."""
        return next((row[0] for row in self.state.match("FLOOR", (None,))), None)

    def stated_floor(self, name: str) -> str | None:
        """Return the floor that an object is stated to be on."""
        targets = self.state.targets("onfloor", name)
        return next((f for f in sorted(targets) if self.is_stored("onfloor", (name, f))), None)

    def stands_on(self, name: str) -> str | None:
        """Return the floor that an object stands on directly; by default the first floor of the
        scene."""
        if self.state.holds("FLOOR", (name,)):
            return name
        if self.support(name) is not None:
            return None
        stated = self.stated_floor(name)
        if stated is not None or "floors_only_if_stated" in self.quirks:
            return stated
        return None if name in self.held_objects() else self.default_floor()

    def floor_of(self, name: str) -> str | None:
        """Return the floor below an object, at any depth. A held object is on the agent's floor."""
        chain = self.supports_of(name)
        lowest = chain[-1][1] if chain else name
        if lowest in self.held_objects():
            lowest = self.agent
        if self.state.holds("FLOOR", (lowest,)):
            return lowest
        return self.stated_floor(lowest) or self.default_floor()

    def moves_to(self, name: str) -> str | None:
        """Return the floor of an object if the agent is on another one."""
        floor = self.floor_of(name)
        return None if floor == self.floor_of(self.agent) else floor

    # -- possible actions -----------------------------------------------------------------------

    def is_shut_in(self, name: str) -> bool:
        """Return whether an object is inside something closed, at any depth."""
        holds = self.state.holds
        return any(
            relation == "inside" and holds("openable", (place,)) and not holds("open", (place,))
            for relation, place in self.supports_of(name)
        )

    def is_halved(self, name: str) -> bool:
        """Return whether an object is a sliced whole."""
        holds = self.state.holds
        return holds("sliced", (name,)) and not holds("PART", (name,))

    def is_absent(self, name: str) -> bool:
        """Return whether an object is half of an unsliced whole."""
        holds = self.state.holds
        return holds("PART", (name,)) and not holds("sliced", (name,))

    def litres(self, name: str) -> float:
        """Return the size of an object."""
        item = self.state.objects[name]
        return item.litres if isinstance(item, SizedObject) else 1.0

    def is_too_big(self, name: str, place: str) -> bool:
        """Return whether an object is too big to be inside another; always False for a floor."""
        if self.state.holds("FLOOR", (place,)):
            return False
        if "equal_sizes_fit" in self.quirks:
            return self.litres(name) > self.litres(place)
        return self.litres(name) >= self.litres(place)

    def has_no_room(self, name: str, beside: str) -> bool:
        """Return whether an object is too big for a container of another object."""
        return any(
            relation == "inside" and self.is_too_big(name, place)
            for relation, place in self.supports_of(beside)
        )

    def is_much_bigger(self, name: str, place: str) -> bool:
        """Return whether an object is more than five times as big as another, rounded as in the
        published code."""
        return self.litres(name) / 1000 > 5 * (self.litres(place) / 1000)

    def is_too_big_to_hold(self, name: str) -> bool:
        """Return whether an object is fixed or too big to be grasped."""
        holds = self.state.holds
        if self.litres(name) > HOLDABLE:
            return True
        movable = "fixed_things_can_be_grasped" in self.quirks or holds("HUNG", (name,))
        return holds("FIXED", (name,)) and not movable

    def is_running(self, name: str) -> bool:
        """Return whether an object is switched on or has no switch."""
        holds = self.state.holds
        return holds("toggled_on", (name,)) or not holds("toggleable", (name,))

    def is_sink(self, name: str) -> bool:
        """Return whether water comes out of an object."""
        return self.state.holds("SINK", (name,)) or self.state.holds("waterSource", (name,))

    def is_in_cooker(self, name: str) -> bool:
        """Return whether an object is where it can be cooked."""
        places = [place for _, place in self.supports_of(name)]
        if "cooks_in_saucepans_only" in self.quirks:
            return any("saucepan" in place for place in places)
        holds = self.state.holds
        return any(holds("COOKER", (p,)) or holds("heatSource", (p,)) for p in places)

    def is_in_water(self, name: str) -> bool:
        """Return whether an object is where it can be soaked."""
        places = [place for _, place in self.supports_of(name)]
        if "soaks_in_sinks_and_teapots_only" in self.quirks:
            return any(("sink" in p or "teapot" in p) and self.is_running(p) for p in places)
        return any(
            self.state.holds("POT", (p,)) or (self.is_sink(p) and self.is_running(p))
            for p in places
        )

    def is_chilled(self, name: str) -> bool:
        """Return whether an object is where it can be frozen."""
        holds = self.state.holds
        places = [place for relation, place in self.supports_of(name) if relation == "inside"]
        return any(holds("coldSource", (p,)) or holds("FRIDGE", (p,)) for p in places)

    def _is_washing(self, name: str, *words: str) -> bool:
        """Return whether an object is in a running sink or dishwasher. The published code
        recognises these by their names."""
        holds = self.state.holds
        places = [place for _, place in self.supports_of(name) if holds("toggled_on", (place,))]
        if "cleaners_by_name" in self.quirks:
            return any(text in place for place in places for text in words)
        return any(holds("DISHWASHER", (p,)) or self.is_sink(p) for p in places)

    def can_dust(self, name: str) -> bool:
        """Return whether an available tool or machine removes dust from an object."""
        if self._is_washing(name, "dishwasher", "sink"):
            return True
        return any(self.state.holds("cleaningTool", (tool,)) for tool in self.tools_for(name))

    def can_wash(self, name: str) -> bool:
        """Return whether an available tool or machine removes stains from an object."""
        if self._is_washing(name, "sink"):
            return True
        holds = self.state.holds
        by_name = "cleaners_by_name" in self.quirks
        return any(
            (holds("cleaningTool", (tool,)) and holds("soaked", (tool,)))
            or ("detergent" in tool if by_name else holds("CLEANSER", (tool,)))
            for tool in self.tools_for(name)
        )

    def tools_for(self, name: str) -> list[str]:
        """Return held objects that can be used on an object."""
        itself = "tools_clean_themselves" in self.quirks
        return [tool for tool in self.held_objects() if itself or tool != name]

    def objects_washed_by(self, machine: str) -> list[str]:
        """Return the objects that a dishwasher cleans when it is switched on."""
        if "dishwasher_cleans_top_level" in self.quirks:
            return self.contents_of(machine) if "dishwasher" in machine else []
        if not self.state.holds("DISHWASHER", (machine,)):
            return []
        inside = ("inside", machine)
        return [name for name in self.objects_within(machine) if inside in self.supports_of(name)]


def _as_list(name: str | None) -> list[str]:
    return [] if name is None else [name]


_DERIVED: dict[str, Callable[[StateView, str, str], bool]] = {
    "HELD": lambda v, a, _: a in v.held_objects(),
    "FREE_HAND": lambda v, a, _: not all(v.in_hand(hand) for hand in HANDS.values()),
    "CARRIED_LH": lambda v, a, _: v.is_carried(a, "holds_lh"),
    "CARRIED_RH": lambda v, a, _: v.is_carried(a, "holds_rh"),
    "SHUT_IN": lambda v, a, _: v.is_shut_in(a),
    "HALVED": lambda v, a, _: v.is_halved(a),
    "ABSENT": lambda v, a, _: v.is_absent(a),
    "LIES": lambda v, a, b: v.state.holds("inside", (a, b)) or v.state.holds("ontop", (a, b)),
    "WITHIN": lambda v, a, b: a == b or any(place == b for _, place in v.supports_of(a)),
    "EDGE": lambda v, a, b: any(v.state.holds(name, (a, b)) for name in EDGES),
    "RELATED": lambda v, a, _: v.is_related(a),
    "FIRST_PART": lambda v, a, b: a == min(v.state.sources("part_of", b), default=""),
    "FLOOR_OF": lambda v, a, b: v.floor_of(a) == b,
    "STANDS_ON": lambda v, a, b: v.stands_on(a) == b,
    "MOVES_TO": lambda v, a, b: v.moves_to(a) == b,
    "TOO_BIG": lambda v, a, b: v.is_too_big(a, b),
    "NO_ROOM": lambda v, a, b: v.has_no_room(a, b),
    "TOO_BIG_TO_HOLD": lambda v, a, _: v.is_too_big_to_hold(a),
    "MUCH_BIGGER": lambda v, a, b: v.is_much_bigger(a, b),
    "IN_COOKER": lambda v, a, _: v.is_in_cooker(a),
    "IN_WATER": lambda v, a, _: v.is_in_water(a),
    "CHILLED": lambda v, a, _: v.is_chilled(a),
    "CAN_DUST": lambda v, a, _: v.can_dust(a),
    "CAN_WASH": lambda v, a, _: v.can_wash(a),
    "WASHED_BY": lambda v, a, b: a in v.objects_washed_by(b),
}

_Row = tuple[str, ...]
_Pattern = tuple[str | None, ...]


def _from_first(
    find: Callable[[StateView, str], Iterable[str]],
) -> Callable[[StateView, _Pattern], Iterator[_Row]]:
    """Return rows of a predicate whose second argument is computed from the first."""

    def rows(view: StateView, pattern: _Pattern) -> Iterator[_Row]:
        first, second = pattern
        for name in view.names if first is None else (first,):
            for other in find(view, name):
                if second in (None, other):
                    yield name, other

    return rows


def _from_either(
    after: Callable[[StateView, str], Iterable[str]],
    before: Callable[[StateView, str], Iterable[str]],
) -> Callable[[StateView, _Pattern], Iterator[_Row]]:
    """Return rows of a predicate, each of whose arguments can be computed from the other."""

    def rows(view: StateView, pattern: _Pattern) -> Iterator[_Row]:
        first, second = pattern
        if first is None and second is not None:
            yield from ((name, second) for name in before(view, second))
        else:
            yield from _from_first(after)(view, pattern)

    return rows


_LISTED: dict[str, Callable[[StateView, _Pattern], Iterable[_Row]]] = {
    "HELD": lambda v, pattern: [(name,) for name in v.held_objects() if pattern[0] in (None, name)],
    "LIES": _from_either(
        lambda v, a: [link[1] for link in v.supports_of(a)[:1]], StateView.contents_of
    ),
    "WITHIN": _from_either(
        lambda v, a: [a, *(place for _, place in v.supports_of(a))], StateView.objects_within
    ),
    "EDGE": _from_either(StateView.edges_from, StateView.edges_to),
    "FLOOR_OF": _from_first(lambda v, a: _as_list(v.floor_of(a))),
    "STANDS_ON": _from_first(lambda v, a: _as_list(v.stands_on(a))),
    "MOVES_TO": _from_first(lambda v, a: _as_list(v.moves_to(a))),
    "FIRST_PART": _from_either(
        lambda v, a: v.state.targets("part_of", a),
        lambda v, b: _as_list(min(v.state.sources("part_of", b), default=None)),
    ),
    "WASHED_BY": _from_either(
        lambda v, a: [place for _, place in v.supports_of(a) if a in v.objects_washed_by(place)],
        StateView.objects_washed_by,
    ),
}


class GoalView:
    """A state in the vocabulary of goals; see the module's docstring."""

    __slots__ = ("_as_stored", "_halves", "_matched", "_view", "state")

    def __init__(self, view: StateView) -> None:
        state = view.state
        self.state = state
        self._view = view
        self._as_stored = "relations_as_stored" in view.quirks
        self._matched: dict[tuple[str, _Pattern], list[_Row]] = {}
        self._halves: dict[str, list[str]] = {
            name: sorted(state.sources("part_of", name))
            for (name,) in state.match("sliced", (None,))
            if not state.holds("PART", (name,))
        }

    @property
    def names(self) -> Iterable[str]:
        """All object names, in a fixed order."""
        return self.state.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Return whether a ground atom is true; see :class:`~homebody.core.formula.Structure`."""
        if not self._halves:  # the usual case: nothing is sliced
            if predicate in RELATIONS and len(args) == 2:
                return self._is_related_to(predicate, *args)
            return self.state.holds(predicate, args)
        halves = self._halves.get(args[0]) if args else None
        if len(args) == 1:
            if halves and predicate not in self.state.objects[args[0]].properties:
                return all(self.state.holds(predicate, (half,)) for half in halves)
            return self.state.holds(predicate, args)
        if predicate not in RELATIONS or len(args) != 2:
            return self.state.holds(predicate, args)
        return all(self._is_related_to(predicate, name, args[1]) for name in halves or args[:1])

    def _is_related_to(self, predicate: str, thing: str, other: str) -> bool:
        """Return whether something other than a sliced whole has a relation to anything."""
        if self._as_stored:
            return predicate != "touching" and self._view.is_stored(predicate, (thing, other))
        if other not in self._halves:
            return self._is_related(predicate, thing, other)
        others = (other, *self._halves[other])
        return any(self._is_related(predicate, thing, name) for name in others)

    def _is_related(self, predicate: str, thing: str, other: str) -> bool:
        holds, view = self._view.is_stored, self._view
        if predicate == "inside":
            return ("inside", other) in view.supports_of(thing)
        if predicate == "ontop":
            return holds("ontop", (thing, other)) or (
                holds("onfloor", (thing, other)) and holds("FLOOR", (other,))
            )
        if predicate == "touching":
            pairs = ((thing, other), (other, thing))
            rests = ("inside", "ontop", "onfloor")
            return any(holds(name, pair) for pair in pairs for name in ("touching", *rests))
        return holds(predicate, (thing, other))

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """Return the rows that match a pattern; see :class:`~homebody.core.formula.Structure`."""
        if predicate not in RELATIONS and not self._halves:
            return self.state.match(predicate, args)
        rows = self._matched.get((predicate, args))
        if rows is None:
            rows = rows_that_hold(self, predicate, args)
            self._matched[predicate, args] = rows
        return rows
