"""The nouns of homebody: State, Action, World, Trace, Goal, Verdict, Task, Suite."""

from homebody.core.action import (
    Action,
    ActionSchema,
    Effect,
    ErrorType,
    Failure,
    Parameter,
)
from homebody.core.errors import HomebodyError
from homebody.core.goal import Goal, Part, Verdict
from homebody.core.state import Fact, Object, State
from homebody.core.task import CORRECTED, Progress, Protocol, Score, Suite, Task
from homebody.core.world import Outcome, Trace, World, execute

__all__ = [
    "CORRECTED",
    "Action",
    "ActionSchema",
    "Effect",
    "ErrorType",
    "Fact",
    "Failure",
    "Goal",
    "HomebodyError",
    "Object",
    "Outcome",
    "Parameter",
    "Part",
    "Progress",
    "Protocol",
    "Score",
    "State",
    "Suite",
    "Task",
    "Trace",
    "Verdict",
    "World",
    "execute",
]
