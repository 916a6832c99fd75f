"""Matching of conditions and effects: the same logic matches, whatever it is written like."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.action import Parameter
from homebody.core.formula import Atom
from homebody.planning.matching import (
    Match,
    canonical,
    match,
    match_operators,
    missed,
    missed_operator,
)
from homebody.planning.pddl import (
    Conjunction,
    Disjunction,
    Expression,
    Implication,
    Negation,
    Quantification,
    When,
    parse_expression,
    parse_operators,
)


def compare(predicted: str, gold: str) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    found = match(parse_expression(predicted), parse_expression(gold))
    return dict(found.right), dict(found.wrong), dict(found.missed)


# -- what counts as what ---------------------------------------------------------------------------


def test_conjunctions_are_sets_of_propositions() -> None:
    assert compare("(and (a ?x) (b ?x) (d ?x))", "(and (c ?x) (b ?x) (a ?x))") == (
        {"a": 1, "b": 1},
        {"d": 1},
        {"c": 1},
    )


def test_a_proposition_is_a_conjunction_of_one() -> None:
    assert compare("(a ?x)", "(and (a ?x) (b ?x))") == ({"a": 1}, {}, {"b": 1})
    assert compare("(or (and (a ?x)))", "(a ?x)") == ({"a": 1}, {}, {})


def test_arguments_matter() -> None:
    assert compare("(on ?x ?y)", "(on ?y ?x)") == ({}, {"on": 1}, {"on": 1})


def test_an_alternative_is_one_clause() -> None:
    gold = "(or (and (a ?x) (b ?x)) (and (a ?x) (c ?x)))"
    assert compare("(or (and (c ?x) (a ?x)) (and (a ?x) (d ?x)))", gold) == (
        {"a": 1, "c": 1},
        {"a": 1, "d": 1},
        {"a": 1, "b": 1},
    )
    assert compare("(and (b ?x) (a ?x))", gold) == ({"a": 1, "b": 1}, {}, {"a": 1, "c": 1})


def test_a_clause_with_a_part_that_does_not_match_is_wrong_as_a_whole() -> None:
    gold = "(forall (?o - object) (when (a ?o) (b ?o)))"
    assert compare("(forall (?o - object) (when (a ?o) (c ?o)))", gold) == (
        {},
        {"a": 1, "c": 1},
        {"a": 1, "b": 1},
    )
    assert compare("(not (and (a ?x) (b ?x)))", "(not (and (a ?x) (b ?x) (c ?x)))")[0] == {}


def test_disjunctive_form_is_the_same_condition() -> None:
    written = "(and (near ?x) (or (left ?x) (right ?x)))"
    spelt_out = "(or (and (right ?x) (near ?x)) (and (left ?x) (near ?x)))"
    assert compare(written, spelt_out) == ({"near": 2, "left": 1, "right": 1}, {}, {})
    assert compare("(imply (a ?x) (b ?x))", "(or (b ?x) (not (a ?x)))")[1:] == ({}, {})


def test_a_form_with_too_many_alternatives_is_compared_as_it_is() -> None:
    text = "(and " + " ".join(f"(or (a{i}) (b{i}))" for i in range(20)) + ")"
    right, wrong, lost = compare(text, text)
    assert (sum(right.values()), wrong, lost) == (40, {}, {})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(exists (?a - object) (p ?a ?x))", "(exists (?b - object) (p ?b ?x))"),
        ("(exists (?a ?b - object) (p ?a ?b))", "(exists (?b ?a - object) (p ?a ?b))"),
        ("(exists (?a - object) (exists (?b - c) (p ?a ?b)))", "(exists (?b - c ?a) (p ?a ?b))"),
        (
            "(forall (?a) (not (exists (?b) (p ?a ?b))))",
            "(forall (?b) (not (exists (?a) (p ?b ?a))))",
        ),
        ("(not (not (p ?x)))", "(p ?x)"),
        ("(and (p ?x) (p ?x))", "(p ?x)"),
        ("(= ?x ?y)", "(= ?y ?x)"),
        ("(and (and (p ?x)) (and))", "(p ?x)"),
    ],
)
def test_identical_forms(one: str, other: str) -> None:
    assert canonical(parse_expression(one)) == canonical(parse_expression(other))
    assert match(parse_expression(one), parse_expression(other)).f1 == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(exists (?a - object) (p ?a))", "(exists (?a - character) (p ?a))"),
        ("(exists (?a) (p ?a))", "(forall (?a) (p ?a))"),
        ("(exists (?a ?b) (p ?a ?b))", "(exists (?a ?b) (p ?a ?a))"),
        ("(exists (?x) (forall (?y) (p ?x ?y)))", "(exists (?x) (forall (?y) (p ?y ?x)))"),
        ("(exists (?x) (p ?x ?y))", "(exists (?y) (p ?y ?y))"),
        # the inner variable hides the outer one
        ("(exists (?x) (and (q ?x) (not (exists (?x) (p ?x)))))",
         "(exists (?x) (and (q ?x) (not (exists (?y) (p ?x)))))"),
    ],
)  # fmt: skip
def test_different_forms(one: str, other: str) -> None:
    assert canonical(parse_expression(one)) != canonical(parse_expression(other))


def test_parameters_correspond_by_position() -> None:
    predicted, swapped, gold = parse_operators(
        "(:action a :parameters (?who - character ?what - object) :precondition (near ?who ?what)"
        " :effect (and (held ?what) (not (near ?who ?what))))"
        "(:action a :parameters (?what - object ?who - character) :precondition (near ?who ?what))"
        "(:action a :parameters (?char - character ?obj - object) :precondition (near ?char ?obj)"
        " :effect (and (not (near ?char ?obj)) (held ?obj)))"
    )
    assert [found.f1 for found in match_operators(predicted, gold)] == [1, 1]
    assert match_operators(swapped, gold)[0].f1 == 0


def test_what_was_not_predicted_is_missed() -> None:
    (gold,) = parse_operators("(:action a :parameters (?x) :precondition (and (p ?x) (q ?x)))")
    assert [dict(found.missed) for found in missed_operator(gold)] == [{"p": 1, "q": 1}, {}]
    assert compare("()", "(p ?x)") == ({}, {}, {"p": 1})
    assert Match().f1 == 1


# -- invariants ------------------------------------------------------------------------------------

variables = st.sampled_from(["?x", "?y", "?z"])
atoms = st.builds(Atom, st.sampled_from(["p", "q", "r", "="]), st.tuples(variables, variables))


def grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    parts = st.lists(inner, max_size=3).map(tuple)
    bound = st.lists(variables, min_size=1, max_size=2, unique=True).map(
        lambda names: tuple(Parameter(name) for name in names)
    )
    return st.one_of(
        st.builds(Conjunction, parts),
        st.builds(Disjunction, parts),
        st.builds(Negation, inner),
        st.builds(Implication, inner, inner),
        st.builds(When, inner, inner),
        st.builds(Quantification, st.sampled_from(["forall", "exists"]), bound, inner),
    )


expressions: st.SearchStrategy[Expression] = st.recursive(atoms, grow, max_leaves=8)


FRESH = itertools.count()


def shuffled(expression: Expression, order: random.Random, names: dict[str, str]) -> Expression:
    """The same, with parts in another order and bound variables renamed."""
    match expression:
        case Atom(predicate, args):
            return Atom(predicate, tuple(names.get(a, a) for a in args))
        case Negation(body):
            return Negation(shuffled(body, order, names))
        case Conjunction(parts) | Disjunction(parts):
            new = [shuffled(part, order, names) for part in parts]
            order.shuffle(new)
            return type(expression)(tuple(new))
        case Implication(left, right):
            return Implication(shuffled(left, order, names), shuffled(right, order, names))
        case When(left, right):
            return When(shuffled(left, order, names), shuffled(right, order, names))
        case Quantification(kind, bound, body):
            fresh = {v.name: f"?{next(FRESH)}{v.name[1:]}" for v in bound}
            variables = [Parameter(fresh[v.name], v.type) for v in bound]
            order.shuffle(variables)
            return Quantification(kind, tuple(variables), shuffled(body, order, {**names, **fresh}))


@given(expressions, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(expression: Expression, order: random.Random) -> None:
    other = shuffled(expression, order, {})
    assert canonical(expression) == canonical(other)
    found = match(expression, other)
    assert found.f1 == 1
    assert not found.wrong
    assert not found.missed


@given(expressions, expressions, st.randoms(use_true_random=False))
def test_matches_are_bounded_and_symmetric(
    one: Expression, other: Expression, order: random.Random
) -> None:
    found, back = match(one, other), match(other, one)
    assert 0 <= found.f1 <= 1
    assert (found.right, found.wrong, found.missed) == (back.right, back.missed, back.wrong)
    again = match(shuffled(one, order, {}), shuffled(other, order, {}))
    assert (again.right, again.wrong, again.missed) == (found.right, found.wrong, found.missed)


def total(counts: Any) -> int:
    return sum(counts.values())


@given(expressions, expressions)
def test_right_and_missed_are_the_whole_ground_truth(
    predicted: Expression, gold: Expression
) -> None:
    found = match(predicted, gold)
    assert total(found.right) + total(found.missed) == total(missed(gold).missed)
    assert total(found.right) + total(found.wrong) == total(missed(predicted).missed)


def test_hostile_quantifiers_end() -> None:
    names = " ".join(f"?v{i}" for i in range(5))
    text = "(p " + names + ")"
    for kind in ("exists", "forall") * 6:
        text = f"({kind} ({names}) (and {text} (q ?v0)))"
    many = "(exists (" + " ".join(f"?v{i}" for i in range(500)) + ") (p ?v499))"
    for hostile in (text, many):
        assert match(parse_expression(hostile), parse_expression(hostile)).f1 == 1
