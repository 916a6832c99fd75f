"""Tasks and suites: what is asked, and what a benchmark reports.

Task  = World + instruction + Goal
Suite : outputs -> scores -> summary
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from homebody.core.action import Action
from homebody.core.goal import Goal
from homebody.core.state import State
from homebody.core.world import World


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


T = TypeVar("T")
AgentFunction = Callable[[T, np.random.Generator], str]
"""(task, generator) -> output text, in the format that a model is asked for."""


@dataclass(frozen=True)
class Suite(Generic[T]):
    """One evaluation: its tasks, prompts, scoring and summary, as functions.

    Attributes:
        name: Dotted name, as the command line takes it.
        title: One line for people.
        load: ``load(protocol)`` -> all tasks, in the official order.
        identify: Task -> its id.
        prompt: Task -> the text a model is given.
        score: ``score(task, output, protocol)`` for any text whatever; never raises.
        summarise: Scores -> the summary, in the schema that the published evaluator writes.
        columns: For tables: header -> path of keys in the summary.
        agents: Agents that need no model, by name.
        categories: Task -> the groups that its metrics are also reported by.
    """

    name: str
    title: str
    load: Callable[[Protocol], Sequence[T]]
    identify: Callable[[T], str]
    prompt: Callable[[T], str]
    score: Callable[[T, str, Protocol], Score]
    summarise: Callable[[Sequence[Score], Protocol], dict[str, Any]]
    columns: Mapping[str, tuple[str, ...]]
    agents: Mapping[str, AgentFunction[T]] = field(default_factory=dict)
    categories: Callable[[T], Sequence[str]] = lambda task: ()
