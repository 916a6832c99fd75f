"""Unrolling: a proposition about n objects counts as n propositions, for 1 to n of them.

Two of three spoons is then two thirds complete. Source: PARTNR paper, appendix A.4.2; the rules for
dependencies and constraints come from the published code.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from homebody.goals.partnr.evaluation_function import (
    CLUSTERED,
    MAX_PARTS,
    Constraint,
    DifferentArgConstraint,
    Evaluation,
    EvaluationError,
    SameArgConstraint,
    TerminalSatisfactionConstraint,
)


def unroll(
    evaluation: Evaluation, quirks: Set[str] = frozenset()
) -> tuple[Evaluation, tuple[int, ...]]:
    """Return the evaluation with new propositions at its end, and the origin of each proposition.

    The originals keep their indices. A proposition that depends on an original waits for all of its
    objects, so ``depends_on`` and the edges of an order stay unchanged. A new proposition has the
    same predecessors as its original. Raises EvaluationError if there are too many constraints.
    """
    propositions = list(evaluation.propositions)
    origins = list(range(len(propositions)))
    gated = [list(proposition.propositions) for proposition in evaluation.dependencies]
    constraints = list(evaluation.constraints)
    for index, proposition in enumerate(evaluation.propositions):
        if proposition.predicate == CLUSTERED:
            continue
        for counter in range(1, proposition.number):
            new = len(propositions)
            propositions.append(replace(proposition, numbers=(counter,)))
            origins.append(index)
            for position in range(len(constraints)):
                constraints[position], extra = _extend(constraints[position], index, new)
                constraints.extend(extra)
            if len(constraints) > MAX_PARTS:
                raise EvaluationError(f"unrolled there are more than {MAX_PARTS} constraints")
            gained = counter if "dependencies_gain_the_counter" in quirks else new
            for indices in gated:
                if index in indices:
                    indices.append(gained)
    dependencies = tuple(
        replace(proposition, propositions=tuple(indices))
        for proposition, indices in zip(evaluation.dependencies, gated, strict=True)
    )
    return Evaluation(tuple(propositions), dependencies, tuple(constraints)), tuple(origins)


def _extend(constraint: Constraint, index: int, new: int) -> tuple[Constraint, list[Constraint]]:
    """Return the constraint with the new proposition, and constraints to add."""
    if isinstance(constraint, TerminalSatisfactionConstraint):
        if index in constraint.propositions:
            return replace(constraint, propositions=(*constraint.propositions, new)), []
    elif isinstance(constraint, SameArgConstraint):
        if index in constraint.propositions:
            name = constraint.arguments[constraint.propositions.index(index)]
            return SameArgConstraint(
                (*constraint.propositions, new), (*constraint.arguments, name)
            ), []
    elif isinstance(constraint, DifferentArgConstraint) and index in constraint.propositions:
        # the things of one proposition need not differ: a constraint of its own for the new one
        pairs = zip(constraint.propositions, constraint.arguments, strict=True)
        others = [pair for pair in pairs if pair[0] != index]
        name = constraint.arguments[constraint.propositions.index(index)]
        indices, names = zip((new, name), *others, strict=True)
        return constraint, [DifferentArgConstraint(indices, names)]
    return constraint, []
