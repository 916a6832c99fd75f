"""Matching of conditions and effects: the same logic matches, whatever it is written like."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.formula import (
    And,
    Atom,
    Formula,
    Implies,
    Not,
    Or,
    Parameter,
    Quantification,
    When,
)
from homebody.planning.pddl import parse_expression, parse_operators
from homebody.suites.eai.transition_modeling.matching import (
    Match,
    canonical_form,
    match,
    match_nothing,
    match_operators,
    missed_operator,
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
    assert canonical_form(parse_expression(one)) == canonical_form(parse_expression(other))
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
    assert canonical_form(parse_expression(one)) != canonical_form(parse_expression(other))


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


# -- one `or` does not swamp the rest -------------------------------------------------------------

GRAB = (
    "(and (grabbable ?o) (next_to ?c ?o)"
    " (not (exists (?b - object) (and (obj_inside ?o ?b) (closed ?b))))"
    " (not (and (exists (?l - object) (holds_lh ?c ?l)) (exists (?r - object) (holds_rh ?c ?r)))))"
)
SWITCH_ON = "(and (has_switch ?o) (off ?o) (plugged_in ?o) (next_to ?c ?o))"


def f1(predicted: str, gold: str) -> float:
    return match(parse_expression(predicted), parse_expression(gold)).f1


def test_an_or_leaves_the_rest_of_a_conjunction_right() -> None:
    predicted = (
        "(and (grabbable ?o) (next_to ?c ?o) (or (not (holds_rh ?c ?o)) (not (holds_lh ?c ?o))))"
    )
    assert compare(predicted, GRAB) == (
        {"grabbable": 1, "next_to": 1},
        {"holds_rh": 1, "holds_lh": 1},
        {"obj_inside": 1, "closed": 1, "holds_lh": 1, "holds_rh": 1},
    )
    assert f1(predicted, GRAB) == pytest.approx(0.4)
    assert f1(f"{GRAB[:-1]} (or (open ?o) (closed ?o)))", GRAB) == pytest.approx(6 * 2 / 14)


def test_wrong_counts_grow_with_what_is_written() -> None:
    for count in range(1, 12):
        ors = " ".join(f"(or (a{i} ?o) (b{i} ?o))" for i in range(count))
        for gold in (SWITCH_ON, "(or (x ?o) (y ?o))"):
            _, wrong, _ = compare(f"{SWITCH_ON[:-1]} {ors})", gold)
            assert sum(wrong.values()) == 2 * count + (0 if gold == SWITCH_ON else 4)


def test_a_better_condition_never_scores_less() -> None:
    """A right part more, whatever else is there."""
    extra = "(or (open ?o) (closed ?o))"
    parts = ["(has_switch ?o)", "(off ?o)", "(plugged_in ?o)", "(next_to ?c ?o)"]
    scores = [f1(f"(and {' '.join(parts[:n])} {extra})", SWITCH_ON) for n in range(5)]
    assert scores == sorted(set(scores))


def test_alternatives_written_twice_are_a_conjunction() -> None:
    assert compare("(or (and (a) (b)) (and (b) (a)))", "(and (a) (b) (c))") == (
        {"a": 1, "b": 1},
        {},
        {"c": 1},
    )


# -- the same condition in other words -------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(not (or (sitting ?c) (lying ?c)))", "(and (not (lying ?c)) (not (sitting ?c)))"),
        ("(not (exists (?x) (p ?x)))", "(forall (?x) (not (p ?x)))"),
        ("(forall (?x) (and (p ?x) (q ?x)))", "(and (forall (?y) (q ?y)) (forall (?z) (p ?z)))"),
        (
            "(and (next_to ?c ?o) (forall (?x) (and (when (a ?x) (b ?x)) (when (d ?x) (e ?x)))))",
            "(and (forall (?x) (when (a ?x) (b ?x))) (forall (?x) (when (d ?x) (e ?x)))"
            " (next_to ?c ?o))",
        ),
        (
            f"{GRAB[: GRAB.index('(not (and')]} (or (forall (?r) (not (holds_rh ?c ?r)))"
            " (not (exists (?l) (holds_lh ?c ?l)))))",
            GRAB,
        ),
        ("(not (imply (a) (b)))", "(and (a) (not (b)))"),
    ],
)
def test_what_means_the_same_matches(one: str, other: str) -> None:
    for left, right in ((one, other), (other, one)):
        found = match(parse_expression(left), parse_expression(right))
        assert found.f1 == 1
        assert total(found.right) == total(match_nothing(parse_expression(right)).missed)


def test_equality_neither_counts_nor_spoils() -> None:
    gold = "(or (and (next_to ?c ?b) (lh ?c ?a)) (and (next_to ?c ?b) (rh ?c ?a)))"
    careful = "(and (next_to ?c ?b) (not (= ?a ?b)) (or (lh ?c ?a) (rh ?c ?a)))"
    assert compare(careful, gold) == ({"next_to": 2, "lh": 1, "rh": 1}, {}, {})
    assert compare(
        "(forall (?x) (when (and (not (= ?x ?o)) (not (near ?x ?o))) (not (next_to ?c ?x))))",
        "(forall (?x) (when (not (near ?x ?o)) (not (next_to ?c ?x))))",
    ) == ({"near": 1, "next_to": 1}, {}, {})


# -- invariants ------------------------------------------------------------------------------------

variables = st.sampled_from(["?x", "?y", "?z"])
atoms = st.builds(Atom, st.sampled_from(["p", "q", "r", "="]), st.tuples(variables, variables))


def grow(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    parts = st.lists(inner, max_size=3).map(tuple)
    bound = st.lists(variables, min_size=1, max_size=2, unique=True).map(
        lambda names: tuple(Parameter(name) for name in names)
    )
    return st.one_of(
        st.builds(And, parts),
        st.builds(Or, parts),
        st.builds(Not, inner),
        st.builds(Implies, inner, inner),
        st.builds(When, inner, inner),
        st.builds(Quantification, st.sampled_from(["forall", "exists"]), bound, inner),
    )


expressions: st.SearchStrategy[Formula] = st.recursive(atoms, grow, max_leaves=8)


FRESH = itertools.count()


def shuffled(expression: Formula, order: random.Random, names: dict[str, str]) -> Formula:
    """The same, with parts in another order and bound variables renamed."""
    match expression:
        case Atom(predicate, args):
            return Atom(predicate, tuple(names.get(a, a) for a in args))
        case Not(body):
            return Not(shuffled(body, order, names))
        case And(parts) | Or(parts):
            new = [shuffled(part, order, names) for part in parts]
            order.shuffle(new)
            return type(expression)(tuple(new))
        case Implies(left, right):
            return Implies(shuffled(left, order, names), shuffled(right, order, names))
        case When(left, right):
            return When(shuffled(left, order, names), shuffled(right, order, names))
        case Quantification(kind, bound, body):
            fresh = {v.name: f"?{next(FRESH)}{v.name[1:]}" for v in bound}
            variables = [Parameter(fresh[v.name], v.type) for v in bound]
            order.shuffle(variables)
            return Quantification(kind, tuple(variables), shuffled(body, order, {**names, **fresh}))


@given(expressions, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(expression: Formula, order: random.Random) -> None:
    other = shuffled(expression, order, {})
    assert canonical_form(expression) == canonical_form(other)
    found = match(expression, other)
    assert found.f1 == 1
    assert not found.wrong
    assert not found.missed


@given(expressions, expressions, st.randoms(use_true_random=False))
def test_matches_are_bounded_and_symmetric(
    one: Formula, other: Formula, order: random.Random
) -> None:
    found, back = match(one, other), match(other, one)
    assert 0 <= found.f1 <= 1
    assert (found.right, found.wrong, found.missed) == (back.right, back.missed, back.wrong)
    again = match(shuffled(one, order, {}), shuffled(other, order, {}))
    assert (again.right, again.wrong, again.missed) == (found.right, found.wrong, found.missed)


def total(counts: Any) -> int:
    return sum(counts.values())


def written(expression: Formula) -> int:
    return total(match_nothing(expression).missed)


@given(expressions, expressions)
def test_wrong_and_missed_are_never_more_than_is_written(predicted: Formula, gold: Formula) -> None:
    found = match(predicted, gold)
    assert total(found.wrong) <= atoms_of(predicted)
    assert total(found.missed) <= atoms_of(gold)
    if not found.right:
        assert (total(found.wrong), total(found.missed)) == (written(predicted), written(gold))


def atoms_of(expression: Formula) -> int:
    """Literals as they are written, but for ``=``."""
    match expression:
        case Atom(predicate, _):
            return int(predicate != "=")
        case And(parts) | Or(parts):
            return sum(map(atoms_of, parts))
        case Implies(left, right) | When(left, right):
            return atoms_of(left) + atoms_of(right)
        case Not(body) | Quantification(_, _, body):
            return atoms_of(body)


def test_hostile_quantifiers_end() -> None:
    names = " ".join(f"?v{i}" for i in range(5))
    text = "(p " + names + ")"
    for kind in ("exists", "forall") * 6:
        text = f"({kind} ({names}) (and {text} (q ?v0)))"
    many = "(exists (" + " ".join(f"?v{i}" for i in range(500)) + ") (p ?v499))"
    for hostile in (text, many):
        assert match(parse_expression(hostile), parse_expression(hostile)).f1 == 1


def test_long_conditions_end() -> None:
    """Spelt out, each alternative would repeat the thousands of other parts."""
    ors = " ".join(f"(or (a{i}) (b{i}))" for i in range(6))
    many = " ".join(f"(p{i})" for i in range(5000))
    for hostile in (f"(and {many} {ors})", f"(and {ors} (not (and {many})))"):
        right, wrong, lost = compare(hostile, f"(and (a0) {hostile})")
        assert sum(right.values()) >= 5012
        assert (wrong, lost) in [({}, {}), ({}, {"a0": 1})]
