"""EmbodiedEval's predicates (paper, section 3.2.2 and table 4)."""

from homebody.goals.embodiedeval.judging import CHOICE_ENDS, NEAR, START_SKIPPED, Judge, Step
from homebody.goals.embodiedeval.predicate import AGENT, ARGUMENTS, Predicate, read_predicate

__all__ = [
    "AGENT",
    "ARGUMENTS",
    "CHOICE_ENDS",
    "NEAR",
    "START_SKIPPED",
    "Judge",
    "Predicate",
    "Step",
    "read_predicate",
]
