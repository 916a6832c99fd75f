"""Agents that act in a house at the same time, on one clock of 1/30 s steps.

    simulation = Simulation(house, {"robot": ROBOT, "human": HUMAN}, seed=1)
    simulation.act("robot", Action("Pick", ("cup_0",)))  # an Event if refused, else None: begun
    simulation.act("human", Action("Navigate", ("kitchen_0",)))
    for result in simulation.advance():  # to the next event at which somebody is done
        print(result.role, result.message)

Nothing is computed step by step: each agent has an end to what it does, and the clock goes to
the next end. A walk of d metres takes ceil(d / speed * 30) steps. Agents that come to their end
in the same step are served in the order in which they were named. Each action is looked at when
it begins and again when it ends; of two who reach for one cup the second learns that it is gone.

Bodies never overlap, on walks neither: who begins a walk later gives way, as
:mod:`homebody.worlds.house.simulation.right_of_way` says: it goes around others or stands still on
its way until they have passed. If those who are in its only way are busy, it waits until they are
done, :data:`PATIENCE` steps at most; then the action is refused with their names.
Before a shut door they stop, open it, and go on from there; it stays open.
A refused action changes nothing and takes no time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from homebody.core.action import Action
from homebody.core.session import Event
from homebody.worlds.house.model.agents import ARMS, Agent
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Person, Point, Pose
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.simulation.activity import STEP_ASIDE, Activity
from homebody.worlds.house.simulation.conditions import (
    NONE,
    Begin,
    Changes,
    InTheWay,
    Refused,
    SkillContext,
    Tell,
    bearer,
)
from homebody.worlds.house.simulation.detours import Detours, Standing
from homebody.worlds.house.simulation.doors import first_in_the_way, shut, shut_leaves, swings
from homebody.worlds.house.simulation.following import goes_on, is_going, way_beside
from homebody.worlds.house.simulation.knowledge import PerceptionErrors, WorldGraph, sees_room
from homebody.worlds.house.simulation.navigation import Navigation, navigation
from homebody.worlds.house.simulation.placing_agents import check_names, place_agents
from homebody.worlds.house.simulation.right_of_way import RightOfWay, Route
from homebody.worlds.house.simulation.rooms import lying_open, room_from
from homebody.worlds.house.simulation.skills import (
    SKILLS,
    WALKING,
    apply,
    check_form,
    could_rearrange,
    handed_to,
    lacking_key,
    success_message,
)
from homebody.worlds.house.simulation.speech import doing, first_person
from homebody.worlds.house.simulation.walking import (
    Walk,
    facing,
    stops_in,
    way_to,
    way_to_stop,
)

_SHUT = "{0} is shut, and you cannot open it. Another agent may be able to"
SCAN = 30
"""Steps that a look all around takes at each stop of an exploration."""
PATIENCE = 900
"""Steps that one waits for a way, where others are in it who are busy."""

Perception: TypeAlias = Callable[[HouseState, str], Iterable[str]]
"""State, agent -> names of what it sees from where it stands, looking ahead as far to the sides as
its body's ``view`` says, or all around if it is ``turning``."""


class Simulation:
    """A house, agents who act in it, and what they know of it.

    Args:
        house: The scene.
        agents: Who acts, in order of precedence.
        seed: Of all that is random: where agents start, failing skills, perception errors.
        poses: Where agents start; others start in a free place of their own.
        affords: Category -> affordances; the catalogue's if left out.
        failures: Skill -> probability that it fails at its end, for no reason of the agent's.
            Rearrange has none of its own: its walks, Pick and Place fail as they do alone.
        sees: If given, agents know only what they have seen (``graph.py``). Asked when an agent
            has come into another room, arrived, looked around or done something.
        layout: Whether agents who know only what they have seen know the furniture at first.
        errors: How often what is seen is misperceived.
        people: Agents who are people -> what they look like (``people.awake``).

    Attributes:
        state: The state now; to be changed by actions only.
        clock: Steps since the start.
        graphs: What each agent knows.
        moved: Metres that each agent has walked.
        waited: Steps for which each agent has stood still for others on its walks, and before.
        log: Results of all actions so far, in order of their ends.
        watchers: Called with the simulation at each event at which something was done, parts of
            a Rearrange or Explore too: between two such events agents walk and nothing else
            changes. Goals about what happened in between are judged here.

    Raises:
        ValueError: two agents start in the same place, one starts where it cannot stand, there
            is no free place left, a probability is none, an agent has the name of something in
            the house or one that actions cannot hold, a pose is of no agent, or there are
            perception errors and nothing is seen.
    """

    def __init__(
        self,
        house: House,
        agents: Mapping[str, Agent],
        *,
        seed: int = 0,
        poses: Mapping[str, Pose] | None = None,
        affords: Mapping[str, frozenset[str]] | None = None,
        failures: Mapping[str, float] | None = None,
        sees: Perception | None = None,
        layout: bool = True,
        errors: PerceptionErrors | None = None,
        people: Mapping[str, Person] | None = None,
    ) -> None:
        start, chance, perception = np.random.default_rng(seed).spawn(3)
        self.agents = dict(agents)
        self.clock = 0
        self.moved = dict.fromkeys(agents, 0.0)
        self.waited = dict.fromkeys(agents, 0)
        self.log: list[Event] = []
        self.watchers: list[Callable[[Simulation], None]] = []
        self._chance = chance
        self._failures = dict(failures or {})
        for skill, probability in self._failures.items():
            if skill not in (*SKILLS, *WALKING) or not 0.0 <= probability <= 1.0:
                raise ValueError(f"{skill} cannot fail with probability {probability}")
        self._activities: dict[str, Activity] = {}
        self._ended = dict.fromkeys(agents, -1)
        self._changed = False
        self._ways: dict[str, Navigation] = {}
        check_names(house, agents, poses or {})
        if errors is not None and sees is None:
            raise ValueError("perception errors are of what is seen: say how agents see")
        fov = float(getattr(sees, "fov", 360.0))  # see rendering/visibility.py
        bodies = {
            name: Body(Pose((0.0, 0.0, 0.0)), agent.size, agent.hands, min(agent.view, fov))
            for name, agent in agents.items()
        }
        for name, looks in (people or {}).items():
            bodies[name].looks = looks
        self.state = HouseState.start(house, {})
        affordances = catalogue().affordances if affords is None else affords
        self._context = SkillContext(self.state, self.agents, affordances)
        place_agents(self.state, agents, bodies, poses or {}, start)
        self._right_of_way = RightOfWay(self._context, self._activities, self.navigation)
        self._sees = sees
        self.graphs = {
            name: WorldGraph(
                self.state, name, partial=sees is not None, layout=layout, errors=errors, rng=rng
            )
            for name, rng in zip(agents, perception.spawn(len(agents)), strict=True)
        }
        self._context.graphs, self._context.doing = self.graphs, self.busy
        self._told = self.state.journal.version
        for name in agents:
            self._observe(name)

    # -- acting -----------------------------------------------------------------------------------

    def act(self, agent: str, action: Action) -> Event | None:
        """Have an agent begin an action.

        Returns:
            The result, if it was refused; None if it has begun: it ends in :meth:`advance`.

        Raises:
            ValueError: no such agent, or it is still busy. Whatever else is wrong with an action
                is a model's mistake, and gets an event.
        """
        if agent not in self.agents:
            raise ValueError(f"there is no agent {agent}")
        aside = self._activities.get(agent)
        if aside is not None and aside.action is not STEP_ASIDE:
            raise ValueError(f"{agent} is busy with {aside.action}")
        activity = Activity(action, [], self.clock)
        try:
            self._check(agent, action)
            activity.parts = self._parts(agent, action)
            if aside is None:
                self._begin(agent, activity)
            else:  # it is out of the way first
                aside.action, aside.parts[1:], aside.start = action, activity.parts, self.clock
        except Refused as why:
            return self._finish(agent, activity, False, str(why))
        if action.name != "Wait":
            self.state.leave_off(agent)
        self._activities.setdefault(agent, activity)
        self._changed = len(self.agents) > 1
        return None

    def advance(self, until: int | None = None) -> list[Event]:
        """Go to the next event at which an agent is done, and say how it went; an empty list if
        nobody is doing anything.

        Args:
            until: Not beyond this clock: if nobody is done by then, the list is empty too. What
                happens is the same, however often one stops on the way.
        """
        done: list[Event] = []
        while self._activities and not done:
            if self._changed:
                done += self._try_again()
                continue
            event = self.next_event
            assert event is not None
            if until is not None and event > until:
                if until > self.clock:
                    self.clock = until
                    self._walk_on()
                break
            self.clock = event
            if until is None and self._passes_by():
                continue
            self._walk_on()
            ended = False
            for agent in self.agents:
                activity = self._activities.get(agent)
                if activity is None or activity.next_event != self.clock:
                    continue
                if activity.looks:
                    activity.looks.pop()
                    self._observe(agent)
                    continue
                ended = True
                self._changed = len(self.agents) > 1
                result = self._end_part(agent, activity)
                if result is not None:
                    done.append(result)
            for watcher in self.watchers if ended else ():
                watcher(self)
        return done

    @property
    def next_event(self) -> int | None:
        """The clock at which something happens next; None if nobody does anything."""
        return min((activity.next_event for activity in self._activities.values()), default=None)

    def do(self, agent: str, action: Action) -> Event:
        """Have an agent do an action, and wait until it is done; others go on meanwhile.

        Raises:
            ValueError: as :meth:`act`.
        """
        refused = self.act(agent, action)
        if refused is not None:
            return refused
        while True:
            for result in self.advance():
                if result.role == agent:
                    return result

    def busy(self, agent: str) -> Action | None:
        """What an agent is doing, if anything."""
        activity = self._activities.get(agent)
        return None if activity is None or activity.action is STEP_ASIDE else activity.action

    def navigation(self, agent: str) -> Navigation:
        """Free space and distances for an agent; doors are walls if it knows them to be shut and
        cannot open them."""
        barred = self._barred(agent)
        ways = self._ways.get(agent)
        if ways is None or ways.barred != barred:
            radius = self.agents[agent].radius
            ways = self._ways[agent] = navigation(self.state.house, radius, barred)
        return ways

    def usable(self, agent: str) -> tuple[str, ...]:
        """How the skills of an agent are written."""
        usages = {name: usage for name, (usage, _) in WALKING.items()}
        usages |= {name: skill.usage for name, skill in SKILLS.items()}
        return tuple(usages[name] for name in usages if name in self.agents[agent].skills)

    # -- what an action is made of ----------------------------------------------------------------

    def _check(self, agent: str, action: Action) -> None:
        """Raise Refused if an action is not one that the agent could ever do here."""
        name = action.name
        if name not in SKILLS and name not in WALKING:
            raise Refused(f"there is no skill {name}; there are {', '.join(self._skills(agent))}")
        if name not in self.agents[agent].skills:
            raise Refused(
                f"you cannot do {name}; you can do {', '.join(self._skills(agent))}. "
                f"Another agent may be able to"
            )
        check_form(action)
        graph = self.graphs[agent]
        if graph.partial and name != "Explore":  # whose rooms are all known
            for named in _named(action):
                # the same of what is not seen yet and of what does not exist
                if not graph.knows(named):
                    raise Refused(
                        f"{named} is not known to you; explore rooms to find it: Explore[room]"
                    )

    def _parts(self, agent: str, action: Action) -> list[Action]:
        if action.name == "Explore":
            room = action.args[0]
            try:
                stops = stops_in(self._context, self.navigation(agent), agent, room)
            except Refused:
                self._explain(agent, room)
                raise
            return [Action("Explore", (room, repr(x), repr(y))) for x, y in stops]
        if action.name != "Rearrange":
            return [action]
        name, relation, target, *beside = action.args
        # all that it believes to be refused even there is refused now, before a step is walked
        context = self._context
        believed = SkillContext(self.graphs[agent].believed(), self.agents, context.affords)
        could_rearrange(believed, agent, *action.args)
        placing = Action("Place", (name, relation, target, *beside))
        if self.state.places[name][0] == agent:
            return [Action("Navigate", (target,)), placing]
        return [
            Action("Navigate", (name,)),
            Action("Pick", (name,)),
            Action("Navigate", (target,)),
            placing,
        ]

    # -- beginning and ending ---------------------------------------------------------------------

    def _begin(self, agent: str, activity: Activity) -> None:
        """Begin the first of a activity's parts. Raises Refused."""
        part = activity.parts[0]
        activity.walk, activity.looks = None, []
        try:
            if part.name in WALKING:
                self._set_out(agent, activity)
                return
            if part.name == "Open" and activity.action.name != "Open":  # what is in its way
                if "Open" not in self.agents[agent].skills:
                    raise Refused(_SHUT.format(part.args[0]))
                if self.state.is_so(part.args[0], "open"):  # somebody else did
                    activity.parts.pop(0)
                    self._begin(agent, activity)
                    return
            self._effect(agent, part)
        except InTheWay as why:
            self._wait_for(agent, activity, why)
            return
        self._go_on(agent, activity)
        activity.begun = self.clock
        activity.end = self.clock + max(1, SKILLS[part.name].steps)

    def _effect(self, agent: str, part: Action) -> Changes:
        """What a skill changes. Raises Refused."""
        changes = SKILLS[part.name].effect(self._context, agent, *part.args)
        if part.name == "Close" and part.args[0] in self.state.house.door:
            leaf = shut_leaves(self.state.house)[part.args[0]]
            if names := self._right_of_way.crossing(agent, self.clock, leaf):
                raise InTheWay(names, part.args[0])
        return changes

    def _wait_for(self, agent: str, activity: Activity, why: InTheWay) -> None:
        """Wait for others who are in the way, if that helps: those who do nothing step out of the
        way of doors, those who do something will be done. Raises Refused."""
        part, house = activity.parts[0], self.state.house
        if part.name in ("Open", "Close"):
            box, idle = swings(house)[part.args[0]], self._idle()
            for name in (name for name in why.names if name in idle):
                walk = self._right_of_way.step_out(name, agent, self.clock, box)
                if walk is not None:
                    self._step_aside(name, walk)
        busy = any(
            self._ended[name] == self.clock
            if (doing := self._activities.get(name)) is None
            else not doing.gives_way
            for name in why.names
        )
        if not busy or (activity.stalled and activity.end <= self.clock):
            self._go_on(agent, activity)
            raise why
        if not activity.stalled:
            activity.stalled = True
            activity.begun, activity.end = self.clock, self.clock + PATIENCE

    def _go_on(self, agent: str, activity: Activity) -> None:
        """Wait no longer."""
        if activity.stalled:
            self.waited[agent] += self.clock - activity.begun
            activity.stalled = False

    def _set_out(self, agent: str, activity: Activity) -> None:
        """Begin the walk of the first of an activity's parts. If a shut door is in the way, parts
        go before it: to walk up to that, and to open it. Raises Refused."""
        part = activity.parts[0]
        try:
            planned = self._right_of_way.plan(
                agent, self.clock, partial(self._route, agent, part), self._idle
            )
        except InTheWay:
            raise
        except Refused:
            if part.name == "Navigate":
                self._explain(agent, part.args[0])
            raise
        for other, walk in planned.asides.items():
            self._step_aside(other, walk)
        self._go_on(agent, activity)
        route = planned.route
        if route.door:
            activity.parts[:0] = [Action("Approach", (route.door,)), Action("Open", (route.door,))]
        steps = self._walk(agent, activity, planned.walk, route.face)
        if activity.parts[0].name == "Explore":
            steps += SCAN
        activity.end = self.clock + max(1, steps)
        if activity.parts[0].name == "Follow" and is_going(self._activities, part.args[0]):
            activity.end = max(activity.end, self._activities[part.args[0]].end)

    def _route(
        self, agent: str, part: Action, ways: Navigation | Detours, others: Sequence[Standing]
    ) -> Route:
        """The way of a part that walks, up to the first shut door. Raises Refused."""
        face: Point | None = None
        if part.name == "Follow":
            doing, target = self._activities, part.args[0]
            path, face = way_beside(self._context, doing, ways, agent, target, others)
        elif part.name == "Navigate":
            believed = self._believed(agent, part.args[0])
            path, face = way_to(believed, ways, agent, part.args[0], others)
        else:
            room, x, y = part.args
            path = way_to_stop(self._context, ways, agent, room, (float(x), float(y)), others)
        house, radius = self.state.house, self.agents[agent].radius
        met = first_in_the_way(house, shut(self.state), path.points, radius)
        if met is None:
            return Route(path, path, face)
        door, far = met
        return Route(path.until(far), path, shut_leaves(house)[door].centre[:2], door)

    def _idle(self) -> list[str]:
        """Who steps aside if need be: those who wait, and those who do nothing, unless they have
        ended something just now."""
        return [
            name
            for name in self.agents
            if (
                self._ended[name] < self.clock
                if (activity := self._activities.get(name)) is None
                else activity.gives_way
            )
        ]

    def _step_aside(self, agent: str, walk: Walk) -> None:
        """Have somebody who waits or does nothing walk out of somebody's way."""
        activity = self._activities.get(agent)
        if activity is None:
            activity = Activity(STEP_ASIDE, [STEP_ASIDE], self.clock)
            self._activities[agent] = activity
        elif activity.stalled:
            self._go_on(agent, activity)
            activity.end = self.clock
            activity.parts.insert(0, STEP_ASIDE)
        steps = self._walk(agent, activity, walk, None)
        activity.end = max(activity.end, self.clock + max(1, steps))

    def _try_again(self) -> list[Event]:
        """Set out those who wait for a way, as others have begun or ended something."""
        self._changed = False
        refused = []
        for agent in self.agents:
            activity = self._activities.get(agent)
            if activity is not None and activity.stalled:
                try:
                    self._begin(agent, activity)
                except Refused as why:
                    refused.append(self._stop(agent, activity, why))
        return refused

    def _barred(self, agent: str) -> frozenset[str]:
        """The doors that an agent knows to be shut and cannot open as it is."""
        return frozenset(
            name
            for name in self.state.house.door
            if self.graphs[agent][name].states.get("open") is False and self._bars(agent, name)
        )

    def _bars(self, agent: str, door: str) -> str:
        """What keeps an agent from opening a door that it knows to be shut; nothing if nothing
        does."""
        if "Open" not in self.agents[agent].skills:
            return _SHUT.format(door)
        is_locked = self.graphs[agent][door].states["locked"]
        return lacking_key(self._context, agent, door) if is_locked else ""

    def _explain(self, agent: str, target: str) -> None:
        """Raise Refused if it is a door that keeps an agent from a target."""
        barred, state = self._barred(agent), self.state
        if not barred:
            return
        ways = navigation(state.house, self.agents[agent].radius)
        path, _ = way_to(self._believed(agent, target), ways, agent, target, ())
        met = first_in_the_way(state.house, barred, path.points, self.agents[agent].radius)
        if met is not None:
            raise Refused(self._bars(agent, met[0]))

    def _end_part(self, agent: str, activity: Activity) -> Event | None:
        """End what an agent is doing now; the result, if that was all."""
        try:
            if activity.stalled:  # for too long, unless there is a way now
                self._begin(agent, activity)
                return None
            part, walked = activity.parts.pop(0), activity.walk is not None
            if walked:
                self._arrive(agent, activity)
            chance = self._failures.get(part.name, 0.0)
            if chance and self._chance.random() < chance:
                raise Refused(f"{part.name} did not work this time; try again")
            changes: Changes = ()
            opened = part.name == "Open" and activity.action.name != "Open"
            if opened and self.state.is_so(part.args[0], "open"):
                pass  # somebody else opened the door in its way
            elif not walked:
                if part.name in ("Ask", "Request") and part.args[0] in self.agents:
                    self._observe(part.args[0])  # who is spoken to looks up at who speaks
                    self.graphs[part.args[0]].refresh((agent,))
                try:
                    changes = self._effect(agent, part)
                except InTheWay as why:  # somebody has come into the way of a door meanwhile
                    activity.parts.insert(0, part)
                    self._wait_for(agent, activity, why)
                    return None
                apply(self.state, changes)
            said = [change for change in changes if isinstance(change, Tell)]
            for tell in said:  # and then look: what is seen counts for more
                self.graphs[agent].hear(tell.told)
            self.state.bodies[agent].turning = part.name == "Explore"
            self._observe(agent, None if walked else part)
            self.state.bodies[agent].turning = False
            for holder in handed_to(changes):
                if holder != agent and holder in self.agents:
                    self._observe(holder)
            if part.name == "Navigate":
                self._check_found(agent, part.args[0])
            if part.name == "Follow" and goes_on(
                self._context, self._activities, agent, part.args[0]
            ):
                activity.parts.insert(0, part)  # after it again
            for change in changes:
                if isinstance(change, Begin):
                    self._activities.pop(agent)  # who requests has done so
                    self._ended[agent] = self.clock
                    self._oblige(change)
            if activity.parts:
                self._begin(agent, activity)
                return None
        except Refused as why:
            self._observe(agent)
            return self._stop(agent, activity, why)
        if activity.action is STEP_ASIDE:
            self._activities.pop(agent)
            return None
        message = said[0].sentence if said else success_message(activity.action)
        return self._finish(agent, activity, True, message)

    def _oblige(self, wanted: Begin) -> None:
        """Have a person begin what another wants. Raises Refused, in the person's words."""
        check_form(wanted.action)
        if (action := self.busy(wanted.agent)) is not None:
            raise Refused(f"{wanted.agent} says: I am {doing(action)}")
        event = self.act(wanted.agent, wanted.action)
        if event is not None:
            raise Refused(f"{wanted.agent} says: {first_person(event.message)}")

    def _stop(self, agent: str, activity: Activity, why: Refused) -> Event:
        """End an activity that cannot go on."""
        stopped = str(why)
        if activity.action.name == "Rearrange":
            stopped = f"{activity.action.name} stopped: {stopped}"
        return self._finish(agent, activity, False, stopped)

    def _finish(self, agent: str, activity: Activity, ok: bool, message: str) -> Event:
        if self._activities.get(agent) is activity:
            self._activities.pop(agent)
        self._ended[agent] = self.clock
        result = Event(agent, activity.action, ok, message, activity.start, self.clock)
        self.log.append(result)
        return result

    # -- walking ----------------------------------------------------------------------------------

    def _walk(self, agent: str, activity: Activity, walk: Walk, face: Point | None) -> int:
        """Begin a walk; the steps that it takes."""
        activity.set_out(walk, face, self.clock, self._sees is not None)
        self.waited[agent] += sum(pause.steps for pause in walk.pauses)
        return walk.steps

    def _believed(self, agent: str, target: str) -> SkillContext:
        """What an agent believes of its surroundings. Raises Refused if it has lost sight of what
        it wants."""
        graph, state = self.graphs[agent], self.state
        if not graph.partial or not (target in state.poses or target in state.bodies):
            return self._context  # where rooms and furniture are is known
        context = SkillContext(graph.believed(), self.agents, self._context.affords)
        if target in context.state.poses and bearer(context.state, target) == "":
            raise Refused(
                f"{target} is not where you saw it last; explore rooms to find it: Explore[room]"
            )
        return context

    def _check_found(self, agent: str, target: str) -> None:
        """Raise Refused if an agent has come to where a thing was, and now sees that it is not
        there."""
        if self.graphs[agent].partial and target in self.state.poses:
            context = self._believed(agent, target)
            if not context.in_reach(agent, target, others=True):
                raise Refused(f"{target} has been moved; go after it: Navigate[{target}]")

    def _walk_on(self) -> None:
        """Put those who are walking where they are by now."""
        for agent, activity in self._activities.items():
            walk = activity.walk
            if walk is None or activity.end <= self.clock or not walk.path.length:
                continue
            steps = self.clock - activity.begun
            pose = walk.looks.get(steps) or walk.pose(steps)
            if pose is not None:
                self.state.walk(agent, pose)
            else:
                self._stand(agent, walk.at(steps), None)

    def _passes_by(self) -> bool:
        """Whether all that happens now is that an agent on its way looks into a room where it
        knows all; then it learns nothing, and is not put there.

        Of one that is alone and carries nothing with other things in it: nobody could tell the
        difference when it has arrived.
        """
        if self._sees is not sees_room or len(self.agents) > 1:
            return False
        (agent, activity), *_ = self._activities.items()
        if not activity.looks or activity.walk is None:
            return False
        things = self.state.house.thing
        if any(things[name].receptacles for name in self.state.held(agent).values()):
            return False
        pose = activity.walk.looks[self.clock - activity.begun]
        if pose is None:
            return False
        seen = lying_open(self.state, room_from(self.state, agent, pose))
        if not self.graphs[agent].is_no_news(seen):
            return False
        activity.looks.pop()
        return True

    def _arrive(self, agent: str, activity: Activity) -> None:
        assert activity.walk is not None
        points = activity.walk.path.points
        if activity.face is None and len(points) > 1:  # straight on
            (a, b), (c, d) = points[-2:]
            activity.face = 2 * c - a, 2 * d - b
        self._stand(agent, points[-1], activity.face)
        self.moved[agent] += activity.walk.path.length

    def _stand(self, agent: str, at: Point, face: Point | None) -> None:
        yaw = facing(at, face) if face is not None else None
        if yaw is None:
            yaw = self.state.bodies[agent].pose.yaw
        self.state.walk(agent, Pose((at[0], at[1], 0.0), yaw))

    # -- knowing ----------------------------------------------------------------------------------

    def _observe(self, agent: str, done: Action | None = None) -> None:
        """Tell all graphs what changed, as far as their agents can know it."""
        if self._sees is None:
            changed = sorted(self.state.journal.since(self._told))
            self._told = self.state.journal.version
            for graph in self.graphs.values():
                graph.refresh(changed)
            return
        if done is not None:
            self.graphs[agent].did(done)
        self.graphs[agent].see(self._sees(self.state, agent))

    def _skills(self, agent: str) -> Sequence[str]:
        """What an agent can do, by the names by which it is offered."""
        names = (*WALKING, *SKILLS)
        return [name for name in names if name in self.agents[agent].skills and name not in ARMS]


def _named(action: Action) -> Sequence[str]:
    """The arguments of an action that name something in the house."""
    if action.name in ("Ask", "Request"):  # about anything
        return action.args[:1]
    if action.name not in ("Place", "Rearrange"):
        return action.args
    name, _, target, *beside = action.args
    return [name, target, *(reference for reference in beside[1:] if reference not in NONE)]
