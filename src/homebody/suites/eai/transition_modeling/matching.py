"""How alike two PDDL conditions (or effects) are: clause by clause, EAI paper, appendix D.4.

Both are brought into one normal form (:mod:`.normal_form`). Then they are compared twice, and the
better result counts:

- part by part of the outermost ``and``, an ``or`` being one part;
- in disjunctive form, alternative by alternative: a conjunction is one alternative.

A predicted clause is right if it is identical to a clause of the ground truth, and a clause with
any part that is not matched is wrong as a whole. Identical means the same tree, whatever the order
of the parts of ``and`` and ``or`` and the names of variables: parameters correspond by position,
bound variables by what they bind. The predicate ``=`` counts for nothing: it is left out on both
sides.

The paper pairs clauses by bipartite matching, applied again to the parts of nested clauses. As
being identical is an equivalence relation, the best pairing is found without a search: clauses
are written in one canonical form, and equal forms belong together.
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
from homebody.suites.eai.transition_modeling.normal_form import normal, without_equality

_Clauses: TypeAlias = dict[str, Counter[str]]
"""Canonical form -> how often each predicate occurs in it."""

_MAX_ALTERNATIVES = 64
"""Conditions with more alternatives are not brought into disjunctive form."""
_MAX_SPELT_OUT = 5_000
"""Nor are those with more parts in all alternatives together."""
_MAX_VARIABLES = 5
_MAX_ORDERS = 2_000
"""Orders of quantified variables that are tried for one quantifier, and in one formula. Beyond
that the written order counts, so that hostile formulas cannot take for ever."""


@dataclass(frozen=True, slots=True)
class Match:
    """Predicates (name -> occurrences) of the clauses that are in both, only predicted, and only
    in the ground truth; of what is written briefly and spelt out by the disjunctive form, neither
    ``wrong`` nor ``missed`` is more than what is written."""

    right: Mapping[str, int] = field(default_factory=dict)
    wrong: Mapping[str, int] = field(default_factory=dict)
    missed: Mapping[str, int] = field(default_factory=dict)

    @property
    def f1(self) -> float:
        """In [0, 1]; 1 if there is nothing to match on either side."""
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
    by_parts = _paired(left.parts, right.parts)
    if not (left.alternatives or right.alternatives):
        return by_parts
    by_alternatives = _paired(left.clauses, right.clauses)
    by_alternatives = Match(
        by_alternatives.right,
        _fewer(by_alternatives.wrong, left.parts),
        _fewer(by_alternatives.missed, right.parts),
    )
    return max(by_parts, by_alternatives, key=_quality)


def _paired(left: _Clauses, right: _Clauses) -> Match:
    return Match(
        _count(left[key] for key in left if key in right),
        _count(left[key] for key in left if key not in right),
        _count(right[key] for key in right if key not in left),
    )


def _fewer(counted: Mapping[str, int], written: _Clauses) -> Mapping[str, int]:
    """Not more than what is written: the disjunctive form of ten ``or`` repeats the rest of the
    condition a thousand times."""
    whole = _count(written.values())
    return whole if whole.total() < sum(counted.values()) else counted


def _quality(result: Match) -> tuple[float, int]:
    return result.f1, -sum(result.wrong.values()) - sum(result.missed.values())


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


def missed(gold: Formula) -> Match:
    """Nothing was predicted."""
    return match(TRUE, gold)


def canonical(formula: Formula, parameters: Sequence[Parameter] = ()) -> str:
    """A text that two expressions share if, and only if, they have the same normal form but for
    the order of parts and the names of variables."""
    return _Writer().write(normal(formula), _Names().extended(parameters))[0]


@dataclass(frozen=True, slots=True)
class _Names:
    """Variable -> its canonical name, and how many names are given so far."""

    given: Mapping[str, str] = field(default_factory=dict)
    count: int = 0

    def extended(self, variables: Sequence[Parameter]) -> _Names:
        """With these variables bound; a space starts no PDDL name, so none is mistaken."""
        own = {v.name: f" {self.count + at}" for at, v in enumerate(variables)}
        return _Names({**self.given, **own}, self.count + len(variables))


@dataclass(frozen=True, slots=True)
class _Form:
    """The parts of an formula, and its alternatives, none if there is only one."""

    parts: _Clauses
    alternatives: _Clauses

    @property
    def clauses(self) -> _Clauses:
        """The alternatives, be it one."""
        return self.alternatives or _as_one_clause(self.parts)


@lru_cache(maxsize=1000)  # tasks share operators, and a model writes the same for several
def _form(formula: Formula, parameters: tuple[Parameter, ...]) -> _Form:
    simple = normal(without_equality(formula), split_negated=False)
    names, writer = _Names().extended(parameters), _Writer()
    spelt_out = _distributed(simple) or []
    if sum(map(len, spelt_out)) > _MAX_SPELT_OUT:
        spelt_out = []
    written: dict[int, _Clauses] = {}  # by identity: alternatives share their parts
    alternatives: _Clauses = {}
    for parts in spelt_out:
        held: _Clauses = {}
        for part in parts:
            if id(part) not in written:
                written[id(part)] = writer.parts(normal(part), names, And)
            held |= written[id(part)]
        alternatives |= _as_one_clause(held) or {_joined("and", ()): Counter()}
    if len(alternatives) == 1:
        simple, alternatives = And(tuple(spelt_out[0])), {}
    return _Form(_Writer().parts(normal(simple), names, And), alternatives)


def _distributed(formula: Formula) -> list[list[Formula]] | None:
    """The disjunctive form, outside of quantifiers and negations, as lists of parts; None if it
    would have too many alternatives."""
    match formula:
        case Or(parts) if parts:
            alternatives: list[list[Formula]] = []
            for part in parts:
                inner = _distributed(part)
                if inner is None or len(alternatives) + len(inner) > _MAX_ALTERNATIVES:
                    return None
                alternatives += inner
            return alternatives
        case And(parts):
            product: list[list[Formula]] = [[]]
            for part in parts:
                inner = _distributed(part)
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
    """Writes canonical forms of what is in normal form, with the predicates they hold."""

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
                return _joined(word, parts), _count(parts.values())
            case When(condition, effect):
                condition_text, condition_held = self.write(condition, names)
                effect_text, effect_held = self.write(effect, names)
                return f"(when {condition_text} {effect_text})", condition_held + effect_held
            case Quantification():
                return self._quantified(formula, names)
        raise TypeError(f"not in normal form: {type(formula).__name__}")

    def parts(
        self,
        formula: Formula,
        names: _Names,
        kind: type[And] | type[Or],
    ) -> _Clauses:
        """The parts of nested ``and`` (``or``) on one level, each once; another formula is
        its own only part."""
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

    def _quantified(self, formula: Quantification, names: _Names) -> tuple[str, Counter[str]]:
        """Directly nested quantifiers of a kind count as one, in any order of variables."""
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
            written.append(self.write(body, names.extended(order)))
        text, held = min(written, key=lambda pair: pair[0])
        return f"({formula.kind} ({' '.join(types)}) {text})", held
