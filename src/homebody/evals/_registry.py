"""The names that Inspect finds under ``homebody/`` through the ``inspect_ai`` entry point."""

from homebody.evals.scorers import (
    by_category,
    by_category_stderr,
    mean,
    stderr,
    suite_score,
    summary,
)
from homebody.evals.solvers import answer_task
from homebody.evals.tasks import TASKS

__all__ = [
    "TASKS",
    "answer_task",
    "by_category",
    "by_category_stderr",
    "mean",
    "stderr",
    "suite_score",
    "summary",
]
