"""Completion criteria of ET-Plan-Bench as goals."""

from homebody.goals.etplan.criterion import (
    CLOSE,
    RELATIONS,
    ROBOT,
    Condition,
    Criterion,
    read_criterion,
    staged,
)
from homebody.goals.etplan.judging import EtplanGoal
from homebody.goals.etplan.published import QUIRKS

__all__ = [
    "CLOSE",
    "QUIRKS",
    "RELATIONS",
    "ROBOT",
    "Condition",
    "Criterion",
    "EtplanGoal",
    "read_criterion",
    "staged",
]
