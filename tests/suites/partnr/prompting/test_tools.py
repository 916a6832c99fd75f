"""What perception tools tell, and how the world is put into words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import WAIT, Action
from homebody.core.play.rounds import finish
from homebody.core.play.transcript import read_call
from homebody.goals.partnr import Evaluation
from homebody.suites.partnr.prompting import knowledge_text, tools
from homebody.suites.partnr.prompting.calls import CALLS, TOOLS
from homebody.suites.partnr.prompting.knowledge_text import LEGEND, describe_world
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.shared_knowledge import share_knowledge
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.simulation import Simulation
from leaks import read_names
from suites.partnr.homes import make_task, of

THINGS = (
    ("cup_0", "counter_0"),
    ("cup_1", "coffee_table_0"),
    ("toy_car_0", "shelf_1"),
    ("doll_0", "bed_0"),
    ("apple_0", "counter_1"),
    ("plate_0", "wall_cabinet_0", "within"),
)
STATES = {"cup_0": {"clean": False, "filled": False}, "cup_1": {"clean": True, "filled": True}}


def session(observability: str = "full") -> PartnrSession:
    task = make_task(
        Evaluation((of("is_on_top", ["cup_0"], ["coffee_table_0"]),)),
        *THINGS,
        states=STATES,
        settings=Settings(observability=observability),
    )
    return PartnrSession(task)


def simulation(observability: str = "full") -> Simulation:
    return session(observability).simulation


def knowledge(observability: str = "full", role: str = "robot") -> WorldGraph:
    graph: WorldGraph = session(observability).observe(role).knowledge
    return graph


def found(text: str) -> list[str]:
    return [line.partition(" ")[0].rstrip(":") for line in text.splitlines()]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("cups", ["cup_0", "cup_1"]),
        ("a cup on the counter", ["cup_0"]),
        ("the dirty cup", ["cup_0"]),
        ("dirty things", ["cup_0"]),
        ("cup_1", ["cup_1"]),
        ("toys", ["toy_car_0", "doll_0"]),
        ("toys in the bedroom", ["doll_0"]),
        ("something to eat, food", ["apple_0"]),
        ("fruit on the floor", ["apple_0"]),  # there is none on a floor: what it is counts more
        ("things in the kitchen", ["cup_0", "apple_0", "plate_0"]),
        ("objects", ["cup_0", "cup_1", "toy_car_0", "doll_0", "apple_0", "plate_0"]),
        ("all objects", ["cup_0", "cup_1", "toy_car_0", "doll_0", "apple_0", "plate_0"]),
        ("every toy", ["toy_car_0", "doll_0"]),
        ("the bottles", []),
    ],
)
def test_finds_objects(query: str, names: list[str]) -> None:
    text = tools.find_objects(knowledge(), ("robot",), query)
    if names:
        assert sorted(found(text)) == sorted(names)
    else:
        assert text.startswith("No object that you know of")


def test_words_that_are_misspelt() -> None:
    text = tools.find_objects(knowledge(), ("robot",), "an aple")
    assert text.splitlines()[0] == tools.UNSURE
    assert found(text)[1:] == ["apple_0"]


def test_says_where_objects_are() -> None:
    text = tools.find_objects(knowledge(), ("robot",), "cup plate")
    assert "cup_0: counter_0 in kitchen_0 (dirty, empty)" in text.splitlines()
    assert "plate_0: wall_cabinet_0 in kitchen_0 (within, clean)" in text.splitlines()


def test_tells_what_is_known_and_no_more() -> None:
    view = simulation("partial")
    assert not view.graphs["robot"].knows("toy_car_0")
    assert "toy_car_0" not in tools.find_objects(view.graphs["robot"], ("robot",), "toy cars")
    assert "toy_car_0" not in tools.find_objects(view.graphs["robot"], ("robot",), "toy_car_0")
    assert view.do("robot", Action("Explore", ("playroom_0",))).ok
    assert found(tools.find_objects(view.graphs["robot"], ("robot",), "toy cars")) == ["toy_car_0"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("a kitchen counter", ["counter_0", "counter_1", "counter_2"]),
        ("the bed", ["bed_0"]),
        ("floor of the kitchen", ["floor_kitchen_0"]),
        ("something with a faucet", ["sink_0", "washbasin_0"]),
        ("a couch", ["sofa_0"]),
        ("tables in the living room", ["coffee_table_0", "side_table_0"]),
        ("refrigerator", ["fridge_0"]),
    ],
)
def test_finds_furniture(query: str, names: list[str]) -> None:
    found_names = found(tools.find_receptacles(knowledge(), ("robot",), query))
    assert set(names) <= set(found_names)
    assert len(found_names) <= len(names) + 1


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("a room which might have something to eat", "kitchen_0"),
        ("where one sleeps", "bedroom_0"),
        ("bathroom", "bathroom_0"),
        ("the room with the workbench", "garage_0"),
        ("where are the toys of the kids", "playroom_0"),
    ],
)
def test_finds_rooms(query: str, first: str) -> None:
    assert found(tools.find_rooms(knowledge(), ("robot",), query))[0] == first


def test_all_rooms_where_none_fits() -> None:
    view = simulation()
    assert found(tools.find_rooms(view.graphs["robot"], ("robot",), "zzz qqq")) == list(
        view.state.house.room
    )


def test_tells_what_the_partner_did() -> None:
    """Whoever is asked tells all that it did, also what nobody saw; not what was no skill."""
    played = session("partial")
    assert tools.partner_actions(played, "human") == "robot has done: nothing yet. Now: nothing."
    played.act("robot", Action("Explore", ("kitchen_0",)))
    finish(played, "robot")
    played.act("robot", Action("Pick", ("doll_0",)))
    played.act("robot", Action("FindRoomTool", ("a kitchen",)))
    played.note("robot", "hm")
    played.act("robot", Action("Navigate", ("cup_0",)))
    assert tools.partner_actions(played, "human") == (
        "robot has done: Explore[kitchen_0], Pick[doll_0] (failed). Now: Navigate[cup_0]."
    )
    for _ in range(20):
        played.act("human", WAIT)
        finish(played, "human")
    played.act("human", Action("Done"))
    told = tools.partner_actions(played, "robot")
    assert "human has done: 8 actions before these, Wait[]" in told
    assert told.endswith("Wait[]. Now: nothing.")


@given(st.text(max_size=200), st.sampled_from(TOOLS))
def test_any_query_is_answered(query: str, name: str) -> None:
    args = (query,) if CALLS[name] else ()
    text = tools.answer_tool(_WORLD, ("human",), "human", Action(name, args))
    assert 0 < len(text) < 5_000


_WORLD = session()


def test_every_call_is_described() -> None:
    lines = tools.describe_tools(CALLS).splitlines()
    assert len(lines) == len(CALLS) == len(tools.DESCRIPTIONS)
    for name, line in zip(CALLS, lines, strict=True):
        assert line.startswith(f"- {name}[")


# -- the world in words -----------------------------------------------------------------------


def test_world_text_groups_objects_by_place() -> None:
    known = knowledge()
    lines = describe_world(known, ("robot",)).splitlines()
    assert lines[0] == LEGEND
    kitchen = next(line for line in lines if line.startswith("kitchen_0: "))
    assert kitchen.startswith("kitchen_0: floor_kitchen_0, ")
    assert lines.index("  coffee_table_0: cup_1 (filled)") > lines.index(
        next(line for line in lines if line.startswith("living_room_0: "))
    )
    faucets = next(line for line in lines if line.startswith("With a faucet: "))
    assert {"sink_0", "washbasin_0"} <= set(faucets.partition(": ")[2].split(", "))
    told = read_names("\n".join(lines), {node.name for node in known.of_kind("object")})
    assert len(told) == len(THINGS)
    pieces = [node.name for node in known.of_kind("furniture")]
    start = "\n".join(lines).partition("Ways between rooms")[0]
    assert all(len(re.findall(rf"\b{name}\b", start)) == 1 for name in pieces)


def test_a_house_without_a_faucet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge_text, "has_faucet", lambda node: False)
    assert "\nWith a faucet: nothing known\n" in describe_world(knowledge(), ("robot",))


def test_what_furniture_takes_is_told_by_kind_and_true() -> None:
    sim = simulation("partial")
    lines = dict(
        line.split(": ", 1)
        for line in describe_world(sim.graphs["robot"], ("robot",)).splitlines()
        if ": " in line
    )
    told = {
        "Objects go within, not on": {"within"},
        "Objects go on or within": {"on", "within"},
        "Nothing can be put on or in": set(),
    }
    words = {name: kinds for head, kinds in told.items() for name in lines[head].split(", ")}
    for piece in sim.state.house.furniture:
        kinds = {one.kind for one in piece.receptacles}
        assert words.get(piece.category, {"on"}) == kinds


def test_nothing_is_told_of_what_was_not_seen() -> None:
    view = simulation("partial")
    text = describe_world(view.graphs["robot"], ("robot",))
    for name in view.state.house.thing:
        assert (name in text) == view.graphs["robot"].knows(name)


def test_who_holds_what() -> None:
    view = simulation()
    for call in ("Navigate[cup_0]", "Pick[cup_0]"):
        action = read_call(call)
        assert action is not None
        view.do("robot", action)
    assert "\nheld: cup_0 by you (dirty)\n" in describe_world(view.graphs["robot"], ("robot",))
    for agent, roles in (("human", ("human",)), ("robot", ("robot", "human"))):
        text = describe_world(view.graphs[agent], roles)
        assert "\nheld: cup_0 by robot (dirty)\n" in text


def test_consecutive_names_are_a_range() -> None:
    def node(number: int, relation: str = "on", **states: bool) -> Node:
        place = "shelf_0", relation
        return Node(f"cup_{number}", "object", "cup", (0.0,) * 3, "den_0", *place, states)

    some = [node(0), node(1), node(2, clean=True), node(3, clean=False), node(4), node(5)]
    assert knowledge_text._list(some) == "cup_0 to cup_2, cup_3 (dirty), cup_4, cup_5"
    assert knowledge_text._list([replace(node(1), category="mug")]) == "cup_1 (a mug)"
    assert knowledge_text._contents([node(9, "within"), node(8)]) == "cup_8; within: cup_9"


# -- knowledge of two -------------------------------------------------------------------------


def shared() -> Simulation:
    view = simulation("partial")
    share_knowledge(view)
    return view


def test_what_one_sees_the_other_knows_if_it_is_shared() -> None:
    apart, together = simulation("partial"), shared()
    for view in (apart, together):
        assert view.do("robot", Action("Explore", ("bedroom_0",))).ok
    assert not apart.graphs["human"].knows("doll_0")
    assert together.graphs["human"].knows("doll_0")
    assert apart.do("human", Action("Navigate", ("doll_0",))).ok is False
    assert together.do("human", Action("Navigate", ("doll_0",))).ok


def test_shared_knowledge_is_the_latest() -> None:
    view = shared()
    for call in ("Explore[bedroom_0]", "Navigate[doll_0]"):
        action = read_call(call)
        assert action is not None
        assert view.do("robot", action).ok
    for call in (
        "Navigate[doll_0]",
        "Pick[doll_0]",
        "Navigate[sofa_0]",
        "Place[doll_0, on, sofa_0]",
    ):
        action = read_call(call)
        assert action is not None
        assert view.do("human", action).ok
    assert view.graphs["robot"]["doll_0"].holder == "sofa_0"
    assert view.graphs["robot"]["doll_0"].room == "living_room_0"


@pytest.mark.parametrize("view", [shared, simulation])
def test_agents_for_whom_one_decides_know_the_same(view: Callable[[], Simulation]) -> None:
    both = view()
    for agent, call in (
        ("robot", "Explore[bedroom_0]"),
        ("human", "Navigate[doll_0]"),
        ("human", "Pick[doll_0]"),
        ("robot", "Open[wall_cabinet_0]"),
        ("human", "Navigate[sofa_0]"),
        ("robot", "Explore[kitchen_0]"),
        ("human", "Place[doll_0, on, sofa_0]"),
    ):
        action = read_call(call)
        assert action is not None
        both.do(agent, action)
        assert both.graphs["robot"].nodes == both.graphs["human"].nodes
