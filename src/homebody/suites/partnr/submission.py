"""The files of a PARTNR submission: a split's transcripts and the results of its episodes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from homebody.core import Score
from homebody.core.published import Submission
from homebody.suites.partnr.tasks import PartnrTask

_REPORTED: Final = (
    "instruction",
    "kinds",
    "success",
    "percent_complete",
    "steps",
    "cycles",
    "calls",
    "offloading",
    "extraneous",
    "exploration",
    "settings",
    "explanation",
)


def submission_of(split: str) -> Submission[PartnrTask]:
    """Return the submission of a split, with two files such as ``partnr_val_outputs.json``."""

    def besides(answers: Sequence[tuple[PartnrTask, str, Score]]) -> Mapping[str, bytes]:
        results = [
            {"episode_id": task.id, **{key: score.record.get(key) for key in _REPORTED}}
            for task, _, score in answers
        ]
        return {f"partnr_{split}_episodes.json": json.dumps(results, indent=2).encode()}

    return Submission(f"partnr_{split}_outputs.json", trouble, besides)


def trouble(record: Mapping[str, Any]) -> str:
    """Return ``unreadable`` for a record of an invalid transcript, else an empty string."""
    return "unreadable" if record.get("problem") else ""
