"""The suites, as whoever runs them sees them: agents, models, transcripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from homebody.core import CORRECTED, Action, Dialogue, Reply, ToolCall
from homebody.core.play.transcript import write_call
from homebody.drivers.react import react
from homebody.drivers.tool_calls import tools
from homebody.suites import get_suite
from homebody.suites.eai.interactive.session import EaiSession
from suites.eai.interactive.played import WORLDS, begin, scenes

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")

DONE = Action("Done")


@pytest.mark.parametrize("world", WORLDS)
def test_tasks_are_those_with_a_goal(world: str) -> None:
    suite = get_suite(f"eai.{world}.interactive")
    other = get_suite(f"eai.{world}.action_sequencing")
    tasks = suite.tasks.load(CORRECTED)
    assert len(tasks) == {"virtualhome": 338, "behavior": 100}[world]
    valid = [task for task in other.tasks.load(CORRECTED) if getattr(task, "has_goal", True)]
    assert list(map(suite.tasks.identify, tasks)) == list(map(other.tasks.identify, valid))
    assert suite.agents == ("oracle", "random", "copycat", "frequent", "idle")


@pytest.mark.sampled
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("agent", ["oracle", "random", "copycat", "frequent", "idle"])
@pytest.mark.parametrize("settings", [{}, {"observability": "room"}])
def test_agents_answer_with_transcripts(world: str, agent: str, settings: dict[str, str]) -> None:
    suite = get_suite(f"eai.{world}.interactive")
    for task in suite.tasks.load(CORRECTED)[:2]:
        output = suite.answer(agent, task, settings=settings)
        assert output == suite.answer(agent, task, settings=settings)
        record = suite.score(task, output).record
        assert record["settings"] == settings
        assert (record["steps"] == 0) == (agent == "idle")


def in_text(action: Action) -> Reply:
    return Reply(f"Thought: I go on.\nAction: {write_call(action)}")


def by_tool(action: Action) -> Reply:
    names = get_suite("eai.virtualhome.interactive").tasks.load(CORRECTED)[0].arguments
    behavior = get_suite("eai.behavior.interactive").tasks.load(CORRECTED)[0].arguments
    arguments = {**names, **behavior, "Done": ("", ())}[action.name][1]
    return Reply("", (ToolCall(action.name, dict(zip(arguments, action.args, strict=True))),))


@pytest.mark.parametrize("task", [("virtualhome", "459_1"), ("behavior", "bottling_fruit")])
@pytest.mark.parametrize(("drive", "reply"), [(react, in_text), (tools, by_tool)])
def test_models_play_by_texts_and_by_calls_of_tools(
    task: tuple[str, str],
    drive: Callable[[EaiSession, dict[str, object]], Dialogue],
    reply: Callable[[Action], Reply],
) -> None:
    session = begin(*task, room=True)
    plan: Sequence[Action] = (*session.scene.annotated_task.task.reference, DONE)
    dialogue = drive(session, {})
    question = next(dialogue)
    assert session.scene.instruction in question[0].messages[1].text
    for action in plan:
        try:
            question = dialogue.send((reply(action),))
        except StopIteration:
            break
        (event,) = session.observe("agent").news
        assert (event.action, event.ok) == (action, True)
        assert event.message in question[0].messages[-1].text
        assert session.describe("agent") in question[0].messages[-1].text
    assert session.ending is not None
    assert session.score(CORRECTED).metrics["path_weighted_success"] == 1


@pytest.mark.parametrize("world", WORLDS)
def test_a_thousand_sessions_are_open_at_once(world: str) -> None:
    """They share what they began with, and nothing that changes."""
    suite = get_suite(f"eai.{world}.interactive")
    assert suite.playing is not None
    found = scenes(world)[0]
    sessions = [suite.playing.start(found, {}, 0, CORRECTED) for _ in range(1_000)]
    plan = found.annotated_task.task.reference
    for action in plan:
        sessions[0].act("agent", action)
    assert sessions[0].progress() > sessions[1].progress()
    assert len({id(session.knowledge("agent").state) for session in sessions[1:]}) == 1
