"""Households: what lasts from one session to the next in the same home.

    household = Household(world)
    session = begin(task, household)      # takes over its world and its clock
    ...
    household = household_after(session)          # and the next session begins here

A session says what of it lasts: the state of its world, with the people in it. Nothing is shared:
what a session leaves is a copy, so that it can be replayed.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from homebody.core.play.replay import replay
from homebody.core.play.session import Session
from homebody.core.play.transcript import Transcript


class LastingSession(Session, Protocol):
    """A session of which something lasts."""

    def lasting_state(self) -> Any:
        """Return what lasts: the state of the world, people and what they remember."""
        ...


@dataclass(frozen=True, slots=True)
class Household:
    """A home between two sessions.

    Attributes:
        world: What has lasted; only to be read, as sessions take a copy.
        clock: Steps since its first session began; the next session's clock begins there.
        sessions: How many there were.
    """

    world: Any
    clock: int = 0
    sessions: int = 0

    def take_world(self) -> Any:
        """Return a copy of the world, for the session that begins."""
        return copy.deepcopy(self.world)


def household_after(session: LastingSession, before: Household) -> Household:
    """Return the household as a session leaves it."""
    return Household(copy.deepcopy(session.lasting_state()), session.clock, before.sessions + 1)


def replay_in_turn(
    begin: Callable[[Household], LastingSession],
    first: Household,
    transcripts: Iterable[Transcript],
) -> tuple[list[LastingSession], Household]:
    """Replay the transcripts of sessions in one household, one after the other.

    Args:
        begin: Begins the next session in a household; ``sessions`` says which one it is.
        first: The household before the first.

    Returns:
        The sessions, to be scored, and the household that the last one leaves.
    """
    sessions, household = [], first
    for transcript in transcripts:
        sessions.append(replay(begin(household), transcript.entries))
        household = household_after(sessions[-1], household)
    return sessions, household
