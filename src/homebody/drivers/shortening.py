"""Shortening of conversations that exceed a model's context: the oldest rounds are omitted.

A round is a reply with its feedback, so that tool calls stay with their results. The opening (role
and task) and the last round stay. A line after the task says how many rounds are omitted. Rounds
are omitted in steps of a quarter of the limit, so that the beginning rarely changes and providers
can cache it. The result depends on the conversation only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Final

from homebody.core import Message, Question, Tool

BYTES_PER_TOKEN: Final = 3
"""Estimated bytes per token in UTF-8. English with names of objects has about 3.5, so estimates are
safe."""
PER_TEXT: Final = 5
"""Additional tokens of the text of a message, call or tool."""
PER_IMAGE: Final = 300
"""Estimated tokens of a picture of 224 x 224; providers count 65 to 260."""
NOTE: Final = "(Your first {} answers and their results are omitted.)"
"""The line in place of omitted rounds."""


def shorten(question: Question, most: int) -> tuple[Question, int]:
    """Return a query that fits, and the number of omitted messages.

    Args:
        question: The query with the whole conversation.
        most: Approximate limit of tokens. The result exceeds it if the parts that stay do.
    """
    messages = question.messages
    begins = [at for at, message in enumerate(messages) if message.role == "assistant"]
    length = tokens(messages, question.tools)
    if length <= most or len(begins) < 2:
        return question, 0
    first, step = begins[0], max(1, most // 4)
    excess = -(-(length + tokens([Message("user", NOTE)]) - most) // step) * step
    saved = list(accumulate(tokens(messages[at:end]) for at, end in pairwise(begins)))
    count = min(bisect_left(saved, excess) + 1, len(saved))
    opening = _with_note(messages[:first], NOTE.format(count))
    kept = messages[begins[count] :]
    return replace(question, messages=(*opening, *kept)), begins[count] - first


def tokens(messages: Sequence[Message], tools: Iterable[Tool] = ()) -> int:
    """Estimate the number of tokens of messages and descriptions of tools."""
    texts = [message.text for message in messages]
    texts += [f"{call.name} {call.arguments}" for message in messages for call in message.calls]
    texts += [f"{tool.name} {tool.description} {tool.parameters}" for tool in tools]
    images = sum(len(message.images) for message in messages)
    images += sum(video.frames for message in messages for video in message.videos)
    return PER_IMAGE * images + sum(
        PER_TEXT + len(text.encode(errors="replace")) // BYTES_PER_TOKEN for text in texts
    )


def _with_note(opening: Sequence[Message], note: str) -> tuple[Message, ...]:
    """Return the opening of a conversation with a line at its end."""
    *before, last = opening or (Message("user", ""),)
    if last.role != "user":
        return (*opening, Message("user", note))
    return (*before, replace(last, text=f"{last.text}\n\n{note}".lstrip()))
