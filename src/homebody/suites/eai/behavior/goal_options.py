"""Options of BEHAVIOR's goals, and the choice of the option that a prediction is compared with.

The goal of a task is a list of conditions with quantifiers, the prediction a list of literals. An
option of a condition is a conjunction of literals that meets the condition. An option of the goal
combines one option of each condition. Section 2.3 of the EAI paper compares a prediction with the
option of the goal that gives the highest F1 between the two as sets.

Goals have up to 331,776 options, which are not enumerated. Conditions about the same atoms form a
group, whose options are enumerated (256 at most). Options of different groups have no atom in
common, so the numbers of right literals and the lengths can be added over groups, and for a fixed
``share`` the best ``right - share * length`` is chosen group by group. F1 is a quotient: twice the
number of right literals, divided by the sum of both lengths. Dinkelbach's method finds the option
with the best F1 in a few rounds. If no option overlaps the prediction, the shortest is chosen.

Under ``corrected``:

- The goals come from ``bddl`` 1.0.1, also for the three tasks whose goals were later changed for
  the simulators. The instructions and the paper's 673 conditions match them, and the changed goal
  of one of the three (sorting_mail) can never be met.
- Negative literals count like other literals, even if they hold at the start: a goal "not stained"
  has to be predicted.
- ``nextto`` and ``touching`` are symmetric, so the reversed goal is equivalent.
- An option of "exactly n" names n objects and does not exclude others, as in the paper's options.
- Options that cannot be met are excluded. They contain a literal and its negation, or relate an
  object to itself.

Source: EAI paper, section 2.3 and appendix D.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from homebody.core.formula import Atom, Literal, Not, atom_of, negation
from homebody.data import behavior as data
from homebody.goals.bddl.published import Option
from homebody.suites.eai.behavior.goals import replace_atom

SYMMETRIC = frozenset(["nextto", "touching"])


def sort_symmetric(literal: Literal) -> Literal:
    """Sort the objects of a symmetric relation in a literal."""
    atom = atom_of(literal)
    if atom.predicate not in SYMMETRIC:
        return literal
    return replace_atom(literal, Atom(atom.predicate, tuple(sorted(atom.args))))


def _is_to_itself(literal: Literal) -> bool:
    args = atom_of(literal).args
    return len(args) == 2 and args[0] == args[1]


@lru_cache(maxsize=256)
def gold_options(task: str, fulfillable: bool = True) -> tuple[tuple[Option, ...], ...]:
    """Return all options of each condition of a task, in the official order.

    The list is complete (:func:`homebody.goals.bddl.options` finds the same options).

    Args:
        task: Id of the task.
        fulfillable: True to omit options that relate an object to itself, if the condition has
            other options.
    """
    conditions = []
    for listed in data.load("goals")[task]:
        options = tuple(tuple(map(_literal, option)) for option in listed)
        possible = tuple(o for o in options if not any(map(_is_to_itself, o)))
        conditions.append(possible if fulfillable and possible else options)
    return tuple(conditions)


def _literal(words: Sequence[Any]) -> Literal:
    if words[0] == "not":
        return Not(_literal(words[1]))
    return Atom(words[0], tuple(words[1:]))


@lru_cache(maxsize=256)
def option_groups(task: str, fulfillable: bool, both_ways: bool) -> tuple[tuple[Option, ...], ...]:
    """Return consistent options of each group of conditions; groups have no atom in common."""
    conditions = gold_options(task, fulfillable)
    if both_ways:
        conditions = tuple(tuple(tuple(map(sort_symmetric, o)) for o in c) for c in conditions)
    groups: list[tuple[list[int], set[Atom]]] = []
    for place, condition in enumerate(conditions):
        merged = ([place], {atom_of(literal) for option in condition for literal in option})
        apart = []
        for group in groups:
            if group[1] & merged[1]:
                merged = ([*group[0], *merged[0]], group[1] | merged[1])
            else:
                apart.append(group)
        groups = [*apart, merged]
    return tuple(
        _combine_options([conditions[at] for at in sorted(places)]) for places, _ in groups
    )


def _combine_options(conditions: Sequence[Sequence[Option]]) -> tuple[Option, ...]:
    joined = [
        tuple(dict.fromkeys(literal for part in parts for literal in part))
        for parts in product(*conditions)
    ]
    consistent = [option for option in joined if not _is_contradictory(option)]
    return tuple({frozenset(option): option for option in reversed(consistent or joined)}.values())[
        ::-1
    ]


def _is_contradictory(option: Option) -> bool:
    present = set(option)
    return any(negation(literal) in present for literal in option)


def nearest_option(
    groups: Sequence[Sequence[Option]], predicted: frozenset[Literal], size: int
) -> Option:
    """Return the option with the best F1, combined from one option of each group; see the module's
    docstring.

    Args:
        groups: Options of each group; no literal is in two groups.
        predicted: The predicted literals.
        size: Number of predicted goals.
    """
    sized = [[(sum(map(predicted.__contains__, o)), len(o), o) for o in group] for group in groups]
    share, whole = 1, 1
    best: tuple[int, int, Option] | None = None
    while True:
        chosen = [max(group, key=lambda o: whole * o[0] - share * o[1]) for group in sized]
        right, length = sum(o[0] for o in chosen), size + sum(o[1] for o in chosen)
        if best is not None and right * best[1] <= best[0] * length:
            return best[2]
        best = right, length, tuple(literal for o in chosen for literal in o[2])
        share, whole = right, length


def most_met_options(
    conditions: Sequence[Sequence[Option]], predicted: frozenset[Literal]
) -> Option:
    """For each condition, return the option with the most predicted literals; of equal options, the
    first."""
    chosen = [max(c, key=lambda o: sum(map(predicted.__contains__, o))) for c in conditions]
    return tuple(literal for option in chosen for literal in option)
