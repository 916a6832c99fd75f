"""BDDL conditions as LTL (:mod:`homebody.goals.ltl`), and as the published prompts write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from homebody.core.formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Not,
    Or,
    is_variable,
    normalise,
)
from homebody.goals.bddl.truth import Universe, count_pairs

_OBJECT = re.compile(r"(.+\..+)_([0-9]+)")


def ltl_name(name: str) -> str:
    """Return the LTL name of an object, category or predicate.

    ``apple.n.01_1`` -> ``apple_n_01.1``, ``apple.n.01`` -> ``apple_n_01``, ``toggled_on`` ->
    ``toggledon``
    """
    if name == "toggled_on":
        return "toggledon"
    numbered = _OBJECT.fullmatch(name)
    if numbered is not None:
        return f"{_plain_name(numbered[1])}.{numbered[2]}"
    return _plain_name(name)


def _plain_name(name: str) -> str:
    return re.sub(r"\W", "_", name, flags=re.ASCII)


def to_ltl(condition: Formula, over: Universe, name: Callable[[str], str] = ltl_name) -> Formula:
    """Return an LTL formula that is true in exactly the states where the condition is.

    Categories become unary predicates. "At least n", for ``fornpairs`` and for ``forpairs`` with
    unequal sides, is written as "not exactly 0, ..., not exactly n - 1".

    Args:
        condition: A closed condition.
        over: The objects. They determine how many pairs ``forpairs`` requires.
        name: Translates the names of objects, categories and predicates. If LTL's grammar does not
            allow a name, ``to_text`` fails but the formula can still be evaluated.

    Raises:
        ValueError: An object is on both sides of ``forpairs``, which LTL cannot express.
    """
    return normalise(_Translation(name, over).translate(condition, {}))


def published_ltl(condition: Formula, name: Callable[[str], str] = ltl_name) -> Formula:
    """Return the formula of the published translation, which has another meaning.

    "Some plate is stained" becomes "something is stained or is not a plate". This is true whenever
    there is an object that is not a plate. "Exactly n" also counts all objects outside the
    category. Pairs are exactly one to one in both directions, whatever their numbers.
    """
    return normalise(_Translation(name, None).translate(condition, {}))


class _Translation:
    """A translation; ``over`` is None for the published one."""

    def __init__(self, name: Callable[[str], str], over: Universe | None) -> None:
        self.name = name
        self.over = over

    def translate(self, c: Formula, bound: Mapping[str, str]) -> Formula:
        match c:
            case Atom(predicate, args):
                terms = tuple(bound[a] if is_variable(a) else self.name(a) for a in args)
                return Atom(self.name(predicate), terms)
            case Not(body):
                return Not(self.translate(body, bound))
            case And(parts):
                return And(tuple(self.translate(part, bound) for part in parts))
            case Or(parts):
                return Or(tuple(self.translate(part, bound) for part in parts))
            case Implies(left, right):
                return Implies(self.translate(left, bound), self.translate(right, bound))
            case Forall(x, body, category):
                v, inner = _bind(bound, x)
                return Forall(v, self.if_of_category(category, v, self.translate(body, inner)))
            case Exists(x, body, category):
                v, inner = _bind(bound, x)
                return Exists(v, self.of_category(category, v, self.translate(body, inner)))
            case Exactly(count, x, body, category):
                v, inner = _bind(bound, x)
                return Exactly(count, v, self.of_category(category, v, self.translate(body, inner)))
            case ForPairs():
                return self.translate_pairs(c, bound)
        raise ValueError(f"not BDDL: {type(c).__name__}")

    def if_of_category(self, category: str, v: str, body: Formula) -> Formula:
        """Return "if ``v`` is of the category, then ``body``"."""
        return Or((Not(Atom(self.name(category), (v,))), body))

    def of_category(self, category: str, v: str, body: Formula) -> Formula:
        """Return "``v`` is of the category and ``body``"; published: "if", not "and"."""
        if self.over is None:
            return self.if_of_category(category, v, body)
        return And((Atom(self.name(category), (v,)), body))

    def translate_pairs(self, c: ForPairs, bound: Mapping[str, str]) -> Formula:
        first, second = c.first.type, c.second.type
        v, outer = _bind(bound, c.first.name)
        w, inner = _bind(outer, c.second.name)
        body = self.translate(c.body, inner)
        sides = ((first, v, second, w), (second, w, first, v))
        if self.over is None:
            return And(tuple(self.one_to_one(*side, body, c.count) for side in sides))
        if set(self.over.of(first)) & set(self.over.of(second)):
            raise ValueError("pairs of a category with itself cannot be written in LTL")
        size = count_pairs(c, self.over)
        return And(tuple(self.at_least(size, *side, body) for side in sides))

    def one_to_one(
        self, first: str, v: str, second: str, w: str, body: Formula, count: int | None
    ) -> Formula:
        partner = self.if_of_category(first, v, Exactly(1, w, self.if_of_category(second, w, body)))
        return Forall(v, partner) if count is None else Exactly(count, v, partner)

    def at_least(
        self, size: int, first: str, v: str, second: str, w: str, body: Formula
    ) -> Formula:
        """Return "at least ``size`` of the first have a partner among the second"."""
        assert self.over is not None
        number = len(self.over.of(first))
        partner = Exists(w, And((Atom(self.name(second), (w,)), body)))
        if size <= 0:
            return TRUE
        if size > number:
            return FALSE
        if size == number:
            return Forall(v, self.if_of_category(first, v, partner))
        has = And((Atom(self.name(first), (v,)), partner))
        return And(tuple(Not(Exactly(k, v, has)) for k in range(size)))


def _bind(bound: Mapping[str, str], x: str) -> tuple[str, Mapping[str, str]]:
    """Return a new variable (``?x0``, ``?x1``, ... by depth), and the bindings that include it."""
    variable = f"?x{len(bound)}"
    while variable in bound.values():  # one of the outer names was bound twice
        variable = f"?x{int(variable[2:]) + 1}"
    return variable, {**bound, x: variable}


def published_text(condition: Formula, name: Callable[[str], str] = ltl_name) -> str:
    """Return a condition as the published prompts write it: ``exists(plate_n_04, ...)``."""
    return _published_text(condition, name, 0)


def _published_text(c: Formula, name: Callable[[str], str], level: int) -> str:
    def inner(part: Formula) -> str:
        return _published_text(part, name, level + 1)

    match c:
        case Atom(predicate, args):
            terms = ", ".join(name(arg.removeprefix("?")) for arg in args)
            return f"{name(predicate)}({terms})"
        case Not(body):
            text = f"not {inner(body)}"
        case And(parts):
            text = " and ".join(map(inner, parts))
        case Or(parts):
            text = " or ".join(map(inner, parts))
        case Implies(left, right):
            text = f"{inner(left)} implies {inner(right)}"
        case Forall(_, body, category):
            return f"forall({name(category)}, {inner(body)})"
        case Exists(_, body, category):
            return f"exists({name(category)}, {inner(body)})"
        case Exactly(count, _, body, category):
            return f"forn({count}, {name(category)}, {inner(body)})"
        case ForPairs(x, y, body, count):
            head = "forpairs(" if count is None else f"fornpairs({count}, "
            return f"{head}{name(x.type)}, {name(y.type)}, {inner(body)})"
        case _:
            raise ValueError(f"not BDDL: {type(c).__name__}")
    return f"({text})" if level else text
