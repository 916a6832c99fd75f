"""Progress reports of long work."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, int, int], None]
"""``report(activity, done, total)``; ``total`` is 0 while it is unknown."""


def ignore_progress(activity: str, done: int, total: int) -> None:
    """Ignore a progress report."""
