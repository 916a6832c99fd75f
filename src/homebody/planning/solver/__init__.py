"""Is there a plan for a PDDL task: search here first, Fast Downward for what that cannot tell."""
