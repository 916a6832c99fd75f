"""Agents that act in a house at the same time, on one clock of 1/30 s steps.

    simulation = Simulation(house, {"robot": ROBOT, "human": HUMAN}, seed=1)
    simulation.act("robot", Action("Pick", ("cup_0",)))  # an Event if refused, else None: begun
    simulation.act("human", Action("Navigate", ("kitchen_0",)))
    for result in simulation.advance():  # to the next event at which somebody finishes
        print(result.role, result.message)

Time is event-driven: the clock jumps to the next end of an activity. A walk of d metres takes
ceil(d / speed * 30) steps. Agents that finish in the same step are served in the order of
``agents``. Each action is checked when it begins and again when it ends. For example, if two agents
reach for a cup, the action of the second one fails. A refused action changes nothing and takes no
time.

Bodies never overlap. The agent that begins a walk later gives way
(:mod:`homebody.worlds.house.simulation.walking.right_of_way`): it goes around others or pauses
until they have passed. If busy agents block its only way, it waits up to
:data:`.walking.movement.PATIENCE` steps; then the action is refused with their names. Agents stop
before a shut door, open it and continue; it stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from homebody.core.action import Action
from homebody.core.play.session import Event
from homebody.worlds.house.model.agents import AIMED, Agent
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Person, Pose, Vector
from homebody.worlds.house.model.state import Body, HouseState, Reaction
from homebody.worlds.house.simulation.action_parts import check, parts_of
from homebody.worlds.house.simulation.conditions import (
    Begin,
    Changes,
    InTheWay,
    Refused,
    SkillContext,
    Tell,
)
from homebody.worlds.house.simulation.current_action import STEP_ASIDE, Activity
from homebody.worlds.house.simulation.finding import check_found
from homebody.worlds.house.simulation.misperception import PerceptionErrors
from homebody.worlds.house.simulation.people import addressed_by
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.result_messages import (
    key_used,
    suggest_own_skills,
    who_sees,
    with_discoveries,
    with_doors,
)
from homebody.worlds.house.simulation.senses import Perception, Senses
from homebody.worlds.house.simulation.skill_failures import FailureDraws, SkillFailures
from homebody.worlds.house.simulation.skills import (
    FORMS,
    SKILLS,
    WALKING,
    apply,
    check_form,
    handed_to,
    success_message,
)
from homebody.worlds.house.simulation.speech import first_person, phrase_action
from homebody.worlds.house.simulation.walking.blocked_doors import SHUT
from homebody.worlds.house.simulation.walking.doors import shut_leaves
from homebody.worlds.house.simulation.walking.following import has_to_continue
from homebody.worlds.house.simulation.walking.movement import Movement
from homebody.worlds.house.simulation.walking.navigation import Navigation
from homebody.worlds.house.simulation.walking.placing_agents import check_names, place_agents
from homebody.worlds.house.simulation.walking.small_steps import aimed_at, describe_gaze

LINGERS = 60
"""Steps for which people still look at somebody who has spoken to them."""


class Simulation:
    """A house, its agents, and their knowledge.

    Args:
        house: The scene.
        agents: The agents in order of precedence.
        seed: Seed of all random choices: starting poses, failing skills, perception errors.
        poses: Starting poses; other agents start in a random free place.
        affords: Category -> affordances; the catalogue's by default.
        failures: Random failures of skills; a mapping gives the ``chances`` of
            :class:`.skill_failures.SkillFailures` for all agents.
        sees: Perception; if given, agents know only what they have seen (``knowledge.py``). It is
            called when an agent enters a room, arrives, looks around or does something, and for
            idle agents when others do.
        layout: True if agents with partial knowledge know the furniture initially.
        errors: Perception errors.
        people: Agents who are people -> their appearance (``people.wake_people``).
        aims: Returns the targets around the middle of an agent's picture, the nearest to it first,
            with the points where they are seen; for agents with small steps.
        talk: Where ``Say`` is heard: ``near``, ``room`` or ``radio``; see :func:`.people.say`.

    Attributes:
        state: The current state; only actions may change it.
        clock: Steps since the start.
        graphs: Knowledge of each agent.
        moved: Metres that each agent has walked.
        waited: Steps for which each agent has stood still for others, during and before walks.
        log: Results of all actions in order of their ends.
        carried_out: For each result, its action with its targets resolved, such as the Place of a
            PlaceAhead.
        on_the_way: Doors that were opened on the way of other actions, with the other agents who
            saw it.
        watchers: Callables that receive the simulation at each event that changes something, parts
            of a Rearrange or Explore included. Between such events agents only walk. Goals about
            intermediate states are judged here.

    Raises:
        ValueError: Two agents start in the same place, an agent cannot stand where it starts, no
            free place is left, a probability is invalid, an agent's name is taken or invalid, a
            pose has no agent, or there are perception errors without ``sees``.
    """

    def __init__(
        self,
        house: House,
        agents: Mapping[str, Agent],
        *,
        seed: int = 0,
        poses: Mapping[str, Pose] | None = None,
        affords: Mapping[str, frozenset[str]] | None = None,
        failures: SkillFailures | Mapping[str, float] | None = None,
        sees: Perception | None = None,
        layout: bool = True,
        errors: PerceptionErrors | None = None,
        people: Mapping[str, Person] | None = None,
        aims: Callable[[HouseState, str], Mapping[str, Vector]] | None = None,
        talk: str = "near",
    ) -> None:
        start, chance, perception = np.random.default_rng(seed).spawn(3)
        self.agents = dict(agents)
        self.clock = 0
        self.log: list[Event] = []
        self.carried_out: list[Action] = []
        self.on_the_way: list[tuple[Event, frozenset[str]]] = []
        self.watchers: list[Callable[[Simulation], None]] = []
        if not isinstance(failures, SkillFailures):
            failures = SkillFailures(dict(failures or {}))
        self._failures = FailureDraws(failures, chance)
        self._activities: dict[str, Activity] = {}
        self._ended = dict.fromkeys(agents, -1)
        self._changed = False
        check_names(house, agents, poses or {})
        if errors is not None and sees is None:
            raise ValueError("perception errors need `sees`: say how agents see")
        fov = float(getattr(sees, "fov", 360.0))  # see rendering/visibility.py
        bodies = {
            name: Body(Pose((0.0, 0.0, 0.0)), agent.size, agent.hands, min(agent.view, fov))
            for name, agent in agents.items()
        }
        for name, looks in (people or {}).items():
            bodies[name].looks = looks
        self.state = HouseState.start(house, {})
        affordances = catalogue().affordances if affords is None else affords
        self._context = SkillContext(self.state, self.agents, affordances, talk=talk)
        if aims is not None:
            self._context.aims = aims
        place_agents(self.state, agents, bodies, poses or {}, start)
        self._senses = Senses(self.state, list(agents), sees, layout, errors, perception)
        self.graphs = self._senses.graphs
        self._context.graphs, self._context.doing = self.graphs, self.busy
        self._movement = Movement(
            self._context, self.graphs, self._activities, self._ended, self._senses.looking
        )
        self.moved, self.waited = self._movement.moved, self._movement.waited
        for name in agents:
            self._senses.observe(name)

    # -- acting -----------------------------------------------------------------------------------

    def act(self, agent: str, action: Action) -> Event | None:
        """Begin an action of an agent.

        Returns:
            The result if the action was refused; None if it began and will end in :meth:`advance`.

        Raises:
            ValueError: No such agent, or it is still busy. Other problems of an action are a
                model's mistakes and give an event.
        """
        if agent not in self.agents:
            raise ValueError(f"there is no agent {agent}")
        aside = self._activities.get(agent)
        if aside is not None and aside.action is not STEP_ASIDE:
            raise ValueError(f"{agent} is busy with {aside.action}")
        activity = Activity(action, [], self.clock)
        try:
            graph = self.graphs[agent]
            activity.known = len(graph.nodes)
            check(self._context, graph, agent, action)
            activity.parts = parts_of(self._context, graph, self.navigation, agent, action)
            activity.intended = activity.parts[0] if action.name in AIMED else action
            if aside is None:
                self._begin(agent, activity)
            else:  # it finishes stepping aside first
                aside.action, aside.parts[1:], aside.start = action, activity.parts, self.clock
                aside.known, aside.intended = activity.known, activity.intended
        except Refused as why:
            return self._finish(agent, activity, False, str(why))
        if action.name != "Wait":
            self.state.stop_activity(agent)
        self._activities.setdefault(agent, activity)
        self._changed = len(self.agents) > 1
        return None

    def advance(self, until: int | None = None) -> list[Event]:
        """Advance to the next event at which an agent finishes, and return the results.

        The list is empty if nobody acts.

        Args:
            until: The latest clock to advance to; the list is empty if nobody finishes by then.
                Intermediate stops do not change what happens.
        """
        done: list[Event] = []
        while self._activities and not done:
            if self._changed:
                done += self._retry_stalled()
                continue
            event = self.next_event
            assert event is not None
            if until is not None and event > until:
                if until > self.clock:
                    self._advance_to(until)
                break
            self.clock = event
            if until is None and self._senses.passes_by(self._activities, self.clock):
                continue
            self._advance_to(event)
            ended = False
            for agent in self.agents:
                activity = self._activities.get(agent)
                if activity is None or activity.next_event != self.clock:
                    continue
                if activity.looks:
                    activity.looks.pop()
                    self._senses.observe(agent)
                    continue
                ended = True
                self._changed = len(self.agents) > 1
                result = self._end_part(agent, activity)
                if result is not None:
                    done.append(result)
            for agent in self.agents if ended and self._senses.looking else ():
                if agent not in self._activities and all(event.role != agent for event in done):
                    self._senses.observe(agent)  # idle agents see what others did
            for watcher in self.watchers if ended else ():
                watcher(self)
        return done

    @property
    def next_event(self) -> int | None:
        """The clock of the next event; None if nobody acts."""
        return min((activity.next_event for activity in self._activities.values()), default=None)

    def do(self, agent: str, action: Action) -> Event:
        """Carry out an action to its end; others continue meanwhile.

        Raises:
            ValueError: As for :meth:`act`.
        """
        refused = self.act(agent, action)
        if refused is not None:
            return refused
        while True:
            for result in self.advance():
                if result.role == agent:
                    return result

    def wait_until(self, agent: str, clock: int) -> Event | None:
        """Extend an agent's Wait to a clock, and until the agent has stepped aside. Nothing happens
        if its action is not Wait.

        Returns:
            The result of its waiting, if that ends now.
        """
        activity = self._activities.get(agent)
        if activity is None or activity.action.name != "Wait" or activity.stalled:
            return None
        walked = activity.begun + activity.walk.steps if activity.walk is not None else 0
        activity.end = max(clock, self.clock, walked)
        if activity.end > self.clock:
            return None
        self._senses.observe(agent)
        return self._finish(agent, activity, True, success_message(activity.action))

    def pass_idle_time(self, until: int) -> None:
        """Let time pass until a clock if nobody acts."""
        if not self._activities and until > self.clock:
            self._advance_to(until)

    def busy(self, agent: str) -> Action | None:
        """Return the current action of an agent, or None."""
        activity = self._activities.get(agent)
        return None if activity is None or activity.action is STEP_ASIDE else activity.action

    def navigation(self, agent: str) -> Navigation:
        """Return free space and distances for an agent. Doors that it cannot open count as
        walls."""
        return self._movement.navigation(agent)

    def list_usages(self, agent: str) -> tuple[str, ...]:
        """Return the call forms of an agent's skills."""
        mine = self.agents[agent].skills
        return tuple(usage for name, (usage, _) in FORMS.items() if name in mine)

    def intended_action(self, agent: str) -> Action | None:
        """Return the current action of an agent with its targets resolved, or None."""
        activity = self._activities.get(agent)
        return None if activity is None else activity.intended

    def aimed_at(self, agent: str) -> tuple[str, ...]:
        """Return known targets around the middle of an agent's picture, the nearest first."""
        return tuple(aimed_at(self._context, self.graphs[agent], agent))

    def sees_agent(self, agent: str, other: str) -> bool:
        """Return whether an agent sees another: both are in one room, or it knows everything."""
        partial, state = self.graphs[agent].partial, self.state
        return not partial or room_of(state, agent) == room_of(state, other)

    def describe_gaze(self, agent: str) -> str:
        """Describe an agent's direction of view and the targets around the middle of its
        picture."""
        return describe_gaze(self._context, self.graphs[agent], agent)

    # -- beginning and ending ---------------------------------------------------------------------

    def _advance_to(self, clock: int) -> None:
        """Let walkers walk and reactions end until a clock."""
        self.clock = clock
        self._movement.advance_walkers(clock)
        reactions = self.state.reactions
        for name in [name for name, reaction in reactions.items() if reaction.until <= clock]:
            del reactions[name]

    def _begin(self, agent: str, activity: Activity) -> None:
        """Begin the first of an activity's parts. Raises Refused."""
        part = activity.parts[0]
        activity.walk, activity.looks = None, []
        limit = self._failures.time_limit(agent, part.name)
        activity.deadline = self.clock + limit if limit else 0
        try:
            if part.name in WALKING:
                self._movement.set_out(agent, activity, self.clock)
                self.state.reactions.pop(agent, None)
                return
            if activity.is_door_on_the_way(part):
                if "Open" not in self.agents[agent].skills:
                    raise Refused(SHUT.format(part.args[0]))
                if self.state.is_in_state(part.args[0], "open"):  # somebody else did
                    activity.parts.pop(0)
                    self._begin(agent, activity)
                    return
            self._effect(agent, part)
        except InTheWay as why:
            self._movement.wait_for(agent, activity, why, self.clock)
            return
        self._movement.stop_waiting(agent, activity, self.clock)
        activity.begun = self.clock
        activity.end = activity.deadline or self.clock + max(1, SKILLS[part.name].steps)
        listener = addressed_by(self.state, part)
        other = self._activities.get(listener)
        if listener and (other is None or other.walk is None):
            gesture = "reach" if part.name == "Give" else "look"
            self.state.reactions[listener] = Reaction(agent, gesture, activity.end + LINGERS)

    def _effect(self, agent: str, part: Action) -> Changes:
        """Return the changes of a skill. Raises Refused."""
        changes = SKILLS[part.name].effect(self._context, agent, *part.args)
        if part.name == "Close" and part.args[0] in self.state.house.door:
            leaf = shut_leaves(self.state.house)[part.args[0]]
            if names := self._movement.crossing(agent, leaf, self.clock):
                raise InTheWay(names, part.args[0])
        return changes

    def _retry_stalled(self) -> list[Event]:
        """Retry the stalled activities, as others have begun or ended something."""
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

    def _end_part(self, agent: str, activity: Activity) -> Event | None:
        """End the current part of an agent; return the result if that was the last."""
        try:
            if activity.stalled:  # patience is over, unless there is a way now
                self._begin(agent, activity)
                return None
            part, walked = activity.parts[0], activity.walk is not None
            try:
                changes = self._outcome(agent, activity)
            except InTheWay as why:  # somebody is in the way of a door by now
                self._movement.wait_for(agent, activity, why, self.clock)
                return None
            if not self._continues(agent, part):
                activity.parts.pop(0)
            apply(self.state, changes)
            replies = [change for change in changes if isinstance(change, Tell)]
            for reply in replies:  # before looking: sight overrides hearsay
                self.graphs[reply.to or agent].hear(reply.told)
                if reply.to and reply.told:
                    self._senses.observe(reply.to)
            look = self._senses.look_around if part.name == "Explore" else self._senses.observe
            look(agent, None if walked else part)
            for holder in handed_to(changes):
                if holder != agent and holder in self.agents:
                    self._senses.observe(holder)
            if changes and activity.is_door_on_the_way(part):
                self._note_opened_door(agent, activity, part, changes)
            if part.name == "Navigate":
                check_found(self._context, self.graphs[agent], agent, part.args[0])
            for change in changes:
                if isinstance(change, Begin):
                    self._activities.pop(agent)  # the request itself is done
                    self._ended[agent] = self.clock
                    self._start_requested(change)
            if activity.parts:
                self._begin(agent, activity)
                return None
        except Refused as why:
            self._senses.observe(agent)
            return self._stop(agent, activity, why)
        if activity.action is STEP_ASIDE:
            self._activities.pop(agent)
            return None
        message = (
            replies[0].sentence
            if replies
            else success_message(activity.intended or activity.action)
        )
        if part.name == "Explore":
            message = with_discoveries(message, self.graphs[agent], activity.known, part.args[0])
        if part.name == "Open" and (key := key_used(self._context, changes)):
            message = f"{message}; you unlocked it with {key}"
        return self._finish(agent, activity, True, message)

    def _outcome(self, agent: str, activity: Activity) -> Changes:
        """Return the changes of the ending part, or raise Refused; a failure is sampled once."""
        part = activity.parts[0]
        changes: Changes = ()
        if activity.walk is not None:
            self._movement.arrive(agent, activity)
            if activity.deadline:
                raise Refused(f"{part.name} timed out on the way; try again")
            if self._continues(agent, part):
                return changes
        elif activity.is_door_on_the_way(part) and self.state.is_in_state(part.args[0], "open"):
            return changes  # somebody else opened it
        else:
            if part.name in ("Ask", "Request") and part.args[0] in self.agents:
                self._senses.observe(part.args[0])  # the listener looks up at the speaker
                self.graphs[part.args[0]].refresh((agent,))
            changes = self._effect(agent, part)
            if activity.deadline:
                raise Refused(f"{part.name} timed out; try again")
        if self._failures.fails(agent, part.name):
            raise Refused(f"{part.name} did not work this time; try again")
        return self._failures.wrong_pick(self._context, agent, part) or changes

    def _continues(self, agent: str, part: Action) -> bool:
        """Return whether a part must be repeated: Follow continues while the other moves."""
        return part.name == "Follow" and has_to_continue(
            self._context, self._activities, agent, part.args[0]
        )

    def _note_opened_door(
        self, agent: str, activity: Activity, part: Action, changes: Changes
    ) -> None:
        """Record that an agent opened a door in its way, and the agents who saw it."""
        door, key = part.args[0], key_used(self._context, changes)
        activity.opened.append((door, key))
        event = Event(agent, part, True, success_message(part), activity.begun, self.clock)
        self.on_the_way.append((event, who_sees(self.state, self.graphs, door) - {agent}))

    def _start_requested(self, wanted: Begin) -> None:
        """Start a requested action of a person. Raises Refused in the person's words."""
        check_form(wanted.action)
        if (action := self.busy(wanted.agent)) is not None:
            raise Refused(f"{wanted.agent} says: I am {phrase_action(action)}")
        event = self.act(wanted.agent, wanted.action)
        if event is not None:
            raise Refused(f"{wanted.agent} says: {first_person(event.message)}")

    def _stop(self, agent: str, activity: Activity, why: Refused) -> Event:
        """End an activity that cannot continue."""
        stopped = str(why)
        if activity.action.name == "Rearrange":
            stopped = f"{activity.action.name} stopped: {stopped}"
        return self._finish(agent, activity, False, stopped)

    def _finish(self, agent: str, activity: Activity, ok: bool, message: str) -> Event:
        if self._activities.get(agent) is activity:
            self._activities.pop(agent)
        self._ended[agent] = self.clock
        if not ok:
            message = suggest_own_skills(message, self.agents[agent].skills)
        message = with_doors(message, activity.opened)
        result = Event(agent, activity.action, ok, message, activity.start, self.clock)
        self.log.append(result)
        self.carried_out.append(activity.intended or activity.action)
        return result
