"""How fast time goes on in a game: what lasts in the world lasts for those who think, too.

When all who could act have acted, time goes on at once. While somebody is still thinking, it goes
on too, so that nobody holds up anybody: what lasted some steps of the clock has to have lasted as
long for those who think, faster or slower by a pace, before time goes on again.
"""

from __future__ import annotations

import time
from typing import Final

PACE: Final = 1.0
"""Seconds of the world that pass in one of those who think."""
GRACE: Final = 0.3
"""Seconds that those who think are waited for at least, when another has begun something."""
MAX_PAUSE: Final = 10.0
"""Seconds that are waited for them at most."""


class Pacing:
    """When time may go on though somebody thinks.

    Args:
        pace: Seconds of the world that pass in one of those who think.
    """

    def __init__(self, pace: float) -> None:
        self._pace = pace
        self.reset()

    def reset(self) -> None:
        """Nothing is to be waited for."""
        self._paid = self._acted_at = 0.0

    def note_action(self) -> None:
        """Somebody has begun something."""
        self._acted_at = time.monotonic()

    def note_passed_time(self, seconds: float) -> None:
        """So many seconds of the world have passed."""
        self._paid = time.monotonic() + min(seconds / self._pace, MAX_PAUSE)

    @property
    def due(self) -> float:
        """When time may go on, in seconds of ``time.monotonic``."""
        return max(self._paid, self._acted_at + GRACE)
