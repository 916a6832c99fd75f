"""Households: state that lasts from one session to the next in the same home.

    household = Household(world)
    session = begin(task, household)      # takes over its world and its clock
    ...
    household = household_after(session)          # and the next session begins here

A session defines the lasting part: the state of its world, with the people in it. Sessions get
copies of it, so each session can be replayed.
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
    """A session whose final state is kept for the next session."""

    def lasting_state(self) -> Any:
        """Return the lasting part: the state of the world, the people and their memory."""
        ...


@dataclass(frozen=True, slots=True)
class Household:
    """A home between two sessions.

    Attributes:
        world: The lasting state; read-only, as sessions take a copy.
        clock: Steps since the first session began; the next session starts at this clock.
        sessions: Number of sessions so far.
    """

    world: Any
    clock: int = 0
    sessions: int = 0

    def take_world(self) -> Any:
        """Return a copy of the world for the next session."""
        return copy.deepcopy(self.world)


def household_after(session: LastingSession, before: Household) -> Household:
    """Return the household after a session."""
    return Household(copy.deepcopy(session.lasting_state()), session.clock, before.sessions + 1)


def replay_in_turn(
    begin: Callable[[Household], LastingSession],
    first: Household,
    transcripts: Iterable[Transcript],
) -> tuple[list[LastingSession], Household]:
    """Replay the transcripts of sessions in one household, one after the other.

    Args:
        begin: Starts the next session of a household, whose number is ``household.sessions``.
        first: The household before the first.

    Returns:
        The sessions, to be scored, and the household after the last one.
    """
    sessions, household = [], first
    for transcript in transcripts:
        sessions.append(replay(begin(household), transcript.entries))
        household = household_after(sessions[-1], household)
    return sessions, household
