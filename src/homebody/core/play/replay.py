"""The replay rule: what is written down of a session, and how it is played again from that.

An entry is tried when the clock has come to it and as many moments have passed there as when it was
written. Usually the clock tells the moment. But time can pass without moving the clock: somebody
stops waiting, or is refused a way, at the moment at which another is done. How often that happened
since the last entry stands in the next one (:attr:`~.transcript.TranscriptEntry.pauses`), unless
its role was only set free by it: then the entry itself says so.
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
    """Writes down what is tried in a session.

    Attributes:
        entries: What was tried, in order.
        pauses: How often time has passed since the last entry without moving the clock.
    """

    def __init__(self) -> None:
        self.entries: list[TranscriptEntry] = []
        self.pauses = 0
        self._freed: Set[str] = frozenset()

    def write(self, clock: int, role: str, call: str, cycle: int = 0, planner: str = "") -> None:
        """Write down a call at a clock."""
        pauses = 0 if role in self._freed else self.pauses
        self.entries.append(TranscriptEntry(clock, role, call, cycle, planner, pauses))
        self.pauses, self._freed = 0, frozenset()

    def record_time(self, events: Sequence[Event], moved: bool) -> None:
        """Note that time passed: what is over, and whether the clock moved."""
        if moved:
            self.pauses, self._freed = 0, frozenset()
        elif events:
            self.pauses += 1
            self._freed = {event.role for event in events}


def replay(
    session: S, entries: Sequence[TranscriptEntry], until: Position | int | None = None
) -> S:
    """Play what was written down in a session that has just begun; see :func:`retrace`."""
    for _ in retrace(session, entries, until):
        pass
    return session


def retrace(
    session: Session, entries: Sequence[TranscriptEntry], until: Position | int | None = None
) -> Iterator[TranscriptEntry | Event]:
    """Play what was written down in a session that has just begun, and look on: yield each entry
    before it is tried, and each action when it is over.

    Whatever the entries say, the session goes through; what nobody could do then is passed over.

    Args:
        until: The moment to stop at (:attr:`.session.Session.now`), or the clock; if left out,
            what was begun comes to its end.
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
    """Let time pass until the clock has come, and then as often as it passed there."""
    yield from _advance_while(session, lambda: session.clock < clock)
    for _ in range(min(pauses, MAX_PAUSES)):
        if not (yield from _advance_once(session)):
            return


def _is_busy(session: Session, role: str) -> bool:
    return session.busy(role) is not None


def _advance_while(session: Session, wanted: Callable[[], bool]) -> Generator[Event, None, None]:
    """Let time pass as long as it is wanted, goes on, and does not stand still for good."""
    pauses = 0
    while wanted() and pauses < MAX_PAUSES:
        before = session.clock
        if not (yield from _advance_once(session)):
            return
        pauses = 0 if session.clock > before else pauses + 1


def _advance_once(session: Session) -> Generator[Event, None, bool]:
    """Yield what is over next; return whether time went on."""
    events, goes_on = pass_time(session)
    yield from events
    return goes_on
