"""Compatibility of alternatives with earlier choices.

Two rules apply: the constraints on arguments, and that an object is in one place only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from homebody.goals.partnr import SameArgConstraint
from homebody.goals.partnr.constraints import Satisfaction
from homebody.goals.partnr.evaluation_function import CLUSTERED
from homebody.suites.partnr.episodes.predicates import STATES
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.expert.requirements import Atom, Requirements
from homebody.worlds.house.simulation.relations import NEXT_TO, gap

MAX_ALTERNATIVES = 80
"""Maximum number of alternatives of a list that are considered; the first are used."""

Choice = tuple[Atom, ...]
"""Atoms that shall satisfy a proposition."""


@dataclass(frozen=True, slots=True)
class ArgumentConstraints:
    """The constraints on arguments of a run.

    Attributes:
        satisfactions: State of each unrolled proposition in the run.
        origins: Index of the annotated proposition of each unrolled one.
    """

    requirements: Requirements
    satisfactions: Sequence[Satisfaction]
    origins: Sequence[int]

    def is_constrained(self, index: int, name: str) -> bool:
        """Return whether a constraint compares this argument of a proposition."""
        return any(
            (index, name) in zip(constraint.propositions, constraint.arguments, strict=True)
            for constraint in self.requirements.argument_constraints
        )

    def with_the_same_place(self, index: int) -> list[int]:
        """Return the propositions that must have the same second argument as this proposition."""
        others = []
        for constraint in self.requirements.argument_constraints:
            names = dict(zip(constraint.propositions, constraint.arguments, strict=True))
            if (
                isinstance(constraint, SameArgConstraint)
                and names.get(index) == "receptacle_handles"
            ):
                others += [
                    other
                    for other, name in names.items()
                    if other != index
                    and name == "receptacle_handles"
                    and self.satisfactions[other].step is None
                ]
        return others

    def allowed_values(
        self, index: int, name: str, names: Sequence[str], chosen: Mapping[int, Choice]
    ) -> list[str]:
        """Return the alternatives of an argument that satisfy the constraints on it."""
        alternatives = list(dict.fromkeys(names))
        for constraint in self.requirements.argument_constraints:
            members = list(zip(constraint.propositions, constraint.arguments, strict=True))
            if (index, name) not in members:
                continue
            same = isinstance(constraint, SameArgConstraint)
            own = self.requirements.evaluation.propositions[index]
            for other, argument in members:
                if other == index:
                    used = self._used_values(other, argument, same) if same else []
                else:
                    used = self._used_values(other, argument, same) + self._planned_values(
                        other, argument, chosen
                    )
                for values in used:
                    inside = [each for each in alternatives if each in values]
                    outside = [each for each in alternatives if each not in values]
                    if same:
                        if len(inside) < own.number and argument != name:
                            continue
                        first = name == own.argument_names[0]
                        several = first and len(values) < own.number  # those plus others
                        alternatives = inside + outside if several else inside
                    elif outside and (len(values) < 2 or other in chosen):
                        alternatives = outside
        return alternatives[:MAX_ALTERNATIVES]

    def _used_values(self, index: int, name: str, same: bool) -> list[Sequence[str]]:
        """Return the values that satisfied an argument, for each unrolled part of a proposition."""
        used: list[Sequence[str]] = []
        for satisfaction, origin in zip(self.satisfactions, self.origins, strict=True):
            values = satisfaction.sufficient if same else satisfaction.arguments
            if origin == index and satisfaction.step is not None and values is not None:
                names = values.get(name, ())
                if names:
                    used.append(names)
        return used

    def _planned_values(
        self, index: int, name: str, chosen: Mapping[int, Choice]
    ) -> list[Sequence[str]]:
        atoms = chosen.get(index)
        if not atoms or self.satisfactions[index].step is not None:
            return []
        proposition = self.requirements.evaluation.propositions[index]
        place = proposition.argument_names.index(name)
        if proposition.predicate == CLUSTERED:
            inside = {thing for _, names in atoms for thing in names}
            return [[thing for thing in proposition.lists[place] if thing in inside]]
        return [list(dict.fromkeys(names[place] for _, names in atoms))]


def is_compatible(view: HouseView, name: str, atom: Atom, other: Atom) -> bool:
    """Return whether two atoms about an object can hold at the same time."""
    if atom[0] in STATES or other[0] in STATES:
        both = atom[0] in STATES and other[0] in STATES
        state, other_state = STATES.get(atom[0]), STATES.get(other[0])
        return (
            not both
            or state is None
            or other_state is None
            or state[0] != other_state[0]
            or state[1] == other_state[1]
        )
    if atom == other or (view.is_true(atom) and view.is_true(other)):
        return True
    first, second = _target(view, name, atom), _target(view, name, other)
    if first is None or second is None or first == second:
        return True
    (kind, here), (other_kind, there) = first, second
    near = "is_next_to" in (atom[0], other[0])
    if kind == other_kind == "piece":
        box = view.state.box
        return near and gap(box(here), box(there)) <= NEXT_TO
    if "floor" in (kind, other_kind):
        return near or "room" in (kind, other_kind)
    return view.room(here) == view.room(there)


def _target(view: HouseView, name: str, atom: Atom) -> tuple[str, str] | None:
    """Return the furniture, room or floor that an atom puts an object at; None if unknown."""
    predicate, names = atom
    house = view.state.house
    if predicate == "is_on_floor":
        return "floor", ""
    if predicate == "is_in_room":
        return ("room", names[1]) if names[1] in house.room else None
    other = names[0] if predicate == "is_next_to" and names[1] == name else names[1]
    return ("piece", other) if other in house.piece else None
