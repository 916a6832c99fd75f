"""The contract of sessions: tasks that are being played.

    session = playing.start(task, {}, seed, CORRECTED)
    while session.ending is None:  # homebody.core.play.rounds does this
        for role in session.ready():
            session.act(role, choose(session.observe(role)))
        session.advance()
    session.score(CORRECTED), session.transcript().encode()

Players, trainers, viewers and servers use only this contract and know no suite. A single-agent task
is a session with one role. Actions that take no time are finished when ``act`` returns.

Sessions share no mutable state, so any number can be open at once. The same task, settings, seed
and actions give the same session, which its transcript replays (:mod:`.replay`). Expensive inputs
such as houses are cached: play the sessions of one process in one thread, and let other threads
only call :attr:`.suite.Playing.build`.

Show a role only what :meth:`~Session.observe` returns. Everything else is for the code that
runs the session, not for players: above all the events of :meth:`~Session.advance`, the
``knowledge`` of other roles, :meth:`~Session.progress`, :meth:`~Session.score` and
:attr:`~Session.ending`. Every session has limits, so it ends if its roles act and time passes.
"""

from __future__ import annotations

import operator
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from homebody.core.action import Action
from homebody.core.ground.nesting import is_deep
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conversation import Image, Tool, ToolCall
from homebody.core.play.endings import KINDS
from homebody.core.play.known_scene import KnownScene, ShowsScene
from homebody.core.play.transcript import Position, Transcript, find_call, printable
from homebody.core.protocol import Protocol
from homebody.core.score import Score

DONE: Final = Action("Done")
"""The action that ends a role's part; every session has it."""
WAIT: Final = Action("Wait")
"""The action of doing nothing until something happens; only where time passes."""
GOAL_MET: Final = "the goal is met"
"""The ending of a session that stops when its goal is met."""
ALL_DONE: Final = "everybody is done"
"""The ending when each role has ended its part. Any other ending is due to a limit."""
NOT_READ: Final = "there is no action in this; write one as Name[argument, ...]"
"""The error message for a string that contains no readable action."""


def is_done(action: Action) -> bool:
    """Return whether an action ends a role's part: Done, Impossible or Refuse, with any arguments
    (see :mod:`.endings`)."""
    return action.name in KINDS


@dataclass(frozen=True, slots=True)
class Event:
    """A finished action, as roles are notified of it.

    Attributes:
        role: The role that acted.
        action: The action that it tried.
        ok: True if the action succeeded.
        message: A sentence: the result, or the reason of the failure and what to do instead.
        start: The clock when it began.
        end: The clock when it ended.
    """

    role: str
    action: Action
    ok: bool
    message: str
    start: int
    end: int


class View(typing.Protocol):
    """The source of observations, read on demand. Usually the session itself."""

    @property
    def moment(self) -> int:
        """A counter. It grows with every event that a role may be notified of."""
        ...

    def describe(self, role: str) -> str:
        """Return everything that a role knows, as text."""
        ...

    def describe_changes(self, role: str) -> str:
        """Return the news of a role since its last action began, as text."""
        ...

    def options(self, role: str) -> Sequence[Action]:
        """Return the actions that look possible to a role, in a fixed order. Each can be written as
        a call and read again: :func:`homebody.core.play.transcript.is_writable`."""
        ...

    def tools(self, role: str) -> Sequence[Tool]:
        """Return all kinds of actions of a role."""
        ...

    def knowledge(self, role: str) -> Any:
        """Return the knowledge of a role, as the world's own read-only objects."""
        ...

    def images(self, role: str) -> Sequence[Image]:
        """Return the pictures that a role sees. Raises HomebodyError if this world has no
        pictures."""
        ...


@typing.runtime_checkable
class SeesOthers(typing.Protocol):
    """A :class:`View` in which roles see the current actions of other roles."""

    def doing(self, role: str) -> Mapping[str, Action]:
        """Return the current actions of the roles that a role sees."""
        ...


@dataclass(frozen=True, slots=True)
class Gaze:
    """The direction of a role's view. Such a role can only handle what is in the middle of its
    picture.

    Attributes:
        names: The names of the objects in the middle, nearest first.
        text: The direction, and the objects there and around it, as text.
    """

    names: tuple[str, ...]
    text: str


@typing.runtime_checkable
class Aims(typing.Protocol):
    """A :class:`View` in which a role may only be able to handle objects in the middle of its
    picture."""

    def gaze(self, role: str) -> Gaze | None:
        """Return the direction of a role's view; None if the role can handle objects without
        looking at them."""
        ...


@dataclass(frozen=True, slots=True)
class Observation:
    """The information that a role may use at one moment.

    The fields are set when the observation is made. The properties are computed on demand and can
    be read until something happens in the session; from then on they raise :class:`StaleError`.

    Attributes:
        role: The role that observes.
        clock: The session's clock.
        instruction: The task, as this role receives it.
        news: The events that it saw since its last action began, including the result of that
            action, oldest first.
        shows_images: True if models receive the images besides the text.
        actions_left: Number of actions that the role may still try; refused actions count. In
            PARTNR, number of planning cycles left. None if there is no limit.
        history: All events that it saw since the start, oldest first; ``news`` is the end of it.
    """

    role: str
    clock: int
    instruction: str
    news: tuple[Event, ...]
    view: View
    moment: int
    shows_images: bool = False
    actions_left: int | None = None
    history: Sequence[Event] = ()

    @property
    def text(self) -> str:
        """Everything that the role knows."""
        return self._current_view().describe(self.role)

    @property
    def changes(self) -> str:
        """The changes that the role noticed since its last action began, as text. Before its first
        action: everything that it knows."""
        return self._current_view().describe_changes(self.role)

    @property
    def options(self) -> Sequence[Action]:
        """The actions that look possible. The number of an option is its index, from 0."""
        return self._current_view().options(self.role)

    @property
    def tools(self) -> Sequence[Tool]:
        """All kinds of actions of the role, with JSON schemas of their arguments."""
        return self._current_view().tools(self.role)

    @property
    def doing(self) -> Mapping[str, Action]:
        """The current actions of the roles that this role sees."""
        view = self._current_view()
        return view.doing(self.role) if isinstance(view, SeesOthers) else {}

    @property
    def gaze(self) -> Gaze | None:
        """The direction of the role's view if it can only handle what it looks at; else None."""
        view = self._current_view()
        return view.gaze(self.role) if isinstance(view, Aims) else None

    @property
    def scene(self) -> KnownScene | None:
        """The 3D shapes that the role knows, for rendering; None in worlds without geometry."""
        view = self._current_view()
        return view.known_scene(self.role) if isinstance(view, ShowsScene) else None

    @property
    def knowledge(self) -> Any:
        """The role's knowledge, as the world's own read-only objects."""
        return self._current_view().knowledge(self.role)

    @property
    def images(self) -> Sequence[Image]:
        """The pictures that the role sees. Raises HomebodyError if this world has none."""
        return self._current_view().images(self.role)

    def _current_view(self) -> View:
        if self.view.moment != self.moment:
            raise StaleError("the session has changed since this observation: observe again")
        return self.view


class StaleError(RuntimeError):
    """Raised by an observation that is read after something has happened in its session."""


class NotReadyError(ValueError):
    """Raised if the acting role is unknown, busy or done, or if the session has ended."""


def require_role(session: Session, role: str) -> None:
    """Raise HomebodyError if a session has no such role."""
    if role not in session.roles:
        roles = ", ".join(session.roles)
        raise HomebodyError(
            f"unknown role: {printable(str(role))[:40]!r}", f"choose one of: {roles}"
        )


class Session(typing.Protocol):
    """One task being played by one or more roles.

    Starting one is cheap: expensive data (houses) is cached and shared. Only :meth:`act`,
    :meth:`note` and :meth:`advance` change a session.
    """

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles, in order of precedence."""
        ...

    @property
    def clock(self) -> int:
        """Steps since the start. The world decides how long a step is."""
        ...

    @property
    def rate(self) -> float:
        """Steps of the clock per second of the world; 0 if actions take no time."""
        ...

    @property
    def ending(self) -> str | None:
        """The reason why the session has ended: :data:`GOAL_MET`, :data:`ALL_DONE`, or a sentence
        on the limit that was reached. None until then. Once set, it does not change."""
        ...

    def ready(self) -> tuple[str, ...]:
        """Return the roles that may act now, in order; none after the end."""
        ...

    def busy(self, role: str) -> Action | None:
        """Return the current action of a role; None if it has none or does not exist."""
        ...

    def observe(self, role: str) -> Observation:
        """Return the observation of a role now; it also works after the end. It changes nothing,
        and the result is the same until something happens. Raises HomebodyError if there is no such
        role."""
        ...

    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event | None:
        """Let a role act, and record it.

        Args:
            role: A role that is ready.
            action: Any action; a senseless one is refused. :data:`DONE` ends the role's part.
            cycle: The planning cycle in which it was chosen, from 1; 0 if no model was queried.
            planner: Whose cycles are counted: the role itself, or the name of a planner that
                decides for several roles.

        Returns:
            The event, if the action ended at once (it was refused or takes no time). None if it has
            begun: it then ends in :meth:`advance`.

        Raises:
            NotReadyError: the role is unknown, busy or done, or the session has ended.
            TypeError: the arguments of the action are not a tuple of strings.
        """
        ...

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        """Record a string in which no action could be read. The string then appears in the role's
        ``news`` as a refused action with an empty name.

        Raises:
            NotReadyError: as in :meth:`act`.
        """
        ...

    def advance(self) -> Sequence[Event]:
        """Let time pass until some action ends; return the events of the actions that end at that
        time. Returns none if no role is acting or the session has ended. Roles that are ready and
        have not acted stay idle.
        """
        ...

    def progress(self) -> float:
        """Return the progress towards the goal, from 0 to 1; cheap enough for every action."""
        ...

    def transcript(self) -> Transcript:
        """Return all actions so far: enough to replay the session (:mod:`.replay`)."""
        ...

    @property
    def now(self) -> Position:
        """The current moment. A replay of the transcript up to it gives an equal session."""
        ...

    def think(self, role: str, seconds: float) -> bool:
        """Count the time that a model took to answer for a role that is ready.

        Returns:
            True if the session counts it: the role is now busy for this time, and acts afterwards.
            False if thinking takes no time here.
        """
        ...

    def clone(self) -> Session:
        """Return an independent session at the same moment that continues exactly as this one
        would. This costs much less than a replay. Sessions can be pickled, too."""
        ...

    def score(self, protocol: Protocol | None = None) -> Score:
        """Score the session as if it ended now. The default protocol is the one given when it
        was started. Raises HomebodyError if ``protocol`` is not a protocol object."""
        ...


Policy: TypeAlias = Callable[[Any, str], Action]
"""``policy(session, role)`` -> the next action of a role that is ready. It may look at anything; an
agent that is evaluated must look only at ``session.observe(role)``."""
ActionInput: TypeAlias = Action | ToolCall | int | str
"""An action as data, a call of a tool, the number of an option, or a string that contains
``Pick[cup_0]``."""


def read_action(observation: Observation, given: ActionInput) -> Action:
    """Return the action that an input denotes, without checking that it is possible. Raises
    HomebodyError, with what to write instead, if it denotes none."""
    if isinstance(given, Action):
        return given
    if isinstance(given, str):
        try:
            return find_call(given)
        except HomebodyError as error:
            examples = " or ".join(map(_format_tool, observation.tools[:2]))
            raise HomebodyError(str(error), f"write one as {examples}") from None
    if isinstance(given, ToolCall):
        return _resolve_call(observation, given)
    try:
        number = operator.index(given)  # also accepts numpy integers
    except TypeError:
        number = None
    if number is None or isinstance(given, bool):
        raise HomebodyError(
            f"an action cannot be given as {type(given).__name__}",
            "give it as an Action, a ToolCall, the number of an option or a string: Name[argument]",
        )
    options = observation.options
    if not 0 <= number < len(options):
        raise HomebodyError(f"there is no option {number}", f"the last is {len(options) - 1}")
    return options[number]


def take(
    session: Session, role: str, given: ActionInput, cycle: int = 0, planner: str = ""
) -> Event | None:
    """Read an action and let a role do it; see :meth:`Session.act`. An unreadable input is noted
    and refused with the reason. Raises NotReadyError if the role cannot act now."""
    try:
        action = given if isinstance(given, Action) else read_action(session.observe(role), given)
    except HomebodyError as error:
        if isinstance(given, ToolCall) and is_deep(given.arguments):
            given = ToolCall(given.name, {})
        return refuse(session, role, str(given), error, cycle, planner)
    return session.act(role, action, cycle, planner)


def refuse(
    session: Session, role: str, text: str, error: HomebodyError, cycle: int = 0, planner: str = ""
) -> Event:
    """Note a role's text that denotes no action, and return the event with the reason."""
    session.note(role, text, cycle, planner)
    return Event(role, Action(""), False, error.advice, session.clock, session.clock)


def _format_tool(tool: Tool) -> str:
    """Return the syntax of a call of a tool: ``Pick[object]``."""
    return f"{tool.name}[{', '.join(tool.parameters.get('required', ()))}]"


def _resolve_call(observation: Observation, call: ToolCall) -> Action:
    tool = next((tool for tool in observation.tools if tool.name == call.name), None)
    if tool is None:
        known = ", ".join(tool.name for tool in observation.tools)
        raise HomebodyError(f"unknown tool: {str(call.name)[:80]!r}", f"use one of: {known}")
    if not isinstance(call.arguments, Mapping):
        raise HomebodyError(
            f"the arguments of {tool.name} must be an object", "pass each by its name"
        )
    names = list(tool.parameters.get("properties", ()))
    given = {name: value for name, value in call.arguments.items() if value is not None}
    for name in given:
        if name not in names:
            raise HomebodyError(
                f"{tool.name} has no argument {str(name)[:80]!r}",
                f"it has: {', '.join(names) or 'none'}",
            )
    missing = [name for name in tool.parameters.get("required", ()) if name not in given]
    if missing:
        raise HomebodyError(f"{tool.name} needs: {', '.join(missing)}")
    if not all(isinstance(value, str) for value in given.values()):
        raise HomebodyError(
            f"the arguments of {tool.name} must be strings", "pass the names of objects"
        )
    return Action(tool.name, tuple(given[name] for name in names if name in given))
