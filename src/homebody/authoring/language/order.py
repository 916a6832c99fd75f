"""Finds the order of steps that the words of a text state, such as "first" and "then".

The words are read from ``order.toml``; comments at its top describe them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final

_SENTENCE: Final = re.compile(r"[^.!?]+")


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The words of ``order.toml`` as patterns."""

    maybe: re.Pattern[str]
    surely: re.Pattern[str]
    clause: re.Pattern[str]
    done: re.Pattern[str]
    aside: re.Pattern[str]
    forward: re.Pattern[str]
    backward: re.Pattern[str]
    leading: re.Pattern[str]
    verb: re.Pattern[str]
    """A comma before an imperative."""


@cache
def _patterns() -> _Patterns:
    text = (resources.files("homebody.authoring.language") / "order.toml").read_text("utf-8")
    words = {name: "|".join(entries) for name, entries in tomllib.loads(text).items()}
    finished = (
        r"({finished_when}) ({finished_what})( is| are|'s|'re| have| has|'ve)?( been)?"
        r" ({finished})( with)?( that| this| it| all that)?"
    )
    patterns = {
        "maybe": r"\b({maybe})\b",
        "surely": r"(\b({surely})|(^|[.!?;]\s+)({surely_first})\b)",
        "clause": r"(?<!look )(?<!looking )\b({clause})\b([^,.;!?]*)",
        "done": rf"\b({{done}}|{finished})\b",
        "aside": r"\b({aside})\b",
        "forward": r"\b({forward})\b",
        "backward": r"\b({backward})\b",
        "leading": r"\s*(and |please |but )?({leading})\b",
        "verb": r", (?=({verbs})\b)",
    }
    return _Patterns(**{k: re.compile(v.format(**words)) for k, v in patterns.items()})


def says_order(instruction: str) -> bool:
    """Return whether any word may state an order, such as "before" in "before dinner"."""
    return _patterns().maybe.search(instruction.lower()) is not None


def surely_says_order(instruction: str, nouns: Iterable[tuple[int, int]]) -> bool:
    """Return whether words certainly state an order of steps.

    ``nouns`` are the first and last characters of the nouns that name objects of the task: "before
    dinner" states no order of steps, "before you wash the cup" does.
    """
    text = instruction.lower()
    if _patterns().surely.search(text):
        return True
    spans = list(nouns)
    return any(
        clause.start() <= start and end <= clause.end()
        for clause in _patterns().clause.finditer(text)
        for start, end in spans
    )


def segments(instruction: str) -> list[tuple[int, int]] | None:
    """Return the parts of an instruction in the order of execution, as first and last characters.

    The result is None if the order is unclear. "After A, B", "A before B", "A, then B", "before B,
    A" and "B once A" all mean A and then B.
    """
    text = instruction.lower()
    if _patterns().aside.search(text):
        return None
    # "after that" and "once that is done" separate two steps like "then"
    text = _patterns().done.sub(lambda match: "then" + " " * (len(match.group()) - 4), text)
    parts: list[tuple[int, int]] = []
    for sentence in _SENTENCE.finditer(text):
        own = _parts(sentence.group())
        if own is None:
            return None
        parts += [(start + sentence.start(), end + sentence.start()) for start, end in own]
    return parts


def _parts(sentence: str) -> list[tuple[int, int]] | None:
    """Return the parts of a sentence in the order of execution."""
    lead = _patterns().leading.match(sentence)
    if lead is not None:
        commas = [match.start() for match in _patterns().verb.finditer(sentence)]
        if not commas and sentence.count(",") == 1:
            commas = [sentence.index(",")]
        if len(commas) != 1 or _patterns().backward.search(sentence, lead.end()):
            return None
        comma = commas[0]
        following = _parts(sentence[comma:])
        if following is None:
            return None
        moved = [(start + comma, end + comma) for start, end in following]
        first = (0, comma)
        return [*moved, first] if lead[2] == "before" else [first, *moved]
    back = _patterns().backward.search(sentence)
    if back is not None:
        if _patterns().forward.search(sentence):
            return None
        return [(back.start(), len(sentence)), (0, back.start())]
    cuts = [0, *(match.start() for match in _patterns().forward.finditer(sentence)), len(sentence)]
    return [pair for pair in pairwise(cuts) if pair[0] < pair[1]]
