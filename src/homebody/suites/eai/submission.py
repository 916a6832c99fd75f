"""What is handed in of EAI: a file of outputs for each ability in each world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from homebody.core import ErrorType
from homebody.core.published import Submission
from homebody.suites.eai.reading import DEVIATIONS


def submission_of(name: str, wanted: Callable[[Any], bool] = lambda task: True) -> Submission[Any]:
    """That of a suite: ``behavior_action_sequencing_outputs.json``, with the outputs of the tasks
    that are wanted."""
    _, world, ability = name.split(".")
    return Submission(f"{world}_{ability}_outputs.json", trouble, includes=wanted)


def trouble(record: Mapping[str, Any]) -> str:
    """``unreadable`` of an answer that is not read, or of which a goal is not; ``off format`` of
    one that is read though it is not what was asked for."""
    if record.get("error_type") == ErrorType.PARSING.value or record.get("format_errors"):
        return "unreadable"
    return "off format" if record.get(DEVIATIONS) else ""
