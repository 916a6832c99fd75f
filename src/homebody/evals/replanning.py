"""Attempts, and how a prompt tells of them (EAI paper, appendix H.2).

The prompt is asked again with all earlier attempts behind it, each with its feedback, as in the
paper. Turns of a conversation would say the same, but only to models that converse, and would
repeat what a model wrote however long; here an attempt takes a bounded part of the prompt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homebody.core import Score
from homebody.core.play.conversation import STOP_REASON, STOP_REASONS
from homebody.drivers.prompt_texts import clip
from homebody.evals.metadata import score_from_metadata, score_to_metadata

ATTEMPTS = "attempts"
"""Key in a sample's metadata: its attempts, in order, as :meth:`Attempt.to_json` writes them."""

MAX_OUTPUT = 4000
"""Characters of an answer that are repeated in a prompt; the longest annotated plan has 1,900."""

MAX_FEEDBACK = 2000


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer, how it did, and what is said of it before the next (None: it is the last)."""

    output: str
    score: Score
    feedback: str | None

    def to_json(self) -> dict[str, Any]:
        """What the log keeps of it, for :meth:`from_json`."""
        return {
            "output": self.output,
            "score": score_to_metadata(self.score),
            "feedback": self.feedback,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Attempt:
        """The attempt that :meth:`to_json` wrote."""
        return cls(data["output"], score_from_metadata(data["score"]), data["feedback"])

    def record(self) -> dict[str, Any]:
        """What the record of the sample says of it."""
        reasons = (STOP_REASON, STOP_REASONS)
        return {
            "output": _shown(self.output, MAX_OUTPUT),
            **{key: self.score.record[key] for key in reasons if key in self.score.record},
            "explanation": self.score.record.get("explanation", ""),
            "feedback": self.feedback,
        }


def attempts_of(metadata: Mapping[str, Any] | None) -> list[Attempt]:
    """The attempts in a sample's metadata; none if it was not replanned."""
    return [Attempt.from_json(data) for data in (metadata or {}).get(ATTEMPTS) or ()]


def with_history(prompt: str, attempts: Sequence[Attempt]) -> str:
    """The prompt of the next attempt; the prompt itself if there was none before."""
    if not attempts:
        return prompt
    earlier = [
        f"Attempt {number}, your answer:\n{_shown(attempt.output, MAX_OUTPUT)}\n"
        f"Attempt {number}, why it failed:\n{_shown(attempt.feedback or '', MAX_FEEDBACK)}\n"
        for number, attempt in enumerate(attempts, start=1)
    ]
    return "\n".join(
        [
            f"{prompt.rstrip()}\n",
            f"You have tried this before, and failed. This is retry {len(attempts)}.\n",
            *earlier,
            "Answer again, completely and in the same format. What you answer starts over from"
            " the initial state; nothing of the earlier attempts remains.",
        ]
    )


def _shown(text: str, most: int) -> str:
    """A text of at most some ``most`` characters, which says how many are left out."""
    return clip(text, most, f"\n[{len(text) - most:,} characters left out]\n")
