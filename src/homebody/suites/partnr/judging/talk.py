"""The effects of talking: what two agents know of the house, and how often they are in conflict.

All measures are computed from a replay of the run, so that a run without messages has them, too:

- *Agreement* is the share of the objects known to either agent that both believe to be in the same
  place, averaged over the time of the run.
- A message is *new* if it changed what the listener believes about the place of an object. Messages
  about plans are not new in this sense. A message is *repeated* if its speaker has said the same
  words before.
- A *conflict* is an action that fails because of the other agent: the action is about an object
  that the other one handled last.
- A room is *searched twice* each time that an agent explores it after the other one did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from homebody.core.play.replay import retrace
from homebody.core.play.session import Event
from homebody.core.play.transcript import decode
from homebody.suites.partnr.episodes.files import decode as decode_episode
from homebody.suites.partnr.session import LIMITS, PartnrSession, start_session
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.simulation.people import names_in

_HANDLING = ("Pick", "Place", "Rearrange")


@dataclass(frozen=True, slots=True)
class TalkMeasures:
    """The measures of one run; see the module.

    Attributes:
        success: True if the run succeeded.
        steps: Steps of the simulation.
        agreement: The agreement, in [0, 1].
        conflicts: Number of conflicts.
        searched_twice: Number of rooms searched twice.
        messages: Number of messages that were heard.
        new: How many of them were new.
        repeated: How many of them were repeated.
    """

    success: bool
    steps: int
    agreement: float
    conflicts: int
    searched_twice: int
    messages: int
    new: int
    repeated: int


def measure_line(run: tuple[bytes, str]) -> TalkMeasures:
    """Return the measures of a run, from a line of a file of episodes and a transcript."""
    line, transcript = run
    return measure_talk(PartnrTask(decode_episode(line)), transcript)


def measure_talk(task: PartnrTask, transcript: str) -> TalkMeasures:
    """Return the measures of a run. Raises HomebodyError for an invalid transcript or episode."""
    read = decode(transcript, LIMITS.entries)
    session = start_session(task, read.settings, read.seed)
    before = {role: _places(session, role) for role in session.roles}
    agreed, since = 0.0, 0
    said: set[tuple[str, tuple[str, ...]]] = set()
    messages = new = repeated = 0
    for each in retrace(session, read.entries):
        agreed += _agreement(before) * (session.clock - since)
        since = session.clock
        after = {role: _places(session, role) for role in session.roles}
        if isinstance(each, Event) and each.ok and each.action.name == "Say":
            to, *words = each.action.args
            messages += 1
            new += any(after[to].get(n) != before[to].get(n) for n in names_in(", ".join(words)))
            repeated += (each.role, each.action.args) in said
            said.add((each.role, each.action.args))
        before = after
    log = session.simulation.log
    return TalkMeasures(
        session.judgement().success,
        session.clock,
        agreed / since if since else _agreement(before),
        _count_conflicts(session),
        _count_double(log),
        messages,
        new,
        repeated,
    )


def _places(session: PartnrSession, role: str) -> dict[str, str]:
    """Return object -> its holder, as a role believes."""
    graph = session.simulation.graphs[role]
    return {node.name: node.holder for node in graph.of_kind("object") if node.holder}


def _agreement(places: Mapping[str, Mapping[str, str]]) -> float:
    """Return the share of the known objects that all roles believe to be in the same place."""
    facts = [set(each.items()) for each in places.values()]
    known = len(set().union(*places.values()))
    return len(set.intersection(*facts)) / known if known else 1.0


def _count_conflicts(session: PartnrSession) -> int:
    handled: dict[str, str] = {}
    conflicts = 0
    for event in session.simulation.log:
        name = event.action.args[0] if event.action.args else ""
        if name not in session.simulation.state.places:
            continue
        if not event.ok:
            conflicts += handled.get(name, event.role) != event.role
        elif event.action.name in _HANDLING:
            handled[name] = event.role
    return conflicts


def _count_double(log: list[Event]) -> int:
    explored: dict[str, set[str]] = {}
    double = 0
    for event in log:
        if event.ok and event.action.name == "Explore":
            roles = explored.setdefault(event.action.args[0], set())
            double += bool(roles - {event.role})
            roles.add(event.role)
    return double
