"""The rules for the actions that look possible to an agent, given its knowledge. Skills are data.

Each caller adds its own part: :mod:`.options` lists actions for any position of the agent;
:mod:`.masks` has arrays for its current position; PARTNR's ``action_space`` has names and grammars
for calls; :mod:`.known_scene` marks objects in reach. The simulation decides which actions succeed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from homebody.core.ground.sharing import never_changes
from homebody.worlds.house.model.agents import AIMED, MOTIONS
from homebody.worlds.house.model.house import Box, House, Pose, box_at
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.navigation import is_in_reach

SWITCHES: Final[Mapping[str, tuple[str, bool]]] = {
    "Clean": ("clean", False),
    "Fill": ("filled", False),
    "Pour": ("filled", False),
    "PowerOn": ("powered_on", False),
    "PowerOff": ("powered_on", True),
    "Open": ("open", False),
    "Close": ("open", True),
}
"""Skill -> the state that it changes, and its value before."""
RELATIONS: Final = ("on", "within")
AHEAD: Final = "ahead_"
"""Prefix of kinds of targets in the middle of the picture."""
_PLACING: Final = (("object", "object"), ("relation", "relation"), ("furniture", "holder"))
_HANDLING: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "Navigate": (("target", "target"),),
    "Explore": (("room", "room"),),
    "Pick": (("object", "object"),),
    "Place": (*_PLACING, ("next_to", "beside")),
    "Rearrange": (*_PLACING, ("next_to", "beside")),
    **dict.fromkeys(("Open", "Close"), (("furniture", "open"),)),
    "Clean": (("object", "clean"),),
    **dict.fromkeys(("Fill", "Pour"), (("object", "filled"),)),
    **dict.fromkeys(("PowerOn", "PowerOff"), (("object", "powered_on"),)),
}
ARGUMENTS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    **_HANDLING,
    **dict.fromkeys(MOTIONS, ()),
    **{
        name: (("thing", AHEAD + ("holder" if skill == "Place" else _HANDLING[skill][0][1])),)
        for name, skill in AIMED.items()
    },
    "Say": (("agent", "agent"), ("words", "text")),
    "Wait": (),
}
"""Skill -> name and kind of each argument. ``open`` and the like are objects with this state; a
``holder`` depends on the relation before it. The prefix ``ahead_`` marks kinds of targets in the
middle of the picture. ``beside`` is written as two: ``next_to`` and a name, or ``None`` twice."""


@never_changes
@dataclass(frozen=True, slots=True)
class Uses:
    """The known uses of an object, piece or door, for any position of the agent.

    Attributes:
        kind: Object, furniture or door.
        is_held: True if somebody holds it.
        states: Its possible states, seen or not.
        skills: Skills of :data:`SWITCHES` for which it has the required state.
        bears: Possible relations of objects to it.
        takes: Relations possible now: ``within`` only if it is not closed.
    """

    kind: str
    is_held: bool
    states: tuple[str, ...]
    skills: tuple[str, ...]
    bears: tuple[str, ...]
    takes: tuple[str, ...]


def uses_of(house: House, node: Node) -> Uses | None:
    """Return the uses of a node; None for rooms, agents and people."""
    if node.kind not in ("object", "furniture", "door"):
        return None
    name, states = node.name, node.states
    whole = house.thing.get(name) or house.piece.get(name)
    has = whole.states if whole is not None else house.door[name].states
    bears = dict.fromkeys(each.kind for each in whole.receptacles) if whole is not None else {}
    is_shut = states.get("open") is False
    return Uses(
        node.kind,
        node.relation == "held",
        tuple(has),
        tuple(skill for skill, (state, v) in SWITCHES.items() if states.get(state) is v),
        tuple(bears),
        tuple(relation for relation in bears if relation == "on" or not is_shut),
    )


def believed_box(state: HouseState, node: Node) -> Box:
    """Return the box of an object at its believed place."""
    name = node.name
    if name in state.poses and state.poses[name].position != node.position:
        return box_at(Pose(node.position), state.house.thing[name].size)
    return state.box(name)


def is_near(simulation: Simulation, agent: str, node: Node) -> bool:
    """Return whether an object or its believed bearer is within reach of an agent, even if it is
    behind a closed door or lid."""
    state, nodes = simulation.state, simulation.graphs[agent].nodes
    here, reach = state.bodies[agent].pose.position[:2], simulation.agents[agent].reach
    at: Node | None = node
    for _ in range(len(nodes)):  # old and new beliefs may form a circle
        if at is None or at.kind in ("room", "agent"):
            return False
        if is_in_reach(state.house, here, believed_box(state, at), reach):
            return True
        at = None if at.kind in ("furniture", "door") else nodes.get(at.holder)
    return False
