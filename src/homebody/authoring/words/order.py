"""Words that say in which order things are to be done."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

_ANY: Final = re.compile(
    r"\b(then|after|afterwards?|afterward|before|beforehand|first(?!-aid| aid)|firstly|finally"
    r"|lastly|last|once|when|until|later|next(?! to)|subsequently|prior|second|secondly|third"
    r"|as soon as"
    r"|followed by|following|to begin|to start|start by|start with|begin with|begin by"
    r"|in the end|now that"
    r"|to finish|finish by|finish with|in turn|eventually|previously|already|from there|having"
    r"|only|to wrap up|done)\b"
)
_SURE: Final = re.compile(
    r"(\bthen\b(?! again)|\bafter (that|this|which|it|doing)\b"
    r"(?! (meal|lunch|dinner|day|trip|walk))|\bafterwards?\b|\bfollowed by\b"
    r"|\bfollowing (that|this)\b"
    r"|(^|[.!?;]\s+)(first|firstly|finally|lastly|next|second|once)\b|\bas soon as\b"
    r"|\bsubsequently\b|\bbefore (that|doing)\b)"
)
_CLAUSE: Final = re.compile(r"(?<!look )(?<!looking )\b(after|before|once|when|until)\b([^,.;!?]*)")
_SENTENCE: Final = re.compile(r"[^.!?]+")
_DONE: Final = re.compile(
    r"\b((after|following) (that|this|which|doing that)|(once|when|as soon as|after|now that)"
    r" (that|this|it|you|we|all that|all of that|everything)( is| are|'s|'re| have| has|'ve)?"
    r"( been)? (done|finish|finished|ready|completed?)( with)?( that| this| it| all that)?)\b"
)
_ASIDE: Final = re.compile(
    r"\b(before (that|this|doing)|beforehand|but first|prior|already|until|having)\b"
)
_FORWARD: Final = re.compile(
    r"\b(then|afterwards?|finally|lastly|next(?! to)|followed by|subsequently|from there|before)\b"
)
_BACKWARD: Final = re.compile(r"\b(after|once|when|as soon as)\b")
_VERB: Final = re.compile(
    r", (?=(please|you|i|i'd|we|can|could|would|let|go|also|put|place|move|bring|take|set|get|carry"
    r"|clean|wash|wipe|fill|turn|switch|store|leave|return|transfer|arrange|drop|deliver|collect"
    r"|gather|grab|find|stow|give|fetch|rinse|scrub|shut|power|pour|empty|keep|stack|lay|pick)\b)"
)
"""A comma before what is to be done."""
_LEADING: Final = re.compile(r"\s*(and |please |but )?(after|once|when|as soon as|before)\b")


def says_order(instruction: str) -> bool:
    """Whether there is any word that can mean an order, such as "before" in "before dinner"."""
    return _ANY.search(instruction.lower()) is not None


def surely_says_order(instruction: str, nouns: Iterable[tuple[int, int]]) -> bool:
    """Whether words mean an order of steps.

    Args:
        instruction: What is said.
        nouns: First and last characters of the nouns that name objects of the task: "before
            dinner" orders nothing, "before you wash the cup" does.
    """
    text = instruction.lower()
    if _SURE.search(text):
        return True
    spans = list(nouns)
    return any(
        clause.start() <= start and end <= clause.end()
        for clause in _CLAUSE.finditer(text)
        for start, end in spans
    )


def segments(instruction: str) -> list[tuple[int, int]] | None:
    """The parts of an instruction in the order in which they are to be done, as first and last
    characters; None if the words are not understood that well.

    "After A, B", "A before B" and "A, then B" are A and B; "before A, B" and "B once A" too.
    """
    text = instruction.lower()
    if _ASIDE.search(text):
        return None
    # "after that" and "once that is done" part two steps like "then"
    text = _DONE.sub(lambda one: "then" + " " * (len(one.group()) - 4), text)
    parts: list[tuple[int, int]] = []
    for sentence in _SENTENCE.finditer(text):
        own = _parts(sentence.group())
        if own is None:
            return None
        parts += [(start + sentence.start(), end + sentence.start()) for start, end in own]
    return parts


def _parts(sentence: str) -> list[tuple[int, int]] | None:
    """The parts of a sentence in the order in which they are to be done."""
    lead = _LEADING.match(sentence)
    if lead is not None:
        commas = [one.start() for one in _VERB.finditer(sentence)]
        if not commas and sentence.count(",") == 1:
            commas = [sentence.index(",")]
        if len(commas) != 1 or _BACKWARD.search(sentence, lead.end()):
            return None
        comma = commas[0]
        rest = _parts(sentence[comma:])
        if rest is None:
            return None
        moved = [(start + comma, end + comma) for start, end in rest]
        first = (0, comma)
        return [*moved, first] if lead[2] == "before" else [first, *moved]
    back = _BACKWARD.search(sentence)
    if back is not None:
        if _FORWARD.search(sentence):
            return None
        return [(back.start(), len(sentence)), (0, back.start())]
    cuts = [0, *(one.start() for one in _FORWARD.finditer(sentence)), len(sentence)]
    return [pair for pair in pairwise(cuts) if pair[0] < pair[1]]
