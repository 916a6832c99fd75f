"""Controls how fast time passes in a game that is played in real time.

While everybody acts, time passes at once. While somebody thinks, time also passes, so that nobody
delays the others. It then passes as fast as real time, multiplied by a pace.
"""

from __future__ import annotations

import time
from typing import Final

PACE: Final = 1.0
"""World seconds that pass per second of thinking."""
GRACE: Final = 0.3
"""Minimum seconds to wait for players who think, after an action of another player."""
MAX_PAUSE: Final = 10.0
"""Maximum seconds to wait for players who think."""


class Pacing:
    """Decides when time may pass although somebody thinks.

    Args:
        pace: World seconds that pass per second of thinking.
    """

    def __init__(self, pace: float) -> None:
        self._pace = pace
        self.reset()

    def reset(self) -> None:
        """Start without anything to wait for."""
        self._paid = self._acted_at = 0.0

    def note_action(self) -> None:
        """Note that somebody has started an action."""
        self._acted_at = time.monotonic()

    def note_passed_time(self, seconds: float) -> None:
        """Note that seconds of the world have passed."""
        self._paid = time.monotonic() + min(seconds / self._pace, MAX_PAUSE)

    @property
    def due(self) -> float:
        """The time of ``time.monotonic`` at which time may pass."""
        return max(self._paid, self._acted_at + GRACE)
