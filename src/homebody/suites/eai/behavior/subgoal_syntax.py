"""The language of subgoals on BEHAVIOR.

State formulas are written as in the official prompt, with quantifiers over categories, or in EAI's
LTL (:mod:`homebody.goals.ltl`)::

    inside(strawberry.0, jar.0) and not open(jar.0)
    forall(jar_n_01, (not open(jar_n_01)))          forall x. (jar_n_01(x) implies not open(x))
    forn(2, jar_n_01, open(jar_n_01))               forn 2. x. (jar_n_01(x) and open(x))
    forpairs(watch_n_01, basket_n_01, inside(watch_n_01, basket_n_01))

Dots and hyphens in names count as underscores: ``jar.0`` is ``jar_0``. Pairs have the same meaning
as in BDDL (:mod:`homebody.goals.bddl`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from homebody.core.formula import (
    EQUALS,
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
    Then,
    flatten,
    has_then,
    is_variable,
)
from homebody.suites.eai.subgoal_decomposition.reading import SubgoalError

MAX_DEPTH = 40
"""Maximum nesting depth that is read, including parentheses and negations."""
MAX_DIGITS = 9
MAX_ATOMS = 20_000
"""Maximum number of atoms visited to spell out the quantifiers of one formula."""
MAX_ATOMS_OF_ALL = 100_000
"""Maximum number of atoms visited for all formulas of an output."""

_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*(?:[.\-]\w+)*)|([0-9]+)|([().,=])|(\S))", re.ASCII)
_PAIRS = ("forpairs", "fornpairs")
_QUANTIFIERS = ("forall", "exists", "forn", *_PAIRS)
_CONNECTIVES = ("and", "or", "not", "then", "implies")
_KEYWORDS = frozenset({*_QUANTIFIERS, *_CONNECTIVES})


_Rule: TypeAlias = "Callable[[Mapping[str, str], int], Formula]"


@dataclass(frozen=True, slots=True)
class Category:
    """A category of objects: its name in BDDL, and its number of objects."""

    name: str
    size: int


def plain_name(name: str) -> str:
    """Normalize a name for comparison: ``jar.n.01`` and ``jar_n_01`` are equal."""
    return re.sub(r"[.\-]", "_", name)


def parse(text: str, categories: Mapping[str, Category]) -> tuple[Formula, ...]:
    """Parse the formulas that a string joins by ``then``; names are plain, bound ones are
    variables.

    Args:
        text: Any text.
        categories: Plain name -> category.

    Raises:
        SubgoalError: It does not follow the grammar, or is nested too deep.
    """
    reader = _Reader(*_tokens(text), categories)
    formula = reader.sequence({}, 0)
    if reader.next:
        raise reader.expected_error("the end of the formula")
    parts = formula.parts if isinstance(formula, Then) else (formula,)
    if any(map(has_then, parts)):
        raise SubgoalError("'then' inside a state formula", 1)
    return parts


def _tokens(text: str) -> tuple[list[str], list[int]]:
    """Return the tokens and their columns, and last the column of the end."""
    tokens, columns = [], []
    position, end = 0, len(text.rstrip())
    while position < end:
        token = _TOKEN.match(text, position)
        if token is None or token[4]:
            at = position + len(text[position:]) - len(text[position:].lstrip())
            raise SubgoalError(f"a formula has no character {text[at]!r}", at + 1)
        position = token.end()
        tokens.append(token[1] or token[2] or token[3])
        columns.append(token.start(token.lastindex or 0) + 1)
    return tokens, [*columns, end + 1]


@dataclass
class _Reader:
    """Reads tokens from ``at`` on, each once.

    ``bound`` maps the plain names that quantifiers bind to variables.
    """

    tokens: list[str]
    columns: list[int]
    categories: Mapping[str, Category]
    at: int = 0

    @property
    def next(self) -> str:
        """The next token; empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def error(self, problem: str) -> SubgoalError:
        return SubgoalError(problem, self.columns[self.at])

    def expected_error(self, wanted: str) -> SubgoalError:
        found = repr(self.next[:40]) if self.next else "the end of the formula"
        return self.error(f"expected {wanted}, found {found}")

    def take(self, *expected: str) -> str:
        token = self.next
        if expected and token not in expected:
            raise self.expected_error(" or ".join(map(repr, expected)))
        self.at += 1
        return token

    def name(self, wanted: str = "a name, such as jar.0") -> str:
        token = self.next
        if not re.match(r"[A-Za-z_]", token) or token in _KEYWORDS:
            raise self.expected_error(wanted)
        self.at += 1
        return plain_name(token)

    def number(self) -> int:
        token = self.next
        if not token.isdigit() or len(token) > MAX_DIGITS:
            raise self.expected_error("a whole number")
        return int(self.take())

    # -- from the loosest connective to the closest -----------------------------------------------

    def sequence(self, bound: Mapping[str, str], depth: int) -> Formula:
        parts = self._read_operands("then", self.implication, bound, depth)
        return flatten(Then, parts)

    def implication(self, bound: Mapping[str, str], depth: int) -> Formula:
        parts = [self.disjunction(bound, depth)]
        while self.next == "implies":  # each further part lies one level deeper
            self.at += 1
            parts.append(self.disjunction(bound, depth + len(parts)))
        formula = parts.pop()
        while parts:
            formula = Implies(parts.pop(), formula)
        return formula

    def disjunction(self, bound: Mapping[str, str], depth: int) -> Formula:
        parts = self._read_operands("or", self.conjunction, bound, depth)
        return flatten(Or, parts)

    def conjunction(self, bound: Mapping[str, str], depth: int) -> Formula:
        parts = self._read_operands("and", self.single, bound, depth)
        return flatten(And, parts)

    def _read_operands(
        self, word: str, read: _Rule, bound: Mapping[str, str], depth: int
    ) -> list[Formula]:
        parts = [read(bound, depth)]
        while self.next == word:
            self.at += 1
            parts.append(read(bound, depth))
        return parts

    def single(self, bound: Mapping[str, str], depth: int) -> Formula:
        if depth > MAX_DEPTH:
            raise self.error(f"it is nested more than {MAX_DEPTH} levels deep")
        token = self.next
        if token == "not":
            self.at += 1
            return Not(self.single(bound, depth + 1))
        if token == "(":
            return self.group(bound, depth)
        if token in _QUANTIFIERS:
            self.at += 1
            return self.quantifier(token, bound, depth + 1)
        return self.call(bound)

    def group(self, bound: Mapping[str, str], depth: int) -> Formula:
        self.take("(")
        formula = self.sequence(bound, depth + 1)
        self.take(")")
        return formula

    def call(self, bound: Mapping[str, str]) -> Formula:
        predicate = self.name("a condition, such as open(jar.0)")
        self.take("(")
        args: list[str] = []
        while self.next != ")":
            if args and self.next != ",":
                raise self.expected_error("',' or ')'")
            if args:
                self.take()
            name = self.name()
            args.append(bound.get(name, name))
        self.take(")")
        return Atom(predicate, tuple(args))

    # -- quantifiers ------------------------------------------------------------------------------

    def quantifier(self, word: str, bound: Mapping[str, str], depth: int) -> Formula:
        if self.next == "(":
            return self.category_quantifier(word, bound, depth)
        count = None
        if word in _PAIRS:
            self.take("(")
        if word == "exists" and self.next == "=":
            self.at += 1
            count = self.number()
        elif word == "forn":
            count = self.number()
            if self.next == ".":
                self.at += 1
        name = self.name()
        self.take(".")
        variable = f"?{name}"
        body = self.group({**bound, name: variable}, depth)
        if count is not None:
            return Exactly(count, variable, body)
        return Forall(variable, body) if word == "forall" else Exists(variable, body)

    def category_quantifier(self, word: str, bound: Mapping[str, str], depth: int) -> Formula:
        self.take("(")
        count = None
        if word.startswith("forn"):
            count = self.number()
            self.take(",")
        names = [self.name()]
        self.take(",")
        if word in _PAIRS:
            names.append(self.name())
            self.take(",")
        inner = dict(bound)
        variables = []
        for name in names:
            variables.append(f"?{name}" if f"?{name}" not in variables else f"?{name}_2")
            inner[name] = variables[-1]
        body = self.sequence(inner, depth)
        self.take(")")
        if word in _PAIRS:
            return self.pairs(names, variables, body, count)
        (name,), (variable,) = names, variables
        kind = self.categories.get(name)
        such = body if kind is None else And((Atom(kind.name, (variable,)), body))
        if word == "forall":
            within = body if kind is None else Implies(Atom(kind.name, (variable,)), body)
            return Forall(variable, within)
        return Exists(variable, such) if count is None else Exactly(count, variable, such)

    def pairs(
        self, names: list[str], variables: list[str], body: Formula, count: int | None
    ) -> Formula:
        """Return the formula that at least ``count`` objects of the first category have a partner
        in the second, and vice versa."""
        kinds = [self.categories.get(name) for name in names]
        kind, other = kinds
        if kind is None or other is None:
            raise self.error("pairs are of two categories")
        same = kind == other
        size = min(kind.size, other.size) - same if count is None else count
        if same:
            body = And((Not(Atom(EQUALS, tuple(variables))), body))
        return And(
            (
                _at_least(size, kind, variables[0], other, variables[1], body),
                _at_least(size, other, variables[1], kind, variables[0], body),
            )
        )


def _at_least(
    size: int, kind: Category, variable: str, other: Category, partner: str, body: Formula
) -> Formula:
    has_one = Exists(partner, And((Atom(other.name, (partner,)), body)))
    belongs = Atom(kind.name, (variable,))
    if size <= 0:
        return TRUE
    if size > kind.size:
        return FALSE
    if size == kind.size:
        return Forall(variable, Implies(belongs, has_one))
    such = And((belongs, has_one))
    return And(tuple(Not(Exactly(fewer, variable, such)) for fewer in range(size)))


# -- quantifiers spelt out -----------------------------------------------------------------------


class Grounder:
    """Grounds the formulas of one output: ``forall`` and ``exists`` are replaced by parts for each
    object.

    Then a search can find the requirements for each object. "Exactly n" stays unchanged.

    Args:
        categories: Object -> category, of all objects.
    """

    def __init__(self, categories: Mapping[str, str]) -> None:
        self._categories = categories
        self._left = MAX_ATOMS_OF_ALL
        self._known: dict[Formula, Formula] = {}

    def ground(self, formula: Formula) -> Formula:
        """Ground a closed formula, whose category atoms have BDDL names (``jar.n.01``).

        Return it unchanged if that would visit more atoms than :data:`MAX_ATOMS` for it or
        :data:`MAX_ATOMS_OF_ALL` for all formulas.
        """
        known = self._known.get(formula)  # once: hashing a formula walks it
        if known is None:
            grounding = _Grounding(self._categories, min(MAX_ATOMS, self._left))
            try:
                known = grounding.ground(formula, {})
            except _TooLargeError:
                known = formula
            self._left -= grounding.atoms
            self._known[formula] = known
        return known


class _TooLargeError(Exception):
    pass


@dataclass
class _Grounding:
    categories: Mapping[str, str]
    most: int
    atoms: int = 0

    def ground(self, formula: Formula, binding: Mapping[str, str]) -> Formula:
        match formula:
            case Atom(predicate, args):
                return self.atom(predicate, tuple([binding.get(arg, arg) for arg in args]))
            case Not(body):
                inner = self.ground(body, binding)
                return FALSE if inner == TRUE else TRUE if inner == FALSE else Not(inner)
            case And(parts):
                return self.join(And, FALSE, (self.ground(part, binding) for part in parts))
            case Or(parts):
                return self.join(Or, TRUE, (self.ground(part, binding) for part in parts))
            case Implies(left, right):
                return self.ground(Or((Not(left), right)), binding)
            case Forall(variable, body):
                return self.join(And, FALSE, self.instances(variable, body, binding))
            case Exists(variable, body):
                return self.join(Or, TRUE, self.instances(variable, body, binding))
            case Exactly(count, variable, body):
                free = {term: name for term, name in binding.items() if term != variable}
                return Exactly(count, variable, self.ground(body, free))
        return formula

    def instances(
        self, variable: str, body: Formula, binding: Mapping[str, str]
    ) -> Iterable[Formula]:
        return (self.ground(body, {**binding, variable: name}) for name in self.categories)

    def atom(self, predicate: str, args: tuple[str, ...]) -> Formula:
        if self.atoms >= self.most:
            raise _TooLargeError
        self.atoms += 1
        if any(map(is_variable, args)):
            return Atom(predicate, args)
        if predicate == EQUALS:
            return TRUE if args[0] == args[1] else FALSE
        if "." in predicate:
            return TRUE if self.categories[args[0]] == predicate else FALSE
        return Atom(predicate, args)

    def join(self, connective: type[And | Or], end: Formula, parts: Iterable[Formula]) -> Formula:
        """Join the parts; ``end`` is the constant that decides the result."""
        kept: dict[Formula, None] = {}
        for part in parts:
            if part == end:
                return end
            inner = part.parts if isinstance(part, connective) else (part,)
            kept.update(dict.fromkeys(inner))
        return next(iter(kept)) if len(kept) == 1 else connective(tuple(kept))
