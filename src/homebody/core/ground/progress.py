"""What tells people how far something is that takes long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, int, int], None]
"""``(what is being done, steps done, steps in all)``; all is 0 while it is not known."""


def ignore_progress(what: str, done: int, total: int) -> None:
    """A progress that nobody looks at."""
