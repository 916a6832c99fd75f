"""Unrolling: a proposition that takes n things counts as n propositions, for 1 to n of them.

Two of three spoons brought is then two thirds done. PARTNR paper, appendix A.4.2; the rules for
dependencies and constraints are those of the published code.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from homebody.goals.partnr.model import (
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
    """The evaluation with new propositions at its end, and for each proposition where it is from.

    The originals keep their number. What depends on one of them waits for all of its things, so
    ``depends_on`` and the edges of an order stay as they are: a new proposition follows what its
    original follows. Raises EvaluationError if that makes too many constraints.
    """
    propositions = list(evaluation.propositions)
    origins = list(range(len(propositions)))
    members = [list(one.propositions) for one in evaluation.dependencies]
    constraints = list(evaluation.constraints)
    for index, one in enumerate(evaluation.propositions):
        if one.predicate == CLUSTERED:
            continue
        for counter in range(1, one.number):
            new = len(propositions)
            propositions.append(replace(one, numbers=(counter,)))
            origins.append(index)
            for place in range(len(constraints)):
                constraints[place], more = _extended(constraints[place], index, new)
                constraints.extend(more)
            if len(constraints) > MAX_PARTS:
                raise EvaluationError(f"unrolled there are more than {MAX_PARTS} constraints")
            gained = counter if "dependencies_gain_the_counter" in quirks else new
            for listed in members:
                if index in listed:
                    listed.append(gained)
    dependencies = tuple(
        replace(one, propositions=tuple(listed))
        for one, listed in zip(evaluation.dependencies, members, strict=True)
    )
    return Evaluation(tuple(propositions), dependencies, tuple(constraints)), tuple(origins)


def _extended(one: Constraint, index: int, new: int) -> tuple[Constraint, list[Constraint]]:
    """The constraint with the new proposition, and constraints to be added."""
    if isinstance(one, TerminalSatisfactionConstraint):
        if index in one.propositions:
            return replace(one, propositions=(*one.propositions, new)), []
    elif isinstance(one, SameArgConstraint):
        if index in one.propositions:
            name = one.arguments[one.propositions.index(index)]
            return SameArgConstraint((*one.propositions, new), (*one.arguments, name)), []
    elif isinstance(one, DifferentArgConstraint) and index in one.propositions:
        # the things of one proposition need not differ: a constraint of its own for the new one
        pairs = zip(one.propositions, one.arguments, strict=True)
        others = [pair for pair in pairs if pair[0] != index]
        name = one.arguments[one.propositions.index(index)]
        indices, names = zip((new, name), *others, strict=True)
        return one, [DifferentArgConstraint(indices, names)]
    return one, []
