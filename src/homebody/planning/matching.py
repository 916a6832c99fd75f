"""How alike two PDDL conditions (or effects) are: clause by clause, EAI paper, appendix D.4.

A formula is brought into disjunctive form. If both sides are conjunctions, the clauses are their
parts; else each alternative is one clause. A predicted clause is right if it is
identical to a clause of the ground truth, and a clause with any part that is not matched is wrong
as a whole. Identical means the same tree, whatever the order of the parts of ``and`` and ``or``
and the names of variables: parameters correspond by position, bound variables by what they bind.

The paper pairs clauses by bipartite matching, applied again to the parts of nested clauses. As
being identical is an equivalence relation, the best pairing is found without a search: clauses
are written in one canonical form, and equal forms belong together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import TypeAlias

from homebody.core.action import Parameter
from homebody.core.formula import EQUALS, Atom
from homebody.planning.pddl import (
    Conjunction,
    Disjunction,
    Expression,
    Implication,
    Negation,
    Operator,
    Quantification,
    When,
)

_Clauses: TypeAlias = dict[str, Counter[str]]
"""Canonical form -> how often each predicate occurs in it."""

_MAX_ALTERNATIVES = 64
"""Conditions with more alternatives are not brought into disjunctive form."""
_MAX_VARIABLES = 5
_MAX_ORDERS = 2_000
"""Orders of quantified variables that are tried for one quantifier, and in one formula. Beyond
that the written order counts, so that hostile formulas cannot take for ever."""


@dataclass(frozen=True, slots=True)
class Match:
    """Predicates (name -> occurrences) of the clauses that are in both, only predicted, and only
    in the ground truth. The predicate ``=`` is not counted."""

    right: Mapping[str, int] = field(default_factory=dict)
    wrong: Mapping[str, int] = field(default_factory=dict)
    missed: Mapping[str, int] = field(default_factory=dict)

    @property
    def f1(self) -> float:
        """In [0, 1]; 1 if there is nothing to match on either side."""
        right, wrong, missed = (sum(c.values()) for c in (self.right, self.wrong, self.missed))
        return 2 * right / (2 * right + wrong + missed) if right + wrong + missed else 1.0


def match(
    predicted: Expression,
    gold: Expression,
    predicted_parameters: Sequence[Parameter] = (),
    gold_parameters: Sequence[Parameter] = (),
) -> Match:
    """Match two conditions or two effects; parameters correspond by position."""
    left, left_any = _clauses(predicted, predicted_parameters)
    right, right_any = _clauses(gold, gold_parameters)
    if left_any or right_any:
        left = left if left_any else _one(left)
        right = right if right_any else _one(right)
    return Match(
        _count(left[key] for key in left if key in right),
        _count(left[key] for key in left if key not in right),
        _count(right[key] for key in right if key not in left),
    )


def match_operators(predicted: Operator, gold: Operator) -> tuple[Match, Match]:
    """The matches of the preconditions and of the effects."""
    parameters = predicted.parameters, gold.parameters
    return (
        match(predicted.precondition, gold.precondition, *parameters),
        match(predicted.effect, gold.effect, *parameters),
    )


def missed_operator(gold: Operator) -> tuple[Match, Match]:
    """As :func:`match_operators`, of an operator that was not predicted."""
    return missed(gold.precondition), missed(gold.effect)


def missed(gold: Expression) -> Match:
    """Nothing was predicted."""
    return Match(missed=_count(_clauses(gold, ())[0].values()))


def canonical(expression: Expression, parameters: Sequence[Parameter] = ()) -> str:
    """A text that two expressions share if, and only if, they are identical but for the order
    of parts and the names of variables."""
    return _Writer().write(expression, _Names().extended(parameters))[0]


@dataclass(frozen=True, slots=True)
class _Names:
    """Variable -> its canonical name, and how many names are given so far."""

    given: Mapping[str, str] = field(default_factory=dict)
    count: int = 0

    def extended(self, variables: Sequence[Parameter]) -> _Names:
        """With these variables bound; a space starts no PDDL name, so none is mistaken."""
        own = {v.name: f" {self.count + at}" for at, v in enumerate(variables)}
        return _Names({**self.given, **own}, self.count + len(variables))


def _clauses(expression: Expression, parameters: Sequence[Parameter]) -> tuple[_Clauses, bool]:
    """The clauses, and whether they are alternatives."""
    writer, names = _Writer(), _Names().extended(parameters)
    alternatives = _alternatives(expression)
    if len(alternatives) == 1:
        return writer.parts(alternatives[0], names, Conjunction), False
    found: _Clauses = {}
    for alternative in alternatives:
        text, held = writer.write(alternative, names)
        found[text] = held
    return found, len(found) > 1


def _alternatives(expression: Expression) -> list[Expression]:
    """The disjunctive form, outside of quantifiers and negations; the expression as it is if
    that would have too many alternatives."""
    found = _distributed(expression)
    return [expression] if found is None else [Conjunction(tuple(parts)) for parts in found]


def _distributed(expression: Expression) -> list[list[Expression]] | None:
    match expression:
        case Disjunction(parts) if parts:
            found: list[list[Expression]] = []
            for part in parts:
                inner = _distributed(part)
                if inner is None or len(found) + len(inner) > _MAX_ALTERNATIVES:
                    return None
                found += inner
            return found
        case Implication(left, right):
            return _distributed(Disjunction((Negation(left), right)))
        case Negation(Negation(body)):
            return _distributed(body)
        case Conjunction(parts):
            product: list[list[Expression]] = [[]]
            for part in parts:
                inner = _distributed(part)
                if inner is None or len(product) * len(inner) > _MAX_ALTERNATIVES:
                    return None
                product = [[*one, *other] for one in product for other in inner]
            return product
    return [[expression]]


def _one(parts: _Clauses) -> _Clauses:
    """A conjunction as the only clause of a disjunction; without parts, it is no clause."""
    if len(parts) < 2:
        return parts
    return {_joined("and", parts): _count(parts.values())}


def _count(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return total


def _joined(word: str, parts: Iterable[str]) -> str:
    return f"({word} {' '.join(sorted(parts))})"


class _Writer:
    """Writes canonical forms, with the predicates they hold."""

    def __init__(self) -> None:
        self.orders = _MAX_ORDERS

    def write(self, expression: Expression, names: _Names) -> tuple[str, Counter[str]]:
        match expression:
            case Atom(predicate, args):
                words = [names.given.get(arg, arg) for arg in args]
                if predicate == EQUALS:
                    return f"(= {' '.join(sorted(words))})", Counter()
                return f"({' '.join((predicate, *words))})", Counter([predicate])
            case Negation(Negation(body)):
                return self.write(body, names)
            case Negation(body):
                text, held = self.write(body, names)
                return f"(not {text})", held
            case Conjunction() | Disjunction():
                parts = self.parts(expression, names, type(expression))
                if len(parts) == 1:
                    return next(iter(parts.items()))
                word = "and" if isinstance(expression, Conjunction) else "or"
                return _joined(word, parts), _count(parts.values())
            case Implication(left, right):
                return self.write(Disjunction((Negation(left), right)), names)
            case When(condition, effect):
                condition_text, condition_held = self.write(condition, names)
                effect_text, effect_held = self.write(effect, names)
                return f"(when {condition_text} {effect_text})", condition_held + effect_held
            case Quantification():
                return self._quantified(expression, names)

    def parts(
        self,
        expression: Expression,
        names: _Names,
        kind: type[Conjunction] | type[Disjunction],
    ) -> _Clauses:
        """The parts of nested ``and`` (``or``) on one level, each once; another expression is
        its own only part."""
        found: _Clauses = {}
        waiting: list[Expression] = [expression]
        while waiting:
            part = waiting.pop()
            match part:
                case Conjunction(inner) | Disjunction(inner) if (
                    isinstance(part, kind) or len(inner) == 1
                ):
                    waiting.extend(reversed(inner))
                case Implication(left, right) if kind is Disjunction:
                    waiting.extend((right, Negation(left)))
                case Negation(Negation(body)):
                    waiting.append(body)
                case _:
                    text, held = self.write(part, names)
                    found[text] = held
        return found

    def _quantified(self, expression: Quantification, names: _Names) -> tuple[str, Counter[str]]:
        """Directly nested quantifiers of a kind count as one, in any order of variables."""
        variables, body = list(expression.variables), expression.body
        while isinstance(body, Quantification) and body.kind == expression.kind:
            hidden = {v.name for v in body.variables}  # the body cannot mean the outer ones
            variables = [Parameter("", v.type) if v.name in hidden else v for v in variables]
            variables += body.variables
            body = body.body
        variables.sort(key=lambda variable: variable.type)
        types = [variable.type for variable in variables]
        orders: Iterable[Sequence[Parameter]] = [variables]
        if len(variables) <= _MAX_VARIABLES:
            orders = (p for p in permutations(variables) if [v.type for v in p] == types)
        written: list[tuple[str, Counter[str]]] = []
        for order in orders:
            if written and self.orders <= 0:
                break
            self.orders -= 1
            written.append(self.write(body, names.extended(order)))
        text, held = min(written, key=lambda pair: pair[0])
        return f"({expression.kind} ({' '.join(types)}) {text})", held
