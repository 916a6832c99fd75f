"""The lobby: one link for all who want to play. Who comes is paired with the next, by a queue.

Who opens the link gets a ticket, and asks with it until there are as many as a game needs; then
each is told the token of a role. Where a game needs one person, that is at once.
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
"""Seconds after which somebody who waits and does not ask is not waited for any more."""
KEPT: Final = 600.0
"""Seconds for which a ticket still tells where its game is."""
MAX_TICKETS: Final = 1_000


@dataclass(slots=True)
class _Ticket:
    """Somebody who waits, or whose game there is."""

    seen: float
    seat: str | None = None
    role: str | None = None


@dataclass(slots=True)
class Lobby:
    """Pairs who comes; used by the thread that plays.

    Args:
        games: Where games are made.
        token: Of the link.
        setup: What is played, and by whom: persons come from the queue. A game's seed is its own
            and the game's number.
        tasks: Ids, in the order in which they are played, again and again.
    """

    games: Games
    token: str
    setup: Setup
    tasks: Sequence[str]
    _tickets: dict[str, _Ticket] = field(default_factory=dict)
    _made: int = 0

    @property
    def persons_needed(self) -> int:
        """How many persons a game needs."""
        return sum(kind == PERSON for kind in self.setup.seats.values())

    def enter(self) -> str:
        """A ticket for somebody new. Raises Refused if there are too many."""
        self._tidy()
        if len(self._tickets) >= MAX_TICKETS:
            raise RefusedError("too many are waiting", "try again later")
        ticket = new_token()
        self._tickets[digest(ticket)] = _Ticket(time.monotonic())
        return ticket

    def look(self, ticket: str) -> dict[str, Any] | None:
        """How many wait and are needed, and, as soon as there is a game, the role and its token;
        None if there is no such ticket."""
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
        """Forget those who have gone."""
        now = time.monotonic()
        for name, ticket in list(self._tickets.items()):
            if now - ticket.seen > (PATIENCE if ticket.seat is None else KEPT):
                del self._tickets[name]
