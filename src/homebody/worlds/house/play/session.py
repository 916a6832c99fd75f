"""Sessions in houses: their common base, and tasks about places of objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from homebody.core import CORRECTED, Action, Event, Protocol, Score, Transcript
from homebody.core.goal import is_met
from homebody.core.play.session import is_done
from homebody.core.play.session_base import SessionBase
from homebody.core.protocol import resolve_protocol
from homebody.worlds.house.play.tasks import HouseTask
from homebody.worlds.house.play.views import HouseView
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND
from homebody.worlds.house.simulation.speech import first_person

MAX_ACTIONS: Final = 50
"""Maximum number of actions per role (PARTNR: 50 calls of a model)."""
MAX_STEPS: Final = 20_000
"""The clock at which a session ends (PARTNR: 20,000)."""


class HouseBase(SessionBase):
    """A session in a house with any task; a simulation decides what happens.

    Args:
        simulation: The simulation at its start. Agents who are people of the scene (see
            :func:`.people.wake_people`) are not roles: they carry out requests.
        instruction: The task in words.
        view: The view of its roles; the default one if None.
        options: Further arguments of :class:`homebody.core.play.session_base.SessionBase`.

    Attributes:
        simulation: The house and its agents; only :meth:`act` and :meth:`advance` change it.
        unknown: The number of attempted actions with unknown skills.
    """

    rate = float(STEPS_PER_SECOND)

    def __init__(
        self,
        simulation: Simulation,
        instruction: str,
        *,
        view: HouseView | None = None,
        **options: Any,
    ) -> None:
        bodies = simulation.state.bodies
        roles = [name for name in simulation.agents if bodies[name].looks is None]
        super().__init__(roles, instruction, **options)
        self.simulation = simulation
        self._view = view if view is not None else HouseView(simulation)
        self._view.event_log = self.event_log
        self.unknown = 0
        self._doors = len(simulation.on_the_way)

    @property
    def view(self) -> HouseView:
        """The view of its roles."""
        return self._view

    @property
    def clock(self) -> int:
        """Steps of 1/30 s since the start."""
        return self.simulation.clock

    @property
    def shows_images(self) -> bool:
        """True if models receive the images."""
        return self.view.shows

    def busy(self, role: str) -> Action | None:
        """Return the current action of a role."""
        return self.simulation.busy(role)

    def perceive(self, role: str, event: Event) -> Event | None:
        """Return the event of another role as a role perceives it, if it is ``Done`` or a visible
        action, else None."""
        simulation = self.simulation
        if is_done(event.action):
            return event
        if not self.sees(role, event):
            return None
        if simulation.state.bodies[event.role].looks is None:
            return event
        return replace(event, message=first_person(event.message))

    def sees(self, role: str, event: Event) -> bool:
        """Return whether a role sees another act: in its room, or anywhere with full knowledge."""
        return self.simulation.sees_agent(role, event.role)

    def _begin(self, role: str, action: Action) -> Event | None:
        why = self.view.no_such_skill(role, action.name)
        if why:
            self.unknown += 1
            return self._event(role, action, False, why)
        return self._start(role, action)

    def _start(self, role: str, action: Action) -> Event | None:
        """Start an action with a known skill."""
        return self.simulation.act(role, action)

    def _pass_time(self) -> Sequence[Event]:
        return self.simulation.advance()

    def _tell(self, events: Sequence[Event], moved: bool) -> None:
        opened = self.simulation.on_the_way[self._doors :]
        self._doors += len(opened)
        for event, witnesses in opened:
            self.event_log.record_sighting(event, witnesses)
        super()._tell(events, moved)

    def _after_action(self, role: str, event: Event | None) -> Event | None:
        self.event_log.record_action(role, event)
        if event is None or event.action.name:
            self.view.note_action(role)
        return event


class HouseSession(HouseBase):
    """A task being played in a house.

    It ends when the task is finished, when all roles are done, when no role may act any more, or
    when an action ends at ``max_steps`` or later.

    Args:
        simulation: As in :class:`HouseBase`.
        task: The task.
        max_actions: Maximum number of actions per role, refused ones included.
        max_steps: The clock at which it ends.
        view: The view of its roles; the default one if None.
        origin: The settings and the seed, from which an equal session can be made.
    """

    def __init__(
        self,
        simulation: Simulation,
        task: HouseTask,
        *,
        max_actions: int = MAX_ACTIONS,
        max_steps: int = MAX_STEPS,
        view: HouseView | None = None,
        origin: Transcript | None = None,
    ) -> None:
        super().__init__(
            simulation,
            task.instruction,
            view=view,
            identifier=task.id,
            max_actions=max_actions,
            max_steps=max_steps,
            origin=origin,
            source=task.source,
        )
        self.task = task
        self._settle()

    def _settle(self) -> None:
        self._progress = self.task.score(self.simulation)
        self._met = is_met(self._progress)

    def progress(self) -> float:
        """Return the progress of the task."""
        return self._progress

    def score(self, protocol: Protocol | None = None) -> Score:
        """Return the score as if the session ended now."""
        if self.task.measure is None:
            resolve_protocol(protocol, CORRECTED)
        log, moved = self.simulation.log, sum(self.simulation.moved.values())
        score = Score(
            self.identifier,
            {"success": float(self._met), "progress": self._progress},
            {
                "instruction": self.instruction,
                "success": self._met,
                "progress": self._progress,
                "explanation": self.task.explanation(self.simulation),
                "ending": self.ending or "",
                "actions": len(self.entries),
                "done": sorted(self.done),
                "refused": sum(not event.ok for event in log) + self.unknown,
                "steps": self.clock,
                "moved": round(moved, 3),
                "settings": dict(self._origin.settings),
                "problem": "",
            },
        )
        measure = self.task.measure
        return score if measure is None else measure(self.simulation, score, protocol)
