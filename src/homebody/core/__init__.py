"""The nouns of homebody: State, Action, World, Trace, Goal, Verdict, Task, Session, Suite."""

from homebody._lazy import import_lazily

TYPE_CHECKING = False
if TYPE_CHECKING:
    from homebody.core.action import Action, ActionSchema, Effect, ErrorType, Failure
    from homebody.core.formula import Parameter
    from homebody.core.goal import Goal, Part, Verdict
    from homebody.core.ground.progress import Progress
    from homebody.core.ground.user_errors import HomebodyError
    from homebody.core.play.conversation import Dialogue, Message, Question, Reply, Tool, ToolCall
    from homebody.core.play.session import DONE, WAIT, Event, Observation, Policy, Session
    from homebody.core.play.transcript import Transcript
    from homebody.core.protocol import CORRECTED, PUBLISHED, STRICT, Protocol
    from homebody.core.score import Measure, SampleError, Score
    from homebody.core.state import Fact, Object, State
    from homebody.core.suite import Playing, Prompting, Reporting, Scoring, Suite, Tasks, TextAgent
    from homebody.core.task import Task
    from homebody.core.world import Outcome, Trace, World, execute

__all__ = [
    "CORRECTED",
    "DONE",
    "PUBLISHED",
    "STRICT",
    "WAIT",
    "Action",
    "ActionSchema",
    "Dialogue",
    "Effect",
    "ErrorType",
    "Event",
    "Fact",
    "Failure",
    "Goal",
    "HomebodyError",
    "Measure",
    "Message",
    "Object",
    "Observation",
    "Outcome",
    "Parameter",
    "Part",
    "Playing",
    "Policy",
    "Progress",
    "Prompting",
    "Protocol",
    "Question",
    "Reply",
    "Reporting",
    "SampleError",
    "Score",
    "Scoring",
    "Session",
    "State",
    "Suite",
    "Task",
    "Tasks",
    "TextAgent",
    "Tool",
    "ToolCall",
    "Trace",
    "Transcript",
    "Verdict",
    "World",
    "execute",
]

_MODULES = {
    "action": "Action ActionSchema Effect ErrorType Failure",
    "formula": "Parameter",
    "goal": "Goal Part Verdict",
    "ground.progress": "Progress",
    "ground.user_errors": "HomebodyError",
    "play.conversation": "Dialogue Message Question Reply Tool ToolCall",
    "play.session": "DONE WAIT Event Observation Policy Session",
    "play.transcript": "Transcript",
    "protocol": "CORRECTED PUBLISHED STRICT Protocol",
    "score": "Measure SampleError Score",
    "state": "Fact Object State",
    "suite": "Playing Prompting Reporting Scoring Suite Tasks TextAgent",
    "task": "Task",
    "world": "Outcome Trace World execute",
}
"""Module -> its public names, which are imported on first use."""

if not TYPE_CHECKING:  # type checkers know the names from above
    __getattr__, __dir__ = import_lazily(globals(), _MODULES)
