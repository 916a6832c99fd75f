"""Scores as Inspect keeps them with a sample: JSON that gives the very same score back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homebody.core import Score


def score_to_metadata(score: Score) -> dict[str, Any]:
    """A score as JSON, to be kept with the sample."""
    return {
        "identifier": score.identifier,
        "metrics": dict(score.metrics),
        "record": dict(score.record),
        "valid": score.valid,
    }


def score_from_metadata(data: Mapping[str, Any]) -> Score:
    """The score that :func:`score_to_metadata` kept."""
    return Score(data["identifier"], data["metrics"], data["record"], data["valid"])
