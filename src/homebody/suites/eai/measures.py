"""Measures that several abilities share."""

from __future__ import annotations

import math
from collections.abc import Sequence


def precision_recall_f1(counts: Sequence[float]) -> tuple[float, float, float]:
    """Compute them from true positives, false positives and false negatives; 0 where undefined."""
    right, wrong, missed = counts
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def percent(share: float, *, exact: bool) -> float:
    """Convert a share to percent, rounded as the published summaries are unless ``exact``."""
    return 100 * share if exact else round(100 * share, 4)


def percent_measures(counts: Sequence[float], *, exact: bool) -> tuple[float, ...]:
    """Return :func:`precision_recall_f1` in percent; for no counts, 0, or NaN if ``exact``."""
    undefined = math.nan if exact else 0.0
    shares = precision_recall_f1(counts) if any(counts) else (undefined,) * 3
    return tuple(percent(share, exact=exact) for share in shares)
