"""What predicted goals are worth beside annotated ones (EAI paper, section 2.3, appendix D.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from homebody.core import Score
from homebody.core.score import cut_text
from homebody.suites.eai.measures import precision_recall_f1
from homebody.suites.eai.plan_results import AnnotatedTask, cut_list

FAULTS = frozenset({"format_error", "hallucination"})
TALLIES = {"Format errors": "format_errors", "Halluc. goals": "hallucinations"}
"""For tables: header -> key of a count in the records."""


MAX_LISTED = 5
"""Most goals of a kind that an explanation lists."""


def compared_text(counts: Sequence[int], named: Mapping[str, Sequence[str]]) -> str:
    """``"2 right, 1 wrong, 0 missed. Wrong: ON(lamp)."``

    Args:
        counts: Goals right, wrong and missed.
        named: What goals are -> these goals; nothing is said where there are none.
    """
    numbers = zip(counts, ("right", "wrong", "missed"), strict=True)
    sentences = [", ".join(f"{number} {kind}" for number, kind in numbers)]
    sentences += [
        cut_list(f"{kind}: ", goals, MAX_LISTED) for kind, goals in named.items() if goals
    ]
    return ". ".join(sentences) + "."


def odd_keys(wanted: Iterable[str], keys: Iterable[Any]) -> dict[str, Sequence[str]]:
    """Lists that an answer lacks and keys that it was not asked for, for :func:`compared_text`."""
    wanted, keys = list(wanted), list(keys)
    return {
        "Lists that are missing": [repr(name) for name in wanted if name not in keys],
        "Keys that were not asked for": [repr(key) for key in keys if key not in wanted],
    }


def goals_score(
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
        "explanation": cut_text(explanation),
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
