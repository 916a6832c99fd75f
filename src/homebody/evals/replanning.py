"""Attempts at a task, and the prompt of a retry (EAI paper, appendix H.2).

As in the paper, the prompt is repeated with all earlier attempts and their feedback appended. Each
attempt takes a bounded part of the prompt.
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
"""Maximum characters of an output in a retry's prompt; the longest annotated plan has 1,900."""

MAX_FEEDBACK = 2000


@dataclass(frozen=True, slots=True)
class Attempt:
    """One output, its score, and the feedback for the next attempt (None for the last)."""

    output: str
    score: Score
    feedback: str | None

    def to_json(self) -> dict[str, Any]:
        """Return the attempt as JSON for :meth:`from_json`."""
        return {
            "output": self.output,
            "score": score_to_metadata(self.score),
            "feedback": self.feedback,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Attempt:
        """Read the attempt that :meth:`to_json` wrote."""
        return cls(data["output"], score_from_metadata(data["score"]), data["feedback"])

    def record(self) -> dict[str, Any]:
        """Return the attempt's part of the sample's record."""
        reasons = (STOP_REASON, STOP_REASONS)
        return {
            "output": _clip(self.output, MAX_OUTPUT),
            **{key: self.score.record[key] for key in reasons if key in self.score.record},
            "explanation": self.score.record.get("explanation", ""),
            "feedback": self.feedback,
        }


def attempts_of(metadata: Mapping[str, Any] | None) -> list[Attempt]:
    """Return the attempts in a sample's metadata; empty if it was not replanned."""
    return [Attempt.from_json(data) for data in (metadata or {}).get(ATTEMPTS) or ()]


def with_history(prompt: str, attempts: Sequence[Attempt]) -> str:
    """Return the prompt of the next attempt. The first attempt has the prompt itself."""
    if not attempts:
        return prompt
    earlier = [
        f"Attempt {number}, your answer:\n{_clip(attempt.output, MAX_OUTPUT)}\n"
        f"Attempt {number}, why it failed:\n{_clip(attempt.feedback or '', MAX_FEEDBACK)}\n"
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


def _clip(text: str, most: int) -> str:
    """Clip a string to ``most`` characters, and state the number of omitted characters."""
    return clip(text, most, f"\n[{len(text) - most:,} characters left out]\n")
