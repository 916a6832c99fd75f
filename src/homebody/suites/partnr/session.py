"""An episode being played: who may act, what they did, how far they are; and the transcript of it.

    run = Run(task)
    while not run.over:
        for agent in run.free():
            run.take(agent, Action("Pick", ("cup_0",)))
        run.advance()
    run.judgement().success

A transcript has the calls of all agents with their clocks. As houses, skills, chances and errors
hang on the task alone, it is all that is needed to play the same run again: clock by clock, the
same results. So the output of a run is its transcript, and scoring it replays it.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Final

from homebody.core import Action, HomebodyError
from homebody.goals.partnr import Judge, Judgement
from homebody.suites.partnr.episode_start import start
from homebody.suites.partnr.settings import TEAM, Settings
from homebody.suites.partnr.simulation_judge import Interaction, SimulationJudge
from homebody.suites.partnr.tasks import PartnrTask
from homebody.suites.partnr.transcript import (
    UNREAD,
    Entry,
    decode,
    encode,
    read_call,
    unread,
    write_call,
)
from homebody.worlds.house.simulation.simulation import Result
from homebody.worlds.house.simulation.skills import SKILLS, WALKING

__all__ = [
    "DONE",
    "LIMITS",
    "WAIT",
    "Entry",
    "Limits",
    "PartnrSession",
    "read_call",
    "replace_task",
    "replay",
    "write_call",
    "write_transcript",
]

DONE: Final = Action("Done")
"""The action by which an agent says that its part is over."""
WAIT: Final = Action("Wait")
"""The action of an agent that does nothing until something happens."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a run ends, whatever is still to be done.

    Attributes:
        steps: Of the simulation, 1/30 s each.
        calls: Planning cycles of one agent's planner.
        team_calls: Of a planner that decides for both.
        entries: Of the transcript: nobody tries more than this, refused or not.
    """

    steps: int = 20_000
    calls: int = 50
    team_calls: int = 100
    entries: int = 2_000


LIMITS: Final = Limits()
"""Steps and calls as in appendix A.8 of the paper."""


class PartnrSession:
    """An episode being played.

    Args:
        task: What is played, and how.
        quirks: Of the protocol: see :data:`.protocol.QUIRKS`.
        limits: When it ends.

    Attributes:
        simulation: The house and its agents; changed by :meth:`take` and :meth:`advance` only.
        judge: What is so far; told of each event at which something was done.
        transcript: What was tried.
        problem: Why a transcript that was replayed could not be read, or an empty string.

    Raises:
        HomebodyError: the episode is not possible.
    """

    def __init__(
        self, task: PartnrTask, quirks: Set[str] = frozenset(), limits: Limits = LIMITS
    ) -> None:
        self.task = task
        self.limits = limits
        self.simulation = start(task)
        self._doing: dict[str, Action] = {}
        self.simulation_judge = SimulationJudge(
            task.episode.evaluation, self.simulation, self._doing, quirks
        )
        self.transcript: list[Entry] = []
        self.problem = ""
        self._done: set[str] = set()
        self._cycles: dict[str, set[int]] = {}

    @property
    def judge(self) -> Judge:
        """What judges the run, step by step."""
        return self.simulation_judge.judge

    @property
    def clock(self) -> int:
        """Steps since the start."""
        return self.simulation.clock

    @property
    def interactions(self) -> list[Interaction]:
        """What was done to the things that are judged."""
        return self.simulation_judge.interactions

    @property
    def agents(self) -> tuple[str, ...]:
        """Who is there, in order of precedence."""
        return self.task.settings.agents

    def free(self) -> tuple[str, ...]:
        """Those who are neither busy nor done, in order; nobody when the run is over."""
        if self.spent(TEAM):
            return ()
        return tuple(
            agent for agent in self.agents if self.may_act(agent) and not self.spent(agent)
        )

    def may_act(self, agent: str) -> bool:
        """Whether an agent is there and neither busy nor done, and steps and entries are left."""
        return (
            agent in self.agents
            and agent not in self._done
            and self.simulation.busy(agent) is None
            and self.clock < self.limits.steps
            and len(self.transcript) < self.limits.entries
        )

    @property
    def over(self) -> bool:
        """Whether all are done, or time or calls are used up."""
        if self.clock >= self.limits.steps:
            return True
        busy = any(self.simulation.busy(agent) is not None for agent in self.agents)
        return not busy and not self.free()

    def cycles(self, planner: str) -> int:
        """Planning cycles that a planner has had."""
        return len(self._cycles.get(planner, ()))

    def spent(self, planner: str) -> bool:
        """Whether a planner has had all its cycles."""
        return self.cycles(planner) >= self._max_cycles(planner)

    def take(self, agent: str, action: Action, cycle: int = 0, planner: str = "") -> Result | None:
        """Have an agent do something, and write it down.

        Args:
            agent: One of those that are :meth:`free`.
            action: A skill begins, ``Done`` ends the agent's part. Anything else, such as a
                perception tool, is only written down.
            cycle: In which planning cycle, from 1; 0 if nobody planned in words.
            planner: Whose cycles are counted.

        Returns:
            The result of a skill that was refused at once, else None.

        Raises:
            ValueError: the agent is busy, done, or not there.
        """
        if not self.may_act(agent):
            raise ValueError(f"{agent} cannot act now")
        call = write_call(action)
        read = read_call(call)  # what is done is what a replay would read
        if read is None:
            self.note(agent, call, cycle, planner)
            return None
        if not self._count(cycle, planner):
            self._done.add(agent)
            now = self.clock
            return Result(agent, action, False, "there are no planning calls left", now, now)
        self.transcript.append(Entry(self.clock, agent, write_call(read), cycle, planner))
        if read.name == DONE.name:
            self._done.add(agent)
            return None
        if read.name not in SKILLS and read.name not in WALKING:
            return None
        self._doing[agent] = read
        return self.simulation.act(agent, read)

    def note(self, agent: str, text: str, cycle: int = 0, planner: str = "") -> None:
        """Write down a planning call whose answer could not be read."""
        if len(self.transcript) < self.limits.entries and self._count(cycle, planner):
            call = unread(text)
            self.transcript.append(Entry(self.clock, agent, call, cycle, planner))

    def advance(self) -> list[Result]:
        """Go to the next event at which somebody is done, and say how it went; nothing if nobody
        does anything, or the steps are used up before."""
        simulation, end = self.simulation, self.limits.steps
        if not self.simulation_judge.follows_carried:
            return simulation.advance(end)
        results: list[Result] = []
        while not results and self.clock < end:
            event = simulation.next_event
            if event is None:
                break
            until = self.clock + 1 if self.simulation_judge.somebody_holds() else event
            results = simulation.advance(min(until, end))
            if (
                self.simulation_judge.clocks[-1] < self.clock
                and self.simulation_judge.somebody_holds()
            ):
                self.simulation_judge.look(simulation)
        return results

    def judgement(self) -> Judgement:
        """How far the run is, taking this step as its end."""
        if self.over:
            self.simulation_judge.end(self.clock)
        else:
            self.simulation_judge.pass_time(self.clock)
        return self.judge.result()

    def _max_cycles(self, planner: str) -> int:
        return self.limits.team_calls if planner == TEAM else self.limits.calls

    def _count(self, cycle: int, planner: str) -> bool:
        """Count a planning cycle; False if there are none left."""
        if cycle <= 0:
            return True
        counted = self._cycles.setdefault(planner, set())
        if cycle not in counted and len(counted) >= self._max_cycles(planner):
            return False
        counted.add(cycle)
        return True


# -- transcripts ----------------------------------------------------------------------------------


def write_transcript(session: PartnrSession) -> str:
    """A run as JSON, from which :func:`replay` plays it again."""
    return encode(session.task.settings, session.task.seed, session.transcript)


def replay(
    task: PartnrTask, text: str, quirks: Set[str] = frozenset(), limits: Limits = LIMITS
) -> PartnrSession:
    """Play a transcript again, in the settings that it was played in.

    Whatever the text, a run comes back: one in which nothing was done, and that says why
    (``problem``), if it is no transcript.

    Raises:
        HomebodyError: the episode itself is not possible.
    """
    try:
        settings, seed, entries = decode(text, LIMITS.entries)
    except HomebodyError as error:
        session = PartnrSession(task, quirks, limits)
        session.problem = str(error)
        return session
    session = PartnrSession(replace_task(task, settings, seed), quirks, limits)
    for entry in entries:
        while session.clock < entry.clock and _advances(session):
            pass
        while session.simulation.busy(entry.agent) is not None and _advances(session):
            pass
        action = read_call(entry.call)
        if action is None:
            session.note(entry.agent, entry.call.removeprefix(UNREAD), entry.cycle, entry.planner)
        elif session.may_act(entry.agent):
            session.take(entry.agent, action, entry.cycle, entry.planner)
    while _advances(session):
        pass
    return session


def _advances(session: PartnrSession) -> bool:
    """Go on to the next event, if somebody is doing something."""
    before = session.clock
    return bool(session.advance()) or session.clock > before


def replace_task(task: PartnrTask, settings: Settings, seed: int) -> PartnrTask:
    """The task played otherwise; its house, once made, is kept."""
    if (settings, seed) == (task.settings, task.seed):
        return task
    made = replace(task, settings=settings, seed=seed)
    if "house" in vars(task):
        vars(made)["house"] = task.house
    return made
