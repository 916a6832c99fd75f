"""An expert's memory of a run: the agenda, claimed objects and failures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from homebody.core import Action
from homebody.core.play.session import Event
from homebody.suites.partnr.expert.house_view import HouseView, Placement, spaces
from homebody.suites.partnr.expert.jobs import Agenda, Job
from homebody.suites.partnr.expert.requirements import Atom, Requirements

MAX_FAILURES: Final = 5
"""Number of failures of an action after which another action is tried."""
MAX_REPEATS: Final = 12
"""Consecutive repetitions of an action after which an agent gives it up."""
MAX_TRIES: Final = 30
"""Number of picks and placements of an object after which the expert gives it up."""
IN_THE_WAY: Final = 0.1
"""Weight of a failure because an agent is in the way; the agent will leave."""
RELATION_WORDS: Final = frozenset(("on", "within", "next_to"))
"""Arguments of actions that are not names."""


@dataclass(slots=True)
class Memory:
    """The memory of an expert.

    Attributes:
        doing: Returns what another agent is known to do.
        agenda: The jobs that are due now.
        full: Pairs of object and place that failed.
        careful: Objects that are moved step by step, because moving them at once failed.
        origins: Object -> its place before it was first picked up.
        cleared: Object -> the targets that it was removed from to make room.
        loose: Objects for which there is no room next to their neighbours. They are put elsewhere
            on the same surface, and then the neighbours are put next to them.
        stuck: Jobs without room anywhere.
        claimed: Other agent -> the object that it is about to handle.
        used: Other agent -> the other names in its action: targets of placements, and objects next
            to them.
        banned: Atoms that failed.
        swapped: ``is_next_to`` atoms for which the second object is moved next to the first.
        meeting: Object -> its meeting place; see :mod:`.meeting`.
        met: Groups and places of meetings that were tried.
        clusters: Object -> all objects that must form a cluster with it.
        failures: Agent and action -> weighted number of failures.
        refused: Clock, agent and action of each refusal.
        tries: Object -> number of picks and placements.
        repeated: Agent -> its last action and the number of its repetitions.
    """

    requirements: Requirements
    view: HouseView
    doing: Callable[[str], Action | None]
    agenda: Agenda = field(default_factory=lambda: Agenda((), {}, ()))
    full: set[tuple[str, Placement]] = field(default_factory=set)
    careful: set[str] = field(default_factory=set)
    origins: dict[str, Placement] = field(default_factory=dict)
    cleared: dict[str, set[str]] = field(default_factory=dict)
    loose: set[str] = field(default_factory=set)
    stuck: set[Job] = field(default_factory=set)
    claimed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    used: Mapping[str, frozenset[str]] = field(default_factory=dict)
    banned: set[Atom] = field(default_factory=set)
    swapped: set[Atom] = field(default_factory=set)
    meeting: dict[str, str] = field(default_factory=dict)
    met: set[tuple[tuple[str, ...], str]] = field(default_factory=set)
    clusters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    failures: dict[tuple[str, Action], float] = field(default_factory=dict)
    refused: set[tuple[int, str, Action]] = field(default_factory=set)
    tries: dict[str, int] = field(default_factory=dict)
    repeated: dict[str, tuple[Action | None, int]] = field(default_factory=dict)

    # -- who does what ----------------------------------------------------------------------------

    def claim(self, role: str, claims: Mapping[str, tuple[Job, Action]]) -> None:
        """Record the next actions of the other agents.

        Agents that the expert does not control handle the objects of their actions."""
        handled, used = {}, {}
        for other in self.view.simulation.agents:
            job, doing = claims.get(other, (None, self.doing(other)))
            if other == role or doing is None:
                continue
            own = set(doing.args[:1]) if job is None else {job.name}
            if doing.name in ("Open", "Pick", "Rearrange"):
                own.add(doing.args[0])
            handled[other] = frozenset(own)
            used[other] = frozenset(doing.args) - RELATION_WORDS
        self.claimed, self.used = handled, used

    def is_handled(self, name: str) -> bool:
        """Return whether another agent is about to handle an object."""
        return any(name in names for names in self.claimed.values())

    def is_in_use(self, name: str) -> bool:
        """Return whether another agent is about to handle an object or to put something there."""
        return self.is_handled(name) or any(name in names for names in self.used.values())

    def objects_being_put(self) -> Mapping[str, str]:
        """Return object -> target of the placements that other agents are doing now."""
        doing = map(self.doing, self.claimed)
        return {
            action.args[0]: action.args[2]
            for action in doing
            if action is not None and action.name in ("Place", "Rearrange")
        }

    def knows(self, role: str, name: str) -> bool:
        """Return whether an agent itself knows an object's place, so that its calls can name it."""
        graph, state = self.view.simulation.graphs[role], self.view.state
        if not graph.partial or name not in state.places:
            return True
        node = graph.nodes.get(name)
        return node is not None and node.holder == state.places[name][0]

    def is_crowded(self, role: str, action: Action) -> bool:
        """Return whether another agent is at an action's target or going there."""
        simulation = self.view.simulation
        target = action.args[-1] if action.args else ""
        if target not in self.view.state.states:
            return False
        for other in simulation.agents:
            doing = simulation.busy(other)
            going = doing is not None and target in doing.args
            if other != role and (going or self.view.scene.is_in_reach(other, target)):
                return True
        return False

    def has_repeated(self, role: str, action: Action) -> bool:
        """Record an action; return whether it was repeated too often, which counts as failure."""
        last, times = self.repeated.get(role, (None, 0))
        times = times + 1 if last == action else 0
        self.repeated[role] = action, times
        if times >= MAX_REPEATS:
            self.failures[role, action] = MAX_FAILURES
        return times >= MAX_REPEATS

    # -- how it went ------------------------------------------------------------------------------

    def note_pick(self, name: str) -> None:
        """Record the place of an object before it is first picked up."""
        holder, receptacle = self.view.state.places[name]
        if name in self.origins or holder in self.view.state.bodies:
            return
        within = any(
            space.name == receptacle for space in spaces(self.view.state, holder, "within")
        )
        self.origins[name] = Placement("within" if within else "on", holder)

    def note_failure(self, result: Event) -> None:
        """Record an action that failed or was refused."""
        action, at_once = result.action, result.start == result.end
        if at_once:
            self.refused.add((result.end, result.role, action))
            self.repeated.pop(result.role, None)
        crowded = action.name == "Navigate" and self.is_crowded(result.role, action)
        key = result.role, action
        times = self.failures.get(key, 0.0) + (IN_THE_WAY if crowded else 1.0)
        self.failures[key] = times
        if action.name == "Rearrange":
            self.careful.add(action.args[0])
        if action.name in ("Place", "Rearrange") and (at_once or times >= MAX_FAILURES):
            name, relation, target, *beside = action.args
            self.full.add((name, Placement(relation, target, beside[1] if beside else "")))

    def is_in_vain(self, role: str, action: Action) -> bool:
        """Return whether an action was just refused or has failed too often."""
        now = self.view.simulation.clock
        often = self.failures.get((role, action), 0.0) >= MAX_FAILURES
        return often or (now, role, action) in self.refused

    def forget(self) -> bool:
        """Forget all failures, so that they are retried; return False if there were none."""
        if not (self.full or self.banned or self.failures):
            return False
        for tried in (self.full, self.loose, self.banned, self.failures):
            tried.clear()
        return True

    # -- what matters -----------------------------------------------------------------------------

    def is_too_early(self, name: str) -> bool:
        """Return whether an atom about an object must not become true yet."""
        propositions = self.requirements.evaluation.propositions
        return any(_is_named(propositions[index].lists, name) for index in self.agenda.later)

    def later_places(self, name: str) -> set[str]:
        """Return the places where an object must not be put yet."""
        propositions = self.requirements.evaluation.propositions
        later = [propositions[index].lists for index in self.agenda.later]
        return {place for first, *rest in later if name in first for one in rest for place in one}

    def is_delicate(self, name: str) -> bool:
        """Return whether an object's exact place matters.

        It does if something about it must not be true yet, or if it has several future neighbours.
        """
        near = sum(kind == "is_next_to" for kind, _ in self.agenda.wanted.get(name, ()))
        return near > 1 or self.is_too_early(name)


def _is_named(lists: Iterable[Iterable[str]], name: str) -> bool:
    return any(name in listed for listed in lists)
