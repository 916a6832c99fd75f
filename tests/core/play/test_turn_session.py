"""Sessions by turns: a game of counting up to three, and all that a session has to be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, DONE, Action, HomebodyError, Session, Tool
from homebody.core.play.conversation import Image
from homebody.core.play.replay import replay
from homebody.core.play.session import ALL_DONE, GOAL_MET, NotReadyError, take
from homebody.core.play.turn_session import TurnSession


class Counting:
    """The goal is to have added three ones."""

    def __init__(self) -> None:
        self.sum = 0

    def do(self, action: Action) -> str:
        if action != Action("Add", ("one",)):
            raise HomebodyError("that cannot be added", "add one")
        self.sum += 1
        return f"It is {self.sum} now."

    def describe(self) -> str:
        return f"It is {self.sum}."

    def options(self) -> list[Action]:
        return [Action("Add", ("one",))]

    def tools(self) -> list[Tool]:
        return [Tool.of("Add", "Add a number.", "number")]

    def progress(self) -> float:
        return self.sum / 3


def begin(max_actions: int = 5) -> TurnSession:
    return TurnSession("count", "Count to three.", Counting(), max_actions=max_actions, seed=7)


def test_it_is_a_session() -> None:
    session: Session = begin()  # for the type checker, too
    observation = session.observe("agent")
    assert observation.instruction == "Count to three."
    assert (observation.text, observation.changes) == ("It is 0.", "It is 0.")
    assert observation.options == [Action("Add", ("one",)), DONE]
    assert [tool.name for tool in observation.tools] == ["Add", "Done"]
    assert observation.tools[0].parameters["required"] == ["number"]
    assert (session.busy("agent"), session.advance()) == (None, ())


def test_shares_that_add_up_to_one_meet_the_goal() -> None:
    session = begin()
    session.game.progress = lambda: 0.9999999999999999  # type: ignore[method-assign]
    session.act("agent", Action("Add", ("one",)))
    assert session.ending == GOAL_MET
    score = session.score()
    assert (score.metrics["success"], score.record["success"]) == (1.0, True)


def test_it_ends_when_the_goal_is_met() -> None:
    session = begin()
    for number in (1, 2, 3):
        assert session.ready() == ("agent",)
        event = session.act("agent", Action("Add", ("one",)))
        assert (event.ok, event.message) == (True, f"It is {number} now.")
        assert session.observe("agent").news == (event,)
        assert session.observe("agent").changes == ""
    assert (session.ending, session.ready(), session.clock) == (GOAL_MET, (), 3)
    score = session.score(CORRECTED)
    assert score.metrics == {"success": 1.0, "progress": 1.0}
    assert score.record["explanation"] == (
        "100% of the goal is met after 3 actions, the goal is met"
    )


def test_it_ends_when_the_agent_says_so() -> None:
    session = begin()
    take(session, "agent", "Done[]")
    assert (session.ending, session.score(CORRECTED).metrics["success"]) == (ALL_DONE, 0.0)
    with pytest.raises(NotReadyError):
        session.act("agent", DONE)
    with pytest.raises(NotReadyError):
        begin().act("somebody", DONE)


def test_what_is_refused_is_told_and_counted_and_changes_nothing() -> None:
    session = begin(max_actions=3)
    event = session.act("agent", Action("Add", ("two",)))
    assert (event.ok, event.message) == (False, "that cannot be added; add one")
    take(session, "agent", "I would rather not.")
    (event,) = session.observe("agent").news
    assert event.message == "there is no action in this; write one as Add[one]"
    assert (session.progress(), session.observe("agent").actions_left) == (0.0, 1)
    session.act("agent", Action("[\n]", ("x" * 10_000,)))
    assert session.ending == "all 3 actions are used up"
    record = session.score(CORRECTED).record
    assert (record["actions"], record["refused"]) == (3, 3)
    assert record["explanation"].endswith(
        "used up: there is no action in this; write one as Add[one]"
    )


SAID = st.sampled_from(["Add[one]", "Add[two]", "Done[]"]) | st.text() | st.integers(-1, 2)


@given(st.lists(SAID, max_size=8))
def test_it_is_played_again(said: list[str | int]) -> None:
    session = begin()
    for each in said:
        if session.ready():
            take(session, "agent", each)
    transcript = session.transcript()
    assert (transcript.seed, len(transcript.entries)) == (7, session.clock)
    again = replay(begin(), transcript.entries)
    assert again.transcript() == transcript
    assert again.observe("agent").news == session.observe("agent").news
    assert again.score(CORRECTED) == session.score(CORRECTED)
    assert (again.ending, again.clock) == (session.ending, session.clock)


class Broken(Counting):
    """A game whose author has made mistakes."""

    def do(self, action: Action) -> str:
        raise ZeroDivisionError

    def options(self) -> list[Action]:
        return [Action("Add", ("one, two",))]

    def tools(self) -> list[Tool]:
        return [Tool.of("Add to", "Add a number.", "number")]


def test_what_a_game_raises_is_as_if_nothing_had_been_tried() -> None:
    session = TurnSession("count", "Count.", Broken(), max_actions=5)
    with pytest.raises(ZeroDivisionError):
        session.act("agent", Action("Add", ("one",)))
    assert (session.clock, session.moment, session.entries) == (0, 0, [])
    assert session.ready() == ("agent",)


def test_what_cannot_be_written_is_the_mistake_of_the_author() -> None:
    observation = TurnSession("count", "Count.", Broken(), max_actions=5).observe("agent")
    with pytest.raises(HomebodyError, match="this option cannot be written"):
        _ = observation.options
    with pytest.raises(HomebodyError, match="this tool cannot be written"):
        _ = observation.tools
    for role in ("", "\ud800", "x" * 41):
        with pytest.raises(HomebodyError, match="the name of a role must be printable"):
            TurnSession("count", "Count.", Counting(), max_actions=5, role=role)


def test_it_has_no_pictures_and_knows_its_player_only() -> None:
    session = begin()
    with pytest.raises(HomebodyError, match="no pictures"):
        _ = session.observe("agent").images
    with pytest.raises(HomebodyError, match="unknown role: 'agnt'"):
        session.observe("agnt")
    assert session.score() == session.score(CORRECTED)
    with pytest.raises(HomebodyError, match="not a protocol"):
        session.score("corrected")  # type: ignore[arg-type]


def test_a_game_may_end_by_itself_and_have_pictures() -> None:
    over: list[str] = []
    picture = Image("view", np.zeros((2, 2, 3), np.uint8))
    session = TurnSession(
        *("t", "Count to three.", Counting()),
        max_actions=9,
        images=lambda session: (picture,),
        over=lambda session: over[0] if over else None,
        without_done=True,
    )
    observation = session.observe("agent")
    assert observation.shows_images
    assert list(observation.images) == [picture]
    assert DONE not in observation.options
    assert all(tool.name != DONE.name for tool in session.tools("agent"))
    over.append("that was enough")
    session.note("agent", "hm")
    assert session.ending == "that was enough"


def test_who_gives_up_is_done_though_it_is_not_offered() -> None:
    session = TurnSession("t", "Count to three.", Counting(), max_actions=9, without_done=True)
    assert session.act("agent", DONE).ok
    assert session.ending is not None
