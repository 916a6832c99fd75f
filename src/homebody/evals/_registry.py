"""What Inspect finds under ``homebody/`` through the ``inspect_ai`` entry point."""

from homebody.evals.scorers import (
    by_category,
    by_category_stderr,
    mean,
    stderr,
    suite_score,
    summary,
)
from homebody.evals.solvers import suite_agent
from homebody.evals.tasks import (
    eai_virtualhome_action_sequencing,
    eai_virtualhome_goal_interpretation,
)

__all__ = [
    "by_category",
    "by_category_stderr",
    "eai_virtualhome_action_sequencing",
    "eai_virtualhome_goal_interpretation",
    "mean",
    "stderr",
    "suite_agent",
    "suite_score",
    "summary",
]
