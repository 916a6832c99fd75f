"""Evaluates a proposition from the truth of its ground atoms, and finds the names that satisfy it.

A ground atom is a predicate and its arguments: ``("is_on_top", ("cup_1", "table_2"))``. An
``is_next_to`` with its own threshold has it as a third argument.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from homebody.core.ground.sharing import never_changes
from homebody.goals.partnr.evaluation_function import (
    CLUSTERED,
    MEMBERS,
    NEAR,
    PREDICATES,
    Proposition,
)

GroundAtom: TypeAlias = tuple[str, tuple[str | float, ...]]
Values: TypeAlias = Mapping[str, tuple[str, ...]]
"""Argument name -> the names that satisfied it, in the order of the lists."""


@never_changes
@dataclass(frozen=True, slots=True)
class CompiledProposition:
    """A proposition with numbered atoms. The numbers are positions in a table of truth values.

    Attributes:
        rows: For each object of the first list, its atoms with each name of the second list. For
            ``is_clustered``, the atoms of each object, by name, with each other object.
        names: The object of each row.
        others: The second list, as the columns of the rows.
        quirks: Names in :data:`.published.QUIRKS` that are kept.
    """

    proposition: Proposition
    rows: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    others: tuple[str, ...]
    quirks: Set[str]


def compile_proposition(
    proposition: Proposition, atoms: dict[GroundAtom, int], quirks: Set[str]
) -> CompiledProposition:
    """Number the atoms of a proposition and add the new ones to ``atoms``."""

    def number(*arguments: str) -> int:
        predicate = "is_next_to" if proposition.predicate == CLUSTERED else proposition.predicate
        if predicate == "is_next_to" and proposition.threshold != NEAR:
            return atoms.setdefault((predicate, (*arguments, proposition.threshold)), len(atoms))
        return atoms.setdefault((predicate, arguments), len(atoms))

    if proposition.predicate == CLUSTERED:
        things = tuple(dict.fromkeys(name for names in proposition.lists for name in names))
        # the diagonal is never read; -1 keeps the columns in line
        rows = tuple(tuple(-1 if a == b else number(a, b) for b in things) for a in things)
        return CompiledProposition(proposition, rows, things, things, quirks)
    repeated = "number_counts_pairs" in quirks
    lists = [names if repeated else tuple(dict.fromkeys(names)) for names in proposition.lists]
    if len(lists) == 1:
        return CompiledProposition(
            proposition, tuple((number(a),) for a in lists[0]), lists[0], (), quirks
        )
    table = tuple(tuple(number(a, b) for b in lists[1]) for a in lists[0])
    return CompiledProposition(proposition, table, lists[0], lists[1], quirks)


def is_true(compiled: CompiledProposition, truth: Sequence[bool]) -> bool:
    """Return whether the proposition holds."""
    if compiled.proposition.predicate == CLUSTERED:
        return _cluster(compiled, truth) is not None
    need = compiled.proposition.number
    rows = compiled.rows
    if "last_pair_suffices" in compiled.quirks and truth[rows[-1][-1]]:
        return True
    if compiled.proposition.same:
        for column in range(len(compiled.others)):
            count = 0
            for row in rows:
                if truth[row[column]]:
                    count += 1
                    if count >= need:
                        return True
        return False
    pairs = "number_counts_pairs" in compiled.quirks
    count = 0
    for row in rows:
        for atom in row:
            if truth[atom]:
                count += 1
                if count >= need:
                    return True
                if not pairs:
                    break
    return False


def values(compiled: CompiledProposition, truth: Sequence[bool], *, alone: bool = False) -> Values:
    """Return the names that satisfy each argument; see ``arguments_are_the_last_counted``.

    With ``alone``, the second argument lists only names that suffice for the whole number.
    """
    proposition = compiled.proposition
    if proposition.predicate == CLUSTERED:
        inside = _cluster(compiled, truth) or frozenset()
        return {
            f"{MEMBERS}_{i}": tuple(name for name in names if name in inside)
            for i, names in enumerate(proposition.lists)
        }
    need = compiled.proposition.number
    if "arguments_are_the_last_counted" in compiled.quirks:
        hits = _counted_hits(compiled, truth)[need - 1 : need]
    else:
        hits = _hits(compiled, truth)
    # too few for the number, and yet it holds
    hits = hits or [(len(compiled.rows) - 1, len(compiled.rows[-1]) - 1)]
    arguments = PREDICATES[proposition.predicate].arguments
    satisfying = {arguments[0]: tuple(dict.fromkeys(compiled.names[row] for row, _ in hits))}
    if compiled.others:
        places = Counter(compiled.others[column] for _, column in hits)
        enough = need if alone and "arguments_are_the_last_counted" not in compiled.quirks else 1
        satisfying[arguments[1]] = tuple(name for name, count in places.items() if count >= enough)
    return satisfying


def satisfiers(compiled: CompiledProposition, truth: Sequence[bool]) -> frozenset[str]:
    """Return all objects and places that satisfy a proposition that holds, without quirks."""
    if compiled.proposition.predicate == CLUSTERED:
        return _cluster(compiled, truth) or frozenset()
    hits = _hits(compiled, truth) or [(len(compiled.rows) - 1, len(compiled.rows[-1]) - 1)]
    things = {compiled.names[row] for row, _ in hits}
    return frozenset(things.union(compiled.others[column] for _, column in hits if compiled.others))


def _counted_hits(compiled: CompiledProposition, truth: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the true atoms that count: all atoms of the first full column, all pairs, or one atom
    for each row."""
    hits = _hits(compiled, truth)
    if compiled.proposition.same:
        column = hits[0][1] if hits else 0
        return [hit for hit in hits if hit[1] == column]
    if "number_counts_pairs" in compiled.quirks:
        return hits
    return list({row: (row, column) for row, column in reversed(hits)}.values())[::-1]


def _hits(compiled: CompiledProposition, truth: Sequence[bool]) -> list[tuple[int, int]]:
    """Return row and column of the true atoms. If they must share a column, only full columns
    count."""
    if not compiled.proposition.same:
        return [
            (i, j)
            for i, row in enumerate(compiled.rows)
            for j, atom in enumerate(row)
            if truth[atom]
        ]
    need, columns = compiled.proposition.number, []
    for column in range(len(compiled.others)):
        hits = [(i, column) for i, row in enumerate(compiled.rows) if truth[row[column]]]
        columns += hits if len(hits) >= need else []
    return columns


def _cluster(compiled: CompiledProposition, truth: Sequence[bool]) -> frozenset[str] | None:
    """Return the objects of a cluster, or None if there is no cluster."""
    rows, names = compiled.rows, compiled.names
    near = [
        [j for j in range(len(rows)) if j != i and (truth[rows[i][j]] or truth[rows[j][i]])]
        for i in range(len(rows))
    ]
    lists, numbers = compiled.proposition.lists, compiled.proposition.numbers
    if "clusters_are_connected" in compiled.quirks:
        for group in sorted(_components(near), key=len, reverse=True):
            inside = frozenset(names[i] for i in group)
            counts = [len(inside.intersection(list_names)) for list_names in lists]
            if all(count >= number for count, number in zip(counts, numbers, strict=True)):
                return inside
        return None
    inside = frozenset(names[i] for i, neighbours in enumerate(near) if neighbours)
    choices = [
        [name for name in list_names if name in inside]
        for list_names, number in zip(lists, numbers, strict=True)
        for _ in range(min(number, len(list_names) + 1))  # more than exist is never met
    ]
    return inside if count_matched(choices) == len(choices) else None


def _components(near: Sequence[Sequence[int]]) -> list[list[int]]:
    seen: set[int] = set()
    components = []
    for start in range(len(near)):
        if start in seen:
            continue
        group, seen = [start], seen | {start}
        for member in group:  # grows in the loop
            fresh = [neighbour for neighbour in near[member] if neighbour not in seen]
            seen.update(fresh)
            group += fresh
        components.append(group)
    return components


def count_matched(wanted: Sequence[Sequence[str]]) -> int:
    """Return the number of lists, counted in order, that can each have a different name."""
    matching = Matching()
    return sum(matching.add(options) for options in wanted)


class Matching:
    """Assigns a different name to each list, one list after the other, by augmenting paths."""

    def __init__(self) -> None:
        self._lists: list[Sequence[str]] = []
        self._owner: dict[str, int] = {}

    def add(self, options: Sequence[str], number: int = 1) -> bool:
        """Assign ``number`` names to a list, moving others; return False if that is impossible."""
        before = dict(self._owner)
        for _ in range(number):
            if not self._augment(options):
                self._owner = before
                return False
        return True

    def _augment(self, options: Sequence[str]) -> bool:
        start = len(self._lists)
        self._lists.append(options)
        came_from: dict[str, int] = {}
        queue = [start]
        for list_index in queue:  # breadth first; grows as we go
            for name in self._lists[list_index]:
                if name in came_from:
                    continue
                came_from[name] = list_index
                owner = self._owner.get(name)
                if owner is None:
                    self._take(name, came_from, start)
                    return True
                queue.append(owner)
        return False

    def _take(self, name: str, came_from: Mapping[str, int], start: int) -> None:
        held = {index: given for given, index in self._owner.items()}
        while True:
            index = came_from[name]
            self._owner[name] = index
            if index == start:
                return
            name = held[index]
