"""Completion criteria of ET-Plan-Bench as goals."""

from homebody.goals.etplan.criterion import (
    CLOSE,
    PLACED,
    PREPOSITIONS,
    RELATIONS,
    ROBOT,
    SAID,
    Condition,
    Criterion,
    read_criterion,
    staged,
)
from homebody.goals.etplan.jobs import Job, Wanted, jobs
from homebody.goals.etplan.judging import EtplanGoal
from homebody.goals.etplan.published import QUIRKS

__all__ = [
    "CLOSE",
    "PLACED",
    "PREPOSITIONS",
    "QUIRKS",
    "RELATIONS",
    "ROBOT",
    "SAID",
    "Condition",
    "Criterion",
    "EtplanGoal",
    "Job",
    "Wanted",
    "jobs",
    "read_criterion",
    "staged",
]
