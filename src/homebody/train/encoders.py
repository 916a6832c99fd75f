"""Encoders: the observations and actions of learners."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np
from gymnasium import spaces

from homebody.core.action import Action
from homebody.core.play.session import ActionInput, Event, Session
from homebody.core.play.telling import sentence

MAX_TEXT: Final = 60_000
"""Maximum number of characters of a text observation."""
MAX_CALL: Final = 400
"""Maximum number of characters of a text action."""
CHARACTERS: Final = string.printable
_CHARSET: Final = frozenset(CHARACTERS)
_UNPRINTABLE: Final = {code: "?" for code in range(128) if chr(code) not in _CHARSET}


class Encoder(Protocol):
    """The interface between sessions and learners.

    It serves one session at a time and may cache data of it. Each environment has its own copy
    (``copy.deepcopy``).
    """

    def observation_space(self) -> spaces.Space[Any]:
        """Return a new space of a role's observations."""
        ...

    def action_space(self) -> spaces.Space[Any]:
        """Return a new space of a role's actions."""
        ...

    def begin(self, session: Session) -> None:
        """Start a session, and forget the last one."""
        ...

    def observe(self, session: Session, role: str, last: Event | None) -> Any:
        """Return a role's observation.

        Args:
            last: The event of its last action, if the action has ended and the role has not
                observed this event yet.
        """
        ...

    def read(self, session: Session, role: str, action: Any) -> ActionInput:
        """Convert an element of the action space to an action.

        Raises:
            ValueError: it is not in the action space.
            HomebodyError: the element stands for no possible action; the hint says what to choose
                instead.
        """
        ...

    def info(self, session: Session, role: str) -> dict[str, Any]:
        """Return further information, such as ``action_mask``, the mask of possible actions."""
        ...


@dataclass
class TextEncoder:
    """Text observations; actions are strings or numbers of options.

    The first observation has the instruction and everything that the role knows. Later ones have
    the news: the result of its action, other events that it saw, and changes of its knowledge.

    Attributes:
        whole: True if every observation has everything that the role knows.
        options: Number of options to choose from: the first options of the session, as in
            ``info["options"]``. If 0, actions are strings.
    """

    whole: bool = False
    options: int = 0
    _started: set[str] = field(default_factory=set, init=False)
    _options: dict[str, Sequence[Action]] = field(default_factory=dict, init=False)

    def observation_space(self) -> spaces.Space[Any]:
        """Return a space of strings."""
        return spaces.Text(MAX_TEXT, min_length=0, charset=_CHARSET)

    def action_space(self) -> spaces.Space[Any]:
        """Return a space of option numbers, or of strings such as ``Pick[cup_0]``."""
        return spaces.Discrete(self.options) if self.options else make_text_space()

    def begin(self, session: Session) -> None:
        """Start a session, and forget the last one."""
        self._started.clear()
        self._options.clear()

    def observe(self, session: Session, role: str, last: Event | None) -> str:
        """Return everything that a role knows, or its news."""
        observation = session.observe(role)
        if self.whole or role not in self._started:
            self._started.add(role)
            parts = [observation.instruction, observation.text]
        else:
            parts = [*(sentence(event, role) for event in observation.news), observation.changes]
        if last is not None and not any(last.message in part for part in parts):
            parts.append(last.message)
        return make_plain("\n".join(filter(None, parts)))

    def read(self, session: Session, role: str, action: Any) -> ActionInput:
        """Return a string, or the option of a number."""
        if not self.options:
            return read_text(action)
        number, options = read_number(action, self.options), self._options.get(role, ())
        return options[number] if number < len(options) else number  # take() refuses it

    def info(self, session: Session, role: str) -> dict[str, Any]:
        """Return the options and their action mask."""
        if not self.options:
            return {}
        options = session.observe(role).options[: self.options] if role in session.ready() else ()
        mask = np.zeros(self.options, np.int8)
        mask[: len(options)] = 1
        self._options[role] = options  # valid until one is chosen
        return {"options": options, "action_mask": mask}


def make_text_space() -> spaces.Text:
    """Return the space of text actions."""
    return spaces.Text(MAX_CALL, min_length=0, charset=_CHARSET)


def read_text(action: Any) -> str:
    """Check a text action. Raises ValueError if it is not a string."""
    if not isinstance(action, str):
        raise ValueError(f"an action must be a string, not {action!r}")
    return action


def read_number(action: Any, number: int) -> int:
    """Check the number of an action. Raises ValueError if it is out of range."""
    if not 0 <= int(action) < number:
        raise ValueError(f"unknown action: {action}")
    return int(action)


def make_plain(text: str) -> str:
    """Convert a string to an element of the space of strings: limited and printable."""
    return text[:MAX_TEXT].encode("ascii", "replace").decode().translate(_UNPRINTABLE)
