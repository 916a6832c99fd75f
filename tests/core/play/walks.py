"""A small session of five methods: two roles, time, refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from homebody.core import Action, HomebodyError, Tool
from homebody.core.play.session_base import SessionBase

STEPS = ("1", "2", "3")
LIMIT = 60
WALK = Action("Walk", ("2",))


class Walks(SessionBase):
    """Two walk along a line, ``Walk[n]`` takes n steps; it is done when both are at ten."""

    rate = 1.0
    skills = (
        Tool(
            "Walk",
            "go on",
            {
                "type": "object",
                "properties": {"steps": {"type": "string"}, "why": {"type": "string"}},
                "required": ["steps"],
            },
        ),
    )

    def __init__(self) -> None:
        super().__init__(("left", "right"), "Walk to ten.", max_steps=LIMIT)
        self.at = {"left": 0, "right": 0}

    def begin(self, role: str, action: Action) -> int:
        if action.args[0] not in STEPS:
            raise HomebodyError("it cannot be")
        return int(action.args[0])

    def finish(self, role: str, action: Action) -> str:
        self.at[role] += int(action.args[0])
        return "there"

    def describe(self, role: str) -> str:
        return f"{role} is at {self.at[role]}"

    def possible(self, role: str) -> Sequence[Action]:
        return [Action("Walk", (step,)) for step in STEPS]

    def progress(self) -> float:
        return sum(min(at, 10) for at in self.at.values()) / 20

    def knowledge(self, role: str) -> Any:
        return self.at
