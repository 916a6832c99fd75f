"""EAI's tasks as sessions: one agent, one action at a time, in a symbolic world.

The agent tries an action and receives its effects or why it cannot be executed. A refused action
changes nothing, but counts. Names of actions are read in any case, as is ``DONE``. The clock is the
number of actions tried. A session ends with ``Done`` or when the action budget is used up: three
times the length of the annotated plan, and at least twenty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from homebody.core import (
    CORRECTED,
    DONE,
    Action,
    ErrorType,
    Event,
    Failure,
    HomebodyError,
    Protocol,
    Score,
    Tool,
    Trace,
    Transcript,
)
from homebody.core.play.options import ActionBlock, ActionList
from homebody.core.play.replay import replay
from homebody.core.play.run_facts import kind_of
from homebody.core.play.session import ALL_DONE, is_done
from homebody.core.play.session_base import SessionBase
from homebody.core.play.transcript import MAX_CALL, printable, require_names
from homebody.core.protocol import resolve_protocol
from homebody.core.world import History
from homebody.suites.eai.interactive import session_text as words
from homebody.suites.eai.interactive.knowledge import Knowledge
from homebody.suites.eai.interactive.options import possible_actions
from homebody.suites.eai.interactive.scene import (
    GoalProgress,
    Scene,
    make_tools,
    scene_for_protocol,
)
from homebody.suites.eai.interactive.scoring import score_trace
from homebody.suites.eai.plan_results import wrong_number_text

ROLE: Final = "agent"
SETTINGS: Final = {"observability": ("full", "room")}
"""``full``: the agent observes all objects that are relevant to the task.

``room``: the agent sees the objects in its room that are not in closed containers, and remembers
all objects that it has seen. It cannot name other objects.
"""
MIN_ACTIONS: Final = 20
"""Minimum number of actions that can be tried."""
PATIENCE: Final = 3
"""Number of actions that can be tried per action of the annotated plan."""
MAX_NAMES: Final = 5
"""Maximum number of names that a refusal suggests."""
MAX_QUOTED: Final = 60
"""Maximum number of characters of an unreadable string that a refusal repeats."""


def max_actions(scene: Scene) -> int:
    """Return the number of actions that can be tried at a task."""
    return max(MIN_ACTIONS, PATIENCE * len(scene.annotated_task.task.reference))


class EaiSession(SessionBase):
    """A task being played. See :class:`homebody.core.play.session.Session`.

    Args:
        scene: The task, in the world of the protocol.
        partial: True if the agent sees its room only.
        seed: Recorded only; nothing is random.
        protocol: Determines the effects of actions and the errors of refusals.

    Attributes:
        scene: The task.
        state: The current state.
        history: The states before each executed action.
        actions: The executed actions.
        tried_at: The clock at which each of them was tried.
        refused: The clock of each action that was not executed, and why.
    """

    done_message = "It is over."

    def __init__(
        self,
        scene: Scene,
        *,
        partial: bool = False,
        seed: int = 0,
        protocol: Protocol = CORRECTED,
    ) -> None:
        limit = max_actions(scene)
        super().__init__(
            (ROLE,),
            words.instruction(scene.instruction, limit),
            max_actions=limit,
            origin=Transcript({"observability": "room"} if partial else {}, seed),
        )
        self.scene = scene
        self.history = History()
        self.state = scene.annotated_task.task.initial
        self.actions: list[Action] = []
        self.tried_at: list[int] = []
        self.refused: list[tuple[int, Failure]] = []
        self._schemas = scene.world.schemas
        self._partial = partial
        self._protocol = protocol
        self._knowledge = Knowledge(scene, partial=partial)
        self._first: Sequence[str] = ()  # objects first seen by the last action
        self._goal_progress: GoalProgress | None = None
        self._options: ActionList | None = None  # until an action is carried out

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_options": None}  # made again on demand

    def _find_ending(self) -> str | None:
        if self.done:
            return ALL_DONE
        return (
            f"all {self.max_actions} actions are used up" if not self.actions_left(ROLE) else None
        )

    def _settle(self) -> None:
        """Do nothing: a session does not end when the goal is met."""

    # -- acting -----------------------------------------------------------------------------------

    def _as_replayed(self, action: Action) -> tuple[str, Action | None]:
        """Return an action as it is recorded, and as it is tried. Names of actions are read in any
        case."""
        require_names(action)
        objects = self.state.objects
        if action.name in self._schemas and objects.keys() >= set(action.args):
            call = f"{action.name}[{', '.join(action.args)}]"
            if len(call) <= MAX_CALL:  # longer calls are cut
                return call, action
        call, read = super()._as_replayed(action)
        if read is None:
            return call, None
        name = read.name.capitalize()
        if is_done(Action(name)):
            return call, DONE if name == DONE.name else Action(name, read.args)
        return call, Action(read.name.upper(), read.args)

    def _end_part(self, role: str, action: Action) -> Event:
        self._first = ()
        return super()._end_part(role, action)

    def _refuse_unread(self, role: str, text: str) -> Event:
        self._first = ()
        quoted = printable(text)[:MAX_QUOTED]
        why = f"Not understood: {quoted!r}; write one action, such as OPEN[fridge.306], or Done[]."
        return self._refuse(Failure(Action(""), ErrorType.PARSING, (), why))

    def _begin(self, role: str, action: Action) -> Event:
        self._first = ()
        failure = self._find_fault(action)
        if failure is None:
            before = self.state
            outcome = self.scene.world.step(before, action, self.history)
            failure = outcome.failure
        if failure is not None:
            return self._refuse(failure)
        self.history.append(before)
        self.state = outcome.state
        self.actions.append(action)
        self.tried_at.append(self.clock)
        self._first = self._knowledge.update(outcome.state)
        self._options = None
        message = words.describe_changes(self.scene.change(before, outcome.state, action))
        return self._tick(action, True, message)

    def _refuse(self, failure: Failure) -> Event:
        self.refused.append((self.clock, failure))
        return self._tick(failure.action, False, failure.message)

    def _tick(self, action: Action, ok: bool, message: str) -> Event:
        self._clock += 1
        return Event(ROLE, action, ok, message, self.clock - 1, self.clock)

    def _find_fault(self, action: Action) -> Failure | None:
        """Return the reason why an action is impossible in every state; None if it is possible in
        some state."""
        schema = self._schemas.get(action.name)
        if schema is None:
            names = ", ".join(self._schemas)
            why = f"There is no action {action.name!r}. There are: {names}."
            return Failure(action, ErrorType.ACTION_HALLUCINATION, (), why)
        if len(action.args) != schema.arity:
            given = ", ".join(self.scene.arguments[action.name][1])
            why = wrong_number_text(action.name, schema.arity, len(action.args))
            why = f"{why}: write {action.name}[{given}]."
            return Failure(action, ErrorType.ARGUMENT_NUMBER, (), why)
        knowledge = self._knowledge
        for name in action.args:
            if name == self.scene.world.agent:
                why = f"You cannot name yourself, {name!r}."
                return Failure(action, ErrorType.OBJECT_HALLUCINATION, (), why)
            if name not in knowledge:
                why = "You have seen no" if self._partial else "There is no"
                alike = [n for n in knowledge.names if kind_of(n) == kind_of(name)]
                instead = f"; there is {' or '.join(alike[:MAX_NAMES])}" if alike else ""
                why = f"{why} {name!r}{instead}."
                return Failure(action, ErrorType.OBJECT_HALLUCINATION, (), why)
        return None

    # -- observations -----------------------------------------------------------------------------

    def describe(self, role: str) -> str:
        """Describe the agent's knowledge."""
        return words.describe_scene(self.scene, self._knowledge)

    def describe_changes(self, role: str) -> str:
        """Describe the objects seen for the first time, or all knowledge if no action was tried
        yet."""
        if not self.entries:
            return self.describe(role)
        return words.describe_first_seen(self.scene, self._knowledge, self._first)

    def options(self, role: str) -> Sequence[Action]:
        """Return the actions that look possible, ``Done`` last."""
        if self._options is None:
            agent, knowledge = self.scene.world.agent, self._knowledge
            names = [name for name in words.mentioned_names(self.scene, knowledge) if name != agent]
            blocks = possible_actions(self._schemas.values(), agent, knowledge, names)
            self._options = ActionList([*blocks, ActionBlock((DONE.name,), [()])])
        return self._options

    def tools(self, role: str) -> Sequence[Tool]:
        """Return tools for all actions."""
        return make_tools(self.scene)

    def knowledge(self, role: str) -> Knowledge:
        """Return the agent's knowledge, for reading only."""
        return self._knowledge

    # -- progress ---------------------------------------------------------------------------------

    def progress(self) -> float:
        """Return the current progress toward the goal."""
        if self._goal_progress is None or self._goal_progress.step < len(self.actions):
            self._goal_progress = self.scene.goal_progress(
                self._goal_progress, (*self.history, self.state), self.actions
            )
        return self._goal_progress.progress

    def trace(self) -> Trace:
        """Return the trace of the executed actions. Its skipped actions are the refused ones."""
        states = (*self.history, self.state)
        return Trace(states, tuple(self.actions), tuple(self.tried_at), tuple(self.refused))

    def score(self, protocol: Protocol | None = None) -> Score:
        """Score the session as if it ended now. For a protocol with another world, replay it
        first."""
        session, quirks = self, self.scene.eai.quirks
        protocol = resolve_protocol(protocol, self._protocol, quirks)
        if protocol.kept_quirks(quirks) != self._protocol.kept_quirks(quirks):
            session = start(self.scene, self._origin.settings, self._origin.seed, protocol)
            replay(session, self.entries)
        trace, ending = session.trace(), session.ending
        settings = self._origin.settings
        return score_trace(session.scene, trace, protocol, settings, session.clock, ending)


def start(
    scene: Scene, settings: Mapping[str, str], seed: int, protocol: Protocol = CORRECTED
) -> EaiSession:
    """Start a session of a task. Raises HomebodyError if a setting is wrong."""
    for name, value in settings.items():
        if value not in SETTINGS.get(name, ()):
            raise HomebodyError(
                f"the setting {name[:80]!r} cannot be {value[:80]!r}",
                "observability is full or room",
            )
    partial = settings.get("observability") == "room"
    return EaiSession(
        scene_for_protocol(protocol, scene), partial=partial, seed=seed, protocol=protocol
    )
