"""Sessions by turns, for one role whose actions take no time: whoever makes one says only what it
is about, as a :class:`Game`.

    session = TurnSession("task-1", "Put the milk away.", Kitchen(), max_actions=20)

The clock is the number of actions that were tried. It ends with ``Done``, when the goal is met, or
when all actions are used up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from homebody.core.action import Action
from homebody.core.conversation import Tool
from homebody.core.errors import HomebodyError
from homebody.core.session import ALL_DONE, DONE, GOAL_MET, Event, NotReadyError, Observation
from homebody.core.task import Protocol as Rules
from homebody.core.task import Score
from homebody.core.transcript import (
    Transcript,
    TranscriptEntry,
    read_call,
    unread,
    write_call,
)

if TYPE_CHECKING:
    from homebody.core.session import Image

_DONE_TOOL: Final = Tool.of(DONE.name, "Say that you are finished.")


class Game(Protocol):
    """What is played by turns; it keeps its own state."""

    def do(self, action: Action) -> str:
        """Carry out an action, any whatever, and say in a sentence what it did.

        Raises:
            HomebodyError: it cannot be done, and nothing has changed; why, and as the hint what
                to do instead.
        """
        ...

    def describe(self) -> str:
        """All that the player knows, in words."""
        ...

    def options(self) -> Sequence[Action]:
        """What looks possible, in a fixed order; ``Done`` is added to it."""
        ...

    def tools(self) -> Sequence[Tool]:
        """What can be done at all; ``Done`` is added to it."""
        ...

    def progress(self) -> float:
        """How far the goal is met, from 0 to 1."""
        ...


class TurnSession:
    """A game being played; see :class:`homebody.core.session.Session`.

    Args:
        identifier: The task's id.
        instruction: What is to be done.
        game: As it is at first; nobody else changes it.
        max_actions: How many actions can be tried.
        seed: Written down, for the transcript.
        settings: Likewise: those that are not as usual.
        role: Who plays.

    Attributes:
        entries: All that was tried.
        clock: How many actions were tried.
        moment: Grows whenever something happens.
        ending: Why it has ended; None while it goes on.
    """

    def __init__(
        self,
        identifier: str,
        instruction: str,
        game: Game,
        *,
        max_actions: int,
        seed: int = 0,
        settings: Mapping[str, str] | None = None,
        role: str = "agent",
    ) -> None:
        self.identifier = identifier
        self.instruction = instruction
        self.game = game
        self.max_actions = max_actions
        self.roles = (role,)
        self.entries: list[TranscriptEntry] = []
        self.clock = 0
        self.moment = 0
        self.ending: str | None = None
        self._seed = seed
        self._settings = dict(settings or {})
        self._refused = 0
        self._news: tuple[Event, ...] = ()

    def ready(self) -> tuple[str, ...]:
        """The role, until it has ended."""
        return self.roles if self.ending is None else ()

    def busy(self, role: str) -> Action | None:
        """Nothing: actions take no time."""
        return None

    def advance(self) -> Sequence[Event]:
        """Nothing happens by itself."""
        return ()

    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event:
        """Try an action."""
        call = write_call(action)
        read = read_call(call)  # what is done is what a replay would read
        if read is None:
            self.note(role, call, cycle, planner)
            return self._news[-1]
        self._write(role, write_call(read), cycle, planner)
        if read.name == DONE.name:
            return self._end_turn(DONE, True, "You are done.", ALL_DONE)
        try:
            message = self.game.do(read)
        except HomebodyError as error:
            return self._end_turn(read, False, error.advice)
        return self._end_turn(read, True, message, GOAL_MET if self.progress() >= 1.0 else None)

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        """Write down what was no action; it counts as one that was refused."""
        self._write(role, unread(text), cycle, planner)
        example = write_call(self.options(role)[0])
        self._end_turn(Action(""), False, f"there is no action in this; write one as {example}")

    def _write(self, role: str, call: str, cycle: int, planner: str) -> None:
        if role not in self.ready():
            raise NotReadyError(f"{role[:40]!r} cannot act now")
        self.entries.append(TranscriptEntry(self.clock, role, call, cycle, planner))

    def _end_turn(self, action: Action, ok: bool, message: str, ending: str | None = None) -> Event:
        event = Event(self.roles[0], action, ok, message, self.clock, self.clock + 1)
        self.clock += 1
        self.moment += 1
        self._news = (event,)
        self._refused += not ok
        used_up = f"all {self.max_actions} actions are used up"
        self.ending = ending or (used_up if self.clock >= self.max_actions else None)
        return event

    def observe(self, role: str) -> Observation:
        """What the role is told now."""
        return Observation(role, self.clock, self.instruction, self._news, self, self.moment)

    def describe(self, role: str) -> str:
        """All that is known, in words."""
        return self.game.describe()

    def learnt(self, role: str) -> str:
        """All that is known, before the first action; the news say the rest."""
        return "" if self._news else self.game.describe()

    def options(self, role: str) -> Sequence[Action]:
        """What looks possible, ``Done`` last."""
        return [*self.game.options(), DONE]

    def tools(self, role: str) -> Sequence[Tool]:
        """What can be done at all."""
        return [*self.game.tools(), _DONE_TOOL]

    def known(self, role: str) -> Any:
        """The game; only to be read."""
        return self.game

    def images(self, role: str) -> Sequence[Image]:
        """There are none."""
        return ()

    def progress(self) -> float:
        """How far the goal is met now."""
        return self.game.progress()

    def transcript(self) -> Transcript:
        """What was tried so far."""
        return Transcript(self._settings, self._seed, tuple(self.entries))

    def score(self, protocol: Rules) -> Score:
        """Whether the goal is met, and how far, as if it ended now."""
        progress = self.progress()
        metrics = {"success": float(progress >= 1.0), "progress": progress}
        record = {
            "identifier": self.identifier,
            "success": progress >= 1.0,
            "progress": progress,
            "actions": self.clock,
            "refused": self._refused,
            "ending": self.ending,
            "explanation": self._explanation(),
        }
        return Score(self.identifier, metrics, record)

    def _explanation(self) -> str:
        met = f"{self.progress():.0%} of the goal is met after {self.clock} actions"
        refused = [event.message for event in self._news if not event.ok]
        return ": ".join([f"{met}, {self.ending or 'and it goes on'}", *refused])
