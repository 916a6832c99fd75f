"""Planning: PDDL read and written, matched, and solved."""
