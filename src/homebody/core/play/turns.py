"""Sessions by turns, for one role whose actions take no time: whoever makes one says only what it
is about, as a :class:`Game`.

    session = TurnSession("task-1", "Put the milk away.", Kitchen(), max_actions=20)

The clock is the number of actions that were tried. It ends with ``Done``, when the goal is met, the
game says so, or all actions are used up.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from homebody.core.action import Action
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conversation import Tool
from homebody.core.play.session import (
    ALL_DONE,
    DONE,
    GOAL_MET,
    Event,
    Observation,
    is_done,
    require_ready,
    require_role,
)
from homebody.core.play.transcript import (
    MAX_NAME,
    Transcript,
    TranscriptEntry,
    is_writable,
    printable,
    read_call,
    unread,
    write_call,
)
from homebody.core.protocol import CORRECTED, Protocol, judged_by
from homebody.core.score import Score

if TYPE_CHECKING:
    from homebody.core.play.conversation import Image

_DONE_TOOL: Final = Tool.of(DONE.name, "Say that you are finished.")


class Game(typing.Protocol):
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
        """What looks possible, in a fixed order; ``Done`` is added to it. Each as
        :meth:`homebody.core.play.session.View.options` says."""
        ...

    def tools(self) -> Sequence[Tool]:
        """What can be done at all; ``Done`` is added to it."""
        ...

    def progress(self) -> float:
        """How far the goal is met, from 0 to 1."""
        ...


class TurnSession:
    """A game being played; see :class:`homebody.core.play.session.Session`.

    Args:
        identifier: The task's id.
        instruction: What is to be done.
        game: As it is at first; nobody else changes it.
        max_actions: How many actions can be tried.
        seed: Written down, for the transcript.
        settings: Likewise: those that are not as usual.
        role: Who plays.
        source: What it was made of: a task of a suite, for policies that may know it.
        measure: ``measure(score, protocol)`` -> the score, out of the one that all have, which
            knows the corrected protocol only; left out, that one.
        images: What the role sees; models are shown it. Left out, there are no pictures.
        over: Why it is over although the goal is not met, None while it goes on; asked after each
            action.
        by_itself: Whether ``Done`` is not offered: it ends with the goal, when it is over, or when
            all actions are used up, and else only for who gives up.

    Attributes:
        entries: All that was tried.
        clock: How many actions were tried.
        moment: Grows whenever something happens.
        ending: Why it has ended; None while it goes on.

    Raises:
        HomebodyError: the role has no plain name of up to 40 characters; when they are asked for,
            options or tools of the game that cannot be written as a call.
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
        source: Any = None,
        measure: Callable[[Score, Protocol | None], Score] | None = None,
        images: Callable[[], Sequence[Image]] | None = None,
        over: Callable[[], str | None] = lambda: None,
        by_itself: bool = False,
    ) -> None:
        if not role or printable(role)[:MAX_NAME] != role:
            raise HomebodyError(f"a role has a plain name of up to {MAX_NAME} characters")
        self.identifier = identifier
        self.instruction = instruction
        self.game = game
        self.max_actions = max_actions
        self.source = source
        self._measure = measure
        self._images = images
        self._over = over
        self._last = () if by_itself else (DONE,)
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
        """Try an action. What a game raises besides HomebodyError is its author's to mend, and as
        if nothing had been tried here."""
        require_ready(self, role)
        call = write_call(action)
        read = read_call(call)  # what is done is what a replay would read
        if read is None:
            self.note(role, call, cycle, planner)
            return self._news[-1]
        ok, ending = True, None
        if is_done(read):
            read, message, ending = DONE, "You are done.", ALL_DONE
        else:
            try:
                message = self.game.do(read)
            except HomebodyError as error:
                ok, message = False, error.advice
            else:
                ending = GOAL_MET if self.progress() >= 1.0 else None
        self.entries.append(TranscriptEntry(self.clock, role, call, cycle, planner))
        return self._end_turn(read, ok, message, ending)

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        """Write down what was no action; it counts as one that was refused."""
        require_ready(self, role)
        example = write_call(self.options(role)[0])
        self.entries.append(TranscriptEntry(self.clock, role, unread(text), cycle, planner))
        self._end_turn(Action(""), False, f"there is no action in this; write one as {example}")

    def _end_turn(self, action: Action, ok: bool, message: str, ending: str | None = None) -> Event:
        event = Event(self.roles[0], action, ok, message, self.clock, self.clock + 1)
        self.clock += 1
        self.moment += 1
        self._news = (event,)
        self._refused += not ok
        used_up = f"all {self.max_actions} actions are used up"
        self.ending = (
            ending or self._over() or (used_up if self.clock >= self.max_actions else None)
        )
        return event

    def observe(self, role: str) -> Observation:
        """What the role is told now."""
        require_role(self, role)
        return Observation(
            *(role, self.clock, self.instruction, self._news, self, self.moment),
            shows=self._images is not None,
            left=self.max_actions - self.clock,
        )

    def describe(self, role: str) -> str:
        """All that is known, in words."""
        return self.game.describe()

    def learnt(self, role: str) -> str:
        """All that is known, before the first action; the news say the rest."""
        return "" if self._news else self.game.describe()

    def options(self, role: str) -> Sequence[Action]:
        """What looks possible, ``Done`` last."""
        options = self.game.options()
        for option in options:
            if not is_writable(option):
                raise HomebodyError(
                    f"the game offers what cannot be written as a call: {str(option)[:80]!r}",
                    "names of actions are of letters, digits and _; arguments without , [ and ]",
                )
        return [*options, *self._last]

    def tools(self, role: str) -> Sequence[Tool]:
        """What can be done at all."""
        tools = self.game.tools()
        for tool in tools:
            if not is_writable(Action(tool.name)):
                raise HomebodyError(
                    f"the game has a tool that cannot be written as a call: {tool.name[:80]!r}",
                    "names of actions are of letters, digits and _",
                )
        return [*tools, _DONE_TOOL] if self._last else tools

    def known(self, role: str) -> Any:
        """The game; only to be read."""
        return self.game

    def images(self, role: str) -> Sequence[Image]:
        """What the role sees; raises HomebodyError if there are no pictures."""
        if self._images is None:
            raise HomebodyError("there are no pictures of this game")
        return self._images()

    def progress(self) -> float:
        """How far the goal is met now."""
        return self.game.progress()

    def record(self, name: str, value: str) -> None:
        """Write down among the settings what was found out on the way, such as which file was
        read."""
        self._settings[name] = value

    def transcript(self) -> Transcript:
        """What was tried so far."""
        return Transcript(self._settings, self._seed, tuple(self.entries))

    def score(self, protocol: Protocol | None = None) -> Score:
        """Whether the goal is met, and how far, as if it ended now; by any protocol."""
        if self._measure is None:
            judged_by(protocol, CORRECTED)
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
        score = Score(self.identifier, metrics, record)
        return score if self._measure is None else self._measure(score, protocol)

    def _explanation(self) -> str:
        met = f"{self.progress():.0%} of the goal is met after {self.clock} actions"
        refused = [event.message for event in self._news if not event.ok]
        return ": ".join([f"{met}, {self.ending or 'and it goes on'}", *refused])
