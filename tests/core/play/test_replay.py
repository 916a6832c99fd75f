"""The replay rule: what was written down is played again to the same moment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.play.walks import WALK, Walks
from homebody.core import WAIT, Action, Event
from homebody.core.play.replay import replay, retrace
from homebody.core.play.rounds import play
from homebody.core.play.transcript import TranscriptEntry, decode

CALLS = st.sampled_from(["Walk[1]", "Walk[3]", "Wait[]", "Done[]", "Fly[x]", "? hm", ""])
ENTRIES = st.lists(
    st.builds(
        TranscriptEntry,
        clock=st.integers(-5, 80) | st.just(10**30),
        role=st.sampled_from(["left", "right", "nobody"]),
        call=CALLS,
        cycle=st.integers(-1, 2),
        planner=st.sampled_from(["left", ""]),
    ),
    max_size=30,
)


@given(ENTRIES, st.integers(0, 70) | st.none())
def test_whatever_the_entries_say_the_session_goes_through(
    entries: list[TranscriptEntry], until: int | None
) -> None:
    session = replay(Walks(), entries, until)
    again = replay(Walks(), session.entries, session.now)
    assert again.entries == session.entries
    assert (again.clock, again.at, again.done) == (session.clock, session.at, session.done)


def test_one_can_look_on_while_it_is_played_again() -> None:
    first = Walks()
    first.act("left", WALK)
    first.act("right", Action("Fly"))
    first.act("right", Action("Walk", ("1",)))
    first.advance()
    seen = [
        (step.call if isinstance(step, TranscriptEntry) else f"{step.role} {step.ok} {step.end}")
        for step in retrace(Walks(), first.entries)
    ]
    begun = ["Walk[2]", "Fly[]", "right False 0", "Walk[1]"]
    assert seen == [*begun, "right True 1", "left True 2"]
    stopped = [*retrace(Walks(), first.entries, until=1)]
    assert len(stopped) == len(seen) - 1


class Waits(Walks):
    """Who waits stops as soon as time passes, without a step of the clock."""

    def _pass_time(self) -> Sequence[Event]:
        waiting = [role for role in self.roles if self.busy(role) == WAIT]
        if not waiting:
            return super()._pass_time()
        start = self._doing.pop(waiting[0]).start
        return [Event(waiting[0], WAIT, True, "you waited", start, self.clock)]


def wait_and_walk() -> Waits:
    session = Waits()
    session.act("left", WAIT)
    session.act("right", WAIT)
    return session


def test_time_that_passes_without_a_step_is_written_down() -> None:
    session = wait_and_walk()
    session.advance()  # left is free
    session.advance()  # right is free
    assert session.now == (0, 2)
    session.act("left", WALK)
    assert session.entries[-1].pauses == 2
    text = session.transcript().encode()
    assert '[0,"left","Walk[2]",0,"",2]' in text
    again = replay(Waits(), decode(text).entries, session.now)
    assert again.ready() == session.ready() == ("right",)


def test_what_the_entry_tells_by_itself_is_not_written_down() -> None:
    session = wait_and_walk()
    session.advance()
    session.act("left", WALK)  # left cannot have acted before
    assert session.entries[-1].pauses == 0
    assert replay(Waits(), session.entries, session.now).busy("right") == WAIT


@given(st.integers(0, 2**32), st.integers(0, 40))
def test_a_session_is_played_again_to_any_moment(seed: int, steps: int) -> None:
    rng = np.random.default_rng(seed)
    session = Waits()
    for _ in range(steps):
        ready = session.ready()
        if ready and rng.random() < 0.6:
            options = session.options("left")
            role = ready[int(rng.integers(len(ready)))]
            session.act(role, options[int(rng.integers(len(options)))])
        else:
            session.advance()
    again = replay(Waits(), decode(session.transcript().encode()).entries, session.now)
    seen = [(s.now, s.ready(), s.at, s.entries, s.ending) for s in (session, again)]
    assert seen[0] == seen[1]
    for role in session.roles:
        assert list(again.observe(role).history) == list(session.observe(role).history)


class Endless(Walks):
    """Something is always over, and no time passes."""

    def _pass_time(self) -> Sequence[Event]:
        return [Event("left", WAIT, True, "you waited", self.clock, self.clock)]


def test_a_session_in_which_time_stands_still_for_good_is_left() -> None:
    session = replay(Endless(), [TranscriptEntry(5, "left", "Walk[1]")])
    assert session.clock == 0
    assert play(Endless(), {"left": lambda session, role: WALK}).ending is None
    assert session.entries[0].pauses == 0
