"""From predicted subgoals to actions, whatever the world (EAI paper, section 3.2)."""
