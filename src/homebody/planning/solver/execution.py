"""The reference semantics of PDDL, in which states are sets of atoms.

The planners of :mod:`homebody.planning.solver.solve` use other representations. A plan only counts
if it can be executed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from homebody.core.formula import And, Atom, Binding, Formula, Not, Quantification, When, ground
from homebody.core.truth import evaluate, rows
from homebody.planning.pddl.check import supertypes
from homebody.planning.pddl.domain import Domain, Problem

PlanStep: TypeAlias = tuple[str, tuple[str, ...]]
"""An operator's name and its objects."""

Plan: TypeAlias = tuple[PlanStep, ...]


def objects_by_type(domain: Domain, problem: Problem) -> dict[str, tuple[str, ...]]:
    """Return type -> the objects of it or of a subtype, in the problem's order."""
    table: dict[str, list[str]] = {}
    for name, kind in problem.objects.items():
        for above in supertypes(domain.types, kind):
            table.setdefault(above, []).append(name)
    return {kind: tuple(names) for kind, names in table.items()}


@dataclass(frozen=True, slots=True)
class PddlState:
    """A state as a structure in which formulas are evaluated.

    Attributes:
        facts: The atoms that are true.
        objects: Type -> its objects (:func:`objects_by_type`).
    """

    facts: frozenset[Atom]
    objects: Mapping[str, Sequence[str]]

    @property
    def names(self) -> Iterable[str]:
        """All objects."""
        return dict.fromkeys(name for names in self.objects.values() for name in names)

    def of(self, kind: str) -> Sequence[str]:
        """Return the objects of a type."""
        return self.objects.get(kind, ())

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Return whether a ground atom is true."""
        return Atom(predicate, args) in self.facts

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """Return the arguments of true atoms that agree with ``args``; None matches anything."""
        alike = (f.args for f in self.facts if (f.predicate, len(f.args)) == (predicate, len(args)))
        return [row for row in alike if all(a in (None, b) for a, b in zip(args, row, strict=True))]

    def satisfies(self, condition: Formula, binding: Binding) -> bool:
        """Return the truth of a condition. Raises ValueError for ``when``."""
        return evaluate(condition, self, binding, over=self.of)

    def after(self, effect: Formula, binding: Binding) -> PddlState:
        """Return the state after an effect. Conditions are evaluated before the effect, and a fact
        that is both deleted and added is added.

        Raises ValueError if the formula is not an effect.
        """
        added: set[Atom] = set()
        deleted: set[Atom] = set()
        self._collect(effect, binding, added, deleted)
        return PddlState((self.facts - deleted) | added, self.objects)

    def _collect(
        self, effect: Formula, binding: Binding, added: set[Atom], deleted: set[Atom]
    ) -> None:
        match effect:
            case Atom():
                added.add(ground(effect, binding))
            case Not(Atom() as atom):
                deleted.add(ground(atom, binding))
            case And(parts):
                for part in parts:
                    self._collect(part, binding, added, deleted)
            case Quantification("forall", variables, body):
                for row in rows(variables, self.of):
                    self._collect(body, {**binding, **row}, added, deleted)
            case When(condition, body):
                if self.satisfies(condition, binding):
                    self._collect(body, binding, added, deleted)
            case _:
                raise ValueError(f"not an effect: {type(effect).__name__}")


def fault(domain: Domain, problem: Problem, plan: Sequence[PlanStep]) -> str:
    """Return the reason why a plan does not solve a problem, as a sentence; empty if it solves
    it."""
    objects = objects_by_type(domain, problem)
    state = PddlState(problem.initial, objects)
    for number, (name, args) in enumerate(plan, 1):
        operator = domain.operators.get(name)
        if operator is None:
            return f"step {number}: there is no action '{name}'"
        if len(args) != len(operator.parameters):
            return f"step {number}: '{name}' takes {len(operator.parameters)} objects"
        for parameter, arg in zip(operator.parameters, args, strict=True):
            if arg not in objects.get(parameter.type, ()):
                return f"step {number}: '{arg}' is not of type '{parameter.type}'"
        binding = {p.name: arg for p, arg in zip(operator.parameters, args, strict=True)}
        if not state.satisfies(operator.precondition, binding):
            return f"step {number}: the precondition of '{name}' does not hold"
        state = state.after(operator.effect, binding)
    return "" if state.satisfies(problem.goal, {}) else "the goal does not hold at the end"
