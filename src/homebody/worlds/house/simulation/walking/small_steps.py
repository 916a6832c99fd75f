"""Small steps: walking 0.25 m ahead, and actions on the middle of the picture.

They are for agents that decide from pictures, and replace skills that plan their own paths. An
action on the middle becomes the action of a skill on a target. The target is the one nearest to the
middle to which the skill applies.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from homebody.core.action import Action
from homebody.worlds.house.model.agents import AIMED
from homebody.worlds.house.model.house import House, Point, Pose, Vector, to_world
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.conditions import Refused, SkillContext
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.placing import receptacles
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.skills import SKILLS
from homebody.worlds.house.simulation.walking.destinations import facing, is_free
from homebody.worlds.house.simulation.walking.detours import Detours, Standing
from homebody.worlds.house.simulation.walking.doors import first_in_the_way, shut_doors
from homebody.worlds.house.simulation.walking.navigation import Navigation
from homebody.worlds.house.simulation.walking.obstacles import (
    STEPPED_OVER,
    WALKED_UNDER,
    person_box,
)
from homebody.worlds.house.simulation.walking.paths import Path, apart
from homebody.worlds.house.simulation.walking.walls import doorway_box

STEP: Final = 0.25
"""Length of a step ahead in metres."""


def way_ahead(
    context: SkillContext, ways: Navigation | Detours, agent: str, others: Sequence[Standing]
) -> Path:
    """Return the path of one step ahead. Raises Refused if something blocks it."""
    (x, y), yaw = context.position_of(agent), math.radians(context.state.bodies[agent].pose.yaw)
    end = round(x - STEP * math.sin(yaw), 4), round(y + STEP * math.cos(yaw), 4)
    path = ways.path((x, y), end)
    if path is None or len(path.points) > 2:
        what = " and ".join(_obstacles(ways.house, ways.radius, end)) or "a wall"
        raise Refused(f"you cannot go ahead: {what} is in the way")
    if not is_free(end, others):
        raise Refused("you cannot go ahead: somebody is in the way")
    met = first_in_the_way(ways.house, shut_doors(context.state), path.points, ways.radius)
    if met is not None:
        raise Refused(f"you cannot go ahead: {met[0]} is shut; open it first")
    return path


def _obstacles(house: House, radius: float, end: Point) -> Iterator[str]:
    """Yield the furniture and people of the scene in which an agent would stand."""
    keeps = radius - 1e-6
    solid = {
        name: box
        for name, box in house.boxes.items()
        if box.low[2] < WALKED_UNDER and box.high[2] > STEPPED_OVER
    }
    solid |= {who.name: person_box(house, who.name) for who in house.people if not who.on}
    for name, box in solid.items():
        (a, b, _), (c, d, _) = box.low, box.high
        if a - keeps < end[0] < c + keeps and b - keeps < end[1] < d + keeps:
            yield name


def aimed_at(context: SkillContext, graph: WorldGraph, agent: str) -> dict[str, Vector]:
    """Return known targets around the middle of an agent's picture, the nearest to it first.

    Returns:
        Name -> the point where it is seen.
    """
    house = context.state.house
    return {
        name: point
        for name, point in context.aims(context.state, agent).items()
        if name in house.floors or graph.knows(name)
    }


def resolve_aimed(context: SkillContext, graph: WorldGraph, agent: str, action: Action) -> Action:
    """Convert an action on the middle of the picture to the action of a skill.

    The target is the named one, or the nearest to the middle to which the skill applies.

    Raises:
        Refused: No target suits; the message is about the nearest one.
    """
    skill, first = AIMED[action.name], ""
    aimed = aimed_at(context, graph, agent)
    if action.args:
        (name,) = action.args
        if name not in aimed:
            raise Refused(f"{name} is not in the middle of your picture")
        aimed = {name: aimed[name]}
    for option in _options(context, agent, skill, aimed):
        try:
            SKILLS[skill].effect(context, agent, *option)
        except Refused as why:
            first = first or _without_skills(str(why))
            continue
        return Action(skill, option)
    raise Refused(
        first
        or f"there is nothing in the middle of your picture to which {action.name} can be done"
    )


def _without_skills(why: str) -> str:
    """Return a refusal without advice to use skills that the agent lacks."""
    return why.partition(";")[0] if "[" in why else why


def _options(
    context: SkillContext, agent: str, skill: str, aimed: Mapping[str, Vector]
) -> Iterator[tuple[str, ...]]:
    """Yield the possible arguments of a skill, the nearest to the middle first."""
    state = context.state
    held = tuple(state.held_by(agent).values())
    if skill == "Place" and not held:
        raise Refused("you hold nothing")
    for name, point in aimed.items():
        floor = state.house.floors.get(name)
        if skill == "Place":
            can_bear = name in state.poses or name in state.house.piece
            if can_bear or (floor is not None and floor.name == room_of(state, agent)):
                relations = ("on",) if floor else relations_near(state, name, point)
                yield from ((held[0], relation, name) for relation in relations)
        elif floor is None and (skill != "Pick" or name in state.poses):
            yield (name,)


def relations_near(state: HouseState, holder: str, point: Vector) -> list[str]:
    """Return the possible relations to a holder. The relation of the nearest receptacle comes
    first."""
    pose = state.house.piece[holder].pose if holder in state.house.piece else state.poses[holder]
    x, y, z = (a - b for a, b in zip(point, pose.position, strict=True))
    local = to_world(Pose((0.0, 0.0, 0.0), -pose.yaw), (x, y, z))
    far: dict[str, float] = {}
    for kind in ("on", "within"):
        for space in receptacles(state, holder, kind):
            inside = (
                min(max(at, low), high)
                for at, low, high in zip(local, space.low, space.high, strict=True)
            )
            away = math.dist(local, tuple(inside))
            far[kind] = min(away, far.get(kind, math.inf))
    return sorted(far, key=lambda kind: round(far[kind], 3))


def describe_gaze(context: SkillContext, graph: WorldGraph, agent: str) -> str:
    """Describe an agent's direction of view and the targets around the middle of its picture."""
    body = context.state.bodies[agent]
    pitch = abs(body.pitch)
    up = f"{pitch:.0f} degrees {'up' if body.pitch > 0 else 'down'}"
    here = room_of(context.state, agent)
    near: list[str] = []
    far: list[str] = []
    for name in aimed_at(context, graph, agent):
        floor = context.state.house.floors.get(name)
        reached = floor.name == here if floor else context.is_in_reach(agent, name)
        (near if reached else far).append(name)
    parts = [f"You look {_compass(body.pose.yaw)}, {up}."]
    if near:
        parts.append(f"In the middle of your picture, within reach: {', '.join(near)}.")
    if far:
        parts.append(f"In the middle of your picture, too far away: {', '.join(far)}.")
    parts.append(f"Around you: {'; '.join(_around(context, graph, agent)) or 'nothing known'}.")
    return " ".join(parts)


def _around(context: SkillContext, graph: WorldGraph, agent: str) -> Iterator[str]:
    """Yield the directions of exits and furniture of a room: ``sofa_0 30 degrees left, 1.2 m``."""
    state, house = context.state, context.state.house
    here, (x, y) = room_of(state, agent), context.position_of(agent)
    places: dict[str, Point] = {}
    for opening in house.openings:
        if opening.is_passage and here in opening.rooms:
            other = next((room for room in opening.rooms if room != here), "outside")
            name = f"{opening.name} (the way to {other})" if opening.name in house.door else ""
            places[name or f"the way to {other}"] = _middle(doorway_box(opening, house.wall))
    for node in graph.of_kind("furniture", here):
        low, high = state.box(node.name).low, state.box(node.name).high
        if low[2] >= context.agents[agent].size[2]:
            continue  # it hangs overhead
        places[node.name] = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
    yaw = state.bodies[agent].pose.yaw
    for name, (a, b) in places.items():
        toward = facing((x, y), (a, b))
        left = 0 if toward is None else round((toward - yaw + 180.0) % 360.0 - 180.0)
        side = "ahead" if left == 0 else f"{abs(left)} degrees {'left' if left > 0 else 'right'}"
        yield f"{name} {side}, {apart((x, y), (a, b)):.1f} m"


def _compass(yaw: float) -> str:
    """Return a yaw in words; 0 is north, and it grows to the left."""
    right = round(-yaw % 360.0)
    names = ("north", "east", "south", "west")
    if right % 90 == 0:
        return names[right // 90 % 4]
    return f"{right % 90} degrees to the right of {names[right // 90 % 4]}"


def _middle(box: tuple[float, float, float, float]) -> Point:
    a, b, c, d = box
    return (a + c) / 2, (b + d) / 2
