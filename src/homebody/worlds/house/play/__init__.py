"""Sessions of the house world, and small tasks to play."""
