"""Right of way: walks that never overlap with anybody.

At any time, all future positions are fixed: an agent that stands or acts stays there, and a walking
agent continues and stays at the end of its walk. These trajectories do not overlap. A new walk is
planned around them. Therefore agents never collide, and there is always a solution: to wait until
all others have arrived.

The candidate ways, each with the necessary pauses, are the shortest way, the shortest way around
standing agents, and the shortest way around all final positions. If they are more than
:data:`DETOUR` steps late, there are more: to a place that nobody else passes, and over a place
beside the ways of others, where they pass. The way that arrives first is used. If it is still late,
or no way is free, idle and waiting agents step aside if they can. If necessary, the walking agent
goes back first to let them out. Otherwise, :class:`InTheWay` names the agents in the way. Then the
agent waits as near to its target as possible, where the others can get out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.model.house import Box, Point
from homebody.worlds.house.simulation.conditions import InTheWay, Refused, SkillContext
from homebody.worlds.house.simulation.current_action import Activity, knots_of
from homebody.worlds.house.simulation.walking.destinations import Pause, Walk, is_free, walk_along
from homebody.worlds.house.simulation.walking.detours import Detours, Standing, detours
from homebody.worlds.house.simulation.walking.doors import first_in_the_way, shut_doors
from homebody.worlds.house.simulation.walking.navigation import Navigation
from homebody.worlds.house.simulation.walking.paths import Path, apart
from homebody.worlds.house.simulation.walking.trajectories import Trajectory, halts
from homebody.worlds.house.simulation.walking.walls import Bools, hits

MAX_PAUSE = 1_800
"""Maximum total pause in steps on a walk, so that others can pass."""
DETOUR = 30
"""Maximum delay in steps before an agent takes other ways or others are asked to step aside."""
NEARER = 0.5
"""Minimum metres by which an agent comes nearer to a target that others block."""
PASSING = 0.2
"""Distance in metres between the points of others' ways at which an agent does not wait."""
BESIDE = 2.0
"""Maximum metres beside a path of a place to wait for others."""
APART = 0.8
"""Minimum distance in metres of such places."""
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
        if planned is not None and planned.late > DETOUR:
            planned = self._plan_via(agent, planned, others)
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

    def come_near(self, agent: str, clock: int, find: Find) -> Plan | None:
        """Plan a walk to the place nearest to the end of a route that others block.

        The place is near the route and off the ways of the others, and they can get past it.

        Args:
            agent: The walking agent.
            clock: Now.
            find: Its preferred route.

        Returns:
            None if no such place is at least :data:`NEARER` metres nearer.
        """
        ways, others = self._navigation(agent), self.trajectories(agent, clock)
        whole = find(ways, ()).whole
        spots = _beside(ways, whole, [*_ends(others), *_passed(others)])
        blocks = np.zeros(len(spots), bool)
        for other in others:
            out = self._navigation(other.name).path(other.end, whole.points[0])
            at = [Trajectory(agent, ((0.0, *spot),), other.keeps) for spot in spots]
            blocks |= _meets(out, at) if out is not None else True
        spots = [spot for spot, blocked in zip(spots, blocks, strict=True) if not blocked]
        left = ways.distances(whole.points[-1], spots)
        for far, spot in sorted(zip((round(far, 6) for far in left), spots, strict=True)):
            if far > whole.length - NEARER:
                break
            plan = self._plan_past(agent, ways, self._straight_to(agent, spot), others)
            if plan is not None and plan.late <= DETOUR:
                return plan
        return None

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
        ends = _ends(others)
        house, speed = self._context.state.house, self._context.agents[agent].speed
        best: Plan | None = None
        tried: list[Path] = []
        first: Route | None = None
        for bodies, at in self._ways_past(others, standing):
            if at:  # end where nobody passes, if the preferred place is kept free for long
                if (best is not None and best.late <= DETOUR) or (
                    first is not None and is_free(first.path.points[-1], at)
                ):
                    break
            elif first is not None and not _meets(first.whole, bodies).any():
                continue  # it leads around them already
            around = _ends(bodies)
            try:
                route = find(detours(ways, around) if around else ways, (*ends, *at))
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

    def _plan_via(self, agent: str, planned: Plan, others: Sequence[Trajectory]) -> Plan:
        """Return the walk that arrives first, if it lets others pass at a place beside their ways.

        Args:
            planned: The best walk otherwise, which is returned if no other one is better.
        """
        ways, path = self._navigation(agent), planned.route.path
        here, goal = path.points[0], path.points[-1]
        house, speed = ways.house, self._context.agents[agent].speed
        soonest = planned.walk.steps - planned.late
        spots = _beside(ways, path, [*_ends(others), *_passed(others)])
        lengths = zip(ways.distances(here, spots), ways.distances(goal, spots), strict=True)
        best = planned
        for _, spot in sorted(
            (round(to + onward, 6), spot) for (to, onward), spot in zip(lengths, spots, strict=True)
        ):
            first, onward = ways.path(here, spot), ways.path(spot, goal)
            if first is None or onward is None:
                continue
            path = Path((*first.points, *onward.points[1:]), first.length + onward.length)
            spare = best.walk.steps - walk_along(house, path, speed).steps
            if spare <= 0:
                break
            walk = self._walk(agent, path, others, spare - 1)
            if walk is not None and not self._meets_door(agent, path):
                route = replace(planned.route, path=path)
                best = Plan(route, walk, walk.steps - soonest, planned.asides)
        return best

    @staticmethod
    def _ways_past(
        others: Sequence[Trajectory], standing: Sequence[Trajectory]
    ) -> Iterator[tuple[Sequence[Trajectory], Sequence[Standing]]]:
        """Yield the bodies to walk around, and other places where not to stop."""
        yield (), ()
        yield standing, ()
        if len(others) > len(standing):
            yield others, ()
            passed = _passed(others)
            yield (), passed
            yield standing, passed

    def _walk(
        self, agent: str, path: Path, others: Sequence[Trajectory], most: int = MAX_PAUSE
    ) -> Walk | None:
        """Return the walk along a path past others that arrives first, or None if it is later."""
        house, speed = self._context.state.house, self._context.agents[agent].speed
        walk = walk_along(house, path, speed)
        if not others or not path.length:
            return walk
        stops = halts(walk.knots(), others, most)
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
        ends = _ends(others)
        spots = [spot for spot in _spots(ways) if is_free(spot, ends)]
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


def _ends(others: Iterable[Trajectory]) -> list[Standing]:
    """Return the final positions of others."""
    return [(*other.end, other.keeps - _NOISE) for other in others]


def _passed(others: Iterable[Trajectory]) -> list[Standing]:
    """Return places on the ways that others have left, :data:`PASSING` metres apart."""
    places = []
    for other in others:
        for (before, *start), (after, *end) in pairwise(other.knots):
            if after > max(before, 0.0):
                gone = max(0.0, -before) / (after - before)
                (a, b), (c, d) = start, end
                count = math.ceil(math.hypot(c - a, d - b) * (1.0 - gone) / PASSING)
                shares = [gone + (1.0 - gone) * index / count for index in range(count)]
                places += [(a + (c - a) * s, b + (d - b) * s, other.keeps) for s in shares]
    return places


def _spots(ways: Navigation) -> Iterator[Point]:
    """Yield the places of all rooms where an agent can stand."""
    for room in ways.house.rooms:
        yield from ways.room_spots(room.name)


def _beside(ways: Navigation, path: Path, taken: Sequence[Standing]) -> list[Point]:
    """Return free places on a path and up to :data:`BESIDE` metres beside it, some way apart."""
    spots, points = ways.all_spots, np.array(path.points)
    starts, legs = points[:-1], np.diff(points, axis=0)
    along = ((spots[:, None] - starts) * legs).sum(axis=2) / (legs**2).sum(axis=1).clip(1e-12)
    nearest = starts + along.clip(0.0, 1.0)[..., None] * legs
    aside = ((spots[:, None] - nearest) ** 2).sum(axis=2).min(axis=1, initial=np.inf)
    at, keeps = np.array([place[:2] for place in taken]), np.array([place[2] for place in taken])
    is_taken = (np.abs(spots[:, None] - at) < keeps[:, None]).all(axis=2).any(axis=1)
    aside[is_taken] = np.inf
    kept: list[Point] = []
    while aside.min() <= BESIDE**2:
        spot = spots[aside.argmin()]
        kept.append((float(spot[0]), float(spot[1])))
        aside[((spots - spot) ** 2).sum(axis=1) < APART**2] = np.inf
    return kept


def _meets(path: Path, others: Sequence[Trajectory]) -> Bools:
    """Return which others will finally stand in a path, (others,)."""
    if not others:
        return np.zeros(0, bool)
    ends = np.array([other.end for other in others])
    keeps = np.array([other.keeps for other in others])[:, None]
    points = np.array(path.points if len(path.points) > 1 else path.points * 2)
    met: Bools = np.any(hits(points[:-1], points[1:], ends - keeps, ends + keeps), axis=0)
    return met
