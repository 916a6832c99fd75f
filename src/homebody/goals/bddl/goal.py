"""BDDL goals as tasks have them: judged in the final state, with what the nearest option lacks."""

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
from homebody.goals.bddl.grounding import Tree, ground, joined
from homebody.goals.bddl.incompatible import reasons_text
from homebody.goals.bddl.phrases import kind_of, phrase
from homebody.goals.bddl.problem import Problem
from homebody.goals.bddl.truth import Universe, evaluate, universe

MAX_LISTED = 8
"""Most missing facts that an explanation lists."""
_ADVICE_BRANCHES = 1_000
"""Bound on the search for an option that can be fulfilled."""
_MOST_REMEMBERED = 1000


@dataclass(frozen=True, slots=True)
class Advice:
    """What there is to do about a goal that is not reached.

    Attributes:
        impossible: Why nothing can fulfil a condition, for each that is unmet; empty if it can be.
        lacking: What the nearest option still lacks of the conditions that can be fulfilled.
        together: Why these cannot hold together, or an empty string.
    """

    impossible: tuple[str, ...]
    lacking: tuple[Literal, ...] = ()
    together: str = ""

    def marked(self, unmet: Sequence[str]) -> str:
        """The unmet conditions in words, each with why nothing can fulfil it where that is so."""
        return "; ".join(
            f"{text} (nothing can make this so{why})" if why else text
            for text, why in zip(unmet, self.impossible, strict=True)
        )


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
        unmet = [part.text for part in parts if not part.satisfied]
        text = _explanation(unmet, len(met), self.advice(final))
        return Verdict(False, self.best(final).share, parts, text)

    def advice(self, structure: Structure) -> Advice:
        """What a state lacks that can be had; raises TooLargeError."""

        def holds(atom: Atom) -> bool:
            return structure.holds(atom.predicate, atom.args)

        met = list(self._met(structure))
        impossible = [
            "" if ok else _impossible(tree, holds)
            for tree, ok in zip(self._trees, met, strict=True)
        ]
        tree = self.tree
        if any(impossible):
            either = zip(self._trees, impossible, strict=True)
            tree = joined(True, [possible for possible, why in either if not why])
        best = _best_possible(tree, holds)
        why = tuple(why for why, ok in zip(impossible, met, strict=True) if not ok)
        if best.option is None:
            return Advice(why, (), reasons_text(best.barred) if best.exact else "")
        unmet = (literal for literal in best.option if not evaluate_formula(literal, structure))
        return Advice(why, tuple(dict.fromkeys(unmet)))

    @cached_property
    def _trees(self) -> tuple[Tree, ...]:
        """The options of each condition."""
        return tuple(ground(condition, self.over) for condition in self.conditions)

    def _met(self, final: Structure) -> Iterator[bool]:
        return (evaluate(condition, final, self.over, paired=True) for condition in self.conditions)


def _best_possible(tree: Tree, holds: Callable[[Atom], bool]) -> Best:
    return best_option(tree, holds, branches=_ADVICE_BRANCHES, possible=True)


def _impossible(tree: Tree, holds: Callable[[Atom], bool]) -> str:
    """Why nothing can fulfil a condition; empty if it can be, or it takes too long to tell."""
    best = _best_possible(tree, holds)
    return "" if best.option is not None or not best.exact else reasons_text(best.barred)


def _explanation(unmet: Sequence[str], total: int, advice: Advice) -> str:
    """Which conditions are unmet, which of them nothing can fulfil, and what is lacking."""
    head = "The condition" if total == 1 else f"{len(unmet)} of {total} conditions"
    are = "is" if len(unmet) == 1 else "are"
    sentences = [f"{head} {are} unmet. Wanted: {advice.marked(unmet)}."]
    if advice.together:
        sentences.append(f"The conditions cannot hold all together{advice.together}.")
    lacking = [phrase(literal) for literal in advice.lacking]
    if set(lacking) - set(unmet):
        most = count_listed(len(lacking), MAX_LISTED)
        more = [f"and {len(lacking) - most} more"] if len(lacking) > most else []
        way = "the rest" if any(advice.impossible) else "the goal"
        sentences.append(f"The nearest way to {way} lacks: {'; '.join(lacking[:most] + more)}.")
    return " ".join(sentences)
