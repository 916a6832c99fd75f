"""PARTNR's evaluation functions: they compute the progress of a whole run and explain what is
missing.

A run is a sequence of states. An evaluation function (PARTNR paper, appendix A.4) has

- *propositions*, which have to become true: a predicate over lists of alternatives, such as two of
  three spoons on top of one of two tables;
- *dependencies*, which say when propositions count: for instance, "next to each other" only counts
  while both plants are on the shelf;
- *constraints*: an order of propositions, the same or different arguments for several of them, and
  what has to hold at the end.

A proposition about n objects becomes n propositions, for 1 to n of them. Percent complete is the
share of these propositions that were satisfied at some step at which they counted, and that no
constraint excludes. A run succeeds if the share is 100 %. :class:`Judge` judges a run step by step,
:func:`judge_run` a whole run::

    judge = Judge(evaluation)
    judge.step(holds)                    # the initial state
    judge.step(holds, changed={"cup_1"})  # and every step after
    judge.result().explanation

This package does not depend on a world. ``holds(predicate, arguments)`` returns the truth of a
ground atom, such as ``("is_on_top", ("cup_1", "table_2"))``, with the predicates of the paper's
table 6; ``is_clustered`` is queried as ``is_next_to`` of its pairs.

Semantics that the paper leaves open:

- "First satisfied" is the first step in which a proposition was true and counted. Orders compare
  these steps. Argument constraints compare the objects and places that satisfied the propositions
  at these steps. A later satisfaction does not repair an earlier one in the wrong order.
- Dependencies on the past consider earlier steps; dependencies on the present consider the same
  step.
- "The same argument" requires that all propositions have something in common. If a proposition is
  about n objects, they must share n objects, or one place that holds n objects by itself.
  "Different arguments" requires that each proposition can be assigned an argument of its own.
- "The same" applies to all parts of one unrolled proposition, "different" to no two of them.

:data:`QUIRKS` lists the differences of the published code; ``Judge(evaluation, QUIRKS.keys())``
keeps all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from homebody.goals.partnr.episodes import Episode, read_episode, read_episodes, write_episode
from homebody.goals.partnr.evaluation_function import (
    PREDICATES,
    ArgumentConstraint,
    Constraint,
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    EvaluationError,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
    check,
    problems,
    temporal_groups,
)
from homebody.goals.partnr.explanation import phrase
from homebody.goals.partnr.json_format import read_evaluation, write_evaluation
from homebody.goals.partnr.judge import Holds, Judge, Judgement
from homebody.goals.partnr.published import LAST_SATISFACTION, OPEN_RULES, QUIRKS
from homebody.goals.partnr.text_format import (
    Annotation,
    groups_of_order,
    order_of_groups,
    read_annotation,
    write_annotation,
)
from homebody.goals.partnr.unroll import unroll

__all__ = [
    "LAST_SATISFACTION",
    "OPEN_RULES",
    "PREDICATES",
    "QUIRKS",
    "Annotation",
    "ArgumentConstraint",
    "Constraint",
    "Dependency",
    "DifferentArgConstraint",
    "Episode",
    "Evaluation",
    "EvaluationError",
    "Holds",
    "Judge",
    "Judgement",
    "Proposition",
    "SameArgConstraint",
    "TemporalConstraint",
    "TerminalSatisfactionConstraint",
    "check",
    "groups_of_order",
    "judge_run",
    "order_of_groups",
    "phrase",
    "problems",
    "read_annotation",
    "read_episode",
    "read_episodes",
    "read_evaluation",
    "temporal_groups",
    "unroll",
    "write_annotation",
    "write_episode",
    "write_evaluation",
]


def judge_run(
    evaluation: Evaluation, run: Iterable[Holds], quirks: Set[str] = frozenset()
) -> Judgement:
    """Judge a run, given as the truth function of each state, the initial state first."""
    judge = Judge(evaluation, quirks)
    for holds in run:
        judge.step(holds)
    return judge.result()
