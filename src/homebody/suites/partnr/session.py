"""A session of an episode: the agents' actions, the planning cycles and the judge.

    session = PartnrSession(task)
    while session.ending is None:
        for role in session.ready():
            session.act(role, Action("Pick", ("cup_0",)))
        session.advance()
    session.judgement().success

The contract is :class:`homebody.core.Session`. In addition, sessions count planning cycles. An
action may still start after the last cycle if its cycle is already counted. For example, in a
team's last cycle the second role acts after the first.

A role that waits does so until it sees another role act, until no other role acts, or for 20 s, as
in the published code.

With the setting ``change`` the instruction changes once: when half of it is done, when
:data:`CHANGE_AFTER` steps have passed or when all roles are done, whichever comes first. Time is
checked when an action ends. Every role hears the change and can act again, even after ``Done``. The
run is judged by the evaluation function that includes the change, once it was heard; until then by
the original one, without quirks.

With the setting ``clock=wall``, a role whose model answers is busy for the time of the answer. The
transcript has this time as an entry such as ``Think[137]``, in steps, so that replays are exact."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from homebody.core import CORRECTED, WAIT, Action, Event, Protocol, Score, Transcript
from homebody.core.play.replay import replay
from homebody.core.play.session import NotReadyError
from homebody.core.play.transcript import MAX_NAME, printable
from homebody.core.protocol import resolve_protocol
from homebody.goals.partnr import OPEN_RULES, Evaluation, Judge, Judgement
from homebody.suites.partnr.episode_start import start
from homebody.suites.partnr.episodes.changes import make_change
from homebody.suites.partnr.judging.scoring import score_session
from homebody.suites.partnr.judging.simulation_judge import Interaction, SimulationJudge
from homebody.suites.partnr.protocol import QUIRKS
from homebody.suites.partnr.settings import (
    MEANT_BY,
    TEAM,
    Settings,
    changed_settings,
    read_settings,
)
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.model.agents import MOTIONS
from homebody.worlds.house.play.session import HouseBase
from homebody.worlds.house.play.views import HouseView
from homebody.worlds.house.simulation.skills import WALKING


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits after which a session ends.

    Attributes:
        steps: Simulation steps, 1/30 s each.
        calls: Planning cycles of one role's planner.
        team_calls: Planning cycles of a planner that decides for both.
        entries: Maximum number of entries of the transcript: attempted actions, including refused
            ones.
    """

    steps: int = 20_000
    calls: int = 50
    team_calls: int = 100
    entries: int = 2_000


MAX_WAIT: Final = 600
"""Steps after which a ``Wait`` ends."""
MIN_WAIT: Final = 30
"""Steps that a ``Wait`` lasts at least when no other role acts."""
CHANGE_AFTER: Final = 1_800
"""Steps after which an instruction changes that has not changed yet."""
CHANGE_AT: Final = 0.5
"""Share of the original propositions at which an instruction changes."""
SPEAKER: Final = "person"
"""The role of the event with which an instruction changes."""
THINK: Final = "Think"
"""Name of the entry for the time of an answer: ``Think[steps]``. It is not a skill."""
MAX_THINKING: Final = 20_000
"""Maximum number of steps of an answer."""
QUIET: Final = frozenset({*WALKING, *MOTIONS, WAIT.name}) - {"Rearrange"}
"""Actions of others that a role is not notified of.

The role sees that others walk (:attr:`.Observation.doing`), but not where they go. The published
code omits these actions, too.
"""
SIDE: Final = 448
"""Height and width of pictures in pixels."""
LIMITS: Final = Limits()
"""Limits of appendix A.8 of the paper."""
SMALL_STEPS: Final = Limits(calls=500, team_calls=1_000, entries=2_000)
"""Limits with low-level actions. Models need about ten of them for one skill."""


class PartnrSession(HouseBase):
    """A session of an episode.

    Args:
        task: The task and its settings.
        quirks: Kept quirks, of :data:`.protocol.QUIRKS`, and chosen rules.
        limits: Limits; the usual ones if omitted.

    Attributes:
        change: The change of the instruction, heard or not; None if it does not change.
        changed_at: The clock at which it changed; None until then.

    Raises:
        HomebodyError: The episode is not possible.
    """

    done_message = "your part is finished"

    def __init__(
        self, task: PartnrTask, quirks: Set[str] = frozenset(), limits: Limits | None = None
    ) -> None:
        usual = LIMITS if task.settings.actions == "skills" else SMALL_STEPS
        self.limits = limits if limits is not None else usual
        simulation = start(task)
        pictures = task.settings.view == "pictures"
        super().__init__(
            simulation,
            task.episode.instruction,
            view=HouseView(simulation, (SIDE, SIDE), shows=pictures),
            identifier=task.id,
            max_actions=self.limits.entries,
            max_steps=self.limits.steps,
            max_entries=self.limits.entries,
            origin=Transcript(changed_settings(task.settings), task.seed, version=task.version),
            source=task,
        )
        self.task = task
        self._doing_now: dict[str, Action] = {}
        kind, evaluation = task.settings.change, task.episode.evaluation
        self.change = make_change(task.episode, task.house, kind) if kind != "none" else None
        self.changed_at: int | None = None
        self._original_judge: SimulationJudge | None = None
        if self.change is not None:  # the moment of the change does not depend on the protocol
            self._original_judge = SimulationJudge(evaluation, self.simulation, self._doing_now)
            evaluation = self.change.evaluation
        self._whole_judge = SimulationJudge(evaluation, self.simulation, self._doing_now, quirks)
        self._quirks = quirks
        self._cycles: dict[str, set[int]] = {}
        self._waiting: dict[str, int] = {}
        self._thinking: dict[str, int] = {}

    @property
    def simulation_judge(self) -> SimulationJudge:
        """The judge, with its simulation, of what the instruction has asked so far."""
        return self._original_judge or self._whole_judge

    @property
    def judge(self) -> Judge:
        """The judge of what the instruction has asked so far."""
        return self.simulation_judge.judge

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation function of what the instruction has asked so far."""
        if self.change is None or self._original_judge is not None:
            return self.task.episode.evaluation
        return self.change.evaluation

    @property
    def interactions(self) -> list[Interaction]:
        """The interactions with judged objects so far."""
        return self.simulation_judge.interactions

    def ready(self) -> tuple[str, ...]:
        """Return the roles that are neither busy nor done, in order; none after the end."""
        if self.has_spent_cycles(TEAM):
            return ()
        return tuple(role for role in super().ready() if not self.has_spent_cycles(role))

    def can_act(self, role: str) -> bool:
        """Return whether a role is neither busy nor done, with steps and entries left."""
        return self.clock < self.max_steps and super().can_act(role)

    def busy(self, role: str) -> Action | None:
        """Return the current action of a role. It is ``Think`` while its model answers."""
        if role in self._thinking:
            return Action(THINK, (str(self._thinking[role] - self.clock),))
        return super().busy(role)

    def can_take_turn(self, role: str, cycle: int = 0, planner: str = "") -> bool:
        """Return whether a role may act in a cycle that is counted or still left."""
        if cycle > 0 and cycle in self._cycles.get(planner, ()):
            return self.can_act(role)
        return role in self.ready() and (cycle <= 0 or not self.has_spent_cycles(planner))

    def cycles(self, planner: str) -> int:
        """Return the number of planning cycles that a planner has used."""
        return len(self._cycles.get(planner, ()))

    def has_spent_cycles(self, planner: str) -> bool:
        """Return whether a planner has used all its cycles."""
        return self.cycles(planner) >= self._max_cycles(planner)

    def think(self, role: str, seconds: float) -> bool:
        """Let a role that is ready think for the time of its model's answer, if ``clock=wall``."""
        steps = min(math.ceil(seconds * self.rate), MAX_THINKING) if seconds > 0 else 0
        if self.task.settings.clock != "wall" or not steps or role not in self.ready():
            return False
        self.act(role, Action(THINK, (str(steps),)))
        return True

    def _begin(self, role: str, action: Action) -> Event | None:
        steps = action.args[0] if action.name == THINK and len(action.args) == 1 else ""
        if self.task.settings.clock != "wall" or not re.fullmatch("[1-9][0-9]{0,4}", steps):
            return super()._begin(role, action)
        self._thinking[role] = self.clock + min(int(steps), MAX_THINKING)
        return None

    def _after_action(self, role: str, event: Event | None) -> Event | None:
        """Record an action. Thinking keeps the news of a role."""
        if role in self._thinking:
            return None
        event = super()._after_action(role, event)
        if self.done.issuperset(self.roles):
            self._hear_change()
        return event

    def _start(self, role: str, action: Action) -> Event | None:
        """Start an action. Perception tools are not skills; the driver answers their queries."""
        self._doing_now[role] = action
        event = super()._start(role, action)
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
        """Raise NotReadyError unless a role can act in this planning cycle."""
        if not self.can_take_turn(role, cycle, planner):
            raise NotReadyError(f"{printable(str(role))[:MAX_NAME]} cannot act now")

    def _pass_time(self) -> Sequence[Event]:
        events = list(self._stop_idle_waits() or self._advance())
        woken = [
            role for role in self._waiting if any(self._is_stirred(role, event) for event in events)
        ]
        if self._is_change_due() and self._hear_change():
            woken = list(self._waiting)
        return events + self._stop_waiting(dict.fromkeys(woken, self.clock))

    def _is_change_due(self) -> bool:
        if self._original_judge is None:
            return False
        self._original_judge.pass_time(self.clock)
        return self.clock >= CHANGE_AFTER or self.judge.percent_complete >= CHANGE_AT

    def _hear_change(self) -> bool:
        """Change the instruction if it has not changed yet; return whether it changed now."""
        if self.change is None or self._original_judge is None:
            return False
        self._original_judge, self.changed_at = None, self.clock
        self.instruction = f"{self.instruction}\n{self.change.words}"
        self.done.clear()
        self.endings.clear()
        words = Action("Say", ("everybody", self.change.words))
        said = Event(SPEAKER, words, True, "", self.clock, self.clock)
        self.event_log.record_sighting(said, set(self.roles))
        return True

    def perceive(self, role: str, event: Event) -> Event | None:
        """Return somebody else's event as a role perceives it.

        Failures and :data:`QUIET` actions are not perceived. A planner for both agents perceives
        everything, like the agent that acted."""
        if self.task.settings.team == "centralised":
            return event
        if not event.ok or event.action.name in QUIET:
            return None
        if event.action.name == "Say":  # it succeeds only if it is heard
            return event if event.action.args[0] == role else None
        return super().perceive(role, event)

    def _stop_idle_waits(self) -> list[Event]:
        """End the waits of roles that wait for others while these do nothing. Return the events."""
        self._waiting = {role: at for role, at in self._waiting.items() if self.busy(role) == WAIT}
        if any(self.busy(role) not in (None, WAIT) for role in self.roles):
            return []
        until = {role: at + MIN_WAIT for role, at in self._waiting.items()}
        over = {role: clock for role, clock in until.items() if clock <= self.clock}
        return self._stop_waiting(over or until)  # if one stops, the others wait for its action

    def _stop_waiting(self, until: Mapping[str, int]) -> list[Event]:
        ends = (self.simulation.wait_until(role, clock) for role, clock in until.items())
        return [event for event in ends if event is not None]

    def _is_stirred(self, role: str, event: Event) -> bool:
        """Return whether a role perceives an event of another role, which ends its wait."""
        return event.role != role and self.event_log.perceive(role, event) is not None

    def _advance(self) -> Sequence[Event]:
        """Let time pass to the next event, or until somebody has thought."""
        end = min((self.limits.steps, *self._thinking.values()))
        results = self._advance_to(end)
        if self._thinking and not results:
            self.simulation.pass_idle_time(end)
        self._thinking = {role: at for role, at in self._thinking.items() if at > self.clock}
        return results

    def _advance_to(self, end: int) -> Sequence[Event]:
        simulation = self.simulation
        if not self._whole_judge.follows_carried:
            return simulation.advance(end)
        results: Sequence[Event] = []
        while not results and self.clock < end:
            event = simulation.next_event
            if event is None:
                break
            until = self.clock + 1 if self._whole_judge.is_something_held() else event
            results = simulation.advance(min(until, end))
            if self._whole_judge.clocks[-1] < self.clock and self._whole_judge.is_something_held():
                self._whole_judge.look(simulation)
        return results

    def judgement(self) -> Judgement:
        """Return the judgement of the run as if it ended at this step."""
        if self.ending is not None:
            self.simulation_judge.end(self.clock)
        else:
            self.simulation_judge.pass_time(self.clock)
        return self.judge.result()

    def _settle(self) -> None:
        """Do nothing: the session does not end when the goal is met."""

    def progress(self) -> float:
        """Return the satisfied share of the propositions."""
        return self.judge.percent_complete

    def score(self, protocol: Protocol | None = None) -> Score:
        """Return the score as if the session ended now.

        The judge has followed the session under its own protocol. For another protocol the session
        is replayed."""
        quirks = self._quirks
        if protocol is not None:
            quirks = resolve_protocol(protocol, CORRECTED, QUIRKS, OPEN_RULES).rules(QUIRKS)
        if quirks == self._quirks:
            return score_session(self)
        again = PartnrSession(self.task, quirks, self.limits)
        return score_session(replay(again, self.entries, until=self.now))

    def instruction_for(self, role: str) -> str:
        """Return the instruction; for a team, with the meaning of "I" and "you" for this role."""
        if len(self.roles) == 1:
            return self.instruction
        return f"{self.instruction}\n(You are the {role}: {MEANT_BY[role]})"

    def actions_left(self, role: str) -> int:
        """Return the planning cycles left to a role or to its team's planner."""
        planner = TEAM if self.task.settings.team == "centralised" else role
        return max(0, self._max_cycles(planner) - self.cycles(planner))

    def _max_cycles(self, planner: str) -> int:
        return self.limits.team_calls if planner == TEAM else self.limits.calls


def start_session(
    task: PartnrTask, settings: Mapping[str, str], seed: int, protocol: Protocol = CORRECTED
) -> PartnrSession:
    """Return a session of a task. Raises HomebodyError for wrong settings or episodes."""
    return PartnrSession(
        _replace_settings(task, read_settings(settings), seed), protocol.rules(QUIRKS)
    )


def _replace_settings(task: PartnrTask, settings: Settings, seed: int) -> PartnrTask:
    """Return the task with other settings, and with its house if that is built already."""
    if (settings, seed) == (task.settings, task.seed):
        return task
    made = replace(task, settings=settings, seed=seed)
    if "_house" in vars(task):
        vars(made)["_house"] = vars(task)["_house"]
    return made
