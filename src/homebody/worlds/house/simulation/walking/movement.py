"""Agents on their way: setting out, pausing for others, stepping aside, arriving.

:mod:`.right_of_way` decides which agents give way. This module converts these plans to activities.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from functools import partial

from homebody.core.action import Action
from homebody.worlds.house.model.house import Box, Point, Pose
from homebody.worlds.house.simulation.conditions import InTheWay, Refused, SkillContext
from homebody.worlds.house.simulation.current_action import STEP_ASIDE, Activity
from homebody.worlds.house.simulation.finding import believed_context
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND, WALKING
from homebody.worlds.house.simulation.walking.blocked_doors import barred_doors, explain
from homebody.worlds.house.simulation.walking.destinations import (
    Walk,
    facing,
    walk_along,
    way_to,
    way_to_stop,
)
from homebody.worlds.house.simulation.walking.detours import Detours, Standing
from homebody.worlds.house.simulation.walking.doors import (
    first_in_the_way,
    shut_doors,
    shut_leaves,
    swings,
)
from homebody.worlds.house.simulation.walking.following import is_going, way_beside
from homebody.worlds.house.simulation.walking.navigation import Navigation, navigation
from homebody.worlds.house.simulation.walking.paths import Path
from homebody.worlds.house.simulation.walking.right_of_way import RightOfWay, Route
from homebody.worlds.house.simulation.walking.small_steps import way_ahead

SCAN = 30
"""Duration in steps of a look all around, at each stop of an exploration."""
PATIENCE = 900
"""Maximum number of steps to wait if busy agents block the way."""
TIMED_OUT = 0.5
"""Share of its way after which an agent gets stuck if its walk times out."""


class Movement:
    """The walks of agents in one house.

    Args:
        context: Positions of all.
        graphs: Knowledge of each agent.
        activities: Current activities; agents that step aside get one.
        ended: Agent -> the clock at which its last activity ended.
        looking: True if agents look around on their way.

    Attributes:
        moved: Metres that each agent has walked.
        waited: Steps for which each agent has stood still for others, during and before walks.
    """

    def __init__(
        self,
        context: SkillContext,
        graphs: Mapping[str, WorldGraph],
        activities: MutableMapping[str, Activity],
        ended: Mapping[str, int],
        looking: bool,
    ) -> None:
        self.moved = dict.fromkeys(context.agents, 0.0)
        self.waited = dict.fromkeys(context.agents, 0)
        self._context = context
        self._graphs = graphs
        self._activities = activities
        self._ended = ended
        self._looking = looking
        self._ways: dict[str, Navigation] = {}
        self._right_of_way = RightOfWay(context, activities, self.navigation)

    def navigation(self, agent: str) -> Navigation:
        """Return free space and distances for an agent. Doors that it cannot open count as
        walls."""
        barred = barred_doors(self._context, self._graphs[agent], agent)
        ways = self._ways.get(agent)
        if ways is None or ways.barred != barred:
            radius = self._context.agents[agent].radius
            ways = self._ways[agent] = navigation(self._context.state.house, radius, barred)
        return ways

    # -- setting out ------------------------------------------------------------------------------

    def set_out(self, agent: str, activity: Activity, clock: int) -> None:
        """Begin a walk. If a shut door is in the way, parts that open it come first; a walk that
        times out ends on the way. Raises Refused."""
        part = activity.parts[0]
        find = partial(self._route, agent, part, TIMED_OUT if activity.deadline else 1.0)
        try:
            planned = self._right_of_way.plan(agent, clock, find, partial(self._idle, clock))
        except InTheWay:
            raise
        except Refused:
            if part.name == "Navigate":
                explain(self._context, self._graphs[agent], agent, part.args[0])
            raise
        route = planned.route
        self.stop_waiting(agent, activity, clock)
        leader = None
        if part.name == "Follow" and is_going(self._activities, part.args[0]):
            leader = self._activities[part.args[0]]
            early = leader.end - clock - planned.walk.steps
            if early > 0 and not route.door:  # stay behind the leader
                at = Path((self._context.position_of(agent),), 0.0)
                walk = walk_along(self._context.state.house, at, 1.0)
                self._walk(agent, activity, walk, None, clock)
                activity.end = clock + min(early, STEPS_PER_SECOND)
                return
        for other, walk in planned.asides.items():
            self._step_aside(other, walk, clock)
        if route.door:
            activity.parts[:0] = [Action("Approach", (route.door,)), Action("Open", (route.door,))]
            activity.deadline = 0  # the walk behind the door may time out
        steps = self._walk(agent, activity, planned.walk, route.face, clock)
        if activity.parts[0].name == "Explore":
            steps += SCAN
        activity.end = max(activity.deadline, clock + max(1, steps))
        if leader is not None and not route.door:
            waits = min(leader.end, clock + STEPS_PER_SECOND)  # it may set out any time
            activity.end = max(activity.end, waits if leader.stalled else leader.end)

    def _route(
        self,
        agent: str,
        part: Action,
        share: float,
        ways: Navigation | Detours,
        others: Sequence[Standing],
    ) -> Route:
        """Return a share of the way of a walking part, up to the first shut door. Raises
        Refused."""
        context, face = self._context, None
        if part.name == "Follow":
            target = part.args[0]
            path, face = way_beside(context, self._activities, ways, agent, target, others)
        elif part.name == "Navigate":
            seen = believed_context(context, self._graphs[agent], part.args[0])
            path, face = way_to(seen, ways, agent, part.args[0], others)
        elif part.name == "MoveAhead":
            path = way_ahead(context, ways, agent, others)
            return Route(path, path)
        else:
            room, x, y = part.args
            path = way_to_stop(context, ways, agent, room, (float(x), float(y)), others)
        if share < 1.0:
            path, face = path.until(path.length * share), None
        house, radius = context.state.house, context.agents[agent].radius
        met = first_in_the_way(house, shut_doors(context.state), path.points, radius)
        if met is None:
            return Route(path, path, face)
        door, far = met
        return Route(path.until(far), path, shut_leaves(house)[door].centre[:2], door)

    def _walk(
        self, agent: str, activity: Activity, walk: Walk, face: Point | None, clock: int
    ) -> int:
        """Begin a walk and return its duration in steps."""
        activity.set_out(walk, face, clock, self._looking)
        self.waited[agent] += sum(pause.steps for pause in walk.pauses)
        return walk.steps

    # -- others -----------------------------------------------------------------------------------

    def wait_for(self, agent: str, activity: Activity, why: InTheWay, clock: int) -> None:
        """Wait for others in the way, if that helps; raise Refused if not."""
        part, house = activity.parts[0], self._context.state.house
        if part.name in ("Open", "Close"):
            box, idle = swings(house)[part.args[0]], self._idle(clock)
            for name in (name for name in why.names if name in idle):
                walk = self._right_of_way.step_out(name, agent, clock, box)
                if walk is not None:
                    self._step_aside(name, walk, clock)
        busy = any(
            self._ended[name] == clock
            if (doing := self._activities.get(name)) is None
            else not doing.gives_way(clock)
            for name in why.names
        )
        if not busy or (activity.stalled and activity.end <= clock):
            self.stop_waiting(agent, activity, clock)
            raise why
        if (
            part.name in WALKING
            and part.name != "Follow"
            and self._come_near(agent, activity, clock)
        ):
            return
        if not activity.stalled:
            activity.stalled = True
            activity.begun, activity.end = clock, clock + PATIENCE

    def _come_near(self, agent: str, activity: Activity, clock: int) -> bool:
        """Begin a walk to wait near a target that others block; return whether there is one."""
        part = activity.parts[0]
        plan = self._right_of_way.come_near(agent, clock, partial(self._route, agent, part, 1.0))
        if plan is None:
            return False
        self.stop_waiting(agent, activity, clock)
        activity.parts.insert(0, Action("Approach", part.args))
        activity.deadline = 0
        steps = self._walk(agent, activity, plan.walk, plan.route.face, clock)
        activity.end = clock + max(1, steps)
        return True

    def stop_waiting(self, agent: str, activity: Activity, clock: int) -> None:
        """End the waiting of a stalled activity."""
        if activity.stalled:
            self.waited[agent] += clock - activity.begun
            activity.stalled = False

    def crossing(self, agent: str, box: Box, clock: int) -> list[str]:
        """Return the other agents who will walk through a box."""
        return self._right_of_way.crossing(agent, clock, box)

    def _idle(self, clock: int) -> list[str]:
        """Return the agents that can step aside: waiting, or idle since before this step."""
        return [
            name
            for name in self._context.agents
            if (
                self._ended[name] < clock
                if (activity := self._activities.get(name)) is None
                else activity.gives_way(clock)
            )
        ]

    def _step_aside(self, agent: str, walk: Walk, clock: int) -> None:
        """Have a waiting or idle agent walk out of somebody's way."""
        activity = self._activities.get(agent)
        if activity is None:
            activity = Activity(STEP_ASIDE, [STEP_ASIDE], clock)
            self._activities[agent] = activity
        elif activity.stalled:
            self.stop_waiting(agent, activity, clock)
            activity.end = clock
            activity.parts.insert(0, STEP_ASIDE)
        elif activity.walk is not None:
            self.arrive(agent, activity)
        steps = self._walk(agent, activity, walk, None, clock)
        activity.end = max(activity.end, clock + max(1, steps))

    # -- on the way -------------------------------------------------------------------------------

    def advance_walkers(self, clock: int) -> None:
        """Move walking agents to their positions at a clock."""
        for agent, activity in self._activities.items():
            walk = activity.walk
            if walk is None or activity.end <= clock or not walk.path.length:
                continue
            steps = clock - activity.begun
            pose = walk.looks.get(steps) or walk.pose(steps)
            if pose is not None:
                self._context.state.walk(agent, pose)
            else:
                self._stand(agent, walk.at(steps), None)

    def arrive(self, agent: str, activity: Activity) -> None:
        """Put an agent at the end of its walk."""
        assert activity.walk is not None
        points = activity.walk.path.points
        if activity.face is None and len(points) > 1:  # straight on
            (a, b), (c, d) = points[-2:]
            activity.face = 2 * c - a, 2 * d - b
        self._stand(agent, points[-1], activity.face)
        self.moved[agent] += activity.walk.path.length

    def _stand(self, agent: str, at: Point, face: Point | None) -> None:
        state = self._context.state
        yaw = facing(at, face) if face is not None else None
        if yaw is None:
            yaw = state.bodies[agent].pose.yaw
        state.walk(agent, Pose((at[0], at[1], 0.0), yaw))
