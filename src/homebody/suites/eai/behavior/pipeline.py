"""Pipelines on BEHAVIOR: interpreted goals are put into tasks (:mod:`..pipeline`).

The answer to goal interpretation names objects as BDDL does; plans name them as the scene does.
"""

from __future__ import annotations

from dataclasses import replace

from homebody.core import CORRECTED
from homebody.core.formula import Literal
from homebody.suites.eai.behavior.goal_interpretation import SUITE
from homebody.suites.eai.behavior.goals import KINDS, kind_of, read, renamed
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.pipeline import MAX_GOALS, Interpreted, make_pipeline
from homebody.suites.eai.reading import ParsingError


def interpreted(task: BehaviorTask, output: str) -> Interpreted[BehaviorTask]:
    """Put the goals of a goal-interpretation answer into a task, as ``corrected`` reads them;
    never raises."""
    try:
        entries = read(task, output, CORRECTED).entries
    except ParsingError:
        return Interpreted(replace(task, interpreted=()), False, dict.fromkeys(KINDS, 0), 0)
    literals = dict.fromkeys(e.literal for e in entries if e.sound and e.literal is not None)
    kept: list[Literal] = []
    numbers = dict.fromkeys(KINDS, 0)
    for literal in literals:
        kind = kind_of(literal)
        if numbers[kind] < MAX_GOALS:
            numbers[kind] += 1
            kept.append(renamed(literal, task.names))
    dropped = sum(not entry.sound for entry in entries) + len(literals) - len(kept)
    return Interpreted(replace(task, interpreted=tuple(kept)), True, numbers, dropped)


PIPELINE = make_pipeline(SUITE, interpreted)
