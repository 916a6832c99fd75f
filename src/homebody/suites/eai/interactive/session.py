"""EAI's tasks as sessions: one agent, one action at a time, in a symbolic world.

The agent tries an action and is told what it did or why it cannot be done; a refused action changes
nothing, and counts. Names of actions are read in any case, ``DONE`` too. The clock is the number of
actions tried. It ends with ``Done`` or when all actions are used up: three times as many as the
annotated plan has, and no less than twenty.
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
from homebody.core.play.session import ALL_DONE, is_done
from homebody.core.play.session_base import SessionBase
from homebody.core.play.transcript import MAX_CALL, printable, require_names
from homebody.core.protocol import resolve_protocol
from homebody.core.world import History
from homebody.suites.eai.interactive import session_text as words
from homebody.suites.eai.interactive.knowledge import Knowledge
from homebody.suites.eai.interactive.options import possible
from homebody.suites.eai.interactive.scene import Scene, Standing, tools, under
from homebody.suites.eai.interactive.scoring import score_trace
from homebody.suites.eai.plan_results import wrong_number

ROLE: Final = "agent"
SETTINGS: Final = {"observability": ("full", "room")}
"""``full``: the agent is told of all that the task is about. ``room``: it sees what is in its room
and not shut in, and knows what it has seen; what it has not seen it cannot name."""
MIN_ACTIONS: Final = 20
"""Fewest actions that can be tried."""
PATIENCE: Final = 3
"""Actions that can be tried for each of the annotated plan."""
MAX_NAMES: Final = 5
"""Most names that a refusal suggests."""
MAX_QUOTED: Final = 60
"""Characters of what was not understood that a refusal repeats."""


def max_actions(scene: Scene) -> int:
    """How many actions can be tried at a task."""
    return max(MIN_ACTIONS, PATIENCE * len(scene.annotated.task.reference))


class EaiSession(SessionBase):
    """A task being played. See :class:`homebody.core.play.session.Session`.

    Args:
        scene: The task, in the world of the protocol.
        partial: Whether the agent sees its room only.
        seed: Written down; nothing is random.
        protocol: How refusals are sorted and what actions do.

    Attributes:
        scene: The task.
        state: How things are.
        history: How they were before each action that was carried out.
        actions: The actions that were carried out.
        tried_at: The clock at which each of them was tried.
        refused: The clock of each action that was not carried out, and why.
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
        self.state = scene.annotated.task.initial
        self.actions: list[Action] = []
        self.tried_at: list[int] = []
        self.refused: list[tuple[int, Failure]] = []
        self._schemas = scene.world.schemas
        self._partial = partial
        self._protocol = protocol
        self._knowledge = Knowledge(scene, partial=partial)
        self._first: Sequence[str] = ()  # what was seen for the first time by the last action
        self._standing: Standing | None = None
        self._options: ActionList | None = None  # until an action is carried out

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_options": None}  # which is made when it is asked for

    def _find_ending(self) -> str | None:
        if self.done:
            return ALL_DONE
        return (
            f"all {self.max_actions} actions are used up" if not self.actions_left(ROLE) else None
        )

    def _settle(self) -> None:
        """Nothing: it does not end when the goal is met."""

    # -- acting -----------------------------------------------------------------------------------

    def _as_replayed(self, action: Action) -> tuple[str, Action | None]:
        """An action as it is written down, and as it is tried: names of actions are read in any
        case."""
        require_names(action)
        objects = self.state.objects
        if action.name in self._schemas and objects.keys() >= set(action.args):
            call = f"{action.name}[{', '.join(action.args)}]"
            if len(call) <= MAX_CALL:  # what is longer is cut
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
        said = printable(text)[:MAX_QUOTED]
        why = f"Not understood: {said!r}; write one action, such as OPEN[fridge.306], or Done[]."
        return self._refuse(Failure(Action(""), ErrorType.PARSING, (), why))

    def _begin(self, role: str, action: Action) -> Event:
        self._first = ()
        failure = self._unknown(action)
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
        message = words.done(self.scene.change(before, outcome.state, action))
        return self._tick(action, True, message)

    def _refuse(self, failure: Failure) -> Event:
        self.refused.append((self.clock, failure))
        return self._tick(failure.action, False, failure.message)

    def _tick(self, action: Action, ok: bool, message: str) -> Event:
        self._clock += 1
        return Event(ROLE, action, ok, message, self.clock - 1, self.clock)

    def _unknown(self, action: Action) -> Failure | None:
        """Why an action makes no sense, whatever the state."""
        schema = self._schemas.get(action.name)
        if schema is None:
            names = ", ".join(self._schemas)
            why = f"There is no action {action.name!r}. There are: {names}."
            return Failure(action, ErrorType.ACTION_HALLUCINATION, (), why)
        if len(action.args) != schema.arity:
            given = ", ".join(self.scene.arguments[action.name][1])
            why = wrong_number(action.name, schema.arity, len(action.args))
            why = f"{why}: write {action.name}[{given}]."
            return Failure(action, ErrorType.ARGUMENT_NUMBER, (), why)
        knowledge = self._knowledge
        for name in action.args:
            if name == self.scene.world.agent:
                why = f"You cannot name yourself, {name!r}."
                return Failure(action, ErrorType.OBJECT_HALLUCINATION, (), why)
            if name not in knowledge:
                why = "You have seen no" if self._partial else "There is no"
                alike = [n for n in knowledge.names if _kind(n) == _kind(name)]
                instead = f"; there is {' or '.join(alike[:MAX_NAMES])}" if alike else ""
                why = f"{why} {name!r}{instead}."
                return Failure(action, ErrorType.OBJECT_HALLUCINATION, (), why)
        return None

    # -- what the agent is told -------------------------------------------------------------------

    def describe(self, role: str) -> str:
        """What is known, in words."""
        return words.describe(self.scene, self._knowledge)

    def describe_changes(self, role: str) -> str:
        """What is seen for the first time, in words; all that is known, if nothing was tried."""
        if not self.entries:
            return self.describe(role)
        return words.seen(self.scene, self._knowledge, self._first)

    def options(self, role: str) -> Sequence[Action]:
        """What looks possible, ``Done`` last."""
        if self._options is None:
            agent, knowledge = self.scene.world.agent, self._knowledge
            names = [name for name in words.mentioned(self.scene, knowledge) if name != agent]
            blocks = possible(self._schemas.values(), agent, knowledge, names)
            self._options = ActionList([*blocks, ActionBlock((DONE.name,), [()])])
        return self._options

    def tools(self, role: str) -> Sequence[Tool]:
        """What can be done at all."""
        return tools(self.scene)

    def knowledge(self, role: str) -> Knowledge:
        """What the agent knows; only to be read."""
        return self._knowledge

    # -- how it is going --------------------------------------------------------------------------

    def progress(self) -> float:
        """How far the goal is met now."""
        if self._standing is None or self._standing.step < len(self.actions):
            self._standing = self.scene.standing(
                self._standing, (*self.history, self.state), self.actions
            )
        return self._standing.progress

    def trace(self) -> Trace:
        """What was carried out; refused actions are skipped ones."""
        states = (*self.history, self.state)
        return Trace(states, tuple(self.actions), tuple(self.tried_at), tuple(self.refused))

    def score(self, protocol: Protocol | None = None) -> Score:
        """How it did, as if it ended now; under another protocol it is played again in the world
        of that."""
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
    """A session of a task, in settings that are not as usual.

    Raises:
        HomebodyError: settings are wrong.
    """
    for name, value in settings.items():
        if value not in SETTINGS.get(name, ()):
            raise HomebodyError(f"{name[:80]!r} cannot be {value[:80]!r}")
    partial = settings.get("observability") == "room"
    return EaiSession(under(protocol, scene), partial=partial, seed=seed, protocol=protocol)


def _kind(name: str) -> str:
    """``"fridge"`` of ``"fridge.306"``."""
    return name.rstrip("0123456789").rstrip("._")
