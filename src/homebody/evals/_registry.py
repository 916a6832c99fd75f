"""What Inspect finds under ``homebody/`` through the ``inspect_ai`` entry point."""

from homebody.evals.scorers import (
    by_category,
    by_category_stderr,
    mean,
    stderr,
    suite_score,
    summary,
)
from homebody.evals.solvers import interpret_goals, replan, suite_agent
from homebody.evals.tasks import (
    eai_virtualhome_action_sequencing,
    eai_virtualhome_goal_interpretation,
    eai_virtualhome_subgoal_decomposition,
    eai_virtualhome_transition_modeling,
)

__all__ = [
    "by_category",
    "by_category_stderr",
    "eai_virtualhome_action_sequencing",
    "eai_virtualhome_goal_interpretation",
    "eai_virtualhome_subgoal_decomposition",
    "eai_virtualhome_transition_modeling",
    "interpret_goals",
    "mean",
    "replan",
    "stderr",
    "suite_agent",
    "suite_score",
    "summary",
]
