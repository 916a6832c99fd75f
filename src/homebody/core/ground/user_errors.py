"""Errors that users can fix: a sentence and a hint, never a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from homebody.core.ground.escaping import escape

MAX_MESSAGE = 2_000
"""Maximum number of characters of a message, and of a hint; longer ones are cut."""


class HomebodyError(Exception):
    """An error that the user can fix. Its text is safe to print, whatever names it quotes.

    Attributes:
        hint: What to do about it; may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(escape(message, MAX_MESSAGE, lines=True))
        self.hint = escape(hint, MAX_MESSAGE, lines=True)

    @property
    def advice(self) -> str:
        """The message and the hint in one line."""
        return f"{self}; {self.hint}" if self.hint else str(self)


@contextmanager
def name_file(path: object) -> Iterator[None]:
    """Put the name of a file before the messages of errors that are raised in the block."""
    try:
        yield
    except HomebodyError as error:
        raise HomebodyError(f"{path}: {error}", error.hint) from error


def version_hint(found: object, known: int, again: str) -> str:
    """Return the hint for a file with another version of its format.

    Args:
        found: The version of the file.
        known: The version that this homebody reads.
        again: The hint if the file is older: how to make a new one.
    """
    newer = not isinstance(found, int) or found > known
    return "a newer homebody reads it: pip install --upgrade homebody" if newer else again
