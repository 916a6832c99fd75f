"""What predicted goals are worth beside annotated ones (EAI paper, section 2.3, appendix D.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from homebody.core import Score
from homebody.suites.eai.measures import precision_recall_f1
from homebody.suites.eai.plan_results import AnnotatedTask

TALLIES = {"Format errors": "format_errors", "Halluc. goals": "hallucinations"}
"""For tables: header -> key of a count in the records."""


def compared_text(counts: Sequence[int], others: Iterable[tuple[int, str]]) -> str:
    """``"2 right, 1 wrong, 0 missed, 1 malformed"``.

    Args:
        counts: Goals right, wrong and missed.
        others: More numbers, each with what it is of; left out if 0.
    """
    named = [*zip(counts, ("right", "wrong", "missed"), strict=True)]
    return ", ".join(
        f"{number} {kind}" for number, kind in (*named, *(row for row in others if row[0]))
    )


def make_score(
    task: AnnotatedTask,
    counts: Sequence[int],
    noted: Mapping[str, Any],
    *,
    format_errors: int,
    hallucinations: int,
    explanation: str,
    crash: str = "",
) -> Score:
    """Metrics and record of a comparison.

    Args:
        task: The task.
        counts: Goals of all kinds: right, wrong and missed.
        noted: What else the record says, after the task.
        format_errors: Goals that are malformed; an output that is not read is one.
        hallucinations: Goals with names that do not exist.
        explanation: For people.
        crash: What would have ended the published evaluation, or an empty string.
    """
    precision, recall, f1 = precision_recall_f1(counts)
    record: dict[str, Any] = {
        "identifier": task.id,
        "task": task.task.name,
        "categories": list(task.categories),
        **noted,
        "format_errors": format_errors,
        "hallucinations": hallucinations,
        "precision": round(precision, 6),
        "recall": round(recall, 6),
        "f1": round(f1, 6),
        "explanation": explanation,
    }
    if crash:
        record["published_crash"] = crash
    metrics = {
        "precision": precision,
        # more than 1 where a protocol counts what is repeated; the record keeps it
        "recall": min(recall, 1.0),
        "f1": min(f1, 1.0),
        "format_error": float(format_errors > 0),
        "hallucination": float(hallucinations > 0),
    }
    return Score(task.id, metrics, record)
