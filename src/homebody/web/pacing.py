"""The passing of time in a game in real time.

While everybody acts, time passes at once. While somebody thinks, time passes too, so that nobody
holds up others, but only as fast as real time, scaled by a pace.
"""

from __future__ import annotations

import time
from typing import Final

PACE: Final = 1.0
"""World seconds that pass per second of thinking."""
GRACE: Final = 0.3
"""Minimum seconds to wait for those who think after another's action."""
MAX_PAUSE: Final = 10.0
"""Maximum seconds to wait for them."""


class Pacing:
    """Decides when time may pass although somebody thinks.

    Args:
        pace: World seconds that pass per second of thinking.
    """

    def __init__(self, pace: float) -> None:
        self._pace = pace
        self.reset()

    def reset(self) -> None:
        """Wait for nothing."""
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
