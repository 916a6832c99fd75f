"""Coverage of BEHAVIOR: the tasks that load, and the tasks with reachable goals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from homebody.data import behavior1k
from homebody.suites.eai.behavior.planner import unreachable_predicates
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.behavior.tasks import load_tasks as load_official
from homebody.suites.eai.behavior1k.tasks import load_tasks, unloadable_activities


def summary() -> list[dict[str, Any]]:
    """Return one row for the official tasks and one for BEHAVIOR-1K.

    Keys: ``tasks`` (name), ``all``, ``loaded``, ``within_reach`` (number of tasks; a goal is out of
    reach if a condition depends on facts that no action changes), ``out_of_reach`` (predicate ->
    number of goals, the most first) and ``not_loaded`` (name -> reason).

    Raises:
        HomebodyError: The data is missing and cannot be fetched.
    """
    official = load_official()
    return [
        _row("eai.behavior", len(official), official, {}),
        _row(
            "eai.behavior1k",
            len(behavior1k.load("activities")),
            load_tasks(),
            unloadable_activities(),
        ),
    ]


def _row(
    name: str, total: int, tasks: Sequence[BehaviorTask], failed: Mapping[str, str]
) -> dict[str, Any]:
    hindered = [predicates for task in tasks if (predicates := unreachable_predicates(task.task))]
    counts = Counter(predicate for predicates in hindered for predicate in predicates)
    return {
        "tasks": name,
        "all": total,
        "loaded": len(tasks),
        "within_reach": len(tasks) - len(hindered),
        "out_of_reach": dict(sorted(counts.items(), key=lambda row: (-row[1], row[0]))),
        "not_loaded": dict(failed),
    }


def summary_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Format the rows of :func:`summary` as lines for people."""
    lines = []
    for row in rows:
        lines.append(f"{row['tasks']}: {row['loaded']} of {row['all']} tasks load")
        lines.append(f"    {row['within_reach']} goals are within reach of the world's actions")
        if row["out_of_reach"]:
            predicates = ", ".join(f"{name} {count}" for name, count in row["out_of_reach"].items())
            lines.append(f"    goals out of reach, by what no action changes: {predicates}")
        lines += [f"    {name} does not load: {why}" for name, why in row["not_loaded"].items()]
    return "\n".join(lines)
