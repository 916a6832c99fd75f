"""The judging of tasks with a person, and the facts of their runs for failure analysis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from homebody.core import Action, Event
from homebody.core.play.failures import FailureAnalysis, FailureLabel
from homebody.core.play.run_facts import GoalFacts, GoalPart
from homebody.suites.house.guided_walk import LIMIT, GuidedSession
from homebody.worlds.house.play.run_facts import find_facts, place_part
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.simulation.simulation import Simulation

ROLE: Final = "robot"
TAKING: Final = ("Pick", "Rearrange", "Take")
"""The skills by which the robot takes an object."""


def judge(name: str, person: str, to_ask: bool, simulation: Simulation) -> float:
    """Return the share of what was done: the robot handed an object over to a person and, if it
    had to ask, it asked where the object is first."""
    gave = _has_given(name, person, simulation)
    return (_has_asked(name, person, simulation) + gave) / 2 if to_ask else float(gave)


def _successes(simulation: Simulation) -> Iterator[Event]:
    return (event for event in simulation.log if event.role == ROLE and event.ok)


def _has_given(name: str, person: str, simulation: Simulation) -> bool:
    """Return whether the robot gave the object to the person, who still has it."""
    gave = any(event.action == Action("Give", (name, person)) for event in _successes(simulation))
    return gave and simulation.state.places[name][0] == person


def _has_asked(name: str, person: str, simulation: Simulation) -> bool:
    """Return whether the robot asked the person where the object is before it took the object."""
    for event in _successes(simulation):
        if event.action.name in TAKING and event.action.args[0] == name:
            return False
        asks = event.action.name == "Ask" and event.action.args[0] == person
        if asks and name in event.message.split():
            return True
    return False


def _find_facts(session: HouseSession, record: Mapping[str, Any]) -> GoalFacts:
    """Return the facts of a finished session; ``own`` is whether the robot lost its leader."""
    drawn: Any = session.source
    if isinstance(session, GuidedSession):
        met = session.progress()
        stopped = session.walk.stop is not None
        parts = (
            GoalPart("follow the person", met > 0, held=stopped, holds=stopped),
            GoalPart("stay at the stop", met == 1, held=stopped and met > 0, holds=met == 1),
        )
        return GoalFacts(parts, own=session.walk.lost)
    facts, simulation = find_facts(session, record), session.simulation
    if drawn.family == "help":
        return facts
    name, person = drawn.placement.name, drawn.person.name
    gave = _has_given(name, person, simulation)
    asked = _has_asked(name, person, simulation)
    give = place_part(
        "hand the object over", name, frozenset({f"with {person}"}), gave, facts.changes
    )
    if drawn.family == "bring":
        return replace(facts, parts=(give,))
    took = any(
        event.action.name in TAKING and event.action.args[0] == name
        for event in _successes(simulation)
    )
    ask = GoalPart("ask first", asked, held=asked, holds=asked, early=took and not asked)
    return replace(facts, parts=(ask, give))


LOST: Final = FailureLabel(
    "lost the person",
    f"The robot was more than {LIMIT} metres away from the person who led it.",
    lambda facts: facts.goal.own is True,
)
ANALYSIS: Final = FailureAnalysis(_find_facts, (LOST,))
