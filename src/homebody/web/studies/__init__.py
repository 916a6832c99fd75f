"""Studies with people: assignment of tasks to participants, their steps, and results."""
