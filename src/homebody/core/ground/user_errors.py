"""Errors that are the user's to mend: a sentence and a hint, never a traceback."""

from __future__ import annotations

from homebody.core.ground.escaping import escape

MAX_MESSAGE = 2_000
"""Characters of a message, and of a hint; what is longer is cut."""


class HomebodyError(Exception):
    """A mistake or a missing thing that the user can do something about. Its words are safe
    to show, whatever names they quote.

    Attributes:
        hint: What to do about it, or an empty string.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(escape(message, MAX_MESSAGE, lines=True))
        self.hint = escape(hint, MAX_MESSAGE, lines=True)

    @property
    def advice(self) -> str:
        """The message and the hint, in one line."""
        return f"{self}; {self.hint}" if self.hint else str(self)


def version_hint(found: object, known: int, again: str) -> str:
    """What to do about a file of another version of its format: the hint of an error.

    Args:
        found: Its version.
        known: The one that this homebody reads.
        again: What makes a new one, where it is older.
    """
    newer = not isinstance(found, int) or found > known
    return "a newer homebody reads it: pip install --upgrade homebody" if newer else again
