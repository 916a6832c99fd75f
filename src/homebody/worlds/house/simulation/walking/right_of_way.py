"""Right of way: walks that never overlap with anybody.

At any time, all future positions are fixed: an agent that stands or acts stays there, and a walking
agent continues and stays at the end of its walk. These trajectories do not overlap. A new walk is
planned around them. Therefore agents never collide, and there is always a solution: to wait until
all others have arrived.

There are three candidate ways, each with the necessary pauses: the shortest way, the shortest way
around standing agents, and the shortest way around all final positions. The way that arrives first
is used. If there is no way, or if it is :data:`DETOUR` steps slower, idle and waiting agents step
aside if they can. If necessary, the walking agent goes back first to let them out. Otherwise,
:class:`InTheWay` names the agents in the way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.model.house import Box, Point
from homebody.worlds.house.simulation.conditions import InTheWay, Refused, SkillContext
from homebody.worlds.house.simulation.current_action import Activity, knots_of
from homebody.worlds.house.simulation.walking.destinations import Pause, Walk, is_free, walk_along
from homebody.worlds.house.simulation.walking.detours import Detours, Standing
from homebody.worlds.house.simulation.walking.doors import first_in_the_way, shut_doors
from homebody.worlds.house.simulation.walking.navigation import Navigation
from homebody.worlds.house.simulation.walking.paths import Path, apart
from homebody.worlds.house.simulation.walking.trajectories import Trajectory, halts
from homebody.worlds.house.simulation.walking.walls import Bools, hits

MAX_PAUSE = 1_800
"""Maximum total pause in steps on a walk, so that others can pass."""
DETOUR = 60
"""Maximum delay in steps before others are asked to step aside."""
PLACES_ASIDE = 8
"""Maximum number of places tried for stepping aside."""
_NOISE = 1e-9
"""Tolerance in metres of the distance between standing agents."""


@dataclass(frozen=True, slots=True)
class Route:
    """A wanted way.

    Attributes:
        path: The path up to the first shut door.
        whole: The whole path.
        face: The point to look at in the end; None for straight on.
        door: The shut door at its end, or an empty string.
    """

    path: Path
    whole: Path
    face: Point | None = None
    door: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """A walk that overlaps with nobody.

    Attributes:
        route: Its route.
        walk: The timed walk.
        late: Steps of delay against the shortest way without others.
        asides: Agent that steps aside -> its walk.
    """

    route: Route
    walk: Walk
    late: int
    asides: Mapping[str, Walk]


Find: TypeAlias = Callable[[Navigation | Detours, Sequence[Standing]], Route]
"""(ways, present or future places of others) -> the preferred route. Raises Refused."""


class RightOfWay:
    """The planner of walks.

    Args:
        context: Positions of all.
        activities: Current activities.
        navigation: Agent -> free space for it.
    """

    def __init__(
        self,
        context: SkillContext,
        activities: Mapping[str, Activity],
        navigation: Callable[[str], Navigation],
    ) -> None:
        self._context = context
        self._activities = activities
        self._navigation = navigation

    def trajectories(
        self, agent: str, clock: int, instead: Mapping[str, Walk] | None = None
    ) -> list[Trajectory]:
        """Return the fixed trajectories of all agents except one.

        Args:
            agent: The excluded agent.
            clock: Now.
            instead: Walks that others would begin now.
        """
        agents, found = self._context.agents, []
        for other, body in agents.items():
            if other == agent:
                continue
            if instead and other in instead:
                knots = instead[other].knots()
            else:
                standing = self._context.position_of(other)
                knots = knots_of(self._activities.get(other), standing, clock)
            found.append(Trajectory(other, knots, agents[agent].radius + body.radius))
        return found

    def plan(self, agent: str, clock: int, find: Find, idle: Callable[[], Collection[str]]) -> Plan:
        """Plan a walk that overlaps with nobody.

        Args:
            agent: The walking agent.
            clock: Now.
            find: Its preferred route.
            idle: Returns the agents that can step aside.

        Raises:
            InTheWay: Others block all ways.
            Refused: There is no way.
        """
        ways = self._navigation(agent)
        others = self.trajectories(agent, clock)
        if not others:
            route = find(ways, ())
            speed = self._context.agents[agent].speed
            return Plan(route, walk_along(ways.house, route.path, speed), 0, {})
        planned = self._plan_past(agent, ways, find, others)
        if planned is not None and (planned.late <= DETOUR or not idle()):
            return planned
        alone = find(ways, ())  # raises Refused if there is no way even without others
        with_asides = self._plan_with_asides(agent, clock, ways, find, others, set(idle()))
        if planned is None and with_asides is None:
            names = [other.name for other in others if _meets(alone.whole, [other])[0]]
            raise InTheWay(names or [other.name for other in others])
        if planned is None or (
            with_asides is not None and with_asides.late + DETOUR < planned.late
        ):
            assert with_asides is not None
            return with_asides
        return planned

    def step_out(self, agent: str, asking: str, clock: int, box: Box) -> Walk | None:
        """Return an agent's walk out of a box that another needs, or None.

        Args:
            agent: The agent in the box.
            asking: The agent that needs it.
            clock: Now.
            box: A box at most some two metres wide.
        """
        (a, b, _), (c, d, _) = box.low, box.high
        return self._walk_aside(
            agent, asking, clock, Path(((a, b), (c, d), (a, d), (c, b)), 0.0), {}
        )

    def crossing(self, agent: str, clock: int, box: Box) -> list[str]:
        """Return the other agents who will walk through a box."""
        found = []
        for other in self.trajectories(agent, clock):
            radius = self._context.agents[other.name].radius
            points = np.array([knot[1:] for knot in other.knots if knot[0] > 0.0])
            if len(points):
                points = np.concatenate([[self._context.position_of(other.name)], points])
                low, high = np.array([box.low[:2]]) - radius, np.array([box.high[:2]]) + radius
                if hits(points[:-1], points[1:], low, high).any():
                    found.append(other.name)
        return found

    # -- how --------------------------------------------------------------------------------------

    def _plan_past(
        self,
        agent: str,
        ways: Navigation,
        find: Find,
        others: Sequence[Trajectory],
        asides: Mapping[str, Walk] | None = None,
    ) -> Plan | None:
        """Plan the walk that arrives first, past others who do not give way."""
        standing = [other for other in others if not other.moves]
        ends = [(*other.end, other.keeps - _NOISE) for other in others]
        house, speed = self._context.state.house, self._context.agents[agent].speed
        best: Plan | None = None
        tried: list[Path] = []
        first: Route | None = None
        for bodies in ([], standing, others):
            if first is not None and not _meets(first.whole, bodies).any():
                continue  # it leads around them already
            if bodies is others and len(others) == len(standing):
                continue
            around = [(*body.end, body.keeps - _NOISE) for body in bodies]
            try:
                route = find(Detours(ways, around) if around else ways, ends)
            except Refused:
                if not tried:
                    return None
                continue
            first = first or route
            if route.path in tried:
                continue
            tried.append(route.path)
            walk = self._walk(agent, route.path, others)
            if walk is not None and (best is None or walk.steps < best.walk.steps):
                late = walk.steps - walk_along(house, tried[0], speed).steps
                best = Plan(route, walk, late, asides or {})
            if best is not None and not best.walk.pauses:
                break
        return best

    def _walk(self, agent: str, path: Path, others: Sequence[Trajectory]) -> Walk | None:
        """Return the walk along a path past others that arrives first, or None."""
        house, speed = self._context.state.house, self._context.agents[agent].speed
        walk = walk_along(house, path, speed)
        if not others or not path.length:
            return walk
        stops = halts(walk.knots(), others, MAX_PAUSE)
        if not stops:
            return None if stops is None else walk
        pauses = [Pause(walk.distance_after(halt.time), halt.steps, halt.name) for halt in stops]
        return walk_along(house, path, speed, tuple(pauses))

    def _plan_with_asides(
        self,
        agent: str,
        clock: int,
        ways: Navigation,
        find: Find,
        others: Sequence[Trajectory],
        idle: set[str],
    ) -> Plan | None:
        """Plan a walk for which idle agents step aside."""
        firm = [other for other in others if other.name not in idle]
        if len(firm) == len(others):
            return None
        wanted = self._plan_past(agent, ways, find, firm)
        if wanted is None:
            return None
        asides: dict[str, Walk] = {}
        for other in others:
            if other.name in idle and _meets(wanted.route.whole, [other])[0]:
                walk = self._walk_aside(other.name, agent, clock, wanted.route.whole, asides)
                if walk is None:
                    return self._plan_backwards(agent, clock, wanted.route, other.name, asides)
                asides[other.name] = walk
        now = self.trajectories(agent, clock, asides)
        return self._plan_past(agent, ways, find, now, asides)

    def _walk_aside(
        self, agent: str, asking: str, clock: int, path: Path, settled: Mapping[str, Walk]
    ) -> Walk | None:
        """Return an agent's walk to the nearest place off another's path, or None.

        Args:
            agent: The agent in the way.
            asking: The owner of the path.
            clock: Now.
            path: The path to clear.
            settled: Walks that others begin now.
        """
        others = self.trajectories(agent, clock, settled)
        for spot in self._places_off(agent, path, asking, others):
            plan = self._plan_past(
                agent, self._navigation(agent), self._straight_to(agent, spot), others
            )
            if plan is not None:
                return plan.walk
        return None

    def _plan_backwards(
        self, agent: str, clock: int, wanted: Route, other: str, asides: Mapping[str, Walk]
    ) -> Plan | None:
        """Plan a walk on which an agent goes back first, so that another can come out."""
        ways = self._navigation(agent)
        others = self.trajectories(agent, clock, asides)
        rest = [one for one in self.trajectories(other, clock, asides) if one.name != agent]
        for place in self._places_off(other, wanted.whole, agent, rest):
            out = self._plan_past(
                other, self._navigation(other), self._straight_to(other, place), rest
            )
            if out is None:
                continue
            for spot in self._places_off(agent, out.route.path, other, others):
                back = self._plan_past(agent, ways, self._straight_to(agent, spot), others)
                onward = ways.path(spot, wanted.path.points[-1])
                if back is None or onward is None:
                    continue
                aside = self._walk_aside(other, agent, clock, onward, {**asides, agent: back.walk})
                if aside is None:
                    continue
                points = (*back.route.path.points, *onward.points[1:])
                path = Path(points, back.route.path.length + onward.length)
                everybody = {**asides, other: aside}
                walk = self._walk(agent, path, self.trajectories(agent, clock, everybody))
                house, speed = self._context.state.house, self._context.agents[agent].speed
                if walk is not None and not self._meets_door(agent, path):
                    late = walk.steps - walk_along(house, wanted.path, speed).steps
                    return Plan(replace(wanted, path=path), walk, late, everybody)
        return None

    def _places_off(
        self, agent: str, path: Path, other: str, others: Sequence[Trajectory]
    ) -> list[Point]:
        """Return the nearest places off another's path and off all final positions."""
        ways, agents = self._navigation(agent), self._context.agents
        here = self._context.position_of(agent)
        ends = [(*each.end, each.keeps - _NOISE) for each in others]
        spots = [
            spot
            for room in self._context.state.house.rooms
            for spot in ways.room_spots(room.name)
            if is_free(spot, ends)
        ]
        keeps = agents[agent].radius + agents[other].radius
        meets = _meets(path, [Trajectory(agent, ((0.0, *spot),), keeps) for spot in spots])
        off = [spot for spot, met in zip(spots, meets, strict=True) if not met]
        near = sorted(off, key=lambda spot: (round(apart(here, spot), 6), spot))[: 8 * PLACES_ASIDE]
        far = zip(ways.distances(here, near), near, strict=True)
        ranked = sorted((round(length, 6), spot) for length, spot in far if length < np.inf)
        return [spot for _, spot in ranked[:PLACES_ASIDE]]

    def _straight_to(self, agent: str, spot: Point) -> Find:
        """Return a function that finds the way to a place without passing a shut door."""

        def find(ways: Navigation | Detours, others: Sequence[Standing]) -> Route:
            path = ways.path(self._context.position_of(agent), spot)
            if path is None or self._meets_door(agent, path):
                raise Refused("there is no way")
            return Route(path, path)

        return find

    def _meets_door(self, agent: str, path: Path) -> bool:
        """Return whether a shut door is in a path."""
        state, radius = self._context.state, self._context.agents[agent].radius
        return first_in_the_way(state.house, shut_doors(state), path.points, radius) is not None


def _meets(path: Path, others: Sequence[Trajectory]) -> Bools:
    """Return which others will finally stand in a path, (others,)."""
    if not others:
        return np.zeros(0, bool)
    ends = np.array([other.end for other in others])
    keeps = np.array([other.keeps for other in others])[:, None]
    points = np.array(path.points if len(path.points) > 1 else path.points * 2)
    met: Bools = np.any(hits(points[:-1], points[1:], ends - keeps, ends + keeps), axis=0)
    return met
