"""The facts of a run for failure analysis, and the labels of this suite.

A part of the goal is a job: an object to find and, usually, the place to put it. Right objects are
those of the class that were found where the task says. See :mod:`homebody.core.play.failures`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from homebody.core import Action, State
from homebody.core.play.failures import ROUNDS, FailureAnalysis, FailureLabel
from homebody.core.play.run_facts import GoalFacts, GoalPart, RunFacts, WorldChange, count_returns
from homebody.goals.etplan import (
    CLOSE,
    PLACED,
    ROBOT,
    Condition,
    Criterion,
    EtplanGoal,
    Job,
    Target,
    jobs,
)
from homebody.goals.etplan.criterion import members_of, pairs_of
from homebody.suites.etplan.context import TaskContext
from homebody.suites.etplan.facts import Facts
from homebody.suites.etplan.graph_game import GraphGame
from homebody.suites.etplan.house_facts import HouseFacts
from homebody.suites.etplan.scenes import graph, home
from homebody.suites.etplan.tasks import EtplanTask
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.run_facts import known_names
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.walls import room_at

STRIDE: Final = 0.25
"""Metres between the points of a walk at which its room is looked up."""


@dataclass(frozen=True, slots=True)
class JobFacts:
    """An unmet job.

    Attributes:
        things: The right objects.
        look_alikes: The other objects of the class.
        rooms: The rooms in which right objects were at the start.
        shut: For each right object, the closed containers around it at the start.
        targets: The right places; empty if the object is only to be found.
        relation: ``on`` or ``within``; empty if the object is only to be found.
        shut_targets: The right places that were closed at the start, if it has to go into one.
    """

    things: frozenset[str]
    look_alikes: frozenset[str]
    rooms: frozenset[str]
    shut: tuple[frozenset[str], ...]
    targets: frozenset[str]
    relation: str
    shut_targets: frozenset[str]


@dataclass(frozen=True, slots=True)
class SearchFacts:
    """The actions and stops of the robot.

    Attributes:
        jobs: The unmet jobs.
        done: Its successful actions, in order.
        rooms: The rooms that it was in.
        named: The names of all objects of classes that the task names.
    """

    jobs: tuple[JobFacts, ...]
    done: tuple[Action, ...]
    rooms: frozenset[str]
    named: frozenset[str]

    def arguments(self, *skills: str) -> frozenset[str]:
        """Return the first arguments of the actions with these skills."""
        return frozenset(action.args[0] for action in self.done if action.name in skills)

    @property
    def last_walk(self) -> str:
        """The target of the last walk; empty without walks."""
        walks = [action.args[0] for action in self.done if action.name == "Navigate"]
        return walks[-1] if walks else ""


def find_facts(session: Any, record: Mapping[str, Any]) -> GoalFacts:
    """Return the facts of a finished session."""
    context: TaskContext = session.source
    seen, task = context.seen, context.task
    first = first_facts(task)
    states, done = seen.trace.states, seen.trace.actions
    unmet = {text.partition(": ")[2] or text for text, met in record["conditions"] if not met}
    wanted = jobs(task.goal)
    together = EtplanGoal(Criterion((tuple(map(_condition, wanted)),))).judge(seen.trace)
    examined = [_examine(job, first, states, unmet) for job in wanted]
    # one that holds and does not count was done too early, or with an object of its own
    agree = sum(part.holds for part, _ in examined) <= sum(p.satisfied for p in together.parts)
    parts = [
        replace(part, early=agree, unequal=not agree) if part.holds and not part.met else part
        for part, _ in examined
    ]
    simulation = session.simulation if isinstance(session, HouseSession) else None
    rooms = {context.facts.room(name) for name in seen.walked_to} | {_first_room(task, first)}
    if simulation is not None:
        rooms |= _rooms_passed(simulation, seen.stops)
    own = SearchFacts(
        tuple(facts for part, facts in examined if not part.met),
        done,
        frozenset(rooms),
        frozenset(name for category in task.goal.classes for name in first.instances(category)),
    )
    return GoalFacts(
        tuple(parts),
        tuple(_list_changes(done)),
        _known(session, context),
        own.arguments("Pick", "Place")
        | {each.action.args[0] for each in _refused(session) if each.action.name == "Pick"},
        own=own,
    )


def first_facts(task: EtplanTask) -> Facts:
    """Return the facts of a task at its start."""
    if isinstance(task.house, int):
        return HouseFacts(HouseState.start(home(task.house)))
    assert isinstance(task.start, str)
    return GraphGame(graph(task.house).start(task.start), task.goal, "full", 1)


def _refused(session: Any) -> list[Any]:
    return [
        event for event in session.event_log.history(ROBOT) if not event.ok and event.action.args
    ]


def _known(session: Any, context: TaskContext) -> Set[str] | None:
    if isinstance(session, HouseSession):
        return known_names(session.simulation, [ROBOT])
    return None if context.knowledge == "full" else frozenset(session.game.nodes)


def _first_room(task: EtplanTask, first: Facts) -> str:
    if isinstance(task.start, str):
        return task.start
    assert isinstance(task.house, int)
    return room_at(home(task.house), task.start[:2])


def _rooms_passed(simulation: Simulation, stops: Sequence[Sequence[float]]) -> set[str]:
    """Return the rooms on the shortest paths between the stops."""
    house, ways = simulation.state.house, simulation.navigation(ROBOT)
    rooms: set[str] = set()
    for start, end in pairwise(stops):
        path = ways.path((start[0], start[1]), (end[0], end[1]))
        for (x, y), (u, v) in pairwise(path.points if path is not None else ()):
            steps = max(1, math.ceil(math.dist((x, y), (u, v)) / STRIDE))
            shares = (step / steps for step in range(steps + 1))
            rooms |= {room_at(house, (x + (u - x) * s, y + (v - y) * s)) for s in shares}
    return rooms


def _condition(job: Job) -> Condition:
    """Return the condition that a job meets."""
    if job.target is None:
        return Condition(CLOSE, ROBOT, job.thing.category)
    return Condition(job.relation, job.thing.category, job.target.category)


def _examine(
    job: Job, first: Facts, states: Sequence[State], unmet: Set[str]
) -> tuple[GoalPart, JobFacts]:
    """Return a job as a part of the goal, and its facts.

    Args:
        job: The job.
        first: The facts at the start.
        states: The states of the run.
        unmet: The conditions that do not count as met.
    """
    things, others = _right_ones(job.thing, states[0])
    targets = _right_ones(job.target, states[0])[0] if job.target is not None else frozenset[str]()
    relation = PLACED.get(job.relation, "")
    wanted = _condition(job)
    if job.target is None:
        held = [any(_is_near(state, name) for name in things) for state in states]
    else:
        held = [
            any(not targets.isdisjoint(state.targets(job.relation, name)) for name in things)
            for state in states
        ]
    met = str(wanted) not in unmet and held[-1]
    ends = frozenset(f"{relation} {name}" for name in targets)
    part = GoalPart(
        str(wanted),
        met,
        things,
        ends,
        held=any(held),
        holds=held[-1],
    )
    shut = tuple(frozenset(first.shut_around(name)) for name in sorted(things))
    closed = {name for name in targets if relation == "within" and first.is_closed(name)}
    rooms = frozenset(map(first.room, things))
    return part, JobFacts(things, others, rooms, shut, targets, relation, frozenset(closed))


def _right_ones(target: Target, state: State) -> tuple[frozenset[str], frozenset[str]]:
    """Return the objects of a class that are where the task says, and all others of the class."""
    classes = dict.fromkeys((target.category, *(each.second for each in target.where)))
    members = members_of(state, tuple(classes))
    own = frozenset(members[target.category])
    right = own
    for condition in target.where:
        right &= {name for name, _ in pairs_of(state, condition, members)}
    return (right, own - right) if right else (own, frozenset())


def _is_near(state: State, name: str) -> bool:
    """Return whether the robot is close to an object."""
    robots = {item.name for item in state.objects.values() if item.category == ROBOT}
    return not robots.isdisjoint(state.targets(CLOSE, name)) or any(
        name in state.targets(CLOSE, robot) for robot in robots
    )


def _list_changes(done: Iterable[Action]) -> Iterator[WorldChange]:
    for clock, action in enumerate(done):
        if action.name == "Place":
            name, relation, target = action.args[:3]
            yield WorldChange(clock, ROBOT, name, frozenset({f"{relation} {target}"}))


# --- The rules ----------------------------------------------------------------------------------


def _never_entered(facts: RunFacts) -> bool:
    own: SearchFacts = facts.goal.own
    return any(job.rooms and own.rooms.isdisjoint(job.rooms) for job in own.jobs)


def _never_opened(facts: RunFacts) -> bool:
    own: SearchFacts = facts.goal.own
    opened, picked = own.arguments("Open"), own.arguments("Pick")
    return any(
        (job.shut and all(around - opened for around in job.shut))
        or (
            job.shut_targets
            and job.shut_targets == job.targets
            and not picked.isdisjoint(job.things)
            and opened.isdisjoint(job.shut_targets)
        )
        for job in own.jobs
    )


def _wrong_instance(facts: RunFacts) -> bool:
    own: SearchFacts = facts.goal.own
    picked = own.arguments("Pick")
    return any(
        not picked.isdisjoint(job.look_alikes)
        or (not job.relation and own.last_walk in job.look_alikes)
        for job in own.jobs
    )


def _misread(facts: RunFacts) -> bool:
    own: SearchFacts = facts.goal.own
    known, handled = facts.goal.known, own.arguments("Pick", "Place")
    if facts.ending != "roles":
        return False
    if handled and handled.isdisjoint(own.named):
        return True
    for job in own.jobs:
        for action in own.done:
            if action.name == "Place" and action.args[0] in job.things:
                if action.args[2] in job.targets and action.args[1] != job.relation:
                    return True
                if action.args[2] not in own.named:
                    return True
        is_known = known is None or not job.things.isdisjoint(known)
        if not job.relation and is_known and own.last_walk and own.last_walk not in own.named:
            return True
    return False


def _walked_in_circles(facts: RunFacts) -> bool:
    own: SearchFacts = facts.goal.own
    returns, stops = 0, list[str]()
    for action in (*own.done, Action("Place")):
        if action.name == "Navigate":
            stops.append(action.args[0])
        else:
            returns += count_returns(stops)
            stops = []
    return returns >= ROUNDS


LABELS: Final = (
    FailureLabel(
        "never entered the room",
        "The robot was never in a room in which a right object of an unmet condition was at the"
        " start.",
        _never_entered,
    ),
    FailureLabel(
        "never opened the container",
        "All right objects of an unmet condition were shut in at the start, and the robot did not"
        " open what they were in; or it picked one up and did not open the closed place that it"
        " had to go into.",
        _never_opened,
    ),
    FailureLabel(
        "wrong instance",
        "The robot picked up an object of the right class that is not where the task says; if the"
        " object is only to be found, it last walked to such an object.",
        _wrong_instance,
    ),
    FailureLabel(
        "misread the task",
        "The robot said Done after handling only objects of classes that the task does not name, or"
        " after putting the right object in such a place or `on` instead of `within`; if the object"
        " is only to be found, it knew where one was and last walked to something else.",
        _misread,
    ),
    FailureLabel(
        "walked in circles",
        f"The robot walked back to a target {ROUNDS} times or more, with nothing but walks since"
        " it had left it.",
        _walked_in_circles,
    ),
)
"""The labels of the suite. Its label for a used-up limit is "ran out of steps", as everywhere."""
ANALYSIS: Final = FailureAnalysis(find_facts, LABELS)
