"""EAI's tasks as sessions: one agent, one action at a time, in a symbolic world.

The agent tries an action and is told what it did or why it cannot be done; a refused action changes
nothing, and counts. Names of actions are read in any case, ``DONE`` too. The clock is the number of
actions tried. It ends with ``Done`` or when all actions are used up: three times as many as the
annotated plan has, and no less than twenty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from homebody.core import (
    CORRECTED,
    DONE,
    Action,
    ErrorType,
    Event,
    Failure,
    HomebodyError,
    Observation,
    Protocol,
    Score,
    Tool,
    Trace,
    Transcript,
)
from homebody.core.play.conversation import Image
from homebody.core.play.options import ActionBlock, ActionList
from homebody.core.play.session import ALL_DONE, is_done, replay, require_ready, require_role
from homebody.core.play.transcript import (
    MAX_CALL,
    TranscriptEntry,
    printable,
    read_call,
    require_names,
    unread,
    write_call,
)
from homebody.core.protocol import judged_by
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


class EaiSession:
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
        entries: All that was tried.
        clock: How many actions were tried.
        moment: Grows whenever something happens.
        ending: Why it has ended; None while it goes on.
    """

    roles: Final = (ROLE,)

    def __init__(
        self,
        scene: Scene,
        *,
        partial: bool = False,
        seed: int = 0,
        protocol: Protocol = CORRECTED,
    ) -> None:
        self.scene = scene
        self.history = History()
        self.state = scene.annotated.task.initial
        self.actions: list[Action] = []
        self.tried_at: list[int] = []
        self.refused: list[tuple[int, Failure]] = []
        self.entries: list[TranscriptEntry] = []
        self.clock = 0
        self.moment = 0
        self.ending: str | None = None
        self._limit = max_actions(scene)
        self._schemas = scene.world.schemas
        self._partial = partial
        self._instruction = words.instruction(scene.instruction, self._limit)
        self._seed = seed
        self._protocol = protocol
        self._knowledge = Knowledge(scene, partial=partial)
        self._news: tuple[Event, ...] = ()
        self._first: Sequence[str] = ()  # what was seen for the first time by the last action
        self._standing: Standing | None = None
        self._options: ActionList | None = None  # until an action is carried out

    @property
    def settings(self) -> Mapping[str, str]:
        """Those that are not as usual."""
        return {"observability": "room"} if self._partial else {}

    def ready(self) -> tuple[str, ...]:
        """The agent, until it has ended."""
        return self.roles if self.ending is None else ()

    def busy(self, role: str) -> Action | None:
        """Nothing: actions take no time."""
        return None

    def advance(self) -> Sequence[Event]:
        """Nothing happens by itself."""
        return ()

    # -- acting -----------------------------------------------------------------------------------

    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event:
        """Try an action; see :meth:`homebody.core.play.session.Session.act`."""
        require_ready(self, role)
        call, read = self._written(action)
        if read is None:
            self.note(role, call, cycle, planner)
            return self._news[-1]
        clock = self.clock
        self.entries.append(TranscriptEntry(clock, role, call, cycle, planner))
        self.moment += 1
        self._first = ()
        if is_done(Action(read.name.capitalize())):
            self.ending = ALL_DONE
            event = Event(role, DONE, True, "It is over.", clock, clock)
        else:
            event = self._try(Action(read.name.upper(), read.args))
        self._news = (event,)
        return event

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        """Write down what was no action; it counts as one that was refused."""
        require_ready(self, role)
        self.entries.append(TranscriptEntry(self.clock, role, unread(text), cycle, planner))
        self.moment += 1
        self._first = ()
        said = printable(text)[:MAX_QUOTED]
        why = f"Not understood: {said!r}; write one action, such as OPEN[fridge.306], or Done[]."
        self._news = (self._refuse(Failure(Action(""), ErrorType.PARSING, (), why)),)

    def _written(self, action: Action) -> tuple[str, Action | None]:
        """An action as it is written down, and as a replay will read it."""
        require_names(action)
        objects = self.state.objects
        if action.name in self._schemas and objects.keys() >= set(action.args):
            call = f"{action.name}[{', '.join(action.args)}]"
            if len(call) <= MAX_CALL:  # what is longer is cut
                return call, action
        call = write_call(action)
        return call, read_call(call)

    def _try(self, action: Action) -> Event:
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
        return self._told(action, True, message)

    def _refuse(self, failure: Failure) -> Event:
        self.refused.append((self.clock, failure))
        return self._told(failure.action, False, failure.message)

    def _told(self, action: Action, ok: bool, message: str) -> Event:
        self.clock += 1
        if self.clock >= self._limit:
            self.ending = f"all {self._limit} actions are used up"
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

    def observe(self, role: str) -> Observation:
        """What the agent is told now."""
        require_role(self, role)
        told = role, self.clock, self._instruction, self._news, self, self.moment
        return Observation(*told, left=self._limit - self.clock)

    def describe(self, role: str) -> str:
        """What is known, in words."""
        return words.describe(self.scene, self._knowledge)

    def learnt(self, role: str) -> str:
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

    def known(self, role: str) -> Knowledge:
        """What the agent knows; only to be read."""
        return self._knowledge

    def images(self, role: str) -> Sequence[Image]:
        """There are none: raises HomebodyError."""
        raise HomebodyError("there are no pictures of EAI's worlds")

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

    def transcript(self) -> Transcript:
        """What was tried so far."""
        return Transcript(self.settings, self._seed, tuple(self.entries))

    def score(self, protocol: Protocol | None = None) -> Score:
        """How it did, as if it ended now; under another protocol it is played again in the world
        of that."""
        session, quirks = self, self.scene.eai.quirks
        protocol = judged_by(protocol, self._protocol, quirks)
        if protocol.kept(quirks) != self._protocol.kept(quirks):
            session = start(self.scene, self.settings, self._seed, protocol)
            replay(session, self.entries)
        trace, ending = session.trace(), session.ending
        return score_trace(session.scene, trace, protocol, self.settings, session.clock, ending)


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
