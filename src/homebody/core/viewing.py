"""Viewing: what people are shown of a suite's samples, in reports and while they go on."""

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
    """What people are shown of a session at one moment: :mod:`homebody.results.viewing.replays`.

    Attributes:
        pictures: What is seen: name -> draws it as it was then, (height, width, 3) bytes, whenever
            it is asked for.
        options: What can be chosen, in order: call, as transcripts have it -> how it is listed.
        conditions: What is to be met, each with whether it is.
        news: What came of the last step; empty at first.
        note: What else is to be known of the pictures, such as where they are from.
        plan: Draws the place from above. It is left out where pictures are drawn beforehand and a
            film shows the same.
    """

    pictures: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    conditions: Sequence[tuple[str, bool]] = ()
    news: str = ""
    note: str = ""
    plan: Callable[[], Any] | None = None


class Film(typing.Protocol):
    """Looks on while a session in a place with geometry is played again."""

    def take(self) -> None:
        """Note what is otherwise than when this was last called."""
        ...

    def document(self) -> dict[str, Any]:
        """What was seen so far, as JSON."""
        ...

    def files(self) -> Mapping[str, bytes]:
        """The files that the document names. Films share them: what has the same name is the same,
        in whichever of them, so that names are best made of a digest."""
        ...


@dataclass(frozen=True, slots=True)
class PlanTrace:
    """What a plan did in a symbolic world.

    Attributes:
        plan: All of its actions.
        trace: What became of them; its indices are positions in the plan.
        goal: What they were for.
    """

    plan: tuple[Action, ...]
    trace: Trace
    goal: Goal


@dataclass(frozen=True, slots=True)
class Ability:
    """What some tasks of a suite tell of an ability, which other suites' tasks may ask for, too.

    Attributes:
        name: Of the ability, such as ``Planning``; the same in all suites that have it.
        measure: A share in the records of scores, which says how well a task was done.
        tasks: In words, which of the suite's tasks ask for it.
        applies_to: Record of a score -> whether its task does; None if all do.
    """

    name: str
    measure: str = "success"
    tasks: str = "all"
    applies_to: Callable[[Mapping[str, Any]], bool] | None = None


def _no_conditions(record: Mapping[str, Any]) -> Sequence[tuple[str, bool]]:
    return ()


@dataclass(frozen=True)
class Viewing(Generic[T]):
    """What people are shown of samples, where there is more to see than texts and numbers.

    Attributes:
        snapshot: Session -> what is shown of it now; None if there is nothing to be seen.
        film: Session that has just begun -> what films it; None if it cannot be.
        trace: ``trace(task, output, protocol)`` -> what the plan did that an output is, or
            stands for; None if it is none. None where outputs are no plans in a symbolic world.
        conditions: Record of a score -> what was to be met, each with whether it was; empty where
            records do not say.
        abilities: What the suite's tasks tell of abilities that go across suites.
        faults: Those of the scores' metrics of which less is better.
    """

    snapshot: Callable[[Any], Snapshot] | None = None
    film: Callable[[Any], Film | None] | None = None
    trace: Callable[[T, str, Protocol], PlanTrace | None] | None = None
    conditions: Callable[[Mapping[str, Any]], Sequence[tuple[str, bool]]] = _no_conditions
    abilities: tuple[Ability, ...] = ()
    faults: Set[str] = frozenset()

    def __post_init__(self) -> None:
        check_fields(self)
