"""What talking changes, measured in runs made by hand."""

from __future__ import annotations

import pytest

from homebody.suites.partnr.judging.talk import measure_talk
from homebody.suites.partnr.settings import Settings
from suites.partnr.homes import follow, make_task
from suites.partnr.test_session import MIXED, THINGS

RADIO = Settings(talk="radio")


def measure(*calls: str, settings: Settings = RADIO):  # type: ignore[no-untyped-def]
    task = make_task(MIXED, *THINGS, settings=settings)
    session = follow(task, *calls, all_ok=False)
    return measure_talk(task, session.transcript().encode())


def test_a_message_is_new_if_it_tells_a_place_and_repeated_if_it_was_said() -> None:
    told = measure(
        "robot: Explore[kitchen_0]",
        "human: Navigate[bedroom_0]",
        "robot: Say[human, pitcher_0 is on counter_0]",
        "robot: Say[human, pitcher_0 is on counter_0]",
        "robot: Say[human, I take pitcher_0]",
    )
    assert (told.messages, told.new, told.repeated) == (3, 1, 1)


def test_agreement_rises_when_both_have_seen_the_same() -> None:
    apart = measure("robot: Explore[kitchen_0]", "human: Explore[bedroom_0]", "robot: Wait[]")
    together = measure("robot: Explore[kitchen_0]", "human: Explore[kitchen_0]", "robot: Wait[]")
    assert 0 <= apart.agreement < together.agreement <= 1
    full = Settings(observability="full")
    assert measure("robot: Explore[kitchen_0]", settings=full).agreement == pytest.approx(1)


def test_a_conflict_is_an_action_that_fails_because_of_the_other() -> None:
    mine = ("robot: Explore[kitchen_0]", "robot: Navigate[cup_0]", "robot: Pick[cup_0]")
    assert measure(*mine, "human: Explore[kitchen_0]", "human: Pick[cup_0]").conflicts == 1
    assert measure(*mine, "robot: Pick[cup_0]").conflicts == 0  # its own mistake


def test_rooms_are_searched_twice_by_two() -> None:
    both = ("robot: Explore[kitchen_0]", "human: Explore[kitchen_0]")
    assert measure(*both).searched_twice == 1
    assert measure(both[0], both[0]).searched_twice == 0
