"""Who does what: what only people can do is theirs, and what is said to be somebody's own is left
to them. Whatever else there is, anybody may do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from homebody.suites.partnr.expert.argument_constraints import Choice
from homebody.suites.partnr.expert.jobs import Job
from homebody.suites.partnr.expert.memory import MAX_TRIES, Memory
from homebody.suites.partnr.expert.requirements import Atom
from homebody.suites.partnr.session import PartnrSession
from homebody.worlds.house.model.agents import STATES as HUMAN_SKILLS


@dataclass(slots=True)
class Shares:
    """The shares of the agents.

    Attributes:
        released: Whether anybody may do what is said to be somebody's own, as nothing came of it.
        owners: What shall hold -> who is said to do that.
        ready: Agent -> the thing that it has gone to and waits for.
    """

    session: PartnrSession
    memory: Memory
    released: bool = False
    owners: Mapping[Atom, str] = field(default_factory=dict)
    ready: dict[str, str] = field(default_factory=dict)

    def note(self, chosen: Mapping[int, Choice]) -> None:
        """Note whose the atoms are that were chosen for propositions."""
        self.owners = {
            atom: owner
            for owner, indices in self.session.task.episode.assigned.items()
            for index in indices
            for atom in chosen.get(index, ())
        }

    def is_suited(self, role: str, job: Job) -> bool:
        """Whether a job is for this agent: nobody else does it, it can, and it is not better
        left to somebody who has to handle the thing anyway, or said to do so."""
        memory, furniture = self.memory, job.name in self.memory.view.state.house.piece
        if memory.tries.get(job.name, 0) > MAX_TRIES:
            return False
        ready = (name for other, name in self.ready.items() if other != role)
        if job.kind == "move" and job.name in ready:
            return False  # it is taken up when its time has come
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

    def _skills(self, role: str) -> frozenset[str]:
        return self.memory.view.simulation.agents[role].skills

    def _is_left_to_another(self, role: str, job: Job) -> bool:
        """Whether moving a thing is said to be somebody else's, who can still do it."""
        if self.released or self.memory.view.held(role) == job.name:
            return False
        atoms = self.memory.agenda.wanted.get(job.name, ())
        owners = {owner for atom in atoms if (owner := self.owners.get(atom))}
        return role not in owners and any(
            self.session.can_act(owner) or self.session.busy(owner) for owner in owners
        )
