"""The information about a session for policies that know the goal and for failure analysis."""

from __future__ import annotations

from dataclasses import dataclass

from homebody.suites.etplan.facts import Facts
from homebody.suites.etplan.rows import Row
from homebody.suites.etplan.tasks import EtplanTask
from homebody.suites.etplan.trace import CriterionTrace


@dataclass(frozen=True, slots=True)
class TaskContext:
    """The information for policies that know the goal.

    Attributes:
        row: The row of the task.
        task: The task.
        knowledge: The robot's first knowledge; one of :data:`.session.KNOWLEDGE`.
        facts: The current facts.
        seen: The trace so far.
    """

    row: Row
    task: EtplanTask
    knowledge: str
    facts: Facts
    seen: CriterionTrace
