"""A house is played in a session: policies, bounds, endings, replays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, DONE, WAIT, Action
from homebody.core.play.replay import replay
from homebody.core.play.rounds import play
from homebody.core.play.session import (
    ALL_DONE,
    GOAL_MET,
    NotReadyError,
    read_action,
    take,
)
from homebody.core.play.telling import sentence
from homebody.core.play.transcript import decode, find_call
from homebody.worlds.house.model.agents import HUMAN, ROBOT
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask, Placement
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.relations import is_on_top
from homebody.worlds.house.simulation.simulation import Simulation
from thorough import examples
from worlds.house.handmade import AFFORDS, two_rooms

AGENTS = {"robot": ROBOT, "human": HUMAN}
CUP = HouseTask("Put cup_1 on table_1.", (Placement("cup_1", "on", "table_1"),))
NEVER = HouseTask("Tidy up.")


def start(task: HouseTask = NEVER, seed: int = 1, **options: int) -> HouseSession:
    failures = {"Pick": 0.3, "Navigate": 0.2} if seed else {}
    simulation = Simulation(
        two_rooms(), AGENTS, seed=seed, affords=AFFORDS, sees=sees_room, failures=failures
    )
    return HouseSession(simulation, task, **options)


def scripted(plans: dict[str, list[str]]) -> dict[str, object]:
    def policy(_: HouseSession, role: str) -> Action:
        return find_call(plans[role].pop(0)) if plans[role] else DONE

    return dict.fromkeys(plans, policy)


def test_shares_that_add_up_to_one_meet_the_goal() -> None:
    session = start(HouseTask("Tidy up.", judge=lambda _: sum([0.1] * 10)))
    assert session.ending == GOAL_MET
    score = session.score()
    assert (score.metrics["success"], score.record["success"]) == (1.0, True)
    assert score.record["explanation"] == "Everything was done as it was asked."


def test_policies_play_until_all_are_done() -> None:
    plans = {
        "robot": ["Explore[kitchen_0]", "Rearrange[cup_1, on, table_1]"],
        "human": ["Pick[moon_0]", "Explore[kitchen_0]", "Navigate[cup_0]"],
    }
    session = play(start(seed=0), scripted(plans))  # type: ignore[arg-type]
    log = session.simulation.log
    assert [event.action.name for event in log if not event.ok] == ["Pick"]
    assert is_on_top(session.simulation.state, "cup_1", "table_1")
    assert session.ending == ALL_DONE


def test_it_ends_at_its_bounds() -> None:
    forever = play(start(max_steps=100), {"robot": lambda *_: WAIT})
    assert len(forever.simulation.log) == 4
    assert forever.ending == "the time is used up"
    stubborn = play(start(max_actions=7), {"robot": lambda *_: Action("Fly")})
    assert (stubborn.action_counts["robot"], stubborn.ending) == (7, "nobody may do more")
    assert (
        stubborn.observe("robot").actions_left,
        start(max_actions=7).observe("robot").actions_left,
    ) == (0, 7)


def test_it_ends_when_the_task_is_finished() -> None:
    plans = {"robot": ["Explore[kitchen_0]", "Rearrange[cup_1, on, table_1]", "Wait[]"]}
    session = start(CUP, seed=0)
    assert (session.progress(), session.score(CORRECTED).metrics["success"]) == (0.0, 0.0)
    assert "put cup_1 on table_1" in session.score(CORRECTED).record["explanation"]
    play(session, {**scripted(plans), "human": lambda *_: WAIT})  # type: ignore[dict-item]
    assert (session.ending, session.ready()) == (GOAL_MET, ())
    assert plans == {"robot": ["Wait[]"]}
    assert session.score(CORRECTED).metrics == {"success": 1.0, "progress": 1.0}
    with pytest.raises(NotReadyError):
        session.act("robot", WAIT)


def test_roles_are_told_what_is_new() -> None:
    session = start(seed=0)
    assert "cup_1" not in session.observe("human").text
    assert take(session, "human", "Explore[kitchen_0]") is None
    assert take(session, "robot", "I do not know").message.startswith("there is no action")  # type: ignore[union-attr]
    assert session.act("robot", DONE).ok  # type: ignore[union-attr]
    session.advance()
    observation = session.observe("human")
    assert [sentence(event, "human") for event in observation.news] == [
        "robot: Done[]",
        "Explore[kitchen_0]: you have looked around in kitchen_0 and found cup_0, cup_1 and jug_0",
    ]
    learnt = observation.changes.splitlines()
    assert any(line.startswith("cup_1") for line in learnt)
    assert len(learnt) < len(observation.text.splitlines()) + 5
    take(session, "human", WAIT)
    session.advance()
    assert session.observe("human").changes == ""
    with pytest.raises(RuntimeError):
        _ = observation.text


def test_options_and_tools_can_be_taken() -> None:
    session = start(seed=0)
    observation = session.observe("robot")
    assert observation.options[-1] == DONE
    assert read_action(observation, 0) == observation.options[0]
    assert {tool.name for tool in observation.tools} >= {"Navigate", "Pick", "Done"}


def told(session: HouseSession) -> list[object]:
    """All that roles are told, and how it stands."""
    parts: list[object] = [session.clock, session.progress(), session.score(CORRECTED)]
    for role in session.roles:
        observation = session.observe(role)
        parts += [observation.news, observation.text, observation.changes, observation.options]
    return parts


def random_play(
    session: HouseSession, seed: int, actions: int
) -> list[tuple[int, Sequence[object]]]:
    """Play at random; after each event how many entries there are and what is told."""
    rng = np.random.default_rng(seed)
    moments = []
    while session.ending is None and sum(session.action_counts.values()) < actions:
        for role in session.ready():
            options = session.observe(role).options
            names = sorted({option.name for option in options})
            name = names[int(rng.integers(len(names)))]
            like = [option for option in options if option.name == name]
            if rng.random() < 0.1:
                take(session, role, "hm")
            else:
                take(session, role, like[int(rng.integers(len(like)))])
        session.advance()
        moments.append((len(session.transcript().entries), told(session)))
    return moments


@examples(15)
@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(0, 3))
def test_it_replays_to_any_step(seed: int, actions: int, chance: int) -> None:
    session = start(CUP, chance)
    moments = random_play(session, seed, actions)
    text = session.transcript().encode()
    transcript = decode(text)
    for count, then in moments[:: max(1, len(moments) // 4)]:
        clock = then[0]
        assert isinstance(clock, int)
        again = replay(start(CUP, chance), transcript.entries[:count], until=clock)
        assert told(again) == then
    again = replay(start(CUP, chance), transcript.entries)
    assert again.transcript().encode() == text


def test_that_somebody_waits_is_no_news_to_others() -> None:
    session = start(seed=0)
    everything = {role: session.simulation.graphs[role] for role in session.roles}
    for graph in everything.values():
        graph.partial = False  # so that all is seen
    session.act("robot", WAIT)
    session.act("human", Action("Pick", ("cup_0",)))
    while session.ready() != session.roles:
        session.advance()
    assert all(event.action != WAIT for event in session.observe("human").news)
    assert session.observe("robot").news[-1].action == WAIT
