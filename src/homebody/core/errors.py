"""Errors that are the user's to mend: a sentence and a hint, never a traceback."""

from __future__ import annotations


class HomebodyError(Exception):
    """A mistake or a missing thing that the user can do something about.

    Attributes:
        hint: What to do about it, or an empty string.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    @property
    def advice(self) -> str:
        """The message and the hint, in one line."""
        return f"{self}; {self.hint}" if self.hint else str(self)
