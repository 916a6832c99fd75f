"""What is so in a house, as criteria ask for it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from homebody.core import Action
from homebody.goals.etplan import ROBOT, EtplanGoal, read_criterion
from homebody.suites.etplan.house_facts import SEATS, HouseFacts
from homebody.suites.etplan.house_session import body
from homebody.suites.etplan.house_sight import sight
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import home
from homebody.suites.etplan.trace import CriterionTrace
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.relations import is_close, is_shut_in
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.navigation import navigation

SEED = 40


@lru_cache
def spot(room: str) -> Pose:
    x, y = navigation(home(SEED), 0.25).room_spots(room)[0]
    return Pose((x, y, 0.0), 0.0)


def simulation(room: str, **given: Any) -> Simulation:
    return Simulation(
        home(SEED), {ROBOT: body(ROWS["several"])}, poses={ROBOT: spot(room)}, **given
    )


def do(world: Simulation, trace: CriterionTrace, action: Action) -> None:
    """Try an action, and write it down if it was carried out."""
    world.do(ROBOT, action)
    if world.log[-1].ok:
        trace.add(action)


def on_furniture(house: House) -> tuple[str, str]:
    """A thing that can be carried, on open furniture."""
    return next(
        (thing.name, thing.place[0])
        for thing in house.things
        if thing.place[0] in house.piece
        and "open" not in house.piece[thing.place[0]].states
        and not thing.receptacles
    )


def test_a_thing_is_on_what_bears_it_and_inside_its_room() -> None:
    world = simulation(home(SEED).rooms[0].name)
    name, piece = on_furniture(home(SEED))
    room = home(SEED).piece[piece].room
    facts = HouseFacts(world.state)
    assert facts.holds("INSIDE", name, room)
    assert not facts.holds("INSIDE", room, room)
    assert facts.holds("ON", name, piece) != facts.holds("INSIDE", name, piece)
    assert not facts.holds("ON", piece, name)
    assert facts.can_bear(piece, "on") or facts.can_bear(piece, "within")
    assert not facts.can_bear(room, "on")
    assert facts.around(name)[0] == piece
    assert facts.room(name) == facts.room(room) == room
    assert facts.category(piece) == home(SEED).piece[piece].category in facts.classes


def test_who_has_not_gone_to_a_thing_is_not_close_to_it() -> None:
    house = home(SEED)
    state = simulation(house.rooms[0].name).state
    shut = next(thing for thing in house.things if is_shut_in(state, thing.name))
    furniture = shut.place[0]
    start = house.piece[furniture].room
    world = simulation(start, sees=sight(SEED), layout=True)
    criterion = read_criterion(f"(CLOSE, robot, {shut.category})")
    trace = CriterionTrace(criterion, HouseFacts(world.state))
    do(world, trace, Action("Navigate", (furniture,)))
    assert ("CLOSE", ROBOT, shut.name) not in set(trace.trace.final.facts())
    do(world, trace, Action("Open", (furniture,)))
    assert ("CLOSE", ROBOT, shut.name) not in set(trace.trace.final.facts())
    do(world, trace, Action("Navigate", (shut.name,)))
    assert ("CLOSE", ROBOT, shut.name) in set(trace.trace.final.facts())
    assert len(trace.trace.actions) == 3
    assert len(trace.stops) == 3
    assert trace.walked_to == [furniture, shut.name]


def test_what_is_shut_in_is_not_found_by_who_knows_of_it() -> None:
    house = home(SEED)
    first = HouseState.start(house)
    name = next(thing.name for thing in house.things if is_shut_in(first, thing.name))
    holder = first.places[name][0]
    world = simulation(house.piece[holder].room)
    facts = HouseFacts(world.state)
    assert world.do(ROBOT, Action("Navigate", (name,))).ok
    assert is_shut_in(world.state, name)
    assert not facts.holds("CLOSE", ROBOT, name)
    assert world.do(ROBOT, Action("Open", (holder,))).ok
    assert facts.holds("CLOSE", ROBOT, name)


def test_a_trace_has_a_state_for_each_action_that_was_carried_out() -> None:
    house = home(SEED)
    name, piece = on_furniture(house)
    target = next(
        other.name
        for other in house.furniture
        if other.category != house.piece[piece].category
        and "open" not in other.states
        and any(space.kind == "on" for space in other.receptacles)
    )
    thing, place = house.thing[name].category, house.piece[target].category
    criterion = read_criterion(f"(CLOSE, robot, {place})(ON, {thing}, {place})")
    world = simulation(house.rooms[0].name)
    trace = CriterionTrace(criterion, HouseFacts(world.state))
    goal = EtplanGoal(criterion)
    for action in (
        Action("Navigate", (name,)),
        Action("Pick", (name,)),
        Action("Pick", (target,)),  # refused
        Action("Navigate", (target,)),
        Action("Place", (name, "on", target)),
    ):
        do(world, trace, action)
    assert len(trace.trace.states) == 1 + sum(event.ok for event in world.log)
    if world.log[-1].ok:
        assert goal.judge(trace.trace).success


def test_all_that_can_be_gone_to_has_a_middle() -> None:
    house = home(SEED)
    state = simulation(house.rooms[0].name).state
    for name in (*house.floors, *house.room, *house.door, *house.piece, *house.thing, ROBOT):
        assert len(HouseFacts(state).position(name)) == 3


def test_what_is_stated_of_a_thing_is_what_is_judged() -> None:
    state = HouseState.start(home(SEED))
    facts = HouseFacts(state)
    names = [*home(SEED).piece, *home(SEED).thing]
    landmarks = set(filter(facts.is_landmark, names))
    assert landmarks < set(home(SEED).piece)
    for name in names:
        stated = set(facts.stated_relations(name))
        for other in names:
            if other == name:
                continue
            near = facts.holds("CLOSE", name, other)
            if other in landmarks:
                assert near == (("CLOSE", other) in stated), (name, other)
            elif name not in landmarks:
                assert not near, (name, other)
            assert facts.holds("FACING", name, other) == (("FACING", other) in stated)
            for relation in ("ON", "INSIDE"):
                if (relation, other) in stated:
                    assert facts.holds(relation, name, other)
        known = set(names[::2])
        assert {other for _, other in facts.stated_relations(name, known)} <= {
            *known,
            facts.room(name),
            state.places.get(name, ("",))[0],
        }


def test_near_is_what_people_call_near() -> None:
    house = home(SEED)
    state = HouseState.start(house)
    facts = HouseFacts(state)
    for name in house.thing:
        around, at = set[str](), name
        while at in state.places:
            at = state.places[at][0]
            around.add(at)
        shut = any(
            "open" in state.states.get(each, {}) and facts.holds("INSIDE", name, each)
            for each in around
        )
        for relation, other in facts.stated_relations(name):
            if relation == "CLOSE":
                assert other not in around  # but on or in it
                assert not shut
                assert is_close(state, name, other)
    sink = next(piece for piece in house.furniture if piece.category == "sink")
    below = next(piece for piece in house.furniture if piece.category == "sink_cupboard")
    assert is_close(state, sink.name, below.name)
    assert not facts.holds("CLOSE", sink.name, below.name)


def test_what_is_in_a_hand_is_not_near() -> None:
    house = home(SEED)
    first = HouseFacts(HouseState.start(house))
    name = next(
        thing.name
        for thing in house.things
        if "CLOSE" in dict(first.stated_relations(thing.name)) and not thing.receptacles
    )
    world = simulation(first.room(name))
    assert world.do(ROBOT, Action("Navigate", (name,))).ok
    assert world.do(ROBOT, Action("Pick", (name,))).ok
    assert not {"CLOSE", "ON"} & set(dict(HouseFacts(world.state).stated_relations(name)))


def test_seats_face_what_they_are_turned_to() -> None:
    facing = {
        (piece.category, facts.category(other))
        for seed in (39, SEED)
        for facts in [HouseFacts(HouseState.start(home(seed)))]
        for piece in home(seed).furniture
        for relation, other in facts.stated_relations(piece.name)
        if relation == "FACING"
    }
    assert {("sofa", "tv"), ("office_chair", "desk")} <= facing
    assert {first for first, _ in facing} <= SEATS
