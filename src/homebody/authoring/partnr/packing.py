"""Completes an evaluation function with the parts that follow by rule.

A model or a person writes the propositions, their ordered groups, and the arguments that must be
the same or different. The rest is added as in the published datasets: dependencies, and the
propositions that must hold at the end (PARTNR paper, appendices A.4.3 and A.4.6).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from homebody.goals.partnr import (
    PREDICATES,
    ArgumentConstraint,
    Constraint,
    Dependency,
    Evaluation,
    Proposition,
    TerminalSatisfactionConstraint,
    check,
    order_of_groups,
)
from homebody.suites.partnr.episodes.predicates import OPPOSITES

PLACEMENTS: Final = frozenset({"is_on_floor", "is_inside", "is_on_top", "is_in_room"})
NEARNESS: Final = frozenset({"is_next_to", "is_clustered"})
_AFTER_PLACEMENTS: Final = dict.fromkeys(PLACEMENTS, PLACEMENTS | NEARNESS)
"""A second placement counts only after the first."""
_AFTER_OPPOSITES: Final = {state: (opposite,) for state, opposite in OPPOSITES.items()}
"""A state counts only after the opposite one that was required before."""
Groups = Sequence[Sequence[int]]


def complete(
    propositions: Sequence[Proposition],
    groups: Groups = (),
    same_or_different: Iterable[ArgumentConstraint] = (),
) -> Evaluation:
    """Return an evaluation function with the dependencies and terminal constraint that its parts
    imply.

    Args:
        propositions: Propositions that have to become true.
        groups: Their indices in ordered groups; every index occurs once. Empty for a single
            group of all.
        same_or_different: Argument constraints. Constraints without effect are omitted.

    Raises:
        EvaluationError: it is too large, or an index or argument does not exist.
    """
    together = repair_groups(propositions, groups or [range(len(propositions))])
    order = order_of_groups(together)
    kept = tuple(
        constraint for constraint in same_or_different if matters(constraint, propositions)
    )
    dependencies = tuple(
        dict.fromkeys(
            (
                *_nearness_dependencies(propositions, together),
                *_later_dependencies(propositions, together, _AFTER_PLACEMENTS),
                *_floor_dependencies(propositions, together),
                *_later_dependencies(propositions, together, _AFTER_OPPOSITES),
            )
        )
    )
    passing = _passing_propositions(dependencies)
    ends = tuple(index for index in range(len(propositions)) if index not in passing)
    constraints: tuple[Constraint, ...] = (*kept, TerminalSatisfactionConstraint(ends))
    if order.edges:
        constraints = (order, *constraints)
    return check(Evaluation(tuple(propositions), dependencies, constraints))


def repair_groups(propositions: Sequence[Proposition], groups: Groups) -> list[list[int]]:
    """Move each ``is_next_to`` into the nearest group that places its objects; of two equally near
    groups, the earlier. Models often put it into a wrong group."""
    mended_groups = [list(group) for group in groups]
    for number, group in enumerate(groups):
        for index in group:
            if propositions[index].predicate not in NEARNESS:
                continue
            near = sorted(range(len(groups)), key=lambda other: (abs(other - number), other))
            homes = (
                other
                for other in near
                if _places(propositions, groups[other], things(propositions[index]))
            )
            home = next(homes, number)
            if home != number:
                mended_groups[number].remove(index)
                mended_groups[home].append(index)
    return [group for group in mended_groups if group]


def things(proposition: Proposition) -> frozenset[str]:
    """Return the objects that a proposition is about: all alternatives of its first argument, or of
    all arguments for nearness."""
    lists = proposition.lists if proposition.predicate in NEARNESS else proposition.lists[:1]
    return frozenset(name for names in lists for name in names)


def matters(constraint: ArgumentConstraint, propositions: Sequence[Proposition]) -> bool:
    """Return whether a constraint has an effect: it is on several propositions, and one of them
    leaves a choice."""
    if len(constraint.propositions) < 2:
        return False
    for index, name in zip(constraint.propositions, constraint.arguments, strict=False):
        if 0 <= index < len(propositions) and name in propositions[index].argument_names:
            place = propositions[index].argument_names.index(name)
            if len(propositions[index].lists[place]) > 1:
                return True
    return False


def argument_name(proposition: Proposition, place: int) -> str:
    """Return the published name of an argument by its index. Raises IndexError without one."""
    if place < 0:
        raise IndexError(place)
    return (
        proposition.argument_names[place]
        if proposition.predicate in NEARNESS
        else _name(proposition, place)
    )


def _name(proposition: Proposition, place: int) -> str:
    return PREDICATES[proposition.predicate].arguments[place]


def _places(
    propositions: Sequence[Proposition],
    group: Iterable[int],
    names: Collection[str],
    predicates: Collection[str] = PLACEMENTS,
) -> list[int]:
    """Return the propositions of a group that are about some of these objects."""
    wanted = frozenset(names)
    return [
        index
        for index in group
        if propositions[index].predicate in predicates and things(propositions[index]) & wanted
    ]


def _nearness_dependencies(propositions: Sequence[Proposition], groups: Groups) -> list[Dependency]:
    """Return dependencies by which nearness counts while the objects are at their places."""
    dependencies = []
    for group in groups:
        for index in group:
            if propositions[index].predicate in NEARNESS:
                places = _places(propositions, group, things(propositions[index]))
                if places:
                    dependencies.append(
                        Dependency((index,), tuple(sorted(places)), "while_satisfied", "any")
                    )
    return dependencies


def _later_dependencies(
    propositions: Sequence[Proposition], groups: Groups, earlier: Mapping[str, Collection[str]]
) -> list[Dependency]:
    """Return dependencies by which propositions count only after earlier ones about the same thing.

    Args:
        earlier: Predicate -> the predicates after which it counts.
    """
    return [
        dependency
        for number, group in enumerate(groups)
        for index in group
        if propositions[index].predicate in earlier
        for name in propositions[index].lists[0]
        for dependency in _dependency_after(
            propositions, groups[:number], index, name, earlier[propositions[index].predicate]
        )
    ]


def _dependency_after(
    propositions: Sequence[Proposition],
    groups: Groups,
    index: int,
    name: str,
    predicates: Collection[str],
) -> list[Dependency]:
    for group in reversed(groups):  # the latest step with it
        places = _places(propositions, group, (name,), predicates)
        if places:
            return [Dependency((index,), tuple(sorted(places)), "after_satisfied", "any")]
    return []


def _floor_dependencies(propositions: Sequence[Proposition], groups: Groups) -> list[Dependency]:
    """Return dependencies by which being on the floor counts while the object is in the required
    room."""
    dependencies = []
    for group in groups:
        for index in group:
            if propositions[index].predicate == "is_on_floor":
                rooms = _places(propositions, group, things(propositions[index]), ("is_in_room",))
                if rooms:
                    dependencies.append(
                        Dependency((index,), tuple(sorted(rooms)), "while_satisfied")
                    )
    return dependencies


def _passing_propositions(dependencies: Iterable[Dependency]) -> frozenset[int]:
    """Return the propositions that need not hold at the end: earlier steps, and propositions that
    count only during earlier steps."""
    listed = list(dependencies)
    earlier = {
        index
        for dependency in listed
        if dependency.relation == "after_satisfied"
        for index in dependency.depends_on
    }
    during = {
        index
        for dependency in listed
        if dependency.relation == "while_satisfied" and earlier & set(dependency.depends_on)
        for index in dependency.propositions
    }
    return frozenset(earlier | during)
