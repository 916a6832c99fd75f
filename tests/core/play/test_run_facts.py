"""What rules count in a run: waits of all roles, returns, and kinds of objects."""

from __future__ import annotations

import pytest

from homebody.core import DONE, WAIT, Action, Event
from homebody.core.play.run_facts import count_common_waits, count_returns, kind_of


def wait(role: str, start: int, end: int) -> Event:
    return Event(role, WAIT, True, "you waited", start, end)


def done(role: str, clock: int) -> Event:
    return Event(role, DONE, True, "", clock, clock)


def test_waits_count_while_all_active_roles_wait() -> None:
    roles = ("robot", "human")
    one_each = [wait("robot", 0, 30), wait("human", 10, 40)]
    assert count_common_waits(roles, one_each) == 1
    # the robot begins again when the human still waits, then both wait anew
    again = [wait("robot", 0, 30), wait("human", 0, 60), wait("robot", 30, 60)]
    assert count_common_waits(roles, again) == 2
    apart = [wait("robot", 0, 30), wait("human", 30, 60)]
    assert count_common_waits(roles, apart) == 0


def test_who_has_ended_its_part_is_not_waited_for() -> None:
    left = [done("human", 5), wait("robot", 10, 40)]
    assert count_common_waits(("robot", "human"), left) == 0
    assert count_common_waits(("robot",), [wait("robot", 0, 30)]) == 0
    refused = Event("human", WAIT, False, "no", 0, 30)
    assert count_common_waits(("robot", "human"), [refused, wait("robot", 0, 30)]) == 0


@pytest.mark.parametrize(
    ("stops", "returns"), [("", 0), ("abc", 0), ("aab", 0), ("aba", 1), ("abab", 2), ("abcacb", 3)]
)
def test_staying_is_no_return(stops: str, returns: int) -> None:
    assert count_returns(stops) == returns


def test_kinds_are_in_names() -> None:
    assert [kind_of(name) for name in ("cup_0", "tv_stand_12", "cup.306", "cup")] == [
        "cup",
        "tv_stand",
        "cup",
        "cup",
    ]


def test_actions_of_other_names_are_no_waits() -> None:
    walk = Event("human", Action("Navigate", ("sofa_0",)), True, "", 0, 30)
    assert count_common_waits(("robot", "human"), [walk, wait("robot", 0, 30)]) == 0
