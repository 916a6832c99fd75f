"""Telling: who sees which event, and what they learn from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from homebody.core import WAIT, Action, Event
from homebody.core.play.telling import Telling, sentence

PICK = Action("Pick", ("cup_0",))


def event(role: str, ok: bool = True, message: str = "you took it") -> Event:
    return Event(role, PICK, ok, message, 0, 5)


def learns(role: str, event: Event) -> Event | None:
    """Bob sees nothing, and Cem hears no reasons."""
    return {"ann": event, "bob": None, "cem": replace(event, message="")}[role]


def test_each_learns_what_it_sees() -> None:
    telling = Telling(("ann", "bob", "cem"), learns)
    telling.passed([event("bob")], moved=True)
    assert telling.news("ann") == telling.news("bob") == (event("bob"),)
    assert telling.news("cem") == (event("bob", message=""),)
    telling.passed([event("ann")], moved=True)
    assert telling.news("bob") == (event("bob"),)
    telling.witnessed(event("somebody"), {"bob", "nobody"})
    assert telling.news("bob") == (event("bob"), event("somebody"))


def test_news_begin_with_the_last_action_and_the_history_with_the_first() -> None:
    telling = Telling(("ann", "cem"), learns)
    telling.passed([event("cem")], moved=True)
    telling.acted("ann", None)
    assert telling.news("ann") == ()
    telling.acted("ann", event("ann", ok=False))
    assert telling.news("ann") == (event("ann", ok=False),)
    before = telling.history("ann")
    telling.passed([event("ann")], moved=True)
    assert list(before) == [event("cem"), event("ann", ok=False)]  # as it was then
    assert (before[-1], before[1:]) == (event("ann", ok=False), [event("ann", ok=False)])
    assert len(telling.history("ann")) == 3


def test_what_is_done_at_once_is_seen_and_a_refusal_is_not() -> None:
    telling = Telling(("ann", "cem"), learns)
    telling.acted("cem", event("cem", ok=False))
    assert telling.news("ann") == ()
    telling.acted("cem", event("cem"))
    assert telling.news("ann") == (event("cem"),)


def test_a_moment_ends_when_something_could_be_told() -> None:
    telling = Telling(("ann",), learns)
    telling.passed([], moved=False)
    assert telling.moment == 0
    telling.passed([], moved=True)
    telling.acted("ann", None)
    telling.passed([event("ann")], moved=False)
    assert telling.moment == 3


def test_the_reason_is_for_who_acted() -> None:
    failed = event("ann", ok=False, message="it is gone")
    assert sentence(failed, "ann") == "Pick[cup_0] failed: it is gone"
    assert sentence(failed, "bob") == "ann: Pick[cup_0] failed"


def test_nobody_learns_that_others_have_waited() -> None:
    telling = Telling(("ann", "bob"), lambda role, event: event)
    waited = replace(event("ann"), action=WAIT)
    telling.passed([waited], moved=True)
    assert telling.news("ann") == (waited,)
    assert telling.news("bob") == ()
    assert telling.perceive("bob", waited) is None


@pytest.mark.parametrize(
    ("learns", "error", "message"),
    [
        (
            lambda role, event: replace(event, role=role),
            ValueError,
            r"learns\('bob', event\) returned an event of 'bob', but 'ann' acted",
        ),
        (lambda role, event: event.message, TypeError, "return an Event or None"),
    ],
)
def test_what_is_learned_is_an_event_of_the_role_that_acted(
    learns: Callable[[str, Event], Event | None], error: type[Exception], message: str
) -> None:
    telling = Telling(("ann", "bob"), learns)
    with pytest.raises(error, match=message):
        telling.passed([event("ann")], moved=True)
