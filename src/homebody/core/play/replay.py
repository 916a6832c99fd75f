"""Recording and replay of sessions.

A replay tries an entry at the same clock and after the same number of pauses as in the recording.
In a pause, time passes but the clock does not move: for example, a role stops waiting at the moment
when another role finishes. The next entry stores the number of pauses since the last entry
(:attr:`~.transcript.TranscriptEntry.pauses`). Pauses that freed the role of the next entry are not
stored, because the replay lets time pass until the role is free.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence, Set
from contextlib import suppress
from functools import partial
from typing import TypeVar

from homebody.core.ground.sharing import copy_flat
from homebody.core.play.rounds import MAX_PAUSES, pass_time
from homebody.core.play.session import Event, NotReadyError, Session
from homebody.core.play.transcript import UNREAD, Position, TranscriptEntry, read_call

S = TypeVar("S", bound=Session)


@copy_flat("entries")
class Recorder:
    """Records the actions of a session.

    Attributes:
        entries: All actions so far, in order.
        pauses: Number of times that time passed without moving the clock since the last entry.
    """

    def __init__(self) -> None:
        self.entries: list[TranscriptEntry] = []
        self.pauses = 0
        self._freed: Set[str] = frozenset()

    def write(self, clock: int, role: str, call: str, cycle: int = 0, planner: str = "") -> None:
        """Record a call at a clock."""
        pauses = 0 if role in self._freed else self.pauses
        self.entries.append(TranscriptEntry(clock, role, call, cycle, planner, pauses))
        self.pauses, self._freed = 0, frozenset()

    def record_time(self, events: Sequence[Event], moved: bool) -> None:
        """Record that time passed: the events that ended, and whether the clock moved."""
        if moved:
            self.pauses, self._freed = 0, frozenset()
        elif events:
            self.pauses += 1
            self._freed = {event.role for event in events}


def replay(
    session: S, entries: Sequence[TranscriptEntry], until: Position | int | None = None
) -> S:
    """Replay entries in a session that has just begun; see :func:`retrace`."""
    for _ in retrace(session, entries, until):
        pass
    return session


def retrace(
    session: Session, entries: Sequence[TranscriptEntry], until: Position | int | None = None
) -> Iterator[TranscriptEntry | Event]:
    """Replay entries in a session that has just begun. Yield each entry before it is tried, and
    each event when its action ends.

    Any entries can be replayed: actions that are impossible at their moment are skipped.

    Args:
        until: The moment to stop at (:attr:`.session.Session.now`), or the clock. By default all
            actions run to their end.
    """
    for entry in entries:
        yield from _advance_to(session, entry.clock, entry.pauses)
        yield from _advance_while(session, partial(_is_busy, session, entry.role))
        yield entry
        action = read_call(entry.call)
        with suppress(NotReadyError):
            if action is None:
                text = entry.call.removeprefix(UNREAD)
                session.note(entry.role, text, entry.cycle, entry.planner)
                continue
            refusal = session.act(entry.role, action, entry.cycle, entry.planner)
            if refusal is not None:
                yield refusal
    if until is None:
        yield from _advance_while(session, lambda: True)
    elif isinstance(until, int):
        yield from _advance_to(session, until, 0)
    else:
        yield from _advance_to(session, *until)


def _advance_to(session: Session, clock: int, pauses: int) -> Generator[Event, None, None]:
    """Let time pass until a given clock, then for a number of pauses."""
    yield from _advance_while(session, lambda: session.clock < clock)
    for _ in range(min(pauses, MAX_PAUSES)):
        if not (yield from _advance_once(session)):
            return


def _is_busy(session: Session, role: str) -> bool:
    return session.busy(role) is not None


def _advance_while(session: Session, condition: Callable[[], bool]) -> Generator[Event, None, None]:
    """Let time pass while a condition is true and the session is not stuck."""
    pauses = 0
    while condition() and pauses < MAX_PAUSES:
        before = session.clock
        if not (yield from _advance_once(session)):
            return
        pauses = 0 if session.clock > before else pauses + 1


def _advance_once(session: Session) -> Generator[Event, None, bool]:
    """Yield the events of the actions that end next. Return whether time passed."""
    events, passed = pass_time(session)
    yield from events
    return passed
