"""Printing formulas as LTL."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from goals.ltl_formulas import LEAVES, close, formulas
from homebody.core.formula import (
    And,
    Atom,
    Exactly,
    Exists,
    Formula,
    Not,
    Or,
    normalise,
)
from homebody.goals import ltl

A, B, C, D = (Atom(name, ("a",)) for name in "ABCD")


@pytest.mark.slow
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
