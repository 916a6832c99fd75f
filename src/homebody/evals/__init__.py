"""Run models (through Inspect AI) or agents on suites, and read the logs of runs.

Functions import Inspect only when they need it, so this package is cheap to import.
"""

from homebody.evals.logs import scores_from_log
from homebody.evals.runner import RunResult, run

__all__ = ["RunResult", "run", "scores_from_log"]
