"""The options of BEHAVIOR's goals, and which of them a prediction is compared with.

The goal of a task is a list of conditions with quantifiers, the prediction a list of literals. A
condition has several options, conjunctions of literals that fulfil it, and an option of the goal
has one of each condition. Section 2.3 of the EAI paper compares a prediction with that option of
the goal which gives the highest F1 between the two as sets.

The goals have up to 331,776 options, which are not listed. Conditions that are about the same atoms
are put into one group, and the options of a group are listed (256 at most). Options of different
groups have no atom in common, so that right ones and lengths add up, and for a fixed ``share`` the
best of ``right - share * length`` is chosen group by group. F1 is a quotient, twice the right ones
by the lengths of both: Dinkelbach's method comes to the best one in a few rounds of that. If no
option has anything in common with the prediction the shortest is taken.

What counts as an option, under ``corrected``:

- The goals are those of ``bddl`` 1.0.1, also for the three tasks whose goals were changed later
  for the simulators. The instructions were written for them, and the paper's 673 conditions are
  theirs; the changed goal of one of the three (sorting_mail) can never be fulfilled.
- Negative literals count like others: a goal "not stained" is met by saying so, not by saying
  nothing, as an interpretation has to say what is to be reached. That includes goals that hold at
  the start.
- ``nextto`` and ``touching`` hold both ways, so a goal that has them the other way round entails
  the same.
- An option of "exactly n" says of which n it is so, not that it is so of no other. The paper's
  options do not either.
- Options that cannot be fulfilled are none: those with a literal and its negation, and those in
  which a thing is related to itself.

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
from homebody.suites.eai.behavior.goals import with_atom

SYMMETRIC = frozenset(["nextto", "touching"])


def one_way(literal: Literal) -> Literal:
    """The literal with the objects of a symmetric relation sorted."""
    atom = atom_of(literal)
    if atom.predicate not in SYMMETRIC:
        return literal
    return with_atom(literal, Atom(atom.predicate, tuple(sorted(atom.args))))


def _to_itself(literal: Literal) -> bool:
    args = atom_of(literal).args
    return len(args) == 2 and args[0] == args[1]


@lru_cache(maxsize=256)
def gold_options(task: str, fulfillable: bool = True) -> tuple[tuple[Option, ...], ...]:
    """The options of each condition of a task, in the official order.

    They are all there are (:func:`homebody.goals.bddl.options` finds the same).

    Args:
        task: Its id.
        fulfillable: Leave out those that relate a thing to itself, where there are others.
    """
    conditions = []
    for listed in data.load("goals")[task]:
        options = tuple(tuple(map(_literal, option)) for option in listed)
        possible = tuple(o for o in options if not any(map(_to_itself, o)))
        conditions.append(possible if fulfillable and possible else options)
    return tuple(conditions)


def _literal(words: Sequence[Any]) -> Literal:
    if words[0] == "not":
        return Not(_literal(words[1]))
    return Atom(words[0], tuple(words[1:]))


@lru_cache(maxsize=256)
def option_groups(task: str, fulfillable: bool, both_ways: bool) -> tuple[tuple[Option, ...], ...]:
    """Options of the conditions that are about the same atoms together, without contradictions
    and repetitions. Different groups have no atom in common."""
    conditions = gold_options(task, fulfillable)
    if both_ways:
        conditions = tuple(tuple(tuple(map(one_way, o)) for o in c) for c in conditions)
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
    return tuple(_together([conditions[at] for at in sorted(places)]) for places, _ in groups)


def _together(conditions: Sequence[Sequence[Option]]) -> tuple[Option, ...]:
    joined = [
        tuple(dict.fromkeys(literal for part in parts for literal in part))
        for parts in product(*conditions)
    ]
    consistent = [option for option in joined if not _contradicts_itself(option)]
    return tuple({frozenset(option): option for option in reversed(consistent or joined)}.values())[
        ::-1
    ]


def _contradicts_itself(option: Option) -> bool:
    present = set(option)
    return any(negation(literal) in present for literal in option)


def nearest(groups: Sequence[Sequence[Option]], predicted: frozenset[Literal], size: int) -> Option:
    """The option with the best F1, made of one of each group; see the module's text.

    Args:
        groups: Their options; no literal is in two groups.
        predicted: The predicted literals.
        size: How many goals were predicted.
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


def most_met(conditions: Sequence[Sequence[Option]], predicted: frozenset[Literal]) -> Option:
    """Of each condition the first of the options of which most is predicted."""
    chosen = [max(c, key=lambda o: sum(map(predicted.__contains__, o))) for c in conditions]
    return tuple(literal for option in chosen for literal in option)
