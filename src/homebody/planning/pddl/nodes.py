"""The syntax trees of PDDL; the language itself is described in :mod:`.pddl`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from homebody.core.action import Parameter
from homebody.core.formula import Atom


@dataclass(frozen=True, slots=True)
class Negation:
    """``(not body)``"""

    body: Expression


@dataclass(frozen=True, slots=True)
class Conjunction:
    """``(and part ...)``; without parts, true (PDDL also writes it ``()``)."""

    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Disjunction:
    """``(or part ...)``"""

    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Implication:
    """``(imply left right)``"""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Quantification:
    """``(forall (?x ?y - type) body)`` or ``(exists ...)``"""

    kind: Literal["forall", "exists"]
    variables: tuple[Parameter, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class When:
    """``(when condition effect)``, in effects only."""

    condition: Expression
    effect: Expression


Expression: TypeAlias = (
    Atom | Negation | Conjunction | Disjunction | Implication | Quantification | When
)
"""A condition or an effect. Atoms are of core; ``=`` is the atom ``Atom("=", (a, b))``."""

TRUE = Conjunction()


@dataclass(frozen=True, slots=True)
class Operator:
    """``(:action name ...)``: what an action needs and does, over its parameters."""

    name: str
    parameters: tuple[Parameter, ...]
    precondition: Expression = TRUE
    effect: Expression = TRUE


@dataclass(frozen=True, slots=True)
class Domain:
    """``(define (domain ...))``

    ``types`` maps a type to its supertype (``object`` is the root); ``predicates`` maps a name to
    its typed parameters.
    """

    name: str
    types: Mapping[str, str]
    predicates: Mapping[str, tuple[Parameter, ...]]
    operators: Mapping[str, Operator]


@dataclass(frozen=True, slots=True)
class Problem:
    """``(define (problem ...))``; ``objects`` maps a name to its type."""

    name: str
    domain: str
    objects: Mapping[str, str]
    initial: frozenset[Atom]
    goal: Expression
