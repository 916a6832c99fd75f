"""Reading and printing PDDL."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.formula import TRUE, And, Atom, Not, Or, Parameter, Quantification, When
from homebody.planning.pddl import (
    MAX_DEPTH,
    MAX_LENGTH,
    Operator,
    PddlError,
    domain_text,
    formula_text,
    operator_text,
    parse_domain,
    parse_expression,
    parse_operators,
    parse_problem,
    problem_text,
    read_operators,
)
from patience import calls
from planning.pddl_tasks import DOMAINS, EXPRESSIONS, OPERATORS, PROBLEMS

DOMAIN = parse_domain(
    """(define (domain home)
    (:requirements :typing)
    (:types cup - thing character thing) ; a cup is a thing
    (:predicates (open ?x - thing) (near ?who - character ?x) (sunny)))"""
)


def test_an_operator_as_a_model_writes_it() -> None:
    (operator,) = parse_operators(
        """(:Action Sit ; comment (with parentheses
        :effect (and (SITTING ?Char) (forall (?a ?b - thing ?c) (when (p ?a) (not (q ?b ?c)))))
        :parameters (?char - character ?obj)
        :precondition (or (= ?char ?obj) (not (sitting ?char))))"""
    )
    variables = (Parameter("?a", "thing"), Parameter("?b", "thing"), Parameter("?c", "object"))
    change = When(Atom("p", ("?a",)), Not(Atom("q", ("?b", "?c"))))
    assert operator == Operator(
        "sit",
        (Parameter("?char", "character"), Parameter("?obj", "object")),
        Or((Atom("=", ("?char", "?obj")), Not(Atom("sitting", ("?char",))))),
        And((Atom("sitting", ("?char",)), Quantification("forall", variables, change))),
    )


@pytest.mark.parametrize(
    "text",
    [
        "(:action wait)",
        "(:action wait :parameters ())",
        "(:action wait :precondition () :effect ())",
        "(:action wait :parameters () :precondition (and) :effect (and))",
    ],
)
def test_what_is_missing_is_empty_or_true(text: str) -> None:
    assert parse_operators(text) == [Operator("wait", (), TRUE, TRUE)]


def test_any_number_of_operators() -> None:
    assert parse_operators(" ; nothing\n") == []
    assert [o.name for o in parse_operators("(:action a)(:action b)\n(:action a)")] == [*"aba"]


def test_one_bad_operator_does_not_hide_the_others() -> None:
    first, second, third = read_operators("(:action a)\n(:action b :effect (not))\n(:action c)")
    assert isinstance(first, Operator)
    assert isinstance(third, Operator)
    assert isinstance(second, PddlError)
    assert (second.line, second.column) == (2, 20)


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("", 1, 1, "expected one expression"),
        ("(p) (q)", 1, 5, "expected the end"),
        ("p", 1, 1, "expected an expression in parentheses"),
        ("(and\n (p ?x", 2, 2, "never closed"),
        ("(p ?x))", 1, 7, "unexpected ')'"),
        ("(p ?x \u00e9)", 1, 7, "unexpected character"),
        ("(and () (p))", 1, 6, "found '()'"),
        ("(when (p) ())", 1, 11, "found '()'"),
        ("(not (p) (q))", 1, 1, "'not' takes 1"),
        ("(imply (p))", 1, 1, "'imply' takes 2"),
        ("(forall (p))", 1, 1, "'forall' takes 2"),
        ("(exists (x - thing) (p))", 1, 10, "expected a variable"),
        ("(exists (?x ?x) (p))", 1, 13, "twice"),
        ("(exists (?x -) (p))", 1, 13, "expected a type"),
        ("(exists (?x - (either a b)) (p))", 1, 15, "either"),
        ("(iff (p) (q))", 1, 6, "'iff' is not a connective"),
        ("((p))", 1, 2, "expected a connective or a predicate"),
        ("(= ?a)", 1, 1, "'=' takes 2"),
        ("(p ?)", 1, 4, "expected a variable"),
        ("(p - q)", 1, 4, "expected a name or a variable"),
        ("(:p a)", 1, 2, "expected a connective or a predicate"),
        ("(and p)", 1, 6, "expected an expression in parentheses"),
    ],
)
def test_errors_say_where_and_what(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(PddlError, match="line") as caught:
        parse_expression(text)
    assert problem in caught.value.problem
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    "text",
    [
        "(:action)",
        "(:action ?x)",
        "(:action a :effect)",
        "(:action a :effect (p) :effect (p))",
        "(:action a :cost (p))",
        "(:action a :parameters ?x)",
        "(:action a :parameters (x))",
        "(:durative-action a)",
        "a",
    ],
)
def test_what_is_no_operator(text: str) -> None:
    with pytest.raises(PddlError):
        parse_operators(text)


@pytest.mark.parametrize(
    "block",
    [
        "(:constants a)",
        "(:types a - b a - c)",
        "(:predicates (p) (p))",
        "(:predicates (and))",
        "(:predicates p)",
        "(:types a) (:types b)",
        "(:action a) (:action a)",
        "p",
    ],
)
def test_what_is_no_domain(block: str) -> None:
    with pytest.raises(PddlError):
        parse_domain(f"(define (domain d) {block})")


@pytest.mark.parametrize(
    "blocks",
    [
        "(:domain d) (:init)",
        "(:domain d) (:goal (p))",
        "(:init) (:goal (p))",
        "(:domain d) (:init) (:goal ())",
        "(:domain d) (:init (p) (not (p))) (:goal (p))",
        "(:domain d) (:init (not (not (p)))) (:goal (p))",
        "(:domain d) (:init (not (p) (p))) (:goal (p))",
        "(:domain d) (:init (= a b)) (:goal (p))",
        "(:domain d) (:init (p ?x)) (:goal (p))",
        "(:domain d) (:objects a a) (:init) (:goal (p))",
    ],
)
def test_what_is_no_problem(blocks: str) -> None:
    with pytest.raises(PddlError):
        parse_problem(f"(define (problem p) {blocks})")


def test_facts_that_do_not_hold_need_not_be_said() -> None:
    text = "(define (problem p) (:domain d) (:objects a) (:init (p) {}(on a)) (:goal (p)))"
    assert parse_problem(text.format("(not (off a)) ")) == parse_problem(text.format(""))


@pytest.mark.sampled
@pytest.mark.parametrize(
    "text",
    [
        "(" * 1_000_000,
        "(" * MAX_LENGTH,
        "(and " * (MAX_LENGTH // 6) + ")" * (MAX_LENGTH // 6),
        "(not " * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1),
        ")" * MAX_LENGTH,
    ],
)
def test_hostile_text_is_refused_in_linear_time(text: str) -> None:
    def refused(parse: Callable[[str], object]) -> None:
        with pytest.raises(PddlError):
            parse(text)

    for parse in (parse_expression, parse_operators, parse_domain, parse_problem):
        assert calls(partial(refused, parse)) < 1000 + 10 * len(text)


def test_the_deepest_expression_is_read_and_printed() -> None:
    text = "(not " * (MAX_DEPTH - 1) + "(p)" + ")" * (MAX_DEPTH - 1)
    assert formula_text(parse_expression(text)) == text


@given(EXPRESSIONS)
def test_expressions_survive_printing(expression: object) -> None:
    assert parse_expression(formula_text(expression)) == expression  # type: ignore[arg-type]


@given(OPERATORS)
def test_operators_survive_printing(operator: Operator) -> None:
    assert parse_operators(operator_text(operator)) == [operator]


@given(DOMAINS)
def test_domains_survive_printing(domain: object) -> None:
    assert parse_domain(domain_text(domain)) == domain  # type: ignore[arg-type]


@given(PROBLEMS)
def test_problems_survive_printing(problem: object) -> None:
    assert parse_problem(problem_text(problem)) == problem  # type: ignore[arg-type]


@given(st.text(alphabet="(): ?-;\nandorwhenp=:actionéx", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    lines: list[int] = []
    for parse in (parse_expression, parse_operators, parse_domain, parse_problem):
        try:
            parse(text)
        except PddlError as error:
            lines.append(error.line)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)
