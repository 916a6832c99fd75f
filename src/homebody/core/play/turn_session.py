"""Sessions by turns, for one role whose actions take no time: whoever makes one says only what it
is about, as a :class:`Game`.

    session = TurnSession("task-1", "Put the milk away.", Kitchen(), max_actions=20)

The clock is the number of actions that were tried. It ends with ``Done``, when the goal is met, the
game says so, or all actions are used up.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from homebody.core.action import Action
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conversation import Tool
from homebody.core.play.session import ALL_DONE, GOAL_MET, Event
from homebody.core.play.session_base import SessionBase
from homebody.core.play.transcript import Transcript, write_call
from homebody.core.protocol import CORRECTED, Protocol, resolve_protocol
from homebody.core.score import Score

if TYPE_CHECKING:
    from homebody.core.play.conversation import Image


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


class TurnSession(SessionBase):
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
        measure: ``measure(session, score, protocol)`` -> the score, out of the one that all have,
            which knows the corrected protocol only; left out, that one.
        images: ``images(session)`` -> what the role sees; models are shown it. Left out, there are
            no pictures.
        over: ``over(session)`` -> why it is over although the goal is not met, None while it goes
            on; asked after each action.
        without_done: True to leave ``Done`` out of options and tools. The session then ends when
            the goal is met, when ``over`` returns a reason or when all actions are used up. A role
            that gives up can still call ``Done``.

    Raises:
        HomebodyError: the role has no plain name of up to 40 characters; when they are asked for,
            options or tools of the game that cannot be written as a call.
    """

    done_message = "You are done."

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
        measure: Callable[[TurnSession, Score, Protocol | None], Score] | None = None,
        images: Callable[[TurnSession], Sequence[Image]] | None = None,
        over: Callable[[TurnSession], str | None] | None = None,
        without_done: bool = False,
    ) -> None:
        super().__init__(
            (role,),
            instruction,
            identifier=identifier,
            max_actions=max_actions,
            origin=Transcript(dict(settings or {}), seed),
            source=source,
        )
        self.game = game
        self._measure = measure
        self._images = images
        self._game_over = over
        self._by_itself = without_done
        self._ending: str | None = None

    def _find_ending(self) -> str | None:
        return self._ending

    def _begin(self, role: str, action: Action) -> Event:
        """Try an action. What a game raises besides HomebodyError is its author's to mend, and as
        if nothing had been tried here."""
        try:
            ok, message = True, self.game.do(action)
        except HomebodyError as error:
            ok, message = False, error.advice
        return self._event(role, action, ok, message)

    def _event(self, role: str, action: Action, ok: bool, message: str) -> Event:
        self._clock += 1
        return Event(role, action, ok, message, self.clock - 1, self.clock)

    def _refuse_unread(self, role: str, text: str) -> Event:
        example = write_call(self.options(role)[0])
        message = f"there is no action in this; write one as {example}"
        return self._event(role, Action(""), False, message)

    def _settle(self) -> None:
        last = self.event_log.news(self.roles[0])[-1]
        if self.done:
            self._ending = ALL_DONE
        elif last.ok and self.progress() >= 1.0:
            self._ending = GOAL_MET
        else:
            self._ending = None if self._game_over is None else self._game_over(self)
        if self._ending is None and self.clock >= self.max_actions:
            self._ending = f"all {self.max_actions} actions are used up"

    def describe(self, role: str) -> str:
        """All that is known, in words."""
        return self.game.describe()

    def possible(self, role: str) -> Sequence[Action]:
        """What looks possible."""
        return self.game.options()

    def options(self, role: str) -> Sequence[Action]:
        """What looks possible, ``Done`` last if it is offered."""
        options = super().options(role)
        return options[:-1] if self._by_itself else options

    @property
    def skills(self) -> Sequence[Tool]:  # type: ignore[override]
        """What can be done at all."""
        return self.game.tools()

    def tools(self, role: str) -> Sequence[Tool]:
        """What can be done at all, ``Done`` last if it is offered."""
        tools = super().tools(role)
        return tools[:-1] if self._by_itself else tools

    def knowledge(self, role: str) -> Any:
        """The game; only to be read."""
        return self.game

    @property
    def shows_images(self) -> bool:
        """Whether models are shown the images."""
        return self._images is not None

    def images(self, role: str) -> Sequence[Image]:
        """What the role sees; raises HomebodyError if there are no pictures."""
        if self._images is None:
            raise HomebodyError("there are no pictures of this game")
        return self._images(self)

    def progress(self) -> float:
        """How far the goal is met now."""
        return self.game.progress()

    def record(self, name: str, value: str) -> None:
        """Write down among the settings what was found out on the way, such as which file was
        read."""
        settings = {**self._origin.settings, name: value}
        self._origin = replace(self._origin, settings=settings)

    def score(self, protocol: Protocol | None = None) -> Score:
        """Whether the goal is met, and how far, as if it ended now; by any protocol."""
        if self._measure is None:
            resolve_protocol(protocol, CORRECTED)
        progress = self.progress()
        metrics = {"success": float(progress >= 1.0), "progress": progress}
        record = {
            "identifier": self.identifier,
            "success": progress >= 1.0,
            "progress": progress,
            "actions": self.clock,
            "refused": self._refused,
            "ending": self.ending,
            "explanation": self.explanation(),
        }
        score = Score(self.identifier, metrics, record)
        return score if self._measure is None else self._measure(self, score, protocol)

    def explanation(self) -> str:
        """How far the goal is met, and why the last action was refused."""
        met = f"{self.progress():.0%} of the goal is met after {self.clock} actions"
        news = self.event_log.news(self.roles[0])
        refused = [event.message for event in news if not event.ok]
        return ": ".join([f"{met}, {self.ending or 'and it goes on'}", *refused])
