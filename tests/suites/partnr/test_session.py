"""Runs: replayed exactly, judged as by one who looks at every step, ended in time."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, DONE, WAIT, Action, HomebodyError
from homebody.core.play.session import NotReadyError
from homebody.core.play.transcript import read_call
from homebody.goals.partnr import (
    Dependency,
    Evaluation,
    EvaluationError,
    Judge,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
)
from homebody.suites.partnr.episode_start import start
from homebody.suites.partnr.judging.house_atoms import holds_put_down, holds_while_carried
from homebody.suites.partnr.protocol import CARRIED, QUIRKS
from homebody.suites.partnr.session import (
    LIMITS,
    MAX_WAIT,
    Limits,
    PartnrSession,
)
from homebody.suites.partnr.settings import HUMAN, ROBOT, TEAM, Settings
from homebody.suites.partnr.suite import PLAYING
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.simulation.relations import room_of
from suites.partnr.homes import FULL, follow, home, make_task, of, play_at_random, replay
from suites.partnr.scripted import MOVES, moving

THINGS = (
    ("cup_0", "counter_0"),
    ("cup_1", "sofa_0"),
    ("plate_0", "coffee_table_0"),
    ("basket_0", "sofa_0"),
    ("ball_0", "basket_0", "within"),
    ("pitcher_0", "counter_0"),
)
CUPS, TABLES = ("cup_0", "cup_1"), ("coffee_table_0", "kids_table_0", "counter_1")
MIXED = Evaluation(
    (
        of("is_on_top", CUPS, TABLES, number=2),
        of("is_in_room", ["cup_0", "ball_0", "basket_0"], ["playroom_0", "living_room_0"]),
        of("is_next_to", CUPS, ["plate_0", "ball_0"]),
        of("is_inside", ["ball_0", "cup_1"], ["basket_0", "fridge_0"]),
        of("is_dirty", ["cup_0", "plate_0"]),
        of("is_on_floor", ["cup_0", "ball_0", "basket_0"]),
        of("is_filled", ["cup_0", "pitcher_0"]),
        of("is_in_room", ["basket_0"], ["hallway_0", "kitchen_0"]),
    ),
    (
        Dependency((2, 6), (0,), "after_satisfied"),
        Dependency((3,), (7,), "while_satisfied"),
        Dependency((5,), (3,), "after_unsatisfied"),
        Dependency((7,), (1, 5), "after_satisfied", "any"),
    ),
    (
        TemporalConstraint(((0, 1), (1, 7))),
        SameArgConstraint((0, 2), ("object_handles", "entity_handles_a")),
        TerminalSatisfactionConstraint((0, 1, 3)),
    ),
)


def mixed(settings: Settings = FULL, seed: int = 0) -> PartnrTask:
    return make_task(MIXED, *THINGS, settings=settings, seed=seed)


# -- how it starts --------------------------------------------------------------------------------


def test_agents_start_as_the_episode_says_whoever_plays() -> None:
    together = start(mixed())
    alone = start(mixed(Settings(team="single", skills="failing"), seed=9))
    assert list(together.agents) == [ROBOT, HUMAN]
    assert list(alone.agents) == [HUMAN]
    assert alone.state.bodies[HUMAN].pose == together.state.bodies[HUMAN].pose
    rooms = {room_of(together.state, agent) for agent in together.agents}
    assert len(rooms) == 2
    other = start(make_task(MIXED, *THINGS, name="another"))
    assert other.state.bodies[ROBOT].pose != together.state.bodies[ROBOT].pose


def test_settings_reach_the_simulation() -> None:
    assert start(mixed(Settings())).graphs[ROBOT].partial
    assert not start(mixed()).graphs[ROBOT].partial
    erring = Settings(perception="erring")
    known = []
    for seed in range(6):
        session = PartnrSession(mixed(erring, seed))
        session.act(ROBOT, Action("Explore", ("living_room_0",)))
        session.advance()
        known.append({one.category for one in session.simulation.graphs[ROBOT].nodes.values()})
    assert any(one != known[0] for one in known)
    failed = 0
    for seed in range(20):
        session = PartnrSession(mixed(Settings(observability="full", skills="failing"), seed))
        session.act(ROBOT, Action("Navigate", ("cup_1",)))
        session.advance()
        session.act(ROBOT, Action("Pick", ("cup_1",)))
        failed += sum(not one.ok for one in session.advance())
    assert 0 < failed < 20


def test_learned_skills_and_perception_are_the_robots() -> None:
    settings = Settings(skills="learned", perception="learned")
    failed = {ROBOT: 0, HUMAN: 0}
    for seed in range(12):
        session = PartnrSession(mixed(settings, seed))
        graphs = session.simulation.graphs
        wrong = {
            role: [
                node.name
                for node in graphs[role].of_kind("furniture")
                if (node.category, node.room)
                != (
                    graphs[role].house.piece[node.name].category,
                    graphs[role].house.piece[node.name].room,
                )
            ]
            for role in session.roles
        }
        assert wrong[ROBOT]
        assert not wrong[HUMAN]
        for role in session.roles:
            event = session.simulation.do(role, Action("Explore", ("living_room_0",)))
            failed[role] += not event.ok
    assert failed[ROBOT]
    assert not failed[HUMAN]


# -- replaying ------------------------------------------------------------------------------------

WAYS = (
    Settings(observability="full"),
    Settings(),
    Settings(skills="failing", perception="erring"),
    Settings(skills="learned", perception="learned"),
    Settings(team="single", observability="full", skills="failing"),
)


@pytest.mark.sampled
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(3))
def test_a_transcript_replays_exactly(way: Settings, seed: int) -> None:
    session = play_at_random(PartnrSession(mixed(way, seed)), np.random.default_rng(seed))
    text = session.transcript().encode()
    # whatever the task was set to when it is scored
    for task in (mixed(way, seed), mixed()):
        again = replay(task, text)
        assert again.simulation.log == session.simulation.log
        assert again.entries == session.entries
        assert (again.clock, again.ending is not None) == (session.clock, True)
        assert again.judgement() == session.judgement()
        assert again.interactions == session.interactions
        assert again.transcript().encode() == text
    assert len(session.simulation.log) > 20


NAMES = st.text(max_size=30)


@settings(max_examples=40)
@given(st.lists(st.tuples(NAMES, st.lists(NAMES, max_size=3)), max_size=6))
def test_what_a_planner_names_replays_whatever_it_is(said: list[tuple[str, list[str]]]) -> None:
    session = PartnrSession(mixed())
    for cycle, (name, args) in enumerate(said, 1):
        if ROBOT in session.ready():
            session.act(ROBOT, Action(name, tuple(args)), cycle, ROBOT)
            session.note(ROBOT, name, cycle, ROBOT)
            session.advance()
    again = replay(mixed(), session.transcript().encode())
    assert again.entries == session.entries
    assert again.simulation.log == session.simulation.log
    assert again.cycles(ROBOT) == len({one.cycle for one in session.entries})


HOSTILE: tuple[Any, ...] = (
    None, True, -1, 10**30, 1.5, float("nan"), "", "x" * 10_000, [], {}, [[]], ["robot"] * 5,
)  # fmt: skip


@settings(max_examples=80)
@given(st.data())
def test_any_text_is_a_run(data: st.DataObject) -> None:
    entries: list[Any] = [
        [0, "robot", "Navigate[cup_0]", 1, "robot"],
        [5, "human", "Done[]", 0, ""],
    ]
    document: dict[str, Any] = {
        "format": data.draw(st.sampled_from(["homebody-transcript", "partnr-run"])),
        "version": 1, "settings": {"team": "single"}, "seed": 3,
        "entries": entries,
    }  # fmt: skip
    junk = data.draw(st.sampled_from(HOSTILE))
    where = data.draw(st.sampled_from(["top", "entry", "cell", "text"]))
    if where == "top":
        document[data.draw(st.sampled_from(sorted(document)))] = junk
    elif where == "entry":
        entries[data.draw(st.integers(0, 1))] = junk
    elif where == "cell":
        entries[data.draw(st.integers(0, 1))][data.draw(st.integers(0, 4))] = junk
    text = json.dumps(document)
    if where == "text":
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.text(max_size=10)) + text[at + 3 :]
    session, problem = PLAYING.replay(mixed(), text, CORRECTED)
    assert isinstance(session, PartnrSession)
    assert session.judgement().percent_complete <= 1.0
    if problem:
        assert session.simulation.log == []
        assert session.clock == 0


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000, '{"format": "other"}'])
def test_what_is_no_transcript_is_a_run_in_which_nothing_was_done(text: str) -> None:
    session, problem = PLAYING.replay(mixed(), text, CORRECTED)
    assert isinstance(session, PartnrSession)
    assert problem
    with pytest.raises(HomebodyError):
        replay(mixed(), text)
    assert (session.clock, session.entries) == (0, [])


def test_planners_that_there_are_not_have_no_calls_to_spend() -> None:
    document = orjson.loads(PartnrSession(mixed()).transcript().encode())
    document["entries"] = [[0, HUMAN, "Wait[]", at + 1, f"p{at // 50}"] for at in range(200)]
    session, problem = PLAYING.replay(mixed(), json.dumps(document), CORRECTED)
    assert isinstance(session, PartnrSession)
    assert "unknown planner: 'p0'" in problem
    assert (session.clock, session.entries) == (0, [])


def test_too_many_entries_are_refused() -> None:
    document = orjson.loads(PartnrSession(mixed()).transcript().encode())
    document["entries"] = [[0, "robot", "Wait[]", 0, ""]] * (LIMITS.entries + 1)
    _, problem = PLAYING.replay(mixed(), json.dumps(document), CORRECTED)
    assert "at most" in problem


@pytest.mark.parametrize(
    "way",
    [
        Settings(),
        Settings(skills="failing", perception="erring"),
        Settings(skills="learned", perception="learned"),
    ],
)
def test_stopping_on_the_way_changes_nothing(way: Settings) -> None:
    session = play_at_random(PartnrSession(mixed(way, 1)), np.random.default_rng(5), actions=15)
    again = PartnrSession(mixed(way, 1))
    simulation = again.simulation
    for one in session.entries:
        while simulation.clock < one.clock:
            simulation.advance(simulation.clock + 1)
        action = read_call(one.call)
        assert action is not None
        again.act(one.role, action)
    assert simulation.log == session.simulation.log
    for agent in session.roles:
        assert simulation.graphs[agent].nodes == session.simulation.graphs[agent].nodes
    assert again.judgement() == session.judgement()


def test_agents_see_the_rooms_that_they_walk_through() -> None:
    """From the bedroom to the garage one comes through the hallway."""
    task = make_task(MIXED, *THINGS, ("hat_0", "shoe_rack_0"), settings=Settings())
    session = PartnrSession(task)
    agent = next(
        one for one in session.roles if room_of(session.simulation.state, one) not in ("hallway_0",)
    )
    graph = session.simulation.graphs[agent]
    assert not graph.knows("hat_0")
    for room in ("bedroom_0", "garage_0"):
        session.act(agent, Action("Navigate", (room,)))
        events = []
        while session.simulation.busy(agent):
            events.append(session.simulation.next_event)
            session.simulation.advance(events[-1])
    assert len(events) > 2  # into the hallway, into the garage, and there
    assert graph.knows("hat_0")
    assert graph["hat_0"].holder == "shoe_rack_0"


@pytest.mark.slow
def test_what_is_seen_can_be_looked_at() -> None:
    pytest.importorskip("embreex", reason="needs: pip install 'homebody[house]'")
    session = PartnrSession(mixed())
    before = {role: session.observe(role).images[0].rgb for role in session.roles}
    assert {image.shape for image in before.values()} == {(224, 224, 3)}
    assert (before[ROBOT] != before[HUMAN]).any()
    session.act(HUMAN, Action("Navigate", ("bathroom_0",)))
    session.advance()
    assert (session.observe(HUMAN).images[0].rgb != before[HUMAN]).any()


# -- when it ends ---------------------------------------------------------------------------------


def test_it_ends_when_all_are_done() -> None:
    session = PartnrSession(mixed())
    assert session.ready() == (ROBOT, HUMAN)
    session.act(HUMAN, Action("Navigate", ("bathroom_0",)))
    session.act(ROBOT, Action("Done"))
    assert session.ready() == ()
    assert session.ending is None
    session.advance()
    assert session.ready() == (HUMAN,)
    with pytest.raises(ValueError, match="robot cannot act"):
        session.act(ROBOT, Action("Wait"))
    session.act(HUMAN, Action("Done"))
    assert session.ending is not None
    assert session.advance() == []


def _waits(session: PartnrSession, *calls: Action) -> int:
    """For how many steps the robot waits while the human does so, and then explores on and on."""
    session.act(ROBOT, WAIT)
    left, room = list(calls), room_of(session.simulation.state, HUMAN)
    while session.busy(ROBOT) is not None:
        if HUMAN in session.ready():
            session.act(HUMAN, left.pop(0) if left else Action("Explore", (room,)))
        session.advance()
    (wait,) = (event for event in session.simulation.log if event.role == ROBOT)
    assert wait.ok
    return wait.end - wait.start


def test_a_wait_is_over_when_something_is_seen() -> None:
    cup = (Action("Navigate", ("cup_0",)), Action("Pick", ("cup_0",)))
    session = PartnrSession(mixed())
    assert _waits(session, *cup) == session.clock < MAX_WAIT  # a walk is nothing to wait for
    assert session.simulation.log[-2].action == cup[1]
    assert session.ready() == (ROBOT, HUMAN)  # and both go on at the same time

    session = PartnrSession(mixed(Settings()))
    calls = [Action("Navigate", ("fridge_0",)), Action("Open", ("fridge_0",))]
    assert room_of(session.simulation.state, ROBOT) != "kitchen_0"
    assert _waits(session, *calls) == MAX_WAIT  # as the robot sees nothing of it
    assert _waits(PartnrSession(mixed(Settings("centralised"))), *calls) < MAX_WAIT


@pytest.mark.parametrize("partner", [DONE, WAIT])
def test_nobody_waits_for_who_does_nothing(partner: Action) -> None:
    session = PartnrSession(mixed())
    session.act(ROBOT, WAIT)
    session.act(HUMAN, partner)
    session.advance()
    assert session.clock == 30
    assert ROBOT in session.ready()

    session = PartnrSession(mixed())
    session.act(ROBOT, WAIT)
    session.act(HUMAN, Action("Navigate", ("cup_0",)))
    while HUMAN not in session.ready():
        session.advance()
    session.act(HUMAN, partner)
    there = session.clock
    session.advance()
    assert there > 30
    assert session.clock == there
    assert ROBOT in session.ready()


def test_it_ends_when_the_steps_are_used_up() -> None:
    session = PartnrSession(mixed(), limits=Limits(steps=100))
    while session.ending is None:
        for agent in session.ready():
            session.act(agent, Action("Wait"))
        session.advance()
    assert session.clock == 100
    assert len(session.simulation.log) == 6
    # what ends too late does not count, though it was begun in time
    task = make_task(Evaluation((of("is_on_top", ["cup_0"], ["counter_0"]),)), ("cup_0", "sofa_0"))
    move = "human: Rearrange[cup_0, on, counter_0]"
    whole = follow(task, move)
    assert whole.judgement().success
    late = replay(task, whole.transcript().encode(), limits=Limits(steps=whole.clock - 1))
    assert (late.clock, late.judgement().success) == (whole.clock - 1, False)
    assert replay(task, whole.transcript().encode(), limits=Limits(steps=whole.clock)).judgement()


def test_it_ends_when_calls_are_used_up() -> None:
    session = PartnrSession(mixed(), limits=Limits(calls=3))
    for cycle in (1, 2, 2, 3):
        assert ROBOT in session.ready()
        session.act(ROBOT, Action("FindRoomTool", ("kitchen",)), cycle, ROBOT)
    assert session.ready() == (HUMAN,)
    with pytest.raises(NotReadyError):  # as whoever plans for it has no call left
        session.act(HUMAN, DONE, 4, ROBOT)
    for cycle in (0, 4):
        with pytest.raises(NotReadyError):
            session.note(ROBOT, "what?", cycle, ROBOT)
        with pytest.raises(NotReadyError):
            session.act(ROBOT, Action("Pick", ("cup_0",)), cycle, ROBOT)
    assert (session.cycles(ROBOT), len(session.entries)) == (3, 4)


def test_what_was_decided_in_the_last_call_is_still_done() -> None:
    session = PartnrSession(mixed(), limits=Limits(calls=1))
    session.act(HUMAN, DONE)
    session.note(ROBOT, "what?", 1, ROBOT)
    assert (session.ready(), session.ending) == ((), "nobody may do more")
    for cycle in (0, 2):
        with pytest.raises(NotReadyError):
            session.act(ROBOT, WAIT, cycle, ROBOT)
    assert session.act(ROBOT, WAIT, 1, ROBOT) is None
    with pytest.raises(NotReadyError):
        session.act(HUMAN, WAIT, 1, ROBOT)  # is done
    assert session.advance()
    again = replay(mixed(), session.transcript().encode(), limits=Limits(calls=1))
    assert (again.clock, again.entries) == (session.clock, session.entries)


def test_two_agents_share_the_last_call_of_a_team() -> None:
    session = PartnrSession(mixed(), limits=Limits(team_calls=1))
    for agent in session.ready():
        session.act(agent, Action("Navigate", ("kitchen_0",)), 1, TEAM)
    text = session.transcript().encode()
    assert session.ready() == ()
    while session.advance():
        assert session.ready() == ()
    assert session.ending is not None
    again = replay(mixed(), text, limits=Limits(team_calls=1))
    assert again.simulation.log == session.simulation.log
    assert len(again.simulation.log) == 2


def test_nobody_tries_for_ever() -> None:
    session = PartnrSession(mixed(), limits=replace(LIMITS, entries=10))
    while session.ending is None:
        for agent in session.ready():
            if session.can_act(agent):
                assert session.act(agent, Action("Clean", ("cup_0",))) is not None
    assert len(session.entries) == 10
    assert session.clock == 0


# -- judging --------------------------------------------------------------------------------------


def look_at_every_step(session: PartnrSession, carried: bool) -> Judge:
    """Play a run again, and judge each step of the clock with nothing known of what changed."""
    again = PartnrSession(session.task)
    truth = holds_while_carried if carried else holds_put_down
    quirks = QUIRKS.keys() if carried else frozenset()
    judge = Judge(MIXED, quirks - {CARRIED})
    simulation = again.simulation
    judge.step(truth(simulation.state))

    def go_to(clock: int) -> None:
        while simulation.clock < clock:
            simulation.advance(simulation.clock + 1)
            judge.step(truth(simulation.state))

    for one in session.entries:
        go_to(one.clock)
        action = read_call(one.call)
        assert action is not None
        again.act(one.role, action)
    go_to(session.clock)
    if carried:  # which looks a step back
        judge.step(truth(simulation.state))
    return judge


@pytest.mark.slow
@pytest.mark.parametrize("carried", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_events_are_as_good_as_every_step(carried: bool) -> None:
    met = 0
    for seed in range(4):
        session = PartnrSession(mixed(), QUIRKS.keys() if carried else frozenset())
        play_at_random(session, np.random.default_rng(seed + 100), actions=16)
        judgement = session.judgement()
        expected = look_at_every_step(session, carried).result()
        clocks = [
            None if at is None else session.simulation_judge.clocks[at]
            for at in judgement.satisfied_at
        ]
        assert clocks == list(expected.satisfied_at)
        assert judgement.broken == expected.broken
        assert judgement.percent_complete == expected.percent_complete
        assert judgement.explanation == expected.explanation
        met += sum(bool(clock) for clock in clocks)
        if not carried:
            assert session.judge.steps < session.clock / 4
    assert met >= 4


def test_what_is_over_at_one_moment_is_judged_whole() -> None:
    """Two actions end at the last moment, one after the other: under other rules too."""
    session = PartnrSession(mixed())
    session.act(ROBOT, Action("Navigate", ("living_room_0",)))
    session.act(HUMAN, WAIT)
    ends = [session.advance(), session.advance()]
    assert [[event.role for event in over] for over in ends] == [[ROBOT], [HUMAN]]
    assert {event.end for over in ends for event in over} == {session.clock}
    for quirks in (frozenset[str](), QUIRKS.keys()):
        judged = session.score(replace(CORRECTED, quirks=frozenset(quirks)))
        assert judged.record["actions"] == 2


@pytest.mark.parametrize(
    ("quirks", "on_the_way"), [(frozenset(), False), (frozenset({CARRIED}), True)]
)
def test_what_is_carried_through_a_room(quirks: frozenset[str], on_the_way: bool) -> None:
    wanted = Evaluation(
        (of("is_in_room", ["cup_0"], ["hallway_0"]), of("is_in_room", ["cup_0"], ["bedroom_0"]))
    )
    task = make_task(wanted, ("cup_0", "counter_0"))
    session = follow(task, "robot: Rearrange[cup_0, on, bed_0]", quirks=quirks)
    judgement = session.judgement()
    assert (judgement.satisfied_at[0] is not None) == on_the_way
    assert judgement.satisfied_at[1] is not None
    assert judgement.success == on_the_way


def test_what_is_in_a_basket_stays_in_it_while_it_is_carried() -> None:
    out = Evaluation(
        (of("is_inside", ["ball_0"], ["basket_0"]), of("is_on_top", ["basket_0"], ["bed_0"])),
        (Dependency((1,), (0,), "after_unsatisfied"),),
    )
    task = make_task(out, ("basket_0", "sofa_0"), ("ball_0", "basket_0", "within"))
    session = follow(task, "human: Rearrange[basket_0, on, bed_0]")
    assert session.judgement().satisfied_at == (0, None)


def test_what_counts_a_step_later_counts_before_the_next_event() -> None:
    """Two cups are put down at once; that the second counts after the first shows when nothing
    happens, though it is taken up again in the very next event."""
    wanted = Evaluation(
        (of("is_on_top", ["cup_0"], ["counter_1"]), of("is_on_top", ["cup_1"], ["counter_1"])),
        (Dependency((1,), (0,), "after_satisfied"),),
    )
    task = make_task(wanted, ("cup_0", "counter_0"), ("cup_1", "counter_1"))
    session = follow(
        task,
        "robot: Rearrange[cup_0, on, counter_1]",
        "human: Navigate[cup_1]",
        "human: Pick[cup_1]",
    )
    first, second = session.judgement().satisfied_at
    assert first is not None
    assert second == first + 1
    assert session.simulation_judge.clocks[second] == session.simulation_judge.clocks[first] + 1


def test_what_counts_a_step_later_counts_though_nothing_comes_after() -> None:
    """What a run ends with stays so: nobody has to wait a step before they say that they are
    done."""
    wanted = Evaluation(
        tuple(of("is_on_top", [name], ["counter_1"]) for name in ("cup_0", "cup_1", "cup_2")),
        (Dependency((1,), (0,), "after_satisfied"), Dependency((2,), (1,), "after_satisfied")),
    )
    task = make_task(wanted, ("cup_0", "counter_0"), ("cup_1", "counter_1"), ("cup_2", "counter_1"))
    for quirks in (frozenset[str](), QUIRKS.keys()):
        session = follow(task, "robot: Rearrange[cup_0, on, counter_1]", quirks=quirks)
        judgement = session.judgement()
        assert judgement.success, judgement.explanation
        assert (
            judgement
            == session.judgement()
            == replay(task, session.transcript().encode(), quirks).judgement()
        )


def test_putting_down_at_the_same_step_is_no_order() -> None:
    one, two = (of("is_on_top", [name], ["coffee_table_0"]) for name in ("cup_0", "cup_1"))
    wanted = Evaluation((one, two), (), (TemporalConstraint(((0, 1),)),))
    session = PartnrSession(make_task(wanted, ("cup_0", "sofa_0"), ("cup_1", "sofa_0")))
    for call in ("Navigate[{}]", "Pick[{}]", "Navigate[coffee_table_0]"):
        for agent, name in ((ROBOT, "cup_0"), (HUMAN, "cup_1")):
            action = read_call(call.format(name))
            assert action is not None
            assert session.act(agent, action) is None
        while session.advance():
            pass
    for agent, name in ((ROBOT, "cup_0"), (HUMAN, "cup_1")):
        session.act(agent, Action("Place", (name, "on", "coffee_table_0")))
    assert all(result.ok for result in session.advance())
    judgement = session.judgement()
    assert judgement.satisfied_at[0] == judgement.satisfied_at[1]
    assert judgement.percent_complete == 0.5
    assert "In the wrong order: cup_1" in judgement.explanation


# -- the paper's examples, played -----------------------------------------------------------------

TOYS = ("toy_truck_0", "toy_car_0")
PLANTS, SHELVES = ("plant_0", "plant_1"), ("shelf_1", "shelf_2")
FIGURE_3 = Evaluation(
    (
        *(of("is_inside", [toy], ["toy_chest_0", "toy_chest_1"]) for toy in TOYS),
        *(of("is_on_top", [plant], SHELVES) for plant in PLANTS),
        of("is_next_to", PLANTS[:1], PLANTS[1:]),
    ),
    (Dependency((4,), (2, 3), "while_satisfied"),),
    (
        TemporalConstraint(tuple((a, b) for a in (0, 1) for b in (2, 3, 4))),
        SameArgConstraint((0, 1), ("receptacle_handles",) * 2),
        TerminalSatisfactionConstraint((0, 1, 2, 3, 4)),
    ),
)
ROOM = (
    ("toy_truck_0", "coffee_table_0"),
    ("toy_car_0", "kids_table_0"),
    ("plant_0", "counter_1"),
    ("plant_1", "counter_1"),
)
TIDY = (
    "human: Navigate[toy_chest_1]",
    "human: Rearrange[toy_car_0, within, toy_chest_1]",
    "robot: Rearrange[toy_truck_0, within, toy_chest_1]",
)
DECORATE = (
    "robot: Rearrange[plant_0, on, shelf_1]",
    "human: Rearrange[plant_1, on, shelf_1, next_to, plant_0]",
)


def test_figure_3() -> None:
    task = make_task(FIGURE_3, *ROOM)
    right = follow(task, *TIDY, *DECORATE).judgement()
    assert (right.success, right.percent_complete, right.explanation) == (True, 1.0, "")
    backwards = follow(task, *DECORATE, *TIDY).judgement()
    assert backwards.percent_complete == pytest.approx(2 / 5)
    assert "wrong order" in backwards.explanation
    half = follow(task, *TIDY, DECORATE[0], "human: Rearrange[plant_1, on, shelf_2]").judgement()
    assert half.percent_complete == pytest.approx(4 / 5)
    assert "plant_0 next to plant_1" in half.explanation
    again = ("robot: Rearrange[toy_car_0, on, kids_table_0]",)
    undone = follow(task, *TIDY, *DECORATE, *again).judgement()
    assert undone.percent_complete == pytest.approx(4 / 5)
    assert "not so at the end: toy_car_0 inside toy_chest_0 or toy_chest_1" in undone.explanation


def test_figure_3_the_plants_were_neighbours_before() -> None:
    """They are next to each other on the counter, which does not count."""
    judgement = follow(make_task(FIGURE_3, *ROOM), *TIDY).judgement()
    assert judgement.satisfied_at[4] is None
    assert judgement.percent_complete == pytest.approx(2 / 5)


SPOONS = ("spoon_0", "spoon_1", "spoon_2")
DESKS = ("coffee_table_0", "kids_table_0")


@pytest.mark.parametrize(
    ("wanted", "moves", "complete"),
    [
        (of("is_on_top", SPOONS[:1], DESKS[:1]), ("spoon_0 coffee_table_0",), 1.0),
        (of("is_on_top", SPOONS[:1], DESKS[:1]), ("spoon_0 kids_table_0",), 0.0),
        (of("is_on_top", SPOONS, DESKS[:1]), ("spoon_2 coffee_table_0",), 1.0),
        (of("is_on_top", SPOONS, DESKS), ("spoon_1 kids_table_0",), 1.0),
        (of("is_on_top", SPOONS, DESKS, number=2), ("spoon_1 kids_table_0",), 0.5),
        (
            of("is_on_top", SPOONS, DESKS, number=2),
            ("spoon_1 kids_table_0", "spoon_2 coffee_table_0"),
            1.0,
        ),
        (
            of("is_on_top", SPOONS, DESKS, number=2, same=True),
            ("spoon_1 kids_table_0", "spoon_2 coffee_table_0"),
            0.5,
        ),
        (
            of("is_on_top", SPOONS, DESKS, number=2, same=True),
            ("spoon_1 kids_table_0", "spoon_2 kids_table_0"),
            1.0,
        ),
    ],
)
def test_spoons_on_tables(wanted: Any, moves: tuple[str, ...], complete: float) -> None:
    task = make_task(Evaluation((wanted,)), *((spoon, "counter_0") for spoon in SPOONS))
    calls = [f"robot: Rearrange[{a}, on, {b}]" for a, b in (move.split() for move in moves)]
    judgement = follow(task, *calls).judgement()
    assert judgement.percent_complete == complete
    assert judgement.success == (complete == 1.0)


def test_ball_and_bat() -> None:
    """To the kitchen and side by side; then back to where they were at first."""
    ball, bat = "ball_0", "rolling_pin_0"
    wanted = Evaluation(
        (
            of("is_in_room", [ball], ["kitchen_0"]),
            of("is_in_room", [bat], ["kitchen_0"]),
            of("is_next_to", [ball], [bat]),
            of("is_in_room", [ball], ["playroom_0"]),
            of("is_in_room", [bat], ["playroom_0"]),
        ),
        (
            Dependency((2,), (0, 1), "while_satisfied"),
            Dependency((3, 4), (0, 1), "after_satisfied"),
        ),
    )
    task = make_task(wanted, (ball, "kids_table_0"), (bat, "kids_table_0"))
    start_only = follow(task).judgement()
    assert start_only.percent_complete == 0.0  # though they are in the playroom, side by side
    there = (
        f"robot: Rearrange[{ball}, on, counter_1]",
        f"human: Rearrange[{bat}, on, counter_1, next_to, {ball}]",
    )
    back = tuple(f"robot: Rearrange[{name}, on, kids_table_0]" for name in (ball, bat))
    assert follow(task, *there).judgement().percent_complete == pytest.approx(3 / 5)
    whole = follow(task, *there, *back).judgement()
    assert whole.success
    assert list(whole.satisfied_at) == sorted(at for at in whole.satisfied_at if at is not None)


def test_what_holds_at_the_end_is_looked_back_at() -> None:
    """The published judge looks a step back, and published runs go on for a moment."""
    task = make_task(FIGURE_3, *ROOM)
    session = follow(task, *TIDY, *DECORATE, quirks=QUIRKS.keys())
    judgement = session.judgement()
    assert judgement.success
    assert session.judgement() == judgement
    assert session.simulation_judge.clocks[-1] > session.clock


def test_names_that_there_are_not_are_never_so() -> None:
    wanted = Evaluation((of("is_on_top", ["cup_0"], ["altar_0"]), of("is_clean", ["ghost_0"])))
    judgement = follow(make_task(wanted, ("cup_0", "counter_0"))).judgement()
    assert judgement.satisfied_at == (None, None)


@pytest.mark.parametrize("agent", [ROBOT, HUMAN])
def test_where_agents_are_cannot_be_asked_for(agent: str) -> None:
    wanted = Evaluation((of("is_next_to", ["cup_0"], ["sofa_0", agent]),))
    with pytest.raises(EvaluationError, match=f"position of {agent}"):
        PartnrSession(make_task(wanted, ("cup_0", "counter_0")))


def test_homes_of_tests_are_what_they_say() -> None:
    house = home(*THINGS)
    assert [one.name for one in house.things] == [one[0] for one in THINGS]


def test_roles_of_a_team_are_told_who_is_meant_in_the_instruction() -> None:
    session = PartnrSession(moving())
    told = {role: session.observe(role).instruction for role in (HUMAN, ROBOT)}
    assert told[HUMAN].startswith(f'{MOVES}\n(You are the human: in it, "I" is you, the human,')
    assert told[ROBOT].endswith('"I" is the human, and "you" is the robot, which is you.)')
    assert PartnrSession(moving(team="single")).observe(HUMAN).instruction == MOVES
