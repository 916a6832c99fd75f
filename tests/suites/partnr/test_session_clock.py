"""``clock=wall``: the house clock runs while models answer, and replays are exact."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress

import pytest

from homebody.core import DONE, Action, Question, Reply
from homebody.drivers import DRIVERS
from homebody.suites.partnr.session import MAX_THINKING, PartnrSession
from homebody.suites.partnr.settings import HUMAN, ROBOT, Settings
from suites.partnr.homes import replay
from suites.partnr.scripted import SECONDS, conversed, drive, moving, script

STEPS = math.ceil(SECONDS * 30)


def thoughts(session: PartnrSession) -> list[str]:
    return [entry.call for entry in session.entries if entry.call.startswith("Think")]


@pytest.mark.parametrize("team", ["decentralised", "centralised", "single"])
def test_every_answer_takes_its_time_and_the_run_replays(team: str) -> None:
    asked: list[tuple[Question, ...]] = []

    def answers(questions: tuple[Question, ...]) -> list[str]:
        asked.append(questions)
        return [script(question) for question in questions]

    session = conversed(moving(team=team, clock="wall"), answers)
    assert session.judgement().success, session.judgement().explanation
    thinking = thoughts(session)
    assert set(thinking) == {f"Think[{STEPS}]"}
    count = sum(map(len, asked))
    if team == "centralised":  # one planner thinks for the agents that are free
        assert count <= len(thinking) <= 2 * count
    else:
        assert len(thinking) == count
    text = session.transcript().encode()
    again = replay(moving(), text)
    assert again.transcript().encode() == text
    assert (again.clock, again.simulation.log) == (session.clock, session.simulation.log)
    assert again.judgement() == session.judgement()
    for role in session.roles:
        assert again.cycles(role) == session.cycles(role)
    for text in (message.text for questions in asked for q in questions for message in q.messages):
        assert "Think" not in re.sub("Thought", "", text)


def test_time_passes_for_others_while_one_thinks() -> None:
    """The expert as partner acts while the model thinks for a minute."""
    session, dialogue = drive(moving(robot="expert", clock="wall"))
    next(dialogue)
    dialogue.send((Reply("Explore[kitchen_0]\nAssigned!", seconds=60.0),))
    entries = [(entry.clock, entry.role, entry.call) for entry in session.entries]
    thought = entries.index((0, HUMAN, "Think[1800]"))
    explored = entries.index((1800, HUMAN, "Explore[kitchen_0]"))
    between = [entry for entry in entries[thought:explored] if entry[1] == ROBOT]
    assert len(between) >= 3


def test_a_slow_model_takes_longer_than_a_fast_one() -> None:
    def clock(seconds: float) -> int:
        session, dialogue = drive(moving(team="single", clock="wall"))
        with suppress(StopIteration):
            questions = next(dialogue)
            while True:
                questions = dialogue.send(
                    tuple(Reply(script(question), seconds=seconds) for question in questions)
                )
        assert session.judgement().success
        return session.clock

    fast, medium, slow = clock(0.0), clock(1.0), clock(10.0)
    assert fast == conversed(moving(team="single"), lambda qs: map(script, qs)).clock
    assert (medium - fast) % 30 == 0
    assert slow - fast == 10 * (medium - fast)


def test_the_time_of_a_second_try_counts_too() -> None:
    session, dialogue = drive(moving(team="single", clock="wall"))
    next(dialogue)
    dialogue.send((Reply("nonsense", seconds=1.0),))
    dialogue.send((Reply("Explore[kitchen_0]\nAssigned!", seconds=2.0),))
    assert thoughts(session) == ["Think[90]"]
    assert (session.clock >= 90, session.cycles(HUMAN)) == (True, 2)


def test_the_last_call_still_counts() -> None:
    session = conversed(
        moving(team="single", clock="wall"), lambda qs: ["Navigate[bedroom_0]\nAssigned!"] * len(qs)
    )
    assert session.cycles(HUMAN) == session.limits.calls
    assert len(thoughts(session)) == session.limits.calls
    assert len(session.simulation.log) == session.limits.calls
    assert session.simulation.log[-1].start >= session.limits.calls * STEPS


@pytest.mark.parametrize("name", ["react", "tools", "options"])
def test_any_driver_counts_the_time(name: str) -> None:
    session = PartnrSession(moving(clock="wall"))
    dialogue = DRIVERS[name](session, {})
    texts: Iterator[str] = iter(["Action: Explore[kitchen_0]"] * 2)
    questions = next(dialogue)
    with suppress(StopIteration):
        while True:
            replies = [Reply(next(texts, "Action: Done[]"), seconds=1.0) for _ in questions]
            questions = dialogue.send(tuple(replies))
            if len(session.entries) > 30:
                break
    assert session.entries[0].call == "Think[30]"
    if name == "react":
        assert [entry.clock for entry in session.entries[:4]] == [0, 0, 30, 30]
    text = session.transcript().encode()
    assert replay(moving(), text).transcript().encode() == text


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan])
def test_an_unknown_time_is_none(seconds: float) -> None:
    session = PartnrSession(moving(clock="wall"))
    assert not session.think(ROBOT, seconds)
    assert session.ready() == (ROBOT, HUMAN)


def test_thinking_is_bounded_and_only_for_the_wall_clock() -> None:
    session = PartnrSession(moving(clock="wall"))
    assert session.think(ROBOT, 1e300)
    assert not session.think(ROBOT, 1.0)  # not ready
    assert session.busy(ROBOT) == Action("Think", (str(MAX_THINKING),))
    for call in ("0", "-3", "1e3", "999999", "x"):
        event = session.act(HUMAN, Action("Think", (call,)))
        assert event is not None
        assert not event.ok
    assert not PartnrSession(moving()).think(ROBOT, 1.0)
    event = PartnrSession(moving()).act(ROBOT, Action("Think", ("30",)))
    assert event is not None
    assert not event.ok


def test_thinking_keeps_the_news_and_survives_copies() -> None:
    session = PartnrSession(moving(clock="wall", observability="full"))
    session.act(ROBOT, Action("Explore", ("kitchen_0",)))
    while session.busy(ROBOT):
        session.advance()
    before = session.observe(ROBOT).news
    assert before
    session.think(ROBOT, 3.0)
    assert session.observe(ROBOT).news == before
    again = session.clone()
    for each in (session, again):
        each.act(HUMAN, DONE)
        at = each.clock
        each.advance()
        assert each.clock == at + 90
        assert ROBOT in each.ready()


def test_settings_name_it() -> None:
    assert Settings().clock == "house"
    assert moving(clock="wall").settings.clock == "wall"
