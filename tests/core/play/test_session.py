"""The contract of sessions on the smallest world that has all of it: two roles, time, refusals."""

from __future__ import annotations

import re

import pytest

from core.play.walks import WALK, Walks
from homebody.core import (
    Action,
    HomebodyError,
    ToolCall,
)
from homebody.core.play.session import (
    ActionInput,
    NotReadyError,
    StaleError,
    read_action,
    take,
)
from homebody.core.play.transcript import TranscriptEntry

# -- what is meant --------------------------------------------------------------------------------


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
def test_an_action_is_read_however_it_is_said(said: ActionInput) -> None:
    assert read_action(Walks().observe("left"), said) == WALK


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("I do not know", "no action in this text"),
        (5, "no option 5; the last is 4"),
        (-1, "no option -1; the last is 4"),
        (10**30, "no option 10*; the last is 4"),
        (None, "cannot be given as NoneType; give it as an Action"),
        (True, "cannot be given as bool"),
        (1.5, "cannot be given as float"),
        (ToolCall("Walk", None), "arguments of Walk must be an object"),
        (ToolCall("Walk", ["2"]), "arguments of Walk must be an object"),
        (ToolCall("Fly", {}), "unknown tool: 'Fly'; use one of: Walk, Wait"),
        (ToolCall("Walk", {}), "Walk needs: steps"),
        (ToolCall("Walk", {"steps": None}), "Walk needs: steps"),
        (ToolCall("Walk", {"steps": 2}), "arguments of Walk must be strings"),
        (ToolCall("Walk", {"steps": ["2"]}), "arguments of Walk must be strings"),
        (ToolCall("Walk", {"steps": "2", "to": "x"}), "no argument 'to'; it has: steps, why"),
        (ToolCall("Wait", {"steps": "2"}), "no argument 'steps'; it has: none"),
        (ToolCall("x" * 10_000, {}), "unknown tool: 'x{80}'"),
    ],
)
def test_what_cannot_be_read_is_noted_and_refused_with_the_reason(
    said: ActionInput, why: str
) -> None:
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
    assert (before.text, before.knowledge) == ("left is at 0", {"left": 0, "right": 0})
    assert [tool.name for tool in before.tools] == ["Walk", "Wait", "Done"]
    with pytest.raises(HomebodyError, match="no pictures"):
        _ = before.images
    session.act("left", WALK)
    for part in ("text", "changes", "options", "tools", "knowledge", "images"):
        with pytest.raises(StaleError, match="observe again"):
            getattr(before, part)
    assert before.instruction == "Walk to ten."  # what is short was told at once
    session.advance()
    now = session.observe("left")
    assert (now.clock, now.text) == (2, "left is at 2")
    assert [event.action for event in now.news] == [WALK]
