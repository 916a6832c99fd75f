"""Truth against the definition itself, and the range of quantifiers.

The naive evaluator below tries every object for every quantifier and looks facts up in a plain
set. What the real one saves by reading tables must not change an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.small_formulas import (
    NAMES,
    VARIABLES,
    Facts,
    formulas,
    full_bindings,
    state_of,
    states,
)
from homebody.core import Object, State
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
    is_variable,
)
from homebody.core.truth import candidates, evaluate, solutions


def naive(formula: Formula, facts: Facts, binding: Mapping[str, str]) -> bool:
    """Truth by the book."""
    match formula:
        case Atom(predicate, args):
            ground = tuple(binding[a] if is_variable(a) else a for a in args)
            return ground[0] == ground[1] if predicate == EQUALS else (predicate, *ground) in facts
        case Not(body):
            return not naive(body, facts, binding)
        case And(parts):
            return all(naive(p, facts, binding) for p in parts)
        case Or(parts):
            return any(naive(p, facts, binding) for p in parts)
        case Implies(left, right):
            return naive(right, facts, binding) if naive(left, facts, binding) else True
        case Forall(v, body):
            return satisfying(v, body, facts, binding) == set(NAMES)
        case Exists(v, body):
            return satisfying(v, body, facts, binding) != set()
        case Exactly(count, v, body):
            return len(satisfying(v, body, facts, binding)) == count
    raise AssertionError(formula)


def satisfying(v: str, body: Formula, facts: Facts, binding: Mapping[str, str]) -> set[str]:
    return {name for name in NAMES if naive(body, facts, {**binding, v: name})}


# --- Truth --------------------------------------------------------------------------------------


@given(formulas, states, full_bindings)
def test_truth_is_as_defined(formula: Formula, facts: Facts, binding: dict[str, str]) -> None:
    assert evaluate(formula, state_of(facts), binding) == naive(formula, facts, binding)


@pytest.mark.parametrize(
    ("formula", "truth"),
    [
        (TRUE, True),
        (FALSE, False),
        (Atom(EQUALS, ("a", "a")), True),
        (Atom(EQUALS, ("a", "b")), False),
        (Atom("R", ("a", "b")), True),
        (Atom("R", ("b", "a")), False),
        (Atom("never_heard_of", ("a",)), False),
        (Atom("P", ("nobody",)), False),
        (Exactly(2, "?x", Atom("P", ("?x",))), True),
        (Exactly(1, "?x", Atom("P", ("?x",))), False),
        (Exactly(3, "?x", Atom("P", ("?x",))), False),
        (Exactly(0, "?x", Atom("Q", ("?x",))), True),
        (Forall("?x", Implies(Atom("Q", ("?x",)), FALSE)), True),
        (Forall("?x", Implies(Atom("P", ("?x",)), Atom("R", ("a", "?x")))), False),
        # an inner quantifier hides the outer one's variable
        (Exists("?x", And((Atom("R", ("a", "?x")), Exists("?x", Atom("R", ("?x", "b")))))), True),
    ],
)
def test_truth_of_small_formulas(formula: Formula, truth: bool) -> None:
    state = state_of([("P", "a"), ("P", "b"), ("R", "a", "b")])
    assert evaluate(formula, state) is truth


@pytest.mark.parametrize(
    "formula",
    [
        Atom("P", ("?x",)),
        Atom("R", ("a", "?x")),
        Atom(EQUALS, ("?x", "a")),
        And((Exists("?x", Atom("P", ("?x",))), Not(Atom("Q", ("?x",))))),
    ],
)
def test_unbound_variable_is_an_error(formula: Formula) -> None:
    state = state_of([("P", "a")])
    with pytest.raises(ValueError, match=r"variable \?x is not bound"):
        evaluate(formula, state)
    evaluate(formula, state, {"?x": "a"})


def test_then_has_no_truth_in_one_state() -> None:
    with pytest.raises(ValueError, match="single state"):
        evaluate(Then((TRUE, TRUE)), state_of([]))


# --- The range of a quantifier ------------------------------------------------------------------


@given(formulas, states, full_bindings, st.sampled_from(VARIABLES))
def test_candidates_miss_no_object(
    body: Formula, facts: Facts, binding: dict[str, str], variable: str
) -> None:
    found = list(candidates(variable, body)(state_of(facts), binding))
    assert satisfying(variable, body, facts, binding) <= set(found) <= set(NAMES)
    assert found == sorted(set(found))  # each once, in an order that no hash decides


def test_candidates_come_in_an_order_that_no_hash_decides() -> None:
    names = "hgfedcba"
    state = State.from_facts(
        [Object(name, "thing") for name in names], [("R", "a", name) for name in names]
    )
    assert list(candidates("?x", Atom("R", ("a", "?x")))(state, {})) == sorted(names)
    assert list(candidates("?x", TRUE)(state, {})) == list(names)


class Tables:
    """A structure that cannot list its objects."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.holds = state.holds
        self.match = state.match

    @property
    def names(self) -> Iterable[str]:
        raise AssertionError("every object was tried")


@pytest.mark.parametrize(
    "formula",
    [
        Exists("?x", Atom("R", ("a", "?x"))),
        Exists("?x", And((Not(Atom("P", ("?x",))), Atom("R", ("?x", "b"))))),
        Exactly(1, "?x", And((Atom("P", ("?x",)), Atom("R", ("?x", "b"))))),
        Forall("?x", Implies(Atom("R", ("?x", "b")), Atom("P", ("?x",)))),
        Exists("?x", And((Atom("P", ("?x",)), Exists("?y", Atom("R", ("?x", "?y")))))),
    ],
)
def test_a_required_atom_saves_trying_every_object(formula: Formula) -> None:
    state = state_of([("P", "a"), ("R", "a", "b"), ("R", "c", "b")])
    evaluate(formula, Tables(state))
    with pytest.raises(AssertionError, match="every object"):
        evaluate(Exists("?x", Not(Atom("P", ("?x",)))), Tables(state))


# --- Bindings -----------------------------------------------------------------------------------


@given(formulas, states, full_bindings, st.lists(st.sampled_from(VARIABLES), unique=True))
def test_solutions_are_all_that_satisfy(
    condition: Formula, facts: Facts, binding: dict[str, str], variables: list[str]
) -> None:
    found = list(solutions(tuple(variables), condition)(state_of(facts), binding))
    expected = [
        extended
        for names in product(NAMES, repeat=len(variables))
        if naive(
            condition, facts, extended := {**binding, **dict(zip(variables, names, strict=True))}
        )
    ]
    assert sorted(map(sorted, map(dict.items, map(dict, found)))) == sorted(
        map(sorted, map(dict.items, expected))
    )


def test_solutions_find_one_variable_through_another() -> None:
    state = state_of([("R", "a", "b"), ("S", "b", "c"), ("S", "a", "a")])
    chain = And((Atom("R", ("a", "?x")), Atom("S", ("?x", "?y"))))
    assert list(solutions(("?x", "?y"), chain)(state, {})) == [{"?x": "b", "?y": "c"}]
    assert list(solutions(("?y", "?x"), chain)(state, {})) == [{"?x": "b", "?y": "c"}]


def test_solutions_forget_what_their_variables_stood_for() -> None:
    state = state_of([("R", "a", "a")])
    outside = {"?x": "b", "?z": "b"}
    within = list(solutions(("?z", "?x"), Atom("R", ("?x", "?z")))(state, outside))
    assert within == [{"?z": "a", "?x": "a"}]
