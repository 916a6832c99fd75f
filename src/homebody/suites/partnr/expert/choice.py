"""The choice among alternatives: concrete objects and places for each proposition.

The choice is a bounded search over the propositions. The choices of a proposition are sorted by
cost: an atom that holds already costs nothing, and a near place costs little. A choice restricts
later choices: an object is in one place at a time, and argument constraints compare arguments
(PARTNR paper, A.4.4) with arguments that were already chosen or used. The first consistent set is
taken; propositions that the search cannot satisfy are omitted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from homebody.goals.partnr import DifferentArgConstraint, Proposition
from homebody.goals.partnr.constraints import Satisfaction
from homebody.goals.partnr.evaluation_function import CLUSTERED
from homebody.suites.partnr.episodes.predicates import STATES
from homebody.suites.partnr.expert.argument_constraints import (
    ArgumentConstraints,
    Choice,
    is_compatible,
)
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.expert.requirements import Atom, Requirements
from homebody.suites.partnr.expert.usual_places import is_usual_on
from homebody.worlds.house.simulation.relations import NEXT_TO, gap

MAX_NODES = 1_000
MAX_WIDTH = 40
"""Maximum number of choices for a proposition."""
GULF = 20.0
"""Cost of putting two objects that shall be next to each other on two adjacent pieces."""
FULL = 0.6
"""Share of a surface's free area up to which objects usually still fit."""
BANNED = 60.0
"""Cost of an atom that failed before."""
UNUSUAL = 1.0
"""Cost of furniture that is unusual for this kind of object: as much as 8 metres."""
CONFLICT = 8.0
"""Cost of an object that another proposition needs elsewhere at another time."""
KEPT = 12.0
"""Value of an earlier choice: an agent may already be on the way."""
EARLY = 30.0
"""Cost of satisfying a later proposition too early."""

_IMPOSSIBLE: Final = math.inf


@dataclass(slots=True)
class ChoiceSearch:
    """A search for choices.

    Attributes:
        argument_constraints: Constraints on arguments, with the state of the run.
        banned: Atoms that failed before.
        away: Objects held by somebody who may never put them down.
        previous: The last choices, kept if they are as good.
    """

    argument_constraints: ArgumentConstraints
    view: HouseView
    banned: Set[Atom] = frozenset()
    away: Set[str] = frozenset()
    previous: Mapping[int, Choice] = field(default_factory=dict)
    chosen: dict[int, Choice] = field(default_factory=dict)
    _of: dict[str, list[tuple[int, Atom]]] = field(default_factory=dict)
    _costs: dict[Atom, float] = field(default_factory=dict)
    _left: int = MAX_NODES

    def choose(self, wanted: Sequence[int]) -> Mapping[int, Choice]:
        """Return choices for propositions. Those without a consistent choice are omitted."""
        order = sorted(wanted, key=self._rank)
        if not self._search(order, 0, skip=False):
            self._left = MAX_NODES
            self.chosen.clear()
            self._of.clear()
            self._search(order, 0, skip=True)
        return dict(self.chosen)

    def _rank(self, index: int) -> tuple[bool, bool, int, int, int]:
        """Return the sort key of a proposition.

        Propositions that hold come first, then relations of proximity, so that places are chosen
        consistently. The others are sorted by their order, then by their number of alternatives."""
        proposition = self.requirements.evaluation.propositions[index]
        size = 1
        for names in proposition.lists:
            size *= len(names)
        near = proposition.predicate in ("is_next_to", CLUSTERED)
        return (
            not self.satisfactions[index].holds,
            not near,
            len(self.requirements.waits.get(index, ())),
            size,
            index,
        )

    def _search(self, order: Sequence[int], at: int, *, skip: bool) -> bool:
        if at == len(order):
            return True
        index = order[at]
        for atoms in self.choices(index):
            if self._left <= 0:
                return False
            self._left -= 1
            self._take(index, atoms)
            if self._search(order, at + 1, skip=skip):
                return True
            self._drop(index, atoms)
        return skip and self._search(order, at + 1, skip=True)

    def _take(self, index: int, atoms: Choice) -> None:
        self.chosen[index] = atoms
        for atom in atoms:
            self._of.setdefault(atom[1][0], []).append((index, atom))
            if atom[0] == "is_next_to":
                self._of.setdefault(atom[1][1], []).append((index, atom))

    def _drop(self, index: int, atoms: Choice) -> None:
        del self.chosen[index]
        for atom in reversed(atoms):
            self._of[atom[1][0]].pop()
            if atom[0] == "is_next_to":
                self._of[atom[1][1]].pop()

    @property
    def requirements(self) -> Requirements:
        """The requirements of the evaluation function."""
        return self.argument_constraints.requirements

    @property
    def satisfactions(self) -> Sequence[Satisfaction]:
        """The state of each unrolled proposition in the run."""
        return self.argument_constraints.satisfactions

    # -- choices for one proposition --------------------------------------------------------------

    def choices(self, index: int) -> Iterator[Choice]:
        """Yield choices for a proposition that fit the earlier choices, the cheapest first."""
        proposition = self.requirements.evaluation.propositions[index]
        if proposition.predicate == CLUSTERED:
            priced = self._clusters(index, proposition)
        elif len(proposition.lists) == 1:
            priced = self._things(index, proposition)
        else:
            priced = self._pairs(index, proposition)
        previous = self.previous.get(index)
        ranked = sorted(
            (cost - (KEPT if atoms == previous else 0.0), place, atoms)
            for place, (cost, atoms) in enumerate(priced)
            if cost < _IMPOSSIBLE
        )
        for _, _, atoms in islice(ranked, MAX_WIDTH):
            yield atoms

    def _things(self, index: int, proposition: Proposition) -> Iterator[tuple[float, Choice]]:
        name = proposition.argument_names[0]
        priced = sorted(
            (self._cost(index, (proposition.predicate, (thing,))), place, thing)
            for place, thing in enumerate(
                self.argument_constraints.allowed_values(
                    index, name, proposition.lists[0], self.chosen
                )
            )
        )
        yield from self._combine(
            proposition, [(cost, (proposition.predicate, (thing,))) for cost, _, thing in priced]
        )

    def _pairs(self, index: int, proposition: Proposition) -> Iterator[tuple[float, Choice]]:
        first, second = proposition.argument_names
        things = self.argument_constraints.allowed_values(
            index, first, proposition.lists[0], self.chosen
        )
        places = self.argument_constraints.allowed_values(
            index, second, proposition.lists[1], self.chosen
        )
        table = {
            (thing, place): self._cost(index, (proposition.predicate, (thing, place)))
            for thing in things
            for place in places
            if thing != place
        }
        if proposition.number == 1:
            for (thing, place), cost in table.items():
                yield cost, ((proposition.predicate, (thing, place)),)
            return
        if proposition.same or self.argument_constraints.is_constrained(index, second):
            for place in places:
                own = sorted(
                    (table[thing, place], at, thing)
                    for at, thing in enumerate(things)
                    if thing != place
                )
                crowd = 0.3 * max(0, proposition.number - 2)
                options = [
                    (cost + crowd, (proposition.predicate, (thing, place)))
                    for cost, _, thing in own
                ]
                yield from self._combine(proposition, options)
            return
        best = []
        for at, thing in enumerate(things):
            mine = [
                (table[thing, place], k, place) for k, place in enumerate(places) if thing != place
            ]
            if mine:
                cost, _, place = min(mine)
                best.append((cost, at, (proposition.predicate, (thing, place))))
        yield from self._combine(proposition, [(cost, atom) for cost, _, atom in sorted(best)])

    def _combine(
        self, proposition: Proposition, options: Sequence[tuple[float, Atom]]
    ) -> Iterator[tuple[float, Choice]]:
        """Yield combinations of the required number of options, varying the last one."""
        need = proposition.number
        if len(options) < need:
            return
        head = options[: need - 1]
        cost = sum(price for price, _ in head)
        for price, atom in options[need - 1 : need + MAX_WIDTH]:
            yield cost + price, (*(other for _, other in head), atom)

    def _clusters(self, index: int, proposition: Proposition) -> Iterator[tuple[float, Choice]]:
        lists = [
            self.argument_constraints.allowed_values(index, name, names, self.chosen)
            for name, names in zip(proposition.argument_names, proposition.lists, strict=True)
        ]
        middles = dict.fromkeys(name for names in lists for name in names)
        for middle in middles:
            taken, cost, enough = {middle}, 0.0, True
            atoms: list[Atom] = []
            home = next(k for k, names in enumerate(lists) if middle in names)
            for k, names in enumerate(lists):
                need = proposition.numbers[k] - (k == home)
                near = sorted(
                    (*self._join_cluster(index, name, middle, taken), at, name)
                    for at, name in enumerate(names)
                    if name not in taken
                )
                if len(near) < need:
                    enough = False
                    break
                for price, other, _, name in near[:need]:
                    taken.add(name)
                    cost += price
                    atoms.append(("is_next_to", (name, other)))
            if enough and atoms:
                yield cost, tuple(atoms)

    def _join_cluster(
        self, index: int, name: str, middle: str, others: Set[str]
    ) -> tuple[float, str]:
        """Return the cost of an object that joins a cluster, and its neighbour there."""
        for other in sorted(others):
            if self.view.is_true(("is_next_to", (name, other))):
                return self._cost(index, ("is_next_to", (name, other))), other
        return self._cost(index, ("is_next_to", (name, middle))), middle

    # -- what an atom costs -----------------------------------------------------------------------

    def _cost(self, index: int, atom: Atom) -> float:
        """Return the cost of making an atom true for a proposition; infinite if impossible."""
        own = self._costs.get(atom)
        if own is None:
            own = self._costs[atom] = self._base_cost(atom)
        if own == _IMPOSSIBLE:
            return own
        names = atom[1] if atom[0] == "is_next_to" else atom[1][:1]
        for name in names:
            for other, beside in self._of.get(name, ()):
                if beside == atom or other == index or is_compatible(self.view, name, atom, beside):
                    continue
                if self.requirements.is_simultaneous(index, other):
                    return _IMPOSSIBLE
                own += CONFLICT
        own += self._crowding_cost(index, atom) + self._separation_cost(index, atom)
        for constraint in self.requirements.argument_constraints:
            if index in constraint.propositions and isinstance(constraint, DifferentArgConstraint):
                own += EARLY * sum(
                    self.satisfactions[other].step is None
                    and self.requirements.evaluation.propositions[other].predicate == atom[0]
                    and self._is_implied(atom, self.requirements.evaluation.propositions[other])
                    for other in constraint.propositions
                    if other != index
                )
        for later, before in self.requirements.predecessors.items():
            if (
                index in before
                and self.satisfactions[later].step is None
                and self._is_implied(atom, self.requirements.evaluation.propositions[later])
            ):
                own += EARLY
        return own

    def _base_cost(self, atom: Atom) -> float:
        view = self.view
        if view.is_true(atom):
            return 0.0
        if not view.can_become_true(atom):
            return _IMPOSSIBLE
        predicate, names = atom
        cost = 2.0 + (BANNED if atom in self.banned or names[0] in self.away else 0.0)
        if view.closed_around(names[0]):
            cost += 0.5
        if predicate in STATES or len(names) < 2:
            return cost
        cost += view.distance(*names) / 8.0
        thing, piece = view.state.house.thing.get(names[0]), view.state.house.piece.get(names[1])
        if thing is not None and piece is not None:
            cost += UNUSUAL * (not is_usual_on(thing.category, piece.category))
        if predicate in ("is_on_top", "is_inside"):
            relation = view.relations(*atom)[0]
            cost += 2.0 * view.crowding(relation, names[1])
        return cost

    def _separation_cost(self, index: int, atom: Atom) -> float:
        """Return the cost of putting an object away from the objects that it must be next to."""
        if atom[0] not in ("is_on_top", "is_inside", "is_in_room"):
            return 0.0
        name, target = atom[1]
        cost = 0.0
        for near, (predicate, names) in self._of.get(name, ()):
            if predicate != "is_next_to":
                continue
            other = names[0] if names[1] == name else names[1]
            for place, (_, (thing, *at)) in self._of.get(other, ()):
                if thing != other or not at or at[0] == target or at[0] == name:
                    continue
                if not self.requirements.is_simultaneous(index, place) and near != place:
                    continue
                cost += self._gap_cost(target, at[0])
        return cost

    def _gap_cost(self, piece: str, other: str) -> float:
        house, box = self.view.state.house, self.view.state.box
        if piece not in house.piece or other not in house.piece:
            return 0.0 if self.view.room(piece) == self.view.room(other) else _IMPOSSIBLE
        return GULF if gap(box(piece), box(other)) <= NEXT_TO else _IMPOSSIBLE

    def _crowding_cost(self, index: int, atom: Atom) -> float:
        """Return the cost of a surface that other objects need, too. The cost is high if the
        surface gets full."""
        view, (predicate, names) = self.view, atom
        if predicate not in ("is_on_top", "is_inside") or self._costs[atom] == 0.0:
            return 0.0
        name, target = names
        coming = {
            thing
            for atoms in self.chosen.values()
            for kind, (thing, *other_names) in atoms
            if kind == predicate
            and other_names == [target]
            and not view.is_true((kind, (thing, target)))
        }
        for other in self.argument_constraints.with_the_same_place(index):
            if other not in self.chosen:
                coming.add(self.requirements.evaluation.propositions[other].lists[0][0])
        coming.discard(name)
        sizes = view.state.house.thing
        need = sum(
            sizes[thing].size[0] * sizes[thing].size[1]
            for thing in (name, *coming)
            if thing in sizes
        )
        room = view.vacant_area(view.relations(predicate, names)[0], target) if coming else need
        return 0.2 * len(coming) + (CONFLICT if need > FULL * room and coming else 0.0)

    def _is_implied(self, atom: Atom, later: Proposition) -> bool:
        """Return whether making an atom true helps to satisfy a later proposition."""
        predicate, names = atom
        if later.predicate in STATES or not any(names[0] in listed for listed in later.lists):
            return False
        if later.predicate == predicate:
            return len(names) < 2 or names[1] in later.lists[-1]
        if later.predicate == "is_in_room" and predicate in ("is_on_top", "is_inside"):
            return self.view.room(names[1]) in later.lists[1]
        return False
