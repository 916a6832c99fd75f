"""Nodes of world graphs as objects are now, and the initial nodes of a graph."""

from __future__ import annotations

from collections.abc import Mapping

from homebody.worlds.house.model.house import Furniture, House
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.rooms import room_now
from homebody.worlds.house.simulation.walking.doors import shut_leaves
from homebody.worlds.house.simulation.walking.walls import first_memory


def true_node(state: HouseState, name: str) -> Node | None:
    """Return an object, piece, door, person or agent as it is now, or None."""
    if name in state.bodies:
        body = state.bodies[name]
        does = body.looks.activity if body.looks is not None else ""
        room = room_now(state, name)
        return Node(name, "agent", "agent", body.pose.position, room, activity=does)
    if not state.is_as_at_first(name):
        return _scene_node(state, name)
    known: dict[str, Node | None] = first_memory(state.house).setdefault("nodes", {})
    if name not in known:
        known[name] = _scene_node(state, name)
    return known[name]


def _scene_node(state: HouseState, name: str) -> Node | None:
    """Return an object, piece of furniture, door or person as it is now, or None."""
    house = state.house
    if name in state.poses:
        return _object_node(state, name)
    if name in house.piece:
        return _furniture_node(house.piece[name], state.states[name])
    if name in house.door:
        return _door_node(house, name, state.states[name])
    if name in house.person:
        person = house.person[name]
        where, does = person.pose.position, person.activity
        return Node(name, "person", person.posture, where, person.room, person.on, activity=does)
    return None


def _object_node(state: HouseState, name: str) -> Node:
    holder, receptacle = state.places[name]
    relation = "on"
    if state.can_hold(holder):
        relation = "held"
    elif holder not in state.house.floors:
        whole = state.house.piece.get(holder) or state.house.thing[holder]
        for space in whole.receptacles:
            if space.name == receptacle:
                relation = space.kind
    category, position = state.house.thing[name].category, state.poses[name].position
    room, states = room_now(state, name), state.states[name]
    return Node(name, "object", category, position, room, holder, relation, states)


def _furniture_node(piece: Furniture, states: Mapping[str, bool]) -> Node:
    where = piece.pose.position
    return Node(piece.name, "furniture", piece.category, where, piece.room, states=states)


def _door_node(house: House, name: str, states: Mapping[str, bool]) -> Node:
    x, y, _ = shut_leaves(house)[name].centre
    return Node(name, "door", "door", (x, y, 0.0), house.door[name].swings_into, states=states)


def first_nodes(state: HouseState, partial: bool, layout: bool) -> Mapping[str, Node]:
    """Return the initial nodes of a graph.

    A partial graph has rooms, doors and, with a known layout, furniture. They have no states,
    because states must be observed first. A full graph has everything except agents.
    """
    house = state.house
    known: dict[tuple[bool, bool], dict[str, Node]] = first_memory(house).setdefault("begin", {})
    kind = partial, layout or not partial
    if kind in known and (partial or state.is_first):
        return known[kind]
    nodes = {}
    for room in house.rooms:
        xs, ys = zip(*room.outline, strict=True)
        middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, 0.0
        nodes[room.name] = Node(room.name, "room", room.kind, middle, room.name)
    for piece in house.furniture if kind[1] else ():
        nodes[piece.name] = _furniture_node(piece, {} if partial else state.states[piece.name])
    for name in house.door:
        nodes[name] = _door_node(house, name, {} if partial else state.states[name])
    for name in () if partial else (*(person.name for person in house.people), *state.poses):
        node = true_node(state, name)
        assert node is not None
        nodes[name] = node
    if partial or state.is_first:
        known[kind] = nodes
    return nodes
