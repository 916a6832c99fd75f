"""The judge: it follows a run step by step, and returns the progress at any time.

The cost of a step depends on what has changed. An atom is queried again only if one of its names
changed. A proposition is evaluated again only if one of its atoms changed, and a dependency only in
such a step or the next one. For each proposition, the judge stores the step at which it was first
satisfied, the names that satisfied it, and whether it was undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from homebody.goals.partnr.constraints import Satisfaction, compile_rules
from homebody.goals.partnr.evaluation_function import (
    ArgumentConstraint,
    Evaluation,
    Proposition,
    check,
)
from homebody.goals.partnr.explanation import explain
from homebody.goals.partnr.published import LAST_SATISFACTION
from homebody.goals.partnr.truth import (
    GroundAtom,
    compile_proposition,
    is_true,
    satisfiers,
    values,
)
from homebody.goals.partnr.unroll import unroll

Holds: TypeAlias = Callable[[str, tuple[str | float, ...]], object]
"""``holds(predicate, arguments)`` returns whether a ground atom is true now.

Arguments are names; an ``is_next_to`` with a threshold other than 0.5 m has it as a third argument.
"""

MAX_CACHED_QUERIES = 1_000
"""Maximum number of sets of names whose queries a judge caches."""

_Query: TypeAlias = tuple[int, str, tuple[str | float, ...]]


@dataclass(frozen=True)
class Judgement:
    """The result of a run.

    Attributes:
        percent_complete: Share of the unrolled propositions that were satisfied and that no
            constraint excludes, in [0, 1]; 0 if there are no propositions.
        success: True if ``percent_complete`` is 1.
        propositions: The unrolled propositions.
        origins: For each of them, the index of its original in the evaluation.
        satisfied_at: The step, from 0, in which each was first satisfied, or None.
        broken: For each constraint of the unrolled evaluation, the propositions that it excludes.
        explanation: The problems, in English; empty on success.
    """

    percent_complete: float
    success: bool
    propositions: tuple[Proposition, ...]
    origins: tuple[int, ...]
    satisfied_at: tuple[int | None, ...]
    broken: tuple[tuple[int, ...], ...]
    explanation: str


class Judge:
    """Judges one run. Raises EvaluationError if the evaluation is invalid.

    Args:
        evaluation: The evaluation function, as annotated; it is unrolled here.
        quirks: Names in :data:`.published.QUIRKS` that are kept, and chosen rules in
            :data:`.published.OPEN_RULES`.
    """

    def __init__(self, evaluation: Evaluation, quirks: Set[str] = frozenset()) -> None:
        self._evaluation = check(evaluation)
        self._unrolled, self._origins = unroll(evaluation, quirks)
        propositions = self._unrolled.propositions
        atoms: dict[GroundAtom, int] = {}
        self._compiled = [compile_proposition(part, atoms, quirks) for part in propositions]
        self._atoms = list(atoms)
        self._truth = [False] * len(atoms)
        self._readers: list[list[int]] = [[] for _ in atoms]
        for index, compiled in enumerate(self._compiled):
            for atom in dict.fromkeys(chain.from_iterable(compiled.rows)):
                if atom >= 0:
                    self._readers[atom].append(index)
        watching: dict[str, list[int]] = {}
        for atom, (_, arguments) in enumerate(self._atoms):
            for name in dict.fromkeys(arguments):
                if isinstance(name, str):
                    watching.setdefault(name, []).append(atom)
        self._watching = {name: tuple(atom_numbers) for name, atom_numbers in watching.items()}
        self._rules = compile_rules(self._unrolled, self._origins, quirks)
        self._with_arguments = {
            index
            for part in self._unrolled.constraints
            if isinstance(part, ArgumentConstraint)
            for index in part.propositions
        }
        self._while_looks_back = "while_looks_a_step_back" in quirks
        self._stays_met = "after_unsatisfied_for_good" in quirks
        self._takes_last = LAST_SATISFACTION in quirks
        self._dependencies_of: list[list[int]] = [[] for _ in propositions]
        for number, dependency in enumerate(self._unrolled.dependencies):
            for index in dict.fromkeys(dependency.propositions):
                if index < len(propositions):  # the published counter may point nowhere
                    self._dependencies_of[index].append(number)
        self._dependency_order = self._evaluation_order()
        self._true = [False] * len(propositions)
        self._satisfactions = [Satisfaction() for _ in propositions]
        self._undone = [False] * len(propositions)
        self._unsettled = True
        self._steps = 0
        self._percent_complete: float | None = None
        self._cached_queries: dict[tuple[str, ...] | None, tuple[_Query, ...]] = {}

    @property
    def steps(self) -> int:
        """Number of steps received."""
        return self._steps

    @property
    def satisfactions(self) -> Sequence[Satisfaction]:
        """The satisfaction of each unrolled proposition so far."""
        return self._satisfactions

    @property
    def origins(self) -> tuple[int, ...]:
        """For each unrolled proposition, the index of its original in the evaluation."""
        return self._origins

    @property
    def unrolled(self) -> Evaluation:
        """The unrolled evaluation function."""
        return self._unrolled

    @property
    def true(self) -> Sequence[bool]:
        """The truth of each unrolled proposition now, whether it counts or not."""
        return self._true

    @property
    def names(self) -> frozenset[str]:
        """The names whose changes must be reported."""
        return frozenset(self._watching)

    def step(self, holds: Holds, changed: Iterable[str] | None = None) -> None:
        """Add the next step; the first is the initial state.

        Args:
            holds: The truth of ground atoms now.
            changed: The objects whose place, shape or state changed since the step before,
                including carried objects; None if unknown. Names that the evaluation does not
                mention are ignored.
        """
        if not self._steps:
            self._query_atoms(self._queries_for(None), holds)
            self._update_truth(range(len(self._compiled)))  # some have no atoms
        else:
            changed_names = None if changed is None else tuple(changed)
            queries = self._cached_queries.get(changed_names)
            if queries is None:
                queries = self._queries_for(changed_names)
            if queries:
                touched = self._query_atoms(queries, holds)
                if touched:
                    readers = self._readers
                    self._update_truth(
                        dict.fromkeys(chain.from_iterable(readers[at] for at in touched))
                    )
        if self._unsettled:
            self._update_satisfied()
        self._steps += 1

    @property
    def percent_complete(self) -> float:
        """The value of :meth:`result` without the explanation; cheap enough for each step."""
        if self._percent_complete is None:
            self._percent_complete = self._compute_share(self._find_broken())
        return self._percent_complete

    def result(self) -> Judgement:
        """Return the judgement, taking the last step as the end of the run."""
        satisfactions, broken = self._satisfactions, self._find_broken()
        percent_complete = self._compute_share(broken)
        success = percent_complete == 1.0
        return Judgement(
            percent_complete,
            success,
            self._unrolled.propositions,
            self._origins,
            tuple(satisfaction.step for satisfaction in satisfactions),
            broken,
            ""
            if success
            else explain(self._evaluation, self._unrolled, self._origins, satisfactions, broken),
        )

    def _find_broken(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(rule(self._satisfactions)) for rule in self._rules)

    def _compute_share(self, broken: tuple[tuple[int, ...], ...]) -> float:
        not_counting = set(chain.from_iterable(broken))
        met = sum(
            satisfaction.step is not None and index not in not_counting
            for index, satisfaction in enumerate(self._satisfactions)
        )
        return met / len(self._satisfactions) if self._satisfactions else 0.0

    def _queries_for(self, changed: tuple[str, ...] | None) -> tuple[_Query, ...]:
        """Return the atoms to query again; cached, because objects move together for a while."""
        if changed is None:
            atoms: Iterable[int] = range(len(self._atoms))
        else:
            watching = [self._watching.get(name, ()) for name in changed]
            atoms = dict.fromkeys(chain.from_iterable(watching))
        if len(self._cached_queries) >= MAX_CACHED_QUERIES:
            self._cached_queries.clear()
        queries = self._cached_queries[changed] = tuple(
            (atom, *self._atoms[atom]) for atom in atoms
        )
        return queries

    def _query_atoms(self, queries: Iterable[_Query], holds: Holds) -> list[int]:
        """Query atoms and return those that changed."""
        truth = self._truth
        touched = []
        for atom, predicate, arguments in queries:
            now = holds(predicate, arguments)
            if now is not truth[atom] and bool(now) is not truth[atom]:
                truth[atom] = not truth[atom]
                touched.append(atom)
        return touched

    def _update_truth(self, propositions: Iterable[int]) -> None:
        is_now, truth, compiled = self._true, self._truth, self._compiled
        for index in propositions:
            now = is_true(compiled[index], truth)
            if now != is_now[index]:
                is_now[index] = now
                self._unsettled = True
            elif now and self._takes_last and index in self._with_arguments:
                self._unsettled = True  # other names may satisfy it now

    def _update_satisfied(self) -> None:
        """Update the propositions that hold now: they are true and count."""
        satisfactions, undone = self._satisfactions, self._undone
        before = [satisfaction.holds for satisfaction in satisfactions]
        now: list[bool] = before.copy()
        dependencies = self._unrolled.dependencies
        met: dict[int, bool] = {}
        for index in self._dependency_order:
            holds = self._true[index]
            for number in self._dependencies_of[index] if holds else ():
                if number not in met:
                    met[number] = self._is_met(
                        dependencies[number].relation,
                        dependencies[number].mode,
                        dependencies[number].depends_on,
                        before,
                        now,
                    )
                holds = holds and met[number]
            now[index] = holds
        moved = now != before
        for index, holds in enumerate(now):
            satisfaction = satisfactions[index]
            satisfaction.holds = holds
            if not holds:
                undone[index] = undone[index] or before[index]
            elif satisfaction.step is None or self._takes_last:
                if satisfaction.step is None:
                    satisfaction.step = self._steps
                satisfaction.things = satisfiers(self._compiled[index], self._truth)
                if index in self._with_arguments:
                    satisfaction.arguments = values(self._compiled[index], self._truth)
                    satisfaction.sufficient = values(self._compiled[index], self._truth, alone=True)
        self._percent_complete = None
        # what holds, or has held, may make others count in the next step
        self._unsettled = moved and bool(dependencies)

    def _is_met(
        self, relation: str, mode: str, heads: Iterable[int], before: list[bool], now: list[bool]
    ) -> bool:
        satisfactions = self._satisfactions
        combine = all if mode == "all" else any
        if relation == "while_satisfied":
            return combine((before if self._while_looks_back else now)[head] for head in heads)
        if relation == "after_satisfied":
            return combine(satisfactions[head].step is not None for head in heads)
        if relation == "before_satisfied":
            return combine(satisfactions[head].step is None for head in heads)
        if self._stays_met:
            return combine(self._undone[head] for head in heads)
        return combine(satisfactions[head].step is not None and not now[head] for head in heads)

    def _evaluation_order(self) -> list[int]:
        """Return the propositions in an order in which each comes after its dependencies of the
        same step."""
        heads: list[set[int]] = [set() for _ in self._dependencies_of]
        for index, numbers in enumerate(self._dependencies_of):
            for dependency in (self._unrolled.dependencies[number] for number in numbers):
                present = {
                    "while_satisfied": not self._while_looks_back,
                    "after_unsatisfied": not self._stays_met,
                }
                if present.get(dependency.relation):
                    heads[index].update(dependency.depends_on)
        order: list[int] = []
        left = list(range(len(heads)))
        done: set[int] = set()
        while left:
            ready = [index for index in left if heads[index] <= done] or left[:1]
            order += ready
            done.update(ready)
            left = [index for index in left if index not in done]
        return order
