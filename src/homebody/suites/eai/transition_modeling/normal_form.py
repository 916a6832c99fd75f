"""PDDL conditions and effects in one form, so that what means the same is written the same.

Negations stand before atoms (and before ``when``, where they mean nothing), ``imply`` is an
``or``, ``forall`` is over one part of a conjunction and ``exists`` over one of a disjunction.
"""

from __future__ import annotations

from typing import Literal

from homebody.core.formula import EQUALS, Atom
from homebody.planning.pddl.nodes import (
    TRUE,
    Conjunction,
    Disjunction,
    Expression,
    Implication,
    Negation,
    Quantification,
    When,
)

_MAX_SPLIT = 256
"""Parts of a quantified body times the variables that each would repeat; a body with more is left
as it is, so that hostile formulas do not grow."""


def normal(expression: Expression, *, split_negated: bool = True) -> Expression:
    """The same expression in the form described above.

    Without ``split_negated``, a negated conjunction stays one: as an ``or`` it would be taken for
    alternatives, where who writes ``not (and ...)`` states one condition.
    """
    return _normal(expression, False, split_negated)


def _normal(expression: Expression, negated: bool, split: bool) -> Expression:
    match expression:
        case Atom():
            return Negation(expression) if negated else expression
        case Negation(body):
            return _normal(body, not negated, split)
        case Implication(left, right):
            return _normal(Disjunction((Negation(left), right)), negated, split)
        case Conjunction(parts) if negated and not split and len(parts) > 1:
            return Negation(Conjunction(tuple(_normal(part, False, split) for part in parts)))
        case Conjunction(parts) | Disjunction(parts):
            inner = tuple(_normal(part, negated, split) for part in parts)
            together = isinstance(expression, Conjunction) != negated
            return Conjunction(inner) if together else Disjunction(inner)
        case Quantification(kind, variables, body):
            kinds: tuple[Literal["forall", "exists"], ...] = ("forall", "exists")
            kind = kinds[(kind == "forall") == negated]
            return _spread(Quantification(kind, variables, _normal(body, negated, split)))
        case When(condition, effect):
            whole = When(_normal(condition, False, split), _normal(effect, False, split))
            return Negation(whole) if negated else whole


def _spread(expression: Quantification) -> Expression:
    """``forall`` over each part of a conjunction, ``exists`` over each of a disjunction."""
    kind: type[Conjunction] | type[Disjunction]
    kind = Conjunction if expression.kind == "forall" else Disjunction
    parts: list[Expression] = []
    waiting = [expression.body]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Conjunction | Disjunction) and (
            isinstance(part, kind) or len(part.parts) == 1
        ):
            waiting.extend(reversed(part.parts))
        else:
            parts.append(part)
    variables = expression.variables
    if len(parts) > 1 and len(parts) * len(variables) > _MAX_SPLIT:
        return expression
    spread = tuple(Quantification(expression.kind, variables, part) for part in parts)
    return spread[0] if len(spread) == 1 else kind(spread)


def without_equality(expression: Expression) -> Expression:
    """As if ``=`` had not been written: what consists of nothing else goes with it."""
    return _without_equality(expression) or TRUE


def _without_equality(expression: Expression) -> Expression | None:
    match expression:
        case Atom(predicate, _):
            return None if predicate == EQUALS else expression
        case Negation(body):
            left = _without_equality(body)
            return None if left is None else Negation(left)
        case Conjunction(parts) | Disjunction(parts):
            kept = [one for one in map(_without_equality, parts) if one is not None]
            return type(expression)(tuple(kept)) if kept or not parts else None
        case Implication(condition, result) | When(condition, result):
            before, after = _without_equality(condition), _without_equality(result)
            if before is not None and after is not None:
                return type(expression)(before, after)
            if before is not None and isinstance(expression, Implication):
                return Negation(before)
            return after
        case Quantification(kind, variables, body):
            left = _without_equality(body)
            return None if left is None else Quantification(kind, variables, left)
