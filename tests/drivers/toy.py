"""A small session with a clock: work takes as long as it says, a shout no time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from homebody.core import (
    DONE,
    WAIT,
    Action,
    Event,
    Observation,
    Protocol,
    Score,
    Tool,
    Transcript,
)
from homebody.core.play.conversation import Image
from homebody.core.play.session import NotReadyError
from homebody.core.play.transcript import TranscriptEntry, unread, write_call

NO_ARGUMENTS = {"type": "object", "properties": {}, "required": []}
TOOLS = (
    Tool(
        "Work",
        "work for some steps",
        {
            "type": "object",
            "properties": {"steps": {"type": "string", "description": "how many"}},
            "required": ["steps"],
        },
    ),
    Tool("Shout", "be heard", NO_ARGUMENTS),
    Tool("Wait", "wait a step", NO_ARGUMENTS),
    Tool("Done", "stop", NO_ARGUMENTS),
)


class Toy:
    """Everybody sees everything."""

    def __init__(self, roles: Sequence[str] = ("ann",), entries: int = 300) -> None:
        self.roles = tuple(roles)
        self.clock = 0
        self.moment = 0
        self.entries: list[TranscriptEntry] = []
        self._most = entries
        self._doing: dict[str, tuple[int, Action]] = {}
        self._done: set[str] = set()
        self._news: dict[str, list[Event]] = {role: [] for role in roles}

    @property
    def ending(self) -> str | None:
        return None if self._doing or self.ready() else "nobody may do more"

    def ready(self) -> tuple[str, ...]:
        if len(self.entries) >= self._most:
            return ()
        return tuple(r for r in self.roles if r not in self._done and r not in self._doing)

    def busy(self, role: str) -> Action | None:
        return self._doing[role][1] if role in self._doing else None

    def observe(self, role: str) -> Observation:
        news = tuple(self._news[role])
        return Observation(role, self.clock, "Work for 5 steps.", news, self, self.moment)

    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event | None:
        if role not in self.ready():
            raise NotReadyError(role)
        self.moment += 1
        self.entries.append(TranscriptEntry(self.clock, role, write_call(action), cycle, planner))
        self._news[role] = []
        now = self.clock
        if action == DONE:
            self._done.add(role)
            return None
        if action == WAIT:
            self._doing[role] = (now + 1, action)
            return None
        if action.name == "Work" and action.args and action.args[0].isdecimal():
            self._doing[role] = (now + int(action.args[0]), action)
            return None
        ok = action == Action("Shout")
        event = Event(role, action, ok, "they heard it" if ok else "nobody can", now, now)
        for told in self.roles if ok else (role,):
            self._news[told].append(event)
        return event

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        self.moment += 1
        self.entries.append(TranscriptEntry(self.clock, role, unread(text), cycle, planner))

    def advance(self) -> Sequence[Event]:
        if not self._doing:
            return ()
        self.moment += 1
        self.clock = min(until for until, _ in self._doing.values())
        over = [role for role, (until, _) in self._doing.items() if until == self.clock]
        events = []
        for role in over:
            _, action = self._doing.pop(role)
            events.append(Event(role, action, True, "it is done", 0, self.clock))
        for news in self._news.values():
            news += events
        return events

    def describe(self, role: str) -> str:
        return f"It is {self.clock} o'clock."

    def options(self, role: str) -> Sequence[Action]:
        return [WAIT, *(Action("Work", (str(steps),)) for steps in range(1, 400)), DONE]

    def tools(self, role: str) -> Sequence[Tool]:
        return TOOLS

    def known(self, role: str) -> Any:
        return None

    def images(self, role: str) -> Sequence[Image]:
        return ()

    def progress(self) -> float:
        return 0.0

    def transcript(self) -> Transcript:
        return Transcript({}, 0, tuple(self.entries))

    def score(self, protocol: Protocol | None = None) -> Score:
        return Score("toy", {}, {})

    @property
    def calls(self) -> list[str]:
        """``"0 ann Work[3]"``: what was tried."""
        return [f"{entry.clock} {entry.role} {entry.call}" for entry in self.entries]
