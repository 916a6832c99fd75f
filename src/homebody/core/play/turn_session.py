"""Turn-based sessions with one role, whose actions take no time. They only need a :class:`Game`.

    session = TurnSession("task-1", "Put the milk away.", Kitchen(), max_actions=20)

The clock is the number of actions that were tried. The session ends with ``Done``, when the goal is
met, when the game is over, or when all actions are used up.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from homebody.core.action import Action
from homebody.core.goal import is_met
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
    """A turn-based game, which keeps its own state."""

    def do(self, action: Action) -> str:
        """Carry out an arbitrary action, and return a sentence on its result.

        Raises:
            HomebodyError: it is impossible, and nothing has changed. The message has the reason,
                the hint what to do instead.
        """
        ...

    def describe(self) -> str:
        """Return everything that the player knows, as text."""
        ...

    def options(self) -> Sequence[Action]:
        """Return the actions that look possible, in a fixed order, without ``Done``. See
        :meth:`homebody.core.play.session.View.options`."""
        ...

    def tools(self) -> Sequence[Tool]:
        """Return all kinds of actions, without ``Done``."""
        ...

    def progress(self) -> float:
        """Return the progress towards the goal, from 0 to 1."""
        ...


class TurnSession(SessionBase):
    """A game being played; see :class:`homebody.core.play.session.Session`.

    Args:
        identifier: The task's id.
        instruction: The task as text.
        game: The game in its initial state; nothing else may change it.
        max_actions: Number of actions that can be tried.
        seed: The seed, for the transcript.
        settings: The settings that are not the defaults, for the transcript.
        role: The name of the only role.
        source: The task from which the session was made, for policies that may use it.
        measure: ``measure(session, score, protocol)`` -> the final score, made from the default
            score. By default, the default score, which only supports the corrected protocol.
        images: ``images(session)`` -> the pictures that the role sees and models receive. By
            default there are no pictures.
        over: ``over(session)`` -> the reason why the game is over although the goal is not met;
            None if it is not over. Called after each action.
        without_done: True to omit ``Done`` from options and tools. The session then ends when
            the goal is met, when ``over`` returns a reason or when all actions are used up. A role
            that gives up can still call ``Done``.

    Raises:
        HomebodyError: the role's name is not printable or is longer than 40 characters. Later,
            reading options or tools raises it if one cannot be written as a call.
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
        """Try an action. Exceptions other than HomebodyError are bugs of the game, and leave this
        session unchanged."""
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
        elif last.ok and is_met(self.progress()):
            self._ending = GOAL_MET
        else:
            self._ending = None if self._game_over is None else self._game_over(self)
        if self._ending is None and self.clock >= self.max_actions:
            self._ending = f"all {self.max_actions} actions are used up"

    def describe(self, role: str) -> str:
        """Return everything that the role knows, as text."""
        return self.game.describe()

    def possible(self, role: str) -> Sequence[Action]:
        """Return the actions that look possible."""
        return self.game.options()

    def options(self, role: str) -> Sequence[Action]:
        """Return the actions that look possible, ``Done`` last if it is offered."""
        options = super().options(role)
        return options[:-1] if self._by_itself else options

    @property
    def skills(self) -> Sequence[Tool]:  # type: ignore[override]
        """All kinds of actions."""
        return self.game.tools()

    def tools(self, role: str) -> Sequence[Tool]:
        """Return all kinds of actions, ``Done`` last if it is offered."""
        tools = super().tools(role)
        return tools[:-1] if self._by_itself else tools

    def knowledge(self, role: str) -> Any:
        """Return the game; read-only."""
        return self.game

    @property
    def shows_images(self) -> bool:
        """True if models receive the images."""
        return self._images is not None

    def images(self, role: str) -> Sequence[Image]:
        """Return the pictures that the role sees. Raises HomebodyError if there are no pictures."""
        if self._images is None:
            raise HomebodyError("there are no pictures of this game")
        return self._images(self)

    def progress(self) -> float:
        """Return the progress towards the goal, from 0 to 1."""
        return self.game.progress()

    def record(self, name: str, value: str) -> None:
        """Add a setting to the record that is only known later, such as the file that was read."""
        settings = {**self._origin.settings, name: value}
        self._origin = replace(self._origin, settings=settings)

    def score(self, protocol: Protocol | None = None) -> Score:
        """Score the session as if it ended now."""
        if self._measure is None:
            resolve_protocol(protocol, CORRECTED)
        progress = self.progress()
        metrics = {"success": float(is_met(progress)), "progress": progress}
        record = {
            "identifier": self.identifier,
            "success": is_met(progress),
            "progress": progress,
            "actions": self.clock,
            "refused": self._refused,
            "ending": self.ending,
            "explanation": self.explanation(),
        }
        score = Score(self.identifier, metrics, record)
        return score if self._measure is None else self._measure(self, score, protocol)

    def explanation(self) -> str:
        """Return the progress, and why the last action was refused."""
        met = f"{self.progress():.0%} of the goal is met after {self.clock} actions"
        news = self.event_log.news(self.roles[0])
        refused = [event.message for event in news if not event.ok]
        return ": ".join([f"{met}, {self.ending or 'and it continues'}", *refused])
