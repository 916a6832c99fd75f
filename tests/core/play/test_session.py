"""The contract of sessions on the smallest world that has all of it: two roles, time, refusals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import (
    DONE,
    WAIT,
    Action,
    Event,
    HomebodyError,
    Observation,
    Score,
    Tool,
    ToolCall,
    Transcript,
)
from homebody.core import Protocol as Rules
from homebody.core.play import policies
from homebody.core.play.session import (
    TRIES,
    Image,
    NotReadyError,
    Said,
    StaleError,
    play,
    read_action,
    replay,
    retrace,
    take,
    take_turn,
)
from homebody.core.play.transcript import TranscriptEntry, unread, write_call

STEPS = ("1", "2", "3")
LIMIT = 60


class Walks:
    """Two walk along a line, ``Walk[n]`` takes n steps; it is done when both are at ten."""

    roles = ("left", "right")

    def __init__(self) -> None:
        self.clock = 0
        self.at = dict.fromkeys(self.roles, 0)
        self.done: set[str] = set()
        self.entries: list[TranscriptEntry] = []
        self.moment = 0
        self._walks: dict[str, tuple[Action, int]] = {}
        self._news: dict[str, list[Event]] = {role: [] for role in self.roles}

    @property
    def ending(self) -> str | None:
        if self.clock >= LIMIT or len(self.entries) >= LIMIT:
            return "too long"
        return "all are done" if self.done.issuperset(self.roles) else None

    def ready(self) -> tuple[str, ...]:
        free = [role for role in self.roles if role not in self.done and role not in self._walks]
        return () if self.ending else tuple(free)

    def busy(self, role: str) -> Action | None:
        return self._walks[role][0] if role in self._walks else None

    def observe(self, role: str) -> Observation:
        return Observation(
            role, self.clock, "Walk to ten.", tuple(self._news[role]), self, self.moment
        )

    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event | None:
        if role not in self.ready():
            raise NotReadyError(f"{role} cannot act now")
        self.moment += 1
        self.entries.append(TranscriptEntry(self.clock, role, write_call(action), cycle, planner))
        self._news[role] = []
        if action == DONE:
            self.done.add(role)
        elif action == WAIT:
            self._walks[role] = (action, self.clock + 1)
        elif action.name == "Walk" and action.args and action.args[0] in STEPS:
            self._walks[role] = (action, self.clock + int(action.args[0]))
        else:
            now = self.clock
            self._news[role] = [Event(role, action, False, "it cannot be", now, now)]
            return self._news[role][0]
        return None

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        if role not in self.ready():
            raise NotReadyError(f"{role} cannot act now")
        self.moment += 1
        self.entries.append(TranscriptEntry(self.clock, role, unread(text), cycle, planner))

    def advance(self) -> Sequence[Event]:
        if not self._walks or self.clock >= LIMIT:
            return ()
        self.moment += 1
        start, self.clock = self.clock, min(LIMIT, *(end for _, end in self._walks.values()))
        events = []
        for role, (action, end) in list(self._walks.items()):
            if end <= self.clock:
                del self._walks[role]
                self.at[role] += int(action.args[0]) if action.args else 0
                events.append(Event(role, action, True, "there", start, self.clock))
        for seen in self._news.values():
            seen += events
        return events

    def progress(self) -> float:
        return sum(min(at, 10) for at in self.at.values()) / 20

    def transcript(self) -> Transcript:
        return Transcript({}, 0, tuple(self.entries))

    def score(self, protocol: Rules | None = None) -> Score:
        return Score("walks", {"progress": self.progress()}, {})

    def describe(self, role: str) -> str:
        return f"{role} is at {self.at[role]}"

    def learnt(self, role: str) -> str:
        return self.describe(role)

    def options(self, role: str) -> Sequence[Action]:
        return [*(Action("Walk", (step,)) for step in STEPS), WAIT, DONE]

    def tools(self, role: str) -> Sequence[Tool]:
        steps = {"steps": {"type": "string"}, "why": {"type": "string"}}
        schema = {"type": "object", "properties": steps, "required": ["steps"]}
        return [Tool("Walk", "go on", schema), Tool("Wait", "stay", {"type": "object"})]

    def known(self, role: str) -> Any:
        return self.at

    def images(self, role: str) -> Sequence[Image]:
        raise HomebodyError("there are no pictures of a line")


# -- what is meant --------------------------------------------------------------------------------

WALK = Action("Walk", ("2",))


@pytest.mark.parametrize(
    "said",
    [
        WALK,
        1,
        "Walk[2]",
        "I go on: Walk[2]",
        ToolCall("Walk", {"steps": "2"}),
        ToolCall("Walk", {"steps": "2", "why": None}),
    ],
)
def test_an_action_is_read_however_it_is_said(said: Said) -> None:
    assert read_action(Walks().observe("left"), said) == WALK


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("I do not know", "no action in this text"),
        (5, "no option 5; the last is 4"),
        (-1, "no option -1; the last is 4"),
        (10**30, "no option 10*; the last is 4"),
        (None, "cannot be said as NoneType; say it as an Action"),
        (True, "cannot be said as bool"),
        (1.5, "cannot be said as float"),
        (ToolCall("Walk", None), "arguments of Walk are no object"),
        (ToolCall("Walk", ["2"]), "arguments of Walk are no object"),
        (ToolCall("Fly", {}), "no tool 'Fly'; there are: Walk, Wait"),
        (ToolCall("Walk", {}), "Walk needs: steps"),
        (ToolCall("Walk", {"steps": None}), "Walk needs: steps"),
        (ToolCall("Walk", {"steps": 2}), "arguments of Walk are names"),
        (ToolCall("Walk", {"steps": ["2"]}), "arguments of Walk are names"),
        (ToolCall("Walk", {"steps": "2", "to": "x"}), "no argument 'to'; it has: steps, why"),
        (ToolCall("Wait", {"steps": "2"}), "no argument 'steps'; it has: none"),
        (ToolCall("x" * 10_000, {}), "no tool 'x{80}'"),
    ],
)
def test_what_cannot_be_read_is_noted_and_refused_with_the_reason(said: Said, why: str) -> None:
    session = Walks()
    with pytest.raises(HomebodyError):
        read_action(session.observe("left"), said)
    event = take(session, "left", said, 3, "left")
    assert event is not None
    assert not event.ok
    assert event.action == Action("")
    assert re.search(why, event.message)
    (entry,) = session.entries
    assert (entry.role, entry.cycle, entry.planner) == ("left", 3, "left")
    assert entry.call.startswith("? ")
    assert "left" in session.ready()


def test_what_can_be_read_is_done() -> None:
    session = Walks()
    assert take(session, "left", "Walk[2]", 1, "left") is None
    assert session.entries == [TranscriptEntry(0, "left", "Walk[2]", 1, "left")]
    refused = take(session, "right", "Walk[9]")
    assert refused is not None
    assert refused.message == "it cannot be"
    with pytest.raises(NotReadyError):
        take(session, "left", WALK)


# -- observations ---------------------------------------------------------------------------------


def test_an_observation_is_of_one_moment() -> None:
    session = Walks()
    before = session.observe("left")
    assert before == session.observe("left")
    assert (before.text, before.known) == ("left is at 0", {"left": 0, "right": 0})
    assert [tool.name for tool in before.tools] == ["Walk", "Wait"]
    with pytest.raises(HomebodyError, match="no pictures"):
        _ = before.images
    session.act("left", WALK)
    for part in ("text", "learnt", "options", "tools", "known", "images"):
        with pytest.raises(StaleError, match="observe again"):
            getattr(before, part)
    assert before.instruction == "Walk to ten."  # what is short was told at once
    session.advance()
    now = session.observe("left")
    assert (now.clock, now.text) == (2, "left is at 2")
    assert [event.action for event in now.news] == [WALK]


# -- playing --------------------------------------------------------------------------------------


def test_roles_without_a_policy_are_done_at_once() -> None:
    session = play(Walks(), {"left": lambda session, role: WALK})
    assert session.ending == "too long"
    assert session.at == {"left": LIMIT, "right": 0}
    assert session.entries[1] == TranscriptEntry(0, "right", "Done[]")


def test_policies_are_of_roles_that_there_are() -> None:
    session = Walks()
    with pytest.raises(HomebodyError, match="there is no 'lft'"):
        play(session, {"lft": lambda session, role: WALK})
    assert not session.entries


def test_who_is_refused_again_and_again_has_to_let_others_act() -> None:
    asked = []

    def stubborn(session: Walks, role: str) -> Action:
        asked.append(session.clock)
        return Action("Fly")

    session = Walks()
    assert take_turn(session, "left", stubborn)
    assert asked == [0] * TRIES
    play(session, {"left": stubborn, "right": lambda session, role: WALK})
    assert session.ending == "too long"
    assert session.at["right"] > 0


def test_a_turn_ends_with_the_part() -> None:
    session = Walks()
    session.act("left", WALK)
    assert not take_turn(session, "left", lambda session, role: DONE)
    assert take_turn(session, "right", lambda session, role: DONE)
    assert session.done == {"right"}


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


# -- playing again --------------------------------------------------------------------------------

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
    again = replay(Walks(), session.entries, session.clock)
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
