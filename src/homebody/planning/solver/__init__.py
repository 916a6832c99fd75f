"""Finds out whether a PDDL task has a plan: by a search in this process, then by Fast Downward if
the search gives no answer."""
