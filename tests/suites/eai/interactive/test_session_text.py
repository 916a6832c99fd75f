"""What a session says can be acted on: it names what there is, once."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.suites.eai.interactive import session_text as words
from homebody.suites.eai.interactive.session import start
from suites.eai.interactive.played import ROOM, WORLDS, begin, play_any, scenes, tasks

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")

MAX_TEXT = 12_000
"""Characters of the longest description: a household of 300 things, all seen."""


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@settings(max_examples=30)
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(0, 25), room=st.booleans())
def test_a_description_has_each_thing_once(
    world: str, data: st.DataObject, seed: int, steps: int, room: bool
) -> None:
    found = data.draw(tasks(world))
    session = play_any(start(found, ROOM if room else {}, 0), seed, steps)
    text = session.describe("agent")
    assert len(text) < MAX_TEXT
    lines = "\n".join(line for line in text.splitlines() if line.startswith("- "))
    lines = re.sub(r" \([^()]*\)", "", lines)  # states, and what is next to what
    told = re.findall(r"[\w.-]+\d", lines)
    known = session.knowledge("agent")
    things = [
        n for n in words.mentioned_names(found, known) if n not in (found.world.agent, *found.rooms)
    ]
    assert sorted(told) == sorted(things)


@pytest.mark.parametrize("world", WORLDS)
def test_an_instruction_names_the_goal(world: str) -> None:
    for found in scenes(world):
        text = start(found, {}, 0).observe("agent").instruction
        assert len(text) < 4_000
        named = {name for name in re.findall(r"[\w.-]+\d", text) if name in found.task_objects}
        assert found.goal_objects <= named | {found.world.agent} | set(found.rooms)


def test_goals_of_actions_are_told() -> None:
    text = begin("virtualhome", "459_1").observe("agent").instruction
    assert "on any objects that they need:\n- LOOKAT or WATCH\n" in text
    assert "- television.410 is switched on\n" in text


def test_in_which_hand_something_is_wanted_is_told() -> None:
    wanted = [
        found
        for found in scenes("virtualhome")
        if "HOLDS_LH" in found.annotated_task.task.goal.text
    ]
    assert wanted
    for found in wanted:
        assert "in the left hand\n" in start(found, {}, 0).observe("agent").instruction


@pytest.mark.parametrize("world", WORLDS)
def test_what_the_annotated_plan_handles_is_told(world: str) -> None:
    for found in scenes(world):
        plan = {name for action in found.annotated_task.task.reference for name in action.args}
        assert plan <= found.task_objects
