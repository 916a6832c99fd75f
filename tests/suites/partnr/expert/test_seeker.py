"""Seekers: they succeed, know no more than they saw and heard, and talk where they are heard."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from homebody.core import CORRECTED, Event
from homebody.core.play.rounds import play
from homebody.suites.partnr.expert.seeker import LOOK, TAKE, seeker_policy
from homebody.suites.partnr.judging.talk import TalkMeasures, measure_talk
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.suite import make_suite
from homebody.suites.partnr.tasks import PartnrTask
from thorough import part_of


@cache
def runs(talk: str) -> list[PartnrSession]:
    return [run(task, talk) for task in tasks()]


def run(task: PartnrTask, talk: str) -> PartnrSession:
    session = PartnrSession(replace(task, settings=Settings(talk=talk)))
    play(session, seekers(session))
    return session


def seekers(session: PartnrSession) -> dict[str, object]:
    return dict.fromkeys(session.roles, seeker_policy(session))


def tasks() -> list[PartnrTask]:
    return list(part_of(make_suite("test").tasks.load(CORRECTED), 150))


def messages(session: PartnrSession) -> list[Event]:
    return [event for event in session.simulation.log if event.action.name == "Say"]


@pytest.mark.parametrize("talk", ["none", "room", "radio"])
def test_seekers_succeed(talk: str) -> None:
    for session in runs(talk):
        assert session.judgement().success, session.task.id


def test_seekers_name_what_they_know_only() -> None:
    for session in runs("none"):
        assert not [e for e in session.simulation.log if "not known to you" in e.message]


def test_who_is_not_heard_says_nothing() -> None:
    assert not any(map(messages, runs("none")))
    for near, anywhere in zip(runs("room"), runs("radio"), strict=True):
        assert all(event.ok or event.start < event.end for event in messages(near))
        assert len(messages(near)) <= len(messages(anywhere))


def test_what_seekers_say_is_what_they_know() -> None:
    kinds = set()
    for session in runs("radio"):
        for event in messages(session):
            for words in event.action.args[1:]:
                starts = (TAKE, LOOK)
                kinds.add(words[: len(TAKE)] if words.startswith(starts) else words.split()[1])
    assert {TAKE, LOOK[: len(TAKE)], "is"} <= kinds <= {TAKE, LOOK[: len(TAKE)], "is", "may"}


def test_talking_seekers_search_fewer_rooms_twice() -> None:
    measured = {
        talk: [measure_talk(each.task, each.transcript().encode()) for each in runs(talk)]
        for talk in ("none", "radio")
    }

    def double(measures: list[TalkMeasures]) -> int:
        return sum(each.searched_twice for each in measures)

    assert double(measured["radio"]) < double(measured["none"])
    assert all(each.messages == 0 for each in measured["none"])
    assert sum(each.new for each in measured["radio"]) > 0


def test_one_plays_with_any_partner() -> None:
    suite = make_suite("test")
    task = tasks()[0]
    for partner in ("expert", "idle"):
        transcript = suite.answer("seeker", task, settings={"human": partner, "talk": "radio"})
        assert suite.score(task, transcript, CORRECTED).valid
