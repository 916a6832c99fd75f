"""Instructions that change: when, who hears it, what is judged, and who fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from homebody.core import CORRECTED, DONE, PUBLISHED, WAIT, Reply
from homebody.core.play import policies
from homebody.core.play.replay import replay
from homebody.core.play.rounds import play
from homebody.suites.partnr.expert import expert_policy, play_expert
from homebody.suites.partnr.prompting.model_planners import drive
from homebody.suites.partnr.session import CHANGE_AFTER, CHANGE_AT, PartnrSession
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.suite import make_suite
from homebody.suites.partnr.tasks import PartnrTask
from thorough import part_of

KINDS = ("adds", "replaces")


@cache
def tasks() -> Sequence[PartnrTask]:
    return part_of(make_suite("val").tasks.load(CORRECTED), 150)


def changing(task: PartnrTask, kind: str, **others: str) -> PartnrSession:
    return PartnrSession(replace(task, settings=Settings(change=kind, **others)))


def play_idle(session: PartnrSession) -> PartnrSession:
    play(session, dict.fromkeys(session.roles, lambda session, role: DONE))
    return session


@pytest.mark.parametrize("kind", KINDS)
def test_the_expert_does_what_was_changed_and_who_ignores_it_fails(kind: str) -> None:
    for task in tasks():
        session = changing(task, kind)
        play(session, dict.fromkeys(session.roles, expert_policy(session)))
        score = session.score()
        assert score.record["success"], (task.id, score.record["explanation"])
        heard = score.record["change"]["heard"]
        assert 0 < heard <= session.clock
        assert score.record["change"]["words"] in score.record["instruction"]
        unchanged = play_expert(task)
        lazy = replay(changing(task, kind), unchanged.entries)
        assert unchanged.judgement().success
        assert not lazy.judgement().success, task.id
        assert lazy.changed_at == heard  # until then, both did the same


@pytest.mark.parametrize("kind", KINDS)
def test_no_run_is_over_before_the_change_was_heard(kind: str) -> None:
    for task in tasks():
        session = play_idle(changing(task, kind))
        assert (session.changed_at, len(session.entries)) == (0, 4)  # each said Done twice
        assert not session.judgement().success
        for role in session.roles:
            (said,) = (one for one in session.observe(role).history if one.role == "person")
            assert session.change is not None
            assert ", ".join(said.action.args[1:]) == session.change.words
            assert session.change.words in session.observe(role).instruction


def test_random_agents_hear_it_in_time() -> None:
    for task in tasks():
        session = changing(task, "replaces")
        generator = np.random.default_rng(1)
        play(session, dict.fromkeys(session.roles, policies.random(session, generator)))
        assert session.changed_at is not None
        again = replay(changing(task, "replaces"), session.entries)
        assert (again.simulation.log, again.changed_at) == (
            session.simulation.log,
            session.changed_at,
        )
        assert again.score().record == session.score().record


def test_the_moment_is_half_of_the_work_or_a_minute() -> None:
    task = tasks()[0]
    session = changing(task, "adds")
    expert = expert_policy(session)
    while session.changed_at is None:
        assert session.judge.percent_complete < CHANGE_AT
        assert session.evaluation is task.episode.evaluation
        for role in session.ready():
            session.act(role, expert(session, role))
        session.advance()
    assert session.evaluation.propositions[:-1] == task.episode.evaluation.propositions
    waiting = changing(task, "adds")
    while waiting.changed_at is None:
        for role in waiting.ready():
            waiting.act(role, WAIT)
        waiting.advance()
    assert CHANGE_AFTER <= waiting.changed_at <= CHANGE_AFTER + 30
    assert set(waiting.ready()) == set(waiting.roles)  # their waits ended


def test_the_moment_does_not_depend_on_the_protocol() -> None:
    task = tasks()[0]
    session = changing(task, "replaces")
    play(session, dict.fromkeys(session.roles, expert_policy(session)))
    for protocol in (CORRECTED, PUBLISHED):
        assert session.score(protocol).record["change"] == session.score().record["change"]


def test_a_run_is_scored_before_the_change_was_heard() -> None:
    session = changing(tasks()[0], "adds")
    plain = PartnrSession(tasks()[0])
    for key in ("success", "percent_complete", "propositions", "met"):
        assert session.score().record[key] == plain.score().record[key]


def test_a_copy_goes_on_as_the_original() -> None:
    task = tasks()[0]
    session = changing(task, "adds")
    copy = session.clone()
    for each in (session, copy):
        play(each, dict.fromkeys(each.roles, expert_policy(each)))
    assert copy.entries == session.entries
    assert copy.score().record == session.score().record


@pytest.mark.parametrize("planner", ["react", "tools", "finetuned"])
def test_models_read_it(planner: str) -> None:
    session = changing(tasks()[0], "adds", planner=planner, team="single")
    dialogue = drive(session, {})
    next(dialogue)
    (again,) = dialogue.send((Reply("Done[]"),))
    text = "\n".join(message.text for message in again.messages)
    assert session.change is not None
    assert session.change.words in text
    with pytest.raises(StopIteration):
        dialogue.send((Reply("Done[]"),))
    assert session.ending is not None


def test_without_the_setting_nothing_changes() -> None:
    task = tasks()[0]
    session = play_expert(task)
    assert session.change is None
    assert "change" not in session.score().record
    assert session.evaluation is task.episode.evaluation
