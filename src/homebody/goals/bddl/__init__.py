"""BDDL, the language of BEHAVIOR's activities: problems, goals, and how far a goal is met.

A problem is read with :func:`parse_problem`. Its goal is evaluated with :func:`evaluate`, and
judged as a task's goal with :class:`BDDLGoal`::

    (forall (?plate.n.04 - plate.n.04) (exists (?cabinet.n.01 - cabinet.n.01)
        (inside ?plate.n.04 ?cabinet.n.01)))

Names start with ``?`` in goals, objects too: ``?sink.n.01_1`` is an object unless a quantifier
binds it.

Truth, as ``bddl`` 1.0.1 evaluates it:

- ``forall``, ``exists``: over the objects of a category, in the order of the problem. Objects have
  the category they are declared with, and no wider one; see :func:`universe`.
- ``forn (n)``: *exactly* n objects. With fewer than n objects it is false; ``forn (0)`` asks for
  none.
- ``forpairs``: let n be the smaller number of objects. At least n objects of the first category
  have *some* partner, and at least n of the second. That is no pairing: several objects may share
  a partner. No object is its own partner, so that n is one less where both categories are the
  same. Without objects on one side it is true.
- ``fornpairs (n)``: the same with the n given. It is false with fewer than n objects on a side.

Options are stricter than that. An option of ``forpairs`` is a pairing, one to one; there are
states in which ``bddl`` takes the goal for reached without one, such as
[[1, 1, 1], [1, 0, 0], [1, 0, 0]]. Goals are judged by options, as the EAI paper has them (section
2.5): ``paired`` of :func:`evaluate`. Then a goal is reached if and only if one of its options is
fulfilled, if "exactly n" options also say that the others fail (``exact`` of :func:`ground`). The
published options do not, and stop after a few: :mod:`.bddl_published`.

The files: :mod:`.bddl_syntax` reads and prints, :mod:`.bddl_ground` has truth and ground trees,
:mod:`.bddl_options` lists, counts and finds options, :mod:`.bddl_assignment` pairs,
:mod:`.bddl_ltl` translates to LTL, :mod:`.bddl_words` to English.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from homebody.core.formula import Atom, Structure
from homebody.core.goal import Part, Verdict
from homebody.core.state import State
from homebody.core.world import Trace
from homebody.goals.bddl.as_ltl import ltl_name, published_ltl, published_text, to_ltl
from homebody.goals.bddl.options import Best, best_option, count_options, options
from homebody.goals.bddl.published import published_goal_options, published_options
from homebody.goals.bddl.syntax import (
    BDDLError,
    Condition,
    Conjunction,
    Disjunction,
    ForAll,
    ForN,
    ForPairs,
    ForSome,
    Implication,
    Negation,
    Problem,
    condition_text,
    parse_condition,
    parse_problem,
    problem_text,
    renamed,
)
from homebody.goals.bddl.truth import (
    TooLargeError,
    Tree,
    Universe,
    empty_categories,
    evaluate,
    ground,
    universe,
)
from homebody.goals.bddl.words import kind_of, phrase, sentence
from homebody.goals.grounding import Literal

__all__ = [
    "BDDLError",
    "BDDLGoal",
    "Best",
    "Condition",
    "Conjunction",
    "Disjunction",
    "ForAll",
    "ForN",
    "ForPairs",
    "ForSome",
    "Implication",
    "Negation",
    "Problem",
    "TooLargeError",
    "Tree",
    "Universe",
    "best_option",
    "condition_text",
    "count_options",
    "empty_categories",
    "evaluate",
    "ground",
    "kind_of",
    "ltl_name",
    "options",
    "parse_condition",
    "parse_problem",
    "phrase",
    "problem_text",
    "published_goal_options",
    "published_ltl",
    "published_options",
    "published_text",
    "renamed",
    "sentence",
    "to_ltl",
    "universe",
]

MAX_SAID = 8
"""Most missing facts that an explanation lists."""


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

    conditions: tuple[Condition, ...]
    over: Universe
    view: Callable[[State], Structure] = field(default=lambda state: state, compare=False)

    @classmethod
    def of(cls, problem: Problem, view: Callable[[State], Structure]) -> BDDLGoal:
        return cls(problem.conditions, universe(problem), view)

    @cached_property
    def tree(self) -> Tree:
        """The goal's options. Raises TooLargeError."""
        return ground(Conjunction(self.conditions), self.over)

    def best(self, structure: Structure) -> Best:
        """The option of which most is met. Raises TooLargeError."""
        return best_option(self.tree, lambda a: structure.holds(a.predicate, a.args))

    def judge(self, trace: Trace) -> Verdict:
        final = self.view(trace.final)
        met = [evaluate(condition, final, self.over, paired=True) for condition in self.conditions]
        parts = tuple(
            Part(phrase(condition), kind_of(condition), ok)
            for condition, ok in zip(self.conditions, met, strict=True)
        )
        if all(met):
            return Verdict(True, 1.0, parts, "All conditions of the goal hold.")
        best = self.best(final)
        unmet = [part.text for part in parts if not part.satisfied]
        verb = "does" if len(unmet) == 1 else "do"
        said = f"{len(unmet)} of {len(met)} conditions {verb} not hold: {'; '.join(unmet)}."
        return Verdict(False, best.share, parts, f"{said} {_missing(best, final)}".strip())


def _missing(best: Best, final: Structure) -> str:
    """What the best option still lacks."""
    if best.option is None:
        return "Nothing can fulfil this goal."
    lacking = [text for literal in best.option if (text := _unmet(literal, final))]
    listed = list(dict.fromkeys(lacking))
    more = [f"and {len(listed) - MAX_SAID} more"] if len(listed) > MAX_SAID else []
    return f"The nearest way to the goal lacks: {'; '.join(listed[:MAX_SAID] + more)}."


def _unmet(literal: Literal, final: Structure) -> str:
    """The literal in words if it does not hold, else nothing."""
    positive = isinstance(literal, Atom)
    atom = literal if isinstance(literal, Atom) else literal.body
    assert isinstance(atom, Atom)
    if final.holds(atom.predicate, atom.args) == positive:
        return ""
    return phrase(atom if positive else Negation(atom))
