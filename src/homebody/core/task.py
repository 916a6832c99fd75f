"""Tasks and suites: what is asked, and what a benchmark reports.

Task  = World + instruction + Goal
Suite : outputs -> scores -> summary
"""

from __future__ import annotations

import math
import typing
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from homebody.core.action import Action
from homebody.core.errors import HomebodyError
from homebody.core.goal import Goal
from homebody.core.state import State
from homebody.core.world import World

if TYPE_CHECKING:  # numpy takes longer to import than the command line may
    import numpy as np


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do in one world.

    Attributes:
        id: Unique in its suite.
        name: Short name, shared by tasks of a kind ("Wash clothes").
        instruction: What a person would say.
        world: The transition model.
        initial: The state to start from.
        goal: Judges the trace.
        reference: The annotated plan, if there is one.
    """

    id: str
    name: str
    instruction: str
    world: World
    initial: State
    goal: Goal
    reference: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Protocol:
    """How outputs are judged: which quirks of the published evaluator are kept.

    ``corrected`` keeps none and applies the definitions as the papers state them;
    ``published`` keeps all of them. Any set in between is a protocol, which shows what one
    quirk is worth.
    """

    name: str
    quirks: frozenset[str] = frozenset()

    def keeps(self, quirk: str) -> bool:
        """Whether a quirk of the published evaluator is kept."""
        return quirk in self.quirks

    def without(self, *quirks: str) -> Protocol:
        """This protocol with some quirks mended."""
        return Protocol(f"{self.name} without {', '.join(quirks)}", self.quirks - set(quirks))


CORRECTED = Protocol("corrected")


@dataclass(frozen=True, slots=True)
class Score:
    """How one output did.

    Attributes:
        identifier: The task's id.
        metrics: Numbers to average over tasks (each with a standard error), in [0, 1].
        record: Everything worth keeping of it, JSON-serialisable: one line of samples.jsonl.
        valid: False if the protocol leaves this task out of every denominator.
    """

    identifier: str
    metrics: Mapping[str, float]
    record: Mapping[str, Any]
    valid: bool = True


@dataclass(frozen=True, slots=True)
class Measure:
    """A number in the records of scores.

    Attributes:
        key: Of the record; what is missing or None there is not counted.
        percent: Whether it is a share, shown in percent.
        best: Whether more or less is better: ``high`` or ``low``.
    """

    key: str
    percent: bool = False
    best: Literal["high", "low"] = "high"


T = TypeVar("T")
Progress: TypeAlias = Callable[[str, int, int], None]
"""``(what is being done, steps done, steps in all)``; all is 0 while it is not known."""
AgentFunction: TypeAlias = "Callable[[T, np.random.Generator], str]"
"""(task, generator) -> output text, in the format that a model is asked for."""


@dataclass(frozen=True, slots=True)
class Message:
    """A turn of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a model while something is being played.

    Attributes:
        role: Who it plays: names what is asked when several models play together.
        messages: The conversation so far; the last is what is asked.
        schema: JSON schema that the answer must keep to, for providers that can see to it; None
            if any text will do.
        gbnf: The same as a grammar in the notation of llama.cpp; empty for none.
        regex: The same as a regular expression; empty for none.
    """

    role: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    gbnf: str = ""
    regex: str = ""


Dialogue: TypeAlias = Generator[tuple[Question, ...], tuple[str, ...], str]
"""Something that is being played: yields questions that can be asked at the same time, is sent
their answers in their order, and returns the output."""


@dataclass(frozen=True, slots=True)
class Pipeline(Generic[T]):
    """How the tasks of a suite start from another suite's answers (EAI paper, appendix G).

    Attributes:
        first: Name of the suite that is asked first; its tasks have the ids of this one's.
        feed: ``feed(task, output)`` -> the task with what the output says in place of what is
            annotated, and what is to be recorded of that, JSON-serialisable; never raises.
        repeated: Keys of the first score's record that stand in the second's too.
    """

    first: str
    feed: Callable[[T, str], tuple[T, Mapping[str, Any]]]
    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Demands(Generic[T]):
    """What tasks ask for, and what of it an output did: :mod:`homebody.results.difficulty` counts.

    Attributes:
        factors: Task -> what tasks have more or less of (goals, steps, objects), by name; the
            same names in the same order for every task.
        actions: Task -> the names of the actions of its annotated plan.
        steps: ``steps(task, score)`` -> the name of each action that the output's plan tried, up
            to the one that stopped it, and whether it was carried out. None if outputs are no
            plans.
        goals: ``goals(task, score)`` -> kind and name of each goal condition, and whether the
            output met it. None if that cannot be told.
    """

    factors: Callable[[T], Mapping[str, float]]
    actions: Callable[[T], Sequence[str]]
    steps: Callable[[T, Score], Sequence[tuple[str, bool]]] | None = None
    goals: Callable[[T, Score], Sequence[tuple[str, str, bool]]] | None = None


class Rates(typing.Protocol):
    """Sums of counts -> a nested summary of percentages; unrounded if ``exact``."""

    def __call__(self, sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
        """The summary of these sums."""
        ...


@dataclass(frozen=True)
class Suite(Generic[T]):
    """One evaluation: its tasks, prompts, scoring and summary, as functions.

    Attributes:
        name: Dotted name, as the command line takes it.
        title: One line for people.
        protocols: The ways to judge, by name; ``corrected`` is one.
        prepare: Fetches the data that the tasks need, if it is not there.
        load: ``load(protocol)`` -> all tasks, in the official order.
        identify: Task -> its id.
        describe: Task -> one line for people.
        score: ``score(task, output, protocol)`` for any text whatever; never raises.
        count: Score -> what it adds to the numerators and denominators of the summary.
        rates: Added-up counts -> the summary, in the schema that the published evaluator writes.
        columns: For tables: header -> path of keys in the summary.
        means: For tables: header -> metric, of which the mean over tasks is shown.
        measures: For tables: header -> a number in the scores' records, of which the mean over
            those scores is shown that have one.
        tallies: For tables: header -> key of a count in the scores' records.
        agents: Agents that need no model, by name.
        prompt: Task -> the whole text that a model is given; None if tasks are played.
        system: The system prompt that goes before every prompt; empty for none.
        categories: Task -> the groups that its metrics are also reported by.
        output_id: Task -> its identifier in files of outputs, where the published one differs.
        aliases: Other identifiers in published files -> the task's id.
        bounds: Limits of the work for one output, by name, with what they are.
        rebound: Bounds -> a ``score`` that keeps to them; see :meth:`bounded`.
        require: Raises HomebodyError if scoring needs something besides data, a planner for
            instance, that is not there.
        feedback: ``feedback(task, score)`` -> what was wrong with an output, to be told before
            the next try; None where there is nothing to mend. A suite that knows no success has
            no feedback.
        pipeline: How its tasks start from another suite's answers; None if they do not.
        unreliable: ``unreliable(task, chance, seed, epoch, attempt)`` -> the task in a world
            where actions have no effect with that probability, drawn anew for each epoch (from
            1) and attempt (from 0); the task itself if it is 0. None if nothing is carried out.
        demands: What its tasks ask for; None if that is not counted.
        play: ``play(task, generator)`` -> a dialogue in which models play the task; its output is
            scored. None if a task is one question.
        roles: Who a model can be asked to be in a dialogue, so that each can be another model.
        settings: How its tasks can be set: name -> values, the usual one first, or none where any
            text will do.
        compatible: Raises HomebodyError if settings, each of which can be, do not go together.
        arrange: ``arrange(task, settings, seed, epoch)`` -> the task so set.
    """

    name: str
    title: str
    protocols: Mapping[str, Protocol]
    prepare: Callable[[Progress | None], object]
    load: Callable[[Protocol], Sequence[T]]
    identify: Callable[[T], str]
    describe: Callable[[T], str]
    score: Callable[[T, str, Protocol], Score]
    count: Callable[[Score], Counter[str]]
    rates: Rates
    columns: Mapping[str, tuple[str, ...]]
    means: Mapping[str, str] = field(default_factory=dict)
    measures: Mapping[str, Measure] = field(default_factory=dict)
    tallies: Mapping[str, str] = field(default_factory=dict)
    agents: Mapping[str, AgentFunction[T]] = field(default_factory=dict)
    prompt: Callable[[T], str] | None = None
    system: Callable[[], str] = lambda: ""
    categories: Callable[[T], Sequence[str]] = lambda task: ()
    feedback: Callable[[T, Score], str | None] | None = None
    output_id: Callable[[T], str] | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)
    rebound: Callable[[Mapping[str, float]], Callable[[T, str, Protocol], Score]] | None = None
    require: Callable[[], object] = lambda: None
    pipeline: Pipeline[T] | None = None
    unreliable: Callable[[T, float, int, int, int], T] | None = None
    demands: Demands[T] | None = None
    play: Callable[[T, np.random.Generator], Dialogue] | None = None
    roles: tuple[str, ...] = ()
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    compatible: Callable[[Mapping[str, str]], object] | None = None
    arrange: Callable[[T, Mapping[str, str], int, int], T] | None = None

    def bounded(self, bounds: Mapping[str, float]) -> Suite[T]:
        """The suite with other limits of work. Raises HomebodyError on one that it does not have,
        that is not positive, or that is no whole number though its default is one."""
        if not bounds:
            return self
        changed = dict(self.bounds)
        for name, value in bounds.items():
            if name not in self.bounds or self.rebound is None:
                known = ", ".join(f"{k}={v:g}" for k, v in self.bounds.items()) or "none"
                raise HomebodyError(f"{self.name} has no bound {name!r}", f"it has: {known}")
            whole = isinstance(self.bounds[name], int)
            if not isinstance(value, int | float) or not 0 < value < math.inf:
                raise HomebodyError(f"the bound {name} must be a positive number")
            if whole and value != int(value):
                raise HomebodyError(f"the bound {name} must be a whole number, not {value:g}")
            changed[name] = int(value) if whole else float(value)
        assert self.rebound is not None
        return replace(self, score=self.rebound(changed), bounds=changed)

    def summarise(self, scores: Iterable[Score], *, exact: bool = False) -> dict[str, Any]:
        """The summary of some scores, rounded as the published one unless ``exact``."""
        sums: Counter[str] = Counter()
        for score in scores:
            sums.update(self.count(score))
        return self.rates(sums, exact=exact)

    def check_settings(self, settings: Mapping[str, str]) -> None:
        """Raises HomebodyError on settings that the suite does not have."""
        for name, value in settings.items():
            if name not in self.settings:
                known = ", ".join(self.settings) or "none"
                raise HomebodyError(f"{self.name} has no setting {name!r}", f"it has: {known}")
            choices = self.settings[name]
            if choices and value not in choices:
                raise HomebodyError(
                    f"{name} cannot be {value!r}", f"choose one of: {', '.join(choices)}"
                )
        if self.compatible is not None:
            self.compatible(settings)

    def set(self, task: T, settings: Mapping[str, str], seed: int, epoch: int) -> T:
        """A task as it is played: with settings, and with what is random in it drawn for a seed
        and an epoch (from 1)."""
        return task if self.arrange is None else self.arrange(task, settings, seed, epoch)

    def protocol(self, name: str) -> Protocol:
        """A protocol by name. Raises HomebodyError if there is none."""
        try:
            return self.protocols[name]
        except KeyError:
            raise HomebodyError(
                f"there is no protocol {name!r}", f"choose one of: {', '.join(self.protocols)}"
            ) from None

    def agent(self, name: str) -> AgentFunction[T]:
        """An agent by name. Raises HomebodyError if there is none."""
        try:
            return self.agents[name]
        except KeyError:
            raise HomebodyError(
                f"{self.name} has no agent {name!r}", f"choose one of: {', '.join(self.agents)}"
            ) from None

    def require_agent(self, name: str) -> bool:
        """Whether an agent needs more than the suite, a planner for instance. Raises
        HomebodyError if there is no such agent, or what it needs is not there."""
        require = getattr(self.agent(name), "require", None)
        if require is not None:
            require()
        return require is not None
