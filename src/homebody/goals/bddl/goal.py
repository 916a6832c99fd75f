"""BDDL goals as tasks have them: judged in the final state, with what the nearest option lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from homebody.core.formula import And, Atom, Formula, Literal, Structure, atom_of
from homebody.core.goal import Part, Verdict
from homebody.core.state import State
from homebody.core.truth import evaluate as evaluate_formula
from homebody.core.world import Trace
from homebody.goals.bddl.best_option import Best, best_option
from homebody.goals.bddl.counting import contradictions, literals
from homebody.goals.bddl.grounding import Tree, ground
from homebody.goals.bddl.problem import Problem
from homebody.goals.bddl.truth import Universe, evaluate, universe
from homebody.goals.bddl.words import kind_of, phrase

MAX_LISTED = 8
"""Most missing facts that an explanation lists."""
_MOST_REMEMBERED = 1000


@dataclass(frozen=True)
class BDDLGoal:
    """A problem's goal, judged in the final state.

    ``success``: all conditions are true, pairs one to one. ``progress``: 1 on success, else the
    share of the best option that holds, which is then less than 1. ``parts``: one for each
    condition.

    Attributes:
        conditions: What is wanted, all of it.
        over: The objects that quantifiers range over.
        view: How to look at a state, usually ``World.view``.
    """

    conditions: tuple[Formula, ...]
    over: Universe
    view: Callable[[State], Structure] = field(default=lambda state: state, compare=False)

    @classmethod
    def of(cls, problem: Problem, view: Callable[[State], Structure]) -> BDDLGoal:
        """The goal of a problem, over its objects."""
        return cls(problem.conditions, universe(problem), view)

    @cached_property
    def tree(self) -> Tree:
        """The goal's options. Raises TooLargeError."""
        return ground(And(self.conditions), self.over)

    @cached_property
    def _clashing(self) -> bool:
        return bool(contradictions(self.tree))

    @cached_property
    def _atoms(self) -> tuple[Atom, ...]:
        return tuple(dict.fromkeys(map(atom_of, literals(self.tree))))

    @cached_property
    def _progress(self) -> dict[tuple[bool, ...], float]:
        return {}

    @cached_property
    def _words(self) -> tuple[tuple[str, str], ...]:
        """What each condition asks for, and its kind."""
        return tuple((phrase(condition), kind_of(condition)) for condition in self.conditions)

    def best(self, structure: Structure) -> Best:
        """The option of which most is met. Raises TooLargeError."""
        return best_option(
            self.tree, lambda a: structure.holds(a.predicate, a.args), clashing=self._clashing
        )

    def progress(self, trace: Trace) -> float:
        """How far the final state is, as :meth:`judge` has it; raises TooLargeError.

        It is remembered by which facts of the goal hold, as few steps change any.
        """
        final = self.view(trace.final)
        truths = tuple([final.holds(a.predicate, a.args) for a in self._atoms])
        progress = self._progress.get(truths)
        if progress is None:
            if len(self._progress) >= _MOST_REMEMBERED:
                self._progress.clear()
            progress = 1.0 if all(self._met(final)) else self.best(final).share
            self._progress[truths] = progress
        return progress

    def judge(self, trace: Trace) -> Verdict:
        """Judge the final state; raises TooLargeError."""
        final = self.view(trace.final)
        met = list(self._met(final))
        words = zip(self._words, met, strict=True)
        parts = tuple(Part(text, kind, ok) for (text, kind), ok in words)
        if all(met):
            return Verdict(True, 1.0, parts, "All conditions of the goal hold.")
        best = self.best(final)
        unmet = [part.text for part in parts if not part.satisfied]
        verb = "does" if len(unmet) == 1 else "do"
        text = f"{len(unmet)} of {len(met)} conditions {verb} not hold: {'; '.join(unmet)}."
        return Verdict(False, best.share, parts, f"{text} {_missing(best, final)}".strip())

    def _met(self, final: Structure) -> Iterator[bool]:
        return (evaluate(condition, final, self.over, paired=True) for condition in self.conditions)


def _missing(best: Best, final: Structure) -> str:
    """What the best option still lacks."""
    if best.option is None:
        return "Nothing can fulfil this goal."
    lacking = [text for literal in best.option if (text := _unmet(literal, final))]
    listed = list(dict.fromkeys(lacking))
    more = [f"and {len(listed) - MAX_LISTED} more"] if len(listed) > MAX_LISTED else []
    return f"The nearest way to the goal lacks: {'; '.join(listed[:MAX_LISTED] + more)}."


def _unmet(literal: Literal, final: Structure) -> str:
    """The literal in words if it does not hold, else nothing."""
    return "" if evaluate_formula(literal, final) else phrase(literal)
