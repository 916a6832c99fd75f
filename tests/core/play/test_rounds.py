"""Rounds: somebody acts, then time passes."""

from __future__ import annotations

import numpy as np
import pytest

from core.play.walks import LIMIT, WALK, Walks
from homebody.core import Action, HomebodyError
from homebody.core.play import policies
from homebody.core.play.rounds import TRIES, Rounds, finish, play
from homebody.core.play.transcript import TranscriptEntry


def test_roles_without_a_policy_are_done_at_once() -> None:
    session = play(Walks(), {"left": lambda session, role: WALK})
    assert session.ending == "the time is used up"
    assert session.at == {"left": LIMIT, "right": 0}
    assert session.entries[1] == TranscriptEntry(0, "right", "Done[]")


def test_policies_are_of_roles_that_there_are() -> None:
    session = Walks()
    with pytest.raises(HomebodyError, match="unknown role: 'lft'"):
        play(session, {"lft": lambda session, role: WALK})
    assert not session.entries


def test_who_is_refused_again_and_again_has_to_let_others_act() -> None:
    asked = []

    def stubborn(session: Walks, role: str) -> Action:
        asked.append(session.clock)
        return Action("Fly")

    session = Walks()
    rounds = Rounds(session, {"left": stubborn})
    assert rounds.act() == ("right",)
    assert rounds.act() == ("right",)  # not asked again before time has passed
    assert asked == [0] * TRIES
    play(session, {"left": stubborn, "right": lambda session, role: WALK})
    assert session.ending == "the time is used up"
    assert session.at["right"] > 0


def test_a_policy_acts_once_until_time_passes_or_somebody_else_has_acted() -> None:
    session = Walks()
    rounds = Rounds(session, {"left": lambda session, role: WALK})
    assert rounds.act() == ("right",)
    assert session.busy("left") == WALK
    session.act("right", Action("Walk", ("1",)))
    assert rounds.act() == ()
    assert [event.role for event in rounds.pass_time()] == ["right"]
    assert rounds.act() == ("right",)
    assert [event.role for event in rounds.pass_time()] == ["left"]
    assert not rounds.is_over


def test_time_can_pass_although_somebody_is_waited_for() -> None:
    session = Walks()
    rounds = Rounds(session, {"left": lambda session, role: WALK})
    while not rounds.is_over:
        rounds.act()
        rounds.pass_time()
    assert session.at == {"left": LIMIT, "right": 0}


def test_what_goes_on_no_more_is_stuck() -> None:
    class Stuck(Walks):
        def ready(self) -> tuple[str, ...]:
            return ()

        @property
        def ending(self) -> None:
            return None

    rounds = Rounds(Stuck(), {})
    assert rounds.act() == ()
    assert not rounds.is_over
    assert rounds.pass_time() == ()
    assert rounds.is_stuck
    assert rounds.is_over


def test_an_action_can_be_waited_for_to_its_end() -> None:
    session = Walks()
    session.act("left", Action("Walk", ("3",)))
    session.act("right", Action("Walk", ("1",)))
    event = finish(session, "left")
    assert event is not None
    assert (event.role, session.clock) == ("left", 3)
    assert finish(session, "left") is None


def test_idle_does_nothing_and_random_does_anything_possible() -> None:
    generator = np.random.default_rng(0)
    idle = Walks()
    play(idle, dict.fromkeys(idle.roles, policies.idle(idle, generator)))
    assert [entry.call for entry in idle.entries] == ["Done[]", "Done[]"]
    tried = set()
    for seed in range(20):
        session = Walks()
        policy = policies.random(session, np.random.default_rng(seed))
        play(session, dict.fromkeys(session.roles, policy))
        assert session.ending is not None
        tried |= {entry.call for entry in session.entries}
    assert tried == {"Walk[1]", "Walk[2]", "Walk[3]", "Wait[]", "Done[]"}
