"""Released tasks for tests: some of our own, and the published files where they are at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from homebody.suites.etplan.released import FILES

VARIABLE = "HOMEBODY_ETPLAN_TASKS"
"""Names the folder of the published files."""


def published() -> Path:
    """The folder of the published files; a test that asks for it is skipped where it is not."""
    if VARIABLE not in os.environ:
        pytest.skip(f"no released tasks of ET-Plan-Bench: {VARIABLE} names no folder")
    return Path(os.environ[VARIABLE])


def line(
    task: str = "Find the apple.",
    criterion: str = "(CLOSE, robot, apple)",
    plan: str = "walk kitchen 1, walk apple 2",
    **changes: Any,
) -> dict[str, Any]:
    """A task as a line has it; the plan as "walk kitchen 1, put apple 2 table 3"."""
    steps = []
    for step in plan.split(", "):
        verb, *things = step.split()
        named = " ".join(f"<{a}> ({b})" for a, b in zip(things[::2], things[1::2], strict=True))
        steps.append(f"<char0> [{verb}] {named}")
    return {
        "task": task,
        "task_completion_criterion": criterion,
        "env_id": 0,
        "ground_truth_plan": steps,
    } | changes


def write(folder: Path, **lines: list[Any]) -> Path:
    """The seven files, with one sound task each but for what is given, by row."""
    for file, row in FILES.items():
        tasks = lines.get(row.replace("-", "_"), [line()])
        texts = [task if isinstance(task, str) else json.dumps(task) for task in tasks]
        (folder / f"{file}.json").write_text("\n".join(texts))
    return folder
