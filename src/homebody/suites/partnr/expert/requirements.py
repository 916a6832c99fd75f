"""The requirements of an evaluation function at a step of a run.

Once per run, it computes the order of propositions, the propositions that must hold at the same
time, and the propositions that must hold at the end. After each action, it computes the
propositions that are due and the propositions that must not become true yet.

A proposition is *due* if it was not satisfied so far, and everything before it was: its
predecessors in the order (PARTNR paper, A.4.4) and its dependencies (A.4.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from homebody.goals.partnr import (
    ArgumentConstraint,
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
)
from homebody.goals.partnr.constraints import Satisfaction
from homebody.goals.partnr.evaluation_function import ancestors

Atom: TypeAlias = tuple[str, tuple[str, ...]]
"""Predicate and names, such as ``("is_on_top", ("cup_0", "table_1"))``."""
Order: TypeAlias = Callable[["Requirements"], Mapping[int, frozenset[int]]]
"""Requirements -> proposition -> the propositions to be satisfied before it is started."""


@dataclass(frozen=True)
class Requirements:
    """The requirements of an evaluation function before anything is done.

    Attributes:
        evaluation: As annotated, not unrolled.
    """

    evaluation: Evaluation

    @cached_property
    def predecessors(self) -> Mapping[int, frozenset[int]]:
        """Proposition -> all propositions that come before it in the order."""
        ordered: dict[int, frozenset[int]] = {}
        for constraint in self.evaluation.constraints:
            if isinstance(constraint, TemporalConstraint):
                for index, before in (ancestors(constraint.edges) or {}).items():
                    ordered[index] = ordered.get(index, frozenset()) | before
        return ordered

    @cached_property
    def waits(self) -> Mapping[int, frozenset[int]]:
        """Proposition -> all propositions that it should wait for.

        The reasons are the order, its own dependencies on earlier propositions, and dependencies of
        other propositions that count only before it. A proposition that has to hold at the same
        time is achieved together with it, once both are due."""
        edges = {(a, b) for b, earlier in self.predecessors.items() for a in earlier}
        for gate in self.evaluation.dependencies:
            for proposition in gate.propositions:
                for head in gate.depends_on:
                    if proposition == head or gate.relation == "while_satisfied":
                        continue
                    if gate.relation == "before_satisfied":
                        edges.add((proposition, head))
                    elif gate.mode == "all" or len(gate.depends_on) == 1:
                        edges.add((head, proposition))
        closed = dict(ancestors(tuple(sorted(edges))) or self.predecessors)
        for proposition, heads in self.beside.items():
            for head in sorted(heads):
                closed[proposition] = closed.get(proposition, frozenset()) | closed.get(
                    head, frozenset()
                )
        return {proposition: before - {proposition} for proposition, before in closed.items()}

    @cached_property
    def terminal(self) -> frozenset[int]:
        """The propositions that must hold at the end."""
        return frozenset(
            index
            for constraint in self.evaluation.constraints
            if isinstance(constraint, TerminalSatisfactionConstraint)
            for index in constraint.propositions
        )

    @cached_property
    def gates(self) -> Mapping[int, tuple[Dependency, ...]]:
        """Proposition -> its dependencies."""
        gates: dict[int, tuple[Dependency, ...]] = {}
        for gate in self.evaluation.dependencies:
            for proposition in gate.propositions:
                gates[proposition] = (*gates.get(proposition, ()), gate)
        return gates

    @cached_property
    def beside(self) -> Mapping[int, frozenset[int]]:
        """Proposition -> the propositions that must hold while it holds, directly or indirectly."""
        direct: dict[int, set[int]] = {}
        for gate in self.evaluation.dependencies:
            if gate.relation == "while_satisfied":
                heads = gate.depends_on if gate.mode == "all" else gate.depends_on[:1]
                for proposition in gate.propositions:
                    direct.setdefault(proposition, set()).update(heads)
        beside = {}
        for proposition in direct:
            reached, queue = {proposition}, [proposition]
            while queue:
                fresh = direct.get(queue.pop(), set()) - reached
                reached |= fresh
                queue += sorted(fresh)
            beside[proposition] = frozenset(reached - {proposition})
        return beside

    def is_simultaneous(self, proposition: int, other: int) -> bool:
        """Return whether two propositions must hold at the same time at some step."""
        if proposition in self.terminal and other in self.terminal:
            return True
        return other in self.beside.get(proposition, ()) or proposition in self.beside.get(
            other, ()
        )

    @cached_property
    def argument_constraints(self) -> tuple[SameArgConstraint | DifferentArgConstraint, ...]:
        """The constraints on arguments."""
        return tuple(
            constraint
            for constraint in self.evaluation.constraints
            if isinstance(constraint, ArgumentConstraint)
        )


def postpone(
    requirements: Requirements,
    chosen: Mapping[int, Sequence[Atom]],
    due: Sequence[int],
    could: Callable[[int, Atom], bool],
) -> tuple[int, ...]:
    """Return the due propositions that can be chosen now. A proposition is omitted if its choice
    would satisfy another proposition that needs a different argument. The other one comes first.

    Args:
        chosen: Proposition -> its concrete atoms.
        could: Returns whether an atom could satisfy a proposition.
    """
    left = dict.fromkeys(due)
    for constraint in requirements.argument_constraints:
        if isinstance(constraint, DifferentArgConstraint):
            for early in constraint.propositions:
                for other in constraint.propositions:
                    if (
                        early != other
                        and early in left
                        and other in left
                        and any(could(other, atom) for atom in chosen.get(early, ()))
                    ):
                        del left[early]
    return tuple(left)


@dataclass(frozen=True, slots=True)
class PropositionStatus:
    """The status of the propositions, as indices.

    Attributes:
        due: Propositions to satisfy now.
        kept: Satisfied propositions that must hold at the end or while a due proposition holds.
        undone: Propositions that must become false, so that a due proposition counts.
        later: Propositions that must not become true yet.
    """

    due: tuple[int, ...]
    kept: tuple[int, ...]
    undone: tuple[int, ...]
    later: tuple[int, ...]


def proposition_status(
    requirements: Requirements,
    satisfactions: Sequence[Satisfaction],
    waits: Mapping[int, frozenset[int]],
) -> PropositionStatus:
    """Return the status of the propositions in a run.

    Args:
        waits: Proposition -> the propositions to satisfy first: :attr:`Requirements.waits`, unless
            a wrong order is intended.
    """
    count = len(requirements.evaluation.propositions)
    done = {index for index in range(count) if satisfactions[index].step is not None}
    due = [
        index
        for index in range(count)
        if index not in done and waits.get(index, frozenset()) <= done
    ]
    heads: set[int] = set()
    undone: set[int] = set()
    for index in due:
        heads |= requirements.beside.get(index, frozenset())
        for gate in requirements.gates.get(index, ()):
            if gate.relation != "after_unsatisfied":
                continue
            open_heads = [
                head
                for head in gate.depends_on
                if satisfactions[head].step is None or satisfactions[head].holds
            ]
            if gate.mode == "all" or len(open_heads) == len(gate.depends_on):
                undone |= {head for head in open_heads if satisfactions[head].holds}
    kept = [
        index for index in range(count) if index in done and index in requirements.terminal | heads
    ]
    later = [
        index
        for index in range(count)
        if index not in done
        and index not in due
        and not requirements.predecessors.get(index, frozenset()) <= done
    ]
    return PropositionStatus(
        tuple(due),
        tuple(index for index in kept if index not in undone),
        tuple(sorted(undone)),
        tuple(later),
    )


def has_breakable_order(evaluation: Evaluation) -> bool:
    """Return whether a later proposition would count before an earlier one."""
    requirements = Requirements(evaluation)
    kept = _fixed_pairs(requirements)
    return any(
        (earlier_index, index) not in kept
        for index, earlier in requirements.predecessors.items()
        for earlier_index in earlier
    )


def reverse_order(requirements: Requirements) -> Mapping[int, frozenset[int]]:
    """Return an order that is reversed, except where propositions would then not count."""
    kept = _fixed_pairs(requirements)
    edges = sorted(kept)
    for index, earlier in sorted(requirements.predecessors.items(), reverse=True):
        for earlier_index in sorted(earlier):
            turned = [*edges, (index, earlier_index)]
            # the last may have to wait for the first: then the middle comes last
            if (earlier_index, index) not in kept and ancestors(tuple(turned)) is not None:
                edges = turned
    return ancestors(tuple(edges)) or {}


def _fixed_pairs(requirements: Requirements) -> set[tuple[int, int]]:
    """Return pairs of propositions. In each pair, the second counts only at the same time as the
    first, or after it."""
    kept = set()
    for gate in requirements.evaluation.dependencies:
        for proposition in gate.propositions:
            for head in gate.depends_on:
                if proposition != head:
                    before = gate.relation == "before_satisfied"
                    kept.add((proposition, head) if before else (head, proposition))
    return kept
