"""The relation of a suite to a published benchmark, its evaluator and its files of outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from homebody.core.ground.field_types import check_fields
from homebody.core.protocol import Protocol
from homebody.core.score import Score

T = TypeVar("T")


def _no_files(outputs: Sequence[tuple[Any, str, Score]]) -> Mapping[str, bytes]:
    return {}


@dataclass(frozen=True)
class Submission(Generic[T]):
    """The submission of a suite's outputs: :mod:`homebody.results.submission_checks`.

    Attributes:
        file: The name of the file of outputs, unique among suites.
        problem: Record of a score -> the fault in the format of the output, such as
            ``unreadable``; empty for none.
        extra_files: Tasks in order, each with its output and score -> further files, name and
            content; deterministic. A name has at most one folder.
        includes: Task -> whether its output is submitted; None to submit all.
    """

    file: str
    problem: Callable[[Mapping[str, Any]], str]
    extra_files: Callable[[Sequence[tuple[T, str, Score]]], Mapping[str, bytes]] = _no_files
    includes: Callable[[T], bool] | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Published(Generic[T]):
    """The relation of a suite to a published benchmark.

    Attributes:
        quirks: The quirks of its evaluator; any of them can be kept.
        is_loaded_for: ``is_loaded_for(task, protocol)`` -> True if the task has the world of that
            protocol. None if all protocols use the same tasks.
        output_id: Task -> its identifier in files of outputs, if it differs from its id.
        aliases: Other identifiers in published files -> the task's id.
        submission: The submission of its outputs; None if no leaderboard accepts them.
        choices: Rules that its paper leaves open and that a protocol can choose.
    """

    quirks: Set[str] = frozenset()
    is_loaded_for: Callable[[T, Protocol], bool] | None = None
    output_id: Callable[[T], str] | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    submission: Submission[T] | None = None
    choices: Set[str] = frozenset()

    def __post_init__(self) -> None:
        check_fields(self)
