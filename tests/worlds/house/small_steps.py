"""Somebody who knows the house brings an object somewhere by small steps."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator

from homebody.core import Action
from homebody.worlds.house.model.house import Point
from homebody.worlds.house.simulation.conditions import Refused
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.doors import first_in_the_way, shut_doors
from homebody.worlds.house.simulation.walking.navigation import is_in_reach
from homebody.worlds.house.simulation.walking.small_steps import STEP, resolve_aimed

WAYS = {
    float(yaw): (-STEP * math.sin(math.radians(yaw)), STEP * math.cos(math.radians(yaw)))
    for yaw in range(0, 360, 30)
}
"""Yaw -> where a step leads."""
CELL = 0.1
"""Metres of places that count as one."""
PLACES = 4
"""Places that are tried."""


class Lost(Exception):
    """It cannot be done so: a shut door is in the way, or nothing can be aimed at."""


def bring(
    simulation: Simulation, role: str, name: str, relation: str, target: str
) -> Iterator[Action]:
    """The actions; each is to be over before the next is asked for. Raises Lost."""
    state = simulation.state
    for goal, action in (((name,), "PickAhead"), ((name, relation, target), "PlaceAhead")):
        at = goal[-1]
        while at in state.places:
            at = state.places[at][0]
        named = Action(action, goal[-1:])
        for place in range(PLACES):
            try:
                yield from _walk(simulation, role, goal[-1], place)
                if state.states[at].get("open") is False:
                    yield from _open(simulation, role, at)
                yield from _aim(simulation, role, goal, named)
                break
            except Lost:
                if place == PLACES - 1:
                    raise
        yield named


def _walk(simulation: Simulation, role: str, target: str, place: int) -> Iterator[Action]:
    """To the so many-th place from which the target is in reach."""
    state, house = simulation.state, simulation.state.house
    ways, box = simulation.navigation(role), state.box(target)
    x, y, _ = state.bodies[role].pose.position
    start = round(x, 4), round(y, 4)
    before: dict[Point, tuple[Point, float] | None] = {start: None}
    cells = {_cell(start)}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if is_in_reach(house, here, box, simulation.agents[role].reach):
            place -= 1
            if place < 0:
                break
        for yaw, (dx, dy) in WAYS.items():
            there = round(here[0] + dx, 4), round(here[1] + dy, 4)
            if _cell(there) in cells or not ways.sees_straight(here, there):
                continue
            cells.add(_cell(there))
            before[there] = here, yaw
            queue.append(there)
    else:
        raise Lost(target)
    steps: list[float] = []
    while (step := before[here]) is not None:
        here, yaw = step
        steps.append(yaw)
    for yaw in reversed(steps):
        x, y, _ = state.bodies[role].pose.position
        ahead = (x, y), (x + WAYS[yaw][0], y + WAYS[yaw][1])
        if (met := first_in_the_way(house, shut_doors(state), ahead, ways.radius)) is not None:
            yield from _open(simulation, role, met[0])
        yield from _turn(simulation, role, yaw)
        yield Action("MoveAhead")


def _open(simulation: Simulation, role: str, name: str) -> Iterator[Action]:
    yield from _aim(simulation, role, (name,), Action("OpenAhead", (name,)))
    yield Action("OpenAhead", (name,))


def _cell(point: Point) -> tuple[int, int]:
    return round(point[0] / CELL), round(point[1] / CELL)


def _turn(simulation: Simulation, role: str, yaw: float) -> Iterator[Action]:
    while (left := (yaw - simulation.state.bodies[role].pose.yaw + 180.0) % 360.0 - 180.0) != 0.0:
        assert left % 30.0 == 0.0
        yield Action("TurnLeft" if left > 0 else "TurnRight")


def _aim(
    simulation: Simulation, role: str, goal: tuple[str, ...], action: Action
) -> Iterator[Action]:
    for _ in range(12):
        while simulation.state.bodies[role].pitch < 45.0:
            yield Action("LookUp")
        for look in (*["LookDown"] * 4, ""):
            if _is_meant(simulation, role, goal, action):
                return
            if look:
                yield Action(look)
        yield Action("TurnLeft")
    raise Lost(*goal)


def _is_meant(simulation: Simulation, role: str, goal: tuple[str, ...], action: Action) -> bool:
    try:
        skill = resolve_aimed(simulation._context, simulation.graphs[role], role, action)
    except Refused:
        return False
    return skill.args == goal
