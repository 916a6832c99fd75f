"""Talking: who hears it, what it tells, and what it leaves as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from homebody.core import WAIT, Action, Event, HomebodyError
from homebody.core.play.replay import replay
from homebody.core.play.session import take
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import Settings, read_settings
from suites.partnr.homes import make_task
from suites.partnr.test_session import MIXED, THINGS


def talking(talk: str, **others: str) -> PartnrSession:
    """A session; the robot has to go to the kitchen to be where the cup on the counter is."""
    task = make_task(MIXED, *THINGS, settings=Settings(talk=talk, **others))
    return PartnrSession(replace(task, seed=1))


def do(session: PartnrSession, role: str, call: str) -> Event:
    """Do one action to its end, while the others do what they do."""
    event = take(session, role, call)
    while event is None:
        event = next((each for each in session.advance() if each.role == role), None)
    return event


def meet(session: PartnrSession) -> None:
    for role in session.roles:
        assert do(session, role, "Explore[kitchen_0]").ok


def heard(session: PartnrSession, role: str) -> list[str]:
    history = session.observe(role).history
    return [
        ", ".join(each.action.args[1:])
        for each in history
        if each.role != role and each.action.name == "Say"
    ]


def test_without_the_setting_nobody_talks() -> None:
    session = talking("none")
    assert not do(session, "robot", "Say[human, hello]").ok
    assert "Say" not in {tool.name for tool in session.observe("robot").tools}


def test_in_a_room_only_those_there_hear_it() -> None:
    session = talking("room")
    assert do(session, "robot", "Navigate[kitchen_0]").ok
    assert do(session, "human", "Navigate[bedroom_0]").ok
    refused = do(session, "robot", "Say[human, hello]")
    assert not refused.ok
    assert "not in this room" in refused.message
    meet(session)
    assert do(session, "robot", "Say[human, hello, you there.]").message == (
        "you told human: hello, you there"
    )
    assert heard(session, "human") == ["hello, you there."]
    assert heard(session, "robot") == []


def test_who_leaves_while_the_other_talks_hears_nothing() -> None:
    session = talking("room")
    meet(session)
    session.act("human", Action("Navigate", ("bedroom_0",)))
    for _ in range(5):  # the walk is longer than a word
        last = do(session, "robot", "Say[human, wait]")
        if not last.ok:
            break
    assert "not in this room" in last.message


def test_by_radio_all_hear_it_and_who_waits_wakes() -> None:
    session = talking("radio")
    session.act("human", WAIT)
    said = do(session, "robot", "Say[human, hello]")
    assert (said.ok, said.end - said.start) == (True, 30)
    assert session.busy("human") is None
    assert session.clock == 30


@pytest.mark.parametrize(
    ("words", "learns"),
    [
        ("cup_0 is on counter_0", True),
        ("go and get cup_0, it is in kitchen_0", True),
        ("cup_0", False),
        ("cup_0 is on sofa_0 in living_room_0", False),
        ("the cup is on the counter in the kitchen", False),
    ],
)
def test_who_is_told_where_something_is_can_name_it(words: str, learns: bool) -> None:
    session = talking("radio")
    assert do(session, "robot", "Explore[kitchen_0]").ok
    graph = session.simulation.graphs["human"]
    known = {name for name in graph.nodes if graph[name].kind == "object"}
    if "cup_0" in known:
        pytest.skip("the human starts where the cup is")
    assert do(session, "robot", f"Say[human, {words}]").ok
    now = {name for name in graph.nodes if graph[name].kind == "object"}
    assert now - known == ({"cup_0"} if learns else set())
    if learns:
        assert graph["cup_0"] == session.simulation.graphs["robot"]["cup_0"]


def test_what_a_listener_sees_is_not_overridden() -> None:
    session = talking("radio")
    meet(session)
    robot, human = (session.simulation.graphs[role] for role in session.roles)
    assert do(session, "human", "Navigate[living_room_0]").ok
    assert do(session, "robot", "Rearrange[cup_0, on, counter_1]").ok
    assert do(session, "human", "Navigate[kitchen_0]").ok
    human.believe(replace(human["cup_0"], holder="counter_0"))
    assert do(session, "human", "Say[robot, cup_0 is on counter_0]").ok
    assert (robot["cup_0"].holder, human["cup_0"].holder) == ("counter_1", "counter_1")


def test_settings_that_contradict() -> None:
    for given in ({"team": "centralised"}, {"team": "single"}, {"planner": "finetuned"}):
        with pytest.raises(HomebodyError):
            read_settings({"talk": "radio", **given})


def test_small_steps_leave_the_voice() -> None:
    session = talking("radio", actions="low_level")
    assert do(session, "robot", "Say[human, hello]").ok


def test_talk_is_replayed() -> None:
    session = talking("radio")
    do(session, "robot", "Explore[kitchen_0]")
    do(session, "robot", "Say[human, cup_0 is on counter_0, take it]")
    again = PartnrSession(session.task)
    replay(again, session.entries, until=session.now)
    assert again.simulation.log == session.simulation.log
    graphs = [each.simulation.graphs["human"].nodes for each in (session, again)]
    assert graphs[0] == graphs[1]
