"""The data of PDDL files: operators, domains and problems over formulas of core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from homebody.core.formula import TRUE, Atom, Formula, Parameter


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator: ``(:action name ...)``."""

    name: str
    parameters: tuple[Parameter, ...]
    precondition: Formula = TRUE
    effect: Formula = TRUE


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain: ``(define (domain ...))``.

    ``types`` maps a type to its supertype (``object`` is the root); ``predicates`` maps a name to
    its typed parameters.
    """

    name: str
    types: Mapping[str, str]
    predicates: Mapping[str, tuple[Parameter, ...]]
    operators: Mapping[str, Operator]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem: ``(define (problem ...))``. ``objects`` maps a name to its type."""

    name: str
    domain: str
    objects: Mapping[str, str]
    initial: frozenset[Atom]
    goal: Formula
