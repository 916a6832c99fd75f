"""VirtualHome's vocabulary of conditions and goals: facts and derived predicates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from homebody.core.action import Action, apply_effects
from homebody.core.state import State, rows_that_hold
from homebody.worlds.virtualhome import python_set_order
from homebody.worlds.virtualhome.actions import ORIGINS, action_schemas
from homebody.worlds.virtualhome.python_set_order import Order

SEATS = {
    "couch": 4,
    "bed": 4,
    "chair": 1,
    "loveseat": 2,
    "sofa": 4,
    "toilet": 1,
    "pianobench": 2,
    "bench": 2,
}
"""Category -> number of characters that can sit on it; 1 for others."""
BEDS = {"couch": 2, "bathtub": 2, "bed": 3, "loveseat": 2, "sofa": 2, "bench": 1}
"""Category -> number of characters that can lie on it; 1 for others."""


class StateView:
    """A state with the derived predicates of conditions.

    Attributes:
        state: The state.
        agent: The character's object name.
        quirks: Published behaviours to keep.
        order: The scene file's order of facts; only the published behaviour depends on it.
    """

    __slots__ = ("_carried", "_rows", "_truths", "_within", "agent", "order", "quirks", "state")

    def __init__(self, state: State, agent: str, quirks: frozenset[str], order: Order) -> None:
        self.agent = agent
        self.quirks = quirks
        self.order = order
        self._truths: dict[tuple[str, tuple[str, ...]], bool] = {}
        self._rows: dict[tuple[str, str], list[tuple[str, ...]]] = {}
        self._within: dict[str, dict[str, None]] = {}
        self._carried: dict[str, dict[str, None]] = {}
        self.state = state

    @property
    def names(self) -> Iterable[str]:
        """All object names, in a fixed order."""
        return self.state.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Return whether a ground atom is true; see :class:`~homebody.core.formula.Structure`."""
        derived = _DERIVED.get(predicate)
        if derived is None:
            return self.state.holds(predicate, args)
        truth = self._truths.get((predicate, args))
        if truth is None:
            truth = derived(self, args[0], args[1] if len(args) > 1 else "")
            self._truths[predicate, args] = truth
        return truth

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """Return the rows that match a pattern; see :class:`~homebody.core.formula.Structure`."""
        if predicate not in _DERIVED:
            return self.state.match(predicate, args)
        listed = _LISTED.get(predicate)
        if listed is not None and args[0] is not None and args[1] is None:
            rows = self._rows.get((predicate, args[0]))
            if rows is None:
                rows = [(args[0], name) for name in listed(self, args[0])]
                self._rows[predicate, args[0]] = rows
            return rows
        if predicate == "WITHIN" and args[0] is None and args[1] is not None:
            return [(name, args[1]) for name in self.inside_out(args[1])]
        return rows_that_hold(self, predicate, args)

    # -- locations --------------------------------------------------------------------------

    def is_room(self, name: str) -> bool:
        """Return whether an object is a room."""
        return self.state.holds("ROOM", (name,))

    def room(self, name: str) -> str | None:
        """Return the room of an object, found through its containers, or ``None``.

        A door that is inside nothing is in one of the rooms it is between.
        """
        if "first_room_by_set_order" in self.quirks:
            return python_set_order.room(self.state, self.order, name)
        seen: set[str] = set()
        frontier = [name]
        while frontier:
            for thing in frontier:
                if self.is_room(thing):
                    return thing
            seen.update(frontier)
            around = {
                place
                for thing in frontier
                for predicate in ("INSIDE", "ONTOP")
                for place in self.state.targets(predicate, thing)
            }
            frontier = sorted(around - seen)
        return min(self.state.targets("BETWEEN", name), default=None)

    def rooms(self, name: str) -> list[str]:
        """Return the room of an object, if any, as a list."""
        room = self.room(name)
        return [] if room is None else [room]

    def held_objects(self, char: str) -> list[str]:
        """Return the objects in a character's hands."""
        targets = self.state.targets
        return sorted(targets("HOLDS_LH", char) | targets("HOLDS_RH", char))

    def inside_out(self, thing: str) -> Mapping[str, None]:
        """Return ``thing`` and everything inside or on top of it, at any depth, in order."""
        names = self._within.get(thing)
        if names is None:
            names = self._within[thing] = {thing: None}
            pending = [thing]
            for place in pending:
                for predicate in ("INSIDE", "ONTOP"):
                    for name in sorted(self.state.sources(predicate, place)):
                        if name not in names and name != self.agent:
                            names[name] = None
                            pending.append(name)
        return names

    def carried_objects(self, char: str) -> Mapping[str, None]:
        """Return the held and worn objects, with everything inside and on them, in order."""
        names = self._carried.get(char)
        if names is None:
            worn = sorted(self.state.sources("ONTOP", char))
            names = self._carried[char] = dict.fromkeys(
                name for own in (*self.held_objects(char), *worn) for name in self.inside_out(own)
            )
        return names

    def supports(self, relation: str, name: str) -> list[str]:
        """Return the remembered origins of a grabbed object that it was on, inside or next to."""
        if "grab_support_by_set_order" in self.quirks:
            nearest = python_set_order.support(self.state, self.order, name)
            return [nearest[1]] if nearest is not None and nearest[0] == relation else []
        around = {
            kind: [
                other
                for other in sorted(self.state.targets(kind, name))
                if other != self.agent and not self.is_room(other)
            ]
            for kind in ("ONTOP", "INSIDE", "NEXT_TO")
        }
        if around["ONTOP"] or around["INSIDE"]:
            around["NEXT_TO"] = []
        elif not around["NEXT_TO"]:  # lying about in a room
            around["INSIDE"] = self.rooms(name)
        return around[relation]

    def is_origin_near(self, char: str, name: str) -> bool:
        """Return whether the character can put an object back where it was taken from."""
        holds = self.state.holds
        places = self.origins(name)
        shut = any(
            holds("TAKEN_INSIDE", (name, place))
            and holds("CAN_OPEN", (place,))
            and not holds("OPEN", (place,))
            for place in places
        )
        return not shut and any(
            self.is_near(char, place) or holds("INSIDE", (char, place)) for place in places
        )

    def origins(self, name: str) -> list[str]:
        """Return the remembered places that an object was taken from."""
        return sorted({n for memory in ORIGINS for n in self.state.targets(memory, name)})

    # -- possible actions --------------------------------------------------------------------

    def is_near(self, char: str, name: str) -> bool:
        """Return whether an object is next to the character, or next to or on top of an object that
        is."""
        targets = self.state.targets
        around = targets("NEXT_TO", char)
        if name in around:
            return True
        if not around.isdisjoint(targets("ONTOP", name)):
            return True
        return any(name in targets("NEXT_TO", other) for other in around)

    def is_at(self, char: str, name: str) -> bool:
        """Return whether walking there would change nothing."""
        holds = self.state.holds
        if not (holds("NEXT_TO", (char, name)) or holds("INSIDE", (char, name))):
            return False
        walk = action_schemas(self.quirks)["WALK"]
        delete, add = apply_effects(walk.effects, walk.bind(char, Action("WALK", (name,))), self)
        stay = set(add)
        return all(holds(fact[0], fact[1:]) for fact in stay) and not any(
            fact not in stay and holds(fact[0], fact[1:]) for fact in delete
        )

    def is_faced(self, char: str, name: str) -> bool:
        """Return whether the character faces an object, or faces something that faces the
        object."""
        targets = self.state.targets
        ahead = targets("FACING", char)
        return name in ahead or any(name in targets("FACING", other) for other in ahead)

    def is_sealed(self, name: str) -> bool:
        """Return whether an object is inside a closed container. Rooms do not count."""
        holds = self.state.holds
        return any(
            holds("CLOSED", (place,)) and not self.is_room(place)
            for place in self.state.targets("INSIDE", name)
        )

    def has_space(self, name: str, limits: Mapping[str, int]) -> bool:
        """Return whether a seat or bed has free space. The character itself does not count."""
        on_it = self.state.sources("ONTOP", name)
        if "standing_keeps_seat" not in self.quirks:  # a sitting character may lie down
            on_it -= {self.agent}
        return len(on_it) < limits.get(self.category(name), 1)

    def category(self, name: str) -> str:
        """Return the class of an object."""
        return self.state.objects[name].category


_DERIVED: dict[str, Callable[[StateView, str, str], bool]] = {
    "IS_A": lambda v, a, b: v.category(a) == b,
    "NEAR": lambda v, a, b: v.is_near(a, b),
    "AT": lambda v, a, b: v.is_at(a, b),
    "FACED": lambda v, a, b: v.is_faced(a, b),
    "HOLDS": lambda v, a, b: (
        b in v.state.targets("HOLDS_RH", a) or b in v.state.targets("HOLDS_LH", a)
    ),
    "FREE_HAND": lambda v, a, _: (
        not (v.state.targets("HOLDS_RH", a) and v.state.targets("HOLDS_LH", a))
    ),
    "CARRIED": lambda v, a, b: b in v.carried_objects(a),
    "WITHIN": lambda v, a, b: a in v.inside_out(b),
    "SEALED": lambda v, a, _: v.is_sealed(a),
    "IN_ROOM": lambda v, a, b: v.room(a) == b,
    "SEAT_FREE": lambda v, a, _: v.has_space(a, SEATS),
    "BED_FREE": lambda v, a, _: v.has_space(a, BEDS),
    "KNIFE": lambda v, a, _: "knife" in v.category(a),
    "TAKEN_FROM": lambda v, a, b: b in v.origins(a),
    "ORIGIN_NEAR": lambda v, a, b: v.is_origin_near(a, b),
    "SUPPORT_ONTOP": lambda v, a, b: b in v.supports("ONTOP", a),
    "SUPPORT_INSIDE": lambda v, a, b: b in v.supports("INSIDE", a),
    "SUPPORT_NEXT_TO": lambda v, a, b: b in v.supports("NEXT_TO", a),
}

_LISTED: dict[str, Callable[[StateView, str], Iterable[str]]] = {
    "HOLDS": StateView.held_objects,
    "CARRIED": StateView.carried_objects,
    "IN_ROOM": StateView.rooms,
    "TAKEN_FROM": StateView.origins,
    "SUPPORT_ONTOP": lambda v, a: v.supports("ONTOP", a),
    "SUPPORT_INSIDE": lambda v, a: v.supports("INSIDE", a),
    "SUPPORT_NEXT_TO": lambda v, a: v.supports("NEXT_TO", a),
}
