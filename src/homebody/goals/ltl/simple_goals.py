"""The simple goals that a task's formula stands for (EAI paper, section 2.3).

a1 then ... then ak then (p1 and ... and pl)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from math import comb
from typing import TypeAlias

from homebody.core.action import Action
from homebody.core.formula import (
    And,
    Atom,
    Binding,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Literal,
    Not,
    Or,
    Then,
    ground,
    normalise,
)
from homebody.goals.ltl.printing import show


class NotSimpleError(ValueError):
    """Raised if a formula is not equivalent to a set of simple goals.

    Attributes:
        reason: The reason, in a phrase.
        formula: The part of the formula at fault.
    """

    def __init__(self, reason: str, formula: Formula) -> None:
        super().__init__(f"not a goal for a task: {reason}: {show(formula)}")
        self.reason = reason
        self.formula = formula


@dataclass(frozen=True, slots=True)
class SimpleGoal:
    """``a1 then ... then ak then (p1 and ... and pl)``, without variables."""

    actions: tuple[Atom, ...] = ()
    propositions: tuple[Literal, ...] = ()

    @property
    def formula(self) -> Formula:
        """The goal as a formula; ``And(())`` if it is empty."""
        final = (And(self.propositions),) if self.propositions else ()
        return normalise(Then((*self.actions, *final)) if self.actions or final else And(()))


def is_subsequence(wanted: Iterable[Atom], actions: Iterable[Action]) -> bool:
    """Return whether the actions of the goal were done in order. Other actions may be in
    between."""
    remaining = iter(actions)
    return all(
        any(done.name == atom.predicate and done.args == atom.args for done in remaining)
        for atom in wanted
    )


def simple_goals(
    formula: Formula, names: Iterable[str], actions: Collection[str]
) -> Iterator[SimpleGoal]:
    """Yield G(g, U) of section 2.3: the simple goals that a formula stands for.

    The order is that of the formula and of ``names``. A goal has each proposition once. Two goals
    may be equal. The number of goals can be astronomical, see :func:`count_simple_goals`; only the
    current goal is in memory.

    Args:
        formula: A closed formula.
        names: The objects that quantifiers range over.
        actions: The predicates that are actions.

    Raises:
        NotSimpleError: At once, if the formula is not made of simple goals.
    """
    check_simple(formula, actions)
    grounding = _Grounding(tuple(names), actions)
    return (SimpleGoal(*pair) for pair in grounding.alternatives(to_nnf(formula, True), {}))


def check_simple(formula: Formula, actions: Collection[str]) -> None:
    """Raise NotSimpleError unless ``formula`` is equivalent to a set of simple goals."""
    _check_simple(formula, actions, positive=True, last=True)


def _check_simple(formula: Formula, actions: Collection[str], positive: bool, last: bool) -> None:
    """Check a part; ``positive``: under an even number of negations; ``last``: nothing follows."""
    match formula:
        case Atom(predicate, _):
            if predicate in actions and not positive:
                raise NotSimpleError("it asks that an action is not done", formula)
            if predicate not in actions and not last:
                raise NotSimpleError("a state condition comes before a 'then'", formula)
        case Not(body):
            _check_simple(body, actions, not positive, last)
        case Implies(left, right):
            _check_simple(left, actions, not positive, last)
            _check_simple(right, actions, positive, last)
        case Forall(_, body) | Exists(_, body):
            _check_simple(body, actions, positive, last)
        case Exactly(_, _, body):  # the body must be false for the other objects
            _check_simple(body, actions, positive, last)
            _check_simple(body, actions, not positive, last)
        case And(parts) | Or(parts):
            for part in parts:
                _check_simple(part, actions, positive, last)
        case Then(parts):
            if not positive:
                raise NotSimpleError("it negates a 'then'", formula)
            for i, part in enumerate(parts):
                _check_simple(part, actions, positive, last and i == len(parts) - 1)


def to_nnf(formula: Formula, positive: bool) -> Formula:
    """Return ``formula`` or its negation with ``not`` only at atoms and counts, no ``implies``."""
    match formula:
        case Atom() | Exactly():
            return formula if positive else Not(formula)
        case Not(body):
            return to_nnf(body, not positive)
        case And(parts) | Or(parts):
            both = isinstance(formula, And) == positive
            inner = tuple(to_nnf(part, positive) for part in parts)
            return And(inner) if both else Or(inner)
        case Implies(left, right):
            sides = (to_nnf(left, not positive), to_nnf(right, positive))
            return Or(sides) if positive else And(sides)
        case Forall(variable, body) | Exists(variable, body):
            every = isinstance(formula, Forall) == positive
            inside = to_nnf(body, positive)
            return Forall(variable, inside) if every else Exists(variable, inside)
        case Then(parts):  # check_simple rejects its negation
            return Then(tuple(to_nnf(part, True) for part in parts)) if parts else And(())
    raise NotSimpleError("it is not a formula of LTL", formula)


_Pair: TypeAlias = tuple[tuple[Atom, ...], tuple[Literal, ...]]
"""Actions and propositions of a simple goal."""


@dataclass(frozen=True, slots=True)
class _Grounding:
    """Turns formulas in negation normal form (:func:`to_nnf`) into alternatives."""

    names: tuple[str, ...]
    actions: Collection[str]

    def alternatives(self, formula: Formula, binding: Binding) -> Iterator[_Pair]:
        match formula:
            case Atom():
                atom = ground(formula, binding)
                yield ((atom,), ()) if atom.predicate in self.actions else ((), (atom,))
            case Not(Exactly(count, variable, body)):
                for other in range(len(self.names) + 1):
                    if other != count:
                        yield from self.alternatives(Exactly(other, variable, body), binding)
            case Not(Atom() as atom):
                yield ((), (Not(ground(atom, binding)),))
            case Or(parts):
                for part in parts:
                    yield from self.alternatives(part, binding)
            case Exists(variable, body):
                for name in self.names:
                    yield from self.alternatives(body, {**binding, variable: name})
            case And(parts):
                yield from self.all_of([(part, binding) for part in parts])
            case Forall(variable, body):
                yield from self.all_of([(body, {**binding, variable: n}) for n in self.names])
            case Exactly(count, variable, body):
                yes, no = to_nnf(body, True), to_nnf(body, False)
                for chosen in map(frozenset, combinations(self.names, count)):
                    yield from self.all_of(
                        [(yes if n in chosen else no, {**binding, variable: n}) for n in self.names]
                    )
            case Then(parts):
                for pairs in _product([partial(self.alternatives, p, binding) for p in parts]):
                    yield tuple(chain.from_iterable(a for a, _ in pairs)), _union(pairs)

    def all_of(self, items: list[tuple[Formula, Binding]]) -> Iterator[_Pair]:
        """Yield alternatives of a conjunction, whose actions may be in any order."""
        for pairs in _product([partial(self.alternatives, *item) for item in items]):
            propositions = _union(pairs)
            for order in _merges([actions for actions, _ in pairs if actions]):
                yield order, propositions


def _union(pairs: Iterable[_Pair]) -> tuple[Literal, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(propositions for _, propositions in pairs)))


def _product(sources: Sequence[Callable[[], Iterator[_Pair]]]) -> Iterator[list[_Pair]]:
    """Yield the same tuples as ``itertools.product``, but run a source again instead of storing its
    results."""
    if not sources:
        yield []
        return
    running = [sources[0]()]
    chosen: list[_Pair] = []
    while running:
        del chosen[len(running) - 1 :]
        pair = next(running[-1], None)
        if pair is None:
            running.pop()
            continue
        chosen.append(pair)
        if len(chosen) == len(sources):
            yield chosen
        else:
            running.append(sources[len(chosen)]())


def _merges(sequences: Sequence[tuple[Atom, ...]]) -> Iterator[tuple[Atom, ...]]:
    """Yield the minimal sequences that contain all of the given ones as subsequences."""
    done: list[Atom] = []
    levels = [(sequences, _heads(sequences))]
    while levels:
        remaining, heads = levels[-1]
        head = next(heads, None)
        if head is not None:
            done.append(head)
            after = [s[1:] if s[0] == head else s for s in remaining]
            after = [s for s in after if s]
            levels.append((after, _heads(after)))
            continue
        if not remaining:
            yield tuple(done)
        levels.pop()
        del done[-1:]


def _heads(sequences: Sequence[tuple[Atom, ...]]) -> Iterator[Atom]:
    return iter(dict.fromkeys(sequence[0] for sequence in sequences))


def count_simple_goals(formula: Formula, size: int, cap: int = 10**18) -> int:
    """Return the number of simple goals over ``size`` objects, at most ``cap``, orders merged."""
    return _count(to_nnf(formula, True), size, cap)


def _count(formula: Formula, size: int, cap: int) -> int:
    match formula:
        case Or(parts):
            return min(cap, sum(_count(part, size, cap) for part in parts))
        case And(parts) | Then(parts):
            product = 1
            for part in parts:
                product = min(cap, product * _count(part, size, cap))
            return product
        case Exists(_, body):
            return min(cap, size * _count(body, size, cap))
        case Forall(_, body):
            return _power(_count(body, size, cap), size, cap)
        case Exactly(count, _, body):
            yes = _power(_count(to_nnf(body, True), size, cap), count, cap)
            no = _power(_count(to_nnf(body, False), size, cap), max(0, size - count), cap)
            return min(cap, comb(size, count) * yes * no)
        case Not(Exactly(count, variable, body)):
            others = (c for c in range(size + 1) if c != count)
            counts = (_count(Exactly(c, variable, body), size, cap) for c in others)
            return min(cap, sum(counts))
        case _:
            return 1


def _power(base: int, exponent: int, cap: int) -> int:
    """Return ``min(cap, base ** exponent)`` without large intermediate numbers."""
    if base < 2:
        return 1 if exponent == 0 else base
    result = 1
    for _ in range(exponent):
        result *= base
        if result >= cap:
            return cap
    return result
