"""Skills that involve people of the scene: ask them, give them objects, take their held objects.

People stay where they are unless :func:`wake_people` makes them agents; then they carry out
requests and can be followed. A person who stays knows the objects in the open in the room. An awake
person knows what it has perceived. The asking agent stores their replies as beliefs that may be
wrong.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace

from homebody.core.action import Action
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.house import House, Person, Point, Pose, box_at
from homebody.worlds.house.model.people import HAND, held_pose, stand_up, stature, with_hands
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.conditions import (
    NONE,
    Begin,
    Changes,
    Move,
    Refused,
    SkillContext,
    Tell,
    TooFar,
    bearer,
    free_hand,
    need_object,
)
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.relations import gap, room_of
from homebody.worlds.house.simulation.rooms import in_the_open
from homebody.worlds.house.simulation.speech import (
    MAX_NAMED,
    as_category,
    deny_knowledge,
    phrase_action,
    whereabouts,
)
from homebody.worlds.house.simulation.true_nodes import true_node
from homebody.worlds.house.simulation.walking.navigation import navigation
from homebody.worlds.house.simulation.walking.paths import apart

GUIDE = Agent(
    frozenset({"Navigate", "Explore", "Open", "Close", "Pick", "Place", "Give", "Wait"}),
    hands=(HAND,),
)
"""The skills of people who are agents."""
EARSHOT = 2.0
"""Maximum distance in metres for talking."""
_NAME = re.compile(r"[a-z]\w*_\d+")
_ADDRESSED = {"Ask": 0, "Request": 0, "Say": 0, "Give": 1, "Take": 0}
"""Skill -> number of the argument that names the person, or an object that the person holds."""


def ask(context: SkillContext, agent: str, name: str, thing: str = "None") -> Changes:
    """Ask a person about their activity or the place of something, which may be a category."""
    person = _person_in_earshot(context, agent, name)
    known = _known_nodes(context, name)
    if thing in NONE:
        action = context.doing(name)
        does = phrase_action(action) if action is not None else person.activity or person.posture
        held = tuple(node for node in known if node.holder == name and node.relation == "held")
        holds = f", and hold {held[0].name}" if held else ""
        me = tuple(node for node in known if node.name == name)
        return (Tell(f"{name} says: I am {does}{holds}", (*me, *held)),)
    if thing == agent:
        return (Tell(f"{name} says: that is you"),)
    if thing in context.state.house.room:
        here = room_of(context.state, name)
        also = "" if thing == here else f", and {thing} is another room"
        return (Tell(f"{name} says: we are in {here}{also}"),)
    category = as_category(thing)
    found = [node for node in known if node.name == thing]
    found = found or [
        node for node in known if node.kind in ("object", "furniture") and node.category == category
    ]
    found = [node for node in found if node.room]  # not those known to be gone
    if not found and thing in context.agents:
        return (Tell(f"{name} says: I do not know where {thing} is"),)
    if not found:
        return (Tell(f"{name} says: {deny_knowledge(thing)}"),)
    eyes = context.state.box(name).centre
    found.sort(key=lambda node: (round(math.dist(eyes, node.position), 3), node.name))
    return (Tell(f"{name} says: {whereabouts(found, name, agent)}", tuple(found[:MAX_NAMED])),)


def give(context: SkillContext, agent: str, name: str, to: str) -> Changes:
    """Put an object from an agent's hand into the hand of a person or another agent within
    reach."""
    state = context.state
    need_object(context, name)
    if state.places[name][0] != agent:
        raise Refused(f"you do not hold {name}; pick it up first: Pick[{name}]")
    if to == agent:
        raise Refused(f"you hold {name} already")
    _need_near(context, agent, to)
    if to in state.bodies:
        held = state.held_by(to)
        for hand in context.agents[to].hands:
            if hand not in held:
                return (Move(name, (to, hand), state.carried_pose(to, hand, name)),)
        raise Refused(f"{to} has no free hand; put {name} down somewhere")
    person = _person(context, to)
    _need_awake(person)
    if held_now := state.objects_at((to, HAND)):
        raise Refused(f"{to} holds {held_now[0]}; take that first: Take[{held_now[0]}]")
    receiver = with_hands(state.house, person, True)
    pose = held_pose(receiver, state.house.thing[name].size)
    return (Move(name, (to, HAND), pose),)


def take(context: SkillContext, agent: str, name: str) -> Changes:
    """Have a person within reach hand over the held object."""
    state = context.state
    need_object(context, name)
    holder = bearer(state, name)
    if holder == agent:
        raise Refused(f"you hold {name} already")
    if holder in state.bodies:
        asks = holder in state.bodies and "Request" in context.agents[agent].skills
        how = f": Request[{holder}, Give, {name}, {agent}]" if asks else ""
        raise Refused(f"{name} is held by {holder}, who has to give it to you{how}")
    if state.places[name][0] not in state.house.person:
        raise Refused(f"nobody holds {name}; pick it up: Pick[{name}]")
    hand = free_hand(context, agent)
    _need_near(context, agent, holder)
    _need_awake(_person(context, holder))
    return (Move(name, (agent, hand), state.carried_pose(agent, hand, name)),)


def request(context: SkillContext, agent: str, name: str, skill: str, *arguments: str) -> Changes:
    """Request an action from an awake person: ``Request[person_1, Navigate, kitchen_0]``."""
    if context.state.house.person.get(name):
        raise Refused(f"{name} stays; ask something instead: Ask[{name}]")
    _person_in_earshot(context, agent, name)
    if skill not in context.agents[name].skills:
        can = ", ".join(sorted(context.agents[name].skills))
        raise Refused(f"{name} cannot do {skill}; {name} can do {can}")
    return (Begin(name, Action(skill, arguments)),)


def say(context: SkillContext, agent: str, to: str, *words: str) -> Changes:
    """Say something to another agent.

    :attr:`.SkillContext.talk` decides where it is heard: ``near`` within :data:`EARSHOT`, ``room``
    in the same room, ``radio`` anywhere. If the words name an object together with the furniture or
    room where the speaker believes it to be, the listener believes this from now on. Words about
    other places change no knowledge."""
    if to not in context.state.bodies or to == agent:
        raise Refused(f"{to} does not listen")
    if context.talk == "near":
        _need_earshot(context, agent, to)
    elif context.talk == "room" and room_of(context.state, agent) != room_of(context.state, to):
        raise TooFar(f"{to} is not in this room and cannot hear you")
    text = ", ".join(words)
    named = names_in(text)
    told = tuple(
        node
        for name in sorted(named)
        if (node := _belief_of(context, agent, name)) is not None
        and node.kind == "object"
        and node.room
        and not named.isdisjoint((node.holder, node.room))
    )
    return (Tell(f"you told {to}: {text.rstrip('.')}", told, to),)


def names_in(words: str) -> set[str]:
    """Return what looks like names of objects, furniture, floors or rooms in a sentence."""
    return set(_NAME.findall(words))


def _belief_of(context: SkillContext, agent: str, name: str) -> Node | None:
    graph = context.graphs.get(agent)
    return true_node(context.state, name) if graph is None else graph.nodes.get(name)


def addressed_by(state: HouseState, part: Action) -> str:
    """Return the person whom an action addresses, or an empty string."""
    if part.name not in _ADDRESSED:
        return ""
    name = bearer(state, part.args[_ADDRESSED[part.name]])
    return name if state.person(name) is not None else ""


def wake_people(
    house: House, names: Iterable[str]
) -> tuple[House, dict[str, Agent], dict[str, Pose], dict[str, Person]]:
    """Turn people of the scene into agents.

    Args:
        house: The scene.
        names: Names of some of its people.

    Returns:
        The arguments of :class:`homebody.worlds.house.simulation.simulation.Simulation`: the scene
        without these people, and by name their agents, starting poses (as near as possible to where
        they were) and looks.

    Raises:
        KeyError: No such person.
    """
    people = {name: house.person[name] for name in names}
    if not people:
        return house, {}, {}, {}
    rest = tuple(person for person in house.people if person.name not in people)
    scene = replace(house, people=rest)
    agents, poses = {}, {}
    taken: list[Point] = []
    for name, person in people.items():
        width = 2 * GUIDE.radius
        agents[name] = replace(GUIDE, size=(width, width, round(stature(person), 3)))
        ways = navigation(scene, GUIDE.radius)
        x, y, _ = person.pose.position
        spots = [(x, y)] if ways.is_free((x, y)) else []
        spots += ways.spots(box_at(person.pose, person.size), 0.8, True)
        room = ways.room_spots(person.room)
        spots += room
        far = ways.distances(room[0], spots) if len(room) else [0.0] * len(spots)
        reached = (at for at, length in zip(spots, far, strict=True) if length < math.inf)
        free = (at for at in reached if all(apart(at, other) >= 2 * width for other in taken))
        at = next(free, (x, y))
        taken.append(at)
        poses[name] = Pose((round(at[0], 3), round(at[1], 3), 0.0), person.pose.yaw)
    return scene, agents, poses, {name: stand_up(person) for name, person in people.items()}


def _person_in_earshot(context: SkillContext, agent: str, name: str) -> Person:
    """Return a person whom the agent can talk to from its position. Raises Refused."""
    person = _person(context, name)
    _need_earshot(context, agent, name)
    _need_awake(person)
    return person


def is_in_earshot(state: HouseState, agent: str, other: str) -> bool:
    """Return whether an agent and another or a person can talk to each other."""
    near = gap(state.box(agent), state.box(other)) <= EARSHOT
    return near and room_of(state, agent) == room_of(state, other)


def _need_earshot(context: SkillContext, agent: str, other: str) -> None:
    if not is_in_earshot(context.state, agent, other):
        raise TooFar(f"{other} is too far away to talk to; go there first: Navigate[{other}]")


def _person(context: SkillContext, name: str) -> Person:
    """Return the appearance of a person. Raises Refused for anybody else."""
    body = context.state.bodies.get(name)
    person = body.looks if body is not None else context.state.house.person.get(name)
    if person is None:
        raise Refused(f"{name} is not a person and cannot be asked")
    return person


def _need_awake(person: Person) -> None:
    if person.activity == "sleeping":
        raise Refused(f"{person.name} is asleep")


def _need_near(context: SkillContext, agent: str, other: str) -> None:
    if not context.state.can_hold(other):
        raise Refused(f"there is nobody named {other}")
    if not context.is_in_reach(agent, other, others=True):
        raise TooFar(f"{other} is not within reach; go there first: Navigate[{other}]")


def _known_nodes(context: SkillContext, person: str) -> list[Node]:
    """Return the knowledge of a person: its graph if it is an agent, or the objects in the open in
    the room."""
    graph = context.graphs.get(person)
    if graph is not None:
        return list(graph.nodes.values())
    state = context.state
    nodes = (true_node(state, name) for name in sorted(in_the_open(state, room_of(state, person))))
    return [node for node in nodes if node is not None]
