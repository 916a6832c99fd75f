"""Pipelines (EAI paper, appendix G): planning for goals that the model itself has interpreted.

An unreadable output gives no goals. The next ability is queried anyway, as in a system that
combines both. Plans are judged by the annotated goal. Outputs are read by the corrected protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from homebody.core.suite import Pipeline, Suite
from homebody.suites.eai.reading import ParsingError

T = TypeVar("T")
G = TypeVar("G")

MAX_GOALS = 100
"""Maximum number of goals of each kind, to limit the length of the second prompt. Annotations have
at most 25."""


def make_pipeline(
    first: Suite[T],
    kinds: Sequence[str],
    read: Callable[[T, str], tuple[Sequence[tuple[str, G]], int]],
    ask_for: Callable[[T, Sequence[tuple[str, G]]], T],
) -> Pipeline[T]:
    """Make a pipeline for suites whose prompts can request other goals than the annotated ones.

    Args:
        first: The first suite, which provides the outputs.
        kinds: Kinds of goals.
        read: Output -> its goals, each once with its kind, and the number of other goals: malformed
            or with names that do not exist. Raises ParsingError.
        ask_for: Annotated task and goals -> the task whose prompts request these goals.
    """

    def feed(task: T, output: str) -> tuple[T, Mapping[str, Any]]:
        goals: Sequence[tuple[str, G]]
        try:
            (goals, dropped), readable = read(task, output), True
        except ParsingError:
            goals, dropped, readable = [], 0, False
        kept: list[tuple[str, G]] = []
        numbers = dict.fromkeys(kinds, 0)
        for kind, goal in goals:
            if numbers[kind] < MAX_GOALS:
                numbers[kind] += 1
                kept.append((kind, goal))
        dropped += len(goals) - len(kept)
        noted = {"readable": readable, "goals": numbers, "dropped_goals": dropped}
        return ask_for(task, kept), noted

    return Pipeline(first, feed, copied_keys=("precision", "recall", "f1"))
