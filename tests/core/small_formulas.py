"""Random formulas over three objects, and states to ask them of."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from hypothesis import strategies as st

from homebody.core import Fact, Object, State
from homebody.core.formula import (
    EQUALS,
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
)

NAMES = ("a", "b", "c")
VARIABLES = ("?x", "?y", "?z")
PREDICATES = {"P": 1, "Q": 1, "R": 2, "S": 2}

Facts = frozenset[Fact]


def state_of(facts: Iterable[Fact]) -> State:
    return State.from_facts([Object(name, "thing") for name in NAMES], facts)


ALL_FACTS = [
    (predicate, *args)
    for predicate, arity in PREDICATES.items()
    for args in product(NAMES, repeat=arity)
]
states = st.frozensets(st.sampled_from(ALL_FACTS), max_size=14)
full_bindings = st.fixed_dictionaries({v: st.sampled_from(NAMES) for v in VARIABLES})

terms = st.sampled_from(VARIABLES + NAMES)
leaves = st.one_of(
    [
        st.builds(Atom, st.just(predicate), st.tuples(*[terms] * arity))
        for predicate, arity in {**PREDICATES, EQUALS: 2}.items()
    ]
)


def grow(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    variable = st.sampled_from(VARIABLES)
    parts = st.lists(inner, max_size=3).map(tuple)
    # the shapes whose tables are read instead of trying every object
    guarded = st.builds(lambda *p: And(p), leaves, inner) | st.builds(
        lambda *p: And(p), inner, leaves, leaves
    )
    body = inner | guarded
    return st.one_of(
        st.builds(Not, inner),
        st.builds(And, parts),
        st.builds(Or, parts),
        st.builds(Implies, inner, inner),
        st.builds(Forall, variable, body | st.builds(Implies, leaves | guarded, inner)),
        st.builds(Exists, variable, body),
        st.builds(Exactly, st.integers(0, 3), variable, body),
    )


formulas = st.recursive(leaves, grow, max_leaves=8)
