"""The contract of sessions, and their common body."""
