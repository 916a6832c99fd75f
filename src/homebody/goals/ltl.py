"""EAI's goal language: linear temporal logic on finite traces, with one connective, ``then``.

A formula is read with :func:`parse`, printed with :func:`to_text` and judged over a whole trace
with :func:`evaluate`. How a *task* uses a formula (actions in order, everything else in the
final state) is :mod:`homebody.goals.ltl_goal`.

    (exists x0. (READ(x0) or LOOKAT(x0)) then HOLDS_RH(character.65, novel.1000))

Grammar (EAI paper, appendix C.3), loosest connective first::

    then  <  implies  <  or  <  and  <  not  <  quantifiers  <  ( )

- ``forall x. (...)``, ``exists x. (...)``, and "exactly 2 objects": ``exists=2 x. (...)``,
  ``forn 2 x. (...)`` or ``forn 2. x. (...)``. The paper's grammar prints ``forn x. (...)``,
  without the number that its semantics needs; the published parser reads the last of the three.
- ``implies`` is in the paper's definition of formulas but not in its grammar. It groups to the
  right: ``a implies b implies c`` is ``a implies (b implies c)``.
- Keywords are lower case and are no names. An object is ``pants`` or ``pants.1000``.
- A name bound by a quantifier becomes a variable, ``x0`` -> ``?x0``; all others stay as they are.

Normal form: ``and``, ``or`` and ``then`` are n-ary, have two parts or more, and none of them is
a direct part of itself: ``(a and b) and c`` is read as ``And((a, b, c))``. All three are
associative. ``parse(to_text(f)) == normalise(f)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from homebody.core.action import Action
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
    Structure,
    Then,
    is_variable,
)
from homebody.core.formula import evaluate as evaluate_state
from homebody.core.state import State
from homebody.core.world import Trace

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

MAX_LENGTH = 100_000
"""Longest text that is read, in characters."""

MAX_DEPTH = 100
"""Deepest nesting that is read; parentheses count. Recursive functions on formulas stay far
below Python's recursion limit. The deepest published goal has 5 levels."""

KEYWORDS = frozenset({"and", "or", "not", "implies", "forall", "exists", "forn", "then"})

View: TypeAlias = Callable[[State], Structure]
"""How a state is looked at, usually ``World.view``: adds derived predicates."""


class LTLError(ValueError):
    """A formula that cannot be used; ``str()`` shows the line with a caret under the column.

    Attributes:
        problem: What is wrong, in a phrase.
        text: The whole formula.
        line: Where, from 1.
        column: Where, from 1.
    """

    def __init__(self, problem: str, text: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {problem}\n{_excerpt(text, line, column)}")
        self.problem = problem
        self.text = text
        self.line = line
        self.column = column


class LTLSyntaxError(LTLError):
    """The text does not follow the grammar, is too long or is nested too deeply."""


class LTLVocabularyError(LTLError):
    """The text follows the grammar but uses a predicate or an object that is not known.

    Attributes:
        name: The predicate or object at fault.
        reason: ``"predicate"``, ``"arity"`` (wrong number of arguments) or ``"object"``.
    """

    def __init__(
        self, problem: str, text: str, line: int, column: int, name: str, reason: str
    ) -> None:
        super().__init__(problem, text, line, column)
        self.name = name
        self.reason = reason


def _excerpt(text: str, line: int, column: int, width: int = 76) -> str:
    """The offending line, cut to ``width`` around the column, and a caret below."""
    source = "".join(c if c.isprintable() else " " for c in text.split("\n")[line - 1])
    start = max(0, column - 1 - width * 2 // 3)
    shown, offset = source[start : start + width], column - 1 - start
    if start + width < len(source):
        shown += "..."
    if start:
        shown, offset = "..." + shown, offset + 3
    return f"    {shown}\n    {' ' * offset}^"


# --- Reading ------------------------------------------------------------------------------------

_GRAMMAR = r"""
start: formula
?formula: implication
        | implication ("then" implication)+                        -> sequence
?implication: disjunction
        | disjunction "implies" implication
?disjunction: conjunction
        | conjunction ("or" conjunction)+
?conjunction: literal
        | literal ("and" literal)+
?literal: atom
        | "(" formula ")"                                          -> group
        | "not" literal                                            -> negation
        | "forall" NAME "." "(" formula ")"                        -> forall
        | "exists" NAME "." "(" formula ")"                        -> exists
        | "exists" "=" COUNT NAME "." "(" formula ")"              -> exactly
        | "forn" COUNT "."? NAME "." "(" formula ")"               -> exactly
atom: NAME "(" (_argument ("," _argument)*)? ")"
_argument: NAME | OBJECT

NAME: /[a-zA-Z_]\w*/
OBJECT.2: /[a-zA-Z_]\w*\.[0-9]+(?!\w)/
COUNT: /[0-9]+/
%import common.WS
%ignore WS
"""

_NAME = re.compile(r"[a-zA-Z_]\w*")
_OBJECT = re.compile(r"[a-zA-Z_]\w*(\.[0-9]+)?")

_COUNT_DIGITS = 9

_SYMBOLS = {
    **dict.fromkeys("&∧", "and"),
    **dict.fromkeys("|\u2228", "or"),
    **dict.fromkeys("!~¬", "not"),
    **dict.fromkeys("-→⇒", "implies"),
    "∀": "forall",
    "∃": "exists",
}


@cache
def _parser() -> Lark:
    import lark  # here, so that the command line starts without it

    # The basic lexer, because the contextual one would take a keyword for a name.
    return lark.Lark(_GRAMMAR, parser="lalr", lexer="basic", propagate_positions=True)


def parse(
    text: str,
    *,
    predicates: Mapping[str, int] | None = None,
    objects: Collection[str] | None = None,
) -> Formula:
    """Read a formula. Safe on any text.

    Args:
        text: The formula.
        predicates: If given, the only predicates allowed, with their number of arguments.
            State and action predicates alike.
        objects: If given, the only object names allowed.

    Returns:
        The formula in normal form.

    Raises:
        LTLSyntaxError: The text does not follow the grammar, has more than ``MAX_LENGTH``
            characters or more than ``MAX_DEPTH`` levels.
        LTLVocabularyError: A predicate or object is not among those allowed, or has a wrong
            number of arguments.
    """
    if len(text) > MAX_LENGTH:
        problem = f"the formula has {len(text)} characters; at most {MAX_LENGTH} are read"
        raise LTLSyntaxError(problem, text, *_position(text, MAX_LENGTH))
    import lark

    try:
        tree = _parser().parse(text)
    except lark.UnexpectedToken as error:
        if error.token.type == "$END":
            line, column = _position(text, len(text.rstrip()))
        else:
            line, column = error.line, error.column
        raise LTLSyntaxError(_unexpected_token(error, text), text, line, column) from None
    except lark.UnexpectedCharacters as error:
        problem = _unexpected_character(text[error.pos_in_stream or 0])
        raise LTLSyntaxError(problem, text, error.line, error.column) from None
    reading = _Reading(text, predicates, None if objects is None else frozenset(objects))
    return _build(_only_branch(tree), frozenset(), 0, reading)


def _position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of a character."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def _unexpected_token(error: Any, text: str) -> str:
    token = str(error.token)
    found = f"'{token if len(token) <= 40 else token[:37] + '...'}'"
    if error.token.type == "$END":
        found = "the end of the formula"
    problem = f"expected {_expected(error.accepts or set())}, found {found}"
    if error.token.type == "NAME" and token.lower() in KEYWORDS:
        problem += f" (keywords are lower case: {token.lower()})"
    if text[error.token.start_pos or 0 :].startswith("=>"):
        problem += " (write 'implies')"
    return problem


def _expected(accepts: Collection[str]) -> str:
    """What may come next, in plain words, from the names of the grammar's terminals."""
    words: list[str] = []
    if "NOT" in accepts:
        words.append("a condition such as ON(light.1)")
    elif "OBJECT" in accepts:
        words.append("an object name")
    elif "NAME" in accepts:
        words.append("a variable name")
    if "COUNT" in accepts:
        words.append("a whole number")
    words += [f"'{k}'" for k in ("and", "or", "implies", "then") if k.upper() in accepts]
    marks = {"COMMA": "','", "DOT": "'.'", "EQUAL": "'='", "RPAR": "')'"}
    words += [word for terminal, word in marks.items() if terminal in accepts]
    if "LPAR" in accepts and "NOT" not in accepts:
        words.append("'('")
    if "$END" in accepts:
        words.append("the end of the formula")
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _unexpected_character(character: str) -> str:
    problem = f"a formula has no character {character!r}"
    if character in _SYMBOLS:
        problem += f" (write '{_SYMBOLS[character]}')"
    return problem


@dataclass(frozen=True, slots=True)
class _Reading:
    text: str
    predicates: Mapping[str, int] | None
    objects: frozenset[str] | None


def _branches(tree: Tree[Token]) -> list[Tree[Token]]:
    return [child for child in tree.children if not isinstance(child, str)]


def _tokens(tree: Tree[Token]) -> list[Token]:
    return [child for child in tree.children if isinstance(child, str)]


def _only_branch(tree: Tree[Token]) -> Tree[Token]:
    return _branches(tree)[0]


def _build(tree: Tree[Token], scope: frozenset[str], depth: int, reading: _Reading) -> Formula:
    """Turn a syntax tree into a formula; ``scope`` holds the names that quantifiers bind."""
    if depth > MAX_DEPTH:
        problem = f"nested more than {MAX_DEPTH} levels deep"
        raise LTLSyntaxError(problem, reading.text, tree.meta.line, tree.meta.column)
    kind = str(tree.data)
    if kind == "atom":
        return _build_atom(tree, scope, reading)
    if kind in ("forall", "exists", "exactly"):
        tokens = _tokens(tree)
        name = str(tokens[-1])
        body = _build(_only_branch(tree), scope | {name}, depth + 1, reading)
        if kind == "exactly":
            return Exactly(_count(tokens[0], reading), "?" + name, body)
        return Forall("?" + name, body) if kind == "forall" else Exists("?" + name, body)
    parts = [_build(branch, scope, depth + 1, reading) for branch in _branches(tree)]
    if kind == "group":
        return parts[0]
    if kind == "negation":
        return Not(parts[0])
    if kind == "implication":
        return Implies(parts[0], parts[1])
    if kind == "conjunction":
        return _joined(And, parts)
    return _joined(Or if kind == "disjunction" else Then, parts)


def _count(token: Token, reading: _Reading) -> int:
    if len(token) > _COUNT_DIGITS:
        problem = f"a count has at most {_COUNT_DIGITS} digits"
        raise LTLSyntaxError(problem, reading.text, token.line or 1, token.column or 1)
    return int(token)


def _build_atom(tree: Tree[Token], scope: frozenset[str], reading: _Reading) -> Atom:
    predicate, *args = _tokens(tree)

    def unknown(problem: str, at: Token, reason: str) -> LTLVocabularyError:
        line, column = at.line or 1, at.column or 1
        return LTLVocabularyError(problem, reading.text, line, column, str(at), reason)

    if reading.predicates is not None:
        arity = reading.predicates.get(str(predicate))
        if arity is None:
            raise unknown(f"there is no predicate {predicate}", predicate, "predicate")
        if arity != len(args):
            plural = "argument" if arity == 1 else "arguments"
            problem = f"{predicate} takes {arity} {plural}, not {len(args)}"
            raise unknown(problem, predicate, "arity")
    if reading.objects is not None:
        for arg in args:
            if str(arg) not in scope and str(arg) not in reading.objects:
                raise unknown(f"there is no object {arg}", arg, "object")
    terms = tuple("?" + str(arg) if str(arg) in scope else str(arg) for arg in args)
    return Atom(str(predicate), terms)


def _joined(connective: type[And | Or | Then], parts: Iterable[Formula]) -> Formula:
    """Normal form of a connective whose parts are in normal form."""
    flat: list[Formula] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, connective) else (part,))
    return flat[0] if len(flat) == 1 else connective(tuple(flat))


def normalise(formula: Formula) -> Formula:
    """The normal form: connectives flattened, connectives of one part replaced by it."""
    match formula:
        case Atom():
            return formula
        case Not(body):
            return Not(normalise(body))
        case And(parts):
            return _joined(And, map(normalise, parts))
        case Or(parts):
            return _joined(Or, map(normalise, parts))
        case Then(parts):
            return _joined(Then, map(normalise, parts))
        case Implies(left, right):
            return Implies(normalise(left), normalise(right))
        case Forall(variable, body):
            return Forall(variable, normalise(body))
        case Exists(variable, body):
            return Exists(variable, normalise(body))
        case Exactly(count, variable, body):
            return Exactly(count, variable, normalise(body))


# --- Printing -----------------------------------------------------------------------------------


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
    """Print any formula for people, also one that :func:`to_text` refuses."""
    return _show(formula, 0)


def _show(formula: Formula, level: int) -> str:
    """``level`` is the binding strength that the context needs to leave out parentheses."""
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
            if isinstance(formula, Exactly) and not 0 <= formula.count < 10**_COUNT_DIGITS:
                raise ValueError(f"the grammar cannot count to {formula.count}")
            _check_expressible(body, bound | {variable})


def _check_name(name: str, pattern: re.Pattern[str]) -> None:
    if not pattern.fullmatch(name) or name in KEYWORDS:
        raise ValueError(f"the grammar does not allow the name {name!r}")


# --- Truth over a trace -------------------------------------------------------------------------


def action_predicates(actions: Iterable[str], predicates: Iterable[str]) -> frozenset[str]:
    """The action names that mean an action in a formula.

    A name that is also a state predicate means the state: in VirtualHome, ``OPEN(fridge.97)``
    is a state (as the published parser decides it), although ``OPEN`` is an action too.
    """
    return frozenset(actions) - frozenset(predicates)


@dataclass(frozen=True, slots=True)
class Step:
    """One pair ``(s_i, a_i)`` of a trace as a structure: a state and the action that led to it.

    Attributes:
        state: The state, seen through the world's view.
        action: The action, or ``None`` for the initial state.
        actions: The predicates that are actions.
    """

    state: Structure
    action: Action | None
    actions: Collection[str]

    @property
    def names(self) -> Iterable[str]:
        return self.state.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        if predicate in self.actions:
            done = self.action
            return done is not None and done.name == predicate and done.args == args
        return self.state.holds(predicate, args)

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        if predicate not in self.actions:
            return self.state.match(predicate, args)
        done = self.action
        if done is None or done.name != predicate or len(done.args) != len(args):
            return ()
        agree = all(a is None or a == b for a, b in zip(args, done.args, strict=True))
        return (done.args,) if agree else ()


def steps(trace: Trace, *, actions: Collection[str], view: View | None = None) -> list[Step]:
    """The pairs ``(s_0, none), (s_1, a_1), ..., (s_n, a_n)``."""
    states: Iterable[Structure] = map(view, trace.states) if view else trace.states
    done = (None, *trace.actions)
    return [Step(state, action, actions) for state, action in zip(states, done, strict=True)]


def evaluate(
    formula: Formula, trace: Trace, *, actions: Collection[str], view: View | None = None
) -> bool:
    """Truth of a formula over a trace (appendix C.3).

    A segment of the trace satisfies

    - a formula without ``then``, if one of its steps does;
    - ``a then b``, if the segment can be cut in two such that the first piece satisfies ``a`` and
      the second ``b``. A piece may be empty; no formula without ``then`` is true on it;
    - a connective or quantifier with ``then`` inside, if the truth of its operands on the same
      segment says so. ``not (a then b)`` is true where no cut works. The parts of a conjunction
      that have no ``then`` count as one formula, so they must be true in the same step. That
      keeps ``and`` associative and commutative: the normal form has the meaning of the formula.

    Takes time in O(size of the ground formula x length of the trace squared).

    Args:
        formula: Any closed formula.
        trace: What happened.
        actions: The predicates that are actions; see :func:`action_predicates`.
        view: How to look at a state; by default it is its own structure.

    Raises:
        ValueError: The formula has a variable that nothing binds.
    """
    formula = _grouped(normalise(formula))
    acted = frozenset(name for action in trace.actions for name in action.args)
    table = _Table(steps(trace, actions=actions, view=view), actions, acted)
    return bool(_ends(formula, 0, {}, table) >> len(table.steps) & 1)


def _grouped(formula: Formula) -> Formula:
    """Join the parts of each conjunction that have no ``then`` into one."""
    match formula:
        case And(parts):
            still = tuple(part for part in parts if not has_then(part))
            moving = [_grouped(part) for part in parts if has_then(part)]
            return And((And(still), *moving)) if still and moving else And((*still, *moving))
        case Or(parts):
            return Or(tuple(map(_grouped, parts)))
        case Then(parts):
            return Then(tuple(map(_grouped, parts)))
        case Not(body):
            return Not(_grouped(body))
        case Implies(left, right):
            return Implies(_grouped(left), _grouped(right))
        case Forall(variable, body):
            return Forall(variable, _grouped(body))
        case Exists(variable, body):
            return Exists(variable, _grouped(body))
        case Exactly(count, variable, body):
            return Exactly(count, variable, _grouped(body))
        case Atom():
            return formula


@dataclass(slots=True)
class _Table:
    """The dynamic-programming table of one evaluation.

    Segments are ``steps[low:high]``. A row, for one formula, binding and ``low``, is an integer
    whose bit ``high`` says whether that segment satisfies the formula. ``acted`` are the objects
    that occur in actions.
    """

    steps: list[Step]
    actions: Collection[str]
    acted: frozenset[str]
    rows: dict[tuple[object, ...], int] = field(default_factory=dict)
    truths: dict[tuple[object, ...], bool] = field(default_factory=dict)
    shapes: dict[int, tuple[bool, tuple[str, ...], Formula]] = field(default_factory=dict)

    def shape(self, formula: Formula) -> tuple[bool, tuple[str, ...]]:
        """Whether its row is made from the rows of its parts, and its free variables."""
        # The entry keeps the formula alive, so that its id stays its own.
        entry = self.shapes.get(id(formula))
        if entry is None:
            by_parts = has_then(formula) or self._is_search(formula)
            entry = (by_parts, tuple(sorted(free_variables(formula))), formula)
            self.shapes[id(formula)] = entry
        return entry[0], entry[1]

    def _is_search(self, formula: Formula) -> bool:
        # "Some object in some step" is "in some step some object", and trying only the objects
        # acted on is faster where the step's tables cannot be asked for candidates.
        match formula:
            case Exists(variable, Or() | Exists() as body):
                return needs_action(body, variable, self.actions)
        return False

    def all_from(self, low: int) -> int:
        """The row that is true for every ``high >= low``."""
        return (1 << len(self.steps) + 1) - (1 << low)


def _ends(formula: Formula, low: int, binding: Mapping[str, str], table: _Table) -> int:
    """The row of ``formula`` for segments that start at ``low``."""
    by_parts, free = table.shape(formula)
    key = (id(formula), low, *[binding.get(v) for v in free])
    row = table.rows.get(key)
    if row is None:
        compute = _compute if by_parts else _first_true
        row = table.rows[key] = compute(formula, low, binding, table)
    return row


def _first_true(formula: Formula, low: int, binding: Mapping[str, str], table: _Table) -> int:
    """Row of a formula without ``then``: true once a step that satisfies it is inside."""
    values = (id(formula), *[binding.get(v) for v in table.shape(formula)[1]])
    for k in range(low, len(table.steps)):
        truth = table.truths.get((k, *values))
        if truth is None:
            truth = evaluate_state(formula, table.steps[k], binding)
            table.truths[(k, *values)] = truth
        if truth:
            return table.all_from(k + 1)
    return 0


def _compute(formula: Formula, low: int, binding: Mapping[str, str], table: _Table) -> int:
    """Row of a formula from the rows of its parts."""
    everything = table.all_from(low)
    match formula:
        case Then(parts):
            reached = 1 << low  # where the next piece may start
            for part in parts:
                starts, reached = reached, 0
                for start in range(starts.bit_length()):
                    if starts >> start & 1:
                        reached |= _ends(part, start, binding, table)
            return reached
        case And(parts):
            row = everything
            for part in parts:
                row &= _ends(part, low, binding, table)
            return row
        case Or(parts):
            row = 0
            for part in parts:
                row |= _ends(part, low, binding, table)
            return row
        case Not(body):
            return everything & ~_ends(body, low, binding, table)
        case Implies(left, right):
            unless = everything & ~_ends(left, low, binding, table)
            return unless | _ends(right, low, binding, table)
        case Exists(variable, body):
            row = 0
            for name in _range(variable, body, table):
                row |= _ends(body, low, {**binding, variable: name}, table)
            return row
        case Forall(variable, body):
            row = everything
            for name in table.steps[0].names:
                row &= _ends(body, low, {**binding, variable: name}, table)
            return row
        case Exactly(count, variable, body):
            exactly = [everything] + [0] * count  # exactly[c]: c of the objects so far
            for name in _range(variable, body, table):
                row = _ends(body, low, {**binding, variable: name}, table)
                for c in range(count, 0, -1):
                    exactly[c] = exactly[c] & ~row | exactly[c - 1] & row
                exactly[0] &= ~row
            return exactly[count]
        case Atom():
            raise AssertionError("an atom has no parts")


def _range(variable: str, body: Formula, table: _Table) -> Iterable[str]:
    """Objects that can make ``body`` true in place of ``variable``: all, or those acted on."""
    names = table.steps[0].names
    if not needs_action(body, variable, table.actions):
        return names
    return [name for name in names if name in table.acted]


def needs_action(formula: Formula, variable: str, actions: Collection[str]) -> bool:
    """Whether ``formula`` can only be true if an action on ``variable`` was done."""
    match formula:
        case Atom(predicate, args):
            return predicate in actions and variable in args
        case And(parts) | Then(parts):
            return any(needs_action(part, variable, actions) for part in parts)
        case Or(parts):
            return all(needs_action(part, variable, actions) for part in parts)
        case Exists(inner, body):
            return inner != variable and needs_action(body, variable, actions)
        case _:
            return False


def has_then(formula: Formula) -> bool:
    match formula:
        case Then():
            return True
        case And(parts) | Or(parts):
            return any(has_then(part) for part in parts)
        case Not(body) | Forall(_, body) | Exists(_, body) | Exactly(_, _, body):
            return has_then(body)
        case Implies(left, right):
            return has_then(left) or has_then(right)
        case Atom():
            return False


def free_variables(formula: Formula) -> frozenset[str]:
    """Variables that nothing in ``formula`` binds."""
    match formula:
        case Atom(_, args):
            return frozenset(a for a in args if is_variable(a))
        case Not(body):
            return free_variables(body)
        case And(parts) | Or(parts) | Then(parts):
            return frozenset[str]().union(*map(free_variables, parts))
        case Implies(left, right):
            return free_variables(left) | free_variables(right)
        case Forall(variable, body) | Exists(variable, body) | Exactly(_, variable, body):
            return free_variables(body) - {variable}
