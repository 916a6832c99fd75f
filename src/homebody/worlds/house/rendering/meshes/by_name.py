"""Meshes of everything in a house, by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.people import hold_out, stand_up, with_hands
from homebody.worlds.house.model.state import Body
from homebody.worlds.house.rendering.meshes.agents import AGENT_COLOURS
from homebody.worlds.house.rendering.meshes.by_category import (
    agent_mesh,
    furniture_mesh,
    person_mesh,
    thing_mesh,
)
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.meshes.rooms import (
    ceiling_mesh,
    floor_mesh,
    opening_mesh,
    walls_mesh,
)


def mesh_of(
    house: House,
    bodies: Mapping[str, Body],
    name: str,
    states: Mapping[str, Any],
    category: str = "",
) -> Mesh:
    """Return a mesh in its own frame. The meshes of floors, walls, ceilings and openings are in the
    frame of the house.

    Args:
        house: The house.
        bodies: The agents in it, by name.
        name: Name of an object, piece of furniture, person, agent, opening or floor, or
            ``walls_<room>`` or ``ceiling_<room>``.
        states: Its states; of an agent or a person, ``holding`` and ``reacting``
            (:meth:`.HouseState.visible_states`).
        category: Category of an object that looks like another category; its own if empty.

    Raises:
        StopIteration: There is no such name.
    """
    if name in house.piece:
        return furniture_mesh(house.piece[name], states)
    if name in house.thing:
        thing = house.thing[name]
        return thing_mesh(replace(thing, category=category or thing.category), states)
    if name in house.door:
        return opening_mesh(house, house.door[name], states.get("open", False))
    if name in bodies:
        body = bodies[name]
        if body.looks is not None:
            upright = stand_up(body.looks)
            holding = hold_out(upright) if states.get("holding") else upright
            return person_mesh(holding, states.get("reacting"))
        colours = AGENT_COLOURS[list(bodies).index(name) % len(AGENT_COLOURS)]
        return agent_mesh(body.size, *colours)
    if name in house.person:
        person = with_hands(house, house.person[name], states.get("holding"))
        return person_mesh(person, states.get("reacting"))
    for room in house.rooms:
        if name == room.floor_name:
            return floor_mesh(room)
        if name == f"walls_{room.name}":
            return walls_mesh(house, room)
        if name == f"ceiling_{room.name}":
            return ceiling_mesh(house, room)
    return opening_mesh(house, next(each for each in house.openings if each.name == name))
