"""The nouns of homebody: State, Action, World, Trace, Goal, Verdict, Task, Suite."""

from homebody.core.action import Action, ActionSchema, Effect, ErrorType, Failure
from homebody.core.errors import HomebodyError
from homebody.core.formula import Parameter
from homebody.core.goal import Goal, Part, Verdict
from homebody.core.state import Fact, Object, State
from homebody.core.task import (
    CORRECTED,
    Dialogue,
    Measure,
    Message,
    Progress,
    Protocol,
    Question,
    Score,
    Suite,
    Task,
)
from homebody.core.world import Outcome, Trace, World, execute

__all__ = [
    "CORRECTED",
    "Action",
    "ActionSchema",
    "Dialogue",
    "Effect",
    "ErrorType",
    "Fact",
    "Failure",
    "Goal",
    "HomebodyError",
    "Measure",
    "Message",
    "Object",
    "Outcome",
    "Parameter",
    "Part",
    "Progress",
    "Protocol",
    "Question",
    "Score",
    "State",
    "Suite",
    "Task",
    "Trace",
    "Verdict",
    "World",
    "execute",
]
