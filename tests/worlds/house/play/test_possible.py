"""What is possible is derived once: what shows it agrees, each stricter than the one before it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import DONE, Action
from homebody.suites.partnr.prompting.action_space import action_space, check
from homebody.worlds.house.model.agents import AIMED
from homebody.worlds.house.play.options import HouseOptions
from homebody.worlds.house.play.possible import ARGUMENTS, SWITCHES, believed_box, is_near, uses_of
from homebody.worlds.house.play.session import HouseBase
from homebody.worlds.house.play.symbols import SKILLS, action_of
from homebody.worlds.house.simulation.conditions import SkillContext
from homebody.worlds.house.simulation.skills import FORMS
from worlds.house.play.test_masks_and_table import AGENTS, SIZES, Kept, choose, homes, start


@settings(max_examples=8, deadline=None)
@given(
    st.sampled_from(range(len(homes()))),
    st.integers(0, 2**16),
    st.sampled_from(["room", "all", "erring"]),
)
def test_masks_are_options_and_options_can_be_named(home: int, seed: int, way: str) -> None:
    """Navigate apart: lists leave out rooms that can be explored and doors of other rooms, PARTNR's
    calls leave out people, and learners have them all."""
    simulation = start(homes()[home], seed, way)
    rng = np.random.default_rng(seed)
    slots = SIZES.slots(simulation.state.house, list(AGENTS))
    names = {slot: name for name, slot in slots.items()}
    kept = {agent: Kept(simulation, agent, slots) for agent in AGENTS}
    options = {agent: HouseOptions(simulation, agent) for agent in AGENTS}
    for _ in range(6):
        for agent in AGENTS:
            if simulation.busy(agent) is None:
                simulation.act(agent, choose(simulation, agent, kept[agent], rng))
        simulation.advance()
    session = HouseBase(simulation, "")
    for agent in AGENTS:
        listed, space = set(options[agent].now()), action_space(session.observe(agent))
        mask = kept[agent].possible.now()
        for row, slot in np.argwhere(mask).tolist():
            action = action_of(simulation, agent, names, row, slot)
            assert action in listed or SKILLS[row] == "Navigate"
        sample = sorted(listed - {DONE}, key=repr)
        for number in rng.choice(len(sample), min(len(sample), 300), replace=False).tolist():
            assert check(sample[number], space) == sample[number]


def test_what_is_near_to_who_knows_all_is_in_reach() -> None:
    simulation = start(homes()[0], 0, "all")
    context = SkillContext(simulation.state, simulation.agents)
    graph = simulation.graphs["robot"]
    near = 0
    for piece in simulation.state.house.furniture[:8]:
        simulation.act("robot", Action("Navigate", (piece.name,)))
        while simulation.busy("robot") is not None:
            simulation.advance()
        for name in (*simulation.state.poses, *simulation.state.house.piece):
            assert believed_box(simulation.state, graph[name]) == simulation.state.box(name)
            reached = is_near(simulation, "robot", graph[name])
            assert reached == context.is_in_reach("robot", name), name
            near += reached
    assert near > 50


def test_each_skill_has_as_many_arguments_as_its_form() -> None:
    for skill, arguments in ARGUMENTS.items():
        _, (least, most) = FORMS[skill]
        count = len(arguments) + ("beside" in dict(arguments).values())
        count = 20 if skill == "Say" else count  # its words can have commas
        assert (least, most) == ((0, 1) if skill in AIMED else (least, count))


def test_uses_of_a_door_are_to_open_and_shut_it() -> None:
    simulation = start(homes()[0], 0, "all")
    house, graph = simulation.state.house, simulation.graphs["robot"]
    door = graph[next(iter(house.door))]
    uses = uses_of(house, door)
    assert uses is not None
    assert uses.skills == ("Close" if door.states["open"] else "Open",)
    assert uses.skills[0] in SWITCHES
    assert uses.takes == uses.bears == ()
    assert uses_of(house, graph["robot"]) is None


def test_what_was_not_seen_yet_can_be_in_the_states_of_its_kind() -> None:
    simulation = start(homes()[0], 0, "room")
    house, graph = simulation.state.house, simulation.graphs["robot"]
    unseen = [node for node in graph.of_kind("furniture") if not node.states]
    assert unseen
    for node in unseen:
        uses = uses_of(house, node)
        assert uses is not None
        assert uses.states == tuple(house.piece[node.name].states)
        assert uses.skills == ()
