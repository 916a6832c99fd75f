"""Starting places and names of agents."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping, Sequence

import numpy as np

from homebody.core.ground.seeds import shuffle
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.house import NOISE, Box, House, Point, Pose
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.simulation.walking.doors import locked_doors, shut_doors, shut_leaves
from homebody.worlds.house.simulation.walking.navigation import navigation
from homebody.worlds.house.simulation.walking.walls import contains

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]*")
"""Agent names that actions can contain."""


def place_agents(
    state: HouseState,
    agents: Mapping[str, Agent],
    bodies: Mapping[str, Body],
    poses: Mapping[str, Pose],
    rng: np.random.Generator,
) -> None:
    """Put agents at their poses, else in random free places. Raises ValueError without a place."""
    house = state.house
    barred = locked_doors(state)
    leaves = [shut_leaves(house)[name] for name in shut_doors(state)]
    # agents with a given pose first, so that nobody else takes it
    for name in sorted(bodies, key=lambda name: name not in poses):
        body, ways = bodies[name], navigation(house, agents[name].radius, barred)
        state.bodies[name] = body
        if name in poses:
            _check_pose(house, name, poses[name])
            at = poses[name].position[:2]
            if not ways.is_free(at) or any(
                _is_in_leaf(at, body.size[0] / 2, leaf) for leaf in leaves
            ):
                raise ValueError(f"{name} cannot stand at {at}: something is in the way")
            body.pose = poses[name]
            if not _is_alone(state, agents, name):
                raise ValueError(f"{name} starts where another agent is")
            if state.held_by(name):  # an awake person may hold an object
                state.walk(name, body.pose)
            continue
        free = [spot for room in house.rooms for spot in ways.room_spots(room.name)]
        for spot in shuffle(rng, free):
            body.pose = Pose((*spot, 0.0), float(90 * rng.integers(4)))
            if _is_alone(state, agents, name):
                break
        else:
            raise ValueError(f"there is no free place for {name} to start from")


def _is_in_leaf(at: Point, radius: float, leaf: Box) -> bool:
    """Return whether an agent would stand in the leaf of a door."""
    return all(
        leaf.low[axis] - radius + NOISE < at[axis] < leaf.high[axis] + radius - NOISE
        for axis in (0, 1)
    )


def _is_alone(state: HouseState, agents: Mapping[str, Agent], agent: str) -> bool:
    x, y, _ = state.bodies[agent].pose.position
    for name, body in state.bodies.items():
        if name != agent:
            apart = agents[agent].radius + agents[name].radius - 1e-9
            if max(abs(x - body.pose.position[0]), abs(y - body.pose.position[1])) < apart:
                return False
    return True


def check_names(house: House, agents: Mapping[str, Agent], poses: Mapping[str, Pose]) -> None:
    """Raise ValueError for invalid agent names and poses of unknown agents."""
    for name in agents:
        if NAME.fullmatch(name) is None:
            raise ValueError(
                f"an agent cannot be named {name!r}: letters, digits, '_', '.', ':' and '-' only"
            )
        if any(name in of for of in _names(house)):
            raise ValueError(f"{name} is the name of something in the house")
    for name in poses:
        if name not in agents:
            raise ValueError(f"there is no agent {name} to start at {poses[name].position}")


def _names(house: House) -> Sequence[Container[str]]:
    """Return the names taken in a house."""
    people = [person.name for person in house.people]
    return house.room, house.floors, house.piece, house.door, house.thing, people


def _check_pose(house: House, agent: str, pose: Pose) -> None:
    """Raise ValueError if a pose is not on the floor of a room or in a doorway."""
    x, y, z = pose.position
    if not all(math.isfinite(number) for number in (x, y, z, pose.yaw)):
        raise ValueError(f"{agent} cannot stand at {pose.position} with yaw {pose.yaw}")
    half = house.wall / 2 + 1e-6
    on_floor = any(contains(room, (x, y)) for room in house.rooms) or any(
        opening.is_passage
        and min(opening.start[0], opening.end[0]) - half
        <= x
        <= max(opening.start[0], opening.end[0]) + half
        and min(opening.start[1], opening.end[1]) - half
        <= y
        <= max(opening.start[1], opening.end[1]) + half
        for opening in house.openings
    )
    if abs(z) > 1e-6 or not on_floor:
        raise ValueError(f"{agent} cannot stand at {pose.position}: there is no floor")
