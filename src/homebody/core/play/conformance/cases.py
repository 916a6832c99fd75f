"""Cases of checks: a task with settings, played by random policies before the check."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import orjson

import homebody.core
from homebody.core import CORRECTED, DONE, Action, Event, HomebodyError, Protocol, Score, Session
from homebody.core.ground.escaping import escape
from homebody.core.ground.seeds import choose
from homebody.core.play.conversation import ToolCall
from homebody.core.play.session import ActionInput, take
from homebody.core.play.transcript import write_call
from homebody.core.suite import ORACLES, Playing, Suite

MAX_STEPS: Final = 40
"""Maximum number of steps of a case."""
NONSENSE: Final[Sequence[ActionInput]] = (
    "", "no call", "Fly[moon]", "Pick[\x00, ,]", "[" * 50, "Done", -1, 10**30,
    ToolCall("", {}), ToolCall("Fly", {"to": "moon"}), ToolCall("Done", {"x": [1]}),
    Action(""), Action("Pick", ("", "nothing_0")), Action("x" * 500, ("y[,]\n" * 200,)),
)  # fmt: skip
"""Invalid inputs that random policies give now and then."""
_PARTS: Final = ("instruction", "news", "text", "changes", "options", "tools")
_CORE: Final = str(Path(homebody.core.__file__).parent)
_LIBRARY: Final = str(Path(os.__file__).parent)


class NotApplicable(Exception):
    """A check does not apply to a case; the message says why."""


@dataclass(frozen=True)
class CheckCase:
    """A task of a suite, with the settings and the seed of the random policies that play it before
    a check.

    Attributes:
        suite: The suite.
        task: One of its tasks.
        settings: The settings that differ from the defaults.
        seed: Seed of the session and of the random policies.
        steps: Number of steps; in each a role acts or time passes.
    """

    suite: Suite[Any]
    task: Any
    settings: Mapping[str, str]
    seed: int
    steps: int = 0
    _outputs: dict[str, str] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def playing(self) -> Playing[Any]:
        """The suite's sessions. Raises NotApplicable if it has none."""
        if self.suite.playing is None:
            raise NotApplicable("the suite has no sessions: its tasks are asked")
        return self.suite.playing

    @property
    def protocols(self) -> Sequence[Protocol]:
        """The protocols that can judge the task."""
        every, fits = self.suite.scoring.protocols.values(), self.suite.published.is_loaded_for
        return [each for each in every if fits is None or fits(self.task, each)]

    @property
    def generator(self) -> np.random.Generator:
        """A new generator, the same each time."""
        return np.random.default_rng([self.seed, self.steps])

    @property
    def oracle(self) -> str:
        """The agent that is expected to succeed. Raises NotApplicable without one."""
        if self.suite.oracle is not None:
            return self.suite.oracle
        raise NotApplicable(f"the suite has no agent called {' or '.join(ORACLES)}")

    def start(self, protocol: Protocol = CORRECTED) -> Session:
        """Start a session."""
        return self.playing.start(self.task, dict(self.settings), self.seed, protocol)

    def start_with_role(self) -> tuple[Session, str]:
        """Start a session; return it and its first ready role. Raises NotApplicable if no role is
        ready."""
        session = self.start()
        for role in session.ready():
            return session, role
        raise NotApplicable("no role is ready at the start")

    def play(self) -> Session:
        """Start a session and play its steps."""
        return play_randomly(self.start(), self.seed, self.steps)

    def make_output(self, agent: str) -> str:
        """Return the output of an agent of the suite; it is made once."""
        if agent not in self._outputs:
            task, settings = self.task, self.settings
            if self.suite.prompting is not None and settings:
                task, settings = self.suite.prompting.set_to(task, settings), {}
            self._outputs[agent] = self.suite.answer(agent, task, settings=settings, seed=self.seed)
        return self._outputs[agent]

    def make_any_output(self) -> str:
        """Return the transcript of the played steps, or the output of one of the agents."""
        if self.suite.playing is not None:
            return self.play().transcript().encode()
        agents = self.suite.agents
        return self.make_output(agents[self.seed % len(agents)]) if agents else "no answer"

    def score(self, output: str) -> Score:
        """Score an output."""
        return self.suite.score(self.task, output)


Check: TypeAlias = Callable[[CheckCase], Iterator[str]]
"""``check(case)`` -> a sentence for each problem."""


def sample_case(
    suite: Suite[Any],
    tasks: Sequence[Any],
    generator: np.random.Generator,
    *,
    steps: int | None = None,
    settings: Mapping[str, str] | None = None,
) -> CheckCase:
    """Sample a case: a task, settings that are allowed together, a seed and a number of steps.
    Given steps and settings are used unchanged. Settings that take any text are not sampled."""
    task = choose(generator, tasks)
    choices = {name: values for name, values in suite.settings.items() if values}
    sampled = {name: choose(generator, each) for name, each in choices.items()}
    chosen = {name: value for name, value in sampled.items() if value != choices[name][0]}
    if settings is not None:
        chosen = dict(settings)
    elif raises(HomebodyError, suite.check_settings, chosen):
        chosen = {}
    seed, some = int(generator.integers(2**53)), int(generator.integers(MAX_STEPS + 1))
    return CheckCase(suite, task, chosen, seed, some if steps is None else steps)


def raises(kind: type[Exception], function: Callable[..., object], *arguments: Any) -> bool:
    """Return whether a call raises an exception of a kind."""
    try:
        function(*arguments)
    except kind:
        return True
    return False


# --- Random play --------------------------------------------------------------------------------


def choose_input(session: Session, role: str, generator: np.random.Generator) -> ActionInput:
    """Return an option, written in any of the possible ways, and nonsense now and then."""
    if generator.random() < 0.2:
        return choose(generator, NONSENSE)
    options = session.observe(role).options
    if not options:
        return DONE
    number = int(generator.integers(len(options)))
    if options[number] == DONE and generator.random() < 0.9:
        number = 0
    option = options[number]
    call = make_tool_call(session, role, option) or option
    ways: Sequence[ActionInput] = number, f"I think so.\n{write_call(option)}", call, option
    return choose(generator, ways)


def make_tool_call(session: Session, role: str, action: Action) -> ToolCall | None:
    """Return an action as a call of the tool of its name; None if there is no such tool."""
    for tool in session.observe(role).tools:
        if tool.name == action.name:
            names = list(tool.parameters.get("properties", ()))
            return ToolCall(action.name, dict(zip(names, action.args, strict=False)))
    return None


def take_step(
    session: Session, generator: np.random.Generator
) -> tuple[str, Event | None, Sequence[Event]]:
    """Have a ready role act, or let time pass.

    Returns:
        The role that acted (empty if time passed), its event if the action ended at once, and the
        events of the actions that ended while time passed.
    """
    ready = session.ready()
    if ready and generator.random() < 0.7:
        role = choose(generator, ready)
        return role, take(session, role, choose_input(session, role, generator)), ()
    return "", None, session.advance()


def play_randomly(session: Session, seed: int, steps: int) -> Session:
    """Play a session for a number of steps; return it."""
    generator = np.random.default_rng(seed)
    for _ in range(steps):
        take_step(session, generator)
    return session


# --- Comparing and describing -------------------------------------------------------------------


def read_world(session: Session) -> dict[str, Any]:
    """Return the observations and actions of all roles of a session, and the progress, by name."""
    state: dict[str, Any] = {"progress()": session.progress()}
    for role in session.roles:
        observed = session.observe(role)
        for part in _PARTS:
            value = getattr(observed, part)
            state[f"the {part} of {role}"] = list(value) if part in ("options", "tools") else value
        state[f"busy({role!r})"] = session.busy(role)
    return state


def snapshot(session: Session) -> dict[str, Any]:
    """Return all observable parts of a session, by name."""
    return read_world(session) | {
        "clock": session.clock,
        "ending": session.ending,
        "ready()": session.ready(),
        "transcript()": session.transcript().encode(),
        "score()": orjson.dumps(dict(session.score(CORRECTED).record)),
    }


def find_difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Describe the first value that differs; empty if all are equal."""
    for name in {**before, **after}:
        first, second = before.get(name), after.get(name)
        if first != second:
            return f"{name} is {preview(second)} and was {preview(first)}"
    return ""


def find_change(before: Mapping[str, Any], session: Session) -> str:
    """Describe the first difference between a session and a snapshot; empty if they agree."""
    return find_difference(before, snapshot(session))


def read_score(score: Score) -> dict[str, Any]:
    """Return the parts of a score, by name."""
    return {
        **{f"the metric {name}": value for name, value in score.metrics.items()},
        **{f"{name!r} of the record": value for name, value in score.record.items()},
        "valid": score.valid,
    }


def preview(value: object) -> str:
    """Return a value as text of at most 200 characters."""
    return escape(repr(value), 200)


def describe_error(error: Exception) -> str:
    """Describe an exception. If the suite's own code raised it, the text names the place."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if _is_own(frame.filename):
            return (
                f"{preview(error)} was raised at {frame.filename}:{frame.lineno}, in"
                f" {frame.name}(): fix it, or raise HomebodyError if an action cannot be done"
            )
    return preview(error)


def _is_own(file: str) -> bool:
    """Return whether a file belongs neither to homebody's core nor to Python's library."""
    return not file.startswith(_CORE) and ("-packages" in file or not file.startswith(_LIBRARY))
