"""BDDL goals of tasks. They are judged in the final state; the verdict names the missing literals
of the best option."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from homebody.core.formula import And, Atom, Formula, Literal, Structure, atom_of
from homebody.core.goal import Part, Verdict
from homebody.core.ground.escaping import count_listed
from homebody.core.state import State
from homebody.core.truth import evaluate as evaluate_formula
from homebody.core.world import Trace
from homebody.goals.bddl.best_option import Best, best_option
from homebody.goals.bddl.counting import contradictions, literals
from homebody.goals.bddl.grounding import Tree, ground, join
from homebody.goals.bddl.incompatible import reasons_text
from homebody.goals.bddl.phrases import kind_of, phrase
from homebody.goals.bddl.problem import Problem
from homebody.goals.bddl.truth import Universe, evaluate, universe

MAX_LISTED = 8
"""Maximum number of missing facts that an explanation lists."""
_ADVICE_BRANCHES = 1_000
"""Limit of the search for an option that can be fulfilled."""
_MOST_REMEMBERED = 1000


@dataclass(frozen=True, slots=True)
class Advice:
    """The remaining work for a goal that is not reached.

    Attributes:
        impossible: For each unmet condition, the reason why it cannot be fulfilled; empty if it
            can.
        lacking: The unmet literals of the best option of those conditions that can be fulfilled.
        together: The reason why these conditions cannot hold together, or an empty string.
    """

    impossible: tuple[str, ...]
    lacking: tuple[Literal, ...] = ()
    together: str = ""

    def mark(self, unmet: Sequence[str]) -> str:
        """Join the unmet conditions in words. A condition that cannot be fulfilled is followed by
        the reason."""
        return "; ".join(
            f"{text} (nothing can make this so{why})" if why else text
            for text, why in zip(unmet, self.impossible, strict=True)
        )


@dataclass(frozen=True)
class BDDLGoal:
    """A problem's goal, judged in the final state.

    ``success``: all conditions are true, pairs one to one. ``progress``: 1 on success, else the
    share of the best option that holds, which is less than 1. ``parts``: one for each condition.

    Attributes:
        conditions: The conditions, all of which must hold.
        over: The objects that quantifiers range over.
        view: Maps a state to a structure, usually ``World.view``.
    """

    conditions: tuple[Formula, ...]
    over: Universe
    view: Callable[[State], Structure] = field(default=lambda state: state, compare=False)

    @classmethod
    def of(cls, problem: Problem, view: Callable[[State], Structure]) -> BDDLGoal:
        """Return the goal of a problem, over its objects."""
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
        """The phrase and the kind of each condition."""
        return tuple((phrase(condition), kind_of(condition)) for condition in self.conditions)

    def best(self, structure: Structure) -> Best:
        """Return the option with the largest share that holds. Raises TooLargeError."""
        return best_option(
            self.tree, lambda a: structure.holds(a.predicate, a.args), clashing=self._clashing
        )

    def progress(self, trace: Trace) -> float:
        """Return the progress of the final state, as :meth:`judge` does; raises TooLargeError.

        It is cached by the truth values of the facts in the goal, because few steps change any of
        them.
        """
        final = self.view(trace.final)
        truths = tuple([final.holds(a.predicate, a.args) for a in self._atoms])
        progress = self._progress.get(truths)
        if progress is None:
            if len(self._progress) >= _MOST_REMEMBERED:
                self._progress.clear()
            progress = 1.0 if all(self._evaluate_conditions(final)) else self.best(final).share
            self._progress[truths] = progress
        return progress

    def judge(self, trace: Trace) -> Verdict:
        """Judge the final state; raises TooLargeError."""
        final = self.view(trace.final)
        met = list(self._evaluate_conditions(final))
        words = zip(self._words, met, strict=True)
        parts = tuple(Part(text, kind, ok) for (text, kind), ok in words)
        if all(met):
            return Verdict(True, 1.0, parts, "All conditions of the goal hold.")
        unmet = [part.text for part in parts if not part.satisfied]
        text = _explain(unmet, len(met), self.advice(final))
        return Verdict(False, self.best(final).share, parts, text)

    def nearest(self, trace: Trace) -> tuple[Literal, ...]:
        """Return the literals of the best option that can be fulfilled in the final state; empty
        without any. Raises TooLargeError."""
        _, best = self._find_possible(self.view(trace.final))
        return best.option or ()

    def advice(self, structure: Structure) -> Advice:
        """Return the missing literals that can be achieved; raises TooLargeError."""
        why, best = self._find_possible(structure)
        if best.option is None:
            return Advice(why, (), reasons_text(best.excluded) if best.exact else "")
        unmet = (literal for literal in best.option if not evaluate_formula(literal, structure))
        return Advice(why, tuple(dict.fromkeys(unmet)))

    def _find_possible(self, structure: Structure) -> tuple[tuple[str, ...], Best]:
        """Return, for each unmet condition, the reason why it cannot be fulfilled, and the best
        option of those that can be."""

        def holds(atom: Atom) -> bool:
            return structure.holds(atom.predicate, atom.args)

        met = list(self._evaluate_conditions(structure))
        impossible = [
            "" if ok else _explain_impossible(tree, holds)
            for tree, ok in zip(self._trees, met, strict=True)
        ]
        tree = self.tree
        if any(impossible):
            either = zip(self._trees, impossible, strict=True)
            tree = join(True, [possible for possible, why in either if not why])
        why = tuple(why for why, ok in zip(impossible, met, strict=True) if not ok)
        return why, _find_best_possible(tree, holds)

    @cached_property
    def _trees(self) -> tuple[Tree, ...]:
        """The options of each condition."""
        return tuple(ground(condition, self.over) for condition in self.conditions)

    def _evaluate_conditions(self, final: Structure) -> Iterator[bool]:
        return (evaluate(condition, final, self.over, paired=True) for condition in self.conditions)


def _find_best_possible(tree: Tree, holds: Callable[[Atom], bool]) -> Best:
    return best_option(tree, holds, branches=_ADVICE_BRANCHES, possible=True)


def _explain_impossible(tree: Tree, holds: Callable[[Atom], bool]) -> str:
    """Return the reason why a condition cannot be fulfilled. The result is empty if it can, or if
    the search takes too long."""
    best = _find_best_possible(tree, holds)
    return "" if best.option is not None or not best.exact else reasons_text(best.excluded)


def _explain(unmet: Sequence[str], total: int, advice: Advice) -> str:
    """Describe the unmet conditions, the impossible conditions and the missing literals."""
    head = "The condition" if total == 1 else f"{len(unmet)} of {total} conditions"
    are = "is" if len(unmet) == 1 else "are"
    sentences = [f"{head} {are} unmet. Wanted: {advice.mark(unmet)}."]
    if advice.together:
        sentences.append(f"The conditions cannot hold all together{advice.together}.")
    lacking = [phrase(literal) for literal in advice.lacking]
    if set(lacking) - set(unmet):
        most = count_listed(len(lacking), MAX_LISTED)
        more = [f"and {len(lacking) - most} more"] if len(lacking) > most else []
        way = "the rest" if any(advice.impossible) else "the goal"
        sentences.append(f"The nearest way to {way} lacks: {'; '.join(lacking[:most] + more)}.")
    return " ".join(sentences)
