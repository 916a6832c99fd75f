"""Constraints: which satisfied propositions do not count because of how they were satisfied.

Source: PARTNR paper, appendix A.4.4. Each constraint is judged by itself, from when and by what
each proposition was first satisfied and what holds at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from homebody.goals.partnr.model import (
    ArgumentConstraint,
    Constraint,
    Evaluation,
    SameArgConstraint,
    TemporalConstraint,
    ancestors,
)
from homebody.goals.partnr.truth import Matching, Values


@dataclass(slots=True)
class Record:
    """What a run has shown of one proposition.

    Attributes:
        at: The step in which it was first satisfied, from 0; None if it never was.
        names: All that it held of then.
        used: What satisfied it then, if it is tied.
        shared: The same, but places only if they would have sufficed by themselves.
        holds: Whether it holds now.
    """

    at: int | None = None
    names: frozenset[str] = frozenset()
    used: Values | None = None
    shared: Values | None = None
    holds: bool = False


Rule = Callable[[Sequence[Record]], list[int]]
"""Records, by proposition -> the propositions that the constraint does not let count."""


def compile_rules(evaluation: Evaluation, origins: Sequence[int], quirks: Set[str]) -> list[Rule]:
    """A rule for each constraint of an unrolled evaluation."""
    return [_rule(one, evaluation, origins, quirks) for one in evaluation.constraints]


def _rule(
    one: Constraint, evaluation: Evaluation, origins: Sequence[int], quirks: Set[str]
) -> Rule:
    if isinstance(one, TemporalConstraint):
        before = ancestors(one.edges) or {}
        waits = [
            (index, tuple(sorted(before[origin])))
            for index, origin in enumerate(origins)
            if before.get(origin)
        ]
        return lambda records: [
            index for index, earlier in waits if not _follows(records, index, earlier)
        ]
    if isinstance(one, ArgumentConstraint):
        same = isinstance(one, SameArgConstraint)
        tie = _same if same else _different
        single = "arguments_are_the_last_counted" in quirks
        members = []
        for index, name in zip(one.propositions, one.arguments, strict=True):
            proposition = evaluation.propositions[index]
            place = proposition.argument_names.index(name)
            # each thing that is counted takes part, but one place may do for all of them
            counted = place < len(proposition.numbers) and not single
            number = proposition.numbers[place] if counted else 1
            members.append((index, name, number, (origins[index], name) if counted else None))
        alike = _letters_in_common if "arguments_by_letters" in quirks else None

        def judge(records: Sequence[Record]) -> list[int]:
            found = []
            most: dict[tuple[int, str], _Things] = {}
            for index, name, number, kin in members:
                at = records[index].at
                values = records[index].shared if same else records[index].used
                if at is not None and values is not None:
                    listed = values[name]
                    things = listed, min(number, max(len(listed), 1))
                    found.append((at, index, things, kin))
                    if kin is not None and things[1] > most.get(kin, ((), 0))[1]:
                        most[kin] = things
            found.sort(key=lambda tied: tied[0])  # stable: at the same step as they are listed
            tied = [(i, things, most[kin] if kin else things) for _, i, things, kin in found]
            return tie(tied, alike)

        return judge
    ends = one.propositions
    return lambda records: [
        index for index in ends if records[index].at is not None and not records[index].holds
    ]


def _follows(records: Sequence[Record], index: int, earlier: Sequence[int]) -> bool:
    """Whether a proposition was satisfied later than all of the others. One that has not been
    satisfied does not count anyway: it is out of order only if the others have not been either."""
    at = records[index].at
    if at is None:
        return False
    return all((other := records[one].at) is not None and other < at for one in earlier)


_Things = tuple[tuple[str, ...], int]
"""Names, and how many of them are needed."""
_Tied = tuple[int, _Things, _Things]
"""A proposition, its things, and those of the largest number of the proposition that it is
unrolled from: of two cups that were filled one after the other, the first does not stand alone
for what is tied to both."""
_Alike = Callable[[str, str], bool]


def _same(tied: Sequence[_Tied], alike: _Alike | None) -> list[int]:
    """What satisfied the first has to be what satisfies the others."""
    wrong = []
    shared: tuple[str, ...] | None = None
    least = 1
    for index, (listed, number), (all_, most) in tied:
        if shared is None:
            shared, least = all_, most
            continue
        if alike is None:
            common = tuple(name for name in shared if name in listed)
        else:
            common = tuple(name for name in shared if any(alike(name, one) for one in listed))
        if len(common) < max(min(least, number), 1):
            wrong.append(index)
        else:
            shared = tuple(name for name in shared if name in common or name in all_)
            least = max(least, number)
    return wrong


def _different(tied: Sequence[_Tied], alike: _Alike | None) -> list[int]:
    """Each, in the order of time, needs names that the ones before can do without."""
    wrong = []
    if alike is None:
        matching = Matching()
        return [index for index, things, _ in tied if not matching.add(*things)]
    taken: list[str] = []
    for index, (listed, _), _ in tied:
        free = [name for name in listed if not any(alike(name, one) for one in taken)]
        if not free:
            wrong.append(index)
        taken += (free or list(listed))[:1]
    return wrong


def _letters_in_common(one: str, other: str) -> bool:
    return not set(one).isdisjoint(other)
