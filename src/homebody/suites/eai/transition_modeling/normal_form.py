"""A normal form of PDDL conditions and effects, so that equal meanings are written equally.

Negations only stand before atoms (and before ``when``, where they have no meaning), ``imply``
becomes an ``or``, ``forall`` ranges over one part of a conjunction and ``exists`` over one part of
a disjunction, and nested ``and`` (or ``or``) are merged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from homebody.core.formula import (
    EQUALS,
    TRUE,
    And,
    Atom,
    Formula,
    Implies,
    Not,
    Or,
    Quantification,
    When,
)

_MAX_SPLIT = 256
"""Maximum number of parts times variables of a body that is split. The limit keeps hostile formulas
from growing."""


def normalize(formula: Formula, *, split_negated: bool = True) -> Formula:
    """Return the formula in normal form.

    Without ``split_negated``, a negated conjunction stays one part. As an ``or``, it would count as
    several alternatives, although ``not (and ...)`` states one condition.
    """
    return _normalize(formula, False, split_negated)


def _normalize(formula: Formula, negated: bool, split: bool) -> Formula:
    match formula:
        case Atom():
            return Not(formula) if negated else formula
        case Not(body):
            return _normalize(body, not negated, split)
        case Implies(left, right):
            return _normalize(Or((Not(left), right)), negated, split)
        case And(parts) if negated and not split and len(parts) > 1:
            return Not(And(tuple(_normalize(part, False, split) for part in parts)))
        case And(parts) | Or(parts):
            joined = And if isinstance(formula, And) != negated else Or
            inner: list[Formula] = []
            for part in parts:
                simple = _normalize(part, negated, split)
                inner += simple.parts if isinstance(simple, joined) else (simple,)
            return joined(tuple(inner))
        case Quantification(kind, variables, body):
            kinds: tuple[Literal["forall", "exists"], ...] = ("forall", "exists")
            kind = kinds[(kind == "forall") == negated]
            return _spread(Quantification(kind, variables, _normalize(body, negated, split)))
        case When(condition, effect):
            whole = When(_normalize(condition, False, split), _normalize(effect, False, split))
            return Not(whole) if negated else whole
    raise TypeError(f"not PDDL: {type(formula).__name__}")


def _spread(formula: Quantification) -> Formula:
    """Move ``forall`` into each part of a conjunction, ``exists`` into each of a disjunction."""
    kind: type[And] | type[Or]
    kind = And if formula.kind == "forall" else Or
    parts: list[Formula] = []
    waiting = [formula.body]
    while waiting:
        part = waiting.pop()
        if isinstance(part, And | Or) and (isinstance(part, kind) or len(part.parts) == 1):
            waiting.extend(reversed(part.parts))
        else:
            parts.append(part)
    variables = formula.variables
    if len(parts) > 1 and len(parts) * len(variables) > _MAX_SPLIT:
        return formula
    spread = tuple(Quantification(formula.kind, variables, part) for part in parts)
    return spread[0] if len(spread) == 1 else kind(spread)


def remove_equality(formula: Formula) -> Formula:
    """Remove ``=``, and all parts that consist of nothing else."""
    return _remove_equality(formula) or TRUE


def _remove_equality(formula: Formula) -> Formula | None:
    match formula:
        case Atom(predicate, _):
            return None if predicate == EQUALS else formula
        case And(parts) | Or(parts):
            kept = [part for part in map(_remove_equality, parts) if part is not None]
            return type(formula)(tuple(kept)) if kept or not parts else None
        case Implies(condition, result) | When(condition, result):
            before, after = _remove_equality(condition), _remove_equality(result)
            if before is not None and after is not None:
                return type(formula)(before, after)
            if before is not None and isinstance(formula, Implies):
                return Not(before)
            return after
        case Not(body) | Quantification(_, _, body):
            left = _remove_equality(body)
            return None if left is None else replace(formula, body=left)
    raise TypeError(f"not PDDL: {type(formula).__name__}")
