"""Tasks in houses, played: a session of the house world, and small tasks to play."""
