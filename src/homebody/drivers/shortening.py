"""Conversations that do not fit what a model can read at once lose their oldest rounds.

A round is an answer and what came of it, up to the next answer, so that calls of tools stay with
their results. What stands before the first answer (who the model is, the task) stays, and so does
the last round, which ends with what is asked. Of the others the oldest are left out, and a line
after the task says how many. As much as a quarter of what fits is left out at once: from one
question to the next the beginning mostly stays the same, and providers that keep what they have
read need not read it again.

Nothing is remembered between questions: the same conversation is shortened alike.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Final

from homebody.core import Message, Question, Tool

BYTES_PER_TOKEN: Final = 3
"""Length of a token in UTF-8, as it is taken to be. That of English with names of things in it is
nearer to 3.5, so that this errs on the side of what fits."""
PER_TEXT: Final = 5
"""Tokens that go with the text of a message, call or tool."""
PER_IMAGE: Final = 300
"""Tokens of a picture of 224 x 224, as it is taken to be: providers count 65 to 260."""
NOTE: Final = "(Your first {} answers, and what came of them, are left out.)"
"""What stands in the place of rounds that are left out."""


def shortened(question: Question, most: int) -> tuple[Question, int]:
    """A question that fits, and how many messages of the conversation are left out of it.

    Args:
        question: What is asked, with the whole conversation.
        most: About how many tokens it may have. It has more where all that must stay has.
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
    """About how many tokens messages and descriptions of tools have."""
    texts = [message.text for message in messages]
    texts += [f"{call.name} {call.arguments}" for message in messages for call in message.calls]
    texts += [f"{tool.name} {tool.description} {tool.parameters}" for tool in tools]
    images = sum(len(message.images) for message in messages)
    images += sum(video.frames for message in messages for video in message.videos)
    return PER_IMAGE * images + sum(
        PER_TEXT + len(text.encode(errors="replace")) // BYTES_PER_TOKEN for text in texts
    )


def _with_note(opening: Sequence[Message], note: str) -> tuple[Message, ...]:
    """What a conversation begins with, and a line at its end."""
    *before, last = opening or (Message("user", ""),)
    if last.role != "user":
        return (*opening, Message("user", note))
    return (*before, replace(last, text=f"{last.text}\n\n{note}".lstrip()))
