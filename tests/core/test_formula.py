"""Formulas: substitution, and what trees are made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.small_formulas import (
    VARIABLES,
    Facts,
    formulas,
    full_bindings,
    state_of,
    states,
)
from homebody.core.formula import (
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
    atoms,
    conjunction,
    substitute,
)
from homebody.core.truth import evaluate


@given(formulas, states, full_bindings, st.sets(st.sampled_from(VARIABLES)))
def test_substituting_is_binding(
    formula: Formula, facts: Facts, binding: dict[str, str], some: set[str]
) -> None:
    given_first = {v: name for v, name in binding.items() if v in some}
    left_for_later = {v: name for v, name in binding.items() if v not in some}
    state = state_of(facts)
    assert evaluate(substitute(formula, given_first), state, left_for_later) == evaluate(
        formula, state, binding
    )


@pytest.mark.parametrize("quantifier", [Forall, Exists, lambda v, body: Exactly(1, v, body)])
def test_substitution_leaves_bound_variables(quantifier: type[Forall] | type[Exists]) -> None:
    formula = quantifier("?x", Atom("R", ("?x", "?y")))
    expected = quantifier("?x", Atom("R", ("?x", "b")))
    assert substitute(formula, {"?x": "a", "?y": "b"}) == expected


def test_substitution_reaches_every_connective() -> None:
    def tree(term: str) -> Formula:
        leaf = Atom("P", (term,))
        return Then((And((leaf, Or((Not(leaf), TRUE)))), Implies(leaf, Exists("?y", leaf))))

    assert substitute(tree("?x"), {"?x": "a"}) == tree("a")


def test_conjunction_flattens() -> None:
    p, q, r = (Atom(name) for name in "PQR")
    assert conjunction(p) == p
    assert conjunction(And((p, q)), r) == And((p, q, r))
    assert conjunction() == conjunction(TRUE) == TRUE
    assert conjunction(TRUE, p) == p


def test_atoms_from_left_to_right() -> None:
    p, q, r, s, t = (Atom(name) for name in "PQRST")
    tree = Then((Implies(p, Not(q)), Forall("?x", Or((r, Exactly(1, "?y", s)))), Exists("?x", t)))
    assert list(atoms(tree)) == [p, q, r, s, t]
