"""Printing of PDDL, which :mod:`homebody.planning.pddl.reading` reads back unchanged."""

from __future__ import annotations

from homebody.core.formula import TRUE, Formula
from homebody.planning.pddl.domain import Domain, Operator, Problem
from homebody.planning.sexpr import formula_text, parameters_text


def operator_text(operator: Operator) -> str:
    """Return an ``(:action ...)`` block of four lines."""
    return (
        f"(:action {operator.name}\n"
        f"    :parameters ({parameters_text(operator.parameters)})\n"
        f"    :precondition {whole_text(operator.precondition)}\n"
        f"    :effect {whole_text(operator.effect)})"
    )


def whole_text(formula: Formula) -> str:
    """Return a whole condition or effect; one that is always true or does nothing is ``()``."""
    return "()" if formula == TRUE else formula_text(formula)


def domain_text(domain: Domain) -> str:
    """Return a whole domain."""
    types = "".join(f"\n    {name} - {parent}" for name, parent in domain.types.items())
    predicates = "".join(
        f"\n    ({' '.join(filter(None, (name, parameters_text(parameters))))})"
        for name, parameters in domain.predicates.items()
    )
    blocks = [
        f"(define (domain {domain.name})",
        "(:requirements :adl :typing)",
        f"(:types{types})",
        f"(:predicates{predicates})",
        *(operator_text(operator) for operator in domain.operators.values()),
    ]
    return "\n".join(blocks) + "\n)\n"


def problem_text(problem: Problem) -> str:
    """Return a whole problem, with facts in alphabetical order."""
    objects = "".join(f"\n    {name} - {kind}" for name, kind in problem.objects.items())
    facts = sorted(formula_text(fact) for fact in problem.initial)
    initial = "".join(f"\n    {fact}" for fact in facts)
    return (
        f"(define (problem {problem.name})\n"
        f"(:domain {problem.domain})\n"
        f"(:objects{objects})\n"
        f"(:init{initial})\n"
        f"(:goal {formula_text(problem.goal)})\n)\n"
    )
