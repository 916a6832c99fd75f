"""The expert: a planner that knows the evaluation function and the whole house.

Source: the heuristic expert of section 4.1 of the PARTNR paper. Whenever an agent is free, the
expert looks at the judge and the house and derives the propositions that are due
(:mod:`.requirements`), alternatives that satisfy them (:mod:`.choice`), jobs (:mod:`.jobs`) and the
agent's next action (:mod:`.execution`). It plans only one action ahead, so it can handle failing
skills and any partner.

Agents take near jobs that they are suited for (:mod:`.shares`). People first do the jobs that only
they can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from homebody.core import DONE, WAIT, Action, Policy
from homebody.core.play.rounds import play
from homebody.goals.partnr.evaluation_function import CLUSTERED
from homebody.suites.partnr.episodes.predicates import STATES
from homebody.suites.partnr.expert.argument_constraints import ArgumentConstraints, Choice
from homebody.suites.partnr.expert.choice import ChoiceSearch
from homebody.suites.partnr.expert.execution import JobExecutor
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.expert.jobs import Job, can_satisfy, make_agenda
from homebody.suites.partnr.expert.meeting import meet
from homebody.suites.partnr.expert.memory import MAX_FAILURES, Memory
from homebody.suites.partnr.expert.requirements import (
    Order,
    PropositionStatus,
    Requirements,
    postpone,
    proposition_status,
)
from homebody.suites.partnr.expert.shares import Preferences, Shares
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.tasks import PartnrTask

PATIENCE: Final = 3
"""Number of waits without any activity after which the expert gives up the remaining jobs."""
MAX_FRESH_STARTS: Final = 2
"""Number of times that failed attempts are retried."""
STICKING: Final = 3.0
"""Maximum additional metres that an agent walks to stay with its current job."""
OWN: Final = 100.0
"""The same for a job that nobody else can do."""
AT_HAND: Final = 200.0
"""The same for an object within reach that the agent went to, so that it takes the object."""


class Expert:
    """A planner for one agent of a run or for all of them.

    Args:
        session: The session; it is only read.
        order: The propositions required before each proposition; by default from the evaluation
            function. :func:`.requirements.reverse_order` breaks the order on purpose.
        knows: Returns whether an agent may use an object's place; by default it knows all places.
        doing: Returns what another agent is known to do; by default its current action.
        preferences: What the agents prefer to do; by default what the expert prefers.
    """

    def __init__(
        self,
        session: PartnrSession,
        order: Order | None = None,
        knows: Callable[[str, str], bool] | None = None,
        doing: Callable[[str], Action | None] | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        self.session = session
        self._order = order
        self._knows = knows
        self._doing = doing or session.simulation.busy
        self._preferences = preferences or Preferences()
        self._acted: set[str] = set()
        self._seen = 0
        self._start()

    def _start(self) -> None:
        """Start to plan for what the instruction asks now."""
        session, order = self.session, self._order
        self._requirements = Requirements(session.evaluation)
        self._waits = self._requirements.waits if order is None else order(self._requirements)
        task = session.task
        self._view = HouseView(session.simulation, f"places {task.id} {task.seed}")
        self._memory = Memory(self._requirements, self._view, self._doing)
        self._executor = JobExecutor(self._memory)
        self._shares = Shares(
            session, self._memory, self._preferences, released=not self._preferences.yields
        )
        self._claims: dict[str, tuple[Job, Action]] = {}
        self._chosen: Mapping[int, Choice] = {}
        self._worked = 0
        self._planned_values: tuple[int, tuple[tuple[int | None, bool], ...]] | None = None
        self._idle: dict[str, int] = {}
        self._starts = 0

    def act(self, role: str) -> Action:
        """Return the action of a free agent.

        It is ``Done`` when nothing is left for the agent, and ``Wait`` while it waits for its
        partner."""
        self._acted.add(role)
        if self._requirements.evaluation is not self.session.evaluation:
            self._start()
        self._shares.ready.pop(role, None)
        if self.session.judge.percent_complete == 1.0:
            return DONE
        self._learn()
        old = self._claims.pop(role, None)
        self._plan()
        left = {(job.kind, job.name) for job in self._jobs}
        self._claims = {
            other: (job, action)
            for other, (job, action) in self._claims.items()
            if (job.kind, job.name) in left or self._view.simulation.busy(other)
        }
        if self._preferences.yields:
            self._memory.claim(role, self._claims)
        action = self._work(role, old[0].name if old else "")
        if action is not None:
            self._idle.clear()
            return action
        return self._rest(role)

    def objects(self, *, due: bool = True) -> list[str]:
        """Return the objects and furniture of the jobs as of the last action.

        Args:
            due: False to include those of later jobs.
        """
        found = [job.name for job in self._jobs]
        if not due:
            atoms = (atom for choice in self._chosen.values() for atom in choice)
            found += [names[0] for p, names in atoms if not self._view.is_true((p, names))]
        return list(dict.fromkeys(found))

    # -- what a partner asks ----------------------------------------------------------------------

    @property
    def view(self) -> HouseView:
        """The house as it is now."""
        return self._view

    def job(self, role: str) -> Job | None:
        """Return the job that an agent's last action advances; None if it rests."""
        return self._claims[role][0] if role in self._claims else None

    def owners(self, job: Job) -> set[str]:
        """Return the agents that the instruction assigns a job to."""
        return self._shares.owners_of(job)

    def toward(self, role: str, skill: str, name: str) -> Action | None:
        """Return the action of a skill on an object, or one that makes the object reachable; None
        if nothing can be done now. For ``Pick`` the hand must be empty."""
        if skill == "Pick":
            self._memory.note_pick(name)
        return self._executor.act_on(role, name, Action(skill, (name,)))

    def put_back(self, role: str) -> Action | None:
        """Return an action that puts the held object back; None if nothing is held."""
        return self._executor.put_down(role)

    # -- what to do -------------------------------------------------------------------------------

    def _plan(self) -> None:
        """Update choices and jobs if anything was done."""
        session, requirements = self.session, self._requirements
        satisfactions = session.judge.satisfactions  # those as annotated come first
        # some propositions count only a step after they became true
        event = (
            self._worked,
            tuple((proposition.step, proposition.holds) for proposition in satisfactions),
        )
        if self._planned_values == event:
            return
        self._planned_values = event
        now = proposition_status(requirements, satisfactions, self._waits)
        away = {
            held
            for other in session.roles
            if other not in self._acted and (held := self._view.held_object(other))
        }
        constraints = ArgumentConstraints(requirements, satisfactions, session.judge.origins)
        search = ChoiceSearch(constraints, self._view, self._memory.banned, away, self._chosen)
        open_ = [
            index
            for index in range(len(requirements.evaluation.propositions))
            if satisfactions[index].step is None
        ]
        self._chosen = search.choose((*now.kept, *open_))
        self._shares.note(self._chosen)
        clusters = (
            tuple(dict.fromkeys(name for _, names in atoms for name in names))
            for index, atoms in self._chosen.items()
            if requirements.evaluation.propositions[index].predicate == CLUSTERED
        )
        self._memory.clusters = {
            name: tuple(other for other in names if other != name)
            for names in clusters
            for name in names
        }
        self._view.reserved = frozenset(
            names[1]
            for atoms in self._chosen.values()
            for predicate, names in atoms
            if predicate in ("is_on_top", "is_inside")
        )
        due = postpone(
            requirements,
            self._chosen,
            now.due,
            lambda index, atom: can_satisfy(requirements, index, atom),
        )
        now = replace(now, due=due)
        self._list_jobs(now)
        if any(self._gathers(job) and meet(self._memory, job.name) for job in self._jobs):
            self._list_jobs(now)

    @property
    def _jobs(self) -> tuple[Job, ...]:
        return self._memory.agenda.jobs

    def _gathers(self, job: Job) -> bool:
        """Return whether an object and all its neighbours have to move but have no meeting place
        yet."""
        moving = {other.name for other in self._jobs if other.kind == "move"}
        return job.name not in self._memory.meeting and any(name in moving for name in job.near)

    def _list_jobs(self, now: PropositionStatus) -> None:
        requirements = self._requirements
        self._memory.agenda = make_agenda(
            requirements, now, self._chosen, self._view, self._memory.swapped, self._memory.meeting
        )

    def _work(self, role: str, last: str, *, again: bool = False) -> Action | None:
        """Return the next action of the best job that the agent can advance."""
        executor, memory = self._executor, self._memory
        held = self._view.held_object(role)
        jobs = [
            (self._cost(role, job, held, last), place, job)
            for place, job in enumerate(memory.agenda.jobs)
            if self._may_use(role, job) and self._shares.is_suited(role, job)
        ]
        for _, _, job in sorted(jobs, key=lambda ranked: ranked[:2]):
            action = executor.step(role, job)
            if action is not None and memory.is_in_vain(role, action):
                if job.name == held and memory.is_crowded(role, action):
                    return None  # wait and keep holding it
                continue
            if action is None and job in memory.stuck:
                self._give_up(job)
                if job.name == held and not again:  # try elsewhere before putting it back
                    self._plan()
                    return self._work(role, last, again=True)
            elif action is None and job.name == held:
                return None
            if action is None:
                continue
            if memory.has_repeated(role, action):
                continue
            if action.name in ("Pick", "Place", "Rearrange"):
                tries = memory.tries[job.name] = memory.tries.get(job.name, 0) + 1
                if tries % MAX_FAILURES == 0:
                    self._give_up(job)
            self._claims[role] = job, action
            return action
        return executor.put_down(role)

    def _may_use(self, role: str, job: Job) -> bool:
        return self._knows is None or self._knows(role, job.name)

    def _give_up(self, job: Job) -> None:
        """Prefer another alternative next time, if there is one."""
        memory = self._memory
        memory.stuck.discard(job)
        self._planned_values = None
        wanted = memory.agenda.wanted.get(job.name, ())
        near = {atom for atom in wanted if atom[0] == "is_next_to"}
        if near and meet(memory, job.name):
            return
        on_floor = ("is_on_floor", (job.name,)) in job.atoms
        if near and job.atoms and not on_floor and job.name not in memory.loose:
            memory.loose.add(job.name)
            return
        memory.swapped ^= near
        memory.banned.update(near - memory.banned or job.atoms)

    def _cost(self, role: str, job: Job, held: str, last: str) -> float:
        view = self._view
        if held == job.name:
            return -1000.0 if job.kind == "state" else -900.0
        cost = view.distance(role, job.name) + self._preferences.cost(role, job)
        if job.name == last:
            cost -= AT_HAND if view.scene.is_in_reach(role, job.name) else STICKING
        if len(self.session.roles) > 1 and job.kind == "state":
            cost -= OWN
        return round(cost + 50.0 * (self._memory.tries.get(job.name, 0) // MAX_FAILURES), 3)

    # -- how it went ------------------------------------------------------------------------------

    def _learn(self) -> None:
        """Record the actions that ended since the last call."""
        log = self._view.simulation.log
        for result in log[self._seen :]:
            if result.action.name == "Wait":
                continue
            self._worked += 1
            if result.role in self._acted and not result.ok:
                self._memory.note_failure(result)
        self._seen = len(log)

    def _rest(self, role: str) -> Action:
        """Wait for others, retry what failed, or stop when nothing can be done now."""
        simulation = self._view.simulation
        ready = self._get_ready(role)
        for other in self.session.roles:
            doing = self.session.busy(other)
            if other != role and doing is not None and doing.name != "Wait":
                self._idle.clear()
                return ready or self._step_aside(role)
        idle = self._idle[role] = self._idle.get(role, 0) + 1
        acting = {*self.session.ready(), *filter(simulation.busy, self.session.roles)}
        mine = self._acted.issuperset(acting)  # agents that are done are not awaited
        if idle <= (PATIENCE if mine else self._preferences.patience):
            return ready or self._step_aside(role)
        again = self._memory.forget() or bool(self._shares.owners and not self._shares.released)
        if again and self._starts < MAX_FRESH_STARTS:
            self._starts += 1
            self._shares.released = True
            self._planned_values = None
            self._idle.clear()
            return WAIT
        return DONE

    def _get_ready(self, role: str) -> Action | None:
        """Return an action toward an object that this agent will need after its partner's part."""
        shares, view, memory = self._shares, self._view, self._memory
        if view.held_object(role):
            return None
        open_ = (
            atom
            for index, atoms in sorted(self._chosen.items())
            if self.session.judge.satisfactions[index].step is None
            for atom in atoms
            if not view.is_true(atom)
        )
        jobs = (
            Job("state" if predicate in STATES else "move", names[0], ((predicate, names),))
            for predicate, names in open_
        )
        moving = {job.name for job in self._jobs if job.kind != "state"}
        ahead = [
            (job.kind != "state", round(view.distance(role, job.name), 3), job.name)
            for job in jobs
            if job.name not in moving and self._may_use(role, job) and shares.is_suited(role, job)
        ]
        if not ahead:
            return None
        shares.ready[role] = min(ahead)[2]
        action = self._executor.approach(role, min(ahead)[2])
        if action is None or memory.is_in_vain(role, action) or memory.has_repeated(role, action):
            return None
        return action

    def _step_aside(self, role: str) -> Action:
        """Wait, out of the way of an agent that was just blocked."""
        for result in reversed(self._view.simulation.log[-4:]):
            args = result.action.args
            if result.role == role or result.ok or not args:
                continue
            if args[0] in self._view.state.states and self._view.scene.is_in_reach(role, args[0]):
                here = self._view.room(role)
                rooms = [room.name for room in self._view.state.house.rooms if room.name != here]
                if rooms:
                    far = self._view.distance
                    return Action(
                        "Navigate", (min(rooms, key=lambda room: (far(role, room), room)),)
                    )
        return WAIT


def play_expert(task: PartnrTask, order: Order | None = None) -> PartnrSession:
    """Return a finished session in which the expert decides for everybody."""
    session = PartnrSession(task)
    play(session, dict.fromkeys(session.roles, expert_policy(session, order=order)))
    return session


def expert_policy(
    session: PartnrSession, generator: object = None, order: Order | None = None
) -> Policy:
    """Return the expert's policy for any role; chance depends on the task and its seed alone."""
    expert = Expert(session, order)
    return lambda _, role: expert.act(role)
