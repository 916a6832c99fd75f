"""The one place that decides which role is notified of which event.

A session reports events to its :class:`EventLog`. Each role has a history, which only grows; its
news is the part since its last action began.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import overload

from homebody.core.play.session import WAIT, Event
from homebody.core.play.transcript import write_call


class EventHistory(Sequence[Event]):
    """A role's events up to some moment: the first part of a list that only grows."""

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


class EventLog:
    """The events that each role of a session has seen.

    Args:
        roles: The roles of the session.
        perceive: ``perceive(role, event)`` -> another role's event as a role sees it, possibly with
            another message; None if the role does not see it. It is not called for
            :data:`.session.WAIT`, because no other role perceives waits.

    Attributes:
        moment: A counter that grows whenever something happens that a role could be notified of.
    """

    def __init__(
        self, roles: Sequence[str], perceive: Callable[[str, Event], Event | None]
    ) -> None:
        self.moment = 0
        self._perceive = perceive
        self._history: dict[str, list[Event]] = {role: [] for role in roles}
        self._news_start = dict.fromkeys(roles, 0)

    def record_action(self, role: str, event: Event | None) -> None:
        """Record that a role has acted. Its news is cleared.

        Args:
            event: The event, if the action ended at once. Other roles are notified only if it
                succeeded.
        """
        self.moment += 1
        self._news_start[role] = len(self._history[role])
        if event is not None and event.ok:
            self._notify(event)
        elif event is not None:
            self._history[role].append(event)

    def record_time(self, events: Sequence[Event], moved: bool) -> None:
        """Record that time passed.

        Args:
            events: The events of actions that ended, in order.
            moved: True if the clock moved.
        """
        self.moment += bool(events) or moved
        for event in events:
            self._notify(event)

    def _notify(self, event: Event) -> None:
        for role, history in self._history.items():
            seen = self.perceive(role, event)
            if seen is not None:
                history.append(seen)

    def perceive(self, role: str, event: Event) -> Event | None:
        """Return an event as a role sees it. Its own events are unchanged. The result is None for
        the waits of others and for other events that it does not see. Raises TypeError or
        ValueError if the session's ``perceive`` returned anything but None or an event of the role
        that acted."""
        if event.role == role:
            return event
        seen = None if event.action == WAIT else self._perceive(role, event)
        if seen is not None and not isinstance(seen, Event):
            raise TypeError(f"perceive() returned {seen!r}: return an Event or None")
        if seen is not None and seen.role != event.role:
            raise ValueError(
                f"perceive({role!r}, event) returned an event of {seen.role!r}, but"
                f" {event.role!r} acted: change the message only, or return None"
            )
        return seen

    def record_sighting(self, event: Event, witnesses: Set[str]) -> None:
        """Record an intermediate event of an action that continues, for its witnesses."""
        for role in witnesses & self._history.keys():
            self._history[role].append(event)

    def news(self, role: str) -> tuple[Event, ...]:
        """Return the events that a role saw since its last action began, oldest first."""
        return tuple(self._history[role][self._news_start[role] :])

    def history(self, role: str) -> EventHistory:
        """Return all events that a role saw since the start, oldest first."""
        return EventHistory(self._history[role], len(self._history[role]))


def sentence(event: Event, role: str) -> str:
    """Return an event as a role reads it: its own as ``Pick[cup_0] failed: it is too far away``,
    another role's without the message as ``robot: Pick[cup_0]``."""
    failed = "" if event.ok else " failed"
    if event.role != role:
        return f"{event.role}: {write_call(event.action)}{failed}"
    return f"{write_call(event.action)}{failed}: {event.message}"
