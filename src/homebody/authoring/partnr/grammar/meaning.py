"""The meaning of an instruction of the built-in author, before it is put into words.

A meaning is a list of groups of steps. The steps of a group may be done in any order, and each
group comes after the previous one. Steps are about *referents*. A referent is a description and
stands for everything in this house that matches it. The evaluation function (:func:`evaluate`) is
computed from the meaning alone, so it has exactly the meaning of the sentence: "a cup" is any cup,
and "the table" is any table that matches the description.

Appendices A.4.2 to A.4.4 of the PARTNR paper define the form of evaluation functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from homebody.goals.partnr import (
    Constraint,
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    Proposition,
    SameArgConstraint,
    TerminalSatisfactionConstraint,
    check,
    order_of_groups,
)
from homebody.suites.partnr.episodes.predicates import STATES

PREDICATES = {state: predicate for predicate, state in STATES.items()}
"""A state and its value -> the predicate that requires it."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A description of places.

    Attributes:
        kind: ``furniture``, ``room``, ``floor``, ``container``, or ``back`` for where each object
            was at first.
        word: Category or class word of furniture, kind of room, category of a container.
        relation: ``on`` or ``within``; empty for rooms.
        names: Everything that matches it: furniture, floors, containers or rooms.
        room: Kind of room that the description adds, or an empty string.
        unique: True if the room distinguishes it from other places with the same word.
    """

    kind: str
    word: str
    relation: str
    names: tuple[str, ...]
    room: str = ""
    unique: bool = False


@dataclass(frozen=True, slots=True)
class Things:
    """A description of objects, or of pieces of furniture whose state changes.

    Attributes:
        word: Category or class word.
        names: All objects that match the description.
        number: The required number of them.
        where: Their initial place, if the instruction states it.
        state: An initial state that the instruction states (``dirty``), or an empty string.
        room: Kind of room that the description of furniture adds, or an empty string.
        telling: True if ``where``, ``state`` or ``room`` distinguishes them from others.
        furniture: True if they are furniture.
        but: A category of the class that the instruction excludes, or an empty string.
    """

    word: str
    names: tuple[str, ...]
    number: int
    where: Spot | None = None
    state: str = ""
    room: str = ""
    telling: bool = False
    furniture: bool = False
    but: str = ""

    @property
    def all(self) -> bool:
        """True if all matching objects are required."""
        return self.number == len(self.names)


@dataclass(frozen=True, slots=True)
class Put:
    """A step that brings objects somewhere.

    Attributes:
        things: The objects.
        spot: The target.
        together: ``same`` (all at the same place), ``one`` (also at the same place, because the
            words name a single place: "the table"), ``different`` (each at a different place),
            ``near`` (next to each other), or an empty string (each at any of the places).
        beside: An object at the target next to which they are put.
        same_place_as: The (group, step) that must use the same place, if it has alternatives.
        swap: True for two consecutive steps that exchange the objects of two places.
        people: For how many people a table is set; each gets one of the things. Otherwise 0.
    """

    things: tuple[Things, ...]
    spot: Spot
    together: str = ""
    beside: Things | None = None
    same_place_as: tuple[int, int] | None = None
    swap: bool = False
    people: int = 0


@dataclass(frozen=True, slots=True)
class Switch:
    """A step that changes a state of objects or furniture."""

    things: tuple[Things, ...]
    state: str
    value: bool


Step = Put | Switch


def do_overlap(step: Step, other: Step) -> bool:
    """Return whether two steps share some objects, but not all."""
    names = [{name for things in it.things for name in things.names} for it in (step, other)]
    return names[0] != names[1] and bool(names[0] & names[1])


def moved_again(steps: Sequence[Step]) -> frozenset[str]:
    """Return the objects that several steps move."""
    puts = [step for step in steps if isinstance(step, Put)]
    names = Counter(name for step in puts for things in step.things for name in things.names)
    return frozenset(name for name, count in names.items() if count > 1)


@dataclass(frozen=True)
class Meaning:
    """The groups of steps of a task.

    Attributes:
        groups: Groups of steps, in their order.
        origins: Object -> its initial piece or floor, and the relation.
    """

    groups: tuple[tuple[Step, ...], ...]
    origins: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def steps(self) -> list[Step]:
        """All steps, in the order of their groups."""
        return [step for group in self.groups for step in group]


@dataclass(slots=True)
class _Sheet:
    """The propositions so far, with their groups, steps and constraints."""

    propositions: list[Proposition] = field(default_factory=list)
    dependencies: list[Dependency] = field(default_factory=list)
    argument_constraints: list[Constraint] = field(default_factory=list)
    groups: list[list[int]] = field(default_factory=list)
    steps: list[tuple[Step, range]] = field(default_factory=list)
    undone: set[int] = field(default_factory=set)

    def add(self, proposition: Proposition) -> int:
        self.propositions.append(proposition)
        self.groups[-1].append(len(self.propositions) - 1)
        return len(self.propositions) - 1


def evaluate(meaning: Meaning) -> Evaluation:
    """Return the evaluation function of a meaning. Raises EvaluationError if it breaks a rule."""
    sheet = _write_sheet(meaning)
    ends = tuple(i for i in range(len(sheet.propositions)) if i not in sheet.undone)
    order = order_of_groups(sheet.groups)
    constraints: list[Constraint] = [order] if order.edges else []
    constraints += sheet.argument_constraints
    constraints.append(TerminalSatisfactionConstraint(ends))
    return check(
        Evaluation(tuple(sheet.propositions), tuple(sheet.dependencies), tuple(constraints))
    )


def assign_propositions(
    meaning: Meaning, whose: Sequence[tuple[str, Step]]
) -> dict[str, tuple[int, ...]]:
    """Return a mapping from an agent to the propositions of the steps that ``whose`` assigns to
    it."""
    steps = _write_sheet(meaning).steps if whose else []
    own: dict[str, tuple[int, ...]] = {}
    for agent, step in whose:
        made = next(indices for other, indices in steps if other is step)
        own[agent] = (*own.get(agent, ()), *made)
    return own


def _write_sheet(meaning: Meaning) -> _Sheet:
    """Return the propositions of a meaning, and the indices that belong to each step."""
    sheet = _Sheet()
    put: dict[str, list[int]] = {}  # object -> propositions about where it was put last
    switched: dict[tuple[str, str], list[int]] = {}
    places: dict[tuple[int, int], list[int]] = {}
    subsets: dict[tuple[tuple[str, ...], int], list[int]] = {}
    for number, group in enumerate(meaning.groups):
        sheet.groups.append([])
        moved: dict[str, list[int]] = {}
        for index, step in enumerate(group):
            first = len(sheet.propositions)
            if isinstance(step, Put):
                where, made = _put(sheet, step, meaning)
                places[number, index] = where
                if step.same_place_as is not None and len(step.spot.names) > 1:
                    _require_same(sheet, [*places[step.same_place_as], *where], 1)
                for things in step.things:
                    for name in things.names:
                        moved.setdefault(name, []).extend(made)
                    if not things.all:
                        own = [i for i in made if sheet.propositions[i].lists[0] == things.names]
                        subsets.setdefault((things.names, things.number), []).extend(own)
            else:
                _switch(sheet, step, switched, subsets)
            sheet.steps.append((step, range(first, len(sheet.propositions))))
        for name, made in moved.items():
            before = put.get(name)
            if before:
                sheet.undone.update(before)
                _require_order(sheet, made, before)
            put[name] = made
    for indices in subsets.values():
        if len(indices) > 1:
            _require_same(sheet, indices, 0)
    return sheet


def _put(sheet: _Sheet, step: Put, meaning: Meaning) -> tuple[list[int], list[int]]:
    """Add the propositions of a step; return indices of the placements, and of all its
    propositions."""
    where: list[int] = []
    floor: list[int] = []
    for things in step.things:
        each = [(name,) for name in things.names] if things.all else [things.names]
        for names in each:
            predicate, places = _predicate(step.spot, names[0], meaning)
            number = 1 if things.all else things.number
            same = step.together in ("same", "one") and number > 1 and len(places) > 1
            where.append(sheet.add(Proposition(predicate, (names, places), (number,), same)))
            if step.spot.kind == "floor":  # in the room, and not on something there
                floor.append(sheet.add(Proposition("is_on_floor", (names,), (number,))))
    made = [*where, *floor]
    every = [name for things in step.things for name in things.names]
    if step.together in ("same", "one") and len(step.spot.names) > 1:
        _require_same(sheet, where, 1)
    elif step.together == "different":
        names = tuple(sheet.propositions[i].argument_names[1] for i in where)
        sheet.argument_constraints.append(DifferentArgConstraint(tuple(where), names))
    elif step.together == "near":
        if len(every) == 2:
            near = Proposition("is_next_to", ((every[0],), (every[1],)))
        else:
            near = Proposition("is_clustered", tuple((name,) for name in every), (1,) * len(every))
        made.append(sheet.add(near))
        sheet.dependencies.append(Dependency((made[-1],), tuple(where), "while_satisfied"))
    if step.beside is not None:
        for place, name in zip(where, every, strict=True):
            made.append(sheet.add(Proposition("is_next_to", ((name,), step.beside.names))))
            sheet.dependencies.append(Dependency((made[-1],), (place,), "while_satisfied"))
    return where, made


def _predicate(spot: Spot, name: str, meaning: Meaning) -> tuple[str, tuple[str, ...]]:
    if spot.kind == "room":
        return "is_in_room", spot.names
    if spot.kind == "floor":
        return "is_in_room", tuple(name.removeprefix("floor_") for name in spot.names)
    if spot.kind == "back":
        piece, relation = meaning.origins[name]
        return ("is_inside" if relation == "within" else "is_on_top"), (piece,)
    return ("is_inside" if spot.relation == "within" else "is_on_top"), spot.names


def _switch(
    sheet: _Sheet,
    step: Switch,
    switched: dict[tuple[str, str], list[int]],
    subsets: dict[tuple[tuple[str, ...], int], list[int]],
) -> None:
    predicate = PREDICATES[step.state, step.value]
    for things in step.things:
        each = [(name,) for name in things.names] if things.all else [things.names]
        for names in each:
            number = 1 if things.all else things.number
            made = sheet.add(Proposition(predicate, (names,), (number,)))
            if not things.all:
                subsets.setdefault((things.names, things.number), []).append(made)
                continue
            before = switched.get((names[0], step.state))
            if before:
                sheet.undone.update(before)
                _require_order(sheet, [made], before)
            switched[names[0], step.state] = [made]


def _require_order(sheet: _Sheet, later: list[int], earlier: list[int]) -> None:
    """Add dependencies by which later propositions count only after the earlier ones hold; each
    dependency is added once."""
    gate = Dependency(tuple(dict.fromkeys(later)), tuple(dict.fromkeys(earlier)), "after_satisfied")
    if gate not in sheet.dependencies:
        sheet.dependencies.append(gate)


def _require_same(sheet: _Sheet, indices: list[int], argument: int) -> None:
    """Require the same argument in several propositions. An existing constraint on one of them is
    extended."""
    for place, constraint in enumerate(sheet.argument_constraints):
        if isinstance(constraint, SameArgConstraint) and set(constraint.propositions) & set(
            indices
        ):
            arguments = dict(zip(constraint.propositions, constraint.arguments, strict=True))
            names = {i: sheet.propositions[i].argument_names[argument] for i in indices}
            if all(arguments.get(i, name) == name for i, name in names.items()):
                joined = {**arguments, **names}
                sheet.argument_constraints[place] = replace(
                    constraint, propositions=tuple(joined), arguments=tuple(joined.values())
                )
                return
    if len(indices) > 1:
        names_of = tuple(sheet.propositions[i].argument_names[argument] for i in indices)
        sheet.argument_constraints.append(SameArgConstraint(tuple(indices), names_of))
