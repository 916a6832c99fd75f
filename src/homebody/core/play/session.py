"""Sessions: tasks that are being played, and the only door to them.

    session = playing.start(task, {}, seed, CORRECTED)
    while session.ending is None:  # what homebody.core.play.rounds does
        for role in session.ready():
            session.act(role, choose(session.observe(role)))
        session.advance()
    session.score(CORRECTED), session.transcript().encode()

Whatever plays, trains, shows or serves is an adapter on this contract and knows no suite: it asks
who is :meth:`~Session.ready`, what each may know (:meth:`~Session.observe`), has them
:meth:`~Session.act`, and lets time pass (:meth:`~Session.advance`). A task for one is a session
with one role; where actions take no time, they are over when they have begun.

Sessions share nothing that changes, so that any number can be open at once. The same task,
settings, seed and actions give the same session, and its transcript plays it again
(:mod:`.replay`). What they share that is only made once, such as what was worked out of a house or
a task, is kept in caches: sessions of one process are played by one thread at a time. The caches of
houses tolerate other threads, those of suites are not promised to; what takes long to make can be
made by another thread before (:attr:`.suite.Playing.build`).

Whoever serves a single role has to know what is for it: what :meth:`~Session.observe` tells it. All
else is the referee's, above all what :meth:`~Session.advance` returns, ``known`` of other roles,
:meth:`~Session.progress`, :meth:`~Session.score` and :attr:`~Session.ending`. Each session has
bounds of its own, and comes to its end if whoever plays acts and lets time pass.
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
"""The action by which a role says that its part is over; in every session."""
WAIT: Final = Action("Wait")
"""The action of a role that does nothing until something happens; where time passes."""
GOAL_MET: Final = "the goal is met"
"""The ending of a session that goes on no longer than until its goal is met."""
ALL_DONE: Final = "everybody is done"
"""The ending of a session in which each role has said so. Any other ending is by a bound."""
NOT_READ: Final = "there is no action in this; write one as Name[argument, ...]"
"""What is told of what was said, where no action could be read in it."""


def is_done(action: Action) -> bool:
    """Whether an action ends a role's part: :data:`DONE`, whatever arguments it was given, or
    another of :mod:`.endings`."""
    return action.name in KINDS


@dataclass(frozen=True, slots=True)
class Event:
    """An action that is over, as it is told.

    Attributes:
        role: Who acted.
        action: What it did or tried.
        ok: Whether it did what it says.
        message: A sentence: what was done, or why not and what to do about it.
        start: The clock at which it began.
        end: The clock at which it was over.
    """

    role: str
    action: Action
    ok: bool
    message: str
    start: int
    end: int


class View(typing.Protocol):
    """What a session shows a role, made when it is asked for. Usually the session itself."""

    @property
    def moment(self) -> int:
        """Grows whenever something happens that a role could be told."""
        ...

    def describe(self, role: str) -> str:
        """All that a role knows, in words."""
        ...

    def learnt(self, role: str) -> str:
        """What a role has come to know since its last action began, in words."""
        ...

    def options(self, role: str) -> Sequence[Action]:
        """What looks possible to a role, in a fixed order. Each can be written and read again, as
        :func:`homebody.core.play.transcript.is_writable` says: there are no commas in names."""
        ...

    def tools(self, role: str) -> Sequence[Tool]:
        """What a role can do at all."""
        ...

    def known(self, role: str) -> Any:
        """What a role knows, in the world's own terms; only to be read."""
        ...

    def images(self, role: str) -> Sequence[Image]:
        """What a role sees. Raises HomebodyError if this world has no pictures."""
        ...


@typing.runtime_checkable
class SeesOthers(typing.Protocol):
    """A :class:`View` in which others can be seen at what they do."""

    def doing(self, role: str) -> Mapping[str, Action]:
        """What a role sees others do now: those of whom it sees it."""
        ...


@dataclass(frozen=True, slots=True)
class Gaze:
    """Where a role looks that handles what is in the middle of its picture.

    Attributes:
        names: What is in the middle, the nearest first.
        text: Where it looks, and what is there and around it, in words.
    """

    names: tuple[str, ...]
    text: str


@typing.runtime_checkable
class Aims(typing.Protocol):
    """A :class:`View` in which roles may handle what is in the middle of their picture."""

    def gaze(self, role: str) -> Gaze | None:
        """Where a role looks; None if it does not aim at what it handles."""
        ...


@dataclass(frozen=True, slots=True)
class Observation:
    """What a role is told: what is short at once, the rest when it is read.

    It is of one moment; what is read later can be read until something happens, and raises
    :class:`StaleError` from then on.

    Attributes:
        role: Who is told.
        clock: When.
        instruction: What is to be done, as this role is told.
        news: What it has seen happen since its last action began, that one's end too, oldest first.
        shows: Whether models are shown the images besides what they are told.
        left: How many more times it may act, refused or not (in how many planning cycles, where
            these are what is limited); None where no such limit is known.
        history: All that it has seen happen since the start, oldest first: news is its end.
    """

    role: str
    clock: int
    instruction: str
    news: tuple[Event, ...]
    view: View
    moment: int
    shows: bool = False
    left: int | None = None
    history: Sequence[Event] = ()

    @property
    def text(self) -> str:
        """All that the role knows, in words. Raises StaleError."""
        return self._now().describe(self.role)

    @property
    def learnt(self) -> str:
        """What the role has come to know since its last action began, in words: what it sees or
        finds changed. All that it knows, before it has acted. Raises StaleError."""
        return self._now().learnt(self.role)

    @property
    def options(self) -> Sequence[Action]:
        """What looks possible to the role. A number means the action at that place, from 0. Raises
        StaleError."""
        return self._now().options(self.role)

    @property
    def tools(self) -> Sequence[Tool]:
        """What the role can do at all, with JSON schemas of its arguments. Raises StaleError."""
        return self._now().tools(self.role)

    @property
    def doing(self) -> Mapping[str, Action]:
        """What the role sees others do now. Raises StaleError."""
        view = self._now()
        return view.doing(self.role) if isinstance(view, SeesOthers) else {}

    @property
    def gaze(self) -> Gaze | None:
        """Where the role looks that handles what is in the middle of its picture; None of others.
        Raises StaleError."""
        view = self._now()
        return view.gaze(self.role) if isinstance(view, Aims) else None

    @property
    def scene(self) -> KnownScene | None:
        """What the role knows of a world with geometry, to be drawn; None of other worlds. Raises
        StaleError."""
        view = self._now()
        return view.known_scene(self.role) if isinstance(view, ShowsScene) else None

    @property
    def known(self) -> Any:
        """What the role knows, in the world's own terms; only to be read. Raises StaleError."""
        return self._now().known(self.role)

    @property
    def images(self) -> Sequence[Image]:
        """What the role sees. Raises StaleError, or HomebodyError if this world has no
        pictures."""
        return self._now().images(self.role)

    def _now(self) -> View:
        if self.view.moment != self.moment:
            raise StaleError("the session has gone on: observe again")
        return self.view


class StaleError(RuntimeError):
    """Something has happened since the observation that was to be read."""


class NotReadyError(ValueError):
    """A role was to act that is not there, busy or done, or the session has ended."""


def require_role(session: Session, role: str) -> None:
    """Raises HomebodyError if there is no such role in a session."""
    if role not in session.roles:
        roles = ", ".join(session.roles)
        raise HomebodyError(f"there is no {printable(str(role))[:40]!r}", f"there are: {roles}")


class Session(typing.Protocol):
    """One task being played by one or more roles.

    Making one is cheap: what tasks of a world share is made once. Only :meth:`act`, :meth:`note`
    and :meth:`advance` change anything.
    """

    @property
    def roles(self) -> tuple[str, ...]:
        """Who plays, in order of precedence."""
        ...

    @property
    def clock(self) -> int:
        """Steps since the start. How long one takes is up to the world."""
        ...

    @property
    def rate(self) -> float:
        """Steps of the clock in a second of the world; 0 where actions take no time."""
        ...

    @property
    def ending(self) -> str | None:
        """None while it goes on, else why it has ended, for good: :data:`GOAL_MET`,
        :data:`ALL_DONE`, or a sentence about the bound that was reached."""
        ...

    def ready(self) -> tuple[str, ...]:
        """The roles that may act now, in order; nobody when it has ended."""
        ...

    def busy(self, role: str) -> Action | None:
        """What a role is doing; None if nothing, or if there is no such role."""
        ...

    def observe(self, role: str) -> Observation:
        """What a role is told now, after the end too. Changes nothing: the same until something
        happens. Raises HomebodyError if there is no such role."""
        ...

    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event | None:
        """Have a role do something, and write it down.

        Args:
            role: One that is ready.
            action: Whatever it is; what makes no sense is refused. :data:`DONE` ends its part.
            cycle: In which planning cycle it was decided, from 1; 0 if nobody was asked in words.
            planner: Whose cycles are counted: the role, or one who decides for several.

        Returns:
            How it ended, if it is over at once (refused, or it takes no time); None if it has
            begun, and ends in :meth:`advance`.

        Raises:
            NotReadyError: the role is not there, busy or done, or the session has ended.
            TypeError: the arguments of the action are no tuple of texts.
        """
        ...

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        """Write down what a role said, where no action could be read in it. The role is told so
        in its news, as of an action without a name that was refused.

        Raises:
            NotReadyError: as in :meth:`act`.
        """
        ...

    def advance(self) -> Sequence[Event]:
        """Go on to the next moment at which an action of somebody is over: those that are.
        Nothing, if nobody is doing anything. Those who are ready need not act before: they stand
        idle meanwhile."""
        ...

    def progress(self) -> float:
        """How far the goal is met now, from 0 to 1; cheap enough to be asked after each action."""
        ...

    def transcript(self) -> Transcript:
        """What was tried so far: enough to play it again (:mod:`.replay`)."""
        ...

    @property
    def now(self) -> Position:
        """The moment that it has come to: a replay of its transcript until then is like it."""
        ...

    def clone(self) -> Session:
        """A session that has come to the same moment and goes on by itself, exactly as this one
        would. It costs much less than to play it again. Sessions can be pickled, too."""
        ...

    def score(self, protocol: Protocol | None = None) -> Score:
        """How it did, as if it ended now, judged by a protocol; left out, the one that it is
        played under. Raises HomebodyError if that is no protocol, but its name for instance."""
        ...


Policy: TypeAlias = Callable[[Any, str], Action]
"""``policy(session, role)`` -> what a role that is ready does. What it may look at is up to it: an
agent to be evaluated looks at ``session.observe(role)`` only."""
Said: TypeAlias = Action | ToolCall | int | str
"""An action as somebody says it: as data, as a call of a tool, as the number of an option, as a
text in which it is written ``Pick[cup_0]``."""


def read_action(observation: Observation, said: Said) -> Action:
    """The action that was meant. Raises HomebodyError, with what to say instead, if none can be
    read; whether it makes sense is not looked at."""
    if isinstance(said, Action):
        return said
    if isinstance(said, str):
        try:
            return find_call(said)
        except HomebodyError as error:
            written = " or ".join(map(_written, observation.tools[:2]))
            raise HomebodyError(str(error), f"write one as {written}") from None
    if isinstance(said, ToolCall):
        return _called(observation, said)
    try:
        number = operator.index(said)  # of numpy's too
    except TypeError:
        number = None
    if number is None or isinstance(said, bool):
        raise HomebodyError(
            f"an action cannot be said as {type(said).__name__}",
            "say it as an Action, a ToolCall, the number of an option or a text: Name[argument]",
        )
    options = observation.options
    if not 0 <= number < len(options):
        raise HomebodyError(f"there is no option {number}", f"the last is {len(options) - 1}")
    return options[number]


def take(
    session: Session, role: str, said: Said, cycle: int = 0, planner: str = ""
) -> Event | None:
    """Have a role do what it says; see :meth:`Session.act`. What cannot be read is noted, and
    refused with the reason; NotReadyError if the role cannot act now, whatever it says."""
    try:
        action = said if isinstance(said, Action) else read_action(session.observe(role), said)
    except HomebodyError as error:
        if isinstance(said, ToolCall) and is_deep(said.arguments):
            said = ToolCall(said.name, {})
        return refuse(session, role, str(said), error, cycle, planner)
    return session.act(role, action, cycle, planner)


def refuse(
    session: Session, role: str, said: str, error: HomebodyError, cycle: int = 0, planner: str = ""
) -> Event:
    """Note what a role said that means no action, and tell it why."""
    session.note(role, said, cycle, planner)
    return Event(role, Action(""), False, error.advice, session.clock, session.clock)


def _written(tool: Tool) -> str:
    """How a call of a tool is written: ``Pick[object]``."""
    return f"{tool.name}[{', '.join(tool.parameters.get('required', ()))}]"


def _called(observation: Observation, call: ToolCall) -> Action:
    """The action of a call of a tool."""
    tool = next((tool for tool in observation.tools if tool.name == call.name), None)
    if tool is None:
        known = ", ".join(tool.name for tool in observation.tools)
        raise HomebodyError(f"there is no tool {str(call.name)[:80]!r}", f"there are: {known}")
    if not isinstance(call.arguments, Mapping):
        raise HomebodyError(f"the arguments of {tool.name} are no object", "give each by its name")
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
        raise HomebodyError(f"the arguments of {tool.name} are names", "give each as text")
    return Action(tool.name, tuple(given[name] for name in names if name in given))
