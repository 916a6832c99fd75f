"""The judge: told of a run step by step, it knows at any time how far the task is.

A step costs what has changed. Atoms are asked for again only if one of their names is among those
that changed; propositions are looked at again only if one of their atoms changed, and dependencies
only then or in the step after. Nothing of earlier steps is kept but when and by what each
proposition was first satisfied, and whether it has been undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from homebody.goals.partnr.constraints import Record, compile_rules
from homebody.goals.partnr.model import (
    ArgumentConstraint,
    Evaluation,
    Proposition,
    check,
)
from homebody.goals.partnr.truth import GroundAtom, compile_test, involved, is_true, values
from homebody.goals.partnr.unroll import unroll
from homebody.goals.partnr.words import explain

Holds: TypeAlias = Callable[[str, tuple[str | float, ...]], object]
"""``holds(predicate, arguments)``: whether a ground atom is true now. Arguments are names; an
``is_next_to`` with a threshold other than 0.5 m has it as a third argument."""

MAX_KNOWN = 1_000
"""Most sets of names whose questions a judge keeps."""

_Question: TypeAlias = tuple[int, str, tuple[str | float, ...]]


@dataclass(frozen=True)
class Judgement:
    """How far a run got.

    Attributes:
        percent_complete: Share of the unrolled propositions that were satisfied and that no
            constraint keeps from counting, in [0, 1]; 0 if there are none.
        success: Whether that is all of them.
        propositions: The propositions, unrolled.
        origins: Where in the evaluation each of them is from.
        satisfied_at: The step, from 0, in which each was first satisfied, or None.
        broken: For each constraint of the unrolled evaluation, the propositions that it keeps
            from counting.
        explanation: What is missing or wrong, in English; empty on success.
    """

    percent_complete: float
    success: bool
    propositions: tuple[Proposition, ...]
    origins: tuple[int, ...]
    satisfied_at: tuple[int | None, ...]
    broken: tuple[tuple[int, ...], ...]
    explanation: str


class Judge:
    """Judges one run. Raises EvaluationError for an evaluation that means nothing.

    Args:
        evaluation: As annotated; it is unrolled here.
        quirks: Those of :data:`.evaluation_published.QUIRKS` that are kept.
    """

    def __init__(self, evaluation: Evaluation, quirks: Set[str] = frozenset()) -> None:
        self._evaluation = check(evaluation)
        self._unrolled, self._origins = unroll(evaluation, quirks)
        propositions = self._unrolled.propositions
        atoms: dict[GroundAtom, int] = {}
        self._tests = [compile_test(one, atoms, quirks) for one in propositions]
        self._atoms = list(atoms)
        self._truth = [False] * len(atoms)
        self._readers: list[list[int]] = [[] for _ in atoms]
        for index, test in enumerate(self._tests):
            for atom in dict.fromkeys(chain.from_iterable(test.rows)):
                if atom >= 0:
                    self._readers[atom].append(index)
        watching: dict[str, list[int]] = {}
        for atom, (_, arguments) in enumerate(self._atoms):
            for name in dict.fromkeys(arguments):
                if isinstance(name, str):
                    watching.setdefault(name, []).append(atom)
        self._watching = {name: tuple(listed) for name, listed in watching.items()}
        self._rules = compile_rules(self._unrolled, self._origins, quirks)
        self._tied = {
            index
            for one in self._unrolled.constraints
            if isinstance(one, ArgumentConstraint)
            for index in one.propositions
        }
        self._lag = "while_looks_a_step_back" in quirks
        self._for_good = "after_unsatisfied_for_good" in quirks
        self._gates: list[list[int]] = [[] for _ in propositions]
        for place, dependency in enumerate(self._unrolled.dependencies):
            for index in dict.fromkeys(dependency.propositions):
                if index < len(propositions):  # the published counter may point nowhere
                    self._gates[index].append(place)
        self._order = self._evaluation_order()
        self._raw = [False] * len(propositions)
        self._records = [Record() for _ in propositions]
        self._undone = [False] * len(propositions)
        self._unsettled = True
        self._steps = 0
        self._share: float | None = None
        self._known: dict[tuple[str, ...] | None, tuple[_Question, ...]] = {}

    @property
    def steps(self) -> int:
        """How many steps it was told of."""
        return self._steps

    @property
    def records(self) -> Sequence[Record]:
        """What the run has shown of each unrolled proposition."""
        return self._records

    @property
    def origins(self) -> tuple[int, ...]:
        """For each unrolled proposition, which one of the evaluation it is from."""
        return self._origins

    @property
    def names(self) -> frozenset[str]:
        """The names that it has to be told of when they change."""
        return frozenset(self._watching)

    def step(self, holds: Holds, changed: Iterable[str] | None = None) -> None:
        """The next step; the first is the state in which the run starts.

        Args:
            holds: The truth of ground atoms now.
            changed: The things whose place, shape or state is another than in the step before,
                among them what is carried along by others; None if that is not known. Names that
                the evaluation does not mention do no harm.
        """
        if not self._steps:
            self._ask(self._questions(None), holds)
            self._look(range(len(self._tests)))  # some hold, or fail, without any atom
        else:
            together = None if changed is None else tuple(changed)
            questions = self._known.get(together)
            if questions is None:
                questions = self._questions(together)
            if questions:
                touched = self._ask(questions, holds)
                if touched:
                    readers = self._readers
                    self._look(dict.fromkeys(chain.from_iterable(readers[at] for at in touched)))
        if self._unsettled:
            self._settle()
        self._steps += 1

    @property
    def percent_complete(self) -> float:
        """That of :meth:`result`, without the words: cheap enough to be asked at each step."""
        if self._share is None:
            self._share = self._counted(self._broken())
        return self._share

    def result(self) -> Judgement:
        """How far the run is, taking the last step as its end."""
        records, broken = self._records, self._broken()
        share = self._counted(broken)
        success = share == 1.0
        return Judgement(
            share,
            success,
            self._unrolled.propositions,
            self._origins,
            tuple(one.at for one in records),
            broken,
            ""
            if success
            else explain(self._evaluation, self._unrolled, self._origins, records, broken),
        )

    def _broken(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(rule(self._records)) for rule in self._rules)

    def _counted(self, broken: tuple[tuple[int, ...], ...]) -> float:
        void = set(chain.from_iterable(broken))
        met = sum(one.at is not None and i not in void for i, one in enumerate(self._records))
        return met / len(self._records) if self._records else 0.0

    def _questions(self, changed: tuple[str, ...] | None) -> tuple[_Question, ...]:
        """The atoms to ask for again, each once. What moves together goes on doing so for a
        while, so the answers are kept."""
        if changed is None:
            wanted: Iterable[int] = range(len(self._atoms))
        else:
            watching = [self._watching.get(name, ()) for name in changed]
            wanted = dict.fromkeys(chain.from_iterable(watching))
        if len(self._known) >= MAX_KNOWN:
            self._known.clear()
        found = self._known[changed] = tuple((atom, *self._atoms[atom]) for atom in wanted)
        return found

    def _ask(self, questions: Iterable[_Question], holds: Holds) -> list[int]:
        """Ask for atoms: those that are not what they were."""
        truth = self._truth
        touched = []
        for atom, predicate, arguments in questions:
            now = holds(predicate, arguments)
            if now is not truth[atom] and bool(now) is not truth[atom]:
                truth[atom] = not truth[atom]
                touched.append(atom)
        return touched

    def _look(self, propositions: Iterable[int]) -> None:
        raw, truth, tests = self._raw, self._truth, self._tests
        for index in propositions:
            now = is_true(tests[index], truth)
            if now != raw[index]:
                raw[index] = now
                self._unsettled = True

    def _settle(self) -> None:
        """Which propositions hold now: those that are true and that count."""
        records, undone = self._records, self._undone
        before = [one.holds for one in records]
        now: list[bool] = before.copy()
        gates = self._unrolled.dependencies
        met: dict[int, bool] = {}
        for index in self._order:
            holds = self._raw[index]
            for place in self._gates[index] if holds else ():
                if place not in met:
                    met[place] = self._is_met(
                        gates[place].relation,
                        gates[place].mode,
                        gates[place].depends_on,
                        before,
                        now,
                    )
                holds = holds and met[place]
            now[index] = holds
        moved = now != before
        for index, holds in enumerate(now):
            one = records[index]
            one.holds = holds
            if not holds:
                undone[index] = undone[index] or before[index]
            elif one.at is None:
                one.at = self._steps
                one.names = involved(self._tests[index], self._truth)
                if index in self._tied:
                    one.used = values(self._tests[index], self._truth)
                    one.shared = values(self._tests[index], self._truth, alone=True)
        self._share = None
        # what holds, or has held, may let others count in the step after
        self._unsettled = moved and bool(gates)

    def _is_met(
        self, relation: str, mode: str, heads: Iterable[int], before: list[bool], now: list[bool]
    ) -> bool:
        records = self._records
        combine = all if mode == "all" else any
        if relation == "while_satisfied":
            return combine((before if self._lag else now)[one] for one in heads)
        if relation == "after_satisfied":
            return combine(records[one].at is not None for one in heads)
        if relation == "before_satisfied":
            return combine(records[one].at is None for one in heads)
        if self._for_good:
            return combine(self._undone[one] for one in heads)
        return combine(records[one].at is not None and not now[one] for one in heads)

    def _evaluation_order(self) -> list[int]:
        """The propositions, those first on whose truth in the same step others depend. Of a
        circle each is read as it was in the step before."""
        heads: list[set[int]] = [set() for _ in self._gates]
        for index, places in enumerate(self._gates):
            for one in (self._unrolled.dependencies[place] for place in places):
                present = {
                    "while_satisfied": not self._lag,
                    "after_unsatisfied": not self._for_good,
                }
                if present.get(one.relation):
                    heads[index].update(one.depends_on)
        order: list[int] = []
        left = list(range(len(heads)))
        done: set[int] = set()
        while left:
            ready = [index for index in left if heads[index] <= done] or left[:1]
            order += ready
            done.update(ready)
            left = [index for index in left if index not in done]
        return order
