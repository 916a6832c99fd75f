"""What an evaluation function asks for at a step of a run, for an agent who may read it.

Worked out once for each run: what has to come before what, what must hold at the same time, what
must hold at the end. Asked again whenever something was done: which propositions are due now and
which must not come true yet.

A proposition is *due* if it was not satisfied so far and all that has to come before it was: its
predecessors in the order (PARTNR paper, A.4.4), and what its dependencies (A.4.3) wait for.
"""

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
"""Predicate and names: what shall hold, such as ``("is_on_top", ("cup_0", "table_1"))``."""
Order: TypeAlias = Callable[["Requirements"], Mapping[int, frozenset[int]]]
"""Requirements -> proposition -> those to be satisfied before it is begun."""


@dataclass(frozen=True)
class Requirements:
    """What can be known of an evaluation function before anything is done.

    Attributes:
        evaluation: As annotated, not unrolled.
    """

    evaluation: Evaluation

    @cached_property
    def ordered(self) -> Mapping[int, frozenset[int]]:
        """Proposition -> all that orders put before it."""
        ordered: dict[int, frozenset[int]] = {}
        for constraint in self.evaluation.constraints:
            if isinstance(constraint, TemporalConstraint):
                for index, before in (ancestors(constraint.edges) or {}).items():
                    ordered[index] = ordered.get(index, frozenset()) | before
        return ordered

    @cached_property
    def waits(self) -> Mapping[int, frozenset[int]]:
        """Proposition -> all that it should wait for: by an order, because it counts only after
        something, or because something counts only before that. What has to hold meanwhile is
        brought about together with it, once that is due, too."""
        edges = {(a, b) for b, earlier in self.ordered.items() for a in earlier}
        for gate in self.evaluation.dependencies:
            for proposition in gate.propositions:
                for head in gate.depends_on:
                    if proposition == head or gate.relation == "while_satisfied":
                        continue
                    if gate.relation == "before_satisfied":
                        edges.add((proposition, head))
                    elif gate.mode == "all" or len(gate.depends_on) == 1:
                        edges.add((head, proposition))
        closed = dict(ancestors(tuple(sorted(edges))) or self.ordered)
        for proposition, heads in self.beside.items():
            for head in sorted(heads):
                closed[proposition] = closed.get(proposition, frozenset()) | closed.get(
                    head, frozenset()
                )
        return {proposition: before - {proposition} for proposition, before in closed.items()}

    @cached_property
    def terminal(self) -> frozenset[int]:
        """What must hold at the end."""
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
        """Proposition -> those that must hold while it does, directly or not."""
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
        """Whether two propositions must hold at the same time at some step."""
        if proposition in self.terminal and other in self.terminal:
            return True
        return other in self.beside.get(proposition, ()) or proposition in self.beside.get(
            other, ()
        )

    @cached_property
    def argument_constraints(self) -> tuple[SameArgConstraint | DifferentArgConstraint, ...]:
        """Constraints on arguments."""
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
    """What is due, less what would satisfy something else that needs a different thing: that
    comes first.

    Args:
        chosen: Proposition -> what shall satisfy it.
        could: Whether a proposition could be satisfied by an atom.
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
    """What there is to do now, as indices of propositions.

    Attributes:
        due: To be satisfied now.
        kept: Satisfied, and must hold at the end or while something that is due does.
        undone: Must cease to hold, so that something that is due counts.
        later: Must not come true yet.
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
    """What there is to do after a run has shown ``satisfactions``.

    Args:
        waits: Proposition -> those to be satisfied first; :attr:`Requirements.waits`, unless
            somebody wants to do things in the wrong order.
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
        and not requirements.ordered.get(index, frozenset()) <= done
    ]
    return PropositionStatus(
        tuple(due),
        tuple(index for index in kept if index not in undone),
        tuple(sorted(undone)),
        tuple(later),
    )


def has_breakable_order(evaluation: Evaluation) -> bool:
    """Whether an order could be broken: something is to come after something else, and would
    count before it, too."""
    requirements = Requirements(evaluation)
    kept = _fixed_pairs(requirements)
    return any(
        (earlier_index, index) not in kept
        for index, earlier in requirements.ordered.items()
        for earlier_index in earlier
    )


def reverse_order(requirements: Requirements) -> Mapping[int, frozenset[int]]:
    """An order that breaks the right one wherever that can be: what is last comes first, unless it
    would not count then."""
    kept = _fixed_pairs(requirements)
    edges = sorted(kept)
    for index, earlier in sorted(requirements.ordered.items(), reverse=True):
        for earlier_index in sorted(earlier):
            turned = [*edges, (index, earlier_index)]
            # what is last may have to wait for what is first: then what is between comes last
            if (earlier_index, index) not in kept and ancestors(tuple(turned)) is not None:
                edges = turned
    return ancestors(tuple(edges)) or {}


def _fixed_pairs(requirements: Requirements) -> set[tuple[int, int]]:
    """Pairs of propositions of which the second counts only with or after the first."""
    kept = set()
    for gate in requirements.evaluation.dependencies:
        for proposition in gate.propositions:
            for head in gate.depends_on:
                if proposition != head:
                    before = gate.relation == "before_satisfied"
                    kept.add((proposition, head) if before else (head, proposition))
    return kept
