"""An episode being played: who may act, what they did, how far they are.

    session = PartnrSession(task)
    while session.ending is None:
        for role in session.ready():
            session.act(role, Action("Pick", ("cup_0",)))
        session.advance()
    session.judgement().success

Its contract is that of :class:`homebody.core.Session`; besides, it counts planning cycles, and what
was decided in a cycle that is counted already may still be done when all cycles are used up, were
it the end without it: in a team's last cycle the second role acts after the first.

Who waits does so until it sees another do something, or no other does anything any more, at most
20 s (as long as in the published code).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from homebody.core import CORRECTED, WAIT, Action, Event, Protocol, Score, Transcript
from homebody.core.play.replay import replay
from homebody.core.play.session import NotReadyError
from homebody.core.play.transcript import MAX_NAME, printable
from homebody.core.protocol import resolve_protocol
from homebody.goals.partnr import Judge, Judgement
from homebody.suites.partnr.episode_start import start
from homebody.suites.partnr.judging.scoring import score_session
from homebody.suites.partnr.judging.simulation_judge import Interaction, SimulationJudge
from homebody.suites.partnr.protocol import QUIRKS
from homebody.suites.partnr.settings import MEANT_BY, TEAM, Settings, changed, read_settings
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.model.agents import MOTIONS
from homebody.worlds.house.play.session import HouseBase
from homebody.worlds.house.simulation.skills import WALKING


@dataclass(frozen=True, slots=True)
class Limits:
    """When a session ends, whatever is still to be done.

    Attributes:
        steps: Of the simulation, 1/30 s each.
        calls: Planning cycles of one role's planner.
        team_calls: Of a planner that decides for both.
        entries: Of the transcript: nobody tries more than this, refused or not.
    """

    steps: int = 20_000
    calls: int = 50
    team_calls: int = 100
    entries: int = 2_000


MAX_WAIT: Final = 600
"""Steps that a ``Wait`` lasts at most."""
MIN_WAIT: Final = 30
"""Steps that it lasts at least where no other does anything."""
QUIET: Final = frozenset({*WALKING, *MOTIONS, WAIT.name}) - {"Rearrange"}
"""What a role does not learn of others: it sees them walk (:attr:`.Observation.doing`), but is not
told where they went. The published code leaves it out, too."""
LIMITS: Final = Limits()
"""Steps and calls as in appendix A.8 of the paper."""
SMALL_STEPS: Final = Limits(calls=500, team_calls=1_000, entries=2_000)
"""Where models act in small steps, of which they need some ten for one of those calls."""


class PartnrSession(HouseBase):
    """An episode being played.

    Args:
        task: What is played, and how.
        quirks: Of the protocol: see :data:`.protocol.QUIRKS`.
        limits: When it ends; as usual if left out.

    Raises:
        HomebodyError: the episode is not possible.
    """

    done_message = "your part is finished"

    def __init__(
        self, task: PartnrTask, quirks: Set[str] = frozenset(), limits: Limits | None = None
    ) -> None:
        usual = LIMITS if task.settings.actions == "skills" else SMALL_STEPS
        self.limits = limits if limits is not None else usual
        super().__init__(
            start(task),
            task.episode.instruction,
            identifier=task.id,
            max_steps=self.limits.steps,
            origin=Transcript(changed(task.settings), task.seed, version=task.version),
            source=task,
        )
        self.task = task
        self._doing_now: dict[str, Action] = {}
        self.simulation_judge = SimulationJudge(
            task.episode.evaluation, self.simulation, self._doing_now, quirks
        )
        self._quirks = quirks
        self._cycles: dict[str, set[int]] = {}
        self._waiting: dict[str, int] = {}

    @property
    def judge(self) -> Judge:
        """What judges the run, step by step."""
        return self.simulation_judge.judge

    @property
    def interactions(self) -> list[Interaction]:
        """What was done to the things that are judged."""
        return self.simulation_judge.interactions

    def ready(self) -> tuple[str, ...]:
        """Those who are neither busy nor done, in order; nobody when it has ended."""
        if self.spent(TEAM):
            return ()
        return tuple(role for role in self.roles if self.can_act(role) and not self.spent(role))

    def can_act(self, role: str) -> bool:
        """Whether a role is there and neither busy nor done, and steps and entries are left."""
        return (
            role in self.roles
            and role not in self.done
            and self.simulation.busy(role) is None
            and self.clock < self.limits.steps
            and len(self.entries) < self.limits.entries
        )

    def takes(self, role: str, cycle: int = 0, planner: str = "") -> bool:
        """Whether a role may do something in a planning cycle: it is ready and the planner has one
        left, or it would be but for cycles that are used up, and this one is counted already."""
        if cycle > 0 and cycle in self._cycles.get(planner, ()):
            return self.can_act(role)
        return role in self.ready() and (cycle <= 0 or not self.spent(planner))

    def cycles(self, planner: str) -> int:
        """Planning cycles that a planner has had."""
        return len(self._cycles.get(planner, ()))

    def spent(self, planner: str) -> bool:
        """Whether a planner has had all its cycles."""
        return self.cycles(planner) >= self._max_cycles(planner)

    def _begin(self, role: str, action: Action) -> Event | None:
        """Begin an action. A perception tool is refused too: whoever offers it answers it."""
        why = self.view.no_such_skill(role, action.name)
        if why:
            return self._event(role, action, False, why)
        self._doing_now[role] = action
        event = self.simulation.act(role, action)
        self._doing_now[role] = self.simulation.intended_action(role) or action
        if event is None and action == WAIT:
            self._waiting[role] = self.clock
            self.simulation.wait_until(role, self.clock + MAX_WAIT)
        return event

    def _write(self, clock: int, role: str, call: str, cycle: int, planner: str) -> None:
        if cycle > 0:
            self._cycles.setdefault(planner, set()).add(cycle)
        super()._write(clock, role, call, cycle, planner)

    def _require(self, role: str, cycle: int, planner: str) -> None:
        """Raise NotReadyError if a role is busy, done or not there, the session has ended, or the
        planner has no cycles left."""
        if not self.takes(role, cycle, planner):
            raise NotReadyError(f"{printable(str(role))[:MAX_NAME]} cannot act now")

    def _pass_time(self) -> Sequence[Event]:
        events = list(self._who_waits_for_nobody() or self._advance())
        woken = [
            role for role in self._waiting if any(self._stirs(role, event) for event in events)
        ]
        return events + self._stop_waiting(dict.fromkeys(woken, self.clock))

    def perceive(self, role: str, event: Event) -> Event | None:
        """What a role learns of somebody else's event: nothing of what fails or is :data:`QUIET`.
        One planner for both learns everything, as it was the agent that did it."""
        if self.task.settings.team == "centralised":
            return event
        if not event.ok or event.action.name in QUIET:
            return None
        return super().perceive(role, event)

    def _who_waits_for_nobody(self) -> list[Event]:
        """Have those who wait for others who do nothing wait no longer, and say who does not."""
        self._waiting = {role: at for role, at in self._waiting.items() if self.busy(role) == WAIT}
        if any(self.busy(role) not in (None, WAIT) for role in self.roles):
            return []
        until = {role: at + MIN_WAIT for role, at in self._waiting.items()}
        over = {role: clock for role, clock in until.items() if clock <= self.clock}
        return self._stop_waiting(over or until)  # if one stops, others wait for what it does

    def _stop_waiting(self, until: Mapping[str, int]) -> list[Event]:
        ends = (self.simulation.wait_until(role, clock) for role, clock in until.items())
        return [event for event in ends if event is not None]

    def _stirs(self, role: str, event: Event) -> bool:
        """Whether an event ends the waiting of a role: it learns of what another did."""
        return event.role != role and self.event_log.perceive(role, event) is not None

    def _advance(self) -> Sequence[Event]:
        simulation, end = self.simulation, self.limits.steps
        if not self.simulation_judge.follows_carried:
            return simulation.advance(end)
        results: Sequence[Event] = []
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
        if self.ending is not None:
            self.simulation_judge.end(self.clock)
        else:
            self.simulation_judge.pass_time(self.clock)
        return self.judge.result()

    def _settle(self) -> None:
        """Nothing: it does not end when the goal is met."""

    def progress(self) -> float:
        """The share of what is asked for that is met."""
        return self.judge.percent_complete

    def score(self, protocol: Protocol | None = None) -> Score:
        """How it did, as if it ended now. What a judge was told it was told under the protocol
        that the session began with; under another one it is played again."""
        own = Protocol("", frozenset(self._quirks))
        quirks = resolve_protocol(protocol, own, QUIRKS).kept_quirks(QUIRKS)
        if quirks == self._quirks:
            return score_session(self)
        again = PartnrSession(self.task, quirks, self.limits)
        return score_session(replay(again, self.entries, until=self.now))

    def instruction_for(self, role: str) -> str:
        """The instruction; of a team, with who is meant in it."""
        if len(self.roles) == 1:
            return self.instruction
        return f"{self.instruction}\n(You are the {role}: {MEANT_BY[role]})"

    def actions_left(self, role: str) -> int:
        """How many planning cycles are left to a role, or to the planner of its team."""
        planner = TEAM if self.task.settings.team == "centralised" else role
        return max(0, self._max_cycles(planner) - self.cycles(planner))

    def _max_cycles(self, planner: str) -> int:
        return self.limits.team_calls if planner == TEAM else self.limits.calls


def start_session(
    task: PartnrTask, settings: Mapping[str, str], seed: int, protocol: Protocol = CORRECTED
) -> PartnrSession:
    """A session of a task, in settings that are not as usual, with a seed of all that is random.

    Raises:
        HomebodyError: settings are wrong, or the episode is not possible.
    """
    return PartnrSession(
        _replaced(task, read_settings(settings), seed), protocol.kept_quirks(QUIRKS)
    )


def _replaced(task: PartnrTask, settings: Settings, seed: int) -> PartnrTask:
    """The task played otherwise, in the same house if there is one."""
    if (settings, seed) == (task.settings, task.seed):
        return task
    made = replace(task, settings=settings, seed=seed)
    if "_house" in vars(task):
        vars(made)["_house"] = vars(task)["_house"]
    return made
