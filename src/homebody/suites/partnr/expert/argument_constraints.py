"""What of the alternatives goes with what has been chosen: ties, and being in one place only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from homebody.goals.partnr import SameArgConstraint
from homebody.goals.partnr.constraints import Satisfaction
from homebody.goals.partnr.evaluation_function import CLUSTERED
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.expert.requirements import Atom, Requirements
from homebody.suites.partnr.predicates import STATES
from homebody.worlds.house.simulation.relations import NEXT_TO, gap

LISTED = 80
"""Most alternatives of a list that are looked at, the first ones."""

Choice = tuple[Atom, ...]
"""What shall satisfy a proposition."""


@dataclass(frozen=True, slots=True)
class ArgumentConstraints:
    """The constraints on arguments of a run.

    Attributes:
        known: What the run has shown of each unrolled proposition.
        origins: Where each unrolled proposition is from.
    """

    requirements: Requirements
    known: Sequence[Satisfaction]
    origins: Sequence[int]

    def tied(self, index: int, name: str) -> bool:
        return any(
            (index, name) in zip(tie.propositions, tie.arguments, strict=True)
            for tie in self.requirements.ties
        )

    def with_the_same_place(self, index: int) -> list[int]:
        """The propositions whose second argument has to be that of this one."""
        found = []
        for tie in self.requirements.ties:
            names = dict(zip(tie.propositions, tie.arguments, strict=True))
            if isinstance(tie, SameArgConstraint) and names.get(index) == "receptacle_handles":
                found += [
                    other
                    for other, name in names.items()
                    if other != index
                    and name == "receptacle_handles"
                    and self.known[other].step is None
                ]
        return found

    def allowed(
        self, index: int, name: str, names: Sequence[str], chosen: Mapping[int, Choice]
    ) -> list[str]:
        """The alternatives of an argument that its ties leave."""
        found = list(dict.fromkeys(names))
        for tie in self.requirements.ties:
            members = list(zip(tie.propositions, tie.arguments, strict=True))
            if (index, name) not in members:
                continue
            same = isinstance(tie, SameArgConstraint)
            own = self.requirements.evaluation.propositions[index]
            for other, argument in members:
                if other == index:
                    used = self._used(other, argument, same) if same else []
                else:
                    used = self._used(other, argument, same) + self._planned(
                        other, argument, chosen
                    )
                for values in used:
                    if same:
                        left = [one for one in found if one in values]
                        if len(left) < own.number and argument != name:
                            continue
                        first = name == own.argument_names[0]
                        if first and len(values) < own.number:  # those, and others
                            left += [one for one in found if one not in values]
                    else:
                        left = [one for one in found if one not in values]
                        if not left or (len(values) > 1 and other not in chosen):
                            continue
                    found = left
        return found[:LISTED]

    def _used(self, index: int, name: str, same: bool) -> list[Sequence[str]]:
        """What has satisfied an argument of a proposition, for each of its unrolled parts."""
        found: list[Sequence[str]] = []
        for record, origin in zip(self.known, self.origins, strict=True):
            values = record.sufficient if same else record.arguments
            if origin == index and record.step is not None and values is not None:
                listed = values.get(name, ())
                if listed:
                    found.append(listed)
        return found

    def _planned(self, index: int, name: str, chosen: Mapping[int, Choice]) -> list[Sequence[str]]:
        atoms = chosen.get(index)
        if not atoms or self.known[index].step is not None:
            return []
        one = self.requirements.evaluation.propositions[index]
        place = one.argument_names.index(name)
        if one.predicate == CLUSTERED:
            inside = {thing for _, names in atoms for thing in names}
            return [[thing for thing in one.lists[place] if thing in inside]]
        return [list(dict.fromkeys(names[place] for _, names in atoms))]


def compatible(view: HouseView, name: str, one: Atom, other: Atom) -> bool:
    """Whether two atoms about a thing can hold at the same time."""
    if one[0] in STATES or other[0] in STATES:
        both = one[0] in STATES and other[0] in STATES
        a, b = STATES.get(one[0]), STATES.get(other[0])
        return not both or a is None or b is None or a[0] != b[0] or a[1] == b[1]
    if one == other or (view.true(one) and view.true(other)):
        return True
    first, second = _target(view, name, one), _target(view, name, other)
    if first is None or second is None or first == second:
        return True
    (kind, here), (sort, there) = first, second
    near = "is_next_to" in (one[0], other[0])
    if kind == sort == "piece":
        box = view.state.box
        return near and gap(box(here), box(there)) <= NEXT_TO
    if "floor" in (kind, sort):
        return near or "room" in (kind, sort)
    return view.room(here) == view.room(there)


def _target(view: HouseView, name: str, atom: Atom) -> tuple[str, str] | None:
    """What an atom says of where a thing is: a piece or a room; None if nothing is known."""
    predicate, names = atom
    house = view.state.house
    if predicate == "is_on_floor":
        return "floor", ""
    if predicate == "is_in_room":
        return ("room", names[1]) if names[1] in house.room else None
    other = names[0] if predicate == "is_next_to" and names[1] == name else names[1]
    return ("piece", other) if other in house.piece else None
