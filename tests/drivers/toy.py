"""A small session with a clock: work takes as long as it says, a shout no time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from homebody.core import DONE, WAIT, Action, Event, HomebodyError, Tool
from homebody.core.play.conversation import Image
from homebody.core.play.session_base import SessionBase

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


class Toy(SessionBase):
    """Everybody sees everything."""

    rate = 1.0
    done_message = "it is done"

    def __init__(self, roles: Sequence[str] = ("ann",), entries: int = 300) -> None:
        super().__init__(roles, "Work for 5 steps.", max_actions=10**6)
        self._most = entries

    def ready(self) -> tuple[str, ...]:
        return super().ready() if len(self.entries) < self._most else ()

    def begin(self, role: str, action: Action) -> int:
        if action.name == "Work" and action.args and action.args[0].isdecimal():
            return int(action.args[0])
        if action == Action("Shout"):
            return 0
        raise HomebodyError("nobody can")

    def finish(self, role: str, action: Action) -> str:
        return "they heard it" if action.name == "Shout" else "it is done"

    def perceive(self, role: str, event: Event) -> Event | None:
        return event

    def actions_left(self, role: str) -> int | None:
        return None

    def describe(self, role: str) -> str:
        return f"It is {self.clock} o'clock."

    def options(self, role: str) -> Sequence[Action]:
        return [WAIT, *(Action("Work", (str(steps),)) for steps in range(1, 400)), DONE]

    def tools(self, role: str) -> Sequence[Tool]:
        return TOOLS

    def knowledge(self, role: str) -> Any:
        return None

    def images(self, role: str) -> Sequence[Image]:
        return ()

    def progress(self) -> float:
        return 0.0

    @property
    def calls(self) -> list[str]:
        """``"0 ann Work[3]"``: what was tried."""
        return [f"{entry.clock} {entry.role} {entry.call}" for entry in self.entries]
