"""Prints formulas: as EAI's LTL for :mod:`homebody.goals.ltl.reading`, or for people."""

from __future__ import annotations

import re

from homebody.core.formula import (
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Then,
    is_variable,
    normalise,
)
from homebody.goals.ltl.reading import KEYWORDS, MAX_COUNT_DIGITS

_NAME = re.compile(r"[a-zA-Z_]\w*")
_OBJECT = re.compile(r"[a-zA-Z_]\w*(\.[0-9]+)?")


def to_text(formula: Formula) -> str:
    """Print a formula with as few parentheses as its meaning needs.

    Raises:
        ValueError: The grammar cannot express it: it has an empty connective, an unbound
            variable, a name that the grammar does not allow, or an object named like a variable
            that is bound there.
    """
    formula = normalise(formula)
    _check_expressible(formula, frozenset())
    return show(formula)


def show(formula: Formula) -> str:
    """Print any formula for people, including formulas that :func:`to_text` rejects."""
    return _show(formula, 0)


def _show(formula: Formula, level: int) -> str:
    """Print a formula; ``level`` is the binding strength at which it needs no parentheses."""
    own = 5
    match formula:
        case And((part,)) | Or((part,)) | Then((part,)):
            return _show(part, level)
        case And(()) | Then(()):
            return "true"
        case Or(()):
            return "false"
        case Atom(predicate, args):
            text = f"{predicate}({', '.join(a.removeprefix('?') for a in args)})"
        case Forall(variable, body):
            text = f"forall {variable.removeprefix('?')}. ({_show(body, 0)})"
        case Exists(variable, body):
            text = f"exists {variable.removeprefix('?')}. ({_show(body, 0)})"
        case Exactly(count, variable, body):
            text = f"exists={count} {variable.removeprefix('?')}. ({_show(body, 0)})"
        case Not(body):
            text, own = f"not {_show(body, 4)}", 4
        case And(parts):
            text, own = " and ".join(_show(part, 4) for part in parts), 3
        case Or(parts):
            text, own = " or ".join(_show(part, 3) for part in parts), 2
        case Implies(left, right):
            text, own = f"{_show(left, 2)} implies {_show(right, 1)}", 1
        case Then(parts):
            text, own = " then ".join(_show(part, 1) for part in parts), 0
        case _:
            raise ValueError(f"not LTL: {type(formula).__name__}")
    return f"({text})" if own < level else text


def _check_expressible(formula: Formula, bound: frozenset[str]) -> None:
    match formula:
        case Atom(predicate, args):
            _check_name(predicate, _NAME)
            for arg in args:
                if arg in bound:
                    continue
                if is_variable(arg):
                    raise ValueError(f"nothing binds the variable {arg} of {show(formula)}")
                if "?" + arg in bound:
                    raise ValueError(f"object {arg} of {show(formula)} is named like a variable")
                _check_name(arg, _OBJECT)
        case Not(body):
            _check_expressible(body, bound)
        case And(parts) | Or(parts) | Then(parts):
            if not parts:
                raise ValueError("the grammar has no word for an empty connective")
            for part in parts:
                _check_expressible(part, bound)
        case Implies(left, right):
            _check_expressible(left, bound)
            _check_expressible(right, bound)
        case Forall(variable, body) | Exists(variable, body) | Exactly(_, variable, body):
            if not is_variable(variable):
                raise ValueError(f"a variable starts with '?': {variable}")
            _check_name(variable[1:], _NAME)
            if isinstance(formula, Exactly) and not 0 <= formula.count < 10**MAX_COUNT_DIGITS:
                raise ValueError(f"the grammar cannot count to {formula.count}")
            _check_expressible(body, bound | {variable})


def _check_name(name: str, pattern: re.Pattern[str]) -> None:
    if not pattern.fullmatch(name) or name in KEYWORDS:
        raise ValueError(f"the grammar does not allow the name {name!r}")
