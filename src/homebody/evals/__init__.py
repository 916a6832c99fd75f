"""Runs of suites: :func:`run` has models, which Inspect AI calls, or agents answer, and writes down
what they do; :func:`scores_from_log` reads it.

Inspect is imported by the functions that need it: importing this package is cheap, and agents need
none.
"""

from homebody.evals.logs import scores_from_log
from homebody.evals.runner import RunResult, run

__all__ = ["RunResult", "run", "scores_from_log"]
