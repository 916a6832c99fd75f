"""What Inspect finds under ``homebody/`` through the ``inspect_ai`` entry point."""

from homebody.evals.scorers import (
    by_category,
    by_category_stderr,
    mean,
    stderr,
    suite_score,
    summary,
)
from homebody.evals.solvers import ask_first, replan, suite_agent
from homebody.evals.tasks import TASKS

__all__ = [
    "TASKS",
    "ask_first",
    "by_category",
    "by_category_stderr",
    "mean",
    "replan",
    "stderr",
    "suite_agent",
    "suite_score",
    "summary",
]
