"""PARTNR's evaluation functions: how far a whole run got, and why no further.

A run is a sequence of states. An evaluation function (PARTNR paper, appendix A.4) says

- what has to become true: *propositions*, a predicate over lists of alternatives each, such as two
  of three spoons on top of one of two tables;
- when it counts: *dependencies*, for instance that two plants are next to each other only while
  they are on the shelf;
- how: *constraints*, an order of propositions, the same or another thing for several of them, and
  what has to hold at the end.

A proposition that takes n things is n propositions, for 1 to n of them. Percent complete is the
share of those that were satisfied at some step, when they counted, and that no constraint keeps
from counting. Success is all of them. A run is judged as it goes, or at once with
:func:`judge_run`::

    judge = Judge(evaluation)
    judge.step(holds)                    # the initial state
    judge.step(holds, changed={"cup_1"})  # and every step after
    judge.result().explanation

Nothing here knows a world. ``holds(predicate, arguments)`` answers for a ground atom, such as
``("is_on_top", ("cup_1", "table_2"))``, with the predicates of the paper's table 6;
``is_clustered`` is asked for as ``is_next_to`` of its pairs.

Truth, where the paper leaves a choice:

- "First satisfied" is the first step in which a proposition was true and counted; orders compare
  these steps, and argument constraints what satisfied it then. An earlier satisfaction in the
  wrong order is not mended by a later one.
- Dependencies on the past look at the steps before, those on the present at the same step.
- "The same argument" asks for something that all have in common. For a number of things it has to
  be so many of the first argument, and a place that suffices for the number by itself. "Different
  arguments" asks that each proposition can be given its own.
- Within one unrolled proposition "the same" binds all of it, "different" none of it.

What the published code does otherwise is in :data:`QUIRKS`; ``Judge(evaluation,
QUIRKS.keys())`` keeps all of them.

The files: :mod:`.evaluation_function` has the data and its rules, :mod:`.json_format` and
:mod:`.text_format` read and write it, :mod:`.episodes` reads episodes, :mod:`.unroll` unrolls,
:mod:`.truth` has the truth of a proposition, :mod:`.constraints` the constraints, :mod:`.judge` the
judge, :mod:`.explanation` English, :mod:`.published` the quirks.
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
from homebody.goals.partnr.published import QUIRKS
from homebody.goals.partnr.text_format import (
    Annotation,
    groups_of_order,
    order_of_groups,
    read_annotation,
    write_annotation,
)
from homebody.goals.partnr.unroll import unroll

__all__ = [
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
    """Judge a run of which every state can be asked, the initial one first."""
    judge = Judge(evaluation, quirks)
    for holds in run:
        judge.step(holds)
    return judge.result()
