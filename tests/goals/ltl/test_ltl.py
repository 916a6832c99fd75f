"""LTL: reading, printing, and truth over a trace against the definition itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import Action, Object, State, Trace
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
    free_variables,
    has_then,
    is_variable,
    normalise,
)
from homebody.goals import LTLSyntaxError, LTLVocabularyError, ltl

A, B, C, D = (Atom(name, ("a",)) for name in "ABCD")


# --- Reading ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("SLEEP()", Atom("SLEEP")),
        ("ON(light.245)", Atom("ON", ("light.245",))),
        (
            "(ON(light.1) and ONTOP(pot.2, oven))",
            And((Atom("ON", ("light.1",)), Atom("ONTOP", ("pot.2", "oven")))),
        ),
        (
            "(exists x0. (TYPE(x0)) then exists x0. (SWITCHOFF(x0)))",
            Then(
                (
                    Exists("?x0", Atom("TYPE", ("?x0",))),
                    Exists("?x0", Atom("SWITCHOFF", ("?x0",))),
                )
            ),
        ),
        (
            "exists x0. (exists x1. (POUR(x0,x1)))",
            Exists("?x0", Exists("?x1", Atom("POUR", ("?x0", "?x1")))),
        ),
        ("forall x. (A(x)) and B(x)", And((Forall("?x", Atom("A", ("?x",))), Atom("B", ("x",))))),
        ("A(a) or B(a) and C(a)", Or((A, And((B, C))))),
        ("A(a) then B(a) or C(a)", Then((A, Or((B, C))))),
        ("A(a) implies B(a) or C(a)", Implies(A, Or((B, C)))),
        ("A(a) implies B(a) then C(a)", Then((Implies(A, B), C))),
        ("A(a) implies B(a) implies C(a)", Implies(A, Implies(B, C))),
        ("(A(a) implies B(a)) implies C(a)", Implies(Implies(A, B), C)),
        ("not A(a) and B(a)", And((Not(A), B))),
        ("not (A(a) and B(a))", Not(And((A, B)))),
        ("not not exists x. (A(a))", Not(Not(Exists("?x", A)))),
        ("(A(a) and B(a)) and (C(a) and D(a))", And((A, B, C, D))),
        ("A(a) then (B(a) then C(a))", Then((A, B, C))),
        ("((A(a)))", A),
        ("A(a)\n\tthen\n B(a)", Then((A, B))),
        ("android(a)", Atom("android", ("a",))),
    ],
)
def test_parse(text: str, formula: Formula) -> None:
    assert ltl.parse(text) == formula


@pytest.mark.parametrize(
    "text", ["exists=2 x. (A(x))", "forn 2 x. (A(x))", "forn 2. x. (A(x))", "exists = 2 x.(A(x))"]
)
def test_counting_quantifier_has_three_spellings(text: str) -> None:
    assert ltl.parse(text) == Exactly(2, "?x", Atom("A", ("?x",)))
    assert ltl.to_text(ltl.parse(text)) == "exists=2 x. (A(x))"


def test_shadowing() -> None:
    formula = ltl.parse("exists x. (A(x) and exists x. (B(x)) and C(x))")
    x = ("?x",)
    inner = Exists("?x", Atom("B", x))
    assert formula == Exists("?x", And((Atom("A", x), inner, Atom("C", x))))


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 1, "expected a condition such as ON(light.1), found the end of the formula"),
        ("A(a) and ", 1, 9, "found the end"),
        ("A(a) B(a)", 1, 6, "expected 'and', 'or', 'implies', 'then'"),
        ("A(a)\nthen\n  B(a b)", 3, 7, "expected ',' or ')', found 'b'"),
        ("A(a) AND B(a)", 1, 6, "keywords are lower case: and"),
        ("A(a) & B(a)", 1, 6, "write 'and'"),
        ("A(a) => B(a)", 1, 6, "write 'implies'"),
        ("A(a) -> B(a)", 1, 6, "write 'implies'"),
        ("A(and)", 1, 3, "expected an object name"),
        ("then(a)", 1, 1, "found 'then'"),
        ("forn x. (A(x))", 1, 6, "expected a whole number, found 'x'"),
        ("exists x (A(x))", 1, 10, "expected '.', found '('"),
        ("exists x.1. (A(x))", 1, 8, "expected a variable name or '=', found 'x.1'"),
        ("exists x. A(x)", 1, 11, "expected '(', found 'A'"),
        ("forn 1234567890 x. (A(x))", 1, 6, "at most 9 digits"),
        ("A(a) # yes", 1, 6, "no character '#'"),
        ("(" * 101 + "A(a)" + ")" * 101, 1, 102, "nested more than 100 levels"),
        ("not " * 5000 + "A(a)", 1, 405, "nested more than 100 levels"),
        ("A(a) implies " * 5000 + "A(a)", 1, 1301, "nested more than 100 levels"),
        ("A(a) and " * 20_000 + "A(a)", 1, 100_001, "180004 characters; at most 100000"),
    ],
)
def test_syntax_errors(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(LTLSyntaxError) as caught:
        ltl.parse(text)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert words in error.problem
    assert error.text == text
    assert max(map(len, str(error).splitlines())) < 200


def test_error_shows_the_line_with_a_caret() -> None:
    with pytest.raises(LTLSyntaxError) as caught:
        ltl.parse("A(a) then\nB(a) C(a)\nthen D(a)")
    assert str(caught.value).splitlines()[1:] == ["    B(a) C(a)", "         ^"]
    with pytest.raises(LTLSyntaxError) as caught:
        ltl.parse("A(a) and " * 50 + "? and " + "A(a) and " * 50)
    _, shown, caret = str(caught.value).splitlines()
    assert shown[caret.index("^")] == "?"
    assert shown.strip().startswith("...")
    assert shown.endswith("...")


@pytest.mark.parametrize(
    ("text", "column", "name", "reason"),
    [
        ("A(a) and OF(a)", 10, "OF", "predicate"),
        ("A(a) and A(a, a)", 10, "A", "arity"),
        ("A(a) and SLEEP(a)", 10, "SLEEP", "arity"),
        ("exists x. (A(x)) and A(x)", 24, "x", "object"),
    ],
)
def test_vocabulary_errors(text: str, column: int, name: str, reason: str) -> None:
    with pytest.raises(LTLVocabularyError) as caught:
        ltl.parse(text, predicates={"A": 1, "SLEEP": 0}, objects={"a"})
    error = caught.value
    assert (error.column, error.name, error.reason) == (column, name, reason)
    assert isinstance(error, ValueError)


def test_vocabulary_accepts() -> None:
    formula = ltl.parse(
        "exists x. (A(x)) then SLEEP()", predicates={"A": 1, "SLEEP": 0}, objects=()
    )
    assert ltl.to_text(formula) == "exists x. (A(x)) then SLEEP()"


WORDS = (
    "and or not implies forall exists forn then ( ) . , = 2 x pants.1000 A(x) ON( é \x00 # -> =>"
)
fragments = st.sampled_from([*WORDS.split(), " ", "\n"])
hostile = st.one_of(
    st.text(max_size=60),
    st.lists(fragments, max_size=40).map(" ".join),
    st.lists(fragments, max_size=40).map("".join),
)


@given(hostile)
@settings(max_examples=400)
def test_hostile_text_gives_a_formula_or_a_syntax_error(text: str) -> None:
    found: LTLSyntaxError | None = None
    try:
        formula = ltl.parse(text)
    except LTLSyntaxError as error:
        found = error
    if found is None:
        assert ltl.parse(ltl.to_text(formula)) == formula
    else:
        assert 1 <= found.line <= text.count("\n") + 1
        assert 1 <= found.column <= len(text) + 1
        assert "^" in str(found)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "A(" * 50_000,
        "not " * 25_000,
        "exists x. (" * 9_000,
        "\n" * 100_000,
        "é" * 99,
    ],
)
def test_long_hostile_text(text: str) -> None:
    with pytest.raises(LTLSyntaxError):
        ltl.parse(text)


def test_import_leaves_lark_alone() -> None:
    code = "import sys, homebody.goals; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- Printing -----------------------------------------------------------------------------------

VARIABLES = ("?x", "?y")
OBJECTS = ("a", "b", "c")


def formulas(leaves: st.SearchStrategy[Formula], then: bool = True) -> st.SearchStrategy[Formula]:
    """Formulas over ``leaves``, whose free variables are of ``VARIABLES``."""

    def grow(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        parts = st.lists(inner, min_size=1, max_size=3).map(tuple)
        variable = st.sampled_from(VARIABLES)
        return st.one_of(
            st.builds(Not, inner),
            st.builds(And, parts),
            st.builds(Or, parts),
            *([st.builds(Then, parts)] if then else []),
            st.builds(Implies, inner, inner),
            st.builds(Forall, variable, inner),
            st.builds(Exists, variable, inner),
            st.builds(Exactly, st.integers(0, 2), variable, inner),
        )

    return st.recursive(leaves, grow, max_leaves=8)


def leaves(predicates: dict[str, int]) -> st.SearchStrategy[Formula]:
    terms = st.sampled_from(VARIABLES + OBJECTS)
    return st.one_of(
        [
            st.builds(Atom, st.just(name), st.tuples(*[terms] * arity))
            for name, arity in predicates.items()
        ]
    )


def close(formula: Formula) -> Formula:
    """Bind every variable."""
    for variable in VARIABLES:
        if variable in free_variables(formula):
            formula = Exists(variable, formula)
    return formula


LEAVES = leaves({"P": 1, "Q": 1, "R": 2, "GRAB": 1, "PUT": 2, "SLEEP": 0})
ACTIONS = frozenset({"GRAB", "PUT", "SLEEP"})


@given(formulas(LEAVES).map(close))
@settings(max_examples=300)
def test_round_trip(formula: Formula) -> None:
    text = ltl.to_text(formula)
    assert ltl.parse(text) == normalise(formula)
    assert ltl.to_text(ltl.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "(A(a) then B(a)) and C(a)",
        "(A(a) implies B(a)) implies C(a)",
        "A(a) implies B(a) implies C(a)",
        "not (A(a) or B(a)) and not C(a)",
        "exists x. (A(x) then B(x)) then C(a)",
        "forall x. (A(x) implies exists=1 y. (B(x, y)))",
    ],
)
def test_minimal_parentheses(text: str) -> None:
    assert ltl.to_text(ltl.parse(text)) == text
    assert ltl.to_text(ltl.parse(f"(({text}))")) == text


@pytest.mark.parametrize(
    "formula",
    [
        And(()),
        Not(Or(())),
        Atom("=", ("a", "b")),
        Atom("A", ("?x",)),
        Exists("?x", Atom("A", ("x",))),
        Exists("x", Atom("A", ("x",))),
        Atom("and", ("a",)),
        Atom("A", ("two words",)),
        Exactly(-1, "?x", A),
    ],
)
def test_to_text_refuses_what_the_grammar_cannot_express(formula: Formula) -> None:
    with pytest.raises(ValueError, match=r"grammar|binds|variable"):
        ltl.to_text(formula)
    assert ltl.show(formula)


# --- Truth --------------------------------------------------------------------------------------

Pairs = Sequence[tuple[State, Action | None]]


def naive_step(
    formula: Formula, pair: tuple[State, Action | None], binding: dict[str, str]
) -> bool:
    """Truth in one pair, by the book."""
    state, action = pair
    match formula:
        case Atom(predicate, args):
            ground = tuple(binding[a] if is_variable(a) else a for a in args)
            if predicate in ACTIONS:
                return action == Action(predicate, ground)
            return state.holds(predicate, ground)
        case Not(body):
            return not naive_step(body, pair, binding)
        case And(parts):
            return all(naive_step(p, pair, binding) for p in parts)
        case Or(parts):
            return any(naive_step(p, pair, binding) for p in parts)
        case Implies(left, right):
            return not naive_step(left, pair, binding) or naive_step(right, pair, binding)
        case Forall(v, body):
            return all(naive_step(body, pair, {**binding, v: n}) for n in state.names)
        case Exists(v, body):
            return any(naive_step(body, pair, {**binding, v: n}) for n in state.names)
        case Exactly(count, v, body):
            return count == sum(naive_step(body, pair, {**binding, v: n}) for n in state.names)
    raise AssertionError(formula)


def naive(formula: Formula, pairs: Pairs, binding: dict[str, str]) -> bool:
    """Truth on a sub-trajectory, by the book: every cut is tried."""
    if not has_then(formula):
        return any(naive_step(formula, pair, binding) for pair in pairs)
    names = OBJECTS
    match formula:
        case Then((only,)):
            return naive(only, pairs, binding)
        case Then((first, *rest)):
            return any(
                naive(first, pairs[:k], binding) and naive(Then(tuple(rest)), pairs[k:], binding)
                for k in range(len(pairs) + 1)
            )
        case Not(body):
            return not naive(body, pairs, binding)
        case And(parts):
            still = [p for p in parts if not has_then(p)]
            return (not still or naive(And(tuple(still)), pairs, binding)) and all(
                naive(p, pairs, binding) for p in parts if has_then(p)
            )
        case Or(parts):
            return any(naive(p, pairs, binding) for p in parts)
        case Implies(left, right):
            return not naive(left, pairs, binding) or naive(right, pairs, binding)
        case Forall(v, body):
            return all(naive(body, pairs, {**binding, v: n}) for n in names)
        case Exists(v, body):
            return any(naive(body, pairs, {**binding, v: n}) for n in names)
        case Exactly(count, v, body):
            return count == sum(naive(body, pairs, {**binding, v: n}) for n in names)
    raise AssertionError(formula)


FACTS = [(p, o) for p in "PQ" for o in OBJECTS] + [("R", "a", "b"), ("R", "b", "b")]
DOINGS = [
    Action("SLEEP"),
    *[Action("GRAB", (o,)) for o in OBJECTS],
    *[Action("PUT", pair) for pair in product("ab", repeat=2)],
]
UNIVERSE = [Object(name, "thing") for name in OBJECTS]

states = st.frozensets(st.sampled_from(FACTS)).map(lambda facts: State.from_facts(UNIVERSE, facts))


@st.composite
def traces(draw: st.DrawFn, most: int = 5) -> Trace:
    actions = draw(st.lists(st.sampled_from(DOINGS), max_size=most))
    count = len(actions) + 1
    return Trace(
        tuple(draw(st.lists(states, min_size=count, max_size=count))),
        tuple(actions),
        tuple(range(len(actions))),
    )


def pairs_of(trace: Trace) -> Pairs:
    return list(zip(trace.states, (None, *trace.actions), strict=True))


@given(formulas(LEAVES).map(close), traces())
@settings(max_examples=400)
def test_evaluate_is_the_definition(formula: Formula, trace: Trace) -> None:
    # A 'then' must be there for the table to be used.
    for goal in (formula, Then((formula, A)), Then((Not(Then((formula, B))), formula))):
        expected = naive(normalise(goal), pairs_of(trace), {})
        assert ltl.evaluate(goal, trace, actions=ACTIONS) == expected


@given(st.permutations(["P(a)", "Q(c)", "(GRAB(a) then P(a))", "(P(b) then SLEEP())"]), traces())
@settings(max_examples=100)
def test_and_is_commutative_and_associative(parts: list[str], trace: Trace) -> None:
    one, two, three, four = parts
    truths = {
        ltl.evaluate(ltl.parse(text), trace, actions=ACTIONS)
        for text in (
            f"{one} and {two} and {three} and {four}",
            f"({one} and {two}) and ({three} and {four})",
            f"{one} and ({two} and ({three} and {four}))",
            "P(a) and Q(c) and (GRAB(a) then P(a)) and (P(b) then SLEEP())",
        )
    }
    assert len(truths) == 1


def small_trace() -> Trace:
    """P(a), grab a -> P(b), put a on b -> Q(c)."""
    facts = [[("P", "a")], [("P", "b")], [("Q", "c")]]
    return Trace(
        tuple(State.from_facts(UNIVERSE, fact) for fact in facts),
        (Action("GRAB", ("a",)), Action("PUT", ("a", "b"))),
    )


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("P(a)", True),
        ("P(a) and P(b)", False),
        ("P(a) then P(b) then Q(c)", True),
        ("P(b) then P(a)", False),
        ("P(a) then P(a)", False),
        ("GRAB(a) and P(b)", True),  # a pair holds the action and the state after it
        ("P(b) then GRAB(a)", False),
        ("GRAB(a) then P(b)", False),
        ("GRAB(a) then Q(c)", True),
        ("exists x. (GRAB(x) then exists y. (PUT(x, y)))", True),
        ("exists x. (PUT(x, b) then GRAB(x))", False),
        ("not (Q(c) then P(a))", True),
        ("(Q(c) then P(a)) or P(b)", True),
        ("(P(a) then P(b)) and (GRAB(a) then Q(c))", True),
        ("P(a) and P(b) and (GRAB(a) then Q(c))", False),  # never true in the same step
        ("(P(a) then P(b)) implies (Q(c) then P(a))", False),
        ("exists=1 x. (P(a) then P(x))", True),
        ("exists=2 x. (P(a) then P(x))", False),
        ("forall x. (P(a) then P(x))", False),
        ("forall x. (not P(x)) then Q(c)", False),
        ("exists x. (not P(x)) then exists x. (not P(x)) then Q(c)", True),
    ],
)
def test_evaluate_examples(text: str, truth: bool) -> None:
    assert ltl.evaluate(ltl.parse(text), small_trace(), actions=ACTIONS) is truth


def test_evaluate_is_polynomial() -> None:
    """Alternations of ``then`` under ``not`` and quantifiers over a long trace."""
    start = State.from_facts(UNIVERSE, [])
    trace = Trace((start,) * 61, (Action("GRAB", ("a",)),) * 60)
    inner = "exists x. (GRAB(x) then PUT(x, x))"
    for _ in range(6):
        inner = f"not (({inner}) then GRAB(a) then not ({inner if len(inner) < 500 else 'P(a)'}))"
    ltl.evaluate(ltl.parse(inner), trace, actions=ACTIONS)


def test_unbound_variable_is_an_error() -> None:
    with pytest.raises(ValueError, match="not bound"):
        ltl.evaluate(Then((Atom("P", ("?x",)), A)), small_trace(), actions=ACTIONS)


def test_view_and_step_structure() -> None:
    trace = small_trace()
    seen: list[State] = []

    def view(state: State) -> State:
        seen.append(state)
        return state

    _, first, second = ltl.steps(trace, actions=ACTIONS, view=view)
    assert seen == list(trace.states)
    assert list(first.names) == list(OBJECTS)
    assert list(second.match("PUT", (None, "b"))) == [("a", "b")]
    assert list(second.match("PUT", (None, "a"))) == []
    assert list(second.match("GRAB", (None,))) == []
    assert list(first.match("P", (None,))) == [("b",)]
    assert first.holds("GRAB", ("a",))
    assert not second.holds("GRAB", ("a",))


def test_names_of_states_and_actions() -> None:
    """VirtualHome has a state OPEN and an action OPEN; in a formula it is the state."""
    assert ltl.action_predicates(["OPEN", "GRAB"], ["OPEN", "ON"]) == {"GRAB"}
