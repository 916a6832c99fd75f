"""Goal languages. Each language reads a published notation for goals and judges traces by these
goals."""

from homebody.goals.ltl import LTLError, LTLSyntaxError, LTLVocabularyError
from homebody.goals.ltl.goal import LTLGoal
from homebody.goals.ltl.simple_goals import NotSimpleError, SimpleGoal, simple_goals

__all__ = [
    "LTLError",
    "LTLGoal",
    "LTLSyntaxError",
    "LTLVocabularyError",
    "NotSimpleError",
    "SimpleGoal",
    "simple_goals",
]
