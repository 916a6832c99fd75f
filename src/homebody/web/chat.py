"""The chat of persons who play together."""

from __future__ import annotations

from typing import Final

from homebody.core import HomebodyError
from homebody.web.access import RefusedError
from homebody.web.game_journal import ChatLine

MAX_MESSAGE: Final = 500
"""Maximum characters of a message."""
MAX_MESSAGES: Final = 500
"""Maximum number of messages in a game."""


class Chat:
    """The messages of a game.

    Args:
        is_open: True if persons may write and there is more than one.
    """

    def __init__(self, is_open: bool) -> None:
        self.is_open = is_open
        self.messages: list[ChatLine] = []

    def messages_json(self) -> list[dict[str, str]] | None:
        """Return the messages as ``role`` and ``text``, oldest first; None without a chat."""
        return [{"role": m.role, "text": m.text} for m in self.messages] if self.is_open else None

    def check(self, text: str) -> str:
        """Return a message with its spaces normalized.

        Raises HomebodyError if its length is invalid, RefusedError if it cannot be written now.
        """
        text = " ".join(text.encode("utf-8", "replace").decode().split())
        if not 0 < len(text) <= MAX_MESSAGE:
            raise HomebodyError(f"a message has 1 to {MAX_MESSAGE} characters")
        if not self.is_open:
            raise RefusedError("this game has no chat")
        if len(self.messages) >= MAX_MESSAGES:
            raise RefusedError("there have been too many messages")
        return text
