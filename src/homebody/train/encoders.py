"""What learners observe of a session, and what their actions mean in it."""

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
"""Most characters of an observation in words."""
MAX_CALL: Final = 400
"""Most characters of an action in words."""
CHARACTERS: Final = string.printable
_CHARSET: Final = frozenset(CHARACTERS)
_UNPRINTABLE: Final = {code: "?" for code in range(128) if chr(code) not in _CHARSET}


class Encoder(Protocol):
    """How a session looks to learners: all that an environment needs to know of it.

    It serves one session at a time, and may keep what it has worked out for it; each environment
    has a copy of its own (``copy.deepcopy``).
    """

    def observation_space(self) -> spaces.Space[Any]:
        """What a role's observations are out of; a new object each time."""
        ...

    def action_space(self) -> spaces.Space[Any]:
        """What a role's actions are out of; a new object each time."""
        ...

    def begin(self, session: Session) -> None:
        """A session begins: what was known of another one is forgotten."""
        ...

    def observe(self, session: Session, role: str, last: Event | None) -> Any:
        """What a role observes now.

        Args:
            last: What became of its last action, if it is over and was not shown yet.
        """
        ...

    def read(self, session: Session, role: str, action: Any) -> ActionInput:
        """The action that was meant.

        Raises:
            ValueError: it is not in the action space.
            HomebodyError: it means nothing now, with what to choose instead.
        """
        ...

    def info(self, session: Session, role: str) -> dict[str, Any]:
        """What else a role is told; with numbered actions ``action_mask``, of those possible."""
        ...


@dataclass
class TextEncoder:
    """Observations in words; actions in words, or numbers of options.

    At first a role is told its instruction and all that it knows; after that the news: what
    became of its action, what else it saw happen, what it has come to know.

    Attributes:
        whole: Whether it is told all that it knows each time.
        options: How many options can be chosen from: the first so many that the session lists,
            which ``info["options"]`` has. Actions are texts if it is 0.
    """

    whole: bool = False
    options: int = 0
    _begun: set[str] = field(default_factory=set, init=False)
    _options: dict[str, Sequence[Action]] = field(default_factory=dict, init=False)

    def observation_space(self) -> spaces.Space[Any]:
        """Texts."""
        return spaces.Text(MAX_TEXT, min_length=0, charset=_CHARSET)

    def action_space(self) -> spaces.Space[Any]:
        """Numbers of options, or texts such as ``Pick[cup_0]``."""
        return spaces.Discrete(self.options) if self.options else text_actions()

    def begin(self, session: Session) -> None:
        """A session begins: all is to be told."""
        self._begun.clear()
        self._options.clear()

    def observe(self, session: Session, role: str, last: Event | None) -> str:
        """All that a role knows, or its news."""
        observation = session.observe(role)
        if self.whole or role not in self._begun:
            self._begun.add(role)
            parts = [observation.instruction, observation.text]
        else:
            parts = [*(sentence(event, role) for event in observation.news), observation.changes]
        if last is not None and not any(last.message in part for part in parts):
            parts.append(last.message)
        return plain("\n".join(filter(None, parts)))

    def read(self, session: Session, role: str, action: Any) -> ActionInput:
        """A text, or the option of a number."""
        if not self.options:
            return worded(action)
        number, options = numbered(action, self.options), self._options.get(role, ())
        return options[number] if number < len(options) else number  # what is none is told so

    def info(self, session: Session, role: str) -> dict[str, Any]:
        """The options, and which numbers are some."""
        if not self.options:
            return {}
        options = session.observe(role).options[: self.options] if role in session.ready() else ()
        mask = np.zeros(self.options, np.int8)
        mask[: len(options)] = 1
        self._options[role] = options  # nothing happens until one is chosen
        return {"options": options, "action_mask": mask}


def text_actions() -> spaces.Text:
    """The space of actions in words."""
    return spaces.Text(MAX_CALL, min_length=0, charset=_CHARSET)


def worded(action: Any) -> str:
    """An action in words. Raises ValueError if it is none."""
    if not isinstance(action, str):
        raise ValueError(f"an action in words is a text, not {action!r}")
    return action


def numbered(action: Any, number: int) -> int:
    """The number of an action. Raises ValueError if there is none such."""
    if not 0 <= int(action) < number:
        raise ValueError(f"there is no action {action}")
    return int(action)


def plain(text: str) -> str:
    """A text of a space of texts: of so many characters that can be printed."""
    return text[:MAX_TEXT].encode("ascii", "replace").decode().translate(_UNPRINTABLE)
