"""The costs of a run and the contributions of its agents.

Source: PARTNR paper, sections 4 and 4.2.2 and appendix A.11. homebody's choices where the paper is
not specific:

- *Simulation steps* are counted until the last agent was done.
- *Planning cycles* are the queries of a planner, averaged over the planners.
- *Task offloading* is the share of the sub-tasks (the unrolled propositions) that the robot brought
  about: those that its action satisfied first. If a sub-task counted only later because of a
      dependency, the last action on it decides. A sub-task that both agents achieved in the same
      event counts half. Only successful runs of a team have this measure.
- *Extraneous effort* is the share of successful rearrangements and changes of state that did not
  help. Section 4.2.2 says "actions", A.11 "rearrangements"; if walks and picks counted, nearly
  every action would be extraneous. An effort helped if percent complete rose with it, or if it was
  a recognisable intermediate step. In an intermediate step, the effort helped to satisfy a
  proposition that counts in the end, before its object was put elsewhere. There are four ways: a
  later action on the object (a plate is put beside the sink and cleaned there), an action near it,
  a state that lets another proposition count, and pouring from an object that was filled.
- *Exploration efficiency* is the number of steps until an agent first held an object.

All measures are about one run. The paper's table 12 has means over the successful runs of a
planner."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import Final, Protocol

from homebody.core.play.transcript import TranscriptEntry
from homebody.goals.partnr import Judgement, Proposition
from homebody.suites.partnr.episodes.changes import Change
from homebody.suites.partnr.judging.simulation_judge import SimulationJudge
from homebody.suites.partnr.settings import ROBOT
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.model.agents import STATES
from homebody.worlds.house.simulation.simulation import Simulation

_PLACING: Final = ("Place", "Rearrange", "Put", "PutIn")
_TAKING: Final = ("Pick", "Grab")
_NEAR: Final = ("is_next_to", "is_clustered")


class MeasuredSession(Protocol):
    """The part of a session that the measures read."""

    simulation: Simulation
    task: PartnrTask
    instruction: str
    change: Change | None
    changed_at: int | None

    @property
    def simulation_judge(self) -> SimulationJudge:
        """The judge of what the instruction has asked so far."""
        ...

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the session."""
        ...

    @property
    def entries(self) -> Sequence[TranscriptEntry]:
        """The attempted actions, in order."""
        ...

    def cycles(self, planner: str) -> int:
        """Return the number of planning cycles that a planner has used."""
        ...

    def judgement(self) -> Judgement:
        """Return the judgement at this step."""
        ...


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of one run.

    Attributes:
        steps: Simulation steps, 1/30 s each.
        cycles: Planning cycles, the mean over planners; None without planners.
        offloading: The robot's share of the sub-tasks; None without a robot or success.
        extraneous: Share of efforts that did not help; None without efforts.
        exploration: Steps until an agent first held an object; None if none did.
        moved: Agent -> metres walked.
    """

    steps: int
    cycles: float | None
    offloading: float | None
    extraneous: float | None
    exploration: int | None
    moved: Mapping[str, float]


def measure(session: MeasuredSession, judgement: Judgement) -> Measures:
    """Return the measures of a finished run with its judgement."""
    planners = dict.fromkeys(entry.planner for entry in session.entries if entry.cycle > 0)
    cycles = [session.cycles(planner) for planner in planners]
    return Measures(
        session.simulation.clock,
        sum(cycles) / len(cycles) if cycles else None,
        _offloading(session, judgement),
        _extraneous(session, judgement),
        session.simulation_judge.first_held,
        {role: round(metres, 3) for role, metres in session.simulation.moved.items()},
    )


def counts(judgement: Judgement) -> tuple[bool, ...]:
    """Return whether each proposition was satisfied and is not excluded by a constraint."""
    void = set(chain.from_iterable(judgement.broken))
    return tuple(
        at is not None and index not in void for index, at in enumerate(judgement.satisfied_at)
    )


def credit_roles(session: MeasuredSession, judgement: Judgement) -> tuple[tuple[str, ...], ...]:
    """Return the roles that achieved each proposition; none if it held at the start."""
    return tuple(
        _event(session, satisfaction.things, step)[1] if step is not None else ()
        for satisfaction, step in zip(
            session.simulation_judge.judge.satisfactions, judgement.satisfied_at, strict=True
        )
    )


def _names(proposition: Proposition) -> frozenset[str]:
    return frozenset(chain.from_iterable(proposition.lists))


def _event(
    session: MeasuredSession, names: frozenset[str], step: int
) -> tuple[int, tuple[str, ...]]:
    """Return the last step up to ``step`` that involved given objects, and its roles."""
    last_step, by = 0, set[str]()
    for touch in session.simulation_judge.interactions:
        if touch.step > step:
            break
        if touch.name in names:
            if touch.step > last_step:
                last_step, by = touch.step, set()
            by.add(touch.role)
    return last_step, tuple(role for role in session.roles if role in by)


def _offloading(session: MeasuredSession, judgement: Judgement) -> float | None:
    if not judgement.success or ROBOT not in session.roles:
        return None
    shares = [(ROBOT in by) / len(by) for by in credit_roles(session, judgement) if by]
    return sum(shares) / len(shares) if shares else None


# -- extraneous effort ----------------------------------------------------------------------------


@dataclass(slots=True)
class _Effort:
    """A successful rearrangement or change of state.

    Attributes:
        step: Step of the judge.
        role: The agent.
        name: The object.
        places: True for a rearrangement.
        since: Step of the previous placement of the object, or 0.
        source: The object that was poured from, or an empty string.
    """

    step: int
    role: str
    name: str
    places: bool
    since: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class _Gain:
    """A proposition that was satisfied and counts in the end.

    Attributes:
        step: Step in which it began to count.
        made: Step of the last interaction with its objects before that step.
        by: Roles of that interaction.
        own: Its objects that had an interaction in the step ``made``.
        near: Objects whose places it depends on.
        where: True if it is about places.
    """

    step: int
    made: int
    by: tuple[str, ...]
    own: frozenset[str]
    near: frozenset[str]
    where: bool


def _extraneous(session: MeasuredSession, judgement: Judgement) -> float | None:
    efforts = _efforts(session)
    if not efforts:
        return None
    gains = _gains(session, judgement)
    moved_next: dict[str, float] = {}
    fills: set[str] = set()  # objects from which something useful is poured later
    touching: dict[int, set[str]] = {}
    for touch in session.simulation_judge.interactions:
        touching.setdefault(touch.step, set()).add(touch.role)
    useless = 0
    for effort in reversed(efforts):
        until = moved_next.get(effort.name, math.inf)
        helped = _has_raised_progress(session, effort, touching)
        helped = helped or any(_has_helped(effort, gain, until) for gain in gains)
        helped = helped or (not effort.places and effort.name in fills)
        useless += not helped
        if effort.places:
            moved_next[effort.name] = effort.step
        else:
            fills.discard(effort.name)
        if helped and effort.source:
            fills.add(effort.source)
    return useless / len(efforts)


def _has_helped(effort: _Effort, gain: _Gain, until: float) -> bool:
    """Return whether an effort satisfied a proposition, or helped to satisfy it later."""
    if effort.step == gain.made and effort.role in gain.by:
        return True
    if effort.name in gain.own and effort.step <= gain.made < until:
        return True
    if effort.name in gain.near and effort.step <= gain.step < until:
        return True
    # if carried objects count, it may have been satisfied on the way
    carrying = effort.places and gain.where and effort.role in gain.by
    return carrying and effort.name in gain.own and effort.since < gain.made <= effort.step


def _has_raised_progress(
    session: MeasuredSession, effort: _Effort, touched: Mapping[int, Set[str]]
) -> bool:
    """Return whether percent complete rose with an effort, at once or a step later."""
    step, shares = effort.step, session.simulation_judge.progress
    if effort.role not in touched.get(step, ()):
        return False  # the effort of another agent in the same event
    later = step + 1 if step + 1 < len(shares) and step + 1 not in touched else step
    return max(shares[step], shares[later]) > shares[step - 1]


def _efforts(session: MeasuredSession) -> list[_Effort]:
    steps = {clock: step for step, clock in enumerate(session.simulation_judge.clocks)}
    holding: dict[str, str] = {}
    put: dict[str, int] = {}
    efforts = []
    for result in session.simulation.log:
        action = result.action
        if not result.ok or not action.args:
            continue
        step = steps.get(result.end, session.simulation_judge.judge.steps - 1)
        if action.name in _TAKING:
            holding[result.role] = action.args[0]
        elif action.name in _PLACING:
            holding.pop(result.role, None)
            since = put.get(action.args[0], 0)
            put[action.args[0]] = step
            efforts.append(_Effort(step, result.role, action.args[0], True, since))
        elif action.name in STATES:
            source = holding.get(result.role, "") if action.name == "Pour" else ""
            efforts.append(_Effort(step, result.role, action.args[0], False, 0, source))
    return efforts


def _gains(session: MeasuredSession, judgement: Judgement) -> Sequence[_Gain]:
    evaluation = session.task.episode.evaluation
    touched: dict[int, set[str]] = {}
    for touch in session.simulation_judge.interactions:
        touched.setdefault(touch.step, set()).add(touch.name)
    gains = []
    for index, counted in enumerate(counts(judgement)):
        at = judgement.satisfied_at[index]
        if not counted or at is None or at == 0:
            continue
        proposition, origin = judgement.propositions[index], judgement.origins[index]
        names = session.simulation_judge.judge.satisfactions[index].things
        made, by = _event(session, names, at)
        where = len(proposition.lists) > 1 or proposition.predicate == "is_on_floor"
        near = set(names) if proposition.predicate in _NEAR else set()
        for gate in evaluation.dependencies:
            if origin in gate.propositions:
                for head in gate.depends_on:
                    near |= _names(evaluation.propositions[head])
        gains.append(_Gain(at, made, by, names & touched.get(made, set()), frozenset(near), where))
    return gains
