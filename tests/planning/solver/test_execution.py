"""The plain meaning of PDDL, which every plan is checked against."""

from __future__ import annotations

import pytest

from homebody.core.formula import Atom
from homebody.planning.pddl import parse_domain, parse_expression, parse_problem
from homebody.planning.solver.execution import PddlState, fault, objects_by_type

DOMAIN = parse_domain(
    """(define (domain d) (:types toy - thing thing who)
    (:predicates (p ?x) (q ?x) (r ?x ?y))
    (:action take :parameters (?x - thing ?y) :precondition (not (= ?x ?y))
        :effect (and (not (p ?x)) (when (p ?x) (p ?y)))))"""
)
PROBLEM = parse_problem(
    """(define (problem d) (:domain d) (:objects a - toy b - thing c - who)
    (:init (p a) (r a b)) (:goal (p c)))"""
)
OBJECTS = objects_by_type(DOMAIN, PROBLEM)


def test_an_object_is_of_its_type_and_of_all_above() -> None:
    assert OBJECTS == {
        "toy": ("a",),
        "thing": ("a", "b"),
        "object": ("a", "b", "c"),
        "who": ("c",),
    }


@pytest.mark.parametrize(
    ("condition", "truth"),
    [
        ("(p a)", True),
        ("(p b)", False),
        ("(= a a)", True),
        ("(not (= a b))", True),
        ("(and)", True),
        ("(or)", False),
        ("(imply (p b) (p c))", True),
        ("(imply (p a) (p c))", False),
        ("(exists (?x - thing) (and (p ?x) (r ?x b)))", True),
        ("(exists (?x - who) (p ?x))", False),
        ("(forall (?x - toy) (p ?x))", True),
        ("(forall (?x ?y - thing) (or (r ?x ?y) (not (p ?x)) (= ?x ?y)))", True),
        ("(forall (?x - nobody) (or))", True),
        ("(exists (?x - nobody) (and))", False),
        ("(exists (?x) (and (p ?x) (exists (?x) (not (p ?x)))))", True),
    ],
)
def test_conditions(condition: str, truth: bool) -> None:
    assert PddlState(PROBLEM.initial, OBJECTS).satisfies(parse_expression(condition), {}) is truth


@pytest.mark.parametrize(
    ("effect", "after"),
    [
        ("(and)", "p(a)"),
        ("(p b)", "p(a) p(b)"),
        ("(not (p a))", ""),
        ("(and (p a) (not (p a)))", "p(a)"),
        ("(and (not (p b)) (p b))", "p(a) p(b)"),
        ("(and (not (p a)) (when (p a) (p b)) (when (p b) (p c)))", "p(b)"),
        ("(forall (?x) (when (not (p ?x)) (p ?x)))", "p(a) p(b) p(c)"),
        ("(when (p a) (forall (?x - toy) (not (p ?x))))", ""),
    ],
)
def test_effects(effect: str, after: str) -> None:
    state = PddlState(frozenset({Atom("p", ("a",))}), OBJECTS).after(parse_expression(effect), {})
    assert " ".join(sorted(f"{a.predicate}({a.args[0]})" for a in state.facts)) == after


def test_what_is_no_effect_is_refused() -> None:
    empty = PddlState(frozenset(), OBJECTS)
    with pytest.raises(ValueError, match="not an effect: Or"):
        empty.after(parse_expression("(or (p a))"), {})
    with pytest.raises(ValueError, match="when"):
        empty.satisfies(parse_expression("(when (p a) (p a))"), {})


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ([("take", ("a", "b")), ("take", ("b", "c"))], ""),
        ([("take", ("a", "c"))], ""),
        ([], "the goal does not hold at the end"),
        ([("take", ("a", "b"))], "the goal does not hold at the end"),
        ([("give", ("a", "b"))], "step 1: there is no action 'give'"),
        ([("take", ("a",))], "step 1: 'take' takes 2 objects"),
        ([("take", ("a", "b")), ("take", ("c", "a"))], "step 2: 'c' is not of type 'thing'"),
        ([("take", ("a", "a"))], "step 1: the precondition of 'take' does not hold"),
    ],
)
def test_plans(plan: list[tuple[str, tuple[str, ...]]], reason: str) -> None:
    assert fault(DOMAIN, PROBLEM, plan) == reason
