"""The normal form means what was written, and says it in one way."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

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
from homebody.planning.pddl import formula_text, parse_expression
from homebody.suites.eai.transition_modeling.normal_form import normalize, remove_equality

THINGS = ("one", "two")
variables = st.sampled_from(["?x", "?y"])
atoms = st.one_of(
    st.builds(Atom, st.sampled_from(["p", "q"]), st.tuples(variables)),
    st.builds(Atom, st.just("="), st.tuples(variables, variables)),
)


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
        st.builds(Quantification, st.sampled_from(["forall", "exists"]), bound, inner),
    )


conditions: st.SearchStrategy[Formula] = st.recursive(atoms, grow, max_leaves=8)


def holds(expression: Formula, facts: set[Atom], names: Mapping[str, str]) -> bool:
    match expression:
        case Atom(predicate, args):
            real = tuple(names[arg] for arg in args)
            return real[0] == real[1] if predicate == "=" else Atom(predicate, real) in facts
        case Not(body):
            return not holds(body, facts, names)
        case And(parts):
            return all(holds(part, facts, names) for part in parts)
        case Or(parts):
            return any(holds(part, facts, names) for part in parts)
        case Implies(left, right):
            return not holds(left, facts, names) or holds(right, facts, names)
        case Quantification(kind, bound, body):
            each = (
                holds(
                    body,
                    facts,
                    {**names, **dict(zip([v.name for v in bound], given_, strict=True))},
                )
                for given_ in itertools.product(THINGS, repeat=len(bound))
            )
            return all(each) if kind == "forall" else any(each)
        case When():
            raise AssertionError


@given(
    conditions,
    st.sets(st.builds(Atom, st.sampled_from(["p", "q"]), st.tuples(st.sampled_from(THINGS)))),
    st.booleans(),
)
def test_it_means_the_same(condition: Formula, facts: set[Atom], split: bool) -> None:
    names = {"?x": "one", "?y": "two"}
    found = normalize(condition, split_negated=split)
    assert holds(found, facts, names) == holds(condition, facts, names)
    assert normalize(found, split_negated=split) == found
    assert normalize(normalize(condition, split_negated=False)) == normalize(condition)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("(not (or (a) (not (b))))", "(and (not (a)) (b))"),
        ("(not (and (a) (b)))", "(or (not (a)) (not (b)))"),
        ("(imply (a) (b))", "(or (not (a)) (b))"),
        ("(not (imply (a) (b)))", "(and (a) (not (b)))"),
        ("(not (exists (?x) (p ?x)))", "(forall (?x) (not (p ?x)))"),
        ("(not (forall (?x) (p ?x)))", "(exists (?x) (not (p ?x)))"),
        ("(forall (?x) (and (p ?x) (q ?x)))", "(and (forall (?x) (p ?x)) (forall (?x) (q ?x)))"),
        ("(exists (?x) (or (p ?x) (q ?x)))", "(or (exists (?x) (p ?x)) (exists (?x) (q ?x)))"),
        ("(exists (?x) (and (p ?x) (q ?x)))", "(exists (?x) (and (p ?x) (q ?x)))"),
        ("(and (a) (and (b) (not (or (c) (d)))))", "(and (a) (b) (not (c)) (not (d)))"),
        ("(or (a) (exists (?x) (imply (p ?x) (q ?x))))",
         "(or (a) (exists (?x) (not (p ?x))) (exists (?x) (q ?x)))"),
    ],
)  # fmt: skip
def test_forms(written: str, expected: str) -> None:
    assert normalize(parse_expression(written)) == parse_expression(expected)


def test_alternatives_of_what_stayed_one_condition_are_on_one_level() -> None:
    written = parse_expression("(exists (?x) (imply (and (p ?x) (q ?x)) (and)))")
    assert normalize(normalize(written, split_negated=False)) == normalize(written)


def test_a_negated_conjunction_can_stay_one_condition() -> None:
    text = "(not (and (a) (forall (?x) (not (p ?x)))))"
    written = parse_expression("(not (and (a) (not (exists (?x) (p ?x)))))")
    assert normalize(written, split_negated=False) == parse_expression(text)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("(= ?x ?y)", "()"),
        ("(and (a) (not (= ?x ?y)))", "(and (a))"),
        ("(or (= ?x ?y) (a))", "(or (a))"),
        ("(forall (?x) (when (not (= ?x ?y)) (p ?x)))", "(forall (?x) (p ?x))"),
        ("(forall (?x) (when (and (q ?x) (not (= ?x ?y))) (p ?x)))",
         "(forall (?x) (when (and (q ?x)) (p ?x)))"),
        ("(imply (= ?x ?y) (a))", "(a)"),
        ("(imply (a) (= ?x ?y))", "(not (a))"),
        ("(and (a) (exists (?x) (= ?x ?y)))", "(and (a))"),
        ("(and (a) (and))", "(and (a) (and))"),
    ],
)  # fmt: skip
def test_equality_is_left_out(written: str, expected: str) -> None:
    assert remove_equality(parse_expression(written)) == parse_expression(expected)


def test_hostile_quantifiers_do_not_grow() -> None:
    names = " ".join(f"?v{i}" for i in range(100))
    text = f"(forall ({names}) (and " + " ".join(f"(p ?v{i})" for i in range(100)) + "))"
    for _ in range(20):
        text = f"(forall ({names}) (and {text} (q ?v0)))"
    found = normalize(parse_expression(text))
    assert len(formula_text(found)) < 2 * len(formula_text(parse_expression(text)))
