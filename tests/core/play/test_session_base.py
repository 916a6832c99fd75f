"""The body of sessions: five methods are a session with roles, a clock and an end."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.play.walks import LIMIT, WALK, Walks
from homebody.core import DONE, WAIT, Action, HomebodyError, Session, Tool
from homebody.core.play.replay import replay
from homebody.core.play.rounds import play
from homebody.core.play.session import NotReadyError
from homebody.core.play.session_base import SessionBase


def walk(session: Session, role: str) -> Action:
    return Action("Walk", ("2",))


def test_it_ends_when_the_goal_is_met() -> None:
    session = play(Walks(), {"left": walk, "right": walk})
    assert (session.ending, session.clock) == ("the goal is met", 10)
    score = session.score()
    assert score.metrics == {"success": 1.0, "progress": 1.0}
    assert score.record["actions"] == 10
    assert score.record["steps"] == 10


def test_it_ends_when_all_are_done_and_when_the_time_is_used_up() -> None:
    assert play(Walks(), {}).ending == "everybody is done"
    late = Walks()
    late.max_steps = 3
    play(late, {"left": walk, "right": lambda session, role: DONE})
    assert (late.ending, late.clock, late.at["left"]) == ("the time is used up", 3, 2)


def test_it_ends_when_nobody_may_try_more() -> None:
    session = Walks()
    session.max_actions = 2
    play(session, {"left": walk, "right": walk})
    assert session.ending == "nobody may do more"
    assert session.action_counts == {"left": 2, "right": 2}
    assert session.observe("left").actions_left == 0


def test_who_waits_does_so_until_another_has_done_something() -> None:
    session = Walks()
    session.rate = 10.0
    session.act("left", WAIT)
    session.act("right", WALK)
    events = session.advance()
    assert [(event.role, event.message, event.end) for event in events] == [
        ("right", "there", 2),
        ("left", "you waited", 2),
    ]
    session.act("left", WAIT)
    assert [event.end for event in session.advance()] == [12]


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (Action("Fly"), "there is no Fly; there are Walk, Wait, Done"),
        (Action("Walk"), r"Walk has 1 arguments, not 0; write Walk\[steps, why\]"),
        (Action("Walk", ("1", "a", "b")), "Walk has 1 arguments, not 3"),
        (Action("Walk", ("9",)), "it cannot be"),
    ],
)
def test_what_no_skill_is_is_refused_before_the_world_is_asked(action: Action, why: str) -> None:
    session = Walks()
    event = session.act("left", action)
    assert event is not None
    assert not event.ok
    assert re.match(why, event.message)
    assert session.ready() == session.roles


class Greets(SessionBase):
    """Where actions take no time and nobody declares skills."""

    def __init__(self, roles: Sequence[str] = ("ann", "bob")) -> None:
        super().__init__(roles, "Greet.", identifier="greet")
        self.greeted: set[str] = set()

    def begin(self, role: str, action: Action) -> int:
        return 0

    def finish(self, role: str, action: Action) -> str:
        if action.name != "Greet":
            raise HomebodyError("one can only greet", "Greet[name]")
        self.greeted.add(role)
        return "they smile"

    def describe(self, role: str) -> str:
        return f"{len(self.greeted)} have greeted"

    def possible(self, role: str) -> Sequence[Action]:
        return [Action("Greet", ("all",))]

    def progress(self) -> float:
        return len(self.greeted) / len(self.roles)


def test_actions_that_take_no_time_are_over_at_once_and_seen() -> None:
    session = Greets()
    event = session.act("ann", Action("Greet", ("all",)))
    assert event is not None
    assert event.message == "they smile"
    assert session.observe("bob").news == (event,)
    assert session.options("bob") == [Action("Greet", ("all",)), DONE]
    assert not session.advance()
    session.act("bob", Action("Sing"))
    (refusal,) = session.observe("bob").news
    assert refusal.message == "one can only greet; Greet[name]"
    session.act("bob", Action("Greet", ("all",)))
    assert session.ending == "the goal is met"
    with pytest.raises(NotReadyError):
        session.act("bob", DONE)


@pytest.mark.parametrize("role", ["", "a\nb", "x" * 41])
def test_roles_have_plain_names(role: str) -> None:
    with pytest.raises(HomebodyError, match="must be printable"):
        Greets((role,))


def test_what_cannot_be_written_is_the_authors_to_mend() -> None:
    class Bad(Greets):
        skills = (Tool.of("no spaces here", "x"),)

        def possible(self, role: str) -> Sequence[Action]:
            return [Action("Greet", ("a, b",))]

    with pytest.raises(HomebodyError, match="this option cannot be written"):
        Bad().options("ann")
    with pytest.raises(HomebodyError, match="this tool cannot be written"):
        Bad().tools("ann")


def some(session: Session, rng: np.random.Generator, steps: int) -> Session:
    for _ in range(steps):
        ready = session.ready()
        if ready and rng.random() < 0.6:
            role = ready[int(rng.integers(len(ready)))]
            options = session.observe(role).options
            session.act(role, options[int(rng.integers(len(options)))])
        else:
            session.advance()
    return session


@pytest.mark.parametrize("copied", [lambda s: s.clone(), lambda s: pickle.loads(pickle.dumps(s))])
@given(seed=st.integers(0, 2**32), steps=st.integers(0, 30))
def test_a_clone_goes_on_as_the_first_would(
    copied: Callable[[Walks], Walks], seed: int, steps: int
) -> None:
    session = Walks()
    some(session, np.random.default_rng(seed), steps)
    clone = copied(session)
    before = session.transcript().encode()
    some(clone, np.random.default_rng(seed + 1), 10)
    assert session.transcript().encode() == before
    some(session, np.random.default_rng(seed + 1), 10)
    assert clone.transcript().encode() == session.transcript().encode()
    assert (clone.at, clone.now, clone.ending) == (session.at, session.now, session.ending)
    for role in session.roles:
        assert list(clone.observe(role).history) == list(session.observe(role).history)
    assert clone.clock <= LIMIT


class Boils(Walks):
    """A kettle boils at 60, by itself; the goal is that it has boiled."""

    longest_wait = 20.0

    def next_change(self) -> int | None:
        return 60 if self.clock < 60 else None

    def progress(self) -> float:
        return float(self.clock >= 60)


def test_waits_last_as_long_as_the_session_says_and_end_when_the_world_changes() -> None:
    session = Boils()
    session.max_steps = 100
    for end in (20, 40):
        session.act("left", WAIT)
        assert [event.end for event in session.advance()] == [end]
    session.act("left", Action("Walk", ("3",)))
    session.advance()
    session.act("left", WAIT)
    assert [(event.role, event.end) for event in session.advance()] == [("left", 60)]
    assert session.ending == "the goal is met"


def test_a_goal_that_time_fulfils_is_met_whoever_is_busy() -> None:
    session = Boils()
    session.max_steps = 100
    for _ in range(2):
        session.act("left", WAIT)
        session.advance()
    session.begin = lambda role, action: 50  # type: ignore[method-assign]
    session.act("left", WALK)
    assert not session.advance()
    assert (session.clock, session.ending) == (60, "the goal is met")


def test_shares_that_add_up_to_one_meet_the_goal() -> None:
    session = Walks()
    session.progress = lambda: 0.9999999999999999  # type: ignore[method-assign]
    session.act("left", WALK)
    session.advance()
    assert session.ending == "the goal is met"
    assert session.score().metrics["success"] == 1.0


def test_a_role_sees_what_others_are_doing_if_it_would_perceive_it() -> None:
    session = Walks()
    session.act("left", WALK)
    assert session.observe("right").doing == {"left": WALK}
    assert session.observe("left").doing == {}
    session.perceive = lambda role, event: None  # type: ignore[method-assign]
    assert session.observe("right").doing == {}


def test_a_replay_ends_with_the_session_while_a_role_still_acts() -> None:
    class Race(Walks):
        def progress(self) -> float:
            return min(self.at["left"], 10) / 10

    session = play(Race(), {"left": walk, "right": lambda session, role: Action("Walk", ("3",))})
    assert (session.ending, session.clock) == ("the goal is met", 10)
    assert session.busy("right") is not None
    again = replay(Race(), session.transcript().entries)
    assert (again.clock, again.score()) == (session.clock, session.score())
