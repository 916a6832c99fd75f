"""Completion criteria of ET-Plan-Bench as goals."""

from homebody.goals.etplan.criterion import (
    CLOSE,
    PLACED,
    PREPOSITIONS,
    RELATION_WORDS,
    RELATIONS,
    ROBOT,
    Condition,
    Criterion,
    add_stages,
    read_criterion,
)
from homebody.goals.etplan.jobs import Job, Target, jobs
from homebody.goals.etplan.judging import EtplanGoal
from homebody.goals.etplan.published import QUIRKS

__all__ = [
    "CLOSE",
    "PLACED",
    "PREPOSITIONS",
    "QUIRKS",
    "RELATIONS",
    "RELATION_WORDS",
    "ROBOT",
    "Condition",
    "Criterion",
    "EtplanGoal",
    "Job",
    "Target",
    "add_stages",
    "jobs",
    "read_criterion",
]
