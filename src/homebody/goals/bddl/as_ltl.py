"""BDDL conditions as formulas of :mod:`.ltl`, and as the published prompts write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from homebody.core.action import Parameter
from homebody.core.formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    is_variable,
)
from homebody.goals.bddl.syntax import (
    Condition,
    Conjunction,
    Disjunction,
    ForAll,
    ForN,
    ForPairs,
    ForSome,
    Implication,
    Negation,
)
from homebody.goals.bddl.truth import Universe, pairs_wanted
from homebody.goals.ltl import normalise

_OBJECT = re.compile(r"(.+\..+)_([0-9]+)")


def ltl_name(name: str) -> str:
    """An object, category or predicate as LTL writes it.

    ``apple.n.01_1`` -> ``apple_n_01.1``, ``apple.n.01`` -> ``apple_n_01``,
    ``toggled_on`` -> ``toggledon``
    """
    if name == "toggled_on":
        return "toggledon"
    found = _OBJECT.fullmatch(name)
    if found is not None:
        return f"{_plain(found[1])}.{found[2]}"
    return _plain(name)


def _plain(name: str) -> str:
    return re.sub(r"\W", "_", name, flags=re.ASCII)


def to_ltl(condition: Condition, over: Universe, name: Callable[[str], str] = ltl_name) -> Formula:
    """A formula that is true in the states where the condition is.

    Categories are predicates of one argument. Where ``forpairs`` has more objects on one side, and
    for ``fornpairs``, "at least n" is written as "not exactly 0, not exactly 1, ..., not n - 1".

    Args:
        condition: A closed condition.
        over: What there is; says how many pairs ``forpairs`` wants.
        name: How to write objects, categories and predicates. With names that LTL's grammar does
            not know, ``to_text`` fails but the formula can still be evaluated.

    Raises:
        ValueError: ``forpairs`` has an object on both sides, which LTL cannot keep apart.
    """
    return normalise(_Translation(name, over).formula(condition, {}))


def published_ltl(condition: Condition, name: Callable[[str], str] = ltl_name) -> Formula:
    """The formula that the published translation gives, which means something else.

    "Some plate is stained" becomes "something is stained or no plate": true wherever there is
    anything but plates. "Exactly n" counts all that is not of the category. Pairs are exactly one
    to one in both directions, whatever their numbers.
    """
    return normalise(_Translation(name, None).formula(condition, {}))


class _Translation:
    """``over`` is None for the published translation."""

    def __init__(self, name: Callable[[str], str], over: Universe | None) -> None:
        self.name = name
        self.over = over

    def formula(self, c: Condition, bound: Mapping[str, str]) -> Formula:
        match c:
            case Atom(predicate, args):
                terms = tuple(bound[a] if is_variable(a) else self.name(a) for a in args)
                return Atom(self.name(predicate), terms)
            case Negation(body):
                return Not(self.formula(body, bound))
            case Conjunction(parts):
                return And(tuple(self.formula(part, bound) for part in parts))
            case Disjunction(parts):
                return Or(tuple(self.formula(part, bound) for part in parts))
            case Implication(left, right):
                return Implies(self.formula(left, bound), self.formula(right, bound))
            case ForAll(x, body):
                v, inner = _bind(bound, x)
                return Forall(v, self.within(x, v, self.formula(body, inner)))
            case ForSome(x, body):
                v, inner = _bind(bound, x)
                return Exists(v, self.such(x, v, self.formula(body, inner)))
            case ForN(count, x, body):
                v, inner = _bind(bound, x)
                return Exactly(count, v, self.such(x, v, self.formula(body, inner)))
            case ForPairs():
                return self.pairs(c, bound)

    def within(self, x: Parameter, v: str, body: Formula) -> Formula:
        """If ``v`` is of the category, then ``body``."""
        return Or((Not(Atom(self.name(x.type), (v,))), body))

    def such(self, x: Parameter, v: str, body: Formula) -> Formula:
        """``v`` is of the category, and ``body``; in the published translation, if it is."""
        if self.over is None:
            return self.within(x, v, body)
        return And((Atom(self.name(x.type), (v,)), body))

    def pairs(self, c: ForPairs, bound: Mapping[str, str]) -> Formula:
        v, some = _bind(bound, c.first)
        w, inner = _bind(some, c.second)
        body = self.formula(c.body, inner)
        sides = ((c.first, v, c.second, w), (c.second, w, c.first, v))
        if self.over is None:
            return And(tuple(self.one_to_one(*side, body, c.count) for side in sides))
        if set(self.over.of(c.first.type)) & set(self.over.of(c.second.type)):
            raise ValueError("pairs of a category with itself cannot be written in LTL")
        size = pairs_wanted(c, self.over)
        return And(tuple(self.at_least(size, *side, body) for side in sides))

    def one_to_one(
        self, x: Parameter, v: str, y: Parameter, w: str, body: Formula, count: int | None
    ) -> Formula:
        partner = self.within(x, v, Exactly(1, w, self.within(y, w, body)))
        return Forall(v, partner) if count is None else Exactly(count, v, partner)

    def at_least(
        self, size: int, x: Parameter, v: str, y: Parameter, w: str, body: Formula
    ) -> Formula:
        """At least ``size`` of the first have one of the second."""
        assert self.over is not None
        number = len(self.over.of(x.type))
        partner = Exists(w, And((Atom(self.name(y.type), (w,)), body)))
        if size <= 0:
            return TRUE
        if size > number:
            return FALSE
        if size == number:
            return Forall(v, self.within(x, v, partner))
        has = And((Atom(self.name(x.type), (v,)), partner))
        return And(tuple(Not(Exactly(k, v, has)) for k in range(size)))


def _bind(bound: Mapping[str, str], x: Parameter) -> tuple[str, Mapping[str, str]]:
    """A new variable ``?x0``, ``?x1``, ... by depth, and the bindings with it."""
    variable = f"?x{len(bound)}"
    while variable in bound.values():  # one of the outer names was bound twice
        variable = f"?x{int(variable[2:]) + 1}"
    return variable, {**bound, x.name: variable}


def published_text(condition: Condition, name: Callable[[str], str] = ltl_name) -> str:
    """A condition as the published prompts write it: ``exists(plate_n_04, dusty(plate_n_04))``."""
    return _published_text(condition, name, 0)


def _published_text(c: Condition, name: Callable[[str], str], level: int) -> str:
    def inner(part: Condition) -> str:
        return _published_text(part, name, level + 1)

    match c:
        case Atom(predicate, args):
            terms = ", ".join(name(arg.removeprefix("?")) for arg in args)
            return f"{name(predicate)}({terms})"
        case Negation(body):
            text = f"not {inner(body)}"
        case Conjunction(parts):
            text = " and ".join(map(inner, parts))
        case Disjunction(parts):
            text = " or ".join(map(inner, parts))
        case Implication(left, right):
            text = f"{inner(left)} implies {inner(right)}"
        case ForAll(x, body):
            return f"forall({name(x.type)}, {inner(body)})"
        case ForSome(x, body):
            return f"exists({name(x.type)}, {inner(body)})"
        case ForN(count, x, body):
            return f"forn({count}, {name(x.type)}, {inner(body)})"
        case ForPairs(x, y, body, count):
            head = "forpairs(" if count is None else f"fornpairs({count}, "
            return f"{head}{name(x.type)}, {name(y.type)}, {inner(body)})"
    return f"({text})" if level else text
