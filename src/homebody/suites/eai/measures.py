"""Measures that several abilities share."""

from __future__ import annotations

from collections.abc import Sequence


def precision_recall_f1(counts: Sequence[float]) -> tuple[float, float, float]:
    """From true positives, false positives and false negatives; 0 where undefined."""
    right, wrong, missed = counts
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
