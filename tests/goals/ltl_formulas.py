"""Random formulas of LTL."""

from __future__ import annotations

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
    free_variables,
)

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
