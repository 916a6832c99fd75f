"""Every task is done by who works with people as it asks, and by nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest

from homebody.core import CORRECTED, DONE, WAIT, Action
from homebody.core.play.failures import drop_labels
from homebody.core.play.rounds import play
from homebody.core.play.session import GOAL_MET
from homebody.core.play.transcript import find_call, write_call
from homebody.suites.house import companion
from homebody.suites.house.bring import carry_out
from homebody.suites.house.companion import (
    FAMILIES,
    GROWN_UP,
    ROLE,
    SUITE,
    TASKS,
    CompanionTask,
    Drawn,
)
from homebody.suites.house.guided_walk import LIMIT, GuidedSession
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.simulation.relations import room_of
from leaks import RULES, guess_wanted, read_names
from thorough import part_of

Plan = Callable[[HouseSession, Drawn], Iterable[str]]


def of(family: str) -> list[CompanionTask]:
    return [task for task in TASKS if task.family == family]


def expert_plays(task: CompanionTask, **settings: str) -> HouseSession:
    session = companion.start(task, settings, 0, CORRECTED)
    play(session, {ROLE: companion.expert(session, np.random.default_rng(0))})
    return session


def replayed(task: CompanionTask, calls: Iterable[str]) -> HouseSession:
    """Play calls in order, whatever the feedback."""
    session = companion.start(task, {}, 0, CORRECTED)
    plan = iter(calls)
    play(session, {ROLE: lambda session, role: find_call(next(plan, "Done[]"))})
    return session


def planned(task: CompanionTask, plan: Plan) -> HouseSession:
    """Carry out a plan, each action until it works, and report the session."""
    session = companion.start(task, {}, 0, CORRECTED)
    calls = map(find_call, plan(session, session.source))
    play(session, {ROLE: carry_out(calls)})
    return session


def calls_of(session: HouseSession) -> list[str]:
    return [entry.call for entry in session.entries]


@pytest.mark.slow
@pytest.mark.parametrize("observability", ["partial", "full"])
def test_the_expert_does_every_task(observability: str) -> None:
    for task in part_of(TASKS):
        session = expert_plays(task, observability=observability)
        assert session.ending == GOAL_MET, (task, session.simulation.log[-1])


@pytest.mark.slow
def test_the_expert_goes_on_when_skills_fail() -> None:
    for task in TASKS[::10]:
        score = SUITE.score(task, SUITE.answer("expert", task, settings={"skills": "failing"}))
        assert score.metrics["success"] == 1.0 or task.family == "follow"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_task_is_not_done_by_less(family: str) -> None:
    task = of(family)[0]
    session = expert_plays(task)
    assert session.ending == GOAL_MET
    calls = calls_of(session)
    assert replayed(task, calls).progress() == 1.0
    idle = SUITE.score(task, SUITE.answer("idle", task))
    assert idle.metrics == {"success": 0.0, "progress": 0.0}
    plan = [call for call in calls if call != "Done[]"]
    assert replayed(task, plan[::-1]).progress() < 1.0
    assert replayed(task, plan[: len(plan) // 2]).progress() < 1.0
    assert replayed(task, plan[:-1]).progress() < 1.0
    needed = (
        "Ask",
        "Request",
        "Pick",
        "Give",
        "Place",
        *(["Follow"] if family == "follow" else []),
    )
    for at, call in enumerate(plan):
        if call.startswith(needed) or (family == "follow" and call.startswith("Follow")):
            assert replayed(task, plan[:at] + plan[at + 1 :]).progress() < 1.0, call


def test_what_is_undone_is_not_done() -> None:
    for family, undo in (
        ("bring", "Request[{person}, Give, {thing}, robot]"),
        ("ask", "Request[{person}, Give, {thing}, robot]"),
        ("help", "Pick[{thing}]"),
        ("follow", "Explore[hallway_0]"),
    ):
        session = expert_plays(of(family)[0])
        drawn, simulation = session.source, session.simulation
        call = undo.format(person=drawn.person.name, thing=drawn.placement.name)
        assert simulation.do(ROLE, find_call(call)).ok
        simulation.advance()
        assert session.task.score(simulation) < 1.0, family


def fetch(session: HouseSession, drawn: Drawn) -> Iterator[str]:
    for action in companion.fetch(session.simulation.state, drawn.placement.name):
        yield write_call(action)
    yield f"Explore[{room_of(session.simulation.state, drawn.person.name)}]"


def put_near(session: HouseSession, drawn: Drawn) -> Iterator[str]:
    yield from fetch(session, drawn)
    floor = session.simulation.state.house.room[room_of(session.simulation.state, ROLE)].floor_name
    yield f"Place[{drawn.placement.name}, on, {floor}]"


def hand_to_another(session: HouseSession, drawn: Drawn) -> Iterator[str]:
    yield from fetch(session, drawn)
    others = session.simulation.agents.keys() - {ROLE, drawn.person.name}
    other = min(others)
    yield f"Explore[{room_of(session.simulation.state, other)}]"
    yield f"Navigate[{other}]"
    yield f"Give[{drawn.placement.name}, {other}]"


def have_it_fetched(session: HouseSession, drawn: Drawn) -> Iterator[str]:
    """The person takes the object at the robot's request: nobody has brought it."""
    state, who, thing = session.simulation.state, drawn.person.name, drawn.placement.name
    yield f"Explore[{room_of(state, who)}]"
    yield f"Navigate[{who}]"
    yield f"Request[{who}, Navigate, {room_of(state, thing)}]"
    yield f"Follow[{who}]"
    yield f"Request[{who}, Navigate, {thing}]"
    yield f"Follow[{who}]"
    yield f"Request[{who}, Pick, {thing}]"
    yield "Wait[]"
    yield "Wait[]"
    assert state.places[thing][0] == who


@pytest.mark.parametrize("plan", [put_near, hand_to_another, have_it_fetched])
def test_to_bring_is_to_hand_over(plan: Plan) -> None:
    assert planned(of("bring")[0], plan).progress() == 0.0


def search(session: HouseSession, drawn: Drawn) -> Iterator[str]:
    """Look into everything, room by room, then bring the object without having asked."""
    state, graph = session.simulation.state, session.simulation.graphs[ROLE]
    thing = drawn.placement.name
    for room in state.house.rooms:
        yield f"Explore[{room.name}]"
        for piece in state.house.furniture:
            locked = state.is_in_state(piece.name, "locked")
            shut = state.states[piece.name].get("open") is False and not locked
            if piece.room == room.name and shut and not graph.knows(thing):
                yield f"Navigate[{piece.name}]"
                yield f"Open[{piece.name}]"
    yield from fetch(session, drawn)
    yield f"Navigate[{drawn.person.name}]"
    yield f"Give[{thing}, {drawn.person.name}]"


@pytest.mark.slow
def test_to_search_takes_longer_than_to_ask() -> None:
    searched = [planned(task, search) for task in part_of(of("ask"))]
    assert all(session.progress() <= 0.5 for session in searched)
    assert np.median([len(session.entries) for session in searched]) > 15
    assert all(len(expert_plays(task).entries) <= 11 for task in part_of(of("ask")))


def stand_still(session: HouseSession, drawn: Drawn) -> Iterator[str]:
    yield f"Explore[{room_of(session.simulation.state, drawn.person.name)}]"
    yield f"Navigate[{drawn.person.name}]"
    for _ in range(30):
        yield "Wait[]"


def follow_on(session: HouseSession, drawn: Drawn) -> Iterator[str]:
    assert isinstance(session, GuidedSession)
    yield f"Explore[{room_of(session.simulation.state, drawn.person.name)}]"
    yield f"Navigate[{drawn.person.name}]"
    yield f"Follow[{drawn.person.name}]"
    while session.walk.stop is None:
        yield "Wait[]"
    yield f"Follow[{drawn.person.name}]"


def test_to_follow_is_to_keep_near_and_to_stop() -> None:
    for task in of("follow")[:3]:
        assert planned(task, stand_still).progress() == 0.0
        session = planned(task, follow_on)
        assert session.progress() == 0.5
        news = [event.action for event in session.observe(ROLE).history]
        assert Action("Say", (ROLE, "stop here")) in news


def test_who_was_told_to_stop_may_wait_instead_of_ending() -> None:
    task = of("follow")[0]
    calls = [call for call in calls_of(expert_plays(task)) if call != write_call(DONE)]
    session = replayed(task, calls + [write_call(WAIT)] * 30)
    assert session.ending == GOAL_MET
    assert not session.done


def test_a_robot_that_has_to_be_helped_cannot_open_anything() -> None:
    tools = {}
    for family in FAMILIES:
        view = companion.start(of(family)[0], {}, 0, CORRECTED).view
        tools[family] = {tool.name for tool in view.tools(ROLE)}
    assert "Open" not in tools.pop("help")
    assert all({"Open", "Ask", "Give", "Request", "Follow"} <= names for names in tools.values())


def test_tasks_are_fixed() -> None:
    assert len({task.id for task in TASKS}) == len(SUITE.tasks.load(CORRECTED)) == 100
    assert SUITE.tasks.describe(TASKS[0]) == ("Bring the spoon to the man in the dark grey jacket.")
    assert f"within {LIMIT} metres" in SUITE.tasks.describe(of("follow")[0])


@pytest.mark.slow
def test_one_script_does_the_tasks_that_it_fits() -> None:
    for task in part_of(TASKS):
        score = SUITE.score(task, SUITE.answer("copycat", task))
        assert score.metrics["success"] == (task.family in ("bring", "ask")), task.id


@pytest.mark.parametrize("calls", [["Wait[]", "Done[]"], ["Done[]"]])
def test_a_replay_ends_with_the_session_while_the_leader_walks(calls: list[str]) -> None:
    task = of("follow")[5]
    leader = companion.start(task, {}, 0, CORRECTED).walk.leader
    session = companion.start(task, {"observability": "full"}, 0, CORRECTED)
    plan = iter([f"Navigate[{leader}]", f"Follow[{leader}]", *calls])
    play(session, {ROLE: lambda session, role: find_call(next(plan))})
    assert session.simulation.busy(leader) is not None
    again = drop_labels(SUITE.score(task, session.transcript().encode()))
    assert (again.metrics, again.record) == (session.score().metrics, session.score().record)


@pytest.mark.slow
@pytest.mark.parametrize("observability", ["full", "partial"])
def test_no_position_or_number_shows_what_is_wanted(observability: str) -> None:
    lists: dict[str, list[tuple[list[str], set[str]]]] = {}
    in_living_room: dict[bool, list[bool]] = {True: [], False: []}
    for task in TASKS:
        session = companion.start(task, {"observability": observability}, 0, CORRECTED)
        view, drawn = session.observe(ROLE).view, session.source
        told, house = view.describe(ROLE), drawn.house
        offered = [name for action in view.options(ROLE) for name in action.args]
        holding = {thing.place[0] for thing in house.things}
        for source, names in (
            ("text", read_names(told, house.person)),
            ("options", [name for name in dict.fromkeys(offered) if name in house.person]),
        ):
            awake = [name for name in names if name in drawn.home.agents]
            fit = [
                name for name in awake if house.person[name].age in GROWN_UP and name not in holding
            ]
            lists.setdefault(f"people in {source}", []).append((awake, {drawn.person.name}))
            lists.setdefault(f"who fits in {source}", []).append((fit, {drawn.person.name}))
        for name in awake:
            room = room_of(session.simulation.state, name)
            in_living_room[name in fit].append(room.startswith("living_room"))
        things = read_names(told, house.thing)
        lists.setdefault("things", []).append((things, {drawn.placement.name}))
    assert observability == "partial" or len(guess_wanted(lists["who fits in text"])) == len(RULES)
    if observability == "full":
        # The last one awake is wanted in 42 % of tasks, where chance is 28 %, because children and
        # people who hold something are often in the living room, which is listed early. Among the
        # others no place in the list is special.
        assert np.mean(in_living_room[False]) > 0.5 > 2 * np.mean(in_living_room[True])
        shown = guess_wanted(lists["who fits in text"])
        assert all(abs(shown[rule][2]) < 2 for rule in ("first", "last"))
    for source, those in lists.items():
        rules = guess_wanted(those)
        assert {rule: score for rule, score in rules.items() if score[2] > 3.5} == {}, source
