"""Refinement of predicted subgoals to actions, in any world (EAI paper, section 3.2)."""
