"""Scores as JSON in a sample's metadata, from which the same score is read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homebody.core import Score


def score_to_metadata(score: Score) -> dict[str, Any]:
    """Return a score as JSON."""
    return {
        "identifier": score.identifier,
        "metrics": dict(score.metrics),
        "record": dict(score.record),
        "valid": score.valid,
        "epoch": score.epoch,
        "cluster": score.cluster,
    }


def score_from_metadata(data: Mapping[str, Any]) -> Score:
    """Read the score that :func:`score_to_metadata` wrote. Raises ValueError if it cannot."""
    try:
        score = Score(
            data["identifier"],
            data["metrics"],
            data["record"],
            data["valid"],
            data.get("epoch", 1),  # older logs have none
            data.get("cluster", ""),
        )
        fits = (
            isinstance(score.identifier, str)
            and isinstance(score.record, dict)
            and isinstance(score.valid, bool)
            and isinstance(score.epoch, int)
            and isinstance(score.cluster, str)
            and all(isinstance(value, int | float) for value in score.metrics.values())
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a score: {error}") from error
    if not fits:
        raise ValueError("not a score")
    return score
