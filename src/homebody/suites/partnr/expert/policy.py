"""The expert: a planner who reads the evaluation function and sees everything.

Source: the heuristic expert of section 4.1 of the PARTNR paper, which has privileged knowledge of
the task and the house. Each time an agent is free, the expert looks at what the judge has seen
and at the house as it is: which propositions are due (:mod:`.goals`), of which
alternatives (:mod:`.choice`), what that makes to do (:mod:`.jobs`), and what this
agent does about it (:mod:`.moves`). Nothing is planned further ahead than that, so it copes
with failing skills and with any partner.

What only people can do is left to them, and they do it first; else everybody takes what is near.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from homebody.core import Action
from homebody.suites.partnr.expert.choice import Choosing
from homebody.suites.partnr.expert.goals import Goals, Order, Stage, patient, stage
from homebody.suites.partnr.expert.jobs import Job, agenda, could
from homebody.suites.partnr.expert.meeting import meet
from homebody.suites.partnr.expert.moves import Hands
from homebody.suites.partnr.expert.notes import FAILED, MOST, Notes
from homebody.suites.partnr.expert.ties import Chosen, Ties
from homebody.suites.partnr.expert.world import World
from homebody.suites.partnr.running import DONE, Run, write_transcript
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.model.agents import STATES as HUMAN_SKILLS

Policy = Callable[[Run, str], Action]
"""A run and an agent who is free -> what it does."""

TRIES: Final = 4
"""Refused actions at one moment after which an agent waits."""
PATIENCE: Final = 3
"""Waits in which nobody does anything, after which the expert gives up what it cannot do."""
PATIENCE_WITH_OTHERS: Final = 150
"""The same if the partner is somebody else."""
FRESH_STARTS: Final = 2
"""How often what was tried in vain is tried again."""
STICKING: Final = 3.0
"""Metres further that an agent goes for what it is doing already."""

WAIT: Final = Action("Wait")
_DONE: Final = Action(DONE)


class Expert:
    """Decides for one agent of a run or for all of them.

    Args:
        run: Looked at, never changed.
        order: What has to be satisfied before each proposition, if not what the evaluation says:
            :func:`.goals.reversed_order` breaks the order on purpose.
    """

    def __init__(self, run: Run, order: Order | None = None) -> None:
        self.run = run
        self._goals = Goals(run.task.episode.evaluation)
        self._waits = self._goals.waits if order is None else order(self._goals)
        self._world = World(run.simulation)
        self._notes = Notes(self._goals, self._world)
        self._hands = Hands(self._notes)
        self._claims: dict[str, tuple[Job, Action]] = {}
        self._chosen: Mapping[int, Chosen] = {}
        self._seen = 0
        self._worked = 0
        self._planned: tuple[int, tuple[tuple[int | None, bool], ...]] | None = None
        self._idle: dict[str, int] = {}
        self._starts = 0
        self._acted: set[str] = set()

    def act(self, agent: str) -> Action:
        """What an agent who is free does now: ``Done`` when there is nothing left for it, ``Wait``
        while it has to wait for its partner."""
        self._acted.add(agent)
        if self.run.judge.percent_complete == 1.0:
            return _DONE
        self._learn()
        old = self._claims.pop(agent, None)
        self._plan()
        self._notes.claim(agent, self._claims)
        action = self._work(agent, old[0].name if old else "")
        if action is not None:
            self._idle.clear()
            return action
        return self._rest(agent)

    # -- what to do -------------------------------------------------------------------------------

    def _plan(self) -> None:
        """Look again at what is to be done, if anything was done."""
        run, goals = self.run, self._goals
        known = run.judge.records  # the first are those as annotated
        # some things count only a moment after they were done
        moment = self._worked, tuple((one.at, one.holds) for one in known)
        if self._planned == moment:
            return
        self._planned = moment
        now = stage(goals, known, self._waits)
        away = {
            held
            for other in run.agents
            if other not in self._acted and (held := self._world.held(other))
        }
        ties = Ties(goals, known, run.judge.origins)
        choosing = Choosing(ties, self._world, self._notes.banned, away, self._chosen)
        open_ = [one for one in range(len(goals.evaluation.propositions)) if known[one].at is None]
        self._chosen = choosing.choose((*now.kept, *open_))
        self._world.reserved = frozenset(
            names[1]
            for atoms in self._chosen.values()
            for predicate, names in atoms
            if predicate in ("is_on_top", "is_inside")
        )
        due = patient(goals, self._chosen, now.due, lambda one, atom: could(goals, one, atom))
        now = replace(now, due=due)
        self._list_jobs(now)
        if any(self._gathers(job) and meet(self._notes, job.name) for job in self._jobs):
            self._list_jobs(now)

    @property
    def _jobs(self) -> tuple[Job, ...]:
        return self._notes.agenda.jobs

    def _gathers(self, job: Job) -> bool:
        """Whether a thing and what it shall be next to are both to be moved, and no place to meet
        is agreed upon."""
        moving = {one.name for one in self._jobs if one.kind == "move"}
        return job.name not in self._notes.meeting and any(one in moving for one in job.near)

    def _list_jobs(self, now: Stage) -> None:
        goals = self._goals
        self._notes.agenda = agenda(
            goals, now, self._chosen, self._world, self._notes.swapped, self._notes.meeting
        )

    def _work(self, agent: str, last: str) -> Action | None:
        """The next action of the best job that an agent can do something about."""
        hands, notes = self._hands, self._notes
        held = self._world.held(agent)
        jobs = [
            (self._cost(agent, job, held, last), place, job)
            for place, job in enumerate(notes.agenda.jobs)
            if self._suits(agent, job)
        ]
        for _, _, job in sorted(jobs, key=lambda one: one[:2]):
            action = hands.step(agent, job)
            if action is not None and notes.vain(agent, action):
                if job.name == held and notes.crowded(agent, action):
                    return None  # wait with it in hand
                continue
            if action is None and job in notes.stuck:
                self._give_up(job)
            elif action is None and job.name == held:
                return None
            if action is None:
                continue
            if notes.again(agent, action):
                continue
            if action.name in ("Pick", "Place", "Rearrange"):
                tries = notes.tries[job.name] = notes.tries.get(job.name, 0) + 1
                if tries % FAILED == 0:
                    self._give_up(job)
            self._claims[agent] = job, action
            return action
        return hands.put_down(agent)

    def _give_up(self, job: Job) -> None:
        """Do something else instead next time, if there is anything else."""
        notes = self._notes
        notes.stuck.discard(job)
        self._planned = None
        wanted = notes.agenda.wanted.get(job.name, ())
        near = {atom for atom in wanted if atom[0] == "is_next_to"}
        if near and meet(notes, job.name):
            return
        on_floor = ("is_on_floor", (job.name,)) in job.atoms
        if near and job.atoms and not on_floor and job.name not in notes.loose:
            notes.loose.add(job.name)
            return
        notes.swapped ^= near
        notes.banned.update(near - notes.banned or job.atoms)

    def _suits(self, agent: str, job: Job) -> bool:
        """Whether a job is for this agent: nobody else does it, it can, and it is not better
        left to somebody who has to handle the thing anyway."""
        if self._notes.tries.get(job.name, 0) > MOST:
            return False
        if self._notes.in_use(job.name):
            return False
        skills = self._world.simulation.agents[agent].skills
        if job.kind == "state":
            return not skills.isdisjoint(HUMAN_SKILLS)
        if not skills.isdisjoint(HUMAN_SKILLS):
            return True
        return not any(
            other.kind == "state"
            and other.name == job.name
            and other.atoms[0][0] in ("is_filled", "is_empty")
            for other in self._notes.agenda.jobs
        )

    def _cost(self, agent: str, job: Job, held: str, last: str) -> float:
        world = self._world
        if held == job.name:
            return -1000.0 if job.kind == "state" else -900.0
        cost = world.distance(agent, job.name)
        if job.name == last:
            cost -= STICKING
        if len(self.run.agents) > 1 and job.kind == "state":
            cost -= 100.0  # nobody else can
        return round(cost + 50.0 * (self._notes.tries.get(job.name, 0) // FAILED), 3)

    # -- how it went ------------------------------------------------------------------------------

    def _learn(self) -> None:
        """Look at what has ended since the last time."""
        log = self._world.simulation.log
        for result in log[self._seen :]:
            if result.action.name == "Wait":
                continue
            self._worked += 1
            if result.agent in self._acted and not result.ok:
                self._notes.failed(result)
        self._seen = len(log)

    def _rest(self, agent: str) -> Action:
        """Nothing can be done now: wait for others, try what has failed once more, or stop."""
        simulation = self._world.simulation
        for other in self.run.agents:
            doing = simulation.busy(other)
            if other != agent and doing is not None and doing.name != "Wait":
                self._idle.clear()
                return self._aside(agent)
        idle = self._idle[agent] = self._idle.get(agent, 0) + 1
        mine = self._acted.issuperset(self.run.agents)
        if idle <= (PATIENCE if mine else PATIENCE_WITH_OTHERS):
            return self._aside(agent)
        if self._starts < FRESH_STARTS and self._notes.forget():
            self._starts += 1
            self._planned = None
            self._idle.clear()
            return WAIT
        return _DONE

    def _aside(self, agent: str) -> Action:
        """Wait, out of the way of who has just found it."""
        for result in reversed(self._world.simulation.log[-4:]):
            args = result.action.args
            if result.agent == agent or result.ok or not args:
                continue
            if args[0] in self._world.state.states and self._world.scene.in_reach(agent, args[0]):
                here = self._world.room(agent)
                rooms = [one.name for one in self._world.state.house.rooms if one.name != here]
                if rooms:
                    far = self._world.distance
                    return Action("Navigate", (min(rooms, key=lambda one: (far(agent, one), one)),))
        return WAIT


def play(run: Run, policies: Mapping[str, Policy]) -> Run:
    """Play a run to its end; agents for whom there is no policy are done at once."""
    while not run.over:
        before = run.clock, len(run.transcript)
        for agent in run.free():
            policy = policies.get(agent)
            for _ in range(2 * TRIES):
                if not run.may_act(agent):
                    break
                if run.take(agent, _DONE if policy is None else policy(run, agent)) is None:
                    break
        run.advance()
        if (run.clock, len(run.transcript)) == before:
            break
    return run


def play_expert(task: PartnrTask, order: Order | None = None) -> Run:
    """A run in which the expert decides for everybody."""
    run = Run(task)
    expert = Expert(run, order)
    return play(run, {agent: lambda _, one: expert.act(one) for agent in run.agents})


def expert_output(task: PartnrTask, rng: np.random.Generator) -> str:
    """The transcript of the expert's run."""
    return write_transcript(play_expert(task))
