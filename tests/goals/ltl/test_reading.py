"""Reading formulas of LTL, and what is said of texts that are none."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
)
from homebody.goals import LTLSyntaxError, LTLVocabularyError, ltl

A, B, C, D = (Atom(name, ("a",)) for name in "ABCD")


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


@pytest.mark.sampled
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
