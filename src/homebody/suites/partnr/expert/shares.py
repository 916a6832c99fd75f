"""The division of labour.

The human does the jobs that only people can do. Jobs that the instruction assigns to an agent are
left to this agent. Anybody may do the other jobs. :class:`Preferences` changes these rules for a
partner that is not the expert."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from homebody.suites.partnr.expert.argument_constraints import Choice
from homebody.suites.partnr.expert.jobs import Job
from homebody.suites.partnr.expert.memory import MAX_TRIES, Memory
from homebody.suites.partnr.expert.requirements import Atom
from homebody.suites.partnr.session import PartnrSession
from homebody.worlds.house.model.agents import STATES as HUMAN_SKILLS

PATIENCE_WITH_OTHERS: Final = 150
"""Number of waits without any activity after which an expert beside somebody else gives up."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences of agents about jobs. The defaults are the expert's.

    Attributes:
        takes: ``takes(role, job)`` -> whether an agent takes a job that suits it.
        cost: ``cost(role, job)`` -> metres that count in addition to the distance of a job. Near
            jobs come first.
        yields: False if agents also take what others are about to handle, and what the instruction
            assigns to others.
        patience: Number of waits without any activity after which an agent beside somebody else
            gives up the remaining jobs.
    """

    takes: Callable[[str, Job], bool] = lambda role, job: True
    cost: Callable[[str, Job], float] = lambda role, job: 0.0
    yields: bool = True
    patience: int = PATIENCE_WITH_OTHERS


@dataclass(slots=True)
class Shares:
    """The shares of the agents.

    Attributes:
        preferences: What agents prefer to do.
        released: True if anybody may do assigned jobs, because they were not done.
        owners: Atom -> the agent that the instruction assigns it to.
        ready: Agent -> the object at which it is waiting.
    """

    session: PartnrSession
    memory: Memory
    preferences: Preferences
    released: bool = False
    owners: Mapping[Atom, str] = field(default_factory=dict)
    ready: dict[str, str] = field(default_factory=dict)

    def note(self, chosen: Mapping[int, Choice]) -> None:
        """Record the owners of the atoms chosen for propositions."""
        self.owners = {
            atom: owner
            for owner, indices in self.session.task.episode.assigned.items()
            for index in indices
            for atom in chosen.get(index, ())
        }

    def is_suited(self, role: str, job: Job) -> bool:
        """Return whether a job suits an agent.

        The agent must be able to do it, and nobody else may be doing it. The job must not be better
        left to the agent that is handling the object or that the instruction names."""
        memory, furniture = self.memory, job.name in self.memory.view.state.house.piece
        if memory.tries.get(job.name, 0) > MAX_TRIES or not self.preferences.takes(role, job):
            return False
        ready = (name for other, name in self.ready.items() if other != role)
        if job.kind == "move" and job.name in ready:
            return False  # the waiting agent will move it later
        # a table can be wiped while another puts something on it
        if memory.is_handled(job.name) if furniture else memory.is_in_use(job.name):
            return False
        if not self._skills(role).isdisjoint(HUMAN_SKILLS):
            return job.kind == "state" or not self._is_left_to_another(role, job)
        if job.kind == "state" or self._is_left_to_another(role, job):
            return False
        return not any(
            other.kind == "state"
            and other.name == job.name
            and other.atoms[0][0] in ("is_filled", "is_empty")
            for other in self.memory.agenda.jobs
        )

    def owners_of(self, job: Job) -> set[str]:
        """Return the agents that the instruction assigns a job to; none if it assigns it to
        nobody."""
        atoms = self.memory.agenda.wanted.get(job.name, ())
        return {owner for atom in atoms if (owner := self.owners.get(atom))}

    def _skills(self, role: str) -> frozenset[str]:
        return self.memory.view.simulation.agents[role].skills

    def _is_left_to_another(self, role: str, job: Job) -> bool:
        """Return whether moving an object is assigned to another agent that can still do it."""
        if self.released or self.memory.view.held_object(role) == job.name:
            return False
        owners = self.owners_of(job)
        return role not in owners and any(
            self.session.can_act(owner) or self.session.busy(owner) for owner in owners
        )
