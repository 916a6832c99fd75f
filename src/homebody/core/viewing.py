"""Viewing: the parts of samples that people see, in reports and while they run."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from homebody.core.action import Action
from homebody.core.goal import Goal
from homebody.core.ground.field_types import check_fields
from homebody.core.protocol import Protocol
from homebody.core.world import Trace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The view of a session at one moment: :mod:`homebody.results.viewing.replays`.

    Attributes:
        pictures: Name -> function that renders a picture of this moment, (height, width, 3) bytes,
            at any later time.
        options: The options in order: call, as in transcripts -> its label.
        conditions: The goal conditions, each with whether it is met.
        news: The result of the last step; empty at first.
        note: A remark on the pictures, such as their source.
        plan: Function that renders the place from above. None if there is no such picture, or if a
            film shows the place.
    """

    pictures: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    conditions: Sequence[tuple[str, bool]] = ()
    news: str = ""
    note: str = ""
    plan: Callable[[], Any] | None = None


class Film(typing.Protocol):
    """A recorder of a session that is replayed in a place with geometry."""

    def take(self) -> None:
        """Record the changes since the last call."""
        ...

    def document(self) -> dict[str, Any]:
        """Return the recording so far, as JSON."""
        ...

    def files(self) -> Mapping[str, bytes]:
        """Return the files that the document names. Films share files, so files with equal names
        must have equal content. Use digests as names."""
        ...


@dataclass(frozen=True, slots=True)
class PlanTrace:
    """A plan in a symbolic world, with its trace.

    Attributes:
        plan: All actions of the plan.
        trace: Their trace; its indices are positions in the plan.
        goal: The goal of the task.
    """

    plan: tuple[Action, ...]
    trace: Trace
    goal: Goal


@dataclass(frozen=True, slots=True)
class Ability:
    """An ability that some tasks of a suite require; other suites may measure it, too.

    Attributes:
        name: The name of the ability, such as ``Planning``, equal in all suites.
        measure: The key of a share in the records of scores that measures it.
        tasks: A description of the tasks that require it.
        applies_to: Record of a score -> True if its task requires it; None if all tasks do.
    """

    name: str
    measure: str = "success"
    tasks: str = "all"
    applies_to: Callable[[Mapping[str, Any]], bool] | None = None


def _no_conditions(record: Mapping[str, Any]) -> Sequence[tuple[str, bool]]:
    return ()


@dataclass(frozen=True)
class Viewing(Generic[T]):
    """The viewing of samples, for more than texts and numbers.

    Attributes:
        snapshot: Session -> its view now; None if there is nothing to see.
        film: Session that has just begun -> its recorder; None if it cannot be filmed.
        trace: ``trace(task, output, protocol)`` -> the trace of the output's plan; None if the
            output is not a plan. The attribute is None if outputs are not plans in a symbolic
            world.
        conditions: Record of a score -> the goal conditions, each with whether it was met; empty
            if unknown.
        abilities: The abilities that the suite's tasks measure.
        faults: The metrics for which lower is better.
        solution: Task -> heading -> text, for people who check the task: ``Goal``, ``Plan`` and
            ``Map`` in the suite's own terms, as far as the oracle's output does not show them.
    """

    snapshot: Callable[[Any], Snapshot] | None = None
    film: Callable[[Any], Film | None] | None = None
    trace: Callable[[T, str, Protocol], PlanTrace | None] | None = None
    conditions: Callable[[Mapping[str, Any]], Sequence[tuple[str, bool]]] = _no_conditions
    abilities: tuple[Ability, ...] = ()
    faults: Set[str] = frozenset()
    solution: Callable[[T], Mapping[str, str]] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
