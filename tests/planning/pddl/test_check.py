"""What planners would refuse, told beforehand."""

from __future__ import annotations

import pytest

from homebody.planning.pddl import (
    check,
    check_domain,
    check_operator,
    check_problem,
    check_types,
    domain_text,
    is_plain,
    parse_domain,
    parse_operators,
    parse_problem,
    problem_text,
    supertypes,
)

DOMAIN = parse_domain(
    """(define (domain home)
    (:requirements :typing)
    (:types cup - thing character thing) ; a cup is a thing
    (:predicates (open ?x - thing) (near ?who - character ?x) (sunny)))"""
)


def _problems(effect: str = "(sunny)", precondition: str = "(sunny)") -> list[str]:
    (operator,) = parse_operators(
        f"(:action a :parameters (?x - thing) :precondition {precondition} :effect {effect})"
    )
    return check_operator(operator, DOMAIN)


def test_a_good_operator_has_no_problems() -> None:
    assert _problems("(forall (?y - cup) (when (open ?y) (not (open ?x))))") == []


@pytest.mark.parametrize(
    ("precondition", "problem"),
    [
        ("(shut ?x)", "unknown predicate 'shut'"),
        ("(open ?x ?x)", "takes 1 arguments, not 2"),
        ("(open ?y)", "not bound"),
        ("(and (exists (?y) (open ?y)) (open ?y))", "not bound"),
        ("(open door)", "not known"),
        ("(when (sunny) (open ?x))", "no 'when'"),
        ("(forall () (sunny))", "no variables"),
    ],
)
def test_bad_preconditions(precondition: str, problem: str) -> None:
    (found,) = _problems(precondition=precondition)
    assert found.startswith("precondition: ")
    assert problem in found


@pytest.mark.parametrize(
    ("effect", "problem"),
    [
        ("(shut ?x)", "unknown predicate 'shut'"),
        ("(or (sunny) (open ?x))", "no 'or'"),
        ("(imply (sunny) (open ?x))", "no 'imply'"),
        ("(exists (?y) (open ?y))", "no 'exists'"),
        ("(not (and (sunny)))", "takes a predicate"),
        ("(not (not (sunny)))", "takes a predicate"),
        ("(when (when (sunny) (sunny)) (sunny))", "no 'when'"),
    ],
)
def test_bad_effects(effect: str, problem: str) -> None:
    (found,) = _problems(effect)
    assert found.startswith("effect: ")
    assert problem in found


def test_an_atom_of_many_unknown_names_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    text = check.formula_text
    monkeypatch.setattr(check, "formula_text", lambda atom: written.append(1) or text(atom))
    names = " ".join(f"?x{number}" for number in range(500))
    assert len(_problems(precondition=f"(open {names})")) == 501
    assert len(written) == 1


def test_checks_of_domains_name_the_operator() -> None:
    domain = parse_domain("(define (domain d) (:predicates (p)) (:action a :effect (q)))")
    assert check_domain(domain) == ["a: effect: unknown predicate 'q': (q)"]


@pytest.mark.parametrize(
    ("problem", "found"),
    [
        ("(:domain other) (:init) (:goal (sunny))", "is for domain 'other'"),
        ("(:domain home) (:objects a - b) (:init) (:goal (sunny))", "unknown type 'b'"),
        ("(:domain home) (:init (shut)) (:goal (sunny))", "initial state: unknown predicate"),
        ("(:domain home) (:init (open a)) (:goal (sunny))", "initial state: 'a'"),
        ("(:domain home) (:init) (:goal (open a))", "goal: 'a'"),
        ("(:domain home) (:init) (:goal (when (sunny) (sunny)))", "goal: a condition has no"),
    ],
)
def test_checks_of_problems(problem: str, found: str) -> None:
    (sentence,) = check_problem(parse_problem(f"(define (problem p) {problem})"), DOMAIN)
    assert found in sentence


def test_types_are_a_matter_of_their_own() -> None:
    (operator,) = parse_operators(
        """(:action a :parameters (?w - character ?c - cup ?o - object ?n - nobody)
        :effect (and (open ?c) (open ?o) (open ?w) (near ?c ?w)))"""
    )
    assert check_operator(operator, DOMAIN) == []
    assert [sentence.partition(":")[0] for sentence in check_types(operator, DOMAIN)] == [
        "unknown type 'nobody' of ?n",
        "'?w' is of type 'character', but 'open' takes 'thing'",
        "'?c' is of type 'cup', but 'near' takes 'character'",
    ]


def test_object_is_above_all_types() -> None:
    assert supertypes(DOMAIN.types, "cup") == ("cup", "thing", "object")
    assert supertypes({}, "object") == ("object",)
    assert supertypes({"a": "b", "b": "a"}, "a") == ("a", "b", "object")


@pytest.mark.parametrize(
    ("effect", "plain"),
    [
        ("(and (p ?x) (forall (?y) (when (p ?y) (not (p ?x)))))", True),
        ("(when (p ?x) (when (p ?x) (p ?x)))", True),
        ("(when (exists (?x) (p ?x)) (p ?x))", True),
        ("(when (p ?x) (forall (?y) (p ?y)))", False),
        ("(forall (?x) (p ?x))", False),
        ("(forall (?y) (forall (?y) (p ?y)))", False),
        ("(= ?x ?x)", False),
    ],
)
def test_effects_that_planners_agree_on(effect: str, plain: bool) -> None:
    (operator,) = parse_operators(f"(:action a :parameters (?x) :effect {effect})")
    assert is_plain(operator) is plain


@pytest.mark.usefixtures("eai_data")
def test_the_official_files_are_read_without_a_complaint() -> None:
    from homebody.data import eai

    data = eai.load()["pddl"]
    domain = parse_domain(data["domain"])
    assert len(domain.operators) == 33
    assert set(domain.predicates) == set(data["predicate_categories"])
    assert check_domain(domain) == []
    assert parse_domain(domain_text(domain)) == domain
    assert all(is_plain(operator) for operator in domain.operators.values())
    for name, parts in data["operators"].items():
        (operator,) = parse_operators(
            f"(:action {name} :parameters {parts['action_parameters']}\n"
            f":precondition {parts['action_preconditions']}\n:effect {parts['action_effects']})"
        )
        assert operator == domain.operators[name]
    problems = [parse_problem(text) for text in data["problems"].values()]
    assert len(problems) == 338
    assert not [p for problem in problems for p in check_problem(problem, domain)]
    assert [parse_problem(problem_text(problem)) for problem in problems] == problems
