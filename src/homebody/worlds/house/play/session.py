"""A task in a house being played: a :class:`homebody.core.Session` over a simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from homebody.core import CORRECTED, Action, Event, Observation, Protocol, Score, Transcript
from homebody.core.play.session import ALL_DONE, GOAL_MET, is_done, require_ready, require_role
from homebody.core.play.transcript import TranscriptEntry, read_call, unread, write_call
from homebody.core.protocol import judged_by
from homebody.worlds.house.play.tasks import HouseTask
from homebody.worlds.house.play.views import HouseView
from homebody.worlds.house.simulation.simulation import Simulation

MAX_ACTIONS: Final = 50
"""Actions that a role may try (PARTNR: 50 calls of a model)."""
MAX_STEPS: Final = 20_000
"""The clock at which a session ends (PARTNR: 20,000)."""


class HouseSession:
    """A task in a house being played.

    It ends when the task is finished, when all have said that they are done, when nobody may try
    anything more, or with the action that ends at ``max_steps`` or later.

    Args:
        simulation: In which it is played, as it begins. Agents who are people of the scene (see
            :func:`.people.awake`) are no roles: they do what is requested of them.
        task: What is to be done.
        max_actions: How many actions each role may try, refused ones too.
        max_steps: The clock at which it ends.
        image_size: Height and width of pictures, in pixels.
        origin: The settings and the seed that another one like it can be made of.

    Attributes:
        simulation: The house and its agents; changed by :meth:`act` and :meth:`advance` only.
        acted: How many actions each role has tried.
        view: What its roles are shown.
    """

    def __init__(
        self,
        simulation: Simulation,
        task: HouseTask,
        *,
        max_actions: int = MAX_ACTIONS,
        max_steps: int = MAX_STEPS,
        image_size: tuple[int, int] = (224, 224),
        origin: Transcript | None = None,
    ) -> None:
        self.simulation = simulation
        self.task = task
        self.max_actions = max_actions
        self.max_steps = max_steps
        bodies = simulation.state.bodies
        self.roles = tuple(name for name in simulation.agents if bodies[name].looks is None)
        self.acted = dict.fromkeys(self.roles, 0)
        self._origin = origin if origin is not None else Transcript()
        self._entries: list[TranscriptEntry] = []
        self._done: set[str] = set()
        self._unknown = 0  # actions that no skill is called
        self.view = HouseView(simulation, image_size)
        self._progress = task.score(simulation)

    @property
    def source(self) -> Any:
        """What the task was made of, for policies that may know it."""
        return self.task.source

    @property
    def clock(self) -> int:
        """Steps of 1/30 s since the start."""
        return self.simulation.clock

    @property
    def ending(self) -> str | None:
        """Why it has ended; None while it goes on."""
        if self._progress >= 1.0:
            return GOAL_MET
        if self.clock >= self.max_steps:
            return "the time is used up"
        if any(self.busy(role) is not None or self._may_act(role) for role in self.roles):
            return None
        return ALL_DONE if self._done.issuperset(self.roles) else "nobody may do more"

    def ready(self) -> tuple[str, ...]:
        """Those who are neither busy nor done, in order; nobody when it has ended."""
        if self._progress >= 1.0 or self.clock >= self.max_steps:
            return ()
        busy = self.simulation.busy
        return tuple([role for role in self.roles if self._may_act(role) and busy(role) is None])

    def busy(self, role: str) -> Action | None:
        """What a role is doing."""
        return self.simulation.busy(role)

    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event | None:
        """Have a role do something, and write it down: None if it has begun, else how it ended.

        Raises:
            NotReadyError: the role is busy, done, or not there.
        """
        require_ready(self, role)
        call = write_call(action)
        read = read_call(call)  # what is done is what a replay would read
        if read is None:
            return self._note(role, call, cycle, planner)
        self._write(role, call, cycle, planner)
        if is_done(read):
            self._done.add(role)
            ended = Event(role, read, True, "you are done", self.clock, self.clock)
            self.view.acted(role, None)
            return ended
        why = self.view.no_such_skill(role, read.name)
        if why:
            self._unknown += 1
            refusal: Event | None = Event(role, read, False, why, self.clock, self.clock)
        else:
            refusal = self.simulation.act(role, read)
        self.view.acted(role, refusal)
        return refusal

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        """Write down what a role said, where no action could be read in it; it counts as one."""
        require_ready(self, role)
        self._note(role, text, cycle, planner)

    def _note(self, role: str, text: str, cycle: int, planner: str) -> Event:
        self._write(role, unread(text), cycle, planner)
        return self.view.not_read(role)

    def _write(self, role: str, call: str, cycle: int, planner: str) -> None:
        self.acted[role] += 1
        self._entries.append(TranscriptEntry(self.clock, role, call, cycle, planner))

    def _may_act(self, role: str) -> bool:
        return role not in self._done and self.acted[role] < self.max_actions

    def advance(self) -> Sequence[Event]:
        """Go to the next event at which somebody is done, and say how it went; nothing if nobody
        does anything."""
        events = self.simulation.advance()
        self.view.tell(events)
        self._progress = self.task.score(self.simulation)
        return events

    def progress(self) -> float:
        """How far the task is done."""
        return self._progress

    def transcript(self) -> Transcript:
        """What was tried so far."""
        return replace(self._origin, entries=tuple(self._entries))

    def score(self, protocol: Protocol | None = None) -> Score:
        """How it did, as if it ended now."""
        if self.task.measure is None:
            judged_by(protocol, CORRECTED)
        log, moved = self.simulation.log, sum(self.simulation.moved.values())
        success = self._progress >= 1.0
        score = Score(
            self.task.id,
            {"success": float(success), "progress": self._progress},
            {
                "instruction": self.task.instruction,
                "success": success,
                "progress": self._progress,
                "explanation": self.task.explanation(self.simulation),
                "ending": self.ending or "",
                "actions": len(self._entries),
                "done": sorted(self._done),
                "refused": sum(not event.ok for event in log) + self._unknown,
                "steps": self.clock,
                "moved": round(moved, 3),
                "settings": dict(self._origin.settings),
                "problem": "",
            },
        )
        measure = self.task.measure
        return score if measure is None else measure(self.simulation, score, protocol)

    def observe(self, role: str) -> Observation:
        """What a role is told now."""
        require_role(self, role)
        left = self.max_actions - self.acted[role]
        return replace(self.view.observe(role, self.task.instruction), left=left)
