"""The lobby: one link for everybody. A queue pairs the people who open it.

Whoever opens the link gets a ticket and polls with it. As soon as enough are waiting for a game,
each receives the token of a role.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from homebody.web.access import RefusedError, digest, new_token
from homebody.web.game_setup import Setup
from homebody.web.partners import PERSON
from homebody.web.registry import Games

PATIENCE: Final = 15.0
"""Seconds without polling after which a waiting person is dropped."""
KEPT: Final = 600.0
"""Seconds for which a ticket still leads to its game."""
MAX_TICKETS: Final = 1_000


@dataclass(slots=True)
class _Ticket:
    """A person who is waiting or has a game."""

    seen: float
    seat: str | None = None
    role: str | None = None


@dataclass(slots=True)
class Lobby:
    """Pairs people; used by the playing thread.

    Args:
        games: Creates the games.
        token: Token of the link.
        setup: The task and the players; persons come from the queue. Each game adds its number to
            the seed.
        tasks: Ids of the tasks, played in this order, again and again.
    """

    games: Games
    token: str
    setup: Setup
    tasks: Sequence[str]
    _tickets: dict[str, _Ticket] = field(default_factory=dict)
    _made: int = 0

    @property
    def persons_needed(self) -> int:
        """The number of persons that a game needs."""
        return sum(kind == PERSON for kind in self.setup.seats.values())

    def enter(self) -> str:
        """Return a ticket for somebody new; raise RefusedError if too many are waiting."""
        self._tidy()
        if len(self._tickets) >= MAX_TICKETS:
            raise RefusedError("too many are waiting", "try again later")
        ticket = new_token()
        self._tickets[digest(ticket)] = _Ticket(time.monotonic())
        return ticket

    def look(self, ticket: str) -> dict[str, Any] | None:
        """Return the number of waiting and needed persons; role and token once the game exists.

        Returns None if there is no such ticket.
        """
        mine = self._tickets.get(digest(ticket))
        if mine is None:
            return None
        mine.seen = time.monotonic()
        self._tidy()
        waiting = [each for each in self._tickets.values() if each.seat is None]
        if len(waiting) >= self.persons_needed and mine in waiting[: self.persons_needed]:
            self._begin(waiting[: self.persons_needed])
        return {
            "waiting": len(waiting),
            "needed": self.persons_needed,
            "role": mine.role,
            "seat": mine.seat,
        }

    def _begin(self, players: Sequence[_Ticket]) -> None:
        number = self._made
        task = self.tasks[number % len(self.tasks)]
        setup = replace(self.setup, task=task, seed=self.setup.seed + number)
        _, tokens = self.games.create(setup, label="lobby")
        self._made += 1
        for ticket, (role, token) in zip(players, tokens.items(), strict=True):
            ticket.role, ticket.seat = role, token

    def _tidy(self) -> None:
        """Forget the people who have left."""
        now = time.monotonic()
        for name, ticket in list(self._tickets.items()):
            if now - ticket.seen > (PATIENCE if ticket.seat is None else KEPT):
                del self._tickets[name]
