"""What tasks on both worlds ask for, and what of it an output did (EAI paper, appendix E)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from homebody.core import Score
from homebody.suites.eai.plan_results import AnnotatedTask

GoalsMet = list[tuple[str, str, bool]]
"""Kind, name and whether it was met, of each goal condition."""


def factors(task: AnnotatedTask, objects: int) -> Mapping[str, float]:
    """What a task has more or less of: plan length is that of the annotated plan, in steps."""
    totals = task.goal_totals
    return {
        "goals": sum(totals.values()),
        **{f"{kind} goals": total for kind, total in totals.items()},
        "plan length": len(task.task.reference),
        "objects": objects,
    }


def annotated_actions(task: AnnotatedTask) -> Sequence[str]:
    """The names of the annotated plan's actions."""
    return [action.name for action in task.task.reference]


def tried(plan: Iterable[str], score: Score) -> Sequence[tuple[str, bool]]:
    """Each action of a plan up to the one that stopped it, and whether it was carried out.
    Additional steps do not stop a plan, and count as carried out."""
    stop = score.record["error_step"]
    return [(name, at != stop) for at, name in enumerate([*plan][:stop], 1)]
