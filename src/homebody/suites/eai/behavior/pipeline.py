"""Pipelines on BEHAVIOR: interpreted goals are put into tasks (:mod:`..pipeline`).

Outputs of goal interpretation name objects as BDDL does; plans use the names of the scene.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homebody.core import CORRECTED
from homebody.core.formula import Literal
from homebody.suites.eai.behavior.goal_interpretation import SUITE
from homebody.suites.eai.behavior.goals import KINDS, kind_of, read, rename_objects
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.pipeline import make_pipeline


def _read(task: BehaviorTask, output: str) -> tuple[list[tuple[str, Literal]], int]:
    entries = read(task, output, CORRECTED).entries
    literals = dict.fromkeys(e.literal for e in entries if e.is_sound and e.literal is not None)
    goals = [(kind_of(literal), rename_objects(literal, task.names)) for literal in literals]
    return goals, sum(not entry.is_sound for entry in entries)


def _ask_for(task: BehaviorTask, goals: Sequence[tuple[str, Literal]]) -> BehaviorTask:
    return replace(task, interpreted=tuple(literal for _, literal in goals))


PIPELINE = make_pipeline(SUITE, KINDS, _read, _ask_for)
