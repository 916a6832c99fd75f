"""Files of a submission to EAI: one file of outputs for each ability in each world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from homebody.core import ErrorType
from homebody.core.published import Submission
from homebody.suites.eai.reading import DEVIATIONS


def submission_of(name: str, wanted: Callable[[Any], bool] = lambda task: True) -> Submission[Any]:
    """Return the submission of a suite, with its file name and the tasks for which ``wanted`` is
    true."""
    _, world, ability = name.split(".")
    return Submission(f"{world}_{ability}_outputs.json", format_problem, includes=wanted)


def format_problem(record: Mapping[str, Any]) -> str:
    """Classify a record's output format.

    Returns:
        ``unreadable`` if the output or one of its goals could not be read, ``off format`` if it was
        read despite deviations from the requested format, else an empty string.
    """
    if record.get("error_type") == ErrorType.PARSING.value or record.get("format_errors"):
        return "unreadable"
    return "off format" if record.get(DEVIATIONS) else ""
