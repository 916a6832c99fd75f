"""BDDL, the language of BEHAVIOR's activities: problems, goals, and the progress towards a goal.

:func:`parse_problem` reads a problem. :func:`evaluate` evaluates its goal, and :class:`BDDLGoal`
judges it as a task's goal::

    (forall (?plate.n.04 - plate.n.04) (exists (?cabinet.n.01 - cabinet.n.01)
        (inside ?plate.n.04 ?cabinet.n.01)))

In goals, all names start with ``?``, including the names of objects: ``?sink.n.01_1`` is an object
unless a quantifier binds it.

Truth, as ``bddl`` 1.0.1 evaluates it:

- ``forall``, ``exists``: over the objects of a category, in the order of the problem. An object
  only has its declared category, and no wider category; see :func:`universe`.
- ``forn (n)``: *exactly* n objects. It is false with fewer than n objects; ``forn (0)`` means that
  no object satisfies the body.
- ``forpairs``: let n be the number of objects of the smaller category. At least n objects of the
  first category have *some* partner, and at least n objects of the second. This is not a pairing:
  several objects may share a partner. No object is its own partner, so n is one less if both
  categories are the same. It is true if one side has no objects.
- ``fornpairs (n)``: the same with the given n. It is false with fewer than n objects on a side.

Options are stricter: an option of ``forpairs`` is a one-to-one pairing. ``bddl`` accepts some
states without such a pairing, for example [[1, 1, 1], [1, 0, 0], [1, 0, 0]]. Goals are judged by
options, as in the EAI paper (section 2.5): ``paired`` of :func:`evaluate`. Then a goal is reached
if and only if one of its options is fulfilled, provided that "exactly n" options also require the
other objects to fail (``exact`` of :func:`ground`). The published options do not require this, and
their number is limited: :mod:`homebody.goals.bddl.published`.
"""

from homebody.goals.bddl.as_ltl import ltl_name, published_ltl, published_text, to_ltl
from homebody.goals.bddl.best_option import Best, best_option
from homebody.goals.bddl.counting import count_options
from homebody.goals.bddl.goal import BDDLGoal
from homebody.goals.bddl.grounding import TooLargeError, Tree, ground
from homebody.goals.bddl.options import options
from homebody.goals.bddl.phrases import kind_of, phrase, sentence
from homebody.goals.bddl.problem import (
    BDDLError,
    Problem,
    condition_text,
    parse_condition,
    parse_problem,
    problem_text,
    rename_objects,
)
from homebody.goals.bddl.published import published_goal_options, published_options
from homebody.goals.bddl.truth import Universe, empty_categories, evaluate, universe

__all__ = [
    "BDDLError",
    "BDDLGoal",
    "Best",
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
    "rename_objects",
    "sentence",
    "to_ltl",
    "universe",
]
