"""The context of skills, and preconditions that many of them share.

A failed precondition raises :class:`Refused` with a sentence for the agent: the reason and a
remedy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from homebody.core.action import Action
from homebody.core.ground.sharing import copy_flat
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.house import Box, Point, Pose, Vector, box_at
from homebody.worlds.house.model.state import HouseState, Place
from homebody.worlds.house.simulation.believed_state import Known
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.placing import receptacles
from homebody.worlds.house.simulation.relations import NEXT_TO, gap
from homebody.worlds.house.simulation.walking.doors import shut_leaves, swings
from homebody.worlds.house.simulation.walking.navigation import is_in_reach

NONE = ("none", "None", "")
"""Arguments that stand for no spatial constraint."""


class Refused(Exception):
    """Raised if an action cannot be carried out. The message has the reason and a remedy."""


class InTheWay(Refused):
    """Raised if other agents are in the way.

    Attributes:
        names: Their names.
    """

    def __init__(self, names: Sequence[str], of: str = "") -> None:
        self.names = names
        who = " and ".join(names)
        verb = "is" if len(names) == 1 else "are"
        if of:
            super().__init__(f"{who} {verb} in the way of {of}; wait until it has gone")
        else:
            super().__init__(f"{who} {verb} in the way; wait until there is room, or go elsewhere")


class TooFar(Refused):
    """Raised if the only failed precondition is the distance: the agent must go there first."""


@dataclass(frozen=True, slots=True)
class Move:
    """A change of an object's place."""

    name: str
    place: Place
    pose: Pose


@dataclass(frozen=True, slots=True)
class Switch:
    """A change of a state of an object."""

    name: str
    state: str
    value: bool


@dataclass(frozen=True, slots=True)
class Tell:
    """A sentence as feedback for the acting agent, and nodes that a listener believes from now on.

    Attributes:
        sentence: The feedback.
        told: The nodes.
        to: The listener; the acting agent if empty.
    """

    sentence: str
    told: tuple[Node, ...] = ()
    to: str = ""


@dataclass(frozen=True, slots=True)
class Begin:
    """The start of an action at another's request."""

    agent: str
    action: Action


@dataclass(frozen=True, slots=True)
class Face:
    """A change of an agent's yaw and pitch, in degrees."""

    agent: str
    yaw: float
    pitch: float


Change: TypeAlias = Move | Switch | Tell | Begin | Face
Changes: TypeAlias = tuple[Change, ...]


def _does_nothing(agent: str) -> Action | None:
    return None


def _aims_at_nothing(state: HouseState, agent: str) -> Mapping[str, Vector]:
    return {}


@copy_flat("affords")
@dataclass(slots=True)
class SkillContext:
    """The context in which skills are evaluated.

    Attributes:
        state: The state of the house.
        agents: Agents by name.
        affords: Category -> affordances other than states: ``faucet``, ``pourable``, ``grabbable``.
            Objects of a missing category are grabbable.
        graphs: Knowledge of agents by name; an agent without a graph knows everything.
        doing: Returns the current action of an agent, or None.
        aims: Returns names around the middle of an agent's picture, the nearest to it first, with
            the points where they are seen.
        talk: Where :func:`.people.say` is heard: ``near``, ``room`` or ``radio``.
    """

    state: HouseState
    agents: Mapping[str, Agent]
    affords: Mapping[str, frozenset[str]] = field(default_factory=dict)
    graphs: Mapping[str, Known] = field(default_factory=dict)
    doing: Callable[[str], Action | None] = _does_nothing
    aims: Callable[[HouseState, str], Mapping[str, Vector]] = _aims_at_nothing
    talk: str = "near"

    def exists(self, name: str) -> bool:
        """Return whether this is an object, a piece of furniture, a door, a floor or an agent."""
        state = self.state
        return (
            name in state.poses
            or name in state.house.piece
            or name in state.house.door
            or name in state.house.floors
            or name in state.bodies
        )

    def position_of(self, agent: str) -> Point:
        """Return the position of an agent on the plan."""
        x, y, _ = self.state.bodies[agent].pose.position
        return x, y

    def can(self, name: str, affordance: str) -> bool:
        """Return whether an object or piece has an affordance that is not a state."""
        house = self.state.house
        thing = house.thing.get(name) or house.piece.get(name)
        if thing is None:
            return False
        own = self.affords.get(thing.category)
        return (
            affordance in own
            if own is not None
            else affordance == "grabbable" and name in house.thing
        )

    def is_in_reach(self, agent: str, name: str, others: bool = False) -> bool:
        """Return whether it or its bearer is in reach; other agents count only if ``others``."""
        state = self.state
        here = self.position_of(agent)
        reach = self.agents[agent].reach
        at = name
        while True:
            if at == agent:
                return True
            if at in state.house.floors or (state.can_hold(at) and not others):
                return False
            if is_in_reach(state.house, here, state.box(at), reach):
                return True
            if at not in state.places:
                return False
            at = state.places[at][0]


def need_object(context: SkillContext, name: str) -> None:
    """Require an object of this name."""
    if name not in context.state.poses:
        if name in context.state.house.piece:
            raise Refused(f"{name} is furniture and stays where it is; name an object")
        if name in context.state.house.door:
            raise Refused(f"{name} is a door and stays where it is; name an object")
        raise Refused(f"there is no object named {name}")


def need_state(context: SkillContext, name: str, state: str, verb: str) -> bool:
    """Return the value of a state, which the object must have."""
    if name not in context.state.states:
        raise Refused(f"there is no object or furniture named {name}")
    own = context.state.states[name]
    if state not in own:
        raise Refused(f"{name} cannot {verb}")
    return own[state]


def free_hand(context: SkillContext, agent: str) -> str:
    """Return the agent's first empty hand."""
    held = context.state.held_by(agent)
    for hand in context.agents[agent].hands:
        if hand not in held:
            return hand
    if not held:
        raise Refused("you have no hands to pick things up with")
    names = " and ".join(held.values())
    first = next(iter(held.values()))
    raise Refused(
        f"your hands are full with {names}; put it down first: Place[{first}, on, ...]"
        if len(held) > 1
        else f"you hold {first} already; put it down first: Place[{first}, on, ...]"
    )


def need_reach(context: SkillContext, agent: str, name: str) -> None:
    """Require that the agent can touch it (else TooFar) and nobody else holds it."""
    state = context.state
    holder = bearer(state, name)
    held = state.can_hold(holder) and holder != agent
    if not context.is_in_reach(agent, holder if held else name, held):
        raise TooFar(f"{name} is not within reach; go to it first: Navigate[{name}]")
    need_unheld(context, agent, name)


def need_unheld(context: SkillContext, agent: str, name: str) -> None:
    """Require that nobody else holds it."""
    holder = bearer(context.state, name)
    if holder in context.state.house.person:
        can_take = "Take" in context.agents[agent].skills
        raise Refused(f"{name} is held by {holder}" + (f": Take[{name}]" if can_take else ""))
    if holder in context.state.bodies and holder != agent:
        raise Refused(f"{name} is held by {holder}; wait until it is put down")


def need_access(context: SkillContext, name: str) -> None:
    """Require that nothing closed surrounds it."""
    state = context.state
    at = name
    while at in state.places:
        at, receptacle = state.places[at]
        own = state.states.get(at)
        if own is not None and own.get("open") is False:
            within = receptacles(state, at, "within")
            if any(space.name == receptacle for space in within):
                raise Refused(f"{name} is in {at}, which is closed; open it first: Open[{at}]")


def need_at_hand(context: SkillContext, agent: str, name: str) -> None:
    """Require that it is held or within reach, in nobody else's hand, and in nothing closed."""
    need_reach(context, agent, name)
    need_access(context, name)


def need_room_to_swing(context: SkillContext, agent: str, name: str) -> None:
    """Require that a doorway and the swing of its leaf are clear. The agent itself may be in the
    swing."""
    state = context.state
    swept, leaf = swings(state.house)[name], shut_leaves(state.house)[name]
    for other, body in state.bodies.items():
        x, y, _ = body.pose.position
        radius = context.agents[other].radius
        around = Box((x - radius, y - radius, 0.0), (x + radius, y + radius, body.size[2]))
        if not around.meets(leaf if other == agent else swept):
            continue
        if other == agent:
            raise Refused(f"you stand in {name}; go a step away from it first")
        raise InTheWay([other], name)
    for person in state.house.people:
        if box_at(person.pose, person.size).meets(swept):
            raise Refused(f"{person.name} is in the way of {name}")
    for thing in state.house.things:
        at = state.places.get(thing.name, ("", ""))[0]
        if at in state.house.floors and state.box(thing.name).meets(swept):
            raise Refused(f"{thing.name} is in the way of {name}; take it away: Pick[{thing.name}]")


def need_open(context: SkillContext, name: str) -> None:
    """Require that it is not closed."""
    if context.state.states.get(name, {}).get("open") is False:
        raise Refused(f"{name} is closed; open it first: Open[{name}]")


def resolve_reference(
    context: SkillContext, name: str, target: str, constraint: str, reference: str
) -> str:
    """Return the object to place something next to, or an empty string. :func:`need_beside` checks
    its place."""
    state = context.state
    if constraint in NONE and reference in NONE:
        return ""
    if constraint != "next_to":
        raise Refused(f'the constraint must be "next_to" or "None", not "{constraint}"')
    if reference in NONE:
        raise Refused(f"say what to place {name} next to, or place it without next_to")
    if reference in (name, target):
        raise Refused(f"{name} cannot be placed next to {reference}; name another thing")
    if reference in state.house.piece:
        return reference
    if reference not in state.poses:
        raise Refused(f"there is nothing named {reference} to place {name} next to")
    return reference


def need_beside(context: SkillContext, target: str, reference: str) -> None:
    """Require that the reference of a placement is on or in its target, or is furniture."""
    places = context.state.places
    if reference in places and places[reference][0] != target:
        raise Refused(f"{reference} is not on or in {target}; place it there first")


def would_be_next_to(state: HouseState, name: str, pose: Pose, beside: str) -> bool:
    """Return whether an object at a pose would be next to another."""
    if not beside:
        return True
    box, other = box_at(pose, state.house.thing[name].size), state.box(beside)
    level = box.low[2] < other.high[2] and other.low[2] < box.high[2]
    return level and gap(box, other) <= NEXT_TO


def bearer(state: HouseState, name: str) -> str:
    """Return the outermost bearer of an object: a piece, a floor or an agent."""
    at = name
    while at in state.places:
        at = state.places[at][0]
    return at
