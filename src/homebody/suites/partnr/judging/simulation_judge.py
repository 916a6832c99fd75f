"""A judge that follows a simulation by its events.

Between two events agents walk and nothing else changes. A carried object is in no room and on no
floor, and objects in one hand keep their relative places. So no judged atom changes on a walk, and
steps of the judge are events. A dependency on the past may count only in a later step. Therefore
the judge gets additional steps before the next event, if the clock allows.

The published evaluation takes the place of a carried object from the simulator. Under the quirk
``carried_things_are_somewhere``, the judge evaluates each step of a walk."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from homebody.core import Action
from homebody.goals.partnr import OPEN_RULES, QUIRKS, Evaluation, EvaluationError, Judge
from homebody.suites.partnr.judging.house_atoms import holds_put_down, holds_while_carried
from homebody.suites.partnr.protocol import CARRIED
from homebody.worlds.house.model.agents import STATES
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.state import HouseState, Place
from homebody.worlds.house.simulation.conditions import bearer
from homebody.worlds.house.simulation.simulation import Simulation


@dataclass(frozen=True, slots=True)
class Interaction:
    """An agent's action on an object that the judge watches.

    Attributes:
        step: Step of the judge.
        clock: Clock of the simulation.
        role: The agent; empty if unknown.
        name: The object that was taken, placed or put in another state, directly or in a container.
    """

    step: int
    clock: int
    role: str
    name: str


class SimulationJudge:
    """A judge with its simulation.

    Args:
        evaluation: The evaluation function.
        simulation: At its start. :meth:`look` becomes one of its watchers.
        doing: Agent -> its current or last action; kept up to date by the caller.
        quirks: Kept quirks, of :data:`homebody.suites.partnr.protocol.QUIRKS`, and chosen rules.

    Attributes:
        judge: The judge, which has received the first state.
        clocks: Step of the judge -> clock of the simulation.
        progress: Step of the judge -> percent complete if the run had ended at this step.
        interactions: Interactions with judged objects, in order of time.
        first_held: The clock at which an agent first held something; None until then.

    Raises:
        EvaluationError: The evaluation is invalid, or is about the agents: the judge does not
            follow their walks.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        simulation: Simulation,
        doing: Mapping[str, Action],
        quirks: Set[str] = frozenset(),
    ) -> None:
        self.judge = Judge(evaluation, quirks & (QUIRKS.keys() | OPEN_RULES.keys()))
        for role in simulation.agents:
            if role in self.judge.names:
                raise EvaluationError(f"the position of {role} cannot be queried")
        self.clocks: list[int] = []
        self.progress: list[float] = []
        self.interactions: list[Interaction] = []
        self.first_held: int | None = None
        self.follows_carried = CARRIED in quirks
        self._simulation = simulation
        self._doing = doing
        # a chain of dependencies takes as many steps as it is long
        unrolled = sum(proposition.number for proposition in evaluation.propositions)
        self._extra_steps = unrolled + 1 if evaluation.dependencies else 0
        state = simulation.state
        self._snapshots = {name: _snapshot(state, name) for name in sorted(self.judge.names)}
        self._looked_at = state.journal.version
        self._update_judge(simulation.clock, None)
        simulation.watchers.append(self.look)

    def is_something_held(self) -> bool:
        """Return whether an agent holds a judged object."""
        state = self._simulation.state
        return any(snapshot[2] in state.bodies for snapshot in self._snapshots.values())

    def look(self, simulation: Simulation) -> None:
        """Pass the current state of the simulation to the judge."""
        self.pass_time(simulation.clock - 1)
        state = simulation.state
        news = set(state.journal.since(self._looked_at))
        self._looked_at = state.journal.version
        changed = []
        for name, before in self._snapshots.items():
            if name not in news:
                continue
            snapshot = _snapshot(state, name)
            if snapshot == before:
                continue
            changed.append(name)
            self._snapshots[name] = snapshot
            if snapshot[1:] != before[1:]:
                for role in self._roles_behind(
                    name, before[2], snapshot[2], snapshot[3] != before[3]
                ):
                    self.interactions.append(
                        Interaction(self.judge.steps, simulation.clock, role, name)
                    )
        self._update_judge(simulation.clock, changed)
        if self.first_held is None and any(state.held_by(role) for role in simulation.agents):
            self.first_held = simulation.clock

    def pass_time(self, clock: int) -> None:
        """Notify the judge that nothing happened up to a clock."""
        last = self.clocks[-1]
        for at in range(last + 1, min(clock, last + self._extra_steps) + 1):
            self._update_judge(at, [])

    def end(self, clock: int) -> None:
        """Notify the judge that the run is over.

        The final state persists for another step. Therefore a proposition that counts only in a
        later step counts even if it was satisfied in the last one."""
        self.pass_time(clock)
        self.pass_time(clock + self._extra_steps)

    def _update_judge(self, clock: int, changed: list[str] | None) -> None:
        state = self._simulation.state
        self.judge.step(
            holds_while_carried(state) if self.follows_carried else holds_put_down(state), changed
        )
        self.clocks.append(clock)
        self.progress.append(self.judge.percent_complete)

    def _roles_behind(self, name: str, before: str, now: str, switched: bool) -> list[str]:
        """Return the roles that acted on an object; an empty name if unknown.

        They took it, placed it, switched it, poured from it, or put it into an object in the other
        hand."""
        roles = []
        for role in self._simulation.agents:
            action = self._doing.get(role)
            moved = before != now and role in (before, now)
            if moved or (
                switched
                and action is not None
                and action.name in STATES
                and (name in action.args or (action.name == "Pour" and now == role))
            ):
                roles.append(role)
        if not roles and now in self._doing:
            roles.append(now)
        return roles or [""]


_Snapshot = tuple[Pose | None, Place | None, str, dict[str, bool]]


def _snapshot(state: HouseState, name: str) -> _Snapshot:
    """Return an object's pose, place, final bearer, and states except ``open``."""
    place = state.places.get(name)
    states = state.states.get(name, {})
    return (
        state.poses.get(name),
        place,
        bearer(state, name) if place is not None else "",
        {state_name: value for state_name, value in states.items() if state_name != "open"},
    )
