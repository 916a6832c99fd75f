"""Pipelines on BEHAVIOR (EAI paper, appendix G): planning for goals that the model itself has
interpreted.

The answer to goal interpretation names objects as BDDL does; plans name them as the scene does. An
answer that cannot be read gives no goals: the next module is asked all the same, as it would be in
a system made of the two. Plans are judged by the annotated goal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from homebody.core.task import Pipeline
from homebody.suites.eai.behavior.goal_interpretation import NAME
from homebody.suites.eai.behavior.goals import interpreted_literals
from homebody.suites.eai.behavior.tasks import BehaviorTask


def feed(task: BehaviorTask, output: str) -> tuple[BehaviorTask, Mapping[str, Any]]:
    """The task with interpreted goals to ask for, and what is to be recorded of them."""
    found = interpreted_literals(task, output)
    return replace(task, interpreted=found.literals), found.record()


PIPELINE: Pipeline[BehaviorTask] = Pipeline(NAME, feed, repeated=("precision", "recall", "f1"))
"""Of the suites that can be asked for other goals than the annotated ones."""
