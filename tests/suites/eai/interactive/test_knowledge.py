"""What an agent knows that sees its room only."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import State
from homebody.suites.eai.interactive.knowledge import objects_in_sight
from homebody.suites.eai.interactive.session import start
from leaks import split_name
from suites.eai.interactive.played import (
    ROOM,
    WORLDS,
    AnyScene,
    any_action,
    begin,
    do,
    scenes,
    tasks,
)

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(1, 20))
def test_what_is_known_is_what_was_seen(
    world: str, data: st.DataObject, seed: int, steps: int
) -> None:
    """Kept up to date, and worked out anew from each state: the same at each step."""
    found = data.draw(tasks(world))
    session, rng = start(found, ROOM, 0), np.random.default_rng(seed)
    known = session.knowledge("agent")
    before = sight(found, session.state)
    last = dict.fromkeys(before, session.state)  # in which each was in sight last
    for _ in range(steps):
        session.act("agent", any_action(session, rng))
        now = sight(found, session.state)
        last.update(dict.fromkeys(before | now, session.state))  # what goes is seen to go
        before = now
        assert known.in_sight == now
        assert list(known.names) == sorted(last, key=split_name)
    relations = {f for f in session.state.facts() if len(f) == 3 and last.keys() >= set(f[1:])}
    of = {id(state): state_facts(state) for state in last.values()}
    states = {fact for name, state in last.items() for fact in of[id(state)] if fact[1] == name}
    assert set(known.facts()) == relations | states


def sight(found: AnyScene, state: State) -> frozenset[str]:
    return objects_in_sight(found, state, found.room(state, found.world.agent))


def state_facts(state: State) -> list[tuple[str, ...]]:
    return [fact for fact in state.facts() if len(fact) == 2]


@pytest.mark.parametrize("world", WORLDS)
@settings(max_examples=15)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_who_sees_everything_knows_the_state(world: str, data: st.DataObject, seed: int) -> None:
    found = data.draw(tasks(world))
    session, rng = start(found, {}, 0), np.random.default_rng(seed)
    for _ in range(10):
        session.act("agent", any_action(session, rng))
    known = session.knowledge("agent")
    assert list(known.facts()) == list(session.state.facts())
    assert list(known.names) == sorted(session.state.objects, key=split_name)


# -- by hand --------------------------------------------------------------------------------------


def test_what_is_behind_a_closed_door_is_unknown_until_it_is_opened() -> None:
    session = begin("behavior", "bottling_fruit", room=True)
    known = session.knowledge("agent")
    assert "fridge_97" in known
    assert "peach_0" not in known
    assert "peach_0" not in session.describe("agent")
    assert not [action for action in session.options("agent") if "peach_0" in action.args]
    do(session, "OPEN[fridge_97]")
    assert "peach_0" in known
    learnt = session.describe_changes("agent")
    assert learnt.startswith("You see for the first time:")
    assert "peach_0" in learnt
    do(session, "CLOSE[fridge_97]")
    assert "peach_0" in known  # though not in sight any more
    assert known.in_sight is not None
    assert "peach_0" not in known.in_sight
    assert "fridge_97 (closed) [in it: peach_0, strawberry_0]" in session.describe("agent")
    assert not [
        a for a in session.options("agent") if a.name == "LEFT_GRASP" and "peach_0" in a.args
    ]


def test_another_room_is_unknown_until_it_is_entered() -> None:
    session = begin("virtualhome", "120_1", room=True)
    known = session.knowledge("agent")
    assert "dining_room.201" in known  # rooms always are
    assert "light.245" not in known
    do(session, "WALK[dining_room.201]")
    assert "light.245" in known
    assert "light.245" in session.describe_changes("agent")
    assert "light.411" in known
    text = session.describe("agent")
    assert "home_office.319 (as you last saw it):" in text
    assert "\ndining_room.201:\n" in text
    do(session, "WALK[home_office.319]")
    assert session.describe_changes("agent") == ""


def test_what_is_carried_is_seen_in_every_room() -> None:
    session = begin("virtualhome", "120_1", room=True)
    do(session, "WALK[rag.2003]", "GRAB[rag.2003]", "WALK[bathroom.1]")
    assert "rag.2003" in (session.knowledge("agent").in_sight or ())
    assert "In your right hand: rag.2003. In your left hand: nothing." in session.describe("agent")
    do(session, "DROP[rag.2003]", "WALK[bedroom.67]")
    assert "rag.2003" not in (session.knowledge("agent").in_sight or ())
    told = session.describe("agent").partition("bathroom.1 (as you last saw it):")[2]
    assert "rag.2003" in told.partition("\n\n")[0]


def test_halves_are_not_there_before_something_is_cut() -> None:
    for room in (False, True):
        session = begin("behavior", "bottling_fruit", room=room)
        assert "part" not in session.describe("agent")
        do(session, "OPEN[fridge_97]", "RIGHT_GRASP[peach_0]", "RIGHT_PLACE_ONTOP[countertop_84]")
        assert do(session, "LEFT_GRASP[carving_knife_0]", "SLICE[peach_0]").ok
        text = session.describe("agent")
        assert "peach_0_part_0 (sliced), peach_0_part_1 (sliced)" in text
        assert "peach_0," not in text


def test_what_changes_out_of_sight_is_not_known() -> None:
    """Dishes get clean in a closed dishwasher; who has not opened it since does not know."""
    for found in scenes("behavior"):
        state = found.annotated_task.task.initial
        machine = [n for n in state.objects if state.holds("DISHWASHER", (n,))]
        dirty = [n for n in state.objects if state.holds("stained", (n,)) and "plate" in n]
        if machine and dirty:
            break
    else:
        pytest.fail("no task has dirty plates and a dishwasher")
    session = start(found, ROOM, 0)
    (washer, *_), (plate, *_) = machine, dirty
    places = session.scene.search(session.state, plate)
    while places is not None:
        session.act("agent", places)
        places = session.scene.search(session.state, plate)
    do(session, f"OPEN[{washer}]")
    assert do(session, f"RIGHT_GRASP[{plate}]").ok
    assert do(
        session, f"RIGHT_PLACE_INSIDE[{washer}]", f"CLOSE[{washer}]", f"TOGGLE_ON[{washer}]"
    ).ok
    known = session.knowledge("agent")
    assert not session.state.holds("stained", (plate,))
    assert known.holds("stained", (plate,))
    do(session, f"TOGGLE_OFF[{washer}]", f"OPEN[{washer}]")
    assert not known.holds("stained", (plate,))
