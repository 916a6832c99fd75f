"""Telling: who sees which event, and what they learn from it, decided in one place.

A session tells its :class:`Telling` what has happened. Each role has a history, which only grows;
its news is the part since its last action began.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import overload

from homebody.core.play.session import WAIT, Event
from homebody.core.play.transcript import write_call


class EventHistory(Sequence[Event]):
    """What a role had learned by some moment: the first part of a list that only grows."""

    def __init__(self, events: list[Event], length: int) -> None:
        self._events, self._length = events, length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Event]: ...
    def __getitem__(self, at: int | slice) -> Event | Sequence[Event]:
        found = range(self._length)[at]
        return self._events[found] if isinstance(found, int) else [self._events[i] for i in found]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


class Telling:
    """What the roles of a session have learned of events.

    Args:
        roles: Who is told.
        learns: ``learns(role, event)`` -> what a role learns of somebody else's event, None if it
            does not see it. It may change the message, not who acted. It is not called for
            :data:`.session.WAIT`: no role learns that others have waited.

    Attributes:
        moment: Grows whenever something happens that a role could be told.
    """

    def __init__(self, roles: Sequence[str], learns: Callable[[str, Event], Event | None]) -> None:
        self.moment = 0
        self._learns = learns
        self._history: dict[str, list[Event]] = {role: [] for role in roles}
        self._begun = dict.fromkeys(roles, 0)

    def acted(self, role: str, event: Event | None) -> None:
        """Note that a role has acted: what it knew before is not news any more.

        Args:
            event: How the action ended, if it is over at once. Others learn of it if it did
                something; a refusal is between the session and the role.
        """
        self.moment += 1
        self._begun[role] = len(self._history[role])
        if event is not None and event.ok:
            self._tell(event)
        elif event is not None:
            self._history[role].append(event)

    def passed(self, events: Sequence[Event], moved: bool) -> None:
        """Note that time passed.

        Args:
            events: The actions that are over, in order.
            moved: Whether the clock moved.
        """
        self.moment += bool(events) or moved
        for event in events:
            self._tell(event)

    def _tell(self, event: Event) -> None:
        for role, history in self._history.items():
            learned = self.perceive(role, event)
            if learned is not None:
                history.append(learned)

    def perceive(self, role: str, event: Event) -> Event | None:
        """Return what a role learns of an event: all of its own, nothing of others that waited.
        None if it does not see it. Raises TypeError or ValueError if ``learns`` returns anything
        but None or an event of the role that acted."""
        if event.role == role:
            return event
        learned = None if event.action == WAIT else self._learns(role, event)
        if learned is not None and not isinstance(learned, Event):
            raise TypeError(f"learns() returned {learned!r}: return an Event or None")
        if learned is not None and learned.role != event.role:
            raise ValueError(
                f"learns({role!r}, event) returned an event of {learned.role!r}, but"
                f" {event.role!r} acted: change the message only, or return None"
            )
        return learned

    def witnessed(self, event: Event, witnesses: Set[str]) -> None:
        """Note an event on the way to something else, and who has seen it."""
        for role in witnesses & self._history.keys():
            self._history[role].append(event)

    def news(self, role: str) -> tuple[Event, ...]:
        """Return what a role has learned since its last action began, the oldest first."""
        return tuple(self._history[role][self._begun[role] :])

    def history(self, role: str) -> EventHistory:
        """Return all that a role has learned since the start, the oldest first."""
        return EventHistory(self._history[role], len(self._history[role]))


def sentence(event: Event, role: str) -> str:
    """Return what a role reads of an event: ``Pick[cup_0] failed: it is too far away``, and of
    somebody else's who did what (``robot: Pick[cup_0]``): its message is for who acted."""
    how = "" if event.ok else " failed"
    if event.role != role:
        return f"{event.role}: {write_call(event.action)}{how}"
    return f"{write_call(event.action)}{how}: {event.message}"
