"""The bridge to Inspect AI, which calls the models: :func:`run` a suite, read its log.

Inspect is imported by the functions that need it, so that importing this package is cheap.
"""

from homebody.evals.logs import scores_from_log
from homebody.evals.runner import RunResult, run

__all__ = ["RunResult", "run", "scores_from_log"]
