"""What can be asked of a run besides the suite's own question."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from homebody.core import HomebodyError, Protocol, Suite
from homebody.suites.eai.virtualhome import pipeline

MOST_RETRIES = 10
"""The prompt grows with each."""

_PLANS = "eai.virtualhome.action_sequencing"


@dataclass(frozen=True, slots=True)
class Options:
    """Settings that are part of what makes a run this run.

    Attributes:
        retries: How often a failed answer may be mended, told what was wrong (EAI paper,
            appendix H; 3 there).
        fail_probability: How often an action has no effect (appendix H.4).
        pipeline: The goals are the model's own (appendix G).
    """

    retries: int = 0
    fail_probability: float = 0.0
    pipeline: bool = False

    def changed(self) -> dict[str, Any]:
        """Those that are not as usual. The others are left out of what names a run, so that it
        is the run that it was before there were options."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

    def check(self, suite: Suite[Any], protocol: Protocol) -> None:
        """Raises HomebodyError if the suite, or the protocol, cannot do this."""
        if not isinstance(self.retries, int) or not 0 <= self.retries <= MOST_RETRIES:
            raise HomebodyError(f"retries must be between 0 and {MOST_RETRIES}")
        chance = self.fail_probability
        if not isinstance(chance, int | float) or not 0.0 <= chance <= 1.0:
            raise HomebodyError("the probability of failure must be between 0 and 1")
        if self.retries and suite.feedback is None:
            raise HomebodyError(
                f"there is no replanning for {suite.name}",
                f"it is for answers that succeed or fail, as those of {_PLANS}",
            )
        if chance and suite.name != _PLANS:
            raise HomebodyError(f"{suite.name} executes no plans", f"use {_PLANS}")
        if chance and protocol.quirks:
            raise HomebodyError(
                "actions that fail are judged by the corrected protocol only",
                "the published evaluator does not execute plans equal to the ground truth",
            )
        if self.pipeline and suite.name not in pipeline.SECOND:
            raise HomebodyError(
                f"{suite.name} does not start from goals", f"use {' or '.join(pipeline.SECOND)}"
            )
        if self.pipeline and self.retries:
            raise HomebodyError(
                "a pipeline cannot be replanned: feedback would name the goals that the model is"
                " to interpret itself",
                "run one after the other",
            )

    def label(self, name: str, retried: bool = True) -> str:
        """A name for the row of a table, or, if not ``retried``, of its first attempts."""
        notes = " + ".join(self._notes(retried))
        return f"{name} ({notes})" if notes else name

    def folder(self, name: str, retried: bool = True) -> str:
        """The same as the name of a folder: ``openai_gpt-4o_replanning``."""
        return "_".join([name.replace("/", "_"), *self._notes(retried)])

    def _notes(self, retried: bool) -> list[str]:
        notes = [f"p={self.fail_probability:g}"] if self.fail_probability else []
        notes += ["pipeline"] if self.pipeline else []
        return [*notes, "replanning"] if self.retries and retried else notes


USUAL = Options()
