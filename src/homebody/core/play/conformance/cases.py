"""Cases: a task in some settings, and how random policies play it before a check looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import orjson

from homebody.core.action import Action
from homebody.core.ground.escaping import escape
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conversation import ToolCall
from homebody.core.play.session import DONE, ActionInput, Event, Session, take
from homebody.core.play.transcript import write_call
from homebody.core.protocol import CORRECTED, Protocol
from homebody.core.score import Score
from homebody.core.suite import Playing, Suite

MAX_STEPS: Final = 40
"""Steps of a case, at most."""
NONSENSE: Final[Sequence[ActionInput]] = (
    "", "no call", "Fly[moon]", "Pick[\x00, ,]", "[" * 50, "Done", -1, 10**30,
    ToolCall("", {}), ToolCall("Fly", {"to": "moon"}), ToolCall("Done", {"x": [1]}),
    Action(""), Action("Pick", ("", "nothing_0")), Action("x" * 500, ("y[,]\n" * 200,)),
)  # fmt: skip
"""What random policies say now and then."""


class NotApplicable(Exception):
    """A check has nothing to look at, and why."""


@dataclass(frozen=True)
class CheckCase:
    """A task of a suite, and how its session is played before a check looks at it.

    Attributes:
        suite: Of the task.
        task: Any of its tasks.
        settings: Those that are not as usual.
        seed: Of the session, and of the random policies that play it.
        steps: How often somebody says something or time passes.
    """

    suite: Suite[Any]
    task: Any
    settings: Mapping[str, str]
    seed: int
    steps: int = 0

    @property
    def playing(self) -> Playing[Any]:
        """How the task is played. Raises NotApplicable if it is not."""
        if self.suite.playing is None:
            raise NotApplicable("the suite has no sessions: its tasks are asked")
        return self.suite.playing

    @property
    def protocols(self) -> Sequence[Protocol]:
        """Those that the task can be judged by."""
        every, fits = self.suite.scoring.protocols.values(), self.suite.published.is_loaded_for
        return [each for each in every if fits is None or fits(self.task, each)]

    def start(self) -> Session:
        """A session that has just begun."""
        return self.playing.start(self.task, dict(self.settings), self.seed, CORRECTED)

    def played(self) -> Session:
        """A session that was played for so many steps."""
        return play_randomly(self.start(), self.seed, self.steps)

    def answer(self, agent: str) -> str:
        """What an agent of the suite answers to the task."""
        if self.suite.prompting is not None and self.settings:
            task = self.suite.prompting.set_to(self.task, self.settings)
            return self.suite.answer(agent, task, seed=self.seed)
        return self.suite.answer(agent, self.task, settings=self.settings, seed=self.seed)

    def score(self, output: str) -> Score:
        """The score of an output."""
        return self.suite.score(self.task, output)


def draw_case(
    suite: Suite[Any],
    tasks: Sequence[Any],
    generator: np.random.Generator,
    *,
    steps: int | None = None,
    settings: Mapping[str, str] | None = None,
) -> CheckCase:
    """Any of some tasks, in any settings that go together (but for those that name files), played
    for any number of steps; ``steps`` and ``settings`` are drawn if left out."""
    task = tasks[int(generator.integers(len(tasks)))]
    choices = {name: values for name, values in suite.settings.items() if values}
    drawn = {name: values[int(generator.integers(len(values)))] for name, values in choices.items()}
    chosen = {name: value for name, value in drawn.items() if value != choices[name][0]}
    if settings is not None:
        chosen = dict(settings)
    elif not _go_together(suite, chosen):
        chosen = {}
    seed, some = int(generator.integers(2**53)), int(generator.integers(MAX_STEPS + 1))
    return CheckCase(suite, task, chosen, seed, some if steps is None else steps)


def _go_together(suite: Suite[Any], settings: Mapping[str, str]) -> bool:
    try:
        suite.check_settings(settings)
    except HomebodyError:
        return False
    return True


# --- Random play --------------------------------------------------------------------------------


def say_something(session: Session, role: str, generator: np.random.Generator) -> ActionInput:
    """Mostly something that looks possible, in any of the ways to say it; now and then nonsense."""
    if generator.random() < 0.2:
        return NONSENSE[int(generator.integers(len(NONSENSE)))]
    options = session.observe(role).options
    if not options:
        return DONE
    number = int(generator.integers(len(options)))
    if options[number] == DONE and generator.random() < 0.9:
        number = 0
    way = generator.integers(4)
    if way == 0:
        return number
    if way == 1:
        return f"I think so.\n{write_call(options[number])}"
    if way == 2:
        return as_tool_call(session, role, options[number]) or options[number]
    return options[number]


def as_tool_call(session: Session, role: str, action: Action) -> ToolCall | None:
    """An action as a call of the tool of its name; None if there is no such tool."""
    for tool in session.observe(role).tools:
        if tool.name == action.name:
            names = list(tool.parameters.get("properties", ()))
            return ToolCall(action.name, dict(zip(names, action.args, strict=False)))
    return None


def step(
    session: Session, generator: np.random.Generator
) -> tuple[str, Event | None, Sequence[Event]]:
    """Somebody says something, or time passes.

    Returns:
        Who said it (empty if time passed) and what came of it at once; what was over then.
    """
    ready = session.ready()
    if ready and generator.random() < 0.7:
        role = ready[int(generator.integers(len(ready)))]
        return role, take(session, role, say_something(session, role, generator)), ()
    return "", None, session.advance()


def play_randomly(session: Session, seed: int, steps: int) -> Session:
    """A session after so many steps of random policies."""
    generator = np.random.default_rng(seed)
    for _ in range(steps):
        step(session, generator)
    return session


def everything_told(session: Session) -> dict[str, Any]:
    """All that can be asked of a session, by name."""
    return {
        "clock": session.clock,
        "ending": session.ending,
        "ready()": session.ready(),
        "busy()": {role: session.busy(role) for role in session.roles},
        "progress()": session.progress(),
        "transcript()": session.transcript().encode(),
        "score()": orjson.dumps(dict(session.score(CORRECTED).record)),
        "observe()": {
            role: {
                "instruction": told.instruction,
                "news": told.news,
                "text": told.text,
                "changes": told.changes,
                "options": list(told.options),
                "tools": list(told.tools),
            }
            for role, told in ((role, session.observe(role)) for role in session.roles)
        },
    }


def difference(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """What two sessions tell that is not the same, in words; empty if all is the same."""
    for name, value in first.items():
        other = second[name]
        if value == other:
            continue
        if isinstance(value, Mapping):
            inner = difference(value, other)
            return f"{name} of {inner}" if name == "observe()" else f"{name}: {inner}"
        return f"{name} is {cut(other)} and was {cut(value)}"
    return ""


def cut(value: object) -> str:
    """A value as it may stand in a sentence."""
    return escape(repr(value), 200)


Check: TypeAlias = Callable[[CheckCase, np.random.Generator], Iterator[str]]
"""``check(case, generator)`` -> a sentence for each problem."""
