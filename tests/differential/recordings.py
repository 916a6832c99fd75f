"""All recordings, by name."""

from __future__ import annotations

from differential import (
    test_behavior_goal_interpretation,
    test_behavior_subgoals,
    test_behavior_world,
    test_eai,
    test_partnr_evaluation,
    test_subgoal_decomposition,
    test_transition_modeling,
)
from differential.recorded import Recording

RECORDINGS: dict[str, Recording] = {
    recording.name: recording
    for recording in (
        *test_eai.RECORDED.values(),
        test_subgoal_decomposition.RECORDED,
        *test_transition_modeling.MATCHING.values(),
        *test_transition_modeling.PLANNING.values(),
        test_behavior_goal_interpretation.RECORDED,
        test_behavior_subgoals.RECORDED,
        test_behavior_world.GROUND_TRUTH,
        test_behavior_world.CHANGED_PLANS,
        test_behavior_world.CHANGED_SCENES,
        test_behavior_world.ACTION_SEQUENCING,
        test_partnr_evaluation.RECORDED,
    )
}
