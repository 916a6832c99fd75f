"""Objects, facts and states: a state is a set of ground facts over a fixed set of objects.

Source: EAI paper, appendix C.3 (a state is a universe of entities and tables of relational
Boolean features).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from homebody.core.formula import Structure
from homebody.core.ground.sharing import never_changes

Fact: TypeAlias = tuple[str, ...]
"""``(predicate, object)`` or ``(predicate, first, second)``."""

_EMPTY: frozenset[str] = frozenset()


@never_changes
@dataclass(frozen=True, slots=True)
class Object:
    """An object of a world.

    ``name`` is unique in its universe. Facts refer to objects by name, e.g. ``"fridge.97"``.
    ``category`` is its class, e.g. ``"fridge"``. ``properties`` are its affordances
    (``"CAN_OPEN"``): facts that no action changes.
    """

    name: str
    category: str
    properties: frozenset[str] = frozenset()


@never_changes
class State:
    """An immutable set of unary and binary facts.

    A state shares tables with its successors: :meth:`change` copies only the rows that differ.
    Binary tables are indexed by the first argument, because almost every query knows it.

    ``cache`` holds data that worlds derive from a state and its past. Unary queries also see the
    properties of objects: ``holds("CAN_OPEN", ("fridge.97",))``.
    """

    __slots__ = (
        "_binary",
        "_hash",
        "_sources",
        "_unary",
        "_with_property",
        "cache",
        "change_from",
        "objects",
        "previous",
    )

    objects: Mapping[str, Object]
    previous: State | None
    cache: dict[tuple[str, ...], Any]
    change_from: tuple[tuple[Fact, ...], tuple[Fact, ...]]

    def __init__(
        self,
        objects: Mapping[str, Object],
        unary: Mapping[str, frozenset[str]],
        binary: Mapping[str, Mapping[str, frozenset[str]]],
    ) -> None:
        """Build from tables: predicate -> objects, and predicate -> first -> seconds.

        The mappings are not copied. Use :meth:`from_facts` for a list of facts.
        """
        self.objects = objects
        self._unary = unary
        self._binary = binary
        self._hash: int | None = None
        self._sources: dict[tuple[str, str], frozenset[str]] = {}
        self._with_property: dict[str, tuple[str, ...]] = {}
        self.previous = None
        self.cache = {}
        self.change_from = ((), ())

    @classmethod
    def from_facts(cls, objects: Iterable[Object], facts: Iterable[Fact]) -> State:
        """Build from objects and facts.

        Raises:
            ValueError: two objects share a name, a fact has no or more than two arguments, or
                names an object that is not in ``objects``.
        """
        universe: dict[str, Object] = {}
        for item in objects:
            if item.name in universe:
                raise ValueError(f"two objects are named {item.name!r}")
            universe[item.name] = item
        empty = cls(universe, {}, {})
        facts = tuple(facts)
        for fact in facts:
            if not 2 <= len(fact) <= 3:
                raise ValueError(f"a fact has one or two arguments: {fact!r}")
            for name in fact[1:]:
                if name not in universe:
                    raise ValueError(f"fact {fact!r} names an unknown object {name!r}")
        built = empty.change(add=facts)
        return cls(universe, built._unary, built._binary)

    @property
    def names(self) -> Iterable[str]:
        """All object names, in a fixed order."""
        return self.objects.keys()

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Return whether a fact is in the state or, if unary, a property of the object."""
        if len(args) == 1:
            if args[0] in self._unary.get(predicate, _EMPTY):
                return True
            item = self.objects.get(args[0])
            return item is not None and predicate in item.properties
        if len(args) == 2:
            return args[1] in self.targets(predicate, args[0])
        return False

    def targets(self, predicate: str, first: str) -> frozenset[str]:
        """Return all ``second`` with ``predicate(first, second)``."""
        table = self._binary.get(predicate)
        return _EMPTY if table is None else table.get(first, _EMPTY)

    def members(self, predicate: str) -> frozenset[str]:
        """Return the objects of a unary predicate. Properties are not included."""
        return self._unary.get(predicate, _EMPTY)

    def sources(self, predicate: str, second: str) -> frozenset[str]:
        """Return all ``first`` with ``predicate(first, second)``."""
        firsts = self._sources.get((predicate, second))
        if firsts is None:  # read from the whole table once, then kept up to date
            table = self._binary.get(predicate, {})
            firsts = frozenset([first for first, seconds in table.items() if second in seconds])
            self._sources[predicate, second] = firsts
        return firsts

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """Return the arguments of the facts that agree with ``args`` (None matches anything)."""
        if len(args) == 1:
            if args[0] is not None:
                return [(args[0],)] if self.holds(predicate, (args[0],)) else []
            stated = self._unary.get(predicate, _EMPTY)
            always = self._find_with_property(predicate)
            return [(name,) for name in (*always, *sorted(stated.difference(always)))]
        if len(args) == 2:
            first, second = args
            if first is not None:
                seconds = self.targets(predicate, first)
                if second is not None:
                    return [(first, second)] if second in seconds else []
                return [(first, name) for name in seconds]
            if second is not None:
                return [(name, second) for name in sorted(self.sources(predicate, second))]
            table = self._binary.get(predicate, {})
            return [(name, other) for name, others in table.items() for other in others]
        return []

    def _find_with_property(self, predicate: str) -> tuple[str, ...]:
        """Return the objects with a property; cached for all states over the same objects."""
        names = self._with_property.get(predicate)
        if names is None:
            names = tuple(n for n, item in self.objects.items() if predicate in item.properties)
            self._with_property[predicate] = names
        return names

    def facts(self) -> Iterator[Fact]:
        """Yield all facts except properties, sorted within each predicate."""
        for predicate in sorted(self._unary):
            for name in sorted(self._unary[predicate]):
                yield (predicate, name)
        for predicate in sorted(self._binary):
            table = self._binary[predicate]
            for first in sorted(table):
                for second in sorted(table[first]):
                    yield (predicate, first, second)

    def change(self, delete: Iterable[Fact] = (), add: Iterable[Fact] = ()) -> State:
        """Return the state with the facts ``delete`` removed, then ``add`` added.

        The result refers to this state and the change (``previous``, ``change_from``), so that
        viewers can show the changes of each action.
        """
        delete, add = tuple(delete), tuple(add)
        rows: dict[tuple[str, ...], set[str]] = {}
        for fact in delete:
            self._row(rows, fact).discard(fact[-1])
        for fact in add:
            self._row(rows, fact).add(fact[-1])

        unary = dict(self._unary)
        copied: dict[str, dict[str, frozenset[str]]] = {}
        for place, members in rows.items():
            if len(place) == 1:
                unary[place[0]] = frozenset(members)
                continue
            predicate, first = place
            if predicate not in copied:
                copied[predicate] = dict(self._binary.get(predicate, {}))
            if members:
                copied[predicate][first] = frozenset(members)
            else:
                copied[predicate].pop(first, None)
        result = State(self.objects, unary, {**self._binary, **copied} if copied else self._binary)
        result.previous = self
        result.change_from = (delete, add)
        result._with_property = self._with_property
        result._sources = self._sources
        if copied:
            result._sources = dict(self._sources)
            result._update_sources((*delete, *add))
        return result

    def _update_sources(self, changed: Iterable[Fact]) -> None:
        """Update the cache of :meth:`sources` for facts that may have changed."""
        known = self._sources
        for fact in changed:
            firsts = known.get((fact[0], fact[-1])) if len(fact) == 3 else None
            if firsts is not None:
                holds = fact[2] in self.targets(fact[0], fact[1])
                known[fact[0], fact[2]] = firsts | {fact[1]} if holds else firsts - {fact[1]}

    def _row(self, rows: dict[tuple[str, ...], set[str]], fact: Fact) -> set[str]:
        """Return the mutable copy of the row that ``fact`` is in."""
        place = fact[:-1]
        row = rows.get(place)
        if row is None:
            if len(place) == 1:
                row = set(self._unary.get(place[0], _EMPTY))
            else:
                row = set(self.targets(place[0], place[1]))
            rows[place] = row
        return row

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (
            self._nonempty_unary() == other._nonempty_unary()
            and self._nonempty_binary() == other._nonempty_binary()
            and self.objects == other.objects
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.facts()))
        return self._hash

    def __repr__(self) -> str:
        count = sum(map(len, self._unary.values()))
        count += sum(len(row) for table in self._binary.values() for row in table.values())
        return f"<State: {len(self.objects)} objects, {count} facts>"

    def _nonempty_unary(self) -> dict[str, frozenset[str]]:
        return {k: v for k, v in self._unary.items() if v}

    def _nonempty_binary(self) -> dict[str, dict[str, frozenset[str]]]:
        filled = {
            predicate: {first: row for first, row in table.items() if row}
            for predicate, table in self._binary.items()
        }
        return {predicate: table for predicate, table in filled.items() if table}


def rows_that_hold(
    structure: Structure, predicate: str, args: tuple[str | None, ...]
) -> list[tuple[str, ...]]:
    """Implement :meth:`~homebody.core.formula.Structure.match` by calling ``holds`` on all rows."""
    patterns = [structure.names if arg is None else (arg,) for arg in args]
    return [row for row in product(*patterns) if structure.holds(predicate, row)]
