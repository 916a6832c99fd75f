"""EmbodiedEval's predicates (paper, section 3.2.2 and table 4)."""

from homebody.goals.embodiedeval.judging import NEAR, Judge, Step
from homebody.goals.embodiedeval.predicate import AGENT, ARGUMENTS, Predicate, read_predicate

__all__ = ["AGENT", "ARGUMENTS", "NEAR", "Judge", "Predicate", "Step", "read_predicate"]
