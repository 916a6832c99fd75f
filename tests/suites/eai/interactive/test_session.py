"""Sessions: what is carried out, what is refused and why, and when they end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, DONE, PUBLISHED, Action, ErrorType, HomebodyError, Trace
from homebody.core.play.session import ALL_DONE, NotReadyError, take
from homebody.core.play.transcript import MAX_CALL
from homebody.suites import get_suite
from homebody.suites.eai.interactive.session import EaiSession, max_actions, start
from suites.eai.interactive.played import ROOM, WORLDS, any_action, begin, do, scene, scenes, tasks

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")

LIGHTS, DISHES, BOTTLING = "120_1", "417_2", "bottling_fruit"


@dataclass(frozen=True)
class Refusal:
    """A refused action: after what, of which type, and what is said."""

    world: str
    task: str
    given: tuple[str, ...]
    call: str
    error: ErrorType
    said: str
    room: bool = False


REFUSALS = (
    Refusal("virtualhome", LIGHTS, (), "SWITCHON[light.411]", ErrorType.MISSING_STEP,
            "Not possible: character.65 is not near light.411."),
    Refusal("virtualhome", LIGHTS, ("WALK[light.411]", "WALK[bathroom.1]"), "SWITCHON[light.411]",
            ErrorType.WRONG_ORDER, "Not possible: character.65 is not near light.411."),
    Refusal("virtualhome", LIGHTS, ("WALK[light.411]",), "EAT[light.411]", ErrorType.AFFORDANCE,
            "Not possible: light.411 cannot be eaten."),
    Refusal("virtualhome", LIGHTS, ("WALK[light.411]", "SWITCHON[light.411]"),
            "SWITCHON[light.411]", ErrorType.ADDITIONAL_STEP,
            "Not needed: light.411 is switched on already."),
    Refusal("virtualhome", LIGHTS, (), "FLY[light.411]", ErrorType.ACTION_HALLUCINATION,
            "There is no action 'FLY'. There are: WALK, RUN,"),
    Refusal("virtualhome", LIGHTS, (), "WALK[]", ErrorType.ARGUMENT_NUMBER,
            "WALK takes 1 object, not 0: write WALK[target]."),
    Refusal("virtualhome", LIGHTS, (), "WALK[light]", ErrorType.OBJECT_HALLUCINATION,
            "There is no 'light'; there is light.64 or light.169"),
    Refusal("virtualhome", LIGHTS, (), "WALK[unicorn.7]", ErrorType.OBJECT_HALLUCINATION,
            "There is no 'unicorn.7'."),
    Refusal("virtualhome", LIGHTS, (), "WALK[light.245]", ErrorType.OBJECT_HALLUCINATION,
            "You have seen no 'light.245'; there is light.411.", room=True),
    Refusal("virtualhome", LIGHTS, (), "WALK[unicorn.7]", ErrorType.OBJECT_HALLUCINATION,
            "You have seen no 'unicorn.7'.", room=True),
    Refusal("behavior", BOTTLING, (), "RIGHT_GRASP[peach_0]", ErrorType.MISSING_STEP,
            "Not possible: peach_0 is shut inside something closed."),
    Refusal("behavior", BOTTLING, (), "RIGHT_GRASP[peach_0]", ErrorType.OBJECT_HALLUCINATION,
            "You have seen no 'peach_0'.", room=True),
    Refusal("behavior", BOTTLING, (), "OPEN[agent.n.01_1]", ErrorType.OBJECT_HALLUCINATION,
            "You cannot name yourself, 'agent.n.01_1'."),
    Refusal("behavior", BOTTLING, (), "SLICE[jar_0]", ErrorType.AFFORDANCE,
            "Not possible: jar_0 cannot be sliced."),
    Refusal("behavior", BOTTLING, ("OPEN[jar_0]",), "OPEN[jar_0]", ErrorType.ADDITIONAL_STEP,
            "Not needed: jar_0 is open already."),
)  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: f"{case.world} {case.call}")
def test_a_refused_action_changes_nothing_counts_and_is_told_with_the_reason(case: Refusal) -> None:
    session = begin(case.world, case.task, room=case.room)
    for call in case.given:
        assert do(session, call).ok, call
    before, clock, actions = session.state, session.clock, list(session.actions)
    event = do(session, case.call)
    assert not event.ok
    assert event.message.startswith(case.said)
    assert session.refused[-1][1].error is case.error
    assert (session.state, session.actions) == (before, actions)
    assert session.clock == clock + 1 == event.end
    assert session.observe("agent").news == (event,)
    assert session.describe_changes("agent") == ""


DONE_THINGS = (
    ("virtualhome", LIGHTS, (), "WALK[light.411]", "character.65 is next to light.411."),
    ("virtualhome", LIGHTS, ("WALK[light.411]",), "SWITCHON[light.411]",
     "light.411 is switched on."),
    ("virtualhome", LIGHTS, ("WALK[light.411]",), "TOUCH[light.411]", "It is done."),
    ("virtualhome", LIGHTS, ("WALK[rag.2003]", "GRAB[rag.2003]"), "DROP[rag.2003]",
     "character.65 is not holding rag.2003 in the right hand."),
    ("behavior", BOTTLING, (), "OPEN[fridge_97]", "fridge_97 is open."),
    ("behavior", BOTTLING, ("OPEN[jar_0]",), "CLOSE[jar_0]", "jar_0 is not open."),
    ("behavior", BOTTLING, ("LEFT_GRASP[jar_0]",), "LEFT_PLACE_NEXTTO[jar_1]",
     "jar_0 is next to jar_1; jar_0 is on countertop_84."),
    ("behavior", BOTTLING, (), "NAVIGATE_TO[jar_0]", "It is done."),
)  # fmt: skip


@pytest.mark.parametrize(("world", "task", "given_", "call", "said"), DONE_THINGS)
def test_what_an_action_brings_about_is_told(
    world: str, task: str, given_: tuple[str, ...], call: str, said: str
) -> None:
    session = begin(world, task)
    for before in given_:
        assert do(session, before).ok, before
    event = do(session, call)
    assert event.ok
    assert event.message.startswith(said)


def test_it_ends_when_the_agent_says_so() -> None:
    session = begin("behavior", BOTTLING)
    assert session.act("agent", DONE).ok
    assert (session.ending, session.clock, session.ready()) == (ALL_DONE, 0, ())
    with pytest.raises(NotReadyError):
        session.act("agent", DONE)
    with pytest.raises(NotReadyError):
        session.note("agent", "but")


@pytest.mark.parametrize("world", WORLDS)
def test_it_ends_when_all_actions_are_used_up(world: str) -> None:
    found = scenes(world)[0]
    session = start(found, {}, 0)
    for _ in range(max_actions(found)):
        assert session.ending is None
        take(session, "agent", "I do not know")
    assert session.ending == f"all {max_actions(found)} actions are used up"
    assert session.score(session._protocol).record["unreadable"] == max_actions(found)


def test_how_many_actions_there_are() -> None:
    assert max_actions(scene("virtualhome", LIGHTS)) == 30  # the annotated plan has 10
    assert max_actions(scene("behavior", "installing_a_fax_machine")) == 20  # it has 3


@pytest.mark.parametrize("name", ["open[fridge_97]", "Open[fridge_97]", "OPEN[ fridge_97 ]"])
def test_the_case_of_actions_does_not_matter(name: str) -> None:
    assert do(begin("behavior", BOTTLING), name).ok


@pytest.mark.parametrize("world", WORLDS)
@given(
    name=st.text(max_size=400) | st.sampled_from(["OPEN", "WALK", "PUTIN", "LEFT_GRASP"]),
    args=st.lists(st.text(max_size=400) | st.sampled_from(["[", ",", "fridge_97"]), max_size=5),
    room=st.booleans(),
)
def test_hostile_actions_get_short_answers(
    world: str, name: str, args: list[str], room: bool
) -> None:
    session = start(scenes(world)[1], ROOM if room else {}, 0)
    before = session.state
    event = session.act("agent", Action(name, tuple(args)))
    assert len(event.message) < 1_000
    assert event.ok or session.state is before
    assert len(session.entries) == 1
    assert len(session.entries[0].call) <= 300


@pytest.mark.parametrize(
    "wrong", [{"observability": "none"}, {"observability": ""}, {"colour": "red"}, {"": "room"}]
)
def test_settings_that_there_are_not(wrong: dict[str, str]) -> None:
    with pytest.raises(HomebodyError):
        start(scene("behavior", BOTTLING), wrong, 0)


def test_there_are_no_pictures() -> None:
    with pytest.raises(HomebodyError):
        _ = begin("behavior", BOTTLING).observe("agent").images


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_each_action_of_the_world_is_a_tool_with_its_arguments(world: str, protocol: str) -> None:
    rules = get_suite(f"eai.{world}.interactive").protocol(protocol)
    session = start(scenes(world)[0], {}, 0, rules)
    schemas = session.scene.world.schemas
    tools = {tool.name: tool for tool in session.tools("agent")}
    assert tools.keys() == {*schemas, "Done"}
    assert session.scene.arguments.keys() == schemas.keys()
    for name, schema in schemas.items():
        assert len(tools[name].parameters["properties"]) == schema.arity
        assert tools[name].parameters["required"] == list(tools[name].parameters["properties"])


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@settings(max_examples=25)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_progress_is_that_of_the_goal_after_each_step(
    world: str, data: st.DataObject, seed: int
) -> None:
    found = data.draw(tasks(world))
    session, rng = start(found, {}, 0), np.random.default_rng(seed)
    goal = found.annotated_task.task.goal
    for _ in range(30):
        if session.ending is None:
            session.act("agent", any_action(session, rng))
        if rng.random() < 0.7:  # it need not be asked after each
            states = (*session.history, session.state)
            assert session.progress() == goal.progress(Trace(states, tuple(session.actions)))


def test_a_session_of_another_protocol_is_in_its_world() -> None:
    session = start(scene("behavior", BOTTLING), {}, 0, PUBLISHED)
    assert isinstance(session, EaiSession)
    assert session.scene.world.quirks
    event = do(session, "NAVIGATE_TO[jar_0]")  # an exception in the published simulator
    assert not event.ok
    assert session.score(PUBLISHED).record["execution_failure"] == 1
    assert session.score(begin("behavior", BOTTLING)._protocol).record["execution_failure"] == 0


@pytest.mark.parametrize("world", WORLDS)
def test_calls_too_long_for_a_transcript_are_played_as_they_are_written(world: str) -> None:
    """Also those of names that there are."""
    session = begin(world, {"virtualhome": LIGHTS, "behavior": BOTTLING}[world])
    name = max(session.state.objects, key=len)
    event = session.act(
        session.roles[0], Action(next(iter(session.scene.world.schemas)), (name,) * 40)
    )
    assert len(session.entries[0].call) <= MAX_CALL
    text = session.transcript().encode()
    suite = get_suite(f"eai.{world}.interactive")
    again, problem = suite.playing.replay(session.scene, text, CORRECTED)
    assert not problem
    assert again.refused == session.refused
    assert not event.ok
