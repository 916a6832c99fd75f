"""Constraints: they exclude propositions because of the way in which these were satisfied.

Source: PARTNR paper, appendix A.4.4. Each constraint is judged separately. The judgement depends on
the step at which each proposition was first satisfied, on the objects and places that satisfied it,
and on the state at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import partial

from homebody.goals.partnr.evaluation_function import (
    ArgumentConstraint,
    Constraint,
    Evaluation,
    SameArgConstraint,
    TemporalConstraint,
    ancestors,
)
from homebody.goals.partnr.truth import Matching, Values


@dataclass(slots=True)
class Satisfaction:
    """The satisfaction of a proposition in a run so far.

    Attributes:
        step: The step in which it was first satisfied, from 0, or None.
        things: All objects and places that satisfied it at that step.
        arguments: The names that satisfied each argument at that step, if a constraint compares
            arguments.
        sufficient: The same as ``arguments``, but a place is only included if it would suffice
            alone.
        holds: True if it holds now.
    """

    step: int | None = None
    things: frozenset[str] = frozenset()
    arguments: Values | None = None
    sufficient: Values | None = None
    holds: bool = False


Rule = Callable[[Sequence[Satisfaction]], list[int]]
"""Maps satisfactions, by proposition, to the propositions that the constraint excludes."""


def compile_rules(evaluation: Evaluation, origins: Sequence[int], quirks: Set[str]) -> list[Rule]:
    """Return a rule for each constraint of an unrolled evaluation function."""
    return [
        _compile_rule(constraint, evaluation, origins, quirks)
        for constraint in evaluation.constraints
    ]


def _compile_rule(
    constraint: Constraint, evaluation: Evaluation, origins: Sequence[int], quirks: Set[str]
) -> Rule:
    if isinstance(constraint, TemporalConstraint):
        return _order_rule(constraint, origins)
    if isinstance(constraint, ArgumentConstraint):
        return _argument_rule(constraint, evaluation, origins, quirks)
    return partial(_terminal_rule, constraint.propositions)


def _terminal_rule(ends: Sequence[int], satisfactions: Sequence[Satisfaction]) -> list[int]:
    return [
        index
        for index in ends
        if satisfactions[index].step is not None and not satisfactions[index].holds
    ]


def _order_rule(constraint: TemporalConstraint, origins: Sequence[int]) -> Rule:
    before = ancestors(constraint.edges) or {}
    waits = tuple(
        (index, tuple(sorted(before[origin])))
        for index, origin in enumerate(origins)
        if before.get(origin)
    )
    return partial(_find_out_of_order, waits)


def _find_out_of_order(
    waits: Sequence[tuple[int, tuple[int, ...]]], satisfactions: Sequence[Satisfaction]
) -> list[int]:
    return [index for index, earlier in waits if not _is_later(satisfactions, index, earlier)]


def _is_later(satisfactions: Sequence[Satisfaction], index: int, earlier: Sequence[int]) -> bool:
    """Return whether a proposition was satisfied later than all of the others."""
    step = satisfactions[index].step
    if step is None:
        return False
    steps_before = (satisfactions[other].step for other in earlier)
    return all(before is not None and before < step for before in steps_before)


_Needed = tuple[tuple[str, ...], int]
"""Names that satisfied an argument, and the required number of names."""
_Member = tuple[int, _Needed, _Needed]
"""A proposition, its names with the required number, and the largest required number of all
propositions with the same origin."""
_SameName = Callable[[str, str], bool]
_Argument = tuple[int, str, int, tuple[int, str] | None]
"""A proposition, the name of its argument, the number of objects, and the index of the original
proposition."""


def _argument_rule(
    constraint: ArgumentConstraint, evaluation: Evaluation, origins: Sequence[int], quirks: Set[str]
) -> Rule:
    same = isinstance(constraint, SameArgConstraint)
    arguments = []
    for index, name in zip(constraint.propositions, constraint.arguments, strict=True):
        proposition = evaluation.propositions[index]
        place = proposition.argument_names.index(name)
        # each counted thing takes part, but one place may serve all of them
        counted = (
            place < len(proposition.numbers) and "arguments_are_the_last_counted" not in quirks
        )
        number = proposition.numbers[place] if counted else 1
        arguments.append((index, name, number, (origins[index], name) if counted else None))
    alike = _has_common_letter if "arguments_by_letters" in quirks else None
    return partial(_find_wrong_arguments, same, tuple(arguments), alike)


def _find_wrong_arguments(
    same: bool,
    arguments: Sequence[_Argument],
    alike: _SameName | None,
    satisfactions: Sequence[Satisfaction],
) -> list[int]:
    satisfied = []
    largest: dict[tuple[int, str], _Needed] = {}
    for index, name, number, origin in arguments:
        step = satisfactions[index].step
        values = satisfactions[index].sufficient if same else satisfactions[index].arguments
        if step is not None and values is not None:
            names = values[name]
            needed = names, min(number, max(len(names), 1))
            satisfied.append((step, index, needed, origin))
            if origin is not None and needed[1] > largest.get(origin, ((), 0))[1]:
                largest[origin] = needed
    satisfied.sort(key=lambda member: member[0])  # stable: listed order within a step
    members = [
        (index, needed, largest[origin] if origin else needed)
        for _, index, needed, origin in satisfied
    ]
    return _find_not_same(members, alike) if same else _find_not_different(members, alike)


def _find_not_same(members: Sequence[_Member], alike: _SameName | None) -> list[int]:
    """Return members without enough names in common with the first."""
    wrong = []
    shared: tuple[str, ...] | None = None
    least = 1
    for index, (names, number), (largest_names, largest_number) in members:
        if shared is None:
            shared, least = largest_names, largest_number
            continue
        if alike is None:
            common = tuple(name for name in shared if name in names)
        else:
            common = tuple(name for name in shared if any(alike(name, other) for other in names))
        if len(common) < max(min(least, number), 1):
            wrong.append(index)
        else:
            shared = tuple(name for name in shared if name in common or name in largest_names)
            least = max(least, number)
    return wrong


def _find_not_different(members: Sequence[_Member], alike: _SameName | None) -> list[int]:
    """Return the members that need names which earlier satisfied members already use."""
    wrong = []
    if alike is None:
        matching = Matching()
        return [index for index, needed, _ in members if not matching.add(*needed)]
    taken: list[str] = []
    for index, (names, _), _ in members:
        free = [name for name in names if not any(alike(name, other) for other in taken)]
        if not free:
            wrong.append(index)
        taken += (free or list(names))[:1]
    return wrong


def _has_common_letter(name: str, other: str) -> bool:
    return not set(name).isdisjoint(other)
