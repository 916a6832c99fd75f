"""What persons who play together write to each other."""

from __future__ import annotations

from typing import Final

from homebody.core import HomebodyError
from homebody.web.access import RefusedError
from homebody.web.game_journal import ChatLine

MAX_MESSAGE: Final = 500
"""Characters of a message."""
MAX_MESSAGES: Final = 500
"""That persons can write in a game."""


class Chat:
    """The messages of a game.

    Args:
        is_open: Whether there is a chat: persons may write, and are more than one.
    """

    def __init__(self, is_open: bool) -> None:
        self.is_open = is_open
        self.messages: list[ChatLine] = []

    def messages_json(self) -> list[dict[str, str]] | None:
        """What has been written, oldest first: ``role`` and ``text``; None if there is no chat."""
        return [{"role": m.role, "text": m.text} for m in self.messages] if self.is_open else None

    def check(self, text: str) -> str:
        """A message as it is kept.

        Raises:
            HomebodyError: it is empty or too long.
            Refused: nobody writes in this game, or it has been too much.
        """
        text = " ".join(text.encode("utf-8", "replace").decode().split())
        if not 0 < len(text) <= MAX_MESSAGE:
            raise HomebodyError(f"a message has 1 to {MAX_MESSAGE} characters")
        if not self.is_open:
            raise RefusedError("there is no chat in this game")
        if len(self.messages) >= MAX_MESSAGES:
            raise RefusedError("there have been too many messages")
        return text
