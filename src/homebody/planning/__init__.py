"""Planning: reads and writes PDDL, finds relevant actions, and solves problems."""
