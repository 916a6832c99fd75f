"""Pipelines (EAI paper, appendix G): planning for goals that the model itself has interpreted.

An answer that cannot be read gives no goals: the next ability is asked all the same, as it would be
in a system made of the two. Plans are judged by the annotated goal. Answers are read by the
corrected protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from homebody.core.suite import Pipeline, Suite
from homebody.suites.eai.reading import ParsingError

T = TypeVar("T")
G = TypeVar("G")

MAX_GOALS = 100
"""Of each kind; the annotations have 25 at most. Bounds the second prompt."""


def make_pipeline(
    first: Suite[T],
    kinds: Sequence[str],
    read: Callable[[T, str], tuple[Sequence[tuple[str, G]], int]],
    ask_for: Callable[[T, Sequence[tuple[str, G]]], T],
) -> Pipeline[T]:
    """Of the suites that can be asked for other goals than the annotated ones.

    Args:
        first: The suite whose answers are fed on.
        kinds: Of goals.
        read: An answer's goals, each once with its kind, and how many others it has: malformed or
            with names that do not exist. Raises ParsingError.
        ask_for: The annotated task with these goals in place of those that prompts ask for.
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
