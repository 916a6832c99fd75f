"""EventLog: which role is notified of which event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from homebody.core import WAIT, Action, Event
from homebody.core.play.telling import EventLog, sentence

PICK = Action("Pick", ("cup_0",))


def event(role: str, ok: bool = True, message: str = "you took it") -> Event:
    return Event(role, PICK, ok, message, 0, 5)


def perceive(role: str, event: Event) -> Event | None:
    """Bob sees nothing, and Cem hears no reasons."""
    return {"ann": event, "bob": None, "cem": replace(event, message="")}[role]


def test_each_learns_what_it_sees() -> None:
    log = EventLog(("ann", "bob", "cem"), perceive)
    log.record_time([event("bob")], moved=True)
    assert log.news("ann") == log.news("bob") == (event("bob"),)
    assert log.news("cem") == (event("bob", message=""),)
    log.record_time([event("ann")], moved=True)
    assert log.news("bob") == (event("bob"),)
    log.record_sighting(event("somebody"), {"bob", "nobody"})
    assert log.news("bob") == (event("bob"), event("somebody"))


def test_news_begin_with_the_last_action_and_the_history_with_the_first() -> None:
    log = EventLog(("ann", "cem"), perceive)
    log.record_time([event("cem")], moved=True)
    log.record_action("ann", None)
    assert log.news("ann") == ()
    log.record_action("ann", event("ann", ok=False))
    assert log.news("ann") == (event("ann", ok=False),)
    before = log.history("ann")
    log.record_time([event("ann")], moved=True)
    assert list(before) == [event("cem"), event("ann", ok=False)]  # as it was then
    assert (before[-1], before[1:]) == (event("ann", ok=False), [event("ann", ok=False)])
    assert len(log.history("ann")) == 3


def test_what_is_done_at_once_is_seen_and_a_refusal_is_not() -> None:
    log = EventLog(("ann", "cem"), perceive)
    log.record_action("cem", event("cem", ok=False))
    assert log.news("ann") == ()
    log.record_action("cem", event("cem"))
    assert log.news("ann") == (event("cem"),)


def test_a_moment_ends_when_something_could_be_told() -> None:
    log = EventLog(("ann",), perceive)
    log.record_time([], moved=False)
    assert log.moment == 0
    log.record_time([], moved=True)
    log.record_action("ann", None)
    log.record_time([event("ann")], moved=False)
    assert log.moment == 3


def test_the_reason_is_for_who_acted() -> None:
    failed = event("ann", ok=False, message="it is gone")
    assert sentence(failed, "ann") == "Pick[cup_0] failed: it is gone"
    assert sentence(failed, "bob") == "ann: Pick[cup_0] failed"


def test_nobody_perceive_that_others_have_waited() -> None:
    log = EventLog(("ann", "bob"), lambda role, event: event)
    waited = replace(event("ann"), action=WAIT)
    log.record_time([waited], moved=True)
    assert log.news("ann") == (waited,)
    assert log.news("bob") == ()
    assert log.perceive("bob", waited) is None


@pytest.mark.parametrize(
    ("perceive", "error", "message"),
    [
        (
            lambda role, event: replace(event, role=role),
            ValueError,
            r"perceive\('bob', event\) returned an event of 'bob', but 'ann' acted",
        ),
        (lambda role, event: event.message, TypeError, "return an Event or None"),
    ],
)
def test_what_is_learned_is_an_event_of_the_role_that_acted(
    perceive: Callable[[str, Event], Event | None], error: type[Exception], message: str
) -> None:
    log = EventLog(("ann", "bob"), perceive)
    with pytest.raises(error, match=message):
        log.record_time([event("ann")], moved=True)
