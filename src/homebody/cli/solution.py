"""The solution of a task: its goal, a plan and a map, as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from homebody.core import CORRECTED, HomebodyError, Suite
from homebody.core.play.transcript import decode, number_lines
from homebody.worlds.house.play.session import HouseBase
from homebody.worlds.house.play.text_map import text_map

HEADINGS: Final = ("Goal", "Plan", "Map")
"""The parts of a solution, in order; a suite may add others."""


def solution_of(suite: Suite[Any], task: Any) -> Mapping[str, str]:
    """Return heading -> text. The suite's hook (``Viewing.solution``) comes first. A missing plan
    is that of the oracle, and a missing goal its conditions, or the task in one line."""
    hook = suite.viewing.solution
    parts = dict(hook(task)) if hook is not None else {}
    if suite.oracle is not None and not {"Goal", "Plan"} <= parts.keys():
        output = suite.answer(suite.oracle, task)
        parts.setdefault("Plan", _plan(suite, output))
        record = suite.score(task, output, CORRECTED).record
        conditions = [text for text, _ in suite.viewing.conditions(record)]
        parts.setdefault("Goal", "\n".join(conditions) or suite.tasks.describe(task))
    if suite.playing is not None and "Map" not in parts:
        session = suite.playing.start(task, {}, 0, CORRECTED)
        if isinstance(session, HouseBase):
            state = session.simulation.state
            parts["Map"] = text_map(state.house, state)
    parts.setdefault("Goal", suite.tasks.describe(task))
    parts.setdefault("Plan", "no agent of this suite knows a plan")
    return {name: parts[name] for name in (*HEADINGS, *parts) if parts.get(name)}


def _plan(suite: Suite[Any], output: str) -> str:
    """Return a text output, or the actions of a transcript, numbered."""
    if suite.playing is None:
        return output
    try:
        entries = decode(output).entries
    except HomebodyError:
        return output
    several = len({entry.role for entry in entries}) > 1
    return number_lines(
        f"{entry.role}: {entry.call}" if several else entry.call for entry in entries
    )
