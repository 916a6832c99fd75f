"""How much of BEHAVIOR there is: the tasks that load, and those whose goals are within reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from homebody.data import bddl
from homebody.suites.eai.behavior.planner import out_of_reach
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.behavior.tasks import load_tasks as load_official
from homebody.suites.eai.behavior1k.tasks import load_tasks, unloadable


def summary() -> list[dict[str, Any]]:
    """One row for the official tasks and one for BEHAVIOR-1K.

    Keys: ``tasks`` (what they are), ``all``, ``loaded``, ``within_reach`` (how many; a goal is out
    of reach if a condition hangs on facts that no action changes), ``out_of_reach`` (predicate ->
    how many goals, the most first) and ``not_loaded`` (name -> why).

    Raises:
        HomebodyError: the data is not there and cannot be fetched.
    """
    official = load_official()
    return [
        _row("eai.behavior", len(official), official, {}),
        _row("eai.behavior1k", len(bddl.load("activities")), load_tasks(), unloadable()),
    ]


def _row(
    name: str, total: int, tasks: Sequence[BehaviorTask], failed: Mapping[str, str]
) -> dict[str, Any]:
    hindered = [found for task in tasks if (found := out_of_reach(task.task))]
    counts = Counter(predicate for found in hindered for predicate in found)
    return {
        "tasks": name,
        "all": total,
        "loaded": len(tasks),
        "within_reach": len(tasks) - len(hindered),
        "out_of_reach": dict(sorted(counts.items(), key=lambda one: (-one[1], one[0]))),
        "not_loaded": dict(failed),
    }


def told(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows of :func:`summary` as lines for people."""
    lines = []
    for row in rows:
        lines.append(f"{row['tasks']}: {row['loaded']} of {row['all']} tasks load")
        lines.append(f"    {row['within_reach']} goals are within reach of the world's actions")
        if row["out_of_reach"]:
            said = ", ".join(f"{name} {count}" for name, count in row["out_of_reach"].items())
            lines.append(f"    goals out of reach, by what no action changes: {said}")
        lines += [f"    {name} does not load: {why}" for name, why in row["not_loaded"].items()]
    return "\n".join(lines)
