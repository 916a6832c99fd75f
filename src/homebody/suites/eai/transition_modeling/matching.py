"""Comparison of two PDDL conditions or effects, clause by clause (EAI paper, appendix D.4).

Both are brought into one normal form (:mod:`.normal_form`) and compared in two ways; the better
result counts:

- part by part of the outermost ``and``, where an ``or`` is one part;
- in disjunctive form, alternative by alternative, where a conjunction is one alternative.

A predicted clause is right if it is identical to a clause of the ground truth; otherwise it is
wrong as a whole. Identical means the same tree, except for the order of the parts of ``and`` and
``or`` and for the names of variables: parameters correspond by position, and bound variables by the
quantifiers that bind them. The predicate ``=`` is ignored on both sides.

The paper pairs clauses by bipartite matching. Since identity is an equivalence relation, the best
pairing needs no search: clauses with equal canonical forms are paired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from typing import TypeAlias

from homebody.core.formula import (
    EQUALS,
    TRUE,
    And,
    Atom,
    Formula,
    Not,
    Or,
    Parameter,
    Quantification,
    When,
)
from homebody.planning.pddl import Operator
from homebody.suites.eai.transition_modeling.normal_form import normalize, remove_equality

_Clauses: TypeAlias = dict[str, Counter[str]]
"""Canonical form -> number of occurrences of each predicate in it."""

_MAX_ALTERNATIVES = 64
"""Maximum number of alternatives of a condition that is brought into disjunctive form."""
_MAX_SPELT_OUT = 5_000
"""Maximum number of parts in all alternatives of such a condition."""
_MAX_VARIABLES = 5
_MAX_ORDERS = 2_000
"""Maximum number of orders of quantified variables tried in one formula.

If there are more orders, or more than ``_MAX_VARIABLES`` variables, only the written order is used.
This limits the time for hostile formulas.
"""


@dataclass(frozen=True, slots=True)
class Match:
    """Numbers of occurrences by predicate: in clauses that both have, in clauses that only the
    prediction has, and in clauses that only the ground truth has.

    ``wrong`` and ``missed`` never exceed the written occurrences, even if the disjunctive form
    repeats them.
    """

    right: Mapping[str, int] = field(default_factory=dict)
    wrong: Mapping[str, int] = field(default_factory=dict)
    missed: Mapping[str, int] = field(default_factory=dict)

    @property
    def f1(self) -> float:
        """F1 score in [0, 1]; 1 if there is nothing to match on either side."""
        right, wrong, missed = (sum(c.values()) for c in (self.right, self.wrong, self.missed))
        return 2 * right / (2 * right + wrong + missed) if right + wrong + missed else 1.0


def match(
    predicted: Formula,
    gold: Formula,
    predicted_parameters: Sequence[Parameter] = (),
    gold_parameters: Sequence[Parameter] = (),
) -> Match:
    """Match two conditions or two effects; parameters correspond by position."""
    left = _form(predicted, tuple(predicted_parameters))
    right = _form(gold, tuple(gold_parameters))
    by_parts = _pair_clauses(left.parts, right.parts)
    if not (left.alternatives or right.alternatives):
        return by_parts
    by_alternatives = _pair_clauses(left.clauses, right.clauses)
    by_alternatives = Match(
        by_alternatives.right,
        _limit_to_written(by_alternatives.wrong, left.parts),
        _limit_to_written(by_alternatives.missed, right.parts),
    )
    return max(by_parts, by_alternatives, key=_quality)


def _pair_clauses(left: _Clauses, right: _Clauses) -> Match:
    return Match(
        _count(left[key] for key in left if key in right),
        _count(left[key] for key in left if key not in right),
        _count(right[key] for key in right if key not in left),
    )


def _limit_to_written(counted: Mapping[str, int], written: _Clauses) -> Mapping[str, int]:
    """Limit the counts to the occurrences in the written clauses, because the disjunctive form
    repeats parts."""
    whole = _count(written.values())
    return whole if whole.total() < sum(counted.values()) else counted


def _quality(result: Match) -> tuple[float, int]:
    return result.f1, -sum(result.wrong.values()) - sum(result.missed.values())


def match_operators(predicted: Operator, gold: Operator) -> tuple[Match, Match]:
    """Return the matches of the preconditions and of the effects."""
    parameters = predicted.parameters, gold.parameters
    return (
        match(predicted.precondition, gold.precondition, *parameters),
        match(predicted.effect, gold.effect, *parameters),
    )


def missed_operator(gold: Operator) -> tuple[Match, Match]:
    """Return :func:`match_operators` for an operator that was not predicted."""
    return match_nothing(gold.precondition), match_nothing(gold.effect)


def match_nothing(gold: Formula) -> Match:
    """Return the match of a condition that was not predicted."""
    return match(TRUE, gold)


def canonical_form(formula: Formula, parameters: Sequence[Parameter] = ()) -> str:
    """Return a string that is equal for two expressions if and only if their normal forms are
    identical."""
    return _Writer().write(normalize(formula), _Names().extend(parameters))[0]


@dataclass(frozen=True, slots=True)
class _Names:
    """Variable -> its canonical name, and the number of names given so far."""

    given: Mapping[str, str] = field(default_factory=dict)
    count: int = 0

    def extend(self, variables: Sequence[Parameter]) -> _Names:
        """Give names to further variables. The names start with a space, so they differ from all
        PDDL names."""
        own = {v.name: f" {self.count + at}" for at, v in enumerate(variables)}
        return _Names({**self.given, **own}, self.count + len(variables))


@dataclass(frozen=True, slots=True)
class _Form:
    """The parts of a formula, and its alternatives, which are empty if there is only one."""

    parts: _Clauses
    alternatives: _Clauses

    @property
    def clauses(self) -> _Clauses:
        """The alternatives, even if there is only one."""
        return self.alternatives or _as_one_clause(self.parts)


@lru_cache(maxsize=1000)  # tasks share operators, and a model writes the same for several
def _form(formula: Formula, parameters: tuple[Parameter, ...]) -> _Form:
    simple = normalize(remove_equality(formula), split_negated=False)
    names, writer = _Names().extend(parameters), _Writer()
    spelt_out = _distribute(simple) or []
    if sum(map(len, spelt_out)) > _MAX_SPELT_OUT:
        spelt_out = []
    written: dict[int, _Clauses] = {}  # by identity: alternatives share their parts
    alternatives: _Clauses = {}
    for parts in spelt_out:
        held: _Clauses = {}
        for part in parts:
            if id(part) not in written:
                written[id(part)] = writer.parts(normalize(part), names, And)
            held |= written[id(part)]
        alternatives |= _as_one_clause(held) or {_join("and", ()): Counter()}
    if len(alternatives) == 1:
        simple, alternatives = And(tuple(spelt_out[0])), {}
    return _Form(_Writer().parts(normalize(simple), names, And), alternatives)


def _distribute(formula: Formula) -> list[list[Formula]] | None:
    """Return the disjunctive form as lists of parts; None if it has too many alternatives."""
    match formula:
        case Or(parts) if parts:
            alternatives: list[list[Formula]] = []
            for part in parts:
                inner = _distribute(part)
                if inner is None or len(alternatives) + len(inner) > _MAX_ALTERNATIVES:
                    return None
                alternatives += inner
            return alternatives
        case And(parts):
            product: list[list[Formula]] = [[]]
            for part in parts:
                inner = _distribute(part)
                if inner is None or len(product) * len(inner) > _MAX_ALTERNATIVES:
                    return None
                if len(inner) == 1:
                    for alternative in product:
                        alternative += inner[0]
                else:
                    product = [[*before, *after] for before in product for after in inner]
            return product
    return [[formula]]


def _as_one_clause(parts: _Clauses) -> _Clauses:
    """Return a conjunction as the only clause of a disjunction; empty if it has no parts."""
    if len(parts) < 2:
        return parts
    return {_join("and", parts): _count(parts.values())}


def _count(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return total


def _join(word: str, parts: Iterable[str]) -> str:
    return f"({word} {' '.join(sorted(parts))})"


class _Writer:
    """Writes canonical forms of formulas in normal form, with their predicates."""

    def __init__(self) -> None:
        self.orders = _MAX_ORDERS

    def write(self, formula: Formula, names: _Names) -> tuple[str, Counter[str]]:
        match formula:
            case Atom(predicate, args):
                words = [names.given.get(arg, arg) for arg in args]
                if predicate == EQUALS:
                    return f"(= {' '.join(sorted(words))})", Counter()
                return f"({' '.join((predicate, *words))})", Counter([predicate])
            case Not(body):
                text, held = self.write(body, names)
                return f"(not {text})", held
            case And() | Or():
                parts = self.parts(formula, names, type(formula))
                if len(parts) == 1:
                    return next(iter(parts.items()))
                word = "and" if isinstance(formula, And) else "or"
                return _join(word, parts), _count(parts.values())
            case When(condition, effect):
                condition_text, condition_held = self.write(condition, names)
                effect_text, effect_held = self.write(effect, names)
                return f"(when {condition_text} {effect_text})", condition_held + effect_held
            case Quantification():
                return self._write_quantifier(formula, names)
        raise TypeError(f"not in normal form: {type(formula).__name__}")

    def parts(
        self,
        formula: Formula,
        names: _Names,
        kind: type[And] | type[Or],
    ) -> _Clauses:
        """Return the parts of nested ``and`` (or ``or``), each once. Any other formula is its only
        part."""
        clauses: _Clauses = {}
        waiting: list[Formula] = [formula]
        while waiting:
            part = waiting.pop()
            match part:
                case And(inner) | Or(inner) if isinstance(part, kind) or len(inner) == 1:
                    waiting.extend(reversed(inner))
                case _:
                    text, held = self.write(part, names)
                    clauses[text] = held
        return clauses

    def _write_quantifier(self, formula: Quantification, names: _Names) -> tuple[str, Counter[str]]:
        """Write a quantifier. Nested quantifiers of the same kind count as one, with variables in
        any order."""
        variables, body = list(formula.variables), formula.body
        while isinstance(body, Quantification) and body.kind == formula.kind:
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
            written.append(self.write(body, names.extend(order)))
        text, held = min(written, key=lambda pair: pair[0])
        return f"({formula.kind} ({' '.join(types)}) {text})", held
